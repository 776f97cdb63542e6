//! Slots in which approved commands wait for the sending thread: one per actuator, and the newest takes it.

use std::collections::VecDeque;

#[cfg(loom)]
use loom::sync::{Condvar, Mutex, MutexGuard};
use std::sync::PoisonError;
#[cfg(not(loom))]
use std::sync::{Condvar, Mutex, MutexGuard};

use robot::ActuatorId;

/// Values waiting to be sent to one robot, shared by those who approve and the one thread that sends. A slow network
/// delays the newest command of an actuator, and never lets older ones pile up before it.
#[derive(Debug)]
pub struct Slots<T> {
    waiting: Mutex<Waiting<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct Waiting<T> {
    /// In the order in which they came, so that sequence numbers leave in order; at most one per actuator.
    orders: VecDeque<(ActuatorId, T)>,
    closed: bool,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        let waiting = Waiting { orders: VecDeque::new(), closed: false };
        Self { waiting: Mutex::new(waiting), changed: Condvar::new() }
    }
}

impl<T> Slots<T> {
    /// Puts `order` into the slot of `actuator` and gives back the one whose place it takes, if that was not taken out
    /// yet. Never waits for a send. After [`Slots::close`] it gives back `order` itself.
    #[must_use = "what is given back is never sent, and whoever sent it must be told"]
    pub fn hand_over(&self, actuator: &ActuatorId, order: T) -> Option<T> {
        let mut waiting = self.lock();
        if waiting.closed {
            return Some(order);
        }
        // The newcomer goes to the end: in the old place its sequence number would leave before smaller ones.
        let place = waiting.orders.iter().position(|(taken, _)| taken == actuator);
        let replaced = place.and_then(|place| waiting.orders.remove(place));
        waiting.orders.push_back((actuator.clone(), order));
        // One waiter is enough: a single thread sends to the robot.
        self.changed.notify_one();
        replaced.map(|(_, order)| order)
    }

    /// Waits for the oldest order and takes it out; `None` once the slots are closed, whatever waits there.
    pub fn next(&self) -> Option<T> {
        let mut waiting = self.lock();
        // Closed comes first: an order that still waits is given back to its owner and not sent.
        while !waiting.closed {
            if let Some((_, order)) = waiting.orders.pop_front() {
                return Some(order);
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Ends the sending and gives back what waits.
    #[must_use = "what is given back is never sent, and whoever sent it must be told"]
    pub fn close(&self) -> Vec<T> {
        let mut waiting = self.lock();
        waiting.closed = true;
        self.changed.notify_all();
        waiting.orders.drain(..).map(|(_, order)| order).collect()
    }

    /// Every change leaves the orders whole, so a panic of a holder breaks nothing.
    fn lock(&self) -> MutexGuard<'_, Waiting<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[cfg(loom)]
mod interleavings;
#[cfg(test)]
#[cfg(not(loom))]
mod tests;
