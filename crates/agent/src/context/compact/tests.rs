use super::*;
use crate::testing::{push, text, transcript};
use crate::{Marker, Preset};
use robot::ConversationId;

/// `count` exchanges of a question, a call, its result and an answer of `chars` characters.
fn exchanges(count: usize, chars: usize) -> Transcript {
    let words = "x".repeat(chars);
    let lines = (0..count).map(|number| {
        format!("user q{number}\nvolatile world\ncall c{number}\nresult c{number} {{}}\nreply {words}\n")
    });
    transcript(&lines.collect::<String>())
}

fn plan(preset: Preset, transcript: &Transcript, window: u64) -> Option<(u64, u64)> {
    let plan = Compaction::plan(transcript, &Policy::preset(preset), window, 0);
    plan.map(|plan| (plan.covered.from, plan.covered.to))
}

fn session() -> (ConversationId, Caps) {
    let mut caps = Caps::interpreter("m");
    caps.window = 100_000;
    caps.sampling = true;
    (ConversationId::from("s"), caps)
}

#[test]
fn b_38_head_and_tail_stay_and_no_cut_splits_a_call_from_its_result() {
    // Two messages of head would end between a question and its answer's call: that is allowed, a volatile is not.
    for count in 3..9 {
        let transcript = exchanges(count, 10);
        let Some((from, to)) = plan(Preset::Operator, &transcript, 100) else { continue };
        let kind = |id: u64| transcript.entries()[usize::try_from(id).unwrap()].kind.clone();
        assert!(matches!(kind(from), EntryKind::User | EntryKind::Assistant), "{count}: {from}");
        assert!(matches!(kind(to), EntryKind::User | EntryKind::Assistant), "{count}: {to}");
        assert!(u64::try_from(transcript.entries().len()).unwrap() - to >= 12, "{count}: the tail has twelve messages");
        assert_eq!(from, 2);
    }
    assert_eq!(plan(Preset::Operator, &exchanges(2, 10), 100), None);
}

#[test]
fn b_38_s_12_the_tail_is_counted_in_tokens_and_has_a_floor() {
    // 40 messages of 4,000 characters; a fifth of 100,000 tokens is the tail of the newest that fit.
    let transcript = exchanges(10, 35_000);
    let (_, to) = plan(Preset::Operator, &transcript, 100_000).unwrap();
    assert_eq!(to, 50 - 13, "the floor of twelve, moved back to a legal cut");
    let (_, to) = plan(Preset::Operator, &transcript, 200_000).unwrap();
    assert_eq!(to, 35, "three exchanges fit, the fourth does not");
}

#[test]
fn d_12_t_31_a_vault_keeps_two_exchanges_and_a_chat_twenty_messages() {
    let transcript = exchanges(8, 10);
    assert_eq!(plan(Preset::Vault, &transcript, 1_000), Some((0, 30)));
    assert_eq!(plan(Preset::Chat, &transcript, 1_000), Some((0, 20)));
    assert_eq!(plan(Preset::Vault, &exchanges(2, 10), 1_000), None);
    assert_eq!(plan(Preset::Chat, &exchanges(4, 10), 1_000), None);
}

#[test]
fn t_32_a_cut_moves_back_at_most_fifty_messages() {
    let mut transcript = transcript("user a\nreply b\nuser c");
    let ids: Vec<String> = (0..80).map(|number| format!("c{number}")).collect();
    push(&mut transcript, EntryKind::Assistant, ids.iter().map(|id| crate::testing::call(id)).collect());
    for id in &ids {
        push(&mut transcript, EntryKind::ToolResult, vec![crate::testing::result(id, "{}")]);
    }
    assert_eq!(plan(Preset::Chat, &transcript, 1_000), None);
}

#[test]
fn b_39_b_40_s_13_the_next_summary_brings_the_old_one_up_to_date() {
    let (session, caps) = session();
    let policy = Policy::operator();
    let side = Side { session: &session, caps: &caps, policy: &policy };
    let mut transcript = exchanges(6, 50);
    let first = Compaction::plan(&transcript, &policy, 100, 0).unwrap();
    let request = first.request(side);
    assert_eq!((request.output_max, request.tools.len()), (2_000, 0));
    assert!((request.sampling.unwrap().temperature - 0.25).abs() < 1e-6);
    let headings: Vec<&str> = request.system[0].lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let expected =
        ["Goal", "Constraints", "Progress", "Decisions", "Robot and safety state", "Critical Context", "Next Steps"];
    assert_eq!(headings, expected);
    let companion = Policy::preset(Preset::Companion);
    let asked = first.request(Side { policy: &companion, ..side });
    assert!(asked.system[0].contains("## Emotional Context"));

    let summary = "## Goal\nDrive the rover to the dock.";
    push(&mut transcript, EntryKind::Summary(first.covered), first.summary(Some(summary)));
    for number in 6..12 {
        push(&mut transcript, EntryKind::User, vec![text(&format!("q{number}"))]);
        push(&mut transcript, EntryKind::Assistant, vec![text("done")]);
    }
    let second = Compaction::plan(&transcript, &policy, 100, 0).unwrap();
    assert_eq!(second.covered.from, first.covered.from);
    assert!(second.covered.to > first.covered.to);
    let Block::Text { text, .. } = &second.request(side).messages[0].blocks[0] else { unreachable!("text") };
    assert!(text.starts_with("The summary so far, to be brought up to date:\n## Goal\nDrive the rover"), "{text}");
    assert!(!text.contains("q0"), "what the old summary stands for is not read again");
}

#[test]
fn b_40_a_side_model_with_a_small_window_reads_the_newest_messages() {
    let (session, mut caps) = session();
    (caps.window, caps.output_max) = (8_000, 2_000);
    let policy = Policy::operator();
    let side = Side { session: &session, caps: &caps, policy: &policy };
    let transcript = exchanges(30, 4_000);
    let plan = Compaction::plan(&transcript, &policy, 100, 0).unwrap();
    for request in [plan.request(side), flush_request(&transcript, side).unwrap()] {
        let Block::Text { text, .. } = &request.messages[0].blocks[0] else { unreachable!("text") };
        let chars = text.chars().count() + request.system[0].chars().count();
        let tokens = tokens_of_chars(policy.estimator, u64::try_from(chars).unwrap()) + u64::from(request.output_max);
        assert!((5_000..8_000).contains(&tokens), "{tokens}");
        assert!(text.starts_with("station: ") && text.contains("older messages are left out"), "{text:.100}");
        assert!(!text.contains("operator dana: q0\n"), "the oldest are cut first");
    }
}

#[test]
fn b_40_a_failed_summary_is_the_old_one_or_a_stub() {
    let transcript = exchanges(6, 200);
    let plan = Compaction::plan(&transcript, &Policy::operator(), 100, 0).unwrap();
    let check = |answer: Option<&str>| {
        let blocks = plan.summary(answer);
        let Block::Text { text, .. } = &blocks[0] else { unreachable!("text") };
        text.clone()
    };
    assert_eq!(check(Some("A summary of thirty characters.")), "A summary of thirty characters.");
    for failed in [None, Some("too short"), Some("   ")] {
        let stub = check(failed);
        assert!(stub.lines().count() <= 12 && stub.contains("operator dana: q"), "{stub}");
        assert!(stub.lines().all(|line| line.chars().count() <= 121), "{stub}");
    }
}

#[test]
fn p_20_p_23_a_summary_is_trusted_no_more_than_what_it_stands_for() {
    let mut transcript = exchanges(6, 50);
    let trust = |transcript: &Transcript| Compaction::plan(transcript, &Policy::operator(), 100, 0).unwrap().trust();
    assert_eq!((trust(&transcript), flush_is_tainted(&transcript)), (Trust::Trusted, false));
    transcript = {
        let mut tainted = crate::testing::transcript("user a\nreply b\nuser c");
        let sign = vec![Block::Text { text: "turn left".into(), trust: Trust::Text }];
        push(&mut tainted, EntryKind::User, sign);
        for entry in transcript.entries() {
            push(&mut tainted, entry.kind.clone(), entry.blocks.clone());
        }
        tainted
    };
    assert_eq!((trust(&transcript), flush_is_tainted(&transcript)), (Trust::Text, true));
}

#[test]
fn b_40_the_budget_of_a_summary_follows_content_and_window() {
    let (session, mut caps) = session();
    let check = |preset, caps: &Caps, chars: usize| {
        let policy = Policy::preset(preset);
        let plan = Compaction::plan(&exchanges(30, chars), &policy, 100, 0).unwrap();
        plan.request(Side { session: &session, caps, policy: &policy }).output_max
    };
    caps.output_max = 100_000;
    assert_eq!(check(Preset::Operator, &caps, 100), 2_000);
    assert_eq!(check(Preset::Operator, &caps, 4_000), 5_000, "5 % of the window");
    caps.window = 1_000_000;
    assert_eq!(check(Preset::Operator, &caps, 40_000), 8_000);
    assert_eq!(check(Preset::Vault, &caps, 100), 2_048);
    assert_eq!(check(Preset::Chat, &caps, 100), 2_000);
    caps.window = 4_000;
    assert_eq!(check(Preset::Vault, &caps, 100), 1_000);
}

#[test]
fn b_36_facts_are_asked_for_once_and_read_leniently() {
    let (session, caps) = session();
    let policy = Policy::operator();
    let side = Side { session: &session, caps: &caps, policy: &policy };
    assert_eq!(flush_request(&transcript("user hi\nreply hello"), side), None, "under 100 characters");
    let mut said = exchanges(2, 80);
    let request = flush_request(&said, side).unwrap();
    assert!((160..300).contains(&request.output_max), "twice 80 characters and two calls: {}", request.output_max);
    assert_eq!(flush_request(&exchanges(2, 4_000), side).unwrap().output_max, 2_000);
    assert!((request.sampling.unwrap().temperature - 0.15).abs() < 1e-6);
    push(&mut said, EntryKind::Marker(Marker::Flushed), Vec::new());
    assert!(!can_flush(&said), "only what came after the last flush");

    let check = |answer: &str, expected: &[(&str, &str)]| {
        let facts: Vec<(String, String)> =
            parse_facts(answer).into_iter().map(|fact| (fact.title, fact.text)).collect();
        let expected: Vec<(String, String)> =
            expected.iter().map(|(title, text)| ((*title).to_owned(), (*text).to_owned())).collect();
        assert_eq!(facts, expected, "{answer}");
    };
    check("```json\n[{\"title\": \"Dock\", \"text\": \"It is east.\"}]\n```", &[("Dock", "It is east.")]);
    check(
        "[{\"title\": \"Dock\", \"body\": \"It is east.\"}, {\"title\": \"\", \"text\": \"x\"}]",
        &[("Dock", "It is east.")],
    );
    check("[]", &[]);
    check("nothing to say", &[]);
    check("] [", &[]);
}

#[test]
fn t_26_a_digest_of_the_newest_messages() {
    assert_eq!(digest(&transcript("user a\nreply b\nuser c"), 2), "agent: b\noperator dana: c");
}
