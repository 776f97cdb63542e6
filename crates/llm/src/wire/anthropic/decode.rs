//! Reads a stream of Anthropic Messages.

use serde_json::{Map, Value};

use super::classify;
use crate::wire::ids::LocalIds;
use crate::wire::plain::Plain;
use crate::wire::sse::Sse;
use crate::wire::{CALLS_MAX, reply_of, usage};
use crate::{
    CallId, Caps, Decoder, Delta, ModelError, ModelErrorKind, Reply, Request, Sidecar, SidecarBlock, Stop, Usage,
};

/// A stream so far.
pub(super) struct Messages {
    sse: Sse,
    /// The answer of a gateway that does not stream.
    plain: Plain,
    local_ids: LocalIds,
    request_tokens: u64,
    /// The reply's sidecar in the making; its blocks stay empty until the end.
    sidecar: Sidecar,
    begun: bool,
    ended: bool,
    failure: Option<ModelError>,
    /// By the number that events name them with. Some gateways give all the same: the newest of a number is meant.
    blocks: Vec<(u64, Building)>,
    calls: usize,
    usage: Map<String, Value>,
    /// Events, blocks and deltas newer than this program.
    unknown: usize,
}

/// A block that is still growing.
enum Building {
    Text(String),
    Thinking { words: String, sig: Option<String> },
    Redacted(String),
    Call(Call),
    Unknown,
}

struct Call {
    index: usize,
    id: CallId,
    name: String,
    args_raw: String,
    /// Arguments that came whole with the start, used if nothing follows.
    whole: Option<String>,
    ended: bool,
}

impl Messages {
    pub fn new(caps: &Caps, request: &Request) -> Self {
        Self {
            sse: Sse::default(),
            plain: Plain::new(),
            local_ids: LocalIds::after(request),
            request_tokens: usage::tokens_of(request),
            sidecar: Sidecar::of(caps),
            begun: false,
            ended: false,
            failure: None,
            blocks: Vec::new(),
            calls: 0,
            usage: Map::new(),
            unknown: 0,
        }
    }

    fn event(&mut self, data: &str, deltas: &mut Vec<Delta>) {
        let Ok(event) = serde_json::from_str::<Value>(data) else {
            self.failure = Some(ModelError::own(ModelErrorKind::Protocol, "an event of the stream is no JSON"));
            return;
        };
        let index = event.get("index").and_then(Value::as_u64).unwrap_or(0);
        match event.get("type").and_then(Value::as_str).unwrap_or_default() {
            "message_start" => self.begin(&event, deltas),
            "content_block_start" => self.open(index, event.get("content_block").unwrap_or(&Value::Null), deltas),
            "content_block_delta" => self.grow(index, event.get("delta").unwrap_or(&Value::Null), deltas),
            "content_block_stop" => self.newest(index).into_iter().for_each(|block| block.close(deltas)),
            "message_delta" => {
                if let Some(reason) = event.pointer("/delta/stop_reason").and_then(Value::as_str) {
                    self.sidecar.stop = stop(reason);
                }
                self.count(event.get("usage"), deltas);
            }
            "message_stop" => {
                // Gateways may leave out the end of a block; the end of the message ends every one.
                self.blocks.iter_mut().for_each(|(_, block)| block.close(deltas));
                self.ended = true;
            }
            "error" => self.failure = Some(classify::event(&event)),
            "ping" => {}
            _ => self.unknown += 1,
        }
    }

    /// Takes a message or an error that came as one JSON text.
    fn whole(&mut self, whole: &Value) {
        match whole.get("type").and_then(Value::as_str) {
            Some("message") => {
                let mut deltas = Vec::new();
                self.begin(&serde_json::json!({ "message": whole }), &mut deltas);
                self.blocks.iter_mut().for_each(|(_, block)| block.close(&mut deltas));
                self.ended = true;
            }
            _ if whole.get("error").is_some() => self.failure = Some(classify::event(whole)),
            _ => {}
        }
    }

    /// A second start is a gateway that tries again: what came before is void.
    fn begin(&mut self, event: &Value, deltas: &mut Vec<Delta>) {
        if std::mem::replace(&mut self.begun, true) {
            self.blocks.clear();
            self.usage.clear();
            self.calls = 0;
            self.sidecar.calls_left_out = 0;
            deltas.push(Delta::Restart);
        }
        self.sidecar.response_id = event.pointer("/message/id").and_then(Value::as_str).map(str::to_owned);
        // A reply that comes whole has its reason in the message itself.
        if let Some(reason) = event.pointer("/message/stop_reason").and_then(Value::as_str) {
            self.sidecar.stop = stop(reason);
        }
        // Some replies begin with blocks that are already whole.
        let whole = event.pointer("/message/content").and_then(Value::as_array).into_iter().flatten();
        (0..).zip(whole).for_each(|(index, block)| self.open(index, block, deltas));
        self.count(event.pointer("/message/usage"), deltas);
    }

    fn open(&mut self, index: u64, block: &Value, deltas: &mut Vec<Delta>) {
        let text = |field: &str| block.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let building = match block.get("type").and_then(Value::as_str).unwrap_or_default() {
            "text" => {
                deltas.extend(said(text("text"), Delta::Text));
                Building::Text(text("text"))
            }
            "thinking" => {
                deltas.extend(said(text("thinking"), Delta::Thinking));
                Building::Thinking { words: text("thinking"), sig: Some(text("signature")) }
            }
            "redacted_thinking" => Building::Redacted(text("data")),
            "tool_use" if self.calls == CALLS_MAX => {
                self.sidecar.calls_left_out += 1;
                Building::Unknown
            }
            "tool_use" => {
                let call = self.call(text("id"), text("name"), block.get("input"));
                deltas.push(Delta::CallStart { index: call.index, id: call.id.clone(), name: call.name.clone() });
                Building::Call(call)
            }
            _ => {
                self.unknown += 1;
                Building::Unknown
            }
        };
        // A new block under the same number ends the one before it, which gets no event of its own.
        self.newest(index).into_iter().for_each(|block| block.close(deltas));
        self.blocks.push((index, building));
    }

    fn newest(&mut self, index: u64) -> Option<&mut Building> {
        self.blocks.iter_mut().rev().find(|(known, _)| *known == index).map(|(_, block)| block)
    }

    fn call(&mut self, id: String, name: String, input: Option<&Value>) -> Call {
        let id = if id.is_empty() { self.local_ids.next() } else { CallId(id) };
        // A stream begins a call with an empty `input`, and its arguments follow in pieces.
        let whole = input.and_then(Value::as_object).filter(|input| !input.is_empty());
        let whole = whole.map(|input| Value::Object(input.clone()).to_string());
        self.calls += 1;
        Call { index: self.calls - 1, id, name, args_raw: String::new(), whole, ended: false }
    }

    fn grow(&mut self, index: u64, delta: &Value, deltas: &mut Vec<Delta>) {
        let text = |field: &str| delta.get(field).and_then(Value::as_str).unwrap_or_default();
        let kind = delta.get("type").and_then(Value::as_str).unwrap_or_default();
        match (self.newest(index), kind) {
            (Some(Building::Text(words)), "text_delta") => {
                words.push_str(text("text"));
                deltas.extend(said(text("text").to_owned(), Delta::Text));
            }
            (Some(Building::Thinking { words, .. }), "thinking_delta") => {
                words.push_str(text("thinking"));
                deltas.extend(said(text("thinking").to_owned(), Delta::Thinking));
            }
            (Some(Building::Thinking { sig, .. }), "signature_delta") => {
                sig.get_or_insert_default().push_str(text("signature"));
            }
            // An ended call has been shown as complete, so nothing is added to it.
            (Some(Building::Call(call)), "input_json_delta") if !call.ended => {
                call.args_raw.push_str(text("partial_json"));
                let index = call.index;
                deltas.extend(said(text("partial_json").to_owned(), |json| Delta::CallArgs { index, json }));
            }
            _ => self.unknown += 1,
        }
    }

    /// The last figure of each field counts: later events repeat and correct.
    fn count(&mut self, reported: Option<&Value>, deltas: &mut Vec<Delta>) {
        let Some(Value::Object(reported)) = reported else { return };
        let figures = reported.iter().filter(|(_, figure)| !figure.is_null());
        self.usage.extend(figures.map(|(name, figure)| (name.clone(), figure.clone())));
        deltas.push(Delta::Usage(usage_of(&self.usage)));
    }
}

impl Decoder for Messages {
    fn push(&mut self, bytes: &[u8]) -> Vec<Delta> {
        self.plain.push(bytes);
        let mut deltas = Vec::new();
        for event in self.sse.push(bytes) {
            if self.ended || self.failure.is_some() {
                break;
            }
            self.event(&event.data, &mut deltas);
        }
        deltas
    }

    fn is_answer(&self) -> bool {
        self.sse.has_events()
    }

    fn finish(mut self: Box<Self>) -> Result<Reply, ModelError> {
        if let Some(whole) = self.plain.whole() {
            self.whole(&whole);
        }
        let reported = (!self.usage.is_empty()).then(|| usage_of(&self.usage));
        if let Some(failure) = self.failure {
            return Err(ModelError { usage: reported, ..failure });
        }
        if !self.ended {
            let cut = ModelError::own(ModelErrorKind::Transport, "the stream ended before its last event");
            return Err(ModelError { usage: reported, ..cut });
        }
        if self.unknown > 0 {
            tracing::debug!(unknown = self.unknown, "parts of a reply were newer than this program");
        }
        let mut sidecar = self.sidecar;
        sidecar.blocks = self.blocks.into_iter().filter_map(|(_, block)| block.done()).collect();
        sidecar.usage_raw = Value::Object(self.usage);
        let usage = reported.unwrap_or_else(|| usage::estimated(self.request_tokens, &sidecar.blocks));
        Ok(reply_of(sidecar, usage))
    }
}

impl Building {
    /// Ends a call; anything else is over by itself.
    fn close(&mut self, deltas: &mut Vec<Delta>) {
        let Self::Call(call) = self else { return };
        if std::mem::replace(&mut call.ended, true) {
            return;
        }
        if call.args_raw.is_empty() {
            call.args_raw = call.whole.take().unwrap_or_else(|| "{}".to_owned());
            deltas.push(Delta::CallArgs { index: call.index, json: call.args_raw.clone() });
        }
        deltas.push(Delta::CallEnd { index: call.index });
    }

    fn done(self) -> Option<SidecarBlock> {
        Some(match self {
            Self::Text(s) => SidecarBlock::Text { s, sig: None },
            Self::Thinking { words, sig } => {
                SidecarBlock::Thinking { s: words, sig: sig.filter(|sig| !sig.is_empty()) }
            }
            Self::Redacted(data) => SidecarBlock::Redacted { data },
            Self::Call(Call { id, name, args_raw, .. }) => SidecarBlock::Call { id, name, args_raw, sig: None },
            Self::Unknown => return None,
        })
    }
}

/// A delta, unless there is nothing in it.
fn said(text: String, delta: impl FnOnce(String) -> Delta) -> Option<Delta> {
    (!text.is_empty()).then(|| delta(text))
}

fn stop(reason: &str) -> Stop {
    match reason {
        "end_turn" => Stop::End,
        "tool_use" => Stop::ToolUse,
        "max_tokens" => Stop::Length,
        "stop_sequence" => Stop::StopSequence,
        "pause_turn" => Stop::Pause,
        "refusal" => Stop::Refusal,
        "model_context_window_exceeded" => Stop::WindowExceeded,
        other => Stop::Other(other.to_owned()),
    }
}

fn usage_of(reported: &Map<String, Value>) -> Usage {
    let figure = |name: &str| reported.get(name).and_then(Value::as_u64);
    let writes = |life: &str| reported.get("cache_creation")?.get(life)?.as_u64();
    let (write_5m, write_1h) = (writes("ephemeral_5m_input_tokens"), writes("ephemeral_1h_input_tokens"));
    // The total repeats the two figures by lifetime and counts only where they are missing.
    let all = figure("cache_creation_input_tokens").filter(|_| write_5m.is_none() && write_1h.is_none());
    Usage {
        in_fresh: figure("input_tokens").unwrap_or(0),
        cache_read: figure("cache_read_input_tokens").unwrap_or(0),
        cache_write_5m: write_5m.or(all).unwrap_or(0),
        cache_write_1h: write_1h.unwrap_or(0),
        out: figure("output_tokens").unwrap_or(0),
        reasoning: None,
        estimated: false,
    }
}
