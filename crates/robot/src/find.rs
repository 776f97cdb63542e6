//! Finds of a scan: robots that were seen, and the fields of a manifest and a wiring that follow from it, each with its
//! source. The program that scans writes them; the station shows them and makes drafts of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::EnumIter;
use ts_rs::TS;

/// Finds of one scan.
pub const FINDS_MAX: usize = 64;
/// Offers of one find.
pub const OFFERS_MAX: usize = 200;
/// The longest text of a find, in characters.
pub const FIND_TEXT_CHARS_MAX: usize = 256;
/// The longest report, bytes of JSON.
pub const SCAN_REPORT_BYTES_MAX: usize = 1 << 20;

/// The protocol over which a robot was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FindProtocol {
    /// ROS 2 over DDS.
    Ros2Dds,
    /// ROS 2 over a Zenoh router.
    Ros2Zenoh,
}

/// Degree to which a find is a robot that can be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FindCertainty {
    /// It takes commands of motion and measures itself.
    Certain,
    /// It does one of the two.
    Likely,
    /// It does neither: perhaps a sensor, or a program.
    Unsure,
}

/// Kind of a thing that a robot offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// A topic that it publishes.
    Publishes,
    /// A topic that it subscribes to.
    Subscribes,
    /// A service that it serves.
    Service,
    /// An action that it carries out.
    Action,
}

/// One thing that a robot offers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct FindOffer {
    /// Kind of it.
    pub kind: OfferKind,
    /// Its name, with the slash at its beginning.
    pub name: String,
    /// Type of its messages, for example `nav_msgs/msg/Odometry`.
    #[serde(rename = "type")]
    pub message_type: String,
}

/// Something that a find lacks for being moved by a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FindLack {
    /// A measured velocity.
    Velocity,
    /// A measured pose.
    Pose,
    /// A topic that takes velocities, or an action that moves it.
    Motion,
    /// The names of its nodes: they have not introduced themselves.
    NodeNames,
    /// An adapter of this program that speaks its protocol.
    Adapter,
}

/// A field that a person fills in or confirms before a robot is added.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS, EnumIter,
)]
#[serde(rename_all = "snake_case")]
pub enum FindField {
    /// Id of the robot.
    Robot,
    /// First chunk of its key expressions.
    Site,
    /// Place at which a person finds the hardware stop.
    HardwareStop,
    /// Number of its domain.
    Domain,
    /// Its namespace.
    Namespace,
    /// Source of its pose: `odom TOPIC`, or `tf FRAME FRAME`.
    Pose,
    /// Frame of commands and limits.
    Frame,
    /// Topic of its measured velocity.
    Velocity,
    /// Topic of its joints.
    Joints,
    /// Topic that takes velocities.
    CommandTopic,
    /// Node of `twist_mux` that the topic is an input of.
    Mux,
    /// Topic that locks it.
    Lock,
    /// Action that drives it to goals.
    Navigate,
    /// Action that moves its joints.
    Trajectory,
    /// Joints that the action moves, with `;` between them: `NAME rad LOW HIGH SPEED ACCELERATION REACH EFFORT` of each, with
    /// `m` for one that slides, and without the effort where it has none.
    JointLimits,
    /// Services that stop it, with spaces between them.
    StopServices,
    /// Actions whose goals a stop cancels, with spaces between them.
    CancelActions,
    /// Topics for the station, with spaces between them.
    Forward,
    /// Cameras, with `;` between them: `ID compressed_image TOPIC` or `ID image TOPIC` of each.
    Cameras,
    /// Topic of its map.
    Map,
    /// Radius of the sphere that stands for it, metres.
    Radius,
    /// Largest error of its pose, metres.
    LocalisationError,
    /// Extra distance, metres.
    Margin,
    /// Largest speed, metres per second.
    Speed,
    /// Largest rotation, radians per second.
    Rotation,
    /// Largest acceleration, metres per second squared.
    Acceleration,
    /// Farthest goal, metres.
    GoalJump,
    /// Box that it must stay in: lowest and highest x, y and z, metres.
    Workspace,
    /// Box beyond which a position is a mistake: lowest and highest x, y and z, metres.
    Envelope,
    /// Behaviour on a stop: `hold`, `controlled_then_off` or `power_off`.
    StopBehaviour,
    /// A load could drop: `yes` or `no`.
    CarriesLoad,
    /// Time before it begins to brake, seconds.
    Reaction,
    /// Braking, metres per second squared.
    Braking,
    /// Speed at which it stands, metres per second.
    Standstill,
    /// Rotation at which it stands, radians per second.
    StandstillRotation,
}

impl FindField {
    /// True if a robot whose other fields have values as `has` says cannot be added without it. An arm, which has a
    /// trajectory, takes no velocities and measures its joints.
    #[must_use]
    pub fn is_needed(self, has: impl Fn(Self) -> bool) -> bool {
        match self {
            Self::Joints | Self::JointLimits => has(Self::Trajectory),
            Self::Velocity => !has(Self::Trajectory),
            Self::CommandTopic => !has(Self::Trajectory) && !has(Self::Navigate),
            Self::Mux
            | Self::Lock
            | Self::Navigate
            | Self::Trajectory
            | Self::StopServices
            | Self::CancelActions
            | Self::Forward
            | Self::Cameras
            | Self::Map => false,
            Self::Robot
            | Self::Site
            | Self::HardwareStop
            | Self::Domain
            | Self::Namespace
            | Self::Pose
            | Self::Frame
            | Self::Radius
            | Self::LocalisationError
            | Self::Margin
            | Self::Speed
            | Self::Rotation
            | Self::Acceleration
            | Self::GoalJump
            | Self::Workspace
            | Self::Envelope
            | Self::StopBehaviour
            | Self::CarriesLoad
            | Self::Reaction
            | Self::Braking
            | Self::Standstill
            | Self::StandstillRotation => true,
        }
    }

    /// True if only a person knows it: no scan proposes it.
    #[must_use]
    pub const fn is_for_the_person(self) -> bool {
        matches!(
            self,
            Self::Site
                | Self::HardwareStop
                | Self::Margin
                | Self::GoalJump
                | Self::Workspace
                | Self::Envelope
                | Self::StopBehaviour
                | Self::CarriesLoad
                | Self::Reaction
                | Self::Braking
        )
    }
}

/// Kind of thing that a field's value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FieldSource {
    /// The domain or the router that was looked at.
    Address,
    /// The namespace of the nodes.
    Namespace,
    /// The name of a node.
    Node,
    /// A topic's name and type.
    Topic,
    /// A message of a topic.
    Message,
    /// The transforms between frames.
    Transforms,
    /// The spread of poses during the scan.
    Covariance,
    /// A service's name and type.
    Service,
    /// An action's name and type.
    Action,
    /// The robot's description.
    Description,
    /// A parameter of a node.
    Parameter,
    /// A value that is usual; nothing at the robot says it.
    Usual,
}

/// Proposal for a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct FieldProposal {
    /// The field.
    pub field: FindField,
    /// Its value in the form of the field; null where the choices below are only offered.
    pub value: Option<String>,
    /// Values that a person may choose from.
    pub choices: Vec<String>,
    /// Kind of thing that it comes from.
    pub source: FieldSource,
    /// Name of that thing, for example a topic.
    pub at: String,
    /// True if it does not follow with certainty, so that a person must confirm it.
    pub is_guess: bool,
}

/// A joint of a robot's description.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct FoundJoint {
    /// Its name.
    pub name: String,
    /// Lowest and highest position, radians or metres; null for a joint that turns without end.
    pub range: Option<[f64; 2]>,
    /// Largest speed, radians or metres per second; null if the description names none.
    pub speed_max: Option<f64>,
    /// Largest torque or force, newton metres or newtons; null if the description names none.
    pub effort_max: Option<f64>,
    /// True if it slides: its numbers are metres then.
    pub slides: bool,
}

/// A robot that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct Find {
    /// Identity within the scan, for example `ros2_dds 0 /spot`.
    pub id: String,
    /// The protocol.
    pub protocol: FindProtocol,
    /// The domain, or the router.
    pub address: String,
    /// Its name.
    pub name: String,
    /// Its nodes.
    pub nodes: Vec<String>,
    /// The things that it offers.
    pub offers: Vec<FindOffer>,
    /// Further offers that are not listed.
    pub offers_left_out: u32,
    /// Others that publish on its topic of velocities.
    pub commanders: Vec<String>,
    /// Degree to which it is a robot that can be set up.
    pub certainty: FindCertainty,
    /// Things that it lacks for being moved by a gate.
    pub lacks: Vec<FindLack>,
    /// Proposals for the fields of its manifest and its wiring.
    pub fields: Vec<FieldProposal>,
    /// Joints of its description.
    pub joints: Vec<FoundJoint>,
}

/// One place that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ScannedPlace {
    /// The protocol.
    pub protocol: FindProtocol,
    /// The domain, or the router.
    pub address: String,
    /// The reason why nothing could be seen there, if nothing could.
    pub problem: Option<String>,
}

/// Result of a scan.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ScanReport {
    /// Robots, the most certain first.
    pub finds: Vec<Find>,
    /// Places that were looked at.
    pub places: Vec<ScannedPlace>,
    /// Further finds that are not listed.
    pub finds_left_out: u32,
}
