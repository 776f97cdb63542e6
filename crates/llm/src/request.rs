//! What a model is asked, free of any provider's format.

use std::sync::Arc;

use robot::{Origin, Trust};
use serde::Serialize;

use crate::{CallId, SessionId};

/// One call of a model. Equal requests serialise to equal bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Request {
    /// The conversation.
    pub session: SessionId,
    /// Within an epoch the request only grows at its end.
    pub epoch: u32,
    /// System text, in order. Never holds text of a tool, a sensor or a room.
    pub system: Vec<String>,
    /// What may be called, sorted by name.
    pub tools: Arc<[ToolDecl]>,
    /// The conversation so far.
    pub messages: Vec<RequestMessage>,
    /// Whether calls are wanted.
    pub choice: ToolChoice,
    /// Most tokens of the reply.
    pub output_max: u32,
    /// Index of the first message that is gone again after this call.
    pub transient_from: Option<usize>,
}

/// One message and where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequestMessage {
    /// Whose turn it is in the conversation.
    pub speaker: Speaker,
    /// Who wrote the text; the command model obeys only an operator.
    pub origin: Origin,
    /// Its parts, in order.
    pub blocks: Vec<Block>,
}

/// Whose turn a message is. Results are blocks of a user message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// Everyone but the model.
    User,
    /// The model.
    Assistant,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// Words.
    Text {
        /// The words.
        text: String,
        /// How far they can be believed.
        trust: Trust,
    },
    /// A tool call of the model.
    Call {
        /// Ties the result to the call.
        id: CallId,
        /// The tool.
        name: String,
        /// The arguments as they arrived: JSON if the model kept to the form.
        args_raw: String,
    },
    /// The answer to a call.
    Result {
        /// The call it answers.
        call: CallId,
        /// A JSON object, serialised.
        json: String,
        /// Whether the call failed or was not run.
        is_error: bool,
        /// The lowest trust of what it quotes.
        trust: Trust,
    },
}

/// A tool as the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolDecl {
    /// Its name.
    pub name: String,
    /// One line.
    pub description: String,
    /// JSON schema of the arguments.
    pub input_schema: serde_json::Value,
}

/// Whether the model may call tools in this reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// It decides.
    Auto,
    /// It must answer in words.
    None,
}
