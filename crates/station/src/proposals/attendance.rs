//! Whether somebody is there who could press and hold.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use robot::Instant;

/// Without an act of a person for this long nobody is there.
const IDLE_MAX: Duration = Duration::from_secs(10 * 60);

/// When a person last did something. A start counts: somebody started the station.
#[derive(Debug, Default)]
pub(crate) struct Attendance {
    last_act: AtomicU64,
}

impl Attendance {
    /// Notes that a person did something. Screens that only read by themselves do not count.
    pub fn note(&self, now: Instant) {
        self.last_act.fetch_max(now.0, Ordering::Relaxed);
    }

    /// Whether nobody is there.
    pub fn is_unattended(&self, now: Instant) -> bool {
        now.since(Instant(self.last_act.load(Ordering::Relaxed))) >= IDLE_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_there_ten_minutes_after_the_last_act_of_a_person() {
        let attendance = Attendance::default();
        let at = |s: u64| Instant::from_millis(s * 1_000);
        attendance.note(at(60));
        // A slower thread tells of an older act.
        attendance.note(at(30));
        assert_eq!([659, 660].map(|s| attendance.is_unattended(at(s))), [false, true]);
        attendance.note(at(700));
        assert!(!attendance.is_unattended(at(701)));
    }
}
