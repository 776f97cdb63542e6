//! The turn that runs, as everybody else reaches it, and those that have ended.

use std::collections::VecDeque;
use std::sync::Mutex;

use agent::{CancelReason, Input};
use tokio::sync::mpsc;

use super::Start;
use super::drive::place_of;
use super::late_decision::Late;
use crate::ledger::Place;
use runtime::lock::lock;

/// Signals that may wait for one turn: the notes of all its cards, and a person's wish to speak.
pub(super) const SIGNALS_MAX: usize = 128;
/// Ended turns that are told apart from those that never were.
const ENDED_MAX: usize = 1_024;

/// What is for the driver of a turn before it is for the turn.
pub(super) enum Signal {
    /// A person wants to speak: a turn that started by itself makes room.
    Preempt,
    /// What became of a proposal that the turn has made.
    Decided(Late),
}

/// The turn that runs.
pub(super) struct Current {
    pub turn: String,
    pub session: String,
    pub by_itself: bool,
    /// What it spends is counted there.
    pub place: Place,
    pub inputs: mpsc::Sender<Input>,
    pub signals: mpsc::Sender<Signal>,
}

impl Current {
    /// The turn of `start`, reached by these.
    pub fn of(start: &Start, inputs: mpsc::Sender<Input>, signals: mpsc::Sender<Signal>) -> Self {
        Self {
            turn: start.turn.clone(),
            session: start.conversation.session.to_string(),
            by_itself: start.by_itself,
            place: place_of(start),
            inputs,
            signals,
        }
    }
}

/// The turn that runs, if one does, and the newest of those that have ended.
#[derive(Default)]
pub(super) struct Running {
    current: Mutex<Option<Current>>,
    ended: Mutex<VecDeque<String>>,
}

impl Running {
    /// A turn begins.
    pub fn begin(&self, current: Current) {
        *lock(&self.current) = Some(current);
    }

    /// It is over.
    pub fn end(&self) {
        if let Some(current) = lock(&self.current).take() {
            self.note_ended(current.turn);
        }
    }

    /// `turn` is over, or never began.
    pub fn note_ended(&self, turn: String) {
        let mut ended = lock(&self.ended);
        if ended.len() >= ENDED_MAX {
            ended.pop_front();
        }
        ended.push_back(turn);
    }

    /// Whether `turn` is known to be over.
    pub fn has_ended(&self, turn: &str) -> bool {
        lock(&self.ended).iter().any(|ended| ended == turn)
    }

    /// What `of` says of the turn that runs.
    pub fn look<T>(&self, of: impl FnOnce(&Current) -> T) -> Option<T> {
        lock(&self.current).as_ref().map(of)
    }

    /// Ends the turn that runs; a full queue means that it is busy ending.
    pub fn cancel(&self, reason: CancelReason) {
        self.look(|current| {
            let _ = current.inputs.try_send(Input::Cancel(reason));
        });
    }
}
