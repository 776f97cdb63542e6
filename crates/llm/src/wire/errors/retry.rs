//! Time to wait, from a server's headers, or its error's words, or the moment at which its limits are filled up again.

use std::time::SystemTime;

use serde_json::Value;

use super::{Answer, ErrorObject};

/// The time to wait, milliseconds; absent if none is given that can be read.
pub(super) fn after_ms(answer: &Answer, said: Option<&ErrorObject>) -> Option<u64> {
    header_ms(answer).or_else(|| said.and_then(body_ms)).or_else(|| reset_ms(answer))
}

fn header_ms(answer: &Answer) -> Option<u64> {
    let exact = answer.headers.get("retry-after-ms").and_then(|text| millis(text.trim().parse().ok()?));
    exact.or_else(|| {
        let text = answer.headers.get("retry-after")?.trim();
        // The header holds seconds or a date (RFC 9110).
        if let Ok(seconds) = text.parse::<f64>() { millis(seconds * 1e3) } else { until_ms(answer, text) }
    })
}

/// A date is compared with the answer's own: the two clocks need not agree.
fn until_ms(answer: &Answer, text: &str) -> Option<u64> {
    let until: SystemTime = httpdate::parse_http_date(text).ok()?;
    let sent = httpdate::parse_http_date(answer.headers.get("date")?).ok()?;
    u64::try_from(until.duration_since(sent).ok()?.as_millis()).ok()
}

/// `RetryInfo.retryDelay` of Google, or the sentence "try again in 1.2s".
fn body_ms(said: &ErrorObject) -> Option<u64> {
    let details = said.object.get("details").and_then(Value::as_array).into_iter().flatten();
    let delay = details.filter_map(|detail| detail.get("retryDelay")?.as_str()).find_map(duration_ms);
    delay.or_else(|| {
        let message = said.message.to_ascii_lowercase();
        let (_, behind) = message.split_once("try again in ")?;
        duration_ms(behind.split_whitespace().next()?.trim_end_matches(['.', ',']))
    })
}

/// Milliseconds until the limit that takes longest is filled up again. Some servers send that with every answer.
fn reset_ms(answer: &Answer) -> Option<u64> {
    if answer.status != Some(429) {
        return None;
    }
    let resets = answer.headers.0.iter().filter(|(name, _)| name.starts_with("x-ratelimit-reset-"));
    resets.filter_map(|(_, text)| duration_ms(text.trim())).max()
}

/// `34.4s`, `120ms`, `6m0s`, `1h2m`, or a number of seconds.
fn duration_ms(text: &str) -> Option<u64> {
    const UNITS: [(&str, f64); 5] = [("ms", 1.0), ("s", 1e3), ("m", 60e3), ("h", 3_600e3), ("d", 86_400e3)];
    if let Ok(seconds) = text.parse::<f64>() {
        return millis(seconds * 1e3);
    }
    let (mut rest, mut total_ms) = (text, 0.0);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        let unit = &rest[digits..];
        let (name, unit_ms) = UNITS.into_iter().find(|(name, _)| unit.starts_with(name))?;
        total_ms += number * unit_ms;
        rest = &unit[name.len()..];
    }
    (rest.len() < text.len()).then(|| millis(total_ms))?
}

/// Whole milliseconds, rounded up; absent for what is negative or no number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked first")]
fn millis(ms: f64) -> Option<u64> {
    (0.0..=1e15).contains(&ms).then(|| ms.ceil() as u64)
}
