//! An entry as the JSON line that is stored and shown.
//! The line reads as a chat message to programs that ignore our own fields.

use std::sync::Arc;

use llm::{Block, CallId, Sidecar};
use robot::{Origin, Trust, TurnId};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use ts_rs::TS;

use super::{Covered, Entry, EntryKind, Marker, WorldExcerpt};
use crate::ModelName;

/// The key under which a reply in its provider's form stands.
const SIDECAR_KEY: &str = "x";
/// The key under which an entry keeps the turn that wrote it.
const TURN_KEY: &str = "turn";
/// The key under which a reply keeps what answered.
const MODEL_KEY: &str = "model";

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
    /// Kind of the line.
    pub kind: LineKind,
    /// Role of the line in the conversation.
    pub role: LineRole,
    /// Author of the entry, for example `operator(dana)`.
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
    /// The number of the file that holds the whole of a long result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub spill: Option<u32>,
    /// The entries that a summary stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub covers: Option<Covered>,
    /// The turn that wrote it; absent for what was written beside one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub turn: Option<TurnId>,
    /// The model that found the words of a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub model: Option<ModelName>,
    /// Keys of the world that the entry showed, as of one change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub world: Option<WorldExcerpt>,
    /// A reply in its provider's form, and what a newer version wrote.
    #[serde(flatten)]
    #[schemars(skip)]
    #[ts(skip)]
    pub unknown: Map<String, Value>,
}

/// Kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the variants are those of `EntryKind`, documented there")]
pub enum LineKind {
    User,
    Assistant,
    ToolResult,
    Volatile,
    Nudge,
    Summary,
    Marker,
}

/// Role of a line, in the words of chat formats.
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
        /// Trust in these words.
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
    /// Name and arguments of the called function.
    pub function: LineFunction,
}

/// The only kind of call there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum CallType {
    /// A tool with JSON arguments.
    Function,
}

/// The function of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LineFunction {
    /// The tool.
    pub name: String,
    /// The arguments as they arrived.
    pub arguments: String,
}

/// A refusal of a line that is no entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The text names no origin.
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
        /// Name of the missing part.
        expected: &'static str,
    },
}

impl From<Entry> for EntryLine {
    fn from(entry: Entry) -> Self {
        let (mut marker, mut covers) = (None, None);
        let (kind, role) = match entry.kind {
            EntryKind::User => (LineKind::User, LineRole::User),
            EntryKind::Assistant => (LineKind::Assistant, LineRole::Assistant),
            EntryKind::ToolResult => (LineKind::ToolResult, LineRole::Tool),
            EntryKind::Volatile => (LineKind::Volatile, LineRole::User),
            EntryKind::Nudge => (LineKind::Nudge, LineRole::User),
            EntryKind::Summary(covered) => {
                covers = Some(covered);
                (LineKind::Summary, LineRole::User)
            }
            EntryKind::Marker(note) => {
                marker = Some(note);
                (LineKind::Marker, LineRole::System)
            }
        };
        let mut unknown = entry.unknown;
        // A form that was only partly understood is written back as it was read, with a newer version's fields.
        if let Some(sidecar) = entry.sidecar
            && !unknown.contains_key(SIDECAR_KEY)
            && let Ok(sidecar) = serde_json::to_value(Arc::unwrap_or_clone(sidecar))
        {
            unknown.insert(SIDECAR_KEY.to_owned(), sidecar);
        }
        let mut line = Self {
            id: entry.id,
            epoch: entry.epoch,
            at_ms: entry.at_ms,
            kind,
            role,
            origin: print_origin(&entry.origin),
            // Read back, the lowest trust of the line is all that tells a derived reply from another.
            trust: if entry.derived { Trust::Text } else { Trust::Trusted },
            tool_call_id: None,
            content: None,
            tool_calls: Vec::new(),
            marker,
            is_error: false,
            spill: entry.spill,
            covers,
            turn: None,
            model: None,
            world: entry.world,
            unknown,
        };
        // Entries have no fields for turn and model, so both travel among their unknown fields.
        line.turn = take(&mut line.unknown, TURN_KEY);
        line.model = take(&mut line.unknown, MODEL_KEY);
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
        // A single text needs no parts, and other programs read the line as a plain chat message.
        (kind, 1) if kind != LineKind::Marker => texts.pop().map(|(text, _)| Content::Text(text)),
        (
            LineKind::User
            | LineKind::Assistant
            | LineKind::ToolResult
            | LineKind::Volatile
            | LineKind::Nudge
            | LineKind::Summary,
            _,
        ) => Some(Content::Parts(texts.into_iter().map(|(text, trust)| Part::Text { text, trust }).collect())),
    }
}

impl TryFrom<EntryLine> for Entry {
    type Error = LineError;

    fn try_from(line: EntryLine) -> Result<Self, LineError> {
        let form = |expected| LineError::Form { kind: line.kind, expected };
        let origin = parse_origin(&line.origin).ok_or_else(|| LineError::Origin { text: line.origin.clone() })?;
        let words = |content: Option<Content>| Ok(text_blocks(content.ok_or(form("content"))?, line.trust));
        let (kind, blocks) = match line.kind {
            LineKind::User => (EntryKind::User, words(line.content)?),
            LineKind::Volatile => (EntryKind::Volatile, words(line.content)?),
            LineKind::Nudge => (EntryKind::Nudge, words(line.content)?),
            LineKind::Summary => (EntryKind::Summary(line.covers.ok_or(form("covers"))?), words(line.content)?),
            LineKind::Assistant => {
                let mut blocks = words(line.content)?;
                // Chat formats want empty content beside calls; as a block it would be an empty text to the
                // provider.
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
        let mut unknown = line.unknown;
        unknown.extend(line.turn.map(|turn| (TURN_KEY.to_owned(), Value::String(turn.into()))));
        unknown.extend(line.model.map(|model| (MODEL_KEY.to_owned(), json!(model))));
        let sidecar = take_sidecar(&mut unknown);
        let (id, epoch, at_ms, spill, world) = (line.id, line.epoch, line.at_ms, line.spill, line.world);
        // Only replies carry the flag; for every other kind the trust of the blocks says all.
        let derived = kind == EntryKind::Assistant && line.trust == Trust::Text;
        Ok(Self { id, epoch, at_ms, kind, blocks, origin, derived, sidecar, spill, world, unknown })
    }
}

/// The value under `key`. What a newer version wrote in its place stays where it is.
fn take<T: DeserializeOwned>(unknown: &mut Map<String, Value>, key: &str) -> Option<T> {
    let value = T::deserialize(unknown.get(key)?).ok()?;
    unknown.remove(key);
    Some(value)
}

/// The reply in its provider's form. It stays among the unknown too if something in it is, or if it cannot be read:
/// then nothing is sent back, and nothing is lost when the line is copied.
fn take_sidecar(unknown: &mut Map<String, Value>) -> Option<Arc<Sidecar>> {
    let raw = unknown.get(SIDECAR_KEY)?;
    let sidecar = Sidecar::deserialize(raw).ok()?;
    if serde_json::to_value(&sidecar).is_ok_and(|known| known == *raw) {
        unknown.remove(SIDECAR_KEY);
    }
    Some(Arc::new(sidecar))
}

fn text_blocks(content: Content, trust: Trust) -> Vec<Block> {
    match content {
        Content::Text(text) => vec![Block::Text { text, trust }],
        Content::Parts(parts) => {
            parts.into_iter().map(|Part::Text { text, trust }| Block::Text { text, trust }).collect()
        }
    }
}

pub(crate) fn print_origin(origin: &Origin) -> String {
    match origin {
        Origin::Operator(name) => format!("operator({name})"),
        Origin::Room(sender) => format!("room({sender})"),
        Origin::System => "system".to_owned(),
        Origin::Agent => "agent".to_owned(),
        Origin::Tool(name) => format!("tool({name})"),
        Origin::Sensor(key) => format!("sensor({key})"),
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
