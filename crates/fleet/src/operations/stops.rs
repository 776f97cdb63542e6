//! Stops and their release.

use std::collections::BTreeSet;
use std::sync::Arc;

use robot::{Effect, RobotId, Role, Stops, Supervision, Trust};
use safety::machine::{CauseSet, SafetyCause};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::fleet::Fleet;
use crate::{
    arming, control::control_handover, control::unconstrained_grants, drill, robots::robot_lockout, stops, supervision,
};
use runtime::audit::AuditEntry;
use runtime::error::OpError;
use runtime::operation::{ALL, Nothing, OfOneRobot, OfRobot, Operation, REASON_CHARS_MAX, Terms, UI, given, row};
use runtime::session::Session;
use runtime::wire::{
    DrillRow, DrillRun, FallbackRow, Released, RobotSafety, SafetySetting, SafetyStatus, StopPressed, StopReason, word,
};

/// Tests of the stop path that are shown.
const DRILLS_MAX: u32 = 100;

#[expect(clippy::too_many_lines, reason = "one row for each operation")]
/// Rows about stops, holds and what ends them.
pub fn rows() -> Vec<Operation<Arc<Fleet>>> {
    use Effect::{Actuate, Read, Write};
    use Role::{Admin, Operator, Viewer};
    vec![
        row(
            "safety_status",
            Terms(Viewer, Read, ALL, Trust::Trusted),
            "State, link and open stops of every robot.",
            safety_status,
        )
        .in_missions()
        .in_rooms()
        .core(),
        row(
            "get_safety_settings",
            Terms(Viewer, Read, ALL, Trust::Trusted),
            "The safety engine's numbers in this run, and the range of each.",
            get_safety_settings,
        ),
        row(
            "run_stop_drill",
            Terms(Operator, Actuate, UI, Trust::Text),
            "Stops one robot over the real path, measures what it takes, and releases it; it ends disarmed.",
            run_stop_drill,
        )
        .example(json!({"robot": "arm-1"})),
        row("list_drills", Terms(Viewer, Read, ALL, Trust::Text), "Tests of the stop path, newest first.", list_drills),
        row(
            "list_fallbacks",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Fallbacks for each class of failure, with the progress of its newest run.",
            list_fallbacks,
        )
        .in_missions(),
        row(
            "stop_all",
            // Every session may stop robots, whatever its role.
            Terms(Viewer, Actuate, ALL, Trust::Trusted),
            "Stops every robot and latches until a person releases.",
            stop_all,
        )
        .example(json!({"reason": "Somebody is in the cell."}))
        .in_rooms()
        .core()
        .urgent()
        .stops(Stops::All),
        row(
            "stop_robot",
            Terms(Viewer, Actuate, ALL, Trust::Trusted),
            "Stops one robot and latches until a person releases.",
            stop_robot,
        )
        .example(json!({"robot": "arm-1"}))
        .in_rooms()
        .core()
        .urgent()
        .stops(Stops::Named),
        row(
            "hold_robot",
            Terms(Viewer, Actuate, ALL, Trust::Trusted),
            "Ends every motion of one robot until an operator acknowledges it.",
            hold_robot,
        )
        .example(json!({"robot": "arm-1"}))
        .in_rooms()
        .core()
        .urgent()
        .stops(Stops::Named),
        row(
            "acknowledge_cause",
            Terms(Operator, Write, UI, Trust::Text),
            "Names a cause of a robot's state that is over, and says why.",
            acknowledge_cause,
        )
        .example(json!({"robot": "arm-1", "cause": "pose_stale", "reason": "The encoder cable was loose."})),
        row(
            "recommission",
            Terms(Admin, Write, UI, Trust::Text),
            "Puts a locked robot into service again.",
            recommission,
        )
        .example(json!({"robot": "arm-1", "reason": "The brake was replaced and tested."})),
        row(
            "set_supervision",
            Terms(Admin, Write, UI, Trust::Text),
            "Says, for this run, whether a robot may move without a living screen.",
            set_supervision,
        )
        .example(json!({"robot": "arm-1", "supervision": "unattended", "reason": "The cell is fenced."})),
        row(
            "grant_unconstrained",
            Terms(Admin, Write, UI, Trust::Text),
            "Lets one robot move with an incomplete set of limits for up to an hour; 0 minutes end that.",
            grant_unconstrained,
        )
        .example(json!({"robot": "arm-1", "minutes": 10, "reason": "The limits are being measured."})),
        row(
            "release_stop",
            // For people alone: a program cannot see whether the place is clear.
            Terms(Operator, Actuate, UI, Trust::Text),
            "Ends exactly the named stops for the named robots.",
            release_stop,
        )
        .example(json!({"stop_ids": [1], "robots": ["arm-1"], "reason": "The cell is clear."})),
    ]
}

async fn safety_status(fleet: Arc<Fleet>, by: Session, _: Nothing) -> Result<SafetyStatus, OpError> {
    let mut status = fleet.safety_status();
    if by.is_agent() {
        // It is a message between people, which a model must not follow.
        for robot in &mut status.robots {
            robot.control_request = None;
        }
    }
    Ok(status)
}

async fn get_safety_settings(fleet: Arc<Fleet>, _: Session, _: Nothing) -> Result<Vec<SafetySetting>, OpError> {
    Ok(fleet.settings.shown())
}

async fn run_stop_drill(fleet: Arc<Fleet>, by: Session, input: OfRobot) -> Result<DrillRun, OpError> {
    drill::run(&fleet, &by, &input.robot).await
}

async fn list_drills(fleet: Arc<Fleet>, _: Session, input: OfOneRobot) -> Result<Vec<DrillRow>, OpError> {
    let rows = fleet.runtime.db.drills(input.robot.as_ref(), DRILLS_MAX).await?;
    if let Some(robot) = input.robot.as_ref().filter(|_| rows.is_empty()) {
        // Drills of a removed robot stay listed; only a name that never was one is an error.
        fleet.unit(robot)?;
    }
    Ok(rows.into_iter().map(DrillRow::from).collect())
}

async fn list_fallbacks(fleet: Arc<Fleet>, _: Session, input: OfOneRobot) -> Result<Vec<FallbackRow>, OpError> {
    let units = match &input.robot {
        Some(robot) => vec![fleet.unit(robot)?],
        None => fleet.units(),
    };
    Ok(units.iter().flat_map(|unit| fleet.fallbacks.rows(unit.id(), &*fleet.observer)).collect())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StopAll {
    /// The reason; at most 500 characters of it are kept.
    reason: Option<String>,
}

async fn stop_all(fleet: Arc<Fleet>, by: Session, input: StopAll) -> Result<StopPressed, OpError> {
    Ok(stops::press(&fleet, &by, short(input.reason).map(|words| StopReason::Given { words }), None).await)
}

async fn stop_robot(fleet: Arc<Fleet>, by: Session, input: OfRobot) -> Result<StopPressed, OpError> {
    fleet.unit(&input.robot)?;
    Ok(stops::press(&fleet, &by, None, Some(&input.robot)).await)
}

async fn hold_robot(fleet: Arc<Fleet>, by: Session, input: OfRobot) -> Result<RobotSafety, OpError> {
    tracing::warn!(robot = %input.robot, by = by.actor(), "hold");
    arming::hold(&fleet, &input.robot)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AcknowledgeCause {
    /// The robot.
    robot: RobotId,
    /// One of its causes.
    cause: SafetyCause,
    /// The reason for which the cause is over, 1 to 500 characters.
    reason: String,
}

async fn acknowledge_cause(fleet: Arc<Fleet>, by: Session, input: AcknowledgeCause) -> Result<RobotSafety, OpError> {
    let reason = given(&input.reason)?;
    tracing::warn!(robot = %input.robot, cause = ?input.cause, by = by.actor(), reason, "acknowledged");
    arming::acknowledge(&fleet, &input.robot, input.cause)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Recommission {
    /// The robot.
    robot: RobotId,
    /// The work that was done on the robot, 1 to 500 characters.
    reason: String,
}

async fn recommission(fleet: Arc<Fleet>, by: Session, input: Recommission) -> Result<RobotSafety, OpError> {
    let reason = given(&input.reason)?;
    tracing::warn!(robot = %input.robot, by = by.actor(), reason, "recommissioned");
    robot_lockout::recommission(&fleet, &input.robot).await?;
    Ok(fleet.unit(&input.robot)?.safety(fleet.runtime.clock.now().station))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetSupervision {
    /// The robot.
    robot: RobotId,
    /// The need for a living screen while the robot moves: `required` or `unattended`.
    supervision: Supervision,
    /// The reason, 1 to 500 characters.
    reason: String,
}

async fn set_supervision(fleet: Arc<Fleet>, by: Session, input: SetSupervision) -> Result<RobotSafety, OpError> {
    let reason = given(&input.reason)?;
    // A misspelt name must fail here: a stop without robots would bind the whole station.
    let unit = fleet.unit(&input.robot)?;
    unit.control().supervision = Some(input.supervision);
    tracing::warn!(robot = %input.robot, by = by.actor(), supervision = ?input.supervision, reason, "supervision");
    let about = format!("robot={} supervision={}: {reason}", input.robot, word(&input.supervision));
    fleet.runtime.audit.note_done(AuditEntry::by(&by, "supervision", "ok").about(about));
    supervision::step(&fleet, &unit, CauseSet::EMPTY, None);
    fleet.tell_safety(std::slice::from_ref(&unit));
    Ok(unit.safety(fleet.runtime.clock.now().station))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GrantUnconstrained {
    /// The robot.
    robot: RobotId,
    /// For how long, 1 to 60; 0 ends a grant.
    minutes: u32,
    /// The reason, 1 to 500 characters.
    reason: String,
}

async fn grant_unconstrained(
    fleet: Arc<Fleet>,
    by: Session,
    input: GrantUnconstrained,
) -> Result<RobotSafety, OpError> {
    unconstrained_grants::give(&fleet, &by, &input.robot, input.minutes, given(&input.reason)?).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReleaseStop {
    /// Exactly the open stops of these robots.
    stop_ids: BTreeSet<u64>,
    /// The robots to release; the others stay stopped.
    robots: Vec<RobotId>,
    /// The reason for which it is safe now, 1 to 500 characters.
    reason: String,
}

async fn release_stop(fleet: Arc<Fleet>, by: Session, input: ReleaseStop) -> Result<Released, OpError> {
    let reason = given(&input.reason)?;
    for robot in &input.robots {
        control_handover::check_not_anothers(&fleet, &*fleet.unit(robot)?, &by)?;
    }
    tracing::warn!(stops = ?input.stop_ids, by = by.actor(), reason, "release");
    stops::release(&fleet, &by, &input.stop_ids, &input.robots).await
}

/// A stop is never refused for its reason: what is too long is cut.
fn short(reason: Option<String>) -> Option<String> {
    reason.map(|reason| reason.chars().take(REASON_CHARS_MAX).collect())
}
