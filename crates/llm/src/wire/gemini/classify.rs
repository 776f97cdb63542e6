//! Errors of Gemini, as an answer or inside a stream.

use serde_json::Value;

use crate::wire::errors::{self, Answer, ErrorObject, TooLong};
use crate::{Headers, ModelError, ModelErrorKind};

const TOO_LONG: [TooLong; 2] = [
    TooLong { says: "input token count", window_at: Some(1) },
    TooLong { says: "exceeds the maximum number of tokens", window_at: Some(0) },
];

/// A limit that is filled up again later than this is no matter of waiting, milliseconds.
const WAIT_MS_MAX: u64 = 300_000;

/// The error behind an answer other than 200.
pub(super) fn answer(status: u16, headers: &Headers, body: &[u8]) -> ModelError {
    let answer = Answer { status: Some(status), headers, body };
    let Some(said) = errors::said(body) else {
        return errors::error(errors::kind_of_status(status), answer, None);
    };
    of(status, answer, &said)
}

/// The error behind an error event inside a stream.
pub(super) fn event(event: &Value) -> ModelError {
    let headers = Headers::default();
    let body = event.to_string();
    let answer = Answer { status: None, headers: &headers, body: body.as_bytes() };
    let said = errors::said_in(event).unwrap_or_default();
    let status = said.object.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    of(status.unwrap_or(500), answer, &said)
}

fn of(status: u16, answer: Answer, said: &ErrorObject) -> ModelError {
    let too_long = (status == 400).then(|| errors::too_long(&TOO_LONG, &said.message)).flatten();
    let kind = match status {
        400 if too_long.is_some() => ModelErrorKind::Overflow,
        400 if said.says("thought signature") || said.says("thought_signature") => ModelErrorKind::PrefixBound,
        400 if said.says("api key") || reasons(said).any(|reason| reason.starts_with("API_KEY")) => {
            ModelErrorKind::Auth
        }
        status => errors::kind_of_status(status),
    };
    let error = ModelError { window: too_long.flatten(), ..errors::error(kind, answer, Some(said)) };
    // A daily quota does not come back within a turn.
    let for_a_day = quotas(said).any(|quota| quota.contains("PerDay"));
    let for_long = error.retry_after_ms.is_some_and(|wait_ms| wait_ms > WAIT_MS_MAX);
    if kind == ModelErrorKind::RateLimit && (for_a_day || for_long) {
        return ModelError { kind: ModelErrorKind::Quota, ..error };
    }
    error
}

fn details(said: &ErrorObject) -> impl Iterator<Item = &Value> {
    said.object.get("details").and_then(Value::as_array).into_iter().flatten()
}

fn reasons(said: &ErrorObject) -> impl Iterator<Item = &str> {
    details(said).filter_map(|detail| detail.get("reason")?.as_str())
}

fn quotas(said: &ErrorObject) -> impl Iterator<Item = &str> {
    let violations = details(said).filter_map(|detail| detail.get("violations")?.as_array()).flatten();
    violations.filter_map(|violation| violation.get("quotaId")?.as_str())
}
