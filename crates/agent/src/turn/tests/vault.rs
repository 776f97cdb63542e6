//! The reader of notes: old results cleared, one round of searches, an answer, and the next prefix read ahead.

use super::presets::language;
use super::*;
use crate::Preset;
use llm::PrefixBound;

/// A vault that has searched three times.
fn searched() -> TurnSetup {
    let found = "x".repeat(200);
    let rounds = (0..3).map(|round| format!("user q\ncall c{round}\nresult c{round} \"{found}\"\nreply done\n"));
    let transcript = crate::testing::transcript(&rounds.collect::<String>());
    TurnSetup { caps: language(), transcript, ..setup(Policy::preset(Preset::Vault), Mode::Assist) }
}

fn two_searches() -> Input {
    calls(&[("a", "list_robots", "{}"), ("b", "list_world_state", r#"{"prefix":"door"}"#)])
}

#[test]
fn d_01_d_11_old_results_are_cleared_before_anything_is_gathered_and_the_next_prefix_is_read_last() {
    let inputs = vec![
        (0, start("go")),
        (10, Input::Context(vec![crate::testing::text("found")])),
        (20, calls(&[("a", "list_robots", "{}")])),
        (30, done("a", "{}")),
        (40, says("Found it.")),
    ];
    let played = play(&mut Turn::new(searched()), inputs);
    let of_turn: String =
        played.lines().filter(|line| !line.starts_with('c')).map(|line| format!("{line}\n")).collect();
    expect![[r#"
        Append 12; Emit TurnStarted; Wake 600000; Append 13; Emit EpochChanged 0-1 MaskMoved; Append 14; Prefetch "go"
        Append 15; Emit Context 15; Call
        Append 16; Emit CallStarted a; Run a; Wake 30020
        Append 17; Emit CallEnded a 10 ms; Emit Nudge [Answer now] These searches were made already:
        - look: {}
        - look: {}
        - look: {}
        - list_robots: {}
        Answer from their results. Search again only for a topic that none of them is about.; Call no calls nudged
        Append 18; Emit TextDelta "Found it."; Emit Delivered 18 "Found it."; Emit TurnEnded Answered after 2 calls; Warm; End Answered
        a = {}
    "#]].assert_eq(&of_turn);
}

#[test]
fn d_04_the_calls_of_a_reply_run_together_and_the_directive_stands_before_the_next_call() {
    let inputs =
        vec![(10, Input::Context(Vec::new())), (20, two_searches()), (30, done("b", "{}")), (40, done("a", "{}"))];
    let mut turn = Turn::new(TurnSetup { transcript: Transcript::default(), ..searched() });
    turn.step(start("go"), at(0));
    expect![[r#"
        Call
        Append 1; Emit CallStarted a; Emit CallStarted b; Run a b; Wake 30020
        Emit CallEnded b 10 ms
        Append 2; Append 3; Emit CallEnded a 20 ms; Emit Nudge [Answer now] These searches were made already:
        - list_robots: {}
        - list_world_state: {"prefix":"door"}
        Answer from their results. Search again only for a topic that none of them is about.; Call no calls nudged
        a = {}
        b = {}
    "#]]
    .assert_eq(&play(&mut turn, inputs));
}

/// Presence of the directive in the requests of a turn and of the one after it, and on disk.
fn check_directive(bound: PrefixBound, in_requests: &[bool], is_kept: bool) {
    let mut setup = TurnSetup { transcript: Transcript::default(), ..searched() };
    setup.caps.prefix_bound = bound;
    let mut turn = Turn::new(setup.clone());
    let first = vec![
        start("go"),
        Input::Context(Vec::new()),
        two_searches(),
        done("a", "{}"),
        done("b", "{}"),
        says("Found it."),
    ];
    let mut seen = requests(&mut turn, first);
    let mut next = Turn::new(TurnSetup { transcript: turn.into_transcript(), ..setup });
    seen.extend(requests(&mut next, vec![start("and the gate?"), Input::Context(Vec::new())]));
    let in_request = |request: &Request| words(request).contains("[Answer now]");
    assert_eq!(seen.iter().map(in_request).collect::<Vec<_>>(), in_requests, "{bound:?}");
    let line = |entry: &Entry| serde_json::to_string(entry).unwrap();
    let on_disk = next.transcript().entries().iter().any(|entry| line(entry).contains("[Answer now]"));
    assert_eq!(on_disk, is_kept, "{bound:?}");
}

#[test]
fn d_08_the_directive_is_gone_after_the_reply_unless_thinking_is_bound_to_it() {
    check_directive(PrefixBound::No, &[false, true, false], false);
    check_directive(PrefixBound::Rejects, &[false, true, true], true);
}

#[test]
fn d_13_s_40_before_anybody_speaks_a_server_can_read_system_and_tools() {
    let setup = TurnSetup { transcript: Transcript::default(), ..searched() };
    let warmed = Turn::new(setup.clone()).warm().unwrap();
    assert_eq!((warmed.transient_from, warmed.messages.len(), warmed.output_max), (Some(0), 1, 1));
    let asked = requests(&mut Turn::new(setup), vec![start("go"), Input::Context(Vec::new())]);
    assert_eq!((&warmed.system, &warmed.tools), (&asked[0].system, &asked[0].tools));
    assert_eq!(crate::first_difference(&warmed, &asked[0]), None, "what was read is the beginning of what is asked");
}
