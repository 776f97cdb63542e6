//! The commissioning of a robot as windows see it.

use robot::{GateAccount, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A robot's gate and commissioning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CommissioningRow {
    /// The robot.
    pub robot: RobotId,
    /// The account that its gate gives of itself; null while none was heard, and for a gate that gives none and needs no
    /// commissioning.
    #[schemars(extend("x-vouched" = true))]
    pub gate: Option<GateAccount>,
    /// True while the robot is armed for the steps of commissioning, and for nothing else.
    pub under_way: bool,
}
