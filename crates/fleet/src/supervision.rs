//! Runs each robot's state machine: collects what is wrong, steps it, and does what it asks for.

use std::sync::Arc;

use robot::{Instant, RobotId, Supervision};
use safety::Fence;
use safety::machine::{self, Act, Action, Actions, CauseSet, Inputs, Priority, SafetyCause, State, StopKind};

use crate::fleet::Fleet;
use crate::robots::robot_lockout;
use crate::state::robot_handle::RobotHandle;
use crate::stops;
use runtime::session::Session;
use runtime::wire::{LinkState, StopReason};

/// A clockwork that was away for longer than this was suspended; robots and owners have moved on without it.
pub(crate) const SUSPENDED_MS: u64 = 1_000;

/// Steps the machine of `unit` on what is known now, with `events` that hold for this step only, and does what the
/// step asks for. Called at 10 Hz, on every state sample, and for every act; never waits.
pub fn step(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, events: CauseSet, act: Option<Act>) -> State {
    let now = fleet.runtime.clock.now().station;
    // Before the robot's lock, so that the lock of the stops is never waited for under it.
    let unrecorded = fleet.runtime.audit.check_available().is_err();
    let unconfirmed = fleet.stops.unconfirmed(unit, now);
    let link = unit.link_state(now);
    let unsupervised = unit.supervision() == Supervision::Required && !fleet.presence.anybody(now);
    let (still, moved) = (unit.is_still(now), unit.moved_at(now));
    let (found, arrived) = found(unit, act, now);
    let incomplete = !unit.limits.load().is_complete();
    let (before, after, actions) = {
        let mut control = unit.control();
        let mut present = events.union(found).union(control.open_stops.values().flatten().copied().collect());
        present.set(SafetyCause::BeatLate, matches!(link, LinkState::Late | LinkState::Lost));
        present.set(SafetyCause::BeatLost, link == LinkState::Lost);
        let disobeyed =
            link == LinkState::Live && control.is_disobeyed(moved, now, unit.stop_times(), unit.link.station());
        present.set(SafetyCause::StopUnconfirmed, unconfirmed || disobeyed);
        present.set(SafetyCause::OperatorAbsent, unsupervised);
        let emptied = incomplete && control.unconstrained_until(now).is_none();
        present.set(SafetyCause::SetEmptied, emptied);
        let enabled = matches!(control.safety.state(), State::Arming | State::Armed | State::Hold);
        // Both disarm without a person: a robot without a complete set of limits, and one whose escape has ended.
        let act = act.or((arrived || emptied && enabled).then_some(Act::Disarm { looked: false }));
        present.set(SafetyCause::EpochConflict, control.is_claimed_elsewhere(&fleet.runtime.id));
        present.set(SafetyCause::StateFault, is_impossible(&control.safety, &unit.fence));
        present.set(SafetyCause::AuditUnavailable, unrecorded);
        present = present.union(control.store_causes());
        let (healthy, times) = (link == LinkState::Live, unit.settings.machine_times());
        let inputs = Inputs { present, healthy, still, epoch: control.epoch, act, times };
        let before = control.safety.clone();
        let (next, actions) = machine::step(&control.safety, &inputs, now);
        control.safety = next;
        control.present = present;
        // Under the lock: between the state and the fence there is no gap in which a command could pass.
        if actions.contains(&Action::RefuseAll) || present.has(SafetyCause::StateFault) {
            unit.fence.engage();
        }
        (before, control.safety.clone(), actions)
    };
    // After the lock was given back: stops, holds and claims take it themselves.
    execute(fleet, unit, &actions, &after);
    if before.state() != after.state() {
        tracing::warn!(robot = %unit.id(), from = ?before.state(), to = ?after.state(), "safety state");
        unit.state_changed.send_replace(after.state());
    }
    let shown = |safety: &machine::RobotSafety| -> Vec<_> {
        safety.causes().iter().map(|active| (active.cause, active.clears(), active.is_present())).collect()
    };
    if before.state() != after.state() || shown(&before) != shown(&after) {
        fleet.tell_safety(std::slice::from_ref(unit));
    }
    after.state()
}

/// True if motion would pass although no state allows it. The fence is opened and the state left under one lock, which
/// the caller holds, so only a fault of the station itself, or of its memory, gets here.
fn is_impossible(safety: &machine::RobotSafety, fence: &Fence) -> bool {
    !safety.is_armed() && !fence.is_latched()
}

/// The causes that samples tell of, and whether an escape has ended inside the limits.
fn found(unit: &RobotHandle, act: Option<Act>, now: Instant) -> (CauseSet, bool) {
    let found = unit.found_by_monitor(now);
    let (escapes, state) = {
        let control = unit.control();
        (control.safety.escapes(), control.safety.state())
    };
    if !escapes && act != Some(Act::ArmToEscape) {
        return (found, false);
    }
    let (found, inside) = unit.found_of_escape(found, now);
    (found, inside && matches!(state, State::Armed | State::Hold))
}

fn execute(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, actions: &Actions, after: &machine::RobotSafety) {
    for action in actions {
        match action {
            // Done under the lock.
            Action::RefuseAll => {}
            Action::SendStop(StopKind::Hold) => unit.hold(fleet.runtime.clock.now().station),
            // A person's stop is on its way already, and binds more than this one would.
            Action::SendStop(StopKind::Stop) | Action::PersistLatch if !unit.control().open_stops.is_empty() => {}
            Action::SendStop(StopKind::Stop) => {
                let cause = after.causes().first().map(|active| StopReason::Cause { cause: active.cause });
                stops::supervise(fleet, unit, cause);
            }
            // The stop that was opened above is written until the disk has it.
            Action::PersistLatch => {}
            Action::PersistLockout => robot_lockout::keep(fleet, unit),
            Action::BumpEpoch => claim_anew(fleet, unit, after.state()),
            Action::RunFallback(class) => {
                let why = after.causes().iter().rev().find(|active| active.cause.fallback() == Some(*class));
                // A fallback that no cause asks for is itself a fault of the station's state.
                let cause = why.map_or(SafetyCause::StateFault, |active| active.cause);
                fleet.fallbacks.begin(fleet, unit, *class, StopReason::Cause { cause });
            }
            Action::RaiseAlarm(cause, priority) => raise(fleet, unit, *cause, *priority),
        }
    }
}

/// Notes whether the latch of a stop of `robots` is on disk.
pub(crate) fn note_latch<'a>(fleet: &Fleet, robots: impl IntoIterator<Item = &'a RobotId>, saved: bool) {
    for unit in robots.into_iter().filter_map(|robot| fleet.unit(robot).ok()) {
        unit.control().latch_unsaved = !saved;
    }
}

fn raise(fleet: &Fleet, unit: &RobotHandle, cause: SafetyCause, priority: Priority) {
    let sentence = format!("{}: {}", unit.id(), cause.rule().sentence);
    tracing::warn!(robot = %unit.id(), ?cause, ?priority, "alarm");
    fleet.runtime.bus.event(&runtime::wire::word(&cause), sentence);
}

/// Voids every older command at the robot too. A robot that comes out of a hold passes motion again only after that;
/// one that comes out of a safe stop is let go by its gate.
fn claim_anew(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, state: State) {
    // Read before the claim: a stop that comes while the gate confirms raises it, and the fence then stays shut.
    let generation = unit.fence.generation();
    let (task_fleet, unit) = (Arc::clone(fleet), Arc::clone(unit));
    fleet.runtime.spawn(async move {
        let fleet = task_fleet;
        let claims = unit.claims.lock().await;
        if state == State::Disarmed {
            if let Err(error) = stops::release_supervised(&fleet, &unit, &claims).await {
                tracing::warn!(robot = %unit.id(), error = error.message, "not released yet; arming tries again");
            }
            return;
        }
        if let Err(error) = unit.regain(&fleet, &Session::supervision(), &claims).await {
            tracing::warn!(robot = %unit.id(), error = error.message, "no new claim after a hold");
            // An armed robot whose claim is void would refuse every command without saying why.
            step(&fleet, &unit, CauseSet::EMPTY, Some(Act::ArmingFailed));
            return;
        }
        unit.open_fence(generation);
    });
}

#[cfg(test)]
mod tests;
