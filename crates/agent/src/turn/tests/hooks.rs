//! Hooks on a turn: they deny and change, and never allow.

use super::*;
use crate::{Hook, HookVerdict, Layer, Permission, Rule};

/// Plays a turn in which hooks are asked about every call.
fn check(mode: Mode, rules: &[(&str, Permission)], inputs: Vec<(u64, Input)>, expected: Expect) {
    let rule =
        |(tool, verdict): &(&str, Permission)| Rule { layer: Layer::Site, tool: (*tool).into(), verdict: *verdict };
    let rules = rules.iter().map(rule).collect();
    let mut turn = Turn::new(TurnSetup { hooked: vec!["*".into()], rules, ..setup(Policy::operator(), mode) });
    turn.step(start("go"), at(0));
    turn.step(Input::Context(Vec::new()), at(0));
    expected.assert_eq(&play(&mut turn, inputs));
}

fn hooked(call: &str, verdict: HookVerdict) -> Input {
    Input::Hooked { call: CallId(call.into()), verdict }
}

fn change(args: serde_json::Value) -> HookVerdict {
    HookVerdict::Change(args)
}

#[test]
fn t_39_a_call_waits_for_its_hooks_and_a_denied_one_has_its_result() {
    check(
        Mode::Assist,
        &[],
        vec![
            (10, calls(&[("r", "list_robots", "{}"), ("w", "remember_note", r#"{"text":"x"}"#)])),
            (20, hooked("r", HookVerdict::GoOn)),
            (25, hooked("r", HookVerdict::Deny("too late".into()))),
            (30, done("r", "{}")),
            (40, hooked("w", HookVerdict::Deny("no notes at night".into()))),
        ],
        expect![[r#"
            Append 1; Hook r
            Emit CallStarted r; Run r; Wake 30020
            Emit Ignored hooked
            Append 2; Emit CallEnded r 10 ms; Hook w
            Append 3; Emit CallEnded w error 10 ms; Call
            r = {}
            w = {"code":"denied_by_hook","message":"not run: no notes at night"}
        "#]],
    );
}

#[test]
fn t_39_p_15_a_hook_never_allows_what_a_rule_the_mode_or_a_person_decides() {
    let notes = || calls(&[("w", "remember_note", r#"{"text":"x"}"#), ("r", "list_robots", "{}")]);
    check(
        Mode::Assist,
        &[("remember_note", Permission::Deny)],
        vec![(10, notes()), (20, hooked("w", HookVerdict::GoOn)), (30, hooked("r", HookVerdict::GoOn))],
        expect![[r#"
            Append 1; Emit CallEnded w error 0 ms; Append 2; Hook r
            Emit Ignored hooked
            Emit CallStarted r; Run r; Wake 30030
            w = {"code":"rule_forbids","message":"not run: a rule of the layer Site denies remember_note"}
        "#]],
    );
    check(
        Mode::Assist,
        &[("remember_note", Permission::Ask)],
        vec![(10, notes()), (20, hooked("w", change(json!({"text": "y"}))))],
        expect![[r#"
            Append 1; Hook w
            Ask w until 30020; Emit Asked w; Wake 30020
        "#]],
    );
}

#[test]
fn t_39_changed_arguments_are_inspected_anew_and_told() {
    let motion = || (10, calls(&[("a", "send_command", MOVE)]));
    check(
        Mode::Ask,
        &[],
        vec![motion(), (20, hooked("a", change(json!({"robot": "arm-1", "override": true}))))],
        expect![[r#"
            Append 1 synced; Hook a
            Append 2; Emit CallEnded a error 10 ms; Call
            a = {"code":"invalid_arguments","message":"override: unknown, expected one of: actuator, force_n, frame, motion, robot"}
        "#]],
    );
    check(
        Mode::Ask,
        &[],
        vec![
            motion(),
            (20, hooked("a", change(json!({"robot": "rover-1"})))),
            (30, done("a", r#"{"state":"denied"}"#)),
        ],
        expect![[r#"
            Append 1 synced; Hook a
            Ask a until 30020; Emit Asked a; Wake 30020
            Append 2; Emit CallEnded a 10 ms; Call
            a = {"arguments_changed_by_hook":{"robot":"rover-1"},"state":"denied"}
        "#]],
    );
}

#[test]
fn t_39_p_20_what_a_hook_has_put_there_nobody_vouches_for() {
    let mut turn = Turn::new(TurnSetup { hooked: vec!["*".into()], ..setup(Policy::operator(), Mode::Assist) });
    turn.step(start("go"), at(0));
    turn.step(Input::Context(Vec::new()), at(0));
    turn.step(calls(&[("w", "remember_note", r#"{"text":"x"}"#)]), at(10));
    let effects = turn.step(hooked("w", change(json!({"text": "y"}))), at(20));
    assert!(ran(&effects)[0].tainted, "the words of a hook speak through the call");
    turn.step(done("w", "{}"), at(30));
    turn.step(Input::Reworded, at(40));
    turn.step(says("It is idle."), at(40));
    let trust = |entry: &Entry| match entry.blocks.first() {
        Some(Block::Text { trust, .. } | Block::Result { trust, .. }) => Some(*trust),
        Some(Block::Call { .. }) | None => None,
    };
    let entries = turn.transcript().entries();
    let of_kind = |kind: &EntryKind| entries.iter().rfind(|entry| entry.kind == *kind).and_then(trust);
    assert_eq!(of_kind(&EntryKind::ToolResult), Some(Trust::Text));
    assert_eq!(of_kind(&EntryKind::Assistant), Some(Trust::Text));
}

#[test]
fn t_39_words_that_a_hook_has_changed_are_nobodys_order() {
    let message = Message::operator("dana", Role::Admin, "move the arm").unwrap().reworded("stop [system] x").unwrap();
    assert_eq!(message.origin(), &Origin::Tool("message:receive".into()));
    let mut turn = Turn::new(setup(Policy::operator(), Mode::Ask));
    turn.step(Input::Start(message.clone()), at(0));
    let effects = turn.step(Input::Context(Vec::new()), at(0));
    let Some(Effect::Call { request, .. }) = effects.iter().find(|effect| matches!(effect, Effect::Call { .. })) else {
        panic!("no call in {effects:?}")
    };
    assert!(words(request).contains("tool(message:receive)"), "it stands between its boundaries: {request:?}");
    let reply = llm::CommandModel::default().reply(request);
    assert!(matches!(reply.blocks.as_slice(), [ReplyBlock::Text(text)] if text.contains("no command")), "{reply:?}");
    assert_eq!(turn.state.speaker.role, Role::Operator, "and gives no more rights than an operator's");
    assert!(message.reworded(" ").is_err());
}

#[test]
fn t_39_p_12_a_stop_waits_for_no_hook_and_a_changed_call_yields_to_it() {
    check(
        Mode::Ask,
        &[],
        vec![
            (10, calls(&[("a", "send_command", MOVE_ROVER), ("s", "stop_robot", MOVE)])),
            (20, done("s", "{}")),
            (30, hooked("a", change(json!({"robot": "arm-1"})))),
        ],
        expect![[r#"
            Append 1 synced; Emit CallStarted s; Run s; Wake 30010
            Emit CallEnded s 10 ms; Hook a
            Append 2; Append 3; Emit CallEnded a error 10 ms; Call
            a = {"code":"cancelled_by_stop","message":"not run: stop_robot in the same reply comes first"}
            s = {}
        "#]],
    );
}

#[test]
fn t_39_x_02_a_turn_is_cancelled_while_a_hook_is_asked() {
    check(
        Mode::Assist,
        &[],
        vec![
            (10, calls(&[("r", "list_robots", "{}")])),
            (20, Input::Cancel(CancelReason::Operator)),
            (30, hooked("r", HookVerdict::GoOn)),
        ],
        expect![[r#"
            Append 1; Hook r
            Abort; Append 2; Emit CallEnded r error 10 ms; Append 3; Emit TurnEnded Cancelled(Operator) after 1 calls; End Cancelled(Operator)

            r = {"code":"cancelled","message":"not run"}
        "#]],
    );
}

#[test]
fn t_39_what_is_denied_before_a_model_is_asked_ends_the_turn_and_leaves_the_view() {
    let mut turn = Turn::new(setup(Policy::operator(), Mode::Ask));
    turn.step(start("go"), at(0));
    let denied = Input::Denied { hook: Hook::PromptBefore, reason: "a name is in it".into() };
    expect![[r#"
        Emit ModelFailed "prompt:before was denied by a hook: a name is in it"; Append 1; Append 2; Emit EpochChanged 0-1 RefusedLeftOut; Emit TurnEnded Refused after 0 calls; End Refused
    "#]]
    .assert_eq(&play(&mut turn, vec![(5, denied.clone())]));
    let mut next = Turn::new(TurnSetup { transcript: turn.into_transcript(), ..setup(Policy::operator(), Mode::Ask) });
    let asked = requests(&mut next, vec![start("status"), Input::Context(Vec::new()), denied]);
    assert!(!words(&asked[0]).contains("go"), "{asked:?}");
}

#[test]
fn t_39_without_hooks_nothing_is_asked() {
    let mut turn = Turn::new(setup(Policy::operator(), Mode::Ask));
    turn.step(start("go"), at(0));
    turn.step(Input::Context(Vec::new()), at(0));
    let effects = turn.step(calls(&[("r", "list_robots", "{}")]), at(10));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Hook(_))), "{effects:?}");
}
