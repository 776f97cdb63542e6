//! Measured state of a robot at one moment: the input of every judgement that is not the command.

use std::time::Duration;

use robot::{ActuatorId, Command, FrameId, Instant, Isometry, JointName, Motion, UnitQuaternion};
use serde::{Deserialize, Serialize};

use crate::{Commissioning, Fresh, Measured, SourceTimes, Speeds};

/// Position and orientation of the tool point or base centre.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// The frame of the numbers.
    pub frame: FrameId,
    /// Metres.
    pub position_m: [f64; 3],
    /// Orientation, if the robot reports one.
    pub orientation: Option<UnitQuaternion>,
}

/// Positions of the joints.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct JointPositions {
    /// The joints, in the order in which the robot names them.
    pub names: Box<[JointName]>,
    /// A position for each: radians, metres for a sliding joint.
    pub positions: Box<[f64]>,
}

impl JointPositions {
    /// Position of `joint`, if it was measured.
    #[must_use]
    pub fn of(&self, joint: &JointName) -> Option<f64> {
        let place = self.names.iter().position(|name| name == joint)?;
        self.positions.get(place).copied()
    }
}

/// A transform between two frames that changes while the robot works.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MovingTransform {
    /// Parent frame.
    pub parent: FrameId,
    /// Child frame.
    pub child: FrameId,
    /// Takes points of the child to the parent.
    pub parent_from_child: Isometry,
    /// Older than this it counts for nothing, milliseconds.
    pub max_age_ms: u64,
}

/// The velocity an actuator was last told to hold. It holds from `since` to `until`; after that it is at rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SetPoint {
    /// The actuator.
    pub actuator: ActuatorId,
    /// The frame of the numbers.
    pub frame: FrameId,
    /// Metres per second.
    pub linear_mps: [f64; 3],
    /// Station clock at which it was given.
    pub since: Instant,
    /// Station clock at which its time-to-live ends.
    pub until: Instant,
}

impl SetPoint {
    /// The set-point that `command` gives an actuator; `None` if it is no velocity, because then the robot chooses its
    /// speed from one moment to the next.
    #[must_use]
    pub fn of(command: &Command) -> Option<Self> {
        let linear_mps = match &command.motion {
            Motion::Velocity { linear_mps, .. } => *linear_mps,
            Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Joints { .. } | Motion::Escape { .. } => {
                return None;
            }
            Motion::Gripper { .. } | Motion::Switch { .. } => return None,
        };
        Some(Self {
            actuator: command.actuator.clone(),
            frame: command.frame.clone(),
            linear_mps,
            since: command.issued_at,
            until: command.issued_at.plus(Duration::from_millis(u64::from(command.ttl_ms))),
        })
    }

    /// True if the actuator was left to come to rest because nothing followed in time.
    pub(crate) fn is_lapsed(&self, now: Instant) -> bool {
        // A set-point of zero does not lapse: the robot has been at rest since it was given, not since it ended.
        self.until <= now && self.linear_mps.iter().any(|part| *part != 0.0)
    }
}

/// One consistent picture of a robot, numbered so that a verdict can name the picture it used. The default knows
/// nothing and is not armed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RobotState {
    /// Rises with every change of the picture.
    pub snapshot_seq: u64,
    /// When each declared source last spoke.
    #[serde(default)]
    pub heard: SourceTimes,
    /// The measured pose; a robot of switches alone has none.
    pub pose: Fresh<Pose>,
    /// Its speed, by each source that measures it.
    #[serde(default)]
    pub speeds: Speeds,
    /// The measured joints; a robot without joint goals needs none.
    pub joints: Fresh<JointPositions>,
    /// The newest of each moving transform; each says itself how old it may be.
    pub transforms: Vec<Measured<MovingTransform>>,
    /// The set-points that may be in force when the next command arrives: of each actuator at most the one it was last
    /// sent, and those that wait to be sent.
    pub set_points: Vec<SetPoint>,
    /// True while the robot is armed.
    pub armed: bool,
    /// True while it is armed for nothing but leaving a place where it may not be.
    pub escape_only: bool,
    /// The motion that its commissioning leaves.
    #[serde(default, skip_serializing_if = "Commissioning::is_complete")]
    pub commissioning: Commissioning,
    /// Until when an administrator lets it move with a set that is not complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unconstrained_until: Option<Instant>,
    /// True while a stop is in force.
    pub latched: bool,
    /// Rises with every stop and every release.
    pub latch_generation: u64,
    /// The station's claim on the robot.
    pub epoch: u64,
}

impl RobotState {
    /// True if it may move at `now` with a set that is not complete.
    pub(crate) fn is_unconstrained(&self, now: Instant) -> bool {
        self.unconstrained_until.is_some_and(|until| now < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::*;

    #[test]
    fn g14_only_a_velocity_is_a_set_point_and_it_holds_for_the_time_that_it_has_to_live() {
        let scene = scene();
        let mut command = scene.command(velocity([0.1, 0.0, -0.2], [0.0; 3]));
        command.ttl_ms = 300;
        let told = SetPoint {
            actuator: actuator("arm"),
            frame: "base_link".parse().unwrap(),
            linear_mps: [0.1, 0.0, -0.2],
            since: NOW,
            until: NOW.plus(Duration::from_millis(300)),
        };
        assert_eq!(SetPoint::of(&command), Some(told));
        for other in [goal([0.1; 3], 0.1), path(&[[0.1; 3]], 0.1), escape([0.1; 3], 0.1), grip(None), switch()] {
            assert_eq!(SetPoint::of(&scene.command(other)), None);
        }
    }
}
