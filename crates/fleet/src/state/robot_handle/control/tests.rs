use safety::machine;

use super::*;

fn answer(n: u64, speed_mps: f64) -> BeatAnswer {
    BeatAnswer {
        robot: robot::RobotId::new("arm-1").unwrap(),
        station: robot::StationId::new("desk").unwrap(),
        n,
        not_nonce: 0,
        boot: 1,
        epoch: 1,
        claimed_by: None,
        latched: false,
        stops: Vec::new(),
        held: false,
        local: false,
        speed: Some(GateSpeed { mps: speed_mps, age_ms: 0, stands: speed_mps == 0.0 }),
        commissioning: safety::Commissioning::Complete,
    }
}

fn at(ms: u64) -> Instant {
    Instant::from_millis(ms)
}

/// Each is another command.
fn velocity_at(ms: u64) -> Command {
    let text = include_str!("../../../../../sim/manifests/rover-1.toml");
    let manifest = robot::Manifest::parse(text, "rover-1").unwrap();
    let raw = r#"{"robot": "rover-1", "actuator": "base", "ttl_ms": 500,
        "motion": {"velocity": {"linear_mps": [0.2, 0, 0], "angular_radps": [0, 0, 0]}}}"#;
    let context = robot::ParseContext {
        fresh_id: robot::CommandId(uuid::Uuid::from_u128(ms.into())),
        source: robot::Source::Agent,
        lease: robot::LeaseToken { station: robot::StationId::new("desk").unwrap(), epoch: 1, seq: 1 },
        issued_at: at(ms),
        approval: None,
    };
    robot::parse_command(&serde_json::from_str(raw).unwrap(), &manifest, context).unwrap()
}

fn healthy() -> machine::Inputs {
    machine::Inputs { healthy: true, still: true, epoch: 1, ..machine::Inputs::default() }
}

/// A robot whose machine went through arming.
fn armed() -> Control {
    let mut control = Control::new(at(0));
    for (ms, act) in [(0, Some(machine::Act::Arm)), (100, None), (1_200, None)] {
        let inputs = machine::Inputs { act, ..healthy() };
        (control.safety, _) = machine::step(&control.safety, &inputs, at(ms));
    }
    assert!(control.safety.is_armed());
    control
}

fn send(control: &mut Control, command: &Command) {
    let ends = control.handed_over(command, command.issued_at);
    control.sent(command.id, ends);
}

#[test]
fn an_order_to_end_outlasts_a_command_that_was_on_its_way_meanwhile() {
    let mut control = armed();
    control.first_motion = true;
    let late = velocity_at(1_300);
    let ends = control.handed_over(&late, at(1_300));
    control.told_to_hold(7, at(1_300));
    control.told_acknowledged(7);
    control.sent(late.id, ends);
    assert!(control.was_told_to_end() && control.hold_acknowledged() && control.first_motion);
    assert_eq!(control.set_points(), [], "nothing of it holds");
    send(&mut control, &velocity_at(1_400));
    assert!(!control.was_told_to_end() && !control.first_motion);
}

#[test]
fn g14_the_last_set_point_is_kept_until_a_goal_replaces_it_and_a_stop_ends_it() {
    let mut control = armed();
    send(&mut control, &velocity_at(1_000));
    send(&mut control, &velocity_at(1_100));
    let held: Vec<_> = control.set_points().iter().map(|held| (held.since, held.until)).collect();
    assert_eq!(held, [(at(1_100), at(1_600))]);
    control.told_to_end(StopKind::Stop, at(1_200));
    assert_eq!(control.set_points()[0].until, at(1_200));
    let mut goal = velocity_at(1_300);
    goal.motion = robot::Motion::Switch { on: true };
    send(&mut control, &goal);
    assert_eq!(control.set_points(), []);
    control.safety = RobotSafety::new(at(1_400));
    send(&mut control, &velocity_at(1_400));
    assert_eq!(control.set_points(), []);
}

#[test]
fn g14_what_waits_to_be_sent_counts_beside_what_was_sent_until_it_is_known_which_it_was() {
    let mut control = armed();
    let [sent, waits] = [1_000, 1_100].map(velocity_at);
    send(&mut control, &sent);
    control.handed_over(&waits, at(1_100));
    let since = |control: &Control| control.set_points().iter().map(|held| held.since).collect::<Vec<_>>();
    assert_eq!(since(&control), [at(1_000), at(1_100)]);
    control.ended(waits.id);
    assert_eq!(since(&control), [at(1_000)]);
}

#[test]
fn f10_the_robot_is_told_to_move_from_the_first_of_several_commands_to_the_end_of_the_last() {
    let mut control = armed();
    let [first, second] = [1_000, 1_400].map(velocity_at);
    send(&mut control, &first);
    let ends = control.handed_over(&second, at(1_400));
    assert_eq!((control.moves_since(), control.orders().count()), (Some(at(1_000)), 2));
    control.sent(second.id, ends);
    assert_eq!((control.moves_since(), control.orders().count()), (Some(at(1_000)), 1), "the first was replaced");
    control.ended(second.id);
    assert_eq!(control.moves_since(), None);
    control.sent(second.id, ends);
    assert_eq!(control.orders().count(), 0, "it was over before it was noted as sent");
}

#[test]
fn a7_each_actuator_has_a_meter_of_its_own() {
    let mut control = Control::new(at(0));
    let rate = CommandRate { hz: 1.0, burst: 1 };
    let [arm, gripper] = ["arm", "gripper"].map(|id| ActuatorId::new(id).unwrap());
    let admitted = [&arm, &arm, &gripper].map(|actuator| control.admit(actuator, true, rate, at(0)));
    assert_eq!(admitted, [true, false, true]);
    assert!(control.admit(&arm, false, rate, at(0)), "who is not in control has a meter of its own");
    assert!(control.admit(&arm, true, rate, at(1_000)));
}

#[test]
fn a_link_is_late_after_half_a_second_and_lost_after_one_and_a_half() {
    let settings = SafetySettings::default();
    for (age_ms, expected) in [
        (0, LinkState::Live),
        (499, LinkState::Live),
        (500, LinkState::Late),
        (1499, LinkState::Late),
        (1500, LinkState::Lost),
    ] {
        assert_eq!(link_state(Some(at(0)), &settings, at(age_ms)), expected, "{age_ms} ms");
    }
    assert_eq!(link_state(None, &settings, at(0)), LinkState::Never);
}

#[test]
fn the_round_trip_is_the_median_and_open_beats_are_bounded() {
    let mut beats = Beats::default();
    for n in 0..1_000 {
        beats.sent(n, at(n * 100));
    }
    assert_eq!(beats.open.len(), BEATS_OPEN_MAX);
    beats.answered(&answer(997, 0.0), at(99_710));
    beats.answered(&answer(998, 0.0), at(99_820));
    beats.answered(&answer(999, f64::NAN), at(99_990));
    assert_eq!((beats.rtt_ms_median(), beats.rtt_ms_p95()), (Some(20.0), Some(90.0)));
    assert_eq!(beats.speed_mps, Fresh::NEVER);
    beats.sent(1_000, at(100_000));
    beats.answered(&answer(1_000, 0.3), at(100_200));
    assert_eq!(beats.speed_mps, Fresh::at(0.3, at(100_000)), "it was so at the earliest when the beat was sent");
    assert_eq!(beats.stands, Fresh::at(false, at(100_000)));
    beats.sent(1_001, at(100_400));
    let aged = BeatAnswer { speed: Some(GateSpeed { mps: 0.3, age_ms: 400, stands: false }), ..answer(1_001, 0.3) };
    beats.answered(&aged, at(100_500));
    assert_eq!(beats.speed_mps, Fresh::at(0.3, at(100_000)), "an encoder that is silent grows old here as there");
    beats.sent(1_002, at(100_500));
    beats.answered(&BeatAnswer { speed: None, ..answer(1_002, 0.0) }, at(100_600));
    assert_eq!(beats.speed_mps, Fresh::NEVER, "nothing was measured");
    beats.answered(&answer(1_003, 0.4), at(100_700));
    assert_eq!(beats.speed_mps, Fresh::NEVER, "when an answer to an unknown beat was true nobody knows");
}

#[test]
fn a_robot_that_was_told_to_stand_is_disobedient_once_it_is_seen_to_move_after_its_time() {
    let times = StopTimes { ack: Duration::from_millis(300), stopping: Duration::from_millis(700) };
    let own = StationId::new("desk").unwrap();
    // Told at 2 s, acknowledged; it may move until 3.3 s.
    let told = |state: State, claimant: &str| {
        let mut control = armed();
        let caused = match state {
            State::Hold => Some(SafetyCause::HoldRequested),
            State::SafeStop => Some(SafetyCause::StopRobot),
            State::Disarmed | State::Arming | State::Armed | State::Lockout => None,
        };
        let act = (state == State::Disarmed).then_some(machine::Act::Disarm { looked: false });
        let inputs = machine::Inputs { present: caused.into_iter().collect(), act, ..healthy() };
        (control.safety, _) = machine::step(&control.safety, &inputs, at(2_000));
        assert_eq!(control.safety.state(), state);
        control.beats.claimed_by = Some(StationId::new(claimant).unwrap());
        control.told_to_hold(2, at(2_000));
        control.told_acknowledged(2);
        control
    };
    let seen = |mut control: Control, moves: &[(Option<u64>, u64)]| {
        let looks = moves.iter().map(|(moved, now)| (moved.map(at), at(*now)));
        looks.map(|(moved, now)| control.is_disobeyed(moved, now, times, &own)).collect::<Vec<_>>()
    };
    let rolls = [(Some(3_300), 3_400), (Some(3_301), 3_400)];
    let moves_again = [(Some(2_200), 2_300), (None, 2_600), (Some(3_300), 3_400), (Some(3_301), 3_400), (None, 3_500)];
    for state in [State::Hold, State::SafeStop] {
        assert_eq!(seen(told(state, "desk"), &rolls), [false, true], "{state:?}");
        assert_eq!(seen(told(state, "desk"), &moves_again), [false, false, false, true, false], "{state:?}");
        assert_eq!(seen(told(state, "other"), &moves_again), [false; 5], "{state:?}: another station moves it");
        assert_eq!(seen(told(state, "other"), &rolls), [false, true], "{state:?}: nobody has seen it stand");
    }
    // That a disarmed robot moves is the monitor's to say.
    assert_eq!(seen(told(State::Disarmed, "desk"), &moves_again), [false; 5]);
    assert_eq!(seen(told(State::Disarmed, "desk"), &rolls), [false, true]);
    assert_eq!(seen(armed(), &rolls), [false, false]);
}

#[test]
fn a_hold_that_is_not_acknowledged_in_time_is_disobeyed_by_a_robot_that_stands() {
    let times = StopTimes { ack: Duration::from_millis(300), stopping: Duration::from_millis(700) };
    let own = StationId::new("desk").unwrap();
    let mut control = Control::new(at(0));
    control.told_to_hold(2, at(2_000));
    let deaf = [2_300, 2_301].map(|now| control.is_disobeyed(None, at(now), times, &own));
    assert_eq!(deaf, [false, true]);
    control.told_acknowledged(1);
    assert!(control.is_disobeyed(None, at(2_302), times, &own), "that was the word on an earlier hold");
    control.told_acknowledged(2);
    assert!(!control.is_disobeyed(None, at(9_000), times, &own));
    control.told_to_end(StopKind::Stop, at(10_000));
    assert!(!control.is_disobeyed(None, at(19_000), times, &own), "who acknowledged a stop is kept with it");
}

#[test]
fn a_stop_of_another_station_is_released_under_the_number_it_was_taken_over_as_and_not_before() {
    let own = robot::StationId::new("desk").unwrap();
    let theirs = OpenStop { by: StoppedBy::Station(robot::StationId::new("shed").unwrap()), stop_id: 5 };
    let ours = OpenStop { by: StoppedBy::Station(own.clone()), stop_id: 1 };
    let held = |stops: &[&OpenStop]| BeatAnswer { stops: stops.iter().copied().cloned().collect(), ..answer(1, 0.0) };
    let mut beats = Beats::default();
    let released = |beats: &Beats, named: &[u64]| {
        let bound = [1, 2];
        released_with(beats.held(), &own, |stop_id| bound.contains(&stop_id) && !named.contains(&stop_id))
    };
    beats.answered(&held(&[&ours, &theirs]), at(0));
    assert_eq!(released(&beats, &[1]), BTreeSet::from([ours.clone()]), "no desk has shown the other");
    beats.note_taken_over(theirs.clone(), 2);
    assert_eq!(released(&beats, &[1]), BTreeSet::from([ours.clone()]));
    assert_eq!(released(&beats, &[1, 2]), BTreeSet::from([ours.clone(), theirs.clone()]));
    beats.answered(&held(&[]), at(100));
    beats.answered(&held(&[&theirs]), at(200));
    assert_eq!(released(&beats, &[1, 2]), BTreeSet::new(), "one that comes again is taken over anew");
}

#[test]
fn a_robot_is_shown_as_locked_once_the_disk_knows_it() {
    for on_disk in [OnDisk::Nothing, OnDisk::Failing] {
        assert_eq!(on_disk.shown(State::Lockout), State::SafeStop);
        assert_eq!(on_disk.shown(State::Hold), State::Hold);
    }
    assert_eq!(OnDisk::Locked.shown(State::Lockout), State::Lockout);
}
