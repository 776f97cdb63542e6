use expect_test::{Expect, expect};

use super::*;
use crate::fixtures::{beat, claim, goal, manifest, open_stop, release, stop};

/// A gate that station `desk` has claimed under epoch 1; beat 1 was answered at 0 ms.
fn claimed() -> GateState {
    let mut gate = GateState::new(&manifest());
    for message in [Message::Beat(beat("desk", 1)), Message::Claim(claim("desk", 1))] {
        admit(&mut gate, message, Instant::default()).unwrap();
    }
    gate
}

fn say(gate: &mut GateState, at_ms: u64, message: Message) -> String {
    match admit(gate, message, Instant::from_millis(at_ms)) {
        Ok(Admit::Move(command)) => format!("{at_ms}: move {}", command.seq),
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
    Message::Command(command)
}

#[test]
fn a_hold_ends_set_points_and_latches_nothing() {
    let hold = |station: &str| HoldMessage { robot: manifest().id, station: station.parse().unwrap() };
    let mut gate = claimed();
    let velocity = Motion::Velocity { linear_mps: [0.1, 0.0, 0.0], angular_radps: [0.0; 3] };
    say(&mut gate, 10, command(CommandEnvelope { motion: velocity, ..goal(1) }));
    assert_eq!(say(&mut gate, 20, Message::Hold(hold("shed"))), "20: Hold");
    assert!(gate.set_points.is_empty() && gate.stops().is_empty());
    assert_eq!(say(&mut gate, 30, command(goal(2))), "30: move 2");
}

#[test]
fn while_a_pendant_has_control_no_command_passes_and_a_stop_does() {
    let mut gate = claimed();
    gate.set_local(true);
    assert_eq!(say(&mut gate, 10, command(goal(1))), "10: Arbitration");
    gate.set_local(false);
    assert_eq!(say(&mut gate, 20, command(goal(1))), "20: move 1");
    gate.set_local(true);
    assert_eq!(say(&mut gate, 30, Message::Stop(stop("shed", 7))), "30: Stop");
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
fn a2_only_the_claimant_commands_and_only_under_its_epoch() {
    let foreign = |seq, epoch| CommandEnvelope { station: "shed".parse().unwrap(), epoch, ..goal(seq) };
    check(
        vec![
            (10, command(foreign(1, 1))),
            (11, command(CommandEnvelope { epoch: 2, ..goal(1) })),
            (12, Message::Claim(claim("shed", 1))),
            (13, Message::Claim(claim("desk", 1))),
            (14, Message::Beat(beat("shed", 1))),
            (15, Message::Claim(claim("shed", 2))),
            (16, command(goal(1))),
            (17, command(foreign(1, 2))),
        ],
        expect!["10: Lease, 11: Lease, 12: Lease, 13: Claimed, 14: Beat, 15: Claimed, 16: Lease, 17: move 1"],
    );
}

#[test]
fn refuses_what_is_not_for_this_robot_or_not_what_it_can_do() {
    let velocity = Motion::Velocity { linear_mps: [0.1, 0.0, 0.0], angular_radps: [0.0; 3] };
    check(
        vec![
            (1, command(CommandEnvelope { robot: "rover-1".parse().unwrap(), ..goal(1) })),
            (2, command(CommandEnvelope { actuator: "wheel".parse().unwrap(), ..goal(1) })),
            (3, command(CommandEnvelope { actuator: "gripper".parse().unwrap(), motion: velocity, ..goal(1) })),
            (4, command(CommandEnvelope { ttl_ms: 5_001, ..goal(1) })),
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
    let lapses = |gate: &mut GateState, at_ms| gate.tick(Instant::from_millis(at_ms));
    assert_eq!(lapses(&mut gate, 499), []);
    assert_eq!(lapses(&mut gate, 500), [Lapse::Held]);
    assert_eq!(lapses(&mut gate, 520), []);
    assert_eq!(say(&mut gate, 530, command(goal(1))), "530: Expired");
    assert_eq!(say(&mut gate, 540, Message::Beat(beat("shed", 2))), "540: Beat");
    assert!(gate.is_held());
    assert_eq!(say(&mut gate, 550, Message::Beat(beat("desk", 2))), "550: Beat");
    assert_eq!(say(&mut gate, 560, command(CommandEnvelope { beat: 2, ..goal(2) })), "560: move 2");
}

#[test]
fn a_velocity_that_is_not_renewed_becomes_zero() {
    let mut gate = claimed();
    let motion = Motion::Velocity { linear_mps: [0.1, 0.0, 0.0], angular_radps: [0.0; 3] };
    let set_point = |seq, n| command(CommandEnvelope { ttl_ms: 300, beat: n, motion: motion.clone(), ..goal(seq) });
    assert_eq!(say(&mut gate, 10, set_point(1, 1)), "10: move 1");
    assert_eq!(say(&mut gate, 100, Message::Beat(beat("desk", 2))), "100: Beat");
    assert_eq!(say(&mut gate, 250, set_point(2, 2)), "250: move 2");
    assert_eq!(gate.tick(Instant::from_millis(399)), []);
    assert_eq!(gate.tick(Instant::from_millis(400)), [Lapse::SetPoint("arm".parse().unwrap())]);
}

#[test]
fn remembers_a_bounded_number_of_beats_and_stops() {
    let mut gate = claimed();
    for n in 2..2_000 {
        admit(&mut gate, Message::Beat(beat("desk", n)), Instant::from_millis(n)).unwrap();
        admit(&mut gate, Message::Stop(stop("desk", n)), Instant::from_millis(n)).unwrap();
    }
    assert_eq!((gate.answered.len(), gate.stops.len()), (ANSWERED_MAX, OPEN_STOPS_MAX));
}
