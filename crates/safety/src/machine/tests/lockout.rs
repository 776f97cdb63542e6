//! A lock that an earlier run has left, and how it ends.

use super::*;

/// A robot that was left locked by `causes`, at 10 s of the clock, after a first look that finds `present`.
fn left_locked(causes: &[SafetyCause], present: &[SafetyCause]) -> RobotSafety {
    let left = RobotSafety::locked_out(set(causes), at(10_000));
    let (seen, actions) = step(&left, &with(present), at(10_000));
    assert_eq!(seen.state(), State::Lockout);
    assert!(!actions.contains(&Action::PersistLockout) || seen.locked_by() != set(causes), "the disk has it");
    seen
}

/// State of `safety` after it is `recommissioned` at `ms`.
fn recommissioned(safety: &RobotSafety, ms: u64, inputs: Inputs) -> State {
    let can = safety.can_be_recommissioned(inputs.still, inputs.times, at(ms)) && inputs.present == CauseSet::EMPTY;
    let (next, actions) = step(safety, &Inputs { act: Some(Act::Recommission), ..inputs }, at(ms));
    assert_eq!(can, next.state() != State::Lockout, "asked before and done are one");
    assert_eq!(actions.contains(&Action::BumpEpoch), next.state() == State::Disarmed);
    next.state()
}

#[test]
fn f13_a_robot_that_was_left_locked_is_locked_by_the_same_causes_and_nothing_but_recommissioning_ends_it() {
    let locked = left_locked(&[SafetyCause::Breach], &[]);
    assert_eq!((locked.locked_by(), locked.is_stopped()), (set(&[SafetyCause::Breach]), true));
    for tried in [
        Act::Arm,
        Act::ArmToEscape,
        Act::ArmingFailed,
        Act::Acknowledge(SafetyCause::Breach),
        Act::Disarm { looked: true },
    ] {
        let (next, actions) = step(&locked, &act(tried), at(12_000));
        assert_eq!((next.state(), &actions[..]), (State::Lockout, &[][..]), "{tried:?}");
    }
    assert_eq!(recommissioned(&locked, 12_000, with(&[])), State::Disarmed);
}

#[test]
fn a_left_lock_ends_at_standstill_once_nothing_was_wrong_for_as_long_as_the_site_wants() {
    let locked = left_locked(&[SafetyCause::Breach], &[]);
    assert_eq!(recommissioned(&locked, 10_999, with(&[])), State::Lockout);
    assert_eq!(recommissioned(&locked, 11_000, with(&[])), State::Disarmed);
    assert_eq!(recommissioned(&locked, 11_000, Inputs { still: false, ..with(&[]) }), State::Lockout);
    let longer = Times { clear_for: Duration::from_secs(3), ..Times::default() };
    assert_eq!(recommissioned(&locked, 12_999, Inputs { times: longer, ..with(&[]) }), State::Lockout);
    assert_eq!(recommissioned(&locked, 13_000, Inputs { times: longer, ..with(&[]) }), State::Disarmed);
}

#[test]
fn what_only_a_restart_clears_is_recommissioned_after_one_and_not_if_it_is_back() {
    for never in [SafetyCause::IdentityMismatch, SafetyCause::StateFault] {
        let (of_this_run, _) = step(&in_state(State::Disarmed), &with(&[never]), at(10_000));
        let (gone, _) = step(&of_this_run, &with(&[]), at(10_100));
        assert_eq!(recommissioned(&gone, 60_000, with(&[])), State::Lockout, "{never:?} of this run");
        let left = left_locked(&[never], &[]);
        assert_eq!(recommissioned(&left, 11_000, with(&[])), State::Disarmed, "{never:?} of an earlier run");
        let (back, _) = step(&left, &with(&[never]), at(10_500));
        let (gone, _) = step(&back, &with(&[]), at(10_600));
        assert_eq!(recommissioned(&gone, 60_000, with(&[])), State::Lockout, "{never:?} is back");
    }
}

#[test]
fn a_stop_that_a_person_pressed_outlasts_the_lock_and_does_not_keep_it() {
    let stopped = with(&[SafetyCause::StopAll]);
    let locked = left_locked(&[SafetyCause::Breach], &[SafetyCause::StopAll]);
    let (next, actions) = step(&locked, &Inputs { act: Some(Act::Recommission), ..stopped }, at(11_000));
    let causes: Vec<_> = next.causes().iter().map(|active| active.cause).collect();
    assert_eq!((next.state(), &causes[..], &actions[..]), (State::SafeStop, &[SafetyCause::StopAll][..], &[][..]));
    let (gone, _) = step(&locked, &with(&[]), at(11_000));
    let (without, _) = step(&gone, &act(Act::Recommission), at(11_000));
    assert_eq!((without.state(), without.causes()), (State::Disarmed, &[][..]), "a stop that was released is over");
    let (released, actions) = step(&next, &with(&[]), at(11_100));
    assert_eq!((released.state(), &actions[..]), (State::Disarmed, &[Action::BumpEpoch][..]));
}

#[test]
fn a_second_cause_that_locks_is_written_down_beside_the_first() {
    let locked = left_locked(&[SafetyCause::Breach], &[]);
    let (both, actions) = step(&locked, &with(&[SafetyCause::IdentityMismatch]), at(10_500));
    assert_eq!(both.locked_by(), set(&[SafetyCause::Breach, SafetyCause::IdentityMismatch]));
    assert!(actions.contains(&Action::PersistLockout));
    let (stopped, actions) = step(&both, &with(&[SafetyCause::StopAll]), at(10_600));
    assert_eq!(stopped.locked_by(), both.locked_by(), "a stop locks nothing");
    assert!(!actions.contains(&Action::PersistLockout));
}

#[test]
fn a_lock_of_which_nothing_could_be_read_is_one_all_the_same() {
    let locked = left_locked(&[], &[]);
    assert_eq!(recommissioned(&locked, 10_100, Inputs { still: false, ..with(&[]) }), State::Lockout);
    assert_eq!(recommissioned(&locked, 10_100, with(&[])), State::Disarmed);
}
