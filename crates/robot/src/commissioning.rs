//! Commissioning: the steps that show what a robot behind its gate really does, and what came of them.

mod rounds;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Actuator, ActuatorKind, Manifest, ManifestHash, StateKind};
pub use rounds::{JointGoal, JointResult, MeansOutcome, MeansResult, StepWish, StopMeans};

/// Speed of a step, metres per second.
const STEP_MPS: f64 = 0.05;
/// Speed of a turning step, radians per second.
const STEP_RADPS: f64 = 0.05;
/// A robot whose base stops later than this by itself counts as one that keeps moving, milliseconds.
const BASE_TIMEOUT_MS_MAX: u32 = 1_000;

/// One step of commissioning, in the order in which they are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum CommissioningStep {
    /// Along the first axis for a second: the measured direction is the commanded one.
    AxisX,
    /// The same along the second axis.
    AxisY,
    /// The same about the vertical.
    AxisTurn,
    /// The stop from the speed of a step: time and distance to standstill.
    StopFromSpeed,
    /// The gate falls silent without a zero: the time until the robot stops by itself.
    Silence,
    /// Each joint alone: the measured direction is the commanded one, and it stops on the way.
    Joints,
    /// Each means of stopping alone, where the adapter has several.
    EachStop,
    /// A person presses the hardware stop: the gate sees it, or not.
    HardwareStop,
}

/// The velocity that a step commands, in the robot's default frame.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StepMotion {
    /// Metres per second.
    pub linear_mps: [f64; 3],
    /// Radians per second.
    pub angular_radps: [f64; 3],
}

/// Result of a step that was carried out to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// The robot does what was expected of it.
    Passed,
    /// It does not move along this axis at all: it has none.
    NoSuchAxis,
    /// It moves the other way, along another axis, or its sensors contradict each other.
    WrongWay,
    /// A joint does not follow its goal.
    DoesNotMove,
    /// It stops later or after a longer way than its manifest says.
    StopsWorse,
    /// It does not stop by itself in silence; the gate has stopped it.
    KeepsMoving,
    /// A means of stopping alone does not stop it, or is not answered; the gate has stopped it by all of them.
    MeansFails,
    /// The hardware stop was pressed, and the gate sees nothing of it.
    NotVisible,
}

/// One point of the speed over time of a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SpeedPoint {
    /// Time since the step began, milliseconds.
    pub t_ms: u32,
    /// The commanded speed along the axis, metres or radians per second.
    pub commanded: f64,
    /// The measured one.
    pub measured: f64,
}

/// A step that was carried out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StepResult {
    /// The step.
    pub step: CommissioningStep,
    /// Its outcome.
    pub outcome: StepOutcome,
    /// Time to standstill, milliseconds, if the step measures it and the robot came to stand.
    pub time_ms: Option<u32>,
    /// Way to standstill, metres, if the step measures it.
    pub distance_m: Option<f64>,
    /// The time to standstill that the manifest allows from this speed, milliseconds.
    pub time_ms_max: Option<u32>,
    /// The way that it allows, metres.
    pub distance_m_max: Option<f64>,
    /// Speed over time.
    pub speeds: Vec<SpeedPoint>,
    /// Each joint that was moved, if the step moves joints.
    #[serde(default)]
    pub joints: Vec<JointResult>,
    /// Each means of stopping that was tried, if the step tries them.
    #[serde(default)]
    pub means: Vec<MeansResult>,
    /// The person who held the button.
    pub person: String,
    /// The time of its end, Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: i64,
}

/// Part of a step that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum StepPhase {
    /// The robot is commanded to move.
    Moving,
    /// The gate has stopped it and measures.
    Stopping,
    /// The gate tries one means of stopping alone and measures.
    Trying,
    /// The gate is silent and measures.
    Silent,
    /// The hardware stop is to be pressed.
    Pressing,
}

/// A step that is under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RunningStep {
    /// The step.
    pub step: CommissioningStep,
    /// Its part.
    pub phase: StepPhase,
    /// Speed over time so far.
    pub speeds: Vec<SpeedPoint>,
    /// The motion that it waits for; null while it waits for none, or for the one that belongs to its axis.
    #[serde(default)]
    pub wants: Option<StepWish>,
    /// Joints that were moved so far.
    #[serde(default)]
    pub joints: Vec<JointResult>,
    /// Means of stopping that were tried so far.
    #[serde(default)]
    pub means: Vec<MeansResult>,
}

/// A part of what was commissioned that is no longer the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum CommissionedPart {
    /// The robot's manifest.
    Manifest,
    /// The wiring.
    Wiring,
    /// The program that speaks for the robot.
    Program,
    /// The record itself: the gate's key has not signed it.
    Record,
}

/// Reaction of the robot itself when its gate falls silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum BaseTimeout {
    /// Nobody has measured it.
    NotMeasured,
    /// It stops after so many milliseconds.
    After(u32),
    /// It keeps moving.
    Never,
}

/// The word of an Admin that a robot is commanded although it keeps moving when its gate dies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct Acceptance {
    /// The person who gave it.
    pub person: String,
    /// The reason, 1 to 500 characters.
    pub reason: String,
    /// The time, Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: i64,
}

/// State of a robot's commissioning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CommissioningState {
    /// The steps that this robot needs.
    pub needed: Vec<CommissioningStep>,
    /// Those of them that this gate cannot carry out: the robot cannot be commissioned.
    pub not_possible: Vec<CommissioningStep>,
    /// The newest result of each step.
    pub results: Vec<StepResult>,
    /// The first step that is missing or has failed.
    pub missing: Option<CommissioningStep>,
    /// The parts that have changed since an earlier commissioning, which is void.
    pub changed: Vec<CommissionedPart>,
    /// Measured reaction of the robot when its gate falls silent.
    pub base_timeout: BaseTimeout,
    /// True of a robot that nothing stops when its gate dies, as far as anybody has measured.
    #[serde(default)]
    pub keeps_moving: bool,
    /// An Admin's acceptance of that; null while nobody has accepted it.
    #[serde(default)]
    pub accepted: Option<Acceptance>,
    /// The step that is under way.
    pub running: Option<RunningStep>,
    /// The last step, if it was broken off.
    pub broken_off: Option<CommissioningStep>,
}

/// Place of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum GatePlacement {
    /// On the station's computer: a cut between it and the robot is not seen by the robot.
    Beside,
    /// On the robot's computer.
    Onboard,
}

/// Properties of a robot behind its gate, in the words that its adapter has for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GateFacts {
    /// The adapter.
    pub adapter: String,
    /// Actuators that it moves.
    pub moves: Vec<String>,
    /// Messages that a hold sends.
    pub hold: String,
    /// Messages that a stop sends.
    pub stop: String,
    /// The last one to command the motors.
    pub last_to_command: String,
    /// Declared reaction of the robot when commands cease.
    pub base_timeout: String,
    /// Other sources of motion, as far as the protocol shows them.
    pub foreign: String,
    /// Collision monitors of the robot, where the protocol shows them.
    #[serde(default)]
    pub collision_monitors: Vec<CollisionMonitor>,
}

/// A collision monitor of Nav2, as the robot's graph and its parameters show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CollisionMonitor {
    /// Path of its node.
    pub node: String,
    /// The topic that it takes velocities from, if it tells one.
    pub input: Option<String>,
    /// Its place.
    pub place: MonitorPlace,
}

/// Place of a collision monitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MonitorPlace {
    /// The gate's velocities pass it.
    OnTheWay,
    /// They do not.
    Elsewhere,
    /// It tells no topic, so that nobody knows.
    Unknown,
}

/// A gate's account of itself and of its robot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GateAccount {
    /// Its place.
    pub placement: GatePlacement,
    /// The manifest that it checks by; null of a gate that does not say.
    #[serde(default)]
    pub manifest: Option<ManifestHash>,
    /// Properties of the robot behind it.
    pub facts: GateFacts,
    /// Names of what is to answer the newest stop at the robot and has not.
    #[serde(default)]
    pub unanswered: Vec<String>,
    /// The robot's commissioning.
    pub commissioning: CommissioningState,
}

impl CommissioningStep {
    /// The step in words, as in *the step "stop from the step's speed" is missing*.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::AxisX => "direction along x",
            Self::AxisY => "direction along y",
            Self::AxisTurn => "direction of turning",
            Self::StopFromSpeed => "stop from the step's speed",
            Self::Silence => "silence of the gate",
            Self::EachStop => "each means of stopping alone",
            Self::Joints => "each joint",
            Self::HardwareStop => "hardware stop",
        }
    }

    /// True for a step that looks at one axis.
    #[must_use]
    pub const fn is_axis(self) -> bool {
        match self {
            Self::AxisX | Self::AxisY | Self::AxisTurn => true,
            Self::StopFromSpeed | Self::Silence | Self::EachStop | Self::Joints | Self::HardwareStop => false,
        }
    }

    /// The steps that a robot of this manifest needs. `several_stops` is true of an adapter with more than one means of
    /// stopping, `takes_velocities` and `takes_joints` of one that takes what the moving steps command.
    #[must_use]
    pub fn needed(manifest: &Manifest, several_stops: bool, takes_velocities: bool, takes_joints: bool) -> Vec<Self> {
        let mut needed = Vec::new();
        if takes_velocities && commissioned_actuator(manifest).is_some() {
            needed.extend([Self::AxisX, Self::AxisY, Self::AxisTurn, Self::StopFromSpeed, Self::Silence]);
        }
        if (takes_velocities || takes_joints) && manifest.actuators.iter().any(is_arm) {
            needed.push(Self::Joints);
        }
        if several_stops {
            needed.push(Self::EachStop);
        }
        // The one stop that does not depend on the gate, so that every robot has to show it.
        needed.push(Self::HardwareStop);
        needed
    }

    /// True if a gate can carry it out: joints only if the manifest names those of every arm, somebody measures them,
    /// and the adapter takes goals for them.
    #[must_use]
    pub fn is_possible(self, manifest: &Manifest, takes_joints: bool) -> bool {
        match self {
            Self::AxisX | Self::AxisY | Self::AxisTurn | Self::StopFromSpeed | Self::Silence => true,
            Self::EachStop | Self::HardwareStop => true,
            Self::Joints => {
                let mut arms = manifest.actuators.iter().filter(|actuator| is_arm(actuator));
                takes_joints
                    && manifest.state_source(StateKind::Joints).is_some()
                    && arms.all(|arm| !arm.joints.is_empty())
            }
        }
    }
}

/// True of an actuator that joints move.
fn is_arm(actuator: &Actuator) -> bool {
    matches!(actuator.kind, ActuatorKind::Joints | ActuatorKind::Tool)
}

/// The arms whose joints the steps move.
pub fn commissioned_arms(manifest: &Manifest) -> impl Iterator<Item = &Actuator> {
    manifest.actuators.iter().filter(|actuator| is_arm(actuator))
}

/// The base that the steps move, if the robot has one.
#[must_use]
pub fn commissioned_actuator(manifest: &Manifest) -> Option<&Actuator> {
    manifest.actuators.iter().find(|actuator| actuator.kind == ActuatorKind::Base)
}

impl StepMotion {
    /// The motion of an axis step.
    #[must_use]
    pub const fn along(axis: CommissioningStep) -> Option<Self> {
        let (linear_mps, angular_radps) = match axis {
            CommissioningStep::AxisX => ([STEP_MPS, 0.0, 0.0], [0.0; 3]),
            CommissioningStep::AxisY => ([0.0, STEP_MPS, 0.0], [0.0; 3]),
            CommissioningStep::AxisTurn => ([0.0; 3], [0.0, 0.0, STEP_RADPS]),
            CommissioningStep::StopFromSpeed
            | CommissioningStep::Silence
            | CommissioningStep::EachStop
            | CommissioningStep::Joints
            | CommissioningStep::HardwareStop => return None,
        };
        Some(Self { linear_mps, angular_radps })
    }

    /// The component that it moves along, and its speed.
    #[must_use]
    pub fn axis(&self) -> (usize, f64) {
        let components = self.components();
        let axis = components.iter().position(|part| *part != 0.0).unwrap_or(0);
        (axis, components[axis])
    }

    /// True of a motion that is this one, or slower.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        // A step is about one direction: the opposite one is another motion.
        let within = |(asked, step): (f64, f64)| 0.0 <= asked && asked <= step;
        other.components().into_iter().zip(self.components()).all(within)
    }

    /// The six components, metres and radians per second.
    #[must_use]
    pub const fn components(&self) -> [f64; 6] {
        let ([x, y, z], [a, b, c]) = (self.linear_mps, self.angular_radps);
        [x, y, z, a, b, c]
    }
}

impl StepOutcome {
    /// True if the step is not missing any more. A robot that keeps moving, and a hardware stop that is not seen, are
    /// known now, and that is what the step is for.
    #[must_use]
    pub const fn counts(self) -> bool {
        match self {
            Self::Passed | Self::NoSuchAxis | Self::KeepsMoving | Self::NotVisible => true,
            Self::WrongWay | Self::DoesNotMove | Self::StopsWorse | Self::MeansFails => false,
        }
    }
}

impl BaseTimeout {
    /// True unless it was measured to stop soon enough: then nothing may be commanded that needs to be renewed.
    #[must_use]
    pub const fn keeps_moving(self) -> bool {
        match self {
            Self::NotMeasured | Self::Never => true,
            Self::After(ms) => ms > BASE_TIMEOUT_MS_MAX,
        }
    }

    /// The one that a record of results holds.
    #[must_use]
    pub fn of(results: &[StepResult]) -> Self {
        match results.iter().find(|result| result.step == CommissioningStep::Silence) {
            // A silence not measured is a step to do; one without a stop is a fact that an Admin may accept.
            None => Self::NotMeasured,
            Some(StepResult { time_ms: Some(ms), .. }) => Self::After(*ms),
            Some(_) => Self::Never,
        }
    }
}

impl CommissioningState {
    /// The motion of a step: that of its axis, else that of the first axis along which the robot is known to move.
    #[must_use]
    pub fn motion_of(&self, step: CommissioningStep) -> Option<StepMotion> {
        let moves = |result: &&StepResult| result.step.is_axis() && result.outcome == StepOutcome::Passed;
        match step {
            CommissioningStep::AxisX | CommissioningStep::AxisY | CommissioningStep::AxisTurn => {
                StepMotion::along(step)
            }
            CommissioningStep::StopFromSpeed | CommissioningStep::Silence | CommissioningStep::EachStop => {
                let axes = self.results.iter().filter(moves).map(|result| result.step);
                axes.min().and_then(StepMotion::along)
            }
            CommissioningStep::Joints | CommissioningStep::HardwareStop => None,
        }
    }

    /// The first needed step without a result that counts. A base that was not seen to move along x or y lacks the
    /// first, whether or not it turns.
    #[must_use]
    pub fn first_missing(needed: &[CommissioningStep], results: &[StepResult]) -> Option<CommissioningStep> {
        let result = |step: CommissioningStep| results.iter().find(|result| result.step == step);
        let lacks = |step: &CommissioningStep| !result(*step).is_some_and(|result| result.outcome.counts());
        // One that drives only where it looks, and looks along neither axis, can do neither step.
        let along = || {
            needed.iter().copied().filter(|step| matches!(step, CommissioningStep::AxisX | CommissioningStep::AxisY))
        };
        let stands_still = || {
            let known = |step| result(step).is_some_and(|result| result.outcome == StepOutcome::NoSuchAxis);
            along().all(known).then(|| along().next()).flatten()
        };
        needed.iter().copied().find(lacks).or_else(stands_still)
    }
}

#[cfg(test)]
mod tests;
