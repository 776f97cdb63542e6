//! Phrases of goals and motions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use ts_rs::TS;

use super::seconds;

/// A goal or a deed in a phrase.
#[derive(Debug, Clone, PartialEq, Error, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
#[ts(rename = "MissionGoalPhrase")]
#[schemars(rename = "MissionGoalPhrase")]
pub enum GoalPhrase {
    /// A sentence that the agent makes true.
    #[error("“{text}”{}", until(rule.as_deref()))]
    Wish {
        /// The beginning of the sentence.
        text: String,
        /// It is done once this holds.
        rule: Option<String>,
    },
    /// A step by its name alone.
    #[error("{name}")]
    Name {
        /// The name.
        name: String,
    },
    /// A step with a name.
    #[error("{name}: {does}")]
    Named {
        /// The name.
        name: String,
        /// The step.
        does: Box<GoalPhrase>,
    },
    /// A call of an operation.
    #[error("{operation}{}", behind(input.as_deref()))]
    Call {
        /// The operation.
        operation: String,
        /// The beginning of its input.
        input: Option<String>,
    },
    /// A motion.
    #[error("{target} {motion}{}{}", force(*force_n), in_frame(frame.as_deref()))]
    Moves {
        /// The robot and its actuator.
        target: String,
        /// The motion.
        motion: MotionPhrase,
        /// The highest force, newtons.
        force_n: Option<f64>,
        /// The frame of its places.
        frame: Option<String>,
    },
    /// A wait for a predicate.
    #[error("wait until {rule}, at most {}", seconds(*secs))]
    WaitUntil {
        /// The predicate.
        rule: String,
        /// Seconds after which it has failed.
        secs: u32,
    },
    /// A wait.
    #[error("wait {}", seconds(*secs))]
    Wait {
        /// Seconds.
        secs: u32,
    },
    /// A turn of the agent.
    #[error("a turn of the agent with the mission's text")]
    Turn,
    /// Nothing.
    #[error("nothing")]
    Nothing,
}

/// A motion in a phrase, behind its actuator.
#[derive(Debug, Clone, PartialEq, Error, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
#[ts(rename = "MissionMotionPhrase")]
#[schemars(rename = "MissionMotionPhrase")]
pub enum MotionPhrase {
    /// To a place.
    #[error("goes to ({}) m{}{}", places(to_m), oriented(orientation.as_deref()), at_speed(*speed, "m/s"))]
    Goes {
        /// The place, metres.
        to_m: Vec<f64>,
        /// The orientation there, a unit quaternion x, y, z, w; none if it may be any.
        orientation: Option<Vec<f64>>,
        /// The highest speed, metres per second.
        speed: Option<f64>,
    },
    /// Along points.
    #[error("follows {points} points to ({}) m{}", places(to_m), at_speed(*speed, "m/s"))]
    Follows {
        /// Their number.
        points: usize,
        /// The last of them, metres.
        to_m: Vec<f64>,
        /// The highest speed, metres per second.
        speed: Option<f64>,
    },
    /// At a velocity.
    #[error("moves at ({}) m/s{}", places(velocity_mps), turning(turning_radps))]
    Drives {
        /// The velocity, metres per second.
        velocity_mps: Vec<f64>,
        /// The rate of turn about each axis, radians per second.
        turning_radps: Vec<f64>,
    },
    /// Joints to places.
    #[error("brings its joints to {}{}", joint_places(joints), at_speed(*speed, "rad/s or m/s"))]
    Joints {
        /// The joints.
        joints: Vec<JointPlace>,
        /// The highest speed, radians or metres per second.
        speed: Option<f64>,
    },
    /// A gripper.
    #[error("opens {opening_m} m{}", at_speed(*speed, "m/s"))]
    Opens {
        /// The opening, metres.
        opening_m: f64,
        /// The highest speed, metres per second.
        speed: Option<f64>,
    },
    /// A switch on.
    #[error("switches on")]
    SwitchesOn,
    /// A switch off.
    #[error("switches off")]
    SwitchesOff,
    /// Out of a place where it may not be.
    #[error("leaves for ({}) m", places(to_m))]
    Leaves {
        /// The place, metres.
        to_m: Vec<f64>,
    },
}

/// A joint with its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(rename = "MissionJointPlace")]
#[schemars(rename = "MissionJointPlace")]
pub struct JointPlace {
    /// The joint.
    pub joint: String,
    /// Radians or metres.
    pub at: f64,
}

fn until(rule: Option<&str>) -> String {
    rule.map_or_else(String::new, |rule| format!(", done when {rule}"))
}

fn behind(input: Option<&str>) -> String {
    input.map_or_else(String::new, |input| format!(" {input}"))
}

fn force(force_n: Option<f64>) -> String {
    force_n.map_or_else(String::new, |force| format!(", at most {force} N"))
}

fn in_frame(frame: Option<&str>) -> String {
    frame.map_or_else(String::new, |frame| format!(" in {frame}"))
}

fn at_speed(speed: Option<f64>, unit: &str) -> String {
    speed.map_or_else(String::new, |speed| format!(", at most {speed} {unit}"))
}

fn oriented(orientation: Option<&[f64]>) -> String {
    orientation.map_or_else(String::new, |parts| format!(", oriented ({})", places(parts)))
}

/// Nothing for a motion that goes straight.
fn turning(radps: &[f64]) -> String {
    if radps.iter().all(|part| *part == 0.0) {
        return String::new();
    }
    format!(", turning at ({}) rad/s", places(radps))
}

fn places(parts: &[f64]) -> String {
    parts.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
}

fn joint_places(joints: &[JointPlace]) -> String {
    joints.iter().map(|JointPlace { joint, at }| format!("{joint} {at}")).collect::<Vec<_>>().join(", ")
}
