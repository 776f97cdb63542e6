//! Offset of a source's clock from ours, learned from the stamps it sends: no stamp is compared with another clock
//! before that is known.

use std::collections::VecDeque;

use robot::Instant;

/// Stamped samples after which a source's offset is known.
const STAMPS_MIN: u32 = 10;
/// The offset is the least of so many minutes of reception.
const WINDOW_MINUTES: u64 = 10;
/// One minute of reception, milliseconds.
const MINUTE_MS: u64 = 60_000;
/// Of a longer pause between two samples only so much counts as reception, milliseconds: a silent source forgets
/// nothing.
const PAUSE_MS_MAX: u64 = 60_000;
/// Greatest lead of a corrected stamp over its arrival, milliseconds: the jitter of the network.
pub(crate) const STAMP_AHEAD_MS_MAX: i64 = 100;
/// So many stamps ahead in a row are no slip: the source's clock was set, and is learned anew.
const AHEAD_MAX: u32 = 10;
/// An offset that grows by more, milliseconds, is a clock that was set back.
const SET_BACK_MS: i64 = 1_000;

/// State of one source's clock, as learned so far.
#[derive(Debug, Default)]
pub(crate) struct SourceClock {
    /// For each of the last minutes of reception the least of (arrival − stamp), milliseconds of the station clock.
    least: VecDeque<(u64, i64)>,
    /// Time for which this source has been received, milliseconds.
    received_ms: u64,
    pub(crate) last_at: Instant,
    stamps: u32,
    ahead: u32,
    /// Rises when the clock was set: stamps of different epochs are not compared.
    epoch: u32,
    last_seq: Option<i64>,
    last: Option<(Instant, i64, Reckoned)>,
}

/// A stamp against the source's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reckoned {
    /// Too little is known yet.
    Learning,
    /// The corrected stamp is `behind_ms` before the arrival; a negative one is ahead of it.
    Known { behind_ms: i64, offset_ms: i64 },
}

impl SourceClock {
    /// Takes in a stamp. The same stamp of the same arrival is the same sample, read for another row.
    pub(crate) fn reckon(&mut self, received: Instant, stamp_ms: i64) -> Reckoned {
        if let Some((at, stamp, reckoned)) = self.last
            && (at, stamp) == (received, stamp_ms)
        {
            return reckoned;
        }
        let reckoned = self.reckon_new(received, stamp_ms);
        self.last = Some((received, stamp_ms, reckoned));
        reckoned
    }

    fn reckon_new(&mut self, received: Instant, stamp_ms: i64) -> Reckoned {
        self.pass_time(received);
        let apart_ms = i64::try_from(received.mono_ms()).unwrap_or(i64::MAX).saturating_sub(stamp_ms);
        let Some(offset_ms) = self.offset_ms() else {
            self.note(apart_ms);
            self.stamps += 1;
            return Reckoned::Learning;
        };
        // No sample arrives before it was sent, so the least distance seen is the offset plus the shortest way.
        let behind_ms = apart_ms.saturating_sub(offset_ms);
        if behind_ms >= -STAMP_AHEAD_MS_MAX {
            self.ahead = 0;
            self.note(apart_ms);
            let offset_ms = offset_ms.min(apart_ms);
            return Reckoned::Known { behind_ms: apart_ms.saturating_sub(offset_ms), offset_ms };
        }
        // Not learned from yet: a single stamp ahead would pull the offset down for ten minutes.
        self.ahead += 1;
        if self.ahead >= AHEAD_MAX {
            self.learn_anew();
        }
        Reckoned::Known { behind_ms, offset_ms }
    }

    /// Notes the source's own counter; how many samples are missing before this one.
    pub(crate) fn missing_before(&mut self, seq: i64) -> u64 {
        let before = self.last_seq.replace(seq);
        // A counter that falls was restarted.
        let missing = before.map_or(0, |before| seq.saturating_sub(before).saturating_sub(1));
        u64::try_from(missing).unwrap_or(0)
    }

    pub(crate) const fn epoch(&self) -> u32 {
        self.epoch
    }

    /// The least of (arrival − stamp), once enough stamps have come.
    pub(crate) fn offset_ms(&self) -> Option<i64> {
        if self.stamps < STAMPS_MIN {
            return None;
        }
        self.least.iter().map(|(_, least_ms)| *least_ms).min()
    }

    fn note(&mut self, apart_ms: i64) {
        let minute = self.received_ms / MINUTE_MS;
        match self.least.back_mut() {
            Some((last, least_ms)) if *last == minute => *least_ms = (*least_ms).min(apart_ms),
            Some(_) | None => self.least.push_back((minute, apart_ms)),
        }
    }

    fn pass_time(&mut self, received: Instant) {
        self.received_ms += received.ms_since(self.last_at).min(PAUSE_MS_MAX);
        self.last_at = self.last_at.max(received);
        let before = self.offset_ms();
        let oldest = (self.received_ms / MINUTE_MS).saturating_sub(WINDOW_MINUTES);
        while self.least.len() > 1 && self.least.front().is_some_and(|(minute, _)| *minute < oldest) {
            self.least.pop_front();
        }
        let grew = |(before, after): (i64, i64)| after.saturating_sub(before) > SET_BACK_MS;
        if before.zip(self.offset_ms()).is_some_and(grew) {
            self.epoch += 1;
        }
    }

    fn learn_anew(&mut self) {
        self.least.clear();
        self.stamps = 0;
        self.ahead = 0;
        self.epoch += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SEVEN_MINUTES_MS: i64 = 420_000;

    /// A clock that has seen `n` samples, one a second, each `behind_ms` behind its arrival.
    fn steady(n: u64, behind_ms: i64) -> SourceClock {
        let mut clock = SourceClock::default();
        for second in 1..=n {
            clock.reckon(Instant::from_millis(second * 1_000), second as i64 * 1_000 - behind_ms);
        }
        clock
    }

    #[test]
    fn ws_08_ten_stamps_are_needed_before_an_offset_counts() {
        assert_eq!(steady(9, SEVEN_MINUTES_MS).offset_ms(), None);
        let mut clock = steady(10, SEVEN_MINUTES_MS);
        let reckoned = clock.reckon(Instant::from_millis(11_000), 11_000 - SEVEN_MINUTES_MS - 40);
        assert_eq!(reckoned, Reckoned::Known { behind_ms: 40, offset_ms: SEVEN_MINUTES_MS });
    }

    #[test]
    fn ws_08_silence_does_not_count_as_reception() {
        let mut clock = steady(20, SEVEN_MINUTES_MS);
        let back = 20_000 + 3_600_000;
        let reckoned = clock.reckon(Instant::from_millis(back), 21_000 - SEVEN_MINUTES_MS);
        assert_eq!(reckoned, Reckoned::Known { behind_ms: 3_599_000, offset_ms: SEVEN_MINUTES_MS });
    }

    #[test]
    fn ws_08_the_least_of_ten_minutes_counts_then_the_next() {
        let mut clock = steady(50, 50);
        for second in 51..=700_i64 {
            clock.reckon(Instant::from_millis(second as u64 * 1_000), second * 1_000 - 80);
        }
        assert_eq!(clock.offset_ms(), Some(80));
    }

    #[test]
    fn ws_09_one_stamp_ahead_is_a_slip_ten_are_another_time() {
        let mut clock = steady(20, 0);
        let mut ahead =
            |second: u64| clock.reckon(Instant::from_millis(second * 1_000), second as i64 * 1_000 + 600_000);
        assert_eq!(ahead(21), Reckoned::Known { behind_ms: -600_000, offset_ms: 0 });
        (22..=40).for_each(|second| _ = ahead(second));
        assert_eq!(ahead(41), Reckoned::Known { behind_ms: 0, offset_ms: -600_000 });
        assert_eq!(clock.epoch(), 1);
    }

    #[test]
    fn ws_10_missing_numbers_are_counted_and_a_restart_is_none() {
        let mut clock = SourceClock::default();
        let missing = [5, 6, 9, 9, 1, 2, i64::MAX].map(|seq| clock.missing_before(seq));
        assert_eq!(missing, [0, 0, 2, 0, 0, 0, i64::MAX as u64 - 3]);
    }

    proptest! {
        #[test]
        fn ws_08_no_stamp_overflows(stamps in prop::collection::vec((any::<u32>(), any::<i64>()), 0..40)) {
            let mut clock = SourceClock::default();
            for (ms, stamp_ms) in stamps {
                clock.reckon(Instant::from_millis(u64::from(ms)), stamp_ms);
                prop_assert!(clock.least.len() <= 11);
            }
        }
    }
}
