//! The gate on a Zenoh session: bytes in, replies out. Who owns the thread decides when to read and when to answer.

use robot::{Instant, Manifest, Reason, RobotId, Sample, StationId};
use serde::de::DeserializeOwned;
use zenoh::pubsub::Publisher;
use zenoh::qos::Priority;

use super::{Admit, GateState, Lapse, Message, admit};
use crate::envelope::{Ack, BeatAnswer, CommandEnvelope, Status, Subject, encode, parse};
use crate::link::put;
use crate::{BridgeError, Link, RobotKeys, Subscription};

/// How fast the robot moves, as it measures it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredSpeed {
    /// Metres per second.
    pub speed_mps: f64,
    /// True if that counts as standing still by the robot's manifest.
    pub standstill: bool,
}

/// What a gate says to stations.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// What became of a message.
    Ack(Ack),
    /// The answer to a beat.
    Beat(BeatAnswer),
}

/// The outcome of one message.
#[derive(Debug, Clone, PartialEq)]
pub struct Handled {
    /// What is in force now, if anything changed.
    pub admitted: Option<Admit>,
    /// What to say about it.
    pub reply: Reply,
}

/// A robot's gate on a Zenoh session.
pub struct RobotGate {
    robot: RobotId,
    state: GateState,
    command_prefix: String,
    acks: Publisher<'static>,
    beats: Publisher<'static>,
    _commands: Subscription,
}

impl RobotGate {
    /// Listens for commands from other sessions, a station in the same process not among them. `on_sample` runs on
    /// Zenoh's thread and must not block: it hands the sample to the thread that calls [`RobotGate::handle`].
    pub async fn open(
        link: &Link,
        manifest: &Manifest,
        on_sample: impl Fn(Sample) + Send + Sync + 'static,
    ) -> Result<Self, BridgeError> {
        let keys = RobotKeys::new(manifest);
        let commands = keys.commands();
        Ok(Self {
            robot: manifest.id.clone(),
            state: GateState::new(manifest),
            acks: link.control_publisher(&keys.ack(), Priority::InteractiveHigh)?,
            beats: link.control_publisher(&keys.beat_answer(), Priority::InteractiveHigh)?,
            _commands: link.subscribe(&commands, on_sample).await?,
            command_prefix: commands.trim_end_matches("**").to_owned(),
        })
    }

    /// What the gate remembers.
    #[must_use]
    pub const fn state(&self) -> &GateState {
        &self.state
    }

    /// Notes whether a pendant at the robot has control.
    pub fn set_local(&mut self, local: bool) {
        self.state.set_local(local);
    }

    /// Finds what did not come in time; see [`GateState::tick`].
    pub fn tick(&mut self, now: Instant) -> Vec<Lapse> {
        self.state.tick(now)
    }

    /// Decides about one message and says what to reply.
    pub fn handle(&mut self, sample: &Sample, measured: MeasuredSpeed, now: Instant) -> Handled {
        let message = match self.read(sample) {
            Ok(message) => message,
            Err(reason) => {
                let subject = Subject::Unreadable { key_expr: sample.key_expr.to_string() };
                return Handled { admitted: None, reply: self.ack(subject, Status::Refused(reason), measured) };
            }
        };
        let reply_to = ReplyTo::new(&message);
        let outcome = admit(&mut self.state, message, now);
        let status = outcome.as_ref().map_or_else(|reason| Status::Refused(*reason), |_| Status::Received);
        let reply = match reply_to {
            ReplyTo::Subject(subject) => self.ack(subject, status, measured),
            ReplyTo::Beat { station, n, nonce } => Reply::Beat(BeatAnswer {
                robot: self.robot.clone(),
                station,
                n,
                not_nonce: !nonce,
                epoch: self.state.epoch(),
                claimed_by: self.state.claimed_by().cloned(),
                stops: self.state.stops().iter().cloned().collect(),
                held: self.state.is_held(),
                local: self.state.is_local(),
                speed_mps: measured.speed_mps,
            }),
        };
        Handled { admitted: outcome.ok(), reply }
    }

    /// An acknowledgement of this robot.
    #[must_use]
    pub fn ack(&self, subject: Subject, status: Status, measured: MeasuredSpeed) -> Reply {
        let MeasuredSpeed { speed_mps, standstill } = measured;
        Reply::Ack(Ack { robot: self.robot.clone(), subject, status, speed_mps, standstill })
    }

    /// Puts a reply.
    pub fn put(&self, reply: &Reply) -> Result<(), BridgeError> {
        match reply {
            Reply::Ack(ack) => put(&self.acks, encode(ack)?),
            Reply::Beat(answer) => put(&self.beats, encode(answer)?),
        }
    }

    /// The key decides the type. A put on a wildcard names no key of ours and is unreadable.
    fn read(&self, sample: &Sample) -> Result<Message, Reason> {
        let key = sample.key_expr.strip_prefix(self.command_prefix.as_str()).ok_or(Reason::Schema)?;
        Ok(match key {
            "stop" => Message::Stop(body(sample)?),
            "hold" => Message::Hold(body(sample)?),
            "claim" => Message::Claim(body(sample)?),
            "release" => Message::Release(body(sample)?),
            "beat" => Message::Beat(body(sample)?),
            _ => {
                let actuator = key.strip_prefix("act/").ok_or(Reason::Schema)?;
                let command: CommandEnvelope = body(sample)?;
                if command.actuator.as_str() != actuator {
                    return Err(Reason::Schema);
                }
                Message::Command(command)
            }
        })
    }
}

fn body<T: DeserializeOwned>(sample: &Sample) -> Result<T, Reason> {
    parse(&sample.payload).map_err(|error| error.reason())
}

/// What a reply needs of a message that `admit` has taken.
enum ReplyTo {
    Subject(Subject),
    Beat { station: StationId, n: u64, nonce: u64 },
}

impl ReplyTo {
    fn new(message: &Message) -> Self {
        Self::Subject(match message {
            Message::Command(command) => Subject::Command { station: command.station.clone(), id: command.id },
            Message::Claim(claim) => Subject::Claim { station: claim.station.clone(), epoch: claim.epoch },
            Message::Release(release) => Subject::Release { station: release.station.clone(), epoch: release.epoch },
            Message::Stop(stop) => Subject::Stop { station: stop.station.clone(), stop_id: stop.stop_id },
            Message::Hold(hold) => Subject::Hold { station: hold.station.clone() },
            Message::Beat(beat) => {
                return Self::Beat { station: beat.station.clone(), n: beat.n, nonce: beat.nonce };
            }
        })
    }
}
