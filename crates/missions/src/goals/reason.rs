//! Reasons for the state of a goal, as data: a window says them in its own language.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use ts_rs::TS;

/// A reason for the state of a goal. Its text is the English of the station.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
#[ts(rename = "MissionGoalReason")]
#[schemars(rename = "MissionGoalReason")]
pub enum GoalReason {
    /// The time is over, and the thing that it waits for did not come.
    #[error("waited in vain: {values}")]
    WaitedInVain {
        /// The values that its predicate read.
        values: String,
    },
    /// Somebody said that it is done.
    #[error("{by} said so")]
    SaidDone {
        /// Whoever said so.
        by: String,
    },
    /// A person said that it failed.
    #[error("a person said that it failed")]
    SaidFailed,
    /// The agent of its mission is gone.
    #[error("the agent is gone")]
    AgentGone,
    /// Its operation is unknown.
    #[error("there is no operation {operation}")]
    NoOperation {
        /// The operation.
        operation: String,
    },
    /// The agent may not do so in its mode.
    #[error("the agent's mode is {mode}")]
    Mode {
        /// The mode.
        mode: String,
    },
    /// Its time was over.
    #[error("it took too long")]
    TooLong,
    /// Nobody was there who could decide.
    #[error("nobody was there to decide")]
    Unattended,
    /// A person rejected its card.
    #[error("rejected: {reason}")]
    Rejected {
        /// The person's reason.
        reason: String,
    },
    /// Its card expired.
    #[error("nobody decided in time")]
    Undecided,
    /// Its card held no more.
    #[error("its card was voided")]
    Voided,
    /// Its card was let go.
    #[error("its card was dropped")]
    Dropped,
    /// The approval came to nothing.
    #[error("the approval could not be carried out")]
    NotCarriedOut,
    /// Its end is unknown.
    #[error("nothing more was heard of it")]
    NothingHeard,
    /// Its motion came to no end that is known to be good.
    #[error("{}{}", end.words(), behind(reason.as_ref()))]
    Motion {
        /// The end.
        end: MotionEnd,
        /// The reason that came with it.
        reason: Option<String>,
    },
    /// Its call was refused.
    #[error("{message}")]
    Refused {
        /// The code of the refusal, if it has one.
        refusal: Option<String>,
        /// The refusal as a sentence.
        message: String,
    },
    /// The turn of the agent came to nothing.
    #[error("{message}")]
    Turn {
        /// The turn's own words.
        message: String,
    },
    /// The turn of the agent was cancelled.
    #[error("it was cancelled")]
    TurnCancelled,
}

/// An end of a motion that is not known to be good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "MissionMotionEnd")]
#[schemars(rename = "MissionMotionEnd")]
pub enum MotionEnd {
    /// A rule denied it.
    Denied,
    /// The robot refused it.
    RefusedByRobot,
    /// It failed.
    Failed,
    /// It was done, and nothing confirms so.
    DoneNotConfirmed,
    /// Another command took its place.
    Superseded,
    /// It cannot be said.
    Unknown,
}

impl MotionEnd {
    const fn words(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::RefusedByRobot => "refused by robot",
            Self::Failed => "failed",
            Self::DoneNotConfirmed => "done not confirmed",
            Self::Superseded => "superseded",
            Self::Unknown => "unknown",
        }
    }
}

fn behind(reason: Option<&String>) -> String {
    reason.map_or_else(String::new, |reason| format!(": {reason}"))
}
