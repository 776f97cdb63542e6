//! Calls of the model that fail, money that runs out, room that runs out.

use super::presets::{language, play_preset, side};
use super::*;
use crate::{Bill, MeterName, Preset};
use llm::{ModelError, ModelErrorKind};

fn fails(kind: ModelErrorKind) -> Input {
    Input::ModelFailed { purpose: Purpose::Main, error: ModelError::own(kind, "the provider says no") }
}

fn check(preset: Preset, inputs: Vec<(u64, Input)>, expected: Expect) {
    let even = |setup: &mut TurnSetup| setup.policy.retry.jitter = crate::Ratio::percent(0);
    play_preset(preset, "go", even, inputs, expected);
}

fn text(words: &str) -> Input {
    Input::Delta(Delta::Text(words.into()))
}

#[test]
fn l_28_a_failed_call_is_made_again_after_a_while_and_what_was_said_is_void() {
    let inputs = vec![
        (10, text("Half")),
        (20, fails(ModelErrorKind::Transport)),
        (21, text("late")),
        (1_019, Input::Tick),
        (1_020, Input::Tick),
        (1_030, fails(ModelErrorKind::Overloaded)),
        (3_030, Input::Tick),
        (3_040, says("Fine.")),
    ];
    check(
        Preset::Operator,
        inputs,
        expect![[r#"
        Emit TextDelta "Half"
        Emit Restart in 1000 ms; Wake 1020
        Emit Ignored delta

        Call
        Emit Restart in 2000 ms; Wake 3030
        Call
        Append 1; Emit Delivered 1 "Fine."; Emit TurnEnded Answered after 3 calls; End Answered
    "#]],
    );
}

#[test]
fn h_14_l_28_what_cannot_pass_ends_the_turn_at_once() {
    for kind in [ModelErrorKind::Auth, ModelErrorKind::Quota, ModelErrorKind::BadRequest] {
        let expected = "Emit ModelFailed \"the provider says no\"; Emit TurnEnded Failed(Model) after 1 calls; End Failed(Model)\n";
        let mut turn = Turn::new(TurnSetup { caps: language(), ..setup(Policy::operator(), Mode::Ask) });
        turn.step(start("go"), at(0));
        turn.step(Input::Context(Vec::new()), at(0));
        assert_eq!(play(&mut turn, vec![(10, fails(kind))]), expected, "{kind:?}");
    }
    let waits = ModelError { retry_after_ms: Some(61_000), ..ModelError::own(ModelErrorKind::RateLimit, "slow down") };
    let failed = Input::ModelFailed { purpose: Purpose::Main, error: waits };
    check(
        Preset::Operator,
        vec![(10, failed)],
        expect![[r#"
        Emit ModelFailed "slow down; it asks to wait 61 s"; Emit TurnEnded Failed(Model) after 1 calls; End Failed(Model)
    "#]],
    );
}

#[test]
fn t_28_a_chat_falls_back_after_one_retry() {
    let inputs =
        vec![(10, fails(ModelErrorKind::Overloaded)), (1_010, Input::Tick), (1_020, fails(ModelErrorKind::Overloaded))];
    check(
        Preset::Chat,
        inputs,
        expect![[r#"
        Emit Restart in 1000 ms; Wake 1010
        Call no tools
        Emit ModelFailed "the provider says no"; Append 1; Emit Delivered 1 "I ran the tools above but have no words for the result. Please look at what they gave."; Emit TurnEnded Fallback after 2 calls; End Fallback
    "#]],
    );
}

#[test]
fn l_22_a_refusal_ends_the_turn_and_the_exchange_leaves_later_views() {
    let refuses = reply(&[ReplyBlock::Text("I cannot".into())], Stop::Refusal);
    check(
        Preset::Operator,
        vec![(10, refuses)],
        expect![[r#"
        Append 1; Append 2; Emit EpochChanged 0-1 RefusedLeftOut; Emit TurnEnded Refused after 1 calls; End Refused
    "#]],
    );
    check(
        Preset::Operator,
        vec![(10, fails(ModelErrorKind::Refused))],
        expect![[r#"
        Append 1; Append 2; Emit EpochChanged 0-1 RefusedLeftOut; Emit TurnEnded Refused after 1 calls; End Refused
    "#]],
    );
}

#[test]
fn l_22_a_pause_is_sent_back_unchanged_and_counts_as_a_step() {
    let pauses = reply(&[ReplyBlock::Text("Searching".into())], Stop::Pause);
    check(
        Preset::Operator,
        vec![(10, pauses), (20, says("Found."))],
        expect![[r#"
        Append 1; Call
        Append 2; Emit Delivered 2 "Found."; Emit TurnEnded Answered after 2 calls; End Answered
    "#]],
    );
}

#[test]
fn e_03_thinking_that_no_longer_fits_is_given_up_once() {
    let inputs = vec![(10, fails(ModelErrorKind::PrefixBound)), (20, fails(ModelErrorKind::PrefixBound))];
    check(
        Preset::Operator,
        inputs,
        expect![[r#"
        Append 1; Emit EpochChanged 0-1 PrefixBound; Call
        Emit ModelFailed "the provider says no"; Emit TurnEnded Failed(Model) after 2 calls; End Failed(Model)
    "#]],
    );
}

fn ended(effect: Effect) -> Option<Outcome> {
    let Effect::End(outcome) = effect else { return None };
    Some(outcome)
}

fn bills(spent: u64) -> Input {
    Input::Billed(Bills { day: Bill { spent, limit: Some(10_000_000) }, ..Bills::default() })
}

#[test]
fn k_03_k_04_a_spent_budget_warns_then_pauses_the_turn() {
    let read = |id| calls(&[(id, "list_robots", "{}")]);
    let inputs = vec![
        (10, bills(8_000_000)),
        (10, read("a")),
        (20, done("a", "{}")),
        (30, bills(10_000_000)),
        (30, read("b")),
        (40, done("b", "{}")),
    ];
    check(
        Preset::Operator,
        inputs,
        expect![[r#"

        Append 1; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Emit Warn Day 8000000/10000000; Emit Nudge [Budget] Come to an answer: 80 % of the day's budget is spent.; Call nudged

        Append 3; Emit CallStarted b; Run b; Wake 30030
        Append 4; Emit CallEnded b 10 ms; Emit TurnEnded Paused(Day) after 2 calls; End Paused(Day)
        a = {}
        b = {}
    "#]],
    );
}

#[test]
fn k_04_nothing_is_called_on_a_spent_budget_and_the_interpreter_is_free() {
    let spent = Bills { mission: Some(Bill { spent: 5, limit: Some(5) }), ..Bills::default() };
    let mut setup = setup(Policy::operator(), Mode::Ask);
    setup.bills = spent;
    let outcome = |setup: TurnSetup| {
        let mut turn = Turn::new(setup);
        turn.step(start("hi"), at(0));
        turn.step(Input::Context(Vec::new()), at(0)).into_iter().find_map(ended)
    };
    assert_eq!(outcome(setup.clone()), None);
    setup.caps = language();
    assert_eq!(outcome(setup), Some(Outcome::Paused(MeterName::Mission)));
}

#[test]
fn k_02_the_sum_of_all_calls_is_told_side_calls_and_failures_included() {
    let used = |count: u64| Usage { in_fresh: count, out: 1, ..Usage::default() };
    let mut turn = Turn::new(TurnSetup { caps: language(), ..setup(Policy::operator(), Mode::Ask) });
    turn.step(start("it was a long day at the warehouse today"), at(0));
    turn.step(Input::Context(Vec::new()), at(0));
    let reply = |words: &str, count| Reply {
        blocks: vec![ReplyBlock::Text(words.into())],
        stop: Stop::End,
        usage: used(count),
        sidecar: None,
    };
    turn.step(Input::ModelDone { purpose: Purpose::Router, reply: reply("CHAT", 5) }, at(1));
    let error = ModelError { usage: Some(used(7)), ..ModelError::own(ModelErrorKind::Transport, "gone") };
    turn.step(Input::ModelFailed { purpose: Purpose::Main, error }, at(2));
    turn.step(Input::Tick, at(5_000));
    // A tool has had something read.
    turn.step(Input::ModelDone { purpose: Purpose::Reader, reply: reply("", 2) }, at(5_005));
    let effects = turn.step(Input::ModelDone { purpose: Purpose::Main, reply: reply("Rest well.", 11) }, at(5_010));
    let told = effects.into_iter().find_map(|effect| {
        let Effect::Emit(Event::TurnEnded { usage, .. }) = effect else { return None };
        Some(usage)
    });
    assert_eq!(told, Some(Usage { in_fresh: 25, out: 4, ..Usage::default() }));
}

/// A conversation with results of `chars` characters behind it.
fn long(setup: &mut TurnSetup, rounds: usize, chars: usize) {
    let result = "x".repeat(chars);
    let rounds = (0..rounds).map(|round| format!("user q\ncall c{round}\nresult c{round} \"{result}\"\nreply done\n"));
    setup.transcript = crate::testing::transcript(&rounds.collect::<String>());
}

fn play_long(preset: Preset, (rounds, chars): (usize, usize), inputs: Vec<(u64, Input)>, expected: Expect) {
    let mut setup = TurnSetup { caps: language(), ..setup(Policy::preset(preset), Mode::Assist) };
    setup.caps.window = 20_000;
    long(&mut setup, rounds, chars);
    let mut turn = Turn::new(setup);
    let first = [(0, start("go")), (0, Input::Context(Vec::new()))];
    let played = play(&mut turn, first.into_iter().chain(inputs).collect());
    let short: String = played.lines().filter(|line| !line.starts_with('c')).map(|line| format!("{line}\n")).collect();
    expected.assert_eq(&short);
}

#[test]
fn l_20_s_15_s_16_facts_are_saved_and_old_messages_summarised_at_the_start_of_a_turn() {
    let facts = r#"[{"title":"dock","text":"It is in the hall."}]"#;
    let inputs = vec![
        (10, side(Purpose::Flush, facts)),
        (20, done("flush-54-0", "{}")),
        (30, side(Purpose::Summary, "## Goal\nDrive the rover to the dock and back again.")),
        (40, says("Fine.")),
    ];
    play_long(
        Preset::Operator,
        (13, 5_000),
        inputs,
        expect![[r#"
            Append 52; Emit TurnStarted; Emit Routed Reflex Chat; Wake 600000; Prefetch "go"
            Call Flush
            Append 53; Run flush-54-0; Call Summary

            Append 54; Emit EpochChanged 0-1 Compaction; Append 55; Emit Compacted; Call
            Append 56; Emit Delivered 56 "Fine."; Emit TurnEnded Answered after 1 calls; End Answered
        "#]],
    );
}

#[test]
fn l_31_an_overflow_is_answered_by_ever_greater_loss() {
    let overflow = || fails(ModelErrorKind::Overflow);
    let inputs =
        vec![(10, overflow()), (20, overflow()), (30, side(Purpose::Summary, "")), (40, overflow()), (50, overflow())];
    play_long(
        Preset::Operator,
        (30, 700),
        inputs,
        expect![[r#"
            Append 120; Emit TurnStarted; Emit Routed Reflex Chat; Wake 600000; Prefetch "go"
            Call
            Append 121; Emit EpochChanged 0-1 MaskMoved; Append 122; Call
            Call Summary
            Append 123; Emit EpochChanged 1-2 Compaction; Append 124; Emit Compacted; Call
            Append 125; Emit EpochChanged 2-3 SessionReset; Append 126; Call
            Emit ModelFailed "the provider says no"; Append 127; Emit Delivered 127 "[Agent did not produce a final response]"; Emit TurnEnded Partial(Overflow) after 4 calls; End Partial(Overflow)
        "#]],
    );
}

#[test]
fn t_26_s_43_a_chat_starts_anew_once() {
    let inputs = vec![(10, fails(ModelErrorKind::Overflow)), (20, fails(ModelErrorKind::Overflow))];
    play_long(
        Preset::Chat,
        (2, 40),
        inputs,
        expect![[r#"
        Append 8; Emit TurnStarted; Wake 600000; Prefetch "go"
        Call no tools
        Append 9; Emit EpochChanged 0-1 SessionReset; Append 10; Call no tools
        Emit ModelFailed "the provider says no"; Append 11; Emit Delivered 11 "I ran the tools above but have no words for the result. Please look at what they gave."; Emit TurnEnded Fallback after 2 calls; End Fallback
    "#]],
    );
}

#[test]
fn h_07_measured_input_at_the_limit_makes_the_next_call_the_last() {
    let full = Reply {
        blocks: vec![ReplyBlock::Call { id: CallId("a".into()), name: "list_robots".into(), args_raw: "{}".into() }],
        stop: Stop::ToolUse,
        usage: Usage { in_fresh: 100_000, ..Usage::default() },
        sidecar: None,
    };
    let inputs = vec![
        (10, Input::ModelDone { purpose: Purpose::Main, reply: full }),
        (20, done("a", "{}")),
        (30, says("So far it is idle.")),
    ];
    check(
        Preset::Investigator,
        inputs,
        expect![[r#"
        Append 1; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Emit Nudge [Budget] This is the last call of the turn. Answer now; no more calls are run.; Call no calls nudged
        Append 3; Emit Delivered 3 "So far it is idle."; Emit TurnEnded Answered after 2 calls; End Answered
        a = {}
    "#]],
    );
}

fn side_fails(purpose: Purpose, kind: ModelErrorKind) -> Input {
    Input::ModelFailed { purpose, error: ModelError::own(kind, "the side model says no") }
}

/// The purposes of all calls of a turn after thirteen rounds with results of `chars` characters, and its summaries.
fn relieved(chars: usize, inputs: Vec<(u64, Input)>) -> (Vec<Purpose>, Vec<String>) {
    let mut setup = TurnSetup { caps: language(), ..setup(Policy::operator(), Mode::Assist) };
    setup.caps.window = 20_000;
    long(&mut setup, 13, chars);
    let mut turn = Turn::new(setup);
    let first = [(0, start("go")), (0, Input::Context(Vec::new()))];
    let effects = first.into_iter().chain(inputs).flat_map(|(ms, input)| turn.step(input, at(ms)));
    let purposes = effects.filter_map(|effect| {
        let Effect::Call { purpose, .. } = effect else { return None };
        Some(purpose)
    });
    let purposes = purposes.collect();
    let summaries = turn.transcript().entries().iter().filter(|entry| matches!(entry.kind, EntryKind::Summary(_)));
    let text = |entry: &Entry| entry.blocks.iter().map(|block| format!("{block:?}")).collect::<String>();
    (purposes, summaries.map(text).collect())
}

#[test]
fn l_20_l_28_a_side_call_that_makes_room_is_made_again_like_any_other() {
    let inputs = vec![
        (10, side_fails(Purpose::Flush, ModelErrorKind::RateLimit)),
        (20_000, Input::Tick),
        (20_010, side(Purpose::Flush, "[]")),
        (20_020, side_fails(Purpose::Summary, ModelErrorKind::Overloaded)),
        (40_000, Input::Tick),
        (40_010, side(Purpose::Summary, "## Goal\nDrive the rover to the dock and back again.")),
    ];
    let (purposes, summaries) = relieved(5_000, inputs);
    assert_eq!(purposes, [Purpose::Flush, Purpose::Flush, Purpose::Summary, Purpose::Summary, Purpose::Main]);
    assert!(matches!(summaries.as_slice(), [text] if text.contains("Drive the rover")), "{summaries:?}");
}

#[test]
fn l_20_without_a_summary_the_conversation_stays_while_it_has_room() {
    let check = |chars: usize, no_summary: Input, stubs: usize| {
        let inputs = vec![(10, side(Purpose::Flush, "[]")), (20, no_summary)];
        let (purposes, summaries) = relieved(chars, inputs);
        assert_eq!(purposes, [Purpose::Flush, Purpose::Summary, Purpose::Main], "{chars}");
        assert_eq!(summaries.len(), stubs, "{chars}: {summaries:?}");
    };
    check(4_200, side_fails(Purpose::Summary, ModelErrorKind::Auth), 0);
    check(4_200, side(Purpose::Summary, "No."), 0);
    check(5_000, side_fails(Purpose::Summary, ModelErrorKind::Auth), 1);
}
