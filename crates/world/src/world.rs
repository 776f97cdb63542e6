//! One agent's tier 0: samples and silence come in, changes go out.

mod fleet;
mod gathered;
mod rows;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use robot::{Instant, Now};

use crate::agenda::{Agenda, Subject};
use crate::alert::{Alerts, Surroundings};
use crate::state::claims::Slot;
use crate::state::source_clock::SourceClock;
use crate::{AlertId, Changes, Entry, Key, Notice, Provider, ProviderId, ProviderStats};

pub use fleet::{Awaited, FieldOrder};
use gathered::Gathered;
pub use gathered::StoredEntry;

/// The most keys an agent's world may have.
const KEYS_MAX: usize = 20_000;

/// The present world, as far as one agent's providers say. Same samples and times, same changes, in the same order.
#[derive(Debug, Default)]
pub struct World {
    providers: BTreeMap<ProviderId, Running>,
    slots: BTreeMap<Key, Slot>,
    alerts: Alerts,
    agenda: Agenda,
    /// Moment up to which time has passed; nothing happens before it.
    reached: Instant,
    seq: u64,
    gathered: Gathered,
    /// Wall clock minus station clock when the first sample came, milliseconds: a wall clock that is set later decides
    /// nothing.
    wall_ahead_ms: Option<i64>,
    /// When the providers were last looked at.
    troubles_at: Instant,
    /// Keys that give way next while the world is full, the oldest last, each with when it was observed.
    oldest: Vec<(Instant, Key)>,
    /// The newest order of fields that a provider was given.
    fields: FieldOrder,
    /// Notices that are given with the next tick.
    owed: Vec<Notice>,
    /// Memory for the rows of one sample.
    workspace: rows::Workspace,
}

/// A provider with what it has seen.
#[derive(Debug)]
struct Running {
    provider: Arc<Provider>,
    stats: ProviderStats,
    /// The keys it has written, at most its `max_keys`.
    keys: BTreeSet<Key>,
    /// Those that give way next while there are so many, the oldest last, each with when it was observed.
    oldest: Vec<(Instant, Key)>,
    clocks: BTreeMap<Arc<str>, SourceClock>,
    /// The order in which its rows hold their fields; none until it is told.
    fields: Option<FieldOrder>,
    is_paused: bool,
    told: Reported,
}

/// Reports about a provider that were made, so that each is made once.
#[derive(Debug, Default)]
struct Reported {
    too_many_keys: bool,
    trouble: Option<crate::Trouble>,
    /// Sources whose clocks are off, each with how far behind ours, milliseconds.
    skewed: BTreeMap<Arc<str>, i64>,
}

impl World {
    /// A world without providers, rules or entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets time pass: freshness, the end of intervals, of `for` and of debounces. Each happens at its own moment,
    /// however late the tick comes.
    pub fn tick(&mut self, now: Now) -> Changes {
        let mut changes = self.advance(now);
        self.note_troubles(now, &mut changes);
        changes.notices.append(&mut self.owed);
        changes.next_due = self.agenda.next_due();
        changes
    }

    /// The shown entries, by key.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.slots.values().filter_map(Slot::shown)
    }

    /// Entries of every source about `key`, shown or not.
    pub fn claims(&self, key: &str) -> impl Iterator<Item = &Entry> {
        self.slots.get(key).into_iter().flat_map(Slot::claims)
    }

    /// The rules that name `key`.
    #[must_use]
    pub fn rules_on(&self, key: &Key) -> &[AlertId] {
        self.alerts.on_key(key)
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
            // What was planned for the past happens now: no rule may see time go back.
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

    /// Brings one key up to `at`: chooses its claim, updates the shown entry, plans the next look and evaluates its
    /// rules.
    fn settle(&mut self, key: &Key, at: Now, changes: &mut Changes) {
        let Some(slot) = self.slots.get_mut(key) else { return };
        let moved = slot.settle(at.station, &mut self.seq);
        if let Some(due) = slot.next_due(at.station) {
            self.agenda.plan(&Subject::Key(key.clone()), due);
        }
        self.gathered.note(key, slot, moved, at);
        if moved.gone {
            self.slots.remove(key);
            // A moment that is left over would be carried out for a later slot of the same key.
            self.agenda.forget(&Subject::Key(key.clone()));
            self.providers.values_mut().for_each(|running| {
                running.keys.remove(key);
            });
        }
        // Last, so that rules see the slots as they are now, without a key that is gone.
        if moved.chosen {
            let mut around = Surroundings { slots: &self.slots, agenda: &mut self.agenda, changes };
            self.alerts.look_at_key(key, &mut around, at);
        }
    }
}

#[cfg(test)]
mod tests;
