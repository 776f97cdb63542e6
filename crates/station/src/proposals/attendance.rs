//! The presence of a person who could press and hold.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use robot::{Instant, SessionId};
use runtime::lock::lock;

/// An act of so long ago counts for nothing: longer than any setting allows a person to be idle.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(3_600);

/// When each person last did something; without those who have left. A start counts: somebody started the station.
#[derive(Debug, Default)]
pub(crate) struct Attendance(Mutex<Acts>);

#[derive(Debug, Default)]
struct Acts {
    start: Option<Instant>,
    of: BTreeMap<SessionId, Instant>,
}

impl Attendance {
    /// Notes the start of the station.
    pub fn note_start(&self, now: Instant) {
        lock(&self.0).start = Some(now);
    }

    /// Notes that the person of a session did something. Screens that only read by themselves do not count.
    pub fn note(&self, by: &SessionId, now: Instant) {
        let mut acts = lock(&self.0);
        acts.of.retain(|_, last| now.since(*last) < FORGOTTEN_AFTER);
        // Acts of several threads arrive in any order.
        let last = acts.of.entry(by.clone()).or_insert(now);
        *last = now.max(*last);
    }

    /// Notes that the person of a session has locked their screen, or is signed in no more: until they act again they
    /// are not there. Whoever started the station may be the one who leaves.
    pub fn leave(&self, by: &SessionId) {
        let mut acts = lock(&self.0);
        acts.start = None;
        acts.of.remove(by);
    }

    /// True if nobody is there: each person has left, or has not acted for `idle_max`.
    pub fn is_unattended(&self, idle_max: Duration, now: Instant) -> bool {
        let acts = lock(&self.0);
        acts.start.iter().chain(acts.of.values()).all(|last| now.since(*last) >= idle_max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(name: &str) -> SessionId {
        name.into()
    }

    #[test]
    fn nobody_is_there_ten_minutes_after_the_last_act_of_a_person() {
        let attendance = Attendance::default();
        let idle_max = Duration::from_secs(600);
        let at = |s: u64| Instant::from_millis(s * 1_000);
        attendance.note(&session("desk"), at(60));
        // A slower thread tells of an older act.
        attendance.note(&session("desk"), at(30));
        assert_eq!([659, 660].map(|s| attendance.is_unattended(idle_max, at(s))), [false, true]);
        attendance.note(&session("desk"), at(700));
        assert!(!attendance.is_unattended(idle_max, at(701)));
    }

    #[test]
    fn u_614_nobody_is_there_from_the_moment_the_screen_is_locked_until_somebody_acts() {
        let (attendance, idle_max) = (Attendance::default(), Duration::from_secs(600));
        let at = |s: u64| Instant::from_millis(s * 1_000);
        attendance.note(&session("desk"), at(60));
        attendance.leave(&session("desk"));
        assert!(attendance.is_unattended(idle_max, at(61)));
        attendance.note(&session("desk"), at(62));
        assert!(!attendance.is_unattended(idle_max, at(63)));
    }

    #[test]
    fn whoever_leaves_takes_nobody_elses_presence_with_them() {
        let (attendance, idle_max) = (Attendance::default(), Duration::from_secs(600));
        let at = |s: u64| Instant::from_millis(s * 1_000);
        attendance.note(&session("desk"), at(60));
        attendance.note(&session("tablet"), at(61));
        attendance.leave(&session("tablet"));
        assert!(!attendance.is_unattended(idle_max, at(62)));
        attendance.leave(&session("desk"));
        assert!(attendance.is_unattended(idle_max, at(62)));
        attendance.note_start(at(70));
        assert!(!attendance.is_unattended(idle_max, at(71)));
        attendance.leave(&session("desk"));
        assert!(attendance.is_unattended(idle_max, at(71)), "whoever started it is taken for gone");
    }
}
