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
