//! Errors of Anthropic Messages, as an answer or inside a stream.

use serde_json::Value;

use crate::wire::errors::{self, Answer, ErrorObject, TooLong};
use crate::{Headers, ModelError, ModelErrorKind};

const TOO_LONG: [TooLong; 3] = [
    TooLong { says: "prompt is too long", window_at: Some(1) },
    TooLong { says: "exceed context limit", window_at: Some(2) },
    TooLong { says: "request exceeds the maximum size", window_at: None },
];

/// Sentences of a 400 that are about money.
const QUOTA: [&str; 4] = ["credit balance is too low", "usage limits", "spend limit", "spending limit"];
/// Words of a limit that is filled up again while one waits.
const PASSING: [&str; 4] = ["per minute", "per-minute", "per second", "per-second"];
/// Sentences of a 400 that are about what may be asked.
const POLICY: [&str; 3] = ["usage policy", "usage policies", "content filtering policy"];
/// Sentences of a 400 about thinking that does not belong here.
const BOUND: [&str; 3] = [
    "bound to a different conversation",
    "invalid `signature` in",
    "blocks in the latest assistant message cannot be modified",
];

/// The error behind an answer other than 200.
pub(super) fn answer(status: u16, headers: &Headers, body: &[u8]) -> ModelError {
    let answer = Answer { status: Some(status), headers, body };
    let Some(said) = errors::said(body) else {
        // A gateway may refuse a large body by itself, without an error object of the provider's.
        let kind = if status == 413 { ModelErrorKind::Overflow } else { errors::kind_of_status(status) };
        return errors::error(kind, answer, None);
    };
    of(status, answer, &said)
}

/// The error behind an `error` event inside a stream.
pub(super) fn event(event: &Value) -> ModelError {
    let headers = Headers::default();
    let body = event.to_string();
    let answer = Answer { status: None, headers: &headers, body: body.as_bytes() };
    let said = errors::said_in(event).unwrap_or_default();
    of(status_of(&said), answer, &said)
}

fn of(status: u16, answer: Answer, said: &ErrorObject) -> ModelError {
    let too_long = (status == 400).then(|| errors::too_long(&TOO_LONG, &said.message)).flatten();
    let kind = match status {
        413 => ModelErrorKind::Overflow,
        400 if too_long.is_some() => ModelErrorKind::Overflow,
        400 if BOUND.iter().any(|text| said.says(text)) => ModelErrorKind::PrefixBound,
        // A spent balance also comes as a wrong request, and no retry refills it.
        400 if QUOTA.iter().any(|text| said.says(text)) => ModelErrorKind::Quota,
        400 if POLICY.iter().any(|text| said.says(text)) => ModelErrorKind::Refused,
        status => errors::kind_of_status(status),
    };
    let error = ModelError { window: too_long.flatten(), ..errors::error(kind, answer, Some(said)) };
    // Inside a stream there is no header that could name a time, so only an answer's silence means something.
    let spent = said.codes.iter().any(|code| code.contains("spend")) || QUOTA.iter().any(|text| said.says(text));
    let passes = PASSING.iter().any(|text| said.says(text));
    let for_good = spent || (answer.status.is_some() && error.retry_after_ms.is_none() && !passes);
    if kind == ModelErrorKind::RateLimit && for_good {
        return ModelError { kind: ModelErrorKind::Quota, ..error };
    }
    error
}

/// The status that goes with an error's type.
fn status_of(said: &ErrorObject) -> u16 {
    const TYPES: [(&str, u16); 9] = [
        ("invalid_request_error", 400),
        ("authentication_error", 401),
        ("billing_error", 402),
        ("permission_error", 403),
        ("not_found_error", 404),
        ("request_too_large", 413),
        ("rate_limit_error", 429),
        ("timeout_error", 504),
        ("overloaded_error", 529),
    ];
    TYPES.iter().find(|(name, _)| said.is(name)).map_or(500, |(_, status)| *status)
}
