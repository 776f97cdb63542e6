//! Meaning of errors from servers that speak Chat Completions.

use serde_json::Value;

use crate::wire::errors::{self, Answer, ErrorObject, TooLong, kind_of_status};
use crate::{Caps, Headers, ModelError, ModelErrorKind, ServerKind};

/// An error of this server.
pub(in crate::wire) fn classify(caps: &Caps, status: u16, headers: &Headers, body: &[u8]) -> ModelError {
    let said = errors::said(body);
    read(caps, Answer { status: Some(status), headers, body }, said.as_ref())
}

/// The same inside a stream that began well.
pub(in crate::wire) fn classify_in_stream(caps: &Caps, event: &Value) -> ModelError {
    let said = errors::said_in(event);
    let object = said.as_ref().map_or(event, |said| &said.object);
    let codes = ["code", "status"].iter().filter_map(|field| object.get(*field)?.as_u64());
    let status = codes.filter_map(|code| u16::try_from(code).ok()).find(|code| (400..600).contains(code));
    let body = event.to_string();
    read(caps, Answer { status, headers: &Headers::default(), body: body.as_bytes() }, said.as_ref())
}

/// Words that mean the account, not the moment.
const NO_MONEY: [&str; 5] = [
    "insufficient_quota",
    "billing_hard_limit_reached",
    "insufficient_balance",
    "quota_exceeded",
    "insufficient_credits",
];
/// Words that mean too many requests.
const TOO_MANY: [&str; 4] = ["rate_limit_exceeded", "rate_limit_error", "rate_limit", "too_many_requests"];
/// Words that mean a filter.
const FILTERED: [&str; 4] =
    ["content_filter", "content_policy_violation", "moderation_blocked", "ResponsibleAIPolicyViolation"];
/// Words that mean the key.
const NO_ENTRY: [&str; 4] = ["authentication_error", "invalid_api_key", "permission_error", "permission_denied"];
/// Words that mean a request that will not do.
const WRONG: [&str; 4] = ["invalid_request_error", "BadRequestError", "not_found_error", "model_not_found"];
/// Words that mean a prompt beyond the window.
const TOO_LONG: [&str; 3] = ["context_length_exceeded", "exceed_context_size_error", "string_above_max_length"];

/// Sentences of servers that have no word for it.
const PATTERNS: [TooLong; 14] = [
    TooLong { says: "maximum context length is", window_at: Some(0) },
    TooLong { says: "maximum context length of", window_at: Some(0) },
    TooLong { says: "max_model_len", window_at: None },
    TooLong { says: "exceeds the available context size", window_at: Some(0) },
    TooLong { says: "exceeds the context window", window_at: None },
    TooLong { says: "exceed context window of", window_at: Some(0) },
    TooLong { says: "context length exceeded", window_at: None },
    TooLong { says: "exceeds context length", window_at: None },
    TooLong { says: "greater than the context length", window_at: None },
    TooLong { says: "context the overflows", window_at: None },
    TooLong { says: "the input length exceeds the context", window_at: None },
    TooLong { says: "exceeds the limit of", window_at: Some(0) },
    TooLong { says: "maximum prompt length is", window_at: Some(0) },
    TooLong { says: "too large for model with", window_at: Some(0) },
];

/// Words of llama.cpp, with a status of its own fault, when a request does not fit its template.
const TEMPLATE_WORDS: [&str; 4] = ["--jinja", "template", "tools param", "json_schema"];
/// The model made a call that its server could not read: it may do better the next time.
const SLIP: &str = "tool_use_failed";
/// Of such a call this much is kept, bytes: it is shown to the model once more.
const SLIP_BYTES_MAX: usize = 1_000;

fn read(caps: &Caps, answer: Answer, said: Option<&ErrorObject>) -> ModelError {
    let (kind, window) = kind(caps, answer.status, said);
    let written = said.filter(|said| said.is(SLIP)).map(|said| said.object["failed_generation"].as_str());
    let slip = written.map(|written| errors::cut(written.unwrap_or_default(), SLIP_BYTES_MAX));
    ModelError { window, slip, ..errors::error(kind, answer, said) }
}

fn kind(caps: &Caps, status: Option<u16>, said: Option<&ErrorObject>) -> (ModelErrorKind, Option<u32>) {
    // An error inside a stream without a status is the server's own trouble until its words say otherwise.
    let by_status = status.map_or(ModelErrorKind::Overloaded, kind_of_status);
    let Some(said) = said else { return (by_status, None) };
    let is_one_of = |words: &[&str]| words.iter().any(|word| said.is(word));
    let is_local_fault = status.is_none_or(|status| status >= 500);
    if said.is(SLIP) {
        return (ModelErrorKind::Protocol, None);
    }
    // Before too many requests: some servers report both with status 429, and money does not come by waiting.
    if is_one_of(&NO_MONEY) || status == Some(402) {
        return (ModelErrorKind::Quota, None);
    }
    // Before the length of the prompt: words about tokens in a minute read like words about a window.
    if is_one_of(&TOO_MANY) || status == Some(429) {
        return (ModelErrorKind::RateLimit, None);
    }
    if is_one_of(&TOO_LONG) {
        return (ModelErrorKind::Overflow, window(said));
    }
    if let Some(named) = errors::too_long(&PATTERNS, &said.message) {
        return (ModelErrorKind::Overflow, named.or_else(|| window(said)));
    }
    if is_one_of(&FILTERED) {
        return (ModelErrorKind::Refused, None);
    }
    if is_one_of(&NO_ENTRY) {
        return (ModelErrorKind::Auth, None);
    }
    let is_template = TEMPLATE_WORDS.iter().any(|words| said.says(words));
    if caps.server == Some(ServerKind::LlamaCpp) && is_local_fault && is_template {
        return (ModelErrorKind::BadRequest, None);
    }
    if status.is_none() && is_one_of(&WRONG) {
        return (ModelErrorKind::BadRequest, None);
    }
    (by_status, None)
}

/// The window beside the words, or inside them.
fn window(said: &ErrorObject) -> Option<u32> {
    let field = said.object.get("n_ctx").and_then(Value::as_u64).and_then(|window| u32::try_from(window).ok());
    field.or_else(|| errors::too_long(&PATTERNS, &said.message).flatten())
}

#[cfg(test)]
mod tests;
