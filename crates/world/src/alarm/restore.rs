//! Alarms out of the database, after a restart.

use robot::{AgentId, Now};

use super::people::shelf_secs_max;
use super::record::{Condition, OutOfService, Shelved};
use super::{Alarm, AlarmId, AlarmList, AlarmSource, AlarmState, Definition};

/// An alarm as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredAlarm {
    /// `am-<uuid>`.
    pub id: AlarmId,
    /// Its origin.
    pub source: AlarmSource,
    /// 1 to 4.
    pub priority: u8,
    /// Its state.
    pub state: AlarmState,
    /// Its definition.
    pub definition: Definition,
    /// Unix milliseconds.
    pub raised_ms: Option<i64>,
    /// Unix milliseconds.
    pub returned_ms: Option<i64>,
    /// Number of times its condition came.
    pub count: u64,
    /// The person who acknowledged it.
    pub acked_by: Option<String>,
    /// When, Unix milliseconds.
    pub acked_ms: Option<i64>,
    /// Until when it is shelved, by whom and why.
    pub shelved: Option<Shelved>,
    /// Out of service.
    pub out_of_service: Option<OutOfService>,
    /// Number of its last change.
    pub seq: u64,
}

impl From<&Alarm> for StoredAlarm {
    fn from(alarm: &Alarm) -> Self {
        let (acked_by, acked_ms) = alarm.acknowledged.clone().unzip();
        Self {
            id: alarm.id.clone(),
            source: alarm.source.clone(),
            priority: alarm.priority().number(),
            state: alarm.state,
            definition: alarm.definition.clone(),
            raised_ms: alarm.raised_ms,
            returned_ms: alarm.returned_ms,
            count: alarm.count,
            acked_by,
            acked_ms,
            shelved: alarm.shelved.clone(),
            out_of_service: alarm.out_of_service.clone(),
            seq: alarm.seq,
        }
    }
}

impl AlarmList {
    /// Puts a stored alarm back. One whose condition was there keeps its state, and is marked as stale until fresh
    /// data comes. A built-in alarm of the last run waits for the station to find its condition again.
    pub fn restore(&mut self, stored: StoredAlarm, agent: Option<AgentId>, now: Now) {
        let StoredAlarm { id, source, state, definition, seq, .. } = stored;
        let is_active = matches!(state, AlarmState::UnackActive | AlarmState::AckActive);
        let condition = if is_active { Condition::True } else { Condition::False };
        // A wall clock that was ahead when it was shelved hides it no longer than a person may.
        let latest_ms = now.wall_ms.saturating_add(i64::from(shelf_secs_max(definition.priority())) * 1_000);
        let shelved = stored.shelved.map(|held| Shelved { until_ms: held.until_ms.min(latest_ms), ..held });
        let left_ms = |until_ms: i64| u64::try_from(until_ms.saturating_sub(now.wall_ms)).unwrap_or(0);
        let left = |shelved: &Shelved| std::time::Duration::from_millis(left_ms(shelved.until_ms));
        let alarm = Alarm {
            state,
            raised_ms: stored.raised_ms,
            returned_ms: stored.returned_ms,
            count: stored.count,
            acknowledged: stored.acked_by.zip(stored.acked_ms),
            // A shelf that ended while no station ran ends with the first tick.
            shelved_until: shelved.as_ref().map(|shelved| now.station.plus(left(shelved))),
            shelved,
            // Counted from the start, so that frequent restarts do not remind every time.
            nagged: stored.out_of_service.as_ref().map(|_| now.station),
            out_of_service: stored.out_of_service,
            seq,
            source_stale: is_active,
            condition,
            ..Alarm::new(id.clone(), source.clone(), agent, definition)
        };
        self.seq = self.seq.max(seq);
        self.by_id.insert(id, source.clone());
        self.alarms.insert(source.clone(), alarm);
        self.set_timed(source);
    }
}
