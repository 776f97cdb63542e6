//! The presence of a person who could press and hold.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use robot::Instant;

/// When a person last did something; 0 once they have left. A start counts: somebody started the station.
#[derive(Debug, Default)]
pub(crate) struct Attendance {
    last_act: AtomicU64,
}

impl Attendance {
    /// Notes that a person did something. Screens that only read by themselves do not count.
    pub fn note(&self, now: Instant) {
        // Acts of several threads arrive in any order.
        self.last_act.fetch_max(now.0, Ordering::Relaxed);
    }

    /// Notes that a person has locked the screen or left: nobody is present until somebody acts again.
    pub fn leave(&self) {
        self.last_act.store(0, Ordering::Relaxed);
    }

    /// True if nobody is there: no person has acted for `idle_max`, or they have left.
    pub fn is_unattended(&self, idle_max: Duration, now: Instant) -> bool {
        let last_act = self.last_act.load(Ordering::Relaxed);
        last_act == 0 || now.since(Instant(last_act)) >= idle_max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_there_ten_minutes_after_the_last_act_of_a_person() {
        let attendance = Attendance::default();
        let idle_max = Duration::from_secs(600);
        let at = |s: u64| Instant::from_millis(s * 1_000);
        attendance.note(at(60));
        // A slower thread tells of an older act.
        attendance.note(at(30));
        assert_eq!([659, 660].map(|s| attendance.is_unattended(idle_max, at(s))), [false, true]);
        attendance.note(at(700));
        assert!(!attendance.is_unattended(idle_max, at(701)));
    }

    #[test]
    fn u_614_nobody_is_there_from_the_moment_the_screen_is_locked_until_somebody_acts() {
        let (attendance, idle_max) = (Attendance::default(), Duration::from_secs(600));
        let at = |s: u64| Instant::from_millis(s * 1_000);
        attendance.note(at(60));
        attendance.leave();
        assert!(attendance.is_unattended(idle_max, at(61)));
        attendance.note(at(62));
        assert!(!attendance.is_unattended(idle_max, at(63)));
    }
}
