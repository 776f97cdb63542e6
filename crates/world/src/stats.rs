//! Statistics of a provider: counts, rates, and whether it works at all.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use robot::{Instant, RejectReason};

/// Rates are those of so many seconds.
const RATE_SECONDS: u64 = 10;
/// A provider that has rejected everything for so long does not work.
const REJECTS_ALL_AFTER: Duration = Duration::from_secs(60);
/// A provider that has seen nothing for so many times its maximum age has no source.
const NO_SAMPLE_TIMES: u32 = 5;

/// The reason that a running provider makes no entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It has rejected every row for 60 s.
    RejectsAll,
    /// It has seen no sample for five times its maximum age.
    NoSample,
}

/// Statistics of a provider since it started.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProviderStats {
    /// Samples on its key expression.
    pub samples: u64,
    /// Rows in them.
    pub rows: u64,
    /// Rows beyond the 256th of a sample, which were not read.
    pub rows_cut: u64,
    /// Rows that became a value.
    pub matched: u64,
    /// Samples and rows that did not, by reason.
    pub rejects: BTreeMap<RejectReason, u64>,
    /// Keys that gave way to new ones because the cap was reached.
    pub keys_replaced: u64,
    /// Samples that are missing by their sources' own counters.
    pub missing: u64,
    /// Arrival of the newest sample.
    pub last_sample: Option<Instant>,
    /// When it was started, or last changed.
    started: Instant,
    /// Since when nothing but rejects has come.
    rejecting_since: Option<Instant>,
    /// Samples and bytes of the last seconds, newest last.
    seconds: VecDeque<(u64, u64, u64)>,
}

impl ProviderStats {
    pub(crate) fn starting(at: Instant) -> Self {
        Self { started: at, ..Self::default() }
    }

    /// It goes on at `at`, or stands still from then: silence and rejects are counted anew.
    pub(crate) fn begin_anew(&mut self, at: Instant) {
        self.started = at;
        self.rejecting_since = None;
    }

    pub(crate) fn note_sample(&mut self, at: Instant, bytes: usize) {
        self.samples += 1;
        self.last_sample = Some(at);
        let second = at.mono_ms() / 1_000;
        match self.seconds.back_mut() {
            Some((last, samples, sum)) if *last == second => {
                *samples += 1;
                *sum += bytes as u64;
            }
            Some(_) | None => self.seconds.push_back((second, 1, bytes as u64)),
        }
        while self.seconds.front().is_some_and(|(first, _, _)| *first + RATE_SECONDS < second) {
            self.seconds.pop_front();
        }
    }

    pub(crate) fn note_match(&mut self) {
        self.matched += 1;
        self.rejecting_since = None;
    }

    pub(crate) fn note_reject(&mut self, reason: RejectReason, at: Instant) {
        *self.rejects.entry(reason).or_default() += 1;
        self.rejecting_since.get_or_insert(at);
    }

    /// Samples and bytes a second, over the last ten whole seconds or as long as it has run.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    pub fn rates(&self, now: Instant) -> (f64, f64) {
        let this_second = now.mono_ms() / 1_000;
        let whole =
            self.seconds.iter().filter(|(second, _, _)| *second < this_second && second + RATE_SECONDS >= this_second);
        let (samples, bytes) = whole.fold((0, 0), |(n, sum), (_, samples, bytes)| (n + samples, sum + bytes));
        let ran_s = (now.ms_since(self.started) / 1_000).clamp(1, RATE_SECONDS);
        (samples as f64 / ran_s as f64, bytes as f64 / ran_s as f64)
    }

    /// The reason that it makes no entries, if that is so.
    #[must_use]
    pub fn trouble(&self, max_age: Duration, now: Instant) -> Option<Trouble> {
        // Silence first: without samples the last rejects say nothing about now.
        let last_heard = self.last_sample.map_or(self.started, |at| at.max(self.started));
        if now.since(last_heard) > max_age.saturating_mul(NO_SAMPLE_TIMES) {
            return Some(Trouble::NoSample);
        }
        let rejects_all = self.rejecting_since.is_some_and(|since| now.since(since) >= REJECTS_ALL_AFTER);
        rejects_all.then_some(Trouble::RejectsAll)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: u64) -> Instant {
        Instant::from_millis(ms)
    }

    #[test]
    fn ws_50_rates_are_those_of_the_last_ten_seconds() {
        let mut stats = ProviderStats::starting(at(0));
        (0..200).for_each(|tenth| stats.note_sample(at(tenth * 100), 130));
        assert_eq!(stats.rates(at(20_000)), (10.0, 1_300.0));
        assert_eq!(stats.rates(at(25_000)), (5.0, 650.0));
        assert_eq!(stats.rates(at(60_000)), (0.0, 0.0));
    }

    #[test]
    fn ws_50_after_a_pause_silence_and_rejects_are_counted_anew() {
        let max_age = Duration::from_secs(30);
        let mut stats = ProviderStats::starting(at(0));
        stats.note_sample(at(1_000), 1);
        stats.note_reject(RejectReason::Filtered, at(1_000));
        stats.begin_anew(at(500_000));
        assert_eq!(stats.trouble(max_age, at(650_000)), None);
        assert_eq!(stats.trouble(max_age, at(650_001)), Some(Trouble::NoSample));
    }

    #[test]
    fn ws_50_says_why_nothing_comes_of_it() {
        let max_age = Duration::from_secs(30);
        let mut stats = ProviderStats::starting(at(0));
        assert_eq!(stats.trouble(max_age, at(150_000)), None);
        assert_eq!(stats.trouble(max_age, at(150_001)), Some(Trouble::NoSample));
        for second in 151..=211 {
            stats.note_sample(at(second * 1_000), 1);
            stats.note_reject(RejectReason::Filtered, at(second * 1_000));
        }
        assert_eq!(stats.trouble(max_age, at(210_999)), None);
        assert_eq!(stats.trouble(max_age, at(211_000)), Some(Trouble::RejectsAll));
        stats.note_match();
        assert_eq!(stats.trouble(max_age, at(211_000)), None);
    }
}
