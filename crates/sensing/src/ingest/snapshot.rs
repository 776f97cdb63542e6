//! The published part of a world: the snapshot that readers take, and the last points of every key.

use std::sync::{Arc, Mutex};

use arc_swap::ArcSwap;
use memory::forget::Needles;
use world::{Changed, History, HistoryPoint, Key, Snapshot};

use runtime::lock::lock;

/// The published snapshot, and the history.
#[derive(Default)]
pub struct Published {
    snapshot: ArcSwap<Snapshot>,
    /// Written by who publishes, never by a receive thread.
    history: Mutex<History>,
}

impl Published {
    /// The published entries. Waits for nobody.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshot.load_full()
    }

    /// Publishes `changed`; true if a value differs, or a key came or went. Only one may publish at a time.
    pub fn publish(&self, changed: &Changed) -> bool {
        let mut next = Snapshot::clone(&self.snapshot.load());
        let differs = next.take_over(changed);
        self.snapshot.store(Arc::new(next));
        let mut history = lock(&self.history);
        changed.points.iter().for_each(|point| history.push(point.clone()));
        differs
    }

    /// Drops the points that hold a forgotten text.
    pub fn forget(&self, needles: &Needles) {
        lock(&self.history).forget(|text| needles.is_in(text));
    }

    /// The points of `key` that are kept here, oldest first.
    pub fn history(&self, key: &Key) -> Vec<Arc<HistoryPoint>> {
        lock(&self.history).of(key.as_str()).cloned().collect()
    }
}
