//! Reads a stream of generateContent: whole objects whose parts are increments, up to the end of the stream.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::classify;
use super::partial::PartialArgs;
use crate::wire::ids::LocalIds;
use crate::wire::plain::Plain;
use crate::wire::sse::Sse;
use crate::wire::{CALLS_MAX, reply_of, usage};
use crate::{
    CallId, Caps, Decoder, Delta, ModelError, ModelErrorKind, Reply, Request, Sidecar, SidecarBlock, Stop, Usage,
};

/// A stream so far.
pub(super) struct Contents {
    sse: Sse,
    /// The answer of a gateway that does not stream.
    plain: Plain,
    local_ids: LocalIds,
    request_tokens: u64,
    sidecar: Sidecar,
    /// Reason it ended, once it has said so; more may follow.
    finish: Option<String>,
    failure: Option<ModelError>,
    open: Option<OpenCall>,
    calls: usize,
    usage: Map<String, Value>,
    /// Events and parts newer than this program.
    unknown: usize,
}

/// A call whose arguments come in pieces.
struct OpenCall {
    index: usize,
    id: CallId,
    name: String,
    sig: Option<String>,
    args: PartialArgs,
}

/// The parts of an event, each still in its own bytes: arguments are kept as they came.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(default, borrow)]
    candidates: Option<Vec<Candidate<'a>>>,
}

#[derive(Deserialize)]
struct Candidate<'a> {
    #[serde(default, borrow)]
    content: Option<Content<'a>>,
}

#[derive(Deserialize)]
struct Content<'a> {
    #[serde(default, borrow)]
    parts: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallPart<'a> {
    #[serde(borrow)]
    function_call: CallFields<'a>,
}

#[derive(Deserialize)]
struct CallFields<'a> {
    #[serde(default, borrow)]
    args: Option<&'a RawValue>,
}

impl Contents {
    pub fn new(caps: &Caps, request: &Request) -> Self {
        Self {
            sse: Sse::default(),
            plain: Plain::new(),
            local_ids: LocalIds::after(request),
            request_tokens: usage::tokens_of(request),
            sidecar: Sidecar::of(caps),
            finish: None,
            failure: None,
            open: None,
            calls: 0,
            usage: Map::new(),
            unknown: 0,
        }
    }

    fn event(&mut self, data: &str, deltas: &mut Vec<Delta>) {
        // Read twice: as values to look at, and as raw text to keep arguments byte for byte.
        let (Ok(event), Ok(parts)) = (serde_json::from_str::<Value>(data), serde_json::from_str::<Event>(data)) else {
            self.failure = Some(ModelError::own(ModelErrorKind::Protocol, "an event of the stream cannot be read"));
            return;
        };
        if event.get("error").is_some() {
            self.failure = Some(classify::event(&event));
            return;
        }
        if let Some(id) = event.get("responseId").and_then(Value::as_str) {
            self.sidecar.response_id = Some(id.to_owned());
        }
        let first = parts.candidates.into_iter().flatten().next();
        let parts = first.and_then(|candidate| candidate.content?.parts);
        for part in parts.into_iter().flatten() {
            self.part(part.get(), deltas);
        }
        if let Some(reason) = event.pointer("/candidates/0/finishReason").and_then(Value::as_str) {
            self.close(deltas);
            self.finish = Some(reason.to_owned());
        }
        // A blocked prompt has no candidate that could give the reason.
        if event.pointer("/promptFeedback/blockReason").is_some_and(Value::is_string) {
            self.sidecar.stop = Stop::Refusal;
        }
        self.count(event.get("usageMetadata"), deltas);
    }

    fn part(&mut self, raw: &str, deltas: &mut Vec<Delta>) {
        let Ok(part) = serde_json::from_str::<Value>(raw) else { return };
        let sig = part.get("thoughtSignature").and_then(Value::as_str).map(str::to_owned);
        if let Some(call) = part.get("functionCall") {
            self.call(raw, call, sig, deltas);
            return;
        }
        // A part of another kind ends a call whose arguments came in pieces.
        self.close(deltas);
        let is_thought = part.get("thought").and_then(Value::as_bool).unwrap_or(false);
        let text = part.get("text").and_then(Value::as_str);
        // A part of nothing but a signature signs words that are none.
        let is_bare = sig.is_some() && part.as_object().is_some_and(|fields| fields.len() == 1);
        match text.or(is_bare.then_some("")) {
            // Nothing is said and nothing is signed, so there is nothing to send back.
            Some("") if sig.is_none() => {}
            Some(text) => {
                let delta = if is_thought { Delta::Thinking } else { Delta::Text };
                deltas.extend((!text.is_empty()).then(|| delta(text.to_owned())));
                self.words(text, is_thought, sig);
            }
            None => {
                // Kept as it came, so that the reply can be sent back without a gap.
                self.unknown += 1;
                self.sidecar.blocks.push(SidecarBlock::Item { raw: part });
            }
        }
    }

    /// Words go on the block before them, unless one of the two is signed.
    fn words(&mut self, text: &str, is_thought: bool, signed: Option<String>) {
        match (self.sidecar.blocks.last_mut(), is_thought, &signed) {
            (Some(SidecarBlock::Text { s, sig: None }), false, None)
            | (Some(SidecarBlock::Thinking { s, sig: None }), true, None) => s.push_str(text),
            (_, false, _) => self.sidecar.blocks.push(SidecarBlock::Text { s: text.to_owned(), sig: signed }),
            (_, true, _) => self.sidecar.blocks.push(SidecarBlock::Thinking { s: text.to_owned(), sig: signed }),
        }
    }

    fn call(&mut self, raw: &str, call: &Value, sig: Option<String>, deltas: &mut Vec<Delta>) {
        let name = call.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        let will_go_on = call.get("willContinue").and_then(Value::as_bool).unwrap_or(false);
        let pieces: Vec<&Value> = call.get("partialArgs").and_then(Value::as_array).into_iter().flatten().collect();
        if let Some(name) = name {
            self.close(deltas);
            if self.calls == CALLS_MAX {
                self.sidecar.calls_left_out += 1;
                return;
            }
            let id = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
            let id = id.map_or_else(|| self.local_ids.next(), |id| CallId(id.to_owned()));
            let index = self.calls;
            self.calls += 1;
            deltas.push(Delta::CallStart { index, id: id.clone(), name: name.to_owned() });
            if !will_go_on && pieces.is_empty() {
                let args = serde_json::from_str::<CallPart>(raw).ok().and_then(|part| part.function_call.args);
                let args_raw = args.map_or("{}", RawValue::get).to_owned();
                self.end_call(index, SidecarBlock::Call { id, name: name.to_owned(), args_raw, sig }, deltas);
                return;
            }
            self.open = Some(OpenCall { index, id, name: name.to_owned(), sig, args: PartialArgs::default() });
        }
        let Some(open) = &mut self.open else {
            self.unknown += 1;
            return;
        };
        if !pieces.into_iter().all(|piece| open.args.take(piece)) {
            self.failure =
                Some(ModelError::own(ModelErrorKind::Protocol, "a piece of a call's arguments cannot be read"));
        }
        if !will_go_on {
            self.close(deltas);
        }
    }

    /// Ends the call whose arguments came in pieces, if there is one.
    fn close(&mut self, deltas: &mut Vec<Delta>) {
        let Some(OpenCall { index, id, name, sig, args }) = self.open.take() else { return };
        self.end_call(index, SidecarBlock::Call { id, name, args_raw: args.json(), sig }, deltas);
    }

    fn end_call(&mut self, index: usize, block: SidecarBlock, deltas: &mut Vec<Delta>) {
        if let SidecarBlock::Call { args_raw, .. } = &block {
            deltas.push(Delta::CallArgs { index, json: args_raw.clone() });
            deltas.push(Delta::CallEnd { index });
        }
        self.sidecar.blocks.push(block);
    }

    /// The last figure of each field counts.
    fn count(&mut self, reported: Option<&Value>, deltas: &mut Vec<Delta>) {
        let Some(Value::Object(reported)) = reported else { return };
        let figures = reported.iter().filter(|(_, figure)| !figure.is_null());
        self.usage.extend(figures.map(|(name, figure)| (name.clone(), figure.clone())));
        deltas.extend(usage_of(&self.usage).map(Delta::Usage));
    }

    /// End of the stream: the reason the reply stopped, or the error that leaves none.
    fn ended(&self) -> Result<Stop, ModelError> {
        let failed = |kind, message: &str, code: &str| {
            Err(ModelError { provider_code: Some(code.to_owned()), ..ModelError::own(kind, message) })
        };
        match self.finish.as_deref() {
            None if self.sidecar.stop == Stop::Refusal => Ok(Stop::Refusal),
            None => Err(ModelError::own(ModelErrorKind::Transport, "the stream ended before its last event")),
            Some("STOP") => Ok(Stop::End),
            Some("MAX_TOKENS") => Ok(Stop::Length),
            Some("SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE") => {
                Ok(Stop::ContentFilter)
            }
            Some(code @ ("MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL")) => {
                // Of a kind that is tried again: the model is likely to do better the next time.
                failed(ModelErrorKind::Transport, "the model made a call that nobody can read", code)
            }
            Some(code @ "MISSING_THOUGHT_SIGNATURE") => {
                failed(ModelErrorKind::PrefixBound, "a call was sent back without its signature", code)
            }
            Some(code @ "OTHER") => failed(ModelErrorKind::Protocol, "the model stopped without a reason", code),
            Some(other) => Ok(Stop::Other(other.to_owned())),
        }
    }
}

impl Decoder for Contents {
    fn push(&mut self, bytes: &[u8]) -> Vec<Delta> {
        self.plain.push(bytes);
        let mut deltas = Vec::new();
        for event in self.sse.push(bytes) {
            if self.failure.is_some() {
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
        // Without `alt=sse` the increments are the items of one list.
        let increments = match self.plain.whole() {
            Some(Value::Array(items)) => items,
            Some(whole @ Value::Object(_)) => vec![whole],
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => Vec::new(),
        };
        for increment in increments.iter().take_while(|item| item.is_object()) {
            self.event(&increment.to_string(), &mut Vec::new());
        }
        let reported = usage_of(&self.usage);
        let ended = match self.failure.clone() {
            Some(failure) => Err(failure),
            None => self.ended(),
        };
        let stop = ended.map_err(|failure| ModelError { usage: reported, ..failure })?;
        if self.unknown > 0 {
            tracing::debug!(unknown = self.unknown, "parts of a reply were newer than this program");
        }
        let usage = reported.unwrap_or_else(|| usage::estimated(self.request_tokens, &self.sidecar.blocks));
        let sidecar = Sidecar { stop, usage_raw: Value::Object(self.usage), ..self.sidecar };
        Ok(reply_of(sidecar, usage))
    }
}

/// Absent as long as there is no figure.
fn usage_of(reported: &Map<String, Value>) -> Option<Usage> {
    let figure = |name: &str| reported.get(name).and_then(Value::as_u64);
    let prompt = figure("promptTokenCount")?;
    let cached = figure("cachedContentTokenCount").unwrap_or(0);
    let thoughts = figure("thoughtsTokenCount");
    Some(Usage {
        in_fresh: prompt.saturating_sub(cached).saturating_add(figure("toolUsePromptTokenCount").unwrap_or(0)),
        cache_read: cached,
        out: figure("candidatesTokenCount").unwrap_or(0).saturating_add(thoughts.unwrap_or(0)),
        reasoning: thoughts,
        ..Usage::default()
    })
}
