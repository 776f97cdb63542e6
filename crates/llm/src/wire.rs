//! A provider's wire format: pure functions from a request to bytes and from bytes to a reply. No clock, no network.

mod anthropic;
pub(crate) mod chat;
pub(crate) mod errors;
mod gemini;
mod halves;
pub(crate) mod ids;
mod marks;
mod markup;
mod ollama;
mod plain;
pub(crate) mod replay;
pub(crate) mod sse;
pub(crate) mod usage;

pub use anthropic::Anthropic;
pub use chat::Chat;
pub use gemini::Gemini;
pub use ollama::Ollama;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{Caps, Delta, ModelError, Reply, ReplyBlock, Request, Sidecar, SidecarBlock, Stop, Usage};

/// Calls of a reply that are kept. A turn runs fewer and answers the others with an error; a model that makes more than
/// these has lost itself, and hears of none of them.
pub(crate) const CALLS_MAX: usize = 256;

/// One wire format for one model on one server.
pub trait Wire: Send + Sync {
    /// Capabilities of the model there.
    fn caps(&self) -> &Caps;

    /// The request as the server takes it, and where its cache marks stand. Equal arguments give equal bytes.
    ///
    /// # Errors
    /// The request asks for something that the format has no form for.
    fn encode(&self, request: &Request, marks: &Marks) -> Result<(HttpRequest, Marks), EncodeError>;

    /// Reads the answer to `request`.
    fn decoder(&self, request: &Request) -> Box<dyn Decoder>;

    /// The error behind an answer other than 200.
    fn classify(&self, status: u16, headers: &Headers, body: &[u8]) -> ModelError;
}

/// Reads one answer from its bytes, however they are split.
pub trait Decoder: Send {
    /// Takes the next bytes.
    fn push(&mut self, bytes: &[u8]) -> Vec<Delta>;

    /// True if anything so far had the form of this wire.
    fn is_answer(&self) -> bool;

    /// The whole reply, at the end of the stream.
    ///
    /// # Errors
    /// The stream ended before its last event, reported an error, or cannot be read.
    fn finish(self: Box<Self>) -> Result<Reply, ModelError>;
}

/// A request to a provider, without its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// Follows the base address, for example `/v1/messages`.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// Place of the key, if there is one.
    pub auth: Auth,
    /// JSON.
    pub body: Vec<u8>,
}

/// Place of a key in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// As `authorization: Bearer`.
    Bearer,
    /// As a header of its own.
    Header(&'static str),
}

/// Headers of an answer; names in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headers(pub Vec<(String, String)>);

impl Headers {
    /// The first value of `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Positions of a conversation's cache marks in its newest request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    /// The epoch they belong to.
    pub epoch: u32,
    /// The block that bears the newest mark.
    pub prev: Option<BlockKey>,
}

/// Names a block over all requests of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockKey {
    /// The transcript's entry.
    pub entry: u64,
    /// Counts the blocks of the entry from 0.
    pub block: usize,
}

/// Fault of a request that has no form on this wire.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The provider takes fewer tools.
    #[error("{model} takes {max} tools, the request has {count}")]
    TooManyTools {
        /// The model.
        model: String,
        /// Most tools that the provider takes.
        max: u16,
        /// Tools in the request.
        count: usize,
    },
    /// Something in it has no JSON.
    #[error("the request cannot be written: {why}")]
    Unwritable {
        /// The reason.
        why: String,
    },
    /// Nothing would be asked.
    #[error("the request has no message")]
    Empty,
    /// The model speaks only a format that is not supported.
    #[error(
        "{model} takes tools only through another interface of its provider, which is not supported; choose another model"
    )]
    OtherInterface {
        /// The model.
        model: String,
    },
}

/// Refuses tools that the model does not take.
pub(crate) fn check_tools(caps: &Caps, request: &Request) -> Result<(), EncodeError> {
    let count = request.tools.len();
    // Found out here: the server would refuse the request with a sentence that helps nobody.
    if caps.tools_elsewhere && count > 0 {
        return Err(EncodeError::OtherInterface { model: caps.name.clone() });
    }
    match caps.tools_max {
        Some(max) if count > usize::from(max) => {
            Err(EncodeError::TooManyTools { model: caps.name.clone(), max, count })
        }
        Some(_) | None => Ok(()),
    }
}

/// The arguments of a call byte for byte, or an empty object if they are none.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Arguments<'a> {
    Raw(&'a RawValue),
    None {},
}

impl<'a> Arguments<'a> {
    pub fn of(args_raw: &'a str) -> Self {
        // Only what is an object goes out byte for byte: anything else would spoil the whole request.
        let is_object = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(args_raw).is_ok();
        let raw = is_object.then(|| serde_json::from_str(args_raw).ok()).flatten();
        raw.map_or(Self::None {}, Self::Raw)
    }
}

/// The reply whose provider's form is `sidecar`.
pub(crate) fn reply_of(sidecar: Sidecar, usage: Usage) -> Reply {
    let blocks: Vec<ReplyBlock> = sidecar.blocks.iter().filter_map(reply_block).collect();
    let calls = blocks.iter().any(|block| matches!(block, ReplyBlock::Call { .. }));
    // Some servers end a reply of calls as if it held only words.
    let stop = if calls && sidecar.stop == Stop::End { Stop::ToolUse } else { sidecar.stop.clone() };
    Reply { blocks, stop, usage, sidecar: Some(sidecar) }
}

fn reply_block(block: &SidecarBlock) -> Option<ReplyBlock> {
    match block {
        SidecarBlock::Text { s, .. } if s.is_empty() => None,
        SidecarBlock::Text { s, .. } => Some(ReplyBlock::Text(s.clone())),
        SidecarBlock::Call { id, name, args_raw, .. } => {
            Some(ReplyBlock::Call { id: id.clone(), name: name.clone(), args_raw: args_raw.clone() })
        }
        SidecarBlock::Thinking { .. } | SidecarBlock::Redacted { .. } | SidecarBlock::Item { .. } => None,
    }
}

#[cfg(test)]
mod tests;
