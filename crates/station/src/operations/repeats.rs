//! Answers kept so that a repeated request acts once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::sync::OnceCell;

use runtime::error::{ErrorKind, OpError};
use runtime::lock::lock;
use runtime::session::Session;

use crate::code::StationCode;

/// Answers kept of each session for repeated requests.
const ANSWERS_MAX: usize = 256;
/// Sessions of which answers are kept; of those beyond it, the one that has asked least recently loses its own.
const SESSIONS_MAX: usize = 256;

/// A request with an id. The ids of one session mean nothing to another.
pub(super) struct Request {
    /// The session, and the agent that it is.
    asker: String,
    key: Key,
    /// Hash of the whole input: the same id with another input is another request.
    input_hash: String,
}

#[derive(Debug, PartialEq, Eq)]
struct Key {
    operation: &'static str,
    id: String,
}

impl Request {
    pub fn new(by: &Session, operation: &'static str, id: String, input_hash: String) -> Self {
        let agent = by.agent().filter(|_| by.is_agent()).map_or("", |agent| agent.as_str());
        Self { asker: format!("{}/{agent}", by.id()), key: Key { operation, id }, input_hash }
    }
}

/// The outcome of a call, with its answer.
pub(super) enum Ran {
    /// It was carried out, or refused for what it asks: the same request gets the same answer.
    Acted(Result<Value, OpError>),
    /// Nothing has happened, for a reason that passes: the same request may be tried again.
    NotYet(OpError),
}

impl Ran {
    /// The outcome of a handler's answer: storage or a robot that did not answer may answer the next time.
    pub fn of(answer: Result<Value, OpError>) -> Self {
        match answer {
            Err(error) if error.kind == ErrorKind::Unavailable => Self::NotYet(error),
            answer => Self::Acted(answer),
        }
    }
}

/// Filled by the first request that acts; repeats that come meanwhile wait for it.
type FirstAnswer = Arc<OnceCell<Result<Value, OpError>>>;

struct Kept {
    key: Key,
    input_hash: String,
    answer: FirstAnswer,
}

impl Kept {
    /// True if a call acts under it or waits for its answer: such a call holds the cell as well.
    fn is_in_flight(&self) -> bool {
        Arc::strong_count(&self.answer) > 1
    }
}

/// The first answers of the newest requests with an id.
#[derive(Default)]
pub struct Repeats {
    sessions: Mutex<VecDeque<(String, VecDeque<Kept>)>>,
}

impl Repeats {
    /// Answers with what `call` gives, and a repeat under the same key with the first answer.
    pub(super) async fn once<F: Future<Output = Ran>>(
        &self,
        request: Request,
        call: impl FnOnce() -> F,
    ) -> Result<Value, OpError> {
        let cell = self.cell(request)?;
        let first = async || match call().await {
            Ran::Acted(answer) => Ok(answer),
            Ran::NotYet(error) => Err(error),
        };
        // A failure leaves the cell empty, so that the next repeat tries again.
        cell.get_or_try_init(first).await?.clone()
    }

    /// The cell of a request. What is in flight keeps its own, whatever else is asked meanwhile.
    fn cell(&self, request: Request) -> Result<FirstAnswer, OpError> {
        let Request { asker, key, input_hash } = request;
        let mut sessions = lock(&self.sessions);
        let at = sessions.iter().position(|(known, _)| *known == asker);
        let mut of_session = at.and_then(|at| sessions.remove(at)).unwrap_or_else(|| (asker, VecDeque::new()));
        let cell = cell_among(&mut of_session.1, key, input_hash);
        let others_in_flight = |(_, kept): &(String, VecDeque<Kept>)| kept.iter().any(Kept::is_in_flight);
        if sessions.len() >= SESSIONS_MAX
            && let Some(idle) = sessions.iter().position(|session| !others_in_flight(session))
        {
            sessions.remove(idle);
        }
        // At the end again: the sessions stand in the order in which they asked last.
        sessions.push_back(of_session);
        cell
    }
}

/// The cell of one request among those `kept` of its session.
fn cell_among(kept: &mut VecDeque<Kept>, key: Key, input_hash: String) -> Result<FirstAnswer, OpError> {
    if let Some(known) = kept.iter().find(|kept| kept.key == key) {
        if known.input_hash == input_hash {
            return Ok(Arc::clone(&known.answer));
        }
        let message = "This request_id belongs to another request. Nothing was done; use a new one.";
        return Err(OpError::new(StationCode::RequestIdReused, message));
    }
    if kept.len() >= ANSWERS_MAX {
        // A call in flight keeps its cell: without it, a repeat would act a second time.
        let Some(oldest) = kept.iter().position(|kept| !kept.is_in_flight()) else {
            let message = "Too many requests of this session are being carried out. Nothing was done; try again.";
            return Err(OpError::new(StationCode::TooManyRequests, message));
        };
        kept.remove(oldest);
    }
    let answer = FirstAnswer::default();
    kept.push_back(Kept { key, input_hash, answer: Arc::clone(&answer) });
    Ok(answer)
}

#[cfg(test)]
mod tests;
