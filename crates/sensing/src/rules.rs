//! Consequences of rules that fire or move: record, arousal, event or alarm, in this order, off the thread that
//! received the sample.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use memory::forget::Needles;
use memory::{FireTurn, MemoryError, StoredFire};
use robot::TurnId;
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::MissedTickBehavior;
use world::{AlertId, Changes, Fire, RuleMove, RuleNews, RuleQueue, RuleRecord};

use crate::AgentWorld;
use crate::Sensing;
use runtime::lock::lock;
use runtime::wire::Tag;

/// Fires that wait for a disk that does not take them; the oldest goes.
const UNSAVED_FIRES_MAX: usize = 1_024;
/// Time between two writes of fires and moves: at most 250 ms are lost with the process.
const SAVE_EVERY: Duration = Duration::from_millis(100);

/// A rule's fire, as stored.
#[derive(Debug, Clone)]
pub struct FireRecord {
    /// Its row.
    pub fire: String,
    /// Its record in episodic memory.
    pub episode: String,
}

/// Fires and moves of one agent's rules that are not dealt with yet.
#[derive(Default)]
pub struct Rules {
    queue: Mutex<RuleQueue>,
    came: Notify,
    unsaved: Mutex<Unsaved>,
    /// Held while a batch is written.
    saving: tokio::sync::Mutex<()>,
    fire_seq: AtomicU64,
}

#[derive(Default)]
struct Unsaved {
    records: BTreeMap<AlertId, RuleRecord>,
    fires: VecDeque<StoredFire>,
    turns: Vec<FireTurn>,
}

impl Rules {
    /// Takes what rules did out of `changes`. Called under the lock of the world, so that order is that of the samples.
    pub fn push(&self, changes: &mut Changes) {
        if lock(&self.queue).push(changes) {
            self.came.notify_one();
        }
    }

    /// Goes on after the last fire on disk.
    pub async fn load(&self, agent: &AgentWorld) -> Result<(), MemoryError> {
        self.fire_seq.store(agent.db.last_fire_seq().await?, Ordering::Relaxed);
        Ok(())
    }

    /// Starts dealing with what comes, until the station ends.
    pub fn start(sensing: &Arc<Sensing>, agent: &Arc<AgentWorld>) {
        let (task_sensing, agent) = (Arc::clone(sensing), Arc::clone(agent));
        sensing.runtime.tasks.spawn(async move {
            let sensing = task_sensing;
            let mut saves = tokio::time::interval(SAVE_EVERY);
            // After a slow write one save takes everything that has come.
            saves.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    () = sensing.runtime.ended.cancelled() => return,
                    () = agent.rules.came.notified() => agent.rules.deal(&sensing, &agent),
                    _ = saves.tick() => agent.rules.save(&agent).await,
                }
            }
        });
    }

    /// Deals with everything that waits. What made a rule fire is shown before a turn starts.
    pub fn deal(&self, sensing: &Sensing, agent: &AgentWorld) {
        agent.ingest.publish(sensing, agent);
        let news = lock(&self.queue).take();
        for one in news {
            match one {
                RuleNews::Fired(fire) => self.fired(sensing, agent, &fire),
                RuleNews::Moved(moved) => self.moved(sensing, agent, &moved),
            }
        }
    }

    /// In the order of a fire's effects: its record, arousal, event, what is remembered of it.
    fn fired(&self, sensing: &Sensing, agent: &AgentWorld, fire: &Fire) {
        let episode = sensing.waker.episode_id();
        let record = FireRecord { fire: self.record(agent, fire, &episode), episode: episode.clone() };
        sensing.waker.fired(&agent.id, fire, record);
        sensing.runtime.bus.changed(Tag::Alerts);
        if !fire.is_alarm {
            sensing.runtime.bus.event_of(&agent.id, "alert_fired", fire.sentence());
        }
        sensing.waker.remember(&agent.id, fire, episode);
    }

    fn moved(&self, sensing: &Sensing, agent: &AgentWorld, moved: &RuleMove) {
        sensing.waker.moved(&agent.id, moved);
        if moved.edges > 0 {
            self.note(agent, &moved.alert);
            sensing.runtime.bus.changed(Tag::Alerts);
        }
        sensing.alarms.follow(sensing, agent, moved);
    }

    /// Has a fire written with the next batch, and gives its id.
    fn record(&self, agent: &AgentWorld, fire: &Fire, episode: &str) -> String {
        self.note(agent, &fire.alert);
        let facts = json!({
            "mission": fire.mission,
            "predicate": fire.predicate,
            "description": fire.description,
            "values": fire.values,
            "fires": fire.merged,
            "woke_too_often": fire.woke_too_often,
        });
        let id = format!("fire-{}", uuid::Uuid::now_v7());
        let stored = StoredFire {
            id: id.clone(),
            alert: fire.alert.0.clone(),
            at_ms: fire.at.wall_ms,
            seq: self.fire_seq.fetch_add(1, Ordering::Relaxed) + 1,
            facts: facts.to_string(),
            episode: Some(episode.to_owned()),
            turn: None,
        };
        let mut unsaved = lock(&self.unsaved);
        if unsaved.fires.len() >= UNSAVED_FIRES_MAX {
            unsaved.fires.pop_front();
        }
        unsaved.fires.push_back(stored);
        id
    }

    /// Has it written that `fires` led to `turn`.
    pub fn led_to(&self, fires: impl IntoIterator<Item = String>, turn: &TurnId) {
        let mut unsaved = lock(&self.unsaved);
        unsaved.turns.extend(fires.into_iter().map(|fire| FireTurn { fire, turn: turn.clone() }));
        // A disk that takes nothing holds up neither fires nor turns.
        let beyond = unsaved.turns.len().saturating_sub(UNSAVED_FIRES_MAX);
        unsaved.turns.drain(..beyond);
    }

    /// Takes forgotten texts out of what waits for the disk; no batch that held them is written after this.
    pub async fn forget(&self, needles: &Needles, mark: &str) {
        // After the batch in flight: one that the disk does not take waits on, as it was.
        let _saving = self.saving.lock().await;
        for fire in &mut lock(&self.unsaved).fires {
            if let Some(kept) = needles.replaced(&fire.facts, mark) {
                fire.facts = kept;
            }
        }
    }

    /// Has what the rule has done written with the next batch.
    pub fn note(&self, agent: &AgentWorld, rule: &AlertId) {
        if let Some(record) = agent.ingest.rule_record(rule) {
            lock(&self.unsaved).records.insert(rule.clone(), record);
        }
    }

    /// Writes what waits for the disk; what it does not take waits on.
    pub async fn save(&self, agent: &AgentWorld) {
        let _saving = self.saving.lock().await;
        // Taken out at once, so that rules go on firing while the disk works.
        let Unsaved { records, fires, turns } = std::mem::take(&mut *lock(&self.unsaved));
        if records.is_empty() && fires.is_empty() && turns.is_empty() {
            return;
        }
        let (records, fires): (Vec<_>, Vec<_>) = (records.into_values().collect(), fires.into());
        if let Err(error) = agent.db.save_fires(&records, &fires, &turns).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "fires wait for the disk");
            lock(&self.unsaved).put_back(records, fires, turns);
        }
    }
}

impl Unsaved {
    /// Takes back what the disk did not take; what came meanwhile is newer.
    fn put_back(&mut self, records: Vec<RuleRecord>, fires: Vec<StoredFire>, turns: Vec<FireTurn>) {
        for record in records {
            self.records.entry(record.id.clone()).or_insert(record);
        }
        let room = UNSAVED_FIRES_MAX.saturating_sub(self.fires.len());
        for fire in fires.into_iter().rev().take(room) {
            self.fires.push_front(fire);
        }
        self.turns.splice(0..0, turns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_forgotten_does_not_come_back_from_a_batch_of_fires_that_fails() {
        let rules = Rules::default();
        let fire = StoredFire {
            id: "fire-1".into(),
            alert: "al-1".into(),
            at_ms: 0,
            seq: 1,
            facts: json!({ "values": ["xylophon-4711"] }).to_string(),
            episode: None,
            turn: None,
        };
        let saving = rules.saving.lock().await;
        let needles = Needles::of(&["xylophon-4711".to_owned()]);
        let mut forgetting = std::pin::pin!(rules.forget(&needles, "[forgotten]"));
        assert!(futures::poll!(forgetting.as_mut()).is_pending(), "a batch is being written");
        lock(&rules.unsaved).put_back(Vec::new(), vec![fire], Vec::new());
        drop(saving);
        forgetting.await;
        assert_eq!(lock(&rules.unsaved).fires[0].facts, json!({ "values": ["[forgotten]"] }).to_string());
    }
}
