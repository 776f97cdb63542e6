//! Turns that go on and turns that end.

use super::*;

#[test]
fn l_22_a_reply_cut_by_length_runs_no_call() {
    let call = ReplyBlock::Call { id: CallId("a".into()), name: "stop_all".into(), args_raw: "{}".into() };
    let cut_call = reply(&[ReplyBlock::Text("I will".into()), call], Stop::Length);
    let cut_text = reply(&[ReplyBlock::Text("It is".into())], Stop::Length);
    let inputs = vec![(10, cut_call), (20, cut_text), (30, says("warm."))];
    check(
        Policy::operator(),
        Mode::Ask,
        inputs,
        expect![[r#"
            Append 1; Emit Nudge [Hint] Your reply was cut off and its calls were not run. Work in smaller pieces.; Call nudged
            Append 2; Emit Nudge [Hint] Your reply was cut off. Go on where it ended.; Call nudged
            Append 3; Emit Delivered 3 "It iswarm."; Emit TurnEnded Answered after 3 calls; End Answered
        "#]],
    );
}

#[test]
fn l_23_an_empty_reply_is_asked_again_twice() {
    let empty = || says(" ");
    let check = |inputs, expected| check(Policy::operator(), Mode::Ask, inputs, expected);
    check(
        vec![(10, empty()), (20, empty()), (30, empty())],
        expect![[r#"
            Emit Nudge [Hint] Your reply was empty. Answer the operator, or call a tool.; Call nudged
            Emit Nudge [Hint] Your reply was empty. Answer the operator, or call a tool.; Call nudged
            Append 1; Emit Delivered 1 "[Agent did not produce a final response]"; Emit TurnEnded Partial(Empty) after 3 calls; End Partial(Empty)
        "#]],
    );
    let words_first = reply(
        &[
            ReplyBlock::Text("Let me look.".into()),
            ReplyBlock::Call { id: CallId("a".into()), name: "list_robots".into(), args_raw: "{}".into() },
        ],
        Stop::ToolUse,
    );
    check(
        vec![(10, words_first), (20, done("a", "{}")), (30, empty()), (40, empty()), (50, empty())],
        expect![[r#"
            Append 1; Emit CallStarted a; Run a; Wake 30010
            Append 2; Emit CallEnded a 10 ms; Call
            Emit Nudge [Hint] Your reply was empty. Answer the operator, or call a tool.; Call nudged
            Emit Nudge [Hint] Your reply was empty. Answer the operator, or call a tool.; Call nudged
            Emit Delivered 1 "Let me look."; Emit TurnEnded Partial(Empty) after 4 calls; End Partial(Empty)
            a = {}
        "#]],
    );
}

#[test]
fn l_27_the_last_call_must_answer() {
    let policy = || {
        let mut policy = Policy::operator();
        policy.budget.calls = 2;
        policy
    };
    let read = || calls(&[("a", "list_robots", "{}")]);
    let check = |inputs, expected| check(policy(), Mode::Ask, inputs, expected);
    check(
        vec![(10, read()), (20, done("a", "{}")), (30, says("Fine."))],
        expect![[r#"
        Append 1; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Call no calls
        Append 3; Emit Delivered 3 "Fine."; Emit TurnEnded Answered after 2 calls; End Answered
        a = {}
    "#]],
    );
    check(
        vec![(10, read()), (20, done("a", "{}")), (30, read()), (40, read())],
        expect![[r#"
        Append 1; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Call no calls
        Call no calls no tools
        Append 3; Emit Delivered 3 "[Agent did not produce a final response]"; Emit TurnEnded Forced after 3 calls; End Forced
        a = {}
    "#]],
    );
}

/// Words, a stop `a` and a motion.
fn smoke(words: &str) -> Vec<ReplyBlock> {
    let call = |id: &str, name: &str, args: &str| ReplyBlock::Call {
        id: CallId(id.into()),
        name: name.into(),
        args_raw: args.into(),
    };
    vec![ReplyBlock::Text(words.into()), call("a", "stop_all", "{}"), call("b", "send_command", MOVE)]
}

#[test]
fn l_27_the_last_call_still_stops_and_its_answer_says_what_became_of_it() {
    let check = |words: &str, outcome: ToolOutcome, expected| {
        let mut policy = Policy::operator();
        policy.budget.calls = 1;
        let ended = Input::ToolDone { call: CallId("a".into()), outcome };
        let inputs = vec![(10, reply(&smoke(words), Stop::ToolUse)), (20, ended)];
        super::check(policy, Mode::Ask, inputs, expected);
    };
    check(
        "Smoke: I stop all.",
        ToolOutcome::answer(&json!({})),
        expect![[r#"
            Append 1 synced; Emit CallStarted a; Run a; Wake 30010
            Append 2; Emit CallEnded a 10 ms; Emit Delivered 1 "Smoke: I stop all.\n\nstop_all: the station has taken this stop."; Emit TurnEnded Forced after 1 calls; End Forced
            a = {}
        "#]],
    );
    check(
        " ",
        ToolOutcome::error("storage_failed", "no"),
        expect![[r#"
            Append 1 synced; Emit CallStarted a; Run a; Wake 30010
            Append 2; Emit CallEnded a error 10 ms; Append 3; Emit Delivered 3 "stop_all: this stop was NOT carried out, and robots may still move. Use the stop button."; Emit TurnEnded Forced after 1 calls; End Forced
            a = {"code":"storage_failed","message":"no"}
        "#]],
    );
}

#[test]
fn l_27_the_one_reply_that_makes_a_turn_visible_still_stops() {
    let last = |setup: &mut TurnSetup| setup.policy.budget.calls = 1;
    let blocks = smoke("Smoke: I stop all.");
    let fallback = Input::ModelDone {
        purpose: Purpose::Fallback,
        reply: Reply { blocks, stop: Stop::ToolUse, usage: Usage::default(), sidecar: None },
    };
    let inputs =
        vec![(10, calls(&[("r", "list_robots", "{}")])), (20, done("r", "{}")), (30, fallback), (40, done("a", "{}"))];
    super::presets::play_preset(
        crate::Preset::Companion,
        "go",
        last,
        inputs,
        expect![[r#"
            Append 1; Emit CallStarted r; Run r; Wake 30010
            Append 2; Emit CallEnded r 10 ms; Call Fallback
            Append 3 synced; Emit CallStarted a; Run a; Wake 30030
            Append 4; Emit CallEnded a 10 ms; Emit Delivered 3 "Smoke: I stop all.\n\nstop_all: the station has taken this stop."; Emit TurnEnded Forced after 1 calls; End Forced
            r = {}
            a = {}
        "#]],
    );
}

#[test]
fn x_02_cancel_leaves_a_result_for_every_call() {
    let reply = || calls(&[("a", "list_robots", "{}"), ("b", "list_world_state", "{}"), ("c", "send_command", MOVE)]);
    let cancel = |ms| (ms, Input::Cancel(CancelReason::Operator));
    let check = |inputs, expected| check(Policy::operator(), Mode::Ask, inputs, expected);
    check(
        vec![cancel(10), (11, says("late"))],
        expect![[r#"
        Abort; Append 1; Emit TurnEnded Cancelled(Operator) after 1 calls; End Cancelled(Operator)

    "#]],
    );
    check(
        vec![(10, reply()), (15, done("b", "{}")), cancel(22)],
        expect![[r#"
            Append 1 synced; Emit CallStarted a; Emit CallStarted b; Run a b; Wake 30010
            Emit CallEnded b 5 ms
            Abort; Append 2; Append 3; Emit CallEnded a error 12 ms; Append 4; Emit CallEnded c error 0 ms; Append 5; Emit TurnEnded Cancelled(Operator) after 1 calls; End Cancelled(Operator)
            a = {"code":"cancelled","message":"cancelled after 12 ms"}
            b = {}
            c = {"code":"cancelled","message":"not run"}
        "#]],
    );
    let asked = vec![(10, reply()), (15, done("a", "{}")), (15, done("b", "{}"))];
    let stopped = (40, Input::Cancel(CancelReason::StopAll));
    check(
        asked.into_iter().chain([stopped]).collect(),
        expect![[r#"
        Append 1 synced; Emit CallStarted a; Emit CallStarted b; Run a b; Wake 30010
        Append 2; Emit CallEnded a 5 ms
        Append 3; Emit CallEnded b 5 ms; Ask c until 30015; Emit Asked c; Wake 30015
        Abort; Append 4; Emit CallEnded c error 25 ms; Append 5; Emit TurnEnded Cancelled(StopAll) after 1 calls; End Cancelled(StopAll)
        a = {}
        b = {}
        c = {"code":"cancelled","message":"cancelled after 25 ms"}
    "#]],
    );
}

#[test]
fn x_04_a_tool_that_never_ends_is_given_up() {
    let reply = calls(&[("a", "list_robots", "{}"), ("b", "list_world_state", "{}")]);
    let inputs = vec![(10, reply), (20, done("a", "{}")), (30_010, Input::Tick), (30_020, done("b", "{}"))];
    check(
        Policy::operator(),
        Mode::Ask,
        inputs,
        expect![[r#"
        Append 1; Emit CallStarted a; Emit CallStarted b; Run a b; Wake 30010
        Append 2; Emit CallEnded a 10 ms
        Abort; Append 3; Emit CallEnded b error 30000 ms; Call
        Emit Ignored tool_done
        a = {}
        b = {"code":"timed_out","message":"no result within 30 s"}
    "#]],
    );
}

#[test]
fn s_04_a_turn_ends_in_time_but_waiting_for_a_person_does_not_count() {
    let policy = || {
        let mut policy = Policy::operator();
        policy.budget.wall_s = 20;
        policy
    };
    check(
        policy(),
        Mode::Ask,
        vec![(19_999, Input::Tick), (20_000, Input::Tick)],
        expect![[r#"

        Abort; Append 1; Emit TurnEnded Cancelled(Timeout) after 1 calls; End Cancelled(Timeout)
    "#]],
    );
    let inputs = vec![
        (10_000, calls(&[("a", "send_command", MOVE)])),
        (20_000, Input::Tick),
        (25_000, decided("a", Decision::Approved)),
        (25_000, done("a", r#"{"state":"received"}"#)),
        (30_000, Input::Tick),
        (34_999, Input::Tick),
        (35_000, Input::Tick),
    ];
    check(
        policy(),
        Mode::Ask,
        inputs,
        expect![[r#"
        Append 1 synced; Ask a until 40000; Emit Asked a; Wake 40000
        Wake 30000
        Emit CallStarted a; Wake 55000
        Append 2; Emit CallEnded a 0 ms; Call
        Wake 35000

        Abort; Append 3; Emit TurnEnded Cancelled(Timeout) after 2 calls; End Cancelled(Timeout)
        a = {"state":"received"}
    "#]],
    );
}

#[test]
fn l_02_nothing_happens_after_an_entry_that_could_not_be_written() {
    let inputs =
        vec![(10, calls(&[("a", "stop_all", "{}")])), (11, Input::AppendFailed { entry: 1 }), (12, done("a", "{}"))];
    check(
        Policy::operator(),
        Mode::Ask,
        inputs,
        expect![[r#"
        Append 1 synced; Emit CallStarted a; Run a; Wake 30010
        Abort; Emit TurnEnded Failed(Storage) after 1 calls; End Failed(Storage)

    "#]],
    );
}

#[test]
fn l_02_what_could_not_be_written_is_not_in_the_conversation() {
    let mut turn = Turn::new(setup(Policy::operator(), Mode::Ask));
    turn.step(start("go"), at(0));
    turn.step(Input::Context(vec![Block::Text { text: "door = open".into(), trust: Trust::Typed }]), at(0));
    turn.step(calls(&[("a", "send_command", MOVE)]), at(10));
    let ids = |turn: &Turn| turn.transcript().entries().iter().map(|entry| entry.id).collect::<Vec<_>>();
    assert_eq!(ids(&turn), [0, 1, 2]);
    turn.step(Input::AppendFailed { entry: 2 }, at(11));
    assert_eq!(ids(&turn), [0, 1], "the call is not shown to the next turn");
    assert_eq!(turn.into_transcript().next_id(), 2);
}

#[test]
fn l_01_what_does_not_fit_is_ignored() {
    let mut unstarted = Turn::new(setup(Policy::operator(), Mode::Ask));
    let early = vec![(0, says("early")), (0, Input::Tick), (0, Input::Cancel(CancelReason::Shutdown))];
    expect![[r#"
        Emit Ignored model_done
        Emit Ignored tick
        Emit Ignored cancel
    "#]]
    .assert_eq(&play(&mut unstarted, early));
    let error = llm::ModelError::own(llm::ModelErrorKind::Transport, "gone");
    let inputs = vec![
        (10, start("again")),
        (10, Input::Context(Vec::new())),
        (10, done("a", "{}")),
        (10, decided("a", Decision::Approved)),
        (10, Input::Tick),
        (10, Input::ModelFailed { purpose: Purpose::Main, error }),
        (10, says("late")),
    ];
    check(
        Policy::operator(),
        Mode::Ask,
        inputs,
        expect![[r#"
            Emit Ignored start

            Emit Ignored tool_done
            Emit Ignored decided

            Emit Restart in 1140 ms; Wake 1150
            Emit Ignored model_done
        "#]],
    );
}
