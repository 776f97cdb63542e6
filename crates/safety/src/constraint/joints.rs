//! Limits of one joint: their strict form on the wire, what makes them wider than the robot's own.

use robot::{JointMotion, JointName, JointSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Unit;
use crate::constraint::params::{ParamsError, check_above_zero, check_range, params_error};

/// The farthest a joint may be limited to, radians or metres; the manifest's own bounds are narrower.
const POSITION_MAX: f64 = 1e4;
/// The highest speed, acceleration or effort, in any unit.
const NUMBER_MAX: f64 = 1e5;

/// Limits of one joint, in radians and newton metres, or in metres and newtons if it slides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "JointLimitsKeys", into = "JointLimitsKeys")]
#[schemars(with = "JointLimitsKeys")]
#[ts(as = "JointLimitsKeys")]
pub struct JointLimits {
    /// The joint.
    pub joint: JointName,
    /// Kind of motion: turning or sliding.
    pub motion: JointMotion,
    /// `[lo, hi]`.
    pub position: [f64; 2],
    /// Highest speed.
    pub velocity: f64,
    /// Highest acceleration.
    pub acceleration: Option<f64>,
    /// Highest torque or force.
    pub effort: Option<f64>,
}

/// The keys of the wire: those of a turning or of a sliding joint, never of both.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(rename = "JointLimits")]
pub(crate) struct JointLimitsKeys {
    joint: JointName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "[number, number]")]
    position_rad: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    velocity_radps: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    acceleration_radps2: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    effort_nm: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "[number, number]")]
    position_m: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    velocity_mps: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    acceleration_mps2: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    effort_n: Option<f64>,
}

/// The names of the keys of one kind of joint.
struct Keys {
    position: &'static str,
    velocity: &'static str,
    acceleration: &'static str,
    effort: &'static str,
}

const fn keys(motion: JointMotion) -> Keys {
    match motion {
        JointMotion::Turning => Keys {
            position: ".position_rad",
            velocity: ".velocity_radps",
            acceleration: ".acceleration_radps2",
            effort: ".effort_nm",
        },
        JointMotion::Sliding => Keys {
            position: ".position_m",
            velocity: ".velocity_mps",
            acceleration: ".acceleration_mps2",
            effort: ".effort_n",
        },
    }
}

impl TryFrom<JointLimitsKeys> for JointLimits {
    type Error = ParamsError;

    fn try_from(raw: JointLimitsKeys) -> Result<Self, ParamsError> {
        let turning = (raw.position_rad, raw.velocity_radps, raw.acceleration_radps2, raw.effort_nm);
        let sliding = (raw.position_m, raw.velocity_mps, raw.acceleration_mps2, raw.effort_n);
        let nothing = (None, None, None, None);
        let (motion, (position, velocity, acceleration, effort)) = match (turning == nothing, sliding == nothing) {
            (false, true) => (JointMotion::Turning, turning),
            (true, false) => (JointMotion::Sliding, sliding),
            (true, true) => return Err(params_error(".position_rad", "is missing (position_m for a sliding joint)")),
            (false, false) => return Err(params_error("", "must have the keys of a turning or of a sliding joint")),
        };
        let keys = keys(motion);
        let position = position.ok_or_else(|| params_error(keys.position, "is missing"))?;
        let position = position.try_into().map_err(|_| params_error(keys.position, "must be two numbers [lo, hi]"))?;
        let velocity = velocity.ok_or_else(|| params_error(keys.velocity, "is missing"))?;
        Ok(Self { joint: raw.joint, motion, position, velocity, acceleration, effort })
    }
}

impl From<JointLimits> for JointLimitsKeys {
    fn from(limits: JointLimits) -> Self {
        let JointLimits { joint, motion, position, velocity, acceleration, effort } = limits;
        let turns = motion == JointMotion::Turning;
        let (turning, sliding) =
            (|number: Option<f64>| number.filter(|_| turns), |number: Option<f64>| number.filter(|_| !turns));
        Self {
            joint,
            position_rad: turns.then(|| position.to_vec()),
            velocity_radps: turning(Some(velocity)),
            acceleration_radps2: turning(acceleration),
            effort_nm: turning(effort),
            position_m: (!turns).then(|| position.to_vec()),
            velocity_mps: sliding(Some(velocity)),
            acceleration_mps2: sliding(acceleration),
            effort_n: sliding(effort),
        }
    }
}

impl JointLimits {
    /// Limits that the manifest gives of the joint itself.
    pub(crate) fn of_manifest(spec: &JointSpec) -> Self {
        let JointSpec { name, motion, position, velocity, acceleration, effort, reach_m: _ } = spec.clone();
        Self { joint: name, motion, position, velocity, acceleration, effort }
    }

    /// The units of its position and of its speed.
    pub(crate) fn units(&self) -> (Unit, Unit) {
        match self.motion {
            JointMotion::Turning => (Unit::Rad, Unit::Radps),
            JointMotion::Sliding => (Unit::M, Unit::Mps),
        }
    }

    pub(crate) fn check(&self) -> Result<(), ParamsError> {
        let keys = keys(self.motion);
        let [low, high] = self.position;
        check_range(&format!("{}[0]", keys.position), low, -POSITION_MAX, POSITION_MAX)?;
        check_range(&format!("{}[1]", keys.position), high, -POSITION_MAX, POSITION_MAX)?;
        if !(low < high) {
            return Err(params_error(keys.position, "lo must be below hi"));
        }
        check_above_zero(keys.velocity, self.velocity, NUMBER_MAX)?;
        for (key, number) in [(keys.acceleration, self.acceleration), (keys.effort, self.effort)] {
            number.map_or(Ok(()), |number| check_above_zero(key, number, NUMBER_MAX))?;
        }
        Ok(())
    }

    /// The reason that these limits do not fit the joint: of the other kind, or wider than its own.
    pub(crate) fn problem_for(&self, spec: &JointSpec) -> Option<ParamsError> {
        let keys = keys(self.motion);
        if self.motion != spec.motion {
            let verb = match spec.motion {
                JointMotion::Turning => "turns",
                JointMotion::Sliding => "slides",
            };
            return Some(params_error(keys.position, format!("does not fit {}, which {verb}", spec.name)));
        }
        let [low, high] = spec.position;
        let wider =
            |key: &str, own: f64| Some(params_error(key, format!("must not be wider than the manifest's {own}")));
        if !(low <= self.position[0]) {
            return wider(&format!("{}[0]", keys.position), low);
        }
        if !(self.position[1] <= high) {
            return wider(&format!("{}[1]", keys.position), high);
        }
        let pairs = [
            (keys.velocity, Some(self.velocity), Some(spec.velocity)),
            (keys.acceleration, self.acceleration, spec.acceleration),
            (keys.effort, self.effort, spec.effort),
        ];
        pairs.into_iter().find_map(|(key, number, own)| {
            // A limit that either side leaves out cannot be wider: the manifest's own still binds beside this one.
            let (number, own) = number.zip(own)?;
            if number <= own { None } else { wider(key, own) }
        })
    }

    /// True if everything that `new` allows is allowed by this limit too.
    pub(crate) fn contains(&self, new: &Self) -> bool {
        let within = |old: Option<f64>, new: Option<f64>| match (old, new) {
            (None, _) => true,
            (Some(old), Some(new)) => new <= old,
            (Some(_), None) => false,
        };
        self.joint == new.joint
            && self.motion == new.motion
            && self.position[0] <= new.position[0]
            && new.position[1] <= self.position[1]
            && new.velocity <= self.velocity
            && within(self.acceleration, new.acceleration)
            && within(self.effort, new.effort)
    }
}
