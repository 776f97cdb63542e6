//! The checks of one command, in the order preconditions, limits of the set, limits of the manifest.

use glam::DVec3;
use robot::{Actuator, Command, ConstraintId, ForceSource, FrameId, Instant, Motion, PathSource, Reason};

use crate::frames::FrameIndex;
use crate::geometry::{Aabb, Pieces, Region, Track, is_worse};
use crate::limits::ROUNDING_M;
use crate::state::is_fresh;
use crate::verdict::ItemReason;
use crate::{
    Axis, Constraint, ConstraintKind, Item, Kind, Limits, Measured, Overall, PathChecked, Pose, ReasonArgs, RobotState,
    Unit,
};

/// The inputs of a judgement and where its items go.
pub(super) struct Checks<'a> {
    pub(super) limits: &'a Limits,
    pub(super) state: &'a RobotState,
    pub(super) command: &'a Command,
    pub(super) now: Instant,
    pub(super) sink: &'a mut dyn FnMut(Item),
}

/// A way through space and the frame of its numbers.
struct Way<'a> {
    track: Track<'a>,
    frame: FrameIndex,
}

/// What a command says about its speed.
#[derive(Clone, Copy)]
enum Speed {
    /// Metres per second.
    Given(f64),
    /// Nothing, though it must.
    Missing,
    /// Nothing, and it need not: a gripper's fingers have a speed of their own.
    Optional,
}

/// Distances that depend on the speed of a command.
#[derive(Clone, Copy)]
struct Stopping {
    /// The larger of commanded and measured speed, metres per second.
    speed_mps: f64,
    /// What the robot needs to stop from it, metres.
    distance_m: f64,
}

impl Checks<'_> {
    pub(super) fn run(mut self) -> PathChecked {
        self.check_gate();
        let (limits, command) = (self.limits, self.command);
        let known = limits.actuator(&command.actuator).filter(|_| command.robot == limits.manifest.id);
        let Some(actuator) = known else {
            self.refuse_expected(Reason::UnknownActuator, format!("an actuator of robot {}", limits.manifest.id));
            return PathChecked::Point;
        };
        if let Some(missing) = limits.missing(actuator) {
            self.refuse_expected(Reason::EmptySet, format!("a {missing} constraint"));
        }
        match &command.motion {
            Motion::PoseGoal { position_m, speed_mps, duration_s, .. } => {
                let way = self.way(actuator, std::slice::from_ref(position_m));
                // The peak of a trapezoid whose ramps fill the whole time is twice the mean.
                let peak_mps =
                    way.as_ref().zip(*duration_s).map(|(way, duration_s)| 2.0 * way.track.length() / duration_s);
                self.check_goals(way.as_ref());
                self.check_limits(actuator, speed_mps.or(peak_mps).map_or(Speed::Missing, Speed::Given), way.as_ref());
                path_checked(actuator, PathChecked::Segment)
            }
            Motion::Path { points_m, speed_mps } => {
                let way = self.way(actuator, points_m);
                self.check_goals(way.as_ref());
                self.check_limits(actuator, speed_mps.map_or(Speed::Missing, Speed::Given), way.as_ref());
                path_checked(actuator, PathChecked::Polyline)
            }
            Motion::Velocity { linear_mps, angular_radps } => {
                self.check_velocity(actuator, DVec3::from_array(*linear_mps));
                self.check_angular(DVec3::from_array(*angular_radps));
                PathChecked::Segment
            }
            Motion::Gripper { speed_mps, .. } => {
                self.check_limits(actuator, speed_mps.map_or(Speed::Optional, Speed::Given), None);
                PathChecked::Point
            }
            Motion::Switch { .. } => PathChecked::Point,
        }
    }

    fn refuse(&mut self, code: Reason, args: ReasonArgs) {
        (self.sink)(Item::precondition(code, args));
    }

    fn refuse_expected(&mut self, code: Reason, expected: String) {
        self.refuse(code, ReasonArgs { expected: Some(expected), ..ReasonArgs::default() });
    }

    /// What must hold whatever moves: armed, not stopped, in time, all numbers finite.
    fn check_gate(&mut self) {
        if !self.state.armed {
            self.refuse(Reason::NotArmed, ReasonArgs::default());
        }
        if self.state.latched {
            self.refuse(Reason::Latched, ReasonArgs::default());
        }
        let ttl_ms = u64::from(self.command.ttl_ms);
        if !is_fresh(self.command.issued_at, self.now, ttl_ms) {
            let age_ms = Some(self.now.ms_since(self.command.issued_at));
            self.refuse(Reason::Expired, ReasonArgs { age_ms, age_ms_max: Some(ttl_ms), ..ReasonArgs::default() });
        }
        if !is_finite(self.command) {
            self.refuse(Reason::NonFinite, ReasonArgs::default());
        }
    }

    /// The measured position in the command's frame, or `None` after saying why there is none.
    fn start(&mut self) -> Option<(DVec3, FrameIndex)> {
        let frames = &self.limits.frames;
        let start = fresh_position(self.limits, self.state, self.now);
        let Some(frame) = frames.index_of(&self.command.frame) else {
            self.refuse(Reason::FrameMismatch, frame_args(&self.command.frame));
            return None;
        };
        match start {
            Ok((position, pose_frame)) => Some((frames.convert(position, pose_frame, frame), frame)),
            Err(reason) => {
                self.refuse(reason.code, reason.args);
                None
            }
        }
    }

    /// The way from the measured position through `points`.
    fn way<'p>(&mut self, actuator: &Actuator, points: &'p [[f64; 3]]) -> Option<Way<'p>> {
        let pieces = match actuator.path {
            PathSource::Segment => Pieces::Straight,
            PathSource::Own => Pieces::Unknown,
        };
        self.start().map(|(start, frame)| Way { track: Track { start, points, pieces }, frame })
    }

    /// A velocity sweeps the segment it covers within its time-to-live.
    fn check_velocity(&mut self, actuator: &Actuator, linear_mps: DVec3) {
        let start = self.start();
        let ttl_s = f64::from(self.command.ttl_ms) / 1e3;
        let end = [start.map_or([0.0; 3], |(position, _)| (position + linear_mps * ttl_s).to_array())];
        let way =
            start.map(|(start, frame)| Way { track: Track { start, points: &end, pieces: Pieces::Straight }, frame });
        if let Some(way) = &way {
            self.check_envelope(way);
        }
        self.check_limits(actuator, Speed::Given(linear_mps.length()), way.as_ref());
    }

    fn check_angular(&mut self, angular_radps: DVec3) {
        let (limit, predicted) = (self.limits.manifest.limits.angular_radps_max, angular_radps.length());
        let id = self.limits.ids.angular.clone();
        let item = scalar(id, Kind::AngularVelocity, Reason::Velocity, Unit::Radps, limit, predicted);
        (self.sink)(item.deny_unless(predicted <= limit));
    }

    /// Every limit of the set that binds `actuator`.
    fn check_limits(&mut self, actuator: &Actuator, speed: Speed, way: Option<&Way<'_>>) {
        let stopping = self.stopping(speed);
        let limits = self.limits;
        for (constraint, frame) in limits.binding(&actuator.id) {
            let item = match &constraint.kind {
                ConstraintKind::MaxVelocity(limit) => velocity_item(constraint, *limit, speed),
                ConstraintKind::MaxForce(limit) => Some(self.force_item(constraint, *limit, actuator)),
                ConstraintKind::Workspace { .. } | ConstraintKind::ForbiddenZone { .. } => {
                    way.and_then(|way| self.region_item(constraint, frame, way, stopping))
                }
            };
            if let Some(item) = item {
                (self.sink)(item);
            }
        }
    }

    /// The stopping distance of a command; not-a-number if a measured speed is.
    fn stopping(&self, speed: Speed) -> Stopping {
        let commanded = match speed {
            Speed::Given(speed_mps) => speed_mps,
            // The missing speed is denied by the speed limit, so only the measured one counts here.
            Speed::Missing | Speed::Optional => 0.0,
        };
        let measured = self.state.speed_mps.as_ref().map_or(0.0, |measured| measured.value.abs());
        let speed_mps = if is_worse(-measured, -commanded) { measured } else { commanded };
        let stop = &self.limits.manifest.stop;
        Stopping {
            speed_mps,
            distance_m: speed_mps * stop.reaction_s + speed_mps * speed_mps / (2.0 * stop.decel_mps2),
        }
    }

    /// The speed from which the robot stops within `room_m`.
    fn speed_for(&self, room_m: f64) -> f64 {
        let stop = &self.limits.manifest.stop;
        let (reaction_s, decel_mps2) = (stop.reaction_s, stop.decel_mps2);
        decel_mps2 * ((reaction_s * reaction_s + 2.0 * room_m / decel_mps2).sqrt() - reaction_s)
    }

    fn force_item(&self, constraint: &Constraint, limit: f64, actuator: &Actuator) -> Item {
        let rated = match actuator.force {
            ForceSource::Rated => self.limits.manifest.limits.force_n_max,
            ForceSource::Command => None,
        };
        let Some(force_n) = self.command.force_n.or(rated) else {
            let item = scalar(constraint.id.clone(), Kind::MaxForce, Reason::MissingForce, Unit::N, limit, f64::NAN);
            return item.deny_unless(false);
        };
        let item = scalar(constraint.id.clone(), Kind::MaxForce, Reason::Force, Unit::N, limit, force_n);
        item.deny_unless(0.0 <= force_n && force_n <= limit)
    }

    /// A box or zone against the whole way, with body, error and margin, then with stopping as well.
    fn region_item(
        &self,
        constraint: &Constraint,
        frame: FrameIndex,
        way: &Way<'_>,
        stopping: Stopping,
    ) -> Option<Item> {
        let frames = &self.limits.frames;
        let region = region_of(self.limits, &constraint.kind)?;
        let convert = |point| frames.convert(point, way.frame, frame);
        let worst = way.track.worst(region, convert);
        let inside = region.holds(worst.clearance);
        let room = worst.clearance - stopping.distance_m;
        let stops = inside && region.holds(room);
        let mut item = self.nearest_limit(constraint, region, worst.point);
        item.margin = if inside { room } else { worst.clearance };
        if inside && stopping.distance_m.is_finite() {
            item.reason.args.speed_allowed_mps = finite(self.speed_for(worst.clearance));
        }
        if inside && !stops {
            item.reason.code = Reason::StoppingDistance;
            item.reason.args.speed_mps = finite(stopping.speed_mps);
            (item.limit, item.predicted) = (worst.clearance, stopping.distance_m);
        }
        item.point_m = finite_point(frames.convert(worst.point, frame, way.frame));
        if matches!(self.command.motion, Motion::Path { .. }) {
            item.reason.args.point_index = u32::try_from(worst.index).ok();
        }
        if !stops {
            let needed = if inside { region.tightened(stopping.distance_m) } else { region };
            item.at_path_m = way.track.first_violation(needed, convert);
            let nearest = needed.nearest_allowed(worst.point);
            item.nearest_allowed_m = nearest.and_then(|point| finite_point(frames.convert(point, frame, way.frame)));
        }
        Some(item.deny_unless(stops))
    }

    /// The item of a region before anything is decided: which limit is nearest to `point` and how near that is.
    fn nearest_limit(&self, constraint: &Constraint, region: Region, point: DVec3) -> Item {
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
                let distance = point.distance(center);
                scalar(id, Kind::ForbiddenZone, Reason::ForbiddenZone, Unit::M, radius, distance)
            }
        };
        item.reason.args.inflation_m = Some(inflation_m);
        item
    }

    /// Goals far away are a mistake, whatever the limits: a wrong unit, or a step the operator did not mean.
    fn check_goals(&mut self, way: Option<&Way<'_>>) {
        if let Some(way) = way {
            self.check_envelope(way);
            self.check_goal_jump(way);
        }
    }

    fn check_envelope(&mut self, way: &Way<'_>) {
        let envelope = &self.limits.manifest.envelope;
        let bounds = Aabb::new(envelope.x_m, envelope.y_m, envelope.z_m);
        let [first, rest @ ..] = way.track.points else { return };
        let goals = Track { start: DVec3::from_array(*first), points: rest, pieces: Pieces::Unknown };
        let frames = &self.limits.frames;
        let worst =
            goals.worst(Region::Within(bounds), |point| frames.convert(point, way.frame, frames.default_index()));
        let id = self.limits.ids.envelope.clone();
        let mut item = face_item(id, Kind::Envelope, Reason::Implausible, bounds, worst.point);
        item.point_m = finite_point(frames.convert(worst.point, frames.default_index(), way.frame));
        (self.sink)(item.deny_unless(worst.clearance >= 0.0));
    }

    fn check_goal_jump(&mut self, way: &Way<'_>) {
        let limit = self.limits.manifest.limits.goal_jump_m_max;
        let mut from = way.track.start;
        let mut longest = (0.0, from);
        for point in way.track.points {
            let to = DVec3::from_array(*point);
            let jump = from.distance(to);
            if is_worse(-jump, -longest.0) {
                longest = (jump, to);
            }
            from = to;
        }
        let id = self.limits.ids.goal_jump.clone();
        let mut item = scalar(id, Kind::GoalJump, Reason::GoalJump, Unit::M, limit, longest.0);
        item.point_m = finite_point(longest.1);
        (self.sink)(item.deny_unless(longest.0 <= limit));
    }
}

/// Where the robot is and in which frame, or why that is not known well enough.
pub(crate) fn fresh_position(
    limits: &Limits,
    state: &RobotState,
    now: Instant,
) -> Result<(DVec3, FrameIndex), Box<ItemReason>> {
    match &state.pose {
        Some(pose) => usable_position(limits, pose, now),
        None => Err(Box::new(ItemReason { code: Reason::NoFreshPose, args: ReasonArgs::default() })),
    }
}

/// A measured position and its frame, or why it cannot be used.
pub(crate) fn usable_position(
    limits: &Limits,
    pose: &Measured<Pose>,
    now: Instant,
) -> Result<(DVec3, FrameIndex), Box<ItemReason>> {
    let unusable = |code, args| Err(Box::new(ItemReason { code, args }));
    let age_ms_max = limits.pose_age_ms_max();
    if !is_fresh(pose.observed, now, age_ms_max) {
        let age_ms = Some(now.ms_since(pose.observed));
        let args = ReasonArgs { age_ms, age_ms_max: Some(age_ms_max), ..ReasonArgs::default() };
        return unusable(Reason::NoFreshPose, args);
    }
    let position = DVec3::from_array(pose.value.position_m);
    if !position.is_finite() {
        let expected = Some("finite coordinates".to_owned());
        return unusable(Reason::NoFreshPose, ReasonArgs { expected, ..ReasonArgs::default() });
    }
    match limits.frames.index_of(&pose.value.frame) {
        Some(frame) => Ok((position, frame)),
        None => unusable(Reason::FrameMismatch, frame_args(&pose.value.frame)),
    }
}

/// Where the robot's point may be under a constraint, with body, error and margin taken off; `None` if the constraint
/// is not about places.
pub(crate) fn region_of(limits: &Limits, kind: &ConstraintKind) -> Option<Region> {
    region_inflated(kind, limits.inflation_m())
}

/// Where a point may be that stands for everything within `inflation_m` of it.
pub(crate) fn region_inflated(kind: &ConstraintKind, inflation_m: f64) -> Option<Region> {
    match kind {
        ConstraintKind::Workspace { x, y, z } => Some(Region::Within(Aabb::new(*x, *y, *z).shrunk(inflation_m))),
        ConstraintKind::ForbiddenZone { center, radius } => {
            Some(Region::Outside { center: DVec3::from_array(*center), radius: radius + inflation_m + ROUNDING_M })
        }
        ConstraintKind::MaxVelocity(_) | ConstraintKind::MaxForce(_) => None,
    }
}

fn path_checked(actuator: &Actuator, straight: PathChecked) -> PathChecked {
    match actuator.path {
        PathSource::Segment => straight,
        PathSource::Own => PathChecked::GoalOnly,
    }
}

fn velocity_item(constraint: &Constraint, limit: f64, speed: Speed) -> Option<Item> {
    let item = |code, predicted| scalar(constraint.id.clone(), Kind::MaxVelocity, code, Unit::Mps, limit, predicted);
    // A limit of 0 lets only a stop pass, so not even a speed of 0 meets it.
    let moves = limit > 0.0;
    let mut item = match speed {
        Speed::Given(speed_mps) => {
            item(Reason::Velocity, speed_mps).deny_unless(moves && 0.0 <= speed_mps && speed_mps <= limit)
        }
        Speed::Missing => item(Reason::MissingVelocity, f64::NAN).deny_unless(false),
        Speed::Optional if moves => return None,
        Speed::Optional => item(Reason::Velocity, f64::NAN).deny_unless(false),
    };
    item.reason.args.speed_allowed_mps = Some(limit);
    Some(item)
}

/// An item about one number that must not be above another.
fn scalar(id: ConstraintId, kind: Kind, code: Reason, unit: Unit, limit: f64, predicted: f64) -> Item {
    Item {
        constraint: Some(id),
        kind,
        verdict: Overall::Deny,
        limit,
        predicted,
        margin: if kind == Kind::ForbiddenZone { predicted - limit } else { limit - predicted },
        unit,
        at_path_m: None,
        point_m: None,
        nearest_allowed_m: None,
        reason: ItemReason { code, args: ReasonArgs::default() },
    }
}

/// An item about the face of a box that is nearest to `point`.
fn face_item(id: ConstraintId, kind: Kind, code: Reason, bounds: Aabb, point: DVec3) -> Item {
    let (axis, upper, clearance) = bounds.nearest_face(point);
    let limit = if upper { bounds.max[axis] } else { bounds.min[axis] };
    let mut item = scalar(id, kind, code, Unit::M, limit, point[axis]);
    item.margin = clearance;
    item.reason.args.axis = Some([Axis::X, Axis::Y, Axis::Z][axis]);
    item
}

impl Item {
    /// Items start denied; only a comparison that was true makes one allowed.
    fn deny_unless(self, holds: bool) -> Self {
        let verdict = if holds { Overall::Allow } else { Overall::Deny };
        Self { verdict, ..self }
    }
}

fn frame_args(frame: &FrameId) -> ReasonArgs {
    ReasonArgs { frame: Some(frame.clone()), ..ReasonArgs::default() }
}

/// Whether every number of a command is finite; its fields are public, so the parser's promise is tested again.
fn is_finite(command: &Command) -> bool {
    let all = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
    let option = |number: &Option<f64>| number.is_none_or(f64::is_finite);
    let motion = match &command.motion {
        Motion::PoseGoal { position_m, speed_mps, duration_s, .. } => {
            all(position_m) && option(speed_mps) && option(duration_s)
        }
        Motion::Path { points_m, speed_mps } => points_m.iter().all(|point| all(point)) && option(speed_mps),
        Motion::Velocity { linear_mps, angular_radps } => all(linear_mps) && all(angular_radps),
        Motion::Gripper { opening_m, speed_mps } => opening_m.is_finite() && option(speed_mps),
        Motion::Switch { .. } => true,
    };
    motion && option(&command.force_n)
}

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

fn finite_point(point: DVec3) -> Option<[f64; 3]> {
    point.is_finite().then(|| point.to_array())
}
