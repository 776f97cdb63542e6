//! Notes, and what a person has to look at before it is remembered.

use std::sync::Arc;

use robot::{Effect, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;

use super::table::{ALL, Nothing, Operation, Terms, UI, row};
use crate::Station;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{MemoryReviewRow, NoteRemembered, NoteRow, ReviewDecided};

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Operator, Viewer};
    vec![
        row(
            "remember_note",
            Terms(Operator, Write, ALL, Trust::Trusted),
            "Writes a note to MEMORY.md, or under a title to knowledge.md.",
            remember_note,
        ),
        row(
            "list_notes",
            Terms(Operator, Read, ALL, Trust::Text),
            "The notes of MEMORY.md and knowledge.md.",
            list_notes,
        ),
        row(
            "list_memory_reviews",
            Terms(Viewer, Read, UI, Trust::Text),
            "Changes of memory that wait for a person's look, newest first.",
            list_memory_reviews,
        ),
        row(
            "decide_memory_review",
            Terms(Operator, Write, UI, Trust::Text),
            "Lets a change of memory through, or not.",
            decide_memory_review,
        ),
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

async fn remember_note(station: Arc<Station>, by: Session, input: RememberNote) -> Result<NoteRemembered, OpError> {
    station.agents.meant_by(&by)?.remember(&station, &by, (input.text, input.title)).await
}

async fn list_notes(station: Arc<Station>, by: Session, _: Nothing) -> Result<Vec<NoteRow>, OpError> {
    station.agents.meant_by(&by)?.list_notes().await
}

async fn list_memory_reviews(station: Arc<Station>, by: Session, _: Nothing) -> Result<Vec<MemoryReviewRow>, OpError> {
    station.agents.meant_by(&by)?.reviews.list().await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DecideMemoryReview {
    /// `rv-<uuid>`.
    id: String,
    /// Whether it is written.
    accept: bool,
    /// Words of your own in the place of those that waited.
    edited: Option<String>,
}

async fn decide_memory_review(
    station: Arc<Station>,
    by: Session,
    input: DecideMemoryReview,
) -> Result<ReviewDecided, OpError> {
    let agent = station.agents.meant_by(&by)?;
    agent.reviews.decide(&station, &by, &input.id, (input.accept, input.edited)).await
}
