//! A pairing with the gate of a robot, as the person who compares digits sees it.

use robot::RobotId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::ManifestMeaning;

/// The step of a pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PairingState {
    /// None is open.
    Closed,
    /// It is open, and no gate has spoken.
    Waiting,
    /// A person compares the digits here with those at the gate.
    Comparing,
    /// They were confirmed here, and not yet at the gate.
    Confirmed,
    /// Both sides know each other's key, and the robot was added.
    Paired,
}

/// The answer of the operations about a pairing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PairingView {
    /// Its step.
    pub state: PairingState,
    /// Endpoint at which a gate beyond the station's computer is awaited. Null if gates are on that computer, and while none is
    /// open.
    pub endpoint: Option<String>,
    /// Robot of the gate that has spoken.
    pub robot: Option<RobotId>,
    /// Six digits that the gate must show too.
    pub digits: Option<String>,
    /// Meaning of the manifest that the gate has sent.
    pub meaning: Option<ManifestMeaning>,
    /// Milliseconds until it closes by itself.
    #[ts(type = "number | null")]
    pub closes_in_ms: Option<u64>,
    /// Tries that are left.
    pub tries_left: u32,
    /// The reason why the last try failed.
    pub problem: Option<String>,
}
