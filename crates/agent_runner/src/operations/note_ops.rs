//! Notes, and what a person has to look at before it is remembered.

use std::sync::Arc;

use agent::Careful;
use robot::{Effect, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{AgentCall, Operation, agent_row};
use crate::recall::reviews::Decision;
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::operation::{ALL, Nothing, Terms, UI};
use runtime::wire::{MemoryReviewRow, NoteRemembered, NoteRow, ReviewDecided};

/// Also written by a review.
pub(crate) const REMEMBER_NOTE: &str = "remember_note";

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Operator, Viewer};
    vec![
        agent_row(
            REMEMBER_NOTE,
            Terms(Operator, Write, ALL, Trust::Trusted),
            "Writes a note to MEMORY.md, or under a title to knowledge.md.",
            remember_note,
        )
        .in_missions()
        .example(json!({"text": "The dock door is locked from ten.", "title": "dock"}))
        .core()
        .own_words()
        .careful(Careful::Reviewed),
        agent_row(
            "list_notes",
            Terms(Operator, Read, ALL, Trust::Text),
            "The notes of MEMORY.md and knowledge.md.",
            list_notes,
        )
        .in_missions(),
        agent_row(
            "list_memory_reviews",
            Terms(Viewer, Read, UI, Trust::Text),
            "Changes of memory that wait for a person's look, newest first.",
            list_memory_reviews,
        ),
        agent_row(
            "decide_memory_review",
            Terms(Operator, Write, UI, Trust::Text),
            "Lets a change of memory through, or not.",
            decide_memory_review,
        )
        .example(json!({"id": "review-2", "accept": true})),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RememberNote {
    /// 1 to 2,000 characters.
    text: String,
    /// The section of `knowledge.md`; one that exists is replaced.
    title: Option<String>,
}

async fn remember_note(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: RememberNote,
) -> Result<NoteRemembered, OpError> {
    agent.remember(&runner, &by, input.text, input.title).await
}

async fn list_notes(
    _: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    _: Nothing,
) -> Result<Vec<NoteRow>, OpError> {
    agent.list_notes().await
}

async fn list_memory_reviews(
    _: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    _: Nothing,
) -> Result<Vec<MemoryReviewRow>, OpError> {
    agent.reviews.list().await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DecideMemoryReview {
    /// `rv-<uuid>`.
    id: String,
    /// True writes it to memory, false discards it.
    accept: bool,
    /// Words of your own in the place of those that waited.
    edited: Option<String>,
}

async fn decide_memory_review(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: DecideMemoryReview,
) -> Result<ReviewDecided, OpError> {
    let DecideMemoryReview { id, accept, edited } = input;
    agent.reviews.decide(&runner.runtime, &runner.operations, &by, Decision { id, accept, edited }).await
}
