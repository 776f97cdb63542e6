//! Jobs: one thing done at a time or times. What is due, what was missed and what follows a run are pure functions;
//! the store beside them makes each step durable before it has an effect.

mod fault;
mod plan;
mod run;
mod store;

use robot::{JobId, ProposalId, Trust, TurnId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;
use world::cron::Schedule;

pub use fault::JobFault;
pub use plan::{DueRun, Plan, plan};
pub use run::{After, Ended, MissReason, RunOutcome, after, retry_delay_ms};
pub(crate) use store::put_job;
pub use store::{AddedJob, JobChange};

/// A start later than this after its time is late, milliseconds.
pub const PUNCTUAL_MS: i64 = 5_000;
/// Jobs an agent may have.
pub const JOBS_MAX: usize = 1_000;

/// One job, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// `job-<uuid>`.
    pub id: JobId,
    /// Unique among the agent's jobs that have not ended.
    pub name: Option<String>,
    /// The mission it lives with.
    pub mission_id: Option<String>,
    /// Its action.
    pub action: JobAction,
    /// Its schedule.
    pub schedule: Schedule,
    /// IANA name of the zone its schedule is read in.
    pub time_zone: String,
    /// The policy for missed times and failed runs.
    pub policy: JobPolicy,
    /// Its state.
    pub state: JobState,
    /// The next regular time, UTC milliseconds. Retries come beside it.
    pub next_ms: Option<i64>,
    /// Failed runs in a row.
    pub retries: u32,
    /// The error of the newest run, if it failed.
    pub last_error: Option<String>,
    /// Rises with every change.
    pub version: i64,
    /// The person or program that made it.
    pub created_by: String,
}

/// The action of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobAction {
    /// Starts a turn.
    Prompt {
        /// The text the turn starts with.
        prompt: String,
        /// The source of the text.
        from: PromptSource,
    },
    /// Runs an operation with the agent's rights.
    Operation {
        /// Its name.
        operation: String,
        /// Its input.
        input: Value,
    },
}

/// The author of a job's prompt; a command interpreter obeys desks only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PromptSource {
    /// A person at a desk.
    Desk,
    /// A program, or an agent that had read untrusted text.
    External,
    /// The agent.
    Agent,
    /// A mission's file.
    Mission,
}

impl PromptSource {
    /// Trust level of the text.
    #[must_use]
    pub const fn trust(self) -> Trust {
        match self {
            Self::Desk | Self::Agent | Self::Mission => Trust::Trusted,
            Self::External => Trust::Text,
        }
    }
}

/// The policy of a job for missed times and failed runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobPolicy {
    /// About times at which nothing could run.
    pub missed: Missed,
    /// Grace for the start of one missed run, seconds.
    pub grace_secs: u32,
    /// Retries of a failed run.
    pub max_retries: u32,
}

/// The policy for times at which nothing could run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Missed {
    /// One run stands for all of them.
    #[default]
    Once,
    /// None is run.
    Skip,
    /// The newest ten are run, oldest first.
    All,
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// It waits for its time.
    Pending,
    /// It is due, and waits for a place among the turns.
    Waiting,
    /// It runs.
    Running,
    /// A person has paused it.
    Paused,
    /// It has run and is not due again.
    Completed,
    /// It could not run and is not tried again.
    Failed,
    /// Somebody, or the end of its mission, has ended it.
    Cancelled,
    /// It was tried as often as it may be; a person has to look.
    DeadLetter,
}

impl JobState {
    /// True if nothing more comes of it unless a person asks.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        match self {
            Self::Completed | Self::Failed | Self::Cancelled => true,
            Self::Pending | Self::Waiting | Self::Running | Self::Paused | Self::DeadLetter => false,
        }
    }
}

/// One run of a job, or one time at which it did not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRun {
    /// `run-<uuid>`; its order is that of making.
    pub id: String,
    /// The job.
    pub job_id: JobId,
    /// The time it was due, UTC milliseconds.
    pub due_ms: i64,
    /// Counts up from 1 for one due time.
    pub attempt: u32,
    /// UTC milliseconds; none if it did not run.
    pub started_ms: Option<i64>,
    /// UTC milliseconds.
    pub ended_ms: Option<i64>,
    /// Its outcome.
    pub outcome: RunOutcome,
    /// The turn it started.
    pub turn: Option<TurnId>,
    /// A call in it moves something or cannot be undone: it is never repeated by itself.
    pub actuated: bool,
    /// The error of a failed run, or the reason that it did not run.
    pub error: Option<String>,
    /// The proposal that it waits for, or waited for: `pr-<uuid>`.
    pub proposal: Option<ProposalId>,
    /// Cost of its model calls, millionths of a dollar.
    pub cost_microusd: Option<i64>,
}

impl JobRun {
    /// True if it began later than it should have. Only the first attempt can: later ones are meant to be.
    #[must_use]
    pub fn is_late(&self) -> bool {
        let late_ms = self.started_ms.map_or(0, |started_ms| started_ms - self.due_ms);
        self.attempt == 1 && late_ms > PUNCTUAL_MS
    }
}

#[cfg(test)]
mod tests;
