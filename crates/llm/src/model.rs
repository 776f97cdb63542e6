//! One attempt at a reply: the trait, what comes while it is made and what comes back.

use std::pin::Pin;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{CallId, Caps, Request, Sidecar};

/// A future that can be kept in a list beside futures of other types.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Receives the pieces of a reply as the model makes them.
pub type DeltaSink = dyn Fn(Delta) + Send + Sync;

/// A model. One call is one attempt; retries belong to the turn loop, and dropping the future cancels the call.
pub trait Model: Send + Sync {
    /// Capabilities of the model; constant for the life of the value.
    fn caps(&self) -> &Caps;

    /// Asks for one reply. `deltas` hears of its parts as they come; the reply is the truth.
    fn call(&self, request: Request, deltas: Arc<DeltaSink>) -> BoxFuture<'_, Result<Reply, ModelError>>;
}

/// A piece of a reply that is still being made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delta {
    /// Words.
    Text(String),
    /// Thinking.
    Thinking(String),
    /// A call begins.
    CallStart {
        /// Counts calls of the reply from 0.
        index: usize,
        /// As the model named it.
        id: CallId,
        /// The tool.
        name: String,
    },
    /// More of a call's arguments.
    CallArgs {
        /// The call.
        index: usize,
        /// A piece of JSON.
        json: String,
    },
    /// A call is complete.
    CallEnd {
        /// The call.
        index: usize,
    },
    /// Usage so far.
    Usage(Usage),
    /// Progress in reading the prompt, of servers that report it.
    Prompt(PromptRead),
    /// Everything so far is void.
    Restart,
}

/// Progress of a server in reading a prompt, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PromptRead {
    /// All of the prompt.
    #[ts(type = "number")]
    pub tokens: u64,
    /// Of these, known from before: they take no time.
    #[ts(type = "number")]
    pub cached: u64,
    /// Read so far, those from before included.
    #[ts(type = "number")]
    pub done: u64,
    /// The time it took so far, milliseconds.
    #[ts(type = "number")]
    pub elapsed_ms: u64,
}

impl PromptRead {
    /// Tokens that were read anew.
    #[must_use]
    pub const fn fresh(&self) -> u64 {
        self.done.saturating_sub(self.cached)
    }

    /// Tokens read anew in a second; nothing before any time has passed.
    #[must_use]
    pub const fn per_second(&self) -> Option<u64> {
        self.fresh().saturating_mul(1_000).checked_div(self.elapsed_ms)
    }
}

/// A model's reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// Its parts, in order.
    pub blocks: Vec<ReplyBlock>,
    /// Reason it ended.
    pub stop: Stop,
    /// Tokens used.
    pub usage: Usage,
    /// The same in the provider's form; absent from the built-in interpreter.
    pub sidecar: Option<Sidecar>,
}

/// A part of a reply. Thinking is in the sidecar only.
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

/// Reason a reply ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It was done.
    End,
    /// It waits for results.
    ToolUse,
    /// It was cut off: its last call may be half a call.
    Length,
    /// It wants to be sent back unchanged and goes on then.
    Pause,
    /// It declined.
    Refusal,
    /// A filter of the provider took the reply away.
    ContentFilter,
    /// The window is full.
    WindowExceeded,
    /// A stop sequence of the request.
    StopSequence,
    /// Something newer than this program.
    Other(String),
}

/// Tokens of one call. All input is `in_fresh` + `cache_read` + both writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
pub struct Usage {
    /// Read anew.
    #[ts(type = "number")]
    pub in_fresh: u64,
    /// Read from a cache.
    #[ts(type = "number")]
    pub cache_read: u64,
    /// Written to a cache for 5 minutes.
    #[ts(type = "number")]
    pub cache_write_5m: u64,
    /// Written to a cache for an hour.
    #[ts(type = "number")]
    pub cache_write_1h: u64,
    /// Written, reasoning included.
    #[ts(type = "number")]
    pub out: u64,
    /// Of these, reasoning; absent if the provider does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub reasoning: Option<u64>,
    /// True if the provider said nothing and this is a guess by length.
    #[serde(default)]
    pub estimated: bool,
}

impl Usage {
    /// Counts another call in.
    pub const fn add(&mut self, other: &Self) {
        self.in_fresh = self.in_fresh.saturating_add(other.in_fresh);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write_5m = self.cache_write_5m.saturating_add(other.cache_write_5m);
        self.cache_write_1h = self.cache_write_1h.saturating_add(other.cache_write_1h);
        self.out = self.out.saturating_add(other.out);
        self.reasoning = match (self.reasoning, other.reasoning) {
            (Some(own), Some(more)) => Some(own.saturating_add(more)),
            (None, known) | (known, None) => known,
        };
        self.estimated |= other.estimated;
    }

    /// All input tokens, however they were paid.
    #[must_use]
    pub const fn input(&self) -> u64 {
        self.in_fresh
            .saturating_add(self.cache_read)
            .saturating_add(self.cache_write_5m)
            .saturating_add(self.cache_write_1h)
    }
}

/// A failed call: there is no reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ModelError {
    /// Kind of failure; decides on the next step.
    pub kind: ModelErrorKind,
    /// HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// The provider's own code.
    pub provider_code: Option<String>,
    /// One sentence for logs and people; nothing decides by it.
    pub message: String,
    /// Wait that the provider asks for, milliseconds.
    pub retry_after_ms: Option<u64>,
    /// The provider's name of the request.
    pub request_id: Option<String>,
    /// The window the provider names, tokens: only with [`ModelErrorKind::Overflow`].
    pub window: Option<u32>,
    /// Tokens used before the failure, as far as they were reported.
    pub usage: Option<Usage>,
    /// Output of the model that its server could not read: only with [`ModelErrorKind::Protocol`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slip: Option<String>,
}

impl ModelError {
    /// An error that no provider reported.
    #[must_use]
    pub fn own(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            status: None,
            provider_code: None,
            message: message.into(),
            retry_after_ms: None,
            request_id: None,
            window: None,
            usage: None,
            slip: None,
        }
    }
}

/// Kind of a failed call; decides on the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ModelErrorKind {
    /// The prompt is too long.
    Overflow,
    /// Too many requests.
    RateLimit,
    /// The account has no money or quota left.
    Quota,
    /// The server is busy or failed.
    Overloaded,
    /// It was not reached, or its answer broke off.
    Transport,
    /// The key is wrong, missing or not allowed to.
    Auth,
    /// Thinking that was sent back does not belong to this conversation.
    PrefixBound,
    /// The provider declined by policy.
    Refused,
    /// The request is wrong.
    BadRequest,
    /// The answer cannot be read.
    Protocol,
    /// Ended by us.
    Cancelled,
}
