//! History that outlives a rule: when it last fired, and when it woke the agent. It belongs to the mission and the
//! predicate, so that registering a rule anew shortens no debounce and gives no new quota.

use std::collections::BTreeMap;
use std::time::Duration;

use robot::{MissionId, Now};

use super::AlertId;

/// Turns a rule may start in one hour.
const WAKES_PER_HOUR: usize = 3;
/// Turns a rule may start in one day.
const WAKES_PER_DAY: usize = 12;
const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(86_400);
/// Histories kept of rules that are gone: as many as there may be rules. The oldest makes room.
const KEPT_MAX: usize = 10_000;

/// The history of one rule.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RuleHistory {
    /// The rule that did it; another one takes over times and quota, not the counts.
    pub rule: Option<AlertId>,
    /// When it last fired.
    pub last_fired: Option<Now>,
    /// When it started a turn within the last day, oldest first, at most 12.
    pub wakes: Vec<Now>,
    /// Number of fires.
    pub fires: u64,
    /// Number of edges that the debounce kept back.
    pub suppressed: u64,
}

/// The history of one rule as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleRecord {
    /// The rule.
    pub id: AlertId,
    /// When it last fired, Unix milliseconds.
    pub last_fired_ms: Option<i64>,
    /// Number of fires.
    pub fires: u64,
    /// Number of edges that the debounce kept back.
    pub suppressed: u64,
    /// When it started turns, Unix milliseconds.
    pub wakes_ms: Vec<i64>,
}

impl RuleHistory {
    /// The history that `record` tells, on the station clock of this run. Wall time passed since, at least 0, counts: a
    /// clock that was set back makes a debounce longer by one window at most.
    #[must_use]
    pub fn of_record(record: &RuleRecord, now: Now) -> Self {
        let at = |wall_ms: i64| {
            let ago_ms = u64::try_from(now.wall_ms.saturating_sub(wall_ms)).unwrap_or(0);
            Now { station: now.station.minus(Duration::from_millis(ago_ms)), wall_ms }
        };
        Self {
            rule: Some(record.id.clone()),
            last_fired: record.last_fired_ms.map(at),
            wakes: record.wakes_ms.iter().map(|wall_ms| at(*wall_ms)).collect(),
            fires: record.fires,
            suppressed: record.suppressed,
        }
    }

    pub(super) fn record(&self, id: &AlertId) -> RuleRecord {
        RuleRecord {
            id: id.clone(),
            last_fired_ms: self.last_fired.map(|fired| fired.wall_ms),
            fires: self.fires,
            suppressed: self.suppressed,
            wakes_ms: self.wakes.iter().map(|wake| wake.wall_ms).collect(),
        }
    }

    /// Number of turns it may still start.
    pub(super) fn quota_left(&self, now: Now) -> usize {
        let within = |span| self.wakes.iter().filter(|wake| now.station.since(wake.station) < span).count();
        WAKES_PER_HOUR.saturating_sub(within(HOUR)).min(WAKES_PER_DAY.saturating_sub(within(DAY)))
    }

    /// It contributed to the start of a turn.
    pub(super) fn woke(&mut self, now: Now) {
        self.wakes.retain(|wake| now.station.since(wake.station) < DAY);
        if self.wakes.len() >= WAKES_PER_DAY {
            self.wakes.remove(0);
        }
        self.wakes.push(now);
    }
}

/// Whose history it is.
pub(super) type Watched = (Option<MissionId>, String);

/// The histories of rules that are gone, for a day.
#[derive(Debug, Default)]
pub(super) struct Retired {
    kept: BTreeMap<Watched, (RuleHistory, Now)>,
}

impl Retired {
    pub(super) fn keep(&mut self, whose: Watched, history: RuleHistory, now: Now) {
        // Neither debounce nor quota looks back further than a day.
        self.kept.retain(|_, (_, since)| now.station.since(since.station) < DAY);
        if self.kept.len() >= KEPT_MAX && !self.kept.contains_key(&whose) {
            let oldest = self.kept.iter().min_by_key(|(_, (_, since))| since.station).map(|(whose, _)| whose.clone());
            oldest.map(|oldest| self.kept.remove(&oldest));
        }
        self.kept.insert(whose, (history, now));
    }

    pub(super) fn take(&mut self, whose: &Watched, now: Now) -> Option<RuleHistory> {
        let (history, since) = self.kept.remove(whose)?;
        (now.station.since(since.station) < DAY).then_some(history)
    }
}
