//! The inputs of a verdict, complete enough to make it again.

use robot::{Command, Instant};
use safety::{RobotState, SetHash};
use serde::{Deserialize, Serialize};

use crate::audit::canonical_hash;

/// The inputs of one judgement. Its limits are named by their hash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    /// The command as it was judged.
    pub command: Command,
    /// The picture of the robot.
    pub state: RobotState,
    /// The hash of the limits.
    pub set_hash: SetHash,
    /// The time of the judgement.
    pub now: Instant,
}

impl Inputs {
    /// SHA-256 over the canonical JSON of all of it, hex.
    pub fn hash(&self) -> String {
        canonical_hash(self)
    }
}
