//! The writers of a robot's state. From a robot with a key only what it has signed counts; two writers of one key
//! are told of, whatever they write. A robot that is started anew is no second writer: its old session has ended.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use bridge::signing::{SignedSample, WriterId};
use robot::Instant;

use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use runtime::lock::lock;

/// A writer that was silent for this long has stopped.
const SILENT_AFTER: Duration = Duration::from_secs(2);
/// Writers of one key that are told apart.
const WRITERS_MAX: usize = 4;

/// The newest writers of one key.
#[derive(Debug, Default)]
pub(super) struct Writers {
    newest: Mutex<VecDeque<Known>>,
}

/// A writer, with its first message and its newest.
#[derive(Debug, Clone, Copy)]
struct Known {
    writer: Writer,
    began: Instant,
    at: Instant,
}

/// A possible author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Writer {
    /// True if the robot's own key has signed it.
    signed: bool,
    /// The session that it names.
    session: Option<WriterId>,
}

impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { signed, session } = self;
        let who = if *signed { "the robot itself, which signs it" } else { "somebody who does not sign as the robot" };
        match session {
            Some(session) => write!(f, "{who} (session {session})"),
            None => write!(f, "{who} (a session without a name)"),
        }
    }
}

impl Writers {
    /// True if `message` may be believed. One that the robot should have signed and did not is counted and
    /// reported.
    pub(super) fn admit(&self, fleet: &Fleet, unit: &RobotHandle, message: &SignedSample) -> bool {
        let is_of_robot = unit.has_signed(message);
        if !is_of_robot {
            fleet.rejects.note_unsigned(unit.id(), &message.sample.key_expr);
        }
        self.tell(fleet, unit, message, is_of_robot);
        is_of_robot
    }

    /// Tells of a message on a key of the robot's gate that is not its own.
    pub(super) fn refused(&self, fleet: &Fleet, unit: &RobotHandle, message: &SignedSample) {
        self.tell(fleet, unit, message, false);
    }

    fn tell(&self, fleet: &Fleet, unit: &RobotHandle, message: &SignedSample, is_of_robot: bool) {
        let writer = Writer { signed: is_of_robot && unit.link.signs(), session: message.writer() };
        let (key, now) = (&message.sample.key_expr, message.sample.received);
        let other = self.note(writer, now);
        let sentence = match other {
            Some(other) => format!("{key} has two writers: {other}, and {writer}."),
            None if is_of_robot => return,
            None => format!("{key} is written by {writer}; {} has not been heard on it.", unit.id()),
        };
        fleet.observer.note_forged(unit.id(), sentence);
    }

    /// Notes a writer; gives another one that writes at the same time. Two sessions
    /// that sign alike, or do not sign alike, do so only if each has written after
    /// the other: else the first was ended and the second is the same robot.
    fn note(&self, writer: Writer, now: Instant) -> Option<Writer> {
        let mut newest = lock(&self.newest);
        newest.retain(|known| now.since(known.at) < SILENT_AFTER);
        let began = newest.iter().find(|known| known.writer == writer).map_or(now, |known| known.began);
        // Moved to the end, so that the one that is pushed out below is the writer that was silent longest.
        newest.retain(|known| known.writer != writer);
        newest.push_back(Known { writer, began, at: now });
        // A forger can name a new session in every message.
        if newest.len() > WRITERS_MAX {
            newest.pop_front();
        }
        let is_other = |known: &&Known| {
            let other = known.writer.signed != writer.signed;
            known.writer != writer && (other || known.at > began)
        };
        newest.iter().find(is_other).map(|known| known.writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_that_write_at_the_same_time_are_told_apart_and_one_that_is_started_anew_is_not() {
        let (writers, at) = (Writers::default(), Instant::from_millis);
        let signed = Writer { signed: true, session: None };
        let forged = Writer { signed: false, session: None };
        assert_eq!(writers.note(signed, at(0)), None);
        assert_eq!(writers.note(signed, at(100)), None);
        assert_eq!(writers.note(forged, at(150)), Some(signed));
        assert_eq!(writers.note(signed, at(200)), Some(forged));
        assert_eq!(writers.note(signed, at(2_150)), None, "the other has stopped");
        let [first, second] = ["a1", "b2"].map(|id| Writer { signed: true, session: Some(id.parse().unwrap()) });
        assert_eq!(writers.note(first, at(5_000)), None);
        assert_eq!(writers.note(second, at(5_500)), None, "the robot was started anew");
        assert_eq!(writers.note(second, at(5_600)), None);
        assert_eq!(writers.note(first, at(5_700)), Some(second), "the first goes on");
        assert_eq!(writers.note(second, at(5_800)), Some(first));
        let two = format!("{signed} and {forged}");
        assert!(two.contains("the robot itself") && two.contains("does not sign"), "{two}");
    }
}
