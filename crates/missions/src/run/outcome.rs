//! The end of a run of a mission.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEnd {
    /// The outcome.
    pub outcome: RunOutcome,
    /// UTC milliseconds.
    pub at_ms: i64,
}

/// The outcome of a run of a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "MissionRunOutcome")]
#[schemars(rename = "MissionRunOutcome")]
pub enum RunOutcome {
    /// Every goal is done.
    Done,
    /// A person called its mission completed before every goal was done.
    Closed,
    /// A goal failed for good.
    Failed,
    /// Its mission was cancelled.
    Cancelled,
    /// The time of its mission was over.
    Expired,
    /// Another text of its mission was activated.
    Superseded,
    /// A pause or a restart has cut off the turn that it was.
    CutOff,
}
