//! The same call again and again: a model that goes in circles is stopped before its budget is.

use serde::{Deserialize, Serialize};

use super::admit::RawCall;
use crate::{Repeat, RepeatBy};

/// A note to oneself may follow another.
const EXEMPT: &str = "think";

/// The newest call and how often in a row it was made, over the whole turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Streak {
    name: String,
    args_raw: String,
    same: u32,
    named: u32,
    /// Calls that were not run because they gave nothing new.
    #[serde(default)]
    refused: u32,
}

/// After so many of them a model has no tools any more: what it asks for is there.
const REFUSED_MAX: u32 = 2;

impl Streak {
    /// Counts a call; the reason if it is not to run.
    pub fn count(&mut self, raw: &RawCall, repeat: &Repeat) -> Result<(), String> {
        if raw.name == EXEMPT {
            return Ok(());
        }
        let is_named = self.name == raw.name;
        let is_same = is_named && self.args_raw == raw.args_raw;
        self.named = if is_named { self.named.saturating_add(1) } else { 1 };
        self.same = if is_same { self.same.saturating_add(1) } else { 1 };
        self.name.clone_from(&raw.name);
        self.args_raw.clone_from(&raw.args_raw);
        let refusal = match repeat.by {
            RepeatBy::Name if self.named >= repeat.block => {
                Some(format!("not run: {} {} times in a row; do something else", raw.name, self.named))
            }
            // The very same call goes in circles in every design.
            RepeatBy::Off | RepeatBy::Queries | RepeatBy::Arguments if self.same >= repeat.block => {
                Some(format!("not run: the same call {} times in a row gives the same answer", self.same))
            }
            RepeatBy::Off | RepeatBy::Name | RepeatBy::Queries | RepeatBy::Arguments => None,
        };
        // A call that runs is a way out of the circle.
        self.refused = if refusal.is_some() { self.refused.saturating_add(1) } else { 0 };
        refusal.map_or(Ok(()), Err)
    }

    /// The call that a model makes again and again, although it was refused more than once.
    pub fn circling(&self) -> Option<(&str, &str)> {
        (self.refused >= REFUSED_MAX).then_some((self.name.as_str(), self.args_raw.as_str()))
    }

    /// Hint to the model about a tool that it calls without end.
    pub fn hint(&self, repeat: &Repeat) -> Option<String> {
        let many = repeat.nudge.is_some_and(|from| self.named >= from);
        many.then(|| {
            format!(
                "[Hint] You have called {} {} times in a row. Use what it gave, or do something else.",
                self.name, self.named
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use llm::CallId;

    use super::*;
    use crate::{Policy, Preset};

    /// Calls as `name args`, and which of them do not run.
    fn check(preset: Preset, calls: &[&str], blocked: &[usize], hinted: bool) {
        let repeat = Policy::preset(preset).tools.repeat;
        let mut streak = Streak::default();
        let mut refused = Vec::new();
        for (index, call) in calls.iter().enumerate() {
            let (name, args_raw) = call.split_once(' ').unwrap_or((call, "{}"));
            let raw = RawCall { id: CallId(index.to_string()), name: name.into(), args_raw: args_raw.into() };
            if streak.count(&raw, &repeat).is_err() {
                refused.push(index);
            }
        }
        assert_eq!((refused.as_slice(), streak.hint(&repeat).is_some()), (blocked, hinted), "{preset:?} {calls:?}");
    }

    #[test]
    fn b_12_blocks_the_third_call_in_a_row_by_name() {
        check(Preset::Companion, &["a 1", "a 2", "a 3", "a 4"], &[2, 3], false);
        check(Preset::Companion, &["a", "a", "b", "a", "a"], &[], false);
        check(Preset::Companion, &["think", "think", "think", "a", "think", "a", "a"], &[6], false);
    }

    #[test]
    fn s_23_the_third_equal_call_is_blocked_and_the_fifth_of_a_name_is_hinted_at() {
        check(Preset::Operator, &["a 1", "a 1", "a 1", "a 2"], &[2], false);
        check(Preset::Operator, &["a 1", "a 2", "a 1", "a 2", "a 1"], &[], true);
        check(Preset::Operator, &["a 1", "a 2", "a 1", "a 2", "b 1"], &[], false);
    }

    #[test]
    fn s_23_the_other_designs_block_only_the_very_same_call() {
        for preset in [Preset::Vault, Preset::Investigator, Preset::Chat] {
            check(preset, &["a"; 4], &[2, 3], false);
            check(preset, &["a 1", "a 2", "a 1", "a 2", "a 1", "a 2"], &[], false);
        }
    }

    #[test]
    fn s_23_two_refusals_in_a_row_are_a_circle_in_every_design_and_another_call_ends_it() {
        for preset in Preset::ALL {
            let repeat = Policy::preset(preset).tools.repeat;
            let mut streak = Streak::default();
            let mut circles = |calls: &[&str]| {
                for name in calls {
                    let raw = RawCall { id: CallId("c".into()), name: (*name).into(), args_raw: "{}".into() };
                    let _refused = streak.count(&raw, &repeat);
                }
                streak.circling().is_some()
            };
            assert!(!circles(&["a", "a", "a"]), "{preset:?}");
            assert!(circles(&["a"]), "{preset:?}");
            assert!(!circles(&["b"]), "{preset:?}");
        }
    }
}
