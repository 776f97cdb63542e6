//! The two clocks. The station clock decides; the wall clock is for display and storage.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A point on the station clock: nanoseconds since it started, time spent suspended included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Instant(pub u64);

impl Instant {
    /// A point `ms` milliseconds after the clock's start.
    #[must_use]
    pub const fn from_millis(ms: u64) -> Self {
        Self(ms.saturating_mul(1_000_000))
    }

    /// Whole milliseconds since the clock's start: the `…_mono_ms` of the wire.
    #[must_use]
    pub const fn mono_ms(self) -> u64 {
        self.0 / 1_000_000
    }

    /// Time since `earlier`; zero if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// Whole milliseconds since `earlier`; zero if `earlier` is later.
    #[must_use]
    pub const fn ms_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0) / 1_000_000
    }

    /// This point moved forward by `duration`, at most to the end of the clock.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)))
    }

    /// This point moved back by `duration`, at most to the start of the clock.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)))
    }
}

/// A span as people say it, rounded down: `250 ms`, `12 s`, `7 min`, `5 h 12 min`, `933 days`.
#[must_use]
pub fn span_in_words(ms: u64) -> String {
    const MINUTE_MS: u64 = 60_000;
    const HOUR_MS: u64 = 60 * MINUTE_MS;
    const DAY_MS: u64 = 24 * HOUR_MS;
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..MINUTE_MS => format!("{} s", ms / 1_000),
        MINUTE_MS..HOUR_MS => format!("{} min", ms / MINUTE_MS),
        // Two days in hours are still easy to grasp.
        HOUR_MS.. if ms < 2 * DAY_MS => match ms % HOUR_MS / MINUTE_MS {
            0 => format!("{} h", ms / HOUR_MS),
            minutes => format!("{} h {minutes} min", ms / HOUR_MS),
        },
        HOUR_MS.. => format!("{} days", ms / DAY_MS),
    }
}

/// The only time pure code knows: both clocks, read once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Now {
    /// The station clock; ages, freshness, deadlines.
    pub station: Instant,
    /// UTC milliseconds; display and storage.
    pub wall_ms: i64,
}

impl Now {
    /// The wall time in Unix seconds: the `…_at` of the wire.
    #[must_use]
    pub const fn unix_s(self) -> i64 {
        self.wall_ms.div_euclid(1000)
    }

    /// The wall time of an earlier point of the station clock.
    #[must_use]
    pub fn wall_ms_of(self, at: Instant) -> i64 {
        let ago_ms = i64::try_from(self.station.ms_since(at)).unwrap_or(i64::MAX);
        self.wall_ms.saturating_sub(ago_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u_504_a_span_is_said_in_words() {
        for (ms, words) in [
            (0, "0 ms"),
            (999, "999 ms"),
            (1_000, "1 s"),
            (59_999, "59 s"),
            (420_000, "7 min"),
            (3_600_000, "1 h"),
            (18_720_000, "5 h 12 min"),
            (172_799_999, "47 h 59 min"),
            (172_800_000, "2 days"),
            (80_654_482_261, "933 days"),
        ] {
            assert_eq!(span_in_words(ms), words, "{ms}");
        }
    }
}
