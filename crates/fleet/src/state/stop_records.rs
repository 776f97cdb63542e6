//! The stops of a station: which robots each binds, and what they have answered.

mod record;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use memory::OpenStop;
use robot::{GateKind, Instant, RobotId};
use safety::machine::SafetyCause;
use tokio::sync::watch;

use crate::state::robot_handle::RobotHandle;
use runtime::lock::lock;
use runtime::wire::{LinkState, Stop, StopReason};

pub(crate) use record::{Answer, InProgress, Record, Step};

/// Open stops, and those of this run that were released.
#[derive(Debug)]
pub struct Stops {
    last_id: AtomicU64,
    /// Number of stops by anybody or anything, drills left out: an act allowed before the newest press does not happen
    /// after it.
    presses: AtomicU64,
    records: Mutex<BTreeMap<u64, Record>>,
}

/// Released stops that screens can still show.
const RELEASED_MAX: usize = 32;

/// A stop that somebody or something asks for.
pub(crate) struct Press<'a> {
    /// The name of who asks.
    pub by: &'a str,
    /// The kind of stop that it is.
    pub why: Why,
    /// The reason as it is shown to people.
    pub reason: Option<StopReason>,
    /// The robots that it binds.
    pub robots: BTreeSet<RobotId>,
}

impl Stops {
    /// Starts from what the disk holds; `last_id` is the highest number ever used.
    pub fn new(last_id: u64, open: Vec<OpenStop>) -> Self {
        let records = open.into_iter().map(|stored| (stored.stop_id, Record::left(stored))).collect();
        Self { last_id: AtomicU64::new(last_id), presses: AtomicU64::new(0), records: Mutex::new(records) }
    }

    /// Held for as long as it takes to look something up or to
    /// note it: rows are made, and other locks taken, without it.
    pub(crate) fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Record>> {
        lock(&self.records)
    }

    /// The newest stop's number; 0 before the first.
    pub fn last_id(&self) -> u64 {
        self.last_id.load(Ordering::SeqCst)
    }

    /// Number of stops so far; a caller that lets something happen later compares it.
    pub fn presses(&self) -> u64 {
        self.presses.load(Ordering::SeqCst)
    }

    /// True if a stop of this run binds `unit` and is neither acknowledged in time nor seen to be obeyed by a person.
    pub fn unconfirmed(&self, unit: &RobotHandle, now: Instant) -> bool {
        let ack_ms = u64::from(unit.manifest.stop.ack_ms);
        // Stops of earlier runs, and of robots without a gate, are never acknowledged.
        let overdue = |record: &&Record| record.pressed.is_some_and(|pressed| now.ms_since(pressed) > ack_ms);
        let silent = |answer: &Answer| answer.acked.is_none() && !answer.looked;
        if unit.manifest.gate == GateKind::None || unit.link_state(now) == LinkState::Never {
            return false;
        }
        let records = self.lock();
        let binding = records.values().filter(|record| record.binds(unit.id()));
        binding.filter(overdue).any(|record| record.answers.get(unit.id()).is_some_and(silent))
    }

    /// True if the disk has stop `stop_id`.
    pub fn is_saved(&self, stop_id: u64) -> bool {
        *self.saved(stop_id).borrow()
    }

    /// Tells when the disk has stop `stop_id`, whichever of its presses has written it.
    pub fn saved(&self, stop_id: u64) -> watch::Receiver<bool> {
        let unknown = || watch::Sender::new(false).subscribe();
        self.lock().get(&stop_id).map_or_else(unknown, |record| record.saved.subscribe())
    }

    /// True if `robot` has acknowledged every stop that binds it.
    pub fn acknowledged(&self, robot: &RobotId) -> bool {
        let acked = |record: &Record| record.answers.get(robot).is_some_and(|answer| answer.acked.is_some());
        self.lock().values().filter(|record| record.binds(robot)).all(acked)
    }

    /// When `robot` acknowledged stop `stop_id` and was seen standing still after it, milliseconds from the press.
    pub fn times_of(&self, stop_id: u64, robot: &RobotId) -> (Option<f64>, Option<f64>) {
        let records = self.lock();
        let found = records.get(&stop_id).and_then(|record| Some((record, record.answers.get(robot)?)));
        found.map_or((None, None), |(record, answer)| (record.after_ms(answer.acked), record.after_ms(answer.stood)))
    }

    /// Notes that a person has looked at `robot` and takes its stops for obeyed.
    pub fn note_looked(&self, robot: &RobotId) {
        for record in self.lock().values_mut().filter(|record| record.is_open()) {
            if let Some(answer) = record.answers.get_mut(robot) {
                answer.looked = true;
            }
        }
    }

    /// Stops of earlier runs that bind `robot`, each with the cause it stands for. The reason for it may be gone,
    /// so a person releases it. One that only the state of a robot asked for which is still `locked` ends with
    /// that state.
    pub fn left(&self, robot: &RobotId, locked: bool) -> BTreeMap<u64, Option<SafetyCause>> {
        let cause = |stored: &OpenStop| (stored.asked || !locked).then_some(SafetyCause::StopRobot);
        let binding = |record: &&Record| record.binds(robot);
        let records = self.lock();
        records.values().filter(binding).map(|record| (record.stored.stop_id, cause(&record.stored))).collect()
    }

    /// Numbers of the stops that bind `robot`.
    pub fn binding(&self, robot: &RobotId) -> BTreeSet<u64> {
        self.lock().values().filter(|record| record.binds(robot)).map(|record| record.stored.stop_id).collect()
    }

    /// True while a stop is open that was pressed when no robot was known: it binds the whole station.
    pub fn station_bound(&self) -> bool {
        self.lock().values().any(|record| record.is_open() && record.stored.robots.is_empty())
    }

    /// Open stops of `units` as screens see them, oldest first. One that binds nothing but robots that are not there is
    /// left out: nobody could release it.
    pub fn open_rows(&self, units: &[Arc<RobotHandle>], now: Instant) -> Vec<Stop> {
        self.open().iter().map(|record| record.row(units, now)).filter(|row| row.open).collect()
    }

    /// Copies of the open ones, oldest first.
    pub(crate) fn open(&self) -> Vec<Record> {
        self.lock().values().filter(|record| record.is_open()).cloned().collect()
    }

    /// Opens a stop, or finds the one that it repeats; with whether there is something new to save. No release of it
    /// begins before the press is dropped.
    pub(crate) fn press(&self, press: Press<'_>, now: robot::Now) -> (InProgress<'_>, bool) {
        let Press { by, why, reason, robots } = press;
        if why != Why::Drill {
            self.presses.fetch_add(1, Ordering::SeqCst);
        }
        let asked = why != Why::State;
        let (reason, reason_kind) = (reason.as_ref().map(ToString::to_string), reason.as_ref().and_then(kept));
        let mut records = self.lock();
        // A drill releases its stop by itself, so it must not share one that a person has pressed.
        let is_repeated = |record: &&mut Record| why != Why::Drill && record.is_repeated(by, &robots);
        if let Some(record) = records.values_mut().rfind(is_repeated) {
            // A stop of the state alone may end with that state;
            // once a person asks for it, the disk must say so too.
            let first_asked = asked && !std::mem::replace(&mut record.stored.asked, true);
            if first_asked {
                record.saved.send_replace(false);
            }
            return (InProgress::begin(self, Step::Press, [record]), first_asked);
        }
        let stop_id = self.last_id.fetch_add(1, Ordering::SeqCst) + 1;
        let (by, at_ms, released) = (by.to_owned(), now.wall_ms, BTreeSet::new());
        let stored = OpenStop { stop_id, by, asked, reason, reason_kind, at_ms, robots, released };
        let over: Vec<u64> = records.iter().filter(|(_, record)| record.is_over()).map(|(id, _)| *id).collect();
        for id in over.iter().take(over.len().saturating_sub(RELEASED_MAX)) {
            records.remove(id);
        }
        let record = records.entry(stop_id).or_insert(Record::new(stored, now.station, why == Why::Drill));
        (InProgress::begin(self, Step::Press, [record]), true)
    }
}

/// A reason as the disk keeps it.
fn kept(reason: &StopReason) -> Option<String> {
    serde_json::to_string(reason).ok()
}

/// Reason for opening a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// Somebody asked for it; its cause in the robots' state.
    Asked(SafetyCause),
    /// The robots' state asked for it.
    State,
    /// A fallback of the robot asked for it.
    Fallback,
    /// To see that the robot can be stopped.
    Drill,
}

impl Why {
    /// The cause that it is to the state of its robots.
    pub fn cause(self) -> Option<SafetyCause> {
        match self {
            Self::Asked(cause) => Some(cause),
            Self::State => None,
            Self::Fallback | Self::Drill => Some(SafetyCause::StopRobot),
        }
    }
}

#[cfg(test)]
mod tests;
