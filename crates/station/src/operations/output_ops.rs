//! Outputs too long for a conversation.

use std::sync::Arc;

use robot::{Audience, Effect, Role};
use schemars::JsonSchema;
use serde::Deserialize;

use super::table::{Operation, Terms, row};
use crate::outputs::Outputs;
use crate::wire::OutputPage;
use crate::{OpError, Session, Station};

/// The agent's alone: people see transcripts whole.
const AGENT: &[Audience] = &[Audience::Agent];

pub(super) fn rows() -> Vec<Operation> {
    vec![row(
        "read_output",
        Terms(Role::Operator, Effect::Read, AGENT),
        "Reads a part of a long output, or the places at which a text stands in it.",
        read_output,
    )]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadOutput {
    /// The output's number.
    n: u32,
    /// Where to begin, in bytes; 0 if left out.
    #[serde(default)]
    offset: u64,
    /// A text to look for from there on; the answer has each place with its offset.
    pattern: Option<String>,
}

async fn read_output(station: Arc<Station>, by: Session, input: ReadOutput) -> Result<OutputPage, OpError> {
    let agent = station.agents.meant_by(&by)?;
    let desk = agent.desk.session();
    let outputs = Outputs::of(&agent.folders, by.entry().map_or(desk.as_str(), |(session, _)| session));
    outputs.read(input.n, input.offset, input.pattern.as_deref())
}
