//! The gate on a Zenoh session: bytes in, replies out. Who owns the thread decides when to read and when to answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use robot::{Codec, Instant, Manifest, Reason, RobotId, Sample, StationId};
use safety::{Commissioning, Measured};
use serde::de::DeserializeOwned;
use zenoh::qos::Priority;

use super::{Admit, GateMemory, GateState, GateStore, Lapse, MeasuredSpeed, Message, OwnState, admit};
use crate::commissioning::GateReport;
use crate::envelope::{
    Ack, BeatAnswer, CommandEnvelope, GateFault, GateSpeed, HoldMessage, Status, StopMessage, Subject, check_size,
    parse,
};
use crate::signing::{PublicKey, SignedPublisher, SignedSample, SigningKey};
use crate::{BridgeError, Link, RobotKeys, SamplePublisher, Subscription};

/// Keys that prove the authors of messages: the part of a robot's credential bundle that its gate needs.
pub struct Credentials {
    /// Signs this robot's messages; its public half stands in the manifest.
    pub key: SigningKey,
    /// The stations that may speak to this robot.
    pub stations: BTreeMap<StationId, PublicKey>,
}

/// A message of a gate to stations.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The outcome of a message.
    Ack(Ack),
    /// The answer to a beat.
    Beat(BeatAnswer),
    /// The gate's account of itself.
    Report(Box<GateReport>),
}

/// The outcome of one message.
#[derive(Debug)]
pub struct Handled {
    /// The change that is now in force, if there is one.
    pub admitted: Option<Admit>,
    /// The reply; absent while the gate cannot store what it would acknowledge.
    pub reply: Option<Reply>,
}

/// A robot's gate on a Zenoh session.
pub struct RobotGate {
    robot: RobotId,
    state: GateState,
    stations: BTreeMap<StationId, PublicKey>,
    store: Box<dyn GateStore>,
    /// Content of the store.
    stored: GateMemory,
    command_prefix: String,
    key: Arc<SigningKey>,
    replies: Arc<ReplySender>,
    _commands: Subscription,
}

/// Sends a gate's replies, from any thread: it waits while the
/// network is full, and a thread that moves a robot must not.
pub struct ReplySender {
    acks: SignedPublisher,
    beats: SignedPublisher,
    reports: SignedPublisher,
}

impl ReplySender {
    /// Signs and puts a reply.
    pub fn put(&self, reply: &Reply) -> Result<(), BridgeError> {
        match reply {
            Reply::Ack(ack) => self.acks.put(ack),
            Reply::Beat(answer) => self.beats.put(answer),
            Reply::Report(report) => self.reports.put(report),
        }
    }
}

/// Reason not to read a message any further.
enum Unread {
    Unsigned,
    Malformed(Reason),
}

impl RobotGate {
    /// Listens for commands from other sessions, a station in the same process not among them. `on_sample` runs on
    /// Zenoh's thread and must not block: it hands the sample to the thread that calls [`RobotGate::handle`].
    pub async fn open(
        link: &Link,
        manifest: &Manifest,
        credentials: Credentials,
        mut store: Box<dyn GateStore>,
        on_sample: impl Fn(SignedSample) + Send + Sync + 'static,
    ) -> Result<Self, BridgeError> {
        let (keys, robot) = (RobotKeys::new(manifest), manifest.id.clone());
        let not_stored = |source| BridgeError::GateNotStored { robot: robot.clone(), source };
        let loaded = store.load().map_err(not_stored)?;
        let limits = |source| BridgeError::GateLimits { robot: robot.clone(), source: Box::new(source) };
        let state = GateState::new(manifest, loaded).map_err(limits)?;
        // The latch and the count of this start are on disk before the first message is read.
        store.save(state.memory()).map_err(not_stored)?;
        let Credentials { key, stations } = credentials;
        let key = Arc::new(key);
        let signed = |key_expr: &str| {
            link.control_publisher(key_expr, Priority::InteractiveHigh)
                .map(|publisher| SignedPublisher::new(publisher, &key))
        };
        let commands = keys.commands();
        Ok(Self {
            stored: state.memory().clone(),
            state,
            stations,
            store,
            replies: Arc::new(ReplySender {
                acks: signed(&keys.ack())?,
                beats: signed(&keys.beat_answer())?,
                reports: signed(&keys.gate())?,
            }),
            key,
            _commands: link.subscribe_to_all(&commands, on_sample).await?,
            command_prefix: commands.trim_end_matches("**").to_owned(),
            robot,
        })
    }

    /// A publisher of the robot's state on `key`, signed as stations demand of a robot with a key.
    pub fn state_publisher(&self, link: &Link, key: &str, codec: Codec) -> Result<SamplePublisher, BridgeError> {
        link.signed_sample_publisher(key, codec, &self.key)
    }

    /// State of the gate.
    #[must_use]
    pub const fn state(&self) -> &GateState {
        &self.state
    }

    /// Finds what did not come in time; see [`GateState::tick`].
    pub fn tick(&mut self, now: Instant) -> Vec<Lapse> {
        self.tick_stopping_first(now, |_| ())
    }

    /// The same; calls `stop` with what has lapsed before anything
    /// is stored, so that a slow disk keeps no robot moving.
    pub fn tick_stopping_first(&mut self, now: Instant, stop: impl FnOnce(&[Lapse])) -> Vec<Lapse> {
        let lapses = self.state.tick(now);
        if !lapses.is_empty() {
            stop(&lapses);
        }
        self.remember();
        lapses
    }

    /// Ends the stop of strangers; see [`GateState::release_strangers`].
    pub fn release_strangers(&mut self, own: &OwnState, now: Instant) -> bool {
        let ended = self.state.release_strangers(own, now);
        self.remember();
        ended
    }

    /// Says what the robot's commissioning leaves; see [`GateState::set_commissioning`].
    pub fn set_commissioning(&mut self, commissioning: Commissioning) {
        self.state.set_commissioning(commissioning);
    }

    /// Latches for a failure; see [`GateState::latch_fault`].
    pub fn latch_fault(&mut self, fault: GateFault) {
        self.state.latch_fault(fault);
        self.remember();
    }

    /// Decides about one message and says what to reply.
    pub fn handle(&mut self, message: &SignedSample, own: &OwnState, now: Instant) -> Handled {
        self.handle_stopping_first(message, own, now, |_| ())
    }

    /// The same; calls `stop` with a stop or a hold before anything
    /// is stored, so that a slow disk keeps no robot moving.
    pub fn handle_stopping_first(
        &mut self,
        message: &SignedSample,
        own: &OwnState,
        now: Instant,
        stop: impl FnOnce(&Admit),
    ) -> Handled {
        let read = match self.read(message) {
            Ok(read) => read,
            Err(unread) => {
                let subject = Subject::Unreadable { key_expr: message.sample.key_expr.to_string() };
                let Some(admitted) = self.end_motion_unread(message) else {
                    return Handled { admitted: None, reply: Some(self.ack(subject, unread.status(), own, now)) };
                };
                stop(&admitted);
                let reply = self.remember().then(|| self.ack(subject, Status::Received, own, now));
                return Handled { admitted: Some(admitted), reply };
            }
        };
        // No command is admitted under an epoch, or after a release, that the disk does not have yet.
        if matches!(read, Message::Command(_)) && !self.remember() {
            return Handled { admitted: None, reply: None };
        }
        let reply_to = ReplyTo::new(&read);
        let outcome = admit(&mut self.state, read, own, now);
        if let Ok(admitted @ (Admit::Stop | Admit::Hold)) = &outcome {
            stop(admitted);
        }
        let status = outcome.as_ref().map_or_else(|reason| Status::Refused(*reason), |_| Status::Received);
        let is_stored = self.remember();
        // No reply before it is stored: an acknowledged stop or epoch has to survive a loss of power.
        let reply = is_stored.then(|| match reply_to {
            ReplyTo::Subject(subject) => self.ack(subject, status, own, now),
            ReplyTo::Beat { station, n, nonce } => Reply::Beat(self.answer(station, n, nonce, own, now)),
        });
        Handled { admitted: outcome.ok(), reply }
    }

    fn answer(&self, station: StationId, n: u64, nonce: u64, own: &OwnState, now: Instant) -> BeatAnswer {
        let memory = self.state.memory();
        BeatAnswer {
            robot: self.robot.clone(),
            station,
            n,
            not_nonce: !nonce,
            boot: memory.boot,
            epoch: memory.epoch,
            claimed_by: self.state.claimed_by(now).cloned(),
            latched: !memory.stops.is_empty(),
            stops: memory.stops.iter().cloned().collect(),
            held: self.state.is_held(),
            local: own.local,
            speed: own.speed_at(now).map(|Measured { value: MeasuredSpeed { speed_mps, standstill }, observed }| {
                GateSpeed { mps: speed_mps, age_ms: now.ms_since(observed), stands: standstill }
            }),
            commissioning: self.state.commissioning(),
        }
    }

    /// An acknowledgement of this robot, with how fast it moves.
    #[must_use]
    pub fn ack(&self, subject: Subject, status: Status, own: &OwnState, now: Instant) -> Reply {
        let speed_mps = own.speed_at(now).map(|speed| speed.value.speed_mps);
        let standstill = own.stands(now);
        let claimed_by = self.state.claimed_by(now).cloned();
        Reply::Ack(Ack { robot: self.robot.clone(), subject, status, claimed_by, speed_mps, standstill })
    }

    /// Signs and puts a reply.
    pub fn put(&self, reply: &Reply) -> Result<(), BridgeError> {
        self.replies.put(reply)
    }

    /// A sender of its replies for another thread.
    #[must_use]
    pub fn reply_sender(&self) -> Arc<ReplySender> {
        Arc::clone(&self.replies)
    }

    /// Stores what has changed. False while it cannot be stored; it is tried again with every message and tick.
    fn remember(&mut self) -> bool {
        let memory = self.state.memory();
        if *memory == self.stored {
            return true;
        }
        match self.store.save(memory) {
            Ok(()) => {
                self.stored = memory.clone();
                true
            }
            Err(error) => {
                tracing::error!(robot = %self.robot, %error, "the gate cannot store its state and acknowledges nothing");
                false
            }
        }
    }

    /// Stopping is protected by no form either: bytes on the keys of stops and holds that are no message, or one for
    /// another robot, are those of somebody who wants this one to stand.
    fn end_motion_unread(&mut self, message: &SignedSample) -> Option<Admit> {
        let key = message.sample.key_expr.strip_prefix(self.command_prefix.as_str());
        match key? {
            "stop" => Some(self.state.admit_unread_stop(&message.sample.payload)),
            "hold" => Some(self.state.admit_hold()),
            _ => None,
        }
    }

    /// The key decides the type. A put on a wildcard names no key of ours and is unreadable.
    fn read(&self, message: &SignedSample) -> Result<Message, Unread> {
        let sample = &message.sample;
        let malformed = Unread::Malformed(Reason::Schema);
        let Some(key) = sample.key_expr.strip_prefix(self.command_prefix.as_str()) else { return Err(malformed) };
        check_size(&sample.payload).map_err(|error| Unread::Malformed(error.reason()))?;
        // Stopping is never protected by a secret.
        match key {
            "stop" => {
                let stop: StopMessage = body(sample)?;
                if stop.robot != self.robot {
                    return Err(malformed);
                }
                let signed = self.stations.get(&stop.station).is_some_and(|key| message.is_by(key));
                return Ok(if signed { Message::Stop(stop) } else { Message::StrangersStop(stop) });
            }
            "hold" => {
                let hold: HoldMessage = body(sample)?;
                return if hold.robot == self.robot { Ok(Message::Hold(hold)) } else { Err(malformed) };
            }
            _ => {}
        }
        // By the key and not by the name in the message, which is part of what is to be proven.
        let by = self.stations.iter().find(|(_, key)| message.is_by(key)).map(|(station, _)| station);
        let by = by.ok_or(Unread::Unsigned)?;
        let read = match key {
            "claim" => Message::Claim(body(sample)?),
            "release" => Message::Release(body(sample)?),
            "beat" => Message::Beat(body(sample)?),
            "commission" => Message::Commission(body(sample)?),
            _ => {
                let command: Box<CommandEnvelope> = body(sample)?;
                if key.strip_prefix("act/") != Some(command.actuator.as_str()) {
                    return Err(malformed);
                }
                Message::Command(command)
            }
        };
        // The key of one station must not sign for another.
        if read.station() == by { Ok(read) } else { Err(Unread::Unsigned) }
    }
}

impl Unread {
    const fn status(&self) -> Status {
        match self {
            Self::Unsigned => Status::BadSignature,
            Self::Malformed(reason) => Status::Refused(*reason),
        }
    }
}

fn body<T: DeserializeOwned>(sample: &Sample) -> Result<T, Unread> {
    parse(&sample.payload).map_err(|error| Unread::Malformed(error.reason()))
}

/// Parts of a message, taken by `admit`, that its reply needs.
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
            Message::Commission(message) => Subject::Commission { station: message.station.clone(), n: message.n },
            Message::Stop(stop) | Message::StrangersStop(stop) => {
                Subject::Stop { station: stop.station.clone(), stop_id: stop.stop_id }
            }
            Message::Hold(hold) => Subject::Hold { station: hold.station.clone(), hold_id: hold.hold_id },
            Message::Beat(beat) => {
                return Self::Beat { station: beat.station.clone(), n: beat.n, nonce: beat.nonce };
            }
        })
    }
}
