//! Answers kept so that a repeated request acts once.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::{Mutex, OnceCell};

use crate::error::OpError;
use crate::session::Session;

/// Answers kept for repeated requests.
const ANSWERS_MAX: usize = 1_024;

/// The code of a refusal: the id is that of another request.
pub(super) const REUSED: &str = "request_id_reused";

/// Whose request it is, and which. The ids of one session mean nothing to another.
#[derive(Debug, PartialEq, Eq)]
struct Key {
    session: String,
    operation: &'static str,
    id: String,
}

/// A request with an id.
pub(super) struct Request {
    key: Key,
    /// Of the whole input: another one under the same id is another request.
    input_hash: String,
}

impl Request {
    pub fn new(by: &Session, operation: &'static str, id: String, input_hash: String) -> Self {
        let agent = by.agent().filter(|_| by.is_agent()).map_or("", |agent| agent.as_str());
        Self { key: Key { session: format!("{}/{agent}", by.id()), operation, id }, input_hash }
    }
}

/// The outcome of a call, with its answer.
pub(super) enum Ran {
    /// It was carried out, or refused for what it asks: the same request gets the same answer.
    Acted(Result<Value, OpError>),
    /// Nothing has happened, for a reason that passes: the same request may be tried again.
    NotYet(OpError),
}

/// Filled by the first request that acts; repeats that come meanwhile wait for it.
type FirstAnswer = Arc<OnceCell<Result<Value, OpError>>>;

struct Kept {
    request: Request,
    answer: FirstAnswer,
}

/// The first answers of the newest requests with an id.
#[derive(Default)]
pub struct Repeats {
    answers: Mutex<VecDeque<Kept>>,
}

impl Repeats {
    /// Answers with what `call` gives, and a repeat under the same key with the first answer.
    pub(super) async fn once<F: Future<Output = Ran>>(
        &self,
        request: Request,
        call: impl FnOnce() -> F,
    ) -> Result<Value, OpError> {
        let cell = self.cell(request).await?;
        let first = async || match call().await {
            Ran::Acted(answer) => Ok(answer),
            Ran::NotYet(error) => Err(error),
        };
        cell.get_or_try_init(first).await?.clone()
    }

    async fn cell(&self, request: Request) -> Result<FirstAnswer, OpError> {
        let mut answers = self.answers.lock().await;
        if let Some(kept) = answers.iter().find(|kept| kept.request.key == request.key) {
            if kept.request.input_hash == request.input_hash {
                return Ok(Arc::clone(&kept.answer));
            }
            let message = "This request_id belongs to another request. Nothing was done; use a new one.";
            return Err(OpError::conflict(REUSED, message));
        }
        if answers.len() >= ANSWERS_MAX {
            answers.pop_front();
        }
        let answer = FirstAnswer::default();
        answers.push_back(Kept { request, answer: Arc::clone(&answer) });
        Ok(answer)
    }
}
