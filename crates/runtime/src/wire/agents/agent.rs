//! Conversation and missions on the wire.

use agent::{EntryLine, Mode, ModelName};
use llm::{ModelErrorKind, PromptRead};
use robot::{AgentId, ConversationId, ModelProviderId, RobotId, Trust, TurnId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::config::ModelChoice;
use crate::wire::{Meter, Recall};

/// One row of `list_agents`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AgentRow {
    /// Its name.
    pub id: AgentId,
    /// Its conversation with this desk.
    pub session: ConversationId,
    /// The preset that its policy starts from.
    pub preset: String,
    /// The model that answers.
    pub model: ModelName,
    /// The provider of that; null for the built-in command interpreter.
    pub provider: Option<ModelProviderId>,
    /// The model of side calls; null if it is the same.
    pub side: Option<ModelChoice>,
    /// The model for embeddings; null without one.
    #[ts(optional, as = "Option<Option<ModelChoice>>")]
    pub embedding: Option<ModelChoice>,
    /// The present search of its memory: by words, or by words and meaning.
    #[ts(optional, as = "Option<Recall>")]
    pub recall: Recall,
    /// The reason why that model does not answer now; null if none is known. Rules and stops work without it.
    pub offline: Option<String>,
    /// The kind of that failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub offline_kind: Option<ModelErrorKind>,
    /// Progress of a prompt that the model is reading now, if reading takes long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reading: Option<PromptReading>,
    /// The reason why it is given few tools with short descriptions; absent if it is given all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub compact: Option<CompactTools>,
    /// The agent's autonomy: the extent to which it may act by itself.
    pub mode: Mode,
    /// The turn that runs now.
    pub running: Option<TurnId>,
    /// Turns that wait for a person to add to a budget, or to end them with `turn_cancel`; oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<PausedTurn>>")]
    pub paused: Vec<PausedTurn>,
}

/// A prompt that a model reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PromptReading {
    /// True if it is read ahead and nobody waits for the answer.
    pub warm_up: bool,
    /// The part read so far, if the server reports it.
    pub read: Option<PromptRead>,
}

/// Reasons why a model is given only the tools that are always declared, with short descriptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum CompactTools {
    /// It has fewer than 8 billion parameters.
    SmallModel,
    /// It was measured to read fewer than 300 tokens in a second.
    SlowReading,
}

/// A turn that a spent budget paused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PausedTurn {
    /// The turn; it goes on under this name.
    pub turn: TurnId,
    /// Its conversation.
    pub session: ConversationId,
    /// The budget that is spent.
    pub meter: Meter,
}

/// The answer of `send_message`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MessageSent {
    /// The conversation.
    pub session: ConversationId,
    /// The turn that answers, or that the word was about; null for a word that is about none.
    pub turn: Option<TurnId>,
    /// A confirmation, for `/loop`, `/steer`, `/cancel` and words that stopped robots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub message: Option<String>,
}

/// The answer of `turn_steer`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SteerQueued {
    /// A confirmation, as a sentence.
    pub message: String,
    /// Its place among the messages that wait for the turn, from 1.
    pub position: usize,
}

/// The answer of `turn_cancel`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TurnCancelled {
    /// A confirmation, as a sentence.
    pub message: String,
    /// Robots that are measured to move: cancelling a turn stops none.
    pub still_moving: Vec<RobotId>,
}

/// The answer of `edit_summary`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SummaryEdited {
    /// The conversation.
    pub session: ConversationId,
    /// The summary that is shown from the next turn on.
    #[ts(type = "number")]
    pub entry: u64,
}

/// The answer of `set_aside_untrusted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SetAsideDone {
    /// The conversation.
    pub session: ConversationId,
    /// The texts that had been read, oldest first. They stay in the transcript, and can be read again.
    pub readings: Vec<AsideRow>,
    /// Entries of the agent that were written under it and are set aside with it.
    pub derived: usize,
}

/// A text that was set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AsideRow {
    /// Its entry in the transcript.
    #[ts(type = "number")]
    pub entry: u64,
    /// UTC milliseconds.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// The source of the text, for example `tool(world_history)`.
    pub origin: String,
    /// The beginning of the text.
    pub text: String,
}

/// The answer of `set_mode`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ModeSet {
    /// The agent's autonomy from now on: the extent to which it may act by itself.
    pub mode: Mode,
}

/// The parties of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// People at a desk.
    Desk,
    /// Nobody: the agent works by itself.
    Autonomy,
    /// Operators of several stations.
    Room,
}

/// One row of `list_sessions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SessionRow {
    /// Names the conversation.
    pub session: ConversationId,
    /// The parties of the conversation.
    pub channel: Channel,
    /// The first words in it.
    pub title: Option<String>,
    /// When it began, UTC milliseconds; null while it is empty.
    #[ts(type = "number | null")]
    pub started_ms: Option<i64>,
    /// When its newest entry was made.
    #[ts(type = "number | null")]
    pub last_ms: Option<i64>,
    /// Number of messages of people and of the agent.
    #[ts(type = "number")]
    pub messages: u64,
    /// Rises when the model is shown something else than before.
    pub epoch: u32,
    /// Kept at the top of the list.
    pub pinned: bool,
    /// The turn that runs in it now.
    pub running: Option<TurnId>,
    /// The model that answered last.
    pub model: Option<String>,
    /// Cost of its model calls so far, millionths of a dollar; null while that is unknown.
    #[ts(type = "number | null")]
    pub cost_microusd: Option<i64>,
}

/// The answer of `search_sessions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SessionsFound {
    /// Newest first.
    pub items: Vec<SessionHit>,
    /// True if there is more than was asked for, or time was over.
    pub partial: bool,
}

/// An entry that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SessionHit {
    /// The conversation.
    pub session: ConversationId,
    /// Its entry.
    #[ts(type = "number")]
    pub entry: u64,
    /// UTC milliseconds.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// The author, for example `operator(dana)`.
    pub origin: String,
    /// Trust level of the entry's text.
    pub trust: Trust,
    /// Some of it, around the match.
    pub excerpt: String,
}

/// The answer of `export_session`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SessionExport {
    /// A name for the file.
    pub name: String,
    /// The text of the file.
    pub text: String,
}

/// The answer of `get_transcript`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TranscriptPage {
    /// The conversation.
    pub session: ConversationId,
    /// Entries as stored, oldest first.
    pub entries: Vec<EntryLine>,
    /// The turn that runs now.
    pub running: Option<TurnId>,
}
