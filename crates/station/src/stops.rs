//! STOP ALL: fences first, then stop threads, disk, and everybody told, each independent of the others; and release.

mod evidence;
mod record;
mod releasable;
mod saving;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use bridge::envelope::Status;
use memory::OpenStop;
use robot::{GateKind, Instant, RobotId};
use safety::Approved;
use safety::machine::{CauseSet, Clears, SafetyCause, State, StopKind};
use tokio::sync::watch;

use crate::error::OpError;
use crate::lock::lock;
use crate::session::Session;
use crate::station::Station;
use crate::unit::RobotUnit;
use crate::wire::{Fact, LinkState, Released, Stop, StopPressed, Tag};
use crate::{lockout, supervision};
use evidence::{record, record_release};
use record::{Answer, Record};
use saving::{save, wait_saved};

pub(crate) use evidence::take_up as take_up_left;

/// Open stops, and those of this run that were released.
#[derive(Debug)]
pub struct Stops {
    pub(crate) last_id: AtomicU64,
    records: Mutex<BTreeMap<u64, Record>>,
}

/// Released stops that screens can still show.
const RELEASED_MAX: usize = 32;

impl Stops {
    /// Starts from what the disk holds; `last_id` is the highest number ever used.
    pub fn new(last_id: u64, open: Vec<OpenStop>) -> Self {
        let records = open
            .into_iter()
            .map(|stored| {
                let answers = stored.robots.iter().map(|robot| (robot.clone(), Answer::default())).collect();
                (stored.stop_id, Record { stored, pressed: None, saved: true, closed: false, answers })
            })
            .collect();
        Self { last_id: AtomicU64::new(last_id), records: Mutex::new(records) }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Record>> {
        lock(&self.records)
    }

    /// Whether a stop of this run binds `unit` and is neither acknowledged in time nor seen to be obeyed by a person.
    pub fn unconfirmed(&self, station: &Station, unit: &RobotUnit, now: Instant) -> bool {
        let ack_ms = u64::from(unit.manifest.stop.ack_ms);
        // A stop of an earlier run, and one to a robot without a gate, has nobody to acknowledge it.
        let overdue = |record: &&Record| record.pressed.is_some_and(|pressed| now.ms_since(pressed) > ack_ms);
        let silent = |answer: &Answer| answer.acked.is_none() && !answer.looked;
        unit.manifest.gate != GateKind::None
            && unit.link_state(station.clock.now().station) != LinkState::Never
            && self
                .lock()
                .values()
                .filter(|record| record.binds(unit.id()))
                .filter(overdue)
                .any(|record| record.answers.get(unit.id()).is_some_and(silent))
    }

    /// Whether the disk has stop `stop_id`.
    pub fn is_saved(&self, stop_id: u64) -> bool {
        self.lock().get(&stop_id).is_some_and(|record| record.saved)
    }

    /// Whether `robot` has acknowledged every stop that binds it.
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
    pub fn open_rows(&self, station: &Station) -> Vec<Stop> {
        self.lock().values().filter(|record| record.is_open()).map(|record| record.row(station)).collect()
    }

    /// Notes that the stop thread of `robot` has put stop `stop_id`.
    pub fn note_sent(&self, station: &Station, robot: &RobotId, stop_id: u64, at: Instant) {
        self.answer(station, robot, stop_id, |answer| {
            let first = answer.sent.is_none();
            answer.sent.get_or_insert(at);
            first
        });
    }

    /// Notes a robot's acknowledgement of a stop.
    pub fn note_ack(&self, station: &Station, unit: &RobotUnit, stop_id: u64, ack: (Status, f64, bool), at: Instant) {
        let (status, speed_mps, standstill) = ack;
        let latched = matches!(status, Status::Received | Status::Running | Status::Done);
        self.answer(station, unit.id(), stop_id, |answer| {
            if latched {
                answer.acked.get_or_insert(at);
            }
            answer.speed_mps = Some(speed_mps).filter(|speed| speed.is_finite());
            answer.stands(standstill && speed_mps.abs() <= unit.manifest.stop.standstill_mps, at);
            true
        });
        if latched && standstill {
            unit.link.stop_done(stop_id);
        }
    }

    /// Notes a measured speed of a robot that is being stopped.
    pub fn note_speed(&self, station: &Station, unit: &RobotUnit, speed_mps: f64) {
        for stop_id in self.binding(unit.id()) {
            self.answer(station, unit.id(), stop_id, |answer| {
                let standstill = speed_mps <= unit.manifest.stop.standstill_mps;
                let changed = answer.standstill != Some(standstill);
                answer.speed_mps = Some(speed_mps);
                answer.stands(standstill, station.clock.now().station);
                changed
            });
        }
    }

    /// Tells once of every robot whose acknowledgement is overdue.
    pub fn sweep(&self, station: &Station, now: Instant) {
        let mut late = Vec::new();
        for record in self.lock().values_mut().filter(|record| record.is_open()) {
            let Some(pressed) = record.pressed else { continue };
            for (robot, answer) in &mut record.answers {
                let Ok(unit) = station.unit(robot) else { continue };
                let overdue = now.ms_since(pressed) > u64::from(unit.manifest.stop.ack_ms);
                if overdue && answer.acked.is_none() && !answer.overdue_told {
                    answer.overdue_told = true;
                    late.push((record.stored.stop_id, robot.clone(), unit.manifest.hardware_estop.clone()));
                }
            }
        }
        for (stop_id, robot, place) in late {
            let sentence = format!("{robot} did not confirm stop #{stop_id}. Use the hardware stop: {place}.");
            station.hub.event("stop_not_confirmed", sentence);
            self.tell(station, stop_id);
        }
    }

    fn answer(&self, station: &Station, robot: &RobotId, stop_id: u64, change: impl FnOnce(&mut Answer) -> bool) {
        let changed =
            self.lock().get_mut(&stop_id).and_then(|record| record.answers.get_mut(robot)).is_some_and(change);
        if changed {
            self.tell(station, stop_id);
        }
    }

    fn tell(&self, station: &Station, stop_id: u64) {
        let row = self.lock().get(&stop_id).map(|record| record.row(station));
        if let Some(stop) = row {
            station.hub.fact(Fact::Stop { stop }, Some(Tag::Safety));
        }
    }

    /// The open stop that pressing again re-sends: same actor, same robots, none released.
    fn repeated(&self, by: &str, robots: &BTreeSet<RobotId>) -> Option<u64> {
        let records = self.lock();
        let same = |record: &&Record| {
            record.is_open()
                && record.stored.by == by
                && &record.stored.robots == robots
                && record.stored.released.is_empty()
                && record.pressed.is_some()
        };
        records.values().rfind(same).map(|record| record.stored.stop_id)
    }

    /// Notes that somebody asks for an open stop; true if nobody has before.
    fn is_first_asked(&self, stop_id: u64) -> bool {
        self.lock().get_mut(&stop_id).is_some_and(|record| !std::mem::replace(&mut record.stored.asked, true))
    }

    /// Opens a stop, or finds the open one that it repeats; with whether there is something new to save.
    fn open(
        &self,
        (by, asked): (&str, bool),
        reason: Option<String>,
        robots: BTreeSet<RobotId>,
        now: robot::Now,
    ) -> (u64, bool) {
        if let Some(stop_id) = self.repeated(by, &robots) {
            return (stop_id, asked && self.is_first_asked(stop_id));
        }
        let stop_id = self.last_id.fetch_add(1, Ordering::SeqCst) + 1;
        let answers = robots.iter().map(|robot| (robot.clone(), Answer::default())).collect();
        let (by, at_ms, released) = (by.to_owned(), now.wall_ms, BTreeSet::new());
        let stored = OpenStop { stop_id, by, asked, reason, at_ms, robots, released };
        let record = Record { stored, pressed: Some(now.station), saved: false, closed: false, answers };
        let mut records = self.lock();
        let released: Vec<u64> = records.iter().filter(|(_, record)| !record.is_open()).map(|(id, _)| *id).collect();
        for id in released.iter().take(released.len().saturating_sub(RELEASED_MAX)) {
            records.remove(id);
        }
        records.insert(stop_id, record);
        (stop_id, true)
    }
}

/// Stops `robots` (all of the station if `None`) for a person, a program or another station. Nothing here can be refused, and nothing waits for storage, a
/// model or a screen before the robots are told.
pub(crate) async fn press(
    station: &Arc<Station>,
    by: &Session,
    reason: Option<String>,
    robots: Option<&RobotId>,
) -> StopPressed {
    let (pressed, saved) = begin(station, by, reason, robots.map(std::slice::from_ref));
    StopPressed { latch_saved: wait_saved(saved).await, ..pressed }
}

/// The same, from whatever thread and without waiting for anything: whether the latch is on disk is what is known now.
pub(crate) fn press_at_once(
    station: &Arc<Station>,
    by: &Session,
    reason: Option<String>,
    robots: Option<&[RobotId]>,
) -> StopPressed {
    begin(station, by, reason, robots).0
}

fn begin(
    station: &Arc<Station>,
    by: &Session,
    reason: Option<String>,
    robots: Option<&[RobotId]>,
) -> (StopPressed, watch::Receiver<bool>) {
    let units: Vec<_> =
        station.units().into_iter().filter(|unit| robots.is_none_or(|robots| robots.contains(unit.id()))).collect();
    let cause = if robots.is_some() { SafetyCause::StopRobot } else { SafetyCause::StopAll };
    let (stop_id, saved) = open(station, by, reason, &units, Why::Asked(cause));
    for unit in &units {
        supervision::step(station, unit, CauseSet::EMPTY, None);
    }
    let latch_saved = *saved.borrow();
    (StopPressed { stop_id, latch_saved, robots: units.iter().map(|unit| unit.id().clone()).collect() }, saved)
}

/// Stops `unit` because its state asks for it.
pub(crate) fn supervise(station: &Arc<Station>, unit: &Arc<RobotUnit>, reason: Option<String>) {
    // Nobody waits for the disk: the write is repeated until it is done.
    let _ = open(station, &Session::supervision(), reason, std::slice::from_ref(unit), Why::State);
}

/// Stops `unit` to see that it can be stopped.
pub(crate) fn drill(station: &Arc<Station>, by: &Session, unit: &Arc<RobotUnit>) -> u64 {
    let stop_id = open(station, by, Some("stop drill".to_owned()), std::slice::from_ref(unit), Why::Drill).0;
    supervision::step(station, unit, CauseSet::EMPTY, None);
    stop_id
}

/// Stops `unit` until a person releases it.
pub(crate) fn halt(station: &Arc<Station>, unit: &Arc<RobotUnit>, reason: String) -> u64 {
    let units = std::slice::from_ref(unit);
    open(station, &Session::supervision(), Some(reason), units, Why::Asked(SafetyCause::StopRobot)).0
}

/// Why a stop is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// Somebody asked for it; what it is to the robots' state.
    Asked(SafetyCause),
    /// The robots' state asked for it.
    State,
    /// To see that the robot can be stopped.
    Drill,
}

impl Why {
    fn cause(self) -> Option<SafetyCause> {
        match self {
            Self::Asked(cause) => Some(cause),
            Self::State => None,
            Self::Drill => Some(SafetyCause::StopRobot),
        }
    }
}

/// Fences, then stop threads, then everything else; each is independent of the others.
fn open(
    station: &Arc<Station>,
    by: &Session,
    reason: Option<String>,
    units: &[Arc<RobotUnit>],
    why: Why,
) -> (u64, watch::Receiver<bool>) {
    for unit in units {
        unit.fence.engage();
    }
    let ids: BTreeSet<RobotId> = units.iter().map(|unit| unit.id().clone()).collect();
    let asked = why != Why::State;
    let (stop_id, is_new) = station.stops.open((by.actor(), asked), reason, ids.clone(), station.clock.now());
    for unit in units {
        let approved = if why == Why::Drill { Approved::drill } else { Approved::stop };
        unit.link.stop(approved(unit.id().clone(), station.id.clone(), stop_id));
    }
    for unit in units {
        let mut control = unit.control();
        control.told_to_end(StopKind::Stop, station.clock.now().station);
        control.open_stops.insert(stop_id, why.cause());
    }
    tracing::warn!(stop_id, by = by.actor(), "STOP");
    record(station, by, stop_id, &ids);
    let saved = save(station, stop_id, is_new);
    if why != Why::Drill {
        station.void_for_stop(stop_id, by);
        crate::missions::pause_for_stop(station, &ids, why == Why::Asked(SafetyCause::StopAll));
    }
    station.stops.tell(station, stop_id);
    station.tell_safety(units);
    (stop_id, saved)
}

/// Somebody else, `by`, has stopped `unit` at its gate: it is stopped here too, so that this desk sees and releases it.
pub(crate) fn take_over(station: &Arc<Station>, unit: &Arc<RobotUnit>, by: Session) {
    unit.fence.engage();
    let (station, unit) = (Arc::clone(station), Arc::clone(unit));
    let task_station = Arc::clone(&station);
    task_station.spawn(async move {
        let reason = Some("stopped at the robot by somebody else".to_owned());
        press(&station, &by, reason, Some(unit.id())).await;
    });
}

/// Releases `robots` from exactly the open stops `stop_ids`. It enables arming only; nothing moves.
pub(crate) async fn release(
    station: &Arc<Station>,
    by: &Session,
    stop_ids: &BTreeSet<u64>,
    robots: &[RobotId],
) -> Result<Released, OpError> {
    let units = robots.iter().map(|robot| station.unit(robot)).collect::<Result<Vec<_>, _>>()?;
    for unit in &units {
        lockout::check_unlocked(unit)?;
    }
    releasable::check_exact(station, stop_ids, robots)?;
    for unit in &units {
        releasable::check_strangers(station, unit, by)?;
        check_still(station, unit)?;
        check_clear(unit)?;
    }
    let mut released = Vec::new();
    for unit in &units {
        let _claiming = unit.claiming.lock().await;
        release_unit(station, by, unit, stop_ids).await?;
        released.push(unit.id().clone());
    }
    for stop_id in stop_ids {
        mark_released(station, by, *stop_id, &released).await?;
    }
    for unit in &units {
        supervision::step(station, unit, CauseSet::EMPTY, None);
    }
    station.tell_safety(&units);
    let open = station
        .stops
        .lock()
        .values()
        .filter(|record| record.is_open())
        .map(|record| (record.stored.stop_id.to_string(), record.still_bound()))
        .collect();
    Ok(Released { released, open })
}

async fn release_unit(
    station: &Arc<Station>,
    by: &Session,
    unit: &RobotUnit,
    stop_ids: &BTreeSet<u64>,
) -> Result<(), OpError> {
    unit.release_at_robot(station, by, stop_ids).await?;
    // A stop pressed while the robot was being released stays in force.
    unit.control().open_stops.retain(|open, _| !stop_ids.contains(open));
    Ok(())
}

/// Lets go of a robot whose state has asked for a stop and is over; what a person stopped, a person releases. The
/// caller holds `unit.claiming`.
pub(crate) async fn release_supervised(station: &Arc<Station>, unit: &Arc<RobotUnit>) -> Result<(), OpError> {
    let stop_ids: BTreeSet<u64> = {
        let control = unit.control();
        let over = control.safety.state() == State::Disarmed
            && control.open_stops.values().all(Option::is_none)
            && !control.beats.is_stopped_elsewhere(&station.id);
        if over { control.open_stops.keys().copied().collect() } else { BTreeSet::new() }
    };
    if stop_ids.is_empty() {
        return Ok(());
    }
    check_still(station, unit)?;
    release_unit(station, &Session::supervision(), unit, &stop_ids).await?;
    for stop_id in stop_ids {
        mark_released(station, &Session::supervision(), stop_id, std::slice::from_ref(unit.id())).await?;
    }
    station.tell_safety(std::slice::from_ref(unit));
    Ok(())
}

/// A stop is not released over the head of another cause.
fn check_clear(unit: &RobotUnit) -> Result<(), OpError> {
    let control = unit.control();
    let other = control.safety.causes().iter().find(|active| active.clears() != Clears::OnRelease);
    match other {
        None => Ok(()),
        Some(active) => {
            let message = format!("{} is not clear: {}", unit.id(), active.cause.rule().sentence);
            Err(OpError::conflict("causes_open", message).with(serde_json::json!({ "cause": active.cause })))
        }
    }
}

pub(crate) fn check_still(station: &Station, unit: &RobotUnit) -> Result<(), OpError> {
    match unit.standstill(station.clock.now().station) {
        Some(true) => Ok(()),
        Some(false) => {
            let message = format!("{} still moves; release needs standstill.", unit.id());
            Err(OpError::conflict("not_standing_still", message))
        }
        None => {
            let message = format!("{} reports no speed, so nobody knows whether it stands still.", unit.id());
            Err(OpError::conflict("no_motion_data", message))
        }
    }
}

async fn mark_released(station: &Arc<Station>, by: &Session, stop_id: u64, robots: &[RobotId]) -> Result<(), OpError> {
    let updated = station.stops.lock().get(&stop_id).map(|record| {
        let mut next = record.stored.clone();
        next.released.extend(robots.iter().filter(|robot| next.robots.contains(*robot)).cloned());
        next
    });
    let Some(stored) = updated else { return Ok(()) };
    let closed = stored.released == stored.robots;
    record_release(station, by, &stored).await?;
    station.db.save_stop(&stored, !closed).await?;
    if let Some(record) = station.stops.lock().get_mut(&stop_id) {
        record.stored = stored;
        record.closed = closed;
    }
    station.stops.tell(station, stop_id);
    Ok(())
}
