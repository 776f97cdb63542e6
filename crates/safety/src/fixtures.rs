//! One robot with an arm, a gripper and a lamp, as data that a test changes where it matters.

use proptest::prelude::ProptestConfig;
use robot::{
    ActuatorId, Command, CommandId, ConstraintId, FrameId, Instant, JointName, LeaseToken, Manifest, ParseContext,
    RawCommand, Source, StationId, parse_command,
};
use serde_json::{Value, json};

use crate::{
    Constraint, ConstraintKind, Fresh, JointPositions, Limits, Pose, RobotState, SourceTimes, Speeds, Verdict, explain,
    judge,
};

/// A point of reach without size: what the basic rows of the matrix are about.
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
limits = { speed_mps_max = 100.0, angular_radps_max = 1.5, acceleration_mps2_max = 2.0, goal_jump_m_max = 30.0 }
stop = { behaviour = "hold", carries_load = false, ack_ms = 300, reaction_s = 0.2, decel_mps2 = 1.5, standstill_mps = 0.01, standstill_radps = 0.02 }
state = [{ kind = "pose", key = "lab/arm-1/out/state/pose", codec = "json", max_age_ms = 500 }]
frames = [
  { parent = "map", child = "base_link", translation_m = [1.0, 0.0, 0.0], rotation_xyzw = [0.0, 0.0, 0.0, 1.0] },
  { parent = "site", child = "map", translation_m = [0.0, 2.0, 0.0], rotation_xyzw = [0.0, 0.0, 1.0, 0.0] },
]
[[actuators]]
id = "arm"
kind = "tool"
key = "lab/arm-1/cmd/act/arm"
force = "rated"
[[actuators]]
id = "gripper"
kind = "gripper"
key = "lab/arm-1/cmd/act/gripper"
force = "rated"
[[actuators]]
id = "lamp"
kind = "switch"
key = "lab/arm-1/cmd/act/lamp"
force = "rated"
"#;

/// The moment of every judgement.
pub(crate) const NOW: Instant = Instant::from_millis(10_000);

/// Cases that proptest tries unless its variable `PROPTEST_CASES` says otherwise.
const PROPTEST_CASES_DEFAULT: u32 = 256;

/// Proptest configuration for `cases` random cases, or for the number in `PROPTEST_CASES` for a longer run.
pub(crate) fn tried(cases: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    if asked.cases == PROPTEST_CASES_DEFAULT {
        return ProptestConfig::with_cases(cases);
    }
    // Cases that do not fit their property are left out in proportion.
    let rejects = asked.cases.max(asked.max_global_rejects);
    ProptestConfig { max_global_rejects: rejects, max_local_rejects: rejects.max(asked.max_local_rejects), ..asked }
}

/// A robot, what binds it and how it is measured.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) manifest: Manifest,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) state: RobotState,
    /// Makes the kernel panic.
    pub(crate) panics: bool,
}

/// The bare robot at the origin, armed, at rest, in a box of 9 m.
pub(crate) fn scene() -> Scene {
    let manifest = Manifest::parse(MANIFEST, "arm-1").unwrap();
    Scene {
        constraints: vec![constraint("con-room", cube(9.0))],
        state: RobotState {
            snapshot_seq: 7,
            heard: SourceTimes::at_hand(&manifest, NOW),
            pose: Fresh::at(pose("base_link", [0.0; 3]), NOW),
            speeds: Speeds { velocity: Fresh::at(0.0, NOW), ..Speeds::default() },
            joints: Fresh::NEVER,
            transforms: Vec::new(),
            set_points: Vec::new(),
            armed: true,
            escape_only: false,
            commissioning: crate::Commissioning::Complete,
            unconstrained_until: None,
            latched: false,
            latch_generation: 0,
            epoch: 1,
        },
        manifest,
        panics: false,
    }
}

impl Scene {
    /// The same with another manifest, all of whose sources have just spoken.
    pub(crate) fn of(self, manifest: Manifest) -> Self {
        let heard = SourceTimes::at_hand(&manifest, NOW);
        Self { manifest, state: RobotState { heard, ..self.state }, ..self }
    }
}

/// The manifest after replacing a part of its text.
pub(crate) fn manifest_with(changes: &[(&str, &str)]) -> Manifest {
    let text = changes.iter().fold(MANIFEST.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "the fixture lost {from:?}");
        text.replace(from, to)
    });
    Manifest::parse(&text, "arm-1").unwrap()
}

/// The scene of a robot with a body: 0.06 m radius, 0.01 m error, 0.02 m margin.
pub(crate) fn scene_with_body() -> Scene {
    let point = "bounding_radius_m = 0.0, localisation_error_m = 0.0, margin_m = 0.0";
    let sphere = "bounding_radius_m = 0.06, localisation_error_m = 0.01, margin_m = 0.02";
    scene().of(manifest_with(&[(point, sphere)]))
}

/// The arm with two turning joints of 0.7 m and 0.4 m reach, measured at 0.
pub(crate) fn jointed() -> Scene {
    let joints = concat!(
        "key = \"lab/arm-1/cmd/act/arm\"\njoints = [",
        "{ name = \"shoulder\", position_rad = [-1.5, 1.5], velocity_radps = 1.0, reach_m = 0.7 }, ",
        "{ name = \"elbow\", position_rad = [-2.0, 2.0], velocity_radps = 2.0, reach_m = 0.4 }]"
    );
    let sources = concat!(
        "max_age_ms = 500 }, ",
        "{ kind = \"joints\", key = \"lab/arm-1/out/state/joints\", codec = \"json\", max_age_ms = 200 }]"
    );
    let manifest = manifest_with(&[("key = \"lab/arm-1/cmd/act/arm\"", joints), ("max_age_ms = 500 }]", sources)]);
    scene().of(manifest).state(|state| state.joints = measured_joints(&["shoulder", "elbow"], &[0.0, 0.0]))
}

/// Measured positions of joints.
pub(crate) fn measured_joints(names: &[&str], positions: &[f64]) -> Fresh<JointPositions> {
    let names = names.iter().map(|name| JointName::new(*name).unwrap()).collect();
    Fresh::at(JointPositions { names, positions: positions.into() }, NOW)
}

/// A goal of both joints.
pub(crate) fn joints(positions_rad: &[f64], speed_radps: f64) -> Value {
    let names = ["shoulder", "elbow"];
    raw("arm", json!({"joints": {"names": names, "positions_rad": positions_rad, "speed_radps": speed_radps}}))
}

/// Out of a place where the robot may not be.
pub(crate) fn escape(position_m: [f64; 3], speed_mps: f64) -> Value {
    raw("arm", json!({"escape": {"position_m": position_m, "speed_mps": speed_mps}}))
}

pub(crate) fn cube(half: f64) -> ConstraintKind {
    ConstraintKind::Workspace { x: [-half, half], y: [-half, half], z: [-half, half] }
}

pub(crate) fn zone(center: [f64; 3], radius: f64) -> ConstraintKind {
    ConstraintKind::ForbiddenZone { center, radius }
}

pub(crate) fn keep_out(min: [f64; 3], max: [f64; 3]) -> ConstraintKind {
    ConstraintKind::KeepOutBox { min, max }
}

pub(crate) fn rate(of: &str, hz: f64, burst: u32) -> ConstraintKind {
    ConstraintKind::CommandRate { actuator: actuator(of), hz, burst }
}

pub(crate) fn pose(frame: &str, position_m: [f64; 3]) -> Pose {
    Pose { frame: FrameId::new(frame).unwrap(), position_m, orientation: None }
}

pub(crate) fn constraint(id: &str, kind: ConstraintKind) -> Constraint {
    Constraint {
        id: ConstraintId::new(id).unwrap(),
        robot: None,
        mission: None,
        actuator: None,
        frame: None,
        kind,
        created_by: "dana".into(),
        reason: None,
    }
}

impl Scene {
    pub(crate) fn with(mut self, kind: ConstraintKind) -> Self {
        let id = format!("con-{}", self.constraints.len());
        self.constraints.push(constraint(&id, kind));
        self
    }

    pub(crate) fn with_in(mut self, frame: &str, kind: ConstraintKind) -> Self {
        self = self.with(kind);
        self.constraints.last_mut().unwrap().frame = Some(FrameId::new(frame).unwrap());
        self
    }

    pub(crate) fn only(mut self, kinds: &[ConstraintKind]) -> Self {
        self.constraints.clear();
        kinds.iter().cloned().fold(self, Self::with)
    }

    pub(crate) fn at(mut self, position_m: [f64; 3]) -> Self {
        self.state.pose = Fresh::at(pose("base_link", position_m), NOW);
        self
    }

    pub(crate) fn state(mut self, change: impl FnOnce(&mut RobotState)) -> Self {
        change(&mut self.state);
        self
    }

    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::compile(&self.manifest, &self.constraints, 3).unwrap();
        limits.panics = self.panics;
        limits
    }

    pub(crate) fn command(&self, raw: Value) -> Command {
        let raw: RawCommand = serde_json::from_value(raw).unwrap();
        parse_command(&raw, &self.manifest, context()).unwrap()
    }

    pub(crate) fn judge(&self, command: Command) -> Verdict {
        judge(&self.limits(), &self.state, command, NOW)
    }

    /// The codes of the first three violations, then the sentence.
    pub(crate) fn outcome(&self, command: Command) -> String {
        let limits = self.limits();
        let items = explain(&limits, &self.state, &command, NOW);
        let mut explained: Vec<_> = items.iter().filter(|item| item.is_violated()).collect();
        let verdict = judge(&limits, &self.state, command, NOW);
        assert_eq!(explained.len(), verdict.violations_total as usize, "explain and judge disagree");
        explained.truncate(3);
        let mut codes: Vec<_> = explained.iter().map(|item| format!("{:?}", item.reason.code)).collect();
        codes.dedup();
        codes.push(verdict.sentence());
        codes.join(" | ")
    }
}

pub(crate) fn context() -> ParseContext {
    ParseContext {
        fresh_id: CommandId(uuid::Uuid::from_u128(5)),
        source: Source::Person("dana".into()),
        lease: LeaseToken { station: StationId::new("desk").unwrap(), epoch: 1, seq: 1 },
        issued_at: NOW,
        approval: None,
    }
}

fn raw(actuator: &str, motion: Value) -> Value {
    json!({"robot": "arm-1", "actuator": actuator, "motion": motion})
}

/// To a point at a speed.
pub(crate) fn goal(position_m: [f64; 3], speed_mps: f64) -> Value {
    raw("arm", json!({"pose_goal": {"position_m": position_m, "speed_mps": speed_mps}}))
}

/// To a point at a speed left out.
pub(crate) fn goal_without_speed(position_m: [f64; 3]) -> Value {
    raw("arm", json!({"pose_goal": {"position_m": position_m}}))
}

pub(crate) fn path(points_m: &[[f64; 3]], speed_mps: f64) -> Value {
    raw("arm", json!({"path": {"points_m": points_m, "speed_mps": speed_mps}}))
}

pub(crate) fn velocity(linear_mps: [f64; 3], angular_radps: [f64; 3]) -> Value {
    raw("arm", json!({"velocity": {"linear_mps": linear_mps, "angular_radps": angular_radps}}))
}

pub(crate) fn grip(speed_mps: Option<f64>) -> Value {
    let mut motion = json!({"gripper": {"opening_m": 0.04}});
    if let Some(speed_mps) = speed_mps {
        motion["gripper"]["speed_mps"] = json!(speed_mps);
    }
    raw("gripper", motion)
}

pub(crate) fn switch() -> Value {
    raw("lamp", json!({"switch": {"on": true}}))
}

/// The same command in another frame.
pub(crate) fn in_frame(frame: &str, mut command: Value) -> Value {
    command["frame"] = json!(frame);
    command
}

/// The same command with a force.
pub(crate) fn with_force(force_n: f64, mut command: Value) -> Value {
    command["force_n"] = json!(force_n);
    command
}

pub(crate) fn actuator(id: &str) -> ActuatorId {
    ActuatorId::new(id).unwrap()
}
