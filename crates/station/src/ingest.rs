//! Samples become world state. The receive thread scans and applies; everything else follows from what it gathered.

mod board;
mod contexts;
mod explained;
mod feed;
mod shown;
mod storing;
mod trial;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use memory::StoredAlert;
use robot::{Now, Sample};
use serde_json::json;
use tokio::sync::oneshot;
use world::{
    AlertError, AlertId, AlertRow, AlertRule, Changes, Entry, Fire, Key, ProviderError, ProviderId, Snapshot, World,
};

use crate::agents::AgentUnit;
use crate::error::{ErrorKind, OpError};
use crate::lock::lock;
use crate::session::Session;
use crate::station::Station;
use crate::wire::{AlertRegistered, Tag, WorldStoreStatus};

use board::Board;
use contexts::Context;
pub(crate) use explained::{explain, history};
pub(crate) use feed::{Feeds, Group};
pub(crate) use shown::{awaited_row, row};
use storing::Storing;
pub(crate) use trial::{test, topic_row, watch};

/// Questions to the world that wait for the next publishing, 20 ms at most.
const QUESTIONS_MAX: usize = 256;

/// Answered by who publishes, while it holds the world anyway: no reader ever locks out a receive thread.
type Question = Box<dyn FnOnce(&World) + Send>;

/// Tier 0 of one agent and what feeds it.
#[derive(Default)]
pub struct Ingest {
    /// Locked by receive threads, by who publishes, and while providers or rules change. Never by a reader.
    world: Mutex<World>,
    /// Held while changes are taken from the world and published, so that they are published in order.
    publishing: Mutex<()>,
    board: Board,
    storing: Storing,
    questions: Mutex<Vec<Question>>,
    contexts: Mutex<BTreeMap<ProviderId, Context>>,
    /// Held while providers or rules change, so that changes follow one another.
    changing: tokio::sync::Mutex<()>,
}

impl Ingest {
    fn world(&self) -> MutexGuard<'_, World> {
        lock(&self.world)
    }

    /// Starts what the agent's database holds. What cannot be read is named and left out.
    pub(crate) async fn load(&self, station: &Arc<Station>, agent: &Arc<AgentUnit>) -> Result<(), crate::StartError> {
        self.restore(station, agent).await?;
        self.load_contexts(station, agent).await?;
        for stored in agent.db.alerts().await? {
            let started = match stored {
                Ok(stored) => self.start_alert(station, agent, AlertId(stored.id), stored.rule).map(drop),
                Err(error) => Err(error.into()),
            };
            if let Err(error) = started {
                station.hub.event("alert_unusable", error.to_string());
            }
        }
        station.spawn(storing::write_behind(Arc::clone(station), Arc::clone(agent)));
        Ok(())
    }

    /// Shows what the last run left, as old as it is.
    async fn restore(&self, station: &Station, agent: &AgentUnit) -> Result<(), crate::StartError> {
        let mut entries = Vec::new();
        for stored in agent.db.world_state().await? {
            match stored {
                Ok(stored) => entries.push(stored),
                Err(error) => station.hub.event("entry_unusable", error.to_string()),
            }
        }
        self.world().restore(entries, station.clock.now());
        self.publish(station, agent);
        Ok(())
    }

    /// On Zenoh's receive thread: scan and apply, nothing else unless a rule fires.
    pub(crate) fn take(&self, station: &Station, agent: &AgentUnit, groups: &[Group], sample: &Sample) {
        let now = Now { station: sample.received, wall_ms: sample.received_ms };
        for group in groups {
            let mut scanner = lock(&group.scanner);
            let scanned = scanner.scan(sample);
            for provider in &group.providers {
                let changes = self.world().apply(provider, sample, scanned, now);
                self.report(station, agent, changes);
            }
        }
    }

    /// Lets time pass, answers questions, and shows everybody what has changed. Fifty times a second.
    pub(crate) fn tick(&self, station: &Station, agent: &AgentUnit, now: Now) {
        let questions = std::mem::take(&mut *lock(&self.questions));
        let changes = {
            let mut world = self.world();
            let changes = world.tick(now);
            questions.into_iter().for_each(|ask| ask(&world));
            changes
        };
        self.report(station, agent, changes);
        self.publish(station, agent);
    }

    /// Notes that the sources below `prefix` are gone, or back.
    pub(crate) fn source_alive(&self, station: &Station, agent: &AgentUnit, prefix: &str, alive: bool) {
        let changes = self.world().set_source_alive(prefix, alive, station.clock.now());
        self.report(station, agent, changes);
        self.publish(station, agent);
    }

    /// Shows the values that intervals hold back. The last thing before the end.
    fn end_intervals(&self, station: &Station, agent: &AgentUnit) {
        let changes = self.world().end_intervals(station.clock.now());
        self.report(station, agent, changes);
        self.publish(station, agent);
    }

    /// What follows at once. A fire is on the board before its turn starts.
    fn report(&self, station: &Station, agent: &AgentUnit, changes: Changes) {
        for notice in &changes.notices {
            let (code, sentence) = shown::notice(notice);
            station.hub.event(code, sentence);
        }
        if changes.fires.is_empty() {
            return;
        }
        self.publish(station, agent);
        for fire in changes.fires {
            station.hub.event("alert_fired", fire_sentence(&fire));
            station.hub.changed(Tag::Alerts);
            agent.desk.alert(&fire);
        }
    }

    fn publish(&self, station: &Station, agent: &AgentUnit) {
        let _publishing = lock(&self.publishing);
        let changed = self.world().take_changed();
        if changed == world::Changed::default() {
            return;
        }
        if self.board.publish(&changed) {
            station.hub.changed(Tag::World);
        }
        for key in &changed.removed {
            station.hub.forget(&shown::signal_id(&agent.id, key));
        }
        for entry in &changed.entries {
            // What an earlier run saw says nothing about now.
            if !entry.flags.restored {
                agent.beliefs.offer(entry);
            }
            station.hub.signal(shown::signal(station, &agent.id, entry));
        }
        self.storing.note(changed);
    }

    /// Asks the world itself, for what the board does not show. The answer comes with the next publishing.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&World) -> T + Send + 'static,
    ) -> Result<T, OpError> {
        let (answer_in, answer) = oneshot::channel();
        {
            let mut questions = lock(&self.questions);
            if questions.len() >= QUESTIONS_MAX {
                return Err(OpError::conflict("busy", "Too many questions to the world are waiting. Try again soon."));
            }
            // Who asked may have gone.
            questions.push(Box::new(move |world| drop(answer_in.send(question(world)))));
        }
        answer.await.map_err(|_| OpError::new(ErrorKind::Unavailable, "station_ended", "The station is ending."))
    }

    /// Stores a rule and puts it in force.
    pub(crate) async fn register_alert(
        &self,
        station: &Arc<Station>,
        agent: &Arc<AgentUnit>,
        by: &Session,
        rule: AlertRule,
    ) -> Result<AlertRegistered, OpError> {
        let _changing = self.changing.lock().await;
        let id = format!("al-{}", uuid::Uuid::now_v7());
        let registered = self.start_alert(station, agent, AlertId(id.clone()), rule.clone())?;
        let stored = StoredAlert { id: id.clone(), rule };
        if let Err(error) = agent.db.add_alert(&stored, by.actor(), station.clock.now().wall_ms).await {
            self.world().remove_alert(&AlertId(id));
            return Err(error.into());
        }
        station.hub.changed(Tag::Alerts);
        let (predicate, warnings) = (registered.predicate, registered.warnings);
        Ok(AlertRegistered { message: "Alert registered".into(), id, predicate, warnings })
    }

    fn start_alert(
        &self,
        station: &Station,
        agent: &AgentUnit,
        id: AlertId,
        rule: AlertRule,
    ) -> Result<world::Registered, OpError> {
        let now = station.clock.now();
        let (registered, changes) = self.world().register_alert(id, rule, now)?;
        self.report(station, agent, changes);
        Ok(registered)
    }

    /// Every rule with its state.
    pub(crate) fn alerts(&self, now: Now) -> Vec<AlertRow> {
        self.world().alerts(now)
    }

    /// What is shown now, by key. Waits for nobody.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.board.snapshot()
    }

    /// Every shown entry, by key.
    pub(crate) fn entries(&self) -> Vec<Arc<Entry>> {
        self.snapshot().entries().cloned().collect()
    }

    /// What becomes of changes on their way to the disk.
    pub(crate) fn store_status(&self) -> WorldStoreStatus {
        self.storing.status()
    }

    /// The points of `key` that are kept in memory, oldest first.
    pub(crate) fn history(&self, key: &Key) -> Vec<Arc<world::HistoryPoint>> {
        self.board.history(key)
    }
}

fn fire_sentence(fire: &Fire) -> String {
    let what = fire.description.clone().unwrap_or_else(|| fire.predicate.clone());
    let values: Vec<String> = fire.values.iter().map(|value| format!("{} = {}", value.key, value.value)).collect();
    format!("{what} ({})", values.join(", "))
}

impl From<ProviderError> for OpError {
    fn from(error: ProviderError) -> Self {
        let kind = match error.code {
            "duplicate_context" | "limit_reached" => ErrorKind::Conflict,
            "context_not_found" => ErrorKind::NotFound,
            _ => ErrorKind::BadInput,
        };
        let existing = error.existing.as_ref().map(|id| id.0.to_string());
        let details = json!({ "path": error.parameter, "column": error.column, "existing": existing });
        Self::new(kind, error.code, error.to_string()).with(details)
    }
}

impl From<AlertError> for OpError {
    fn from(error: AlertError) -> Self {
        let kind = match error.code() {
            "duplicate_alert" | "limit_reached" => ErrorKind::Conflict,
            "alert_not_found" => ErrorKind::NotFound,
            _ => ErrorKind::BadInput,
        };
        Self::new(kind, error.code(), error.to_string())
    }
}
