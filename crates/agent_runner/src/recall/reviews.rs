//! Changes of memory that a tainted turn asked for: they wait until a person has looked at them.

use std::sync::Arc;

use memory::{AgentDb, MemoryReview, ReviewState};
use robot::{AgentId, TurnId};
use serde_json::{Value, json};

use crate::code::AgentCode;
use crate::surroundings::Operations;
use runtime::Runtime;
use runtime::error::{OpError, RuntimeCode};
use runtime::session::{Reviewed, Session};
use runtime::wire::{MemoryReviewRow, ReviewDecided, Tag};

/// Characters a person's words may have in the place of those that waited.
const EDITED_CHARS_MAX: usize = 2_000;

/// The reviews of one agent.
pub(crate) struct Reviews {
    db: AgentDb,
    /// Held while one is decided, so that nothing is written twice.
    decisions: tokio::sync::Mutex<Decisions>,
}

/// The decisions on the reviews of one agent.
struct Decisions(AgentDb);

/// A change that is to wait: a call of an operation with untrusted text in one field.
pub(crate) struct Change {
    /// The operation that would write.
    pub operation: &'static str,
    /// Its input.
    pub input: Value,
    /// The field of the input that holds the words.
    pub field: &'static str,
    /// The present text, which the change would replace.
    pub before: Option<String>,
}

/// A person's decision on a review.
pub(crate) struct Decision {
    /// The review.
    pub id: String,
    /// True has it written, false discards it.
    pub accept: bool,
    /// Words of the person in the place of those that waited.
    pub edited: Option<String>,
}

impl Reviews {
    pub fn new(db: AgentDb) -> Self {
        Self { decisions: tokio::sync::Mutex::new(Decisions(db.clone())), db }
    }

    /// Puts `change` before a person; on disk when this returns. Answers with its id.
    pub async fn propose(&self, runtime: &Runtime, by: &Session, change: Change) -> Result<String, OpError> {
        let mut about = change.input;
        // Apart from the rest, so that a person can put other words in their place.
        let after = about.as_object_mut().and_then(|fields| fields.remove(change.field));
        let after = after.and_then(|after| after.as_str().map(str::to_owned)).unwrap_or_default();
        let cause = by.cause().cloned().unwrap_or_default();
        let review = MemoryReview {
            id: format!("rv-{}", uuid::Uuid::now_v7()),
            target: change.operation.to_owned(),
            before: change.before,
            after,
            provenance: json!({
                "from": by.actor(), "turn": cause.turn, "run": cause.run, "about": about, "field": change.field,
            }),
            created_ms: runtime.clock.now().wall_ms,
            state: ReviewState::Waiting,
        };
        if !self.db.add_review(&review).await? {
            let message = "Too many changes of memory wait for a person already.";
            return Err(OpError::limit_reached(memory::REVIEWS_WAITING_MAX, message));
        }
        runtime.bus.changed(Tag::Reviews);
        Ok(review.id)
    }

    /// Waiting changes, newest first.
    pub async fn list(&self) -> Result<Vec<MemoryReviewRow>, OpError> {
        Ok(self.db.waiting_reviews().await?.into_iter().map(row).collect())
    }

    /// Decides on one, once. What is accepted is written by the operation that was asked for, as `by`.
    pub async fn decide(
        &self,
        runtime: &Runtime,
        operations: &Arc<dyn Operations>,
        by: &Session,
        decision: Decision,
    ) -> Result<ReviewDecided, OpError> {
        let Decision { id, accept, edited } = decision;
        let Decisions(db) = &*self.decisions.lock().await;
        let review = db.review(&id).await?.ok_or_else(|| not_found(&id))?;
        if review.state != ReviewState::Waiting {
            return Err(OpError::new(RuntimeCode::WrongState, "It was decided on already.")
                .with(json!({ "state": review.state })));
        }
        if edited.as_ref().is_some_and(|edited| edited.chars().count() > EDITED_CHARS_MAX) {
            return Err(OpError::out_of_range("edited", 0, EDITED_CHARS_MAX));
        }
        let decided = match (accept, &edited) {
            (false, _) => ReviewState::Rejected,
            (true, None) => ReviewState::Accepted,
            (true, Some(_)) => ReviewState::Edited,
        };
        if accept {
            // Written before it counts as decided: a write that is refused can be tried again.
            let reviewed = if edited.is_some() { Reviewed::Edited } else { Reviewed::AsItStood };
            let input = input(&review, edited);
            // Boxed: what is written is an operation like the one that lets it through.
            Box::pin(operations.dispatch(&by.letting_through(reviewed), &review.target, input)).await?;
        }
        db.decide_review(&id, decided).await?;
        runtime.bus.changed(Tag::Reviews);
        let message = if accept { "Written" } else { "Rejected" };
        Ok(ReviewDecided { message: message.into(), id, state: decided })
    }

    /// Drops what nobody decided on in time, and says so.
    pub async fn drop_old(&self, runtime: &Runtime, agent: &AgentId, now_ms: i64) {
        match self.db.drop_old_reviews(now_ms).await {
            Ok(dropped) => {
                for review in dropped {
                    let sentence = format!("Nobody decided on {}; what it would have written is dropped.", review.id);
                    runtime.bus.event_of(agent, "memory_review_dropped", sentence);
                }
            }
            Err(error) => tracing::warn!(%error, "old reviews stay"),
        }
    }
}

/// The input of the operation that writes it, with its own words or those of the person.
fn input(review: &MemoryReview, edited: Option<String>) -> Value {
    let mut input = review.provenance["about"].clone();
    let field = review.provenance["field"].as_str().unwrap_or_default();
    input[field] = Value::String(edited.unwrap_or_else(|| review.after.clone()));
    input
}

fn row(review: MemoryReview) -> MemoryReviewRow {
    let turn = review.provenance["turn"].as_str().map(TurnId::from);
    MemoryReviewRow {
        id: review.id,
        target: review.target,
        about: review.provenance["about"].clone(),
        before: review.before,
        after: review.after,
        turn,
        provenance: review.provenance,
        created_at: review.created_ms.div_euclid(1_000),
        state: review.state,
    }
}

fn not_found(id: &str) -> OpError {
    OpError::not_found(AgentCode::ReviewNotFound, "review", id)
}

#[cfg(test)]
mod tests;
