//! STOP ALL on its way to a station elsewhere: tried until it is delivered, refused or withdrawn. It counts as
//! delivered only when the station has answered.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use api::{Answer, StopDelivery, StopDeliveryState, lock};
use serde_json::Value;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use crate::client::{CallError, Client};

/// Longest time of one try; the station answers within a second.
const TRY_WAIT: Duration = Duration::from_secs(4);
/// Pause between two tries.
const PAUSE: Duration = Duration::from_millis(500);

/// One STOP ALL.
pub(crate) struct Delivery {
    station: String,
    pressed: Instant,
    /// The state, how long it took, and the reason of the last failure.
    state: watch::Sender<Progress>,
    withdrawn: Notify,
    again: Notify,
    answer: Mutex<Option<Result<Value, api::ErrorBody>>>,
}

#[derive(Debug, Clone)]
struct Progress {
    state: StopDeliveryState,
    took: Option<Duration>,
    sentence: String,
}

impl Delivery {
    pub fn new(station: String) -> Self {
        let progress = Progress { state: StopDeliveryState::Trying, took: None, sentence: String::new() };
        Self {
            station,
            pressed: Instant::now(),
            state: watch::Sender::new(progress),
            withdrawn: Notify::new(),
            again: Notify::new(),
            answer: Mutex::default(),
        }
    }

    /// Its state, for the screen.
    pub fn shown(&self) -> StopDelivery {
        let Progress { state, took, sentence } = self.state.borrow().clone();
        let ms = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let station = self.station.clone();
        StopDelivery { station, state, pressed_ago_ms: ms(self.pressed.elapsed()), took_ms: took.map(ms), sentence }
    }

    pub fn is_trying(&self) -> bool {
        self.state.borrow().state == StopDeliveryState::Trying
    }

    /// Tries no longer. One that was delivered stays delivered.
    pub fn withdraw(&self) {
        self.withdrawn.notify_one();
    }

    /// Tries again now instead of after the pause.
    pub fn press_again(&self) {
        self.again.notify_one();
    }

    /// The station's answer, once it has given one.
    pub async fn answered(&self) -> Option<Result<Value, api::ErrorBody>> {
        let mut states = self.state.subscribe();
        // Cannot fail: the sender lives as long as this delivery.
        let _ = states.wait_for(|progress| progress.state != StopDeliveryState::Trying).await;
        lock(&self.answer).clone()
    }

    /// Tries until the stop is delivered, refused or withdrawn, with the same `input` each time. A try whose answer is lost
    /// has stopped all the same, and the next one stops again, which does no harm.
    pub async fn run(self: Arc<Self>, client: Arc<Client>, name: String, input: Value) {
        loop {
            let tried = tokio::select! {
                () = self.withdrawn.notified() => return self.end(StopDeliveryState::Withdrawn, None),
                // A connection of its own for each try: a shared one that is half dead would swallow them all.
                tried = tokio::time::timeout(TRY_WAIT, client.call_alone(&name, &input)) => tried,
            };
            let sentence = match tried {
                Ok(Ok(answer)) => match stop_of(answer) {
                    Some(stop) => return self.end(StopDeliveryState::Delivered, Some(Ok(stop))),
                    None => "what answers there is no station".to_owned(),
                },
                // The station has read it and says no: the same request would be refused again.
                Ok(Err(CallError::Refused(error))) if error.status() < 500 => {
                    self.note(&error.message);
                    return self.end(StopDeliveryState::Refused, Some(Err(error)));
                }
                Ok(Err(error)) => error.to_string(),
                Err(_) => format!("no answer within {} s", TRY_WAIT.as_secs()),
            };
            self.note(&sentence);
            tokio::select! {
                () = self.withdrawn.notified() => return self.end(StopDeliveryState::Withdrawn, None),
                () = self.again.notified() => {}
                () = tokio::time::sleep(PAUSE) => {}
            }
        }
    }

    fn note(&self, sentence: &str) {
        self.state.send_modify(|progress| progress.sentence = sentence.to_owned());
    }

    fn end(&self, state: StopDeliveryState, answer: Option<Result<Value, api::ErrorBody>>) {
        // The answer before the state: whoever the state wakes looks for the answer.
        *lock(&self.answer) = answer;
        let took = Some(self.pressed.elapsed());
        self.state.send_modify(|progress| {
            progress.state = state;
            progress.took = took;
        });
    }
}

/// A station's answer to STOP ALL, which names the stop. Whatever else answers with the station's certificate, a proxy
/// for example, may be friendly about a request that it does not know.
fn stop_of(answer: Answer) -> Option<Value> {
    match answer {
        Answer::Json(stop) if stop["stop_id"].is_u64() => Some(stop),
        Answer::Json(_) | Answer::Jpeg(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_an_answer_that_names_the_stop_is_a_delivery() {
        let stop = json!({ "stop_id": 7, "latch_saved": false, "robots": ["arm-1"] });
        assert_eq!(stop_of(Answer::Json(stop.clone())), Some(stop));
        for other in [json!(null), json!({}), json!({ "ok": true }), json!("stopped"), json!({ "stop_id": "7" })] {
            assert_eq!(stop_of(Answer::Json(other.clone())), None, "{other}");
        }
        assert_eq!(stop_of(Answer::Jpeg(Vec::new())), None);
    }
}
