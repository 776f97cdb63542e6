//! All beliefs of one agent, found by id, by name, by subject, by age and by when time changes their state.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use world::key_form;

use super::{Belief, BeliefId};

/// The most beliefs an agent may hold.
pub const BELIEFS_MAX: usize = 50_000;

/// One agent's beliefs.
#[derive(Debug, Default)]
pub struct Book {
    by_name: BTreeMap<(Arc<str>, Arc<str>), Arc<Belief>>,
    places: HashMap<BeliefId, Place>,
    /// By the moment of their last change.
    changed: BTreeSet<(i64, BeliefId)>,
    /// The same for each subject, in the form of a key part.
    by_subject: HashMap<String, BTreeSet<(i64, BeliefId)>>,
    /// When time alone changes the state of one.
    crossings: BTreeSet<(i64, BeliefId)>,
}

/// The place of a belief in the other indexes.
#[derive(Debug)]
struct Place {
    name: (Arc<str>, Arc<str>),
    crossing_ms: Option<i64>,
}

impl Book {
    /// Puts a belief in, or a newer form of it in its place. `now_ms` decides which changes of state lie ahead.
    pub fn put(&mut self, belief: Arc<Belief>, now_ms: i64) {
        // A newer form may stand elsewhere in every index; the old places must not outlive it.
        self.remove(belief.id.as_str());
        let name: (Arc<str>, Arc<str>) = (belief.subject.as_str().into(), belief.predicate.as_str().into());
        let changed = (belief.anchor_ms, belief.id.clone());
        if let Some(subject) = key_form(&belief.subject) {
            self.by_subject.entry(subject).or_default().insert(changed.clone());
        }
        self.changed.insert(changed);
        let crossing_ms = belief.next_crossing_ms(now_ms);
        self.crossings.extend(crossing_ms.map(|due_ms| (due_ms, belief.id.clone())));
        self.places.insert(belief.id.clone(), Place { name: name.clone(), crossing_ms });
        self.by_name.insert(name, belief);
    }

    /// Takes a belief out.
    pub fn remove(&mut self, id: &str) -> Option<Arc<Belief>> {
        let Place { name, crossing_ms } = self.places.remove(id)?;
        let belief = self.by_name.remove(&name)?;
        let changed = (belief.anchor_ms, belief.id.clone());
        if let Some(subject) = key_form(&belief.subject)
            && let Some(of_subject) = self.by_subject.get_mut(&subject)
        {
            of_subject.remove(&changed);
            if of_subject.is_empty() {
                self.by_subject.remove(&subject);
            }
        }
        self.changed.remove(&changed);
        if let Some(due_ms) = crossing_ms {
            self.crossings.remove(&(due_ms, belief.id.clone()));
        }
        Some(belief)
    }

    /// The number of beliefs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_name.len()
    }

    /// True if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// The belief with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Arc<Belief>> {
        self.places.get(id).and_then(|place| self.by_name.get(&place.name))
    }

    /// The belief about (subject, predicate).
    #[must_use]
    pub fn named(&self, subject: &str, predicate: &str) -> Option<&Arc<Belief>> {
        self.by_name.get(&(subject.into(), predicate.into()))
    }

    /// Every belief about `subject`, by predicate.
    pub fn about(&self, subject: &str) -> impl Iterator<Item = &Arc<Belief>> {
        let first: (Arc<str>, Arc<str>) = (subject.into(), "".into());
        let subject = Arc::clone(&first.0);
        self.by_name.range(first..).take_while(move |((other, _), _)| *other == subject).map(|(_, belief)| belief)
    }

    /// Every belief, by subject and predicate; with `after`, those that come later than it.
    pub fn after(&self, after: Option<&Belief>) -> impl Iterator<Item = &Arc<Belief>> {
        use std::ops::Bound::{Excluded, Unbounded};
        let start = after.map_or(Unbounded, |belief| {
            Excluded((Arc::from(belief.subject.as_str()), Arc::from(belief.predicate.as_str())))
        });
        self.by_name.range((start, Unbounded)).map(|(_, belief)| belief)
    }

    /// Every belief, the one that changed last first.
    pub fn newest(&self) -> impl Iterator<Item = &Arc<Belief>> {
        self.changed.iter().rev().filter_map(|(_, id)| self.get(id.as_str()))
    }

    /// Beliefs whose subject is `form`, compared as parts of keys are, the one that changed last first.
    pub fn newest_about(&self, form: &str) -> impl Iterator<Item = &Arc<Belief>> {
        let of_subject = self.by_subject.get(form).into_iter().flatten();
        of_subject.rev().filter_map(|(_, id)| self.get(id.as_str()))
    }

    /// When time next changes the state of a belief, Unix milliseconds.
    #[must_use]
    pub fn next_crossing_ms(&self) -> Option<i64> {
        self.crossings.first().map(|(due_ms, _)| *due_ms)
    }

    /// Takes out the beliefs whose state has changed by `now_ms`, each once for each change.
    pub fn take_crossed(&mut self, now_ms: i64) -> Vec<Arc<Belief>> {
        let mut crossed = Vec::new();
        while let Some((due_ms, id)) = self.crossings.first().cloned()
            && due_ms <= now_ms
        {
            self.crossings.pop_first();
            // Removing a belief takes its crossing out too, so there is always one.
            let Some(belief) = self.get(id.as_str()).cloned() else { continue };
            let crossing_ms = belief.next_crossing_ms(now_ms);
            if let Some(place) = self.places.get_mut(id.as_str()) {
                place.crossing_ms = crossing_ms;
            }
            self.crossings.extend(crossing_ms.map(|due_ms| (due_ms, id)));
            crossed.push(belief);
        }
        crossed
    }
}

#[cfg(test)]
mod tests;
