//! Views of a turn: its calls of models, as the models saw them.

use std::sync::Arc;

use robot::{Effect, Role, Trust, TurnId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{AgentCall, Operation, agent_row};
use crate::models::ledger;
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::operation::{Terms, UI};
use runtime::wire::{ExportForm, TurnExport, TurnView};

pub(super) fn rows() -> Vec<Operation> {
    use Effect::Read;
    use Role::Viewer;
    vec![
        agent_row(
            "get_turn_view",
            Terms(Viewer, Read, UI, Trust::Text),
            "The prompt of each model call of a turn.",
            get_turn_view,
        )
        .example(json!({"turn": "turn-9"})),
        agent_row("export_turn", Terms(Viewer, Read, UI, Trust::Text), "A turn as one file for a report.", export_turn)
            .example(json!({"turn": "turn-9", "form": "markdown"})),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetTurnView {
    /// The turn.
    turn: TurnId,
}

async fn get_turn_view(
    _: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: GetTurnView,
) -> Result<TurnView, OpError> {
    agent.ledger.turn(&input.turn).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExportTurn {
    /// The turn.
    turn: TurnId,
    /// `json` or `markdown`.
    form: ExportForm,
}

async fn export_turn(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: ExportTurn,
) -> Result<TurnExport, OpError> {
    let view = agent.ledger.turn(&input.turn).await?;
    let entries = agent.turns.entries_of(&view).await?;
    Ok(ledger::export(&view, &entries, &runner.runtime.zone, input.form))
}
