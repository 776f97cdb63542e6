//! Faults of runs of jobs. A record has the sentence alone; the fault is read off it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::MissReason;

/// A fault for which a run of a job failed. Its text is the English of the station, as records have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum JobFault {
    /// Its mission is gone.
    #[error("its mission is gone")]
    MissionGone,
    /// The model came to no answer.
    #[error("the model came to no answer")]
    NoAnswer,
    /// The model declined.
    #[error("the model declined")]
    Declined,
    /// The budget is spent.
    #[error("the budget is spent")]
    BudgetSpent,
    /// The turn took too long.
    #[error("the turn took too long")]
    TooLong,
    /// The model did not answer.
    #[error("the model did not answer")]
    ModelSilent,
    /// The transcript could not be written.
    #[error("the transcript could not be written")]
    NotWritten,
    /// Its proposal was let go.
    #[error("what it asked for was dropped")]
    Dropped,
    /// Nobody was there who could decide.
    #[error("nobody was there to decide")]
    Unattended,
    /// Its proposal expired.
    #[error("nobody decided in time")]
    Undecided,
    /// The approved call failed.
    #[error("the approved call failed")]
    CallFailed,
    /// The run before had not ended.
    #[error("the run before had not ended")]
    Overlap,
    /// The station ended before it did.
    #[error("interrupted")]
    Interrupted,
    /// The same, and it may have moved something.
    #[error("interrupted_after_actuation")]
    InterruptedAfterActuation,
    /// A person rejected its proposal.
    #[error("rejected: {reason}")]
    Rejected {
        /// The person's reason.
        reason: String,
    },
    /// The agent may not call its operation.
    #[error("the agent may not call {operation}")]
    MayNotCall {
        /// The operation.
        operation: String,
    },
    /// The agent may not do so in its mode.
    #[error("the agent's mode is {mode}")]
    Mode {
        /// The mode.
        mode: String,
    },
    /// Nothing was run.
    #[error("missed: {}", word(*reason))]
    Missed {
        /// The reason.
        reason: MissReason,
        /// True if it stands for the times up to the next one on record.
        stands_for_more: bool,
    },
    /// In other words: those of a refused call, or of a program.
    #[error("{message}")]
    Other {
        /// The words.
        message: String,
    },
}

/// Those without a value.
const PLAIN: &[JobFault] = &[
    JobFault::MissionGone,
    JobFault::NoAnswer,
    JobFault::Declined,
    JobFault::BudgetSpent,
    JobFault::TooLong,
    JobFault::ModelSilent,
    JobFault::NotWritten,
    JobFault::Dropped,
    JobFault::Unattended,
    JobFault::Undecided,
    JobFault::CallFailed,
    JobFault::Overlap,
    JobFault::Interrupted,
    JobFault::InterruptedAfterActuation,
];

impl JobFault {
    /// One time at which nothing was run.
    #[must_use]
    pub const fn missed(reason: MissReason) -> Self {
        Self::Missed { reason, stands_for_more: false }
    }

    /// The fault that a record tells of.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let plain = || PLAIN.iter().find(|fault| fault.to_string() == text).cloned();
        let valued = || {
            if let Some(reason) = text.strip_prefix("rejected: ") {
                return Some(Self::Rejected { reason: reason.to_owned() });
            }
            if let Some(operation) = text.strip_prefix("the agent may not call ") {
                return Some(Self::MayNotCall { operation: operation.to_owned() });
            }
            text.strip_prefix("the agent's mode is ").map(|mode| Self::Mode { mode: mode.to_owned() })
        };
        plain().or_else(valued).or_else(|| missed(text)).unwrap_or_else(|| Self::Other { message: text.to_owned() })
    }
}

fn missed(text: &str) -> Option<JobFault> {
    let text = text.strip_prefix("missed: ").unwrap_or(text);
    let (reason, more) = text.split_once(", ").map_or((text, false), |(reason, _)| (reason, true));
    let reason = serde_json::from_value(serde_json::Value::from(reason)).ok()?;
    Some(JobFault::Missed { reason, stands_for_more: more })
}

fn word(reason: MissReason) -> String {
    robot::word(&reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_read_off_the_words_that_a_record_has() {
        for fault in PLAIN {
            assert_eq!(JobFault::read(&fault.to_string()), *fault);
        }
        let valued = [
            JobFault::Rejected { reason: "too fast".into() },
            JobFault::MayNotCall { operation: "send_command".into() },
            JobFault::Mode { mode: "Observe".into() },
            JobFault::Missed { reason: MissReason::NoModel, stands_for_more: false },
            JobFault::Other { message: "arm-1 is not armed.".into() },
        ];
        for fault in valued {
            assert_eq!(JobFault::read(&fault.to_string()), fault);
        }
        let skipped = "skipped, and every time from then to the next one recorded";
        assert_eq!(JobFault::read(skipped), JobFault::Missed { reason: MissReason::Skipped, stands_for_more: true });
    }
}
