//! Samples become world state. The receive thread scans and applies; everything else follows from what it gathered.

mod contexts;
mod explained;
mod forgetting;
mod news;
mod of_mission;
mod snapshot;
mod subscriptions;
mod trial;
mod world_wire;
mod write_behind;

mod rules;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use robot::Now;
use tokio::sync::oneshot;
use world::alarm::{BuiltIn, Of};
use world::{Changes, Entry, Key, Notice, ProviderId, Snapshot, World};

use crate::AgentWorld;
use crate::Sensing;
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;
use runtime::wire::{Tag, WorldStoreStatus};

use contexts::Context;
pub use explained::{explain, history};
pub use news::News;
pub use of_mission::{Declared, InForce};
use snapshot::{Published, Publisher};
pub use subscriptions::Feeds;
pub(crate) use subscriptions::Group;
pub use trial::{test, topics, watch};
pub use world_wire::{awaited_row, row};
use write_behind::WriteBehind;
pub(crate) use write_behind::write_waiting;

/// Questions to the world that wait for the next publishing, 20 ms at most.
const QUESTIONS_MAX: usize = 256;

/// Times that a sample is read anew because contexts changed meanwhile.
const TRIES_MAX: usize = 3;

/// Answered by who publishes, while it holds the world anyway: no reader ever locks out a receive thread.
type Question = Box<dyn FnOnce(&World) + Send>;

/// Tier 0 of one agent and what feeds it.
pub struct Ingest {
    /// Locked by receive threads, by who publishes, and while providers or rules change. Never by a reader.
    world: Mutex<World>,
    /// Held while changes are taken from the world and published, so that they are published in order.
    publisher: Mutex<Publisher>,
    published: Arc<Published>,
    write_behind: WriteBehind,
    questions: Mutex<Vec<Question>>,
    contexts: Mutex<BTreeMap<ProviderId, Context>>,
    /// Held while providers or rules change, so that changes follow one another.
    changing: tokio::sync::Mutex<()>,
}

impl Default for Ingest {
    fn default() -> Self {
        let publisher = Publisher::default();
        Self {
            world: Mutex::default(),
            published: publisher.published(),
            publisher: Mutex::new(publisher),
            write_behind: WriteBehind::default(),
            questions: Mutex::default(),
            contexts: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
        }
    }
}

impl Ingest {
    fn world(&self) -> MutexGuard<'_, World> {
        lock(&self.world)
    }

    /// Starts what the agent's database holds. What cannot be read is named and left out.
    pub async fn load(&self, sensing: &Arc<Sensing>, agent: &Arc<AgentWorld>) -> Result<(), memory::MemoryError> {
        // Entries come first: a context that starts finds the keys it has written in an earlier run.
        self.restore(sensing, agent).await?;
        self.load_contexts(sensing, agent).await?;
        self.load_rules(sensing, agent).await?;
        sensing.runtime.spawn(write_behind::write_behind(Arc::clone(sensing), Arc::clone(agent)));
        Ok(())
    }

    /// Shows what the last run left, as old as it is.
    async fn restore(&self, sensing: &Sensing, agent: &AgentWorld) -> Result<(), memory::MemoryError> {
        let mut entries = Vec::new();
        for stored in agent.db.world_state().await? {
            match stored {
                Ok(stored) => entries.push(stored),
                Err(error) => sensing.runtime.bus.event_of(&agent.id, "entry_unusable", error.to_string()),
            }
        }
        self.world().restore(entries, sensing.runtime.clock.now());
        self.publish(sensing, agent);
        Ok(())
    }

    /// Writes every provider and every rule as they are held, into a database that a backup has replaced, and has the
    /// world and the newest of its history written after them.
    pub async fn put_back(&self, sensing: &Sensing, agent: &AgentWorld) -> Result<(), memory::MemoryError> {
        let _changing = self.changing.lock().await;
        let now = sensing.runtime.clock.now();
        agent.db.put_back_rules(&self.held_contexts(), &self.held_rules(), now.wall_ms).await?;
        let (stored, history_until_ms) = agent.db.stored_world().await?;
        let shown = self.published.snapshot();
        let points = shown.entries().flat_map(|entry| self.published.history(&entry.key));
        let newer = points.filter(|point| history_until_ms.is_none_or(|until_ms| point.received_ms > until_ms));
        self.write_behind.note_held(&shown, &stored, newer.collect());
        Ok(())
    }

    /// On Zenoh's receive thread: scan and apply, nothing else unless a rule fires. Providers that are read in another way
    /// by the time that a sample was scanned get it with the `newest` groups.
    pub fn take(&self, sensing: &Sensing, agent: &AgentWorld, newest: impl Fn() -> Arc<[Group]>, news: News<'_>) {
        let mut missed = self.take_with(sensing, agent, &newest(), |_| true, news);
        for _ in 0..TRIES_MAX {
            if missed.is_empty() {
                return;
            }
            missed = self.take_with(sensing, agent, &newest(), |provider| missed.contains(provider), news);
        }
    }

    /// Scans and applies for those providers of `groups` for which `is_for` holds; those that are read in another way now.
    fn take_with(
        &self,
        sensing: &Sensing,
        agent: &AgentWorld,
        groups: &[Group],
        is_for: impl Fn(&ProviderId) -> bool,
        news: News<'_>,
    ) -> Vec<ProviderId> {
        let sample = news.sample();
        // The time of arrival and not of handling, so that the same samples give the same world.
        let now = Now { station: sample.received, wall_ms: sample.received_ms };
        let mut missed = Vec::new();
        for group in groups {
            let mut scanner = lock(&group.scanner);
            let scanned = scanner.scan(sample);
            for provider in group.providers.iter().filter(|provider| is_for(provider)) {
                let notices = self.with_world(agent, |world| {
                    world.apply_in_order(provider, group.order, sample, scanned, now).unwrap_or_else(|| {
                        missed.push(provider.clone());
                        Changes::default()
                    })
                });
                report(sensing, agent, &notices);
            }
        }
        missed
    }

    /// Lets time pass, answers questions, and shows everybody what has changed. Fifty times a second.
    pub(crate) fn tick(&self, sensing: &Sensing, agent: &AgentWorld, now: Now) {
        let questions = std::mem::take(&mut *lock(&self.questions));
        let notices = self.with_world(agent, |world| {
            let changes = world.tick(now);
            questions.into_iter().for_each(|ask| ask(world));
            changes
        });
        report(sensing, agent, &notices);
        self.publish(sensing, agent);
    }

    /// Notes that the sources below `prefix` are gone, or back.
    pub fn source_alive(&self, sensing: &Sensing, agent: &AgentWorld, prefix: &str, alive: bool) {
        let notices =
            self.with_world(agent, |world| world.set_source_alive(prefix, alive, sensing.runtime.clock.now()));
        report(sensing, agent, &notices);
        self.publish(sensing, agent);
    }

    /// Shows the values that intervals hold back. The last thing before the end.
    fn end_intervals(&self, sensing: &Sensing, agent: &AgentWorld) {
        let notices = self.with_world(agent, |world| world.end_intervals(sensing.runtime.clock.now()));
        report(sensing, agent, &notices);
        self.publish(sensing, agent);
    }

    /// Changes the world and hands on what its rules did, in the order of the changes; what a person should know.
    fn with_world(&self, agent: &AgentWorld, change: impl FnOnce(&mut World) -> Changes) -> Vec<Notice> {
        let mut world = self.world();
        let mut changes = change(&mut world);
        // Queued under the world's lock, or two threads could hand on their changes in the wrong order.
        agent.rules.push(&mut changes);
        changes.notices
    }

    /// Shows everybody what has changed, and hands it on to be stored.
    pub fn publish(&self, sensing: &Sensing, agent: &AgentWorld) {
        let mut publisher = lock(&self.publisher);
        // The world is locked for the taking alone, so that samples go on coming in while the snapshot is made.
        let changed = self.world().take_changed();
        if changed == world::Changed::default() {
            return;
        }
        if publisher.publish(&changed) {
            sensing.runtime.bus.changed(Tag::World);
        }
        for key in &changed.removed {
            sensing.runtime.bus.forget(&world_wire::signal_id(&agent.id, key));
        }
        for entry in &changed.entries {
            // An entry restored from an earlier run says nothing about now.
            if !entry.flags.restored {
                sensing.waker.changed(&agent.id, entry);
            }
            sensing.runtime.bus.signal(world_wire::signal(sensing, &agent.id, entry));
        }
        self.write_behind.note(changed);
    }

    /// Asks the world itself, for what the board does not show. The answer comes with the next publishing.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&World) -> T + Send + 'static,
    ) -> Result<T, OpError> {
        let (answer_in, answer) = oneshot::channel();
        {
            let mut questions = lock(&self.questions);
            if questions.len() >= QUESTIONS_MAX {
                return Err(OpError::new(
                    RuntimeCode::Busy,
                    "Too many questions to the world are waiting. Try again soon.",
                ));
            }
            // The asker may have gone.
            questions.push(Box::new(move |world| drop(answer_in.send(question(world)))));
        }
        answer.await.map_err(|_| OpError::new(RuntimeCode::StationEnded, "The station is ending."))
    }

    /// All shown entries, by key. Waits for nobody.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.published.snapshot()
    }

    /// Every shown entry, by key.
    pub fn entries(&self) -> Vec<Arc<Entry>> {
        self.snapshot().entries().cloned().collect()
    }

    /// Counts of the changes on their way to the disk.
    pub fn store_status(&self) -> WorldStoreStatus {
        self.write_behind.status()
    }

    /// The points of `key` that are kept in memory, oldest first.
    pub fn history(&self, key: &Key) -> Vec<Arc<world::HistoryPoint>> {
        self.published.history(key)
    }
}

/// Tells of providers and sources that a person should look at.
fn report(sensing: &Sensing, agent: &AgentWorld, notices: &[Notice]) {
    for notice in notices {
        let (code, sentence) = world_wire::notice(notice);
        let about = |item: &str| Of { item: Some(item.to_owned()), ..Of::agent(&agent.id) };
        match notice {
            Notice::TooManyKeys { provider, .. } => {
                sensing.alarms.note(BuiltIn::TooManyKeys, &about(&provider.0), sentence);
            }
            Notice::SourceClocks { provider, skewed: 0, .. } => {
                sensing.alarms.clear(BuiltIn::ClockSkew, &about(&provider.0));
            }
            Notice::SourceClocks { provider, .. } => {
                sensing.alarms.raise(BuiltIn::ClockSkew, &about(&provider.0), sentence);
            }
            Notice::RejectsAll { .. } | Notice::NoSample { .. } => {
                sensing.runtime.bus.event_of(&agent.id, code, sentence)
            }
        }
    }
}
