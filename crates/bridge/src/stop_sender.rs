//! The stop path: a thread and a publisher per robot, so that nothing the rest of the station does can hold up a stop.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use robot::RobotId;
use safety::{Approved, Stop};
use serde_json::json;
use zenoh::pubsub::Publisher;

use crate::link::put_with;
use crate::signing::SigningKey;
use crate::{BridgeError, RobotLink};

/// A stop is put ten times a second until it is done.
const REPEAT_EVERY: Duration = Duration::from_millis(100);
/// Stops of one robot that are repeated at the same time. One is the rule; any of them latches the robot, so beyond
/// this the oldest is no longer repeated.
const REPEATED_MAX: usize = 16;

/// Told the stop's number each time the stop thread has put it; the only evidence that a stop left the station.
pub type StopPutFn = Box<dyn Fn(u64) + Send>;

impl RobotLink {
    /// Hands a stop to the stop thread, which puts it at once and then ten times a second. Never waits.
    pub fn stop(&self, stop: Approved<Stop>) {
        let Stop { stop_id, station, robot, drill, .. } = stop.into_stop();
        let mut message = json!({ "robot": robot, "station": station, "stop_id": stop_id });
        if drill {
            message["drill"] = true.into();
        }
        // Signed once and here, so that the stop thread repeats it without any work that can fail.
        let put = Put::signed(message.to_string().into_bytes(), &self.stops.stop_key, &self.key);
        self.stops.shared.lock().add(stop_id, put);
        self.stops.shared.changed.notify_one();
    }

    /// Hands a hold to the stop thread, which puts it at once; gives its number. Never waits. It is not repeated: what
    /// it ends cannot begin again, because nothing passes the fence.
    pub fn hold(&self) -> u64 {
        let hold_id = self.hold_put.fetch_add(1, Ordering::AcqRel) + 1;
        let message = json!({ "robot": self.robot, "station": self.station, "hold_id": hold_id });
        let put = Put::signed(message.to_string().into_bytes(), &self.stops.hold_key, &self.key);
        // One that was not put yet is replaced: the newer one ends the same motions.
        self.stops.shared.lock().hold = Some(put);
        self.stops.shared.changed.notify_one();
        hold_id
    }

    /// Ends the repetition of a stop: the robot stands still.
    pub fn stop_done(&self, stop_id: u64) {
        self.stops.shared.lock().repeated.remove(&stop_id);
    }

    /// Lets the repetition of `stop_ids` rest. A gate takes each for pressed anew, under the epoch that it holds then, and
    /// releases nothing under that epoch.
    pub fn rest_stops<'a>(&self, stop_ids: impl IntoIterator<Item = &'a u64>) -> RestingStops<'_> {
        self.stops.shared.rest(stop_ids)
    }
}

/// Stops whose repetition rests while they are released; dropped, they are repeated again.
#[must_use = "dropping it goes on with the stops"]
pub struct RestingStops<'a> {
    shared: &'a Shared,
    rest: Vec<(u64, Put)>,
}

impl RestingStops<'_> {
    /// Ends their repetition: they are released.
    pub fn end(mut self) {
        self.rest.clear();
    }
}

impl Drop for RestingStops<'_> {
    fn drop(&mut self) {
        let mut orders = self.shared.lock();
        for (stop_id, put) in self.rest.drain(..) {
            orders.add(stop_id, put);
        }
        drop(orders);
        self.shared.changed.notify_one();
    }
}

/// Publishers of the stop thread.
pub(crate) struct StopPublishers {
    pub(crate) stop: Publisher<'static>,
    pub(crate) hold: Publisher<'static>,
}

/// A message that is made and signed before the stop thread sees it.
#[derive(Clone)]
struct Put {
    payload: Vec<u8>,
    signature: [u8; 64],
}

impl Put {
    fn signed(payload: Vec<u8>, key_expr: &str, key: &SigningKey) -> Self {
        Self { signature: key.sign(key_expr, &payload), payload }
    }

    fn put(self, publisher: &Publisher<'_>) -> Result<(), BridgeError> {
        put_with(publisher, self.payload, Some(self.signature.to_vec()))
    }
}

/// Messages due at one moment.
struct Due {
    stops: Vec<(u64, Put)>,
    hold: Option<Put>,
}

/// The owner's end of the stop thread. Dropping it ends the thread but does not wait for it: a put that is blocked
/// must hold up nobody.
pub(crate) struct StopSender {
    shared: Arc<Shared>,
    stop_key: String,
    hold_key: String,
}

#[derive(Default)]
struct Shared {
    orders: Mutex<Orders>,
    changed: Condvar,
}

#[derive(Default)]
struct Orders {
    /// By stop id.
    repeated: BTreeMap<u64, Put>,
    /// A hold that was not put yet.
    hold: Option<Put>,
    /// True if there is something to put before the next repetition is due.
    at_once: bool,
    closed: bool,
}

impl StopSender {
    pub(crate) fn start(robot: RobotId, publishers: StopPublishers, on_put: StopPutFn) -> Result<Self, BridgeError> {
        let shared = Arc::new(Shared::default());
        let in_thread = Arc::clone(&shared);
        let (stop_key, hold_key) = (publishers.stop.key_expr().to_string(), publishers.hold.key_expr().to_string());
        std::thread::Builder::new()
            .name(format!("stop-{robot}"))
            .spawn(move || in_thread.run(&publishers, &on_put))
            .map_err(|source| BridgeError::NoStopThread { robot, source })?;
        Ok(Self { shared, stop_key, hold_key })
    }
}

impl Drop for StopSender {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_one();
    }
}

impl Shared {
    fn run(&self, publishers: &StopPublishers, on_put: &StopPutFn) {
        while let Some(due) = self.next() {
            let mut put = Vec::new();
            // Stops before a hold: a stop binds more, and a put may block.
            for (stop_id, stop) in due.stops {
                match stop.put(&publishers.stop) {
                    Ok(()) => put.push(stop_id),
                    Err(error) => {
                        tracing::error!(%error, key = %publishers.stop.key_expr(), "a stop could not be put; it is repeated");
                    }
                }
            }
            // Not tried again: supervision misses the acknowledgement and stops the robot instead.
            if let Some(Err(error)) = due.hold.map(|hold| hold.put(&publishers.hold)) {
                tracing::error!(%error, key = %publishers.hold.key_expr(), "a hold could not be put");
            }
            // Last, and caught: nobody who is told keeps a stop or a hold from leaving, now or later.
            for stop_id in put {
                if catch_unwind(AssertUnwindSafe(|| on_put(stop_id))).is_err() {
                    tracing::error!(stop_id, "whoever was told that a stop was put panicked");
                }
            }
        }
    }

    fn rest<'a>(&self, stop_ids: impl IntoIterator<Item = &'a u64>) -> RestingStops<'_> {
        let mut orders = self.lock();
        let rest = stop_ids.into_iter().filter_map(|stop_id| orders.repeated.remove_entry(stop_id)).collect();
        RestingStops { shared: self, rest }
    }

    /// Waits until something is due. The lock is never held during a put.
    fn next(&self) -> Option<Due> {
        let mut orders = self.lock();
        loop {
            // Before the end is looked at: a stop that was handed over just before its link is dropped still leaves.
            if std::mem::take(&mut orders.at_once) || orders.hold.is_some() {
                return Some(orders.due());
            }
            if orders.closed {
                return None;
            }
            if orders.repeated.is_empty() {
                orders = self.changed.wait(orders).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let (woken, wait) = self.changed.wait_timeout(orders, REPEAT_EVERY).unwrap_or_else(PoisonError::into_inner);
            orders = woken;
            if wait.timed_out() {
                return Some(orders.due());
            }
        }
    }

    /// A panic elsewhere must not disable the stop: the orders are whole after every change.
    fn lock(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Orders {
    fn add(&mut self, stop_id: u64, put: Put) {
        self.repeated.insert(stop_id, put);
        while self.repeated.len() > REPEATED_MAX {
            self.repeated.pop_first();
        }
        self.at_once = true;
    }

    fn due(&mut self) -> Due {
        let stops = self.repeated.iter().map(|(stop_id, put)| (*stop_id, put.clone())).collect();
        Due { stops, hold: self.hold.take() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_rest_while_they_are_released_and_are_repeated_again_unless_that_succeeds() {
        let shared = Shared::default();
        for stop_id in [1, 2] {
            shared.lock().add(stop_id, Put { payload: Vec::new(), signature: [0; 64] });
        }
        let repeated = || shared.lock().repeated.keys().copied().collect::<Vec<_>>();
        let resting = shared.rest(&[1]);
        assert_eq!(repeated(), [2]);
        shared.lock().at_once = false;
        drop(resting);
        assert_eq!(repeated(), [1, 2]);
        assert!(shared.lock().at_once, "and at once");
        shared.rest(&[1, 7]).end();
        assert_eq!(repeated(), [2]);
    }

    #[test]
    fn a_stop_and_a_hold_that_were_handed_over_before_the_end_are_put_and_then_no_more() {
        let put = || Put { payload: Vec::new(), signature: [0; 64] };
        let shared = Shared::default();
        shared.lock().add(1, put());
        shared.lock().hold = Some(put());
        shared.lock().closed = true;
        let due = shared.next().unwrap();
        assert_eq!((due.stops.len(), due.hold.is_some()), (1, true));
        assert!(shared.next().is_none(), "its repetition ends with the link");
    }
}
