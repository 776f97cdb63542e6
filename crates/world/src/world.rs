//! One agent's tier 0: samples and silence come in, changes go out.

mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use robot::{Instant, Now, RejectReason, Sample, Scanned};

use crate::agenda::{Agenda, Subject};
use crate::alert::{Alerts, Surroundings};
use crate::reading::{Observed, Reading, observed, read};
use crate::slot::{Claim, Slot};
use crate::{Entry, Fire, Flags, Key, Provider, ProviderError, ProviderId, ProviderStats, RuleMove};

/// The most providers an agent may have.
const PROVIDERS_MAX: usize = 256;
/// The most keys an agent's world may have.
const KEYS_MAX: usize = 20_000;

/// What is true now, as far as one agent's providers say. Same samples and times, same changes, in the same order.
#[derive(Debug, Default)]
pub struct World {
    providers: BTreeMap<ProviderId, Running>,
    slots: BTreeMap<Key, Slot>,
    alerts: Alerts,
    agenda: Agenda,
    /// How far time has been let pass; nothing happens before it.
    reached: Instant,
    seq: u64,
}

/// A provider with what it has seen.
#[derive(Debug)]
struct Running {
    provider: Arc<Provider>,
    stats: ProviderStats,
    /// The keys it has written, at most its `max_keys`.
    keys: BTreeSet<Key>,
}

/// What a sample, or silence, changed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    /// Entries whose shown value or freshness moved, oldest move first.
    pub entries: Vec<Arc<Entry>>,
    /// Keys that are no longer there.
    pub removed: Vec<Key>,
    /// Rules that fired.
    pub fires: Vec<Fire>,
    /// Rules whose predicate says something else than before.
    pub moves: Vec<RuleMove>,
    /// When to call [`World::tick`] at the latest.
    pub next_due: Option<Instant>,
}

impl World {
    /// A world without providers, rules or entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a provider. Refused if an equal one runs, or there are 256.
    pub fn add_provider(&mut self, provider: Provider) -> Result<(), ProviderError> {
        let equal =
            |(id, running): &(&ProviderId, &Running)| **id == *provider.id() || running.provider.repeats(&provider);
        let refuse = |code, message| Err(ProviderError { code, parameter: "topic_pattern", column: None, message });
        if let Some((id, _)) = self.providers.iter().find(equal) {
            return refuse("duplicate_context", format!("the provider exists already as {}", id.0));
        }
        if self.providers.len() >= PROVIDERS_MAX {
            return refuse("limit_reached", format!("at most {PROVIDERS_MAX} providers"));
        }
        let id = provider.id().clone();
        let running =
            Running { provider: Arc::new(provider), stats: ProviderStats::default(), keys: BTreeSet::default() };
        self.providers.insert(id, running);
        Ok(())
    }

    /// Stops a provider and takes back what it claimed; false if there is none. What follows from that comes with the
    /// next tick, which is due at once.
    pub fn remove_provider(&mut self, id: &ProviderId) -> bool {
        let Some(running) = self.providers.remove(id) else { return false };
        for key in running.keys {
            if let Some(slot) = self.slots.get_mut(&key) {
                slot.drop_claims(id);
                self.agenda.plan(&Subject::Key(key), self.reached);
            }
        }
        true
    }

    /// The running providers, by id.
    pub fn providers(&self) -> impl Iterator<Item = &Provider> {
        self.providers.values().map(|running| running.provider.as_ref())
    }

    /// What a provider has seen.
    #[must_use]
    pub fn provider_stats(&self, id: &ProviderId) -> Option<&ProviderStats> {
        self.providers.get(id).map(|running| &running.stats)
    }

    /// Takes in one sample for one provider, decoded by that provider's plan.
    pub fn apply(
        &mut self,
        provider: &ProviderId,
        sample: &Sample,
        scanned: &Result<Scanned, RejectReason>,
        now: Now,
    ) -> Changes {
        let mut changes = self.advance(now);
        let running = self.providers.get_mut(provider).filter(|_| !crate::provider::is_command_key(&sample.key_expr));
        if let Some(running) = running {
            running.stats.samples += 1;
            running.stats.last_sample = Some(sample.received);
            let provider = Arc::clone(&running.provider);
            match scanned {
                Ok(scanned) => {
                    let readings = running.read(scanned);
                    let observed = observed(sample, &scanned.header, provider.max_age_ms());
                    for reading in readings {
                        self.claim(&provider, entry(&provider, sample, reading, &observed), now, &mut changes);
                    }
                }
                Err(reason) => running.reject(*reason),
            }
        }
        changes.next_due = self.agenda.next_due();
        changes
    }

    /// Lets time pass: freshness, the end of intervals, of `for` and of debounces. Each happens at its own moment,
    /// however late the tick comes.
    pub fn tick(&mut self, now: Now) -> Changes {
        let mut changes = self.advance(now);
        changes.next_due = self.agenda.next_due();
        changes
    }

    /// The shown entries, by key.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.slots.values().filter_map(Slot::shown)
    }

    /// The shown entry of `key`.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Arc<Entry>> {
        self.slots.get(key).and_then(Slot::shown)
    }

    /// Says whether a source, and all key expressions below it, is there. Entries of one that is gone are lost at once.
    pub fn set_source_alive(&mut self, source_prefix: &str, alive: bool, now: Now) -> Changes {
        let mut changes = self.advance(now);
        let slots = self.slots.iter_mut();
        let changed = slots.filter_map(|(key, slot)| slot.set_source_alive(source_prefix, alive).then(|| key.clone()));
        for key in changed.collect::<Vec<_>>() {
            self.settle(&key, now, &mut changes);
        }
        changes.next_due = self.agenda.next_due();
        changes
    }

    /// Lets everything happen that is due by `now`, each at its own time.
    fn advance(&mut self, now: Now) -> Changes {
        let mut changes = Changes::default();
        while let Some((due, subject)) = self.agenda.pop(now.station) {
            let station = due.max(self.reached);
            let at = Now { station, wall_ms: now.wall_ms_of(station) };
            match subject {
                Subject::Key(key) => self.settle(&key, at, &mut changes),
                Subject::Alert(id) => self.look_at_rule(&id, at, &mut changes),
            }
        }
        self.reached = self.reached.max(now.station);
        changes
    }

    fn claim(&mut self, provider: &Provider, entry: Entry, now: Now, changes: &mut Changes) {
        let key = entry.key.clone();
        if self.slots.get(&key).is_some_and(|slot| slot.has_newer(&entry)) {
            return self.reject(provider.id(), RejectReason::OutOfOrder);
        }
        if !self.make_room(provider, &key, now, changes) {
            return self.reject(provider.id(), RejectReason::KeysCapped);
        }
        let claim = Claim { entry, min_interval: provider.min_interval() };
        self.slots.entry(key.clone()).or_default().put(claim);
        if let Some(running) = self.providers.get_mut(provider.id()) {
            running.stats.matched += 1;
            running.keys.insert(key.clone());
        }
        self.settle(&key, now, changes);
    }

    fn reject(&mut self, id: &ProviderId, reason: RejectReason) {
        if let Some(running) = self.providers.get_mut(id) {
            running.reject(reason);
        }
    }

    /// Makes sure that the provider may write `key`: at its cap, or the world's, the key that was observed longest ago
    /// and that no rule names gives way. False if rules name all.
    fn make_room(&mut self, provider: &Provider, key: &Key, now: Now, changes: &mut Changes) -> bool {
        let Some(running) = self.providers.get(provider.id()) else { return false };
        let keys_max = usize::try_from(provider.config().max_keys).unwrap_or(usize::MAX);
        if !running.keys.contains(key) && running.keys.len() >= keys_max {
            let Some(oldest) = self.oldest(running.keys.iter()) else { return false };
            if let Some(slot) = self.slots.get_mut(&oldest) {
                slot.drop_claims(provider.id());
            }
            if let Some(running) = self.providers.get_mut(provider.id()) {
                running.keys.remove(&oldest);
                running.stats.keys_replaced += 1;
            }
            self.settle(&oldest, now, changes);
        }
        if !self.slots.contains_key(key) && self.slots.len() >= KEYS_MAX {
            let Some(oldest) = self.oldest(self.slots.keys()) else { return false };
            self.slots.insert(oldest.clone(), Slot::default());
            self.settle(&oldest, now, changes);
        }
        true
    }

    /// A walk over at most 20,000 keys, only while a cap is reached.
    fn oldest<'a>(&self, keys: impl Iterator<Item = &'a Key>) -> Option<Key> {
        let unnamed = keys.filter(|key| !self.alerts.names(key));
        unnamed.min_by_key(|key| self.slots.get(*key).map(Slot::last_observed)).cloned()
    }

    /// Brings one key up to `at`: which claim counts, what rules say to it, what is shown, when to look again.
    fn settle(&mut self, key: &Key, at: Now, changes: &mut Changes) {
        let Some(slot) = self.slots.get_mut(key) else { return };
        let moved = slot.settle(at.station, &mut self.seq);
        if let Some(due) = slot.next_due(at.station) {
            self.agenda.plan(&Subject::Key(key.clone()), due);
        }
        if moved.shown {
            changes.entries.extend(slot.shown().cloned());
        }
        if moved.gone {
            self.slots.remove(key);
            self.agenda.forget(&Subject::Key(key.clone()));
            self.providers.values_mut().for_each(|running| {
                running.keys.remove(key);
            });
            changes.removed.push(key.clone());
        }
        if moved.chosen {
            let mut around = Surroundings { slots: &self.slots, agenda: &mut self.agenda, changes };
            self.alerts.look_at_key(key, &mut around, at);
        }
    }
}

impl Running {
    fn reject(&mut self, reason: RejectReason) {
        *self.stats.rejects.entry(reason).or_default() += 1;
    }

    /// The readings of one sample, one for each key: of two rows with the same key the surer one counts, then the
    /// first.
    fn read(&mut self, scanned: &Scanned) -> Vec<Reading> {
        let mut readings: Vec<Reading> = Vec::new();
        self.stats.rows += scanned.rows.len() as u64;
        let provider = Arc::clone(&self.provider);
        for row in &scanned.rows {
            match read(&provider, row) {
                Err(reason) => self.reject(reason),
                Ok(reading) => match readings.iter_mut().find(|other| other.key == reading.key) {
                    Some(other) if reading.confidence.unwrap_or(0.0) > other.confidence.unwrap_or(0.0) => {
                        *other = reading;
                    }
                    Some(_) => {}
                    None => readings.push(reading),
                },
            }
        }
        readings
    }
}

fn entry(provider: &Provider, sample: &Sample, reading: Reading, observed: &Observed) -> Entry {
    let Reading { key, value, confidence, trust, cut, cleaned } = reading;
    let config = provider.config();
    Entry {
        key,
        value,
        unit: provider.unit(),
        confidence,
        observed_at: observed.at,
        source_ms: observed.source_ms,
        received_at: sample.received,
        received_ms: sample.received_ms,
        age_basis: observed.basis,
        max_age_ms: provider.max_age_ms(),
        source: Arc::clone(&sample.key_expr),
        instance: observed.instance.clone(),
        provider: provider.id().clone(),
        mission: config.mission_id.clone(),
        trust,
        changed_at: sample.received,
        seq: 0,
        flags: Flags { untrusted_ts: observed.untrusted, late: observed.late, cut, cleaned, contested: false },
        lost_source: false,
    }
}

#[cfg(test)]
mod tests;
