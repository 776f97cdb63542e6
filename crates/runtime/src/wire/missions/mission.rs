//! Missions as hosts and agents see them.

use missions::lifecycle::Status;
use missions::{Phrase, Statement};
use robot::{MissionId, RobotId, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The status of a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionStatus {
    /// Nobody has activated it.
    Draft,
    /// A person activated it.
    Active,
    /// It stands still until it is resumed.
    Paused,
    /// A person called it done.
    Completed,
    /// It went wrong.
    Failed,
    /// Ended for good.
    Cancelled,
}

impl From<Status> for MissionStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Active => Self::Active,
            Status::Paused => Self::Paused,
            Status::Completed => Self::Completed,
            Status::Failed => Self::Failed,
            Status::Cancelled => Self::Cancelled,
        }
    }
}

/// The status of a mission, and for an active one the first that applies of `checking`, `blocked`, `waiting`, `active`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionState {
    /// Nobody has activated it.
    Draft,
    /// A model or a person is asked if it may start.
    Checking,
    /// It waits for a person, or for something that a person has to mend.
    Blocked,
    /// It waits for something that comes by itself.
    Waiting,
    /// It runs.
    Active,
    /// It stands still until it is resumed.
    Paused,
    /// A person called it done.
    Completed,
    /// It went wrong.
    Failed,
    /// Ended for good.
    Cancelled,
}

/// Something that a person should know about a mission besides its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionFlag {
    /// The file differs from the activated text.
    Draft,
    /// There is no file.
    FileMissing,
    /// A person has to answer.
    Asks,
    /// Its time is nearly over.
    Expiring,
    /// Its time is over; it stands still and cannot go on.
    Expired,
}

/// The cause of a reason why a mission is not simply active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionReasonCode {
    /// A model is asked, or a person has to answer.
    CheckRunning,
    /// It is asked next.
    CheckNext,
    /// A mission that it depends on is not completed.
    Dependency,
    /// A mission that it depends on is paused.
    DependencyPaused,
    /// Nobody has activated a mission that it depends on.
    DependencyDraft,
    /// A mission that it depends on failed.
    DependencyFailed,
    /// A mission that it depends on was cancelled.
    DependencyCancelled,
    /// A mission that it depends on does not exist.
    DependencyMissing,
    /// A mission that it depends on waits for it in turn.
    DependencyCycle,
    /// A mission that it depends on waits for something that a person has to mend.
    Upstream,
    /// A precondition does not hold, or is not known to.
    Precondition,
    /// It has begun, and nothing has started its next run.
    Trigger,
    /// A context, rule or job of its text could not be put in force.
    NotInForce,
    /// Its robot cannot move.
    Robot,
    /// A part of a robot that it needs is locked by another.
    Lock,
    /// Its budget for models is spent.
    Budget,
    /// No language model answers for its agent.
    NoModel,
    /// A card of it waits for a person.
    Approval,
    /// It asks a person how it goes on.
    Ask,
    /// A goal that failed is tried again later.
    Retry,
    /// Its goals are done, and what completes it is not so yet.
    GoalsDone,
    /// A stop of one of its robots, or of all.
    Stop,
    /// The response to a failure of a robot.
    Fallback,
    /// Its text no longer compiles.
    CompileFailed,
    /// It, or one of its goals, failed.
    Failure,
    /// The mission of which it is a part.
    Parent,
    /// Its time is over.
    Expired,
    /// A person.
    Person,
    /// A program.
    Machine,
    /// An agent.
    Agent,
}

/// One row of `list_missions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionRow {
    /// Stem of its file.
    pub id: MissionId,
    /// Its title; the id if the file cannot be read.
    pub title: String,
    /// Its status.
    pub status: MissionStatus,
    /// Its status, and what an active one does.
    pub state: MissionState,
    /// Each at most once.
    pub flags: Vec<MissionFlag>,
    /// The reason why it is not simply active; absent from drafts and completed ones.
    pub reason: Option<MissionReason>,
    /// When the activated text, or else that of the file, was
    /// compiled, Unix seconds; none of one that does not compile.
    #[ts(type = "number | null")]
    pub compiled_at: Option<i64>,
    /// When it was last activated, Unix seconds; none if nobody has activated it.
    #[ts(type = "number | null")]
    pub activated_at: Option<i64>,
    /// When it ends by itself, Unix seconds.
    #[ts(type = "number | null")]
    pub expires_at: Option<i64>,
    /// When a trigger starts its next run, Unix seconds; absent if none does by time.
    #[ts(type = "number | null")]
    pub starts_at: Option<i64>,
    /// Jobs that live with it.
    pub jobs: usize,
    /// Number of errors that keep the file from being activated.
    pub errors: usize,
    /// Number of findings that a person should look at.
    pub warnings: usize,
    /// The first error of the file, for people.
    pub error: Option<String>,
}

/// A reason why a mission is not simply active.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionReason {
    /// Its cause.
    pub code: MissionReasonCode,
    /// A message, for people.
    pub sentence: String,
    /// Since when, UTC milliseconds.
    #[ts(type = "number")]
    pub since_ms: i64,
}

/// The answer of `get_mission`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDetail {
    /// The row of `list_missions`.
    #[serde(flatten)]
    pub row: MissionRow,
    /// The text that was asked for, else that of the file; absent if the file is missing or unreadable.
    pub source: Option<String>,
    /// SHA-256 of that text, hex: an input of `activate_mission`.
    pub hash: Option<String>,
    /// The text that runs, if it differs.
    pub activated_source: Option<String>,
    /// SHA-256 of the text that runs.
    pub activated_hash: Option<String>,
    /// The person who activated it.
    pub activated_by: Option<String>,
    /// The warnings that this person accepted, and the reason; absent if nobody has activated it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub activation: Option<MissionActivation>,
    /// The only robots it may command.
    pub robots: Vec<RobotId>,
    /// Missions that have to be completed before it starts, with their status.
    pub depends_on: Vec<MissionEdge>,
    /// Starters of its runs; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<MissionTrigger>>", optional)]
    pub triggers: Vec<MissionTrigger>,
    /// Its goals in order; without a run each is pending.
    pub goals: Vec<crate::wire::MissionGoal>,
    /// Its newest runs, the newest first; `list_mission_runs` has all of them, with their goals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<crate::wire::MissionRunRow>>", optional)]
    pub runs: Vec<crate::wire::MissionRunRow>,
    /// Answers that `resume_mission` takes now; empty if nothing is asked.
    pub answers: Vec<String>,
    /// Parts of robots that it needs to itself while it moves them, by their paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<MissionLock>>", optional)]
    pub locks: Vec<MissionLock>,
    /// Money that its models have cost, against its budget; absent if the activated text gives it none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub budget: Option<crate::wire::BudgetRow>,
    /// Objects of the mission that live now, counted at their owners.
    pub live: MissionLive,
    /// Trust level of its texts: `text` for the file.
    pub trust: robot::Trust,
    /// The places at which the file hides text from a reader at a screen.
    pub hidden: Vec<missions::HiddenText>,
    /// Problems of the file, in the order of their places. Each warning among them is accepted on activation.
    pub problems: Vec<MissionProblem>,
    /// Number of further problems.
    pub problems_unlisted: usize,
    /// The keys of the file's front matter; none if that cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub form: Option<Vec<missions::FormKey>>,
    /// The meaning of the file in sentences; empty if it cannot be told.
    pub meaning: Vec<String>,
    /// The same as data, one statement for each sentence; an agent is told of none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Statement>>", optional)]
    pub statements: Vec<Statement>,
    /// The differences from what was activated last; against nothing, everything is added.
    pub changes: Vec<missions::Change>,
    /// The standing approvals that the file asks for, each in a phrase; a person grants them by their numbers, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub envelope: Vec<String>,
    /// The same as data; an agent is told of none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Phrase>>", optional)]
    pub requests: Vec<Phrase>,
    /// The newest dry run of this text, or else of another one; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dry_run: Option<crate::wire::MissionDryRecord>,
    /// The least role of a person who activates it.
    pub role_needed: Role,
    /// True if whoever activates it says why: a limit is loosened or removed.
    pub reason_needed: bool,
}

/// The act of a person that lets exactly one text of a mission run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionActivation {
    /// `act-<uuid>`.
    pub id: String,
    /// UTC milliseconds.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// The role in which the person did so; none of one that was not recorded.
    pub role: Option<Role>,
    /// The warnings that the person accepted.
    pub accepted: Vec<AcceptedWarning>,
    /// The numbers of the standing approvals that the person granted; absent if none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<usize>>", optional)]
    pub granted: Vec<usize>,
    /// The reason that the person gave.
    pub reason: Option<String>,
    /// The dry run that the person saw; absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dry_run: Option<crate::wire::MissionDryRecord>,
}

/// A warning of a text that a person accepts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct AcceptedWarning {
    /// The code of the problem.
    pub code: String,
    /// Its line.
    pub line: usize,
}

/// Something that is wrong with the text of a mission, or that a person has to know before it is activated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionProblem {
    /// Its kind.
    pub code: missions::ProblemCode,
    /// Its weight.
    pub severity: missions::Severity,
    /// Line of the file, from 1.
    pub line: usize,
    /// Column in Unicode scalar values, from 1.
    pub column: usize,
    /// The line in which it ends.
    pub end_line: usize,
    /// The column behind its last character.
    pub end_column: usize,
    /// Path of the key, for example `goals[2].timeout_secs`; none if it is about the file or its text.
    pub key: Option<String>,
    /// A sentence that says what is wrong.
    pub message: String,
    /// A sentence that says what to write.
    pub help: String,
    /// Places in the files of other missions that it is about too.
    pub related: Vec<missions::Related>,
}

impl From<&missions::Problem> for MissionProblem {
    fn from(problem: &missions::Problem) -> Self {
        let missions::Problem { code, severity, start, end, key, message, help, related, .. } = problem;
        Self {
            code: *code,
            severity: *severity,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            key: key.clone(),
            message: message.clone(),
            help: help.clone(),
            related: related.clone(),
        }
    }
}

/// A starter of runs of a mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionTrigger {
    /// Its condition, in a phrase.
    pub text: String,
    /// When it last started a run, UTC milliseconds.
    #[ts(type = "number | null")]
    pub last_ms: Option<i64>,
    /// The next time at which it fires, UTC milliseconds, if that can be said.
    #[ts(type = "number | null")]
    pub next_ms: Option<i64>,
    /// Number of times that it fired and started nothing.
    pub dropped: u32,
}

/// A mission that another waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionEdge {
    /// The mission.
    pub id: MissionId,
    /// Its status; none if there is no such mission.
    pub status: Option<MissionStatus>,
}

/// A part of a robot that a mission needs to itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionLock {
    /// Its path, from the robot inwards.
    pub part: String,
    /// True if it is held for a whole run, from the first motion on; else for each command.
    pub whole_run: bool,
    /// True if the mission has it now.
    pub is_held: bool,
    /// The other that has it while the mission waits for it.
    pub holder: Option<String>,
}

/// Numbers of a mission's live objects, counted at their owners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionLive {
    /// Contexts that take samples.
    pub providers: usize,
    /// Rules in force.
    pub alerts: usize,
    /// Jobs that wait for their time or run.
    pub jobs: usize,
    /// Commands that are not over.
    pub open_commands: usize,
    /// Parts of robots that it has locked.
    #[serde(default)]
    pub locks: usize,
}

/// The answer of `activate_mission`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionActivated {
    /// A message, for people.
    pub message: String,
    /// `act-<uuid>`.
    pub activation_id: String,
    /// As in the row.
    pub state: MissionState,
    /// As in the row.
    pub reason: Option<MissionReason>,
}

/// The answer of `resume_mission`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionChanged {
    /// A message, for people.
    #[schemars(extend("x-vouched" = true))]
    pub message: String,
    /// False if it was so already.
    pub changed: bool,
    /// As in the row.
    pub state: MissionState,
    /// As in the row.
    pub reason: Option<MissionReason>,
}

/// The answer of `complete_mission`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionCompleted {
    /// A message, for people.
    #[schemars(extend("x-vouched" = true))]
    pub message: String,
    /// False if it was so already.
    pub changed: bool,
    /// Active missions that waited for it and for no other, by their ids; their own preconditions are looked at next.
    #[schemars(extend("x-vouched" = true))]
    pub now_ready: Vec<MissionId>,
}

/// The answer of `pause_mission` and `cancel_mission`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionHalted {
    /// A message, for people.
    #[schemars(extend("x-vouched" = true))]
    pub message: String,
    /// False if it was so already.
    pub changed: bool,
    /// Objects of the mission that still live.
    pub live: MissionLive,
    /// Its robots that were not yet seen at standstill.
    pub still_moving: Vec<RobotId>,
}

/// The answer of `pause_all_missions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionsPaused {
    /// Those that were active, of every agent.
    #[schemars(extend("x-vouched" = true))]
    pub paused: Vec<MissionId>,
}
