//! Messages that wait to be sent to the robot. The deciding thread only puts them here.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::graph::TwistType;
use super::message::Twist;
use crate::adapter::StopSender;

/// The episode of stops that are sent without the adapter.
const WITHOUT_ADAPTER: u64 = u64::MAX;

/// Everything that waits.
#[derive(Debug, Default)]
pub struct Outbox {
    state: Mutex<State>,
    more: Condvar,
    calls: Condvar,
}

#[derive(Debug, Default)]
struct State {
    twist: Option<Twist>,
    /// Stops that were asked for, and those of them that have left.
    asked: u64,
    left: u64,
    is_stop_due: bool,
    /// The episode whose services and actions are to be called.
    call: Option<u64>,
    answered: Option<u64>,
    lock: Option<bool>,
    listeners: Option<BTreeSet<TwistType>>,
    has_failed: bool,
    closed: bool,
    #[cfg(test)]
    waits: bool,
    #[cfg(test)]
    handed_out: u64,
}

/// The next message on the way of velocities.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// The types that the robot listens for have changed.
    Listeners(BTreeSet<TwistType>),
    /// Zeros, and the number under which they were asked for.
    Zeros(u64),
    /// State of the lock.
    Lock(bool),
    /// A velocity.
    Twist(Twist),
}

impl State {
    fn next(&mut self) -> Option<Next> {
        if std::mem::take(&mut self.is_stop_due) {
            return Some(Next::Zeros(self.asked));
        }
        if self.closed {
            return None;
        }
        let listeners = self.listeners.take().map(Next::Listeners);
        let lock = || self.lock.take().map(Next::Lock);
        listeners.or_else(lock).or_else(|| self.twist.take().map(Next::Twist))
    }

    #[cfg(test)]
    fn note(&mut self, next: Option<&Next>) {
        self.waits = next.is_none();
        self.handed_out += u64::from(matches!(next, Some(Next::Zeros(_) | Next::Twist(_))));
    }
}

impl Outbox {
    /// A velocity, in the place of one that waits. False if nothing is sent any more.
    pub fn twist(&self, twist: Twist) -> bool {
        let mut state = self.state();
        if state.closed {
            return false;
        }
        state.twist = Some(twist);
        drop(state);
        self.more.notify_one();
        true
    }

    /// The first velocity of a motion: the stop before it is over.
    pub fn begin(&self, twist: Twist) -> bool {
        self.state().call = None;
        self.twist(twist)
    }

    /// Zeros, in the place of every velocity that waits, and their number. `calls` names the episode whose stop services
    /// and actions are called too.
    pub fn stop(&self, calls: Option<u64>) -> u64 {
        let mut state = self.state();
        state.twist = None;
        state.asked += 1;
        state.is_stop_due = true;
        if calls.is_some() && calls != state.answered {
            state.call = calls;
        }
        let number = state.asked;
        drop(state);
        self.more.notify_one();
        self.calls.notify_one();
        number
    }

    /// State of the lock.
    pub fn lock(&self, is_locked: bool) {
        self.state().lock = Some(is_locked);
        self.more.notify_one();
    }

    /// The types that the robot listens for.
    pub fn listeners(&self, types: BTreeSet<TwistType>) {
        self.state().listeners = Some(types);
        self.more.notify_one();
    }

    /// The next message; waits for one. None once it is closed and no stop waits.
    pub fn next(&self) -> Option<Next> {
        let mut state = self.state();
        loop {
            let next = state.next();
            #[cfg(test)]
            state.note(next.as_ref());
            if next.is_some() || state.closed {
                return next;
            }
            state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The stop of this number has left.
    pub fn has_left(&self, number: u64) {
        let mut state = self.state();
        state.left = state.left.max(number);
    }

    /// True if a stop of this number, or a later one, has left.
    pub fn left(&self, number: u64) -> bool {
        self.state().left >= number
    }

    /// The episode whose services and actions are to be called, if there is one; waits so long for another than `known`.
    /// `Err` once it is closed.
    pub fn calls(&self, known: Option<u64>, within: Duration) -> Result<Option<u64>, Closed> {
        let state = self.state();
        let waits = |state: &mut State| (state.call.is_none() || state.call == known) && !state.closed;
        let (state, _) = self.calls.wait_timeout_while(state, within, waits).unwrap_or_else(PoisonError::into_inner);
        if state.closed { Err(Closed) } else { Ok(state.call) }
    }

    /// Everything that was called in this episode has answered that it stops.
    pub fn answered(&self, episode: u64) {
        let mut state = self.state();
        state.answered = Some(episode);
        state.call = state.call.filter(|call| *call != episode);
    }

    /// True if the stop of this episode was answered.
    pub fn is_answered(&self, episode: u64) -> bool {
        self.state().answered == Some(episode)
    }

    /// A message was not taken.
    pub fn fail(&self) {
        self.state().has_failed = true;
    }

    /// True once after a message was not taken.
    pub fn failed(&self) -> bool {
        std::mem::take(&mut self.state().has_failed)
    }

    /// Takes nothing in any more.
    pub fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        drop(state);
        self.more.notify_one();
        self.calls.notify_one();
    }

    /// True if nothing waits to be sent, and the sending thread waits for more.
    #[cfg(test)]
    pub fn is_idle(&self) -> bool {
        let state = self.state();
        state.waits && state.twist.is_none() && !state.is_stop_due && state.lock.is_none()
    }

    /// Twists that were handed to the sending thread.
    #[cfg(test)]
    pub fn handed_out(&self) -> u64 {
        self.state().handed_out
    }

    /// True while services are to be called.
    #[cfg(test)]
    pub fn is_calling(&self) -> bool {
        self.state().call.is_some()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The outbox is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed;

impl StopSender for Outbox {
    fn send(&self) {
        self.lock(true);
        self.stop(Some(WITHOUT_ADAPTER));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AHEAD: Twist = Twist {
        linear: super::super::message::Vector3 { x: 0.3, y: 0.0, z: 0.0 },
        angular: super::super::message::Vector3 { x: 0.0, y: 0.0, z: 0.0 },
    };

    #[test]
    fn rg_10_a_stop_takes_the_place_of_every_velocity_that_waits() {
        let outbox = Outbox::default();
        assert!(outbox.begin(AHEAD));
        let number = outbox.stop(None);
        assert_eq!(outbox.next(), Some(Next::Zeros(number)));
        assert!(!outbox.left(number));
        outbox.has_left(number);
        assert!(outbox.left(number));
        outbox.close();
        assert_eq!(outbox.next(), None, "the velocity is gone");
    }

    #[test]
    fn rg_10_a_stop_without_the_adapter_locks_and_calls_everything_and_is_sent_even_at_the_end() {
        let outbox = Outbox::default();
        outbox.twist(AHEAD);
        outbox.send();
        assert_eq!(outbox.calls(None, Duration::ZERO), Ok(Some(WITHOUT_ADAPTER)));
        outbox.close();
        assert!(matches!(outbox.next(), Some(Next::Zeros(_))));
        assert_eq!(outbox.next(), None);
        assert_eq!(outbox.calls(None, Duration::ZERO), Err(Closed));
        assert!(!outbox.begin(AHEAD));
    }

    #[test]
    fn rg_12_services_are_called_until_they_have_answered_or_a_motion_begins() {
        let outbox = Outbox::default();
        outbox.stop(Some(7));
        assert_eq!(outbox.calls(None, Duration::ZERO), Ok(Some(7)));
        outbox.answered(7);
        assert_eq!(outbox.calls(None, Duration::ZERO), Ok(None));
        assert!(outbox.is_answered(7) && !outbox.is_answered(8));
        outbox.stop(Some(8));
        outbox.begin(AHEAD);
        assert_eq!(outbox.calls(None, Duration::ZERO), Ok(None));
    }
}
