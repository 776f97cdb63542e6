//! The completion gate and the router as parts of a turn.

use super::presets::{language, play_preset, side};
use super::*;
use crate::Preset;

fn failed(call: &str) -> Input {
    Input::ToolDone { call: CallId(call.into()), outcome: ToolOutcome::error("link_lost", "the robot is away") }
}

const ASKED: &str = "where is arm-1 and what does it hold in its gripper";

fn names_arm(setup: &mut TurnSetup) {
    setup.surroundings.names = vec!["arm-1".into()];
}

#[test]
fn s_28_b_24_b_27_an_answer_that_looked_nothing_up_is_judged_and_goes_on() {
    let inputs = vec![
        (10, says("It stands beside the conveyor belt.")),
        (20, side(Purpose::JudgeAdequacy, "CONTINUE: nobody looked")),
        (30, calls(&[("a", "list_robots", "{}")])),
        (40, done("a", "{}")),
        (50, says("It stands at the dock.")),
    ];
    play_preset(
        Preset::Operator,
        ASKED,
        names_arm,
        inputs,
        expect![[r#"
            Append 1; Call JudgeAdequacy
            Emit Nudge [Not done] nobody looked; Call nudged
            Append 2; Emit CallStarted a; Run a; Wake 30030
            Append 3; Emit CallEnded a 10 ms; Call
            Append 4; Emit Delivered 4 "It stands at the dock."; Emit TurnEnded Answered after 3 calls; End Answered
            a = {}
        "#]],
    );
}

#[test]
fn l_26_s_28_a_judge_that_fails_lets_the_answer_pass() {
    let error = llm::ModelError::own(llm::ModelErrorKind::Transport, "gone");
    let inputs = vec![
        (10, says("It stands beside the conveyor belt.")),
        (20, Input::ModelFailed { purpose: Purpose::JudgeAdequacy, error }),
    ];
    play_preset(
        Preset::Operator,
        ASKED,
        names_arm,
        inputs,
        expect![[r#"
            Append 1; Call JudgeAdequacy
            Emit Delivered 1 "It stands beside the conveyor belt."; Emit TurnEnded Answered after 1 calls; End Answered
        "#]],
    );
}

#[test]
fn s_28_b_28_a_failed_tool_and_a_bare_word_are_not_done() {
    let inputs = vec![(10, calls(&[("a", "list_robots", "{}")])), (20, failed("a")), (30, says("Okay."))];
    play_preset(
        Preset::Operator,
        ASKED,
        names_arm,
        inputs,
        expect![[r#"
        Append 1; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a error 10 ms; Call
        Append 3; Emit Nudge [Not done] You acknowledged without an answer. Say what the results are.; Call nudged
        a = {"code":"link_lost","message":"the robot is away"}
    "#]],
    );
}

#[test]
fn s_29_the_gate_says_no_twice_and_then_lets_go() {
    let no = || side(Purpose::JudgeAdequacy, "CONTINUE: nobody looked");
    let text = || says("It stands beside the conveyor belt.");
    let inputs = vec![(10, text()), (20, no()), (30, text()), (40, no()), (50, text())];
    play_preset(
        Preset::Operator,
        ASKED,
        names_arm,
        inputs,
        expect![[r#"
            Append 1; Call JudgeAdequacy
            Emit Nudge [Not done] nobody looked; Call nudged
            Append 2; Call JudgeAdequacy
            Emit Nudge [Not done] nobody looked; Call nudged
            Append 3; Emit Delivered 3 "It stands beside the conveyor belt."; Emit TurnEnded Answered after 3 calls; End Answered
        "#]],
    );
}

#[test]
fn b_26_an_explicit_end_without_work_is_judged() {
    let ends = || calls(&[("a", "say", r#"{"text":"I will move it."}"#), ("b", "end_turn", "{}")]);
    let inputs = vec![(10, ends()), (20, side(Purpose::JudgeAdequacy, "CONTINUE: it was only promised"))];
    play_preset(
        Preset::Companion,
        "go",
        |_| {},
        inputs,
        expect![[r#"
            Append 1; Emit Delivered 1 "I will move it."; Append 2; Emit CallEnded a 0 ms; Append 3; Emit CallEnded b 0 ms; Call JudgeAdequacy
            Emit Nudge [Not done] it was only promised; Append 4; Call
            a = {}
            b = {"text":"[turn ended]"}
        "#]],
    );
}

#[test]
fn l_25_a_new_message_voids_a_verdict_that_is_awaited() {
    let steer = Input::Steer(Message::operator("dana", Role::Operator, "never mind").unwrap());
    let inputs = vec![
        (10, says("It stands beside the conveyor belt.")),
        (20, steer),
        (30, side(Purpose::JudgeAdequacy, "CONTINUE: nobody looked")),
        (40, says("Fine.")),
        (50, side(Purpose::JudgeAdequacy, "DONE: fine")),
    ];
    play_preset(
        Preset::Operator,
        ASKED,
        names_arm,
        inputs,
        expect![[r#"
            Append 1; Call JudgeAdequacy
            Abort; Append 2; Call
            Emit Ignored model_done
            Append 3; Call JudgeAdequacy
            Emit Delivered 3 "Fine."; Emit TurnEnded Answered after 2 calls; End Answered
        "#]],
    );
}

/// Route of a message, with its classifier saying `word`.
fn check_route(text: &str, word: Option<&str>, expected: Expect) {
    let caps = language();
    let mut turn = Turn::new(TurnSetup { caps, ..setup(Policy::operator(), Mode::Ask) });
    let mut lines = String::new();
    let inputs =
        [start(text), Input::Context(Vec::new())].into_iter().chain(word.map(|word| side(Purpose::Router, word)));
    for input in inputs {
        let effects: Vec<String> = turn.step(input, at(0)).iter().filter(|effect| is_told(effect)).map(print).collect();
        lines += &format!("{}\n", effects.join("; "));
    }
    expected.assert_eq(&lines);
}

#[test]
fn b_01_b_06_s_47_the_router_runs_once_before_the_first_call() {
    check_route(
        "hi",
        None,
        expect![[r#"
        Append 0; Emit TurnStarted; Emit Routed Reflex Chat; Wake 600000; Prefetch "hi"
        Call
    "#]],
    );
    check_route(
        "move arm-1 up",
        None,
        expect![[r#"
        Append 0; Emit TurnStarted; Emit Routed Deliberate Grounded; Wake 600000; Prefetch "move arm-1 up"
        Call
    "#]],
    );
    check_route(
        "it was a long day at the warehouse today",
        Some("CHAT"),
        expect![[r#"
            Append 0; Emit TurnStarted; Wake 600000; Prefetch "it was a long day at the warehouse today"
            Call Router
            Emit Routed Reflex Chat; Call
        "#]],
    );
    check_route(
        "it was a long day at the warehouse today",
        Some("perhaps"),
        expect![[r#"
            Append 0; Emit TurnStarted; Wake 600000; Prefetch "it was a long day at the warehouse today"
            Call Router
            Emit Routed Deliberate Grounded; Call
        "#]],
    );
}
