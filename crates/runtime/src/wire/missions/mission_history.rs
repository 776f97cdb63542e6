//! The past of a mission: its runs, who brought it where, and the texts that its file had.

use missions::goals::GoalReason;
use missions::run::RunOutcome;
use missions::{GoalPhrase, Start};
use robot::{CommandId, ProposalId, RobotId, VerdictId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire::{MissionGoalState, MissionStatus};

/// A run of a mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionRunRow {
    /// Counts the runs of the mission, from 1.
    pub number: u32,
    /// The start of it, in a phrase.
    pub trigger: String,
    /// The same as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub start: Option<Start>,
    /// When it began, UTC milliseconds.
    #[ts(type = "number")]
    pub started_ms: i64,
    /// When it ended, UTC milliseconds; none while it goes on.
    #[ts(type = "number | null")]
    pub ended_ms: Option<i64>,
    /// The outcome; none while it goes on.
    pub outcome: Option<RunOutcome>,
    /// Number of its goals that are done.
    pub goals_done: usize,
    /// Number of its goals.
    pub goals_total: usize,
}

/// A run of a mission with its goals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionRun {
    /// Its row.
    #[serde(flatten)]
    pub row: MissionRunRow,
    /// Its goals in order.
    pub goals: Vec<MissionRunGoal>,
}

/// A goal in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionRunGoal {
    /// Its name, or what is done.
    pub text: String,
    /// The same as data; none if its text is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub phrase: Option<GoalPhrase>,
    /// Its state; `pending` in a run that has ended was never its turn.
    pub state: MissionGoalState,
    /// Number of times that it was begun.
    pub attempt: u32,
    /// When it was its turn, UTC milliseconds.
    #[ts(type = "number | null")]
    pub started_ms: Option<i64>,
    /// When it was done or failed, UTC milliseconds.
    #[ts(type = "number | null")]
    pub ended_ms: Option<i64>,
    /// The robot that it moves.
    pub robot: Option<RobotId>,
    /// The newest proposal that was made for it.
    pub proposal: Option<ProposalId>,
    /// The newest command that was made of it.
    pub command: Option<CommandId>,
    /// The verdict on that command.
    pub verdict: Option<VerdictId>,
    /// The reason for its state, for people.
    pub detail: Option<String>,
    /// The same as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<GoalReason>,
}

/// The answer of `list_mission_runs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionRuns {
    /// Runs, the newest first.
    pub runs: Vec<MissionRun>,
    /// `before` of the next page, if there are older ones.
    pub next: Option<u32>,
}

/// A step in the life of a mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionStepRow {
    /// Rises over the steps of all missions.
    #[ts(type = "number")]
    pub seq: i64,
    /// UTC milliseconds.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// The status after it.
    pub status: MissionStatus,
    /// The step in a word.
    pub act: MissionStepAct,
    /// Its cause; none if nobody wrote it down.
    pub cause: Option<MissionStepCause>,
    /// The reason that was given.
    pub reason: Option<String>,
    /// All of it as a sentence, in English.
    pub sentence: String,
    /// SHA-256 of the text that it activated.
    pub hash: Option<String>,
}

/// A step in the life of a mission, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionStepAct {
    /// A text came into force.
    Activated,
    /// It goes on after a pause.
    Resumed,
    /// It waits again for what it needs.
    CheckedAgain,
    /// A run began.
    Started,
    /// It stands until somebody resumes it.
    Paused,
    /// Everything is done.
    Completed,
    /// It cannot be done.
    Failed,
    /// It ends undone.
    Cancelled,
}

/// Cause of a step in the life of a mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionStepCause {
    /// Its kind.
    pub code: MissionStepCode,
    /// The person, the program, the agent or the other mission.
    pub name: Option<String>,
    /// The goal, from 1.
    pub goal: Option<usize>,
}

/// Kinds of causes of a step in the life of a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionStepCode {
    /// Whoever asked for it.
    By,
    /// A program.
    Program,
    /// An agent.
    Agent,
    /// The mission that it is a part of.
    Parent,
    /// A stop.
    Stop,
    /// The response to a failure.
    Fallback,
    /// Its text could not be used any more.
    TextUnusable,
    /// A goal that failed.
    Goal,
    /// Its time was over.
    Expired,
    /// Everything was done.
    EverythingDone,
}

impl MissionStepCause {
    /// A cause without a name.
    #[must_use]
    pub fn plain(code: MissionStepCode) -> Self {
        Self { code, name: None, goal: None }
    }

    /// One with the name of who or what it was.
    #[must_use]
    pub fn named(code: MissionStepCode, name: &str) -> Self {
        Self { code, name: Some(name.to_owned()), goal: None }
    }
}

/// A text that the file of a mission had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionVersionRow {
    /// SHA-256 of the text.
    pub hash: String,
    /// When it was last seen as the newest, UTC milliseconds; none
    /// of one that was activated before such times were kept.
    #[ts(type = "number | null")]
    pub seen_ms: Option<i64>,
    /// The author who saved it here; none if it came from elsewhere.
    pub author: Option<String>,
    /// The person who activated it last.
    pub activated_by: Option<String>,
    /// True if it was ever activated.
    pub was_activated: bool,
    /// True if the file has this text now.
    pub is_draft: bool,
    /// True if it is the text that was activated last.
    pub is_activated: bool,
}

/// The answer of `mission_history`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionHistory {
    /// Steps of its life, the newest first.
    pub steps: Vec<MissionStepRow>,
    /// Texts of its file, the newest first.
    pub versions: Vec<MissionVersionRow>,
    /// `before` of the next page, if there are older steps.
    #[ts(type = "number | null")]
    pub next: Option<i64>,
}
