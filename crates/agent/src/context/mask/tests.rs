use llm::CallId;
use robot::Trust;

use super::*;
use crate::testing::{push, transcript};
use crate::{EpochReason, Preset};

/// One turn of `count` calls, each with a result of `chars` characters; those in `failed` are errors.
fn calls(count: usize, chars: usize, failed: &[usize]) -> Transcript {
    let mut transcript = transcript("user look around");
    for number in 0..count {
        let id = CallId(format!("c{number}"));
        let args_raw = format!("{{\"query\":\"q{number}\"}}");
        push(
            &mut transcript,
            EntryKind::Assistant,
            vec![Block::Call { id: id.clone(), name: "vault_search".into(), args_raw }],
        );
        let is_error = failed.contains(&number);
        let json = if is_error {
            json!({ "code": "not_found", "message": "no such file", "more": "x".repeat(chars) })
        } else {
            json!({ "text": "x".repeat(chars) })
        };
        let block = Block::Result { call: id, json: json.to_string(), is_error, trust: Trust::Text };
        push(&mut transcript, EntryKind::ToolResult, vec![block]);
    }
    transcript
}

/// Moves the line as `preset` does and compares the notes in place of the results.
fn check(preset: Preset, transcript: &Transcript, expected: &[&str]) {
    let policy = Policy::preset(preset);
    let mut transcript = transcript.clone();
    if let Some(MaskMove { marker, frees_tokens }) = mask_move(&transcript, &policy, &BTreeSet::new()) {
        assert!(frees_tokens > 0);
        push(&mut transcript, EntryKind::Marker(marker), Vec::new());
        assert_eq!(mask_move(&transcript, &policy, &BTreeSet::new()), None, "a line that has moved is there");
    }
    assert_eq!(notes(&transcript, &policy), expected, "{preset:?}");
}

fn notes(transcript: &Transcript, policy: &Policy) -> Vec<String> {
    let shown = VisibleEntries::of(transcript);
    let calls = shown.calls();
    let notes = shown.results().map(|entry| {
        let Some(Block::Result { call, .. }) = entry.blocks.first() else { unreachable!("a result") };
        let (name, args) = calls[call];
        let block = masked(entry, Answered { name, args_raw: args }, shown.mask, policy, &BTreeSet::new());
        let Some(Block::Result { json, is_error, .. }) = block else { unreachable!("a result") };
        let value: Value = serde_json::from_str(&json).unwrap();
        match value["cleared"].as_str() {
            Some(note) => note.to_owned(),
            None if is_error => "error".to_owned(),
            None if value["cut"] == true => "cut".to_owned(),
            None => "whole".to_owned(),
        }
    });
    notes.collect()
}

#[test]
fn b_37_a_companion_clears_long_results_older_than_thirty_six() {
    let cleared = "[Old tool output cleared to save context space]";
    let expected: Vec<&str> = std::iter::repeat_n(cleared, 2).chain(std::iter::repeat_n("whole", 36)).collect();
    check(Preset::Companion, &calls(38, 300, &[]), &expected);
    check(Preset::Companion, &calls(38, 180, &[]), &["whole"; 38]);
    check(Preset::Companion, &calls(36, 300, &[]), &["whole"; 36]);
}

#[test]
fn d_10_s_19_a_vault_keeps_two_results_and_stubs_that_name_the_query() {
    check(
        Preset::Vault,
        &calls(4, 300, &[]),
        &["[VaultSearch result cleared — q0]", "[VaultSearch result cleared — q1]", "whole", "whole"],
    );
    check(Preset::Vault, &calls(2, 300, &[]), &["whole"; 2]);
}

#[test]
fn t_25_s_17_a_chat_keeps_ten_results_and_every_error() {
    let ok = "[Tool: vault_search - OK]";
    let mut expected = vec![ok, "error", ok];
    expected.extend(["whole"; 10]);
    check(Preset::Chat, &calls(13, 300, &[1]), &expected);
    check(Preset::Operator, &calls(13, 300, &[1]), &expected);
    // Newer results of earlier rounds are cut short, the newest is not.
    check(Preset::Chat, &calls(3, 4_100, &[]), &["cut", "cut", "whole"]);
    check(Preset::Investigator, &calls(3, 10, &[]), &["whole"; 3]);
}

#[test]
fn t_25_l_31_after_an_overflow_only_the_newest_wave_is_whole() {
    let policy = Policy::operator();
    let mut transcript = calls(3, 300, &[0]);
    let all = mask_all(&transcript, &policy, &BTreeSet::new()).unwrap();
    push(&mut transcript, EntryKind::Marker(all.marker), Vec::new());
    let expected = ["[Tool: vault_search - ERROR - no such file]", "[Tool: vault_search - OK]", "whole"];
    assert_eq!(notes(&transcript, &policy), expected);
    assert_eq!(mask_all(&transcript, &policy, &BTreeSet::new()), None);
}

#[test]
fn s_19_the_note_says_where_the_whole_result_is() {
    let check = |form, error, spill, expected: &str| {
        assert_eq!(note(form, "list_robots", "{}", error, spill), expected);
    };
    check(MaskText::ToolOkPath, None, Some(3), "[Tool: list_robots - OK] _out/3.txt");
    check(MaskText::ToolOkPath, None, None, "[Tool: list_robots - OK]");
    check(MaskText::ToolOk, Some("{\"error\":\"gone\"}"), Some(3), "[Tool: list_robots - ERROR - gone]");
    check(MaskText::Stub, None, None, "[ListRobots result cleared — {}]");
}

#[test]
fn t_25_data_that_is_worked_with_is_never_cleared() {
    let exempt = BTreeSet::from(["vault_search".to_owned()]);
    assert_eq!(mask_move(&calls(20, 300, &[]), &Policy::preset(Preset::Chat), &exempt), None);
}

#[test]
fn e_03_a_move_begins_an_epoch() {
    let mut transcript = calls(12, 300, &[]);
    let epoch = transcript.next_epoch(7, EpochReason::MaskMoved);
    assert_eq!((epoch.id, epoch.epoch), (transcript.next_id(), 1));
    transcript.push(epoch);
    assert_eq!(transcript.epoch(), 1);
}
