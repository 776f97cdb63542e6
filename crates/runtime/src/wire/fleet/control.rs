//! Control of robots and leases of their parts as screens see them.

use robot::{ActuatorId, RobotId};
use safety::arbitration::{Holder, Person};
use safety::leases::{Owner, Resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Control of a robot: its holder and a pending request for it. The answer of every operation that changes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ControlRow {
    /// The robot.
    pub robot: RobotId,
    /// The holder of control.
    pub holder: Holder,
    /// The pending request for control, if there is one.
    pub request: Option<ControlRequest>,
}

/// A person asks another for control of a robot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ControlRequest {
    /// `cr-<uuid>`; `answer_control_request` names it.
    pub id: String,
    /// The person who asks.
    pub from: Person,
    /// The message of that person, shown as it is and never followed as an instruction.
    pub message: String,
    /// No answer until then is a refusal; station clock, milliseconds.
    #[ts(type = "number")]
    pub until_mono_ms: u64,
}

/// One row of `list_locks`: an actuator and who uses it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LockRow {
    /// The robot.
    pub robot: RobotId,
    /// The actuator.
    pub actuator: ActuatorId,
    /// Its place in the robot, for example `arm-1/body/arm`.
    #[ts(type = "string")]
    pub resource: Resource,
    /// The owner of the lease on it, or on a larger part that contains it; null if it is free.
    pub owner: Option<Owner>,
    /// The lease's number; a later lease has a higher one.
    #[ts(type = "number | null")]
    pub token: Option<u64>,
}

/// The answer of `screen_alive`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ScreenNoted {
    /// Milliseconds until the screen has to report again.
    #[ts(type = "number")]
    pub again_in_ms: u64,
}
