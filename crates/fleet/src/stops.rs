//! STOP ALL: fences first, then stop threads, disk, and everybody told, each independent of the others; and release.

mod answers;
mod evidence;
mod releasable;
mod release;
mod saving;

use std::collections::BTreeSet;
use std::sync::Arc;

use bridge::envelope::{OpenStop as GateStop, StoppedBy};
use robot::RobotId;
use safety::Approved;
use safety::machine::{CauseSet, SafetyCause, StopKind};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use crate::state::stop_records::{Press, Why};
use crate::supervision;
use crate::surroundings::PressedStop;
use evidence::record;
use runtime::session::Session;
use runtime::wire::{StopPressed, StopReason};
use saving::{save, wait_done, wait_saved};

pub use crate::state::stop_records::Stops;
pub use evidence::take_up as take_up_left;
pub use release::release;
pub(crate) use release::{check_still, release_supervised};

/// A stop that has been handed to the robots' threads.
struct Pressed {
    stop_id: u64,
    robots: Vec<RobotId>,
    saved: watch::Receiver<bool>,
    /// Takes back what waits for, or was given, leave to move.
    voiding: Option<JoinHandle<()>>,
}

/// Stops `robots` (all of the station if `None`) for a person, a program or another station. Nothing here can be
/// refused, and nothing waits for storage, a model or a screen before the robots are told.
pub async fn press(
    fleet: &Arc<Fleet>,
    by: &Session,
    reason: Option<StopReason>,
    robots: Option<&RobotId>,
) -> StopPressed {
    let Pressed { stop_id, robots, saved, voiding } = begin(fleet, by, reason, robots.map(std::slice::from_ref));
    let (latch_saved, ()) = tokio::join!(wait_saved(saved), wait_done(voiding));
    StopPressed { stop_id, latch_saved, robots }
}

/// The same, from whatever thread and without waiting for anything: whether the latch is on disk is what is known now.
pub fn press_at_once(
    fleet: &Arc<Fleet>,
    by: &Session,
    reason: Option<StopReason>,
    robots: Option<&[RobotId]>,
) -> StopPressed {
    let Pressed { stop_id, robots, saved, .. } = begin(fleet, by, reason, robots);
    let latch_saved = *saved.borrow();
    StopPressed { stop_id, latch_saved, robots }
}

fn begin(fleet: &Arc<Fleet>, by: &Session, reason: Option<StopReason>, robots: Option<&[RobotId]>) -> Pressed {
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
pub(crate) fn supervise(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, reason: Option<StopReason>) {
    // No caller waits for the disk; the write is repeated until it succeeds.
    let _ = open(fleet, &Session::supervision(), reason, std::slice::from_ref(unit), Why::State);
}

/// Stops `unit` to see that it can be stopped.
pub fn drill(fleet: &Arc<Fleet>, by: &Session, unit: &Arc<RobotHandle>) -> u64 {
    let stop_id = open(fleet, by, Some(StopReason::Drill), std::slice::from_ref(unit), Why::Drill).stop_id;
    supervision::step(fleet, unit, CauseSet::EMPTY, None);
    stop_id
}

/// Stops `unit` until a person releases it.
pub fn halt(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, reason: StopReason) -> u64 {
    let units = std::slice::from_ref(unit);
    open(fleet, &Session::supervision(), Some(reason), units, Why::Fallback).stop_id
}

/// Fences, then stop threads, then everything else; each is independent of the others.
fn open(fleet: &Arc<Fleet>, by: &Session, reason: Option<StopReason>, units: &[Arc<RobotHandle>], why: Why) -> Pressed {
    for unit in units {
        unit.fence.engage();
    }
    let ids: BTreeSet<RobotId> = units.iter().map(|unit| unit.id().clone()).collect();
    let press = Press { by: by.actor(), why, reason, robots: ids.clone() };
    let (pressing, is_new) = fleet.stops.press(press, fleet.runtime.clock.now());
    let stop_id = pressing.stop_id();
    for unit in units {
        let approved = if why == Why::Drill { Approved::drill } else { Approved::stop };
        // Ahead of every lock of a robot's state, whose holder could be slow.
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
    // Record and row after the robots were told: neither a full queue nor a full disk may delay a stop.
    record(fleet, by, stop_id, &ids);
    let saved = save(fleet, stop_id, is_new);
    // At once, so that only turns that run now end: a robot that does not confirm its stop is stopped again later,
    // when somebody may be asking the agent about it.
    if why != Why::Drill && !(why == Why::Fallback && was_stopped) {
        fleet.observer.end_turns(by);
    }
    let voiding = (why != Why::Drill).then(|| void(fleet, by, stop_id, ids, why));
    fleet.stops.tell(fleet, stop_id);
    fleet.tell_safety(units);
    Pressed { stop_id, robots: units.iter().map(|unit| unit.id().clone()).collect(), saved, voiding }
}

/// Takes back what waits for, or was given, leave to move, on a thread of its own:
/// the next stop does not wait for it. What was let happen before this press is not
/// carried out meanwhile, because whoever carries it out compares [`Stops::presses`].
fn void(fleet: &Arc<Fleet>, by: &Session, stop_id: u64, robots: BTreeSet<RobotId>, why: Why) -> JoinHandle<()> {
    let is_of_all = why == Why::Asked(SafetyCause::StopAll);
    let stop = PressedStop { by: by.clone(), stop_id, presses: fleet.stops.presses(), robots, is_of_all };
    let observer = Arc::clone(&fleet.observer);
    fleet.after_stops.spawn(&fleet.runtime.tasks, async move { observer.void_after_stop(&stop) })
}

/// The gate of `unit` holds a stop that it did not hold before. If it is somebody else's, the robot is stopped here
/// too, so that this desk sees and releases it.
pub fn take_over(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, stop: GateStop) {
    let by = match &stop.by {
        StoppedBy::Station(other) if *other != fleet.runtime.id => Session::other_station(other),
        StoppedBy::Stranger => Session::stranger(),
        // Stops of this station have records here; latches of the gate itself are released with the next claim.
        StoppedBy::Station(_) | StoppedBy::Restart | StoppedBy::Deadman | StoppedBy::Fault(_) => return,
    };
    // At once on this thread, which is Zenoh's and must not wait; the lane of stops does the rest.
    unit.fence.engage();
    let (in_task, unit) = (Arc::clone(fleet), Arc::clone(unit));
    fleet.stop_lane.spawn(&fleet.runtime.tasks, async move {
        let reason = Some(StopReason::AtTheRobot);
        let taken = begin(&in_task, &by, reason, Some(std::slice::from_ref(unit.id())));
        unit.control().beats.note_taken_over(stop, taken.stop_id);
    });
}

#[cfg(test)]
mod tests;
