//! The end of a mission's life as a moment of one clock. A span is counted on the station clock, so that setting the
//! wall clock ends nothing early and keeps nothing alive; a time is one of the wall clock.

use std::time::Duration;

use robot::{Instant, Now};
use world::cron::Zone;

use crate::format::front::Expiry;

/// The moment at which a mission's life is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deadline {
    /// A moment of the station clock.
    Station(Instant),
    /// UTC milliseconds of the wall clock.
    Wall(i64),
}

impl Expiry {
    /// The end of a life that a person began at `activated_ms`. After a restart the wall clock says how much of a
    /// span is over; never more is left of it than the whole. None for a time that no clock of `zone` shows.
    #[must_use]
    pub fn deadline(&self, zone: &Zone, activated_ms: i64, now: Now) -> Option<Deadline> {
        match self {
            Self::After(secs) => {
                let whole_ms = u64::from(*secs) * 1_000;
                // A wall clock that was set back behind the activation counts as no time passed.
                let over_ms = u64::try_from(now.wall_ms.saturating_sub(activated_ms)).unwrap_or(0);
                let left = Duration::from_millis(whole_ms.saturating_sub(over_ms));
                Some(Deadline::Station(now.station.plus(left)))
            }
            Self::At(time) => time.ms_in(zone).map(Deadline::Wall),
        }
    }
}

impl Deadline {
    /// Milliseconds up to it.
    #[must_use]
    pub fn left_ms(self, now: Now) -> u64 {
        match self {
            Self::Station(at) => at.ms_since(now.station),
            Self::Wall(at_ms) => u64::try_from(at_ms.saturating_sub(now.wall_ms)).unwrap_or(0),
        }
    }

    /// True once it has come.
    #[must_use]
    pub fn is_over(self, now: Now) -> bool {
        match self {
            Self::Station(at) => at <= now.station,
            Self::Wall(at_ms) => at_ms <= now.wall_ms,
        }
    }

    /// The same as a time of the wall clock as it stands now.
    #[must_use]
    pub fn wall_ms(self, now: Now) -> i64 {
        match self {
            Self::Station(at) if at < now.station => now.wall_ms_of(at),
            Self::Station(at) => {
                let left_ms = i64::try_from(at.ms_since(now.station)).unwrap_or(i64::MAX);
                now.wall_ms.saturating_add(left_ms)
            }
            Self::Wall(at_ms) => at_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::front::WrittenTime;

    const HOUR_MS: i64 = 3_600_000;

    fn at(station_ms: u64, wall_ms: i64) -> Now {
        Now { station: Instant::from_millis(station_ms), wall_ms }
    }

    #[test]
    fn ml_20_a_span_is_one_of_the_station_clock_and_a_jump_of_the_wall_clock_changes_nothing() {
        let deadline = Expiry::After(60).deadline(&Zone::utc(), 5_000, at(1_000, 5_000)).unwrap();
        for jump_ms in [-HOUR_MS, 0, HOUR_MS] {
            assert!(!deadline.is_over(at(60_999, 5_000 + jump_ms)), "{jump_ms}");
            assert!(deadline.is_over(at(61_000, 5_000 + jump_ms)), "{jump_ms}");
        }
        assert_eq!((deadline.left_ms(at(31_000, 0)), deadline.left_ms(at(70_000, 0))), (30_000, 0));
        assert_eq!(deadline.wall_ms(at(31_000, 35_000)), 65_000);
    }

    #[test]
    fn ml_20_after_a_restart_the_wall_clock_says_what_is_left_of_a_span() {
        let left = |wall_ms| {
            let now = at(9_000, wall_ms);
            Expiry::After(60).deadline(&Zone::utc(), 5_000, now).map(|deadline| deadline.left_ms(now))
        };
        assert_eq!(left(25_000), Some(40_000));
        assert_eq!(left(5_000 + 2 * HOUR_MS), Some(0), "it is over");
        assert_eq!(left(5_000 - HOUR_MS), Some(60_000), "never more than the whole");
    }

    #[test]
    fn ml_20_a_time_is_one_of_the_wall_clock_in_the_zone_of_the_mission() {
        let time = Expiry::At(WrittenTime::read("2026-03-09T07:00:00").unwrap());
        let deadline = time.deadline(&Zone::named("Europe/Berlin").unwrap(), 0, at(0, 0)).unwrap();
        let due_ms = WrittenTime::read("2026-03-09T06:00:00Z").unwrap().ms_in(&Zone::utc()).unwrap();
        assert_eq!(deadline, Deadline::Wall(due_ms));
        assert!(deadline.is_over(at(0, due_ms)) && !deadline.is_over(at(u64::MAX / 4, due_ms - 1)));
    }
}
