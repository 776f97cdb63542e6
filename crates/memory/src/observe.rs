//! Values of the world state confirm or contradict beliefs. They never make a belief and never replace its value.
//!
//! A sensor at 10 Hz and one at 0.01 Hz move a belief alike: a belief is confirmed at most once in five minutes, and
//! contradicted once the other value has been shown for two seconds, then at most once in five minutes.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use robot::{Instant, Now, Trust};
use world::{Entry, Flags, Freshness, Key, key_form};

use crate::belief::{Author, Belief, BeliefId, Book, Change, ConfirmedBy, Evidence, Seen};

/// One confirmation, and one contradiction, of a belief in this time.
const ONCE_IN: Duration = Duration::from_secs(5 * 60);
/// The least time for which another value must have been shown before it contradicts.
const SHOWN_FOR: Duration = Duration::from_secs(2);
/// A value less sure than this says nothing.
const CONFIDENCE_MIN: f64 = 0.5;

/// The beliefs that each world key speaks about.
#[derive(Debug, Default)]
pub struct Watched {
    by_key: HashMap<Key, BTreeSet<BeliefId>>,
    by_names: HashMap<String, BTreeSet<BeliefId>>,
}

/// Times of the last confirmation and contradiction of a belief by the world state, and the other value shown now.
#[derive(Debug, Default)]
struct Memory {
    confirmed_at: Option<Instant>,
    contradicted_at: Option<Instant>,
    /// The other value that is shown now, and since when any other value has been.
    other: Option<(Instant, Arc<Entry>)>,
}

/// The engine: takes values of the world state and gives the changes of beliefs that follow.
#[derive(Debug, Default)]
pub struct Observer {
    memories: HashMap<BeliefId, Memory>,
    /// When a contradiction may be due.
    due: BTreeSet<(Instant, BeliefId)>,
}

impl Watched {
    /// Notes which key speaks about `belief`: the one it names, else the one its own names make.
    pub fn add(&mut self, belief: &Belief) {
        match (&belief.observes, names_of_belief(belief)) {
            (Some(key), _) => self.by_key.entry(key.clone()).or_default().insert(belief.id.clone()),
            (None, Some(names)) => self.by_names.entry(names).or_default().insert(belief.id.clone()),
            (None, None) => false,
        };
    }

    /// Takes that back.
    pub fn remove(&mut self, belief: &Belief) {
        if let Some(key) = &belief.observes
            && let Some(ids) = self.by_key.get_mut(key)
        {
            ids.remove(&belief.id);
            if ids.is_empty() {
                self.by_key.remove(key);
            }
        }
        if let Some(names) = names_of_belief(belief)
            && let Some(ids) = self.by_names.get_mut(&names)
        {
            ids.remove(&belief.id);
            if ids.is_empty() {
                self.by_names.remove(&names);
            }
        }
    }

    /// The beliefs `key` speaks about.
    #[must_use]
    pub fn by(&self, key: &Key) -> Vec<BeliefId> {
        let found = self.by_key.get(key).or_else(|| {
            let names = names_of_key(key)?;
            self.by_names.get(names.as_str())
        });
        found.into_iter().flatten().cloned().collect()
    }

    /// True if `key` speaks about any belief.
    #[must_use]
    pub fn has(&self, key: &Key) -> bool {
        let by_names = || names_of_key(key).is_some_and(|names| self.by_names.contains_key(names.as_str()));
        !(self.by_key.is_empty() && self.by_names.is_empty()) && (self.by_key.contains_key(key) || by_names())
    }
}

impl Observer {
    /// Takes over the times in a stored belief, after a start: a restart shortens no interval.
    pub fn know(&mut self, belief: &Belief, now: Now) {
        let at = |ms: i64| {
            // A wall clock that was set back counts as no time passed: the interval is waited for once
            // more at most.
            let ago_ms = u64::try_from(now.wall_ms.saturating_sub(ms)).unwrap_or(0);
            let ago = Duration::from_millis(ago_ms);
            (ago < ONCE_IN).then(|| now.station.minus(ago))
        };
        let is_sensed = belief.confirmed_by == ConfirmedBy::Sensor;
        let is_contradicted = belief.dispute.value.is_some();
        let memory = Memory {
            confirmed_at: at(belief.last_confirmed_ms).filter(|_| is_sensed),
            contradicted_at: at(belief.anchor_ms).filter(|_| is_contradicted),
            other: None,
        };
        if memory.confirmed_at.is_some() || memory.contradicted_at.is_some() {
            self.memories.insert(belief.id.clone(), memory);
        }
    }

    /// Forgets what it knows of a belief that is gone, or holds another value now.
    pub fn forget(&mut self, id: &BeliefId) {
        // A tick that is due finds nothing to say then.
        self.memories.remove(id);
    }

    /// An entry of the world was shown, or shown again. Gives what that does to `belief` at once; another value does
    /// something only after a while, see [`Observer::tick`].
    pub fn observe(&mut self, belief: &Belief, entry: &Arc<Entry>, now: Now) -> Option<Change> {
        let seen = if counts(entry, now.station) {
            belief.kind.compare(&belief.value, &entry.value.to_string())
        } else {
            Seen::Neutral
        };
        match seen {
            Seen::Neutral => {
                // A value that says nothing now does not go on contradicting.
                self.end_other(&belief.id);
                None
            }
            Seen::Confirms => {
                self.end_other(&belief.id);
                let memory = self.memories.entry(belief.id.clone()).or_default();
                if memory.confirmed_at.is_some_and(|at| now.station.since(at) < ONCE_IN) {
                    return None;
                }
                memory.confirmed_at = Some(now.station);
                Some(belief.confirm(&author(entry, now), now.wall_ms))
            }
            Seen::Contradicts => {
                let memory = self.memories.entry(belief.id.clone()).or_default();
                let shown_at = entry.received_at.max(entry.changed_at);
                // Counted from the first other value, so that a source that alternates between two of
                // them contradicts as well.
                let since = memory.other.as_ref().map_or(shown_at, |(since, _)| *since);
                memory.other = Some((since, Arc::clone(entry)));
                let after_last = memory.contradicted_at.map_or(since, |at| at.plus(ONCE_IN));
                self.due.insert((since.plus(SHOWN_FOR).max(after_last), belief.id.clone()));
                None
            }
        }
    }

    /// Contradictions that are due by now, in the order in which they came due.
    pub fn tick(&mut self, book: &Book, now: Now) -> Vec<Change> {
        let mut changes = Vec::new();
        while let Some((due, _)) = self.due.first()
            && *due <= now.station
            && let Some((_, id)) = self.due.pop_first()
        {
            let Some(memory) = self.memories.get_mut(&id) else { continue };
            let Some((since, entry)) = memory.other.as_ref() else { continue };
            // Entries of the queue are not taken back: one may stem from a value that has ended since, and a later
            // one has the time of the value that is shown now.
            let is_early = now.station.since(*since) < SHOWN_FOR;
            if is_early || memory.contradicted_at.is_some_and(|at| now.station.since(at) < ONCE_IN) {
                continue;
            }
            // The other value went stale or unsure meanwhile, and silence contradicts nothing.
            if !counts(entry, now.station) {
                memory.other = None;
                continue;
            }
            let Some(belief) = book.get(id.as_str()) else { continue };
            memory.contradicted_at = Some(now.station);
            changes.push(belief.contradict(&entry.value.to_string(), &author(entry, now), now.wall_ms));
            // The value may go on being shown without a further write that would plan the next look.
            self.due.insert((now.station.plus(ONCE_IN), id));
        }
        changes
    }

    /// When [`Observer::tick`] has something to look at.
    #[must_use]
    pub fn next_due(&self) -> Option<Instant> {
        self.due.first().map(|(due, _)| *due)
    }

    fn end_other(&mut self, id: &BeliefId) {
        if let Some(memory) = self.memories.get_mut(id) {
            memory.other = None;
        }
    }
}

/// True if an entry is certain and recent enough to confirm or contradict.
fn counts(entry: &Entry, at: Instant) -> bool {
    let is_sure = match entry.confidence {
        Some(confidence) => confidence >= CONFIDENCE_MIN,
        // Numbers and closed words without a confidence are measurements; free text without one is
        // anybody's claim.
        None => entry.trust != Trust::Text,
    };
    let Flags { late, restored, paused, contested, .. } = entry.flags;
    is_sure && entry.freshness(at) == Freshness::Live && !(late || restored || paused || contested)
}

fn author(entry: &Entry, now: Now) -> Author {
    let by = match entry.trust {
        Trust::Trusted | Trust::Typed => ConfirmedBy::Sensor,
        Trust::Text => ConfirmedBy::External,
    };
    let evidence = Evidence::of_entry(entry, entry.observed_ms(now));
    Author { by, name: entry.key.to_string(), evidence: Some(evidence) }
}

/// `subject.predicate` with both in the form of key parts; none if a key could not have them.
fn names_of_belief(belief: &Belief) -> Option<String> {
    let (subject, predicate) = (key_form(&belief.subject)?, key_form(&belief.predicate)?);
    Some(format!("{subject}.{predicate}"))
}

/// The same of a key: all parts but the last are the subject. A key of one part has no subject.
fn names_of_key(key: &Key) -> Option<String> {
    let (subject, predicate) = key.as_str().rsplit_once('.')?;
    Some(format!("{}.{predicate}", subject.replace('.', "_")))
}

#[cfg(test)]
mod tests;
