//! Figures of alarm quality: the load on an operator, and the alarms that make the noise.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use robot::RobotId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::flood::{BEGINS_AT, ENDS_BELOW, WINDOW};
use super::{AlarmEventKind, AlarmId, AlarmState, Definition, Priority, StoredAlarm};

/// Sources that are named.
const WORST_MAX: usize = 10;
/// An alarm that stands longer than this is no alarm any more, milliseconds.
const STANDING_MS: i64 = 24 * 3_600 * 1_000;
/// So many returns within a minute are chattering.
const CHATTER_RETURNS: usize = 3;
const CHATTER_MS: i64 = 60_000;
const TEN_MINUTES_MS: i64 = 600_000;

/// One stored event of an alarm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlarmPoint {
    /// Id of the alarm.
    pub alarm: AlarmId,
    /// Unix milliseconds.
    pub at_ms: i64,
    /// Kind of event.
    pub kind: AlarmEventKind,
}

/// Alarms by priority.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PrioritySplit {
    /// 1 to 4.
    pub priority: Priority,
    /// Number of new alarms.
    #[ts(type = "number")]
    pub count: u64,
    /// Their share, 0 to 1.
    pub share: f64,
}

/// An alarm that comes often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WorstSource {
    /// The alarm.
    pub id: AlarmId,
    /// The rule's id, or a built-in alarm's code.
    pub source: String,
    /// Its robot.
    pub robot: Option<RobotId>,
    /// Message of the alarm.
    pub message: String,
    /// Number of times it came.
    #[ts(type = "number")]
    pub count: u64,
}

/// The figures of a span of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AlarmFigures {
    /// Its beginning, Unix seconds.
    #[ts(type = "number")]
    pub from: i64,
    /// Its end, Unix seconds.
    #[ts(type = "number")]
    pub to: i64,
    /// New alarms.
    #[ts(type = "number")]
    pub alarms: u64,
    /// New alarms in ten minutes, on average; one to two is good.
    pub per_10_min: f64,
    /// The most in any ten minutes that begin with an alarm.
    #[ts(type = "number")]
    pub per_10_min_max: u64,
    /// Share of the time in a flood, 0 to 1; below 0.01 is good.
    pub flood_share: f64,
    /// Alarms that chattered.
    pub chattering: Vec<WorstSource>,
    /// Alarms that have been active for more than 24 hours at the end.
    pub standing: Vec<AlarmId>,
    /// By priority; about 80, 15 and 5 % from the least urgent on is good.
    pub by_priority: Vec<PrioritySplit>,
    /// The most frequent alarms, at most ten.
    pub worst: Vec<WorstSource>,
}

/// The figures of `alarms` from their events, `points` in order of time. What lies outside `span_ms` counts
/// only for what it begins.
#[must_use]
pub fn figures(alarms: &[StoredAlarm], points: &[AlarmPoint], span_ms: RangeInclusive<i64>) -> AlarmFigures {
    let by_id: BTreeMap<&AlarmId, &StoredAlarm> = alarms.iter().map(|alarm| (&alarm.id, alarm)).collect();
    let inside: Vec<&AlarmPoint> = points.iter().filter(|point| span_ms.contains(&point.at_ms)).collect();
    let is_new = |point: &&&AlarmPoint| point.kind == AlarmEventKind::Raised;
    let new_ms: Vec<i64> = inside.iter().filter(is_new).map(|point| point.at_ms).collect();
    let (from_ms, to_ms) = (*span_ms.start(), *span_ms.end());
    let tens = as_f64(to_ms.saturating_sub(from_ms)) / as_f64(TEN_MINUTES_MS);
    AlarmFigures {
        from: from_ms.div_euclid(1_000),
        to: to_ms.div_euclid(1_000),
        alarms: new_ms.len() as u64,
        per_10_min: if tens > 0.0 { new_ms.len() as f64 / tens } else { 0.0 },
        per_10_min_max: busiest(&new_ms),
        flood_share: flood_share(&new_ms, from_ms, to_ms),
        chattering: counted(&by_id, chattering(&inside)),
        standing: standing(alarms, to_ms),
        by_priority: split(&by_id, inside.iter().filter(is_new).map(|point| &point.alarm)),
        worst: counted(&by_id, comings(&inside)).into_iter().take(WORST_MAX).collect(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a span of years in milliseconds is exact")]
fn as_f64(ms: i64) -> f64 {
    ms as f64
}

fn busiest(new_ms: &[i64]) -> u64 {
    // Points come in order of time, so that the end of a window is found by bisection.
    let upto = |begin: i64| new_ms.partition_point(|at| *at < begin + TEN_MINUTES_MS);
    new_ms.iter().enumerate().map(|(i, begin)| upto(*begin) - i).max().unwrap_or(0) as u64
}

/// Replays the rule by which a flood begins and ends.
fn flood_share(new_ms: &[i64], from_ms: i64, to_ms: i64) -> f64 {
    let window_ms = i64::try_from(WINDOW.as_millis()).unwrap_or(i64::MAX);
    let nth_newest = |upto: usize, n: usize| upto.checked_sub(n).and_then(|i| new_ms.get(i)).copied();
    let (mut in_flood_ms, mut begun): (i64, Option<i64>) = (0, None);
    for (i, at) in new_ms.iter().enumerate() {
        let upto = i + 1;
        if let Some(since) = begun {
            // It ended when the fifth newest before this one fell out of the window.
            let end = nth_newest(i, ENDS_BELOW).map_or(*at, |fifth| fifth + window_ms);
            if end <= *at {
                in_flood_ms += end - since;
                begun = None;
            }
        }
        if begun.is_none() && nth_newest(upto, BEGINS_AT).is_some_and(|tenth| at - tenth < window_ms) {
            begun = Some(*at);
        }
    }
    if let Some(since) = begun {
        let end = nth_newest(new_ms.len(), ENDS_BELOW).map_or(to_ms, |fifth| (fifth + window_ms).min(to_ms));
        in_flood_ms += (end - since).max(0);
    }
    if to_ms > from_ms { as_f64(in_flood_ms) / as_f64(to_ms - from_ms) } else { 0.0 }
}

/// Returns of alarms that came and went three times within a minute.
fn chattering(inside: &[&AlarmPoint]) -> BTreeMap<AlarmId, u64> {
    let mut returns: BTreeMap<&AlarmId, Vec<i64>> = BTreeMap::new();
    for point in inside.iter().filter(|point| point.kind == AlarmEventKind::Returned) {
        returns.entry(&point.alarm).or_default().push(point.at_ms);
    }
    let chatters = |at_ms: &[i64]| {
        at_ms.windows(CHATTER_RETURNS).any(|newest| match (newest.first(), newest.last()) {
            (Some(first), Some(last)) => last - first < CHATTER_MS,
            (None, _) | (_, None) => false,
        })
    };
    let noisy = returns.into_iter().filter(|(_, at_ms)| chatters(at_ms));
    noisy.map(|(id, at_ms)| (id.clone(), at_ms.len() as u64)).collect()
}

fn comings(inside: &[&AlarmPoint]) -> BTreeMap<AlarmId, u64> {
    let came = |point: &&&AlarmPoint| matches!(point.kind, AlarmEventKind::Raised | AlarmEventKind::RaisedAgain);
    let mut counts = BTreeMap::new();
    for point in inside.iter().filter(came) {
        *counts.entry(point.alarm.clone()).or_insert(0) += 1;
    }
    counts
}

fn counted(by_id: &BTreeMap<&AlarmId, &StoredAlarm>, counts: BTreeMap<AlarmId, u64>) -> Vec<WorstSource> {
    let mut sources: Vec<_> = counts
        .into_iter()
        // An alarm that has left the list has no message to be named by.
        .filter_map(|(id, count)| {
            let definition = &by_id.get(&id)?.definition;
            let Definition { code, robot, message, .. } = definition;
            Some(WorstSource { id, source: code.clone(), robot: robot.clone(), message: message.clone(), count })
        })
        .collect();
    sources.sort_by_key(|source| (std::cmp::Reverse(source.count), source.id.clone()));
    sources
}

fn standing(alarms: &[StoredAlarm], to_ms: i64) -> Vec<AlarmId> {
    let stands = |alarm: &&StoredAlarm| {
        matches!(alarm.state, AlarmState::UnackActive | AlarmState::AckActive)
            && alarm.raised_ms.is_some_and(|raised_ms| to_ms.saturating_sub(raised_ms) > STANDING_MS)
    };
    alarms.iter().filter(stands).map(|alarm| alarm.id.clone()).collect()
}

fn split<'a>(by_id: &BTreeMap<&AlarmId, &StoredAlarm>, new: impl Iterator<Item = &'a AlarmId>) -> Vec<PrioritySplit> {
    let mut counts = [0_u64; 4];
    for alarm in new.filter_map(|id| by_id.get(id)) {
        if let Some(count) = counts.get_mut(usize::from(alarm.definition.priority().number()) - 1) {
            *count += 1;
        }
    }
    // Without an alarm every share is 0.
    let all = counts.iter().sum::<u64>().max(1);
    let part = |(priority, count)| PrioritySplit { priority, count, share: count as f64 / all as f64 };
    Priority::ALL.into_iter().zip(counts).map(part).collect()
}
