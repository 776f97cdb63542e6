//! Many stops, stops of strangers, and the speed that a robot reports.

use super::*;
use crate::robot_gate::memory::OPEN_STOPS_OF_ONE_MAX;

#[test]
fn remembers_a_bounded_number_of_beats_and_stops() {
    let mut gate = claimed();
    for n in 2..2_000 {
        say(&mut gate, n, Message::Beat(beat("desk", n)));
        say(&mut gate, n, Message::Stop(stop("desk", n)));
    }
    // One more for those beyond.
    assert_eq!((gate.answered.len(), gate.memory.stops.len()), (ANSWERED_MAX, OPEN_STOPS_OF_ONE_MAX + 1));
    assert!(gate.memory.strangers.len() <= OPEN_STOPS_OF_ONE_MAX);
}

#[test]
fn a13_stops_of_any_number_of_strangers_are_one_and_the_claimant_releases_them() {
    let mut gate = claimed();
    for n in 0..64 {
        let invented = stop(&format!("nobody-{n}"), n);
        assert_eq!(say(&mut gate, 10, Message::StrangersStop(invented)), "10: Stop");
    }
    // One that names a known station without its signature is a stranger's as well.
    say(&mut gate, 11, Message::StrangersStop(stop("desk", 41)));
    say(&mut gate, 12, Message::Stop(stop("desk", 42)));
    assert_eq!(say(&mut gate, 13, command(goal(1))), "13: Latched");
    let open: Vec<OpenStop> = gate.memory().stops.iter().cloned().collect();
    // The latch of the start was the first; each of the 65 gave their stop a number.
    let strangers = own_stop(StoppedBy::Stranger, 66);
    assert_eq!(open, [open_stop("desk", 42), strangers.clone()]);

    let released = |epoch, stops: &[OpenStop]| Message::Release(release("desk", epoch, stops));
    assert_eq!(say(&mut gate, 14, released(2, &[open_stop("desk", 42)])), "14: Latched", "it was not named");
    // One that is over at the robot is passed over.
    let named = [open_stop("desk", 42), strangers, open_stop("shed", 3)];
    assert_eq!(say(&mut gate, 15, released(2, &named)), "15: Released");
    assert_eq!(say(&mut gate, 16, command(CommandEnvelope { epoch: 2, ..goal(1) })), "16: move 1");
}

#[test]
fn a13_whoever_has_the_pendant_of_a_robot_that_stands_ends_the_stop_of_strangers_and_no_other() {
    let mut gate = claimed();
    say(&mut gate, 10, Message::StrangersStop(stop("nobody", 1)));
    say(&mut gate, 11, Message::Stop(stop("shed", 7)));
    let still = at_rest(Instant::from_millis(12));
    let now = Instant::from_millis(12);
    let local = |speed| OwnState { local: true, speed, ..still.clone() };
    assert!(!gate.release_strangers(&still, now), "from a desk nobody sees the robot");
    let moving = MeasuredSpeed { speed_mps: 0.3, standstill: false };
    for speed in [Some(Measured { value: moving, observed: now }), None] {
        assert!(!gate.release_strangers(&local(speed.clone()), now), "{speed:?}");
    }
    assert!(
        !gate.release_strangers(&local(still.speed.clone()), Instant::from_millis(513)),
        "it stood half a second ago"
    );
    assert!(gate.release_strangers(&local(still.speed.clone()), now));
    assert_eq!(gate.memory().stops, [open_stop("shed", 7)].into());
}

#[test]
fn a13_a_release_prepared_before_another_strangers_stop_does_not_lift_it() {
    let mut gate = claimed();
    let shown = |gate: &GateState| gate.memory().stops.iter().cloned().collect::<Vec<_>>();
    say(&mut gate, 10, Message::StrangersStop(stop("nobody", 1)));
    let prepared = shown(&gate);
    say(&mut gate, 11, Message::StrangersStop(stop("nobody", 1)));
    assert_eq!(shown(&gate), prepared, "a stop that is repeated is no other");
    say(&mut gate, 12, Message::StrangersStop(stop("nobody", 2)));
    assert_eq!(say(&mut gate, 13, Message::Release(release("desk", 2, &prepared))), "13: Latched");
    let again = shown(&gate);
    assert_eq!(say(&mut gate, 14, Message::Release(release("desk", 2, &again))), "14: Released");
    say(&mut gate, 15, Message::StrangersStop(stop("nobody", 2)));
    assert_eq!(say(&mut gate, 16, Message::Release(release("desk", 3, &again))), "16: Latched", "it came after");
}

#[test]
fn a13_a_stop_that_cannot_be_read_is_a_strangers_and_told_from_others_by_its_bytes() {
    let mut gate = claimed();
    let numbers: Vec<u64> = [&b"{"[..], b"{", b"", b"{"]
        .map(|payload| {
            assert!(matches!(gate.admit_unread_stop(payload), Admit::Stop));
            gate.memory().own_stop_id
        })
        .into();
    assert_eq!(numbers, [2, 2, 3, 3]);
    assert_eq!(gate.memory().stops, [own_stop(StoppedBy::Stranger, 3)].into());
}

#[test]
fn of_many_stops_of_one_station_none_is_lifted_unnamed() {
    let mut gate = claimed();
    let shown = |gate: &GateState| gate.memory().stops.iter().cloned().collect::<Vec<_>>();
    let first: Vec<OpenStop> = (1..=16).map(|n| open_stop("desk", n)).collect();
    for n in 1..=17 {
        say(&mut gate, 10, Message::Stop(stop("desk", n)));
    }
    let prepared = shown(&gate);
    assert_eq!(prepared[..16], first);
    assert_eq!(prepared[16].by, StoppedBy::Stranger);
    say(&mut gate, 11, Message::Stop(stop("desk", 18)));
    let later: Vec<OpenStop> = (2..=18).map(|n| open_stop("desk", n)).collect();
    for unfit in [&first, &later, &prepared] {
        assert_eq!(say(&mut gate, 12, Message::Release(release("desk", 2, unfit))), "12: Latched");
    }
    let now = Instant::from_millis(13);
    assert!(
        !gate.release_strangers(&OwnState { local: true, ..at_rest(now) }, now),
        "a known station's are among them"
    );
    let all = shown(&gate);
    assert_eq!(say(&mut gate, 13, Message::Release(release("desk", 2, &all))), "13: Released");
}

#[test]
fn f23_without_a_speed_measured_lately_nothing_through_space_is_admitted_and_nobody_is_told_one() {
    let now = Instant::from_millis(1_000);
    let value = MeasuredSpeed { speed_mps: 0.0, standstill: true };
    let measured = |ago_ms| Some(Measured { value, observed: now.minus(Duration::from_millis(ago_ms)) });
    let broken = MeasuredSpeed { speed_mps: f64::NAN, standstill: true };
    for (speed, expected) in [
        (measured(0), "1000: move 1"),
        (measured(500), "1000: move 1"),
        (measured(501), "1000: NotProvable"),
        (None, "1000: NotProvable"),
        (Some(Measured { value: broken, observed: now }), "1000: NotProvable"),
    ] {
        let mut gate = claimed();
        say(&mut gate, 900, Message::Beat(beat("desk", 2)));
        let own = OwnState { speed: speed.clone(), ..at_rest(now) };
        let said = say_at(&mut gate, 1_000, command(CommandEnvelope { beat: 2, ..goal(1) }), &own);
        assert_eq!(said, expected, "{speed:?}");
        assert_eq!(own.stands(now), expected.ends_with("move 1"), "{speed:?}");
    }
}
