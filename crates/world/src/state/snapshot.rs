//! The world as everybody but its writers sees it: a map whose next version costs as much as keys have changed.

use std::sync::Arc;

use robot::Instant;
use rpds::RedBlackTreeMapSync;

use crate::facts::WorldFacts;
use crate::predicate::{Memory, Rule, Truth};
use crate::{Changed, Entry, Freshness, Key};

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

    /// The truth of `rule` at `at`: what is stale, lost or missing is unknown. `memory` is that of an earlier look, if
    /// there was one.
    pub fn truth(&self, rule: &Rule, memory: &mut Memory, at: Instant) -> Truth {
        let find = |key: &Key| self.get(key).map(AsRef::as_ref);
        rule.evaluate(&WorldFacts { keys: rule.names(), find, at }, memory, at)
    }

    /// The values of the keys that `rule` names, in a phrase.
    #[must_use]
    pub fn values(&self, rule: &Rule, at: Instant) -> String {
        let phrase = |key: &Key| match self.get(key) {
            None => format!("{key} is not known"),
            Some(entry) => {
                let age = robot::span_in_words(entry.age_ms(at));
                let is_usable = entry.freshness(at) <= Freshness::Aging;
                let marked = if is_usable { "old" } else { "old, which is too old" };
                format!("{key} is {} ({age} {marked})", entry.value)
            }
        };
        rule.names().iter().map(phrase).collect::<Vec<_>>().join(", ")
    }

    /// Every entry, by key.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{Rig, plain};
    use serde_json::json;

    #[test]
    fn mg_03_a_rule_is_true_of_what_is_fresh_and_unknown_of_what_is_not() {
        let mut rig = Rig::with(&[("cp-1", plain("x"))]);
        let mut snapshot = Snapshot::default();
        let rule = Rule::parse("x > 3 for 2 s").unwrap();
        let mut memory = Memory::of(&rule);
        let at = |ms| Instant::default().plus(std::time::Duration::from_millis(ms));
        assert_eq!(snapshot.truth(&rule, &mut memory, at(0)), Truth::Unknown);
        assert_eq!(snapshot.values(&rule, at(0)), "x is not known");
        let seen = rig.send("cp-1", "lab/x", 0, &json!({"v": 4}));
        snapshot.take_over(&Changed { entries: seen.entries, ..Changed::default() });
        let now = snapshot.get(&Key::new("x").unwrap()).unwrap().received_at;
        let later = |ms| now.plus(std::time::Duration::from_millis(ms));
        assert_eq!(snapshot.truth(&rule, &mut memory, later(0)), Truth::False, "not for two seconds yet");
        assert_eq!(snapshot.truth(&rule, &mut memory, later(2_000)), Truth::True);
        assert!(snapshot.values(&rule, later(2_000)).starts_with("x is 4 ("));
        let stale = later(3_600_000);
        assert_eq!(snapshot.truth(&rule, &mut memory, stale), Truth::Unknown);
        assert!(snapshot.values(&rule, stale).ends_with("too old)"));
    }

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
