//! Telemetry of the site: its keys, their rates and payloads.

use robot::{Codec, Isometry, RobotId, StateKind, UnitQuaternion};
use safety::{JointPositions, MovingTransform};
use serde::Serialize;
use serde_json::json;

use crate::sim_robot::SimRobot;
use crate::world::SimWorld;

/// Steps of the site per second.
pub const STEPS_PER_S: u64 = 50;
/// Robot state, ten times a second.
const STATE_EVERY: u64 = STEPS_PER_S / 10;
/// Detections, twice a second.
const DETECTIONS_EVERY: u64 = STEPS_PER_S / 2;
/// Door, oven, calibration, battery: once a second.
const SLOW_EVERY: u64 = STEPS_PER_S;

/// One key of the site.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// The robot or sensor that publishes.
    pub source: String,
    /// The key.
    pub key: String,
    /// Encoding of its payloads.
    pub codec: Codec,
    /// Steps between two samples.
    pub every_steps: u64,
    what: What,
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    State(RobotId, StateKind),
    Battery(RobotId),
    Door(RobotId),
    Calibration,
    Detections,
    DetectionEnvelopes,
    Oven,
}

/// The times a payload carries, and whether its numbers are broken.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// Steps since the beginning; counts envelopes.
    pub step: u64,
    /// Unix milliseconds.
    pub wall_ms: i64,
    /// The pose is not a number.
    pub nan: bool,
}

/// Every key of the site.
#[must_use]
pub fn channels(world: &SimWorld) -> Vec<Channel> {
    let mut channels = Vec::new();
    let mut add = |source: &str, key: String, codec, every_steps, what| {
        channels.push(Channel { source: source.to_owned(), key, codec, every_steps, what });
    };
    for (id, robot) in &world.robots {
        let (name, out) = (id.as_str(), format!("{}/{id}/out", robot.manifest.site));
        for state in &robot.manifest.state {
            add(name, state.key.clone(), state.codec, STATE_EVERY, What::State(id.clone(), state.kind));
        }
        if robot.battery_percent.is_some() {
            add(name, format!("{out}/state/battery"), Codec::Json, SLOW_EVERY, What::Battery(id.clone()));
        }
        if robot.door.is_some() {
            add(name, format!("{out}/status"), Codec::Json, SLOW_EVERY, What::Door(id.clone()));
        }
        if robot.gripper.is_some() {
            add(name, format!("{out}/diag/calibration"), Codec::Json, SLOW_EVERY, What::Calibration);
        }
    }
    let (camera, envelopes) = ("lab/cam-1/out/detections".to_owned(), "lab/cam-1/vision/detections".to_owned());
    add("cam-1", camera, Codec::Json, DETECTIONS_EVERY, What::Detections);
    add("cam-1", envelopes, Codec::Cbor, DETECTIONS_EVERY, What::DetectionEnvelopes);
    add("oven-1", "lab/oven-1/out/state".to_owned(), Codec::Json, SLOW_EVERY, What::Oven);
    channels
}

impl Channel {
    /// The kind of robot state that it publishes; `None` if it publishes something else.
    #[must_use]
    pub const fn state_kind(&self) -> Option<StateKind> {
        match &self.what {
            What::State(_, kind) => Some(*kind),
            What::Battery(_) | What::Door(_) | What::Calibration => None,
            What::Detections | What::DetectionEnvelopes | What::Oven => None,
        }
    }

    /// The payloads of one moment: none if the robot has no such value, several for one envelope a detection.
    #[must_use]
    pub fn payloads(&self, world: &mut SimWorld, moment: Moment) -> Vec<Vec<u8>> {
        let payload = match &self.what {
            What::State(id, kind) => match world.robots.get(id) {
                Some(robot) => state(robot, *kind, moment),
                None => None,
            },
            What::Battery(id) => world.robots.get(id).and_then(|robot| robot.battery_percent).map(|percent| {
                json!({ "percent": (percent * 10.0).round() / 10.0, "stamp_ms": moment.wall_ms }).to_string()
            }),
            What::Door(id) => world
                .robots
                .get(id)
                .and_then(|robot| robot.door.as_ref())
                .map(|door| json!({ "status": if door.open { "open" } else { "closed" } }).to_string()),
            What::Calibration => Some(json!({ "done": world.calibrated() }).to_string()),
            What::Detections => Some(json!(world.detections()).to_string()),
            What::DetectionEnvelopes => return envelopes(world, moment),
            What::Oven => Some(
                json!({ "temperature": (world.oven.temperature * 10.0).round() / 10.0, "smoke": world.oven.smoke })
                    .to_string(),
            ),
        };
        payload.map(String::into_bytes).into_iter().collect()
    }
}

fn state(robot: &SimRobot, kind: StateKind, moment: Moment) -> Option<String> {
    let mover = robot.mover.as_ref()?;
    let (frame, stamp_ms) = (&robot.manifest.default_frame, moment.wall_ms);
    match kind {
        // The literal that Python's `json` prints; no JSON value stands for it.
        StateKind::Pose if moment.nan => {
            Some(format!(r#"{{"frame":"{frame}","position_m":[NaN,NaN,NaN],"stamp_ms":{stamp_ms}}}"#))
        }
        StateKind::Pose => {
            let shown = robot.shown()?;
            let orientation = UnitQuaternion::from_yaw_rad(shown.yaw_rad).xyzw();
            let position_m = shown.position_m;
            Some(
                json!({ "frame": frame, "position_m": position_m, "orientation": orientation, "stamp_ms": stamp_ms })
                    .to_string(),
            )
        }
        StateKind::Velocity => {
            let angular_radps = [0.0, 0.0, mover.yaw_rate_radps];
            let linear_mps = mover.velocity_mps;
            Some(json!({ "linear_mps": linear_mps, "angular_radps": angular_radps, "stamp_ms": stamp_ms }).to_string())
        }
        StateKind::Force => Some(json!({ "force_n": 0.0, "stamp_ms": stamp_ms }).to_string()),
        StateKind::Joints => {
            let JointPositions { names, positions } = robot.joints()?;
            Some(json!({ "names": names, "positions": positions, "stamp_ms": stamp_ms }).to_string())
        }
        StateKind::Frame => {
            let MovingTransform { parent, child, parent_from_child, .. } = robot.tray()?;
            let Isometry { translation_m, rotation } = parent_from_child;
            Some(
                json!({ "parent": parent, "child": child, "translation_m": translation_m,
                    "rotation_xyzw": rotation.xyzw(), "stamp_ms": stamp_ms })
                .to_string(),
            )
        }
    }
}

#[derive(Serialize)]
struct Envelope<T> {
    header: Header,
    body: T,
}

#[derive(Serialize)]
struct Header {
    ts_ns: i64,
    monotonic_seq: u64,
    source_instance: &'static str,
    schema_uri: &'static str,
}

fn envelopes(world: &mut SimWorld, moment: Moment) -> Vec<Vec<u8>> {
    let count = moment.step / DETECTIONS_EVERY;
    let detections = world.detections();
    let per_moment = detections.len() as u64;
    let numbered = detections.into_iter().zip(0..);
    numbered
        .filter_map(|(body, i)| {
            let header = Header {
                ts_ns: moment.wall_ms.saturating_mul(1_000_000),
                // Consecutive over all moments: a gap would look like a lost message.
                monotonic_seq: count * per_moment + i,
                source_instance: "cam-1",
                schema_uri: "quarterdeck:detection/1",
            };
            let mut payload = Vec::new();
            let written = ciborium::into_writer(&Envelope { header, body }, &mut payload);
            written.map(|()| payload).inspect_err(|error| tracing::error!(%error, "a detection was not encoded")).ok()
        })
        .collect()
}

#[cfg(test)]
mod tests;
