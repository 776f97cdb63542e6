//! Commissioning as the station sees it: what the robot's gate tells, arming for it, and the steps that a person runs.

use std::sync::Arc;
use std::time::Duration;

use bridge::commissioning::{CommissionAct, GateReport};
use bridge::envelope::{Status, Subject};
use robot::{
    BaseTimeout, CommissioningStep, GateAccount, JointGoal, ManifestHash, RawCommand, RawJoints, RawMotion,
    RawVelocity, RobotId, StepMotion, StepWish, Supervision, commissioned_actuator,
};
use safety::Commissioning;
use safety::machine::State;

use crate::arming::{self, Purpose};
use crate::code::FleetCode;
use crate::fleet::Fleet;
use crate::state::robot_handle::{Control, RobotHandle};
use crate::state::submission::Submission;
use crate::{control::control_handover, gate};
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{ArmingHindrance, CommandStep, CommissioningRow, GateManifest, RobotSafety};

/// The longest that a velocity of a step lives without the next one, milliseconds.
const STEP_TTL_MS_MAX: u32 = 500;
/// Looks at what a gate has stored, and the time between two.
const STORED_LOOKS_MAX: u32 = 50;
const STORED_LOOK_EVERY: Duration = Duration::from_millis(100);

impl Control {
    /// The motion that the robot's commissioning leaves under this station's claim.
    pub(crate) fn left_by_commissioning(&self, supervision: Supervision) -> Commissioning {
        let watched = match supervision {
            Supervision::Required => true,
            Supervision::Unattended => false,
        };
        match (self.is_for_commissioning(), self.beats.commissioning) {
            (true, _) => Commissioning::UnderWay,
            (false, Commissioning::KeepsMoving { supervised }) => {
                Commissioning::KeepsMoving { supervised: supervised && watched }
            }
            (false, left @ (Commissioning::Complete | Commissioning::Missing | Commissioning::UnderWay)) => left,
        }
    }

    /// True while the robot is armed for commissioning, or is on its way there.
    pub(crate) fn is_for_commissioning(&self) -> bool {
        let is_claimed = match self.safety.state() {
            State::Arming | State::Armed | State::Hold => true,
            State::Disarmed | State::SafeStop | State::Lockout => false,
        };
        is_claimed && self.for_commissioning
    }

    /// True of a robot that nothing stops when its gate dies, as its gate tells.
    pub(crate) fn keeps_moving(&self) -> bool {
        self.account().is_some_and(|account| account.commissioning.keeps_moving)
    }

    /// Measured reaction of the robot when its gate falls silent, if its gate tells of a commissioning.
    pub(crate) fn base_timeout(&self) -> Option<BaseTimeout> {
        self.account().map(|account| account.commissioning.base_timeout)
    }

    fn account(&self) -> Option<&GateAccount> {
        self.gate_report.as_ref().map(|report| &report.account)
    }
}

/// The gate's manifest beside the station's.
fn beside(account: &GateAccount, own: &ManifestHash) -> GateManifest {
    match &account.manifest {
        None => GateManifest::Unknown,
        Some(hash) if hash == own => GateManifest::Same,
        Some(_) => GateManifest::Another,
    }
}

impl RobotHandle {
    /// The newest report of the robot's gate, if it gives any.
    pub(crate) fn gate_report(&self) -> Option<GateReport> {
        self.control().gate_report.clone()
    }

    /// True if the robot's gate checks by another manifest than this station.
    #[must_use]
    pub fn has_another_manifest(&self) -> bool {
        let control = self.control();
        control.account().is_some_and(|account| beside(account, &self.manifest.hash) == GateManifest::Another)
    }

    /// The reason why an uncommissioned robot cannot be armed for work, with its kind; none if nothing is missing.
    #[must_use]
    pub fn lacks_commissioning(&self) -> Option<(ArmingHindrance, String)> {
        let control = self.control();
        if control.beats.commissioning != Commissioning::Missing {
            return None;
        }
        let step = control.account().and_then(|account| account.commissioning.missing);
        let sentence = match step {
            Some(step) => format!("it is not commissioned: the step \"{}\" is missing", step.words()),
            None => "it is not commissioned".to_owned(),
        };
        Some((ArmingHindrance::NotCommissioned { step }, sentence))
    }
}

/// Refuses to arm a robot for work that was not commissioned.
pub(crate) fn check(unit: &RobotHandle) -> Result<(), OpError> {
    let Some((_, lacks)) = unit.lacks_commissioning() else { return Ok(()) };
    let message = format!(
        "{} cannot be armed: {lacks}. Commission it on its page, with somebody at its hardware stop.",
        unit.id()
    );
    let missing = unit.control().account().and_then(|account| account.commissioning.missing);
    Err(OpError::new(FleetCode::NotCommissioned, message).with(serde_json::json!({ "missing": missing })))
}

/// Refuses what belongs to commissioning while the robot is not armed for it.
fn check_under_way(unit: &RobotHandle) -> Result<(), OpError> {
    if row(unit).under_way {
        return Ok(());
    }
    let message = format!("{} is not armed for commissioning.", unit.id());
    Err(OpError::new(FleetCode::NotUnderWay, message))
}

/// The robot's gate and commissioning.
pub fn row(unit: &RobotHandle) -> CommissioningRow {
    let control = unit.control();
    CommissioningRow {
        robot: unit.id().clone(),
        gate: control.account().cloned(),
        manifest: control.account().map_or(GateManifest::Unknown, |account| beside(account, &unit.manifest.hash)),
        under_way: control.is_for_commissioning() && control.safety.is_armed(),
    }
}

/// Arms the robot for the steps of commissioning alone.
pub async fn begin(fleet: &Arc<Fleet>, by: &Session, robot: &RobotId) -> Result<RobotSafety, OpError> {
    let unit = fleet.unit(robot)?;
    if unit.control().account().is_none() {
        let message = format!("The gate of {robot} tells nothing of a commissioning.");
        return Err(OpError::new(FleetCode::NoCommissioning, message));
    }
    arming::arm(fleet, by, robot, Purpose::Commissioning).await
}

/// Carries out a step for as long as it is called again and again: the gate hears that the button is held, and the
/// velocity that it waits for is sent as an ordinary command.
pub async fn run(
    fleet: &Arc<Fleet>,
    by: &Session,
    robot: &RobotId,
    step: CommissioningStep,
) -> Result<CommissioningRow, OpError> {
    let unit = fleet.unit(robot)?;
    control_handover::check_not_anothers(fleet, &unit, by)?;
    check_under_way(&unit)?;
    match tell(fleet, &unit, by, CommissionAct::Run(step)).await? {
        Status::Received => send_motion(fleet, &unit, by, step).await?,
        Status::Running | Status::Done => {}
        Status::Failed(_) => {
            let message = format!("The step was broken off. {robot} was held.");
            return Err(OpError::new(FleetCode::StepBrokenOff, message));
        }
        // `confirm` has made errors of both.
        Status::Refused(_) | Status::BadSignature => {}
    }
    Ok(row(&unit))
}

/// The button was let go: whatever moves is held.
pub async fn let_go(fleet: &Arc<Fleet>, by: &Session, robot: &RobotId) -> Result<CommissioningRow, OpError> {
    let unit = fleet.unit(robot)?;
    control_handover::check_not_anothers(fleet, &unit, by)?;
    if row(&unit).under_way {
        tell(fleet, &unit, by, CommissionAct::LetGo).await?;
    }
    Ok(row(&unit))
}

/// Accepts that the robot keeps moving when its gate dies. It counts once the gate has stored it and says so.
pub async fn accept(
    fleet: &Arc<Fleet>,
    by: &Session,
    robot: &RobotId,
    reason: &str,
) -> Result<CommissioningRow, OpError> {
    let unit = fleet.unit(robot)?;
    control_handover::check_not_anothers(fleet, &unit, by)?;
    if !unit.control().keeps_moving() {
        let message = format!("{robot} does not keep moving when its gate dies, as far as its gate tells.");
        return Err(OpError::new(FleetCode::NothingToAccept, message));
    }
    check_under_way(&unit)?;
    for _ in 0..STORED_LOOKS_MAX {
        let status = tell(fleet, &unit, by, CommissionAct::Accept(reason.to_owned())).await?;
        let row = row(&unit);
        let accepted = row.gate.as_ref().and_then(|gate| gate.commissioning.accepted.as_ref());
        // The report may come after the acknowledgement.
        if status == Status::Done && accepted.is_some_and(|accepted| accepted.reason == reason) {
            return Ok(row);
        }
        tokio::time::sleep(STORED_LOOK_EVERY).await;
    }
    let message = format!("The gate of {robot} did not store the acceptance; {robot} is commanded as before.");
    Err(OpError::new(FleetCode::AcceptanceNotStored, message))
}

async fn tell(
    fleet: &Arc<Fleet>,
    unit: &Arc<RobotHandle>,
    by: &Session,
    act: CommissionAct,
) -> Result<Status, OpError> {
    let (n, epoch) = (unit.link.next_commission(), unit.control().epoch);
    let subject = Subject::Commission { station: fleet.runtime.id.clone(), n };
    let person = by.person().name;
    unit.confirm(fleet, subject, || unit.link.commission(n, epoch, person, act)).await
}

/// Sends the motion that the gate waits for. One that the robot ends because the step is over is no failure.
async fn send_motion(
    fleet: &Arc<Fleet>,
    unit: &Arc<RobotHandle>,
    by: &Session,
    step: CommissioningStep,
) -> Result<(), OpError> {
    let wish = unit.control().account().and_then(|account| wish_of(account, step));
    // The report that names the motion has not come yet; the next call sends it.
    let Some(raw) = wish.and_then(|wish| command_of(unit, wish)) else { return Ok(()) };
    let outcome = gate::send(fleet, Submission { by_hand: true, ..Submission::new(raw, by.clone()) }).await?;
    match outcome.state {
        CommandStep::Denied => Err(OpError::new(FleetCode::StepDenied, outcome.sentence)),
        CommandStep::Approved
        | CommandStep::Sent
        | CommandStep::Received
        | CommandStep::Running
        | CommandStep::Done
        | CommandStep::DoneNotConfirmed
        | CommandStep::Superseded
        | CommandStep::RefusedByRobot
        | CommandStep::Failed
        | CommandStep::Unknown => Ok(()),
    }
}

/// The motion that a step waits for: as the gate says, or that of its axis.
fn wish_of(account: &GateAccount, step: CommissioningStep) -> Option<StepWish> {
    let state = &account.commissioning;
    let wanted =
        state.running.as_ref().filter(|running| running.step == step).and_then(|running| running.wants.clone());
    wanted.or_else(|| state.motion_of(step).map(StepWish::Velocity))
}

/// The command of a motion that a step waits for.
fn command_of(unit: &RobotHandle, wish: StepWish) -> Option<RawCommand> {
    let (actuator, ttl_ms, motion) = match wish {
        StepWish::Velocity(StepMotion { linear_mps, angular_radps }) => {
            let base = commissioned_actuator(&unit.manifest)?;
            let velocity = RawVelocity { linear_mps: linear_mps.to_vec(), angular_radps: angular_radps.to_vec() };
            let ttl_ms = base.set_point_ttl_ms.min(STEP_TTL_MS_MAX);
            (base.id.clone(), Some(ttl_ms), RawMotion::Velocity(velocity))
        }
        StepWish::Joints(JointGoal { actuator, names, positions, speed }) => {
            let names = names.iter().map(ToString::to_string).collect();
            let joints = RawJoints { names, positions_rad: positions, speed_radps: Some(speed) };
            (actuator, None, RawMotion::Joints(joints))
        }
    };
    let robot = unit.id().clone();
    Some(RawCommand { id: None, robot, actuator, frame: None, force_n: None, ttl_ms, mission_id: None, motion })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn account(running: Value) -> GateAccount {
        let step = json!({ "step": "axis_y", "outcome": "passed", "time_ms": null, "distance_m": null, "time_ms_max": null,
            "distance_m_max": null, "speeds": [], "person": "Ada", "at_ms": 0 });
        let state = json!({ "needed": ["each_stop"], "not_possible": [], "results": [step], "missing": "each_stop",
            "changed": [], "base_timeout": "never", "running": running, "broken_off": null });
        let facts = json!({ "adapter": "ros2", "moves": [], "hold": "", "stop": "", "last_to_command": "",
            "base_timeout": "", "foreign": "" });
        serde_json::from_value(json!({ "placement": "beside", "facts": facts, "commissioning": state })).unwrap()
    }

    fn running(step: &str, wants: Value) -> Value {
        json!({ "step": step, "phase": "moving", "speeds": [], "wants": wants })
    }

    #[test]
    fn rg_31_the_station_sends_what_the_gate_waits_for_and_for_a_joint_nothing_else() {
        let goal = json!({ "actuator": "arm", "names": ["slide"], "positions": [0.05], "speed": 0.05 });
        let wants = json!({ "joints": goal });
        let asked = account(running("joints", wants.clone()));
        let Some(StepWish::Joints(wish)) = wish_of(&asked, CommissioningStep::Joints) else { panic!("no goal") };
        assert_eq!((wish.positions, wish.speed), (vec![0.05], 0.05));
        assert_eq!(wish_of(&account(Value::Null), CommissioningStep::Joints), None, "its report has not come yet");
        let ahead = StepMotion::along(CommissioningStep::AxisY).map(StepWish::Velocity);
        assert_eq!(wish_of(&asked, CommissioningStep::EachStop), ahead, "the goal is that of another step");
        let asked = account(running("each_stop", wants));
        assert!(matches!(wish_of(&asked, CommissioningStep::EachStop), Some(StepWish::Joints(_))));
    }
}
