//! When silence alone will change something: the moments the ticker has to be there.

use std::collections::{BTreeMap, BTreeSet};

use robot::Instant;

use crate::{AlertId, Key};

/// Whose moment it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    /// A key's freshness, or the end of its interval.
    Key(Key),
    /// A rule's `for`, or the end of its debounce.
    Alert(AlertId),
}

/// At most one planned moment per subject, so it is bounded by the number of keys and rules.
#[derive(Debug, Default)]
pub(crate) struct Agenda {
    queue: BTreeSet<(Instant, Subject)>,
    planned: BTreeMap<Subject, Instant>,
}

impl Agenda {
    /// Makes sure that `subject` is looked at no later than `due`.
    ///
    /// An earlier moment that is planned already stays: deadlines mostly move later, and a subject that is looked at
    /// too early plans anew. A usual write then costs one look-up.
    pub(crate) fn plan(&mut self, subject: &Subject, due: Instant) {
        match self.planned.get_mut(subject) {
            Some(planned) if *planned <= due => {}
            Some(planned) => {
                self.queue.remove(&(*planned, subject.clone()));
                *planned = due;
                self.queue.insert((due, subject.clone()));
            }
            None => {
                self.planned.insert(subject.clone(), due);
                self.queue.insert((due, subject.clone()));
            }
        }
    }

    /// Takes out the earliest moment that is not after `now`.
    pub(crate) fn pop(&mut self, now: Instant) -> Option<(Instant, Subject)> {
        if self.next_due()? > now {
            return None;
        }
        let (due, subject) = self.queue.pop_first()?;
        self.planned.remove(&subject);
        Some((due, subject))
    }

    /// The earliest planned moment.
    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.queue.first().map(|(due, _)| *due)
    }

    /// Takes out whatever is planned for `subject`.
    pub(crate) fn forget(&mut self, subject: &Subject) {
        if let Some(due) = self.planned.remove(subject) {
            self.queue.remove(&(due, subject.clone()));
        }
    }
}
