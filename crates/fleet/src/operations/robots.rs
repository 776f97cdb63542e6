//! The robots of a station.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use robot::{Effect, RobotId, Role, StopBehaviour, Trust};
use safety::arbitration::Holder;
use safety::machine::State;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::fleet::Fleet;
use crate::robots::models;
use runtime::error::OpError;
use runtime::operation::{ALL, Nothing, Operation, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::{LinkState, ManifestFault, RobotMesh, RobotModel, RobotRow};

/// Rows about robots as they are.
pub fn rows() -> Vec<Operation<Arc<Fleet>>> {
    let terms = Terms(Role::Viewer, Effect::Read, ALL, Trust::Trusted);
    vec![
        row("list_robots", terms, "Robots with actuators, pose, limits and link.", list_robots)
            .in_missions()
            .in_rooms()
            .core(),
        row(
            "robot_model",
            Terms(Role::Viewer, Effect::Read, UI, Trust::Text),
            "The URDF of a robot, for drawing it.",
            robot_model,
        )
        .example(json!({ "robot": "arm-1" })),
        row(
            "robot_mesh",
            Terms(Role::Viewer, Effect::Read, UI, Trust::Text),
            "A mesh that the URDF of a robot names.",
            robot_mesh,
        )
        .example(json!({ "robot": "arm-1", "mesh": "package://arm_description/meshes/link_1.stl" })),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ModelOf {
    /// The robot.
    robot: RobotId,
}

async fn robot_model(fleet: Arc<Fleet>, _: Session, input: ModelOf) -> Result<RobotModel, OpError> {
    let unit = fleet.unit(&input.robot)?;
    Ok(RobotModel { urdf: models::urdf(&fleet.runtime.layout.robots, unit.id()).await? })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MeshOf {
    /// The robot.
    robot: RobotId,
    /// The mesh as its URDF names it.
    mesh: String,
}

async fn robot_mesh(fleet: Arc<Fleet>, _: Session, input: MeshOf) -> Result<RobotMesh, OpError> {
    let unit = fleet.unit(&input.robot)?;
    let bytes = models::mesh(&fleet.runtime.layout.robots, unit.id(), &input.mesh).await?;
    Ok(RobotMesh { base64: bytes.map(|bytes| STANDARD.encode(bytes)) })
}

async fn list_robots(fleet: Arc<Fleet>, by: Session, _: Nothing) -> Result<Vec<RobotRow>, OpError> {
    let now = fleet.runtime.clock.now().station;
    let mut rows: Vec<RobotRow> = fleet.units().iter().map(|unit| unit.row(now)).collect();
    if by.is_agent() {
        // The place of the hardware stop is for people; its text is free text of whoever wrote the manifest.
        rows.iter_mut().for_each(|row| {
            row.hardware_estop.clear();
            row.cameras.clear();
            row.has_map = false;
            row.actuators.iter_mut().for_each(|actuator| actuator.joints.clear());
        });
    }
    rows.extend(fleet.unusable().into_iter().map(|(id, fault)| unusable_row(id, fault)));
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(rows)
}

fn unusable_row(id: String, fault: ManifestFault) -> RobotRow {
    RobotRow {
        id,
        site: String::new(),
        simulated: false,
        state: State::Disarmed,
        control: Holder::Nobody,
        default_frame: String::new(),
        frames: Vec::new(),
        transforms: Vec::new(),
        actuators: Vec::new(),
        cameras: Vec::new(),
        has_map: false,
        pose: None,
        limits: None,
        body_radius_m: 0.0,
        link: LinkState::Never,
        rtt_ms: None,
        hardware_estop: String::new(),
        stop_behaviour: StopBehaviour::Hold.into(),
        errors: vec![fault.to_string()],
        faults: vec![fault],
    }
}
