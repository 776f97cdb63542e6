//! The conversation with the agent.

use std::sync::Arc;

use robot::{Effect, Role};
use schemars::JsonSchema;
use serde::Deserialize;

use super::table::{Message, Operation, Terms, UI, message, row};
use crate::wire::{MessageSent, TranscriptPage};
use crate::{OpError, Session, Station};

/// Entries `get_transcript` gives if no limit is named.
const ENTRIES_DEFAULT: usize = 200;
/// Entries it gives at most.
const ENTRIES_MAX: usize = 2_000;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Operator, Viewer};
    vec![
        row("send_message", Terms(Operator, Write, UI), "Says something to the agent.", send_message),
        row("turn_cancel", Terms(Operator, Write, UI), "Ends a reply. Robots carry on.", turn_cancel),
        row("get_transcript", Terms(Viewer, Read, UI), "What was said, oldest first.", get_transcript),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SendMessage {
    /// At most 16,000 characters.
    text: String,
}

async fn send_message(station: Arc<Station>, by: Session, input: SendMessage) -> Result<MessageSent, OpError> {
    station.desk.message(&by, by.role(station.clock.now().station), &input.text)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TurnCancel {
    /// The turn.
    turn: String,
}

async fn turn_cancel(station: Arc<Station>, _: Session, input: TurnCancel) -> Result<Message, OpError> {
    station.desk.cancel(&input.turn)?;
    Ok(message("Turn cancelled"))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetTranscript {
    /// `desk` or `autonomy`; the desk's conversation if left out.
    session: Option<String>,
    /// Only entries after this one.
    after: Option<u64>,
    /// At most so many, the newest ones, 1 to 2,000.
    limit: Option<usize>,
}

async fn get_transcript(station: Arc<Station>, _: Session, input: GetTranscript) -> Result<TranscriptPage, OpError> {
    let limit = input.limit.unwrap_or(ENTRIES_DEFAULT);
    if !(1..=ENTRIES_MAX).contains(&limit) {
        return Err(OpError::bad_input("out_of_range", "limit", format!("limit is 1 to {ENTRIES_MAX}.")));
    }
    station.desk.transcript(input.session.as_deref(), input.after, limit)
}
