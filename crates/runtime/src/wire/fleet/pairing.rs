//! A pairing with the gate of a robot, as the person who compares digits sees it.

use robot::RobotId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire::ManifestMeaning;

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
    /// Endpoint at which a gate beyond the station's computer is awaited.
    /// Null if gates are on that computer, and while none is open.
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
    /// The same with its code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub problem_kind: Option<PairingProblem>,
}

/// A reason why a try to pair failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum PairingProblem {
    /// The gate says something that is no message of a pairing.
    #[error("The gate says something that is no message of a pairing.")]
    Unreadable,
    /// Two speak in the gate's name, or it has begun anew.
    #[error("Another one speaks in the place of the gate, or it has begun again.")]
    AnotherSpeaks,
    /// The gate's word is not the one that it has promised.
    #[error("The gate reveals something else than it has promised.")]
    NotAsPromised,
    /// The person at the gate has ended it.
    #[error("The pairing was ended at the gate.")]
    GivenUp,
    /// The confirmation is not signed by the key that is being exchanged.
    #[error("The gate's confirmation is not signed by its key.")]
    BadConfirmation,
    /// One of them pairs through the network, and the other on one computer.
    #[error("Only one of the two sides expects the robot behind a router.")]
    OtherProfile,
    /// The gate has sent the manifest of another robot or site.
    #[error("The gate of {robot} has sent the manifest of {sent}.")]
    OtherManifest {
        /// Robot of the gate.
        robot: RobotId,
        /// Robot of the manifest.
        sent: RobotId,
    },
    /// The manifest names another key than its gate has.
    #[error("The manifest of {robot} names another key than its gate has.")]
    OtherKey {
        /// The robot.
        robot: RobotId,
    },
    /// The station knows the robot by another manifest.
    #[error("{robot} is known here with another manifest. Remove robots/{robot}.toml and start the station again.")]
    KnownOtherwise {
        /// The robot.
        robot: RobotId,
    },
    /// The station refuses the robot or its certificate.
    #[error("{message}")]
    Refused {
        /// Code of the refusal.
        refusal: String,
        /// The refusal in words.
        message: String,
    },
    /// A part of the station did not work.
    #[error("{message}")]
    Failed {
        /// The fault in words.
        message: String,
    },
}
