//! The one place that reads clocks.

use std::io;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use jiff::tz::TimeZone;
use robot::{Instant, Now};
use rustix::time::{ClockId, DynamicClockId, Timespec, clock_gettime, clock_gettime_dynamic};
use world::cron::Zone;

/// The clock starts with two days on it: a value may be a day old and count as fresh, and a source may say that it
/// measured before this station was started.
const HEAD_START_NS: u64 = 2 * 86_400 * 1_000_000_000;
/// The time shown by a clock that cannot be read: everything is long ago, so nothing is fresh, healthy or valid. Half
/// of the range, so that deadlines lie beyond it.
const UNREADABLE: Instant = Instant(u64::MAX / 2);

/// Reads the boot-time clock.
type ReadFn = fn() -> io::Result<Timespec>;

/// The station clock (boot-time clock, so suspend counts) and the wall clock, read together.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    read: ReadFn,
    start_ns: u64,
    start_wall_ms: i64,
    shift: &'static ClockShift,
}

/// The distance between the clocks of a station and those of the computer. A test moves it while the station runs,
/// because a test must not set the clock of the computer; nobody else has one.
#[derive(Debug, Default)]
pub struct ClockShift {
    wall_ms: AtomicI64,
    station_ns: AtomicU64,
}

/// The shift of every station that is no test's.
static NONE: ClockShift = ClockShift { wall_ms: AtomicI64::new(0), station_ns: AtomicU64::new(0) };

impl ClockShift {
    /// Sets the wall clock on by so many milliseconds, or back; the station clock goes on as before.
    pub fn set_wall(&self, by_ms: i64) {
        self.wall_ms.fetch_add(by_ms, Ordering::Relaxed);
    }

    /// Both clocks pass this time at once, as they do while the computer sleeps; timers do not.
    pub fn suspend(&self, span: Duration) {
        let [ns, ms] = [span.as_nanos(), span.as_millis()];
        self.station_ns.fetch_add(u64::try_from(ns).unwrap_or(u64::MAX), Ordering::Relaxed);
        self.wall_ms.fetch_add(i64::try_from(ms).unwrap_or(i64::MAX), Ordering::Relaxed);
    }
}

impl Clock {
    /// Starts counting.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with(boot_time, &NONE)
    }

    /// Starts counting, as far from the clocks of the computer as `shift` says at each moment.
    #[must_use]
    pub fn shifted(shift: &'static ClockShift) -> Self {
        Self::start_with(boot_time, shift)
    }

    fn start_with(read: ReadFn, shift: &'static ClockShift) -> Self {
        let started = Self { read, start_ns: read().map_or(0, nanoseconds), start_wall_ms: 0, shift };
        Self { start_wall_ms: started.wall_ms(), ..started }
    }

    fn wall_ms(&self) -> i64 {
        wall_ms().saturating_add(self.shift.wall_ms.load(Ordering::Relaxed))
    }

    /// Both clocks, now.
    #[must_use]
    pub fn now(&self) -> Now {
        Now { station: self.station().unwrap_or(UNREADABLE), wall_ms: self.wall_ms() }
    }

    /// The station clock, unless it cannot be read.
    pub fn station(&self) -> io::Result<Instant> {
        let passed_ns = nanoseconds((self.read)()?).saturating_sub(self.start_ns);
        let shift_ns = self.shift.station_ns.load(Ordering::Relaxed);
        Ok(Instant(HEAD_START_NS.saturating_add(passed_ns).saturating_add(shift_ns)))
    }

    /// The time of the wall clock at `at` if nobody has set it since the start, Unix milliseconds.
    #[must_use]
    pub fn steady_wall_ms(&self, at: Instant) -> i64 {
        let since_start_ms = at.ms_since(Instant(HEAD_START_NS));
        self.start_wall_ms.saturating_add(i64::try_from(since_start_ms).unwrap_or(i64::MAX))
    }

    /// The time zone of this machine: days of logs, and times of jobs that name none, are its own.
    #[must_use]
    pub fn zone(&self) -> TimeZone {
        TimeZone::system()
    }

    /// Processor time of the calling thread so far; waiting for a turn on the processor does not count.
    #[must_use]
    pub fn worked(&self) -> Duration {
        Duration::from_nanos(nanoseconds(clock_gettime(ClockId::ThreadCPUTime)))
    }
}

/// The zone of this computer; UTC if it has none with a name.
#[must_use]
pub fn time_zone() -> Zone {
    let system = TimeZone::try_system().ok();
    let named = system.as_ref().and_then(TimeZone::iana_name).and_then(Zone::named);
    named.unwrap_or_else(Zone::utc)
}

// The monotonic clock of Linux stands still while the computer sleeps; robots do not.
#[cfg(target_os = "linux")]
const STATION_CLOCK: DynamicClockId<'_> = DynamicClockId::Boottime;
#[cfg(not(target_os = "linux"))]
const STATION_CLOCK: DynamicClockId<'_> = DynamicClockId::Known(ClockId::Monotonic);

fn boot_time() -> io::Result<Timespec> {
    Ok(clock_gettime_dynamic(STATION_CLOCK)?)
}

fn wall_ms() -> i64 {
    let wall = clock_gettime(ClockId::Realtime);
    wall.tv_sec.saturating_mul(1000).saturating_add(wall.tv_nsec / 1_000_000)
}

fn nanoseconds(time: Timespec) -> u64 {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    seconds.saturating_mul(1_000_000_000).saturating_add(u64::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t10_a_clock_that_cannot_be_read_shows_a_time_at_which_nothing_is_fresh() {
        let broken = Clock::start_with(|| Err(io::ErrorKind::InvalidInput.into()), &NONE);
        assert!(broken.station().is_err());
        let heard = Clock::start().now().station;
        assert!(broken.now().station.ms_since(heard) > 86_400_000, "what was heard a moment ago is long ago");
        assert!(broken.now().station.plus(Duration::from_secs(60)) > broken.now().station);
    }

    #[test]
    fn st_07_a_wall_clock_that_is_set_moves_no_age_and_a_suspend_moves_both_clocks() {
        static SHIFT: ClockShift = ClockShift { wall_ms: AtomicI64::new(0), station_ns: AtomicU64::new(0) };
        let clock = Clock::shifted(&SHIFT);
        let moved = |before: robot::Now| {
            let now = clock.now();
            (now.wall_ms - before.wall_ms, now.station.ms_since(before.station))
        };
        let before = clock.now();
        SHIFT.set_wall(-3_600_000);
        let (wall_ms, station_ms) = moved(before);
        assert!(wall_ms < -3_000_000 && station_ms < 600_000, "{wall_ms} {station_ms}");
        let before = clock.now();
        SHIFT.suspend(Duration::from_secs(3_600));
        let (wall_ms, station_ms) = moved(before);
        assert!(wall_ms >= 3_600_000 && station_ms >= 3_600_000, "{wall_ms} {station_ms}");
    }

    #[test]
    fn t3_the_steady_wall_clock_goes_on_from_the_start_whatever_the_wall_clock_does() {
        let clock = Clock { start_wall_ms: 1_000_000, ..Clock::start() };
        let at = |ms: u64| Instant(HEAD_START_NS).plus(Duration::from_millis(ms));
        assert_eq!(
            [at(0), at(250), at(3_600_000)].map(|at| clock.steady_wall_ms(at)),
            [1_000_000, 1_000_250, 4_600_000]
        );
    }
}
