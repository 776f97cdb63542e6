//! The steps of several rounds: each joint of an arm alone, and each means of stopping alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{StepMotion, StepOutcome};
use crate::{ActuatorId, JointName};

/// A joint goal that a step waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct JointGoal {
    /// The arm.
    pub actuator: ActuatorId,
    /// All its joints, in the manifest's order.
    pub names: Vec<JointName>,
    /// A position for each: radians, metres for a sliding joint.
    pub positions: Vec<f64>,
    /// Largest speed of any joint, radians (metres) per second.
    pub speed: f64,
}

/// A motion that the gate waits for: the station sends it as an ordinary command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum StepWish {
    /// A velocity of the base, again and again.
    Velocity(StepMotion),
    /// A goal of an arm, once.
    Joints(JointGoal),
}

/// One joint that was moved alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct JointResult {
    /// Its arm.
    pub actuator: ActuatorId,
    /// The joint.
    pub joint: JointName,
    /// The outcome.
    pub outcome: StepOutcome,
    /// The way that was commanded, radians (metres), with its sign.
    pub commanded: f64,
    /// The way that was measured until it stood.
    pub measured: f64,
    /// Time to standstill, milliseconds, if it came to stand.
    pub time_ms: Option<u32>,
    /// The time that the manifest allows, milliseconds.
    pub time_ms_max: Option<u32>,
}

/// One means by which a gate stops its robot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum StopMeans {
    /// Velocities of zero.
    Zeros,
    /// The lock of a mux.
    Lock,
    /// Cancelling every goal of the action that moves the robot.
    Goals(String),
    /// Cancelling every goal of another action.
    Cancel(String),
    /// A service that stops the robot.
    Service(String),
}

/// Result of a means of stopping that was tried alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MeansOutcome {
    /// It alone has stopped the motion of the step.
    Stopped,
    /// The robot has answered; it stood, because no motion of a step is one that this means ends.
    Answered,
    /// It stops nothing by itself, as is known of its kind.
    StopsNothing,
    /// The robot has moved on in spite of it.
    KeptMoving,
    /// The robot has not answered.
    NoAnswer,
}

/// A means of stopping that was tried alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MeansResult {
    /// The means.
    pub means: StopMeans,
    /// The outcome.
    pub outcome: MeansOutcome,
    /// Time to standstill, or to the answer of a robot that stood, milliseconds.
    pub time_ms: Option<u32>,
    /// Way to standstill, metres, if the robot has moved.
    pub distance_m: Option<f64>,
    /// The time that it was given, milliseconds.
    pub time_ms_max: u32,
}

impl MeansOutcome {
    /// True unless the robot goes on moving when this means alone is to stop it.
    #[must_use]
    pub const fn counts(self) -> bool {
        match self {
            Self::Stopped | Self::Answered | Self::StopsNothing => true,
            Self::KeptMoving | Self::NoAnswer => false,
        }
    }
}

impl StopMeans {
    /// True of a means that nobody expects to stop a robot by itself: a lock masks inputs below it, and the gate's own is
    /// not below it.
    #[must_use]
    pub const fn may_stop_nothing(&self) -> bool {
        match self {
            Self::Lock => true,
            Self::Zeros | Self::Goals(_) | Self::Cancel(_) | Self::Service(_) => false,
        }
    }

    /// True of a means that the robot answers.
    #[must_use]
    pub const fn is_answered(&self) -> bool {
        self.name().is_some()
    }

    /// Name of the action or service that answers; none of a means that nothing answers.
    #[must_use]
    pub const fn name(&self) -> Option<&str> {
        match self {
            Self::Zeros | Self::Lock => None,
            Self::Goals(name) | Self::Cancel(name) | Self::Service(name) => Some(name.as_str()),
        }
    }
}
