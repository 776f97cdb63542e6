use std::time::Duration;

use glam::DVec3;
use proptest::prelude::*;
use robot::{Instant, Reason};

use super::share;
use crate::constraint::limits::ROUNDING_M;
use crate::fixtures::*;
use crate::space::frames::Frame;
use crate::{ConstraintKind, Limits, Overall, RobotState, SetPoint, Wish};

/// The limit of an actuator of the fixture, metres per second squared.
const LIMIT_MPS2: f64 = 0.5;
/// Between two commands of a hand that holds a direction.
const TICK: Duration = Duration::from_millis(100);

fn limited() -> Scene {
    scene().with(ConstraintKind::MaxAcceleration(LIMIT_MPS2))
}

fn told(linear_mps: [f64; 3], since: Instant) -> SetPoint {
    let until = since.plus(Duration::from_millis(500));
    SetPoint { actuator: actuator("arm"), frame: "base_link".parse().unwrap(), linear_mps, since, until }
}

fn eased(limits: &Limits, set_points: Vec<SetPoint>, linear_mps: [f64; 3], now: Instant) -> [f64; 3] {
    let state = RobotState { set_points, ..RobotState::default() };
    let (actuator, frame) = (actuator("arm"), "base_link".parse().unwrap());
    limits.eased(&state, Wish { actuator: &actuator, frame: &frame, linear_mps }, now)
}

/// The velocities sent from `NOW` on, each with its time, for a hand that wants these in turn.
fn sent(first: [f64; 3], wishes: impl IntoIterator<Item = ([f64; 3], Duration)>) -> Vec<([f64; 3], Instant)> {
    let limits = limited().limits();
    let mut sent = vec![(first, NOW)];
    for (wish, after) in wishes {
        let (last, since) = sent[sent.len() - 1];
        let now = since.plus(after);
        sent.push((eased(&limits, vec![told(last, since)], wish, now), now));
    }
    sent
}

#[test]
fn u_706_a_hand_that_turns_round_slows_down_passes_zero_and_reaches_its_wish() {
    let turned: Vec<f64> =
        sent([0.1, 0.0, 0.0], [([-0.1, 0.0, 0.0], TICK); 8]).iter().map(|(velocity, _)| velocity[0]).collect();
    assert!(turned.windows(2).all(|pair| pair[1] <= pair[0]), "{turned:?}");
    assert!(turned.iter().any(|x_mps| x_mps.abs() < 0.04), "it slows down first: {turned:?}");
    assert_eq!(turned.last(), Some(&-0.1), "{turned:?}");
}

#[test]
fn u_706_standing_still_waits_for_nothing() {
    let stopped = sent([1.0, 0.0, 0.0], [([0.0; 3], Duration::from_millis(1)), ([0.5, 0.0, 0.0], TICK)]);
    assert_eq!(stopped[1].0, [0.0; 3]);
    let [x_mps, ..] = stopped[2].0;
    assert!(0.0 < x_mps && x_mps <= LIMIT_MPS2 * TICK.as_secs_f64(), "it begins anew from rest: {x_mps}");
}

#[test]
fn u_706_right_behind_a_command_the_same_velocity_is_said_again() {
    let again = sent([0.3, 0.1, 0.0], [([-0.3, 0.0, 0.0], Duration::from_millis(5))]);
    assert_eq!(again[1].0, [0.3, 0.1, 0.0]);
}

#[test]
fn u_706_what_was_never_told_to_move_or_has_no_limit_is_told_the_wish() {
    let wish = [0.2, 0.0, -0.1];
    assert_eq!(eased(&limited().limits(), Vec::new(), wish, NOW), wish);
    let other = SetPoint { actuator: actuator("gripper"), ..told([9.0, 0.0, 0.0], NOW) };
    assert_eq!(eased(&limited().limits(), vec![other], wish, NOW.plus(TICK)), wish);
}

#[test]
fn u_706_a_wish_within_reach_is_sent_to_the_last_digit() {
    let (first, wish) = ([0.04, 0.0, 0.0], [0.01, 0.0, 0.0]);
    assert_ne!(first[0] + (wish[0] - first[0]), wish[0], "the way there is rounded");
    assert_eq!(sent(first, [(wish, TICK)])[1].0, wish);
}

#[test]
fn u_706_the_change_that_is_made_use_of_leaves_room_for_time_and_rounding() {
    let scene = limited();
    let limits = scene.limits();
    let home = Frame::from(limits.frames.default_index());
    let most_mps = |frame: &str, after_ms: u64| {
        let last = SetPoint { frame: frame.parse().unwrap(), ..told([0.1, 0.0, 0.0], NOW) };
        let now = NOW.plus(Duration::from_millis(after_ms));
        limits.told(&last, &scene.state, home, LIMIT_MPS2, now).unwrap().most_mps
    };
    // Of 100 ms, 20 may have been lost on the way.
    let room_mps = LIMIT_MPS2 * 0.08 * (1.0 - 1e-6);
    assert_eq!(most_mps("base_link", 100), room_mps);
    assert_eq!(most_mps("site", 100), room_mps - ROUNDING_M);
    assert_eq!([most_mps("base_link", 20), most_mps("site", 20)], [0.0; 2]);
}

#[test]
fn u_706_what_is_as_far_apart_as_it_may_be_can_still_turn_back() {
    assert_eq!(share(DVec3::X, -DVec3::X, 1.0), 2.0);
    assert_eq!(share(DVec3::X, DVec3::X, 1.0), 0.0);
    assert_eq!(share(DVec3::X * 1.1, -DVec3::X, 1.0), 0.0, "too far apart already");
}

fn velocities() -> impl Strategy<Value = [f64; 3]> {
    prop_oneof![Just([0.0; 3]), prop::array::uniform3(-0.8..0.8f64)]
}

/// Times between two commands, longer than a set-point lives now and then.
fn waits() -> impl Strategy<Value = Duration> {
    (0..900_u64).prop_map(Duration::from_millis)
}

/// True if the change to `next`, which is judged now, is too sudden after `told`.
fn is_sudden(told: Vec<SetPoint>, next: [f64; 3]) -> bool {
    let scene = limited().state(|state| state.set_points = told);
    let items = crate::explain(&scene.limits(), &scene.state, &scene.command(velocity(next, [0.0; 3])), NOW);
    items.iter().any(|item| item.is_violated() && item.reason.code == Reason::Acceleration)
}

proptest! {
    #![proptest_config(tried(256))]

    #[test]
    fn u_706_no_two_commands_of_a_hand_are_farther_apart_than_the_limit_lets_them(
        first in velocities(), wishes in prop::collection::vec((velocities(), waits()), 1..20),
    ) {
        for pair in sent(first, wishes).windows(2) {
            let [(last, since), (next, now)] = [pair[0], pair[1]];
            let before = told(last, NOW.minus(now.since(since)));
            prop_assert!(!is_sudden(vec![before], next), "{last:?} at {since:?} and {next:?} at {now:?}");
        }
    }

    #[test]
    fn u_706_a_hand_that_keeps_its_wish_gets_it(first in velocities(), wish in velocities()) {
        // The longest way there at four fifths of the limit, with a tick to begin and one to end with.
        let way_mps = (DVec3::from_array(wish) - DVec3::from_array(first)).length();
        let ticks = (way_mps / (LIMIT_MPS2 * 0.08)).ceil() as usize + 2;
        let sent = sent(first, vec![(wish, TICK); ticks]);
        prop_assert_eq!(sent[ticks].0, wish);
    }

    #[test]
    fn u_706_with_one_command_on_its_way_and_one_that_waits_both_changes_are_within_the_limit(
        first in velocities(), second in velocities(), third in velocities(), gap in 0..300_u64, later in 0..300_u64,
    ) {
        let limits = limited().limits();
        let (at, since) = (NOW.minus(Duration::from_millis(later)), NOW.minus(Duration::from_millis(gap + later)));
        let waiting = eased(&limits, vec![told(first, since)], second, at);
        let both = vec![told(first, since), told(waiting, at)];
        let next = eased(&limits, both.clone(), third, NOW);
        prop_assert!(!is_sudden(both, next), "{first:?}, {waiting:?}, {next:?} after {gap} and {later} ms");
    }
}

#[test]
fn u_706_an_eased_velocity_is_judged_like_every_other() {
    let scene = limited().with(ConstraintKind::MaxVelocity(0.2)).state(|state| {
        state.set_points = vec![told([0.19, 0.0, 0.0], NOW.minus(TICK))];
    });
    let eased = eased(&scene.limits(), scene.state.set_points.clone(), [0.5, 0.0, 0.0], NOW);
    assert!(eased[0] > 0.2);
    assert_eq!(scene.judge(scene.command(velocity(eased, [0.0; 3]))).overall, Overall::Deny);
}
