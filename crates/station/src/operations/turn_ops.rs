//! What happened in a turn, as the models saw it.

use std::sync::Arc;

use robot::{Effect, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;

use super::table::{Operation, Terms, UI, row};
use crate::Station;
use crate::ledger;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{ExportForm, TurnExport, TurnView};

pub(super) fn rows() -> Vec<Operation> {
    use Effect::Read;
    use Role::Viewer;
    vec![
        row(
            "get_turn_view",
            Terms(Viewer, Read, UI, Trust::Text),
            "What the model was shown in each call of a turn.",
            get_turn_view,
        ),
        row("export_turn", Terms(Viewer, Read, UI, Trust::Text), "A turn as one file for a report.", export_turn),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetTurnView {
    /// The turn.
    turn: String,
}

async fn get_turn_view(station: Arc<Station>, by: Session, input: GetTurnView) -> Result<TurnView, OpError> {
    station.agents.meant_by(&by)?.ledger.turn(&input.turn).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExportTurn {
    /// The turn.
    turn: String,
    /// `json` or `markdown`.
    form: ExportForm,
}

async fn export_turn(station: Arc<Station>, by: Session, input: ExportTurn) -> Result<TurnExport, OpError> {
    let agent = station.agents.meant_by(&by)?;
    let view = agent.ledger.turn(&input.turn).await?;
    let entries = agent.turns.entries_of(&view).await?;
    Ok(ledger::export(&view, &entries, &station.zone, input.form))
}
