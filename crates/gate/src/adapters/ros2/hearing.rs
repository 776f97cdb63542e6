//! Messages of the robot become measurements. What cannot be read is counted by its topic and changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use std::time::Duration;

use bridge::state::Velocity;
use robot::{FrameId, Instant, JointName, UnitQuaternion};
use ros2::{Definition, built_in};
use safety::{JointPositions, Pose};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::document;
use super::frames::Frames;
use super::message::{Flag, JointState, Odometry, TransformList};
use super::wiring::{PoseSource, Ros2Wiring};
use crate::adapter::{JointReading, Reading, ReadingValue};
use crate::sources::UNREADABLE;

/// The largest message that is looked at, bytes.
pub const MESSAGE_BYTES_MAX: usize = 1 << 20;
/// Joints, or transforms, of one message.
const ELEMENTS_MAX: usize = 10_000;
/// A reason is cut to this many characters: it may quote the robot.
const REASON_CHARS_MAX: usize = 200;
/// Two lines of the log about one topic are at least this far apart: a reason may have a number that changes.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// A topic that is read, by the measurements that it gives.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Odometry: the pose, the velocity, or both.
    Odometry {
        /// Its pose is the robot's.
        pose: bool,
        /// Its twist is the robot's velocity.
        velocity: bool,
    },
    /// TransformList between frames.
    Tf {
        /// They hold for ever.
        is_static: bool,
    },
    /// Joints.
    Joints,
    /// The robot's word that it takes goals.
    Ready,
    /// Anything, by the name in the wiring.
    Extra(String),
}

/// The topics of a wiring whose types are known beforehand: name, type and what they are read for.
#[must_use]
pub fn sources(wiring: &Ros2Wiring) -> Vec<(String, &'static str, Source)> {
    const ODOMETRY: &str = "nav_msgs/msg/Odometry";
    let velocity = wiring.velocity.as_ref().map(|topic| wiring.absolute(topic));
    let mut sources = Vec::new();
    match &wiring.pose {
        PoseSource::Odom(topic) => {
            let topic = wiring.absolute(topic);
            let is_both = velocity.as_ref() == Some(&topic);
            sources.push((topic, ODOMETRY, Source::Odometry { pose: true, velocity: is_both }));
        }
        PoseSource::Tf(transform) => {
            let moving = wiring.absolute(&transform.topic);
            let lasting = format!("{moving}_static");
            let source = |topic, is_static| (topic, "tf2_msgs/msg/TFMessage", Source::Tf { is_static });
            sources.extend([source(moving, false), source(lasting, true)]);
        }
    }
    if let Some(topic) = velocity.filter(|topic| sources.iter().all(|(other, ..)| other != topic)) {
        sources.push((topic, ODOMETRY, Source::Odometry { pose: false, velocity: true }));
    }
    if let Some(topic) = &wiring.joints {
        sources.push((wiring.absolute(topic), "sensor_msgs/msg/JointState", Source::Joints));
    }
    if let Some(ready) = &wiring.ready {
        sources.push((wiring.absolute(&ready.topic), "std_msgs/msg/Bool", Source::Ready));
    }
    sources
}

/// Reads the messages of one robot.
pub struct Reader {
    pose: PoseSource,
    frame: FrameId,
    frames: Frames,
    /// Robot's time of the last pose that was composed of transforms.
    composed_ms: Option<f64>,
    /// Rotation of the robot in the default frame, and its arrival.
    rotation: Option<(UnitQuaternion, Instant)>,
    ready: Option<bool>,
    /// The robot's time of the last message of each topic of measurements.
    stamps: BTreeMap<String, f64>,
    unreadable: BTreeMap<String, Unreadable>,
}

/// The messages of a topic that could not be read.
#[derive(Default)]
struct Unreadable {
    count: u64,
    /// That of the last.
    reason: String,
    /// The line of the log that was written last, and its time.
    logged: Option<(String, Instant)>,
}

impl Reader {
    /// Of a robot whose poses are in `frame`.
    pub fn new(pose: PoseSource, frame: FrameId) -> Self {
        let (frames, stamps, unreadable) = Default::default();
        Self { pose, frame, frames, composed_ms: None, rotation: None, ready: None, stamps, unreadable }
    }

    /// Rotation of the robot in the default frame, and its arrival.
    pub const fn rotation(&self) -> Option<(UnitQuaternion, Instant)> {
        self.rotation
    }

    /// The robot's word that it takes goals; none if it has told nothing.
    pub const fn ready(&self) -> Option<bool> {
        self.ready
    }

    /// The measurements of one message.
    pub fn read(
        &mut self,
        topic: &str,
        source: &Source,
        definition: &Definition,
        message: &[u8],
        arrived: Instant,
    ) -> Vec<Reading> {
        let read = if message.len() > MESSAGE_BYTES_MAX {
            Err(format!("{} bytes", message.len()))
        } else {
            match source {
                Source::Odometry { pose, velocity } => self.odometry(topic, message, (*pose, *velocity), arrived),
                Source::Tf { is_static } => self.transforms(topic, message, *is_static, arrived),
                Source::Joints => joints(message, arrived).map(|reading| self.unless_repeated(topic, reading)),
                Source::Ready => self.note_ready(message),
                Source::Extra(name) => extra(name, message, definition, arrived),
            }
        };
        read.unwrap_or_else(|reason| vec![self.refuse(topic, reason, arrived)])
    }

    /// Counts an unreadable message, and says so.
    pub fn refuse(&mut self, topic: &str, reason: String, arrived: Instant) -> Reading {
        let reason: String = reason.chars().take(REASON_CHARS_MAX).collect();
        let row = self.unreadable.entry(topic.to_owned()).or_default();
        row.count += 1;
        // One line of the log for each reason, not for each message.
        if row.logged.as_ref().is_none_or(|(last, at)| *last != reason && arrived.since(*at) >= LOG_EVERY) {
            tracing::warn!(topic, reason, "a message of the robot cannot be read");
            row.logged = Some((reason.clone(), arrived));
        }
        row.reason = reason;
        let rows = self
            .unreadable
            .iter()
            .map(|(topic, row)| (topic.clone(), json!({ "count": row.count, "reason": row.reason })));
        let value = Value::Object(rows.collect());
        Reading { stamp_ms: ms(arrived), arrived, value: ReadingValue::Extra(UNREADABLE.to_owned(), value) }
    }

    fn odometry(
        &mut self,
        topic: &str,
        message: &[u8],
        wanted: (bool, bool),
        arrived: Instant,
    ) -> Result<Vec<Reading>, String> {
        let odometry: Odometry = typed("nav_msgs/msg/Odometry", message)?;
        let stamp_ms = odometry.header.stamp.ms();
        let pose = wanted.0.then(|| self.place_of(&odometry)).transpose()?;
        let twist = wanted.1.then(|| odometry.twist.twist.finite().ok_or("a velocity is not finite")).transpose()?;
        if self.is_repeated(topic, stamp_ms) {
            return Ok(Vec::new());
        }
        let mut readings = Vec::new();
        if let Some((position_m, rotation)) = pose {
            self.rotation = Some((rotation, arrived));
            readings.push(Reading { stamp_ms, arrived, value: self.pose(position_m, rotation) });
        }
        // A twist is in the robot's own frame; without its rotation nobody can say where it leads.
        if let Some(([linear_mps, angular_radps], (rotation, _))) = twist.zip(self.rotation) {
            let [linear_mps, angular_radps] = [linear_mps, angular_radps].map(|part| rotation.rotate(part));
            let value = ReadingValue::Velocity(Velocity { linear_mps, angular_radps });
            readings.push(Reading { stamp_ms, arrived, value });
        }
        Ok(readings)
    }

    /// Position and rotation by odometry, if it is in the default frame.
    fn place_of(&self, odometry: &Odometry) -> Result<([f64; 3], UnitQuaternion), String> {
        let frame = odometry.header.frame_id.trim_start_matches('/');
        if frame != self.frame.as_str() {
            return Err(format!("its frame is {frame:?}, and the manifest's is {:?}", self.frame.as_str()));
        }
        let position_m = odometry.pose.pose.position.finite().ok_or("a position is not finite")?;
        let rotation = odometry.pose.pose.orientation.unit().ok_or("an orientation is none")?;
        Ok((position_m, rotation))
    }

    /// True of the stamp that the topic's last message had. A driver that hangs repeats its message, which is no
    /// measurement: with it, what is old would pass for fresh and a silence for none.
    fn is_repeated(&mut self, topic: &str, stamp_ms: f64) -> bool {
        self.stamps.insert(topic.to_owned(), stamp_ms) == Some(stamp_ms)
    }

    fn unless_repeated(&mut self, topic: &str, reading: Reading) -> Vec<Reading> {
        if self.is_repeated(topic, reading.stamp_ms) { Vec::new() } else { vec![reading] }
    }

    fn note_ready(&mut self, message: &[u8]) -> Result<Vec<Reading>, String> {
        // A message that cannot be read must not leave an earlier `true` standing.
        self.ready = None;
        let Flag { data } = typed("std_msgs/msg/Bool", message)?;
        self.ready = Some(data);
        Ok(Vec::new())
    }

    fn transforms(
        &mut self,
        topic: &str,
        message: &[u8],
        is_static: bool,
        arrived: Instant,
    ) -> Result<Vec<Reading>, String> {
        let TransformList { transforms } = typed("tf2_msgs/msg/TFMessage", message)?;
        if transforms.len() > ELEMENTS_MAX {
            return Err(format!("{} transforms", transforms.len()));
        }
        let mut refused = None;
        for transform in &transforms {
            // One that cannot be used takes none of the others with it.
            refused = self.frames.note(transform, is_static, arrived).err().or(refused);
        }
        let refused = refused.map(|reason| self.refuse(topic, reason.to_owned(), arrived));
        Ok(refused.into_iter().chain(self.composed(arrived)).collect())
    }

    /// The pose that the transforms make, if it is another one than before.
    fn composed(&mut self, arrived: Instant) -> Option<Reading> {
        let PoseSource::Tf(transform) = &self.pose else { return None };
        let place = self.frames.place(&transform.parent, &transform.child)?;
        // It is as old as its oldest link: others of the chain make it no younger.
        let stamp_ms = place.stamp_ms.filter(|stamp_ms| self.composed_ms != Some(*stamp_ms))?;
        self.composed_ms = Some(stamp_ms);
        self.rotation = Some((place.rotation, arrived));
        Some(Reading { stamp_ms, arrived, value: self.pose(place.position_m, place.rotation) })
    }

    fn pose(&self, position_m: [f64; 3], rotation: UnitQuaternion) -> ReadingValue {
        ReadingValue::Pose(Pose { frame: self.frame.clone(), position_m, orientation: Some(rotation) })
    }
}

fn joints(message: &[u8], arrived: Instant) -> Result<Reading, String> {
    let JointState { header, name, position, velocity } = typed("sensor_msgs/msg/JointState", message)?;
    // With other counts it would be a guess which joint a position belongs to.
    if name.len() != position.len() || name.len() > ELEMENTS_MAX {
        return Err(format!("{} names and {} positions", name.len(), position.len()));
    }
    if !position.iter().all(|position| position.is_finite()) {
        return Err("a position is not finite".to_owned());
    }
    if !velocity.is_empty() && velocity.len() != name.len() {
        return Err(format!("{} names and {} velocities", name.len(), velocity.len()));
    }
    if let Some(joint) = twice(&name) {
        return Err(format!("{joint:?} is there twice"));
    }
    let names: Result<Box<[JointName]>, _> = name.iter().map(JointName::new).collect();
    let names = names.map_err(|error| error.to_string())?;
    let positions = JointPositions { names, positions: position.into() };
    let speeds = (!velocity.is_empty()).then(|| velocity.into());
    let value = ReadingValue::Joints(JointReading { positions, speeds });
    Ok(Reading { stamp_ms: header.stamp.ms(), arrived, value })
}

/// A name that stands in the list more than once: nobody can say which of its positions is the joint's.
fn twice(names: &[String]) -> Option<&str> {
    let mut seen = BTreeSet::new();
    names.iter().map(String::as_str).find(|name| !seen.insert(*name))
}

fn extra(name: &str, message: &[u8], definition: &Definition, arrived: Instant) -> Result<Vec<Reading>, String> {
    let value = document::read(message, definition)?;
    let part = |part: &str| value.pointer(&format!("/header/stamp/{part}")).and_then(Value::as_f64);
    let stamp_ms = match (part("sec"), part("nanosec")) {
        // A stamp of zero was never set.
        (Some(sec), Some(nanosec)) if sec > 0.0 => sec * 1e3 + nanosec / 1e6,
        (_, _) => ms(arrived),
    };
    Ok(vec![Reading { stamp_ms, arrived, value: ReadingValue::Extra(name.to_owned(), value) }])
}

fn typed<T: DeserializeOwned>(name: &str, message: &[u8]) -> Result<T, String> {
    let definition = built_in().get(name).ok_or("its type is unknown")?;
    ros2::read(message, definition, PhantomData).map_err(|error| error.to_string())
}

fn ms(at: Instant) -> f64 {
    at.0 as f64 / 1e6
}

#[cfg(test)]
mod tests;
