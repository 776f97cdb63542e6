//! Events that need no answer: the newest ones of the station and of each agent. They are listed from memory and
//! written in batches, so that reporting one waits for no disk.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use memory::forget::Needles;
use memory::{AgentDb, MemoryError, StationDb, StoredEvent};
use robot::AgentId;

use crate::lock::lock;
use crate::wire::EventRow;
use crate::writers::Writers;

/// Events that are kept of the station, and of each agent.
pub const EVENTS_MAX: usize = 1_000;
/// Bytes of their sentences together: one that quotes sensors may be long.
const SENTENCES_MAX: usize = 1 << 20;

/// The newest events, by owner.
#[derive(Debug, Default)]
pub struct Events {
    kept: Mutex<Kept>,
    writers: Writers,
}

#[derive(Debug, Default)]
struct Kept {
    /// Null for the station.
    by_owner: BTreeMap<Option<AgentId>, Owned>,
    /// Of the newest event.
    seq: u64,
}

/// The events of one owner, by number.
#[derive(Debug, Default)]
struct Owned {
    events: BTreeMap<u64, StoredEvent>,
    sentences: usize,
    /// Those that are not on disk as they are.
    unsaved: BTreeSet<u64>,
}

/// The changes of one database.
#[derive(Default)]
struct Batch {
    events: Vec<StoredEvent>,
    kept: Vec<u64>,
}

impl Events {
    /// Keeps that something happened. What has just happened already is counted.
    pub fn note(&self, agent: Option<&AgentId>, code: &str, sentence: &str, at_ms: i64) {
        let mut kept = lock(&self.kept);
        kept.seq += 1;
        let seq = kept.seq;
        let owned = kept.by_owner.entry(agent.cloned()).or_default();
        // A repeated event keeps one row with a count, and pushes no other out.
        let is_again = |newest: &StoredEvent| newest.code == code && newest.sentence == sentence;
        let again = owned.events.last_key_value().filter(|(_, newest)| is_again(newest)).map(|(seq, _)| *seq);
        let before = again.and_then(|seq| owned.remove(seq)).map_or(0, |event| event.count);
        let (code, sentence) = (code.to_owned(), sentence.to_owned());
        owned.keep(StoredEvent { seq, at_ms, code, sentence, count: before + 1 });
        owned.unsaved.insert(seq);
    }

    /// At most `limit` events, newest first, before the one numbered `after`; those of owners for which `is_for` holds.
    pub fn rows(&self, after: Option<u64>, limit: usize, is_for: impl Fn(Option<&AgentId>) -> bool) -> Vec<EventRow> {
        let kept = lock(&self.kept);
        let mut rows: Vec<EventRow> = Vec::new();
        for (agent, owned) in kept.by_owner.iter().filter(|(agent, _)| is_for(agent.as_ref())) {
            let older = owned.events.range(..after.unwrap_or(u64::MAX)).rev().take(limit);
            rows.extend(older.map(|(_, event)| row(agent.clone(), event)));
        }
        drop(kept);
        rows.sort_unstable_by_key(|row| std::cmp::Reverse(row.seq));
        rows.truncate(limit);
        rows
    }

    /// Takes up the `events` that earlier runs have left of the station, or of an agent. What is known already stays.
    pub fn take_up(&self, agent: Option<&AgentId>, events: Vec<StoredEvent>) {
        let mut kept = lock(&self.kept);
        kept.seq = kept.seq.max(events.last().map_or(0, |newest| newest.seq));
        let owned = kept.by_owner.entry(agent.cloned()).or_default();
        events.into_iter().for_each(|event| owned.keep(event));
    }

    /// Has every event of `agent` written again, into a database that a backup has replaced.
    pub fn put_back(&self, agent: &AgentId) {
        if let Some(owned) = lock(&self.kept).by_owner.get_mut(&Some(agent.clone())) {
            owned.unsaved = owned.events.keys().copied().collect();
        }
    }

    /// Takes forgotten texts out of the events of `agent`; no batch that held them is written after this.
    pub async fn forget(&self, agent: &AgentId, needles: &Needles, mark: &str) {
        if let Some(owned) = lock(&self.kept).by_owner.get_mut(&Some(agent.clone())) {
            owned.forget(needles, mark);
        }
        // A batch that was taken before may hold the text; once it is this turn, its write is over.
        drop(self.writers.turn(Some(agent)).await);
    }

    /// The owners of events that wait for their disk.
    pub fn unsaved(&self) -> Vec<Option<AgentId>> {
        let kept = lock(&self.kept);
        let waiting = kept.by_owner.iter().filter(|(_, owned)| !owned.unsaved.is_empty());
        waiting.map(|(owner, _)| owner.clone()).collect()
    }

    /// The owners among [`Self::unsaved`] whose database is not being written just now.
    pub fn due(&self) -> Vec<Option<AgentId>> {
        self.writers.idle(self.unsaved())
    }

    /// Writes the events of the station since the last time. What
    /// the disk does not take is written with the next batch.
    pub async fn save(&self, db: &StationDb) {
        let _turn = self.writers.turn(None).await;
        let batch = self.take_unsaved(None);
        self.note_saved(None, &batch, db.save_events(&batch.events, &batch.kept).await);
    }

    /// Writes the events of `agent` since the last time, as [`Self::save`] does.
    pub async fn save_of(&self, agent: &AgentId, db: &AgentDb) {
        let _turn = self.writers.turn(Some(agent)).await;
        let batch = self.take_unsaved(Some(agent));
        self.note_saved(Some(agent), &batch, db.save_events(&batch.events, &batch.kept).await);
    }

    fn take_unsaved(&self, owner: Option<&AgentId>) -> Batch {
        lock(&self.kept).by_owner.get_mut(&owner.cloned()).map(Owned::take_unsaved).unwrap_or_default()
    }

    fn note_saved(&self, owner: Option<&AgentId>, batch: &Batch, saved: Result<(), MemoryError>) {
        let Err(error) = saved else { return };
        tracing::warn!(error = &error as &dyn std::error::Error, "events wait for the disk");
        if let Some(owned) = lock(&self.kept).by_owner.get_mut(&owner.cloned()) {
            let still_kept = batch.events.iter().map(|event| event.seq).filter(|seq| owned.events.contains_key(seq));
            owned.unsaved.extend(still_kept);
        }
    }
}

impl Owned {
    fn keep(&mut self, event: StoredEvent) {
        self.sentences += event.sentence.len();
        self.events.insert(event.seq, event);
        // The newest stays, even one that is longer than all may be together.
        while (self.events.len() > EVENTS_MAX || self.sentences > SENTENCES_MAX) && self.events.len() > 1 {
            let oldest = self.events.first_key_value().map(|(seq, _)| *seq);
            oldest.and_then(|seq| self.remove(seq));
        }
    }

    fn remove(&mut self, seq: u64) -> Option<StoredEvent> {
        let removed = self.events.remove(&seq)?;
        self.sentences -= removed.sentence.len();
        self.unsaved.remove(&seq);
        Some(removed)
    }

    fn forget(&mut self, needles: &Needles, mark: &str) {
        for event in self.events.values_mut() {
            if let Some(kept) = needles.replaced(&event.sentence, mark) {
                self.sentences = self.sentences - event.sentence.len() + kept.len();
                event.sentence = kept;
                self.unsaved.insert(event.seq);
            }
        }
    }

    fn take_unsaved(&mut self) -> Batch {
        let unsaved = std::mem::take(&mut self.unsaved);
        let events = unsaved.iter().filter_map(|seq| self.events.get(seq).cloned()).collect();
        Batch { events, kept: self.events.keys().copied().collect() }
    }
}

fn row(agent: Option<AgentId>, event: &StoredEvent) -> EventRow {
    let StoredEvent { seq, at_ms, code, sentence, count } = event;
    let happened_at = at_ms.div_euclid(1_000);
    EventRow { seq: *seq, agent, happened_at, code: code.clone(), sentence: sentence.clone(), count: *count }
}

#[cfg(test)]
mod tests;
