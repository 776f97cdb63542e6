use std::sync::atomic::{AtomicBool, AtomicU64};

use super::*;
use crate::RobotState;
use crate::fixtures::*;

/// Approved at `NOW` in the latch generation `generation`, with set version 3 and epoch 1.
fn approved(generation: u64) -> Approved<Command> {
    let scene = scene().state(|state: &mut RobotState| state.latch_generation = generation);
    scene.judge(scene.command(goal([0.1, 0.0, 0.0], 0.1))).into_approved().unwrap()
}

fn check(change: impl FnOnce(&Fence), later_ms: u64, expected: Result<(), RefusedAtSend>) {
    let fence = Fence::new(3, 1);
    let approved = approved(0);
    change(&fence);
    let at = Instant::from_millis(NOW.mono_ms() + later_ms);
    assert_eq!(fence.pass(approved, at, |_| ()), expected);
    assert_eq!(fence.puts_inside(), 0);
}

#[test]
fn passes_what_still_holds() {
    check(|_| (), 0, Ok(()));
    check(|_| (), 500, Ok(()));
}

#[test]
fn t7_refuses_after_the_set_was_tightened() {
    check(|fence| fence.set_set_version(4), 0, Err(RefusedAtSend::StaleSet));
}

#[test]
fn t8_refuses_what_was_held_too_long() {
    check(|_| (), 501, Err(RefusedAtSend::Expired));
    check(|_| (), 3_000, Err(RefusedAtSend::Expired));
}

#[test]
fn a9_refuses_what_was_approved_before_a_stop_even_after_its_release() {
    check(|fence| assert_eq!(fence.engage(), 1), 0, Err(RefusedAtSend::Latched));
    check(|fence| assert_eq!((fence.engage(), fence.release(1)), (1, Some(2))), 0, Err(RefusedAtSend::Latched));
}

#[test]
fn a_release_does_not_undo_a_stop_it_has_not_seen() {
    let fence = Fence::new(3, 1);
    let seen = fence.engage();
    fence.engage();
    assert_eq!((fence.release(seen), fence.is_latched()), (None, true));
    assert_eq!((fence.release(fence.generation()), fence.is_latched()), (Some(3), false));
}

#[test]
fn refuses_after_control_changed() {
    check(|fence| fence.set_epoch(2), 0, Err(RefusedAtSend::Lease));
    check(Fence::void_epoch, 0, Err(RefusedAtSend::Lease));
}

#[test]
fn an_approval_is_bound_to_the_claim_and_the_release_that_it_was_made_under() {
    let fence = Fence::new(3, 7);
    let generation = fence.release(fence.engage()).unwrap();
    let scene = scene().state(|state: &mut RobotState| (state.latch_generation, state.epoch) = (generation, 7));
    let mut command = scene.command(goal([0.1, 0.0, 0.0], 0.1));
    command.lease.epoch = 7;
    let approved = || scene.judge(command.clone()).into_approved().unwrap();
    assert_eq!((approved().epoch(), approved().latch_generation()), (7, generation));
    assert_eq!(fence.pass(approved(), NOW, |_| ()), Ok(()));
    assert_eq!(
        [(generation, 7), (generation, 6), (0, 7)].map(|(generation, epoch)| fence.admits(generation, epoch)),
        [true, false, false]
    );
    fence.engage();
    assert!(!fence.admits(generation, 7) && !fence.admits(fence.generation(), 7), "a stop is in force");
    let older = Fence::new(3, 7);
    assert_eq!(older.pass(approved(), NOW, |_| ()), Err(RefusedAtSend::Latched));
}

#[test]
fn a_stop_says_which_it_is() {
    let (robot, station) = ("arm-1".parse().unwrap(), "desk".parse().unwrap());
    let stop = Approved::stop(robot, station, 41);
    assert_eq!((stop.stop_id(), stop.robot().as_str(), stop.station().as_str()), (41, "arm-1", "desk"));
    assert_eq!(
        (stop.into_stop().drill, Approved::drill("arm-1".parse().unwrap(), "desk".parse().unwrap(), 2).stop_id()),
        (false, 2)
    );
}

#[test]
fn each_refusal_has_its_frozen_code() {
    use RefusedAtSend::{Expired, Latched, Lease, StaleSet};
    let codes = [Latched, StaleSet, Lease, Expired].map(RefusedAtSend::reason);
    assert_eq!(codes, [Reason::Latched, Reason::StaleSet, Reason::Lease, Reason::Expired]);
}

#[test]
fn a_put_that_panics_leaves_the_fence() {
    let fence = Fence::new(3, 1);
    let put = std::panic::AssertUnwindSafe(|| fence.pass(approved(0), NOW, |_| panic!("the transport failed")));
    assert!(std::panic::catch_unwind(put).is_err());
    assert_eq!(fence.puts_inside(), 0);
}

#[test]
fn a_put_inside_is_counted_while_a_stop_and_its_release_pass_by() {
    let fence = Fence::new(3, 1);
    let seen =
        fence.pass(approved(0), NOW, |_| (fence.puts_inside(), fence.engage(), fence.puts_inside(), fence.release(1)));
    assert_eq!(seen, Ok((1, 1, 1, Some(2))));
    assert_eq!((fence.puts_inside(), fence.is_latched(), fence.generation()), (0, false, 2));
}

#[test]
fn a8_no_pass_that_starts_after_a_stop_puts_anything() {
    /// Enough for the threads to meet in every order on two cores, in well under a second.
    const ROUNDS: usize = 300;
    const SENDERS: usize = 3;
    for _ in 0..ROUNDS {
        let fence = Fence::new(3, 1);
        let (stopped, puts, late) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
        let commands: Vec<Vec<_>> = (0..SENDERS).map(|_| (0..4).map(|_| approved(0)).collect()).collect();
        std::thread::scope(|scope| {
            for approvals in commands {
                scope.spawn(|| {
                    for approved in approvals {
                        let after_stop = stopped.load(SeqCst);
                        let put = fence.pass(approved, NOW, |_| puts.fetch_add(1, SeqCst));
                        late.fetch_add(u64::from(after_stop && put.is_ok()), SeqCst);
                    }
                });
            }
            scope.spawn(|| {
                fence.engage();
                stopped.store(true, SeqCst);
            });
        });
        assert_eq!(late.into_inner(), 0, "a put started after the stop");
        assert_eq!((fence.puts_inside(), fence.is_latched()), (0, true));
    }
}

#[test]
fn a_claim_is_in_force_from_its_beginning_until_it_is_voided() {
    let fence = Fence::new(3, 1);
    assert!(fence.has_epoch());
    fence.void_epoch();
    assert!(!fence.has_epoch());
    fence.set_epoch(2);
    assert!(fence.has_epoch());
}

#[test]
fn nothing_enters_a_fence_that_is_latched_or_full() {
    let fence = Fence::new(3, 1);
    assert!(fence.enter(0).is_ok());
    fence.latch.store(PUTS, SeqCst);
    assert!(fence.enter(0).is_err(), "one more would be counted as a stop");
    assert_eq!(fence.latch.load(SeqCst), PUTS);
    fence.latch.store(LATCHED, SeqCst);
    assert!(fence.enter(0).is_err());
    assert_eq!(fence.latch.load(SeqCst), LATCHED);
}
