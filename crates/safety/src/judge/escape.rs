//! The only way out of a place where the robot may not be: a person's, slow, straight, and better at every point.

use glam::DVec3;
use robot::{Actuator, PathSource, Reason, Source};

use super::checks::{Checks, Way};
use super::items::{finite_point, scalar};
use super::places::region_of;
use crate::space::frames::FrameIndex;
use crate::space::geometry::Region;
use crate::{Constraint, Item, Kind};

/// The fastest escape, metres per second: a tenth of what a person walks.
pub(crate) const ESCAPE_MPS_MAX: f64 = 0.10;

impl Checks<'_> {
    /// Checks the conditions of every escape: by a person, straight, from a violated limit, slow.
    pub(super) fn check_escape(&mut self, actuator: &Actuator, speed_mps: Option<f64>, way: Option<&Way<'_>>) {
        match self.command.source {
            Source::Person(_) => {}
            // A person has to watch it: the limit that protects the surroundings is already violated.
            Source::Mission(_) | Source::Agent => self.refuse_expected(Reason::Arbitration, "a person in control"),
        }
        // A planner may route through the forbidden region, and nothing here would see that way.
        if actuator.path == PathSource::Own {
            self.refuse_expected(Reason::NotProvable, "an actuator that goes straight");
        }
        if way.is_some_and(|way| !self.starts_outside(actuator, way)) {
            self.refuse_expected(Reason::NotProvable, "a start where a limit is violated");
        }
        let id = self.limits.ids.escape.clone();
        let mut item = match speed_mps {
            Some(speed_mps) => {
                let item = scalar(id, Kind::MaxVelocity, Reason::Velocity, ESCAPE_MPS_MAX, speed_mps);
                item.deny_unless(0.0 < speed_mps && speed_mps <= ESCAPE_MPS_MAX)
            }
            None => scalar(id, Kind::MaxVelocity, Reason::MissingVelocity, ESCAPE_MPS_MAX, f64::NAN),
        };
        item.reason.args.speed_allowed_mps = Some(ESCAPE_MPS_MAX);
        (self.sink)(item);
    }

    /// True if any limit about places is violated where the way starts.
    fn starts_outside(&self, actuator: &Actuator, way: &Way<'_>) -> bool {
        self.limits.binding(&actuator.id).any(|(constraint, frame)| {
            region_of(self.limits, &constraint.kind).is_some_and(|region| self.is_outside(region, frame, way))
        })
    }

    /// True if `region` is violated where the way starts.
    pub(super) fn is_outside(&self, region: Region, frame: FrameIndex, way: &Way<'_>) -> bool {
        let start = self.limits.frames.convert(way.track.start, way.frame, frame);
        !region.holds(region.clearance(start))
    }

    /// A region that the escape starts outside of: every part of it that is violated must get better all along.
    pub(super) fn escape_item(
        &self,
        constraint: &Constraint,
        region: Region,
        frame: FrameIndex,
        way: &Way<'_>,
    ) -> Item {
        let frames = &self.limits.frames;
        let convert = |point| frames.convert(point, way.frame, frame);
        let start = convert(way.track.start);
        let goal = way.track.points.first().map_or(start, |goal| convert(DVec3::from_array(*goal)));
        let mut item = self.nearest_limit(constraint, region, start);
        item.margin = region.clearance(start);
        item.point_m = finite_point(way.track.start);
        let nearest = region.nearest_allowed(start).map(|point| frames.convert(point, frame, way.frame));
        item.nearest_allowed_m = nearest.and_then(finite_point);
        item.deny_unless(region.improves(start, goal))
    }
}

impl Region {
    /// True if every violated distance grows from the first step of a straight way to its last. The distance to a
    /// convex body, once it grows along a line, goes on growing.
    fn improves(self, from: DVec3, to: DVec3) -> bool {
        let way = to - from;
        if !way.is_finite() || way == DVec3::ZERO {
            return false;
        }
        match self {
            Self::Within(bounds) => (0..3).all(|axis| {
                let (low, high) = (bounds.min[axis], bounds.max[axis]);
                // A face that is violated must come nearer; one that holds must still hold at the end.
                let grows = |outside: f64, step: f64, end: f64| if outside < 0.0 { step > 0.0 } else { end >= 0.0 };
                grows(from[axis] - low, way[axis], to[axis] - low)
                    && grows(high - from[axis], -way[axis], high - to[axis])
            }),
            // From the centre every direction leads out.
            Self::Outside { center, .. } => from == center || (from - center).dot(way) > 0.0,
            Self::OutsideBox { bounds, .. } => bounds.grows(from, way),
        }
    }
}
