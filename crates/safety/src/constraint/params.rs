//! Constraints and the strict reading of their parameters.

use robot::{ActuatorId, ConstraintId, FrameId, MissionId, Reason, RobotId};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::constraint::joints::{JointLimits, JointLimitsKeys};
use crate::{Kind, Unit};

/// The longest `params_json`, bytes: the longest legal form is about 200.
const PARAMS_BYTES_MAX: usize = 4096;
/// The farthest a bound may be from its frame's origin, metres.
const DISTANCE_M_MAX: f64 = 1e4;
/// The highest speed limit, metres per second.
const SPEED_MPS_MAX: f64 = 100.0;
/// The highest force limit, newtons.
const FORCE_N_MAX: f64 = 1e5;
/// The highest acceleration limit, metres per second squared.
const ACCELERATION_MPS2_MAX: f64 = 100.0;
/// The legal rates of commands, hertz.
const RATE_HZ: [f64; 2] = [1.0, 200.0];
/// The legal numbers of commands at once.
const BURST: [u32; 2] = [1, 50];
/// The strongest braking an approach may count on, metres per second squared.
const APPROACH_DECEL_MPS2_MAX: f64 = 20.0;
/// The highest speed that is allowed however near a limit is, metres per second.
const APPROACH_FLOOR_MPS_MAX: f64 = 0.25;

/// The demand of a constraint. Its JSON is the form of `list_constraints`: `{"Workspace": {"x": [-1, 1], …}}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub enum ConstraintKind {
    /// Stay inside a box, `[min, max]` per axis, metres.
    #[expect(missing_docs, reason = "one field per axis")]
    Workspace { x: [f64; 2], y: [f64; 2], z: [f64; 2] },
    /// Never faster, metres per second.
    MaxVelocity(f64),
    /// Stay outside a sphere.
    ForbiddenZone {
        /// Its centre, metres.
        center: [f64; 3],
        /// Its radius, metres.
        radius: f64,
    },
    /// Never push harder, newtons.
    MaxForce(f64),
    /// Stay outside a box.
    KeepOutBox {
        /// Its lowest corner, metres.
        min: [f64; 3],
        /// Its highest corner, metres.
        max: [f64; 3],
    },
    /// Keep one joint within its limits.
    JointLimits(JointLimits),
    /// Never change a velocity faster from one set-point to the next, metres per second squared.
    MaxAcceleration(f64),
    /// Never take commands of one actuator faster. The gate counts them with a [`RateMeter`](crate::RateMeter);
    /// a judgement sees one command only.
    CommandRate {
        /// The actuator.
        actuator: ActuatorId,
        /// Commands per second in the long run.
        hz: f64,
        /// Commands that may come at once after a rest.
        burst: u32,
    },
    /// Never a longer step from the measured position to a goal, or from one goal to the next, metres.
    GoalJump(f64),
    /// Never need more room to stop, metres.
    StoppingDistance(f64),
    /// Be slow near limits: at most `max(floor, sqrt(2 * decel * d))`, `d` being the least distance of the way to a
    /// face of a workspace or to a forbidden region.
    ApproachSpeed {
        /// The braking that is counted on, metres per second squared.
        decel_mps2: f64,
        /// The speed that is allowed at any distance, metres per second.
        floor_mps: f64,
    },
}

/// A demand about the place of the robot's point, metres in the constraint's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlaceLimit {
    /// Stay inside a box.
    #[expect(missing_docs, reason = "one field per axis")]
    Workspace { x: [f64; 2], y: [f64; 2], z: [f64; 2] },
    /// Stay outside a sphere.
    ForbiddenZone {
        /// Its centre.
        center: [f64; 3],
        /// Its radius.
        radius: f64,
    },
    /// Stay outside a box.
    KeepOutBox {
        /// Its lowest corner.
        min: [f64; 3],
        /// Its highest corner.
        max: [f64; 3],
    },
}

/// A demand that a sensor is held against while the robot moves.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MeasuredLimit<'a> {
    /// The highest speed, metres per second.
    Speed(f64),
    /// The highest force, newtons.
    Force(f64),
    /// The limits of one joint.
    Joint(&'a JointLimits),
}

/// A refusal of parameters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct ParamsError {
    /// The failing field, for example `params_json.x[0]`.
    pub path: String,
    /// Description of the fault.
    pub message: String,
}

/// A constraint with its scope. It binds the robot it names, or every robot of the mission it names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// Its id.
    pub id: ConstraintId,
    /// The robot it binds.
    pub robot: Option<RobotId>,
    /// The mission it came with.
    pub mission: Option<MissionId>,
    /// The only actuator it binds; all of them if none is named.
    pub actuator: Option<ActuatorId>,
    /// The frame of its numbers; the robot's default frame if none is named.
    pub frame: Option<FrameId>,
    /// Its demand.
    pub kind: ConstraintKind,
    /// Its author.
    pub created_by: String,
    /// The reason for it.
    pub reason: Option<String>,
}

impl Constraint {
    /// True if it stands in the robot's manifest and is changed there.
    #[must_use]
    pub fn is_of_manifest(&self) -> bool {
        self.id.as_str().starts_with("manifest-")
    }

    /// True if it binds `actuator`.
    pub(crate) fn binds(&self, actuator: &ActuatorId) -> bool {
        self.actuator.as_ref().is_none_or(|bound| bound == actuator)
    }
}

impl ConstraintKind {
    /// The types that [`parse_params`] reads, in the order in which errors and descriptions list them.
    pub const TYPES: [&str; 11] = [
        "workspace",
        "max_velocity",
        "forbidden_zone",
        "max_force",
        "keep_out_box",
        "joint_limits",
        "max_acceleration",
        "command_rate",
        "goal_jump",
        "stopping_distance",
        "approach_speed",
    ];

    /// The `constraint_type` of the wire.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Workspace { .. } => "workspace",
            Self::MaxVelocity(_) => "max_velocity",
            Self::ForbiddenZone { .. } => "forbidden_zone",
            Self::MaxForce(_) => "max_force",
            Self::KeepOutBox { .. } => "keep_out_box",
            Self::JointLimits(_) => "joint_limits",
            Self::MaxAcceleration(_) => "max_acceleration",
            Self::CommandRate { .. } => "command_rate",
            Self::GoalJump(_) => "goal_jump",
            Self::StoppingDistance(_) => "stopping_distance",
            Self::ApproachSpeed { .. } => "approach_speed",
        }
    }

    /// The unit of its numbers.
    #[must_use]
    pub fn unit(&self) -> Unit {
        if let Self::JointLimits(limits) = self { limits.units().0 } else { self.listed().0.unit() }
    }

    /// Its kind in a verdict, the code of its violation, and its number if it is one alone.
    pub(crate) const fn listed(&self) -> (Kind, Reason, f64) {
        match self {
            Self::Workspace { .. } => (Kind::Workspace, Reason::Workspace, f64::NAN),
            Self::MaxVelocity(limit) => (Kind::MaxVelocity, Reason::Velocity, *limit),
            Self::ForbiddenZone { .. } => (Kind::ForbiddenZone, Reason::ForbiddenZone, f64::NAN),
            Self::MaxForce(limit) => (Kind::MaxForce, Reason::Force, *limit),
            Self::KeepOutBox { .. } => (Kind::KeepOutBox, Reason::KeepOut, f64::NAN),
            Self::JointLimits(_) => (Kind::JointLimits, Reason::JointLimit, f64::NAN),
            Self::MaxAcceleration(limit) => (Kind::MaxAcceleration, Reason::Acceleration, *limit),
            Self::CommandRate { hz, .. } => (Kind::CommandRate, Reason::RateLimited, *hz),
            Self::GoalJump(limit) => (Kind::GoalJump, Reason::GoalJump, *limit),
            Self::StoppingDistance(limit) => (Kind::StoppingDistance, Reason::StoppingDistance, *limit),
            Self::ApproachSpeed { .. } => (Kind::ApproachSpeed, Reason::ApproachSpeed, f64::NAN),
        }
    }

    /// Its demand about places; `None` if it has none. Whatever is about places alone asks this, so that only a new
    /// kind of place has to be thought of there.
    #[must_use]
    pub const fn place(&self) -> Option<PlaceLimit> {
        match self {
            Self::Workspace { x, y, z } => Some(PlaceLimit::Workspace { x: *x, y: *y, z: *z }),
            Self::ForbiddenZone { center, radius } => {
                Some(PlaceLimit::ForbiddenZone { center: *center, radius: *radius })
            }
            Self::KeepOutBox { min, max } => Some(PlaceLimit::KeepOutBox { min: *min, max: *max }),
            Self::MaxVelocity(_) | Self::MaxForce(_) | Self::MaxAcceleration(_) | Self::JointLimits(_) => None,
            Self::CommandRate { .. } | Self::GoalJump(_) | Self::StoppingDistance(_) => None,
            Self::ApproachSpeed { .. } => None,
        }
    }

    /// Its demand that a sensor is held against, other than places; `None` if only commands are judged by it.
    pub(crate) const fn measured(&self) -> Option<MeasuredLimit<'_>> {
        match self {
            Self::MaxVelocity(speed_mps) => Some(MeasuredLimit::Speed(*speed_mps)),
            Self::MaxForce(force_n) => Some(MeasuredLimit::Force(*force_n)),
            Self::JointLimits(limits) => Some(MeasuredLimit::Joint(limits)),
            Self::Workspace { .. } | Self::ForbiddenZone { .. } | Self::KeepOutBox { .. } => None,
            Self::MaxAcceleration(_) | Self::CommandRate { .. } | Self::GoalJump(_) => None,
            Self::StoppingDistance(_) | Self::ApproachSpeed { .. } => None,
        }
    }

    /// Tests every number against its legal range; a kind read from a store has not been through [`parse_params`].
    pub(crate) fn check(&self) -> Result<(), ParamsError> {
        match self {
            Self::Workspace { x, y, z } => {
                check_span("x", *x)?;
                check_span("y", *y)?;
                check_span("z", *z)
            }
            Self::MaxVelocity(speed_mps) => check_range("", *speed_mps, 0.0, SPEED_MPS_MAX),
            Self::ForbiddenZone { center, radius } => {
                for (i, part) in center.iter().enumerate() {
                    check_range(&format!(".center[{i}]"), *part, f64::MIN, f64::MAX)?;
                }
                check_above_zero(".radius", *radius, DISTANCE_M_MAX)
            }
            Self::MaxForce(force_n) => check_range("", *force_n, 0.0, FORCE_N_MAX),
            Self::KeepOutBox { min, max } => check_corners(*min, *max),
            Self::JointLimits(limits) => limits.check(),
            Self::MaxAcceleration(limit_mps2) => check_above_zero("", *limit_mps2, ACCELERATION_MPS2_MAX),
            Self::CommandRate { actuator: _, hz, burst } => {
                check_range(".hz", *hz, RATE_HZ[0], RATE_HZ[1])?;
                check_range(".burst", f64::from(*burst), f64::from(BURST[0]), f64::from(BURST[1]))
            }
            // Any length is legal, so only what is not finite is too long.
            Self::GoalJump(length_m) | Self::StoppingDistance(length_m) => check_above_zero("", *length_m, f64::MAX),
            Self::ApproachSpeed { decel_mps2, floor_mps } => {
                check_above_zero(".decel_mps2", *decel_mps2, APPROACH_DECEL_MPS2_MAX)?;
                check_range(".floor_mps", *floor_mps, 0.0, APPROACH_FLOOR_MPS_MAX)
            }
        }
    }
}

/// Reads `params_json` as the parameters of `constraint_type`. Extra or repeated keys, text for numbers and values
/// out of range are errors that name the field.
pub fn parse_params(constraint_type: &str, params_json: &str) -> Result<ConstraintKind, ParamsError> {
    // Before anything is parsed: the text comes from agents, and its size must not cost memory.
    if params_json.len() > PARAMS_BYTES_MAX {
        return Err(params_error("", format!("must be at most {PARAMS_BYTES_MAX} bytes")));
    }
    let kind = match constraint_type {
        "workspace" => {
            let params: WorkspaceParams = read_object(params_json)?;
            ConstraintKind::Workspace { x: span("x", &params.x)?, y: span("y", &params.y)?, z: span("z", &params.z)? }
        }
        "max_velocity" => ConstraintKind::MaxVelocity(read(params_json)?),
        "forbidden_zone" => {
            let params: ZoneParams = read_object(params_json)?;
            ConstraintKind::ForbiddenZone { center: point("center", &params.center)?, radius: params.radius }
        }
        "max_force" => ConstraintKind::MaxForce(read(params_json)?),
        "keep_out_box" => {
            let params: BoxParams = read_object(params_json)?;
            ConstraintKind::KeepOutBox { min: point("min", &params.min)?, max: point("max", &params.max)? }
        }
        "joint_limits" => {
            let keys: JointLimitsKeys = read_object(params_json)?;
            ConstraintKind::JointLimits(keys.try_into()?)
        }
        "max_acceleration" => ConstraintKind::MaxAcceleration(read(params_json)?),
        "command_rate" => {
            let RateParams { actuator, hz, burst } = read_object(params_json)?;
            ConstraintKind::CommandRate { actuator, hz, burst }
        }
        "goal_jump" => ConstraintKind::GoalJump(read(params_json)?),
        "stopping_distance" => ConstraintKind::StoppingDistance(read(params_json)?),
        "approach_speed" => {
            let ApproachParams { decel_mps2, floor_mps } = read_object(params_json)?;
            ConstraintKind::ApproachSpeed { decel_mps2, floor_mps }
        }
        unknown => {
            // By characters: cutting bytes could split one and panic. The message goes back to the sender.
            let unknown: String = unknown.chars().take(80).collect();
            let message = format!("unknown type {unknown:?}; the types are {}", ConstraintKind::TYPES.join(", "));
            return Err(ParamsError { path: "constraint_type".into(), message });
        }
    };
    kind.check()?;
    Ok(kind)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkspaceParams {
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ZoneParams {
    center: Vec<f64>,
    radius: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoxParams {
    min: Vec<f64>,
    max: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RateParams {
    actuator: ActuatorId,
    hz: f64,
    burst: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ApproachParams {
    decel_mps2: f64,
    floor_mps: f64,
}

/// As [`read`], for forms that are JSON objects: serde would take a struct from an array as well.
fn read_object<T: DeserializeOwned>(params_json: &str) -> Result<T, ParamsError> {
    if !params_json.trim_start().starts_with('{') {
        return Err(params_error("", "must be a JSON object"));
    }
    read(params_json)
}

fn read<T: DeserializeOwned>(params_json: &str) -> Result<T, ParamsError> {
    let mut json = serde_json::Deserializer::from_str(params_json);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let path = if path == "." { String::new() } else { format!(".{path}") };
        params_error(&path, error.into_inner().to_string())
    })?;
    // A second value behind the first would be ignored, and the author may have meant that one.
    json.end().map_err(|error| params_error("", error.to_string()))?;
    Ok(value)
}

fn span(axis: &str, numbers: &[f64]) -> Result<[f64; 2], ParamsError> {
    numbers.try_into().map_err(|_| params_error(&format!(".{axis}"), "must be two numbers [min, max]"))
}

fn point(key: &str, numbers: &[f64]) -> Result<[f64; 3], ParamsError> {
    numbers.try_into().map_err(|_| params_error(&format!(".{key}"), "must be three numbers [x, y, z]"))
}

fn check_corners(min: [f64; 3], max: [f64; 3]) -> Result<(), ParamsError> {
    for axis in 0..3 {
        check_range(&format!(".min[{axis}]"), min[axis], -DISTANCE_M_MAX, DISTANCE_M_MAX)?;
        check_range(&format!(".max[{axis}]"), max[axis], -DISTANCE_M_MAX, DISTANCE_M_MAX)?;
        if !(min[axis] < max[axis]) {
            return Err(params_error(&format!(".min[{axis}]"), format!("must be below max[{axis}]")));
        }
    }
    Ok(())
}

fn check_span(axis: &str, [min, max]: [f64; 2]) -> Result<(), ParamsError> {
    check_range(&format!(".{axis}[0]"), min, -DISTANCE_M_MAX, DISTANCE_M_MAX)?;
    check_range(&format!(".{axis}[1]"), max, -DISTANCE_M_MAX, DISTANCE_M_MAX)?;
    if min < max { Ok(()) } else { Err(params_error(&format!(".{axis}"), "min must be below max")) }
}

pub(crate) fn check_range(path: &str, number: f64, low: f64, high: f64) -> Result<(), ParamsError> {
    if low <= number && number <= high {
        return Ok(());
    }
    Err(params_error(path, format!("must be a number from {low} to {high}")))
}

pub(crate) fn check_above_zero(path: &str, number: f64, high: f64) -> Result<(), ParamsError> {
    if 0.0 < number && number <= high {
        return Ok(());
    }
    let message = if number > 0.0 { format!("must be at most {high}") } else { "must be above 0".to_owned() };
    Err(params_error(path, message))
}

pub(crate) fn params_error(path: &str, message: impl Into<String>) -> ParamsError {
    ParamsError { path: format!("params_json{path}"), message: message.into() }
}

#[cfg(test)]
mod tests;
