//! Robots and their limits as screens and agents see them.

use robot::{
    Actuator, ActuatorId, ActuatorKind, BaseTimeout, CommissioningStep, ConstraintId, FrameId, GateKind, JointMotion,
    JointName, JointSpec, ManifestError, MissionId, RobotId, StopBehaviour, Supervision,
};
use safety::arbitration::Holder;
use safety::machine::{ActiveCause, Clears, SafetyCause, State};
use safety::{ArmingProblem, ConstraintKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire::{CameraRow, ControlRequest};

/// Health of the link to a robot's gate, by the age of its last answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    /// Answered within 500 ms.
    Live,
    /// Last answer 500 ms to 1.5 s ago.
    Late,
    /// Last answer more than 1.5 s ago.
    Lost,
    /// Never heard of since the station started.
    Never,
}

/// The party that enforces claims at the robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "as `robot::GateKind`")]
pub enum GateName {
    Reference,
    Vendor,
    None,
}

impl From<GateKind> for GateName {
    fn from(kind: GateKind) -> Self {
        match kind {
            GateKind::Reference => Self::Reference,
            GateKind::Vendor => Self::Vendor,
            GateKind::None => Self::None,
        }
    }
}

/// The behaviour of a robot that is told to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "as `robot::StopBehaviour`")]
pub enum StopBehaviourName {
    Hold,
    ControlledThenOff,
    PowerOff,
}

impl From<StopBehaviour> for StopBehaviourName {
    fn from(behaviour: StopBehaviour) -> Self {
        match behaviour {
            StopBehaviour::Hold => Self::Hold,
            StopBehaviour::ControlledThenOff => Self::ControlledThenOff,
            StopBehaviour::PowerOff => Self::PowerOff,
        }
    }
}

/// One row of `list_robots`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RobotRow {
    /// The robot, or the stem of a manifest file that cannot be read.
    // A row of a file that cannot be read is text by its errors.
    #[schemars(extend("x-vouched" = true))]
    pub id: String,
    /// First chunk of its key expressions.
    #[schemars(extend("x-vouched" = true))]
    pub site: String,
    /// True for a robot of the built-in simulator.
    pub simulated: bool,
    /// The safety state, which decides if motion can pass.
    pub state: State,
    /// The holder of control; no other party's motion passes.
    pub control: Holder,
    /// The frame of commands that name none.
    #[schemars(extend("x-vouched" = true))]
    pub default_frame: String,
    /// Every frame a command may name.
    pub frames: Vec<FrameId>,
    /// Static transforms, for drawing.
    pub transforms: Vec<TransformRow>,
    /// The actuators that can be commanded.
    pub actuators: Vec<ActuatorRow>,
    /// Its cameras; an agent is told of none, because it cannot look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<CameraRow>>", optional)]
    pub cameras: Vec<CameraRow>,
    /// True if it shows a map; `list_robot_maps` has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub has_map: bool,
    /// Last measured pose, with its age.
    pub pose: Option<PoseRow>,
    /// The robot's own limits.
    pub limits: Option<LimitsRow>,
    /// Radius of the sphere that stands for the robot, metres.
    pub body_radius_m: f64,
    /// Health of the link to its gate.
    pub link: LinkState,
    /// Median round trip of the last beats, milliseconds.
    pub rtt_ms: Option<f64>,
    /// Location of the hardware stop, for people.
    pub hardware_estop: String,
    /// The behaviour on a stop.
    pub stop_behaviour: StopBehaviourName,
    /// Errors of its manifest; with any of them the robot cannot be armed.
    pub errors: Vec<String>,
    /// The same with their codes, in the same order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<ManifestFault>>", optional)]
    pub faults: Vec<ManifestFault>,
}

/// A fault for which the manifest of a robot is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ManifestFault {
    /// Its file cannot be read.
    #[error("{message}")]
    Unreadable {
        /// The system's own words.
        message: String,
    },
    /// Its text is no manifest.
    #[error("line {line}: {message}")]
    Syntax {
        /// Line from 1.
        line: usize,
        /// The fault there.
        message: String,
    },
    /// A value is impossible.
    #[error("{key}: {expected}")]
    Value {
        /// The key's path.
        key: String,
        /// Value that was expected.
        expected: String,
    },
    /// Its public key is none.
    #[error("public_key: {message}")]
    PublicKey {
        /// The fault of the key.
        message: String,
    },
    /// Its limits cannot be used.
    #[error("{message}")]
    Limits {
        /// The fault of the limits.
        message: String,
    },
    /// The station has as many robots as it takes.
    #[error("a station takes at most {most} robots")]
    TooManyRobots {
        /// The most it takes.
        most: usize,
    },
    /// A robot of this name is there.
    #[error("a robot {robot} is there already")]
    RobotExists {
        /// The robot.
        robot: RobotId,
    },
}

impl From<ManifestError> for ManifestFault {
    fn from(error: ManifestError) -> Self {
        match error {
            ManifestError::Syntax { line, message } => Self::Syntax { line, message },
            ManifestError::Value { key, expected } => Self::Value { key, expected },
        }
    }
}

/// Child coordinates to parent coordinates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[expect(missing_docs, reason = "as `robot::StaticFrame`")]
pub struct TransformRow {
    pub parent: FrameId,
    pub child: FrameId,
    pub translation_m: [f64; 3],
    pub rotation_xyzw: [f64; 4],
}

/// One actuator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ActuatorRow {
    /// Its name.
    pub id: ActuatorId,
    /// The kind of thing it moves.
    pub kind: ActuatorKind,
    /// Names of the motions it takes.
    #[schemars(extend("x-vouched" = true))]
    pub motions: Vec<String>,
    /// Its joints; an agent is told of none, its tools name them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<JointRow>>", optional)]
    pub joints: Vec<JointRow>,
}

impl From<&Actuator> for ActuatorRow {
    fn from(actuator: &Actuator) -> Self {
        Self {
            id: actuator.id.clone(),
            kind: actuator.kind,
            motions: Self::motions_of(actuator),
            joints: actuator.joints.iter().map(JointRow::from).collect(),
        }
    }
}

/// One joint. Its position is the signal `robot/<robot>/joint/<name>`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct JointRow {
    /// Its name.
    pub name: JointName,
    /// `rad` or `m`.
    #[schemars(extend("x-vouched" = true))]
    pub unit: String,
    /// Lowest and highest position that the manifest allows.
    pub position: [f64; 2],
}

impl From<&JointSpec> for JointRow {
    fn from(joint: &JointSpec) -> Self {
        Self { name: joint.name.clone(), unit: Self::unit_of(joint.motion).to_owned(), position: joint.position }
    }
}

impl JointRow {
    /// The unit of a joint's position.
    #[must_use]
    pub const fn unit_of(motion: JointMotion) -> &'static str {
        match motion {
            JointMotion::Turning => "rad",
            JointMotion::Sliding => "m",
        }
    }
}

/// The answer of `robot_model`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RobotModel {
    /// The text of its URDF, if it has one.
    pub urdf: Option<String>,
}

/// The answer of `robot_mesh`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RobotMesh {
    /// The bytes of the file, if there is one.
    pub base64: Option<String>,
}

impl ActuatorRow {
    /// The motions `actuator` takes.
    #[must_use]
    fn motions_of(actuator: &Actuator) -> Vec<String> {
        let names: &[&str] = match actuator.kind {
            ActuatorKind::Tool if !actuator.joints.is_empty() => &["pose_goal", "path", "velocity", "joints", "escape"],
            ActuatorKind::Tool | ActuatorKind::Base => &["pose_goal", "path", "velocity", "escape"],
            ActuatorKind::Gripper => &["gripper"],
            ActuatorKind::Switch => &["switch"],
            ActuatorKind::Joints => &["joints"],
        };
        names.iter().map(|name| (*name).to_owned()).collect()
    }
}

/// A measured pose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PoseRow {
    /// The frame it is in.
    pub frame: FrameId,
    /// Metres.
    pub position_m: [f64; 3],
    /// `[x, y, z, w]`.
    pub orientation: Option<[f64; 4]>,
    /// Milliseconds since it was measured.
    #[ts(type = "number")]
    pub age_ms: u64,
}

/// A robot's own limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LimitsRow {
    /// Metres per second.
    pub speed_mps_max: f64,
    /// Newtons.
    pub force_n_max: Option<f64>,
}

/// A robot's safety state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RobotSafety {
    /// The robot.
    pub robot: RobotId,
    /// The safety state, which decides if motion can pass.
    pub state: State,
    /// True if it is armed for nothing but leaving a place where it may not be.
    pub escape_only: bool,
    /// True if it could be armed for that now, on giving a reason.
    pub escape_possible: bool,
    /// Causes that hold or stop it, in the order in which they came.
    pub causes: Vec<CauseRow>,
    /// The reason why it cannot be armed now.
    #[schemars(extend("x-vouched" = true))]
    pub arming_problem: Option<String>,
    /// The kind of that reason, with the names in it.
    pub arming_hindrance: Option<ArmingHindrance>,
    /// Version of its constraint set.
    #[ts(type = "number")]
    pub set_version: u64,
    /// SHA-256 of the set, hex.
    #[schemars(extend("x-vouched" = true))]
    pub set_hash: String,
    /// Health of the link to its gate.
    pub link: LinkState,
    /// The party that enforces claims at the robot; with `none` commands are checked by the station only.
    pub gate: GateName,
    /// True of a robot that nothing stops when its gate dies, as its gate tells; an Admin may have accepted it.
    pub keeps_moving: bool,
    /// Measured reaction of the robot when its gate falls silent; null for a gate that tells of no commissioning.
    pub base_timeout: Option<BaseTimeout>,
    /// Supervision: held while nobody is there, or `unattended` by an administrator's decision or by its manifest.
    pub supervision: Supervision,
    /// Until when an administrator lets it move with an incomplete set of limits, station clock, milliseconds; null if
    /// nobody does.
    #[ts(type = "number | null")]
    pub unconstrained_until_mono_ms: Option<u64>,
    /// The holder of control; no other party's motion passes.
    pub control: Holder,
    /// The pending request for control, if there is one.
    pub control_request: Option<ControlRequest>,
}

/// A kind of reason why a robot cannot be armed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ArmingHindrance {
    /// A cause holds or stops it.
    Cause {
        /// The first of them.
        cause: SafetyCause,
    },
    /// An actuator has less than its minimum of constraints.
    EmptySet {
        /// The actuator.
        actuator: ActuatorId,
        /// The missing constraint type.
        #[schemars(extend("x-vouched" = true))]
        missing: String,
    },
    /// No place is left after body, error and margin.
    WorkspaceEmpty {
        /// The actuator.
        actuator: ActuatorId,
        /// One of the constraints.
        constraint: ConstraintId,
    },
    /// One zone or box covers the workspace.
    WorkspaceCovered {
        /// The actuator.
        actuator: ActuatorId,
        /// The zone or box.
        constraint: ConstraintId,
    },
    /// The robot is where it may not be.
    PoseViolates {
        /// The constraint.
        constraint: ConstraintId,
    },
    /// A source of its state is silent or stale.
    SourceSilent,
    /// Its place is not known.
    NoFreshPose,
    /// It is not commissioned.
    NotCommissioned {
        /// The first missing step, where its gate names one.
        step: Option<CommissioningStep>,
    },
    /// It has stopped answering.
    NoAnswer,
    /// Nothing was heard of it since the station started.
    NothingHeard,
}

impl From<&ArmingProblem> for ArmingHindrance {
    fn from(problem: &ArmingProblem) -> Self {
        match problem {
            ArmingProblem::EmptySet { actuator, missing } => {
                Self::EmptySet { actuator: actuator.clone(), missing: (*missing).to_owned() }
            }
            ArmingProblem::WorkspaceEmpty { actuator, constraint } => {
                Self::WorkspaceEmpty { actuator: actuator.clone(), constraint: constraint.clone() }
            }
            ArmingProblem::WorkspaceCovered { actuator, zone } => {
                Self::WorkspaceCovered { actuator: actuator.clone(), constraint: zone.clone() }
            }
            ArmingProblem::PoseViolates { constraint } => Self::PoseViolates { constraint: constraint.clone() },
            ArmingProblem::SourceSilent { .. } => Self::SourceSilent,
            ArmingProblem::NoFreshPose { .. } => Self::NoFreshPose,
        }
    }
}

/// One cause that is in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CauseRow {
    /// The cause; `acknowledge_cause` names it.
    pub cause: SafetyCause,
    /// Since when, station clock, milliseconds.
    #[ts(type = "number")]
    pub since_mono_ms: u64,
    /// The condition or act that ends it.
    pub clears: Clears,
    /// True while its condition holds; nothing ends it before that is over for a second.
    pub present: bool,
    /// A description of the cause, for people.
    #[schemars(extend("x-vouched" = true))]
    pub sentence: String,
}

impl From<&ActiveCause> for CauseRow {
    fn from(active: &ActiveCause) -> Self {
        Self {
            cause: active.cause,
            since_mono_ms: active.since.mono_ms(),
            clears: active.clears(),
            present: active.is_present(),
            sentence: active.cause.rule().sentence.to_owned(),
        }
    }
}

/// The origin of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ConstraintScope {
    /// The robot's manifest.
    Manifest,
    /// Registered for the robot.
    Robot,
    /// Registered for a mission.
    Mission,
}

/// One row of `list_constraints`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ConstraintRow {
    /// Kind and parameters.
    pub constraint: ConstraintKind,
    /// Its id.
    pub id: ConstraintId,
    /// The origin of the constraint.
    pub scope: ConstraintScope,
    /// The frame it is in; the robot's default frame if null.
    pub frame: Option<FrameId>,
    /// Unit of its numbers.
    #[schemars(extend("x-vouched" = true))]
    pub unit: String,
    /// Version of the set it was read from.
    #[ts(type = "number")]
    pub version: u64,
    /// The robot it binds, if one is named.
    pub robot: Option<RobotId>,
    /// The mission it belongs to.
    pub mission: Option<MissionId>,
}
