//! Streams of providers, decoded however their bytes are split. A stream is `streams/<wire>/<name>.sse`; what is expected
//! of it, where it comes from and under which licence stands beside it in `<name>.json`.
#![expect(clippy::expect_used, reason = "a stream that cannot be played has failed")]

#[path = "recorded/harness.rs"]
mod harness;

use std::path::{Path, PathBuf};

use llm::{Anthropic, Caps, Chat, Gemini, Ollama, Wire};

type MakeWire = fn(Caps) -> Box<dyn Wire>;

const ANTHROPIC: MakeWire = |caps| Box::new(Anthropic::new(caps));
const GEMINI: MakeWire = |caps| Box::new(Gemini::new(caps));

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/streams").join(name)
}

fn check_all(name: &str, wire: MakeWire) {
    let streams = harness::streams(&folder(name));
    assert!(!streams.is_empty(), "{name} holds no stream");
    for stream in streams {
        harness::check(&stream, wire);
    }
}

fn check(wire: MakeWire, streams: &[&str]) {
    for stream in streams {
        harness::check(&folder(&format!("{stream}.sse")), wire);
    }
}

#[test]
fn wt_01_wt_02_streams_of_anthropic() {
    check_all("anthropic", ANTHROPIC);
}

#[test]
fn wt_01_wt_02_streams_of_gemini() {
    check_all("gemini", GEMINI);
}

#[test]
fn w_06_what_is_newer_than_us_is_left_out() {
    check(ANTHROPIC, &["anthropic/newer-than-us"]);
    check(GEMINI, &["gemini/newer-than-us", "gemini/nulls"]);
}

#[test]
fn wa_05_arguments_are_kept_as_they_came_and_none_are_an_empty_object() {
    check(ANTHROPIC, &["anthropic/parallel-calls", "anthropic/input-with-the-start", "anthropic/length-inside-a-call"]);
}

#[test]
fn wa_06_wa_09_thinking_is_kept_without_words_too() {
    check(ANTHROPIC, &["anthropic/thinking-and-call", "anthropic/thinking-without-words"]);
}

#[test]
fn wa_07_a_second_start_drops_what_came_before() {
    check(ANTHROPIC, &["anthropic/restart"]);
}

#[test]
fn wa_08_stop_reasons_are_told_apart() {
    let streams = ["pause", "refusal", "window-exceeded", "stop-sequence"].map(|name| format!("anthropic/stop-{name}"));
    check(ANTHROPIC, &streams.each_ref().map(String::as_str));
    check(ANTHROPIC, &["anthropic/nothing-after-a-result", "anthropic/content-with-the-start"]);
}

#[test]
fn wg_03_parts_are_increments_up_to_the_end_of_the_stream() {
    check(GEMINI, &["gemini/two-ends", "gemini/call-then-empty-end", "gemini/parallel-calls"]);
    check(GEMINI, &["gemini/pieces-of-arguments", "gemini/pieces-without-their-end"]);
}

#[test]
fn wg_04_reasons_are_told_apart() {
    let stops = ["safety", "recitation", "prohibited", "spii", "other"].map(|name| format!("gemini/stop-{name}"));
    check(GEMINI, &stops.each_ref().map(String::as_str));
    check(GEMINI, &["gemini/length", "gemini/blocked-prompt", "gemini/malformed-call", "gemini/missing-signature"]);
}

#[test]
fn wu_02_the_last_figure_of_each_field_wins() {
    check(ANTHROPIC, &["anthropic/newer-than-us", "anthropic/thinking-and-call"]);
    check(GEMINI, &["gemini/two-ends", "gemini/cached"]);
}

#[test]
fn wu_04_a_stream_without_usage_is_estimated() {
    check(ANTHROPIC, &["anthropic/no-usage"]);
    check(GEMINI, &["gemini/no-usage"]);
}

#[test]
fn wu_05_a_stream_that_fails_tells_what_was_used() {
    check(ANTHROPIC, &["anthropic/error-inside", "anthropic/cut-off", "anthropic/no-json"]);
    check(GEMINI, &["gemini/error-inside", "gemini/cut-off"]);
}

#[test]
fn wt_01_wt_02_streams_of_chat_completions() {
    check_all("chat", |caps| Box::new(Chat::new(caps)));
}

#[test]
fn wt_01_wt_02_streams_of_ollama() {
    check_all("ollama", |caps| Box::new(Ollama::new(caps)));
}
