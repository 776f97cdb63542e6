mod answers;
mod lockout;

use expect_test::{Expect, expect};

use super::*;

fn at(ms: u64) -> Instant {
    Instant::from_millis(ms)
}

fn set(causes: &[SafetyCause]) -> CauseSet {
    causes.iter().copied().collect()
}

/// Everything fine, with `present` holding.
fn with(present: &[SafetyCause]) -> Inputs {
    Inputs { present: set(present), healthy: true, still: true, epoch: 1, act: None, times: Times::default() }
}

fn act(act: Act) -> Inputs {
    Inputs { act: Some(act), ..with(&[]) }
}

/// A robot in `state`, by the way that leads there, at 10 s of the clock.
fn in_state(state: State) -> RobotSafety {
    let mut safety = RobotSafety::new(at(0));
    let mut go = |ms, inputs: Inputs| safety = step(&safety, &inputs, at(ms)).0;
    if state != State::Disarmed {
        go(8_000, act(Act::Arm));
    }
    match state {
        State::Disarmed | State::Arming => {}
        State::Armed | State::Hold | State::SafeStop | State::Lockout => {
            go(8_100, with(&[]));
            go(9_100, with(&[]));
            go(
                10_000,
                with(match state {
                    State::Hold => &[SafetyCause::HoldRequested],
                    State::SafeStop => &[SafetyCause::OverSpeed],
                    State::Lockout => &[SafetyCause::StateFault],
                    State::Disarmed | State::Arming | State::Armed => &[],
                }),
            );
        }
    }
    assert_eq!(safety.state(), state);
    safety
}

const STATES: [State; 6] = [State::Disarmed, State::Arming, State::Armed, State::Hold, State::SafeStop, State::Lockout];

/// The state a cause leads to from another, as the table of causes says it.
fn expected(state: State, causes: &[SafetyCause]) -> State {
    let counts = |cause: &&SafetyCause| {
        let enabled = matches!(state, State::Arming | State::Armed | State::Hold);
        enabled || cause.rule().scope == Scope::Always
    };
    let worst = causes.iter().filter(counts).map(|cause| cause.rule().severity).max();
    match (state, worst) {
        (State::Lockout, _) | (_, Some(Severity::Lockout)) => State::Lockout,
        (State::SafeStop, _) | (_, Some(Severity::SafeStop)) => State::SafeStop,
        (State::Hold, _) | (State::Armed, Some(Severity::Hold)) => State::Hold,
        (State::Arming, Some(Severity::Hold)) => State::Disarmed,
        (State::Disarmed | State::Arming | State::Armed, _) => state,
    }
}

#[test]
fn every_state_with_every_pair_of_causes_and_every_act_goes_where_the_table_says() {
    let acts = [
        None,
        Some(Act::Arm),
        Some(Act::ArmToEscape),
        Some(Act::ArmingFailed),
        Some(Act::Disarm { looked: false }),
        Some(Act::Disarm { looked: true }),
        Some(Act::Recommission),
    ];
    for state in STATES {
        let before = in_state(state);
        for (first, second) in pairs() {
            for act in acts.into_iter().chain([Some(Act::Acknowledge(first))]) {
                let inputs = Inputs { act, ..with(&[first, second]) };
                let (after, actions) = step(&before, &inputs, at(10_100));
                let caused = expected(state, &[first, second]);
                // While a cause holds, an act can only take motion away.
                let wanted = match (act, caused) {
                    (Some(Act::Disarm { .. }), State::Arming | State::Armed | State::Hold) => State::Disarmed,
                    (Some(Act::ArmingFailed), State::Arming | State::Armed) => State::Disarmed,
                    (Some(Act::Arm | Act::ArmToEscape), State::Disarmed)
                        if !holds(set(&[first, second])) && state == State::Disarmed =>
                    {
                        State::Arming
                    }
                    (Some(Act::ArmingFailed), State::Hold) if state == State::Armed => State::Disarmed,
                    (_, caused) => caused,
                };
                let what = format!("{state:?} with {first:?} and {second:?}, {act:?}");
                assert_eq!(after.state(), wanted, "{what}");
                check_actions(&before, &after, &actions, &what);
            }
        }
    }
}

fn pairs() -> impl Iterator<Item = (SafetyCause, SafetyCause)> {
    SafetyCause::ALL.into_iter().flat_map(|first| SafetyCause::ALL.into_iter().map(move |second| (first, second)))
}

fn check_actions(before: &RobotSafety, after: &RobotSafety, actions: &Actions, what: &str) {
    let passes = |safety: &RobotSafety| matches!(safety.state(), State::Arming | State::Armed);
    let stopped = |safety: &RobotSafety| matches!(safety.state(), State::SafeStop | State::Lockout);
    assert_eq!(actions.contains(&Action::RefuseAll), passes(before) && !passes(after), "{what}");
    let stop = actions.contains(&Action::SendStop(StopKind::Stop));
    assert_eq!(stop, stopped(after) && !stopped(before), "{what}");
    assert_eq!(actions.contains(&Action::PersistLatch), stop, "{what}");
    let locked = after.locked_by() != before.locked_by() && after.state() == State::Lockout;
    assert_eq!(actions.contains(&Action::PersistLockout), locked, "{what}");
    assert_eq!(actions.contains(&Action::BumpEpoch), after.epoch() > before.epoch().max(1), "{what}");
    let hold = before.is_armed() && matches!(after.state(), State::Hold | State::Disarmed);
    assert_eq!(actions.contains(&Action::SendStop(StopKind::Hold)), hold, "{what}");
    let new = after.causes().iter().filter(|active| before.causes().iter().all(|old| old.cause != active.cause));
    let stopped = matches!(after.state(), State::Hold | State::SafeStop | State::Lockout);
    let answered = stopped && new.clone().any(|active| active.cause.fallback().is_some());
    assert_eq!(actions.iter().any(|action| matches!(action, Action::RunFallback(_))), answered, "{what}");
}

/// Feeds the (milliseconds, inputs) of `told` to a robot; prints state, causes and actions where they change.
fn check(start: State, told: &[(u64, Inputs)], wanted: Expect) {
    let mut safety = in_state(start);
    let mut lines = format!("{:?}\n", safety.state());
    for (ms, inputs) in told {
        let (next, actions) = step(&safety, inputs, at(*ms));
        if next.state() != safety.state() || !actions.is_empty() {
            let causes: Vec<_> = next.causes().iter().map(|active| active.cause).collect();
            lines += &format!("{ms}: {:?} {causes:?} {:?}\n", next.state(), &actions[..]);
        }
        safety = next;
    }
    wanted.assert_eq(&lines);
}

const ACK_LOST: Act = Act::Acknowledge(SafetyCause::BeatLost);

#[test]
fn arming_takes_a_second_of_unbroken_answers_and_gives_up_after_ten() {
    let silent = Inputs { healthy: false, ..with(&[]) };
    check(
        State::Arming,
        &[(8_500, with(&[])), (9_000, silent), (9_100, with(&[])), (10_000, with(&[])), (10_100, with(&[]))],
        expect![[r#"
            Arming
            10100: Armed [] []
        "#]],
    );
    check(
        State::Arming,
        &[(17_999, silent), (18_000, silent)],
        expect![[r#"
        Arming
        18000: Disarmed [] [RefuseAll]
    "#]],
    );
    check(
        State::Arming,
        &[(8_500, with(&[SafetyCause::BeatLate]))],
        expect![[r#"
        Arming
        8500: Disarmed [] [RefuseAll]
    "#]],
    );
    check(
        State::Arming,
        &[(8_500, act(Act::ArmingFailed))],
        expect![[r#"
        Arming
        8500: Disarmed [] [RefuseAll]
    "#]],
    );
}

#[test]
fn f3_a_lost_link_is_held_then_stopped_and_ends_disarmed_after_an_acknowledgement() {
    let late = Inputs { healthy: false, ..with(&[SafetyCause::BeatLate]) };
    let lost = Inputs { healthy: false, ..with(&[SafetyCause::BeatLate, SafetyCause::BeatLost]) };
    check(
        State::Armed,
        &[
            (10_500, late),
            (11_500, lost),
            (12_000, Inputs { act: Some(ACK_LOST), ..lost }),
            (13_000, with(&[])),
            (14_500, with(&[])),
            (14_600, act(ACK_LOST)),
        ],
        expect![[r#"
            Armed
            10500: Hold [BeatLate] [RefuseAll, SendStop(Hold), RaiseAlarm(BeatLate, P2)]
            11500: SafeStop [BeatLate, BeatLost] [SendStop(Stop), PersistLatch, RunFallback(Link), RaiseAlarm(BeatLost, P1)]
            14600: Disarmed [] [BumpEpoch]
        "#]],
    );
}

#[test]
fn a_hold_ends_by_itself_only_if_its_cause_says_so_and_beats_are_healthy() {
    let late = Inputs { healthy: false, ..with(&[SafetyCause::BeatLate]) };
    check(
        State::Armed,
        &[(10_500, late), (10_700, with(&[])), (11_600, with(&[])), (11_700, with(&[]))],
        expect![[r#"
            Armed
            10500: Hold [BeatLate] [RefuseAll, SendStop(Hold), RaiseAlarm(BeatLate, P2)]
            11700: Armed [] [BumpEpoch]
        "#]],
    );
    check(
        State::Armed,
        &[
            (10_500, with(&[SafetyCause::SensorFrozen])),
            (10_600, with(&[])),
            (20_000, with(&[])),
            (20_100, act(Act::Acknowledge(SafetyCause::SensorFrozen))),
        ],
        expect![[r#"
            Armed
            10500: Hold [SensorFrozen] [RefuseAll, SendStop(Hold), RunFallback(Sensor), RaiseAlarm(SensorFrozen, P2)]
            20100: Armed [] [BumpEpoch]
        "#]],
    );
}

#[test]
fn f7_a_robot_ought_to_stand_from_the_end_of_motion_on_and_a_hold_that_becomes_a_stop_gives_no_new_time() {
    let armed = in_state(State::Armed);
    assert_eq!((armed.still_since(), armed.is_stopped()), (None, false));
    let held = step(&armed, &with(&[SafetyCause::BeatLate]), at(10_100)).0;
    let stopped = step(&held, &with(&[SafetyCause::BeatLate, SafetyCause::BeatLost]), at(11_100)).0;
    let locked = step(&stopped, &with(&[SafetyCause::StateFault]), at(12_000)).0;
    for (safety, state) in [(held, State::Hold), (stopped, State::SafeStop), (locked, State::Lockout)] {
        assert_eq!(safety.state(), state);
        assert_eq!((safety.still_since(), safety.is_stopped()), (Some(at(10_100)), true), "{state:?}");
    }
    let disarmed = step(&in_state(State::Armed), &act(Act::Disarm { looked: false }), at(10_100)).0;
    assert_eq!((disarmed.still_since(), disarmed.is_stopped()), (Some(at(10_100)), false));
}

#[test]
fn f19_a_hold_that_lasts_or_flaps_becomes_a_safe_stop() {
    let stale = with(&[SafetyCause::PoseStale]);
    check(
        State::Armed,
        &[(10_500, stale), (15_499, stale), (15_500, stale)],
        expect![[r#"
            Armed
            10500: Hold [PoseStale] [RefuseAll, SendStop(Hold), RunFallback(Sensor), RaiseAlarm(PoseStale, P2)]
            15500: SafeStop [PoseStale] [SendStop(Stop), PersistLatch, RaiseAlarm(PoseStale, P1)]
        "#]],
    );
    check(
        State::Armed,
        &[(10_500, stale), (10_600, with(&[])), (11_600, stale)],
        expect![[r#"
            Armed
            10500: Hold [PoseStale] [RefuseAll, SendStop(Hold), RunFallback(Sensor), RaiseAlarm(PoseStale, P2)]
            11600: SafeStop [PoseStale] [SendStop(Stop), PersistLatch, RaiseAlarm(PoseStale, P1)]
        "#]],
    );
    check(
        State::Armed,
        &[(10_500, stale), (10_600, with(&[])), (11_600, with(&[])), (12_700, stale)],
        expect![[r#"
            Armed
            10500: Hold [PoseStale] [RefuseAll, SendStop(Hold), RunFallback(Sensor), RaiseAlarm(PoseStale, P2)]
            11600: Armed [] [BumpEpoch]
            12700: Hold [PoseStale] [RefuseAll, SendStop(Hold), RunFallback(Sensor), RaiseAlarm(PoseStale, P2)]
        "#]],
    );
    // A moment later it is another hold, not the same one again.
    check(
        State::Armed,
        &[(10_500, stale), (10_600, with(&[])), (11_601, stale)],
        expect![[r#"
            Armed
            10500: Hold [PoseStale] [RefuseAll, SendStop(Hold), RunFallback(Sensor), RaiseAlarm(PoseStale, P2)]
        "#]],
    );
    let asked = with(&[SafetyCause::HoldRequested]);
    check(
        State::Armed,
        &[(10_500, asked), (10_600, with(&[])), (10_700, asked)],
        expect![[r#"
        Armed
        10500: Hold [HoldRequested] [RefuseAll, SendStop(Hold), RaiseAlarm(HoldRequested, P2)]
    "#]],
    );
}

#[test]
fn the_same_breach_soon_after_it_was_acknowledged_locks_until_recommissioned_at_standstill() {
    let breach = with(&[SafetyCause::Breach]);
    let ack = act(Act::Acknowledge(SafetyCause::Breach));
    check(
        State::Armed,
        &[
            (10_500, breach),
            (10_600, with(&[])),
            (11_600, ack),
            (11_700, act(Act::Arm)),
            (11_800, with(&[])),
            (12_800, with(&[])),
            (21_600, breach),
            (21_700, act(Act::Recommission)),
            (22_600, act(Act::Disarm { looked: true })),
            (23_000, ack),
            (23_100, Inputs { still: false, ..act(Act::Recommission) }),
            (23_200, act(Act::Recommission)),
        ],
        expect![[r#"
            Armed
            10500: SafeStop [Breach] [RefuseAll, SendStop(Stop), PersistLatch, RunFallback(Breach), RaiseAlarm(Breach, P1)]
            11600: Disarmed [] [BumpEpoch]
            11700: Arming [] []
            12800: Armed [] []
            21600: Lockout [Breach] [RefuseAll, SendStop(Stop), PersistLatch, PersistLockout, RunFallback(Breach), RaiseAlarm(Breach, P1)]
            23200: Disarmed [] [BumpEpoch]
        "#]],
    );
}

#[test]
fn a_breach_more_than_ten_seconds_after_the_last_one_was_acknowledged_is_a_first_one() {
    let breach = with(&[SafetyCause::Breach]);
    let again = |ms: u64| {
        let ack = act(Act::Acknowledge(SafetyCause::Breach));
        let told = [(10_500, breach), (10_600, with(&[])), (11_600, ack), (11_700, act(Act::Arm)), (ms, breach)];
        told.iter().fold(in_state(State::Armed), |safety, (ms, inputs)| step(&safety, inputs, at(*ms)).0).state()
    };
    assert_eq!([again(20_000), again(21_600), again(21_601)], [State::Lockout, State::Lockout, State::SafeStop]);
}

#[test]
fn a_release_ends_a_stop_at_once_and_other_causes_keep_it() {
    let stopped = with(&[SafetyCause::StopAll]);
    check(
        State::Armed,
        &[(10_500, stopped), (10_600, with(&[]))],
        expect![[r#"
        Armed
        10500: SafeStop [StopAll] [RefuseAll, SendStop(Stop), PersistLatch, RaiseAlarm(StopAll, P1)]
        10600: Disarmed [] [BumpEpoch]
    "#]],
    );
    check(
        State::Armed,
        &[
            (10_500, with(&[SafetyCause::StopAll, SafetyCause::OverSpeed])),
            (10_600, with(&[])),
            (11_600, act(Act::Acknowledge(SafetyCause::OverSpeed))),
        ],
        expect![[r#"
            Armed
            10500: SafeStop [OverSpeed, StopAll] [RefuseAll, SendStop(Stop), PersistLatch, RunFallback(Breach), RaiseAlarm(OverSpeed, P1), RaiseAlarm(StopAll, P1)]
            11600: Disarmed [] [BumpEpoch]
        "#]],
    );
}

#[test]
fn an_unconfirmed_stop_needs_a_look_at_the_robot_or_a_late_answer_and_a_name() {
    let unconfirmed = with(&[SafetyCause::StopUnconfirmed]);
    let (not_looked, looked) = (act(Act::Disarm { looked: false }), act(Act::Disarm { looked: true }));
    let told = [(10_500, unconfirmed), (10_600, not_looked), (11_690, with(&[])), (11_700, looked)];
    check(
        State::Disarmed,
        &told,
        expect![[r#"
            Disarmed
            10500: SafeStop [StopUnconfirmed] [SendStop(Stop), PersistLatch, RunFallback(StopUnconfirmed), RaiseAlarm(StopUnconfirmed, P1)]
            11700: Disarmed [] [BumpEpoch]
        "#]],
    );
    let named = act(Act::Acknowledge(SafetyCause::StopUnconfirmed));
    check(
        State::Disarmed,
        &[(10_500, unconfirmed), (10_600, named), (11_600, with(&[]))],
        expect![[r#"
            Disarmed
            10500: SafeStop [StopUnconfirmed] [SendStop(Stop), PersistLatch, RunFallback(StopUnconfirmed), RaiseAlarm(StopUnconfirmed, P1)]
            11600: Disarmed [] [BumpEpoch]
        "#]],
    );
}

#[test]
fn disarming_leaves_what_only_a_person_can_clear() {
    let frozen = with(&[SafetyCause::SensorFrozen, SafetyCause::PoseStale]);
    check(
        State::Armed,
        &[
            (10_500, frozen),
            (10_600, act(Act::Disarm { looked: true })),
            (10_700, act(Act::Arm)),
            (11_700, act(Act::Acknowledge(SafetyCause::SensorFrozen))),
            (11_800, act(Act::Arm)),
        ],
        expect![[r#"
            Armed
            10500: Hold [PoseStale, SensorFrozen] [RefuseAll, SendStop(Hold), RunFallback(Sensor), RaiseAlarm(PoseStale, P2), RaiseAlarm(SensorFrozen, P2)]
            10600: Disarmed [SensorFrozen] []
            11800: Arming [] []
        "#]],
    );
}

#[test]
fn g6_a_robot_armed_to_escape_only_is_so_until_it_is_disarmed_or_stopped() {
    let armed = || {
        let mut safety = RobotSafety::new(at(0));
        for (ms, inputs) in [(8_000, act(Act::ArmToEscape)), (8_100, with(&[])), (9_100, with(&[]))] {
            safety = step(&safety, &inputs, at(ms)).0;
            assert!(safety.escapes());
        }
        assert!(safety.is_armed());
        safety
    };
    for (inputs, state, escapes) in [
        (with(&[]), State::Armed, true),
        (with(&[SafetyCause::BeatLate]), State::Hold, true),
        (with(&[SafetyCause::Breach]), State::SafeStop, false),
        (act(Act::Disarm { looked: false }), State::Disarmed, false),
    ] {
        let (next, _) = step(&armed(), &inputs, at(9_200));
        assert_eq!((next.state(), next.escapes()), (state, escapes));
    }
    assert!(!in_state(State::Armed).escapes());
}

#[test]
fn c6_a_set_that_is_no_longer_complete_disarms_until_there_is_another() {
    let emptied = Inputs { act: Some(Act::Disarm { looked: false }), ..with(&[SafetyCause::SetEmptied]) };
    let (disarmed, actions) = step(&in_state(State::Armed), &emptied, at(10_100));
    assert_eq!(disarmed.state(), State::Disarmed);
    assert!(actions.contains(&Action::RefuseAll) && actions.contains(&Action::SendStop(StopKind::Hold)));
    let (still, _) = step(&disarmed, &Inputs { act: Some(Act::Arm), ..with(&[SafetyCause::SetEmptied]) }, at(10_200));
    assert_eq!(
        (still.state(), still.keeps_disarmed().map(|active| active.cause)),
        (State::Disarmed, Some(SafetyCause::SetEmptied))
    );
    let (gone, _) = step(&still, &with(&[]), at(10_300));
    let (complete, _) = step(&gone, &with(&[]), at(11_300));
    assert_eq!(complete.causes(), []);
    let (never_armed, _) = step(&in_state(State::Disarmed), &with(&[SafetyCause::SetEmptied]), at(10_100));
    assert_eq!(never_armed.causes(), [], "a robot that waits for its limits has lost none");
}
