//! The conversation with the agent.

use std::sync::Arc;

use agent::Preset;
use robot::{AgentId, Effect, Role};
use schemars::JsonSchema;
use serde::Deserialize;

use super::table::{Message, Nothing, Operation, Terms, UI, message, row};
use crate::config::ModelChoice;
use crate::wire::{AgentRow, MessageSent, TranscriptPage};
use crate::{OpError, Session, Station};

/// Entries `get_transcript` gives if no limit is named.
const ENTRIES_DEFAULT: usize = 200;
/// Entries it gives at most.
const ENTRIES_MAX: usize = 2_000;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Operator, Viewer};
    vec![
        row("send_message", Terms(Operator, Write, UI), "Says something to the agent.", send_message),
        row("turn_cancel", Terms(Operator, Write, UI), "Ends a reply. Robots carry on.", turn_cancel),
        row("list_agents", Terms(Viewer, Read, UI), "The agents of this station.", list_agents),
        row("create_agent", Terms(Admin, Write, UI), "Makes an agent with a memory of its own.", create_agent),
        row("get_transcript", Terms(Viewer, Read, UI), "What was said, oldest first.", get_transcript),
    ]
}

async fn list_agents(station: Arc<Station>, _: Session, _: Nothing) -> Result<Vec<AgentRow>, OpError> {
    Ok(station.agents.all().iter().map(|agent| agent.row(&station)).collect())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreateAgent {
    /// Its name: 1 to 64 of a to z, 0 to 9, `_` and `-`.
    id: AgentId,
    /// The preset that its policy starts from: `operator` if left out, `companion`, `vault`, `investigator` or `chat`.
    #[schemars(with = "Option<String>")]
    preset: Option<Preset>,
    /// Its model; without one the built-in command interpreter answers.
    model: Option<ModelChoice>,
}

async fn create_agent(station: Arc<Station>, _: Session, input: CreateAgent) -> Result<AgentRow, OpError> {
    let settings = (input.preset.unwrap_or_default(), input.model);
    station.agents.create(&station, input.id, settings).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SendMessage {
    /// At most 16,000 characters.
    text: String,
}

async fn send_message(station: Arc<Station>, by: Session, input: SendMessage) -> Result<MessageSent, OpError> {
    station.agents.meant_by(&by)?.desk.message(&by, by.role(station.clock.now().station), &input.text)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TurnCancel {
    /// The turn.
    turn: String,
}

async fn turn_cancel(station: Arc<Station>, by: Session, input: TurnCancel) -> Result<Message, OpError> {
    station.agents.meant_by(&by)?.desk.cancel(&input.turn)?;
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

async fn get_transcript(station: Arc<Station>, by: Session, input: GetTranscript) -> Result<TranscriptPage, OpError> {
    let limit = input.limit.unwrap_or(ENTRIES_DEFAULT);
    if !(1..=ENTRIES_MAX).contains(&limit) {
        return Err(OpError::bad_input("out_of_range", "limit", format!("limit is 1 to {ENTRIES_MAX}.")));
    }
    station.agents.meant_by(&by)?.desk.transcript(input.session.as_deref(), input.after, limit)
}
