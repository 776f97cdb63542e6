//! What follows when rules of an agent fire or move: record, arousal, event or alarm, in this order, off the thread
//! that received the sample.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use memory::{MemoryError, StoredFire};
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::MissedTickBehavior;
use world::{AlertId, Changes, Fire, RuleMove, RuleNews, RuleQueue, RuleRecord};

use crate::agents::AgentUnit;
use crate::lock::lock;
use crate::station::Station;
use crate::wire::Tag;

/// Fires that wait for a disk that does not take them; the oldest goes.
const UNSAVED_FIRES_MAX: usize = 1_024;
/// How often what rules did is written: at most 250 ms are lost with the process.
const SAVE_EVERY: Duration = Duration::from_millis(100);

/// What the rules of one agent did and is not dealt with yet.
#[derive(Default)]
pub(crate) struct Rules {
    queue: Mutex<RuleQueue>,
    came: Notify,
    unsaved: Mutex<Unsaved>,
    fire_seq: AtomicU64,
}

#[derive(Default)]
struct Unsaved {
    records: BTreeMap<AlertId, RuleRecord>,
    fires: VecDeque<StoredFire>,
}

impl Rules {
    /// Takes what rules did out of `changes`. Called under the lock of the world, so that order is that of the samples.
    pub fn push(&self, changes: &mut Changes) {
        if lock(&self.queue).push(changes) {
            self.came.notify_one();
        }
    }

    /// Goes on after the last fire on disk.
    pub async fn load(&self, agent: &AgentUnit) -> Result<(), MemoryError> {
        self.fire_seq.store(agent.db.last_fire_seq().await?, Ordering::Relaxed);
        Ok(())
    }

    /// Starts dealing with what comes, until the station ends.
    pub fn start(station: &Arc<Station>, agent: &Arc<AgentUnit>) {
        let (task_station, agent) = (Arc::clone(station), Arc::clone(agent));
        station.tasks.spawn(async move {
            let station = task_station;
            let mut saves = tokio::time::interval(SAVE_EVERY);
            saves.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    () = station.ended.cancelled() => return,
                    () = agent.rules.came.notified() => agent.rules.deal(&station, &agent),
                    _ = saves.tick() => agent.rules.save(&agent).await,
                }
            }
        });
    }

    /// Deals with everything that waits. What made a rule fire is shown before a turn starts.
    pub fn deal(&self, station: &Station, agent: &AgentUnit) {
        agent.ingest.publish(station, agent);
        let news = lock(&self.queue).take();
        for one in news {
            match one {
                RuleNews::Fired(fire) => self.fired(station, agent, &fire),
                RuleNews::Moved(moved) => self.moved(station, agent, &moved),
            }
        }
    }

    fn fired(&self, station: &Station, agent: &AgentUnit, fire: &Fire) {
        self.record(agent, fire);
        agent.desk.alert(fire);
        station.hub.changed(Tag::Alerts);
        if !fire.is_alarm {
            station.hub.event("alert_fired", fire.sentence());
        }
    }

    fn moved(&self, station: &Station, agent: &AgentUnit, moved: &RuleMove) {
        agent.desk.follow(moved);
        if moved.edges > 0 {
            self.note(agent, &moved.alert);
            station.hub.changed(Tag::Alerts);
        }
        station.alarms.follow(station, agent, moved);
    }

    fn record(&self, agent: &AgentUnit, fire: &Fire) {
        self.note(agent, &fire.alert);
        let facts = json!({
            "mission": fire.mission,
            "predicate": fire.predicate,
            "description": fire.description,
            "values": fire.values,
            "fires": fire.merged,
            "woke_too_often": fire.woke_too_often,
        });
        let stored = StoredFire {
            id: format!("fire-{}", uuid::Uuid::now_v7()),
            alert: fire.alert.0.clone(),
            at_ms: fire.at.wall_ms,
            seq: self.fire_seq.fetch_add(1, Ordering::Relaxed) + 1,
            facts: facts.to_string(),
        };
        let mut unsaved = lock(&self.unsaved);
        if unsaved.fires.len() >= UNSAVED_FIRES_MAX {
            unsaved.fires.pop_front();
        }
        unsaved.fires.push_back(stored);
    }

    /// Has what the rule has done written with the next batch.
    pub fn note(&self, agent: &AgentUnit, rule: &AlertId) {
        if let Some(record) = agent.ingest.rule_record(rule) {
            lock(&self.unsaved).records.insert(rule.clone(), record);
        }
    }

    /// Writes what waits for the disk; what it does not take waits on.
    pub async fn save(&self, agent: &AgentUnit) {
        let Unsaved { records, fires } = std::mem::take(&mut *lock(&self.unsaved));
        if records.is_empty() && fires.is_empty() {
            return;
        }
        let (records, fires): (Vec<_>, Vec<_>) = (records.into_values().collect(), fires.into());
        if let Err(error) = agent.db.save_fires(&records, &fires).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "fires wait for the disk");
            let mut unsaved = lock(&self.unsaved);
            for record in records {
                unsaved.records.entry(record.id.clone()).or_insert(record);
            }
            let room = UNSAVED_FIRES_MAX.saturating_sub(unsaved.fires.len());
            for fire in fires.into_iter().rev().take(room) {
                unsaved.fires.push_front(fire);
            }
        }
    }
}
