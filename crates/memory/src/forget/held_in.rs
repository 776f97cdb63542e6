//! The kinds of places that hold words, and the ways to be rid of the words there.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A kind of place that holds words: rows of a table, or files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is what its words say")]
pub enum HeldIn {
    Context,
    Alert,
    AlertFire,
    Alarm,
    Proposal,
    WorldState,
    WorldHistory,
    Record,
    DailyLog,
    RecordVector,
    ForgetIntent,
    Belief,
    BeliefChange,
    Job,
    JobRun,
    Review,
    ModelCall,
    PromptPart,
    BudgetGrant,
    AgentSetting,
    Message,
    Conversation,
    Mission,
    MissionDryRun,
    MissionText,
    MissionRun,
    MissionStep,
    RoomMessage,
    RoomMember,
    Event,
    Stop,
    Limit,
    Decision,
    AuditRecord,
    StandingApproval,
    StopTest,
    StationAlarm,
    SecretName,
    Token,
    Lockout,
    StationEvent,
    StationSetting,
    AlarmStep,
    Database,
    Backup,
    Transcript,
    LongOutput,
    NoteFile,
    DamagedFile,
    MissionFile,
    OtherAgentFile,
    Recording,
    Manifest,
    SettingsFile,
    SimulatorFile,
    OtherFile,
}

impl HeldIn {
    /// The number of them in words, for example `3 beliefs`.
    #[must_use]
    pub fn counted(self, count: u64) -> String {
        let (one, several) = self.words();
        format!("{count} {}", if count == 1 { one } else { several })
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Context => ("context", "contexts"),
            Self::Alert => ("alert", "alerts"),
            Self::AlertFire => ("fire of an alert", "fires of alerts"),
            Self::Alarm => ("alarm", "alarms"),
            Self::Proposal => ("proposal", "proposals"),
            Self::WorldState => ("entry of the world state", "entries of the world state"),
            Self::WorldHistory => ("point of the history", "points of the history"),
            Self::Record => ("record", "records"),
            Self::DailyLog => ("daily log", "daily logs"),
            Self::RecordVector => ("place of a record", "places of records"),
            Self::ForgetIntent => ("intent", "intents"),
            Self::Belief => ("belief", "beliefs"),
            Self::BeliefChange => ("change of a belief", "changes of beliefs"),
            Self::Job => ("job", "jobs"),
            Self::JobRun => ("run of a job", "runs of jobs"),
            Self::Review => ("review", "reviews"),
            Self::ModelCall => ("model call", "model calls"),
            Self::PromptPart => ("part of a prompt", "parts of prompts"),
            Self::BudgetGrant => ("addition to a budget", "additions to budgets"),
            Self::AgentSetting => ("setting of the agent", "settings of the agent"),
            Self::Message => ("message", "messages"),
            Self::Conversation => ("conversation", "conversations"),
            Self::Mission => ("mission", "missions"),
            Self::MissionDryRun => ("dry run of a mission", "dry runs of missions"),
            Self::MissionText => ("text of a mission", "texts of missions"),
            Self::MissionRun => ("run of a mission", "runs of missions"),
            Self::MissionStep => ("step of a mission", "steps of missions"),
            Self::RoomMessage => ("room message", "room messages"),
            Self::RoomMember => ("member of a room", "members of rooms"),
            Self::Event => ("event", "events"),
            Self::Stop => ("stop", "stops"),
            Self::Limit => ("limit", "limits"),
            Self::Decision => ("decision on a proposal", "decisions on proposals"),
            Self::AuditRecord => ("audit record", "audit records"),
            Self::StandingApproval => ("standing approval", "standing approvals"),
            Self::StopTest => ("test of a stop", "tests of stops"),
            Self::StationAlarm => ("alarm of the station", "alarms of the station"),
            Self::SecretName => ("name of a secret", "names of secrets"),
            Self::Token => ("token", "tokens"),
            Self::Lockout => ("lockout", "lockouts"),
            Self::StationEvent => ("event of the station", "events of the station"),
            Self::StationSetting => ("setting of the station", "settings of the station"),
            Self::AlarmStep => ("step of an alarm", "steps of alarms"),
            Self::Database => ("database", "databases"),
            Self::Backup => ("backup", "backups"),
            Self::Transcript => ("transcript", "transcripts"),
            Self::LongOutput => ("long output", "long outputs"),
            Self::NoteFile => ("note file", "note files"),
            Self::DamagedFile => ("damaged file", "damaged files"),
            Self::MissionFile => ("mission file", "mission files"),
            Self::OtherAgentFile => ("file of another agent", "files of another agent"),
            Self::Recording => ("recording", "recordings"),
            Self::Manifest => ("manifest", "manifests"),
            Self::SettingsFile => ("settings file", "settings files"),
            Self::SimulatorFile => ("file of the simulator", "files of the simulator"),
            Self::OtherFile => ("other file", "other files"),
        }
    }
}

/// A way to be rid of words that forgetting has left; its text is the English sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Remedy {
    /// Somebody changes the context that was given to the agent.
    ChangeContext,
    /// Somebody registers the alert in other words.
    RewordAlert,
    /// There is none: it is evidence.
    OnRecord,
    /// Somebody changes the context that writes the value.
    ChangeWriter,
    /// Somebody forgets the record.
    ForgetRecord,
    /// Somebody forgets the belief.
    ForgetBelief,
    /// Somebody schedules the job in other words.
    RewordJob,
    /// Somebody decides on the review.
    DecideReview,
    /// It goes by itself with old prompts.
    PromptsAge,
    /// Somebody renames what has the name.
    Rename,
    /// Somebody changes the limit.
    ChangeLimit,
    /// There is none: the audit is only appended to.
    NeverEdited,
    /// Somebody removes the secret.
    RemoveSecret,
    /// Somebody revokes the token.
    RevokeToken,
    /// It goes by itself with later events.
    PushedOut,
    /// Somebody forgets the longer word.
    LongerWord,
    /// Somebody forgets the longer word, unless it is the program's own.
    LongerOrOwn,
    /// The same in a transcript, where names stay too.
    LongerOrOwnOrName,
    /// It goes as the space is used again.
    UnusedSpace,
    /// It goes with the next backup.
    NextBackup,
    /// Somebody deletes the files.
    Delete(FileNames),
    /// Somebody edits the files.
    Edit(FileNames),
    /// Somebody forgets it for another agent.
    ForgetForAgent {
        /// The agent.
        agent: String,
    },
    /// It goes by age, or somebody deletes the recordings.
    DeleteRecordings(FileNames),
    /// Somebody deletes the files while the simulator stands still.
    DeleteOfSimulator(FileNames),
    /// Somebody looks at the files.
    LookAt(FileNames),
}

/// Files that hold the words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FileNames {
    /// Their paths in the data folder, with commas between.
    pub files: String,
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ChangeContext => "Change or remove the context.",
            Self::RewordAlert => "Unregister the alert, or register it in other words.",
            Self::OnRecord => "Who did it, what it refers to and words of the program's own stay on record.",
            Self::ChangeWriter => "Change the context that writes it.",
            Self::ForgetRecord => "Forget the record by its id, or by a query that names the longer word.",
            Self::ForgetBelief => "Forget the belief itself.",
            Self::RewordJob => "Cancel the job, and schedule it in other words.",
            Self::DecideReview => "Decide on the review.",
            Self::PromptsAge => "It goes as prompts get old.",
            Self::Rename => "Other data refers to it by this name. Rename it, or remove what has the name.",
            Self::ChangeLimit => "Change or remove the limit.",
            Self::NeverEdited => "The audit is only ever appended to; nothing takes it out.",
            Self::RemoveSecret => "Remove the secret.",
            Self::RevokeToken => "Revoke the token and make another.",
            Self::PushedOut => "Later events push it out.",
            Self::LongerWord => "It is part of a longer word there; forget that word by a query of its own.",
            Self::LongerOrOwn => {
                "It is part of a longer word there, which a query of its own forgets, or a word of the program's own, \
                 which stays."
            }
            Self::LongerOrOwnOrName => {
                return write!(
                    f,
                    "{} Names of conversations and of who spoke stay with what was said.",
                    Self::LongerOrOwn
                );
            }
            Self::UnusedSpace => {
                "It is a word of the program's own there, or stands in unused space, which later writes fill."
            }
            Self::NextBackup => "The next backup takes its place.",
            Self::Delete(FileNames { files }) => return write!(f, "Delete {files}."),
            Self::Edit(FileNames { files }) => return write!(f, "Edit {files}."),
            Self::ForgetForAgent { agent } => return write!(f, "Forget it for the agent {agent} too."),
            Self::DeleteRecordings(FileNames { files }) => {
                let age = "Recordings prove verdicts and go when they are old";
                return write!(f, "{age}; to be rid of it now, delete {files}.");
            }
            Self::DeleteOfSimulator(FileNames { files }) => return write!(f, "Stop the simulator and delete {files}."),
            Self::LookAt(FileNames { files }) => return write!(f, "Look at {files}."),
        })
    }
}
