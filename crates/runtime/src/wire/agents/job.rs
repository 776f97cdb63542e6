//! Jobs and notes on the wire.

use memory::ReviewState;
use memory::jobs::{JobFault, JobState, Missed, PromptSource, RunOutcome};
use robot::{JobId, ProposalId, Trust, TurnId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The answer of `schedule_task`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TaskScheduled {
    /// A confirmation, for people.
    #[schemars(extend("x-vouched" = true))]
    pub message: String,
    /// `job-<uuid>`.
    #[schemars(extend("x-vouched" = true))]
    pub id: JobId,
    /// The next time, as a clock of its zone shows it; none if its time has passed.
    #[schemars(extend("x-vouched" = true))]
    pub next_runs: Vec<String>,
}

/// One time of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ScheduledTime {
    /// RFC 3339, as a clock of the zone shows it.
    #[schemars(extend("x-vouched" = true))]
    pub local: String,
    /// RFC 3339, UTC.
    #[schemars(extend("x-vouched" = true))]
    pub utc: String,
}

/// The answer of `preview_schedule`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SchedulePreview {
    /// The schedule as a sentence says it.
    #[schemars(extend("x-vouched" = true))]
    pub words: String,
    /// The zone it is read in.
    #[schemars(extend("x-vouched" = true))]
    pub time_zone: String,
    /// The next five times, fewer if there are no more.
    pub next: Vec<ScheduledTime>,
}

/// A job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct JobRow {
    /// `job-<uuid>`.
    pub id: JobId,
    /// Its name.
    pub name: Option<String>,
    /// The mission it lives with.
    pub mission_id: Option<String>,
    /// The text it starts a turn with.
    pub prompt: Option<String>,
    /// The author of the prompt.
    pub prompt_from: Option<PromptSource>,
    /// Trust level of the prompt.
    pub trust: Trust,
    /// The operation it runs instead.
    pub operation: Option<String>,
    /// That operation's input.
    #[ts(type = "unknown")]
    pub input: Option<serde_json::Value>,
    /// When: cron text,
    pub cron_schedule: Option<String>,
    /// or a time, RFC 3339,
    pub at: Option<String>,
    /// or every so many seconds.
    pub every_secs: Option<u32>,
    /// The same as a sentence says it.
    pub words: String,
    /// The zone its schedule is read in.
    pub time_zone: String,
    /// It is due again after it was due.
    pub recurrence: bool,
    /// Treatment of due times at which nothing could run.
    pub missed: Missed,
    /// Longest delay at which one missed run may still begin, seconds.
    pub grace_secs: u32,
    /// Maximum number of retries after a failed run.
    pub max_retries: u32,
    /// The state of the job.
    pub state: JobState,
    /// The next regular time, as a clock of its zone shows it.
    pub next_run: Option<String>,
    /// The same in Unix seconds.
    #[ts(type = "number | null")]
    pub next_run_at: Option<i64>,
    /// When the newest failed run is tried again, Unix seconds.
    #[ts(type = "number | null")]
    pub retry_at: Option<i64>,
    /// Failed runs in a row.
    pub retries: u32,
    /// The error of the newest run, if it failed.
    pub last_error: Option<String>,
    /// The same as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub last_fault: Option<JobFault>,
    /// The author of the job.
    pub created_by: String,
    /// Rises with every change.
    #[ts(type = "number")]
    pub version: i64,
}

/// One run of a job, or one time at which it did not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct JobRunRow {
    /// `run-<uuid>`.
    pub id: String,
    /// The time it was due, Unix seconds.
    #[ts(type = "number")]
    pub due_at: i64,
    /// Counts up from 1 for one due time; 0 if it did not run.
    pub attempt: u32,
    /// Unix seconds; none if it did not run.
    #[ts(type = "number | null")]
    pub started_at: Option<i64>,
    /// Unix seconds.
    #[ts(type = "number | null")]
    pub ended_at: Option<i64>,
    /// The outcome of the run, or the reason why there was none.
    pub outcome: RunOutcome,
    /// It began later than it should have.
    pub late: bool,
    /// The turn it started.
    pub turn: Option<TurnId>,
    /// A call in it moves something or cannot be undone.
    pub actuated: bool,
    /// The reason why it failed or did not run.
    pub error: Option<String>,
    /// The same as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fault: Option<JobFault>,
    /// The proposal that it waits for, or waited for.
    pub proposal: Option<ProposalId>,
    /// Cost of its model calls, millionths of a dollar.
    #[ts(type = "number | null")]
    pub cost_microusd: Option<i64>,
}

/// The answer of `get_job`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct JobDetail {
    /// The job.
    #[serde(flatten)]
    pub job: JobRow,
    /// Its newest runs, newest first.
    pub runs: Vec<JobRunRow>,
}

/// The answer of `create_proposal`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProposalCreated {
    /// A confirmation, for people.
    #[schemars(extend("x-vouched" = true))]
    pub message: String,
    /// `pr-<uuid>`.
    #[schemars(extend("x-vouched" = true))]
    pub id: ProposalId,
    /// The risk tier, which decides the care that an approval takes.
    pub tier: safety::approval::tier::Tier,
    /// The rule that made the tier.
    #[schemars(extend("x-vouched" = true))]
    pub tier_rule: String,
    /// Unix seconds.
    #[ts(type = "number")]
    pub expires_at: i64,
}

/// State of a change of memory: in force, or waiting for review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum NoteApplied {
    /// It is written.
    Written,
    /// A person has to look at it first.
    PendingReview,
}

/// The answer of `remember_note`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct NoteRemembered {
    /// A confirmation, for people.
    #[schemars(extend("x-vouched" = true))]
    pub message: String,
    /// State of the note: written, or waiting for review.
    pub applied: NoteApplied,
    /// The review that a person decides on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(extend("x-vouched" = true))]
    pub review: Option<String>,
}

/// A change of memory that a tainted turn asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MemoryReviewRow {
    /// `rv-<uuid>`.
    pub id: String,
    /// The operation that would write.
    pub target: String,
    /// Its other fields, for example the title of a note.
    #[ts(type = "unknown")]
    pub about: serde_json::Value,
    /// The present text.
    pub before: Option<String>,
    /// The text after the change.
    pub after: String,
    /// The origin of the change.
    #[ts(type = "unknown")]
    pub provenance: serde_json::Value,
    /// The turn that asked.
    pub turn: Option<TurnId>,
    /// Unix seconds.
    #[ts(type = "number")]
    pub created_at: i64,
    /// The state of the review.
    pub state: ReviewState,
}

/// The answer of `decide_memory_review`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ReviewDecided {
    /// A confirmation, for people.
    pub message: String,
    /// The review.
    pub id: String,
    /// The state of the review after the decision.
    pub state: ReviewState,
}
