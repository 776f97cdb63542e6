//! Words of a person that ask for a stop. They are looked for before anything else is done with them, and the
//! robots are stopped right there: what becomes of the words afterwards may wait for a queue, a disk or a model.
//! The search has a thread of its own, so that a button does not wait for it.

use std::sync::Arc;

use llm::{StopAsked, StopDone, stop_asked};
use robot::{Audience, RobotId};
use serde_json::Value;

use crate::operations;
use crate::station::Station;
use fleet::stops;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::StopReason;

/// The field that holds the words.
const WORDS: &str = "text";
/// Characters of the words that stand in the stop's reason.
const REASON_CHARS_MAX: usize = 80;

/// The input of a call whose words have been searched for a stop, and the stop that they led to.
#[derive(Debug)]
pub struct Heeded {
    /// The words carry a note of the stop, so that whoever reads them later does not stop again.
    pub(crate) input: Value,
    pub(crate) stopped: Option<StopDone>,
}

impl From<Value> for Heeded {
    /// The input of a call that brings no words.
    fn from(input: Value) -> Self {
        Self { input, stopped: None }
    }
}

impl Heeded {
    /// The message of a refusal of words that may have stopped robots all the same.
    #[must_use]
    pub fn told(&self, message: String) -> String {
        told(self.stopped.as_ref(), message)
    }
}

/// The message of a refusal of words that led to `stopped`.
pub(crate) fn told(stopped: Option<&StopDone>, message: String) -> String {
    match stopped {
        Some(stopped) => format!("{} The words were not taken: {message}", stopped.sentence()),
        None => message,
    }
}

/// Stops what the words of a call ask to stop, before the call itself is looked at, on the thread where words are
/// searched. It begins at once and goes on if nobody waits for it any more.
pub fn heed(
    station: &Arc<Station>,
    by: &Session,
    operation: &str,
    input: Value,
) -> impl Future<Output = Result<Heeded, OpError>> + use<> {
    let (heeding, by, operation) = (Arc::clone(station), by.clone(), operation.to_owned());
    station.words_lane.run(&station.runtime.tasks, async move { heed_here(&heeding, &by, &operation, input) })
}

/// The same on this thread, which a long text keeps busy.
pub(crate) fn heed_here(station: &Arc<Station>, by: &Session, operation: &str, mut input: Value) -> Heeded {
    let stopped = match input.get(WORDS).and_then(Value::as_str) {
        // A program that wants a stop calls the operation; its texts are no person's words.
        Some(words) if operations::is_spoken(operation) && by.audience() == Audience::Ui => stop(station, by, words),
        Some(_) | None => None,
    };
    if let (Some(stopped), Some(Value::String(words))) = (&stopped, input.get_mut(WORDS)) {
        *words = stopped.noted(words);
    }
    Heeded { input, stopped }
}

fn stop(station: &Arc<Station>, by: &Session, words: &str) -> Option<StopDone> {
    let units = station.fleet.units();
    let ids: Vec<&str> = units.iter().map(|unit| unit.id().as_str()).collect();
    let asked = stop_asked(words, &ids)?;
    let robots = match &asked {
        StopAsked::All => None,
        StopAsked::Robots(named) => {
            let is_named = |id: &&RobotId| named.iter().any(|name| name == id.as_str());
            Some(units.iter().map(|unit| unit.id()).filter(is_named).cloned().collect::<Vec<_>>())
        }
    };
    // A key may have been pasted with the words, and the reason goes on record and to everybody.
    let said = station.runtime.redaction.head_without_secrets(words, REASON_CHARS_MAX);
    let said: String = said.chars().filter(|letter| !letter.is_control()).collect();
    let pressed = stops::press_at_once(&station.fleet, by, Some(StopReason::Typed { words: said }), robots.as_deref());
    let robots = pressed.robots.iter().map(RobotId::to_string).collect();
    Some(StopDone { stop_id: pressed.stop_id, all: asked == StopAsked::All, robots })
}
