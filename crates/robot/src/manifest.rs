//! A robot's manifest, `robots/<id>.toml`: what it is made of, where its messages are, what it may do at most.

mod camera;
mod check;
mod error;
mod hash;
mod map;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::joint::JointSpec;
use crate::{ActuatorId, FrameId, Isometry, JointName, RobotId, SiteId, UnitQuaternion, word};

pub use camera::{Camera, DetectionEncoding, DetectionSource, PictureEncoding};
pub use error::ManifestError;
pub use hash::ManifestHash;
pub use map::MapSource;

/// The manifest form this program reads.
const SCHEMA: u32 = 1;

/// The finest goal tolerance, metres: no pose is printed more exactly than a robot holds it.
const GOAL_TOLERANCE_M_MIN: f64 = 0.001;

/// A checked manifest. Unknown keys are errors; lengths in metres, angles in radians.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Form of the file; 1.
    pub schema: u32,
    /// Equals the file's stem.
    pub id: RobotId,
    /// First chunk of the robot's key expressions.
    pub site: SiteId,
    /// Gate that holds the last line before the motors.
    pub gate: GateKind,
    /// Need for a living screen while it moves.
    pub supervision: Supervision,
    /// The frame of commands and constraints that name none.
    pub default_frame: FrameId,
    /// Place at which a person finds the hardware stop; never empty.
    pub hardware_estop: String,
    /// TLS common name; required by the production profile.
    #[serde(default)]
    pub certificate_name: Option<String>,
    /// `ed25519:BASE64`, what the reference gate's signatures are tested with; required for that gate.
    #[serde(default)]
    pub public_key: Option<String>,
    /// The sphere that stands for the robot.
    pub body: Body,
    /// A goal is reached when the robot is measured this close to it, metres; twice the localisation error if left out.
    #[serde(default)]
    pub goal_tolerance_m: Option<f64>,
    /// Outside it a position is a unit mistake.
    pub envelope: Envelope,
    /// Limits of the robot itself.
    pub limits: ManifestLimits,
    /// Stop behaviour and its confirmation.
    pub stop: StopSpec,
    /// Sources of its state.
    pub state: Vec<StateSource>,
    /// Static transforms.
    #[serde(default)]
    pub frames: Vec<StaticFrame>,
    /// Things that can be commanded.
    pub actuators: Vec<Actuator>,
    /// Cameras on it, or that look at it.
    #[serde(default)]
    pub cameras: Vec<Camera>,
    /// Its map, if it shows one.
    #[serde(default)]
    pub map: Option<MapSource>,
    /// Identity of the text that it was read from.
    #[serde(skip)]
    pub hash: ManifestHash,
}

/// Gate that enforces claims and time to live at the robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateKind {
    /// The reference gate of this project.
    Reference,
    /// The vendor's own.
    Vendor,
    /// No gate: commands are checked by the station only.
    None,
}

/// Need for a living screen during motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Supervision {
    /// A living screen must exist.
    Required,
    /// An Admin decided that none is needed.
    Unattended,
}

/// The sphere around tool point or base centre that is kept inside the limits.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Radius, metres.
    pub bounding_radius_m: f64,
    /// Largest error of the measured pose, metres.
    pub localisation_error_m: f64,
    /// Extra distance, metres.
    #[serde(default = "margin_default")]
    pub margin_m: f64,
}

fn margin_default() -> f64 {
    0.02
}

impl Body {
    /// The distance by which every limit is shrunk or inflated, metres.
    #[must_use]
    pub fn inflation_m(&self) -> f64 {
        self.bounding_radius_m + self.localisation_error_m + self.margin_m
    }
}

/// Bounds of every plausible position, `[min, max]` per axis, metres, default frame.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "one field per axis")]
pub struct Envelope {
    pub x_m: [f64; 2],
    pub y_m: [f64; 2],
    pub z_m: [f64; 2],
}

/// `[min, max]` per axis, metres.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "one field per axis")]
pub struct WorkspaceBox {
    pub x: [f64; 2],
    pub y: [f64; 2],
    pub z: [f64; 2],
}

/// Limits that hold for the robot whatever missions say.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestLimits {
    /// Metres per second.
    pub speed_mps_max: f64,
    /// Radians per second.
    pub angular_radps_max: f64,
    /// Metres per second squared.
    pub acceleration_mps2_max: f64,
    /// Farthest a goal may be from the measured pose, metres.
    pub goal_jump_m_max: f64,
    /// Newtons.
    #[serde(default)]
    pub force_n_max: Option<f64>,
    /// Box that it must stay in, default frame.
    #[serde(default)]
    pub workspace: Option<WorkspaceBox>,
}

/// Behaviour of the robot when told to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopBehaviour {
    /// Controlled stop, then holds position, powered: category-2-like.
    Hold,
    /// Controlled stop, then power off: category-1-like.
    ControlledThenOff,
    /// Power off at once: category-0-like.
    PowerOff,
}

/// Course of a stop and its confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopSpec {
    /// Behaviour when told to stop.
    pub behaviour: StopBehaviour,
    /// True if a load could drop.
    pub carries_load: bool,
    /// An acknowledgement later than this is missing, milliseconds.
    pub ack_ms: u32,
    /// Time before deceleration begins, seconds.
    pub reaction_s: f64,
    /// Metres per second squared.
    pub decel_mps2: f64,
    /// At or below this it stands still, metres per second.
    pub standstill_mps: f64,
    /// At or below this it stands still, radians per second.
    pub standstill_radps: f64,
}

/// Content of a state sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateKind {
    /// `{frame, position_m, orientation?}`.
    Pose,
    /// `{linear_mps, angular_radps}`.
    Velocity,
    /// `{names, positions}`: radians, metres for a sliding joint.
    Joints,
    /// `{force_n}`.
    Force,
    /// `{parent, child, translation_m, rotation_xyzw}`: a transform that moves.
    Frame,
}

/// Source of one kind of state, with the age that it may have.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateSource {
    /// Content of its samples.
    pub kind: StateKind,
    /// Key expression without wildcards.
    pub key: String,
    /// Encoding of its samples.
    pub codec: crate::Codec,
    /// Older than this it counts for nothing, milliseconds.
    pub max_age_ms: u64,
    /// Farthest two sources of the pose may differ, metres.
    #[serde(default)]
    pub disagreement_m_max: Option<f64>,
}

/// A transform that never changes; takes child coordinates to the parent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StaticFrame {
    /// Parent frame.
    pub parent: FrameId,
    /// Child frame.
    pub child: FrameId,
    /// Child origin in the parent, metres.
    pub translation_m: [f64; 3],
    /// Child axes in the parent.
    pub rotation_xyzw: UnitQuaternion,
}

/// Kind of thing that an actuator moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ActuatorKind {
    /// A tool point: pose goals, paths, velocities.
    Tool,
    /// Named joints.
    Joints,
    /// A mobile base: pose goals, paths, velocities.
    Base,
    /// A gripper.
    Gripper,
    /// A switch.
    Switch,
}

impl fmt::Display for ActuatorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&word(self))
    }
}

/// Planner of the way to a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathSource {
    /// It goes straight; the segment can be judged.
    #[default]
    Segment,
    /// The robot plans; only the goal can be judged.
    Own,
}

/// Source of a command's force if the command names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForceSource {
    /// The robot's rated force counts.
    Rated,
    /// Every command must carry it.
    #[default]
    Command,
}

/// One thing that can be commanded.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Actuator {
    /// Its name.
    pub id: ActuatorId,
    /// The resource it is part of.
    #[serde(default)]
    pub parent: Option<String>,
    /// Kind of thing that it moves.
    pub kind: ActuatorKind,
    /// Key expression its commands are put on.
    pub key: String,
    /// Planner of the way to a goal.
    #[serde(default)]
    pub path: PathSource,
    /// Source of a command's force if the command names none.
    #[serde(default)]
    pub force: ForceSource,
    /// Time to live of a velocity, milliseconds.
    #[serde(default = "set_point_ttl_default")]
    pub set_point_ttl_ms: u32,
    /// True for a lamp or a camera head.
    #[serde(default)]
    pub contact_free: bool,
    /// Its joints, in the order in which joint goals name them.
    #[serde(default)]
    pub joints: Vec<JointSpec>,
}

fn set_point_ttl_default() -> u32 {
    500
}

impl Manifest {
    /// The longest text of one, bytes.
    pub const BYTES_MAX: u64 = 1 << 20;

    /// Reads and checks a manifest file's text. `stem` is the file's name without `.toml`.
    pub fn parse(text: &str, stem: &str) -> Result<Self, ManifestError> {
        let manifest = Self::read(text)?;
        manifest.check(stem)?;
        Ok(manifest)
    }

    /// Reads and checks the text of a manifest that is no file yet: its id names the file.
    pub fn parse_new(text: &str) -> Result<Self, ManifestError> {
        let manifest = Self::read(text)?;
        manifest.check(manifest.id.as_str())?;
        Ok(manifest)
    }

    fn read(text: &str) -> Result<Self, ManifestError> {
        let syntax = |error: toml::de::Error| ManifestError::Syntax {
            line: error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count()),
            message: error.message().to_owned(),
        };
        let manifest: Self = toml::from_str(text).map_err(syntax)?;
        Ok(Self { hash: ManifestHash::of(text).map_err(syntax)?, ..manifest })
    }

    /// A goal is reached when the robot is measured this close to it, metres.
    #[must_use]
    pub fn goal_tolerance_m(&self) -> f64 {
        self.goal_tolerance_m.unwrap_or(2.0 * self.body.localisation_error_m).max(GOAL_TOLERANCE_M_MIN)
    }

    /// True if every actuator is a switch: such a robot has no pose and needs none.
    #[must_use]
    pub fn switches_only(&self) -> bool {
        self.actuators.iter().all(|actuator| actuator.kind == ActuatorKind::Switch)
    }

    /// The joint of that name and the actuator it belongs to.
    #[must_use]
    pub fn joint(&self, name: &JointName) -> Option<(&Actuator, &JointSpec)> {
        self.actuators.iter().find_map(|actuator| {
            let joint = actuator.joints.iter().find(|joint| &joint.name == name)?;
            Some((actuator, joint))
        })
    }

    /// The first source of `kind`.
    #[must_use]
    pub fn state_source(&self, kind: StateKind) -> Option<&StateSource> {
        self.state.iter().find(|source| source.kind == kind)
    }

    /// True if a measured rate of turn, radians per second, is more than that of a robot at rest; not-a-number is.
    #[must_use]
    pub fn turns_at(&self, turn_radps: f64) -> bool {
        !(turn_radps.abs() <= self.stop.standstill_radps)
    }

    /// Its mobile base, if it has exactly one.
    #[must_use]
    pub fn base(&self) -> Option<&Actuator> {
        let mut bases = self.actuators.iter().filter(|actuator| actuator.kind == ActuatorKind::Base);
        bases.next().filter(|_| bases.next().is_none())
    }

    /// The transform from `from` to `to` through the static frames, or `None` if they are not connected.
    #[must_use]
    pub fn static_transform(&self, from: &FrameId, to: &FrameId) -> Option<Isometry> {
        // A frame that no static transform names still coincides with itself.
        if from == to {
            return Some(Isometry::IDENTITY);
        }
        self.frames.iter().find_map(|frame| {
            let parent_from_child = Isometry { translation_m: frame.translation_m, rotation: frame.rotation_xyzw };
            if &frame.child == from && &frame.parent == to {
                return Some(parent_from_child);
            }
            (&frame.parent == from && &frame.child == to).then(|| parent_from_child.inverse())
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
