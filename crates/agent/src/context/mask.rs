//! Old results make room: what stays is that the call happened, and where its result can be read.

use std::collections::BTreeSet;

use llm::Block;
use serde_json::{Value, json};

use crate::context::estimate::tokens_of_chars;
use crate::context::visible::{MaskState, VisibleEntries};
use crate::text::{cut, head};
use crate::{Entry, EntryKind, Marker, MaskText, Policy, Transcript};

/// Characters of what went wrong in the note that stands for an error.
const ERROR_CHARS: usize = 120;
/// Characters of the query in the note that stands for a result.
const QUERY_CHARS: usize = 120;
/// The argument that says what was looked for, in the tools that look for something.
const QUERY_ARGUMENT: &str = "query";

/// A move of the mask line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaskMove {
    /// To be appended; a new epoch begins with it.
    pub marker: Marker,
    /// Tokens that go.
    pub frees_tokens: u64,
}

/// Moves the mask line so that the newest results stay whole. `exempt` names tools whose results are data that is
/// worked with, at any age.
#[must_use]
pub fn mask_move(transcript: &Transcript, policy: &Policy, exempt: &BTreeSet<String>) -> Option<MaskMove> {
    let shown = VisibleEntries::of(transcript);
    let keep = usize::try_from(policy.mask.keep).unwrap_or(usize::MAX);
    let newest: Vec<u64> = shown.results().rev().take(keep).map(|entry| entry.id).collect();
    let newest_wave = shown.newest_wave();
    // Fewer results than are kept: the line stays where it is.
    let before = if newest.len() < keep { 0 } else { newest.last().copied().unwrap_or(newest_wave) };
    let to = MaskState {
        // Results that came back whole would change the prefix once more.
        before: shown.mask.before.max(before),
        // The results of the newest wave have not been read by the model yet.
        trim_before: policy.mask.trim_above_chars.map_or(0, |_| newest_wave).max(shown.mask.trim_before),
        all_before: shown.mask.all_before,
    };
    moved(&shown, to, policy, exempt, false)
}

/// Moves the line so that only the newest wave stays whole, and no error.
#[must_use]
pub fn mask_all(transcript: &Transcript, policy: &Policy, exempt: &BTreeSet<String>) -> Option<MaskMove> {
    let shown = VisibleEntries::of(transcript);
    // The model has not read the newest results yet; without them its calls would have been in vain.
    let before = shown.newest_wave();
    moved(&shown, MaskState { before, all_before: before, ..shown.mask }, policy, exempt, true)
}

fn moved(
    shown: &VisibleEntries,
    to: MaskState,
    policy: &Policy,
    exempt: &BTreeSet<String>,
    all: bool,
) -> Option<MaskMove> {
    let calls = shown.calls();
    let chars = |mask: MaskState| -> u64 {
        let results = shown.results().filter_map(|entry| {
            let Block::Result { call, .. } = entry.blocks.first()? else { return None };
            let (name, args_raw) = calls.get(call)?;
            Some(crate::context::estimate::block_chars(&masked(
                entry,
                Answered { name, args_raw },
                mask,
                policy,
                exempt,
            )?))
        });
        results.sum()
    };
    let freed = chars(shown.mask).saturating_sub(chars(to));
    let marker = Marker::MaskLine { before: to.before, trim_before: to.trim_before, all };
    let frees_tokens = tokens_of_chars(policy.estimator, freed);
    // A move begins an epoch and costs the provider's cached prefix, so it has to free something.
    (freed > 0).then_some(MaskMove { marker, frees_tokens })
}

/// The call that a result answers, as its mask names it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answered<'c> {
    pub name: &'c str,
    pub args_raw: &'c str,
}

/// The result `entry` of a call as it is shown; nothing if it holds none.
pub(crate) fn masked(
    entry: &Entry,
    call: Answered<'_>,
    mask: MaskState,
    policy: &Policy,
    exempt: &BTreeSet<String>,
) -> Option<Block> {
    let Answered { name, args_raw } = call;
    debug_assert_eq!(entry.kind, EntryKind::ToolResult);
    let Block::Result { call, json, is_error, trust } = entry.blocks.first()? else { return None };
    let result = |json: String| Some(Block::Result { call: call.clone(), json, is_error: *is_error, trust: *trust });
    let is_kept_error = *is_error && policy.mask.keep_errors;
    let clears_errors = entry.id < mask.all_before;
    let is_long = json.chars().count() > usize::try_from(policy.mask.chars_min).unwrap_or(usize::MAX);
    let is_old = entry.id < mask.before || clears_errors;
    if is_old && is_long && !exempt.contains(name) && (!is_kept_error || clears_errors) {
        let note = note(policy.mask.text, name, args_raw, (*is_error).then_some(json.as_str()), entry.spill);
        let cleared = json!({ "cleared": note }).to_string();
        // A note that is longer than the result would free nothing.
        return result(if cleared.len() < json.len() { cleared } else { json.clone() });
    }
    let trims = policy.mask.trim_above_chars.is_some_and(|above| {
        entry.id < mask.trim_before && json.chars().count() > usize::try_from(above).unwrap_or(usize::MAX)
    });
    if trims && !is_kept_error && !exempt.contains(name) {
        let kept = head(json, usize::try_from(policy.mask.trim_to_chars).unwrap_or(usize::MAX));
        return result(json!({ "cut": true, "text": kept }).to_string());
    }
    result(json.clone())
}

/// The note that replaces a result. An error is never shown as a success.
fn note(form: MaskText, name: &str, args_raw: &str, error: Option<&str>, spill: Option<u32>) -> String {
    let outcome = error.map_or_else(|| "OK".to_owned(), |json| format!("ERROR - {}", reason(json)));
    match form {
        MaskText::Sentence => "[Old tool output cleared to save context space]".to_owned(),
        MaskText::Stub => format!("[{} result cleared — {}]", in_capitals(name), query(args_raw)),
        MaskText::ToolOk => format!("[Tool: {name} - {outcome}]"),
        MaskText::ToolOkPath => match spill {
            // The whole output is stored under its number, and the model can read it there again.
            Some(number) => format!("[Tool: {name} - {outcome}] _out/{number}.txt"),
            None => format!("[Tool: {name} - {outcome}]"),
        },
    }
}

fn reason(json: &str) -> String {
    let parsed = serde_json::from_str::<Value>(json).ok();
    let said = parsed.as_ref().and_then(|value| value.get("message").or_else(|| value.get("error"))?.as_str());
    cut(said.unwrap_or(json), ERROR_CHARS)
}

/// `vault_search` as `VaultSearch`.
fn in_capitals(name: &str) -> String {
    name.split('_')
        .map(|word| {
            let first = head(word, 1);
            first.to_uppercase() + &word[first.len()..]
        })
        .collect()
}

/// The query of a search: the argument of that name, else all arguments.
pub(crate) fn query(args_raw: &str) -> String {
    let parsed = serde_json::from_str::<Value>(args_raw).ok();
    let asked = parsed.as_ref().and_then(|args| args.get(QUERY_ARGUMENT)?.as_str());
    cut(asked.unwrap_or(args_raw), QUERY_CHARS)
}

#[cfg(test)]
mod tests;
