//! The world as everybody but its writers sees it: a snapshot that costs as much to renew as keys have changed.

use std::sync::{Arc, Mutex};

use arc_swap::ArcSwap;
use rpds::RedBlackTreeMapSync;
use world::{Changed, Entry, History, HistoryPoint, Key};

use crate::lock::lock;

/// Entries by key. Two snapshots share whatever did not change between them.
pub(crate) type Entries = RedBlackTreeMapSync<Key, Arc<Entry>>;

/// The published snapshot, and the last points of every key.
#[derive(Default)]
pub(crate) struct Board {
    entries: ArcSwap<Entries>,
    /// Written by who publishes, never by a receive thread.
    history: Mutex<History>,
}

impl Board {
    /// What is published now. Waits for nobody.
    pub(crate) fn entries(&self) -> Arc<Entries> {
        self.entries.load_full()
    }

    /// Publishes `changed`; true if a value differs, or a key came or went. Only one may publish at a time.
    pub(crate) fn publish(&self, changed: &Changed) -> bool {
        let mut entries = Entries::clone(&self.entries.load());
        let mut differs = !changed.removed.is_empty();
        for key in &changed.removed {
            entries.remove_mut(key);
        }
        for entry in &changed.entries {
            differs |= entries.get(&entry.key).is_none_or(|before| before.value != entry.value);
            entries.insert_mut(entry.key.clone(), Arc::clone(entry));
        }
        self.entries.store(Arc::new(entries));
        let mut history = lock(&self.history);
        changed.points.iter().for_each(|point| history.push(point.clone()));
        differs
    }

    /// The points of `key` that are kept here, oldest first.
    pub(crate) fn history(&self, key: &Key) -> Vec<Arc<HistoryPoint>> {
        lock(&self.history).of(key.as_str()).cloned().collect()
    }
}
