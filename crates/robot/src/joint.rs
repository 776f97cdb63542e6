//! The joints of an actuator: what each can do at most, in the manifest's form.

use serde::Deserialize;

use crate::{ActuatorKind, JointName};

/// The most joints one actuator may have: two arms of seven and their hands.
pub const JOINTS_MAX: usize = 32;
/// The longest joint name, bytes: the id of its limit, `manifest-joint_<name>`, must still be an id.
const NAME_BYTES_MAX: usize = 48;
/// The farthest a joint may turn, radians: a thousand turns.
const POSITION_RAD_MAX: f64 = 6_300.0;
/// The farthest a joint may slide, metres.
const POSITION_M_MAX: f64 = 1e3;
/// The fastest, strongest or farthest-reaching joint that is plausible, in any unit.
const NUMBER_MAX: f64 = 1e5;

/// Units of a joint's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointMotion {
    /// Radians, radians per second, newton metres.
    Turning,
    /// Metres, metres per second, newtons.
    Sliding,
}

/// A joint's own limits, in the units of its [`JointMotion`].
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "JointKeys")]
pub struct JointSpec {
    /// Its name.
    pub name: JointName,
    /// Units of its numbers: it turns or slides.
    pub motion: JointMotion,
    /// `[lo, hi]`.
    pub position: [f64; 2],
    /// Per second.
    pub velocity: f64,
    /// Per second squared, if it is limited.
    pub acceleration: Option<f64>,
    /// Torque or force, if it is limited.
    pub effort: Option<f64>,
    /// Farthest the tool point can ever be from the joint's axis, metres; 1 for a sliding joint.
    pub reach_m: f64,
}

/// The keys of a manifest: those of a turning or of a sliding joint, never of both.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JointKeys {
    name: JointName,
    position_rad: Option<[f64; 2]>,
    velocity_radps: Option<f64>,
    acceleration_radps2: Option<f64>,
    effort_nm: Option<f64>,
    position_m: Option<[f64; 2]>,
    velocity_mps: Option<f64>,
    acceleration_mps2: Option<f64>,
    effort_n: Option<f64>,
    reach_m: f64,
}

impl TryFrom<JointKeys> for JointSpec {
    type Error = String;

    fn try_from(keys: JointKeys) -> Result<Self, String> {
        let JointKeys { name, reach_m, .. } = keys;
        let turning = (keys.position_rad, keys.velocity_radps, keys.acceleration_radps2, keys.effort_nm);
        let sliding = (keys.position_m, keys.velocity_mps, keys.acceleration_mps2, keys.effort_n);
        let nothing = (None, None, None, None);
        let (motion, (position, velocity, acceleration, effort)) = match (turning == nothing, sliding == nothing) {
            (false, true) => (JointMotion::Turning, turning),
            (true, false) => (JointMotion::Sliding, sliding),
            (true, true) | (false, false) => {
                return Err(format!(
                    "joint {name}: expected position_rad and velocity_radps, or position_m and velocity_mps"
                ));
            }
        };
        let position = position.ok_or_else(|| format!("joint {name}: a position [lo, hi] is missing"))?;
        let velocity = velocity.ok_or_else(|| format!("joint {name}: a velocity is missing"))?;
        Ok(Self { name, motion, position, velocity, acceleration, effort, reach_m })
    }
}

impl JointSpec {
    /// Its first impossible value: the key, and the value that was expected there.
    pub(crate) fn problem(&self) -> Option<(&'static str, String)> {
        if self.name.as_str().len() > NAME_BYTES_MAX {
            return Some(("name", format!("at most {NAME_BYTES_MAX} characters")));
        }
        let farthest = match self.motion {
            JointMotion::Turning => POSITION_RAD_MAX,
            JointMotion::Sliding => POSITION_M_MAX,
        };
        let [low, high] = self.position;
        if !(-farthest <= low && low < high && high <= farthest) {
            return Some(("position", format!("[lo, hi] with lo < hi, both within {farthest}")));
        }
        let above_zero = [
            ("velocity", Some(self.velocity)),
            ("acceleration", self.acceleration),
            ("effort", self.effort),
            ("reach_m", Some(self.reach_m)),
        ];
        // Written so that not-a-number is impossible too.
        let impossible = |number: f64| !(0.0 < number && number <= NUMBER_MAX);
        let (key, _) = above_zero.into_iter().find(|(_, number)| number.is_some_and(impossible))?;
        Some((key, format!("above 0, at most {NUMBER_MAX}")))
    }
}

impl ActuatorKind {
    /// True if an actuator of this kind may have joints.
    pub(crate) const fn may_have_joints(self) -> bool {
        match self {
            Self::Tool | Self::Joints | Self::Gripper => true,
            Self::Base | Self::Switch => false,
        }
    }
}
