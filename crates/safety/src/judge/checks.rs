//! The checks of one command, in the order preconditions, limits of the set, limits of the manifest.

use glam::DVec3;
use robot::{Actuator, Command, ForceSource, Instant, JointMotion, JointSpec, Motion, PathSource, Reason};

use super::items::{face_item, finite_point, scalar};
use super::position::{frame_of, fresh_position};
use super::speeds::{Speed, Stopping, approach_item, velocity_item};
use crate::constraint::limits::ROUNDING_M;
use crate::measured::fresh::is_fresh;
use crate::space::frames::{Frame, FrameIndex};
use crate::space::geometry::{Aabb, Pieces, Region, Track, is_worse};
use crate::space::grid::Reach;
use crate::space::rounding::{length_up, moved_up, quotient_up, sum_up};
use crate::verdict::ItemReason;
use crate::{Constraint, ConstraintKind, Item, Kind, Limits, PathChecked, ReasonArgs, RobotState};

/// The inputs of a judgement and where its items go.
pub(super) struct Checks<'a> {
    pub(super) limits: &'a Limits,
    pub(super) state: &'a RobotState,
    pub(super) command: &'a Command,
    pub(super) now: Instant,
    pub(super) report: Report,
    pub(super) sink: &'a mut dyn FnMut(Item),
}

/// A way through space and the frame of its numbers.
pub(super) struct Way<'a> {
    pub(super) track: Track<'a>,
    pub(super) frame: Frame,
    /// Its start was rounded on its way into that frame.
    pub(super) rounded: bool,
    /// Greatest distance of the robot from the track, metres: 0 if it keeps to it.
    pub(super) ball_m: f64,
}

/// The starting point of a way.
#[derive(Clone, Copy)]
struct Start {
    position: DVec3,
    frame: Frame,
    rounded: bool,
}

impl Way<'_> {
    /// Its length, metres, rounded up.
    fn length_up(&self) -> f64 {
        sum_up(self.track.length(), self.start_error_m())
    }

    /// Greatest error of its start by rounding, metres.
    pub(super) const fn start_error_m(&self) -> f64 {
        if self.rounded { ROUNDING_M } else { 0.0 }
    }
}

impl Start {
    fn way(self, points: &[[f64; 3]], pieces: Pieces, ball_m: f64) -> Way<'_> {
        let Self { position, frame, rounded } = self;
        Way { track: Track { start: position, points, pieces }, frame, rounded, ball_m }
    }
}

/// The motion that limits are compared with.
#[derive(Clone, Copy)]
struct AskedMotion<'a> {
    actuator: &'a Actuator,
    speed: Speed,
    stopping: Stopping,
    way: Option<&'a Way<'a>>,
}

/// The limits that a judgement reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Report {
    /// Each of them.
    Every,
    /// Of many zones and boxes only those that are violated and the nearest that is not.
    Worst,
}

impl Checks<'_> {
    /// Reports every item, and returns what of the path was looked at.
    pub(super) fn run(mut self) -> PathChecked {
        #[cfg(test)]
        assert!(!self.limits.panics, "a test asked for a panic");
        self.check_gate();
        self.check_sources();
        let (limits, command) = (self.limits, self.command);
        // Another robot may have an actuator of the same name; its command must not be judged by these limits.
        let known = limits.actuator(&command.actuator).filter(|_| command.robot == limits.manifest.id);
        let Some(actuator) = known else {
            self.refuse_expected(Reason::UnknownActuator, "an actuator of this robot");
            // Nothing further can be judged: which limits bind depends on the actuator.
            return PathChecked::Point;
        };
        // A set without a workspace or a speed limit would allow everything that it does not mention.
        if let Some(missing) = limits.missing(actuator).filter(|_| !self.state.is_unconstrained(self.now)) {
            self.refuse_expected(Reason::EmptySet, missing);
        }
        self.check_force_named(actuator);
        match &command.motion {
            Motion::PoseGoal { position_m, speed_mps, duration_s, .. } => {
                let way = self.way(actuator, std::slice::from_ref(position_m));
                // The peak of a trapezoid whose ramps fill the whole time is twice the mean.
                let peak_mps = way
                    .as_ref()
                    .zip(*duration_s)
                    .map(|(way, duration_s)| quotient_up(2.0 * way.length_up(), duration_s));
                way.iter().for_each(|way| self.check_envelope(way));
                self.check_limits(actuator, speed_mps.or(peak_mps).map_or(Speed::Missing, Speed::Given), way.as_ref());
                path_checked(actuator, PathChecked::Segment)
            }
            Motion::Path { points_m, speed_mps } => {
                let way = self.way(actuator, points_m);
                way.iter().for_each(|way| self.check_envelope(way));
                self.check_limits(actuator, speed_mps.map_or(Speed::Missing, Speed::Given), way.as_ref());
                path_checked(actuator, PathChecked::Polyline)
            }
            Motion::Velocity { linear_mps, angular_radps } => {
                self.check_velocity(actuator, DVec3::from_array(*linear_mps));
                let angular = self.angular_item(DVec3::from_array(*angular_radps));
                (self.sink)(angular);
                PathChecked::Segment
            }
            Motion::Joints { positions_rad, speed_radps, .. } => {
                self.check_joints(actuator, positions_rad, *speed_radps);
                PathChecked::Ball
            }
            Motion::Gripper { speed_mps, .. } => {
                let rated = || Speed::Rated(fingers_mps(actuator, self.limits.manifest.limits.speed_mps_max));
                self.check_limits(actuator, speed_mps.map_or_else(rated, Speed::Given), None);
                PathChecked::Point
            }
            Motion::Switch { .. } => {
                self.check_limits(actuator, Speed::None, None);
                PathChecked::Point
            }
            Motion::Escape { position_m, speed_mps } => {
                let way = self.way(actuator, std::slice::from_ref(position_m));
                way.iter().for_each(|way| self.check_envelope(way));
                self.check_escape(actuator, *speed_mps, way.as_ref());
                self.check_limits(actuator, speed_mps.map_or(Speed::Missing, Speed::Given), way.as_ref());
                path_checked(actuator, PathChecked::Segment)
            }
        }
    }

    /// Joint goals leave the way of the tool open, so everything within its reach is judged.
    fn check_joints(&mut self, actuator: &Actuator, positions: &[f64], speed: Option<f64>) {
        let start = self.start();
        let named = self.names_every_joint(actuator);
        let motion = if named { self.tool_motion(actuator, positions, speed) } else { None };
        // Without the robot's kinematics all that is known of the tool is the ball around its present place.
        let way = start.zip(motion).map(|(start, motion)| start.way(&[], Pieces::Straight, motion.radius_m));
        let speed = motion.map_or(if speed.is_some() { Speed::Unknown } else { Speed::Missing }, |motion| motion.speed);
        self.check_limits(actuator, speed, way.as_ref());
    }

    pub(super) fn refuse(&mut self, code: Reason, args: ReasonArgs) {
        (self.sink)(Item::precondition(code, args));
    }

    pub(super) fn refuse_expected(&mut self, code: Reason, expected: &'static str) {
        self.refuse(code, ReasonArgs { expected: Some(expected.into()), ..ReasonArgs::default() });
    }

    /// Checks the conditions of every command: armed, not stopped, in time, all numbers finite.
    fn check_gate(&mut self) {
        if !self.state.armed {
            self.refuse(Reason::NotArmed, ReasonArgs::default());
        }
        // Armed although a limit is violated: any other motion there could lead deeper.
        if self.state.escape_only && !matches!(self.command.motion, Motion::Escape { .. }) {
            self.refuse_expected(Reason::NotArmed, "an escape");
        }
        if let Some((reason, instead)) = self.state.commissioning.objection(self.command) {
            self.refuse_expected(reason, instead);
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
    fn start(&mut self) -> Option<Start> {
        let frames = &self.limits.frames;
        let frame = frame_of(self.limits, &self.command.frame, &self.state.transforms, self.now);
        let start = frame.and_then(|frame| {
            let (position, pose_frame) = fresh_position(self.limits, self.state, self.now)?;
            let rounded = pose_frame != frame;
            Ok(Start { position: frames.convert(position, pose_frame, frame), frame, rounded })
        });
        start
            .inspect_err(|problem| {
                let ItemReason { code, args } = problem.clone().into();
                (self.sink)(Item::precondition(code, args));
            })
            .ok()
    }

    /// The way from the measured position through `points`.
    fn way<'p>(&mut self, actuator: &Actuator, points: &'p [[f64; 3]]) -> Option<Way<'p>> {
        let pieces = match actuator.path {
            PathSource::Segment => Pieces::Straight,
            PathSource::Own => Pieces::Unknown,
        };
        self.start().map(|start| start.way(points, pieces, 0.0))
    }

    /// A velocity sweeps the segment it covers within its time-to-live.
    fn check_velocity(&mut self, actuator: &Actuator, linear_mps: DVec3) {
        let start = self.start();
        // Nothing may follow in time, so the gate can let the velocity run for all of its time-to-live.
        let ttl_s = quotient_up(f64::from(self.command.ttl_ms), 1e3);
        let end = |start: DVec3| std::array::from_fn(|axis| moved_up(start[axis], linear_mps[axis], ttl_s));
        let end = [start.map_or([0.0; 3], |start| end(start.position))];
        let way = start.map(|start| start.way(&end, Pieces::Straight, 0.0));
        way.iter().for_each(|way| self.check_envelope(way));
        self.check_limits(actuator, Speed::Given(length_up(linear_mps)), way.as_ref());
    }

    /// Every limit of the set that binds `actuator`.
    fn check_limits(&mut self, actuator: &Actuator, speed: Speed, way: Option<&Way<'_>>) {
        let stopping = self.stopping(speed);
        let limits = self.limits;
        let Some(bound) = limits.bound(&actuator.id) else { return };
        let asked = AskedMotion { actuator, speed, stopping, way };
        let mut nearest_m = f64::INFINITY;
        // The grid leaves out limits that hold by far, and `explain` must name every one of them.
        let swept = way.filter(|_| self.report == Report::Worst && bound.has_grid());
        for place in if swept.is_some() { &bound.beside_grid } else { &bound.all } {
            let (constraint, frame) = limits.constraint_at(*place);
            self.check_limit(constraint, frame, &asked, &mut nearest_m);
        }
        if let Some(way) = swept {
            let reach = Reach { ball_m: way.ball_m, stopping_m: stopping.distance_m };
            bound.sweep(&limits.frames, &way.track, way.frame, reach, &mut |place| {
                let (constraint, frame) = limits.constraint_at(place);
                self.check_limit(constraint, frame, &asked, &mut nearest_m);
            });
        }
        // Only here is the least clearance over all places known, which is what this limit depends on.
        if way.is_some() {
            let approaches = bound.beside_grid.iter().map(|place| limits.constraint_at(*place));
            let items = approaches.filter_map(|(constraint, _)| approach_item(constraint, speed, nearest_m));
            items.for_each(&mut *self.sink);
        }
    }

    /// One limit of the set; notes in `nearest_m` how near the way comes to it, if it is about places.
    fn check_limit(
        &mut self,
        constraint: &Constraint,
        frame: FrameIndex,
        asked: &AskedMotion<'_>,
        nearest_m: &mut f64,
    ) {
        let AskedMotion { actuator, speed, stopping, way } = *asked;
        let item = match &constraint.kind {
            ConstraintKind::MaxVelocity(limit) => velocity_item(constraint, *limit, speed),
            ConstraintKind::MaxForce(limit) => self.force_item(constraint, *limit, actuator),
            ConstraintKind::JointLimits(limits) => self.joint_item(constraint, limits, actuator),
            ConstraintKind::MaxAcceleration(limit) => self.acceleration_item(constraint, *limit, way),
            ConstraintKind::StoppingDistance(limit) => self.stopping_item(constraint, *limit, speed, stopping),
            ConstraintKind::GoalJump(limit) => way.and_then(|way| self.goal_jump_item(constraint, *limit, way)),
            ConstraintKind::Workspace { .. }
            | ConstraintKind::ForbiddenZone { .. }
            | ConstraintKind::KeepOutBox { .. } => {
                let found = way.and_then(|way| self.region_item(constraint, frame, way, stopping));
                found.map(|(item, clearance_m)| {
                    *nearest_m = if is_worse(clearance_m, *nearest_m) { clearance_m } else { *nearest_m };
                    item
                })
            }
            // The one waits for the regions, the other is counted before anything is judged.
            ConstraintKind::ApproachSpeed { .. } | ConstraintKind::CommandRate { .. } => None,
        };
        let item = item.or_else(|| self.unconcerned_item(constraint, way));
        item.into_iter().for_each(&mut *self.sink);
    }

    /// An actuator whose commands must each name a force takes none without, whether or not a limit compares it.
    fn check_force_named(&mut self, actuator: &Actuator) {
        let is_force = |constraint: &Constraint| matches!(constraint.kind, ConstraintKind::MaxForce(_));
        let compared = self.limits.binding(&actuator.id).any(|(constraint, _)| is_force(constraint));
        if actuator.force == ForceSource::Command && self.command.force_n.is_none() && !compared {
            self.refuse(Reason::MissingForce, ReasonArgs::default());
        }
    }

    /// The force of a command; a switch that names none does not push.
    fn force_item(&self, constraint: &Constraint, limit: f64, actuator: &Actuator) -> Option<Item> {
        // A switch that is declared to take a force drives something that pushes, such as a press.
        let pushes = !matches!(self.command.motion, Motion::Switch { .. }) || actuator.force == ForceSource::Command;
        if !pushes && self.command.force_n.is_none() {
            return None;
        }
        let rated = match actuator.force {
            ForceSource::Rated => self.limits.manifest.limits.force_n_max,
            ForceSource::Command => None,
        };
        let Some(force_n) = self.command.force_n.or(rated) else {
            let item = scalar(constraint.id.clone(), Kind::MaxForce, Reason::MissingForce, limit, f64::NAN);
            return Some(item.deny_unless(false));
        };
        let item = scalar(constraint.id.clone(), Kind::MaxForce, Reason::Force, limit, force_n);
        Some(item.deny_unless(0.0 <= force_n && force_n <= limit))
    }

    /// A goal outside every plausible position is a wrong unit, whatever the limits.
    fn check_envelope(&mut self, way: &Way<'_>) {
        let envelope = &self.limits.manifest.envelope;
        let bounds = Aabb::new(envelope.x_m, envelope.y_m, envelope.z_m);
        // The start is left out: it was measured, and only what the command asks for can have a wrong unit.
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
}

/// Speed of a gripper's fingers if the command gives none, metres per second: the limit of their sliding joint, else
/// the robot's top speed.
fn fingers_mps(actuator: &Actuator, speed_mps_max: f64) -> f64 {
    match &*actuator.joints {
        // Only with a single sliding joint is the speed of the fingers that of the joint (decision 0092).
        [JointSpec { motion: JointMotion::Sliding, velocity, .. }] => *velocity,
        _ => speed_mps_max,
    }
}

fn path_checked(actuator: &Actuator, straight: PathChecked) -> PathChecked {
    match actuator.path {
        PathSource::Segment => straight,
        PathSource::Own => PathChecked::GoalOnly,
    }
}

/// True if every number of a command is finite; its fields are public, so the parser's promise is tested again.
fn is_finite(command: &Command) -> bool {
    let all = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
    let option = |number: &Option<f64>| number.is_none_or(f64::is_finite);
    let motion = match &command.motion {
        Motion::PoseGoal { position_m, speed_mps, duration_s, .. } => {
            all(position_m) && option(speed_mps) && option(duration_s)
        }
        Motion::Path { points_m, speed_mps } => points_m.iter().all(|point| all(point)) && option(speed_mps),
        Motion::Velocity { linear_mps, angular_radps } => all(linear_mps) && all(angular_radps),
        Motion::Joints { positions_rad, speed_radps, .. } => all(positions_rad) && option(speed_radps),
        Motion::Gripper { opening_m, speed_mps } => opening_m.is_finite() && option(speed_mps),
        Motion::Escape { position_m, speed_mps } => all(position_m) && option(speed_mps),
        Motion::Switch { .. } => true,
    };
    motion && option(&command.force_n)
}
