//! The robot's state as its gate knows it: for the judgement with the time of each measurement, and as samples for
//! stations.

mod joints;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

#[cfg(any(feature = "exec", feature = "ros2", feature = "vda5050"))]
use bridge::envelope::GateFault;
use bridge::robot_gate::{MeasuredSpeed, OwnState};
use bridge::state::Velocity;
use robot::{Instant, Manifest, Now, StateKind};
use safety::{Fresh, GATE_AGE_MS_MAX, JointPositions, Measured, Pose};
use serde_json::{Value, json};

use crate::adapter::{JointReading, Reading, ReadingValue};
use crate::ages::{SourceClock, StaleStamp};
use joints::{JointTrail, has_measured_joints};

/// Samples of one kind are at least this far apart.
const SAMPLE_EVERY: Duration = Duration::from_millis(50);
/// The way within this time contradicts a speed that is reported as standstill.
const WAY_WITHIN: Duration = Duration::from_millis(300);
/// Poses that are kept for that; a robot that sends more of them is measured over a shorter time.
const POSES_MAX: usize = 128;

/// Name under which unreadable messages are forwarded.
#[cfg(any(feature = "ros2", feature = "vda5050"))]
pub const UNREADABLE: &str = "unreadable";
/// Name under which the other commander is forwarded, null while there is none.
#[cfg(any(feature = "ros2", feature = "vda5050"))]
pub const COMMANDER: &str = "commander";

/// The other commander that was told last; none before the first.
#[cfg(any(feature = "ros2", feature = "vda5050"))]
#[derive(Default)]
pub struct Commander(Option<Option<String>>);

#[cfg(any(feature = "ros2", feature = "vda5050"))]
impl Commander {
    /// The reading of a commander that is another one than before.
    pub fn reading(&mut self, other: Option<&String>, now: Instant) -> Option<Reading> {
        if self.0.as_ref().is_some_and(|told| told.as_ref() == other) {
            return None;
        }
        self.0 = Some(other.cloned());
        let value = ReadingValue::Extra(COMMANDER.to_owned(), json!({ "other": other }));
        Some(Reading { stamp_ms: now.0 as f64 / 1e6, arrived: now, value })
    }
}

/// Tells of a silence once, when it begins.
#[cfg(any(feature = "exec", feature = "ros2", feature = "vda5050"))]
#[derive(Default)]
pub struct Silence(bool);

#[cfg(any(feature = "exec", feature = "ros2", feature = "vda5050"))]
impl Silence {
    /// True while it lasts.
    #[cfg(feature = "exec")]
    pub const fn lasts(&self) -> bool {
        self.0
    }

    /// The fault, if it was not silent at the last look.
    pub fn fault(&mut self, is_silent: bool) -> Option<GateFault> {
        let was_silent = std::mem::replace(&mut self.0, is_silent);
        (is_silent && !was_silent).then_some(GateFault::Silent)
    }
}

/// A kind of sample that goes to stations.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Channel {
    /// A source of the manifest.
    State(ChannelKind),
    /// A value that the wiring forwards under this name.
    Extra(String),
}

/// The kinds of state that a gate publishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChannelKind {
    Pose,
    Velocity,
    Joints,
    Force,
}

impl ChannelKind {
    /// The kind of a source in a manifest; none for a moving frame, which no adapter reports.
    #[must_use]
    pub const fn of(kind: StateKind) -> Option<Self> {
        match kind {
            StateKind::Pose => Some(Self::Pose),
            StateKind::Velocity => Some(Self::Velocity),
            StateKind::Joints => Some(Self::Joints),
            StateKind::Force => Some(Self::Force),
            StateKind::Frame => None,
        }
    }
}

/// Everything that was measured last.
#[derive(Debug, Default)]
pub struct Sources {
    clocks: BTreeMap<Channel, SourceClock>,
    pose: Option<Measured<Pose>>,
    velocity: Option<Measured<Velocity>>,
    joints: JointTrail,
    /// Positions of the last moment, oldest first.
    way: VecDeque<Measured<[f64; 3]>>,
    /// Samples that no station has been told of yet.
    fresh: BTreeMap<Channel, Measured<Value>>,
    published: BTreeMap<Channel, Instant>,
    stale: u64,
}

impl Sources {
    /// Takes in a measurement. One that has no time makes its source unknown until the next that has.
    pub fn note(&mut self, reading: Reading) {
        let Reading { stamp_ms, arrived, value } = reading;
        let channel = channel(&value);
        let observed = self.clocks.entry(channel.clone()).or_default().observed(arrived, stamp_ms);
        let Ok(observed) = observed.inspect_err(|why: &StaleStamp| tracing::debug!(?channel, ?why, "a stale stamp"))
        else {
            self.stale += 1;
            // An earlier value must not stand for a newer one that has no time: the source is unknown meanwhile.
            return self.forget(&value);
        };
        self.fresh.insert(channel, Measured { value: payload(&value), observed });
        match value {
            ReadingValue::Pose(pose) => {
                self.note_way(pose.position_m, observed);
                self.pose = Some(Measured { value: pose, observed });
            }
            ReadingValue::Velocity(velocity) => self.velocity = Some(Measured { value: velocity, observed }),
            ReadingValue::Joints(joints) => self.joints.note(joints, observed),
            // Nothing is judged by them at the gate; stations get them as samples.
            ReadingValue::Force(_) | ReadingValue::Extra(..) => {}
        }
    }

    /// The number of measurements whose stamps gave them no time.
    #[must_use]
    pub const fn stale(&self) -> u64 {
        self.stale
    }

    /// The state that commands are judged in.
    #[must_use]
    pub fn own_state(&self, manifest: &Manifest, local: bool, now: Instant) -> OwnState {
        // Switches move nothing through space, so that there is nothing to measure.
        let speed = if manifest.switches_only() {
            Some(Measured { value: MeasuredSpeed { speed_mps: 0.0, standstill: true }, observed: now })
        } else {
            self.speed(manifest)
        };
        OwnState { pose: self.pose.clone(), joints: self.joints.positions(), transforms: Vec::new(), speed, local }
    }

    /// The reported velocity, metres and radians per second, if it was measured lately.
    #[must_use]
    pub fn velocity_at(&self, now: Instant) -> Option<[f64; 6]> {
        let lately = Fresh::from(self.velocity.clone()).measured(now, GATE_AGE_MS_MAX).ok().cloned()?;
        let Velocity { linear_mps: [x, y, z], angular_radps: [a, b, c] } = lately.value;
        Some([x, y, z, a, b, c])
    }

    /// The reported speed, or the least that the way shows if that is larger. Without a reported one there is none:
    /// poses tell of the least speed only. A robot of joints reports that of each of them; one that reports both
    /// moves if either says so.
    fn speed(&self, manifest: &Manifest) -> Option<Measured<MeasuredSpeed>> {
        let stop = &manifest.stop;
        let of_body = self.velocity.as_ref().map(|Measured { value, observed }| {
            let turning_radps = value.angular_radps.iter().map(|part| part * part).sum::<f64>().sqrt();
            let standstill = turning_radps <= stop.standstill_radps;
            Measured { value: MeasuredSpeed { speed_mps: value.speed_mps(), standstill }, observed: *observed }
        });
        let mut of_joints = self.joints.speed(manifest);
        if of_body.is_some() && of_joints.is_none() && has_measured_joints(manifest) {
            // The speed of the body says nothing of an arm on it. Its positions show whether it moves; without them nobody
            // knows.
            of_joints = Some(self.joints.shown_speed(manifest)?);
        }
        // As old as the older of the two, so that a source that died does not hide behind the other.
        let both = [of_body, of_joints];
        let Measured { value, observed } = both.into_iter().flatten().reduce(|one, other| {
            let speed_mps = one.value.speed_mps.max(other.value.speed_mps);
            let standstill = one.value.standstill && other.value.standstill;
            Measured { value: MeasuredSpeed { speed_mps, standstill }, observed: one.observed.min(other.observed) }
        })?;
        // Poses can contradict a reported standstill and never prove one (decisions 0091 and 0103).
        let speed_mps = value.speed_mps.max(self.least_mps(manifest));
        let standstill = value.standstill && speed_mps <= stop.standstill_mps;
        Some(Measured { value: MeasuredSpeed { speed_mps, standstill }, observed })
    }

    /// The robot was at least this fast in the last moment, whatever the error of its positions.
    fn least_mps(&self, manifest: &Manifest) -> f64 {
        let (Some(first), Some(last)) = (self.way.front(), self.way.back()) else { return 0.0 };
        let span_s = last.observed.since(first.observed).as_secs_f64();
        let way_m = first.value.iter().zip(last.value).map(|(from, to)| (to - from).powi(2)).sum::<f64>().sqrt();
        // Both ends of the way may be wrong by the whole error, in opposite directions.
        let certain_m = way_m - 2.0 * manifest.body.localisation_error_m;
        if certain_m > 0.0 && span_s > 0.0 { certain_m / span_s } else { 0.0 }
    }

    fn note_way(&mut self, position_m: [f64; 3], observed: Instant) {
        self.way.push_back(Measured { value: position_m, observed });
        let is_old = |at: &Measured<[f64; 3]>| observed.since(at.observed) > WAY_WITHIN;
        while self.way.len() > POSES_MAX || self.way.front().is_some_and(is_old) {
            self.way.pop_front();
        }
    }

    fn forget(&mut self, value: &ReadingValue) {
        match value {
            ReadingValue::Pose(_) => {
                self.pose = None;
                // The way would lead over the gap, at a speed that nothing has measured.
                self.way.clear();
            }
            ReadingValue::Velocity(_) => self.velocity = None,
            ReadingValue::Joints(_) => self.joints = JointTrail::default(),
            ReadingValue::Force(_) | ReadingValue::Extra(..) => {}
        }
        self.fresh.remove(&channel(value));
    }

    /// The samples that are due, stamped with the time of measurement by the gate's wall clock.
    pub fn samples(&mut self, now: Now) -> Vec<(Channel, Vec<u8>)> {
        let due =
            |channel: &Channel| self.published.get(channel).is_none_or(|last| now.station.since(*last) >= SAMPLE_EVERY);
        let channels: Vec<Channel> = self.fresh.keys().filter(|channel| due(channel)).cloned().collect();
        let mut samples = Vec::new();
        for channel in channels {
            let Some(Measured { value: mut payload, observed }) = self.fresh.remove(&channel) else { continue };
            // The robot's clock may show any time, so that stations get the time of this computer.
            let age_ms = i64::try_from(now.station.ms_since(observed)).unwrap_or(i64::MAX);
            if let Some(fields) = payload.as_object_mut() {
                fields.insert("stamp_ms".to_owned(), json!(now.wall_ms.saturating_sub(age_ms)));
            }
            self.published.insert(channel.clone(), now.station);
            samples.push((channel, payload.to_string().into_bytes()));
        }
        samples
    }
}

fn channel(value: &ReadingValue) -> Channel {
    match value {
        ReadingValue::Pose(_) => Channel::State(ChannelKind::Pose),
        ReadingValue::Velocity(_) => Channel::State(ChannelKind::Velocity),
        ReadingValue::Joints(_) => Channel::State(ChannelKind::Joints),
        ReadingValue::Force(_) => Channel::State(ChannelKind::Force),
        ReadingValue::Extra(name, _) => Channel::Extra(name.clone()),
    }
}

/// The manifest's form of a measurement, still without its stamp.
fn payload(value: &ReadingValue) -> Value {
    match value {
        ReadingValue::Pose(Pose { frame, position_m, orientation }) => {
            json!({ "frame": frame, "position_m": position_m, "orientation": orientation })
        }
        ReadingValue::Velocity(Velocity { linear_mps, angular_radps }) => {
            json!({ "linear_mps": linear_mps, "angular_radps": angular_radps })
        }
        ReadingValue::Joints(JointReading { positions: JointPositions { names, positions }, .. }) => {
            json!({ "names": names, "positions": positions })
        }
        ReadingValue::Force(force_n) => json!({ "force_n": force_n }),
        ReadingValue::Extra(_, value) => json!({ "value": value }),
    }
}
