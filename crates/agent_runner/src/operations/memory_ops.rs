//! Searching what happened, and forgetting it.

use std::sync::Arc;

use jiff::Timestamp;
use memory::episodic::{EpisodeRole, Filters, Match, Query, utc_text};
use memory::forget::Selector;
use robot::{Effect, MissionId, Role, SharedCode, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::world_ops::check_mission;
use super::{AgentCall, FORGET_REASON_CHARS_MAX, Operation, agent_row};
use crate::code::AgentCode;
use crate::recall::forget::{self, Request};
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::operation::{ALL, Terms, UI_MCP, given_within};
use runtime::wire::{MemoryForgotten, MemoryFound, MemoryRecord};

/// Hits `memory_search` gives if no limit is named.
const HITS_DEFAULT: usize = 10;
/// Hits it gives at most.
const HITS_MAX: usize = 50;
/// Characters of a query.
const QUERY_CHARS_MAX: usize = 2_000;
/// Ids that one call names.
const IDS_MAX: usize = memory::forget::FORGOTTEN_MAX;
/// The oldest age that can be named, in days.
const DAYS_MAX: i64 = 36_500;
const DAY_MS: i64 = 86_400_000;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Irreversible, Read};
    use Role::{Admin, Operator};
    vec![
        agent_row(
            "memory_search",
            Terms(Operator, Read, ALL, Trust::Trusted),
            "Finds what happened, by words, newest weighed most.",
            search,
        )
        .in_missions()
        .example(json!({"query": "gripper changed", "match": "all"}))
        .core(),
        agent_row(
            "get_record",
            Terms(Operator, Read, ALL, Trust::Trusted),
            "A record, whole, with the one that led to it.",
            get_record,
        )
        .example(json!({"id": "01-note-1"})),
        agent_row(
            "memory_forget",
            Terms(Admin, Irreversible, UI_MCP, Trust::Text),
            "Takes records, and what they say, out of everything the agent keeps.",
            forget,
        )
        .example(json!({"query": "door code", "reason": "It has changed.", "dry_run": true})),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MemorySearch {
    /// Words, and phrases in double quotes.
    query: String,
    /// At most so many, 1 to 50.
    limit: Option<usize>,
    /// Match records that hold any of the words, or all of them.
    #[serde(rename = "match")]
    matching: Option<Match>,
    /// Only what was recorded then or later, for example `2026-02-19T00:00:00Z`.
    since: Option<String>,
    /// Only what was recorded before.
    until: Option<String>,
    /// Only of this role.
    role: Option<EpisodeRole>,
    /// Only of this mission.
    mission_id: Option<MissionId>,
}

async fn search(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: MemorySearch,
) -> Result<MemoryFound, OpError> {
    let limit = input.limit.unwrap_or(HITS_DEFAULT);
    check_range("limit", limit, 1, HITS_MAX)?;
    check_range("query", input.query.chars().count(), 0, QUERY_CHARS_MAX)?;
    let query = Query::parse(&input.query, input.matching.unwrap_or_default());
    let query = query.ok_or_else(|| OpError::bad_input(AgentCode::EmptyQuery, "query", "The query holds no word."))?;
    let mission = input.mission_id;
    let filters = Filters {
        since_ms: time("since", input.since.as_deref())?,
        until_ms: time("until", input.until.as_deref())?,
        role: input.role,
        mission: mission.as_ref().map(ToString::to_string),
    };
    check_mission(&runner, &agent, mission.as_ref())?;
    let weighing = agent.embeddings.weighing(&runner.models, runner.memory.half_life_days, &input.query).await;
    let recall = weighing.recall;
    let found = agent.episodes.search(&agent.db, query, filters, limit, weighing).await?;
    // An agent would take an empty answer for the fact that there is nothing.
    if found.is_partial && found.hits.is_empty() && !agent.episodes.is_indexing() {
        let message = "The time for the search was over before it found anything; there may be records that match, also \
                       among the last ones, which the disk may still have to take. Ask again, with rarer words or a span \
                       of time.";
        return Err(OpError::new(AgentCode::SearchIncomplete, message));
    }
    Ok(MemoryFound { items: found.hits, partial: found.is_partial, recall })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfRecord {
    /// `ep-<uuid>`.
    id: String,
}

async fn get_record(
    _: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: OfRecord,
) -> Result<MemoryRecord, OpError> {
    let found = agent.episodes.get(&agent.db, &input.id).await?;
    let record = found.ok_or_else(|| OpError::not_found(AgentCode::RecordNotFound, "record", &input.id))?;
    Ok(MemoryRecord {
        id: record.id,
        at: utc_text(record.at_ms),
        role: record.role,
        content: record.content,
        origin: record.origin,
        trust: record.trust,
        mission: record.mission,
        session: record.session,
        entry: record.entry,
        cause: record.cause,
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MemoryForget {
    /// Records that hold all of these words.
    query: Option<String>,
    /// These records.
    ids: Option<Vec<String>>,
    /// Records older than that.
    older_than_days: Option<i64>,
    /// The reason, 1 to 200 characters; it stays on record.
    reason: String,
    /// Only says what would be forgotten.
    #[serde(default)]
    dry_run: bool,
}

async fn forget(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: MemoryForget,
) -> Result<MemoryForgotten, OpError> {
    given_within(&input.reason, FORGET_REASON_CHARS_MAX)?;
    let (selector, phrase) = match (input.query, input.ids, input.older_than_days) {
        (Some(query), None, None) => {
            check_range("query", query.chars().count(), 0, QUERY_CHARS_MAX)?;
            (Selector::Query(forget::query_of(&query)?), Some(query.trim_matches(['"', ' ']).to_owned()))
        }
        (None, Some(ids), None) => {
            check_range("ids", ids.len(), 1, IDS_MAX)?;
            (Selector::Ids(ids), None)
        }
        (None, None, Some(days)) => {
            check_range("older_than_days", days, 1, DAYS_MAX)?;
            (Selector::Before(runner.runtime.clock.now().wall_ms - days * DAY_MS), None)
        }
        _ => {
            let message = "Name one of query, ids and older_than_days.";
            return Err(OpError::bad_input(SharedCode::InvalidInput, "query", message));
        }
    };
    let request = Request { selector, phrase, reason: input.reason, dry_run: input.dry_run };
    forget::forget(&runner, &agent, &by, request).await
}

fn time(field: &str, text: Option<&str>) -> Result<Option<i64>, OpError> {
    let parsed = text.map(|text| text.parse::<Timestamp>().map(Timestamp::as_millisecond)).transpose();
    parsed.map_err(|error| OpError::bad_input(SharedCode::InvalidInput, field, format!("{field}: {error}")))
}

fn check_range<T: PartialOrd + std::fmt::Display + serde::Serialize>(
    field: &str,
    value: T,
    min: T,
    max: T,
) -> Result<(), OpError> {
    if value >= min && value <= max {
        return Ok(());
    }
    Err(OpError::out_of_range(field, min, max))
}
