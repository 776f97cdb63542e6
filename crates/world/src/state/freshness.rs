//! Freshness: how far a value can still be taken for the present.

use robot::Instant;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Age of a value against its provider's `max_age_secs`, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Freshness {
    /// At most 0.7 of the maximum age.
    Live,
    /// At most the maximum age.
    Aging,
    /// At most five times the maximum age.
    Stale,
    /// Older still, or the source is known to be gone.
    Lost,
    /// There has been no sample at all.
    Never,
}

/// An age up to this share of the maximum is live, tenths.
const LIVE_TENTHS: u64 = 7;
/// An age up to this many times the maximum is stale; beyond, the value is lost.
const STALE_TIMES: u64 = 5;

/// The freshness of a value of `age_ms`, given its provider's `max_age_ms` and whether its source is known to be gone.
#[must_use]
pub const fn freshness(age_ms: u64, max_age_ms: u64, source_lost: bool) -> Freshness {
    if source_lost || age_ms > lost_after_ms(max_age_ms) {
        Freshness::Lost
    } else if age_ms > max_age_ms {
        Freshness::Stale
    } else if age_ms > live_until_ms(max_age_ms) {
        Freshness::Aging
    } else {
        Freshness::Live
    }
}

const fn live_until_ms(max_age_ms: u64) -> u64 {
    max_age_ms.saturating_mul(LIVE_TENTHS) / 10
}

/// The greatest age at which a value is not lost yet, milliseconds.
pub(crate) const fn lost_after_ms(max_age_ms: u64) -> u64 {
    max_age_ms.saturating_mul(STALE_TIMES)
}

/// The greatest ages of live, aging and stale, milliseconds; one millisecond more is the next state.
pub(crate) const fn transition_ages(max_age_ms: u64) -> [u64; 3] {
    [live_until_ms(max_age_ms), max_age_ms, lost_after_ms(max_age_ms)]
}

/// The first point at which a value observed at `observed_at` is older than `age_ms`.
pub(crate) fn first_older_than(observed_at: Instant, age_ms: u64) -> Instant {
    observed_at.plus(std::time::Duration::from_millis(age_ms.saturating_add(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cw_16_borders_belong_to_the_better_state() {
        let ages = [7_000, 7_100, 10_000, 10_100, 50_000, 50_100];
        use Freshness::{Aging, Live, Lost, Stale};
        assert_eq!(ages.map(|age_ms| freshness(age_ms, 10_000, false)), [Live, Aging, Aging, Stale, Stale, Lost]);
    }

    #[test]
    fn ws_07_a_source_that_is_gone_makes_its_values_lost() {
        assert_eq!(freshness(0, 10_000, true), Freshness::Lost);
    }

    proptest! {
        #[test]
        fn ws_07_total_and_never_better_with_age(age_ms: u64, older_ms: u64, max_age_ms: u64, gone: bool) {
            let (young, old) = (age_ms.min(older_ms), age_ms.max(older_ms));
            prop_assert!(freshness(young, max_age_ms, gone) <= freshness(old, max_age_ms, gone));
        }

        #[test]
        fn ws_13_the_next_transition_is_the_first_change(max_age_ms in 100_u64..100_000, age_ms in 0_u64..600_000) {
            let at = Instant::from_millis(age_ms);
            let now = freshness(age_ms, max_age_ms, false);
            let due = transition_ages(max_age_ms).map(|last_ms| first_older_than(Instant::default(), last_ms));
            match due.into_iter().find(|due| *due > at) {
                Some(due) => {
                    prop_assert_eq!(freshness(due.mono_ms() - 1, max_age_ms, false), now);
                    prop_assert!(freshness(due.mono_ms(), max_age_ms, false) > now);
                }
                None => prop_assert_eq!(now, Freshness::Lost),
            }
        }
    }
}
