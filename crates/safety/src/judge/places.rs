//! The limits about places: where the way of a command leads, and how far.

use glam::DVec3;
use robot::{Motion, Reason};

use super::checks::{Checks, Way};
use super::items::{face_item, finite, finite_point, scalar};
use super::speeds::Stopping;
use crate::constraint::limits::ROUNDING_M;
use crate::space::frames::FrameIndex;
use crate::space::geometry::{Aabb, Region, is_worse};
use crate::space::grid::Reach;
use crate::space::rounding::{difference_down, distance_up, sum_up};
use crate::{Constraint, ConstraintKind, Item, Kind, Limits, PlaceLimit};

impl Checks<'_> {
    /// A place against the whole way, with body, error and margin, then with stopping as well; and how much the way
    /// leaves of it, metres.
    pub(super) fn region_item(
        &self,
        constraint: &Constraint,
        frame: FrameIndex,
        way: &Way<'_>,
        stopping: Stopping,
    ) -> Option<(Item, f64)> {
        let frames = &self.limits.frames;
        let region = region_of(self.limits, &constraint.kind)?;
        let region = match region {
            // A point is rounded on its way from one frame to another, and so was a start that was measured elsewhere.
            Region::Within(_) if way.rounded || way.frame != frame.into() => region.tightened(ROUNDING_M),
            Region::Within(_) | Region::Outside { .. } | Region::OutsideBox { .. } => region,
        };
        // A violated region cannot hold along the way out; it must only get better, and bounds no approach speed.
        if self.is_escape() && self.is_outside(region, frame, way) {
            return Some((self.escape_item(constraint, region, frame, way), f64::INFINITY));
        }
        let convert = |point| frames.convert(point, way.frame, frame);
        let worst = way.track.worst(region, convert);
        let reach = Reach { ball_m: way.ball_m, stopping_m: stopping.distance_m };
        let clearance = difference_down(worst.clearance, way.ball_m);
        let inside = region.holds(clearance);
        let room = difference_down(clearance, stopping.distance_m);
        let stops = reach.is_clear(region, worst.clearance);
        let mut item = self.nearest_limit(constraint, region, worst.point);
        item.margin = if inside { room } else { clearance };
        // Where the way itself leaves the region no speed would do, and none is suggested.
        if inside && stopping.distance_m.is_finite() {
            item.reason.args.speed_allowed_mps = finite(self.speed_for(clearance));
        }
        if inside && !stops {
            item.reason.code = Reason::StoppingDistance;
            item.reason.args.speed_mps = finite(stopping.speed_mps);
            (item.limit, item.predicted) = (clearance, stopping.distance_m);
        }
        // The tool stands where it may be and only its ball reaches out: a smaller step may be provable.
        if !inside && region.holds(worst.clearance) {
            item.reason.code = Reason::NotProvable;
            item.reason.args.step_m_max = finite((worst.clearance - stopping.distance_m).max(0.0));
            (item.limit, item.predicted) = (worst.clearance, way.ball_m);
        }
        item.point_m = finite_point(frames.convert(worst.point, frame, way.frame));
        if matches!(self.command.motion, Motion::Path { .. }) {
            item.reason.args.point_index = u32::try_from(worst.index).ok();
        }
        // Of a ball it is known how far it gets, not where.
        if !stops && way.ball_m == 0.0 {
            let needed = if inside { region.tightened(stopping.distance_m) } else { region };
            item.at_path_m = way.track.first_violation(needed, convert);
            let nearest = needed.nearest_allowed(worst.point);
            item.nearest_allowed_m = nearest.and_then(|point| finite_point(frames.convert(point, frame, way.frame)));
        }
        Some((item.deny_unless(stops), clearance))
    }

    fn is_escape(&self) -> bool {
        matches!(self.command.motion, Motion::Escape { .. })
    }

    /// The item of a region before anything is decided: which limit is nearest to `point` and how near that is.
    pub(super) fn nearest_limit(&self, constraint: &Constraint, region: Region, point: DVec3) -> Item {
        let id = constraint.id.clone();
        let inflation_m = self.limits.inflation_m();
        let mut item = match region {
            Region::Within(bounds) => {
                let mut item = face_item(id, Kind::Workspace, Reason::Workspace, bounds, point);
                // The limit that was registered, not the one shrunk by the body.
                let (_, upper, _) = bounds.nearest_face(point);
                item.limit += if upper { inflation_m } else { -inflation_m };
                item
            }
            Region::Outside { center, radius } => {
                // Here too it is the radius that was registered, not the one with the body.
                let (registered, distance) = (radius - inflation_m, point.distance(center));
                scalar(id, Kind::ForbiddenZone, Reason::ForbiddenZone, registered, distance)
            }
            Region::OutsideBox { bounds, radius } => {
                scalar(id, Kind::KeepOutBox, Reason::KeepOut, radius, bounds.distance(point))
            }
        };
        item.reason.args.inflation_m = Some(inflation_m);
        item
    }

    /// The longest step from the measured position to a goal, or from one goal to the next. The end of a velocity is no
    /// goal.
    pub(super) fn goal_jump_item(&self, constraint: &Constraint, limit: f64, way: &Way<'_>) -> Option<Item> {
        match &self.command.motion {
            Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Escape { .. } => {}
            Motion::Joints { .. } => return Some(ball_jump_item(constraint, limit, way)),
            Motion::Velocity { .. } | Motion::Gripper { .. } | Motion::Switch { .. } => return None,
        }
        let mut from = way.track.start;
        let mut longest = (0.0, from);
        for point in way.track.points {
            let to = DVec3::from_array(*point);
            // Only the start was converted between frames; the points are in the command's own frame, exactly.
            let rounded_m = if from == way.track.start { way.start_error_m() } else { 0.0 };
            let jump = sum_up(distance_up(from, to), rounded_m);
            // Negated, so that the longest jump is the worst and not-a-number stays it.
            if is_worse(-jump, -longest.0) {
                longest = (jump, to);
            }
            from = to;
        }
        let mut item = scalar(constraint.id.clone(), Kind::GoalJump, Reason::GoalJump, limit, longest.0);
        item.point_m = finite_point(longest.1);
        Some(item.deny_unless(longest.0 <= limit))
    }
}

/// A joint goal steps no farther than its ball reaches; whether it would step less cannot be shown.
fn ball_jump_item(constraint: &Constraint, limit: f64, way: &Way<'_>) -> Item {
    let item = |code| scalar(constraint.id.clone(), Kind::GoalJump, code, limit, way.ball_m);
    if way.ball_m <= limit {
        return item(Reason::GoalJump).deny_unless(true);
    }
    let mut item = item(Reason::NotProvable);
    item.reason.args.step_m_max = Some(limit);
    item
}

/// The region in which the robot's point may be under a constraint, with body, error and margin taken off; `None` if
/// the constraint is not about places.
pub(crate) fn region_of(limits: &Limits, kind: &ConstraintKind) -> Option<Region> {
    region_inflated(kind, limits.inflation_m())
}

/// The region for a point that stands for everything within `inflation_m` of it, metres.
pub(crate) fn region_inflated(kind: &ConstraintKind, inflation_m: f64) -> Option<Region> {
    Some(match kind.place()? {
        // Faces are rounded inwards by `shrunk` itself; the others need room for the rounding of a length.
        PlaceLimit::Workspace { x, y, z } => Region::Within(Aabb::new(x, y, z).shrunk(inflation_m)),
        PlaceLimit::ForbiddenZone { center, radius } => {
            Region::Outside { center: DVec3::from_array(center), radius: radius + inflation_m + ROUNDING_M }
        }
        PlaceLimit::KeepOutBox { min, max } => {
            let bounds = Aabb { min: DVec3::from_array(min), max: DVec3::from_array(max) };
            Region::OutsideBox { bounds, radius: inflation_m + ROUNDING_M }
        }
    })
}
