//! Constraints: registering and listing them.

use std::collections::BTreeMap;
use std::sync::Arc;

use robot::{ActuatorId, ConstraintId, Effect, FrameId, MissionId, RobotId, Role};
use safety::{Constraint, Limits, parse_params};
use schemars::JsonSchema;
use serde::Deserialize;

use super::table::{ALL, Operation, Terms, UI_MCP, row};
use crate::audit::Happening;
use crate::unit::RobotUnit;
use crate::wire::{ConstraintRegistered, ConstraintRow, ConstraintScope, Fact, Tag};
use crate::{OpError, Session, Station};

/// Zones of one robot at most.
const CONSTRAINTS_MAX: usize = 10_000;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Viewer};
    vec![
        row(
            "register_constraint",
            Terms(Admin, Write, UI_MCP),
            "Adds a limit to a robot or a mission.",
            register_constraint,
        ),
        row(
            "list_constraints",
            Terms(Viewer, Read, ALL),
            "The limits that bind a robot or belong to a mission.",
            list_constraints,
        ),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RegisterConstraint {
    /// The mission it belongs to; it then binds every robot the mission names.
    mission_id: Option<MissionId>,
    /// The robot it binds.
    robot: Option<RobotId>,
    /// `workspace`, `max_velocity`, `forbidden_zone` or `max_force`.
    constraint_type: String,
    /// Its parameters as a JSON text, for example `{"x": [0.1, 0.9], "y": [-0.5, 0.5], "z": [0.0, 1.2]}`.
    params_json: String,
    /// The frame its numbers are in; the robot's default frame if left out.
    frame: Option<FrameId>,
    /// Binds this actuator only.
    actuator: Option<ActuatorId>,
    /// Why.
    reason: Option<String>,
}

async fn register_constraint(
    station: Arc<Station>,
    by: Session,
    input: RegisterConstraint,
) -> Result<ConstraintRegistered, OpError> {
    let kind = parse_params(&input.constraint_type, &input.params_json)
        .map_err(|error| OpError::bad_input("bad_constraint", &error.path, error.to_string()))?;
    let bound = bound_units(&station, input.mission_id.as_ref(), input.robot.as_ref())?;
    let whom = match (&input.mission_id, &input.robot) {
        (Some(mission), _) => format!("mission {mission}"),
        (None, Some(robot)) => format!("robot {robot}"),
        (None, None) => return Err(OpError::bad_input("invalid_input", "robot", "Name a robot or a mission_id.")),
    };
    let id = ConstraintId::new(format!("con-{}", uuid::Uuid::now_v7()))
        .map_err(|error| OpError::bad_input("invalid_input", "", error.to_string()))?;
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
    let version = add(&station, &by, constraint, &bound).await?;
    Ok(ConstraintRegistered { message: format!("Constraint registered for {whom}"), id: id.to_string(), version })
}

fn bound_units(
    station: &Station,
    mission: Option<&MissionId>,
    robot: Option<&RobotId>,
) -> Result<Vec<Arc<RobotUnit>>, OpError> {
    if let Some(robot) = robot {
        return Ok(vec![station.unit(robot)?]);
    }
    let Some(id) = mission else { return Ok(Vec::new()) };
    let file = station.missions().remove(id).ok_or_else(|| OpError::not_found("mission_not_found", "mission", id))?;
    let file = file.map_err(|error| OpError::conflict("mission_unreadable", error))?;
    Ok(file.robots.iter().filter_map(|robot| station.unit(robot).ok()).collect())
}

/// Compiles the new sets, saves them, and only then puts them in force: whole or not at all.
async fn add(
    station: &Arc<Station>,
    by: &Session,
    constraint: Constraint,
    bound: &[Arc<RobotUnit>],
) -> Result<BTreeMap<RobotId, u64>, OpError> {
    let mut constraints = station.constraints.lock().await;
    if constraints.len() >= CONSTRAINTS_MAX {
        return Err(OpError::conflict(
            "limit_reached",
            format!("A station keeps at most {CONSTRAINTS_MAX} constraints."),
        ));
    }
    let mut next = constraints.clone();
    next.push(constraint.clone());
    let mut sets = Vec::new();
    for unit in bound {
        let version = unit.limits.load().version() + 1;
        let binding = station.binding(&next, unit.id());
        let limits = Limits::compile(&unit.manifest, &binding, version)
            .map_err(|error| OpError::bad_input("bad_constraint", "params_json", error.to_string()))?;
        sets.push((Arc::clone(unit), limits));
    }
    let versions = sets.iter().map(|(unit, limits)| (unit.id().clone(), (limits.version(), limits.hash().to_string())));
    let versions: BTreeMap<_, _> = versions.collect();
    station.db.add_constraint(&constraint, station.clock.now().wall_ms, &versions).await?;
    *constraints = next;
    for (robot, (version, hash)) in &versions {
        let about = format!("robot={robot} constraint={} hash={hash}", constraint.id);
        let changed = Happening::by(by, "constraint_set", "ok").about(about);
        // The call's own record comes after this one and is on disk before the call is answered; so is this.
        station.audit.note_done(Happening { set_version: Some(*version), ..changed });
    }
    for (unit, limits) in sets {
        let version = limits.version();
        unit.limits.store(Arc::new(limits));
        // From here on what was approved under the old set is refused at sending.
        unit.fence.set_set_version(version);
        station.hub.fact(Fact::ConstraintSet { robot: unit.id().clone(), version }, Some(Tag::Constraints));
        station.tell_safety(&[unit]);
    }
    Ok(versions.into_iter().map(|(robot, (version, _))| (robot, version)).collect())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListConstraints {
    /// Everything that binds this robot, its manifest's limits included.
    robot: Option<RobotId>,
    /// What is registered for this mission.
    mission_id: Option<MissionId>,
}

async fn list_constraints(
    station: Arc<Station>,
    _: Session,
    input: ListConstraints,
) -> Result<Vec<ConstraintRow>, OpError> {
    if let Some(robot) = &input.robot {
        let limits = station.unit(robot)?.limits.load_full();
        let of_mission = |row: &&Constraint| input.mission_id.is_none() || row.mission == input.mission_id;
        let rows = limits.constraints().iter().filter(of_mission);
        return Ok(rows.map(|constraint| constraint_row(constraint, limits.version())).collect());
    }
    let registered = station.constraints.lock().await.clone();
    let wanted = registered.iter().filter(|row| input.mission_id.is_none() || row.mission == input.mission_id);
    Ok(wanted.map(|constraint| constraint_row(constraint, 0)).collect())
}

fn constraint_row(constraint: &Constraint, version: u64) -> ConstraintRow {
    let scope = match &constraint.mission {
        _ if constraint.id.as_str().starts_with("manifest-") => ConstraintScope::Manifest,
        Some(_) => ConstraintScope::Mission,
        None => ConstraintScope::Robot,
    };
    ConstraintRow {
        constraint: constraint.kind.clone(),
        id: constraint.id.clone(),
        scope,
        frame: constraint.frame.clone(),
        unit: serde_json::to_value(constraint.kind.unit())
            .ok()
            .and_then(|unit| unit.as_str().map(str::to_owned))
            .unwrap_or_default(),
        version,
        robot: constraint.robot.clone(),
        mission: constraint.mission.clone(),
    }
}
