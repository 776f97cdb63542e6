//! World state, providers, robots, missions.

use std::sync::Arc;
use std::time::Duration;

use robot::{Effect, MissionId, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use world::{Freshness, Key, World};

use super::{AgentCall, Operation, agent_row};
use crate::agents::AgentUnit;
use crate::code::AgentCode;
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::operation::{ALL, Nothing, Terms, UI, UI_MCP, row};
use runtime::session::Session;
use runtime::wire::{TopicRow, WorldExplained, WorldPoint, WorldRow, WorldStoreStatus};

/// Rows `list_world_state` gives if no limit is named.
const WORLD_ROWS_DEFAULT: usize = 500;
/// Rows it gives at most.
const WORLD_ROWS_MAX: usize = 20_000;
/// Points `world_history` gives if no limit is named.
const POINTS_DEFAULT: u32 = 1_000;
/// Points it gives at most.
const POINTS_MAX: u32 = 10_000;
/// Seconds for which `watch_topic` listens by default.
const WATCH_SECS_DEFAULT: f64 = 1.0;
/// The longest an operation listens, seconds.
const WAIT_SECS_MAX: f64 = 10.0;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::Read;
    use Role::Viewer;
    vec![
        agent_row(
            "list_world_state",
            Terms(Viewer, Read, ALL, Trust::Typed),
            "The world state now, with confidence and age.",
            list_world_state,
        )
        .in_missions()
        .example(json!({"prefix": "person", "freshness": ["live"]}))
        .in_rooms()
        .core(),
        agent_row(
            "explain_world_entry",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Causes of an entry's value: every source's claim, its context, the raw sample, the rules on it.",
            explain_world_entry,
        )
        .in_missions()
        .example(json!({"key": "person.location"})),
        agent_row(
            "world_history",
            Terms(Viewer, Read, ALL, Trust::Typed),
            "Values of an entry as it developed over time, oldest first.",
            world_history,
        )
        .in_missions()
        .example(json!({"key": "person.location"})),
        agent_row(
            "world_store_status",
            Terms(Viewer, Read, UI_MCP, Trust::Text),
            "World state that waits for the disk, was conflated or lost.",
            world_store_status,
        ),
        row(
            "list_topics",
            Terms(Viewer, Read, UI, Trust::Text),
            "Received topics, with rate, size, age and form.",
            list_topics,
        )
        .takes_agent(),
        row(
            "watch_topic",
            Terms(Viewer, Read, UI, Trust::Text),
            "Listens to a key expression for a while; what it brought stays among the topics for ten minutes.",
            watch_topic,
        )
        .example(json!({"key_expr": "lab/**"})),
    ]
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

async fn list_world_state(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: ListWorldState,
) -> Result<Vec<WorldRow>, OpError> {
    let limit = input.limit.unwrap_or(WORLD_ROWS_DEFAULT);
    if !(1..=WORLD_ROWS_MAX).contains(&limit) {
        return Err(OpError::out_of_range("limit", 1, WORLD_ROWS_MAX));
    }
    if let Some(prefix) = input.prefix.as_ref().filter(|prefix| !Key::may_begin_with(prefix)) {
        let message = format!("{prefix:.80?} begins no world key: a-z, 0-9, '_', '-' and dots.");
        return Err(OpError::bad_input(AgentCode::InvalidKey, "prefix", message));
    }
    if let Some(after) = &input.after {
        Key::new(after).map_err(|error| OpError::bad_input(AgentCode::InvalidKey, "after", error.to_string()))?;
    }
    let now = runner.runtime.clock.now();
    let (prefix, after) = (input.prefix.unwrap_or_default(), input.after.unwrap_or_default());
    let named = |key: &str| key.starts_with(&prefix) && key > after.as_str();
    let current = |freshness| input.freshness.as_ref().is_none_or(|wanted| wanted.contains(&freshness));
    // Rows of one moment, without holding up what arrives.
    let snapshot = agent.world.ingest.snapshot();
    let wanted = snapshot.entries().filter(|entry| named(entry.key.as_str()) && current(entry.freshness(now.station)));
    let mut rows: Vec<WorldRow> = wanted.take(limit).map(|entry| sensing::row(&agent.id, entry, now)).collect();
    // A key that was never heard of has no entry, so it is listed where it is asked for.
    if input.freshness.is_some_and(|wanted| wanted.contains(&Freshness::Never)) {
        let awaited = agent.world.ingest.ask(World::awaited).await?;
        let named = awaited.iter().filter(|awaited| named(awaited.key.as_str()));
        rows.extend(named.map(|awaited| sensing::awaited_row(&agent.id, awaited)));
        rows.sort_by(|a, b| a.key.cmp(&b.key));
        rows.truncate(limit);
    }
    if by.is_agent() {
        // Whoever publishes chooses the name of its topic, and can put a sentence into it.
        rows.iter_mut().for_each(|row| row.source.clear());
    }
    Ok(rows)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfKey {
    /// The entry's key.
    key: String,
}

async fn explain_world_entry(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: OfKey,
) -> Result<WorldExplained, OpError> {
    sensing::explain(&runner.sensing, &agent.world, parse_key(&input.key)?).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WorldHistory {
    /// The entry's key.
    key: String,
    /// Points heard of from here on, Unix seconds; left out, all that are kept.
    from: Option<f64>,
    /// Points heard of up to here, Unix seconds; left out, now.
    to: Option<f64>,
    /// The newest so many, 1 to 10,000; 1,000 if left out.
    max_points: Option<u32>,
}

async fn world_history(
    _: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: WorldHistory,
) -> Result<Vec<WorldPoint>, OpError> {
    let key = parse_key(&input.key)?;
    let points_max = input.max_points.unwrap_or(POINTS_DEFAULT);
    if !(1..=POINTS_MAX).contains(&points_max) {
        return Err(OpError::out_of_range("max_points", 1, POINTS_MAX));
    }
    #[expect(clippy::cast_possible_truncation, reason = "saturates at the ends of time")]
    let ms = |seconds: f64| (seconds * 1_000.0) as i64;
    let span = (input.from.map_or(i64::MIN, ms), input.to.map_or(i64::MAX, ms));
    sensing::history(&agent.world, key, span, points_max).await
}

async fn world_store_status(
    _: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    _: Nothing,
) -> Result<WorldStoreStatus, OpError> {
    Ok(agent.world.ingest.store_status())
}

async fn list_topics(runner: Arc<AgentRunner>, _: Session, _: Nothing) -> Result<Vec<TopicRow>, OpError> {
    Ok(sensing::topics(&runner.sensing))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WatchTopic {
    /// A key expression with at least one literal chunk.
    key_expr: String,
    /// Seconds to listen if nothing is kept yet, 0 to 10; 1 if left out.
    wait_secs: Option<f64>,
}

async fn watch_topic(runner: Arc<AgentRunner>, _: Session, input: WatchTopic) -> Result<Vec<TopicRow>, OpError> {
    world::check_key_expr(&input.key_expr)?;
    let wait = wait_secs(input.wait_secs.unwrap_or(WATCH_SECS_DEFAULT))?;
    sensing::watch(&runner.sensing, &input.key_expr, wait).await
}

/// Checks a wait that an input names.
pub(super) fn wait_secs(secs: f64) -> Result<Duration, OpError> {
    if (0.0..=WAIT_SECS_MAX).contains(&secs) {
        return Ok(Duration::from_secs_f64(secs));
    }
    Err(OpError::out_of_range("wait_secs", 0, WAIT_SECS_MAX))
}

fn parse_key(text: &str) -> Result<Key, OpError> {
    Key::new(text).map_err(|error| OpError::bad_input(AgentCode::InvalidKey, "key", error.to_string()))
}

pub(super) fn check_mission(
    runner: &AgentRunner,
    agent: &AgentUnit,
    mission: Option<&MissionId>,
) -> Result<(), OpError> {
    mission.map_or(Ok(()), |id| runner.missions.check_exists(&agent.id, id))
}

/// Has what was registered for a mission be in force only if what belongs to that mission is.
pub(super) fn follow(runner: &AgentRunner, agent: &AgentUnit, mission: Option<&MissionId>) {
    if let Some(mission) = mission {
        runner.missions.put_in_force(&agent.id, mission);
    }
}
