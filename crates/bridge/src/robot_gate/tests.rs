mod borders;
mod stops;

use expect_test::{Expect, expect};

use robot::{Isometry, RawJoints, RawMotion, RawVelocity};
use safety::{JointPositions, MovingTransform};

use super::*;
use crate::envelope::GateFault;
use crate::fixtures::{at_rest, beat, claim, goal, jointed_manifest, manifest, open_stop, release, stop};

/// A gate that was just started for the first time.
fn started() -> GateState {
    GateState::new(&manifest(), GateMemory::default()).unwrap()
}

fn own_stop(by: StoppedBy, stop_id: u64) -> OpenStop {
    OpenStop { by, stop_id }
}

/// A gate that station `desk` has claimed under epoch 1 and released; beat 1 was answered at 0 ms.
fn claimed() -> GateState {
    let mut gate = started();
    let restart = own_stop(StoppedBy::Restart, 1);
    for message in [
        Message::Beat(beat("desk", 1)),
        Message::Claim(claim("desk", 1)),
        Message::Release(release("desk", 1, &[restart])),
    ] {
        admit(&mut gate, message, &at_rest(Instant::default()), Instant::default()).unwrap();
    }
    gate
}

fn say(gate: &mut GateState, at_ms: u64, message: Message) -> String {
    say_at(gate, at_ms, message, &at_rest(Instant::from_millis(at_ms)))
}

fn say_at(gate: &mut GateState, at_ms: u64, message: Message, own: &OwnState) -> String {
    match admit(gate, message, own, Instant::from_millis(at_ms)) {
        Ok(Admit::Move(approved)) => format!("{at_ms}: move {}", approved.command().lease.seq),
        Ok(Admit::Commission(wish)) => format!("{at_ms}: commission {:?}", wish.act),
        Ok(admitted @ (Admit::Claimed | Admit::Released | Admit::Stop | Admit::Hold | Admit::Beat)) => {
            format!("{at_ms}: {admitted:?}")
        }
        Err(reason) => format!("{at_ms}: {reason:?}"),
    }
}

fn check(script: Vec<(u64, Message)>, expected: Expect) {
    let mut gate = claimed();
    let outcomes: Vec<_> = script.into_iter().map(|(at_ms, message)| say(&mut gate, at_ms, message)).collect();
    expected.assert_eq(&outcomes.join(", "));
}

fn command(command: CommandEnvelope) -> Message {
    Message::Command(Box::new(command))
}

fn velocity() -> RawMotion {
    RawMotion::Velocity(RawVelocity { linear_mps: vec![0.1, 0.0, 0.0], angular_radps: vec![0.0; 3] })
}

#[test]
fn a_hold_ends_set_points_and_latches_nothing() {
    let hold = |station: &str| HoldMessage { robot: manifest().id, station: station.parse().unwrap(), hold_id: 1 };
    let mut gate = claimed();
    say(&mut gate, 10, command(CommandEnvelope { ttl_ms: 500, motion: velocity(), ..goal(1) }));
    assert_eq!(say(&mut gate, 20, Message::Hold(hold("shed"))), "20: Hold");
    assert!(gate.set_points.is_empty() && gate.memory().stops.is_empty());
    assert_eq!(say(&mut gate, 30, command(goal(2))), "30: move 2");
}

#[test]
fn what_its_own_manifest_does_not_limit_is_the_stations_matter() {
    let mut unlimited = manifest();
    unlimited.limits.workspace = None;
    let mut gate = GateState::new(&unlimited, claimed().memory().clone()).unwrap();
    for message in [Message::Beat(beat("desk", 1)), Message::Claim(claim("desk", 2))] {
        say(&mut gate, 0, message);
    }
    let stops: Vec<OpenStop> = gate.memory().stops.iter().cloned().collect();
    say(&mut gate, 1, Message::Release(release("desk", 2, &stops)));
    assert_eq!(say(&mut gate, 10, command(CommandEnvelope { epoch: 2, ..goal(1) })), "10: move 1");
}

#[test]
fn t4_refuses_a_valid_command_that_is_sent_again() {
    check(vec![(10, command(goal(1))), (20, command(goal(1)))], expect!["10: move 1, 20: Replay"]);
}

#[test]
fn t5_refuses_a_lower_sequence_number() {
    check(
        vec![(10, command(goal(5))), (11, command(goal(4))), (12, command(goal(6)))],
        expect!["10: move 5, 11: Sequence, 12: move 6"],
    );
}

#[test]
fn n14_the_sequence_number_does_not_wrap() {
    check(
        vec![(10, command(goal(u64::MAX))), (11, command(goal(0)))],
        expect!["10: move 18446744073709551615, 11: Sequence"],
    );
}

#[test]
fn t1_a_command_lives_from_the_answer_to_the_beat_it_names() {
    let short = |seq, n| command(CommandEnvelope { ttl_ms: 200, beat: n, ..goal(seq) });
    check(
        vec![
            (200, short(1, 1)),
            (201, short(2, 1)),
            (300, Message::Beat(beat("desk", 2))),
            (500, short(3, 2)),
            (501, short(4, 3)),
        ],
        expect!["200: move 1, 201: Expired, 300: Beat, 500: move 3, 501: Expired"],
    );
}

#[test]
fn t6_a_beat_that_comes_twice_gives_no_new_time() {
    let short = |seq| command(CommandEnvelope { ttl_ms: 200, ..goal(seq) });
    check(vec![(300, Message::Beat(beat("desk", 1))), (301, short(1))], expect!["300: Beat, 301: Expired"]);
}

#[test]
fn a2_f20_only_the_claimant_commands_and_only_under_its_epoch() {
    let foreign = |seq, epoch| CommandEnvelope { station: "shed".parse().unwrap(), epoch, ..goal(seq) };
    check(
        vec![
            (10, command(foreign(1, 1))),
            (11, command(CommandEnvelope { epoch: 2, ..goal(1) })),
            (12, Message::Claim(claim("shed", 1))),
            (13, Message::Claim(claim("desk", 1))),
            (14, Message::Claim(claim("shed", 2))),
            (15, Message::Claim(claim("desk", 2))),
            (16, command(goal(1))),
            (17, command(CommandEnvelope { epoch: 2, ..goal(1) })),
        ],
        expect!["10: Lease, 11: Lease, 12: Lease, 13: Claimed, 14: Lease, 15: Claimed, 16: Lease, 17: move 1"],
    );
}

#[test]
fn a2_f20_a_claim_is_free_once_its_beats_have_ended_for_its_time_to_live() {
    check(
        vec![
            (1_500, Message::Beat(beat("desk", 2))),
            (3_499, Message::Claim(claim("shed", 2))),
            (3_500, Message::Claim(claim("shed", 1))),
            (3_501, Message::Claim(Claim { ttl_ms: 60_000, ..claim("shed", 2) })),
            (3_502, Message::Claim(claim("shed", 2))),
            (3_503, Message::Beat(beat("desk", 3))),
            (3_504, Message::Claim(claim("desk", 3))),
        ],
        expect!["1500: Beat, 3499: Lease, 3500: Lease, 3501: Schema, 3502: Claimed, 3503: Beat, 3504: Lease"],
    );
}

#[test]
fn att_17_a_recorded_command_is_refused_after_a_minute_and_after_the_epoch_rose() {
    check(
        vec![
            (10, command(goal(1))),
            (20, Message::Claim(claim("desk", 2))),
            (30, command(goal(1))),
            (40, command(goal(2))),
            (60_000, Message::Beat(beat("desk", 1))),
            (60_001, command(CommandEnvelope { epoch: 2, ..goal(3) })),
        ],
        expect!["10: move 1, 20: Claimed, 30: Lease, 40: Lease, 60000: Beat, 60001: Expired"],
    );
}

#[test]
fn t4_a_command_that_was_refused_is_used_up_too() {
    let mut gate = claimed();
    let elsewhere = OwnState { pose: None, ..at_rest(Instant::from_millis(10)) };
    assert_eq!(say_at(&mut gate, 10, command(goal(1)), &elsewhere), "10: NoFreshPose");
    assert_eq!(say(&mut gate, 20, command(goal(1))), "20: Replay");
}

#[test]
fn nothing_moves_that_the_manifests_own_limits_do_not_allow_at_its_own_pose() {
    let far = |seq, x_m: f64, speed_mps| {
        let motion = serde_json::json!({ "pose_goal": { "position_m": [x_m, 0.0, 0.0], "speed_mps": speed_mps } });
        command(CommandEnvelope { motion: serde_json::from_value(motion).unwrap(), ..goal(seq) })
    };
    check(
        vec![(1, far(1, 4.9, 0.2)), (2, far(2, 5.1, 0.2)), (3, far(3, 0.5, 1.1)), (4, far(4, 60.0, 0.2))],
        expect!["1: move 1, 2: GoalJump, 3: Velocity, 4: Implausible"],
    );
    let mut gate = claimed();
    let mut own = at_rest(Instant::from_millis(10));
    own.pose.as_mut().unwrap().observed = Instant::default();
    assert_eq!(say_at(&mut gate, 501, far(1, 0.5, 0.2), &own), "501: Expired");
    say(&mut gate, 502, Message::Beat(beat("desk", 2)));
    let late = CommandEnvelope { beat: 2, ..goal(2) };
    assert_eq!(say_at(&mut gate, 503, command(late), &own), "503: NoFreshPose");
}

#[test]
fn g6_an_escape_from_a_region_that_only_the_station_knows_is_a_slow_goal() {
    let away = |seq, x_m: f64| {
        let motion = serde_json::json!({ "escape": { "position_m": [x_m, 0.0, 0.0], "speed_mps": 0.1 } });
        command(CommandEnvelope { motion: serde_json::from_value(motion).unwrap(), ..goal(seq) })
    };
    check(vec![(1, away(1, 0.5)), (2, away(2, 60.0))], expect!["1: move 1, 2: Implausible"]);
}

#[test]
fn whoever_stands_at_the_robot_with_a_pendant_has_control() {
    let mut gate = claimed();
    let local = OwnState { local: true, ..at_rest(Instant::from_millis(10)) };
    assert_eq!(say_at(&mut gate, 10, command(goal(1)), &local), "10: Arbitration");
    assert_eq!(say_at(&mut gate, 11, Message::Stop(stop("desk", 1)), &local), "11: Stop");
}

#[test]
fn after_a_start_nobody_has_the_claim_and_the_latch_is_released_by_its_own_number() {
    let stored = GateMemory { boot: 3, epoch: 7, own_stop_id: 4, ..GateMemory::default() };
    let mut gate = GateState::new(&manifest(), stored).unwrap();
    let restart = |stop_id| own_stop(StoppedBy::Restart, stop_id);
    let outcomes: Vec<_> = [
        (1, Message::Beat(beat("desk", 1))),
        (2, command(CommandEnvelope { epoch: 7, ..goal(1) })),
        (3, Message::Claim(claim("desk", 7))),
        (4, Message::Claim(claim("desk", 8))),
        (5, Message::Release(release("desk", 8, &[restart(4)]))),
        (6, Message::Release(release("desk", 8, &[restart(5)]))),
        (7, command(CommandEnvelope { epoch: 8, ..goal(1) })),
    ]
    .into_iter()
    .map(|(at_ms, message)| say(&mut gate, at_ms, message))
    .collect();
    expect!["1: Beat, 2: Latched, 3: Lease, 4: Claimed, 5: Latched, 6: Released, 7: move 1"]
        .assert_eq(&outcomes.join(", "));
}

#[test]
fn refuses_what_is_not_for_this_robot_or_not_what_it_can_do() {
    check(
        vec![
            (1, command(CommandEnvelope { robot: "rover-1".parse().unwrap(), ..goal(1) })),
            (2, command(CommandEnvelope { actuator: "wheel".parse().unwrap(), ..goal(1) })),
            (
                3,
                command(CommandEnvelope {
                    actuator: "gripper".parse().unwrap(),
                    ttl_ms: 500,
                    motion: velocity(),
                    ..goal(2)
                }),
            ),
            (4, command(CommandEnvelope { ttl_ms: 5_001, ..goal(3) })),
            (5, Message::Stop(StopMessage { robot: "rover-1".parse().unwrap(), ..stop("desk", 1) })),
        ],
        expect!["1: Schema, 2: UnknownActuator, 3: Schema, 4: Schema, 5: Schema"],
    );
}

#[test]
fn a_stop_from_anyone_latches_until_its_exact_release() {
    let (ours, theirs) = (open_stop("desk", 41), open_stop("shed", 7));
    check(
        vec![
            (1, Message::Stop(stop("desk", 41))),
            (2, command(goal(1))),
            (3, Message::Stop(stop("shed", 7))),
            (4, Message::Release(release("desk", 2, std::slice::from_ref(&ours)))),
            (5, Message::Release(release("shed", 2, &[ours.clone(), theirs.clone()]))),
            (6, Message::Release(release("desk", 1, &[ours.clone(), theirs.clone()]))),
            (7, Message::Release(release("desk", 2, &[theirs, ours]))),
            (8, command(goal(1))),
            (9, command(CommandEnvelope { epoch: 2, ..goal(1) })),
        ],
        expect!["1: Stop, 2: Latched, 3: Stop, 4: Latched, 5: Lease, 6: Lease, 7: Released, 8: Lease, 9: move 1"],
    );
}

#[test]
fn a_claim_may_come_between_the_stop_and_its_release() {
    let ours = open_stop("desk", 41);
    check(
        vec![
            (1, Message::Stop(stop("desk", 41))),
            (2, Message::Claim(claim("desk", 2))),
            (3, Message::Release(release("desk", 2, std::slice::from_ref(&ours)))),
            (4, Message::Release(release("desk", 2, &[ours]))),
        ],
        expect!["1: Stop, 2: Claimed, 3: Released, 4: Released"],
    );
}

#[test]
fn a_command_approved_before_a_newer_latch_generation_is_refused() {
    check(
        vec![
            (1, command(CommandEnvelope { generation: 2, ..goal(1) })),
            (2, command(CommandEnvelope { generation: 1, ..goal(2) })),
        ],
        expect!["1: move 1, 2: Latched"],
    );
}

#[test]
fn f3_without_beats_the_robot_holds_and_a_fresh_command_is_needed() {
    let mut gate = claimed();
    assert_eq!(lapses(&mut gate, 499), []);
    assert_eq!(lapses(&mut gate, 500), [Lapse::Held]);
    assert_eq!(lapses(&mut gate, 520), []);
    assert_eq!(say(&mut gate, 530, command(goal(1))), "530: Expired");
    assert_eq!(say(&mut gate, 540, Message::Beat(beat("shed", 2))), "540: Beat");
    assert!(gate.is_held());
    let older = Beat { epoch: 0, ..beat("desk", 2) };
    assert_eq!(say(&mut gate, 541, Message::Beat(older)), "541: Beat");
    assert_eq!(say(&mut gate, 542, Message::Beat(beat("desk", 1))), "542: Beat");
    assert!(gate.is_held(), "neither an older epoch nor a copy renews the claim");
    assert_eq!(say(&mut gate, 550, Message::Beat(beat("desk", 2))), "550: Beat");
    assert_eq!(say(&mut gate, 560, command(CommandEnvelope { beat: 2, ..goal(2) })), "560: move 2");
}

#[test]
fn f3_after_a_second_and_a_half_it_stops_and_latches_until_that_latch_is_released() {
    let mut gate = claimed();
    assert_eq!(lapses(&mut gate, 500), [Lapse::Held]);
    assert_eq!(lapses(&mut gate, 1_499), []);
    assert_eq!(lapses(&mut gate, 1_500), [Lapse::Stopped]);
    assert_eq!(lapses(&mut gate, 1_600), []);
    say(&mut gate, 1_700, Message::Beat(beat("desk", 2)));
    assert_eq!(say(&mut gate, 1_701, command(CommandEnvelope { beat: 2, ..goal(1) })), "1701: Latched");
    let deadman = own_stop(StoppedBy::Deadman, 2);
    let named = |epoch, stop: &OpenStop| Message::Release(release("desk", epoch, std::slice::from_ref(stop)));
    assert_eq!(say(&mut gate, 1_702, named(1, &deadman)), "1702: Lease");
    assert_eq!(say(&mut gate, 1_703, named(2, &own_stop(StoppedBy::Restart, 1))), "1703: Latched");
    assert_eq!(say(&mut gate, 1_704, named(2, &deadman)), "1704: Released");
    say(&mut gate, 1_705, Message::Beat(Beat { epoch: 2, ..beat("desk", 3) }));
    assert_eq!(say(&mut gate, 1_706, command(CommandEnvelope { epoch: 2, beat: 3, ..goal(1) })), "1706: move 1");
}

fn lapses(gate: &mut GateState, at_ms: u64) -> Vec<Lapse> {
    gate.tick(Instant::from_millis(at_ms))
}

#[test]
fn a_velocity_that_is_not_renewed_becomes_zero() {
    let mut gate = claimed();
    let motion = velocity();
    let set_point = |seq, n| command(CommandEnvelope { ttl_ms: 300, beat: n, motion: motion.clone(), ..goal(seq) });
    assert_eq!(say(&mut gate, 10, set_point(1, 1)), "10: move 1");
    assert_eq!(say(&mut gate, 100, Message::Beat(beat("desk", 2))), "100: Beat");
    assert_eq!(say(&mut gate, 250, set_point(2, 2)), "250: move 2");
    assert_eq!(gate.tick(Instant::from_millis(399)), []);
    assert_eq!(gate.tick(Instant::from_millis(400)), [Lapse::SetPoint("arm".parse().unwrap())]);
}

/// The arm of [`jointed_manifest`], its joints and its tray as they were measured so long ago.
fn jointed(now: Instant, joints_ms: u64, tray_ms: u64) -> OwnState {
    let ago = |ms| now.minus(Duration::from_millis(ms));
    let joints = JointPositions {
        names: ["shoulder", "lift"].map(|name| name.parse().unwrap()).into(),
        positions: [0.0, 0.5].into(),
    };
    let tray = MovingTransform {
        parent: "base_link".parse().unwrap(),
        child: "tray".parse().unwrap(),
        parent_from_child: Isometry { translation_m: [0.1, 0.0, 0.0], ..Isometry::IDENTITY },
        max_age_ms: 500,
    };
    OwnState {
        joints: Some(Measured { value: joints, observed: ago(joints_ms) }),
        transforms: vec![Measured { value: tray, observed: ago(tray_ms) }],
        ..at_rest(now)
    }
}

#[test]
fn g17_joint_goals_and_moving_frames_are_judged_at_the_robot_as_at_the_station() {
    let turn = |shoulder: f64, speed_radps| {
        RawMotion::Joints(RawJoints {
            names: ["shoulder", "lift"].map(str::to_owned).into(),
            positions_rad: vec![shoulder, 0.5],
            speed_radps: Some(speed_radps),
        })
    };
    let frame = |frame: &str| CommandEnvelope { frame: frame.parse().unwrap(), ..goal(1) };
    let joints = |motion| CommandEnvelope { motion, ..goal(1) };
    let cases = [
        (joints(turn(0.4, 0.3)), 0, 0, "move 1"),
        (joints(turn(1.6, 0.3)), 0, 0, "JointLimit"),
        (joints(turn(0.4, 0.9)), 0, 0, "Velocity"),
        (joints(turn(0.4, 0.3)), 501, 0, "NotProvable"),
        (frame("tray"), 0, 0, "move 1"),
        (frame("tray"), 0, 501, "StaleTransform"),
        (frame("odom"), 0, 0, "FrameMismatch"),
    ];
    let now = Instant::from_millis(1_000);
    for (envelope, joints_ms, tray_ms, expected) in cases {
        let mut gate = GateState::new(&jointed_manifest(), GateMemory::default()).unwrap();
        for message in [Message::Beat(beat("desk", 1)), Message::Claim(claim("desk", 1))] {
            say(&mut gate, 1_000, message);
        }
        let stops: Vec<OpenStop> = gate.memory().stops.iter().cloned().collect();
        say(&mut gate, 1_000, Message::Release(release("desk", 1, &stops)));
        let own = jointed(now, joints_ms, tray_ms);
        let said = say_at(&mut gate, 1_000, command(envelope.clone()), &own);
        assert_eq!(said, format!("1000: {expected}"), "{envelope:?}");
    }
}

#[test]
fn rg_10_a_fault_latches_under_its_name_and_a_release_must_name_its_newest_number() {
    let mut gate = claimed();
    say(&mut gate, 10, command(goal(1)));
    gate.latch_fault(GateFault::Silent);
    gate.latch_fault(GateFault::Silent);
    assert_eq!(say(&mut gate, 20, command(goal(2))), "20: Latched");
    let fault = |stop_id| own_stop(StoppedBy::Fault(GateFault::Silent), stop_id);
    let named = |stop: OpenStop| Message::Release(release("desk", 2, &[stop]));
    assert_eq!(say(&mut gate, 30, named(fault(2))), "30: Latched");
    assert_eq!(say(&mut gate, 31, named(fault(3))), "31: Released");
}
