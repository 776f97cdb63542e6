//! Constraints: registering and listing them.

use std::sync::Arc;

use robot::{ActuatorId, ConstraintId, Effect, FrameId, MissionId, RobotId, Role, SharedCode, Trust};
use safety::{Constraint, ConstraintKind, parse_params};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::FleetCode;
use crate::fleet::Fleet;
use crate::limit_sets::Wanted;
use runtime::error::OpError;
use runtime::operation::{ALL, Operation, Terms, UI, UI_MCP, given, row};
use runtime::session::Session;
use runtime::wire::{ConstraintChanged, ConstraintPreview, ConstraintRegistered, ConstraintRow, ConstraintScope, word};

/// Rows about limits.
pub fn rows() -> Vec<Operation<Arc<Fleet>>> {
    use Effect::{Read, Write};
    use Role::{Admin, Operator, Viewer};
    vec![
        row(
            "tighten_constraint",
            Terms(Operator, Write, UI, Trust::Text),
            "Makes a registered limit stricter.",
            tighten_constraint,
        ).example(json!({"id": "limit-3", "version": 2, "params_json": "0.1"})),
        row(
            "preview_constraint_change",
            Terms(Admin, Read, UI, Trust::Text),
            "Shows what changing or removing a limit would do.",
            preview_constraint_change,
        ).example(json!({"id": "limit-3", "params_json": "0.4"})),
        row(
            "loosen_constraint",
            Terms(Admin, Write, UI, Trust::Text),
            "Makes a limit looser, as it was shown.",
            loosen_constraint,
        ).example(json!({"id": "limit-3", "version": 2, "params_json": "0.4", "reason": "The new tool is lighter.", "preview_id": "preview-5"})),
        row(
            "remove_constraint",
            Terms(Admin, Write, UI, Trust::Text),
            "Removes a limit, as it was shown.",
            remove_constraint,
        ).example(json!({"id": "limit-3", "version": 2, "reason": "The fence is gone.", "preview_id": "preview-5"})),
        row(
            "register_constraint",
            Terms(Admin, Write, UI_MCP, Trust::Text),
            "Adds a limit to a robot or a mission.",
            register_constraint,
        ).example(json!({"robot": "arm-1", "constraint_type": "workspace", "params_json": "{\"x\": [0.1, 0.9], \"y\": [-0.5, 0.5], \"z\": [0.0, 1.2]}"})),
        row(
            "list_constraints",
            Terms(Viewer, Read, ALL, Trust::Trusted),
            "The limits that bind a robot or belong to a mission.",
            list_constraints,
        ).in_missions().example(json!({"robot": "arm-1"}))
        .in_rooms()
        .core(),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RegisterConstraint {
    /// The mission it belongs to; it then binds every robot the mission names.
    mission_id: Option<MissionId>,
    /// The robot it binds.
    robot: Option<RobotId>,
    #[schemars(description = format!("One of `{}`.", ConstraintKind::TYPES.join("`, `")))]
    constraint_type: String,
    /// Its parameters as a JSON text, for example `{"x": [0.1, 0.9], "y": [-0.5, 0.5], "z": [0.0, 1.2]}`.
    params_json: String,
    /// The frame its numbers are in; the robot's default frame if left out.
    frame: Option<FrameId>,
    /// Binds this actuator only.
    actuator: Option<ActuatorId>,
    /// The reason for the limit, 1 to 500 characters.
    reason: Option<String>,
}

async fn register_constraint(
    fleet: Arc<Fleet>,
    by: Session,
    input: RegisterConstraint,
) -> Result<ConstraintRegistered, OpError> {
    let kind = parse_params(&input.constraint_type, &input.params_json)
        .map_err(|error| OpError::bad_input(FleetCode::BadConstraint, &error.path, error.to_string()))?;
    input.reason.as_deref().map(given).transpose()?;
    check_bound(&fleet, input.mission_id.as_ref(), input.robot.as_ref())?;
    let whom = match (&input.mission_id, &input.robot) {
        (Some(mission), _) => format!("mission {mission}"),
        (None, Some(robot)) => format!("robot {robot}"),
        (None, None) => {
            return Err(OpError::bad_input(SharedCode::InvalidInput, "robot", "Name a robot or a mission_id."));
        }
    };
    let id = ConstraintId::new(format!("con-{}", uuid::Uuid::now_v7()))
        .map_err(|error| OpError::bad_input(SharedCode::InvalidInput, "", error.to_string()))?;
    let constraint = Constraint {
        id: id.clone(),
        robot: input.robot,
        mission: input.mission_id,
        actuator: input.actuator,
        frame: input.frame,
        kind,
        created_by: by.actor().to_owned(),
        reason: input.reason,
    };
    let version = fleet.limit_sets.add(&fleet, &by, constraint).await?;
    Ok(ConstraintRegistered { message: format!("Constraint registered for {whom}"), id: id.to_string(), version })
}

/// Checks that what the constraint names exists.
fn check_bound(fleet: &Fleet, mission: Option<&MissionId>, robot: Option<&RobotId>) -> Result<(), OpError> {
    if let Some(robot) = robot {
        fleet.unit(robot)?;
    }
    mission.map_or(Ok(()), |id| fleet.objector.check_mission(id))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Tighten {
    /// `con-<uuid>`.
    id: ConstraintId,
    /// The version of the set it was read from.
    version: u64,
    /// The new parameters as a JSON text.
    params_json: String,
}

async fn tighten_constraint(fleet: Arc<Fleet>, by: Session, input: Tighten) -> Result<ConstraintChanged, OpError> {
    let new = Some(new_kind(&fleet, &input.id, &input.params_json).await?);
    let wanted = Wanted { id: input.id.clone(), new, version: input.version };
    let version = fleet.limit_sets.tighten(&fleet, &by, wanted).await?;
    Ok(ConstraintChanged { message: "The limit is tighter now".into(), id: input.id, version })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PreviewChange {
    /// `con-<uuid>`.
    id: ConstraintId,
    /// The new parameters as a JSON text; null to remove it.
    params_json: Option<String>,
}

async fn preview_constraint_change(
    fleet: Arc<Fleet>,
    _: Session,
    input: PreviewChange,
) -> Result<ConstraintPreview, OpError> {
    let new = match &input.params_json {
        Some(params_json) => Some(new_kind(&fleet, &input.id, params_json).await?),
        None => None,
    };
    fleet.limit_sets.preview(&fleet, &input.id, new).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Loosen {
    /// `con-<uuid>`.
    id: ConstraintId,
    /// The version of the set it was read from.
    version: u64,
    /// The new parameters as a JSON text.
    params_json: String,
    /// The reason, 1 to 500 characters.
    reason: String,
    /// Id of the preview that was shown.
    preview_id: String,
}

async fn loosen_constraint(fleet: Arc<Fleet>, by: Session, input: Loosen) -> Result<ConstraintChanged, OpError> {
    given(&input.reason)?;
    let new = Some(new_kind(&fleet, &input.id, &input.params_json).await?);
    let wanted = Wanted { id: input.id.clone(), new, version: input.version };
    let version = fleet.limit_sets.loosen(&fleet, &by, wanted, &input.preview_id).await?;
    tracing::warn!(constraint = %input.id, by = by.actor(), reason = input.reason, "limit loosened");
    Ok(ConstraintChanged { message: "The limit is looser now".into(), id: input.id, version })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Remove {
    /// `con-<uuid>`.
    id: ConstraintId,
    /// The version of the set it was read from.
    version: u64,
    /// The reason, 1 to 500 characters.
    reason: String,
    /// Id of the preview that was shown.
    preview_id: String,
}

async fn remove_constraint(fleet: Arc<Fleet>, by: Session, input: Remove) -> Result<ConstraintChanged, OpError> {
    given(&input.reason)?;
    let wanted = Wanted { id: input.id.clone(), new: None, version: input.version };
    let version = fleet.limit_sets.loosen(&fleet, &by, wanted, &input.preview_id).await?;
    tracing::warn!(constraint = %input.id, by = by.actor(), reason = input.reason, "limit removed");
    Ok(ConstraintChanged { message: "The limit is removed".into(), id: input.id, version })
}

/// The new parameters of a constraint, which keeps its kind.
async fn new_kind(fleet: &Fleet, id: &ConstraintId, params_json: &str) -> Result<ConstraintKind, OpError> {
    let registered = fleet.limit_sets.registered().await;
    let old = registered.constraints.iter().find(|constraint| &constraint.id == id);
    let old = old.ok_or_else(|| OpError::not_found(FleetCode::ConstraintNotFound, "constraint", id))?;
    // The kind is that of the stored limit: new parameters must not make another limit of it.
    parse_params(old.kind.type_name(), params_json)
        .map_err(|error| OpError::bad_input(FleetCode::BadConstraint, &error.path, error.to_string()))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListConstraints {
    /// Everything that binds this robot, its manifest's limits included.
    robot: Option<RobotId>,
    /// Everything registered for this mission.
    mission_id: Option<MissionId>,
}

async fn list_constraints(
    fleet: Arc<Fleet>,
    _: Session,
    input: ListConstraints,
) -> Result<Vec<ConstraintRow>, OpError> {
    if let Some(robot) = &input.robot {
        let limits = fleet.unit(robot)?.limits.load_full();
        let of_mission = |row: &&Constraint| input.mission_id.is_none() || row.mission == input.mission_id;
        let rows = limits.constraints().iter().filter(of_mission);
        return Ok(rows.map(|constraint| constraint_row(constraint, limits.version())).collect());
    }
    let registered = fleet.limit_sets.registered().await;
    let wanted =
        registered.constraints.iter().filter(|row| input.mission_id.is_none() || row.mission == input.mission_id);
    // A version belongs to the set of a robot, and none is asked about here.
    Ok(wanted.map(|constraint| constraint_row(constraint, 0)).collect())
}

fn constraint_row(constraint: &Constraint, version: u64) -> ConstraintRow {
    let scope = match &constraint.mission {
        _ if constraint.is_of_manifest() => ConstraintScope::Manifest,
        Some(_) => ConstraintScope::Mission,
        None => ConstraintScope::Robot,
    };
    ConstraintRow {
        constraint: constraint.kind.clone(),
        id: constraint.id.clone(),
        scope,
        frame: constraint.frame.clone(),
        unit: word(&constraint.kind.unit()),
        version,
        robot: constraint.robot.clone(),
        mission: constraint.mission.clone(),
    }
}
