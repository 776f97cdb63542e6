//! Usage of a call, in the words of the servers that speak Chat Completions.

use serde_json::Value;

use crate::{PromptRead, Usage};

/// Places where servers report the tokens of the prompt that came from a cache.
const CACHED: [&str; 3] = ["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens", "/cached_tokens"];

/// Lays newer figures over older ones: the last one that is not null counts, field by field.
pub(super) fn lay_over(known: &mut Value, newer: &Value) {
    match (known, newer) {
        (_, Value::Null) => {}
        (Value::Object(known), Value::Object(newer)) => {
            for (name, value) in newer {
                lay_over(known.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (known, newer) => *known = newer.clone(),
    }
}

/// The figures of a raw usage object; absent if it holds none.
pub(super) fn usage(raw: &Value) -> Option<Usage> {
    let figure = |path: &str| raw.pointer(path).and_then(Value::as_u64);
    let prompt = figure("/prompt_tokens")?;
    // A server that reports more cached tokens than it read would leave a negative rest.
    let cached = CACHED.iter().find_map(|path| figure(path)).unwrap_or(0).min(prompt);
    let completion = figure("/completion_tokens").unwrap_or(0);
    let reasoning = figure("/completion_tokens_details/reasoning_tokens");
    let thought = reasoning.unwrap_or(0);
    // Some servers count reasoning beside what was written; only their total shows it.
    let with_thought = completion.saturating_add(thought);
    let is_beside = thought > 0 && figure("/total_tokens") == Some(prompt.saturating_add(with_thought));
    Some(Usage {
        in_fresh: prompt - cached,
        cache_read: cached,
        cache_write_5m: 0,
        cache_write_1h: 0,
        out: if is_beside { with_thought } else { completion },
        reasoning,
        estimated: false,
    })
}

/// The same from what llama.cpp measures beside it: older builds say only there what came from the cache.
pub(super) fn lay_timings_under(raw: &mut Value, timings: &Value) {
    let figure = |name: &str| timings.get(name).and_then(Value::as_u64);
    let (Some(cached), Some(prompt), Value::Object(raw)) = (figure("cache_n"), figure("prompt_n"), raw) else { return };
    let written = figure("predicted_n").unwrap_or(0);
    raw.entry("prompt_tokens").or_insert_with(|| (cached.saturating_add(prompt)).into());
    raw.entry("completion_tokens").or_insert_with(|| written.into());
    raw.entry("prompt_tokens_details").or_insert_with(|| serde_json::json!({ "cached_tokens": cached }));
}

/// Progress of llama.cpp in reading the prompt, or the time it took to: figures of the chunk `chunk`.
pub(super) fn prompt_read(chunk: &Value) -> Option<PromptRead> {
    let figure = |path: &str| chunk.pointer(path).and_then(Value::as_f64).filter(|figure| (0.0..1e15).contains(figure));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between nothing and 1e15")]
    let whole = |path: &str| figure(path).map(|figure| figure as u64);
    if let (Some(tokens), Some(done)) = (whole("/prompt_progress/total"), whole("/prompt_progress/processed")) {
        let (cached, elapsed_ms) = (whole("/prompt_progress/cache"), whole("/prompt_progress/time_ms"));
        let cached = cached.unwrap_or(0).min(tokens);
        return Some(PromptRead {
            tokens,
            cached,
            done: done.clamp(cached, tokens),
            elapsed_ms: elapsed_ms.unwrap_or(0),
        });
    }
    let (cached, fresh) = (whole("/timings/cache_n").unwrap_or(0), whole("/timings/prompt_n")?);
    let tokens = cached.saturating_add(fresh);
    Some(PromptRead { tokens, cached, done: tokens, elapsed_ms: whole("/timings/prompt_ms")? })
}
