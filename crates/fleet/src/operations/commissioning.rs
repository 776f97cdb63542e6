//! Commissioning of robots: reading it, arming for it, running its steps.

use std::sync::Arc;

use robot::{CommissioningStep, Effect, RobotId, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::FleetCode;
use crate::commissioning;
use crate::fleet::Fleet;
use runtime::error::OpError;
use runtime::operation::{OfRobot, Operation, Terms, UI, given, row};
use runtime::session::Session;
use runtime::wire::{CommissioningRow, RobotSafety};

/// Rows about commissioning. None of them is for an agent: somebody stands at the hardware stop.
pub fn rows() -> Vec<Operation<Arc<Fleet>>> {
    use Effect::{Actuate, Read, Write};
    use Role::{Admin, Operator, Viewer};
    vec![
        row(
            "get_commissioning",
            Terms(Viewer, Read, UI, Trust::Text),
            "A robot's gate and how far its commissioning is.",
            get_commissioning,
        )
        .example(json!({ "robot": "rover-9" })),
        row(
            "begin_commissioning",
            Terms(Operator, Actuate, UI, Trust::Text),
            "Arms a robot for the slow steps of commissioning alone.",
            begin_commissioning,
        )
        .example(json!({ "robot": "rover-9", "at_hardware_stop": true })),
        row(
            "run_commissioning_step",
            Terms(Operator, Actuate, UI, Trust::Text),
            "Carries out a step of commissioning while it is repeated.",
            run_commissioning_step,
        )
        .example(json!({ "robot": "rover-9", "step": "axis_x" }))
        .recorded_by_gate(),
        row(
            "let_go_commissioning_step",
            Terms(Operator, Write, UI, Trust::Text),
            "Ends a step of commissioning; a hardware stop that was pressed was not seen.",
            let_go_commissioning_step,
        )
        .example(json!({ "robot": "rover-9" })),
        row(
            "accept_keeps_moving",
            Terms(Admin, Write, UI, Trust::Text),
            "Accepts, with a reason, that a robot keeps moving when its gate dies.",
            accept_keeps_moving,
        )
        .example(json!({ "robot": "rover-9", "reason": "A fence keeps people out of its hall." })),
    ]
}

async fn get_commissioning(fleet: Arc<Fleet>, _: Session, input: OfRobot) -> Result<CommissioningRow, OpError> {
    let unit = fleet.unit(&input.robot)?;
    Ok(commissioning::row(&unit))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BeginCommissioning {
    /// The robot.
    robot: RobotId,
    /// The person confirms that somebody stands at the robot's hardware stop.
    at_hardware_stop: bool,
}

async fn begin_commissioning(
    fleet: Arc<Fleet>,
    by: Session,
    input: BeginCommissioning,
) -> Result<RobotSafety, OpError> {
    fleet.unit(&input.robot)?;
    if !input.at_hardware_stop {
        let message = format!("Nobody has confirmed to stand at the hardware stop of {}.", input.robot);
        return Err(OpError::new(FleetCode::NobodyAtStop, message));
    }
    commissioning::begin(&fleet, &by, &input.robot).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RunCommissioningStep {
    /// The robot.
    robot: RobotId,
    /// The step.
    step: CommissioningStep,
}

async fn run_commissioning_step(
    fleet: Arc<Fleet>,
    by: Session,
    input: RunCommissioningStep,
) -> Result<CommissioningRow, OpError> {
    commissioning::run(&fleet, &by, &input.robot, input.step).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AcceptKeepsMoving {
    /// The robot.
    robot: RobotId,
    /// The reason, 1 to 500 characters.
    reason: String,
}

async fn accept_keeps_moving(
    fleet: Arc<Fleet>,
    by: Session,
    input: AcceptKeepsMoving,
) -> Result<CommissioningRow, OpError> {
    let reason = given(&input.reason)?;
    let row = commissioning::accept(&fleet, &by, &input.robot, reason).await?;
    tracing::warn!(robot = %input.robot, by = by.actor(), reason, "accepted that the robot keeps moving");
    Ok(row)
}

async fn let_go_commissioning_step(
    fleet: Arc<Fleet>,
    by: Session,
    input: OfRobot,
) -> Result<CommissioningRow, OpError> {
    commissioning::let_go(&fleet, &by, &input.robot).await
}
