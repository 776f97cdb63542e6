//! The world as everybody but its writers sees it: a map whose next version costs as much as keys have changed.

use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use crate::{Changed, Entry, Key};

/// Entries by key, as they were at one moment. Two snapshots share whatever did not change between them.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    entries: RedBlackTreeMapSync<Key, Arc<Entry>>,
}

impl Snapshot {
    /// Takes over `changed`; true if a value differs, or a key came or went.
    pub fn take_over(&mut self, changed: &Changed) -> bool {
        let mut differs = !changed.removed.is_empty();
        for key in &changed.removed {
            self.entries.remove_mut(key);
        }
        for entry in &changed.entries {
            differs |= self.get(&entry.key).is_none_or(|before| before.value != entry.value);
            self.entries.insert_mut(entry.key.clone(), Arc::clone(entry));
        }
        differs
    }

    /// The entry of `key`.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<&Arc<Entry>> {
        self.entries.get(key)
    }

    /// Every entry, by key.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{Rig, plain};
    use serde_json::json;

    #[test]
    fn ws_14_a_snapshot_never_changes_and_the_next_one_has_what_changed() {
        let mut rig = Rig::with(&[("cp-1", plain("x")), ("cp-2", plain("y"))]);
        let mut next = Snapshot::default();
        let mut send = |id: &str, ms, value, next: &mut Snapshot| {
            let seen = rig.send(id, "lab/x", ms, &json!({"v": value}));
            let changed = Changed { entries: seen.entries, removed: seen.removed, ..Changed::default() };
            next.take_over(&changed)
        };
        assert!(send("cp-1", 0, 1, &mut next) && send("cp-2", 0, 2, &mut next));
        let before = next.clone();
        assert!(!send("cp-1", 1_000, 1, &mut next), "the same value again");
        assert!(send("cp-1", 2_000, 9, &mut next));
        let shown = |snapshot: &Snapshot| {
            let shown = snapshot.entries().map(|entry| format!("{} = {} #{}", entry.key, entry.value, entry.seq));
            shown.collect::<Vec<_>>().join(", ")
        };
        assert_eq!((shown(&before).as_str(), shown(&next).as_str()), ("x = 1 #1, y = 2 #2", "x = 9 #4, y = 2 #2"));
        let gone = Changed { removed: vec![Key::new("x").unwrap()], ..Changed::default() };
        assert!(next.take_over(&gone));
        assert_eq!(shown(&next), "y = 2 #2");
    }
}
