//! The turn that runs, as everybody else reaches it, and those that have ended.

use std::collections::VecDeque;
use std::sync::Mutex;

use agent::{CancelReason, Input};
use robot::{ConversationId, MissionId, TurnId};
use tokio::sync::mpsc;

use super::Start;
use super::drive::place_of;
use super::late_decision::LateDecision;
use crate::models::ledger::Place;
use runtime::lock::lock;

/// Signals that may wait for one turn: the notes of all its cards, and a person's wish to speak.
pub(super) const SIGNALS_MAX: usize = 128;
/// Ended turns that are told apart from those that never were.
const ENDED_MAX: usize = 1_024;

/// A message to the driver of a turn that may not concern the turn itself.
pub(super) enum Signal {
    /// A person wants to speak: a turn that started by itself makes room.
    Preempt,
    /// A decision on, or an outcome of, a proposal that the turn has made.
    Decided(LateDecision),
}

/// The turn that runs.
pub(super) struct Current {
    pub turn: TurnId,
    pub session: ConversationId,
    pub by_itself: bool,
    /// The place in the ledger under which its spending is booked.
    pub place: Place,
    pub inputs: mpsc::Sender<Input>,
    pub signals: mpsc::Sender<Signal>,
}

impl Current {
    /// The turn of `start`, reached by these.
    pub fn of(start: &Start, inputs: mpsc::Sender<Input>, signals: mpsc::Sender<Signal>) -> Self {
        Self {
            turn: start.turn.clone(),
            session: start.conversation.session.clone(),
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
    ended: Mutex<VecDeque<TurnId>>,
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
    pub fn note_ended(&self, turn: TurnId) {
        let mut ended = lock(&self.ended);
        if ended.len() >= ENDED_MAX {
            // Of the oldest it is no longer known that there was such a turn.
            ended.pop_front();
        }
        ended.push_back(turn);
    }

    /// True if `turn` is known to be over.
    pub fn has_ended(&self, turn: &TurnId) -> bool {
        lock(&self.ended).iter().any(|ended| ended == turn)
    }

    /// Applies `of` to the turn that runs; none if no turn does.
    pub fn look<T>(&self, of: impl FnOnce(&Current) -> T) -> Option<T> {
        lock(&self.current).as_ref().map(of)
    }

    /// Ends the turn that runs if it started by itself for `mission`.
    pub fn cancel_for(&self, mission: &MissionId) {
        self.look(|current| {
            if current.by_itself && current.place.mission.as_deref() == Some(mission.as_str()) {
                let _ = current.inputs.try_send(Input::Cancel(CancelReason::Operator));
            }
        });
    }

    /// Ends the turn that runs; a full queue means that it is busy ending.
    pub fn cancel(&self, reason: CancelReason) {
        self.look(|current| {
            let _ = current.inputs.try_send(Input::Cancel(reason));
        });
    }
}
