//! Commands, verdicts and arming.

use std::sync::Arc;

use robot::{Effect, RawCommand, RobotId, Role, Trust, VerdictId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::arming::Purpose;
use crate::fleet::Fleet;
use crate::gate;
use crate::state::submission::Submission;
use crate::{FleetCode, arming};
use runtime::error::OpError;
use runtime::operation::{ALL, COMMAND_BYTES_MAX, OfOneRobot, Operation, Terms, UI, given, row};
use runtime::session::Session;
use runtime::wire::{CommandChecked, RobotSafety, VerdictRow};

/// Verdicts in one answer.
const LISTED_MAX: usize = 100;

/// Rows about commands, verdicts and arming.
pub fn rows() -> Vec<Operation<Arc<Fleet>>> {
    use Effect::{Actuate, Read, Write};
    use Role::{Operator, Viewer};
    vec![
        row(
            "check_command",
            Terms(Viewer, Read, ALL, Trust::Trusted),
            "Judges a command without sending it.",
            check_command,
        ).example(json!({"robot": "arm-1", "actuator": "tool", "motion": {"pose_goal": {"position_m": [0.4, 0.0, 0.9], "speed_mps": 0.1}}}))
        .in_rooms()
        .core()
        .input_bytes_max(COMMAND_BYTES_MAX),
        row(
            "list_verdicts",
            Terms(Viewer, Read, ALL, Trust::Trusted),
            "The newest verdicts on what was sent or proposed in this run.",
            list_verdicts,
        ).in_missions()
        .in_rooms()
        .core(),
        row(
            "explain_verdict",
            Terms(Viewer, Read, ALL, Trust::Trusted),
            "A verdict with every limit it rests on.",
            explain_verdict,
        ).in_missions().example(json!({"id": "0198f2a4-5b6c-7d8e-9f00-112233445566"}))
        .in_rooms()
        .core(),
        row(
            "arm_robot",
            Terms(Operator, Actuate, UI, Trust::Text),
            "Lets motion of a robot pass its limits' check.",
            arm_robot,
        ).example(json!({"robot": "arm-1"})),
        row(
            "disarm_robot",
            Terms(Operator, Write, UI, Trust::Text),
            "Ends motion permission of a robot.",
            disarm_robot,
        ).example(json!({"robot": "arm-1"}))
        .urgent(),
    ]
}

async fn check_command(fleet: Arc<Fleet>, by: Session, raw: RawCommand) -> Result<CommandChecked, OpError> {
    let unit = fleet.unit(&raw.robot)?;
    gate::check_names(&fleet, &raw)?;
    let submission = Submission::new(raw, by);
    Ok(gate::check(&fleet, &unit, &submission).into_checked())
}

async fn list_verdicts(fleet: Arc<Fleet>, _: Session, input: OfOneRobot) -> Result<Vec<VerdictRow>, OpError> {
    let rows = fleet.verdicts.newest(input.robot.as_ref(), LISTED_MAX);
    if let Some(robot) = input.robot.as_ref().filter(|_| rows.is_empty()) {
        fleet.unit(robot)?;
    }
    Ok(rows)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExplainVerdict {
    /// One of `list_verdicts`, of an answer or of a card.
    id: VerdictId,
}

async fn explain_verdict(fleet: Arc<Fleet>, _: Session, input: ExplainVerdict) -> Result<CommandChecked, OpError> {
    let found = fleet.verdicts.find(input.id);
    found.ok_or_else(|| OpError::not_found(FleetCode::VerdictNotFound, "verdict", input.id.0))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arm {
    /// The robot.
    robot: RobotId,
    /// The reason for arming a robot outside its limits, for nothing but a slow escape from there; 1 to 500 characters.
    reason: Option<String>,
}

async fn arm_robot(fleet: Arc<Fleet>, by: Session, input: Arm) -> Result<RobotSafety, OpError> {
    input.reason.as_deref().map(given).transpose()?;
    arming::arm(&fleet, &by, &input.robot, Purpose::Work(input.reason.as_deref())).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Disarm {
    /// The robot.
    robot: RobotId,
    /// You have looked at the robot, and it is in order.
    #[serde(default)]
    looked: bool,
}

async fn disarm_robot(fleet: Arc<Fleet>, _: Session, input: Disarm) -> Result<RobotSafety, OpError> {
    arming::disarm(&fleet, &input.robot, input.looked)
}
