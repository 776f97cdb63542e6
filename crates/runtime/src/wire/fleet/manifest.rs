//! A manifest as a person sees it before its robot is added.

use robot::{Manifest, MissionId, RobotId, Supervision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire::{ActuatorRow, GateName, StopBehaviourName};

/// The answer of `check_manifest`: what the manifest says the robot is and may do at most.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ManifestMeaning {
    /// The robot.
    pub robot: RobotId,
    /// First chunk of its key expressions.
    pub site: String,
    /// True if a robot of this id is there already, so that this one cannot be added.
    pub is_known: bool,
    /// The party that checks commands at the robot.
    pub gate: GateName,
    /// True if its gate's messages are signed with a key that the manifest names.
    pub is_signed: bool,
    /// Need for a living screen while it moves.
    pub supervision: Supervision,
    /// Location of the hardware stop, for people.
    pub hardware_estop: String,
    /// The behaviour on a stop.
    pub stop_behaviour: StopBehaviourName,
    /// True if a load could drop when it is powered off.
    pub carries_load: bool,
    /// Metres per second.
    pub speed_mps_max: f64,
    /// Radians per second.
    pub angular_radps_max: f64,
    /// Metres per second squared.
    pub acceleration_mps2_max: f64,
    /// Newtons; null if the manifest sets no limit.
    pub force_n_max: Option<f64>,
    /// `[min, max]` along x, y and z that it stays in, metres, default frame; null if the manifest sets none.
    pub workspace_m: Option<[[f64; 2]; 3]>,
    /// Radius of the sphere that stands for the robot, metres.
    pub body_radius_m: f64,
    /// Largest error of its measured pose, metres.
    pub localisation_error_m: f64,
    /// The frame of commands that name none.
    pub default_frame: String,
    /// Things that can be commanded.
    pub actuators: Vec<ActuatorRow>,
    /// Key expressions on which it reports its state.
    pub state_keys: Vec<String>,
}

impl ManifestMeaning {
    /// The meaning of `manifest`; `is_known` if a robot of its id is there already.
    #[must_use]
    pub fn of(manifest: &Manifest, is_known: bool) -> Self {
        Self {
            robot: manifest.id.clone(),
            site: manifest.site.to_string(),
            is_known,
            gate: manifest.gate.into(),
            is_signed: manifest.public_key.is_some(),
            supervision: manifest.supervision,
            hardware_estop: manifest.hardware_estop.clone(),
            stop_behaviour: manifest.stop.behaviour.into(),
            carries_load: manifest.stop.carries_load,
            speed_mps_max: manifest.limits.speed_mps_max,
            angular_radps_max: manifest.limits.angular_radps_max,
            acceleration_mps2_max: manifest.limits.acceleration_mps2_max,
            force_n_max: manifest.limits.force_n_max,
            workspace_m: manifest.limits.workspace.map(|space| [space.x, space.y, space.z]),
            body_radius_m: manifest.body.bounding_radius_m,
            localisation_error_m: manifest.body.localisation_error_m,
            default_frame: manifest.default_frame.to_string(),
            actuators: manifest.actuators.iter().map(ActuatorRow::from).collect(),
            state_keys: manifest.state.iter().map(|source| source.key.clone()).collect(),
        }
    }
}

/// The answer of `add_robot`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RobotAdded {
    /// The robot, which starts disarmed.
    pub robot: RobotId,
}

/// The answer of `remove_robot`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RobotRemoved {
    /// The robot.
    pub robot: RobotId,
    /// The text of its manifest, which `add_robot` takes; none if its file was gone already.
    pub manifest: Option<String>,
    /// Missions that name it. Until it is added again none of them is activated.
    pub missions: Vec<MissionId>,
    /// Jobs that call an operation on it, by name or id. Until it is added again their runs fail.
    pub jobs: Vec<String>,
}
