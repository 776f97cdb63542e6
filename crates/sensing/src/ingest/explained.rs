//! The origin of an entry: claims, context, sample and rules; and its history.

use std::sync::Arc;

use robot::Now;
use world::{Entry, HistoryPoint, Key};

use super::{trial, world_wire};
use crate::AgentWorld;
use crate::Sensing;
use crate::code::SensingCode;
use runtime::error::OpError;
use runtime::wire::{ClaimRow, WorldExplained, WorldPoint};

/// Explains `key`: the claims of its sources, the context and sample that made it, and the rules that name it.
pub async fn explain(sensing: &Arc<Sensing>, agent: &Arc<AgentWorld>, key: Key) -> Result<WorldExplained, OpError> {
    let now = sensing.runtime.clock.now();
    let unknown = || OpError::not_found(SensingCode::KeyNotFound, "entry", &key);
    let entry = agent.ingest.snapshot().get(&key).cloned().ok_or_else(unknown)?;
    let asked = key.clone();
    let question = move |world: &world::World| {
        let claims: Vec<ClaimRow> = world.claims(asked.as_str()).map(|claim| claim_row(claim, now)).collect();
        (claims, world.rules_on(&asked).to_vec())
    };
    let (claims, rules) = agent.ingest.ask(question).await?;
    let contexts = agent.ingest.contexts(now, None).await?;
    let context = contexts.into_iter().find(|context| *context.id == *entry.provider.0);
    let pattern = context.as_ref().map(|context| context.config.topic_pattern.clone());
    let feed = pattern.and_then(|pattern| sensing.feeds.get(&pattern));
    let sample = feed.and_then(|feed| trial::raw(&feed, &entry));
    Ok(WorldExplained { entry: world_wire::row(&agent.id, &entry, now), claims, context, sample, rules })
}

/// The newest `points_max` points of `key` heard of in `span`, Unix milliseconds: those on disk and those on their way.
pub async fn history(
    agent: &AgentWorld,
    key: Key,
    span: (i64, i64),
    points_max: u32,
) -> Result<Vec<WorldPoint>, OpError> {
    let (from_ms, to_ms) = span;
    // Read before the disk: a point that is written in between stands in both, and is counted once below.
    let kept = agent.ingest.history(&key);
    let stored = agent.db.world_history(&key, from_ms, to_ms, points_max).await?;
    if kept.is_empty() && stored.is_empty() && agent.ingest.snapshot().get(&key).is_none() {
        let asked = key.clone();
        let is_awaited = move |world: &world::World| world.awaited().iter().any(|awaited| awaited.key == asked);
        // A key that is listed has a history, if only an empty one.
        if !agent.ingest.ask(is_awaited).await? {
            return Err(OpError::not_found(SensingCode::KeyNotFound, "entry", &key));
        }
    }
    let in_span = |point: &&Arc<HistoryPoint>| (from_ms..=to_ms).contains(&point.received_ms);
    let is_stored = |point: &HistoryPoint| stored.iter().any(|known| known == point);
    let newest_ms = stored.iter().map(|point| point.received_ms).max().unwrap_or(i64::MIN);
    let unstored = kept.iter().filter(in_span).filter(|point| point.received_ms >= newest_ms && !is_stored(point));
    let mut points: Vec<WorldPoint> = stored.iter().chain(unstored.map(AsRef::as_ref)).map(world_wire::point).collect();
    points.sort_by_key(|point| point.observed_ms);
    let beyond = points.len().saturating_sub(usize::try_from(points_max).unwrap_or(usize::MAX));
    Ok(points.split_off(beyond))
}

fn claim_row(claim: &Entry, now: Now) -> ClaimRow {
    ClaimRow {
        value: claim.value.clone(),
        confidence: claim.confidence,
        source: claim.source.to_string(),
        instance: claim.instance.as_deref().map(str::to_owned),
        provider: claim.provider.0.to_string(),
        age_ms: claim.age_ms(now.station),
        freshness: claim.freshness(now.station),
        source_ms: claim.source_ms,
        received_ms: claim.received_ms,
        flags: claim.flags,
    }
}
