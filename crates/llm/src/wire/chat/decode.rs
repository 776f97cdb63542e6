//! Reads the chunks of a stream, or the one object of a server that does not stream.

use serde_json::{Value, json};

use super::answer::Answer;
use super::calls::Fragment;
use super::{classify, usage};
use crate::wire::plain::Plain;
use crate::wire::sse::Sse;
use crate::{Caps, Decoder, Delta, ModelError, ModelErrorKind, Reply, Request, Stop};

/// Places where servers report usage: for the whole stream, in the last choice, or in a field of the vendor's.
const USAGE: [&str; 3] = ["/usage", "/choices/0/usage", "/x_groq/usage"];

/// Ends that are failures of the server.
const GAVE_UP: [&str; 3] = ["error", "abort", "insufficient_system_resource"];

pub(super) struct ChatDecoder {
    sse: Sse,
    answer: Answer,
    /// The answer of a server that does not stream.
    plain: Plain,
    response_id: Option<String>,
    usage_raw: Value,
    /// As the server calls it.
    finish_reason: Option<String>,
    is_refusal: bool,
    is_done: bool,
    /// Events that mean nothing here.
    ignored: u64,
}

impl ChatDecoder {
    pub fn new(caps: Caps, request: &Request) -> Self {
        Self {
            sse: Sse::default(),
            answer: Answer::new(caps, request),
            plain: Plain::new(),
            response_id: None,
            usage_raw: json!({}),
            finish_reason: None,
            is_refusal: false,
            is_done: false,
            ignored: 0,
        }
    }

    fn event(&mut self, data: &str, deltas: &mut Vec<Delta>) {
        if self.is_done {
            return;
        }
        if data.trim() == "[DONE]" {
            self.is_done = true;
            return self.answer.end(deltas);
        }
        match serde_json::from_str::<Value>(data) {
            Ok(chunk) => self.chunk(&chunk, deltas),
            Err(error) => {
                let message = format!("the server sent an event that is no JSON: {error}");
                self.answer.fail(ModelError::own(ModelErrorKind::Protocol, message));
            }
        }
    }

    fn chunk(&mut self, chunk: &Value, deltas: &mut Vec<Delta>) {
        let figures = USAGE.iter().filter_map(|path| chunk.pointer(path)).find(|figures| figures.is_object());
        if let Some(figures) = figures {
            usage::lay_over(&mut self.usage_raw, figures);
        }
        if let Some(timings) = chunk.get("timings") {
            usage::lay_timings_under(&mut self.usage_raw, timings);
        }
        deltas.extend(usage::prompt_read(chunk).map(Delta::Prompt));
        if figures.is_some() {
            deltas.extend(usage::usage(&self.usage_raw).map(Delta::Usage));
        }
        let is_error = chunk.get("error").is_some_and(|error| !error.is_null()) || chunk["object"] == "error";
        if is_error {
            self.answer.fail(classify::classify_in_stream(self.answer.caps(), chunk));
        }
        if self.answer.has_failed() {
            // Behind a failure only the figures still count, because they are paid for.
            return;
        }
        if self.response_id.is_none() {
            self.response_id = text(chunk, "id").map(str::to_owned);
        }
        // One choice is asked for; a second one would mix two replies.
        let choice = chunk.pointer("/choices/0").filter(|choice| choice["index"].as_u64().unwrap_or(0) == 0);
        let Some(choice) = choice else {
            self.ignored += u64::from(figures.is_none());
            return;
        };
        if let Some(delta) = choice.get("delta").filter(|delta| delta.is_object()) {
            self.delta(delta, deltas);
        } else if self.plain.may_be()
            && let Some(message) = choice.get("message")
        {
            // Only an answer that is no stream holds a whole message; behind deltas it would repeat them.
            self.delta(message, deltas);
        }
        if let Some(reason) = text(choice, "finish_reason")
            && self.finish_reason.is_none()
        {
            self.finish_reason = Some(reason.to_owned());
            self.answer.end(deltas);
            if GAVE_UP.contains(&reason) {
                let message = format!("the server gave up in the middle of its answer: {reason}");
                self.answer.fail(ModelError::own(ModelErrorKind::Overloaded, message));
            }
        }
    }

    fn delta(&mut self, delta: &Value, deltas: &mut Vec<Delta>) {
        if let Some(thought) = text(delta, "reasoning_content").or_else(|| text(delta, "reasoning")) {
            self.answer.think(thought, deltas);
        }
        match delta.get("content") {
            Some(Value::String(words)) => self.answer.text(words, deltas),
            Some(Value::Array(parts)) => parts.iter().for_each(|part| self.part(part, deltas)),
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => {}
        }
        if let Some(words) = text(delta, "refusal") {
            self.is_refusal = true;
            self.answer.text(words, deltas);
        }
        let calls = delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
        for (position, call) in calls.enumerate() {
            self.call(position, call, call.get("function").unwrap_or(&Value::Null), deltas);
        }
        // The older form of a call, which some servers still use.
        if let Some(function) = delta.get("function_call").filter(|function| function.is_object()) {
            self.call(0, &Value::Null, function, deltas);
        }
    }

    /// A part of content that is a list; some servers give thinking so.
    fn part(&mut self, part: &Value, deltas: &mut Vec<Delta>) {
        match (text(part, "type"), part.get("thinking")) {
            (Some("text"), _) => self.answer.text(text(part, "text").unwrap_or_default(), deltas),
            (Some("thinking"), Some(Value::String(thought))) => self.answer.think(thought, deltas),
            (Some("thinking"), Some(Value::Array(thoughts))) => {
                thoughts
                    .iter()
                    .filter_map(|thought| text(thought, "text"))
                    .for_each(|thought| self.answer.think(thought, deltas));
            }
            _ => self.ignored += 1,
        }
    }

    fn call(&mut self, position: usize, call: &Value, function: &Value, deltas: &mut Vec<Delta>) {
        // Some servers send the arguments as the object itself.
        let object = function.get("arguments").filter(|arguments| arguments.is_object()).map(Value::to_string);
        let fragment = Fragment {
            index: call.get("index").and_then(Value::as_u64),
            position,
            id: text(call, "id").unwrap_or_default(),
            name: text(function, "name").unwrap_or_default(),
            arguments: object.as_deref().or_else(|| text(function, "arguments")).unwrap_or_default(),
            signature: call.get("extra_content").filter(|extra| extra.is_object()),
        };
        self.answer.call(&fragment, deltas);
    }

    fn stop(&self) -> Stop {
        if self.is_refusal {
            return Stop::Refusal;
        }
        match self.finish_reason.as_deref() {
            None | Some("stop" | "eos" | "end_turn" | "eos_token") => Stop::End,
            Some("tool_calls" | "function_call") => Stop::ToolUse,
            Some("length" | "max_tokens") => Stop::Length,
            Some("model_length" | "model_context_window_exceeded") => Stop::WindowExceeded,
            Some("content_filter") => Stop::ContentFilter,
            Some("refusal") => Stop::Refusal,
            Some("stop_sequence") => Stop::StopSequence,
            Some(other) => Stop::Other(other.to_owned()),
        }
    }
}

impl Decoder for ChatDecoder {
    fn push(&mut self, bytes: &[u8]) -> Vec<Delta> {
        self.plain.push(bytes);
        let mut deltas = Vec::new();
        for event in self.sse.push(bytes) {
            self.event(&event.data, &mut deltas);
        }
        deltas
    }

    fn is_answer(&self) -> bool {
        self.sse.has_events()
    }

    fn finish(mut self: Box<Self>) -> Result<Reply, ModelError> {
        if let Some(whole) = self.plain.whole() {
            self.chunk(&whole, &mut Vec::new());
        }
        if self.ignored > 0 {
            tracing::debug!(events = self.ignored, "parts of a stream that mean nothing here");
        }
        let usage = usage::usage(&self.usage_raw);
        // Some servers leave out `[DONE]` and others the reason, so either of them ends a reply.
        let is_ended = self.is_done || self.finish_reason.is_some();
        if !is_ended {
            let message = "the server's answer broke off before its end";
            self.answer.fail(ModelError::own(ModelErrorKind::Transport, message));
        }
        let stop = self.stop();
        self.answer.finish(stop, self.usage_raw, usage, self.response_id)
    }
}

/// A text that is not empty.
fn text<'a>(object: &'a Value, field: &str) -> Option<&'a str> {
    object.get(field).and_then(Value::as_str).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests;
