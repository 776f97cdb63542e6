//! One means of stopping alone, for commissioning, the lock that every stop closes too, and the means that have not
//! answered.

use robot::{Instant, StopMeans};

use super::outbox::{Called, Calls};
use super::{LOCK_EVERY, Ros2Adapter};
use crate::adapter::{Adapter as _, StopEvidence, StopKind};

impl Ros2Adapter {
    /// Sends one means alone; one that this wiring does not have, by all of them.
    pub(super) fn stop_alone(&mut self, means: &StopMeans, episode: u64, now: Instant) -> StopEvidence {
        let mut called = self.watcher.means.stops.iter().filter(|known| known.is_answered());
        let place = called.position(|known| known == means);
        match (means, place) {
            (StopMeans::Zeros, _) if self.watcher.takes.velocities => {
                self.outbox.stop(None, false);
            }
            (StopMeans::Lock, _) if self.has_lock => self.lock(now),
            (StopMeans::Goals(_) | StopMeans::Cancel(_) | StopMeans::Service(_), Some(place)) => {
                self.outbox.call(Calls { episode, which: Called::Only(place) });
            }
            (StopMeans::Zeros | StopMeans::Lock, _)
            | (StopMeans::Goals(_) | StopMeans::Cancel(_) | StopMeans::Service(_), None) => {
                // A robot that is to stop is stopped, if not in the way that was asked for.
                return self.stop(StopKind::Stop, episode, now);
            }
        }
        self.mute = false;
        self.ends = None;
        if self.outbox.is_answered(episode) { StopEvidence::RobotAnswered } else { StopEvidence::Waiting }
    }

    /// Names of the services and actions that are to answer the stop under way and have not.
    pub(super) fn open_calls(&self) -> Vec<String> {
        self.outbox.unanswered(|which| {
            let called = self.watcher.means.stops.iter().filter(|means| means.is_answered()).enumerate();
            let concerned =
                called.filter(|(place, means)| which.concerns(*place, matches!(means, StopMeans::Goals(_))));
            concerned.filter_map(|(_, means)| means.name()).map(str::to_owned).collect()
        })
    }

    /// Closes the lock at once.
    pub(super) fn lock(&mut self, now: Instant) {
        if !std::mem::replace(&mut self.is_locked, true) {
            // At once, and not after what is left of the lock's period.
            self.locked = None;
            self.hold_lock(now);
        }
    }

    /// Says again how the lock is.
    pub(super) fn hold_lock(&mut self, now: Instant) {
        if self.has_lock && !self.mute && self.locked.is_none_or(|last| now.since(last) >= LOCK_EVERY) {
            self.locked = Some(now);
            self.outbox.lock(self.is_locked);
        }
    }
}
