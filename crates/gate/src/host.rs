//! The computer that a gate runs on: its clocks.

use std::sync::Arc;

use bridge::ClockFn;
use robot::{Instant, Now};
use rustix::time::{ClockId, Timespec, clock_gettime};

/// Both clocks of this computer; the first goes on while it sleeps.
pub fn clock() -> ClockFn {
    Arc::new(|| Now {
        station: Instant(nanoseconds(clock_gettime(ClockId::Boottime))),
        wall_ms: i64::try_from(nanoseconds(clock_gettime(ClockId::Realtime)) / 1_000_000).unwrap_or(i64::MAX),
    })
}

fn nanoseconds(time: Timespec) -> u64 {
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    seconds.saturating_mul(1_000_000_000).saturating_add(u64::try_from(time.tv_nsec).unwrap_or_default())
}
