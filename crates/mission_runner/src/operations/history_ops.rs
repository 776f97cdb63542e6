//! The past of missions: runs and steps.

use std::sync::Arc;

use robot::{Effect, MissionId, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::mission_ops::{MissionCall, Operation, mission_row};
use crate::runner::MissionRunner;
use crate::view::history;
use crate::view::runs;
use runtime::error::OpError;
use runtime::operation::{ALL, Terms, UI_MCP};
use runtime::wire::{MissionHistory, MissionRuns};

/// Runs of one answer.
const RUNS_MAX: u32 = 100;
const RUNS_DEFAULT: u32 = 20;
/// Steps of one answer.
const STEPS_MAX: u32 = 200;
const STEPS_DEFAULT: u32 = 50;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::Read;
    use Role::Viewer;
    vec![
        mission_row(
            "list_mission_runs",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Runs of a mission with their goals, the newest first.",
            list_mission_runs,
        )
        .example(json!({"mission_id": "patrol", "limit": 5})),
        mission_row(
            "mission_history",
            Terms(Viewer, Read, UI_MCP, Trust::Text),
            "Steps in the life of a mission with their authors, and the texts that its file had.",
            mission_history,
        )
        .example(json!({"mission_id": "patrol"})),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListRuns {
    /// Its id: the stem of its file.
    mission_id: MissionId,
    /// Only runs with lower numbers.
    before: Option<u32>,
    /// At most this many, 1 to 100; 20 without it.
    limit: Option<u32>,
}

async fn list_mission_runs(
    _runner: Arc<MissionRunner>,
    MissionCall { agent, .. }: MissionCall,
    input: ListRuns,
) -> Result<MissionRuns, OpError> {
    let limit = input.limit.unwrap_or(RUNS_DEFAULT);
    if !(1..=RUNS_MAX).contains(&limit) {
        return Err(OpError::out_of_range("limit", 1, RUNS_MAX));
    }
    agent.check_known(&input.mission_id)?;
    // One more than asked for tells if there are further ones.
    let mut runs = runs::runs(&agent, &input.mission_id, input.before.unwrap_or(u32::MAX), limit + 1).await?;
    let has_more = runs.len() > limit as usize;
    runs.truncate(limit as usize);
    let next = runs.last().filter(|_| has_more).map(|run| run.row.number);
    Ok(MissionRuns { runs, next })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct History {
    /// Its id: the stem of its file.
    mission_id: MissionId,
    /// Only steps before the one with this `seq`.
    before: Option<i64>,
    /// At most this many steps, 1 to 200; 50 without it.
    limit: Option<u32>,
}

async fn mission_history(
    _runner: Arc<MissionRunner>,
    MissionCall { agent, .. }: MissionCall,
    input: History,
) -> Result<MissionHistory, OpError> {
    let limit = input.limit.unwrap_or(STEPS_DEFAULT);
    if !(1..=STEPS_MAX).contains(&limit) {
        return Err(OpError::out_of_range("limit", 1, STEPS_MAX));
    }
    agent.check_known(&input.mission_id)?;
    history::history(&agent, &input.mission_id, input.before.unwrap_or(i64::MAX), limit).await
}
