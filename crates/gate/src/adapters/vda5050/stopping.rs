//! A stop that is being sent: the pause at once and again and again, the cancelled order once the vehicle is paused
//! or after a second, and at once if it refuses the pause.

use std::time::Duration;

use bridge::envelope::GateFault;
use robot::Instant;

use super::message::{State, VehicleError};
use super::outbox::Outbox;
use crate::adapter::{StopEvidence, StopKind};

/// A stop is repeated this often: every second tick of the gate.
const STOP_EVERY: Duration = Duration::from_millis(40);
/// A vehicle that is not paused by then has its order cancelled all the same.
const CANCEL_AFTER: Duration = Duration::from_secs(1);
/// A vehicle that stands is sent its stop again for so long.
const LINGERS_FOR: Duration = Duration::from_secs(10);
/// A stop that was sent within this time goes on: the next one is the same for the vehicle.
const GOES_ON: Duration = Duration::from_millis(200);
/// A refusal is a new reason to stop, and must not be one at once again.
const REFUSED_EVERY: Duration = Duration::from_secs(1);

/// The action that every hold and stop begins with.
pub const PAUSE: &str = "startPause";

/// One stop.
pub struct Stopping {
    episode: u64,
    pause: String,
    cancel: String,
    began: Instant,
    /// The last message, and the number of the first.
    sent: Option<(Instant, u64)>,
    is_answered: bool,
    refused: Option<Instant>,
    kind: StopKind,
    /// The order that the vehicle had when it was first heard of since the beginning.
    order: Option<String>,
    /// The vehicle was heard of, and stood.
    lingers: Option<Instant>,
}

impl Stopping {
    /// A stop of this episode, whose actions have these names, after an earlier one.
    pub fn new(episode: u64, pause: String, cancel: String, earlier: Option<&Self>, now: Instant) -> Self {
        let goes_on = earlier.filter(|stop| stop.sent.is_some_and(|(last, _)| now.since(last) <= GOES_ON));
        Self {
            episode,
            pause,
            cancel,
            // A new reason to stop every second would put off the cancelled order for ever.
            began: goes_on.map_or(now, |stop| stop.began),
            sent: None,
            is_answered: false,
            // Each refusal begins a new stop, which must not be refused anew at once.
            refused: earlier.and_then(|stop| stop.refused),
            kind: StopKind::Hold,
            order: None,
            lingers: None,
        }
    }

    /// Its episode.
    pub const fn episode(&self) -> u64 {
        self.episode
    }

    /// Its severity.
    pub const fn kind(&self) -> StopKind {
        self.kind
    }

    /// Sends it, if it is due.
    pub fn send(&mut self, kind: StopKind, state: Option<&State>, outbox: &Outbox, now: Instant) -> StopEvidence {
        self.kind = self.kind.max(kind);
        self.note_order(state);
        if self.sent.is_none_or(|(last, _)| now.since(last) >= STOP_EVERY) {
            let pause = (PAUSE, self.pause.as_str());
            let cancel = ("cancelOrder", self.cancel.as_str());
            let is_paused = state.is_some_and(|state| state.paused == Some(true));
            // VDA 5050 lets a vehicle drive a cancelled order to its next node: the pause goes first.
            // A vehicle that has refused the pause will not be paused.
            let is_due = is_paused || self.refused.is_some() || now.since(self.began) >= CANCEL_AFTER;
            // A vehicle without an order would report an error.
            let cancels = kind == StopKind::Stop && is_due && state.is_none_or(State::is_active);
            let number = if cancels { outbox.stop(&[pause, cancel]) } else { outbox.stop(&[pause]) };
            self.sent = Some((now, self.sent.map_or(number, |(_, first)| first)));
        }
        match self.sent {
            Some(_) if self.is_answered => StopEvidence::RobotAnswered,
            Some((_, first)) if outbox.left(first) => StopEvidence::Sent,
            Some(_) | None => StopEvidence::Waiting,
        }
    }

    /// Goes on after standstill until the vehicle is paused and, after a stop, the order of then is gone: one that
    /// stood already has had no time for that, and one that had lost its broker heard no pause that came before it.
    pub fn linger(&mut self, state: &State, outbox: &Outbox, now: Instant) {
        self.note_order(Some(state));
        let since = *self.lingers.get_or_insert(now);
        if !self.is_over(state) && now.since(since) < LINGERS_FOR {
            self.send(self.kind, Some(state), outbox, now);
        }
    }

    /// True once the vehicle is paused and, after a stop, the order of then is gone.
    pub fn is_over(&self, state: &State) -> bool {
        let has_it = state.is_active() && self.order.as_ref() == Some(&state.order_id);
        self.has_paused(Some(state)) && !(self.kind == StopKind::Stop && has_it)
    }

    /// True once the vehicle has answered the pause, or says that it is paused.
    pub fn has_paused(&self, state: Option<&State>) -> bool {
        self.is_answered || state.is_some_and(|state| state.paused == Some(true))
    }

    fn note_order(&mut self, state: Option<&State>) {
        if self.order.is_none() {
            self.order = state.map(|state| state.order_id.clone());
        }
    }

    /// Takes in what the vehicle says; gives the fault if it refuses.
    pub fn hear(&mut self, state: Option<&State>, errors: &[VehicleError], now: Instant) -> Option<GateFault> {
        let action = |id: &str| state.and_then(|state| state.action(id)).map(str::to_ascii_uppercase);
        let pause = action(&self.pause);
        self.is_answered |= matches!(pause.as_deref(), Some("RUNNING" | "FINISHED"));
        let has_failed = |status: Option<&str>| status == Some("FAILED");
        let goes_on = state.is_some_and(State::is_active);
        // An order that was over before it was cancelled is no refusal.
        let is_refused = has_failed(pause.as_deref())
            || (has_failed(action(&self.cancel).as_deref()) && goes_on)
            || errors.iter().any(VehicleError::is_about_instant_actions);
        if !is_refused || self.refused.is_some_and(|last| now.since(last) < REFUSED_EVERY) {
            return None;
        }
        self.refused = Some(now);
        Some(GateFault::StopRefused)
    }
}
