//! Keeps autonomous turns away after several have failed.

use std::time::Duration;

use robot::{Instant, Now};

/// Failures in a row that open it.
const FAILURES_MAX: u32 = 3;
/// Time for which it stays open.
const OPEN_FOR: Duration = Duration::from_secs(300);

/// Closed, or open until a moment.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    pub(super) failures: u32,
    pub(super) open_until: Option<Instant>,
}

impl Breaker {
    /// An autonomous turn ended.
    pub(super) fn note(&mut self, failed: bool, now: Instant) {
        self.failures = if failed { self.failures + 1 } else { 0 };
        if self.failures >= FAILURES_MAX {
            // Counted anew once it closes, or a single failure would open it again.
            self.failures = 0;
            self.open_until = Some(now.plus(OPEN_FOR));
        }
    }

    /// A time until which it is open, read from a disk: a wall clock that was set keeps it open no longer than ever.
    pub(super) fn bounded(until: Instant, now: Now) -> Instant {
        until.min(now.station.plus(OPEN_FOR))
    }

    pub(super) fn is_open(&self, now: Instant) -> bool {
        self.open_until.is_some_and(|until| now < until)
    }
}
