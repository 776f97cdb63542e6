//! Conversation and missions on the wire.

use agent::{EntryLine, Mode, ModelName};
use robot::{AgentId, MissionId, ModelProviderId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::config::ModelChoice;

/// One row of `list_agents`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AgentRow {
    /// Its name.
    pub id: AgentId,
    /// Its conversation with this desk.
    pub session: String,
    /// The preset that its policy starts from.
    pub preset: String,
    /// What answers.
    pub model: ModelName,
    /// The provider of that; null for the built-in command interpreter.
    pub provider: Option<ModelProviderId>,
    /// The model of side calls; null if it is the same.
    pub side: Option<ModelChoice>,
    /// Why that does not answer now; null if it does, as far as is known. Rules and stops work without it.
    pub offline: Option<String>,
    /// How far it may act by itself.
    pub mode: Mode,
    /// The turn that runs now.
    pub running: Option<String>,
}

/// The answer of `send_message`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MessageSent {
    /// The conversation.
    pub session: String,
    /// The turn that answers.
    pub turn: String,
}

/// The answer of `get_transcript`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TranscriptPage {
    /// The conversation.
    pub session: String,
    /// Entries as stored, oldest first.
    pub entries: Vec<EntryLine>,
    /// The turn that runs now.
    pub running: Option<String>,
}

/// One row of `list_missions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionRow {
    /// Stem of its file.
    pub id: MissionId,
    /// Its title; the id if the file cannot be read.
    pub title: String,
    /// `draft`: a file that nobody has activated.
    pub status: String,
    /// What is wrong with the file.
    pub error: Option<String>,
}
