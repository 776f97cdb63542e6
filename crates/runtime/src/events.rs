//! Events that need no answer: the newest ones of the station and of each agent. They are listed from memory and
//! written in batches, so that reporting one waits for no disk.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use memory::forget::Needles;
use memory::{AgentDb, StationDb, StoredEvent};
use robot::AgentId;

use crate::lock::lock;
use crate::wire::EventRow;

/// Events that are kept of the station, and of each agent.
pub const EVENTS_MAX: usize = 1_000;
/// Bytes of their sentences together: one that quotes sensors may be long.
const SENTENCES_MAX: usize = 1 << 20;

/// The newest events, by owner.
#[derive(Debug, Default)]
pub struct Events {
    kept: Mutex<Kept>,
    /// Held while a batch is written.
    saving: tokio::sync::Mutex<()>,
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
        drop(self.saving.lock().await);
    }

    fn unsaved(&self) -> Vec<(Option<AgentId>, Batch)> {
        let mut kept = lock(&self.kept);
        let changed = kept.by_owner.iter_mut().filter(|(_, owned)| !owned.unsaved.is_empty());
        changed.map(|(agent, owned)| (agent.clone(), owned.take_unsaved())).collect()
    }

    fn mark_unsaved(&self, agent: Option<&AgentId>, events: &[StoredEvent]) {
        if let Some(owned) = lock(&self.kept).by_owner.get_mut(&agent.cloned()) {
            let still_kept = events.iter().map(|event| event.seq).filter(|seq| owned.events.contains_key(seq));
            owned.unsaved.extend(still_kept);
        }
    }

    /// Writes the events since the last time: `db` is the station's database, `db_of` gives an agent's. Events that the
    /// disk does not take, or of an agent that is just being made, are written with the next batch.
    pub async fn save(&self, db: &StationDb, db_of: impl Fn(&AgentId) -> Option<AgentDb>) {
        let _saving = self.saving.lock().await;
        for (agent, batch) in self.unsaved() {
            let saved = match agent.as_ref().map(&db_of) {
                None => db.save_events(&batch.events, &batch.kept).await,
                Some(Some(db)) => db.save_events(&batch.events, &batch.kept).await,
                Some(None) => {
                    self.mark_unsaved(agent.as_ref(), &batch.events);
                    continue;
                }
            };
            if let Err(error) = saved {
                tracing::warn!(error = &error as &dyn std::error::Error, "events wait for the disk");
                self.mark_unsaved(agent.as_ref(), &batch.events);
            }
        }
    }
}

impl Owned {
    fn keep(&mut self, event: StoredEvent) {
        self.sentences += event.sentence.len();
        self.events.insert(event.seq, event);
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
