//! Samples become world state: one subscription per key expression, every provider on it served from one callback.

mod rules;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use arc_swap::ArcSwap;
use bridge::{Decoder, Subscription};
use memory::StoredProvider;
use robot::{AgentId, Now, Sample, Scan, ScanPlan};
use serde_json::json;
use world::{Changes, Entry, Key, Provider, ProviderConfig, ProviderError, ProviderId, Warning, World};

use crate::agents::AgentUnit;
use crate::error::{ErrorKind, OpError};
use crate::lock::lock;
use crate::session::Session;
use crate::station::Station;
use crate::wire::{AgeBasis, ContextConfigured, ContextState, Signal, SignalOrigin, SignalValue, Tag, WorldRow};

type Readers = BTreeMap<String, Vec<(ProviderId, ScanPlan)>>;

/// Tier 0 and what feeds it.
#[derive(Default)]
pub struct Ingest {
    world: Mutex<World>,
    readers: ArcSwap<Readers>,
    subscriptions: Mutex<BTreeMap<String, Subscription>>,
    /// Held while providers change, so that changes follow one another.
    changing: tokio::sync::Mutex<()>,
}

impl Ingest {
    fn world(&self) -> MutexGuard<'_, World> {
        lock(&self.world)
    }

    /// Starts what the agent's database holds. What cannot be read is named and left out.
    pub(crate) async fn load(&self, station: &Arc<Station>, agent: &Arc<AgentUnit>) -> Result<(), crate::StartError> {
        for stored in agent.db.providers().await? {
            let started = match stored {
                Ok(stored) => self.start_provider(station, agent, ProviderId(stored.id), stored.config).await.map(drop),
                Err(error) => Err(error.into()),
            };
            if let Err(error) = started {
                station.hub.event("provider_unusable", error.to_string());
            }
        }
        self.load_rules(station, agent).await
    }

    /// Stores a provider and starts it.
    pub(crate) async fn configure(
        &self,
        station: &Arc<Station>,
        agent: &Arc<AgentUnit>,
        by: &Session,
        config: ProviderConfig,
    ) -> Result<ContextConfigured, OpError> {
        let _changing = self.changing.lock().await;
        let id = format!("cp-{}", uuid::Uuid::now_v7());
        let warnings = self.start_provider(station, agent, ProviderId(id.clone()), config.clone()).await?;
        let stored = StoredProvider { id: id.clone(), config };
        if let Err(error) = agent.db.add_provider(&stored, by.actor(), station.clock.now().wall_ms).await {
            self.stop_provider(&ProviderId(id));
            return Err(error.into());
        }
        station.hub.changed(Tag::World);
        let message = format!("Context {id} configured");
        Ok(ContextConfigured { message, id, version: 1, state: ContextState::Running, warnings })
    }

    async fn start_provider(
        &self,
        station: &Arc<Station>,
        agent: &Arc<AgentUnit>,
        id: ProviderId,
        config: ProviderConfig,
    ) -> Result<Vec<Warning>, OpError> {
        let pattern = config.topic_pattern.clone();
        let provider = Provider::compile(id.clone(), config)?;
        let reader = (id.clone(), provider.plan().clone());
        let warnings = {
            let mut world = self.world();
            let warnings = provider.warnings(&world);
            world.add_provider(provider)?;
            warnings
        };
        self.change_readers(|readers| readers.entry(pattern.clone()).or_default().push(reader.clone()));
        if let Err(error) = self.subscribe(station, agent, &pattern).await {
            self.stop_provider(&id);
            return Err(OpError::bad_input(error.code(), "topic_pattern", error.to_string()));
        }
        Ok(warnings)
    }

    async fn subscribe(
        &self,
        station: &Arc<Station>,
        agent: &Arc<AgentUnit>,
        pattern: &str,
    ) -> Result<(), bridge::BridgeError> {
        let known = lock(&self.subscriptions).contains_key(pattern);
        if known {
            return Ok(());
        }
        let (station_in, agent_in, key) = (Arc::downgrade(station), Arc::downgrade(agent), pattern.to_owned());
        let subscription = station
            .link
            .subscribe(pattern, move |sample| {
                if let Some((station, agent)) = station_in.upgrade().zip(agent_in.upgrade()) {
                    agent.ingest.take(&station, &agent, &key, &sample);
                }
            })
            .await?;
        lock(&self.subscriptions).insert(pattern.to_owned(), subscription);
        Ok(())
    }

    fn stop_provider(&self, id: &ProviderId) {
        self.world().remove_provider(id);
        self.change_readers(|readers| {
            for on_pattern in readers.values_mut() {
                on_pattern.retain(|(reader, _)| reader != id);
            }
            readers.retain(|_, on_pattern| !on_pattern.is_empty());
        });
        let readers = self.readers.load();
        let mut subscriptions = lock(&self.subscriptions);
        subscriptions.retain(|pattern, _| readers.contains_key(pattern));
    }

    fn change_readers(&self, change: impl Fn(&mut Readers)) {
        self.readers.rcu(|readers| {
            let mut next = Readers::clone(readers);
            change(&mut next);
            next
        });
    }

    /// On Zenoh's receive thread: scan, apply, report.
    fn take(&self, station: &Station, agent: &AgentUnit, pattern: &str, sample: &Sample) {
        let readers = self.readers.load();
        let Some(on_pattern) = readers.get(pattern) else { return };
        let now = Now { station: sample.received, wall_ms: sample.received_ms };
        for (provider, plan) in on_pattern {
            let scanned = Decoder.scan(sample, plan);
            let changes = self.with_world(agent, |world| world.apply(provider, sample, &scanned, now));
            self.publish(station, agent, changes, now);
        }
    }

    /// What changes by time alone.
    pub(crate) fn tick(&self, station: &Station, agent: &AgentUnit, now: Now) {
        let changes = self.with_world(agent, |world| world.tick(now));
        self.publish(station, agent, changes, now);
    }

    /// Notes that the sources below `prefix` are gone, or back.
    pub(crate) fn source_alive(&self, station: &Station, agent: &AgentUnit, prefix: &str, alive: bool) {
        let now = station.clock.now();
        let changes = self.with_world(agent, |world| world.set_source_alive(prefix, alive, now));
        self.publish(station, agent, changes, now);
    }

    /// Changes the world and takes in what its rules did, in the order of the changes.
    fn with_world(&self, agent: &AgentUnit, change: impl FnOnce(&mut World) -> Changes) -> Changes {
        let mut world = self.world();
        let mut changes = change(&mut world);
        agent.rules.push(&mut changes);
        changes
    }

    fn publish(&self, station: &Station, agent: &AgentUnit, changes: Changes, now: Now) {
        let differs = |entry: &Arc<Entry>| entry.changed_at == now.station;
        if !changes.removed.is_empty() || changes.entries.iter().any(differs) {
            station.hub.changed(Tag::World);
        }
        for key in &changes.removed {
            station.hub.forget(&signal_id(&agent.id, key));
        }
        for entry in changes.entries {
            agent.beliefs.offer(&entry);
            station.hub.signal(signal(station, &agent.id, &entry));
        }
    }

    /// Every entry, by key.
    pub(crate) fn entries(&self) -> Vec<Arc<Entry>> {
        self.world().entries().cloned().collect()
    }
}

/// An entry as `list_world_state` shows it.
pub(crate) fn row(agent: &AgentId, entry: &Entry, now: Now) -> WorldRow {
    WorldRow {
        key: entry.key.to_string(),
        signal: signal_id(agent, &entry.key),
        value: entry.value.clone(),
        unit: entry.unit.as_deref().map(str::to_owned),
        confidence: entry.confidence,
        updated_at: now.wall_ms_of(entry.observed_at).div_euclid(1000),
        age_ms: entry.age_ms(now.station),
        freshness: entry.freshness(now.station),
        source: entry.source.to_string(),
        provider: entry.provider.0.clone(),
        origin: SignalOrigin::Measured,
        trust: entry.trust,
        contested: entry.flags.contested,
    }
}

/// Names the live signal of a key. Two agents may both know of it.
fn signal_id(agent: &AgentId, key: &Key) -> String {
    format!("world/{agent}/{key}")
}

fn signal(station: &Station, agent: &AgentId, entry: &Entry) -> Signal {
    let value = match &entry.value {
        robot::Scalar::Bool(truth) => SignalValue::Bool(*truth),
        robot::Scalar::Text(text) => SignalValue::Text(text.clone()),
        number @ (robot::Scalar::Int(_) | robot::Scalar::Float(_)) => {
            SignalValue::Number(number.as_f64().unwrap_or(f64::NAN))
        }
    };
    Signal {
        id: signal_id(agent, &entry.key),
        source: entry.source.to_string(),
        value,
        unit: entry.unit.as_deref().map(str::to_owned),
        confidence: entry.confidence,
        observed_mono_ms: entry.observed_at.mono_ms(),
        max_age_ms: entry.max_age_ms,
        age_basis: match entry.age_basis {
            world::AgeBasis::Source => AgeBasis::Source,
            world::AgeBasis::Received => AgeBasis::Received,
        },
        origin: SignalOrigin::Measured,
        source_lost: entry.lost_source,
        simulated: station.simulator.owns(&entry.source),
    }
}

impl From<ProviderError> for OpError {
    fn from(error: ProviderError) -> Self {
        let kind = match error.code {
            "duplicate_context" | "limit_reached" => ErrorKind::Conflict,
            _ => ErrorKind::BadInput,
        };
        let details = json!({ "path": error.parameter, "column": error.column });
        Self::new(kind, error.code, error.to_string()).with(details)
    }
}
