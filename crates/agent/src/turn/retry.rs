//! Wait before a failed call is made again. It is the same in every replay.

use std::time::Duration;

use llm::{ModelError, ModelErrorKind};
use robot::ConversationId;
use sha2::{Digest, Sha256};

use crate::Retry;

/// A provider that wants a longer pause is not waited for.
const SERVER_WAIT_MAX: Duration = Duration::from_secs(60);

/// Reaction to a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// The same call after so long.
    Again(Duration),
    /// Nothing: the provider asks to wait for so long.
    TooLong(Duration),
    /// Nothing: it would fail again, or has failed often enough.
    GiveUp,
}

/// Reaction to `error` after `failures` others in a row. `session` and `entry` name the call.
pub(super) fn after(error: &ModelError, failures: u32, retry: &Retry, session: &ConversationId, entry: u64) -> Next {
    let tries = match error.kind {
        ModelErrorKind::RateLimit => retry.rate_limit_tries,
        ModelErrorKind::Overloaded | ModelErrorKind::Transport => retry.other_tries,
        // A reply that cannot be read is asked for once more, as after a stream that was cut.
        ModelErrorKind::Protocol => 1,
        // None of these passes by waiting.
        ModelErrorKind::Overflow
        | ModelErrorKind::Quota
        | ModelErrorKind::Auth
        | ModelErrorKind::PrefixBound
        | ModelErrorKind::Refused
        | ModelErrorKind::BadRequest
        | ModelErrorKind::Cancelled => return Next::GiveUp,
    };
    // The provider knows when it will take a call again, so its time replaces the doubled one.
    if let Some(asked) = error.retry_after_ms.map(Duration::from_millis) {
        if asked > SERVER_WAIT_MAX {
            return Next::TooLong(asked);
        }
        return if failures < tries { Next::Again(asked) } else { Next::GiveUp };
    }
    if failures >= tries {
        return Next::GiveUp;
    }
    // A longer shift would overflow; long before that `max_ms` decides.
    let doubled = u64::from(retry.base_ms).saturating_mul(1_u64 << failures.min(32));
    let wait_ms = doubled.min(retry.max_ms.into());
    Next::Again(Duration::from_millis(jittered(wait_ms, retry, session, entry, failures)))
}

/// Makes a wait longer or shorter by up to the policy's share: clients that failed together come back one by one.
fn jittered(wait_ms: u64, retry: &Retry, session: &ConversationId, entry: u64, failures: u32) -> u64 {
    // A hash instead of dice: a turn that is replayed has to wait exactly as long.
    let hash = Sha256::new()
        .chain_update(session.as_str().as_bytes())
        .chain_update(entry.to_le_bytes())
        .chain_update(failures.to_le_bytes())
        .finalize();
    let spread = retry.jitter.floor_of(wait_ms);
    let drawn = u64::from(u16::from_le_bytes([hash[0], hash[1]]));
    (wait_ms - spread) + spread.saturating_mul(2) * drawn / u64::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Policy, Preset};

    fn error(kind: ModelErrorKind, retry_after_ms: Option<u64>) -> ModelError {
        ModelError { retry_after_ms, ..ModelError::own(kind, "no") }
    }

    /// The waits of one failure after the other, milliseconds.
    fn check(preset: Preset, kind: ModelErrorKind, expected: &[u64]) {
        let retry = Retry { jitter: crate::Ratio::percent(0), ..Policy::preset(preset).retry };
        let waits: Vec<u64> = (0..20)
            .map_while(|failures| match after(&error(kind, None), failures, &retry, &"s".into(), 7) {
                Next::Again(wait) => Some(u64::try_from(wait.as_millis()).unwrap()),
                Next::TooLong(_) | Next::GiveUp => None,
            })
            .collect();
        assert_eq!(waits, expected, "{preset:?} {kind:?}");
    }

    #[test]
    fn l_28_s_41_h_15_t_27_t_28_waits_double_up_to_a_bound() {
        use ModelErrorKind::{Auth, Overloaded, Quota, RateLimit, Transport};
        check(Preset::Operator, Overloaded, &[1_000, 2_000, 4_000, 8_000]);
        check(Preset::Companion, Transport, &[2_000, 4_000, 8_000]);
        check(Preset::Investigator, RateLimit, &[1_000, 2_000, 4_000, 8_000]);
        check(Preset::Chat, RateLimit, &[1_000, 2_000, 4_000]);
        check(Preset::Chat, Overloaded, &[1_000]);
        check(Preset::Vault, Overloaded, &[]);
        check(Preset::Operator, Auth, &[]);
        check(Preset::Operator, Quota, &[]);
    }

    #[test]
    fn l_28_the_providers_own_time_counts_and_a_long_one_ends_it() {
        let retry = Policy::operator().retry;
        let next = |ms| after(&error(ModelErrorKind::RateLimit, Some(ms)), 0, &retry, &"s".into(), 1);
        assert_eq!(next(0), Next::Again(Duration::ZERO));
        assert_eq!(next(60_000), Next::Again(Duration::from_secs(60)));
        assert_eq!(next(60_001), Next::TooLong(Duration::from_millis(60_001)));
        let often = after(&error(ModelErrorKind::RateLimit, Some(10)), 4, &retry, &"s".into(), 1);
        assert_eq!(often, Next::GiveUp);
    }

    #[test]
    fn l_01_the_jitter_is_a_hash_and_stays_within_a_fifth() {
        let retry = Policy::operator().retry;
        let wait = |session: &str, entry, failures| {
            after(&error(ModelErrorKind::Overloaded, None), failures, &retry, &session.into(), entry)
        };
        assert_eq!(wait("s", 1, 2), wait("s", 1, 2));
        assert_ne!(wait("s", 1, 2), wait("t", 1, 2));
        assert_ne!(wait("s", 1, 2), wait("s", 2, 2));
        for entry in 0..500 {
            let Next::Again(wait) = wait("s", entry, 1) else { panic!("no wait") };
            assert!((1_600..=2_400).contains(&wait.as_millis()), "{wait:?}");
        }
    }
}
