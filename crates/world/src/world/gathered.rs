//! Changes since somebody asked: kept small here, so that a sample costs the receive thread next to nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use robot::{MissionId, Now, Scalar, Trust, word};
use serde::{Deserialize, Serialize};

use super::World;
use crate::state::claims::{Moved, Slot};
use crate::{AgeBasis, Changed, Entry, Flags, HistoryPoint, Key, PointKind, ProviderId, ValueOrigin};

/// Points that wait to be asked for; a second of a hundred thousand changes.
const POINTS_WAITING_MAX: usize = 100_000;

/// Keys whose change nobody has asked for yet, and the history made since.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// Each key once: the slot remembers that it is here.
    keys: Vec<Key>,
    points: Vec<HistoryPoint>,
    conflated: u64,
    points_lost: u64,
}

/// An entry as it is stored: all times are of the wall clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredEntry {
    /// Its name.
    pub key: Key,
    /// Value that the source sent.
    pub value: Scalar,
    /// 0 to 1; none is unknown.
    pub confidence: Option<f64>,
    /// The unit the provider declares.
    pub unit: Option<Arc<str>>,
    /// Typed or text.
    pub trust: Trust,
    /// Measured or estimated.
    pub origin: ValueOrigin,
    /// When it was observed.
    pub observed_ms: i64,
    /// When it arrived.
    pub received_ms: i64,
    /// The source's own stamp.
    pub source_ms: Option<i64>,
    /// The clock from which the age was counted.
    pub age_basis: AgeBasis,
    /// Age beyond which it is stale.
    pub max_age_ms: u64,
    /// The key expression it came from.
    pub source: Arc<str>,
    /// Instance of the source.
    pub instance: Option<Arc<str>>,
    /// The provider that made it.
    pub provider_id: ProviderId,
    /// The mission of that provider.
    pub mission_id: Option<MissionId>,
    /// Its anomalies, a bit each.
    #[serde(with = "crate::state::entry::flag_bits")]
    pub flags: Flags,
    /// When the value last differed.
    pub changed_ms: i64,
    /// The change it was.
    pub seq: u64,
}

impl Entry {
    /// The entry as it is stored.
    #[must_use]
    pub fn stored(&self, now: Now) -> StoredEntry {
        StoredEntry {
            key: self.key.clone(),
            value: self.value.clone(),
            confidence: self.confidence,
            unit: self.unit.clone(),
            trust: self.trust,
            origin: self.origin,
            observed_ms: self.observed_ms(now),
            received_ms: self.received_ms,
            source_ms: self.source_ms,
            age_basis: self.age_basis,
            max_age_ms: self.max_age_ms,
            source: Arc::clone(&self.source),
            instance: self.instance.clone(),
            provider_id: self.provider.clone(),
            mission_id: self.mission.clone(),
            flags: self.flags,
            changed_ms: now.wall_ms_of(self.changed_at),
            seq: self.seq,
        }
    }
}

impl StoredEntry {
    /// The entry as it is after a restart: never live, and as old as the wall clock says. A wall clock behind the
    /// stored time says nothing, so the entry is lost.
    fn restored(self, now: Now) -> Entry {
        let age_ms = u64::try_from(now.wall_ms.saturating_sub(self.observed_ms));
        let lost_ms = crate::state::freshness::lost_after_ms(self.max_age_ms).saturating_add(1);
        Entry {
            key: self.key,
            value: self.value,
            unit: self.unit,
            confidence: self.confidence,
            // The station clock begins anew with the computer, so that the age before this run is kept apart.
            observed_at: now.station,
            source_ms: self.source_ms,
            received_at: now.station,
            received_ms: self.received_ms,
            sample_n: None,
            age_basis: self.age_basis,
            max_age_ms: self.max_age_ms,
            source: self.source,
            instance: self.instance,
            provider: self.provider_id,
            mission: self.mission_id,
            origin: self.origin,
            trust: self.trust,
            changed_at: now.station,
            seq: self.seq,
            // Both depend on sources and missions of this run.
            flags: Flags { restored: true, contested: false, paused: false, ..self.flags },
            lost_source: false,
            age_before_ms: age_ms.unwrap_or(lost_ms),
        }
    }
}

impl World {
    /// Drops whatever holds a text that `says` knows: what sources claim, what is shown, and the history nobody has
    /// asked for yet. A source that says it again is heard again.
    pub fn forget(&mut self, says: impl Fn(&str) -> bool, now: Now) -> crate::Changes {
        let mut changes = self.advance(now);
        self.gathered.points.retain(|point| !point.says(&says));
        let said = self.slots.iter_mut().filter_map(|(key, slot)| slot.forget(&says).then(|| key.clone()));
        for key in said.collect::<Vec<_>>() {
            self.settle(&key, now, &mut changes);
        }
        changes.next_due = self.agenda.next_due();
        changes
    }

    /// Everything that has changed since the last call.
    pub fn take_changed(&mut self) -> Changed {
        let gathered = std::mem::take(&mut self.gathered);
        let mut changed = Changed {
            points: gathered.points,
            conflated: gathered.conflated,
            points_lost: gathered.points_lost,
            ..Changed::default()
        };
        for key in gathered.keys {
            match self.slots.get_mut(&key) {
                Some(slot) => {
                    slot.is_noted = false;
                    changed.entries.extend(slot.shown().cloned());
                }
                None => changed.removed.push(key),
            }
        }
        changed
    }

    /// Takes in what an earlier run left: never live, seen by no rule as fresh. What runs already wins.
    pub fn restore(&mut self, stored: impl IntoIterator<Item = StoredEntry>, now: Now) {
        for stored in stored.into_iter().take(super::KEYS_MAX) {
            self.seq = self.seq.max(stored.seq);
            let entry = stored.restored(now);
            let key = entry.key.clone();
            self.slots.entry(key.clone()).or_insert_with(|| Slot::restored(entry, now.station));
            self.settle(&key, now, &mut crate::Changes::default());
            if let Some(slot) = self.slots.get_mut(&key) {
                self.gathered.note_key(&key, slot, false);
            }
        }
    }
}

impl Gathered {
    pub(super) fn note(&mut self, key: &Key, slot: &mut Slot, moved: Moved, at: Now) {
        if !(moved.shown || moved.freshness || moved.gone) {
            return;
        }
        self.note_key(key, slot, moved.shown);
        if let Some(entry) = slot.shown() {
            if moved.value {
                self.log(point(entry, PointKind::Value, None, at));
            }
            if moved.freshness {
                let freshness = Scalar::Text(word(&entry.freshness(at.station)));
                self.log(point(entry, PointKind::Freshness, Some(freshness), at));
            }
            if moved.contest {
                let contested = Scalar::Bool(entry.flags.contested);
                self.log(point(entry, PointKind::Contest, Some(contested), at));
            }
        }
    }

    /// Queues `key` for the next reader of changes.
    fn note_key(&mut self, key: &Key, slot: &mut Slot, is_newer: bool) {
        if slot.is_noted {
            self.conflated += u64::from(is_newer);
        } else {
            slot.is_noted = true;
            self.keys.push(key.clone());
        }
    }

    /// Adds a point of the history that no entry shows.
    pub(super) fn log(&mut self, point: HistoryPoint) {
        // The reader has stalled. The receive thread counts the loss here instead of using more and more memory.
        if self.points.len() >= POINTS_WAITING_MAX {
            self.points_lost += 1;
            return;
        }
        self.points.push(point);
    }
}

fn point(entry: &Entry, kind: PointKind, value: Option<Scalar>, at: Now) -> HistoryPoint {
    let is_value = value.is_none();
    let wall_ms = at.wall_ms_of(at.station);
    HistoryPoint {
        key: entry.key.clone(),
        kind,
        value: value.unwrap_or_else(|| entry.value.clone()),
        confidence: entry.confidence,
        observed_ms: if is_value { entry.observed_ms(at) } else { wall_ms },
        received_ms: if is_value { entry.received_ms } else { wall_ms },
        source: Arc::clone(&entry.source),
        provider_id: entry.provider.clone(),
    }
}

/// Keys that ought to have an entry and have none.
pub(super) fn awaited<'a>(
    keys: impl Iterator<Item = (Key, &'a crate::Provider)>,
    slots: &BTreeMap<Key, Slot>,
) -> Vec<super::Awaited> {
    let mut awaited: BTreeMap<Key, super::Awaited> = BTreeMap::new();
    for (key, provider) in keys.filter(|(key, _)| !slots.contains_key(key)) {
        awaited.entry(key.clone()).or_insert_with(|| super::Awaited {
            key,
            provider: provider.id().clone(),
            source: provider.config().topic_pattern.as_str().into(),
        });
    }
    awaited.into_values().collect()
}

#[cfg(test)]
mod tests;
