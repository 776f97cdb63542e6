//! Messages of the vehicle become measurements. What cannot be read is counted by its topic and changes nothing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::f64::consts::{PI, TAU};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridge::envelope::GateFault;
use bridge::state::Velocity;
use robot::{FrameId, Instant, UnitQuaternion};
use safety::Pose;
use serde_json::{Value, json};

use super::message::{self, Connection, Measured, Position, Speed, State, VehicleError, Visualization};
use super::wiring::Vda5050Wiring;
use crate::adapter::{Reading, ReadingValue};
use crate::sources::UNREADABLE;

/// Measurements that wait for the deciding thread: what comes within its longest tick.
const READINGS_MAX: usize = 1_024;
/// Errors that wait for it.
const ERRORS_MAX: usize = 64;
/// A vehicle sends its state at every change and every 30 s at the latest.
const STATE_MAX: Duration = Duration::from_secs(35);
/// Time between the headings that a rate of turn is taken from, milliseconds.
const TURN_MS_MIN: f64 = 50.0;
/// Topics that are counted.
const TOPICS_MAX: usize = 16;

/// The vehicle's topics and its version of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Everything before the last part of a topic.
    pub root: String,
    /// Its version, as it writes it.
    pub version: String,
}

impl Address {
    /// True from version 3 on.
    pub fn is_v3(&self) -> bool {
        let major = self.version.split('.').next().and_then(|major| major.parse::<u32>().ok());
        major.is_some_and(|major| major >= 3)
    }
}

/// The vehicle's place, and the time at which it was told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Metres.
    pub at_m: [f64; 2],
    /// Radians.
    pub theta_rad: f64,
    /// Arrival.
    pub arrived: Instant,
}

/// A heading, and the rate of turn to it.
struct Turn {
    stamp_ms: f64,
    theta_rad: f64,
    /// Radians per second; none of the first heading.
    radps: Option<f64>,
}

/// Everything that was heard of one vehicle.
pub struct Received {
    frame: FrameId,
    map: String,
    /// The broker takes messages and gives those of the vehicle.
    pub is_connected: bool,
    /// The vehicle is at the broker, as it says itself.
    pub is_online: bool,
    /// The topics by which it is spoken to.
    pub address: Option<Address>,
    /// Its newest state.
    pub state: Option<Arc<State>>,
    /// Arrival of its newest state.
    last_state: Option<Instant>,
    /// Its newest place.
    pub place: Option<Place>,
    /// Arrival of the last message with a place.
    pub last_place: Option<Instant>,
    readings: VecDeque<Reading>,
    faults: Vec<GateFault>,
    errors: Vec<VehicleError>,
    unreadable: BTreeMap<String, (u64, String)>,
    /// The last stamp of a measurement, and the topic that it came by.
    stamp: Option<(f64, &'static str)>,
    turn: Option<Turn>,
}

/// A message that could be read.
enum VehicleMessage {
    Connection(Connection),
    State(Box<State>),
    Visualization(Visualization),
}

/// The same, shared by the thread that hears and the one that decides.
pub struct Inbound(Mutex<Received>);

impl Inbound {
    /// Of a vehicle whose poses are in `frame`.
    pub fn new(wiring: &Vda5050Wiring, frame: FrameId) -> Self {
        let map = wiring.map.clone().unwrap_or_else(|| frame.to_string());
        Self(Mutex::new(Received {
            frame,
            map,
            is_connected: false,
            is_online: false,
            address: None,
            state: None,
            last_state: None,
            place: None,
            last_place: None,
            readings: VecDeque::new(),
            faults: Vec::new(),
            errors: Vec::new(),
            unreadable: BTreeMap::new(),
            stamp: None,
            turn: None,
        }))
    }

    /// Looks at what was heard.
    pub fn look<T>(&self, look: impl FnOnce(&Received) -> T) -> T {
        look(&self.heard())
    }

    /// Takes out measurements, faults and errors.
    pub fn take(&self) -> (VecDeque<Reading>, Vec<GateFault>, Vec<VehicleError>) {
        let mut heard = self.heard();
        let Received { readings, faults, errors, .. } = &mut *heard;
        (std::mem::take(readings), std::mem::take(faults), std::mem::take(errors))
    }

    /// Takes in a message of the vehicle.
    pub fn message(&self, topic: &str, payload: &[u8], arrived: Instant) {
        let Some((root, part)) = topic.rsplit_once('/') else { return };
        // Decoding takes longer than the deciding thread may wait.
        let told = match part {
            "connection" => message::read(payload).map(VehicleMessage::Connection),
            "state" => message::read(payload).map(|state| VehicleMessage::State(Box::new(state))),
            "visualization" => message::read(payload).map(VehicleMessage::Visualization),
            _ => return,
        };
        let mut heard = self.heard();
        let read = told.and_then(|told| match told {
            VehicleMessage::Connection(connection) => heard.connection(root, &connection),
            VehicleMessage::State(state) => heard.state(root, *state, arrived),
            VehicleMessage::Visualization(visualization) => heard.visualization(root, &visualization, arrived),
        });
        if let Err(reason) = read {
            heard.refuse(topic, reason, arrived);
        }
    }

    /// The broker gives messages from now on.
    pub fn connected(&self) {
        self.heard().is_connected = true;
    }

    /// The broker is gone. Nobody knows what became of the vehicle.
    pub fn lost(&self) {
        let mut heard = self.heard();
        if std::mem::take(&mut heard.is_connected) {
            heard.fault(GateFault::Unreachable);
        }
        heard.gone();
    }

    /// A failure that stops the robot.
    pub fn fault(&self, fault: GateFault) {
        self.heard().fault(fault);
    }

    fn heard(&self) -> MutexGuard<'_, Received> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Received {
    /// True while the vehicle is there and has told its state in time.
    pub fn is_there(&self, now: Instant) -> bool {
        let is_told = self.state.is_some() && !self.state_is_late(now);
        self.is_connected && self.is_online && is_told
    }

    /// True if a state should have come since the last one.
    pub fn state_is_late(&self, now: Instant) -> bool {
        self.last_state.is_some_and(|last| now.since(last) > STATE_MAX)
    }

    /// Name of the map that its poses are on.
    pub fn map(&self) -> &str {
        &self.map
    }

    fn fault(&mut self, fault: GateFault) {
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    fn connection(&mut self, root: &str, connection: &Connection) -> Result<(), String> {
        let is_online = connection.connection_state.eq_ignore_ascii_case("ONLINE");
        if self.address.as_ref().is_some_and(|address| address.root != root) {
            // The broker retains what the vehicle said under another version of the protocol.
            return if is_online { Err("the vehicle is known by another version".to_owned()) } else { Ok(()) };
        }
        if is_online {
            self.address = Some(Address { root: root.to_owned(), version: message::cut(&connection.version) });
            self.is_online = true;
            return Ok(());
        }
        // Only a vehicle that was there can be lost.
        if self.is_online {
            self.fault(GateFault::Unreachable);
        }
        self.gone();
        Ok(())
    }

    /// Nothing that was heard before holds for the vehicle when it comes back.
    fn gone(&mut self) {
        self.is_online = false;
        self.state = None;
        self.last_state = None;
        self.place = None;
        self.turn = None;
        // It may come back with a clock that shows an earlier time, and by one of its two topics alone.
        self.stamp = None;
    }

    fn state(&mut self, root: &str, state: State, arrived: Instant) -> Result<(), String> {
        self.check(root)?;
        let measured = state.measured();
        // A vehicle that has lost its place still says who has control of it, and what has failed.
        let stamp_ms = measured.as_ref().map_or(arrived.0 as f64 / 1e6, |measured| measured.stamp_ms);
        for (name, value) in state.extras() {
            self.put(Reading { stamp_ms, arrived, value: ReadingValue::Extra(name.to_owned(), value) });
        }
        let known: BTreeSet<&VehicleError> = self.state.iter().flat_map(|known| &known.errors).collect();
        // A vehicle repeats its errors in every state; only a new one can be about what was just sent.
        let new: Vec<VehicleError> = state.errors.iter().filter(|error| !known.contains(error)).cloned().collect();
        let room = ERRORS_MAX.saturating_sub(self.errors.len());
        self.errors.extend(new.into_iter().take(room));
        self.state = Some(Arc::new(state));
        self.last_state = Some(arrived);
        self.measured("state", measured?, arrived)
    }

    fn visualization(&mut self, root: &str, told: &Visualization, arrived: Instant) -> Result<(), String> {
        self.check(root)?;
        self.measured("visualization", told.measured()?, arrived)
    }

    fn check(&self, root: &str) -> Result<(), String> {
        match &self.address {
            Some(address) if address.root == root => Ok(()),
            Some(_) => Err("the vehicle is known by another version".to_owned()),
            None => Err("the vehicle has not said that it is online".to_owned()),
        }
    }

    fn measured(&mut self, topic: &'static str, measured: Measured, arrived: Instant) -> Result<(), String> {
        let Measured { stamp_ms, position, velocity } = measured;
        let Some(position) = position else { return Ok(()) };
        // The same numbers on another map are another place.
        if position.map_id != self.map {
            return Err(format!("its map is {:?}, and the wiring's is {:?}", message::cut(&position.map_id), self.map));
        }
        if !position.position_initialized {
            return Err("the vehicle does not know where it is".to_owned());
        }
        // Both topics report the same moments. A stamp that stands still shows on one topic alone.
        if self.stamp.is_some_and(|(last, by)| by != topic && stamp_ms <= last) {
            return Ok(());
        }
        let Position { x, y, theta, .. } = position;
        let turn_radps = self.turn_radps(stamp_ms, theta);
        self.stamp = Some((stamp_ms, topic));
        self.place = Some(Place { at_m: [x, y], theta_rad: theta, arrived });
        self.last_place = Some(arrived);
        let rotation = UnitQuaternion::from_yaw_rad(theta);
        let pose = Pose { frame: self.frame.clone(), position_m: [x, y, 0.0], orientation: Some(rotation) };
        self.put(Reading { stamp_ms, arrived, value: ReadingValue::Pose(pose) });
        // Without a measured turn nothing is known of the whole velocity: a vehicle that turns in place does not stand.
        if let Some(Speed { vx: Some(ahead), vy, omega }) = velocity
            && let Some(turn_radps) = omega.or(turn_radps)
        {
            let linear_mps = rotation.rotate([ahead, vy.unwrap_or(0.0), 0.0]);
            let velocity = Velocity { linear_mps, angular_radps: [0.0, 0.0, turn_radps] };
            self.put(Reading { stamp_ms, arrived, value: ReadingValue::Velocity(velocity) });
        }
        Ok(())
    }

    /// Rate of turn between headings, for vehicles that do not tell it. Two that are close to each other tell none: the
    /// last digit of a heading would be a turn.
    fn turn_radps(&mut self, stamp_ms: f64, theta_rad: f64) -> Option<f64> {
        let turn = self.turn.get_or_insert(Turn { stamp_ms, theta_rad, radps: None });
        let passed_ms = stamp_ms - turn.stamp_ms;
        if passed_ms < 0.0 {
            // Its clock was set back: until it is as late again, the rate of before would stand for every later one.
            *turn = Turn { stamp_ms, theta_rad, radps: None };
        } else if passed_ms >= TURN_MS_MIN {
            let turned_rad = (theta_rad - turn.theta_rad + PI).rem_euclid(TAU) - PI;
            *turn = Turn { stamp_ms, theta_rad, radps: Some(turned_rad / (passed_ms / 1e3)) };
        }
        turn.radps
    }

    fn put(&mut self, reading: Reading) {
        if self.readings.len() < READINGS_MAX {
            self.readings.push_back(reading);
        } else {
            self.fault(GateFault::Flood);
        }
    }

    /// Counts an unreadable message, and says so.
    fn refuse(&mut self, topic: &str, reason: String, arrived: Instant) {
        let topic = message::cut(topic);
        if self.unreadable.len() >= TOPICS_MAX && !self.unreadable.contains_key(&topic) {
            return;
        }
        let (count, last) = self.unreadable.entry(topic.clone()).or_default();
        *count += 1;
        if *last != reason {
            tracing::warn!(topic, reason, "a message of the vehicle cannot be read");
            *last = reason;
        }
        let rows = self
            .unreadable
            .iter()
            .map(|(topic, (count, reason))| (topic.clone(), json!({ "count": count, "reason": reason })));
        let value = ReadingValue::Extra(UNREADABLE.to_owned(), Value::Object(rows.collect()));
        self.put(Reading { stamp_ms: arrived.0 as f64 / 1e6, arrived, value });
    }
}
