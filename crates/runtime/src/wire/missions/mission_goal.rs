//! Goals of missions as screens show them.

use missions::GoalPhrase;
use missions::goals::GoalReason;
use robot::ProposalId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A goal of a mission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionGoal {
    /// Its name, or what is done.
    pub text: String,
    /// The same as data; none if its text is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub phrase: Option<GoalPhrase>,
    /// Its state in the newest run.
    pub state: MissionGoalState,
    /// When that state began, UTC milliseconds; none before its first run.
    #[ts(type = "number | null")]
    pub since_ms: Option<i64>,
    /// The newest proposal that was made for it.
    pub proposal: Option<ProposalId>,
    /// The reason for its state, for people.
    pub detail: Option<String>,
    /// The same as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<GoalReason>,
    /// True if a person may say now that it is done.
    pub may_tick: bool,
}

/// The state of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionGoalState {
    /// It comes later.
    Pending,
    /// It is next, or is waited for. Nothing was sent for it.
    Current,
    /// A person is asked for approval.
    Proposed,
    /// It is being carried out.
    Dispatched,
    /// A person has to say how it goes on.
    Asked,
    /// It is done.
    Done,
    /// It failed.
    Failed,
}
