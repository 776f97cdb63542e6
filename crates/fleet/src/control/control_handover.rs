//! Control of a robot: how it is taken, asked for and given away, and how it ends when its holder is gone. Who may do
//! what is decided by `safety::arbitration`; here it takes effect.

use std::sync::Arc;
use std::time::Duration;

use robot::{Instant, RobotId, SessionId};
use safety::arbitration::{ControlRefused, Handover, Holder};
use safety::leases::Owner;
use safety::machine::{Act, CauseSet, SafetyCause};
use serde_json::json;

use crate::code::FleetCode;
use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use crate::supervision;
use runtime::audit::AuditEntry;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{ControlRequest, ControlRow, Fact, ProposalReason, Tag};

/// Time for the holder of control to answer a request for it; silence is a refusal.
const ANSWER_WAIT: Duration = Duration::from_secs(10);
/// The longest message of somebody who asks, in characters.
const MESSAGE_CHARS_MAX: usize = 300;

/// Carries out `handover` for `by`; answers once the robot knows of no older command.
pub async fn hand_over(
    fleet: &Arc<Fleet>,
    by: &Session,
    robot: &RobotId,
    handover: Handover,
    why: &str,
) -> Result<ControlRow, OpError> {
    let unit = fleet.unit(robot)?;
    if change(fleet, &unit, Some(by), why, |holder| holder.after(handover))? {
        claim_for_holder(fleet, &unit, by).await;
    }
    Ok(unit.control_row(fleet.runtime.clock.now().station))
}

/// Gives control to the session that arms the robot, if it is free. Refused if another person has it.
pub fn arm(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, by: &Session) -> Result<bool, OpError> {
    change(fleet, unit, Some(by), "armed", |holder| holder.after(Handover::Arm(by.person())))
}

/// Refuses what only who has control of `unit` may do, if another person has.
pub fn check_not_anothers(fleet: &Fleet, unit: &RobotHandle, by: &Session) -> Result<(), OpError> {
    match unit.holder(fleet.runtime.clock.now().station) {
        Holder::Person(person) if person.session != *by.id() => {
            Err(refused(ControlRefused::NotInControl, &Holder::Person(person), unit.id()))
        }
        Holder::Person(_) | Holder::Nobody | Holder::Agent { .. } | Holder::Local | Holder::Unknown => Ok(()),
    }
}

/// Asks the person who has control of `robot` for it.
pub fn request(fleet: &Arc<Fleet>, by: &Session, robot: &RobotId, message: &str) -> Result<ControlRow, OpError> {
    let message = message.trim();
    if message.chars().count() > MESSAGE_CHARS_MAX {
        let sentence = format!("A message has at most {MESSAGE_CHARS_MAX} characters.");
        return Err(OpError::bad_input(FleetCode::MessageTooLong, "message", sentence));
    }
    let unit = fleet.unit(robot)?;
    let now = fleet.runtime.clock.now().station;
    match unit.holder(now) {
        Holder::Person(person) if person.session == *by.id() => {
            return Err(OpError::new(FleetCode::AlreadyInControl, format!("You have control of {robot}.")));
        }
        Holder::Person(_) => {}
        holder @ (Holder::Local | Holder::Unknown) => return Err(refused(ControlRefused::OutOfReach, &holder, robot)),
        Holder::Nobody | Holder::Agent { .. } => {
            let message = format!("No person has control of {robot}. Take it.");
            return Err(OpError::new(FleetCode::ControlIsFree, message));
        }
    }
    let id = format!("cr-{}", uuid::Uuid::now_v7());
    let until_mono_ms = now.plus(ANSWER_WAIT).mono_ms();
    {
        let mut control = unit.control();
        // One at a time, so that the holder has a single question to answer.
        if control.request.is_some() {
            let message = format!("Somebody asks for {robot} already. Try again when they have an answer.");
            return Err(OpError::new(FleetCode::RequestPending, message));
        }
        control.request = Some(ControlRequest { id, from: by.person(), message: message.to_owned(), until_mono_ms });
    }
    tell(fleet, &unit);
    Ok(unit.control_row(now))
}

/// Answers request `id` for the person who has control.
pub async fn answer(fleet: &Arc<Fleet>, by: &Session, id: &str, allow: bool) -> Result<ControlRow, OpError> {
    let asked = |unit: &&Arc<RobotHandle>| unit.control().request.as_ref().is_some_and(|request| request.id == id);
    let units = fleet.units();
    let Some(unit) = units.iter().find(asked) else {
        return Err(OpError::not_found(FleetCode::ControlRequestNotFound, "open request", id));
    };
    check_not_anothers(fleet, unit, by)?;
    // Looked at again under the lock: it may have been answered or have run out since it was found.
    let Some(request) = take_request(unit, |request| request.id == id) else {
        return Err(OpError::not_found(FleetCode::ControlRequestNotFound, "open request", id));
    };
    if allow {
        let handover = Handover::Replace(request.from);
        return hand_over(fleet, by, unit.id(), handover, "asked for and given").await;
    }
    note_refused(fleet, unit, &request, AuditEntry::by(by, "control", "refused"));
    Ok(unit.control_row(fleet.runtime.clock.now().station))
}

/// Ends unanswered requests, the control of holders who are gone, and an agent's control of a stopped robot.
pub fn sweep(fleet: &Arc<Fleet>, now: Instant) {
    let gone = fleet.presence.sweep(now);
    for unit in fleet.units() {
        if let Some(request) = take_request(&unit, |request| now.mono_ms() >= request.until_mono_ms) {
            note_refused(fleet, &unit, &request, AuditEntry::by_station("control", "unanswered"));
        }
        // A session that newer ones have pushed out left without being named among those that are gone.
        let absent = |session: &SessionId| gone.iter().any(|gone| gone == session) || !fleet.presence.is_there(session);
        let (holder, stopped) = {
            let control = unit.control();
            (control.holder.clone(), !control.open_stops.is_empty())
        };
        match holder {
            Holder::Person(person) if absent(&person.session) => {
                drop_hold(fleet, &unit, "no sign of life of its holder")
            }
            Holder::Agent { .. } if stopped => end(fleet, &unit, "the robot was stopped"),
            Holder::Person(_) | Holder::Agent { .. } | Holder::Nobody | Holder::Local | Holder::Unknown => {}
        }
    }
}

/// Takes from a session the control of every robot that it has; `why` says to people what ended it.
pub fn leave(fleet: &Arc<Fleet>, by: &Session, why: &str) {
    for unit in fleet.units() {
        let is_theirs = matches!(&unit.control().holder, Holder::Person(person) if person.session == *by.id());
        if is_theirs {
            drop_hold(fleet, &unit, why);
        }
    }
}

/// Takes control from somebody who is no longer there; what moves under it is held.
fn drop_hold(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, why: &str) {
    let mut silent = CauseSet::EMPTY;
    silent.set(SafetyCause::LeaseExpired, unit.control().orders().next().is_some());
    end(fleet, unit, why);
    supervision::step(fleet, unit, silent, None);
}

/// Ends all control and all leases after a suspension of the station.
pub fn void(fleet: &Arc<Fleet>) {
    if fleet.resources.void().is_err() {
        tracing::error!("the table of leases is unusable; nothing is leased from now on");
    }
    for unit in fleet.units() {
        end(fleet, &unit, "the station was suspended");
    }
}

/// Ends the control of its present holder and leaves the robot without one.
fn end(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, why: &str) {
    let changed = change(fleet, unit, None, why, |_| Ok(Holder::Nobody));
    if changed.is_ok_and(|changed| changed) {
        let (task_fleet, unit) = (Arc::clone(fleet), Arc::clone(unit));
        fleet.runtime.spawn(async move { claim_for_holder(&task_fleet, &unit, &Session::supervision()).await });
    }
}

/// Lets `decide` say who has control next. If it changes hands, nothing that was approved before is sent any more,
/// and what moves under a lease that ends with it is told to hold. True if it did.
fn change(
    fleet: &Arc<Fleet>,
    unit: &Arc<RobotHandle>,
    by: Option<&Session>,
    why: &str,
    decide: impl FnOnce(&Holder) -> Result<Holder, ControlRefused>,
) -> Result<bool, OpError> {
    let seen = unit.holder(fleet.runtime.clock.now().station);
    let (before, next) = {
        let mut control = unit.control();
        // A pendant or a lost link is observed and not decided
        // here; as long as one lasts, control cannot be taken.
        let present =
            if matches!(seen, Holder::Local | Holder::Unknown) && by.is_some() { &seen } else { &control.holder };
        let next = decide(present).map_err(|error| refused(error, present, unit.id()))?;
        if next == control.holder {
            return Ok(false);
        }
        // The fence before the holder: what was approved for the old one must not pass once the new one is named.
        unit.fence.void_epoch();
        control.handovers += 1;
        // The session that was asked no longer has the control to give.
        control.request = None;
        (std::mem::replace(&mut control.holder, next.clone()), next)
    };
    // After the lock: a hold takes it, and the leases have one of their own.
    end_motion_of_others(fleet, unit, &next);
    // Shared control lets approved proposals of the agent pass; control for oneself does not (decision 0010).
    if matches!(&next, Holder::Person(person) if person.exclusive) {
        fleet.observer.void_of(by, unit.id(), &ProposalReason::ControlTaken { holder: next.to_string() });
    }
    tracing::warn!(robot = %unit.id(), from = %before, to = %next, why, "control");
    let entry = match by {
        Some(by) => AuditEntry::by(by, "control", "ok"),
        None => AuditEntry::by_station("control", "ok"),
    };
    fleet.runtime.audit.note_done(entry.about(format!("robot={} from={before} to={next}: {why}", unit.id())));
    tell(fleet, unit);
    Ok(true)
}

/// Ends the leases of every owner but `holder`; motion under such a lease is held.
fn end_motion_of_others(fleet: &Fleet, unit: &RobotHandle, holder: &Holder) {
    let kept = |owner: &Owner| match (holder, owner) {
        (Holder::Person(person), Owner::Person { session, .. }) => &person.session == session,
        (Holder::Agent { id }, Owner::Agent { id: owner }) => id == owner,
        (Holder::Agent { id }, Owner::Mission { agent, .. }) => id == agent,
        (Holder::Person(_) | Holder::Agent { .. } | Holder::Nobody | Holder::Local | Holder::Unknown, _) => false,
    };
    // If the table cannot be read there may be a lease, so the robot is held.
    if fleet.resources.revoke(unit.id(), kept).unwrap_or(true) {
        unit.hold(fleet.runtime.clock.now().station);
    }
}

/// Claims the robot under a new epoch, so that its gate too refuses what was sent for the holder before. A robot that
/// is not armed is claimed when it is.
pub(crate) async fn claim_for_holder(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, by: &Session) {
    let claims = unit.claims.lock().await;
    if unit.fence.has_epoch() || !unit.control().safety.is_armed() {
        return;
    }
    if let Err(error) = unit.claim(fleet, by, &claims).await {
        tracing::warn!(robot = %unit.id(), error = error.message, "no new claim after control changed hands");
        // No epoch is in force, so an armed robot would be shown that refuses every command.
        supervision::step(fleet, unit, CauseSet::EMPTY, Some(Act::ArmingFailed));
    }
}

fn take_request(unit: &RobotHandle, over: impl FnOnce(&ControlRequest) -> bool) -> Option<ControlRequest> {
    let mut control = unit.control();
    if control.request.as_ref().is_some_and(over) { control.request.take() } else { None }
}

fn note_refused(fleet: &Fleet, unit: &Arc<RobotHandle>, request: &ControlRequest, entry: AuditEntry) {
    fleet.runtime.audit.note_done(entry.about(format!("robot={} id={}", unit.id(), request.id)));
    tell(fleet, unit);
}

fn tell(fleet: &Fleet, unit: &Arc<RobotHandle>) {
    let control = unit.control_row(fleet.runtime.clock.now().station);
    fleet.runtime.bus.fact(Fact::Control { control }, Some(Tag::Robots));
    fleet.tell_safety(std::slice::from_ref(unit));
}

fn refused(error: ControlRefused, holder: &Holder, robot: &RobotId) -> OpError {
    let (code, message) = match error {
        ControlRefused::NotInControl => {
            (FleetCode::NotInControl, format!("{holder} has control of {robot}. Ask for it first."))
        }
        ControlRefused::OutOfReach => {
            (FleetCode::ControlOutOfReach, format!("{holder} has control of {robot}. It cannot be taken from here."))
        }
    };
    OpError::new(code, message).with(json!({ "holder": holder }))
}
