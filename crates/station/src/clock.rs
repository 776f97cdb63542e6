//! The one place that reads clocks.

use robot::{Instant, Now};
use rustix::time::{ClockId, clock_gettime};

/// The station clock (boot-time clock, so suspend counts) and the wall clock, read together.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    start_ns: u64,
}

impl Clock {
    /// Starts counting.
    #[must_use]
    pub fn start() -> Self {
        // One second of head start, so that "before the start" never wraps to zero.
        Self { start_ns: boot_time_ns().saturating_sub(1_000_000_000) }
    }

    /// Both clocks, now.
    #[must_use]
    pub fn now(&self) -> Now {
        let wall = clock_gettime(ClockId::Realtime);
        Now {
            station: Instant(boot_time_ns().saturating_sub(self.start_ns)),
            wall_ms: wall.tv_sec.saturating_mul(1000).saturating_add(wall.tv_nsec / 1_000_000),
        }
    }
}

#[cfg(target_os = "linux")]
const STATION_CLOCK: ClockId = ClockId::Boottime;
#[cfg(not(target_os = "linux"))]
const STATION_CLOCK: ClockId = ClockId::Monotonic;

fn boot_time_ns() -> u64 {
    let time = clock_gettime(STATION_CLOCK);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    seconds.saturating_mul(1_000_000_000).saturating_add(u64::try_from(time.tv_nsec).unwrap_or(0))
}
