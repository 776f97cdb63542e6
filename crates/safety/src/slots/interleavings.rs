//! Every order in which handing over, sending and closing can meet at the slots, walked by loom. How a
//! stop meets what waits in one is walked beside the fence.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::SeqCst};
use loom::thread;

use super::*;

/// Switches of threads in the middle of their work that loom tries; more find nothing new in these few steps.
const PREEMPTIONS_MAX: usize = 3;

fn check(test: impl Fn() + Send + Sync + 'static) {
    let mut walk = loom::model::Builder::new();
    walk.preemption_bound = Some(PREEMPTIONS_MAX);
    walk.check(test);
}

fn arm() -> ActuatorId {
    ActuatorId::new("arm").unwrap()
}

/// Takes out until the slots are closed; what came out last.
fn send_all(slots: Arc<Slots<u64>>, sent: Arc<AtomicU64>, last: Arc<AtomicU64>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        while let Some(order) = slots.next() {
            assert!(order > last.swap(order, SeqCst), "an older command left after a newer one");
            sent.fetch_add(1, SeqCst);
        }
    })
}

#[test]
fn a8_every_command_is_sent_or_given_back_once_and_the_newest_is_the_last_to_leave() {
    check(|| {
        let slots: Arc<Slots<u64>> = Arc::default();
        let [sent, last] = [0, 0].map(|zero| Arc::new(AtomicU64::new(zero)));
        let sending = send_all(Arc::clone(&slots), Arc::clone(&sent), Arc::clone(&last));
        let replaced = (1..=3).filter(|order| slots.hand_over(&arm(), *order).is_some()).count() as u64;
        let left = slots.close();
        sending.join().unwrap();
        assert_eq!(sent.load(SeqCst) + replaced + left.len() as u64, 3);
        // Whatever has left, the newest is either the last of it or still there.
        assert!(left == [3] || last.load(SeqCst) == 3);
    });
}

#[test]
fn a8_a_sender_that_waits_is_woken_by_a_command_and_by_the_end() {
    check(|| {
        let slots: Arc<Slots<u64>> = Arc::default();
        let taking = thread::spawn({
            let slots = Arc::clone(&slots);
            move || (slots.next(), slots.next())
        });
        assert_eq!(slots.hand_over(&arm(), 1), None);
        // Taken before the end, or given back by it: loom finds a sender that sleeps for ever.
        let left = slots.close();
        let taken = taking.join().unwrap();
        assert!(matches!((taken, left.as_slice()), ((Some(1), None), []) | ((None, None), [1])));
    });
}
