//! STOP ALL: fences first, then stop threads, disk, and everybody told, each independent of the others; and release.

mod evidence;
mod record;
mod releasable;
mod release;
mod saving;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use bridge::envelope::{OpenStop as GateStop, Status, StoppedBy};
use memory::OpenStop;
use robot::{GateKind, Instant, RobotId};
use safety::Approved;
use safety::machine::{CauseSet, SafetyCause, StopKind};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::fleet::Fleet;
use crate::robot_handle::RobotHandle;
use crate::supervision;
use crate::surroundings::PressedStop;
use evidence::record;
use record::{Answer, InProgress, Record, Step};
use runtime::lock::lock;
use runtime::session::Session;
use runtime::wire::{Fact, LinkState, Stop, StopPressed, Tag};
use saving::{save, wait_done, wait_saved};

pub use evidence::take_up as take_up_left;
pub use release::release;
pub(crate) use release::{check_still, release_supervised};

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

impl Stops {
    /// Starts from what the disk holds; `last_id` is the highest number ever used.
    pub fn new(last_id: u64, open: Vec<OpenStop>) -> Self {
        let records = open.into_iter().map(|stored| (stored.stop_id, Record::left(stored))).collect();
        Self { last_id: AtomicU64::new(last_id), presses: AtomicU64::new(0), records: Mutex::new(records) }
    }

    /// Held for as long as it takes to look something up or to note it: rows are made, and other locks taken, without it.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Record>> {
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
    pub fn unconfirmed(&self, fleet: &Fleet, unit: &RobotHandle, now: Instant) -> bool {
        let ack_ms = u64::from(unit.manifest.stop.ack_ms);
        // A stop of an earlier run, and one to a robot without a gate, has nobody to acknowledge it.
        let overdue = |record: &&Record| record.pressed.is_some_and(|pressed| now.ms_since(pressed) > ack_ms);
        let silent = |answer: &Answer| answer.acked.is_none() && !answer.looked;
        if unit.manifest.gate == GateKind::None
            || unit.link_state(fleet.runtime.clock.now().station) == LinkState::Never
        {
            return false;
        }
        let records = self.lock();
        let binding = records.values().filter(|record| record.binds(unit.id()));
        binding.filter(overdue).any(|record| record.answers.get(unit.id()).is_some_and(silent))
    }

    /// True if the disk has stop `stop_id`.
    pub fn is_saved(&self, stop_id: u64) -> bool {
        self.lock().get(&stop_id).is_some_and(|record| record.saved)
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

    /// Stops of earlier runs that bind `robot`, each with the cause it is: why it was sent is not known any more, so a
    /// person releases it. One that the state of a robot which is still `locked` has asked for ends with that state.
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

    /// Open stops as screens see them, oldest first.
    pub fn open_rows(&self, fleet: &Fleet) -> Vec<Stop> {
        self.open().iter().map(|record| record.row(fleet)).collect()
    }

    /// Copies of the open ones, oldest first.
    fn open(&self) -> Vec<Record> {
        self.lock().values().filter(|record| record.is_open()).cloned().collect()
    }

    /// Notes that the stop thread of `robot` has put stop `stop_id`.
    pub fn note_sent(&self, fleet: &Fleet, robot: &RobotId, stop_id: u64, at: Instant) {
        self.answer(fleet, robot, stop_id, |answer| {
            let first = answer.sent.is_none();
            answer.sent.get_or_insert(at);
            first
        });
    }

    /// Notes a robot's acknowledgement of a stop.
    pub fn note_ack(
        &self,
        fleet: &Fleet,
        unit: &RobotHandle,
        stop_id: u64,
        ack: (Status, Option<f64>, bool),
        at: Instant,
    ) {
        let (status, speed_mps, standstill) = ack;
        let latched = matches!(status, Status::Received | Status::Running | Status::Done);
        self.answer(fleet, unit.id(), stop_id, |answer| {
            if latched {
                answer.acked.get_or_insert(at);
            }
            answer.speed_mps = speed_mps.filter(|speed| speed.is_finite());
            let is_still = speed_mps.is_some_and(|speed| speed.abs() <= unit.manifest.stop.standstill_mps);
            answer.stands(standstill && is_still, at);
            true
        });
        if latched && standstill {
            unit.link.stop_done(stop_id);
        }
    }

    /// Notes a measured speed of a robot that is being stopped.
    pub fn note_speed(&self, fleet: &Fleet, unit: &RobotHandle, speed_mps: f64) {
        for stop_id in self.binding(unit.id()) {
            self.answer(fleet, unit.id(), stop_id, |answer| {
                let standstill = speed_mps <= unit.manifest.stop.standstill_mps;
                let changed = answer.standstill != Some(standstill);
                answer.speed_mps = Some(speed_mps);
                answer.stands(standstill, fleet.runtime.clock.now().station);
                changed
            });
        }
    }

    /// Tells once of every robot whose acknowledgement is overdue.
    pub fn sweep(&self, fleet: &Fleet, now: Instant) {
        for record in self.open() {
            let Some(pressed) = record.pressed else { continue };
            let stop_id = record.stored.stop_id;
            for (robot, answer) in record.answers.iter().filter(|(_, answer)| answer.acked.is_none()) {
                let Ok(unit) = fleet.unit(robot) else { continue };
                let overdue = now.ms_since(pressed) > u64::from(unit.manifest.stop.ack_ms);
                if overdue && !answer.overdue_told {
                    let place = &unit.manifest.hardware_estop;
                    let sentence = format!("{robot} did not confirm stop #{stop_id}. Use the hardware stop: {place}.");
                    fleet.runtime.bus.event("stop_not_confirmed", sentence);
                    self.answer(fleet, robot, stop_id, |answer| !std::mem::replace(&mut answer.overdue_told, true));
                }
            }
        }
    }

    fn answer(&self, fleet: &Fleet, robot: &RobotId, stop_id: u64, change: impl FnOnce(&mut Answer) -> bool) {
        let changed =
            self.lock().get_mut(&stop_id).and_then(|record| record.answers.get_mut(robot)).is_some_and(change);
        if changed {
            self.tell(fleet, stop_id);
        }
    }

    fn tell(&self, fleet: &Fleet, stop_id: u64) {
        let record = self.lock().get(&stop_id).cloned();
        if let Some(record) = record {
            fleet.runtime.bus.fact(Fact::Stop { stop: record.row(fleet) }, Some(Tag::Safety));
        }
    }

    /// Opens a stop, or finds the one that it repeats; with whether there is something new to save. No release of it
    /// begins before the press is dropped.
    fn press(
        &self,
        (by, why): (&str, Why),
        reason: Option<String>,
        robots: BTreeSet<RobotId>,
        now: robot::Now,
    ) -> (InProgress<'_>, bool) {
        if why != Why::Drill {
            self.presses.fetch_add(1, Ordering::SeqCst);
        }
        let asked = why != Why::State;
        let mut records = self.lock();
        // A drill ends its own stop: it is none of those that are pressed already.
        let is_repeated = |record: &&mut Record| why != Why::Drill && record.is_repeated(by, &robots);
        if let Some(record) = records.values_mut().rfind(is_repeated) {
            let first_asked = asked && !std::mem::replace(&mut record.stored.asked, true);
            return (InProgress::begin(self, Step::Press, [record]), first_asked);
        }
        let stop_id = self.last_id.fetch_add(1, Ordering::SeqCst) + 1;
        let (by, at_ms, released) = (by.to_owned(), now.wall_ms, BTreeSet::new());
        let stored = OpenStop { stop_id, by, asked, reason, at_ms, robots, released };
        let over: Vec<u64> = records.iter().filter(|(_, record)| record.is_over()).map(|(id, _)| *id).collect();
        for id in over.iter().take(over.len().saturating_sub(RELEASED_MAX)) {
            records.remove(id);
        }
        let record = records.entry(stop_id).or_insert(Record::new(stored, now.station, why == Why::Drill));
        (InProgress::begin(self, Step::Press, [record]), true)
    }
}

/// A stop that has been handed to the robots' threads.
struct Pressed {
    stop_id: u64,
    robots: Vec<RobotId>,
    saved: watch::Receiver<bool>,
    /// Takes back what waits for, or was given, leave to move.
    voiding: Option<JoinHandle<()>>,
}

/// Stops `robots` (all of the station if `None`) for a person, a program or another station. Nothing here can be refused, and nothing waits for storage, a
/// model or a screen before the robots are told.
pub async fn press(fleet: &Arc<Fleet>, by: &Session, reason: Option<String>, robots: Option<&RobotId>) -> StopPressed {
    let Pressed { stop_id, robots, saved, voiding } = begin(fleet, by, reason, robots.map(std::slice::from_ref));
    let (latch_saved, ()) = tokio::join!(wait_saved(saved), wait_done(voiding));
    StopPressed { stop_id, latch_saved, robots }
}

/// The same, from whatever thread and without waiting for anything: whether the latch is on disk is what is known now.
pub fn press_at_once(
    fleet: &Arc<Fleet>,
    by: &Session,
    reason: Option<String>,
    robots: Option<&[RobotId]>,
) -> StopPressed {
    let Pressed { stop_id, robots, saved, .. } = begin(fleet, by, reason, robots);
    let latch_saved = *saved.borrow();
    StopPressed { stop_id, latch_saved, robots }
}

fn begin(fleet: &Arc<Fleet>, by: &Session, reason: Option<String>, robots: Option<&[RobotId]>) -> Pressed {
    let units: Vec<_> =
        fleet.units().into_iter().filter(|unit| robots.is_none_or(|robots| robots.contains(unit.id()))).collect();
    let cause = if robots.is_some() { SafetyCause::StopRobot } else { SafetyCause::StopAll };
    let pressed = open(fleet, by, reason, &units, Why::Asked(cause));
    for unit in &units {
        supervision::step(fleet, unit, CauseSet::EMPTY, None);
    }
    pressed
}

/// Stops `unit` because its state asks for it.
pub(crate) fn supervise(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, reason: Option<String>) {
    // Nobody waits for the disk: the write is repeated until it is done.
    let _ = open(fleet, &Session::supervision(), reason, std::slice::from_ref(unit), Why::State);
}

/// Stops `unit` to see that it can be stopped.
pub fn drill(fleet: &Arc<Fleet>, by: &Session, unit: &Arc<RobotHandle>) -> u64 {
    let stop_id = open(fleet, by, Some("stop drill".to_owned()), std::slice::from_ref(unit), Why::Drill).stop_id;
    supervision::step(fleet, unit, CauseSet::EMPTY, None);
    stop_id
}

/// Stops `unit` until a person releases it.
pub fn halt(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, reason: String) -> u64 {
    let units = std::slice::from_ref(unit);
    open(fleet, &Session::supervision(), Some(reason), units, Why::Fallback).stop_id
}

/// Reason for opening a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
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
    fn cause(self) -> Option<SafetyCause> {
        match self {
            Self::Asked(cause) => Some(cause),
            Self::State => None,
            Self::Fallback | Self::Drill => Some(SafetyCause::StopRobot),
        }
    }
}

/// Fences, then stop threads, then everything else; each is independent of the others.
fn open(fleet: &Arc<Fleet>, by: &Session, reason: Option<String>, units: &[Arc<RobotHandle>], why: Why) -> Pressed {
    for unit in units {
        unit.fence.engage();
    }
    let ids: BTreeSet<RobotId> = units.iter().map(|unit| unit.id().clone()).collect();
    let (pressing, is_new) = fleet.stops.press((by.actor(), why), reason, ids.clone(), fleet.runtime.clock.now());
    let stop_id = pressing.stop_id();
    for unit in units {
        let approved = if why == Why::Drill { Approved::drill } else { Approved::stop };
        unit.link.stop(approved(unit.id().clone(), fleet.runtime.id.clone(), stop_id));
    }
    let mut was_stopped = true;
    for unit in units {
        let mut control = unit.control();
        control.told_to_end(StopKind::Stop, fleet.runtime.clock.now().station);
        was_stopped &= !control.open_stops.is_empty();
        control.open_stops.insert(stop_id, why.cause());
    }
    drop(pressing);
    tracing::warn!(stop_id, by = by.actor(), "STOP");
    record(fleet, by, stop_id, &ids);
    let saved = save(fleet, stop_id, is_new);
    // Here and now, so that no turn that begins later is ended for this stop: a robot that does not confirm its stop is
    // stopped once more, while somebody may ask the agent about it.
    if why != Why::Drill && !(why == Why::Fallback && was_stopped) {
        fleet.observer.end_turns(by);
    }
    let voiding = (why != Why::Drill).then(|| void(fleet, by, (stop_id, ids), why));
    fleet.stops.tell(fleet, stop_id);
    fleet.tell_safety(units);
    Pressed { stop_id, robots: units.iter().map(|unit| unit.id().clone()).collect(), saved, voiding }
}

/// Takes back what waits for, or was given, leave to move, on a thread of its own: the next stop does not wait for it. What
/// was let happen before this press is not carried out meanwhile, because whoever carries it out compares
/// [`Stops::presses`].
fn void(fleet: &Arc<Fleet>, by: &Session, (stop_id, robots): (u64, BTreeSet<RobotId>), why: Why) -> JoinHandle<()> {
    let is_of_all = why == Why::Asked(SafetyCause::StopAll);
    let stop = PressedStop { by: by.clone(), stop_id, presses: fleet.stops.presses(), robots, is_of_all };
    let observer = Arc::clone(&fleet.observer);
    fleet.after_stops.spawn(&fleet.runtime.tasks, async move { observer.void_after_stop(&stop) })
}

/// The gate of `unit` holds a stop that it did not hold before. If it is somebody else's, the robot is stopped here too,
/// so that this desk sees and releases it.
pub fn take_over(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, stop: GateStop) {
    let by = match &stop.by {
        StoppedBy::Station(other) if *other != fleet.runtime.id => Session::other_station(other),
        StoppedBy::Stranger => Session::stranger(),
        // Ours is known here; what the gate has latched by itself is released by the next claim.
        StoppedBy::Station(_) | StoppedBy::Restart | StoppedBy::Deadman => return,
    };
    unit.fence.engage();
    let (in_task, unit) = (Arc::clone(fleet), Arc::clone(unit));
    fleet.stop_lane.spawn(&fleet.runtime.tasks, async move {
        let reason = Some("stopped at the robot by somebody else".to_owned());
        let taken = begin(&in_task, &by, reason, Some(std::slice::from_ref(unit.id())));
        unit.control().beats.note_taken_over(stop, taken.stop_id);
    });
}

#[cfg(test)]
mod tests;
