//! State of an agent's arousal that outlives the process: a restart neither calms it nor gives it turns back.

use std::time::Duration;

use robot::{Instant, Now};
use serde::{Deserialize, Serialize};

use super::breaker::Breaker;
use super::{AROUSAL_MAX, AROUSAL_MIN, Arousal, CALM_FACTOR, TURNS_PER_HOUR};

/// As stored. Times are UTC milliseconds: the station clock begins anew with the computer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ArousalRecord {
    /// Level of arousal.
    pub level: f64,
    /// When that was so.
    pub at_ms: i64,
    /// Failed turns in a row.
    pub failures: u32,
    /// Until when failures keep turns away.
    pub breaker_open_until_ms: Option<i64>,
    /// When the last turn about an alert ended.
    pub last_ended_ms: Option<i64>,
    /// When turns of the last hour started by themselves.
    pub started_ms: Vec<i64>,
}

impl Arousal {
    /// The record to store at `now`.
    #[must_use]
    pub fn record(&self, now: Now) -> ArousalRecord {
        ArousalRecord {
            level: self.level,
            at_ms: now.wall_ms,
            failures: self.breaker.failures,
            breaker_open_until_ms: self.breaker.open_until.map(|until| wall_ms(until, now)),
            last_ended_ms: self.last_ended.map(|ended| wall_ms(ended, now)),
            started_ms: self.started.iter().map(|started| wall_ms(*started, now)).collect(),
        }
    }

    /// Goes on from what an earlier run has stored. The time between was calm.
    #[must_use]
    pub fn restored(record: &ArousalRecord, now: Now) -> Self {
        // A time that lies ahead was written under another wall clock, and counts as now.
        let past = |at_ms: i64| instant(at_ms.min(now.wall_ms), now);
        let skipped = record.started_ms.len().saturating_sub(TURNS_PER_HOUR);
        Self {
            level: calmed(record.level, now.wall_ms.saturating_sub(record.at_ms)),
            last_ended: record.last_ended_ms.map(past),
            started: record.started_ms.iter().skip(skipped).map(|at_ms| past(*at_ms)).collect(),
            breaker: Breaker {
                failures: record.failures,
                open_until: record.breaker_open_until_ms.map(|until_ms| Breaker::bounded(instant(until_ms, now), now)),
            },
            ..Self::default()
        }
    }
}

/// The level after `ms` without an event.
fn calmed(level: f64, ms: i64) -> f64 {
    let mut calm =
        Arousal { level: if level.is_finite() { level.clamp(0.0, AROUSAL_MAX) } else { 0.0 }, ..Arousal::default() };
    let mut left = Duration::from_millis(u64::try_from(ms).unwrap_or(0));
    while calm.level > 0.0 {
        let beat = calm.beat_after(Instant::default()).since(Instant::default());
        let Some(rest) = left.checked_sub(beat) else { break };
        left = rest;
        calm.level *= CALM_FACTOR;
        if calm.level < AROUSAL_MIN {
            calm.level = 0.0;
        }
    }
    calm.level
}

fn wall_ms(at: Instant, now: Now) -> i64 {
    let ms = |duration: Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
    now.wall_ms.saturating_sub(ms(now.station.since(at))).saturating_add(ms(at.since(now.station)))
}

fn instant(at_ms: i64, now: Now) -> Instant {
    let between = Duration::from_millis(at_ms.abs_diff(now.wall_ms));
    if at_ms <= now.wall_ms { now.station.minus(between) } else { now.station.plus(between) }
}
