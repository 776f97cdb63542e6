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

/// The one hand that publishes: each snapshot is made of the one before.
#[derive(Default)]
pub(super) struct Publisher {
    published: Arc<Published>,
}

impl Publisher {
    /// The part that readers take.
    pub fn published(&self) -> Arc<Published> {
        Arc::clone(&self.published)
    }

    /// Publishes `changed`; true if a value differs, or a key came or went.
    pub fn publish(&mut self, changed: &Changed) -> bool {
        let Published { snapshot, history } = &*self.published;
        let mut next = Snapshot::clone(&snapshot.load());
        let differs = next.take_over(changed);
        snapshot.store(Arc::new(next));
        let mut history = lock(history);
        changed.points.iter().for_each(|point| history.push(point.clone()));
        differs
    }
}

impl Published {
    /// The published entries. Waits for nobody.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshot.load_full()
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
