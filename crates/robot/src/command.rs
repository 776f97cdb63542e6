//! Commands to a robot: the form callers send, and the form the safety engine judges.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    Actuator, ActuatorId, ActuatorKind, ApprovalId, CommandId, FrameId, Instant, JointName, Manifest, MissionId,
    Reason, RobotId, StationId, UnitQuaternion,
};

/// The most points a path may have.
#[must_use]
pub const fn path_points_max() -> usize {
    10_000
}

/// Legal time-to-live of a goal, milliseconds.
const GOAL_TTL_MS: std::ops::RangeInclusive<u32> = 200..=5_000;
/// A goal's time-to-live if none is given, milliseconds.
const GOAL_TTL_MS_DEFAULT: u32 = 2_000;
/// Legal time-to-live of a velocity set-point, milliseconds.
const SET_POINT_TTL_MS: std::ops::RangeInclusive<u32> = 50..=1_000;

/// A command as a caller writes it. Numbers may still be anything; [`parse_command`] decides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RawCommand {
    /// Made by the caller so that a repeat acts once; the station makes one if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub id: Option<CommandId>,
    /// The robot.
    pub robot: RobotId,
    /// The actuator of that robot.
    pub actuator: ActuatorId,
    /// The frame positions and velocities are in; the robot's default frame if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub frame: Option<FrameId>,
    /// The largest force the motion may apply, newtons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub force_n: Option<f64>,
    /// Time to live of the command, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ttl_ms: Option<u32>,
    /// The mission it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mission_id: Option<MissionId>,
    /// The motion.
    pub motion: RawMotion,
}

/// A motion as a caller writes it: exactly one of the named forms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RawMotion {
    /// Go to a place.
    PoseGoal(RawPoseGoal),
    /// Follow points in order.
    Path(RawPath),
    /// Move at a velocity until the time-to-live ends.
    Velocity(RawVelocity),
    /// Bring every joint to a position.
    Joints(RawJoints),
    /// Open or close a gripper.
    Gripper(RawGripper),
    /// Turn a switch on or off.
    Switch(RawSwitch),
    /// Leave a place where the robot may not be.
    Escape(RawEscape),
}

/// `{"position_m": [x, y, z], "orientation": [x, y, z, w], "speed_mps": v}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RawPoseGoal {
    /// Three coordinates, metres.
    pub position_m: Vec<f64>,
    /// Four numbers `[x, y, z, w]` of length 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub orientation: Option<Vec<f64>>,
    /// Largest speed on the way, metres per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub speed_mps: Option<f64>,
    /// Time for the whole way, seconds; used for the speed if `speed_mps` is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub duration_s: Option<f64>,
}

/// `{"points_m": [[x, y, z], …], "speed_mps": v}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RawPath {
    /// Points of three coordinates each, metres.
    pub points_m: Vec<Vec<f64>>,
    /// Speed along the path, metres per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub speed_mps: Option<f64>,
}

/// `{"linear_mps": [x, y, z], "angular_radps": [x, y, z]}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RawVelocity {
    /// Three components, metres per second.
    pub linear_mps: Vec<f64>,
    /// Three components, radians per second.
    pub angular_radps: Vec<f64>,
}

/// `{"names": ["shoulder", …], "positions_rad": [a, …], "speed_radps": v}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RawJoints {
    /// The names of all joints of the actuator, in the manifest's order.
    pub names: Vec<String>,
    /// A position for each: radians, metres for a sliding joint.
    pub positions_rad: Vec<f64>,
    /// Largest speed of any joint, radians (metres) per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub speed_radps: Option<f64>,
}

/// `{"position_m": [x, y, z], "speed_mps": v}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RawEscape {
    /// Three coordinates, metres.
    pub position_m: Vec<f64>,
    /// Speed on the way, metres per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub speed_mps: Option<f64>,
}

/// `{"opening_m": d, "speed_mps": v}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RawGripper {
    /// Distance between the fingers, metres.
    pub opening_m: f64,
    /// Finger speed, metres per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub speed_mps: Option<f64>,
}

/// `{"on": true}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RawSwitch {
    /// The wanted position.
    pub on: bool,
}

/// Source of a command; decides its rank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A person, by name.
    Person(String),
    /// A mission.
    Mission(MissionId),
    /// The agent, through a proposal a person approved.
    Agent,
}

/// Orders commands of one station to one robot: a lower epoch, or a sequence number not above the last, is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseToken {
    /// The station that holds the claim.
    pub station: StationId,
    /// Rises on every claim, release and restart.
    pub epoch: u64,
    /// Rises with every command.
    pub seq: u64,
}

/// A motion whose numbers are finite and whose arity is right.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Motion {
    /// Go to a place.
    PoseGoal {
        /// Metres, in the command's frame.
        position_m: [f64; 3],
        /// Wanted orientation.
        orientation: Option<UnitQuaternion>,
        /// Largest speed, metres per second.
        speed_mps: Option<f64>,
        /// Time for the whole way, seconds.
        duration_s: Option<f64>,
    },
    /// Follow points in order.
    Path {
        /// Metres, in the command's frame; at least one, at most [`path_points_max`].
        points_m: Box<[[f64; 3]]>,
        /// Metres per second.
        speed_mps: Option<f64>,
    },
    /// Move at a velocity until the time-to-live ends.
    Velocity {
        /// Metres per second.
        linear_mps: [f64; 3],
        /// Radians per second.
        angular_radps: [f64; 3],
    },
    /// Bring every joint of the actuator to a position.
    Joints {
        /// All its joints, in the manifest's order.
        names: Box<[JointName]>,
        /// As many; radians, metres for a sliding joint.
        positions_rad: Box<[f64]>,
        /// Largest speed of any joint, radians (metres) per second.
        speed_radps: Option<f64>,
    },
    /// Open or close a gripper.
    Gripper {
        /// Metres between the fingers.
        opening_m: f64,
        /// Metres per second.
        speed_mps: Option<f64>,
    },
    /// Turn a switch.
    Switch {
        /// The wanted position.
        on: bool,
    },
    /// Leave a place where the robot may not be, straight.
    Escape {
        /// Metres, in the command's frame.
        position_m: [f64; 3],
        /// Metres per second.
        speed_mps: Option<f64>,
    },
}

impl Motion {
    /// True if it moves the point that poses are about.
    #[must_use]
    pub const fn is_through_space(&self) -> bool {
        match self {
            Self::PoseGoal { .. } | Self::Path { .. } | Self::Velocity { .. } => true,
            Self::Joints { .. } | Self::Escape { .. } => true,
            Self::Gripper { .. } | Self::Switch { .. } => false,
        }
    }

    /// True if an actuator of `kind` can carry it out.
    #[must_use]
    pub const fn fits(&self, kind: ActuatorKind) -> bool {
        match (kind, self) {
            (ActuatorKind::Tool | ActuatorKind::Base, Self::PoseGoal { .. } | Self::Path { .. }) => true,
            (ActuatorKind::Tool | ActuatorKind::Base, Self::Velocity { .. } | Self::Escape { .. }) => true,
            (ActuatorKind::Tool | ActuatorKind::Joints, Self::Joints { .. }) => true,
            (ActuatorKind::Gripper, Self::Gripper { .. }) | (ActuatorKind::Switch, Self::Switch { .. }) => true,
            (ActuatorKind::Tool | ActuatorKind::Base, Self::Gripper { .. } | Self::Switch { .. }) => false,
            (ActuatorKind::Base, Self::Joints { .. }) => false,
            (ActuatorKind::Gripper | ActuatorKind::Switch | ActuatorKind::Joints, _) => false,
        }
    }
}

/// A command with finite SI numbers in a named frame. Only [`parse_command`] makes one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields repeat those of `RawCommand` and `ParseContext`, documented there")]
pub struct Command {
    pub id: CommandId,
    pub robot: RobotId,
    pub actuator: ActuatorId,
    pub source: Source,
    pub mission: Option<MissionId>,
    pub lease: LeaseToken,
    pub issued_at: Instant,
    pub ttl_ms: u32,
    pub frame: FrameId,
    pub motion: Motion,
    pub force_n: Option<f64>,
    pub approval: Option<ApprovalId>,
}

/// Parts that the station adds to a raw command; a caller cannot set any of them.
#[derive(Debug, Clone)]
pub struct ParseContext {
    /// Used if the caller gave none.
    pub fresh_id: CommandId,
    /// Source of the command.
    pub source: Source,
    /// Its place in the order of commands.
    pub lease: LeaseToken,
    /// Station clock at arrival.
    pub issued_at: Instant,
    /// The approval it was sent under.
    pub approval: Option<ApprovalId>,
}

/// Refusal of a raw command that is no command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {expected}")]
pub struct Rejection {
    /// The frozen code.
    pub reason: Reason,
    /// Path of the failing field.
    pub field: &'static str,
    /// Value that was expected there.
    pub expected: String,
}

fn reject(reason: Reason, field: &'static str, expected: impl Into<String>) -> Rejection {
    Rejection { reason, field, expected: expected.into() }
}

/// Checks everything about `raw` that needs no robot state: actuator, motion form, arity, finiteness, time-to-live.
pub fn parse_command(raw: &RawCommand, manifest: &Manifest, context: ParseContext) -> Result<Command, Rejection> {
    let Some(actuator) = manifest.actuators.iter().find(|actuator| actuator.id == raw.actuator) else {
        let known: Vec<_> = manifest.actuators.iter().map(|actuator| actuator.id.as_str()).collect();
        return Err(reject(Reason::UnknownActuator, "actuator", format!("one of: {}", known.join(", "))));
    };
    let motion = parse_motion(&raw.motion, actuator)?;
    check_fits(actuator.kind, &motion)?;
    let force_n = raw.force_n.map(|force_n| finite(force_n, "force_n")).transpose()?;
    // A force below zero would be within every limit.
    if force_n.is_some_and(|force_n| force_n < 0.0) {
        return Err(reject(Reason::Force, "force_n", "a force of 0 N or more"));
    }
    Ok(Command {
        id: raw.id.unwrap_or(context.fresh_id),
        robot: raw.robot.clone(),
        actuator: raw.actuator.clone(),
        source: context.source,
        mission: raw.mission_id.clone(),
        lease: context.lease,
        issued_at: context.issued_at,
        ttl_ms: parse_ttl(raw.ttl_ms, &motion, actuator.set_point_ttl_ms)?,
        frame: raw.frame.clone().unwrap_or_else(|| manifest.default_frame.clone()),
        motion,
        force_n,
        approval: context.approval,
    })
}

fn parse_motion(raw: &RawMotion, actuator: &Actuator) -> Result<Motion, Rejection> {
    Ok(match raw {
        RawMotion::PoseGoal(goal) => Motion::PoseGoal {
            position_m: vector(&goal.position_m, "motion.pose_goal.position_m")?,
            orientation: goal.orientation.as_deref().map(parse_orientation).transpose()?,
            speed_mps: parse_speed(goal.speed_mps, "motion.pose_goal.speed_mps")?,
            duration_s: parse_duration(goal.duration_s)?,
        },
        RawMotion::Path(path) => Motion::Path {
            points_m: parse_points(&path.points_m)?,
            speed_mps: parse_speed(path.speed_mps, "motion.path.speed_mps")?,
        },
        RawMotion::Velocity(velocity) => Motion::Velocity {
            linear_mps: vector(&velocity.linear_mps, "motion.velocity.linear_mps")?,
            angular_radps: vector(&velocity.angular_radps, "motion.velocity.angular_radps")?,
        },
        RawMotion::Gripper(gripper) => Motion::Gripper {
            opening_m: finite(gripper.opening_m, "motion.gripper.opening_m")?,
            speed_mps: parse_speed(gripper.speed_mps, "motion.gripper.speed_mps")?,
        },
        RawMotion::Joints(joints) => Motion::Joints {
            names: parse_joint_names(&joints.names, actuator)?,
            positions_rad: parse_joint_positions(&joints.positions_rad, actuator)?,
            speed_radps: parse_speed(joints.speed_radps, "motion.joints.speed_radps")?,
        },
        RawMotion::Switch(switch) => Motion::Switch { on: switch.on },
        RawMotion::Escape(escape) => Motion::Escape {
            position_m: vector(&escape.position_m, "motion.escape.position_m")?,
            speed_mps: parse_speed(escape.speed_mps, "motion.escape.speed_mps")?,
        },
    })
}

/// All joints of the actuator in its own order: a vector in another order would move the wrong joints.
fn parse_joint_names(names: &[String], actuator: &Actuator) -> Result<Box<[JointName]>, Rejection> {
    let own = actuator.joints.iter().map(|joint| &joint.name);
    // Without joints an empty list of names would pass as all of them.
    if !actuator.joints.is_empty() && own.clone().map(JointName::as_str).eq(names.iter().map(String::as_str)) {
        return Ok(own.cloned().collect());
    }
    let own: Vec<_> = own.map(JointName::as_str).collect();
    let expected = if own.is_empty() {
        format!("names of joints, and {} has none", actuator.id)
    } else {
        format!("exactly {}", own.join(", "))
    };
    Err(reject(Reason::JointNames, "motion.joints.names", expected))
}

fn parse_joint_positions(positions: &[f64], actuator: &Actuator) -> Result<Box<[f64]>, Rejection> {
    const FIELD: &str = "motion.joints.positions_rad";
    if positions.len() != actuator.joints.len() {
        let expected = format!("{} numbers, not {}", actuator.joints.len(), positions.len());
        return Err(reject(Reason::JointNames, FIELD, expected));
    }
    positions.iter().map(|position| finite(*position, FIELD)).collect()
}

fn check_fits(kind: ActuatorKind, motion: &Motion) -> Result<(), Rejection> {
    if motion.fits(kind) {
        return Ok(());
    }
    Err(reject(Reason::Schema, "motion", format!("a motion that a {kind} actuator can do")))
}

fn parse_points(points: &[Vec<f64>]) -> Result<Box<[[f64; 3]]>, Rejection> {
    const FIELD: &str = "motion.path.points_m";
    if points.len() > path_points_max() {
        // Before the points are copied and judged: the bound keeps a hostile path cheap.
        return Err(reject(Reason::TooLarge, FIELD, format!("at most {} points", path_points_max())));
    }
    if points.is_empty() {
        return Err(reject(Reason::BadArity, FIELD, "at least one point"));
    }
    points.iter().map(|point| vector(point, FIELD)).collect()
}

fn parse_orientation(parts: &[f64]) -> Result<UnitQuaternion, Rejection> {
    const FIELD: &str = "motion.pose_goal.orientation";
    let xyzw: [f64; 4] =
        parts.try_into().map_err(|_| reject(Reason::BadOrientation, FIELD, "four numbers [x, y, z, w]"))?;
    UnitQuaternion::new(xyzw).ok_or_else(|| reject(Reason::BadOrientation, FIELD, "a quaternion of length 1"))
}

fn parse_speed(speed_mps: Option<f64>, field: &'static str) -> Result<Option<f64>, Rejection> {
    let speed_mps = speed_mps.map(|speed| finite(speed, field)).transpose()?;
    match speed_mps {
        Some(speed) if speed < 0.0 => Err(reject(Reason::Velocity, field, "a speed of 0 m/s or more")),
        Some(_) | None => Ok(speed_mps),
    }
}

fn parse_duration(duration_s: Option<f64>) -> Result<Option<f64>, Rejection> {
    const FIELD: &str = "motion.pose_goal.duration_s";
    let duration_s = duration_s.map(|duration| finite(duration, FIELD)).transpose()?;
    match duration_s {
        Some(duration) if duration <= 0.0 => Err(reject(Reason::Velocity, FIELD, "a duration above 0 s")),
        Some(_) | None => Ok(duration_s),
    }
}

fn parse_ttl(ttl_ms: Option<u32>, motion: &Motion, set_point_ttl_ms: u32) -> Result<u32, Rejection> {
    let (range, default) = match motion {
        // A velocity acts until it is renewed, so that it lives for a second at most; a goal ends by itself.
        Motion::Velocity { .. } => (SET_POINT_TTL_MS, set_point_ttl_ms),
        Motion::PoseGoal { .. } | Motion::Path { .. } | Motion::Joints { .. } | Motion::Escape { .. } => {
            (GOAL_TTL_MS, GOAL_TTL_MS_DEFAULT)
        }
        Motion::Gripper { .. } | Motion::Switch { .. } => (GOAL_TTL_MS, GOAL_TTL_MS_DEFAULT),
    };
    let ttl_ms = ttl_ms.unwrap_or(default);
    if range.contains(&ttl_ms) {
        return Ok(ttl_ms);
    }
    Err(reject(Reason::Schema, "ttl_ms", format!("{} to {} ms", range.start(), range.end())))
}

fn vector(parts: &[f64], field: &'static str) -> Result<[f64; 3], Rejection> {
    let parts: [f64; 3] =
        parts.try_into().map_err(|_| reject(Reason::BadArity, field, format!("3 numbers, not {}", parts.len())))?;
    if parts.iter().all(|part| part.is_finite()) {
        return Ok(parts);
    }
    Err(reject(Reason::NonFinite, field, "finite numbers"))
}

fn finite(number: f64, field: &'static str) -> Result<f64, Rejection> {
    if number.is_finite() { Ok(number) } else { Err(reject(Reason::NonFinite, field, "a finite number")) }
}

#[cfg(test)]
mod tests;
