//! Ends, warnings and words of each design, with a language model that does as the script says.

use super::*;
use crate::{FinalCall, Preset};
use llm::{Cache, ModelKind};

/// A language model with room for everything.
pub(super) fn language() -> Caps {
    let mut caps = Caps::interpreter("m");
    caps.kind = ModelKind::Language;
    caps.window = 100_000;
    caps.output_max = 4_096;
    caps
}

/// Plays a turn of `preset` about `text` in the mode that asks for motion only.
pub(super) fn play_preset(
    preset: Preset,
    text: &str,
    change: impl FnOnce(&mut TurnSetup),
    inputs: Vec<(u64, Input)>,
    expected: Expect,
) {
    let mut setup = TurnSetup { caps: language(), ..setup(Policy::preset(preset), Mode::Assist) };
    change(&mut setup);
    let mut turn = Turn::new(setup);
    turn.step(start(text), at(0));
    turn.step(Input::Context(Vec::new()), at(0));
    expected.assert_eq(&play(&mut turn, inputs));
}

fn check(preset: Preset, inputs: Vec<(u64, Input)>, expected: Expect) {
    // A chat chooses its tools by the message, and none for one that says nothing.
    let text = if preset == Preset::Chat { LOOK } else { "go" };
    play_preset(preset, text, |_| {}, inputs, expected);
}

const LOOK: &str = "list the robots and remember them";

/// A side call says this.
pub(super) fn side(purpose: Purpose, words: &str) -> Input {
    let blocks = vec![ReplyBlock::Text(words.into())];
    Input::ModelDone { purpose, reply: Reply { blocks, stop: Stop::End, usage: Usage::default(), sidecar: None } }
}

fn with_calls(calls: u32) -> impl FnOnce(&mut TurnSetup) {
    move |setup| setup.policy.budget.calls = calls
}

fn read(id: &str) -> Input {
    calls(&[(id, "list_robots", "{}")])
}

fn looks(id: &str) -> Input {
    calls(&[(id, "list_world_state", "{}")])
}

fn words_and_read(words: &str, id: &str) -> Input {
    let call = ReplyBlock::Call { id: CallId(id.into()), name: "list_robots".into(), args_raw: "{}".into() };
    reply(&[ReplyBlock::Text(words.into()), call], Stop::ToolUse)
}

#[test]
fn d_05_l_27_one_round_then_forced_text() {
    check(
        Preset::Vault,
        vec![(10, read("a")), (20, done("a", "{}")), (30, says("Found it."))],
        expect![[r#"
        Append 1; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Emit Nudge [Answer now] These searches were made already:
        - list_robots: {}
        Answer from their results. Search again only for a topic that none of them is about.; Call no calls nudged
        Append 3; Emit TextDelta "Found it."; Emit Delivered 3 "Found it."; Emit TurnEnded Answered after 2 calls; Warm; End Answered
        a = {}
    "#]],
    );
}

#[test]
fn d_20_a_final_reply_with_only_calls_is_asked_for_once_more_without_tools() {
    let inputs = vec![(10, read("a")), (20, done("a", "{}")), (30, read("b")), (40, says("Found it."))];
    check(
        Preset::Vault,
        inputs,
        expect![[r#"
        Append 1; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Emit Nudge [Answer now] These searches were made already:
        - list_robots: {}
        Answer from their results. Search again only for a topic that none of them is about.; Call no calls nudged
        Call no calls no tools nudged
        Append 3; Emit TextDelta "Found it."; Emit Delivered 3 "Found it."; Emit TurnEnded Answered after 3 calls; Warm; End Answered
        a = {}
    "#]],
    );
}

#[test]
fn s_06_an_empty_reply_of_a_vault_is_asked_for_once_without_tools() {
    check(
        Preset::Vault,
        vec![(10, says("")), (20, says(""))],
        expect![[r#"
        Call no tools
        Append 1; Emit TextDelta "[Agent did not produce a final response]"; Emit Delivered 1 "[Agent did not produce a final response]"; Emit TurnEnded Partial(Empty) after 2 calls; Warm; End Partial(Empty)
    "#]],
    );
    check(
        Preset::Vault,
        vec![(10, says("")), (20, says("Yes."))],
        expect![[r#"
        Call no tools
        Append 1; Emit TextDelta "Yes."; Emit Delivered 1 "Yes."; Emit TurnEnded Answered after 2 calls; Warm; End Answered
    "#]],
    );
}

#[test]
fn h_08_h_10_h_13_h_14_an_investigator_keeps_its_last_words() {
    let empties = vec![
        (10, words_and_read("The arm is idle.", "a")),
        (20, done("a", "{}")),
        (30, says("")),
        (40, says("")),
        (50, says("")),
    ];
    check(
        Preset::Investigator,
        empties,
        expect![[r#"
        Append 1; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Call
        Emit Nudge [Hint] Your reply was empty. Answer the operator, or call a tool.; Call nudged
        Emit Nudge [Hint] Your reply was empty. Answer the operator, or call a tool.; Call nudged
        Emit Delivered 1 "The arm is idle."; Emit TurnEnded Partial(Empty) after 4 calls; End Partial(Empty)
        a = {}
    "#]],
    );
    check(
        Preset::Investigator,
        vec![(10, says("")), (20, says("")), (30, says(""))],
        expect![[r#"
        Emit Nudge [Hint] Your reply was empty. Answer the operator, or call a tool.; Call nudged
        Emit Nudge [Hint] Your reply was empty. Answer the operator, or call a tool.; Call nudged
        Append 1; Emit Delivered 1 "[Agent did not produce a final response]"; Emit TurnEnded Partial(Empty) after 3 calls; End Partial(Empty)
    "#]],
    );
}

#[test]
fn h_04_h_06_h_14_an_investigator_is_warned_and_its_last_call_has_no_tools() {
    let inputs = vec![
        (10, read("a")),
        (20, done("a", "{}")),
        (30, looks("b")),
        (40, done("b", "{}")),
        (50, read("c")),
        (60, done("c", "{}")),
        (70, looks("d")),
        (80, done("d", "{}")),
        (90, read("e")),
        (95, says("")),
    ];
    play_preset(
        Preset::Investigator,
        "go",
        with_calls(5),
        inputs,
        expect![[r#"
        Append 1; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Call
        Append 3; Emit CallStarted b; Run b; Wake 30030
        Append 4; Emit CallEnded b 10 ms; Call
        Append 5; Emit CallStarted c; Run c; Wake 30050
        Append 6; Emit CallEnded c 10 ms; Emit Warn Calls 4/5; Emit Nudge [Budget] Come to an answer: this is call 4 of 5.; Call nudged
        Append 7; Emit CallStarted d; Run d; Wake 30070
        Append 8; Emit CallEnded d 10 ms; Emit Nudge [Budget] This is the last call of the turn. Answer now; no more calls are run.; Call no calls nudged
        Call no calls no tools nudged
        Append 9; Emit Delivered 9 "[Agent did not produce a final response]"; Emit TurnEnded Forced after 6 calls; End Forced
        a = {}
        b = {}
        c = {}
        d = {}
    "#]],
    );
}

#[test]
fn h_18_b_10_calls_of_a_reply_run_one_by_one_or_together() {
    let two = || calls(&[("a", "list_robots", "{}"), ("b", "remember_note", r#"{"text":"x"}"#)]);
    check(
        Preset::Investigator,
        vec![(10, two()), (20, done("a", "{}"))],
        expect![[r#"
        Append 1; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Emit CallStarted b; Run b; Wake 30020
        a = {}
    "#]],
    );
    check(
        Preset::Companion,
        vec![(10, two()), (20, done("b", "{}"))],
        expect![[r#"
        Append 1; Emit CallStarted a; Emit CallStarted b; Run a b; Wake 30010
        Emit CallEnded b 10 ms
    "#]],
    );
}

#[test]
fn t_33_t_35_a_chat_joins_its_texts_and_has_a_text_when_there_is_none() {
    let joined =
        vec![(10, words_and_read("<think>hm</think>I look.", "a")), (20, done("a", "{}")), (30, says("All idle."))];
    check(
        Preset::Chat,
        joined,
        expect![[r#"
            Append 1; Emit CallStarted a; Run a; Wake 30010
            Append 2; Emit CallEnded a 10 ms; Call
            Append 3; Emit Delivered 3 "I look.\n\nAll idle."; Emit TurnEnded Answered after 2 calls; End Answered
            a = {}
        "#]],
    );
    let wordless = vec![(10, read("a")), (20, done("a", "{}"))];
    play_preset(
        Preset::Chat,
        LOOK,
        with_calls(1),
        wordless,
        expect![[r#"
            Append 1; Emit CallStarted a; Run a; Wake 30010
            Append 2; Emit CallEnded a 10 ms; Append 3; Emit Delivered 3 "I ran the tools above but have no words for the result. Please look at what they gave."; Emit TurnEnded Fallback after 1 calls; End Fallback
            a = {}
        "#]],
    );
    check(
        Preset::Chat,
        vec![(10, says(" "))],
        expect![[r#"
        Append 1; Emit Delivered 1 "I ran the tools above but have no words for the result. Please look at what they gave."; Emit TurnEnded Fallback after 1 calls; End Fallback
    "#]],
    );
}

#[test]
fn t_34_a_tool_that_delivers_leaves_no_reply() {
    let delivers = |setup: &mut TurnSetup| {
        for tool in &mut setup.tools {
            tool.delivers = tool.name == "remember_note";
        }
    };
    let inputs =
        vec![(10, calls(&[("a", "remember_note", r#"{"text":"x"}"#)])), (20, done("a", "{}")), (30, says("Sent."))];
    play_preset(
        Preset::Chat,
        LOOK,
        delivers,
        inputs,
        expect![[r#"
            Append 1; Emit CallStarted a; Run a; Wake 30010
            Append 2; Emit CallEnded a 10 ms; Call
            Append 3; Emit TurnEnded Delivered after 2 calls; End Delivered
            a = {}
        "#]],
    );
}

#[test]
fn b_17_b_29_b_31_a_companion_speaks_by_say_and_is_not_heard_twice() {
    let said = calls(&[("a", "say", r#"{"text":"Hello."}"#), ("b", "end_turn", "{}")]);
    check(
        Preset::Companion,
        vec![(10, said), (20, side(Purpose::JudgeAdequacy, "DONE: fine"))],
        expect![[r#"
            Append 1; Emit Delivered 1 "Hello."; Append 2; Emit CallEnded a 0 ms; Append 3; Emit CallEnded b 0 ms; Call JudgeAdequacy
            Emit TurnEnded Delivered after 1 calls; End Delivered
            a = {}
            b = {"text":"[turn ended]"}
        "#]],
    );
    let then_text = vec![
        (10, calls(&[("a", "say", r#"{"text":"Hello."}"#)])),
        (20, says("Hello there.")),
        (30, side(Purpose::JudgeAdequacy, "DONE: a greeting")),
    ];
    check(
        Preset::Companion,
        then_text,
        expect![[r#"
            Append 1; Emit Delivered 1 "Hello."; Append 2; Emit CallEnded a 0 ms; Emit Nudge [Tools] The results are above. The person has heard: "Hello.".; Append 3; Call
            Append 4; Call JudgeAdequacy
            Emit TurnEnded Delivered after 2 calls; End Delivered
            a = {}
        "#]],
    );
}

#[test]
fn b_17_s_52_a_wait_ends_with_its_time_or_when_somebody_speaks() {
    let wait = || calls(&[("a", "wait", r#"{"seconds":9}"#)]);
    check(
        Preset::Companion,
        vec![(1_000, wait()), (9_999, Input::Tick), (10_000, Input::Tick)],
        expect![[r#"
        Append 1; Wake 10000

        Append 2; Emit CallEnded a 9000 ms; Emit Nudge [Tools] The results are above.; Append 3; Call
        a = {}
    "#]],
    );
    let steer = Input::Steer(Message::operator("dana", Role::Operator, "hurry").unwrap());
    check(
        Preset::Companion,
        vec![(1_000, wait()), (2_000, steer)],
        expect![[r#"
        Append 1; Wake 10000
        Append 2; Emit CallEnded a 1000 ms; Append 3; Emit Nudge [Tools] The results are above.; Append 4; Call
        a = {"ended":"somebody spoke"}
    "#]],
    );
}

#[test]
fn b_17_say_has_a_bound() {
    let policy = |setup: &mut TurnSetup| setup.policy.agency.says = 1;
    let twice = calls(&[("a", "say", r#"{"text":"One."}"#), ("b", "say", r#"{"text":"Two."}"#)]);
    play_preset(
        Preset::Companion,
        "go",
        policy,
        vec![(10, twice)],
        expect![[r#"
        Append 1; Emit Delivered 1 "One."; Append 2; Emit CallEnded a 0 ms; Append 3; Emit CallEnded b error 0 ms; Emit Nudge [Tools] The results are above. The person has heard: "One.".; Append 4; Call
        a = {}
        b = {"code":"said_enough","message":"not said: a turn may say 1 texts"}
    "#]],
    );
}

#[test]
fn b_20_s_07_length_stops_in_a_row_are_advised_and_end_the_turn() {
    let cut = || reply(&[ReplyBlock::Text("more".into())], Stop::Length);
    let mut inputs: Vec<(u64, Input)> = (1..=8).map(|count| (count * 10, cut())).collect();
    inputs.push((90, says("late")));
    check(
        Preset::Operator,
        inputs,
        expect![[r#"
            Append 1; Emit Nudge [Hint] Your reply was cut off. Go on where it ended.; Call nudged
            Append 2; Emit Nudge [Hint] Your reply was cut off. Go on where it ended.; Call nudged
            Append 3; Emit Nudge [Hint] Your replies are cut off by their length. Write long output into a file and say where it is.; Call nudged
            Append 4; Emit Nudge [Hint] Your replies are cut off by their length. Write long output into a file and say where it is.; Call nudged
            Append 5; Emit Nudge [Hint] Your replies are cut off by their length. Write long output into a file and say where it is.; Call nudged
            Append 6; Emit Nudge [Hint] Your replies are cut off by their length. Write long output into a file and say where it is.; Call nudged
            Append 7; Emit Nudge [Hint] Your replies are cut off by their length. Write long output into a file and say where it is.; Call nudged
            Append 8; Emit Delivered 8 "moremoremoremoremoremoremoremore"; Emit TurnEnded Partial(Length) after 8 calls; End Partial(Length)

        "#]],
    );
}

#[test]
fn b_32_nothing_visible_ends_with_one_fallback_reply_that_is_extended_once() {
    let no_gate = |setup: &mut TurnSetup| {
        setup.policy.budget.calls = 1;
        assert_eq!(setup.policy.budget.final_call, FinalCall::GateForce);
    };
    let cut = |purpose, text: &str, stop| Input::ModelDone {
        purpose,
        reply: Reply { blocks: vec![ReplyBlock::Text(text.into())], stop, usage: Usage::default(), sidecar: None },
    };
    let inputs = vec![
        (10, read("a")),
        (20, done("a", "{}")),
        (30, cut(Purpose::Fallback, "The arm ", Stop::Length)),
        (40, cut(Purpose::Extend, "is idle.", Stop::Length)),
    ];
    play_preset(
        Preset::Companion,
        "go",
        no_gate,
        inputs,
        expect![[r#"
            Append 1; Emit CallStarted a; Run a; Wake 30010
            Append 2; Emit CallEnded a 10 ms; Call Fallback
            Call Extend
            Append 3; Emit Delivered 3 "The arm is idle."; Emit TurnEnded Fallback after 1 calls; End Fallback
            a = {}
        "#]],
    );
}

#[test]
fn s_31_d_03_b_30_text_deltas_are_shown_held_or_dropped() {
    let delta = || Input::Delta(Delta::Text("He".into()));
    for (preset, shown, emitted_again) in [
        (Preset::Operator, true, false),
        (Preset::Investigator, true, false),
        (Preset::Chat, true, false),
        (Preset::Vault, false, true),
        (Preset::Companion, false, false),
    ] {
        let mut turn = Turn::new(TurnSetup { caps: language(), ..setup(Policy::preset(preset), Mode::Ask) });
        turn.step(start("go"), at(0));
        turn.step(Input::Context(Vec::new()), at(0));
        let text =
            |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Emit(Event::TextDelta { .. })));
        assert_eq!(text(&turn.step(delta(), at(1))), shown, "{preset:?}");
        assert_eq!(text(&turn.step(says("Hello, this is the arm."), at(2))), emitted_again, "{preset:?}");
    }
}

#[test]
fn s_40_d_14_a_local_server_reads_the_next_prefix_after_the_reply() {
    let local = |setup: &mut TurnSetup| setup.caps.cache = Cache::LocalKv;
    play_preset(
        Preset::Operator,
        "go",
        local,
        vec![(10, says("Fine."))],
        expect![[r#"
        Append 1; Emit Delivered 1 "Fine."; Emit TurnEnded Answered after 1 calls; Warm; End Answered
    "#]],
    );
    play_preset(
        Preset::Vault,
        "go",
        |_| {},
        vec![(10, says("Fine."))],
        expect![[r#"
        Append 1; Emit TextDelta "Fine."; Emit Delivered 1 "Fine."; Emit TurnEnded Answered after 1 calls; Warm; End Answered
    "#]],
    );
    check(
        Preset::Operator,
        vec![(10, says("Fine."))],
        expect![[r#"
        Append 1; Emit Delivered 1 "Fine."; Emit TurnEnded Answered after 1 calls; End Answered
    "#]],
    );
}
