//! Constraints and the strict reading of their parameters.

use robot::{ActuatorId, ConstraintId, FrameId, MissionId, RobotId};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Unit;

/// The constraint types this version reads, in the order in which errors list them.
const TYPES: [&str; 4] = ["workspace", "max_velocity", "forbidden_zone", "max_force"];
/// The longest `params_json`, bytes: the longest legal form is about 200.
const PARAMS_BYTES_MAX: usize = 4096;
/// The farthest a bound may be from its frame's origin, metres.
const DISTANCE_M_MAX: f64 = 1e4;
/// The highest speed limit, metres per second.
const SPEED_MPS_MAX: f64 = 100.0;
/// The highest force limit, newtons.
const FORCE_N_MAX: f64 = 1e5;

/// What a constraint demands. Its JSON is the form of `list_constraints`: `{"Workspace": {"x": [-1, 1], …}}`.
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
}

/// Why parameters are refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct ParamsError {
    /// The failing field, for example `params_json.x[0]`.
    pub path: String,
    /// What is wrong there.
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
    /// What it demands.
    pub kind: ConstraintKind,
    /// Who made it.
    pub created_by: String,
    /// Why it was made.
    pub reason: Option<String>,
}

impl ConstraintKind {
    /// The `constraint_type` of the wire.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Workspace { .. } => "workspace",
            Self::MaxVelocity(_) => "max_velocity",
            Self::ForbiddenZone { .. } => "forbidden_zone",
            Self::MaxForce(_) => "max_force",
        }
    }

    /// The unit of its numbers.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self {
            Self::Workspace { .. } | Self::ForbiddenZone { .. } => Unit::M,
            Self::MaxVelocity(_) => Unit::Mps,
            Self::MaxForce(_) => Unit::N,
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
                    check_range(&format!(".center[{i}]"), *part, -DISTANCE_M_MAX, DISTANCE_M_MAX)?;
                }
                if !(*radius > 0.0) {
                    return Err(params_error(".radius", "must be above 0"));
                }
                check_range(".radius", *radius, 0.0, DISTANCE_M_MAX)
            }
            Self::MaxForce(force_n) => check_range("", *force_n, 0.0, FORCE_N_MAX),
        }
    }
}

/// Reads `params_json` as the parameters of `constraint_type`. Extra or repeated keys, text for numbers and values
/// out of range are errors that name the field.
pub fn parse_params(constraint_type: &str, params_json: &str) -> Result<ConstraintKind, ParamsError> {
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
            let center = params.center.as_slice().try_into();
            let center = center.map_err(|_| params_error(".center", "must be three numbers [x, y, z]"))?;
            ConstraintKind::ForbiddenZone { center, radius: params.radius }
        }
        "max_force" => ConstraintKind::MaxForce(read(params_json)?),
        unknown => {
            let unknown: String = unknown.chars().take(80).collect();
            let message = format!("unknown type {unknown:?}; the types are {}", TYPES.join(", "));
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
    json.end().map_err(|error| params_error("", error.to_string()))?;
    Ok(value)
}

fn span(axis: &str, numbers: &[f64]) -> Result<[f64; 2], ParamsError> {
    numbers.try_into().map_err(|_| params_error(&format!(".{axis}"), "must be two numbers [min, max]"))
}

fn check_span(axis: &str, [min, max]: [f64; 2]) -> Result<(), ParamsError> {
    check_range(&format!(".{axis}[0]"), min, -DISTANCE_M_MAX, DISTANCE_M_MAX)?;
    check_range(&format!(".{axis}[1]"), max, -DISTANCE_M_MAX, DISTANCE_M_MAX)?;
    if min < max { Ok(()) } else { Err(params_error(&format!(".{axis}"), "min must be below max")) }
}

fn check_range(path: &str, number: f64, low: f64, high: f64) -> Result<(), ParamsError> {
    if low <= number && number <= high {
        return Ok(());
    }
    Err(params_error(path, format!("must be a number from {low} to {high}")))
}

fn params_error(path: &str, message: impl Into<String>) -> ParamsError {
    ParamsError { path: format!("params_json{path}"), message: message.into() }
}

#[cfg(test)]
mod tests;
