//! Outputs too long for a conversation.

use std::sync::Arc;

use agent::{Field, Form};
use robot::{Audience, ConversationId, Effect, Role, SharedCode, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{AgentCall, Operation, agent_row};
use crate::agents::AgentUnit;
use crate::code::AgentCode;
use crate::runner::AgentRunner;
use crate::tools::tool_output_files::Outputs;
use crate::turn_runner::Wanted;
use runtime::error::OpError;
use runtime::operation::Terms;
use runtime::session::Session;
use runtime::wire::{OutputAnswers, OutputPage};

/// The agent's alone: people see transcripts whole.
const AGENT: &[Audience] = &[Audience::Agent];

/// Longest wait of an agent for an answer: as long as a model on this machine may take before it begins one.
const READER_TIMEOUT_MS: u32 = 300_000;

pub(super) fn rows() -> Vec<Operation> {
    vec![
        agent_row(
            "read_output",
            Terms(Role::Operator, Effect::Read, AGENT, Trust::Trusted),
            "Reads a part of a long output, or the places at which a text stands in it.",
            read_output,
        )
        .example(json!({"n": 3, "pattern": "error"}))
        .in_rooms()
        .core()
        .data_bearing(),
        agent_row(
            "ask_output",
            Terms(Role::Operator, Effect::Read, AGENT, Trust::Typed),
            "Has a long output read by a model that has no tools and only fills in a form.",
            ask_output,
        )
        .example(json!({"n": 3, "fields": [{"name": "total", "kind": "number", "question": "What is the total?"}]}))
        .in_rooms()
        .core()
        .timeout_ms(READER_TIMEOUT_MS),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadOutput {
    /// The output's number.
    n: u32,
    /// Offset to begin at, bytes; 0 if left out.
    #[serde(default)]
    offset: u64,
    /// A text to look for from there on; the answer has each place with its offset.
    pattern: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AskOutput {
    /// The output's number.
    n: u32,
    /// Offset to begin at, bytes; 0 if left out.
    #[serde(default)]
    offset: u64,
    /// The form: 1 to 16 fields. Without one of kind text, and with names and choices in words of one's own, the answer
    /// holds nothing of the output's words.
    fields: Vec<Field>,
}

async fn read_output(
    _: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: ReadOutput,
) -> Result<OutputPage, OpError> {
    Outputs::of(&agent.folders, &session_of(&by, &agent)).read(input.n, input.offset, input.pattern.as_deref())
}

async fn ask_output(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: AskOutput,
) -> Result<OutputAnswers, OpError> {
    let AskOutput { n, offset, fields } = input;
    let form = Form::new(fields)
        .map_err(|error| OpError::bad_input(SharedCode::InvalidInput, &error.path(), error.to_string()))?;
    let session = session_of(&by, &agent);
    let outputs = Outputs::of(&agent.folders, &session);
    // Before the text is read: what is forgotten after this must not be written down with it.
    let as_of = agent.ledger.as_of().await;
    let text = tokio::task::spawn_blocking(move || outputs.text(n)).await;
    let text = text.map_err(|_| OpError::not_found(AgentCode::OutputNotFound, "output", n))??;
    agent.turns.read_output(&runner, &agent, &by, Wanted { session, n, offset, text, as_of, form }).await
}

/// The conversation whose outputs are meant.
fn session_of(by: &Session, agent: &AgentUnit) -> ConversationId {
    by.entry().map_or_else(|| agent.turns.session(), |(session, _)| session.clone())
}
