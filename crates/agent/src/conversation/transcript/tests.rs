use super::*;
use crate::{CancelReason, EntryKind, EntryLine, Marker};
use llm::{Block, CallId};
use proptest::prelude::*;
use robot::{Origin, Trust, TurnId};
use serde_json::json;

fn trust() -> impl Strategy<Value = Trust> {
    prop_oneof![Just(Trust::Trusted), Just(Trust::Typed), Just(Trust::Text)]
}

fn texts(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Block>> {
    let text = (any::<String>(), trust()).prop_map(|(text, trust)| Block::Text { text, trust });
    prop::collection::vec(text, count)
}

fn reply() -> impl Strategy<Value = Vec<Block>> {
    let calls = prop::collection::vec((any::<String>(), any::<String>(), any::<String>()), 0..4);
    (prop::option::of(".{1,20}"), calls).prop_map(|(text, calls)| {
        let text = text.map(|text| Block::Text { text, trust: Trust::Trusted });
        let calls = calls.into_iter().map(|(id, name, args_raw)| Block::Call { id: CallId(id), name, args_raw });
        text.into_iter().chain(calls).collect()
    })
}

fn result() -> impl Strategy<Value = Vec<Block>> {
    (any::<String>(), any::<String>(), any::<bool>(), trust())
        .prop_map(|(id, json, is_error, trust)| vec![Block::Result { call: CallId(id), json, is_error, trust }])
}

fn content() -> impl Strategy<Value = (EntryKind, Vec<Block>)> {
    let marker = any::<String>()
        .prop_map(|partial| EntryKind::Marker(Marker::Cancelled { reason: CancelReason::StopAll, partial }));
    prop_oneof![
        texts(0..3).prop_map(|blocks| (EntryKind::User, blocks)),
        texts(0..3).prop_map(|blocks| (EntryKind::Volatile, blocks)),
        reply().prop_map(|blocks| (EntryKind::Assistant, blocks)),
        result().prop_map(|blocks| (EntryKind::ToolResult, blocks)),
        marker.prop_map(|kind| (kind, Vec::new())),
    ]
}

fn origin() -> impl Strategy<Value = Origin> {
    prop_oneof![
        any::<String>().prop_map(Origin::Operator),
        any::<String>().prop_map(Origin::Tool),
        any::<String>().prop_map(Origin::Sensor),
        any::<String>().prop_map(Origin::Room),
        Just(Origin::System),
        Just(Origin::Agent),
    ]
}

fn transcript() -> impl Strategy<Value = Transcript> {
    prop::collection::vec((content(), origin(), any::<i64>(), any::<u32>()), 0..8).prop_map(|parts| {
        let mut transcript = Transcript::default();
        for ((kind, blocks), origin, at_ms, epoch) in parts {
            transcript.push(Entry::new(EntryPlace { id: transcript.next_id(), epoch, at_ms }, kind, blocks, origin));
        }
        transcript
    })
}

fn save(transcript: &Transcript) -> String {
    transcript.entries().iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn i_07_what_is_saved_is_what_is_loaded(transcript in transcript()) {
        prop_assert_eq!(Transcript::load(&save(&transcript)), Loaded { transcript, skipped: 0 });
    }

    #[test]
    fn l_12_any_text_loads(lines in "(\\PC|\n|\\{|\\}|\"id\":1){0,200}") {
        let _ = Transcript::load(&lines);
    }
}

#[test]
fn l_12_lines_that_are_no_entries_are_skipped_and_counted() {
    let good = r#"{"id":7,"epoch":0,"at_ms":1,"kind":"user","role":"user","origin":"operator(dana)","trust":"trusted","content":"hello"}"#;
    let check = |bad: &str| {
        let loaded = Transcript::load(&format!("{bad}\n\n{good}\n{good}\n"));
        assert_eq!((loaded.transcript.entries().len(), loaded.skipped), (1, 2), "{bad}");
        assert_eq!(loaded.transcript.next_id(), 8);
    };
    check("{\"id\":0,\"epo");
    check(&good.replace("operator(dana)", "nobody(dana)"));
    check(&good.replace("\"kind\":\"user\"", "\"kind\":\"tool_result\""));
    check(&good.replace("\"kind\":\"user\"", "\"kind\":\"marker\""));
    check("null");
}

/// Loads one line and writes it back.
fn copied(line: &serde_json::Value) -> serde_json::Value {
    let loaded = Transcript::load(&line.to_string());
    assert_eq!(loaded.skipped, 0, "{line}");
    serde_json::to_value(&loaded.transcript.entries()[0]).unwrap()
}

fn line(kind: &str, role: &str, rest: serde_json::Value) -> serde_json::Value {
    let mut line = serde_json::json!({
        "id": 3, "epoch": 1, "at_ms": 1_772_990_120_000_i64, "kind": kind, "role": role,
        "origin": "system", "trust": "trusted",
    });
    line.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    line
}

#[test]
fn wp_07_the_lines_of_every_kind() {
    let check = |line: serde_json::Value| assert_eq!(copied(&line), line);
    check(line("user", "user", json!({ "content": "hello" })));
    check(line("nudge", "user", json!({ "content": "[Hint] Answer." })));
    check(line("summary", "user", json!({ "content": "## Goal", "covers": { "from": 2, "to": 41 } })));
    check(line("tool_result", "tool", json!({ "tool_call_id": "c1", "content": "{}", "is_error": true, "spill": 0 })));
    let parts =
        json!([{ "type": "text", "text": "a", "trust": "trusted" }, { "type": "text", "text": "b", "trust": "text" }]);
    check(line("volatile", "user", json!({ "content": parts, "trust": "text" })));
    for marker in [
        json!({ "epoch": { "from": 1, "to": 2, "reason": "compaction" } }),
        json!({ "epoch": { "from": 1, "to": 2, "reason": "mask_moved" } }),
        json!({ "epoch": { "from": 1, "to": 2, "reason": "tools_changed" } }),
        json!({ "epoch": { "from": 1, "to": 2, "reason": "system_changed" } }),
        json!({ "epoch": { "from": 1, "to": 2, "reason": "model_switched" } }),
        json!({ "epoch": { "from": 1, "to": 2, "reason": "session_reset" } }),
        json!({ "epoch": { "from": 1, "to": 2, "reason": "refused_left_out" } }),
        json!({ "epoch": { "from": 1, "to": 2, "reason": "prefix_bound" } }),
        json!({ "mask_line": { "before": 7, "trim_before": 0, "all": false } }),
        json!({ "refused": { "from": 4, "partial": "" } }),
        json!({ "cut_by_length": { "partial": "x" } }),
        json!({ "cancelled": { "reason": "stop_all", "partial": "" } }),
        json!("resumed"),
        json!("flushed"),
    ] {
        check(line("marker", "system", json!({ "marker": marker })));
    }
}

#[test]
fn wp_01_wp_02_wp_03_a_reply_keeps_its_providers_form() {
    let blocks = json!([
        { "t": "thinking", "s": "", "sig": "c2ln" },
        { "t": "redacted", "data": "AAA=" },
        { "t": "text", "s": "Looking." },
        { "t": "call", "id": "toolu_1", "name": "look", "args_raw": "{\"a\": 1.0e0,", "sig": "Zw==" },
        { "t": "item", "raw": { "type": "reasoning", "encrypted_content": "x" } },
    ]);
    let x = json!({
        "provider": "main", "api": "anthropic_messages", "model": "claude", "base": "https://api.anthropic.com",
        "response_id": "msg_1", "stop": "tool_use", "usage_raw": { "input_tokens": 3 }, "blocks": blocks,
    });
    let calls =
        json!([{ "id": "toolu_1", "type": "function", "function": { "name": "look", "arguments": "{\"a\": 1.0e0," } }]);
    let reply = line("assistant", "assistant", json!({ "content": "Looking.", "tool_calls": calls, "x": x }));
    assert_eq!(copied(&reply), reply);
    let loaded = Transcript::load(&reply.to_string()).transcript;
    assert_eq!(loaded.entries()[0].sidecar.as_ref().unwrap().blocks.len(), 5);
}

#[test]
fn wp_06_what_a_newer_version_wrote_is_written_back() {
    let check = |line: serde_json::Value| assert_eq!(copied(&line), line);
    check(line("user", "user", json!({ "content": "hello", "mood": { "calm": 0.5 } })));
    let x = json!({
        "provider": "p", "api": "chat_completions", "model": "m", "base": "b", "stop": "end", "usage_raw": {},
        "blocks": [], "region": "eu",
    });
    check(line("assistant", "assistant", json!({ "content": "hi", "x": x })));
    check(line("assistant", "assistant", json!({ "content": "hi", "x": { "api": "telepathy", "blocks": [1] } })));
}

#[test]
fn k_01_a_line_keeps_the_turn_that_wrote_it() {
    let line = r#"{"id":0,"epoch":0,"at_ms":1,"kind":"user","role":"user","origin":"system","trust":"typed","content":"x","turn":"turn-1"}"#;
    let loaded = Transcript::load(line);
    assert_eq!(loaded.skipped, 0);
    let again = EntryLine::from(loaded.transcript.entries()[0].clone());
    assert_eq!((again.turn.as_ref().map(TurnId::as_str), again.unknown.is_empty()), (Some("turn-1"), true));
    assert_eq!(serde_json::to_string(&again).unwrap(), line);
}
