//! Every order in which sending, stopping, releasing and swapping the limits can meet at the fence, walked by loom.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use loom::thread;

use super::*;
use crate::Slots;
use crate::approved::CommandTerms;
use crate::fixtures::*;

/// Switches of threads in the middle of their work that loom tries; more find nothing new in these few steps.
const PREEMPTIONS_MAX: usize = 3;

/// Parts of an approval, parsed once: loom runs each test thousands of times.
#[derive(Clone)]
struct Sender {
    command: Command,
    verdict_id: robot::VerdictId,
}

impl Sender {
    fn new() -> Self {
        let scene = scene();
        let command = scene.command(goal([0.1, 0.0, 0.0], 0.1));
        let verdict = scene.judge(command.clone());
        Self { command, verdict_id: verdict.id }
    }

    /// As `judge` makes it from a picture taken now: the latch first, as `RobotUnit` takes it, then the set.
    fn approve(&self, fence: &Fence) -> Option<Approved<Command>> {
        let latch_generation = fence.generation();
        if fence.is_latched() {
            return None;
        }
        let set_version = fence.set_version();
        let terms = CommandTerms { set_version, latch_generation, valid_until: NOW, verdict_id: self.verdict_id };
        Some(Approved::new(self.command.clone(), terms))
    }
}

fn check(test: impl Fn(&Sender) + Send + Sync + 'static) {
    let sender = Sender::new();
    let mut walk = loom::model::Builder::new();
    walk.preemption_bound = Some(PREEMPTIONS_MAX);
    walk.check(move || test(&sender));
}

fn fence() -> Arc<Fence> {
    Arc::new(Fence::new(3, 1))
}

#[test]
fn a8_no_put_starts_after_the_latch_is_engaged() {
    check(|sender| {
        let (fence, stopped) = (fence(), Arc::new(AtomicBool::new(false)));
        let approved = sender.approve(&fence).unwrap();
        let stopping = thread::spawn({
            let (fence, stopped) = (Arc::clone(&fence), Arc::clone(&stopped));
            move || {
                fence.engage();
                stopped.store(true, SeqCst);
            }
        });
        let after_stop = stopped.load(SeqCst);
        let put = fence.pass(approved, NOW, |_| ());
        assert!(!(after_stop && put.is_ok()), "a put started after the stop");
        stopping.join().unwrap();
        assert_eq!((fence.is_latched(), fence.puts_inside()), (true, 0));
    });
}

#[test]
fn a8_no_put_of_an_old_set_starts_after_the_swap() {
    check(|sender| {
        let (fence, swapped) = (fence(), Arc::new(AtomicBool::new(false)));
        let approved = sender.approve(&fence).unwrap();
        let swapping = thread::spawn({
            let (fence, swapped) = (Arc::clone(&fence), Arc::clone(&swapped));
            move || {
                fence.set_set_version(4);
                swapped.store(true, SeqCst);
            }
        });
        let after_swap = swapped.load(SeqCst);
        let put = fence.pass(approved, NOW, |_| ());
        assert!(!(after_swap && put.is_ok()), "a put of the old set started after the swap");
        swapping.join().unwrap();
    });
}

#[test]
fn a8_a_put_that_meets_a_stop_carries_an_older_generation_than_the_stop() {
    check(|sender| {
        let (fence, put_in) = (fence(), Arc::new(AtomicU64::new(u64::MAX)));
        let sending = thread::spawn({
            let (fence, put_in, sender) = (Arc::clone(&fence), Arc::clone(&put_in), sender.clone());
            move || {
                let Some(approved) = sender.approve(&fence) else { return };
                let generation = approved.latch_generation();
                let _refused = fence.pass(approved, NOW, |_| put_in.store(generation, SeqCst));
            }
        });
        // The stop is handed over only now: whatever it overtakes is older, and the robot's gate refuses it.
        let handed_over_in = fence.engage();
        sending.join().unwrap();
        let put_in = put_in.load(SeqCst);
        assert!(put_in == u64::MAX || put_in < handed_over_in);
    });
}

#[test]
fn a8_a_release_never_undoes_a_stop_it_has_not_seen() {
    check(|_| {
        let fence = fence();
        let seen = fence.engage();
        let stopping = thread::spawn({
            let fence = Arc::clone(&fence);
            move || fence.engage()
        });
        let released = fence.release(seen);
        let stopped_in = stopping.join().unwrap();
        assert!(fence.is_latched(), "the second stop is lost");
        assert_eq!(fence.generation(), stopped_in.max(released.unwrap_or_default()));
    });
}

#[test]
fn a9_what_was_judged_before_a_stop_does_not_pass_after_its_release() {
    check(|sender| {
        let fence = fence();
        let approved = sender.approve(&fence).unwrap();
        let (turning, over) = {
            let (turned, over) = (Arc::clone(&fence), Arc::new(AtomicBool::new(false)));
            let told = Arc::clone(&over);
            let turning = thread::spawn(move || {
                let seen = turned.engage();
                assert!(turned.release(seen).is_some());
                told.store(true, SeqCst);
            });
            (turning, over)
        };
        let after_release = over.load(SeqCst);
        let put = fence.pass(approved, NOW, |_| ());
        assert!(!(after_release && put.is_ok()));
        turning.join().unwrap();
        let fresh = sender.approve(&fence).unwrap();
        assert_eq!(fence.pass(fresh, NOW, |_| ()), Ok(()));
    });
}

#[test]
fn a9_what_waits_in_a_slot_when_a_stop_comes_is_not_put_after_it() {
    check(|sender| {
        let (fence, slots) = (fence(), Arc::new(Slots::default()));
        let stopped = Arc::new(AtomicBool::new(false));
        let approved = sender.approve(&fence).unwrap();
        assert!(slots.hand_over(&sender.command.actuator, approved).is_none());
        let sending = thread::spawn({
            let (fence, slots, stopped) = (Arc::clone(&fence), Arc::clone(&slots), Arc::clone(&stopped));
            move || {
                while let Some(approved) = slots.next() {
                    let after_stop = stopped.load(SeqCst);
                    let put = fence.pass(approved, NOW, |_| ());
                    assert!(!(after_stop && put.is_ok()), "a put started after the stop");
                }
            }
        });
        // The stop asks nothing of the slots and of who sends from them.
        fence.engage();
        stopped.store(true, SeqCst);
        let _left = slots.close();
        sending.join().unwrap();
        assert_eq!((fence.is_latched(), fence.puts_inside()), (true, 0));
    });
}
