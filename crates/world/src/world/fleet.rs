//! The providers of a world: started, changed, paused, ended, and watched for whether anything comes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use robot::refusal::Code;
use robot::{FieldPath, Now, SharedCode};

use super::gathered::awaited;
use super::{Reported, Running, World};
use crate::agenda::Subject;
use crate::state::claims::{Slot, is_typed};
use crate::{
    Changes, Entry, Key, Notice, Provider, ProviderError, ProviderId, ProviderStats, SkewedClock, Trouble, Warning,
    WarningCode, WorldCode,
};

/// The most providers an agent may have.
const PROVIDERS_MAX: usize = 256;

/// Interval at which providers are checked for whether anything comes of them.
const TROUBLES_EVERY: Duration = Duration::from_secs(1);

/// A source that has stamped nothing for so long is no reason to set its clock.
const SILENT_AFTER: Duration = Duration::from_secs(3_600);

/// A key that ought to have an entry and has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Awaited {
    /// The key.
    pub key: Key,
    /// The provider that would write it.
    pub provider: ProviderId,
    /// The key expression that its samples would come from.
    pub source: Arc<str>,
}

/// Names the order in which the rows of a provider hold their fields. A row in another order is never read by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct FieldOrder(u64);

impl World {
    /// Starts a provider. Refused if an equal one runs, or there are 256.
    pub fn add_provider(&mut self, provider: Provider) -> Result<(), ProviderError> {
        self.check_addition(&provider)?;
        let mut running = Running::new(provider, self.reached);
        // Keys that it wrote in an earlier run are its own.
        let claimed = |(_, slot): &(&Key, &Slot)| slot.is_claimed_by(running.provider.id());
        running.keys = self.slots.iter().filter(claimed).map(|(key, _)| key.clone()).collect();
        self.providers.insert(running.provider.id().clone(), running);
        Ok(())
    }

    /// Puts `provider` in the place of the one of the same id: no row is judged by half of each. Claims that the new
    /// one could not have made are taken back with the next tick.
    pub fn replace_provider(&mut self, provider: Provider) -> Result<(), ProviderError> {
        self.check_replacement(&provider)?;
        let id = provider.id().clone();
        let Some(before) = self.providers.remove(&id) else { return Err(not_found(&id)) };
        // Clock offsets belong to the sources and stay valid; statistics belong to the rule and begin anew.
        let mut running =
            Running { is_paused: before.is_paused, clocks: before.clocks, ..Running::new(provider, self.reached) };
        if before.provider.config().topic_pattern == running.provider.config().topic_pattern {
            running.told.skewed = before.told.skewed;
        } else {
            self.owed.extend(before.told.all_right(&id));
        }
        let (kept, dropped) = before.keys.into_iter().partition(|key| running.provider.template().can_write(key));
        running.keys = kept;
        self.providers.insert(id.clone(), running);
        self.drop_claims(&id, dropped);
        Ok(())
    }

    /// Checks `provider` for what [`World::add_provider`] would refuse.
    pub fn check_addition(&self, provider: &Provider) -> Result<(), ProviderError> {
        self.check_unique(provider, true)?;
        if self.providers.len() >= PROVIDERS_MAX {
            let refused = refused(SharedCode::LimitReached, format!("at most {PROVIDERS_MAX} providers"), None);
            return Err(ProviderError { limit: Some(PROVIDERS_MAX), ..refused });
        }
        Ok(())
    }

    /// Checks `provider` for what [`World::replace_provider`] would refuse.
    pub fn check_replacement(&self, provider: &Provider) -> Result<(), ProviderError> {
        self.check_unique(provider, false)?;
        if self.providers.contains_key(provider.id()) { Ok(()) } else { Err(not_found(provider.id())) }
    }

    /// Says in which order the fields stand in the rows that these providers are given from now on. Of samples that were
    /// scanned for an earlier order [`World::apply_in_order`] takes none.
    pub fn set_fields(&mut self, ids: &[ProviderId], paths: &[FieldPath]) -> FieldOrder {
        self.fields.0 += 1;
        for id in ids {
            if let Some(running) = self.providers.get_mut(id) {
                running.provider = Arc::new(running.provider.reading(paths));
                running.fields = Some(self.fields);
            }
        }
        self.fields
    }

    /// Stops a provider and takes back what it claimed; false if there is none. What follows from that comes with the
    /// next tick, which is due at once.
    pub fn remove_provider(&mut self, id: &ProviderId) -> bool {
        let Some(running) = self.providers.remove(id) else { return false };
        self.owed.extend(running.told.all_right(id));
        self.drop_claims(id, running.keys);
        true
    }

    /// Stops a provider whose mission has ended. What it wrote stays, and ages.
    pub fn end_provider(&mut self, id: &ProviderId) -> bool {
        let Some(running) = self.providers.remove(id) else { return false };
        self.owed.extend(running.told.all_right(id));
        true
    }

    /// Pauses a provider, or lets it go on; false if there is none. What it wrote says so, and ages as usual.
    pub fn set_provider_paused(&mut self, id: &ProviderId, paused: bool, now: Now) -> Option<Changes> {
        let mut changes = self.advance(now);
        let running = self.providers.get_mut(id)?;
        running.is_paused = paused;
        running.stats.begin_anew(now.station);
        // Cloned, because settling may take a key out of the set.
        for key in running.keys.clone() {
            if self.slots.get_mut(&key).is_some_and(|slot| slot.set_paused(id, paused)) {
                self.settle(&key, now, &mut changes);
            }
        }
        changes.next_due = self.agenda.next_due();
        Some(changes)
    }

    /// A person has seen that a provider has too many keys: the next time is told again.
    pub fn acknowledge_keys(&mut self, id: &ProviderId) {
        if let Some(running) = self.providers.get_mut(id) {
            running.told.too_many_keys = false;
        }
    }

    /// Ends every interval, so that the held values are shown. The last thing that happens to a world.
    pub fn end_intervals(&mut self, now: Now) -> Changes {
        let mut changes = self.advance(now);
        let held: Vec<Key> =
            self.slots.iter_mut().filter_map(|(key, slot)| slot.end_interval().then(|| key.clone())).collect();
        for key in held {
            self.settle(&key, now, &mut changes);
        }
        changes
    }

    /// The running and the paused providers, by id.
    pub fn providers(&self) -> impl Iterator<Item = &Provider> {
        self.providers.values().map(|running| running.provider.as_ref())
    }

    /// One of them.
    #[must_use]
    pub fn provider(&self, id: &ProviderId) -> Option<&Arc<Provider>> {
        self.providers.get(id).map(|running| &running.provider)
    }

    /// Warnings for a person about `provider`, which need not be one of this world, beside what it holds already.
    #[must_use]
    pub fn warnings_about(&self, provider: &Provider) -> Vec<Warning> {
        let is_text = |entry: &Arc<Entry>| entry.provider == *provider.id() && !is_typed(entry);
        let writes_text = match self.providers.get(provider.id()) {
            Some(running) => running.keys.iter().filter_map(|key| self.entry(key.as_str())).any(is_text),
            None => self.entries().any(is_text),
        };
        let found = [
            (provider.value_repeats_key(), WarningCode::ValueRepeatsKey, "each entry only repeats its own name"),
            (provider.confidence_is_unknown(), WarningCode::ConfidenceUnknown, "no field says how sure the source is"),
            (
                writes_text || !provider.keys_are_closed(),
                WarningCode::TextValues,
                "entries hold free text, which taints turns; declare the possible texts in `closed_sets`",
            ),
        ];
        let shared = self.providers().find(|other| other.id() != provider.id() && other.shares_keys(provider));
        let shared = shared.map(|other| format!("{} can write the same keys", other.id().0));
        let warnings = found.into_iter().filter(|(is_so, ..)| *is_so).map(|(_, code, text)| Warning::new(code, text));
        warnings.chain(shared.map(|text| Warning::new(WarningCode::KeyShared, &text))).collect()
    }

    /// Number of keys a provider has written that are still there.
    #[must_use]
    pub fn keys_of(&self, id: &ProviderId) -> usize {
        self.providers.get(id).map_or(0, |running| running.keys.len())
    }

    /// Statistics of a provider.
    #[must_use]
    pub fn provider_stats(&self, id: &ProviderId) -> Option<&ProviderStats> {
        self.providers.get(id).map(|running| &running.stats)
    }

    /// True for a provider that is paused.
    #[must_use]
    pub fn is_paused(&self, id: &ProviderId) -> bool {
        self.providers.get(id).is_some_and(|running| running.is_paused)
    }

    /// Keys without placeholders, and keys that rules name, that a provider would write and of which there was nothing.
    #[must_use]
    pub fn awaited(&self) -> Vec<Awaited> {
        let literal = |running: &Running| running.provider.template().literal().and_then(|key| Key::new(&key).ok());
        let of_providers = self.providers.values().filter_map(|running| Some((literal(running)?, &*running.provider)));
        let writer = |key: &Key| self.providers().find(|provider| provider.template().can_write(key));
        let of_rules = self.alerts.named_keys().filter_map(|key| Some((key.clone(), writer(key)?)));
        awaited(of_providers.chain(of_rules), &self.slots)
    }

    /// Tells once about each provider from which nothing comes, and again when it has worked in between.
    pub(super) fn note_troubles(&mut self, now: Now, changes: &mut Changes) {
        if now.station.since(self.troubles_at) < TROUBLES_EVERY {
            return;
        }
        self.troubles_at = now.station;
        self.forget_silent_clocks(now, changes);
        for (id, running) in &mut self.providers {
            let trouble = running.stats.trouble(running.provider.max_age(), now.station).filter(|_| !running.is_paused);
            if trouble == std::mem::replace(&mut running.told.trouble, trouble) {
                continue;
            }
            changes.notices.extend(trouble.map(|trouble| match trouble {
                Trouble::RejectsAll => Notice::RejectsAll { provider: id.clone() },
                Trouble::NoSample => Notice::NoSample { provider: id.clone() },
            }));
        }
    }

    /// A source that is silent for long says nothing about its clock any more.
    fn forget_silent_clocks(&mut self, now: Now, changes: &mut Changes) {
        for running in self.providers.values_mut() {
            let clocks = &running.clocks;
            let is_silent = |source: &Arc<str>| {
                clocks.get(source).is_none_or(|clock| now.station.since(clock.last_at) > SILENT_AFTER)
            };
            let known = running.told.skewed.len();
            running.told.skewed.retain(|source, _| !is_silent(source));
            if running.told.skewed.len() < known {
                changes.notices.push(running.clocks_told());
            }
        }
    }

    fn check_unique(&self, provider: &Provider, is_new: bool) -> Result<(), ProviderError> {
        let equal = |(id, running): &(&ProviderId, &Running)| {
            let is_same = *id == provider.id();
            (is_new && is_same) || (!is_same && running.provider.repeats(provider))
        };
        match self.providers.iter().find(equal) {
            Some((id, _)) => {
                let message = format!("the provider exists already as {}", id.0);
                Err(refused(WorldCode::DuplicateContext, message, Some(id.clone())))
            }
            None => Ok(()),
        }
    }

    fn drop_claims(&mut self, id: &ProviderId, keys: BTreeSet<Key>) {
        for key in keys {
            if let Some(slot) = self.slots.get_mut(&key) {
                slot.drop_claims(id);
                // Settled with the next tick, which is due at once: there are no changes to hand on from here.
                self.agenda.plan(&Subject::Key(key), self.reached);
            }
        }
    }
}

impl Reported {
    /// Says that no clock of its sources is off, if it was said that one is.
    fn all_right(&self, provider: &ProviderId) -> Option<Notice> {
        let right = || Notice::SourceClocks { provider: provider.clone(), skewed: 0, worst: None };
        (!self.skewed.is_empty()).then(right)
    }
}

impl Running {
    /// A notice about the clocks of its sources, if one is due.
    pub(super) fn clocks_told(&self) -> Notice {
        let skewed = &self.told.skewed;
        let worst = skewed.iter().max_by_key(|(_, behind_ms)| behind_ms.unsigned_abs());
        let worst = worst.map(|(source, behind_ms)| SkewedClock { source: Arc::clone(source), behind_ms: *behind_ms });
        Notice::SourceClocks { provider: self.provider.id().clone(), skewed: skewed.len(), worst }
    }

    fn new(provider: Provider, at: robot::Instant) -> Self {
        Self {
            provider: Arc::new(provider),
            stats: ProviderStats::starting(at),
            keys: BTreeSet::new(),
            oldest: Vec::new(),
            clocks: BTreeMap::new(),
            fields: None,
            is_paused: false,
            told: Reported::default(),
        }
    }
}

fn not_found(id: &ProviderId) -> ProviderError {
    refused(WorldCode::ContextNotFound, format!("there is no provider {}", id.0), None)
}

fn refused(code: impl Into<Code>, message: String, existing: Option<ProviderId>) -> ProviderError {
    ProviderError { existing, ..ProviderError::of(code, "topic_pattern", message) }
}

#[cfg(test)]
mod tests;
