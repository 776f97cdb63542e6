//! The way of a row: envelope and filter, key, value, confidence, stamp and order, claim, rules, interval, shown entry.

use std::collections::BTreeMap;
use std::sync::Arc;

use robot::{Field, Instant, Now, RejectReason, Sample, Scalar, ScalarRef, Scanned};

use super::{FieldOrder, KEYS_MAX, Running, World};
use crate::reading::{Clean, Observed, Reading, is_skewed, observed, read, stamp_ms};
use crate::state::claims::{AcceptedRow, Slot};
use crate::state::source_clock::SourceClock;
use crate::{Changes, HistoryPoint, Key, Notice, PointKind, Provider, ProviderId};

/// The most sources whose clocks are known for one provider; the one silent longest is forgotten.
const SOURCES_MAX: usize = 1_024;

/// Keys that one walk finds to give way, one after the other.
const OLDEST_FOUND_MAX: usize = 256;

/// Memory that one sample after the other uses, so that a usual one allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    key: String,
    readings: Vec<Reading>,
}

/// A sample as the plan of its provider reads it.
struct ReadSample<'a> {
    provider: &'a Provider,
    sample: &'a Sample,
    scanned: &'a Scanned,
    readings: &'a [Reading],
}

impl World {
    /// Takes in one sample for one provider, if it was scanned in the `order` that [`World::set_fields`] gave last; none if
    /// the provider is read in another one by now.
    pub fn apply_in_order(
        &mut self,
        provider: &ProviderId,
        order: FieldOrder,
        sample: &Sample,
        scanned: Result<&Scanned, RejectReason>,
        now: Now,
    ) -> Option<Changes> {
        let is_other = self.providers.get(provider).is_some_and(|running| running.fields != Some(order));
        (!is_other).then(|| self.apply(provider, sample, scanned, now))
    }

    /// Takes in one sample for one provider, decoded by that provider's plan.
    pub fn apply(
        &mut self,
        provider: &ProviderId,
        sample: &Sample,
        scanned: Result<&Scanned, RejectReason>,
        now: Now,
    ) -> Changes {
        let mut changes = self.advance(now);
        let running = self.providers.get_mut(provider).filter(|running| running.receives(sample));
        if let Some(running) = running {
            // Counted before anything is judged: that nothing comes of the samples is what people look for here.
            running.stats.note_sample(sample.received, sample.payload.len());
            let provider = Arc::clone(&running.provider);
            match scanned {
                Ok(scanned) => {
                    // Taken out, because claiming borrows the whole world.
                    let mut workspace = std::mem::take(&mut self.workspace);
                    running.read(&self.slots, scanned, now, &mut workspace);
                    let read = ReadSample { provider: &provider, sample, scanned, readings: &workspace.readings };
                    self.claim_all(&read, now, &mut changes);
                    workspace.readings.clear();
                    self.workspace = workspace;
                }
                Err(reason) => running.stats.note_reject(reason, now.station),
            }
        }
        changes.next_due = self.agenda.next_due();
        changes
    }

    fn claim_all(&mut self, read: &ReadSample<'_>, now: Now, changes: &mut Changes) {
        let ReadSample { provider, sample, scanned, readings } = *read;
        let mono_ms = i64::try_from(sample.received.mono_ms()).unwrap_or(i64::MAX);
        let wall_ahead_ms = *self.wall_ahead_ms.get_or_insert(sample.received_ms.saturating_sub(mono_ms));
        let of_sample = scanned.header.ts_ns.and_then(|stamp| stamp_ms(ScalarRef::Int(stamp))).or(sample.stamp_ms);
        if let Some(running) = self.providers.get_mut(provider.id())
            && let Some(seq) = scanned.header.monotonic_seq
        {
            running.stats.missing += running.clock(&sample.key_expr, changes).missing_before(seq);
        }
        for reading in readings {
            let Some(row) = scanned.rows.get(reading.row) else { continue };
            let Field::Scalar(value) = provider.value(row) else { continue };
            let Some(running) = self.providers.get_mut(provider.id()) else { return };
            let stamp = provider.stamp_ms(row).unwrap_or(of_sample);
            let observed = running.observe(sample, stamp, wall_ahead_ms, changes);
            let value = Clean::of(value);
            let instance = scanned.header.source_instance.as_deref();
            self.claim(
                &AcceptedRow { provider, sample, reading, value: &value, observed: &observed, instance },
                now,
                changes,
            );
        }
    }

    fn claim(&mut self, said: &AcceptedRow<'_>, now: Now, changes: &mut Changes) {
        let (id, key) = (said.provider.id(), &said.reading.key);
        let is_old = |slot: &Slot| slot.has_newer(id, &said.sample.key_expr, &said.observed.order);
        let known = self.slots.get(key);
        if known.is_some_and(is_old) {
            // Too late to be shown, and still part of what happened.
            self.gathered.log(old_point(said, now));
            return self.reject(id, RejectReason::OutOfOrder, now);
        }
        // Only a key that is new to this provider counts against its cap.
        if known.is_none_or(|slot| !slot.is_claimed_by(id)) {
            if !self.make_room(said.provider, key, now, changes) {
                return self.reject(id, RejectReason::KeysCapped, now);
            }
            if let Some(running) = self.providers.get_mut(id) {
                running.keys.insert(key.clone());
            }
        }
        match self.slots.get_mut(key) {
            Some(slot) => slot.put(said),
            None => self.slots.entry(key.clone()).or_default().put(said),
        }
        if let Some(running) = self.providers.get_mut(id) {
            running.stats.note_match();
        }
        self.settle(key, now, changes);
    }

    fn reject(&mut self, id: &ProviderId, reason: RejectReason, now: Now) {
        if let Some(running) = self.providers.get_mut(id) {
            running.stats.note_reject(reason, now.station);
        }
    }

    /// Makes sure that the provider may write `key`: at its cap, or the world's, the key that was observed longest ago
    /// and that no rule names gives way. False if rules name all.
    fn make_room(&mut self, provider: &Provider, key: &Key, now: Now, changes: &mut Changes) -> bool {
        let Some(running) = self.providers.get_mut(provider.id()) else { return false };
        let keys_max = provider.config().max_keys;
        let is_full = running.keys.len() >= usize::try_from(keys_max).unwrap_or(usize::MAX);
        if !running.keys.contains(key) && is_full {
            // Told once, until a person has seen it: keys may come by the million.
            if !std::mem::replace(&mut running.told.too_many_keys, true) {
                changes.notices.push(Notice::TooManyKeys { provider: provider.id().clone(), keys_max });
            }
            let Some(oldest) = self.oldest_of(provider.id()) else { return false };
            self.take_back(provider.id(), &oldest);
            self.settle(&oldest, now, changes);
        }
        if !self.slots.contains_key(key) && self.slots.len() >= KEYS_MAX {
            let Some(oldest) = self.oldest_of_all() else { return false };
            if let Some(slot) = self.slots.get_mut(&oldest) {
                slot.drop_all();
            }
            self.settle(&oldest, now, changes);
        }
        true
    }

    fn take_back(&mut self, id: &ProviderId, key: &Key) {
        if let Some(slot) = self.slots.get_mut(key) {
            slot.drop_claims(id);
        }
        if let Some(running) = self.providers.get_mut(id) {
            running.keys.remove(key);
            running.stats.keys_replaced += 1;
        }
    }

    fn oldest_of(&mut self, id: &ProviderId) -> Option<Key> {
        let mut waiting = std::mem::take(&mut self.providers.get_mut(id)?.oldest);
        let keys = &self.providers.get(id)?.keys;
        let oldest = self.oldest(&mut waiting, keys, |key| keys.contains(key));
        self.providers.get_mut(id)?.oldest = waiting;
        oldest
    }

    fn oldest_of_all(&mut self) -> Option<Key> {
        let mut waiting = std::mem::take(&mut self.oldest);
        let oldest = self.oldest(&mut waiting, self.slots.keys(), |key| self.slots.contains_key(key));
        self.oldest = waiting;
        oldest
    }

    /// The key that was observed longest ago and that no rule names. A walk over all of `keys`, at most 20,000, leaves
    /// the next ones in `waiting`, so that keys that come by the million cost little each.
    fn oldest<'a>(
        &self,
        waiting: &mut Vec<(Instant, Key)>,
        keys: impl IntoIterator<Item = &'a Key>,
        is_one: impl Fn(&Key) -> bool,
    ) -> Option<Key> {
        let observed = |key: &Key| self.slots.get(key).map(Slot::last_observed).unwrap_or_default();
        while let Some((at, key)) = waiting.pop() {
            // A key that was observed again since the walk is not the oldest any more.
            if is_one(&key) && observed(&key) == at && !self.alerts.names(&key) {
                return Some(key);
            }
        }
        let unnamed = keys.into_iter().filter(|key| !self.alerts.names(key));
        let mut found: Vec<(Instant, &Key)> = unnamed.map(|key| (observed(key), key)).collect();
        found.sort_unstable();
        found.truncate(OLDEST_FOUND_MAX);
        waiting.extend(found.into_iter().rev().map(|(at, key)| (at, key.clone())));
        waiting.pop().map(|(_, key)| key)
    }
}

impl Running {
    fn receives(&self, sample: &Sample) -> bool {
        !self.is_paused && !crate::provider::is_command_key(&sample.key_expr)
    }

    /// The readings of one sample, one for each key: of two rows with the same key the surer one counts, then the
    /// first.
    fn read(&mut self, slots: &BTreeMap<Key, Slot>, scanned: &Scanned, now: Now, workspace: &mut Workspace) {
        self.stats.rows += scanned.rows.len() as u64;
        self.stats.rows_cut += scanned.rows_cut as u64;
        let Workspace { key: text, readings } = workspace;
        // A known key is shared, so that a usual row allocates none.
        let known = |text: &str| slots.get_key_value(text).map(|(key, _)| key.clone()).or_else(|| Key::new(text).ok());
        for (index, row) in scanned.rows.iter().enumerate() {
            match read(&self.provider, index, row, text, known) {
                Err(reason) => self.stats.note_reject(reason, now.station),
                Ok(reading) => match readings.iter_mut().find(|other| other.key == reading.key) {
                    Some(other) if reading.confidence.unwrap_or(0.0) > other.confidence.unwrap_or(0.0) => {
                        *other = reading;
                    }
                    Some(_) => {}
                    None => readings.push(reading),
                },
            }
        }
    }

    fn observe(&mut self, sample: &Sample, stamp: Option<i64>, wall_ahead_ms: i64, changes: &mut Changes) -> Observed {
        let max_age_ms = self.provider.max_age_ms();
        let source = &sample.key_expr;
        let clock = self.clock(source, changes);
        let observed = observed(sample, stamp, clock, wall_ahead_ms, max_age_ms);
        if let Some(offset_ms) = clock.offset_ms().filter(|_| stamp.is_some()) {
            let behind_ms = offset_ms.saturating_add(wall_ahead_ms);
            self.note_clock(source, is_skewed(offset_ms, wall_ahead_ms).then_some(behind_ms), changes);
        }
        observed
    }

    /// Notes how far behind ours the clock of a source is if it is off, or that it is not, or that nobody knows any more.
    fn note_clock(&mut self, source: &Arc<str>, behind_ms: Option<i64>, changes: &mut Changes) {
        match behind_ms {
            Some(_) if self.told.skewed.contains_key(source) => return,
            Some(behind_ms) => {
                self.told.skewed.insert(Arc::clone(source), behind_ms);
            }
            None if self.told.skewed.remove(source).is_none() => return,
            None => {}
        }
        changes.notices.push(self.clocks_told());
    }

    fn clock(&mut self, source: &Arc<str>, changes: &mut Changes) -> &mut SourceClock {
        if !self.clocks.contains_key(source) && self.clocks.len() >= SOURCES_MAX {
            let silent =
                self.clocks.iter().min_by_key(|(_, clock)| clock.last_at).map(|(source, _)| Arc::clone(source));
            if let Some(silent) = silent {
                self.clocks.remove(&silent);
                self.note_clock(&silent, None, changes);
            }
        }
        self.clocks.entry(Arc::clone(source)).or_default()
    }
}

/// A row that came too late to be shown, at its own time.
fn old_point(said: &AcceptedRow<'_>, now: Now) -> HistoryPoint {
    HistoryPoint {
        key: said.reading.key.clone(),
        kind: PointKind::Value,
        value: Scalar::from(said.value.value()),
        confidence: said.reading.confidence,
        observed_ms: now.wall_ms_of(said.observed.order.at()),
        received_ms: said.sample.received_ms,
        source: Arc::clone(&said.sample.key_expr),
        provider_id: said.provider.id().clone(),
    }
}

#[cfg(test)]
mod tests;
