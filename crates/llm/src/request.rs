//! A request to a model, free of any provider's format.

use std::sync::Arc;

use robot::{ConversationId, Origin, Trust};
use serde::{Deserialize, Serialize};

use crate::{CallId, Sidecar};

/// One call of a model. Equal requests serialise to equal bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Request {
    /// The conversation.
    pub session: ConversationId,
    /// Within an epoch the request only grows at its end.
    pub epoch: u32,
    /// System text, in order. Never holds text of a tool, a sensor or a room.
    pub system: Vec<String>,
    /// Tools that may be called, sorted by name.
    pub tools: Arc<[ToolDecl]>,
    /// The conversation so far.
    pub messages: Vec<RequestMessage>,
    /// Wish about tool calls.
    pub choice: ToolChoice,
    /// Most tokens of the reply.
    pub output_max: u32,
    /// Wish about thinking.
    pub thinking: ThinkingWish,
    /// Sampling parameters; absent leaves them to the server.
    pub sampling: Option<Sampling>,
    /// Index of the first message that is gone again after this call.
    pub transient_from: Option<usize>,
    /// Positions of cache marks, for providers that have them.
    pub marks: MarkWish,
    /// Thinking that no longer fits its prefix is to be dropped by the provider instead of being an error.
    pub drop_blocks: bool,
}

/// Amount of thinking asked of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingWish {
    /// As it does by itself.
    #[default]
    Own,
    /// Not at all, or as little as it can.
    Off,
    /// By effort.
    Effort(Effort),
    /// By tokens.
    Budget(u32),
}

/// Effort that a model puts into thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the providers' own")]
pub enum Effort {
    Low,
    Medium,
    High,
}

/// Sampling parameters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// 0 is the likeliest word each time.
    pub temperature: f32,
}

/// Positions of cache marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MarkWish {
    /// At the end of the conversation and where that end was before.
    pub messages: bool,
    /// On the last system block.
    pub system: bool,
    /// Position of the newest mark in a call with a transient tail.
    pub transient: TransientMark,
}

/// Position of the newest mark in a call with a transient tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TransientMark {
    /// Before the first transient block.
    #[default]
    BeforeTransient,
    /// On the last message but one.
    SecondToLast,
}

/// One message and where it came from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RequestMessage {
    /// Side of the conversation that the message belongs to.
    pub speaker: Speaker,
    /// Author of the text; the command model obeys only an operator.
    pub origin: Origin,
    /// The transcript's entry; with the number of a block it names that block over all requests. Absent if transient.
    pub entry: Option<u64>,
    /// Its parts, in order.
    pub blocks: Vec<Block>,
    /// A reply in its provider's own form.
    pub sidecar: Option<Arc<Sidecar>>,
}

/// A side of the conversation. Results are blocks of a user message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The station, for models that take system text in the middle.
    System,
    /// Everyone but the model.
    User,
    /// The model.
    Assistant,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// Words.
    Text {
        /// The words.
        text: String,
        /// Trust level of the words.
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
        /// True if the call failed or was not run.
        is_error: bool,
        /// The lowest trust of what it quotes.
        trust: Trust,
    },
}

/// A tool as the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDecl {
    /// Its name.
    pub name: String,
    /// One line.
    pub description: String,
    /// JSON schema of the arguments.
    pub input_schema: serde_json::Value,
}

/// Wish about tool calls in this reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// It decides.
    Auto,
    /// It must answer in words.
    None,
    /// It must call one.
    Required,
    /// It must call this one.
    Named(String),
}
