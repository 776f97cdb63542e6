//! Words of variants without data, in columns and on the wire: serde's, and no others.

pub use robot::word;
use serde::de::DeserializeOwned;

/// The variant that a word stands for.
pub fn of_word<T: DeserializeOwned>(word: &str) -> Result<T, serde_json::Error> {
    serde_json::from_value(word.into())
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;
    use crate::episodic::EpisodeRole;
    use crate::forget::Step;
    use crate::jobs::{JobState, MissReason, RunOutcome};
    use crate::{ApprovalState, ReviewState, StateKey};

    /// Asserts that the words of `variants` are `words`, parted by spaces.
    fn check<T: Serialize>(variants: &[T], words: &str) {
        assert_eq!(variants.iter().map(word).collect::<Vec<_>>().join(" "), words);
    }

    fn check_both_ways<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(variants: &[T], words: &str) {
        check(variants, words);
        for (variant, word) in variants.iter().zip(words.split(' ')) {
            assert_eq!(&of_word::<T>(word).unwrap(), variant);
        }
        assert!(of_word::<T>("").is_err() && of_word::<T>("no word of it").is_err());
    }

    #[test]
    fn the_words_in_columns_are_those_of_databases_that_exist() {
        {
            use RunOutcome::{Cancelled, Completed, Failed, Interrupted, Missed, Overlap, Proposed, Running};
            let all = [Running, Proposed, Completed, Failed, Cancelled, Interrupted, Missed, Overlap];
            check_both_ways(&all, "running proposed completed failed cancelled interrupted missed overlap");
        }
        {
            use MissReason::{BeyondTen, BudgetSpent, CoveredByLaterRun, MissionNotLive, NoModel, Skipped, TooLate};
            let all = [Skipped, TooLate, CoveredByLaterRun, BeyondTen, MissionNotLive, NoModel, BudgetSpent];
            let words = "skipped too_late covered_by_later_run beyond_ten mission_not_live no_model budget_spent";
            check_both_ways(&all, words);
        }
        {
            use EpisodeRole::{Alert, Assistant, Belief, Job, Mission, Note, Plan, System, Tool, User};
            let all = [User, Assistant, Tool, Alert, Job, Mission, Belief, Note, Plan, System];
            check_both_ways(&all, "user assistant tool alert job mission belief note plan system");
        }
        {
            use JobState::{Cancelled, Completed, DeadLetter, Failed, Paused, Pending, Running, Waiting};
            let all = [Pending, Waiting, Running, Paused, Completed, Failed, Cancelled, DeadLetter];
            check_both_ways(&all, "pending waiting running paused completed failed cancelled dead_letter");
        }
        use ApprovalState::{Dispatched, Done, Failed};
        check_both_ways(&[Dispatched, Done, Failed, ApprovalState::Rejected], "dispatched done failed rejected");
        use ReviewState::{Accepted, Dropped, Edited, Rejected, Waiting};
        check_both_ways(&[Waiting, Accepted, Edited, Rejected, Dropped], "waiting accepted edited rejected dropped");
        use Step::{Backups, Files, Intended, Recorded, Rows};
        check_both_ways(&[Intended, Files, Rows, Backups, Recorded], "intended files rows backups recorded");
        use StateKey::{CallsMax, Mode, Paused, Pinned, Turn, Wakes};
        check(&[Mode, Wakes, Turn, CallsMax, Pinned, Paused], "mode wakes turn calls_max pinned paused");
    }
}
