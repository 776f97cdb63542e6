//! The one place that reads clocks.

use std::time::Duration;

use jiff::tz::TimeZone;
use robot::{Instant, Now};
use rustix::time::{ClockId, clock_gettime};
use world::cron::Zone;

/// The clock starts with two days on it: a value may be a day old and count as fresh, and a source may say that it
/// measured before this station was started.
const HEAD_START_NS: u64 = 2 * 86_400 * 1_000_000_000;

/// The station clock (boot-time clock, so suspend counts) and the wall clock, read together.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    start_ns: u64,
}

impl Clock {
    /// Starts counting.
    #[must_use]
    pub fn start() -> Self {
        Self { start_ns: boot_time_ns() }
    }

    /// Both clocks, now.
    #[must_use]
    pub fn now(&self) -> Now {
        let wall = clock_gettime(ClockId::Realtime);
        Now {
            station: Instant(HEAD_START_NS + boot_time_ns().saturating_sub(self.start_ns)),
            wall_ms: wall.tv_sec.saturating_mul(1000).saturating_add(wall.tv_nsec / 1_000_000),
        }
    }

    /// How long the calling thread has worked so far; waiting for a turn on the processor does not count.
    #[must_use]
    pub fn worked(&self) -> Duration {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
        Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
    }
}

/// The zone of this computer; UTC if it has none with a name.
#[must_use]
pub fn time_zone() -> Zone {
    let system = TimeZone::try_system().ok();
    let named = system.as_ref().and_then(TimeZone::iana_name).and_then(Zone::named);
    named.unwrap_or_else(Zone::utc)
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
