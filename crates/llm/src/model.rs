//! One attempt at a reply: the trait, what comes back, and what can be known of a model beforehand.

use std::pin::Pin;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{CallId, Request};

/// A future that can be kept in a list beside futures of other types.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A model. One call is one attempt; retries belong to the turn loop, and dropping the future cancels the call.
pub trait Model: Send + Sync {
    /// What the model can do; constant for the life of the value.
    fn caps(&self) -> &Caps;

    /// Asks for one reply.
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Reply, ModelError>>;
}

/// What a model is and can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Caps {
    /// Its name, for example `quarterdeck-commands`.
    pub name: String,
    /// What the operator is told it is.
    pub kind: ModelKind,
    /// Most tokens of one reply.
    pub output_max: u32,
}

/// What answers: shown in the header and on each reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    /// The built-in command interpreter, not a language model.
    Interpreter,
    /// A language model.
    Language,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// Its parts, in order.
    pub blocks: Vec<ReplyBlock>,
    /// Why it ended.
    pub stop: Stop,
    /// What it took.
    pub usage: Usage,
}

/// A part of a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyBlock {
    /// Words.
    Text(String),
    /// A tool call.
    Call {
        /// As the model named it.
        id: CallId,
        /// The tool.
        name: String,
        /// The arguments as they arrived.
        args_raw: String,
    },
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It was done.
    End,
    /// It waits for results.
    ToolUse,
    /// It was cut off: its last call may be half a call.
    Length,
}

/// Tokens of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
pub struct Usage {
    /// Read.
    pub input_tokens: u32,
    /// Written.
    pub output_tokens: u32,
}

/// Why there is no reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ModelError {
    /// The model was not reached or its answer broke off.
    #[error("model {model} did not answer: {reason}")]
    Transport {
        /// The model's name.
        model: String,
        /// What happened, one sentence.
        reason: String,
    },
}
