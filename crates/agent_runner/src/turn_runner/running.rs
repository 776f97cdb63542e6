//! The turn that runs, as everybody else reaches it, and those that have ended.

use std::collections::VecDeque;
use std::sync::Mutex;

use agent::{CancelReason, Input};
use robot::{ConversationId, MissionId, TurnId};
use tokio::sync::{mpsc, watch};

use super::Start;
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
    /// Something waits among the steers. The turn looks there before each wait: a signal too many for it loses nothing.
    Steered,
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
    cancel: watch::Sender<Option<CancelReason>>,
}

/// The wish to end a turn, as its driver hears it. It stands beside the inputs, of which there may be too many.
pub(super) struct CancelWish(watch::Receiver<Option<CancelReason>>);

impl CancelWish {
    /// Waits for the wish, which is given once.
    pub async fn given(&mut self) -> CancelReason {
        while self.0.changed().await.is_ok() {
            if let Some(reason) = *self.0.borrow_and_update() {
                return reason;
            }
        }
        // The turn has ended: nobody reaches it any more.
        std::future::pending().await
    }
}

impl Current {
    /// The turn of `start`, reached by these, and the wish to end it.
    pub fn of(start: &Start, inputs: mpsc::Sender<Input>, signals: mpsc::Sender<Signal>) -> (Self, CancelWish) {
        let (cancel, wish) = watch::channel(None);
        let current = Self {
            turn: start.turn.clone(),
            session: start.conversation.session.clone(),
            by_itself: start.by_itself,
            place: place_of(start),
            inputs,
            signals,
            cancel,
        };
        (current, CancelWish(wish))
    }

    /// Ends the turn, however busy it is. The first reason holds.
    pub fn cancel(&self, reason: CancelReason) {
        self.cancel.send_if_modified(|wish| {
            let is_first = wish.is_none();
            wish.get_or_insert(reason);
            is_first
        });
    }
}

/// The place of the turn's model calls in the ledger: conversation, turn and mission.
pub(super) fn place_of(start: &Start) -> Place {
    let session = start.conversation.session.clone();
    Place { session, turn: Some(start.turn.clone()), mission: start.mission.clone() }
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
                current.cancel(CancelReason::Operator);
            }
        });
    }

    /// Ends the turn that runs.
    pub fn cancel(&self, reason: CancelReason) {
        self.look(|current| current.cancel(reason));
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;
    use crate::test_support::Rig;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_turn_with_all_the_inputs_it_can_hold_is_ended_once_with_the_first_reason() {
        let rig = Rig::start().await;
        let message = agent::Message::operator("dana", robot::Role::Operator, "status").unwrap();
        let conversation = rig.agent.turns.conversations.opened(&rig.agent.turns.session()).await.unwrap();
        let start = Start::of("turn-1".into(), message, conversation);
        let ((inputs, _arriving), (signals, _signalled)) = (mpsc::channel(1), mpsc::channel(1));
        inputs.try_send(Input::Tick).unwrap();
        let (current, mut wish) = Current::of(&start, inputs, signals);
        let running = Running::default();
        running.begin(current);
        assert_eq!(wish.given().now_or_never(), None);
        running.cancel(CancelReason::StopAll);
        running.cancel(CancelReason::Operator);
        assert_eq!(wish.given().now_or_never(), Some(CancelReason::StopAll));
        assert_eq!(wish.given().now_or_never(), None, "it is given once");
        running.end();
        assert_eq!(wish.given().now_or_never(), None);
    }
}
