//! Models that go in circles, and calls that they write as words.

use super::presets::{play_preset, side};
use super::*;
use crate::Preset;

const ROBOTS: &str = r#"{"items":[{"id":"arm-1","state":"armed"}]}"#;
const ASKED: &str = "where is arm-1 and what does it hold in its gripper";

/// Plays a turn of a language model.
fn check(inputs: Vec<(u64, Input)>, expected: Expect) {
    play_preset(Preset::Operator, ASKED, |setup| setup.surroundings.names = vec!["arm-1".into()], inputs, expected);
}

fn asks(id: &str) -> Input {
    calls(&[(id, "list_robots", "{}")])
}

/// The same call twice with its results, and twice without.
fn four_times(then: Input) -> Vec<(u64, Input)> {
    vec![
        (10, asks("a")),
        (20, done("a", ROBOTS)),
        (30, asks("b")),
        (40, done("b", ROBOTS)),
        (50, asks("c")),
        (60, asks("d")),
        (70, then),
    ]
}

#[test]
fn s_23_after_two_refused_repetitions_the_model_answers_without_tools_and_the_result_is_shown() {
    check(
        four_times(says("There is one robot.")),
        expect![[r#"
        Append 1; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Call
        Append 3; Emit CallStarted b; Run b; Wake 30030
        Append 4; Emit CallEnded b 10 ms; Call
        Append 5; Emit CallEnded c error 0 ms; Append 6; Call
        Append 7; Emit CallEnded d error 0 ms; Append 8; Emit Nudge [Hint] The same call was made again and again. Its result is above, and no tools are left: answer the operator now from what is there.; Call no tools nudged
        Append 9; Emit Delivered 9 "There is one robot.\n\n| id | state |\n| --- | --- |\n| arm-1 | armed |"; Emit TurnEnded Answered after 5 calls; End Answered
        a = {"items":[{"id":"arm-1","state":"armed"}]}
        b = {"items":[{"id":"arm-1","state":"armed"}]}
        c = {"code":"repeated_call","message":"not run: the same call 3 times in a row gives the same answer"}
        d = {"code":"repeated_call","message":"not run: the same call 4 times in a row gives the same answer"}
    "#]],
    );
}

#[test]
fn s_23_a_model_that_finds_no_words_without_tools_leaves_the_result_as_the_answer() {
    check(
        four_times(asks("e")),
        expect![[r#"
        Append 1; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Call
        Append 3; Emit CallStarted b; Run b; Wake 30030
        Append 4; Emit CallEnded b 10 ms; Call
        Append 5; Emit CallEnded c error 0 ms; Append 6; Call
        Append 7; Emit CallEnded d error 0 ms; Append 8; Emit Nudge [Hint] The same call was made again and again. Its result is above, and no tools are left: answer the operator now from what is there.; Call no tools nudged
        Append 9; Emit Delivered 9 "The model asked for the same again and again and has no words for it. This is what it asked for:\n\n| id | state |\n| --- | --- |\n| arm-1 | armed |"; Emit TurnEnded Partial(Empty) after 5 calls; End Partial(Empty)
        a = {"items":[{"id":"arm-1","state":"armed"}]}
        b = {"items":[{"id":"arm-1","state":"armed"}]}
        c = {"code":"repeated_call","message":"not run: the same call 3 times in a row gives the same answer"}
        d = {"code":"repeated_call","message":"not run: the same call 4 times in a row gives the same answer"}
    "#]],
    );
}

#[test]
fn p_04_a_call_written_as_words_runs_and_is_no_answer() {
    let written = r#"{"name": "list_robots", "arguments": {}}"#;
    check(
        vec![(10, says(written)), (20, done("written", ROBOTS)), (30, says("arm-1 is armed."))],
        expect![[r#"
        Append 1; Emit CallStarted written; Run written; Wake 30010
        Append 2; Emit CallEnded written 10 ms; Call
        Append 3; Emit Delivered 3 "arm-1 is armed."; Emit TurnEnded Answered after 2 calls; End Answered
        written = {"items":[{"id":"arm-1","state":"armed"}]}
    "#]],
    );
}

#[test]
fn p_04_a_written_call_of_no_tool_is_answered_with_the_nearest_once_and_never_shown() {
    let written = r#"{"name": "location", "arguments": {"location": "rover-1"}}"#;
    let judged = side(Purpose::JudgeAdequacy, "DONE: it is");
    check(
        vec![(10, says(written)), (20, says(written)), (30, says("I cannot tell.")), (40, judged)],
        expect![[r#"
            Append 1; Emit CallEnded written error 0 ms; Append 2; Call
            Emit Nudge [Hint] Your reply was empty. Answer the operator, or call a tool.; Call nudged
            Append 3; Call JudgeAdequacy
            Emit Delivered 3 "I cannot tell."; Emit TurnEnded Answered after 3 calls; End Answered
            written = {"code":"unknown_tool","message":"there is no tool \"location\"; nearest: wait, say, stop_all"}
        "#]],
    );
}
