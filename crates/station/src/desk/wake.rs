//! Which alerts may start a turn. One rule that keeps firing must not keep an agent busy.

use std::collections::BTreeMap;
use std::time::Duration;

use robot::Instant;
use world::{AlertId, Fire};

/// A boost below this is a line in the next turn, not a turn.
const WAKE_THRESHOLD: f64 = 1.5;
/// Turns a rule may start in one hour.
const PER_HOUR_MAX: usize = 3;
/// Turns a rule may start in one day.
const PER_DAY_MAX: usize = 12;
/// Least time between two turns that nobody at the desk started.
const SPACING: Duration = Duration::from_secs(30);
const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(86_400);

/// When each rule started a turn.
#[derive(Debug, Default)]
pub(super) struct Wakes {
    by_rule: BTreeMap<AlertId, Vec<Instant>>,
    last: Option<Instant>,
}

impl Wakes {
    /// Whether `fire` may start a turn; if so, it counts.
    pub fn admit(&mut self, fire: &Fire) -> bool {
        let now = fire.at.station;
        let started = self.by_rule.entry(fire.alert.clone()).or_default();
        started.retain(|at| now.since(*at) < DAY);
        let in_hour = started.iter().filter(|at| now.since(**at) < HOUR).count();
        let spaced = self.last.is_none_or(|last| now.since(last) >= SPACING);
        let wakes =
            fire.arousal_boost >= WAKE_THRESHOLD && in_hour < PER_HOUR_MAX && started.len() < PER_DAY_MAX && spaced;
        if wakes {
            started.push(now);
            self.last = Some(now);
        }
        wakes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robot::Now;

    fn fire(at_s: u64, arousal_boost: f64) -> Fire {
        Fire {
            alert: AlertId("al-1".into()),
            mission: None,
            predicate: "motion.level > 0.5".into(),
            description: None,
            arousal_boost,
            values: Vec::new(),
            at: Now { station: Instant::from_millis(at_s * 1000), wall_ms: 0 },
        }
    }

    #[test]
    fn a_rule_that_fires_every_minute_for_a_day_starts_at_most_three_turns_an_hour_and_twelve_in_all() {
        let mut wakes = Wakes::default();
        let started: Vec<u64> =
            (0..1_440).map(|minute| minute * 60).filter(|at| wakes.admit(&fire(*at, 2.0))).collect();
        assert_eq!(started.len(), 12);
        for hour in 0..24 {
            assert!(started.iter().filter(|at| **at / 3_600 == hour).count() <= 3);
        }
    }

    #[test]
    fn a_small_boost_starts_none() {
        assert!(!Wakes::default().admit(&fire(0, 1.4)));
    }
}
