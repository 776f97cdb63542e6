//! Messages that wait to be sent to the vehicle. The deciding thread only puts them here.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::Notify;

use super::message::instant_actions;
use crate::adapter::StopSender;

/// Messages that wait: an order, its next part and what clears the way for it.
const MOTIONS_MAX: usize = 8;
/// Stops that are sent without the adapter, 20 ms apart, before the order is cancelled too: a second of them.
const CANCEL_AFTER: u32 = 50;

/// Topic of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// `order`.
    Order,
    /// `instantActions`.
    InstantActions,
}

impl Topic {
    /// Its last part.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::InstantActions => "instantActions",
        }
    }
}

/// A message without its head.
#[derive(Debug, Clone, PartialEq)]
pub struct Outgoing {
    /// Its topic.
    pub topic: Topic,
    /// Its fields.
    pub body: Value,
    /// Number of the stop that it is.
    pub stop: Option<u64>,
}

/// Everything that waits.
#[derive(Debug, Default)]
pub struct Outbox {
    /// Tells the actions of this run of the gate from those of earlier ones.
    run: String,
    state: Mutex<State>,
    more: Notify,
}

#[derive(Debug, Default)]
struct State {
    is_connected: bool,
    stop: Option<(u64, Value)>,
    asked: u64,
    left: u64,
    motions: VecDeque<Outgoing>,
    /// Stops that were sent without the adapter since it last began a motion, and how often that has come about.
    without_adapter: u32,
    crashes: u64,
}

impl Outbox {
    /// Empty, of a run of this name.
    pub fn of_run(run: String) -> Self {
        Self { run, ..Self::default() }
    }

    /// A message that may move the robot. False if it is not taken: nothing waits for a broker that is not there.
    pub fn motion(&self, topic: Topic, body: Value) -> bool {
        let mut state = self.state();
        // An order that waits for a broker would move the vehicle when nobody expects it any more.
        if !state.is_connected || state.motions.len() >= MOTIONS_MAX {
            return false;
        }
        state.motions.push_back(Outgoing { topic, body, stop: None });
        state.without_adapter = 0;
        drop(state);
        self.more.notify_one();
        true
    }

    /// A stop, in the place of every motion that waits, and its number.
    pub fn stop(&self, actions: &[(&str, &str)]) -> u64 {
        let mut state = self.state();
        state.motions.clear();
        state.asked += 1;
        let number = state.asked;
        state.stop = Some((number, instant_actions(actions)));
        drop(state);
        self.more.notify_one();
        number
    }

    /// The broker is there, or gone: then nothing that moves the robot waits for it.
    pub fn set_connected(&self, is_connected: bool) {
        let mut state = self.state();
        state.is_connected = is_connected;
        state.motions.clear();
        drop(state);
        self.more.notify_one();
    }

    /// The next message; waits for one and for a broker.
    pub async fn next(&self) -> Outgoing {
        loop {
            if let Some(next) = self.take() {
                return next;
            }
            self.more.notified().await;
        }
    }

    /// The next message, if one waits and the broker is there.
    pub fn take(&self) -> Option<Outgoing> {
        let mut state = self.state();
        if !state.is_connected {
            return None;
        }
        // A stop first: an order before it would be driven for as long as the stop waits.
        let stop = state.stop.take();
        let stop = stop.map(|(number, body)| Outgoing { topic: Topic::InstantActions, body, stop: Some(number) });
        stop.or_else(|| state.motions.pop_front())
    }

    /// The stop of this number has left.
    pub fn has_left(&self, number: u64) {
        let mut state = self.state();
        state.left = state.left.max(number);
    }

    /// True if the stop of this number, or a later one, has left.
    pub fn left(&self, number: u64) -> bool {
        self.state().left >= number
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StopSender for Outbox {
    fn send(&self) {
        let (sent, crash) = {
            let mut state = self.state();
            if state.without_adapter == 0 {
                state.crashes += 1;
            }
            state.without_adapter = state.without_adapter.saturating_add(1);
            (state.without_adapter, state.crashes)
        };
        // A vehicle carries out an action once: under the name of an earlier crash it would not stop.
        let name = |what: &str| format!("quarterdeck-crash-{what}-{}-{crash}", self.run);
        let (pause, cancel) = (name("pause"), name("cancel"));
        let actions = [("startPause", pause.as_str()), ("cancelOrder", cancel.as_str())];
        self.stop(if sent < CANCEL_AFTER { &actions[..1] } else { &actions });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rg_10_rg_51_a_stop_takes_the_place_of_motion_and_nothing_that_moves_waits_for_a_broker() {
        let outbox = Outbox::default();
        assert!(!outbox.motion(Topic::Order, json!({})));
        let number = outbox.stop(&[("startPause", "a")]);
        assert_eq!(outbox.take(), None, "no broker");
        outbox.set_connected(true);
        assert_eq!(outbox.take().unwrap().stop, Some(number), "it has waited");
        assert!(outbox.motion(Topic::Order, json!({})));
        outbox.set_connected(false);
        outbox.set_connected(true);
        assert_eq!(outbox.take(), None, "an order does not outlive its connection");
        assert!(outbox.motion(Topic::Order, json!({})));
        outbox.stop(&[("startPause", "b")]);
        assert!(outbox.take().unwrap().stop.is_some() && outbox.take().is_none());
    }

    #[test]
    fn rg_10_rg_51_a_crash_pauses_at_once_and_cancels_after_a_second() {
        let outbox = Outbox::default();
        outbox.set_connected(true);
        let count = || {
            outbox.send();
            outbox.take().unwrap().body["actions"].as_array().unwrap().len()
        };
        assert_eq!(count(), 1);
        let later: Vec<usize> = (0..49).map(|_| count()).collect();
        assert_eq!((later[47], later[48]), (1, 2));
    }

    #[test]
    fn rg_10_rg_51_the_stop_of_a_second_crash_is_another_action_than_that_of_the_first() {
        let outbox = Outbox::of_run("7".to_owned());
        outbox.set_connected(true);
        let sent = |crash: &Outbox| {
            crash.send();
            let body = crash.take().unwrap().body;
            let ids = body["actions"].as_array().unwrap().iter().map(|action| action["actionId"].as_str().unwrap());
            ids.map(str::to_owned).collect::<Vec<_>>()
        };
        let first = sent(&outbox);
        assert_eq!(sent(&outbox), first, "one action, however often it is sent");
        (0..60).for_each(|_| drop(sent(&outbox)));
        assert!(outbox.motion(Topic::Order, json!({})), "the gate has gone on meanwhile");
        outbox.take();
        let second = sent(&outbox);
        assert!(second.len() == 1 && second != first, "{second:?}");
        let another_run = Outbox::of_run("8".to_owned());
        another_run.set_connected(true);
        assert_ne!(sent(&another_run), first);
    }
}
