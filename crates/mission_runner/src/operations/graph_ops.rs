//! The missions of an agent as a graph, and the positions in which people have put them.

use std::sync::Arc;

use robot::{Effect, MissionId, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::mission_ops::{MissionCall, Operation, mission_row};
use crate::mission_files::drafting;
use crate::runner::MissionRunner;
use crate::view::graph_rows;
use runtime::error::OpError;
use runtime::operation::{ALL, Terms, UI};
use runtime::wire::{MissionGraph, MissionLayoutSaved, MissionPositions};

/// Missions of one answer.
const NODES_MAX: usize = 2_000;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Operator, Viewer};
    vec![
        mission_row(
            "mission_graph",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Missions with what each waits for, and what may be done with it.",
            mission_graph,
        ),
        mission_row(
            "save_mission_layout",
            Terms(Operator, Write, UI, Trust::Trusted),
            "Keeps where missions stand in the graph, which has no meaning.",
            save_mission_layout,
        )
        .example(json!({"positions": {"dock": [120, 40]}})),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WholeGraph {
    /// Only those after this id.
    after: Option<MissionId>,
    /// At most this many, 1 to 2,000.
    limit: Option<usize>,
}

async fn mission_graph(
    runner: Arc<MissionRunner>,
    MissionCall { by, agent }: MissionCall,
    input: WholeGraph,
) -> Result<MissionGraph, OpError> {
    let limit = input.limit.unwrap_or(NODES_MAX);
    if !(1..=NODES_MAX).contains(&limit) {
        return Err(OpError::out_of_range("limit", 1, NODES_MAX));
    }
    graph_rows::graph(&runner, &agent, &by, input.after.as_ref(), limit).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SaveLayout {
    /// SHA-256 of the positions that you saw, `layout_hash` of `mission_graph`; null if there were none.
    base_hash: Option<String>,
    /// The upper left corner of each mission that was moved, pixels; null puts it nowhere. The others stay.
    positions: MissionPositions,
}

async fn save_mission_layout(
    runner: Arc<MissionRunner>,
    MissionCall { agent, .. }: MissionCall,
    input: SaveLayout,
) -> Result<MissionLayoutSaved, OpError> {
    let hash = drafting::save_layout(&runner, &agent, input.base_hash, input.positions).await?;
    Ok(MissionLayoutSaved { hash })
}
