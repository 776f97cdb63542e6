//! Models that go in circles, and calls that they write as words.

use super::presets::{play_preset, side};
use super::*;
use crate::Preset;

const ROBOTS: &str = r#"{"items":[{"id":"arm-1","state":"armed"}]}"#;
const ASKED: &str = "where is arm-1 and what does it hold in its gripper";

/// Plays a turn of a language model.
fn check(inputs: Vec<(u64, Input)>, expected: Expect) {
    let small = |setup: &mut TurnSetup| {
        setup.surroundings.names = vec!["arm-1".into()];
        setup.caps.text_calls = true;
    };
    play_preset(Preset::Operator, ASKED, small, inputs, expected);
}

/// A language model that may write its calls as words, or not, in a turn that has begun.
fn turn(text_calls: bool) -> Turn {
    begun(Policy::operator(), text_calls)
}

fn begun(policy: Policy, text_calls: bool) -> Turn {
    let caps = Caps { text_calls, ..super::presets::language() };
    let mut setup = TurnSetup { caps, ..setup(policy, Mode::Assist) };
    // A message that names a robot needs no router.
    setup.surroundings.names = vec!["arm-1".into()];
    let mut turn = Turn::new(setup);
    turn.step(start(ASKED), at(0));
    turn.step(Input::Context(Vec::new()), at(0));
    turn
}

fn runs(effects: &[Effect]) -> Vec<String> {
    let of = |effect: &Effect| {
        let Effect::Run(calls) = effect else { return Vec::new() };
        calls.iter().map(|call| call.name.clone()).collect()
    };
    effects.iter().flat_map(of).collect()
}

fn shown(effects: &[Effect]) -> String {
    let of = |effect: &Effect| {
        if let Effect::Emit(Event::TextDelta { text }) = effect {
            return text.clone();
        }
        let restarts = matches!(effect, Effect::Emit(Event::Restart { .. }));
        if restarts { "<restart>".to_owned() } else { String::new() }
    };
    effects.iter().map(of).collect()
}

fn streams(turn: &mut Turn, words: &str) -> String {
    let mut effects = Vec::new();
    for letter in words.chars() {
        effects.extend(turn.step(Input::Delta(Delta::Text(letter.into())), at(5)));
    }
    shown(&effects)
}

#[test]
fn p_04_a_call_written_as_words_is_never_shown_while_it_streams() {
    let written = r#"{"thought": "I look", "name": "list_robots", "arguments": {}}"#;
    let mut small = turn(true);
    assert_eq!(streams(&mut small, written), "", "held back");
    let effects = small.step(says(written), at(10));
    assert_eq!((runs(&effects), shown(&effects)), (vec!["list_robots".to_owned()], String::new()));
    let mut small = turn(true);
    let object = r#"{"state": "armed"}"#;
    assert_eq!(streams(&mut small, object), "");
    assert_eq!(shown(&small.step(says(object), at(10))), object, "no call: shown at its end");
    assert_eq!(streams(&mut turn(true), "The arm is armed."), "The arm is armed.");
    let long = format!(r#"{{"name": "remember_note", "arguments": {{"text": "{}"}}}}"#, "x".repeat(9_000));
    let mut small = turn(true);
    assert_eq!(streams(&mut small, &long), long, "too long to be held back");
    assert_eq!(shown(&small.step(says(&long), at(10))), "<restart>", "and taken back");
}

#[test]
fn p_04_a_model_that_does_not_write_calls_as_words_says_words() {
    let written = r#"{"name": "list_robots", "arguments": {}}"#;
    let mut large = turn(false);
    assert_eq!(streams(&mut large, written), written);
    assert_eq!(runs(&large.step(says(written), at(10))), Vec::<String>::new());
}

#[test]
fn p_04_two_calls_in_a_list_are_two_calls() {
    let written = r#"[{"name": "list_robots", "arguments": {}}, {"name": "list_world_state", "arguments": {}}]"#;
    assert_eq!(runs(&turn(true).step(says(written), at(10))), ["list_robots", "list_world_state"]);
}

#[test]
fn p_04_a_file_that_is_repeated_is_no_call() {
    let written = r#"{"name": "list_robots", "arguments": {}}"#;
    let mut small = turn(true);
    small.step(calls(&[("a", "list_world_state", "{}")]), at(10));
    let file = json!({ "text": format!("The file says:\n{written}\n") }).to_string();
    let outcome = ToolOutcome { json: file, is_error: false, refused: false, trust: Trust::Text, spill: None };
    small.step(Input::ToolDone { call: CallId("a".into()), outcome }, at(20));
    let effects = small.step(says(&format!("```json\n{written}\n```")), at(30));
    assert_eq!(runs(&effects), Vec::<String>::new());
}

#[test]
fn p_04_a_call_that_the_server_could_not_read_is_told_to_the_model_with_the_one_retry() {
    let mut turn = turn(false);
    let error = || llm::ModelError {
        slip: Some("<function=list_robots>".into()),
        ..llm::ModelError::own(llm::ModelErrorKind::Protocol, "Failed to call a function.")
    };
    turn.step(Input::ModelFailed { purpose: Purpose::Main, error: error() }, at(10));
    let again = turn.step(Input::Tick, at(60_000));
    let Some(Effect::Call { request, .. }) = again.first() else { panic!("{again:?}") };
    let told = format!("{:?}", request.messages.last());
    assert!(told.contains("Failed to call a function.") && told.contains("<function=list_robots>"), "{told}");
    let effects = turn.step(Input::ModelFailed { purpose: Purpose::Main, error: error() }, at(60_010));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::End(_))), "once: {effects:?}");
}

#[test]
fn s_23_after_two_refused_repetitions_the_next_request_has_no_tools_in_every_preset() {
    for preset in Preset::ALL {
        let mut policy = Policy::preset(preset);
        policy.tools.select.when = SelectWhen::All;
        policy.route.by = crate::RouteBy::Off;
        policy.budget.calls = 12;
        let mut turn = begun(policy, false);
        let mut last = None;
        for round in 0..4_u64 {
            let id = format!("c{round}");
            let mut effects = turn.step(asks(&id), at(10 * round));
            if !runs(&effects).is_empty() {
                effects.extend(turn.step(done(&id, ROBOTS), at(10 * round + 5)));
            }
            last = effects.into_iter().find_map(|effect| {
                let Effect::Call { purpose: Purpose::Main, request } = effect else { return None };
                Some(request)
            });
        }
        let request = last.unwrap_or_else(|| panic!("{preset:?} has ended"));
        let calls_none = request.tools.is_empty() || request.choice == llm::ToolChoice::None;
        assert!(calls_none, "{preset:?}: {:?} of {} tools", request.choice, request.tools.len());
    }
}

#[test]
fn l_24_calls_beyond_what_is_kept_are_counted_in_one_error() {
    assert!(Preset::ALL.iter().all(|preset| Policy::preset(*preset).budget.reply_calls == 64));
    let mut policy = Policy::operator();
    policy.budget.reply_calls = 1;
    let mut turn = begun(policy, false);
    let sidecar = Some(llm::Sidecar {
        provider: "p".into(),
        api: llm::Api::ChatCompletions,
        model: "m".into(),
        base: String::new(),
        response_id: None,
        stop: Stop::ToolUse,
        usage_raw: json!({}),
        blocks: Vec::new(),
        calls_left_out: 744,
    });
    let made = calls(&[("a", "list_robots", "{}"), ("b", "list_world_state", "{}"), ("c", "list_robots", "{}")]);
    let Input::ModelDone { purpose, reply } = made else { panic!("no reply") };
    turn.step(Input::ModelDone { purpose, reply: Reply { sidecar, ..reply } }, at(10));
    turn.step(done("a", ROBOTS), at(20));
    let blocks = turn.transcript().entries().iter().flat_map(|entry| &entry.blocks);
    let errors: Vec<&String> = blocks
        .filter_map(|block| match block {
            Block::Result { json, is_error: true, .. } => Some(json),
            Block::Result { .. } | Block::Text { .. } | Block::Call { .. } => None,
        })
        .collect();
    assert_eq!(errors.iter().filter(|json| json.contains("too_many_calls")).count(), 2, "{errors:?}");
    assert_eq!(errors.iter().filter(|json| json.contains("744 more")).count(), 1, "{errors:?}");
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
