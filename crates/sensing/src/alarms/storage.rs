//! Alarms on disk: those of an agent in its database, the others in the station's.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::RangeInclusive;
use std::sync::Arc;

use futures::future::join_all;
use memory::{MemoryError, StoredAlarmEvent};
use robot::AgentId;
use world::alarm::{Alarm, AlarmFigures, StoredAlarm};

use super::Alarms;
use crate::AgentWorld;
use crate::Sensing;
use runtime::error::OpError;
use runtime::lock::lock;

/// Saves between two removals of old alarms and events, one hour apart.
pub(in crate::alarms) const TRIM_EVERY_SAVES: u32 = 36_000;

/// Alarms and events of one database.
#[derive(Debug, Default)]
struct Batch {
    alarms: Vec<StoredAlarm>,
    events: Vec<StoredAlarmEvent>,
}

impl Alarms {
    /// Takes up the station's own alarms. What cannot be read is named and left out.
    pub async fn load(&self, sensing: &Sensing) -> Result<(), MemoryError> {
        let stored = sensing.runtime.db.alarms().await?;
        self.restore(stored, None);
        for (robot, at_ms) in sensing.runtime.db.tested_robots().await? {
            self.note_tested(&robot, at_ms);
        }
        // A moment of the last run has no end that this run could see.
        let report = self.list().end_moments(self.clock.now());
        self.tell(report);
        Ok(())
    }

    /// Takes up the alarms of an agent.
    pub async fn load_agent(&self, agent: &AgentWorld) -> Result<(), MemoryError> {
        let stored = agent.db.alarms().await?;
        self.restore(stored, Some(&agent.id));
        let report = self.list().end_moments(self.clock.now());
        self.tell(report);
        Ok(())
    }

    /// The figures of a span of Unix milliseconds, over the alarms of agents for which `is_for` holds.
    pub async fn figures(
        &self,
        sensing: &Sensing,
        span_ms: RangeInclusive<i64>,
        is_for: impl Fn(Option<&AgentId>) -> bool,
    ) -> Result<AlarmFigures, OpError> {
        // Events of this moment count too.
        save(sensing).await;
        let mut points =
            if is_for(None) { sensing.runtime.db.alarm_points(span_ms.clone()).await? } else { Vec::new() };
        for agent in sensing.worlds().iter().filter(|agent| is_for(Some(&agent.id))) {
            points.extend(agent.db.alarm_points(span_ms.clone()).await?);
        }
        points.sort_by_key(|point| point.at_ms);
        let list = self.list();
        let alarms: Vec<_> =
            list.alarms().filter(|alarm| is_for(alarm.agent.as_ref())).map(StoredAlarm::from).collect();
        Ok(world::alarm::figures(&alarms, &points, span_ms))
    }

    fn restore(&self, stored: Vec<Result<StoredAlarm, MemoryError>>, agent: Option<&AgentId>) {
        let now = self.clock.now();
        for alarm in stored {
            match alarm {
                Ok(alarm) => self.list().restore(alarm, agent.cloned(), now),
                Err(error) => match agent {
                    None => self.bus.event("alarm_unusable", error.to_string()),
                    Some(agent) => self.bus.event_of(agent, "alarm_unusable", error.to_string()),
                },
            }
        }
    }
}

/// Writes what changed since the last time, into every database at once.
pub(in crate::alarms) async fn save(sensing: &Sensing) {
    let unsaved = sensing.alarms.unsaved_owners();
    join_all(unsaved.iter().map(|owner| save_of(sensing, owner.as_ref()))).await;
}

/// Starts a write for each database that has changes and no write under way.
pub(in crate::alarms) fn save_due(sensing: &Arc<Sensing>) {
    for owner in sensing.alarms.writers.idle(sensing.alarms.unsaved_owners()) {
        let saving = Arc::clone(sensing);
        sensing.runtime.tasks.spawn(async move { save_of(&saving, owner.as_ref()).await });
    }
}

/// Writes the alarms of one owner. What the disk does not take is written with the next batch.
async fn save_of(sensing: &Sensing, owner: Option<&AgentId>) {
    // One batch at a time for each database, so that none overtakes another.
    let _turn = sensing.alarms.writers.turn(owner).await;
    let Batch { alarms, events } = sensing.alarms.take_unsaved(owner);
    let saved: Result<(), OpError> = match owner.map(|agent| sensing.world(agent)) {
        None => sensing.runtime.db.save_alarms(&alarms, &events).await.map_err(OpError::from),
        Some(Ok(agent)) => agent.db.save_alarms(&alarms, &events).await.map_err(OpError::from),
        Some(Err(error)) => Err(error),
    };
    if let Err(error) = saved {
        tracing::warn!(error = error.message, "alarms wait for the disk");
        let ids: Vec<_> = alarms.into_iter().map(|alarm| alarm.id).collect();
        sensing.alarms.list().mark_unsaved(&ids);
        put_back(&sensing.alarms, events);
    }
}

impl Alarms {
    /// The owners of alarms and events that wait for their disk.
    fn unsaved_owners(&self) -> BTreeSet<Option<AgentId>> {
        let mut owners = self.list().dirty_owners();
        owners.extend(lock(&self.unsaved).iter().map(|event| event.event.agent.clone()));
        owners
    }

    fn take_unsaved(&self, owner: Option<&AgentId>) -> Batch {
        let alarms = self.list().take_dirty(owner).iter().map(StoredAlarm::from).collect();
        let mut unsaved = lock(&self.unsaved);
        let is_owned = |event: &StoredAlarmEvent| event.event.agent.as_ref() == owner;
        let (events, others): (VecDeque<_>, VecDeque<_>) = unsaved.drain(..).partition(is_owned);
        *unsaved = others;
        drop(unsaved);
        Batch { alarms, events: events.into() }
    }
}

fn put_back(alarms: &Alarms, events: Vec<StoredAlarmEvent>) {
    let mut unsaved = lock(&alarms.unsaved);
    let room = super::UNSAVED_EVENTS_MAX.saturating_sub(unsaved.len());
    // What came meanwhile is newer: of the batch that failed, the oldest give way.
    let lost = events.len().saturating_sub(room);
    for event in events.into_iter().skip(lost).rev() {
        unsaved.push_front(event);
    }
}

/// Writes what a person does, so that it is on disk when this returns.
pub(in crate::alarms) async fn save_act(
    sensing: &Sensing,
    alarms: &[Alarm],
    events: &[StoredAlarmEvent],
) -> Result<(), OpError> {
    // One database after the other: no transaction spans two files.
    for (agent, batch) in batches(alarms, events) {
        match agent {
            None => sensing.runtime.db.save_alarms(&batch.alarms, &batch.events).await?,
            Some(agent) => sensing.world(&agent)?.db.save_alarm_act(&batch.alarms, &batch.events).await?,
        }
    }
    Ok(())
}

fn batches(alarms: &[Alarm], events: &[StoredAlarmEvent]) -> BTreeMap<Option<AgentId>, Batch> {
    let mut batches: BTreeMap<Option<AgentId>, Batch> = BTreeMap::new();
    for alarm in alarms {
        batches.entry(alarm.agent.clone()).or_default().alarms.push(StoredAlarm::from(alarm));
    }
    for event in events {
        batches.entry(event.event.agent.clone()).or_default().events.push(event.clone());
    }
    batches
}

/// Removes what is too old, a little at a time, from every database at once.
pub(in crate::alarms) async fn trim(sensing: &Sensing) {
    let now_ms = sensing.runtime.clock.now().wall_ms;
    let of_station = async {
        while sensing.runtime.db.trim_alarm_events(now_ms).await? {}
        Ok(())
    };
    let worlds = sensing.worlds();
    let of_agents = join_all(worlds.iter().map(|agent| async {
        while agent.db.trim_alarm_events(now_ms).await? {}
        while agent.db.trim_fires(now_ms).await? {}
        Ok(())
    }));
    let (of_station, of_agents): (Result<(), MemoryError>, Vec<Result<(), MemoryError>>) =
        tokio::join!(of_station, of_agents);
    for error in of_agents.into_iter().chain([of_station]).filter_map(Result::err) {
        tracing::warn!(error = &error as &dyn std::error::Error, "old alarm events and fires were not removed");
    }
}

#[cfg(test)]
mod tests {
    use super::super::Written;
    use super::*;
    use memory::forget::Needles;
    use runtime::clock::Clock;
    use runtime::event_bus::EventBus;
    use world::alarm::{BuiltIn, Of, PersonAct};

    fn alarms_of(agent: &AgentId) -> Alarms {
        let clock = Clock::start();
        let alarms = Alarms::new(clock, Arc::new(EventBus::new(clock, Default::default())));
        alarms.raise(BuiltIn::JobDeadLetter, &Of::agent(agent), "xylophon-4711");
        alarms
    }

    #[tokio::test]
    async fn what_is_forgotten_does_not_come_back_from_a_batch_of_alarms_that_fails() {
        let agent = AgentId::new("main").unwrap();
        let alarms = alarms_of(&agent);
        let turn = alarms.writers.turn(Some(&agent)).await;
        let batch = alarms.take_unsaved(Some(&agent));
        let needles = Needles::of(&["xylophon-4711".to_owned()]);
        let mut forgetting = std::pin::pin!(alarms.forget(&agent, &needles, "[forgotten]"));
        assert!(futures::poll!(forgetting.as_mut()).is_pending(), "a batch is being written");
        alarms.list().mark_unsaved(batch.alarms.iter().map(|alarm| &alarm.id));
        put_back(&alarms, batch.events);
        drop(turn);
        forgetting.await;
        let Batch { alarms, events } = alarms.take_unsaved(Some(&agent));
        assert_eq!(alarms.iter().map(|alarm| alarm.definition.message.as_str()).collect::<Vec<_>>(), ["[forgotten]"]);
        let details: Vec<_> = events.iter().map(|event| event.event.detail.as_deref()).collect();
        assert_eq!(details, [Some("[forgotten]")]);
    }

    #[test]
    fn al_13_an_act_for_which_nobody_waits_any_more_is_taken_back() {
        let agent = AgentId::new("main").unwrap();
        let alarms = alarms_of(&agent);
        let known = alarms.take_unsaved(Some(&agent)).alarms;
        let ids = known.iter().map(|alarm| alarm.id.clone()).collect();
        let act = PersonAct::Acknowledge { ids, seq: u64::MAX };
        let planned = || alarms.list().plan(&act, "dana", alarms.clock.now()).unwrap();
        Written { alarms: &alarms, planned: planned(), holds: false }.holds();
        assert!(alarms.unsaved_owners().is_empty());
        let written = planned().alarms[0].seq;
        drop(Written { alarms: &alarms, planned: planned(), holds: false });
        let again = alarms.take_unsaved(Some(&agent)).alarms;
        assert_eq!((again[0].state, again[0].seq > written), (known[0].state, true));
    }
}
