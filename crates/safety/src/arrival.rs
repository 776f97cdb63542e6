//! Confirms that a robot has got where it was told to go. Its own word that it is done is no evidence: its place is
//! measured, by a source that is not the set-point, or the goal is not confirmed.

use std::time::Duration;

use glam::DVec3;
use robot::{Actuator, Command, GateKind, Instant, JointMotion, Motion, StateKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::judge::{frame_of, fresh_position};
use crate::{Limits, RobotState, Unit};

/// A turning joint this close to its goal has reached it, radians.
const JOINT_TOLERANCE_RAD: f64 = 0.02;
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
    /// Its pose shows the goal, and its speed says that it never moved.
    NeverMoved,
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
    /// The stable name of the reason.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self.why {
            Unconfirmed::NotThere => "not_there",
            Unconfirmed::NotMeasured => "not_measured",
            Unconfirmed::NeverMoved => "never_moved",
            Unconfirmed::TooSoon => "too_soon",
        }
    }

    /// The same in words.
    #[must_use]
    pub fn sentence(&self) -> String {
        let unit = if self.unit == Unit::Rad { "rad" } else { "m" };
        let distance = self.distance.map_or_else(|| "an unknown distance".to_owned(), |off| format!("{off:.3} {unit}"));
        match self.why {
            Unconfirmed::NotThere => {
                format!("measured {distance} from the goal; {:.3} {unit} is allowed", self.tolerance)
            }
            Unconfirmed::NotMeasured => "nothing measures whether it is at the goal".to_owned(),
            Unconfirmed::NeverMoved => format!("its pose shows the goal, {distance} away, but it never moved"),
            Unconfirmed::TooSoon => format!("shown at the goal, {distance} away, sooner than it can have got there"),
        }
    }
}

/// The distance of something from its goal, and the most that counts as there.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Apart {
    distance: f64,
    tolerance: f64,
    unit: Unit,
}

impl Apart {
    fn is_there(self) -> bool {
        self.distance <= self.tolerance
    }

    fn off(self, why: Unconfirmed) -> OffGoal {
        let Self { distance, tolerance, unit } = self;
        OffGoal { why, distance: distance.is_finite().then_some(distance), tolerance, unit }
    }
}

/// The way of one command to its goal, as far as it was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Approach {
    command: Command,
    sent_at: Instant,
    /// Its distance from the goal when the command was sent, if that was known.
    start: Option<Apart>,
    /// When it was first measured at the goal.
    there_at: Option<Instant>,
    /// Something that measures speed has seen it move since.
    moved: bool,
}

impl Approach {
    /// Begins to follow `command`, which is about to be sent. `None` for a velocity: it has no goal.
    #[must_use]
    pub fn begin(limits: &Limits, state: &RobotState, command: &Command, now: Instant) -> Option<Self> {
        let has_goal = match &command.motion {
            Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Escape { .. } => true,
            Motion::Joints { .. } | Motion::Gripper { .. } | Motion::Switch { .. } => true,
            Motion::Velocity { .. } => false,
        };
        let start = apart(limits, state, command, now);
        let begun = Self { command: command.clone(), sent_at: now, start, there_at: None, moved: false };
        has_goal.then_some(begun)
    }

    /// Takes in what is measured now.
    pub fn see(&mut self, limits: &Limits, state: &RobotState, now: Instant) {
        let there = apart(limits, state, &self.command, now).is_some_and(Apart::is_there);
        self.there_at = self.there_at.or_else(|| there.then_some(now));
    }

    /// Takes in a speed that was measured by something other than the pose, metres per second.
    pub fn see_speed(&mut self, limits: &Limits, speed_mps: f64) {
        self.moved |= speed_mps > limits.manifest.stop.standstill_mps;
    }

    /// Judges the end that the robot reports: `Ok` at the goal, else its distance from it.
    ///
    /// # Errors
    /// It is not shown to be there, or not shown to have moved there.
    pub fn arrival(&self, limits: &Limits, state: &RobotState, now: Instant) -> Result<(), OffGoal> {
        let Some(apart) = apart(limits, state, &self.command, now) else {
            let (tolerance, unit) = (limits.manifest.goal_tolerance_m(), Unit::M);
            return Err(OffGoal { why: Unconfirmed::NotMeasured, distance: None, tolerance, unit });
        };
        if !apart.is_there() {
            return Err(apart.off(Unconfirmed::NotThere));
        }
        // One that was there before it was told has nothing to show.
        let Some(start) = self.start.filter(|start| !start.is_there()) else { return Ok(()) };
        let Some(needed) = self.shortest(limits, start) else { return Ok(()) };
        let took = self.there_at.unwrap_or(now).since(self.sent_at);
        if took < needed.mul_f64(SOONEST) {
            return Err(start.off(Unconfirmed::TooSoon));
        }
        if needed >= SEEN_AFTER && self.speed_is_measured(limits) && !self.moved {
            return Err(start.off(Unconfirmed::NeverMoved));
        }
        Ok(())
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

    /// The least time the way can take at the speed it was commanded with; `None` for one that nobody can tell.
    fn shortest(&self, limits: &Limits, start: Apart) -> Option<Duration> {
        let most = limits.manifest.limits.speed_mps_max;
        let speed = match &self.command.motion {
            Motion::PoseGoal { speed_mps, .. } | Motion::Path { speed_mps, .. } | Motion::Escape { speed_mps, .. } => {
                speed_mps.unwrap_or(most).min(most)
            }
            Motion::Joints { speed_radps, .. } => (*speed_radps)?,
            Motion::Gripper { speed_mps, .. } => (*speed_mps)?,
            Motion::Switch { .. } | Motion::Velocity { .. } => return None,
        };
        Duration::try_from_secs_f64((start.distance - start.tolerance) / speed).ok()
    }

    /// True if something other than the pose measures the speed of the point that this moves.
    fn speed_is_measured(&self, limits: &Limits) -> bool {
        match &self.command.motion {
            Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Escape { .. } => {
                let velocity = limits.manifest.state_source(StateKind::Velocity).is_some();
                velocity || limits.manifest.gate == GateKind::Reference
            }
            Motion::Joints { .. } | Motion::Gripper { .. } | Motion::Switch { .. } | Motion::Velocity { .. } => false,
        }
    }
}

/// The distance of the robot from the goal of `command`; `None` if nothing fresh says.
fn apart(limits: &Limits, state: &RobotState, command: &Command, now: Instant) -> Option<Apart> {
    let goal_m = match &command.motion {
        Motion::PoseGoal { position_m, .. } | Motion::Escape { position_m, .. } => *position_m,
        Motion::Path { points_m, .. } => *points_m.last()?,
        Motion::Joints { positions_rad, .. } => return joints_apart(limits, state, command, positions_rad, now),
        Motion::Gripper { opening_m, .. } => return joints_apart(limits, state, command, &[*opening_m], now),
        Motion::Switch { .. } | Motion::Velocity { .. } => return None,
    };
    let (position, frame) = fresh_position(limits, state, now).ok()?;
    let goal_frame = frame_of(limits, &command.frame, &state.transforms, now).ok()?;
    let goal = limits.frames.convert(DVec3::from_array(goal_m), goal_frame, frame);
    let tolerance = limits.manifest.goal_tolerance_m();
    Some(Apart { distance: goal.distance(position), tolerance, unit: Unit::M })
}

/// The joint that is farthest from its goal, measured by what counts as there.
fn joints_apart(limits: &Limits, state: &RobotState, command: &Command, goals: &[f64], now: Instant) -> Option<Apart> {
    let age_ms_max = limits.manifest.state_source(StateKind::Joints)?.max_age_ms;
    let measured = state.joints.get(now, age_ms_max).ok()?;
    let actuator = limits.actuator(&command.actuator).filter(|actuator| actuator.joints.len() == goals.len())?;
    let mut worst: Option<Apart> = None;
    for (joint, goal) in actuator.joints.iter().zip(goals) {
        let distance = (measured.of(&joint.name)? - goal).abs();
        let (tolerance, unit) = match joint.motion {
            JointMotion::Turning => (JOINT_TOLERANCE_RAD, Unit::Rad),
            JointMotion::Sliding => (limits.manifest.goal_tolerance_m(), Unit::M),
        };
        let nearer = worst.is_some_and(|worst| distance / tolerance <= worst.distance / worst.tolerance);
        if !nearer {
            worst = Some(Apart { distance, tolerance, unit });
        }
    }
    worst
}

/// True if the opening of a gripper is not the position of its one joint.
fn one_joint_fails(actuator: &Actuator) -> bool {
    actuator.joints.len() != 1
}

#[cfg(test)]
mod tests;
