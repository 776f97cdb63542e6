//! The calls of a reply: waves, permission, asks, stops, and calls that cannot be.

use super::*;

#[test]
fn p_10_neighbouring_reads_run_together_and_everything_else_alone() {
    let reply = calls(&[
        ("r1", "list_robots", "{}"),
        ("r2", "list_world_state", "{}"),
        ("w", "remember_note", r#"{"text":"x"}"#),
        ("r3", "list_world_state", r#"{"prefix":"a"}"#),
        ("a1", "send_command", MOVE),
    ]);
    let inputs = vec![
        (10, reply),
        (20, done("r2", "{}")),
        (30, done("r1", "[1,2]")),
        (40, done("w", "true")),
        (50, done("r3", "no json")),
        (60, done("a1", r#"{"state":"received"}"#)),
    ];
    check(
        Policy::operator(),
        Mode::Assist,
        inputs,
        expect![[r#"
        Append 1 synced; Emit CallStarted r1; Emit CallStarted r2; Run r1 r2; Wake 30010
        Emit CallEnded r2 10 ms
        Append 2; Append 3; Emit CallEnded r1 20 ms; Emit CallStarted w; Run w; Wake 30030
        Append 4; Emit CallEnded w 10 ms; Emit CallStarted r3; Run r3; Wake 30040
        Append 5; Emit CallEnded r3 10 ms; Ask a1 until 30050; Emit Asked a1; Wake 30050
        Append 6; Emit CallEnded a1 10 ms; Call
        r1 = {"items":[1,2]}
        r2 = {}
        w = {"value":true}
        r3 = {"text":"no json"}
        a1 = {"state":"received"}
    "#]],
    );
}

#[test]
fn p_11_a_motion_that_was_not_carried_out_takes_the_later_ones_with_it() {
    let reply = || calls(&[("a", "send_command", MOVE), ("r", "list_robots", "{}"), ("b", "send_command", MOVE_ROVER)]);
    let denial = r#"{"state":"denied"}"#;
    let check = |inputs, expected| check(Policy::operator(), Mode::Ask, inputs, expected);
    check(
        vec![(10, reply()), (20, refused("a", denial)), (30, done("r", "{}"))],
        expect![[r#"
            Append 1 synced; Ask a until 30010; Emit Asked a; Wake 30010
            Append 2; Emit CallEnded a 10 ms; Emit CallEnded b error 0 ms; Emit CallStarted r; Run r; Wake 30020
            Append 3; Append 4; Emit CallEnded r 10 ms; Call
            a = {"state":"denied"}
            r = {}
            b = {"code":"not_run","message":"not run: an earlier motion of this reply was not carried out"}
        "#]],
    );
    check(
        vec![(10, reply()), (20, decided("a", Decision::Rejected("wrong place".into())))],
        expect![[r#"
            Append 1 synced; Ask a until 30010; Emit Asked a; Wake 30010
            Append 2; Emit CallEnded a error 10 ms; Emit CallEnded b error 0 ms; Emit CallStarted r; Run r; Wake 30020
            a = {"code":"rejected","message":"a person rejected it: wrong place"}
        "#]],
    );
    check(
        vec![(10, reply()), (20, decided("a", Decision::Approved)), (25, refused("a", denial))],
        expect![[r#"
            Append 1 synced; Ask a until 30010; Emit Asked a; Wake 30010
            Emit CallStarted a; Wake 30020
            Append 2; Emit CallEnded a 5 ms; Emit CallEnded b error 0 ms; Emit CallStarted r; Run r; Wake 30025
            a = {"state":"denied"}
        "#]],
    );
}

#[test]
fn p_12_a_stop_runs_first_and_takes_the_place_of_motion() {
    let reply = |stop| calls(&[("a", "send_command", MOVE), ("b", "send_command", MOVE_ROVER), stop]);
    let all = || (10, reply(("s", "stop_all", "{}")));
    let one = (10, reply(("s", "stop_robot", MOVE)));
    check(
        Policy::operator(),
        Mode::Watch,
        vec![all()],
        expect![[r#"
        Append 1 synced; Emit CallEnded a error 0 ms; Emit CallEnded b error 0 ms; Append 2; Append 3; Emit CallStarted s; Run s; Wake 30010
        a = {"code":"mode_forbids","message":"not run: the mode is \"Observe only\", and send_command changes something"}
        b = {"code":"mode_forbids","message":"not run: the mode is \"Observe only\", and send_command changes something"}
    "#]],
    );
    check(
        Policy::operator(),
        Mode::Ask,
        vec![all(), (20, done("s", "{}"))],
        expect![[r#"
        Append 1 synced; Emit CallEnded a error 0 ms; Emit CallEnded b error 0 ms; Append 2; Append 3; Emit CallStarted s; Run s; Wake 30010
        Append 4; Emit CallEnded s 10 ms; Call
        a = {"code":"cancelled_by_stop","message":"not run: stop_all in the same reply comes first"}
        b = {"code":"cancelled_by_stop","message":"not run: stop_all in the same reply comes first"}
        s = {}
    "#]],
    );
    check(
        Policy::operator(),
        Mode::Ask,
        vec![one, (20, done("s", "{}"))],
        expect![[r#"
        Append 1 synced; Emit CallEnded a error 0 ms; Append 2; Emit CallStarted s; Run s; Wake 30010
        Emit CallEnded s 10 ms; Ask b until 30020; Emit Asked b; Wake 30020
        a = {"code":"cancelled_by_stop","message":"not run: stop_robot in the same reply comes first"}
    "#]],
    );
}

#[test]
fn p_04_a_call_that_cannot_be_gets_an_error_and_does_not_run() {
    let reply = calls(&[
        ("a", "list_robot", "{}"),
        ("b", "send_command", "{}"),
        ("c", "send_command", r#"{"robot":"arm-1","override":true}"#),
        ("d", "list_robots", "move!"),
        ("d", "list_robots", ""),
    ]);
    check(
        Policy::operator(),
        Mode::Ask,
        vec![(10, reply), (20, done("d-2", "{}"))],
        expect![[r#"
        Append 1 synced; Emit CallEnded a error 0 ms; Emit CallEnded b error 0 ms; Emit CallEnded c error 0 ms; Emit CallEnded d error 0 ms; Append 2; Append 3; Append 4; Append 5; Emit CallStarted d-2; Run d-2; Wake 30010
        Append 6; Emit CallEnded d-2 10 ms; Call
        a = {"code":"unknown_tool","message":"there is no tool \"list_robot\"; nearest: list_robots, stop_robot, stop_all"}
        b = {"code":"invalid_arguments","message":"robot: missing"}
        c = {"code":"invalid_arguments","message":"override: unknown, expected one of: actuator, force_n, frame, motion, robot"}
        d = {"code":"invalid_arguments","message":"the arguments are no JSON object: expected value at line 1 column 1"}
        d-2 = {}
    "#]],
    );
}

#[test]
fn p_14_the_mode_forbids_with_a_reason() {
    let reply = calls(&[("a", "send_command", MOVE), ("w", "remember_note", r#"{"text":"x"}"#)]);
    check(
        Policy::operator(),
        Mode::Watch,
        vec![(10, reply)],
        expect![[r#"
        Append 1 synced; Emit CallEnded a error 0 ms; Emit CallEnded w error 0 ms; Append 2; Append 3; Call
        a = {"code":"mode_forbids","message":"not run: the mode is \"Observe only\", and send_command changes something"}
        w = {"code":"mode_forbids","message":"not run: the mode is \"Observe only\", and remember_note changes something"}
    "#]],
    );
}

#[test]
fn p_16_a_denied_command_makes_no_card_and_an_unseen_card_freezes_nobody() {
    let reply = || calls(&[("a", "send_command", MOVE)]);
    let proposed = Input::Proposed { call: CallId("a".into()), proposal: json!({"id": "pr-1", "tier": "high"}) };
    let check = |inputs, expected| check(Policy::operator(), Mode::Ask, inputs, expected);
    check(
        vec![(10, reply()), (20, refused("a", r#"{"state":"denied"}"#))],
        expect![[r#"
        Append 1 synced; Ask a until 30010; Emit Asked a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Call
        a = {"state":"denied"}
    "#]],
    );
    check(
        vec![
            (10, reply()),
            (20, proposed),
            (30_009, Input::Tick),
            (30_010, Input::Tick),
            (31_000, decided("a", Decision::Approved)),
        ],
        expect![[r#"
            Append 1 synced; Ask a until 30010; Emit Asked a; Wake 30010


            Append 2; Emit CallEnded a 30000 ms; Call
            Emit Ignored decided
            a = {"proposal":{"id":"pr-1","tier":"high"},"state":"pending"}
        "#]],
    );
    let proposed = Input::Proposed { call: CallId("a".into()), proposal: json!({"id": "pr-1", "tier": "high"}) };
    check(
        vec![(5, Input::Spoken), (10, reply()), (20, proposed), (30, Input::Spoken)],
        expect![[r#"

            Append 1 synced; Ask a until 30010; Emit Asked a; Wake 30010

            Append 2; Emit CallEnded a 20 ms; Call
            a = {"proposal":{"id":"pr-1","tier":"high"},"state":"pending"}
        "#]],
    );
    check(
        vec![(10, reply()), (20, decided("a", Decision::Expired))],
        expect![[r#"
        Append 1 synced; Ask a until 30010; Emit Asked a; Wake 30010
        Append 2; Emit CallEnded a error 10 ms; Call
        a = {"code":"expired","message":"nobody answered in time; it was not done"}
    "#]],
    );
    check(
        vec![(10, reply()), (20, decided("a", Decision::Void))],
        expect![[r#"
        Append 1 synced; Ask a until 30010; Emit Asked a; Wake 30010
        Append 2; Emit CallEnded a error 10 ms; Call
        a = {"code":"void","message":"what was asked for has changed or was stopped; it was not done"}
    "#]],
    );
}

#[test]
fn s_23_the_third_equal_call_in_a_row_is_blocked_and_a_stop_never() {
    let three = |name| calls(&[("a", name, "{}"), ("b", name, "{}"), ("c", name, "{}")]);
    check(
        Policy::operator(),
        Mode::Ask,
        vec![(10, three("list_robots"))],
        expect![[r#"
        Append 1; Emit CallEnded c error 0 ms; Emit CallStarted a; Emit CallStarted b; Run a b; Wake 30010
    "#]],
    );
    let stops = vec![(10, three("stop_all")), (20, done("a", "{}")), (30, done("b", "{}"))];
    check(
        Policy::operator(),
        Mode::Ask,
        stops,
        expect![[r#"
        Append 1 synced; Emit CallStarted a; Run a; Wake 30010
        Append 2; Emit CallEnded a 10 ms; Emit CallStarted b; Run b; Wake 30020
        Append 3; Emit CallEnded b 10 ms; Emit CallStarted c; Run c; Wake 30030
        a = {}
        b = {}
    "#]],
    );
}

#[test]
fn l_24_a_reply_may_hold_so_many_calls() {
    let mut policy = Policy::operator();
    policy.budget.reply_calls = 1;
    let reply = calls(&[("a", "list_robots", "{}"), ("b", "list_world_state", "{}"), ("s", "stop_all", "{}")]);
    check(
        policy,
        Mode::Ask,
        vec![(10, reply)],
        expect![[r#"
        Append 1 synced; Emit CallEnded b error 0 ms; Emit CallStarted s; Run s; Wake 30010
    "#]],
    );
}

#[test]
fn p_13_a_motion_ends_with_the_robots_word_or_its_time_and_completion_comes_later() {
    let approved = || vec![(10, calls(&[("a", "send_command", MOVE)])), (20, decided("a", Decision::Approved))];
    let ended = || Input::Context(vec![crate::testing::text("arm-1: done")]);
    let read = |id| calls(&[(id, "list_robots", "{}")]);
    let then = |more: Vec<(u64, Input)>| approved().into_iter().chain(more).collect();
    // A send of ours is no word of the robot: nothing is called before that.
    check(
        Policy::operator(),
        Mode::Ask,
        then(vec![
            (5_000, Input::Tick),
            (6_000, done("a", r#"{"state":"received"}"#)),
            (6_500, ended()),
            (7_000, read("b")),
            (7_010, done("b", "{}")),
        ]),
        expect![[r#"
            Append 1 synced; Ask a until 30010; Emit Asked a; Wake 30010
            Emit CallStarted a; Wake 30020

            Append 2; Emit CallEnded a 5980 ms; Call

            Append 3; Emit CallStarted b; Run b; Wake 37000
            Append 4; Emit CallEnded b 10 ms; Append 5; Emit Context 5; Call
            a = {"state":"received"}
            b = {}
        "#]],
    );
    check(
        Policy::operator(),
        Mode::Ask,
        then(vec![(30_019, Input::Tick), (30_020, Input::Tick), (31_000, done("a", r#"{"state":"received"}"#))]),
        expect![[r#"
            Append 1 synced; Ask a until 30010; Emit Asked a; Wake 30010
            Emit CallStarted a; Wake 30020

            Abort; Append 2; Emit CallEnded a error 30000 ms; Call
            Emit Ignored tool_done
            a = {"code":"timed_out","message":"no result within 30 s"}
        "#]],
    );
}

#[test]
fn p_17_why_a_person_said_no_and_what_was_void_reaches_the_model() {
    let asked = |decision| {
        let mut turn = Turn::new(setup(Policy::operator(), Mode::Ask));
        let opening = vec![start("go"), Input::Context(Vec::new()), calls(&[("a", "send_command", MOVE)])];
        requests(&mut turn, opening);
        let sent = requests(&mut turn, vec![decided("a", decision)]);
        let acts = turn.step(decided("a", Decision::Approved), at(50));
        assert_eq!(acts, [Effect::Emit(Event::Ignored { input: "decided".into() })], "a decision is made once");
        words(&sent[0])
    };
    let edited = "dana changed the numbers and sent their own command";
    for reason in ["the gripper is open", edited] {
        assert!(asked(Decision::Rejected(reason.into())).ends_with(&format!(r#""a person rejected it: {reason}"}}"#)));
    }
    assert!(asked(Decision::Void).contains("has changed or was stopped; it was not done"));
}
