//! Rate limit of an agent's calls with an effect: one too many is refused before it is looked at.

use std::collections::VecDeque;
use std::time::Duration;

use robot::Instant;

/// Calls with an effect within [`WITHIN`].
const CALLS_MAX: usize = 60;
const WITHIN: Duration = Duration::from_secs(60);

/// When an agent last did something with an effect.
#[derive(Debug, Default)]
pub(super) struct CallRate(VecDeque<Instant>);

impl CallRate {
    /// Counts one more call, or says no.
    pub fn admit(&mut self, now: Instant) -> bool {
        self.0.retain(|at| now.since(*at) < WITHIN);
        let fits = self.0.len() < CALLS_MAX;
        if fits {
            self.0.push_back(now);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn att_07_p_04_the_sixty_first_call_with_an_effect_in_a_minute_is_refused() {
        let (mut rate, at) = (CallRate::default(), Instant::from_millis);
        assert!((0..60).all(|second| rate.admit(at(second * 500))));
        assert!(!rate.admit(at(59_999)));
        assert!(rate.admit(at(60_000)));
        assert!(!rate.admit(at(60_000)));
    }
}
