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
    /// The account that its gate gives of itself; null while none was
    /// heard, and for a gate that gives none and needs no commissioning.
    #[schemars(extend("x-vouched" = true))]
    pub gate: Option<GateAccount>,
    /// The manifest of the gate beside the one of this station.
    pub manifest: GateManifest,
    /// True while the robot is armed for the steps of commissioning, and for nothing else.
    pub under_way: bool,
}

/// The manifest that a robot's gate checks by, beside the one that the station shows and checks by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum GateManifest {
    /// They say the same.
    Same,
    /// They do not: the robot obeys limits that nobody sees here.
    Another,
    /// The gate does not say.
    Unknown,
}
