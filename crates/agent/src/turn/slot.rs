//! One call of a reply, from its place in the queue to its result.

use llm::CallId;
use robot::{Instant, Stops};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::admit::{Admitted, actuates};
use crate::{Event, ToolCall, ToolOutcome};

/// A call of a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Slot {
    pub id: CallId,
    pub name: String,
    pub began: Instant,
    /// The call with its tool; absent if it was refused before.
    pub admitted: Option<Admitted>,
    pub state: State,
}

/// State of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// Its wave has not come.
    Queued,
    /// Hooks are asked about it.
    Hooked,
    /// It runs, and is given up then.
    Running { until: Instant },
    /// A person is asked; the loop goes on without the answer then.
    Asked { until: Instant, proposal: Option<Value> },
    /// It lets time pass.
    Waiting { until: Instant },
    /// It has its result.
    Done(ToolOutcome),
}

impl Slot {
    pub const fn is_queued(&self) -> bool {
        matches!(self.state, State::Queued)
    }

    pub const fn is_running(&self) -> bool {
        matches!(self.state, State::Running { .. })
    }

    pub const fn is_hooked(&self) -> bool {
        matches!(self.state, State::Hooked)
    }

    pub const fn is_asked(&self) -> bool {
        matches!(self.state, State::Asked { .. })
    }

    /// The proposal that a person is asked to decide on, once it is known.
    pub const fn proposal(&self) -> Option<&Value> {
        match &self.state {
            State::Asked { proposal, .. } => proposal.as_ref(),
            State::Queued | State::Hooked | State::Running { .. } | State::Waiting { .. } | State::Done(_) => None,
        }
    }

    /// True if its end is waited for.
    pub const fn is_open(&self) -> bool {
        match self.state {
            State::Hooked | State::Running { .. } | State::Asked { .. } | State::Waiting { .. } => true,
            State::Queued | State::Done(_) => false,
        }
    }

    /// Time at which it is given up.
    pub const fn until(&self) -> Option<Instant> {
        match self.state {
            State::Running { until } | State::Asked { until, .. } | State::Waiting { until } => Some(until),
            State::Queued | State::Hooked | State::Done(_) => None,
        }
    }

    /// The stop it is.
    pub fn stop(&self) -> Option<(Stops, ToolCall)> {
        let admitted = self.admitted.as_ref().filter(|admitted| admitted.stops != Stops::No)?;
        Some((admitted.stops, admitted.call.clone()))
    }

    pub fn is_motion(&self) -> bool {
        self.admitted.as_ref().is_some_and(|admitted| admitted.stops == Stops::No && actuates(admitted.call.effect))
    }

    /// A stop takes the place of every motion of its robots in the same reply.
    pub fn yield_to(&mut self, stops: &[(Stops, ToolCall)]) {
        // A motion that runs already is ended by the stop itself.
        if let Some(outcome) = self.stopped_by(stops).filter(|_| self.is_queued()) {
            self.state = State::Done(outcome);
        }
    }

    /// The result of a motion that a stop takes the place of; nothing if none does.
    pub fn stopped_by(&self, stops: &[(Stops, ToolCall)]) -> Option<ToolOutcome> {
        let admitted = self.admitted.as_ref().filter(|_| self.is_motion())?;
        // Operations that move a robot name it in this field, and so do those that stop one.
        let robot = admitted.call.args.get("robot");
        let stopped_by = stops.iter().find(|(scope, stop)| match scope {
            Stops::No => false,
            // The robots of a mission are not known here, so none of them moves.
            Stops::All | Stops::Missions => true,
            Stops::Named => robot == stop.args.get("robot"),
        });
        let (_, stop) = stopped_by?;
        let message = format!("not run: {} in the same reply comes first", stop.name);
        Some(ToolOutcome::error("cancelled_by_stop", &message))
    }
}

pub(super) fn started(call: &ToolCall) -> Event {
    let (id, name, args, effect) = (call.id.clone(), call.name.clone(), call.args.clone(), call.effect);
    Event::CallStarted { call: id, name, args, effect }
}

pub(super) fn asked(call: &ToolCall) -> Event {
    let (id, name, args, effect) = (call.id.clone(), call.name.clone(), call.args.clone(), call.effect);
    Event::Asked { call: id, name, args, effect }
}

/// The answer of a call that goes on without a person's.
pub(super) fn pending(proposal: Option<&Value>) -> ToolOutcome {
    ToolOutcome::answer(&Value::Object(still_open(proposal)))
}

/// The same where no screen shows the question.
pub(super) fn unseen(proposal: Option<&Value>) -> ToolOutcome {
    let mut answer = still_open(proposal);
    answer.insert("reason".to_owned(), json!("nobody_sees"));
    answer.insert(
        "message".to_owned(),
        json!("No screen shows this question, so do not wait; a decision may still come."),
    );
    ToolOutcome::answer(&Value::Object(answer))
}

fn still_open(proposal: Option<&Value>) -> Map<String, Value> {
    let state = [("state".to_owned(), json!("pending"))];
    state.into_iter().chain(proposal.map(|proposal| ("proposal".to_owned(), proposal.clone()))).collect()
}
