//! Tools as the loop knows them: an operation's name, form and effect, one call of it, and how that ended.

use std::time::Duration;

use llm::{Block, CallId};
use robot::{Effect, Role, Stops, Trust};
use serde::{Deserialize, Serialize};

/// Time that a call which must not be torn off in the middle has left when its turn is cancelled.
const FINISH_TIME: Duration = Duration::from_secs(5);
/// Stands before the outcome of a call whose turn was cancelled.
const FINISHED_TITLE: &str = "[Finished after its turn was cancelled]";

/// An operation the agent may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// One line for the model.
    pub description: String,
    /// JSON schema of the arguments; an object.
    pub input_schema: serde_json::Value,
    /// Effect on the world.
    pub effect: Effect,
    /// Conversations and roles that may call it.
    pub scope: Scope,
    /// Work at a station begins with it, whatever the first message was.
    pub core: bool,
    /// Robots that it stops.
    pub stops: Stops,
    /// Work on the world, or control of the turn itself.
    pub kind: ToolKind,
    /// Time limit of a call, milliseconds, if it is not the policy's.
    pub timeout_ms: Option<u32>,
    /// Highest trust that its output can have.
    pub output: ToolOutput,
    /// Its results are data to work with: they are never masked.
    pub data_bearing: bool,
    /// It brings its words to people itself.
    pub delivers: bool,
    /// Treatment of a running call when the turn is cancelled.
    pub on_cancel: OnCancel,
    /// Extra care in a tainted turn.
    pub careful: Careful,
}

impl ToolSpec {
    /// A tool that works on the station: its answers are trusted, and cancelling it drops it.
    #[must_use]
    pub fn new(name: &str, description: &str, input_schema: serde_json::Value, effect: Effect) -> Self {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            input_schema,
            effect,
            scope: Scope::Anywhere,
            core: false,
            stops: Stops::No,
            kind: ToolKind::Work,
            timeout_ms: None,
            output: ToolOutput::Trusted,
            data_bearing: false,
            delivers: false,
            on_cancel: OnCancel::Drop,
            careful: Careful::No,
        }
    }
}

/// Conversations and roles that may call a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Everywhere.
    Anywhere,
    /// Only where one person speaks to the agent: what it gives is not for a room.
    Direct,
    /// Only in a room.
    Room,
    /// Only in a turn that an Admin began.
    Admin,
}

impl Scope {
    /// Reason for not running a call in a turn that `speaker` began; none if it may run.
    #[must_use]
    pub fn refusal(self, speaker: Speaker) -> Option<&'static str> {
        match self {
            Self::Direct if speaker.in_room => Some("is for direct conversations, not for a room"),
            Self::Room if !speaker.in_room => Some("is for rooms"),
            Self::Admin if speaker.role < Role::Admin => Some("is for turns that an Admin begins"),
            Self::Anywhere | Self::Direct | Self::Room | Self::Admin => None,
        }
    }
}

/// Author of a turn, as far as tools care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speaker {
    /// Role of the author.
    pub role: Role,
    /// The words were written in a room.
    pub in_room: bool,
}

/// Purpose of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// Work: its results ground an answer.
    Work,
    /// The turn itself: `say`, `think`, `wait`, `end_turn`.
    Agency,
}

/// Highest trust that a tool's output can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolOutput {
    /// As the station's own word.
    Trusted,
    /// Words of somebody else.
    Text,
}

/// Treatment of a running call when the turn is cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnCancel {
    /// It is dropped.
    Drop,
    /// It may finish, for a few seconds.
    Finish,
}

impl OnCancel {
    /// Time that a call has left after its turn was cancelled. It is dropped then.
    #[must_use]
    pub const fn grace(self) -> Duration {
        match self {
            Self::Drop => Duration::ZERO,
            Self::Finish => FINISH_TIME,
        }
    }
}

/// Calls that need a person once untrusted text may speak through the model, whatever the mode allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Careful {
    /// None but those that move something.
    No,
    /// Those that reach beyond the station or plan for later.
    Asks,
    /// Those that write memory: they are written, and wait for a person's look.
    Reviewed,
}

/// A call whose arguments are legal JSON of the tool's form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Names the call in every input and event about it.
    pub id: CallId,
    /// The tool.
    pub name: String,
    /// The arguments: a JSON object.
    pub args: serde_json::Value,
    /// The tool's effect.
    pub effect: Effect,
    /// The turn has read, or the call quotes, untrusted text.
    #[serde(default)]
    pub tainted: bool,
    /// Treatment of it when the turn is cancelled.
    pub on_cancel: OnCancel,
}

/// Outcome of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolOutcome {
    /// A JSON object, serialised.
    pub json: String,
    /// True if the call failed.
    pub is_error: bool,
    /// True if the answer says no, for example to a denied command: the requested action was not done.
    pub refused: bool,
    /// The lowest trust of what it quotes.
    pub trust: Trust,
    /// The number under which the whole of a long output is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spill: Option<u32>,
}

impl ToolOutcome {
    /// An answer of the station itself.
    #[must_use]
    pub fn answer(json: &serde_json::Value) -> Self {
        Self { json: json.to_string(), is_error: false, refused: false, trust: Trust::Trusted, spill: None }
    }

    /// A failure with a stable code and a sentence.
    #[must_use]
    pub fn error(code: &str, message: &str) -> Self {
        let json = serde_json::json!({ "code": code, "message": message });
        Self { is_error: true, ..Self::answer(&json) }
    }

    /// Note for the next turn on this outcome of `call`, whose own turn was cancelled before it came.
    #[must_use]
    pub fn told_later(&self, call: &ToolCall) -> Block {
        let text = format!("{FINISHED_TITLE}\n{} ({}): {}", call.name, call.id, self.json);
        Block::Text { text, trust: self.trust }
    }

    /// True if the requested action was done.
    #[must_use]
    pub const fn succeeded(&self) -> bool {
        !self.is_error && !self.refused
    }
}

/// A person's answer to an ask.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The station dispatches the call; its outcome follows.
    Approved,
    /// No, and why.
    Rejected(String),
    /// No screen shows the question: waiting for its answer is in vain, though it may still come.
    Unseen,
    /// Nobody answered in the proposal's lifetime.
    Expired,
    /// The requested action has changed or was stopped.
    Void,
}
