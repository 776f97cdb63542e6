//! The end of a run, and its consequences for the job.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Job, JobFault, JobState};

/// The first retry comes after this long; each later one after twice the time before.
const RETRY_FIRST_MS: i64 = 60_000;
/// Doublings that still make a difference: beyond, a retry would come after longer than a day.
const RETRY_DOUBLINGS_MAX: u32 = 11;
/// Retries are spread by up to this many percent either way, so that jobs that failed together do not return together.
const RETRY_SPREAD_PERCENT: i64 = 10;

/// The state of a run, or the reason that there was none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// It runs.
    Running,
    /// It has asked, and a person has not decided yet.
    Proposed,
    /// It did what it was for.
    Completed,
    /// It did not.
    Failed,
    /// A person or a stop ended it.
    Cancelled,
    /// The station ended before it did.
    Interrupted,
    /// Nothing was run for this time.
    Missed,
    /// The run before had not ended.
    Overlap,
}

/// The reason that nothing was run for a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissReason {
    /// Its policy is to skip what was missed.
    Skipped,
    /// It would have begun later than its grace allows.
    TooLate,
    /// One later run stands for it.
    CoveredByLaterRun,
    /// More than ten times were missed.
    BeyondTen,
    /// Its mission was not live.
    MissionNotLive,
    /// No language model is configured, and the prompt is no command of a desk.
    NoModel,
    /// The budget of its mission is spent.
    BudgetSpent,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// It did what it was for.
    Completed,
    /// It did not, and may be tried again.
    Failed(String),
    /// It did not, and trying again would end the same.
    Refused(String),
    /// A person or a stop ended it.
    Cancelled,
    /// The station ended before it did.
    Interrupted {
        /// A call in it moves something or cannot be undone.
        actuated: bool,
    },
}

impl Ended {
    /// The word for the run's row.
    #[must_use]
    pub const fn outcome(&self) -> RunOutcome {
        match self {
            Self::Completed => RunOutcome::Completed,
            Self::Failed(_) | Self::Refused(_) => RunOutcome::Failed,
            Self::Cancelled => RunOutcome::Cancelled,
            Self::Interrupted { .. } => RunOutcome::Interrupted,
        }
    }

    /// The error of a run that failed, was refused or was interrupted.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        match self {
            Self::Completed | Self::Cancelled => None,
            Self::Failed(error) | Self::Refused(error) => Some(error.clone()),
            Self::Interrupted { actuated: true } => Some(JobFault::InterruptedAfterActuation.to_string()),
            Self::Interrupted { actuated: false } => Some(JobFault::Interrupted.to_string()),
        }
    }
}

/// The consequences of a run for its job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct After {
    /// The new state of the job.
    pub state: JobState,
    /// Failed runs in a row.
    pub retries: u32,
    /// The error of the run, if it failed.
    pub last_error: Option<String>,
    /// The same due time is tried again after this long, milliseconds.
    pub retry_ms: Option<i64>,
}

/// The consequences of the end of run `run_id` of `job`, whose next regular time is set already.
#[must_use]
pub fn after(job: &Job, run_id: &str, ended: &Ended) -> After {
    // A recurring job has its next time already, and goes on with it whatever became of this run.
    let rested = |otherwise| if job.next_ms.is_some() { JobState::Pending } else { otherwise };
    let last_error = ended.error();
    let calm = |state| After { state, retries: 0, last_error: last_error.clone(), retry_ms: None };
    match ended {
        Ended::Completed => calm(rested(JobState::Completed)),
        Ended::Refused(_) => calm(rested(JobState::Failed)),
        Ended::Cancelled => calm(rested(JobState::Cancelled)),
        // The result of the motion is unknown, so that only a person may repeat it (decision 0128).
        Ended::Interrupted { actuated: true } => After { retries: job.retries, ..calm(JobState::DeadLetter) },
        Ended::Failed(_) | Ended::Interrupted { actuated: false } => {
            let retries = job.retries.saturating_add(1);
            if retries > job.policy.max_retries {
                return After { retries, ..calm(JobState::DeadLetter) };
            }
            let retry_ms = Some(retry_delay_ms(run_id, retries));
            After { state: JobState::Pending, retries, last_error, retry_ms }
        }
    }
}

/// Delay from failed run `run_id` to retry number `retry`, counted from 1, in milliseconds. The same for the same
/// run, so that a restart changes nothing.
#[must_use]
pub fn retry_delay_ms(run_id: &str, retry: u32) -> i64 {
    let doublings = retry.saturating_sub(1).min(RETRY_DOUBLINGS_MAX);
    let delay_ms = RETRY_FIRST_MS << doublings;
    let spread_ms = delay_ms * RETRY_SPREAD_PERCENT / 100;
    let within = i64::try_from(fnv1a(run_id) % 2_001).unwrap_or(0) - 1_000;
    delay_ms + spread_ms * within / 1_000
}

/// FNV-1a, 64 bits: spreads ids that differ in a few characters, and never changes between versions.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
