//! World state, providers, robots, missions.

use std::sync::Arc;

use robot::{Effect, MissionId, Role, StopBehaviour};
use safety::arbitration::Holder;
use schemars::JsonSchema;
use serde::Deserialize;
use world::{Freshness, Key, ProviderConfig};

use super::table::{ALL, Nothing, Operation, Terms, UI_MCP, row};
use crate::agents::AgentUnit;
use crate::wire::{ContextConfigured, LinkState, MissionRow, RobotRow, WorldRow};
use crate::{OpError, Session, Station, ingest};

/// Rows `list_world_state` gives if no limit is named.
const WORLD_ROWS_DEFAULT: usize = 500;
/// Rows it gives at most.
const WORLD_ROWS_MAX: usize = 20_000;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Viewer};
    vec![
        row("list_robots", Terms(Viewer, Read, ALL), "Robots with actuators, pose, limits and link.", list_robots),
        row(
            "list_world_state",
            Terms(Viewer, Read, ALL),
            "What is known now, with confidence and age.",
            list_world_state,
        ),
        row(
            "configure_context",
            Terms(Admin, Write, UI_MCP),
            "Turns samples of a key expression into world state.",
            configure_context,
        ),
        row("list_missions", Terms(Viewer, Read, ALL), "Mission files with their status.", list_missions),
    ]
}

async fn list_robots(station: Arc<Station>, _: Session, _: Nothing) -> Result<Vec<RobotRow>, OpError> {
    let now = station.clock.now().station;
    let mut rows: Vec<RobotRow> = station.units().iter().map(|unit| unit.row(now)).collect();
    rows.extend(station.unusable().into_iter().map(|(id, error)| unusable_row(id, error)));
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(rows)
}

fn unusable_row(id: String, error: String) -> RobotRow {
    RobotRow {
        id,
        site: String::new(),
        simulated: false,
        state: safety::machine::State::Disarmed,
        control: Holder::Nobody,
        default_frame: String::new(),
        frames: Vec::new(),
        transforms: Vec::new(),
        actuators: Vec::new(),
        pose: None,
        limits: None,
        body_radius_m: 0.0,
        link: LinkState::Never,
        rtt_ms: None,
        hardware_estop: String::new(),
        stop_behaviour: StopBehaviour::Hold.into(),
        errors: vec![error],
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListWorldState {
    /// Keys that start with this.
    prefix: Option<String>,
    /// Only entries this current.
    freshness: Option<Vec<Freshness>>,
    /// Keys after this one, for the next page.
    after: Option<String>,
    /// At most so many rows, 1 to 20,000.
    limit: Option<usize>,
}

async fn list_world_state(station: Arc<Station>, by: Session, input: ListWorldState) -> Result<Vec<WorldRow>, OpError> {
    let limit = input.limit.unwrap_or(WORLD_ROWS_DEFAULT);
    if !(1..=WORLD_ROWS_MAX).contains(&limit) {
        return Err(OpError::bad_input("out_of_range", "limit", format!("limit is 1 to {WORLD_ROWS_MAX}.")));
    }
    if let Some(after) = &input.after {
        Key::new(after).map_err(|error| OpError::bad_input("invalid_key", "after", error.to_string()))?;
    }
    let now = station.clock.now();
    let agent = station.agents.meant_by(&by)?;
    let rows = agent.ingest.entries().into_iter().map(|entry| ingest::row(&agent.id, &entry, now));
    let wanted = rows.filter(|row| {
        input.prefix.as_ref().is_none_or(|prefix| row.key.starts_with(prefix))
            && input.after.as_ref().is_none_or(|after| &row.key > after)
            && input.freshness.as_ref().is_none_or(|freshness| freshness.contains(&row.freshness))
    });
    Ok(wanted.take(limit).collect())
}

async fn configure_context(
    station: Arc<Station>,
    by: Session,
    input: ProviderConfig,
) -> Result<ContextConfigured, OpError> {
    let agent = station.agents.meant_by(&by)?;
    check_mission(&agent, input.mission_id.as_ref())?;
    agent.ingest.configure(&station, &agent, &by, input).await
}

pub(super) fn check_mission(agent: &AgentUnit, mission: Option<&MissionId>) -> Result<(), OpError> {
    match mission {
        Some(id) if !agent.missions().contains_key(id) => Err(OpError::not_found("mission_not_found", "mission", id)),
        Some(_) | None => Ok(()),
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListMissions {
    /// Only missions with this status.
    status: Option<String>,
}

async fn list_missions(station: Arc<Station>, by: Session, input: ListMissions) -> Result<Vec<MissionRow>, OpError> {
    let rows = station.agents.meant_by(&by)?.missions().into_iter().map(|(id, file)| match file {
        Ok(file) => MissionRow { id, title: file.title, status: "draft".into(), error: None },
        Err(error) => MissionRow { title: id.to_string(), id, status: "draft".into(), error: Some(error) },
    });
    Ok(rows.filter(|row| input.status.as_ref().is_none_or(|status| status == &row.status)).collect())
}
