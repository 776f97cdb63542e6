//! One entry of a transcript, in memory and as the JSON line that is stored and shown.
//! The line reads as a chat message to whoever ignores the fields of our own.

use llm::{Block, CallId};
use robot::{Origin, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::CancelReason;

/// Something that was said or done, and stays so: entries are never changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "EntryLine", into = "EntryLine")]
#[schemars(with = "EntryLine")]
#[ts(as = "EntryLine")]
pub struct Entry {
    /// Counts up from 0 within a session.
    pub id: u64,
    /// The epoch it was written in.
    pub epoch: u32,
    /// UTC milliseconds.
    pub at_ms: i64,
    /// What it is.
    pub kind: EntryKind,
    /// Its content. An assistant entry holds at most one text, then its calls; a marker holds nothing.
    pub blocks: Vec<Block>,
    /// Who wrote it.
    pub origin: Origin,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// What began a turn.
    User,
    /// A reply of the model.
    Assistant,
    /// The result of one call.
    ToolResult,
    /// State of the world as it was shown to the model once.
    Volatile,
    /// A note of the loop; the model never sees it.
    Marker(Marker),
}

/// A note of the loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Marker {
    /// The turn was ended from outside.
    Cancelled {
        /// By whom or what.
        reason: CancelReason,
        /// The last words of the model in it.
        partial: String,
    },
    /// What follows is a new epoch: what the model was shown before is not shown the same any more.
    Epoch {
        /// The epoch that ended.
        from: u32,
        /// The one that begins.
        to: u32,
        /// Why.
        reason: EpochReason,
    },
    /// The process died in the middle of the turn before this; nothing of it was run again.
    Resumed,
    /// A reply was cut off and its calls were not run.
    CutByLength {
        /// What it said.
        partial: String,
    },
}

/// Why an epoch begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum EpochReason {
    /// Something that was said is forgotten.
    SessionReset,
}

/// An [`Entry`] as a JSON line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EntryLine {
    /// Counts up from 0 within a session.
    #[ts(type = "number")]
    pub id: u64,
    /// The epoch it was written in.
    pub epoch: u32,
    /// UTC milliseconds.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// What it is.
    pub kind: LineKind,
    /// Whose turn it is in the conversation.
    pub role: LineRole,
    /// Who wrote it, for example `operator(dana)`.
    pub origin: String,
    /// The lowest trust of its parts.
    pub trust: Trust,
    /// The call this is the result of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tool_call_id: Option<CallId>,
    /// Its words; a marker has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub content: Option<Content>,
    /// The calls of a reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<LineCall>>")]
    pub tool_calls: Vec<LineCall>,
    /// The note of a marker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub marker: Option<Marker>,
    /// True if the call failed or was not run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub is_error: bool,
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the variants are those of `EntryKind`, documented there")]
pub enum LineKind {
    User,
    Assistant,
    ToolResult,
    Volatile,
    Marker,
}

/// Whose turn a line is, in the words of chat formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum LineRole {
    /// Operator, alert or world state.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
    /// The loop itself.
    System,
}

/// The words of a line: one text, or parts that differ in trust.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(untagged)]
pub enum Content {
    /// One text of the line's trust.
    Text(String),
    /// None or several.
    Parts(Vec<Part>),
}

/// One of several parts of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// Words.
    Text {
        /// The words.
        text: String,
        /// How far they can be believed.
        trust: Trust,
    },
}

/// A call of a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LineCall {
    /// Ties the result to the call.
    pub id: CallId,
    /// Always `function`.
    #[serde(rename = "type")]
    pub call_type: CallType,
    /// What is called.
    pub function: LineFunction,
}

/// The only kind of call there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum CallType {
    /// A tool with JSON arguments.
    Function,
}

/// What a call calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LineFunction {
    /// The tool.
    pub name: String,
    /// The arguments as they arrived.
    pub arguments: String,
}

/// Why a line is no entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Nobody is called that.
    #[error("{text:?} names no origin")]
    Origin {
        /// As it stands in the line.
        text: String,
    },
    /// Its kind needs another form.
    #[error("a line of kind {kind:?} needs {expected}")]
    Form {
        /// The kind it says it is.
        kind: LineKind,
        /// What is missing.
        expected: &'static str,
    },
}

impl From<Entry> for EntryLine {
    fn from(entry: Entry) -> Self {
        let (kind, role, marker) = match entry.kind {
            EntryKind::User => (LineKind::User, LineRole::User, None),
            EntryKind::Assistant => (LineKind::Assistant, LineRole::Assistant, None),
            EntryKind::ToolResult => (LineKind::ToolResult, LineRole::Tool, None),
            EntryKind::Volatile => (LineKind::Volatile, LineRole::User, None),
            EntryKind::Marker(marker) => (LineKind::Marker, LineRole::System, Some(marker)),
        };
        let mut line = Self {
            id: entry.id,
            epoch: entry.epoch,
            at_ms: entry.at_ms,
            kind,
            role,
            origin: entry.origin.to_string(),
            trust: Trust::Trusted,
            tool_call_id: None,
            content: None,
            tool_calls: Vec::new(),
            marker,
            is_error: false,
        };
        let mut texts = Vec::new();
        for block in entry.blocks {
            match block {
                Block::Text { text, trust } => {
                    line.trust = line.trust.max(trust);
                    texts.push((text, trust));
                }
                Block::Call { id, name, args_raw } => {
                    let function = LineFunction { name, arguments: args_raw };
                    line.tool_calls.push(LineCall { id, call_type: CallType::Function, function });
                }
                Block::Result { call, json, is_error, trust } => {
                    line.trust = line.trust.max(trust);
                    line.tool_call_id = Some(call);
                    line.is_error = is_error;
                    texts.push((json, trust));
                }
            }
        }
        line.content = content_of(kind, texts);
        line
    }
}

/// A reply without words has empty content, as chat formats want it; a marker has none.
fn content_of(kind: LineKind, mut texts: Vec<(String, Trust)>) -> Option<Content> {
    match (kind, texts.len()) {
        (LineKind::Marker, _) => None,
        (LineKind::Assistant, 0) => Some(Content::Text(String::new())),
        (LineKind::User | LineKind::Assistant | LineKind::ToolResult | LineKind::Volatile, 1) => {
            texts.pop().map(|(text, _)| Content::Text(text))
        }
        (LineKind::User | LineKind::Assistant | LineKind::ToolResult | LineKind::Volatile, _) => {
            Some(Content::Parts(texts.into_iter().map(|(text, trust)| Part::Text { text, trust }).collect()))
        }
    }
}

impl TryFrom<EntryLine> for Entry {
    type Error = LineError;

    fn try_from(line: EntryLine) -> Result<Self, LineError> {
        let form = |expected| LineError::Form { kind: line.kind, expected };
        let origin = parse_origin(&line.origin).ok_or_else(|| LineError::Origin { text: line.origin.clone() })?;
        let (kind, blocks) = match line.kind {
            LineKind::User => (EntryKind::User, text_blocks(line.content.ok_or(form("content"))?, line.trust)),
            LineKind::Volatile => (EntryKind::Volatile, text_blocks(line.content.ok_or(form("content"))?, line.trust)),
            LineKind::Assistant => {
                let mut blocks = text_blocks(line.content.ok_or(form("content"))?, line.trust);
                blocks.retain(|block| !matches!(block, Block::Text { text, .. } if text.is_empty()));
                blocks.extend(line.tool_calls.into_iter().map(|call| Block::Call {
                    id: call.id,
                    name: call.function.name,
                    args_raw: call.function.arguments,
                }));
                (EntryKind::Assistant, blocks)
            }
            LineKind::ToolResult => {
                let Some(Content::Text(json)) = line.content else { return Err(form("one text as content")) };
                let call = line.tool_call_id.ok_or(form("tool_call_id"))?;
                (EntryKind::ToolResult, vec![Block::Result { call, json, is_error: line.is_error, trust: line.trust }])
            }
            LineKind::Marker => (EntryKind::Marker(line.marker.ok_or(form("marker"))?), Vec::new()),
        };
        Ok(Self { id: line.id, epoch: line.epoch, at_ms: line.at_ms, kind, blocks, origin })
    }
}

fn text_blocks(content: Content, trust: Trust) -> Vec<Block> {
    match content {
        Content::Text(text) => vec![Block::Text { text, trust }],
        Content::Parts(parts) => {
            parts.into_iter().map(|Part::Text { text, trust }| Block::Text { text, trust }).collect()
        }
    }
}

fn parse_origin(text: &str) -> Option<Origin> {
    match text {
        "system" => return Some(Origin::System),
        "agent" => return Some(Origin::Agent),
        _ => {}
    }
    let (kind, name) = text.strip_suffix(')')?.split_once('(')?;
    match kind {
        "operator" => Some(Origin::Operator(name.to_owned())),
        "room" => Some(Origin::Room(name.to_owned())),
        "tool" => Some(Origin::Tool(name.to_owned())),
        "sensor" => Some(Origin::Sensor(name.to_owned())),
        _ => None,
    }
}
