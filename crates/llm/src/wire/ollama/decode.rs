//! Reads the lines of an answer, each one JSON object.

use serde_json::Value;

use crate::wire::chat::{Answer, Fragment, classify_in_stream};
use crate::wire::halves::Halves;
use crate::wire::plain::Plain;
use crate::{Caps, Decoder, Delta, ModelError, ModelErrorKind, PromptRead, Reply, Request, Stop, Usage};

pub(super) struct OllamaDecoder {
    line: Vec<u8>,
    answer: Answer,
    /// The line that ends the answer.
    last: Option<Value>,
    /// Of the calls so far.
    calls: u64,
    halves: Halves,
    /// The answer of a gateway that does not stream.
    plain: Plain,
    /// A line had the form of this wire.
    is_answer: bool,
}

/// Fields of which every line of a reply has one.
const FIELDS: [&str; 3] = ["message", "done", "error"];

impl OllamaDecoder {
    pub fn new(caps: Caps, request: &Request) -> Self {
        Self {
            line: Vec::new(),
            answer: Answer::new(caps, request),
            last: None,
            calls: 0,
            halves: Halves::default(),
            plain: Plain::new(),
            is_answer: false,
        }
    }

    fn end_line(&mut self, deltas: &mut Vec<Delta>) {
        let line = std::mem::take(&mut self.line);
        let line = line.trim_ascii();
        // Nothing counts behind the line that ends the answer.
        if line.is_empty() || self.last.is_some() || self.answer.has_failed() {
            return;
        }
        match serde_json::from_str::<Value>(&self.halves.mend(&String::from_utf8_lossy(line))) {
            Ok(line) if FIELDS.iter().any(|field| line.get(field).is_some()) => {
                self.is_answer = true;
                self.read(line, deltas);
            }
            Ok(_) => {}
            // Nothing of a reply has come: it may be a page, which is shown as what it is.
            Err(_) if !self.is_answer => {}
            Err(error) => {
                let message = format!("the server sent a line that is no JSON: {error}");
                self.answer.fail(ModelError::own(ModelErrorKind::Protocol, message));
            }
        }
    }

    fn read(&mut self, line: Value, deltas: &mut Vec<Delta>) {
        if line.get("error").is_some_and(|error| !error.is_null()) {
            return self.answer.fail(classify_in_stream(self.answer.caps(), &line));
        }
        let text = |path: &str| line.pointer(path).and_then(Value::as_str).unwrap_or_default();
        self.answer.think(text("/message/thinking"), deltas);
        self.answer.text(text("/message/content"), deltas);
        let calls = line.pointer("/message/tool_calls").and_then(Value::as_array).into_iter().flatten();
        for call in calls {
            self.call(call, deltas);
        }
        if line["done"] == true {
            self.answer.end(deltas);
            deltas.extend(usage(&line).map(Delta::Usage));
            deltas.extend(prompt_read(&line).map(Delta::Prompt));
            self.last = Some(line);
        }
    }

    /// Calls come whole, and their numbers mean nothing across lines.
    fn call(&mut self, call: &Value, deltas: &mut Vec<Delta>) {
        let arguments = call.pointer("/function/arguments").filter(|arguments| arguments.is_object());
        let arguments = arguments.map(Value::to_string).unwrap_or_default();
        let fragment = Fragment {
            // Counted here, because the server's own numbers begin anew with every line.
            index: Some(self.calls),
            id: call["id"].as_str().unwrap_or_default(),
            name: call.pointer("/function/name").and_then(Value::as_str).unwrap_or_default(),
            arguments: &arguments,
            ..Fragment::default()
        };
        self.calls += 1;
        self.answer.call(&fragment, deltas);
    }
}

impl Decoder for OllamaDecoder {
    fn push(&mut self, bytes: &[u8]) -> Vec<Delta> {
        self.plain.push(bytes);
        let mut deltas = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.end_line(&mut deltas);
            }
        }
        deltas
    }

    fn is_answer(&self) -> bool {
        self.is_answer
    }

    fn finish(mut self: Box<Self>) -> Result<Reply, ModelError> {
        // The last line may come without its line feed.
        if self.last.is_none() && serde_json::from_slice::<Value>(self.line.trim_ascii()).is_ok() {
            self.end_line(&mut Vec::new());
        }
        if let Some(whole) = self.plain.whole().filter(|_| !self.is_answer) {
            self.read(whole, &mut Vec::new());
        }
        let Some(last) = self.last else {
            let message = "the server's answer broke off before its end";
            self.answer.fail(ModelError::own(ModelErrorKind::Transport, message));
            return self.answer.finish(Stop::End, Value::Null, None, None);
        };
        let stop = match last["done_reason"].as_str() {
            None | Some("stop" | "") => Stop::End,
            Some("length") => Stop::Length,
            Some(other) => Stop::Other(other.to_owned()),
        };
        self.answer.finish(stop, figures(&last), usage(&last), None)
    }
}

/// Token counts of the last line.
fn figures(last: &Value) -> Value {
    let figures = ["prompt_eval_count", "prompt_eval_cached_count", "eval_count"].into_iter();
    figures.filter_map(|name| Some((name.to_owned(), last.get(name)?.clone()))).collect()
}

/// Tokens of the whole prompt, and those of them that were in the cache. Only newer versions say the latter.
fn prompt(last: &Value) -> Option<(u64, u64)> {
    let tokens = last["prompt_eval_count"].as_u64()?;
    Some((tokens, last["prompt_eval_cached_count"].as_u64().unwrap_or(0).min(tokens)))
}

fn usage(last: &Value) -> Option<Usage> {
    let (tokens, cache_read) = prompt(last)?;
    let out = last["eval_count"].as_u64().unwrap_or(0);
    Some(Usage { in_fresh: tokens - cache_read, cache_read, out, ..Usage::default() })
}

/// Time that reading the prompt took: that of the tokens which were not in the cache.
fn prompt_read(last: &Value) -> Option<PromptRead> {
    let (tokens, cached) = prompt(last)?;
    let nanoseconds = last["prompt_eval_duration"].as_u64()?;
    Some(PromptRead { tokens, cached, done: tokens, elapsed_ms: nanoseconds / 1_000_000 })
}
