//! Arming: one explicit act that lets motion pass, and what the robot's gate must confirm for it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use bridge::Claims;
use bridge::envelope::{Ack, OpenStop, Status, StoppedBy, Subject};
use robot::{GateKind, Instant, Reason, RobotId};
use safety::machine::{Act, CauseSet, Clears, SafetyCause, Severity, State};
use safety::{Fresh, Measured, Speeds};

use crate::code::FleetCode;
use crate::fleet::Fleet;
use crate::state::robot_handle::{RobotHandle, released_with};
use crate::{control::control_handover, robots::robot_lockout, stops, supervision};
use runtime::audit::AuditEntry;
use runtime::config::ms;
use runtime::crash::{self, CrashPoint};
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{LinkState, RobotSafety, word};

/// Time limit for the robot's gate to confirm a claim or a release.
const CONFIRM_WAIT: Duration = Duration::from_secs(1);
/// Time that arming may take beyond `healthy_ms`, from the claim on; a little more than the state machine allows.
const ARMING_WAIT: Duration = Duration::from_secs(10);

/// The motion that a robot is armed for.
#[derive(Debug, Clone, Copy)]
pub enum Purpose<'a> {
    /// All that its limits allow. A robot that is where it may not be is
    /// armed for nothing but leaving that place, if the person has a reason.
    Work(Option<&'a str>),
    /// The steps of commissioning alone.
    Commissioning,
}

impl<'a> Purpose<'a> {
    const fn is_commissioning(self) -> bool {
        match self {
            Self::Work(_) => false,
            Self::Commissioning => true,
        }
    }

    const fn reason(self) -> Option<&'a str> {
        match self {
            Self::Work(reason) => reason,
            Self::Commissioning => None,
        }
    }
}

/// Lets motion of `robot` pass, if everything that must hold does; answers once it does, or cannot.
pub async fn arm(
    fleet: &Arc<Fleet>,
    by: &Session,
    robot: &RobotId,
    purpose: Purpose<'_>,
) -> Result<RobotSafety, OpError> {
    let unit = fleet.unit(robot)?;
    control_handover::check_not_anothers(fleet, &unit, by)?;
    // Records of earlier runs can hold an open stop or other limits, so all are checked first (decision 0122).
    fleet.runtime.audit.check_armable().await?;
    let claims = unit.claims.lock().await;
    if unit.control().safety.is_armed() && !unit.fence.is_latched() {
        check_purpose(&unit, purpose)?;
        control_handover::arm(fleet, &unit, by)?;
        // `claim_for_holder` takes the same lock.
        drop(claims);
        control_handover::claim_for_holder(fleet, &unit, by).await;
        return Ok(unit.safety(fleet.runtime.clock.now().station));
    }
    // Rows that were changed on disk since the last periodic
    // look must refuse arming now, not two seconds after it.
    fleet.limit_sets.check(fleet).await;
    stops::release_supervised(fleet, &unit, &claims).await?;
    let act = check_armable(fleet, &unit, purpose)?;
    control_handover::arm(fleet, &unit, by)?;
    // Read before anything waits: a stop pressed meanwhile raises it, and arming then comes to nothing.
    let generation = unit.fence.generation();
    // On disk before anything can move: a start after a crash learns from it that a robot could.
    fleet.runtime.db.set_motion_enabled(true).await?;
    // Subscribed before the step below, which may change the state at once.
    let mut state = unit.state_changed.subscribe();
    let pose = unit.measurements().pose.get(fleet.runtime.clock.now().station, unit.pose_max_age_ms()).ok().cloned();
    {
        let mut control = unit.control();
        control.escape_from = pose;
        control.for_commissioning = purpose.is_commissioning();
    }
    if supervision::step(fleet, &unit, CauseSet::EMPTY, Some(act)) == State::Disarmed {
        return Err(speaks_against(&unit));
    }
    // Without the gate's word on the claim the machine must not stay in `Arming`.
    if let Err(error) = unit.regain(fleet, by, &claims).await {
        supervision::step(fleet, &unit, CauseSet::EMPTY, Some(Act::ArmingFailed));
        return Err(error);
    }
    // The machine itself gives up before this does.
    let _ = tokio::time::timeout(
        ms(unit.settings.healthy_ms) + ARMING_WAIT,
        state.wait_for(|state| *state != State::Arming),
    )
    .await
    .is_ok();
    let opened = unit.open_fence(generation);
    fleet.tell_safety(std::slice::from_ref(&unit));
    if opened {
        return Ok(unit.safety(fleet.runtime.clock.now().station));
    }
    supervision::step(fleet, &unit, CauseSet::EMPTY, Some(Act::ArmingFailed));
    if unit.control().open_stops.is_empty() {
        let message = format!("{robot} did not answer for a whole second, or something spoke against arming it.");
        return Err(OpError::new(FleetCode::ArmingFailed, message));
    }
    Err(OpError::new(FleetCode::StoppedMeanwhile, format!("{robot} was stopped while it was being armed.")))
}

/// An armed robot changes its purpose by being disarmed first.
fn check_purpose(unit: &RobotHandle, purpose: Purpose<'_>) -> Result<(), OpError> {
    let for_commissioning = unit.control().is_for_commissioning();
    if for_commissioning == purpose.is_commissioning() {
        return Ok(());
    }
    let armed_for = if for_commissioning { "commissioning" } else { "work" };
    Err(OpError::new(FleetCode::NotArmable, format!("{} is armed for {armed_for}. Disarm it first.", unit.id())))
}

/// Refusal to arm, with the present cause behind it: one that does not count while the robot is disarmed.
fn speaks_against(unit: &RobotHandle) -> OpError {
    let present = unit.control().present;
    let wrong = present.iter().find(|cause| cause.rule().severity >= Severity::Hold);
    let sentence = wrong.map_or("something speaks against it.", |cause| cause.rule().sentence);
    let message = format!("{} cannot be armed: {sentence}", unit.id());
    OpError::new(FleetCode::NotArmable, message).with(serde_json::json!({ "cause": wrong }))
}

/// Ends motion permission of `robot`. Never refused.
pub fn disarm(fleet: &Arc<Fleet>, robot: &RobotId, looked: bool) -> Result<RobotSafety, OpError> {
    let unit = fleet.unit(robot)?;
    // The fence first: no command passes while the state machine is being stepped.
    unit.fence.engage();
    if looked {
        // Before the step, which asks whether a stop of this robot is still unconfirmed.
        fleet.stops.note_looked(robot);
    }
    Ok(act(fleet, &unit, Act::Disarm { looked }))
}

/// Ends every motion of `robot` until somebody acknowledges it. Never refused, and put whatever the state: the robot
/// may move for another station, or this one may be wrong about it.
pub fn hold(fleet: &Arc<Fleet>, robot: &RobotId) -> Result<RobotSafety, OpError> {
    let unit = fleet.unit(robot)?;
    // No command passes behind the hold, which is put before anything that could wait.
    unit.fence.engage();
    unit.hold(fleet.runtime.clock.now().station);
    let asked = [SafetyCause::HoldRequested].into_iter().collect();
    supervision::step(fleet, &unit, asked, None);
    Ok(unit.safety(fleet.runtime.clock.now().station))
}

/// Notes that a person names a cause that is over.
pub fn acknowledge(fleet: &Arc<Fleet>, robot: &RobotId, cause: SafetyCause) -> Result<RobotSafety, OpError> {
    let unit = fleet.unit(robot)?;
    let refused = |code: FleetCode, message: String| Err(OpError::new(code, message));
    let active = unit.control().safety.causes().iter().find(|active| active.cause == cause).copied();
    match active {
        None => refused(FleetCode::NoSuchCause, format!("{robot} has no such cause.")),
        Some(active) if active.is_present() => {
            refused(FleetCode::CausePresent, format!("It still holds for {robot}: {}", cause.rule().sentence))
        }
        Some(active) if active.clears() != Clears::OnAcknowledge => {
            refused(FleetCode::NotByAcknowledgement, format!("This ends otherwise: {}.", word(&active.clears())))
        }
        Some(_) => Ok(act(fleet, &unit, Act::Acknowledge(cause))),
    }
}

fn act(fleet: &Arc<Fleet>, unit: &Arc<RobotHandle>, act: Act) -> RobotSafety {
    supervision::step(fleet, unit, CauseSet::EMPTY, Some(act));
    unit.safety(fleet.runtime.clock.now().station)
}

/// The act of arming that is possible now, or a refusal.
fn check_armable(fleet: &Fleet, unit: &RobotHandle, purpose: Purpose<'_>) -> Result<Act, OpError> {
    let refused = |message: String| Err(OpError::new(FleetCode::NotArmable, message));
    robot_lockout::check_unlocked(unit)?;
    let open = fleet.stops.binding(unit.id());
    if !open.is_empty() || fleet.stops.station_bound() {
        let message = format!("A stop is open for {}. Release it first.", unit.id());
        return Err(OpError::new(FleetCode::Latched, message).with(serde_json::json!({ "stop_ids": open })));
    }
    if unit.manifest.gate == GateKind::None {
        return refused(format!("{} has no gate that could hold it; it can be watched, not commanded.", unit.id()));
    }
    if let Some(fault) = &unit.control().set_fault {
        let message = format!("{} cannot be armed: {}", unit.id(), fault.sentence);
        return Err(OpError::new(fault.kind.code(), message));
    }
    let limits = unit.limits.load();
    let kept = unit.control().safety.keeps_disarmed().copied();
    // An incomplete set is refused further down, with the name of the limit that is missing.
    if let Some(active) = kept.filter(|active| active.cause != SafetyCause::SetEmptied) {
        return refused(format!("{} cannot be armed: {}", unit.id(), active.cause.rule().sentence));
    }
    let now = fleet.runtime.clock.now().station;
    match unit.link_state(now) {
        LinkState::Live => {}
        LinkState::Late | LinkState::Lost | LinkState::Never => {
            return refused(format!("{} does not answer. Check its link.", unit.id()));
        }
    }
    if !purpose.is_commissioning() {
        crate::commissioning::check(unit)?;
    }
    match (limits.arming_problem(&unit.robot_state(), now), purpose.reason()) {
        (None, _) => Ok(Act::Arm),
        (Some(problem), Some(_)) if problem.allows_escape() => Ok(Act::ArmToEscape),
        (Some(problem), None) if problem.allows_escape() => {
            let how = "Give a reason to arm it for nothing but an escape from there.";
            let message = format!("{} cannot be armed: {problem}. {how}", unit.id());
            let remedy = serde_json::json!({ "remedy": "reason_to_escape" });
            Err(OpError::new(problem.code(), message).with(remedy))
        }
        (Some(problem), _) => {
            let message = format!("{} cannot be armed: {problem}.", unit.id());
            Err(OpError::new(problem.code(), message))
        }
    }
}

impl RobotHandle {
    /// Raises the epoch on disk, then claims the robot under it. Older commands are refused from here on.
    pub async fn claim(&self, fleet: &Arc<Fleet>, by: &Session, claims: &Claims) -> Result<u64, OpError> {
        let (at_least, handovers) = {
            let control = self.control();
            // The gate refuses an epoch that is not above its own, and another station may have raised that one.
            (control.beats.gate_epoch.max(control.safety.epoch()), control.handovers)
        };
        // On disk before it is claimed: a station that crashes here must not claim the same epoch again.
        let epoch = fleet.runtime.db.raise_epoch(self.id(), at_least).await?;
        crash::point(CrashPoint::LeaseEpoch);
        let raised = AuditEntry::by(by, "epoch", "ok").about(format!("robot={}", self.id()));
        fleet.runtime.audit.commit(AuditEntry { epoch: Some(epoch), ..raised }).await?;
        let for_commissioning = {
            let mut control = self.control();
            control.epoch = epoch;
            // The gate counts sequence numbers anew under each epoch.
            control.seq = 0;
            control.is_for_commissioning()
        };
        self.confirm(fleet, Subject::Claim { station: fleet.runtime.id.clone(), epoch }, || {
            claims.claim(epoch, self.settings.lease_ttl_ms, for_commissioning)
        })
        .await?;
        let control = self.control();
        // If control changed hands meanwhile, the claim of the new holder puts its own epoch in force.
        if control.handovers == handovers {
            self.fence.set_epoch(epoch);
        }
        Ok(epoch)
    }

    /// Claims the robot anew and ends `stop_ids` at its gate.
    pub(crate) async fn release_at_robot(
        &self,
        fleet: &Arc<Fleet>,
        by: &Session,
        claims: &Claims,
        stop_ids: &BTreeSet<u64>,
    ) -> Result<(), OpError> {
        // Nothing is latched at a robot without a gate, so the release is complete with its record here.
        if self.manifest.gate == GateKind::None {
            return Ok(());
        }
        // A release that fails, or is given up, leaves them open, and the robot is told so again.
        let resting = self.link.rest_stops(stop_ids);
        let epoch = self.claim(fleet, by, claims).await?;
        let stops = self.ended_at_gate(fleet, stop_ids);
        self.release(fleet, claims, epoch, stops).await?;
        resting.end();
        Ok(())
    }

    /// The stops that its gate is asked to end when `stop_ids` are released: these, and what it holds that nothing here
    /// keeps.
    fn ended_at_gate(&self, fleet: &Fleet, stop_ids: &BTreeSet<u64>) -> BTreeSet<OpenStop> {
        // A release has to name every stop that the gate holds. Its list is read first, so each stop of this
        // station in it is in `bound` or has been released.
        let held = self.control().beats.held();
        let bound = fleet.stops.binding(self.id());
        let stays = |stop_id: u64| bound.contains(&stop_id) && !stop_ids.contains(&stop_id);
        let ours = |stop_id: &u64| OpenStop { by: StoppedBy::Station(fleet.runtime.id.clone()), stop_id: *stop_id };
        let mut stops = released_with(held, &fleet.runtime.id, stays);
        stops.extend(stop_ids.intersection(&bound).map(ours));
        stops
    }

    /// Claims the robot anew and ends what its gate has latched by itself, or still holds of stops that are released
    /// here. What somebody stopped stays stopped.
    pub(crate) async fn regain(&self, fleet: &Arc<Fleet>, by: &Session, claims: &Claims) -> Result<(), OpError> {
        let epoch = self.claim(fleet, by, claims).await?;
        // The gate's list is read first: a stop of this station
        // that is in it and not in `bound` has been released.
        let gate_stops = self.control().beats.gate_stops.clone();
        let bound = fleet.stops.binding(self.id());
        let is_over = |stop: &OpenStop| match &stop.by {
            StoppedBy::Station(asked) => *asked == fleet.runtime.id && !bound.contains(&stop.stop_id),
            StoppedBy::Restart | StoppedBy::Deadman | StoppedBy::Fault(_) => true,
            StoppedBy::Stranger => false,
        };
        let stops: BTreeSet<_> = gate_stops.into_iter().filter(is_over).collect();
        if stops.is_empty() {
            return Ok(());
        }
        // The gate's own latch may be all that holds the robot, so it is not lifted while the robot moves.
        stops::check_still(fleet, self)?;
        self.release(fleet, claims, epoch, stops).await
    }

    async fn release(
        &self,
        fleet: &Fleet,
        claims: &Claims,
        epoch: u64,
        stops: BTreeSet<OpenStop>,
    ) -> Result<(), OpError> {
        let (stops, subject) = (Vec::from_iter(stops), Subject::Release { station: fleet.runtime.id.clone(), epoch });
        self.confirm(fleet, subject, || claims.release(epoch, &stops)).await.map(drop)
    }

    /// Puts a message and waits for the gate's word on it.
    pub(crate) async fn confirm(
        &self,
        fleet: &Fleet,
        subject: Subject,
        put: impl FnOnce() -> Result<(), bridge::BridgeError>,
    ) -> Result<Status, OpError> {
        // Subscribed before the put: the gate may answer before this task runs again.
        let mut acks = fleet.acks.subscribe();
        put().map_err(|error| OpError::new(error.code(), error.to_string()))?;
        let answer = tokio::time::timeout(CONFIRM_WAIT, async {
            loop {
                match acks.recv().await {
                    Ok(ack) if Ack::clone(&ack).robot == *self.id() && ack.subject == subject => {
                        return Some(ack);
                    }
                    // Messages that were overtaken may include the answer;
                    // then the time limit ends the wait as for a lost one.
                    Ok(_) | Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {}
                    Err(tokio::sync::broadcast::error::RecvError::Closed) => return None,
                }
            }
        })
        .await;
        let ack = answer.ok().flatten();
        let owner = ack.as_ref().and_then(|ack| ack.claimed_by.clone()).filter(|owner| *owner != fleet.runtime.id);
        match (ack.as_ref().map(|ack| ack.status), owner) {
            (Some(status @ (Status::Received | Status::Running | Status::Done | Status::Failed(_))), _) => Ok(status),
            (Some(Status::Refused(Reason::Lease)), Some(owner)) => {
                let message = format!("{} is claimed by {owner}.", self.id());
                Err(OpError::new(FleetCode::ClaimedElsewhere, message).with(serde_json::json!({ "owner": owner })))
            }
            (Some(Status::Refused(reason)), _) => {
                let message = format!("The gate of {} refused: {}.", self.id(), word(&reason));
                Err(OpError::new(FleetCode::RefusedByRobot, message))
            }
            // A gate that cannot attribute the message has not taken it,
            // which for the caller is the same as not being reached.
            (Some(Status::BadSignature) | None, _) => {
                let message = format!("{} did not confirm within {} ms.", self.id(), CONFIRM_WAIT.as_millis());
                Err(OpError::new(FleetCode::RobotUnreachable, message))
            }
        }
    }

    /// The larger of the speeds that the robot's velocity source and its gate measure, if one of them is fresh.
    pub(crate) fn measured_speed_mps(&self, now: Instant) -> Option<Measured<f64>> {
        let gate = self.control().beats.speed_mps.clone();
        let speeds = Speeds { velocity: self.measurements().speed_mps.clone(), gate, poses: Fresh::NEVER };
        speeds.direct(&self.manifest, now)
    }
}

#[cfg(test)]
mod tests;
