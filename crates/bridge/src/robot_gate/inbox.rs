//! Messages between Zenoh's thread and the one that moves the robot. However many come, none keeps a stop back, and
//! none puts off the look at what did not come.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use robot::{Instant, Manifest};

use crate::signing::SignedSample;
use crate::{ClockFn, RobotKeys};

/// Stops that may wait. The robot stops for the first; of further ones the newest takes the place of the last.
const STOPS_MAX: usize = 64;
/// Other messages that may wait: a second of beats of several stations. Further ones are dropped and counted.
const OTHERS_MAX: usize = 256;

/// Messages for a robot that it has not read yet.
pub struct Inbox {
    stop_key: String,
    hold_key: String,
    clock: ClockFn,
    waiting: Mutex<Waiting>,
    came: Condvar,
}

#[derive(Default)]
struct Waiting {
    stops: VecDeque<SignedSample>,
    /// The newest: one ends every motion.
    hold: Option<SignedSample>,
    others: VecDeque<SignedSample>,
    dropped: u64,
}

impl Waiting {
    fn take(&mut self) -> Option<SignedSample> {
        let Self { stops, hold, others, .. } = self;
        stops.pop_front().or_else(|| hold.take()).or_else(|| others.pop_front())
    }
}

impl Inbox {
    /// An empty inbox of the robot of `manifest`, which reads the time from `clock`.
    #[must_use]
    pub fn new(manifest: &Manifest, clock: ClockFn) -> Arc<Self> {
        let keys = RobotKeys::new(manifest);
        Arc::new(Self {
            stop_key: keys.stop(),
            hold_key: keys.hold(),
            clock,
            waiting: Mutex::default(),
            came: Condvar::new(),
        })
    }

    /// Takes a message in; never waits for the reader.
    pub fn put(&self, message: SignedSample) {
        let mut waiting = self.waiting();
        let key_expr = &*message.sample.key_expr;
        if key_expr == self.stop_key {
            if waiting.stops.len() == STOPS_MAX {
                // The robot stops for the first in any case, and the
                // newest is what its sender waits to see answered.
                waiting.stops.pop_back();
            }
            waiting.stops.push_back(message);
        } else if key_expr == self.hold_key {
            waiting.hold = Some(message);
        } else if waiting.others.len() < OTHERS_MAX {
            waiting.others.push_back(message);
        } else {
            waiting.dropped += 1;
        }
        self.came.notify_one();
    }

    /// The next message: stops, then a hold, then everything else in the order in which it came. `None` as soon as
    /// `tick_at` has come, whatever waits: then it is time for [`super::RobotGate::tick`].
    #[must_use]
    pub fn next(&self, tick_at: Instant) -> Option<SignedSample> {
        let mut waiting = self.waiting();
        loop {
            let now = (self.clock)().station;
            // Asked before every message: a flood must not put off the look for missing beats.
            if now >= tick_at {
                return None;
            }
            if let Some(message) = waiting.take() {
                return Some(message);
            }
            let woken = self.came.wait_timeout(waiting, tick_at.since(now));
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The next message in the same order, if one waits now: for a thread that reads the inboxes of several robots.
    #[must_use]
    pub fn take(&self) -> Option<SignedSample> {
        self.waiting().take()
    }

    /// The number of messages that were dropped because too many waited; no stop is among them.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.waiting().dropped
    }

    /// A panic of a holder leaves whole messages behind.
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use robot::Now;

    use super::*;
    use crate::fixtures::{at_rest, beat, claim, manifest, release, sample};
    use crate::robot_gate::{GateMemory, GateState, Lapse, Message, admit};

    fn message(key: &str) -> SignedSample {
        SignedSample::new(sample(&format!("lab/arm-1/cmd/{key}"), "", b"{}"), None)
    }

    /// An inbox, and the milliseconds that its clock shows.
    fn inbox() -> (Arc<Inbox>, Arc<AtomicU64>) {
        let ms = Arc::<AtomicU64>::default();
        let shown = Arc::clone(&ms);
        let clock = move || Now { station: Instant::from_millis(shown.load(Ordering::SeqCst)), wall_ms: 0 };
        (Inbox::new(&manifest(), Arc::new(clock)), ms)
    }

    fn next(inbox: &Inbox) -> Option<String> {
        inbox.next(Instant::from_millis(20)).map(|message| message.sample.key_expr.to_string())
    }

    #[test]
    fn a_stop_is_lost_to_no_flood_and_read_before_everything_that_came_earlier() {
        let (inbox, ms) = inbox();
        for key in ["beat"; 1_000].into_iter().chain(["hold", "hold", "stop", "beat"]) {
            inbox.put(message(key));
        }
        let first = [next(&inbox), next(&inbox), next(&inbox)].map(Option::unwrap);
        assert_eq!(first, ["lab/arm-1/cmd/stop", "lab/arm-1/cmd/hold", "lab/arm-1/cmd/beat"]);
        assert_eq!(inbox.dropped(), 1_001 - OTHERS_MAX as u64);
        (0..1_000).for_each(|_| inbox.put(message("stop")));
        assert_eq!((0..STOPS_MAX).filter(|_| next(&inbox).unwrap().ends_with("stop")).count(), STOPS_MAX);
        assert_eq!(next(&inbox).unwrap(), "lab/arm-1/cmd/beat");
        ms.store(20, Ordering::SeqCst);
        assert_eq!(next(&inbox), None, "it is time to look, whatever waits");
    }

    #[test]
    fn f3_a_flood_that_never_dries_up_does_not_put_off_the_deadman() {
        let (inbox, ms) = inbox();
        let mut gate = GateState::new(&manifest(), GateMemory::default()).unwrap();
        let stops: Vec<_> = gate.memory().stops.iter().cloned().collect();
        for said in [
            Message::Beat(beat("desk", 1)),
            Message::Claim(claim("desk", 1)),
            Message::Release(release("desk", 1, &stops)),
        ] {
            admit(&mut gate, said, &at_rest(Instant::default()), Instant::default()).unwrap();
        }
        let now = || Instant::from_millis(ms.load(Ordering::SeqCst));
        let (mut tick_at, mut lapses) = (Instant::from_millis(20), Vec::new());
        inbox.put(message("beat"));
        while !lapses.contains(&Lapse::Stopped) {
            match inbox.next(tick_at) {
                // A millisecond for each, and another is there before it is over.
                Some(_) => {
                    inbox.put(message("beat"));
                    ms.fetch_add(1, Ordering::SeqCst);
                }
                None => {
                    lapses.extend(gate.tick(now()));
                    tick_at = now().plus(std::time::Duration::from_millis(20));
                }
            }
            assert!(now() <= Instant::from_millis(1_520), "{lapses:?}");
        }
        assert_eq!(lapses, [Lapse::Held, Lapse::Stopped]);
    }
}
