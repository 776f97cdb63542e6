//! Confirms that a robot has got where it was told to go. Its own word that it is done is no evidence: its place is
//! measured, by a source that is not the set-point, or the goal is not confirmed.

use std::time::Duration;

use glam::DVec3;
use robot::{Actuator, ActuatorId, Command, Instant, JointMotion, JointSpec, Motion, StateKind, UnitQuaternion};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::judge::{frame_of, fresh_position};
use crate::measured::sources::pose_age_ms_max;
use crate::space::geometry::{Pieces, Track};
use crate::{Limits, RobotState, Unit};

/// A turning joint this close to its goal has reached it, radians.
const JOINT_TOLERANCE_RAD: f64 = 0.02;
/// A robot turned this close to the orientation of its goal has reached it, radians: two degrees, as for the pose
/// that an approval is bound to.
const TURN_TOLERANCE_RAD: f64 = 2.0 * std::f64::consts::PI / 180.0;
/// A motion that needs this long is seen by whatever measures the speed, ten times a second; a shorter one may lie
/// between two samples.
const SEEN_AFTER: Duration = Duration::from_millis(300);
/// The part of the shortest possible time that a robot must at least have taken: samples and stamps are not exact.
const SOONEST: f64 = 0.5;

/// The reason why a goal that the robot reports as reached is not confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Unconfirmed {
    /// It is measured elsewhere.
    NotThere,
    /// Nothing fresh says where it is.
    NotMeasured,
    /// It is measured at the goal, and nothing has seen it move there: not its speed, and no sample on the way.
    NeverMoved,
    /// It was not seen to pass every point of its path.
    WayNotSeen,
    /// It was shown at the goal sooner than any motion could have brought it there.
    TooSoon,
}

/// The distance of a robot from a goal that it reports as reached.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OffGoal {
    /// The reason why the goal is not confirmed.
    pub why: Unconfirmed,
    /// The distance, if one is known: the measured one, or the whole way if it never moved.
    pub distance: Option<f64>,
    /// The most that counts as reached.
    pub tolerance: f64,
    /// The unit of both.
    pub unit: Unit,
}

impl OffGoal {
    /// The reason, human-readable.
    #[must_use]
    pub fn sentence(&self) -> String {
        let unit = if self.unit == Unit::Rad { "rad" } else { "m" };
        let distance = self.distance.map_or_else(|| "an unknown distance".to_owned(), |off| format!("{off:.3} {unit}"));
        match self.why {
            Unconfirmed::NotThere => {
                format!("measured {distance} from the goal; {:.3} {unit} is allowed", self.tolerance)
            }
            Unconfirmed::NotMeasured => "nothing measures whether it is at the goal".to_owned(),
            Unconfirmed::NeverMoved => format!("shown at the goal, {distance} away, but never seen to move"),
            Unconfirmed::WayNotSeen => format!("not seen to pass a point of its path, {distance} away"),
            Unconfirmed::TooSoon => format!("shown at the goal, {distance} away, sooner than it can have got there"),
        }
    }
}

/// One thing that has to get to its goal: the robot's point, its orientation, or a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Apart {
    distance: f64,
    /// The most that counts as there.
    tolerance: f64,
    unit: Unit,
    /// The most it may move by, per second.
    speed: f64,
    witness: Witness,
}

/// Whatever shows that something has moved to its goal and is not only said to be there.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Witness {
    /// The speed, which something other than the pose measures: a robot whose speed is unknown gets no command.
    Speed,
    /// A sample of its own on the way; its source speaks at least this often.
    OnTheWay(Duration),
}

impl Apart {
    fn is_there(self) -> bool {
        self.distance <= self.tolerance
    }

    fn off(self, why: Unconfirmed) -> OffGoal {
        let Self { distance, tolerance, unit, .. } = self;
        OffGoal { why, distance: distance.is_finite().then_some(distance), tolerance, unit }
    }

    /// The least time it can take; none if it is there already.
    fn least(self) -> Duration {
        if self.is_there() { Duration::ZERO } else { self.time_for(self.distance - self.tolerance) }
    }

    fn time_for(self, way: f64) -> Duration {
        Duration::try_from_secs_f64(way.max(0.0) / self.speed).unwrap_or(Duration::MAX)
    }

    /// Distance from either end of its way beyond which a sample lies on it.
    fn margin(self) -> f64 {
        self.tolerance / 4.0
    }

    /// True if something measured `now` lies between this start and the goal.
    fn is_passed_at(self, now: Self) -> bool {
        self.distance - now.distance > self.margin() && now.distance > self.margin()
    }

    /// True if the witness cannot have missed so long a way.
    fn must_be_seen(self) -> bool {
        match self.witness {
            Witness::Speed => self.least() >= SEEN_AFTER,
            Witness::OnTheWay(period) => self.time_for(self.distance - 2.0 * self.margin()) >= SEEN_AFTER.max(period),
        }
    }
}

/// The way of one command to its goal, as far as it was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Approach {
    command: Command,
    sent_at: Instant,
    /// Everything that had to move, as it was then; none if nothing fresh said.
    start: Option<Vec<Apart>>,
    /// For each part of `start`, true once it was seen on its way.
    seen: Vec<bool>,
    /// When all of it was first seen at the goal, past every point of a path.
    there_at: Option<Instant>,
    /// It was measured to move by something other than its pose.
    moved: bool,
    passed: Passed,
}

/// The points of a path that the robot was seen to pass, in their order.
#[derive(Debug, Clone, PartialEq, Default)]
struct Passed {
    points: usize,
    newest: Option<(DVec3, Instant)>,
}

impl Approach {
    /// Begins to follow `command`, which is sent `now`. `None` for a velocity: it has no goal.
    #[must_use]
    pub fn begin(limits: &Limits, state: &RobotState, command: &Command, now: Instant) -> Option<Self> {
        let has_goal = match &command.motion {
            Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Escape { .. } => true,
            Motion::Joints { .. } | Motion::Gripper { .. } | Motion::Switch { .. } => true,
            Motion::Velocity { .. } => false,
        };
        let mut passed = Passed::default();
        passed.see(limits, state, command, now);
        let mut start = apart(limits, state, command, now);
        // A path may end where it begins; its length, not the distance of its ends, is what takes time.
        if let (Some([point, ..]), Some(way_m)) = (start.as_deref_mut(), passed.way_m(command)) {
            point.distance = way_m;
        }
        let seen = vec![false; start.as_ref().map_or(0, Vec::len)];
        let begun = Self { command: command.clone(), sent_at: now, start, seen, there_at: None, moved: false, passed };
        has_goal.then_some(begun)
    }

    /// Takes in what is measured now.
    pub fn see(&mut self, limits: &Limits, state: &RobotState, now: Instant) {
        self.passed.see(limits, state, &self.command, now);
        let Some(parts) = apart(limits, state, &self.command, now) else { return };
        for ((seen, start), part) in self.seen.iter_mut().zip(self.start.iter().flatten()).zip(&parts) {
            // Only ever set: a sample between start and goal proves the motion, whatever later ones show.
            *seen |= start.is_passed_at(*part);
        }
        let there = parts.iter().all(|part| part.is_there()) && self.passed.missed(&self.command).is_none();
        // The first time counts, or a robot that lingers at its goal would look slower than it was.
        self.there_at = self.there_at.or_else(|| there.then_some(now));
    }

    /// Takes in a speed that was measured by something other than the pose, metres per second.
    pub fn see_speed(&mut self, limits: &Limits, speed_mps: f64) {
        // A comparison that not-a-number fails: a speed that is no number is no evidence of motion.
        self.moved |= speed_mps.abs() > limits.manifest.stop.standstill_mps;
    }

    /// Judges the end that the robot reports: `Ok` at the goal, else its distance from it.
    ///
    /// # Errors
    /// It is not shown to be there, or not shown to have moved there.
    pub fn arrival(&self, limits: &Limits, state: &RobotState, now: Instant) -> Result<(), OffGoal> {
        let (Some(parts), Some(start)) = (apart(limits, state, &self.command, now), &self.start) else {
            let (tolerance, unit) = (limits.manifest.goal_tolerance_m(), Unit::M);
            return Err(OffGoal { why: Unconfirmed::NotMeasured, distance: None, tolerance, unit });
        };
        if let Some(part) = farthest_off(&parts) {
            return Err(part.off(Unconfirmed::NotThere));
        }
        if let Some(distance) = self.passed.missed(&self.command) {
            let (tolerance, unit) = (limits.manifest.goal_tolerance_m(), Unit::M);
            return Err(OffGoal { why: Unconfirmed::WayNotSeen, distance: Some(distance), tolerance, unit });
        }
        // A robot that stood at the goal already needs no time: its least time is zero.
        let took = self.there_at.unwrap_or(now).since(self.sent_at);
        if let Some(part) = start.iter().find(|part| took < part.least().mul_f64(SOONEST)) {
            return Err(part.off(Unconfirmed::TooSoon));
        }
        let is_shown = |part: &Apart, seen: bool| match part.witness {
            Witness::Speed => self.moved,
            Witness::OnTheWay(_) => seen,
        };
        let mut unseen = start.iter().zip(&self.seen).filter(|(part, seen)| !is_shown(part, **seen));
        match unseen.find(|(part, _)| part.must_be_seen()) {
            Some((part, _)) => Err(part.off(Unconfirmed::NeverMoved)),
            None => Ok(()),
        }
    }

    /// True if nothing will ever say whether the goal is reached: no source measures it.
    #[must_use]
    pub fn is_unmeasurable(&self, limits: &Limits) -> bool {
        let joints = limits.manifest.state_source(StateKind::Joints).is_some();
        match &self.command.motion {
            Motion::Switch { .. } => true,
            Motion::Gripper { .. } => !joints || limits.actuator(&self.command.actuator).is_none_or(one_joint_fails),
            Motion::Joints { .. } => !joints,
            Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Escape { .. } | Motion::Velocity { .. } => false,
        }
    }
}

impl Passed {
    /// Takes in where the robot is now. It has passed a point if it can have been there since it was seen before, at
    /// the speed of its path.
    fn see(&mut self, limits: &Limits, state: &RobotState, command: &Command, now: Instant) {
        let Motion::Path { points_m, .. } = &command.motion else { return };
        let (Some(here), Some(observed)) =
            (position_in_command_frame(limits, state, command, now), state.pose.observed())
        else {
            return;
        };
        let (from, since) = self.newest.unwrap_or((here, observed));
        // Samples overtake one another; an older place says nothing about the way since the newest one.
        if observed < since {
            return;
        }
        // A point counts as passed within the tolerance, once on the way to it and once on the way from it.
        let slack_m = 2.0 * limits.manifest.goal_tolerance_m();
        // Time beyond the maximum age of a pose is not counted: the robot's place is unknown in it.
        let unseen = observed.since(since).min(Duration::from_millis(pose_age_ms_max(&limits.manifest)));
        let way_m = speed_mps(limits, command) * unseen.as_secs_f64() + slack_m;
        // The detour over the point fits into the way that the time allows: an ellipse around both samples.
        while let Some(point) = points_m.get(self.points).map(|point| DVec3::from_array(*point)) {
            if !(from.distance(point) + point.distance(here) <= way_m) {
                break;
            }
            self.points += 1;
        }
        self.newest = Some((here, observed));
    }

    /// The distance of the robot from the first point of the path that it was not seen to pass, metres.
    fn missed(&self, command: &Command) -> Option<f64> {
        let Motion::Path { points_m, .. } = &command.motion else { return None };
        let point = points_m.get(self.points).map(|point| DVec3::from_array(*point))?;
        Some(self.newest.map_or(f64::INFINITY, |(here, _)| here.distance(point)))
    }

    /// The length of a path from where the robot is, metres; `None` if it is none, or nobody knows where that is.
    fn way_m(&self, command: &Command) -> Option<f64> {
        let Motion::Path { points_m, .. } = &command.motion else { return None };
        let (start, _) = self.newest?;
        Some(Track { start, points: points_m, pieces: Pieces::Straight }.length())
    }
}

/// The speed that a goal of the robot's point is gone to with at most, metres per second.
fn speed_mps(limits: &Limits, command: &Command) -> f64 {
    let most_mps = limits.manifest.limits.speed_mps_max;
    match &command.motion {
        Motion::PoseGoal { speed_mps, .. } | Motion::Path { speed_mps, .. } | Motion::Escape { speed_mps, .. } => {
            speed_mps.unwrap_or(most_mps).min(most_mps)
        }
        Motion::Joints { .. } | Motion::Gripper { .. } | Motion::Switch { .. } | Motion::Velocity { .. } => most_mps,
    }
}

/// Of the parts that are not there, the one farthest from its goal relative to its tolerance.
fn farthest_off(parts: &[Apart]) -> Option<Apart> {
    let relative = |part: &Apart| part.distance / part.tolerance;
    parts.iter().copied().filter(|part| !part.is_there()).max_by(|a, b| relative(a).total_cmp(&relative(b)))
}

fn position_in_command_frame(limits: &Limits, state: &RobotState, command: &Command, now: Instant) -> Option<DVec3> {
    let (position, frame) = fresh_position(limits, state, now).ok()?;
    let goal_frame = frame_of(limits, &command.frame, &state.transforms, now).ok()?;
    Some(limits.frames.convert(position, frame, goal_frame))
}

/// The distance of everything that `command` moves from its goal; `None` without a fresh measurement.
fn apart(limits: &Limits, state: &RobotState, command: &Command, now: Instant) -> Option<Vec<Apart>> {
    let (goal_m, orientation) = match &command.motion {
        Motion::PoseGoal { position_m, orientation, .. } => (*position_m, *orientation),
        Motion::Escape { position_m, .. } => (*position_m, None),
        Motion::Path { points_m, .. } => (*points_m.last()?, None),
        Motion::Joints { positions_rad, speed_radps, .. } => {
            return joints_apart(
                limits,
                state,
                &command.actuator,
                JointGoals { positions: positions_rad, speed: *speed_radps },
                now,
            );
        }
        Motion::Gripper { opening_m, speed_mps } => {
            return joints_apart(
                limits,
                state,
                &command.actuator,
                JointGoals { positions: &[*opening_m], speed: *speed_mps },
                now,
            );
        }
        Motion::Switch { .. } | Motion::Velocity { .. } => return None,
    };
    let (goal, position) = (DVec3::from_array(goal_m), position_in_command_frame(limits, state, command, now)?);
    let place = Apart {
        distance: goal.distance(position),
        tolerance: limits.manifest.goal_tolerance_m(),
        unit: Unit::M,
        speed: speed_mps(limits, command),
        witness: Witness::Speed,
    };
    let Some(orientation) = orientation else { return Some(vec![place]) };
    Some(vec![place, turn_apart(limits, state, command, orientation, now)?])
}

/// The turn that is missing to the orientation of a goal; `None` if the pose tells of none.
fn turn_apart(
    limits: &Limits,
    state: &RobotState,
    command: &Command,
    goal: UnitQuaternion,
    now: Instant,
) -> Option<Apart> {
    let (_, frame) = fresh_position(limits, state, now).ok()?;
    let goal_frame = frame_of(limits, &command.frame, &state.transforms, now).ok()?;
    let measured = state.pose.get(now, pose_age_ms_max(&limits.manifest)).ok()?.orientation?;
    // Measured and wanted orientation may be in different frames, so their axes are compared in that of the goal.
    let cosines = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| {
        let wanted = DVec3::from_array(goal.rotate(axis));
        limits.frames.rotate(DVec3::from_array(measured.rotate(axis)), frame, goal_frame).dot(wanted)
    });
    // The trace of the rotation between the two is 1 + 2 cos of its angle.
    let distance = ((cosines.iter().sum::<f64>() - 1.0) / 2.0).clamp(-1.0, 1.0).acos();
    Some(Apart {
        distance,
        tolerance: TURN_TOLERANCE_RAD,
        unit: Unit::Rad,
        speed: limits.manifest.limits.angular_radps_max,
        witness: Witness::OnTheWay(Duration::from_millis(pose_age_ms_max(&limits.manifest))),
    })
}

/// Goals of the joints of one actuator.
struct JointGoals<'a> {
    positions: &'a [f64],
    /// Of all of them, if the command names one.
    speed: Option<f64>,
}

/// Each joint of `actuator` and its goal. A joint whose command names no speed is as fast as it can be.
fn joints_apart(
    limits: &Limits,
    state: &RobotState,
    actuator: &ActuatorId,
    goals: JointGoals<'_>,
    now: Instant,
) -> Option<Vec<Apart>> {
    let age_ms_max = limits.manifest.state_source(StateKind::Joints)?.max_age_ms;
    let measured = state.joints.get(now, age_ms_max).ok()?;
    let actuator = limits.actuator(actuator).filter(|actuator| actuator.joints.len() == goals.positions.len())?;
    let part = |(joint, goal): (&JointSpec, &f64)| {
        let (tolerance, unit) = match joint.motion {
            JointMotion::Turning => (JOINT_TOLERANCE_RAD, Unit::Rad),
            JointMotion::Sliding => (limits.manifest.goal_tolerance_m(), Unit::M),
        };
        // One joint without a measurement leaves the whole goal unmeasured: the others prove nothing about it.
        let distance = (measured.of(&joint.name)? - goal).abs();
        let witness = Witness::OnTheWay(Duration::from_millis(age_ms_max));
        Some(Apart { distance, tolerance, unit, speed: goals.speed.unwrap_or(joint.velocity), witness })
    };
    actuator.joints.iter().zip(goals.positions).map(part).collect()
}

/// True if the opening of a gripper is not the position of its one joint.
fn one_joint_fails(actuator: &Actuator) -> bool {
    actuator.joints.len() != 1
}

#[cfg(test)]
mod tests;
