//! Parts common to all providers' errors: the error object in its many shapes, the time to wait, a prompt that is too
//! long, and the capability that a refusal names. Nothing else reads a provider's sentences.

mod retry;

use serde_json::Value;

use super::Headers;
use crate::{Capability, Caps, ModelError, ModelErrorKind, Reply, Stop};

/// Of a body that is no error object this much is kept, bytes.
const BODY_BYTES_KEPT: usize = 200;
/// Of a provider's sentence this much is kept, bytes.
const MESSAGE_BYTES_MAX: usize = 1_000;
/// Estimates below this are too coarse to prove that a prompt was cut, tokens.
const ESTIMATE_TOKENS_MIN: u64 = 1_000;

/// No model has a smaller window: a smaller number in a sentence is something else, tokens.
const WINDOW_TOKENS_MIN: u32 = 1_024;

/// An answer that is no reply.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer<'a> {
    /// Absent for an error inside a stream that began well.
    pub status: Option<u16>,
    pub headers: &'a Headers,
    pub body: &'a [u8],
}

/// Content of an error object.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ErrorObject {
    /// `type`, `code` and `status`, in this order, as far as they are words.
    pub codes: Vec<String>,
    pub message: String,
    /// The object itself.
    pub object: Value,
}

impl ErrorObject {
    /// True if one of the codes is `code`.
    pub fn is(&self, code: &str) -> bool {
        self.codes.iter().any(|known| known.eq_ignore_ascii_case(code))
    }

    /// True if the sentence holds `text`, which is in lower case.
    pub fn says(&self, text: &str) -> bool {
        self.message.to_ascii_lowercase().contains(text)
    }
}

/// The error object of a body, whichever of the known shapes it has.
pub(crate) fn said(body: &[u8]) -> Option<ErrorObject> {
    let body: Value = serde_json::from_slice(body).ok()?;
    // Gemini puts its error into a list if the answer was to be a stream.
    let body = if let Value::Array(items) = &body { items.first()? } else { &body };
    said_in(body)
}

/// The error object in `body`: `{"error": {…}}`, `{"error": "…"}`, `{"message": "…"}` or `{"detail": …}`.
pub(crate) fn said_in(body: &Value) -> Option<ErrorObject> {
    let object = match body.get("error") {
        Some(Value::Object(_)) => body.get("error")?,
        Some(Value::String(message)) => {
            return Some(ErrorObject { message: message.clone(), object: body.clone(), ..ErrorObject::default() });
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) | None => body,
    };
    let message = object.get("message").or_else(|| object.get("detail"))?;
    let mut message = message.as_str().map_or_else(|| message.to_string(), str::to_owned);
    // A router says in its own words that a provider failed, and keeps that provider's words beside them.
    if let Some(raw) = object.pointer("/metadata/raw") {
        let raw = raw.as_str().map_or_else(|| raw.to_string(), str::to_owned);
        message = format!("{message}: {raw}");
    }
    let codes = ["type", "code", "status"].into_iter().filter_map(|field| object.get(field)?.as_str());
    Some(ErrorObject { codes: codes.map(str::to_owned).collect(), message, object: object.clone() })
}

/// The error of an answer, once its kind is known.
pub(crate) fn error(kind: ModelErrorKind, answer: Answer, said: Option<&ErrorObject>) -> ModelError {
    let message = said.map(|said| cut(&said.message, MESSAGE_BYTES_MAX)).filter(|message| !message.is_empty());
    let message = message.unwrap_or_else(|| {
        let kept = String::from_utf8_lossy(&answer.body[..answer.body.len().min(BODY_BYTES_KEPT)]).into_owned();
        match (answer.status, kept.trim()) {
            (Some(status), "") => format!("the server answered {status} without a word"),
            (Some(status), kept) => format!("the server answered {status}: {kept}"),
            (None, kept) => format!("the server broke off: {kept}"),
        }
    });
    let request_id = ["request-id", "x-request-id"].into_iter().find_map(|name| answer.headers.get(name));
    ModelError {
        kind,
        status: answer.status,
        provider_code: said.and_then(|said| said.codes.first().cloned()),
        message,
        retry_after_ms: retry::after_ms(&answer, said),
        request_id: request_id.map(str::to_owned),
        window: None,
        usage: None,
        slip: None,
    }
}

/// Meaning of a status where nothing better is known.
pub(crate) const fn kind_of_status(status: u16) -> ModelErrorKind {
    match status {
        401 | 403 => ModelErrorKind::Auth,
        402 => ModelErrorKind::Quota,
        408 => ModelErrorKind::Transport,
        429 => ModelErrorKind::RateLimit,
        409 | 500.. => ModelErrorKind::Overloaded,
        _ => ModelErrorKind::BadRequest,
    }
}

/// Words by which a server says that a prompt is too long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TooLong {
    /// In lower case.
    pub says: &'static str,
    /// Index from 0 of the window among the numbers behind the words.
    pub window_at: Option<usize>,
}

/// Words about too many tokens in a time, not in a prompt; they win over every pattern.
const NOT_TOO_LONG: [&str; 7] =
    ["rate limit", "rate_limit", "per minute", "per day", "quota", "throttl", "too many requests"];

/// Recognises a `message` that says that the prompt is too long, with the window if it names one.
pub(crate) fn too_long(patterns: &[TooLong], message: &str) -> Option<Option<u32>> {
    let message = message.to_ascii_lowercase();
    if NOT_TOO_LONG.iter().any(|words| message.contains(words)) {
        return None;
    }
    patterns.iter().find_map(|pattern| {
        let at = message.find(pattern.says)? + pattern.says.len();
        let numbers = numbers(&message[at..]);
        let window = pattern.window_at.and_then(|window_at| numbers.get(window_at).copied().flatten());
        Some(window.filter(|window| *window >= WINDOW_TOKENS_MIN))
    })
}

/// The whole numbers of a text; commas and underscores inside belong to them. One in thousands or
/// millions, as in `128k`, has its place and no value.
fn numbers(text: &str) -> Vec<Option<u32>> {
    let is_part = |c: char| c.is_ascii_digit() || c == ',' || c == '_';
    let mut rest = text;
    let mut numbers = Vec::new();
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let run = &rest[at..];
        let end = run.find(|c: char| !is_part(c)).unwrap_or(run.len());
        let is_whole = !run[end..].starts_with(['k', 'm']);
        let digits: String = run[..end].chars().filter(char::is_ascii_digit).collect();
        numbers.push(digits.parse().ok().filter(|_| is_whole));
        rest = &run[end..];
    }
    numbers
}

/// A refusal by sentence: all `says` together mean that the model lacks the capability.
const LACKS: [(&[&str], Capability); 19] = [
    (&["tool_choice", "thinking"], Capability::ForcedChoice),
    (&["tool_choice", "required"], Capability::ForcedChoice),
    (&["tool_choice", "forces"], Capability::ForcedChoice),
    (&["tool_choice", "none"], Capability::NoneChoice),
    (&["tool_choice", "support"], Capability::ForcedChoice),
    (&["temperature"], Capability::Sampling),
    (&["thinking.type.disabled"], Capability::ThinkingOff),
    (&["disabl", "thinking"], Capability::ThinkingOff),
    (&["adaptive thinking", "not supported"], Capability::Thinking),
    (&["thinking.type"], Capability::Thinking),
    (&["thinking", "not support"], Capability::Thinking),
    (&["effort"], Capability::Thinking),
    (&["role 'system' is not supported"], Capability::SystemMid),
    (&["clear_at"], Capability::SystemClear),
    (&["stream_options"], Capability::StreamUsage),
    (&["not support", "tools"], Capability::NativeTools),
    (&["tools", "--jinja"], Capability::NativeTools),
    (&["--enable-auto-tool-choice"], Capability::NativeTools),
    (&["parametersjsonschema"], Capability::FullSchema),
];

/// The capability that a refused request asked for and the model lacks, if the refusal names one.
pub(crate) fn capability(error: &ModelError) -> Option<Capability> {
    // A server of llama.cpp answers with status 500 where a request does not fit its template.
    if error.kind != ModelErrorKind::BadRequest || !matches!(error.status, None | Some(400 | 422 | 500)) {
        return None;
    }
    let message = error.message.to_ascii_lowercase();
    LACKS.iter().find(|(says, _)| says.iter().all(|words| message.contains(words))).map(|(_, capability)| *capability)
}

/// The reply, unless the window was full, or its figures prove that the prompt did not fit although nobody said so.
pub(crate) fn unless_overflowed(caps: &Caps, estimate_tokens: u64, reply: Reply) -> Result<Reply, ModelError> {
    let (input, window) = (reply.usage.input(), u64::from(caps.window));
    let reported = !reply.usage.estimated;
    // A complete reply of a server that says when a prompt is too long may report more: the calls that it makes by
    // itself add up.
    let is_complete = matches!(reply.stop, Stop::End | Stop::ToolUse | Stop::StopSequence) && reply.usage.out > 0;
    let over = reported && input > window && (caps.overflow_silent || !is_complete);
    // Nothing was written and the window is all but full: the prompt left no room for a reply.
    let cut_off = reply.stop == Stop::Length && reply.usage.out == 0 && reported && input * 100 >= window * 99;
    // A server that cuts a prompt silently reports far fewer tokens than the prompt must have.
    let cut_short =
        caps.overflow_silent && reported && estimate_tokens > ESTIMATE_TOKENS_MIN && input * 10 < estimate_tokens * 8;
    let full = reply.stop == Stop::WindowExceeded;
    if !(over || cut_off || cut_short || full) {
        return Ok(reply);
    }
    let message =
        format!("the prompt did not fit: {input} tokens were read of about {estimate_tokens}, window {window}");
    Err(ModelError { usage: Some(reply.usage), ..ModelError::own(ModelErrorKind::Overflow, message) })
}

/// At most `bytes_max` of `text`, cut between characters.
pub(crate) fn cut(text: &str, bytes_max: usize) -> String {
    let end = (0..=text.len().min(bytes_max)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text[..end].to_owned()
}

#[cfg(test)]
mod tests;
