//! Lines of the robot's program. Size, nesting and number of elements are bounded before anything is decoded.

use bridge::state::Velocity;
use robot::{FrameId, Instant, JointName, UnitQuaternion};
use safety::{JointPositions, Pose};
use serde::Deserialize;
use serde_json::Value;

use crate::adapter::{JointReading, Reading, ReadingValue};
use crate::adapters::bounds::is_bounded;

/// One line: exactly one of these.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// A measurement.
    Measured(Measurement),
    /// The message of this number was taken in.
    Ack(u64),
    /// The motion of this number is complete.
    Done(u64),
    /// The motion of this number was given up, or the stop of this number refused.
    Failed(u64),
    /// True while a person at the robot has control.
    Local(bool),
    /// Another source of motion, or none.
    Foreign(Option<String>),
}

/// A measurement as the program writes it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Measurement {
    Pose { stamp_ms: f64, frame: FrameId, position_m: [f64; 3], orientation: Option<UnitQuaternion> },
    Velocity { stamp_ms: f64, linear_mps: [f64; 3], angular_radps: [f64; 3] },
    Joints { stamp_ms: f64, names: Box<[JointName]>, positions: Box<[f64]> },
    Force { stamp_ms: f64, force_n: f64 },
    Extra { stamp_ms: f64, name: String, value: Value },
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Answer {
    Ack(u64),
    Done(u64),
    Failed(u64),
    Local(bool),
    Foreign(Option<String>),
}

/// The name of a foreign source is cut to this many characters.
const NAME_CHARS_MAX: usize = 64;

impl Line {
    /// True if it begins as a measurement does; nothing else of it is looked at.
    pub fn is_measurement(bytes: &[u8]) -> bool {
        let name = bytes.split(|byte| *byte == b'"').nth(1).unwrap_or_default();
        [&b"pose"[..], b"velocity", b"joints", b"force", b"extra"].contains(&name)
    }

    /// Reads one line; none if it is no line of this protocol.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        if !is_bounded(bytes) {
            return None;
        }
        // Nearly every line is a measurement.
        if let Ok(measured) = serde_json::from_slice(bytes) {
            return Some(Self::Measured(measured));
        }
        Some(match serde_json::from_slice(bytes).ok()? {
            Answer::Ack(id) => Self::Ack(id),
            Answer::Done(id) => Self::Done(id),
            Answer::Failed(id) => Self::Failed(id),
            Answer::Local(local) => Self::Local(local),
            Answer::Foreign(name) => Self::Foreign(name.map(|name| name.chars().take(NAME_CHARS_MAX).collect())),
        })
    }
}

impl Measurement {
    /// The measurement; none if it is not in the robot's own frame or not one that the wiring forwards.
    pub fn reading(self, arrived: Instant, default_frame: &FrameId, forward: &[String]) -> Option<Reading> {
        let (stamp_ms, value) = match self {
            Self::Pose { stamp_ms, frame, position_m, orientation } => {
                let pose = (frame == *default_frame).then_some(Pose { frame, position_m, orientation })?;
                (stamp_ms, ReadingValue::Pose(pose))
            }
            Self::Velocity { stamp_ms, linear_mps, angular_radps } => {
                (stamp_ms, ReadingValue::Velocity(Velocity { linear_mps, angular_radps }))
            }
            Self::Joints { stamp_ms, names, positions } => {
                (names.len() == positions.len()).then_some(())?;
                (
                    stamp_ms,
                    // The protocol has no speeds of joints: `velocity` says whether the robot stands.
                    ReadingValue::Joints(JointReading { positions: JointPositions { names, positions }, speeds: None }),
                )
            }
            Self::Force { stamp_ms, force_n } => (stamp_ms, ReadingValue::Force(force_n)),
            Self::Extra { stamp_ms, name, value } => {
                forward.contains(&name).then_some(())?;
                (stamp_ms, ReadingValue::Extra(name, value))
            }
        };
        Some(Reading { stamp_ms, arrived, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::bounds::{BYTES_MAX, ELEMENTS_MAX};

    fn frame() -> FrameId {
        "map".parse().unwrap()
    }

    fn reads(line: &str) -> bool {
        let read = Line::parse(line.as_bytes());
        read.is_some_and(|line| match line {
            Line::Measured(measured) => {
                measured.reading(Instant::default(), &frame(), &["battery".to_owned()]).is_some()
            }
            Line::Ack(_) | Line::Done(_) | Line::Failed(_) | Line::Local(_) | Line::Foreign(_) => true,
        })
    }

    #[test]
    fn rg_52_reads_every_line_of_the_protocol() {
        for line in [
            r#"{"pose":{"stamp_ms":1.5,"frame":"map","position_m":[1,2,0.5]}}"#,
            r#"{"pose":{"stamp_ms":1,"frame":"map","position_m":[1,2,0],"orientation":[0,0,0,1]}}"#,
            r#"{"velocity":{"stamp_ms":1,"linear_mps":[0,0,0],"angular_radps":[0,0,0]}}"#,
            r#"{"joints":{"stamp_ms":1,"names":["lift"],"positions":[0.5]}}"#,
            r#"{"force":{"stamp_ms":1,"force_n":2}}"#,
            r#"{"extra":{"stamp_ms":1,"name":"battery","value":{"percent":80}}}"#,
            r#"{"ack":7}"#,
            r#"{"done":7}"#,
            r#"{"failed":7}"#,
            r#"{"local":true}"#,
            r#"{"foreign":"joystick"}"#,
            r#"{"foreign":null}"#,
        ] {
            assert!(reads(line), "{line}");
        }
    }

    #[test]
    fn rg_05_rg_52_refuses_everything_else_before_it_is_decoded() {
        let nested =
            format!(r#"{{"extra":{{"stamp_ms":1,"name":"battery","value":{}1{}}}}}"#, "[".repeat(15), "]".repeat(15));
        let many = format!(r#"{{"joints":{{"stamp_ms":1,"names":[],"positions":[{}0]}}}}"#, "0,".repeat(ELEMENTS_MAX));
        let long = format!(r#"{{"foreign":"{}"}}"#, "x".repeat(BYTES_MAX));
        for line in [
            "",
            "hello",
            "{}",
            "[]",
            r#"{"ack":7,"done":7}"#,
            r#"{"ack":-1}"#,
            r#"{"ack":"7"}"#,
            r#"{"pose":{"stamp_ms":1,"frame":"odom","position_m":[1,2,0]}}"#,
            r#"{"pose":{"stamp_ms":1,"frame":"map","position_m":[1,2]}}"#,
            r#"{"pose":{"stamp_ms":1,"frame":"map","position_m":[NaN,2,0]}}"#,
            r#"{"pose":{"stamp_ms":1,"frame":"map","position_m":[1e999,2,0]}}"#,
            r#"{"pose":{"stamp_ms":1,"frame":"map","position_m":[1,2,0],"orientation":[0,0,0,2]}}"#,
            r#"{"pose":{"frame":"map","position_m":[1,2,0]}}"#,
            r#"{"velocity":{"stamp_ms":1,"linear_mps":[0,0,0],"angular_radps":[0,0,0],"override":1}}"#,
            r#"{"joints":{"stamp_ms":1,"names":["lift"],"positions":[]}}"#,
            r#"{"extra":{"stamp_ms":1,"name":"secret","value":1}}"#,
            &nested,
            &many,
            &long,
        ] {
            assert!(!reads(line), "{}", &line[..line.len().min(100)]);
        }
        assert!(reads(&nested.replacen('[', "", 1).replacen(']', "", 1)), "one less is read");
    }
}
