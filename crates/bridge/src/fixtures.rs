//! One robot and its messages, as data that a test changes where it matters.

use std::sync::Arc;

use robot::{CommandId, FrameId, Instant, Manifest, RawMotion, RawPoseGoal, RobotId, Sample, StationId};
use safety::{Measured, Pose};

use crate::envelope::{Beat, Claim, CommandEnvelope, OpenStop, Release, StopMessage, StoppedBy};
use crate::robot_gate::{MeasuredSpeed, OwnState};

const MANIFEST: &str = r#"
schema = 1
id = "arm-1"
site = "lab"
gate = "reference"
supervision = "required"
default_frame = "base_link"
hardware_estop = "red mushroom on the pedestal"
public_key = "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
body = { bounding_radius_m = 0.0, localisation_error_m = 0.0, margin_m = 0.0 }
envelope = { x_m = [-10.0, 10.0], y_m = [-10.0, 10.0], z_m = [-10.0, 10.0] }
limits = { speed_mps_max = 1.0, angular_radps_max = 1.5, acceleration_mps2_max = 2.0, goal_jump_m_max = 5.0, force_n_max = 60.0, workspace = { x = [-5.0, 5.0], y = [-5.0, 5.0], z = [-5.0, 5.0] } }
stop = { behaviour = "hold", carries_load = false, ack_ms = 300, reaction_s = 0.2, decel_mps2 = 1.5, standstill_mps = 0.01, standstill_radps = 0.02 }
state = [{ kind = "pose", key = "lab/arm-1/out/state/pose", codec = "json", max_age_ms = 500 }]
[[actuators]]
id = "arm"
kind = "tool"
force = "rated"
key = "lab/arm-1/cmd/act/arm"
[[actuators]]
id = "gripper"
kind = "gripper"
force = "rated"
key = "lab/arm-1/cmd/act/gripper"
"#;

pub(crate) fn manifest() -> Manifest {
    Manifest::parse(MANIFEST, "arm-1").unwrap()
}

/// The same with two joints of the arm and a tray that moves against the arm's base.
pub(crate) fn jointed_manifest() -> Manifest {
    let sources = r#"max_age_ms = 500 },
    { kind = "joints", key = "lab/arm-1/out/state/joints", codec = "json", max_age_ms = 500 },
    { kind = "frame", key = "lab/arm-1/out/state/tray", codec = "json", max_age_ms = 500 }]"#;
    let joints = r#"key = "lab/arm-1/cmd/act/arm"
joints = [
    { name = "shoulder", position_rad = [-1.5, 1.5], velocity_radps = 1.0, reach_m = 0.8 },
    { name = "lift", position_m = [0.0, 1.0], velocity_mps = 1.0, reach_m = 1.0 },
]"#;
    let text = MANIFEST.replace("max_age_ms = 500 }]", sources);
    Manifest::parse(&text.replace("key = \"lab/arm-1/cmd/act/arm\"", joints), "arm-1").unwrap()
}

pub(crate) fn robot() -> RobotId {
    RobotId::new("arm-1").unwrap()
}

pub(crate) fn station(name: &str) -> StationId {
    StationId::new(name).unwrap()
}

pub(crate) fn beat(from: &str, n: u64) -> Beat {
    Beat { robot: robot(), station: station(from), n, nonce: 1_000 + n, epoch: 1 }
}

pub(crate) fn claim(from: &str, epoch: u64) -> Claim {
    Claim { robot: robot(), station: station(from), epoch, ttl_ms: 2_000, commissioning: false }
}

pub(crate) fn open_stop(from: &str, stop_id: u64) -> OpenStop {
    OpenStop { by: StoppedBy::Station(station(from)), stop_id }
}

pub(crate) fn release(from: &str, epoch: u64, stops: &[OpenStop]) -> Release {
    Release { robot: robot(), station: station(from), epoch, stops: stops.to_vec() }
}

pub(crate) fn stop(from: &str, stop_id: u64) -> StopMessage {
    StopMessage { robot: robot(), station: station(from), stop_id, drill: false }
}

/// A goal of station `desk` under epoch 1, counted from beat 1.
pub(crate) fn goal(seq: u64) -> CommandEnvelope {
    CommandEnvelope {
        robot: robot(),
        actuator: "arm".parse().unwrap(),
        id: CommandId(uuid::Uuid::from_u128(seq.into())),
        station: station("desk"),
        epoch: 1,
        seq,
        generation: 0,
        ttl_ms: 2_000,
        beat: 1,
        frame: FrameId::new("base_link").unwrap(),
        motion: RawMotion::PoseGoal(RawPoseGoal {
            position_m: vec![0.5, 0.2, 1.0],
            orientation: None,
            speed_mps: Some(0.2),
            duration_s: None,
        }),
        force_n: None,
    }
}

/// The robot at rest in the middle of its workspace.
pub(crate) fn at_rest(now: Instant) -> OwnState {
    let pose = Pose { frame: FrameId::new("base_link").unwrap(), position_m: [0.0; 3], orientation: None };
    OwnState {
        pose: Some(Measured { value: pose, observed: now }),
        joints: None,
        transforms: Vec::new(),
        speed: Some(Measured { value: MeasuredSpeed { speed_mps: 0.0, standstill: true }, observed: now }),
        local: false,
    }
}

pub(crate) fn sample(key_expr: &str, encoding: &str, payload: &[u8]) -> Sample {
    Sample {
        key_expr: Arc::from(key_expr),
        encoding: Arc::from(encoding),
        payload: Arc::from(payload),
        stamp_ms: None,
        received: Instant::default(),
        received_ms: 0,
        n: 0,
    }
}
