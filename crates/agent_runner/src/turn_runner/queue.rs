//! The turns that wait for their place. A person goes before what starts by itself.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use robot::{ConversationId, TurnId};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::Start;
use runtime::lock::lock;

/// Turns that may wait; more is refused as busy.
pub(super) const STARTS_MAX: usize = 16;

/// A place in the queue of turns; given back when it is dropped.
pub(super) type Room = OwnedSemaphorePermit;

/// The turns that wait.
pub(super) struct Queue {
    waiting: Mutex<VecDeque<(Start, Option<Room>)>>,
    room: Arc<Semaphore>,
    came: Notify,
}

impl Default for Queue {
    fn default() -> Self {
        Self { waiting: Mutex::default(), room: Arc::new(Semaphore::new(STARTS_MAX)), came: Notify::new() }
    }
}

impl Queue {
    /// A place; none if as many wait as may.
    pub fn reserve(&self) -> Option<Room> {
        Arc::clone(&self.room).try_acquire_owned().ok()
    }

    /// Queues a turn at its place.
    pub fn push(&self, start: Start, room: Room) {
        lock(&self.waiting).push_back((start, Some(room)));
        self.came.notify_one();
    }

    /// Queues a turn that follows from one which has just ended: there is room for as many as can end at once.
    pub fn push_first(&self, start: Start) {
        lock(&self.waiting).push_front((start, None));
        self.came.notify_one();
    }

    /// Queues a turn that had a place before: one that made room for a person, or words of the last run.
    pub fn push_again(&self, start: Start) {
        // Its place may be taken by now, and what was accepted once is not refused.
        lock(&self.waiting).push_back((start, None));
        self.came.notify_one();
    }

    /// The turn that is next, as soon as there is one.
    pub async fn next(&self) -> Start {
        loop {
            if let Some(start) = self.pop() {
                return start;
            }
            // A notice that came before this is kept by `Notify`, so that none is missed.
            self.came.notified().await;
        }
    }

    /// Takes out the turn called `turn`; none if it does not wait.
    pub fn take(&self, turn: &TurnId) -> Option<Start> {
        let mut waiting = lock(&self.waiting);
        let at = waiting.iter().position(|(start, _)| start.turn == *turn)?;
        waiting.remove(at).map(|(start, _)| start)
    }

    /// Takes out the next one of a conversation.
    pub fn take_of(&self, session: &ConversationId) -> Option<Start> {
        let mut waiting = lock(&self.waiting);
        let at = waiting.iter().position(|(start, _)| start.conversation.session == *session)?;
        waiting.remove(at).map(|(start, _)| start)
    }

    /// Takes out all of them.
    pub fn take_all(&self) -> Vec<Start> {
        lock(&self.waiting).drain(..).map(|(start, _)| start).collect()
    }

    /// Number of turns that wait.
    pub fn count(&self) -> usize {
        lock(&self.waiting).len()
    }

    /// The conversation of a turn that waits.
    pub fn session_of(&self, turn: &TurnId) -> Option<ConversationId> {
        let waiting = lock(&self.waiting);
        let (start, _) = waiting.iter().find(|(start, _)| start.turn == *turn)?;
        Some(start.conversation.session.clone())
    }

    /// True if a turn that a person began is waiting.
    pub fn holds_persons(&self) -> bool {
        // A person who starts a job does not wait for its turn to end.
        lock(&self.waiting).iter().any(|(start, _)| !start.by_itself && start.job.is_none())
    }

    fn pop(&self) -> Option<Start> {
        let mut waiting = lock(&self.waiting);
        let at = waiting.iter().position(|(start, _)| !start.by_itself).unwrap_or(0);
        waiting.remove(at).map(|(start, _)| start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l_13_sixteen_turns_wait_and_the_next_one_is_told_that_it_is_too_much() {
        let queue = Queue::default();
        let mut rooms: Vec<Room> = (0..16).map_while(|_| queue.reserve()).collect();
        assert_eq!(rooms.len(), 16);
        assert!(queue.reserve().is_none(), "the seventeenth is refused");
        rooms.pop();
        assert!(queue.reserve().is_some(), "a turn that starts makes room");
    }
}
