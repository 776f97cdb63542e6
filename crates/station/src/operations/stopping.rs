//! Stops and their release.

use std::collections::BTreeSet;
use std::sync::Arc;

use robot::{Effect, RobotId, Role};
use schemars::JsonSchema;
use serde::Deserialize;

use super::table::{ALL, Nothing, Operation, Terms, UI, row};
use crate::wire::{Released, SafetyStatus, StopPressed};
use crate::{OpError, Session, Station, stops};

/// The longest reason, in characters.
const REASON_CHARS_MAX: usize = 500;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Actuate, Read};
    use Role::{Operator, Viewer};
    vec![
        row("safety_status", Terms(Viewer, Read, ALL), "State, link and open stops of every robot.", safety_status),
        row(
            "stop_all",
            Terms(Viewer, Actuate, ALL),
            "Stops every robot and latches until a person releases.",
            stop_all,
        ),
        row(
            "stop_robot",
            Terms(Viewer, Actuate, ALL),
            "Stops one robot and latches until a person releases.",
            stop_robot,
        ),
        row(
            "release_stop",
            Terms(Operator, Actuate, UI),
            "Ends exactly the named stops for the named robots.",
            release_stop,
        ),
    ]
}

async fn safety_status(station: Arc<Station>, _: Session, _: Nothing) -> Result<SafetyStatus, OpError> {
    Ok(station.safety_status())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StopAll {
    /// Why.
    reason: Option<String>,
}

async fn stop_all(station: Arc<Station>, by: Session, input: StopAll) -> Result<StopPressed, OpError> {
    Ok(stops::press(&station, &by, short(input.reason), None).await)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StopRobot {
    /// The robot.
    robot: RobotId,
}

async fn stop_robot(station: Arc<Station>, by: Session, input: StopRobot) -> Result<StopPressed, OpError> {
    station.unit(&input.robot)?;
    Ok(stops::press(&station, &by, None, Some(&input.robot)).await)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReleaseStop {
    /// Exactly the open stops of these robots.
    stop_ids: BTreeSet<u64>,
    /// The robots to release; the others stay stopped.
    robots: Vec<RobotId>,
    /// Why it is safe now.
    reason: String,
}

async fn release_stop(station: Arc<Station>, by: Session, input: ReleaseStop) -> Result<Released, OpError> {
    let reason = input.reason.trim();
    if reason.is_empty() || reason.chars().count() > REASON_CHARS_MAX {
        let message = format!("Say in 1 to {REASON_CHARS_MAX} characters why it is safe now.");
        return Err(OpError::bad_input("reason_missing", "reason", message));
    }
    tracing::warn!(stops = ?input.stop_ids, by = by.actor(), reason, "release");
    stops::release(&station, &by, &input.stop_ids, &input.robots).await
}

/// A stop is never refused for its reason: what is too long is cut.
fn short(reason: Option<String>) -> Option<String> {
    reason.map(|reason| reason.chars().take(REASON_CHARS_MAX).collect())
}
