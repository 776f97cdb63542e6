//! Time of a measurement by the gate's clock, from a stamp of the robot's clock, which may show any time.

use std::collections::VecDeque;
use std::time::Duration;

use robot::Instant;

/// The smallest delay of this long counts as none.
const WINDOW: Duration = Duration::from_secs(60);
/// A larger step between the two clocks makes a source stale, milliseconds.
const STEP_MS_MAX: f64 = 200.0;
/// Delays that are kept: one for each tenth of a second of the window.
const BUCKET: Duration = Duration::from_millis(100);

/// The reason that a measurement has no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaleStamp {
    /// The stamp is not above the last, or no number.
    NotAdvancing,
    /// The distance between the clocks has changed by more than 200 ms.
    Stepped,
}

/// The stamps of one source.
#[derive(Debug, Clone, Default)]
pub struct SourceClock {
    last_stamp_ms: Option<f64>,
    last_offset_ms: Option<f64>,
    /// The smallest offset of each tenth of a second, oldest first.
    smallest: VecDeque<(Instant, f64)>,
}

impl SourceClock {
    /// The time at which something that arrived with this stamp was measured: its delay beyond the smallest of the last
    /// minute is its age at arrival. A clock that was set back, as that of a robot that has started again, begins anew.
    pub fn observed(&mut self, arrived: Instant, stamp_ms: f64) -> Result<Instant, StaleStamp> {
        // Every comparison with not-a-number is false, so that it would pass for a stamp that rises.
        if !stamp_ms.is_finite() {
            return Err(StaleStamp::NotAdvancing);
        }
        if let Some(last_ms) = self.last_stamp_ms.filter(|last| stamp_ms <= *last) {
            // Two messages that have overtaken each other are no clock that was set.
            if last_ms - stamp_ms > STEP_MS_MAX {
                let offset_ms = arrived.0 as f64 / 1e6 - stamp_ms;
                let (last_stamp_ms, last_offset_ms) = (Some(stamp_ms), Some(offset_ms));
                *self = Self { last_stamp_ms, last_offset_ms, smallest: [(arrived, offset_ms)].into() };
            }
            return Err(StaleStamp::NotAdvancing);
        }
        self.last_stamp_ms = Some(stamp_ms);
        let offset_ms = arrived.0 as f64 / 1e6 - stamp_ms;
        let stepped = self.last_offset_ms.replace(offset_ms).is_some_and(|last| (offset_ms - last).abs() > STEP_MS_MAX);
        self.note(arrived, offset_ms);
        if stepped {
            return Err(StaleStamp::Stepped);
        }
        let least_ms = self.smallest.iter().map(|(_, offset_ms)| *offset_ms).fold(offset_ms, f64::min);
        // Stamps may be any finite numbers, and `from_secs_f64` panics beyond the range of a `Duration`.
        Ok(arrived.minus(Duration::from_secs_f64(((offset_ms - least_ms) / 1e3).min(1e6))))
    }

    fn note(&mut self, arrived: Instant, offset_ms: f64) {
        while self.smallest.front().is_some_and(|(at, _)| arrived.since(*at) > WINDOW) {
            self.smallest.pop_front();
        }
        match self.smallest.back_mut().filter(|(at, _)| arrived.since(*at) < BUCKET) {
            Some((_, least_ms)) => *least_ms = least_ms.min(offset_ms),
            None => self.smallest.push_back((arrived, offset_ms)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::from_millis(ms)
    }

    #[test]
    fn rg_07_a_measurement_is_as_old_as_its_delay_beyond_the_smallest_of_the_last_minute() {
        let mut clock = SourceClock::default();
        let mut observed =
            |arrived_ms: u64, stamp_ms: f64| clock.observed(at(arrived_ms), stamp_ms).map(Instant::mono_ms);
        assert_eq!(observed(1_000, 5.0e9), Ok(1_000), "any clock will do");
        assert_eq!(observed(1_150, 5.0e9 + 100.0), Ok(1_100));
        assert_eq!(observed(1_200, 5.0e9 + 200.0), Ok(1_200));
        assert_eq!(observed(1_500, 5.0e9 + 320.0), Ok(1_320), "delayed by 180 ms more than the quickest");
        assert_eq!(observed(61_600, 5.0e9 + 60_420.0), Ok(61_600), "the quickest was more than a minute ago");
    }

    #[test]
    fn rg_07_a_stamp_that_stands_still_or_goes_back_and_a_step_of_the_clock_are_stale() {
        let mut clock = SourceClock::default();
        clock.observed(at(1_000), 100.0).unwrap();
        for stamp_ms in [100.0, 99.0, f64::NAN, f64::INFINITY] {
            assert_eq!(clock.observed(at(1_010), stamp_ms), Err(StaleStamp::NotAdvancing), "{stamp_ms}");
        }
        assert_eq!(clock.observed(at(1_320), 210.0), Err(StaleStamp::Stepped), "210 ms later than its stamp says");
        let delayed = clock.observed(at(1_330), 220.0);
        assert_eq!(delayed, Ok(at(1_120)), "a delay that stays is an age");
        assert_eq!(clock.observed(at(1_340), 440.0), Err(StaleStamp::Stepped), "and ahead of it");
    }

    #[test]
    fn rg_07_a_clock_that_was_set_back_tells_the_time_again_after_its_next_stamp() {
        let mut clock = SourceClock::default();
        clock.observed(at(1_000), 9_000.0).unwrap();
        assert_eq!(clock.observed(at(1_100), 50.0), Err(StaleStamp::NotAdvancing));
        assert_eq!(clock.observed(at(1_200), 150.0), Ok(at(1_200)));
        assert_eq!(clock.observed(at(1_350), 250.0), Ok(at(1_300)), "and what is late is older");
    }

    #[test]
    fn rg_07_two_sources_in_turn_whose_clocks_differ_tell_no_time() {
        let mut clock = SourceClock::default();
        clock.observed(at(1_000), 9_000.0).unwrap();
        for n in 1..50_u32 {
            let (now, ms) = (at(1_000 + u64::from(n) * 20), f64::from(n) * 20.0);
            assert!(clock.observed(now, ms).is_err() && clock.observed(now, 9_000.0 + ms).is_err(), "{n}");
        }
    }

    #[test]
    fn rg_07_the_memory_of_delays_is_bounded() {
        let mut clock = SourceClock::default();
        for n in 0..200_000_u32 {
            let _ = clock.observed(at(u64::from(n)), f64::from(n));
        }
        assert!(clock.smallest.len() <= 602, "{}", clock.smallest.len());
    }
}
