//! The adapter `ros2`: a robot of ROS 2 over DDS that takes velocities.
//!
//! It joins the robot's domain as the node `/quarterdeck/gate`. The pose comes from odometry or from `/tf`, the velocity
//! from odometry. Velocities of commands, which are in the manifest's frame, become `Twist` or `TwistStamped`, whichever the
//! robot subscribes to, 25 times a second while they are in force. A stop is zeros 50 times a second until standstill is
//! measured and one second more, and every stop service, every cancelled action and the lock of the wiring at once.
//!
//! A publisher on the command topic that is not this gate is another commander: motion is refused, and stops go on.
//!
//! Nothing in DDS is proof of its writer: a robot's topics are neither signed nor encrypted, and whoever is in its domain
//! can command it.

mod document;
mod domain;
mod frames;
mod graph;
mod hearing;
mod listening;
mod message;
mod nodes;
mod outbox;
mod sending;
mod steering;
mod wiring;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bridge::ClockFn;
use bridge::envelope::GateFault;
use robot::{Command, FrameId, Instant, Motion, Reason};
use safety::Approved;

use crate::adapter::{Adapter, Begun, Events, Facts, Means, SetPoints, StopEvidence, StopKind, StopSender, Watcher};
use crate::sources::{Commander, Silence};
use domain::Domain;
pub use domain::{DomainError, RawReader, cancel_service, dds_requests, dds_topic, read};
pub use graph::{Graph, TwistType};
use hearing::Reader;
pub use listening::take;
use listening::{Inbound, listen};
use message::Twist;
pub use message::{Header, TransformList};
pub use nodes::NodeReader;
use outbox::Outbox;
pub use wiring::{PoseSource, Ros2Wiring};

/// A robot that measures its speed and was silent for this long is a fault. Odometry comes ten times a second or more.
const SILENCE: Duration = Duration::from_secs(1);
/// A velocity is sent again after this time: every second tick of the gate, so never less than 20 times a second.
const SET_POINT_EVERY: Duration = Duration::from_millis(40);
/// Zeros go on for so long after standstill was measured.
const LINGER: Duration = Duration::from_secs(1);
/// A rotation that is older steers no robot.
const ROTATION_MAX: Duration = Duration::from_millis(500);
/// Period of the lock's messages.
const LOCK_EVERY: Duration = Duration::from_millis(100);

/// The receiving half: it has readers only.
pub struct Ros2Watcher {
    heard: Arc<Inbound>,
    ended: Arc<AtomicBool>,
    silence: Silence,
    told: Commander,
}

impl Drop for Ros2Watcher {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
    }
}

impl Ros2Watcher {
    /// Only watches the robot, whose poses are in `frame`.
    pub fn watch(wiring: &Ros2Wiring, frame: FrameId, clock: &ClockFn) -> Result<Self, DomainError> {
        let domain = Domain::join(wiring)?;
        Self::open(&domain, wiring, frame, None, clock)
    }

    fn open(
        domain: &Domain,
        wiring: &Ros2Wiring,
        frame: FrameId,
        outbox: Option<Arc<Outbox>>,
        clock: &ClockFn,
    ) -> Result<Self, DomainError> {
        let ended = Arc::<AtomicBool>::default();
        let reader = Reader::new(wiring.pose.clone(), frame);
        let heard = listen(domain.participant.clone(), wiring, reader, outbox, clock, Arc::clone(&ended))?;
        Ok(Self { heard, ended, silence: Silence::default(), told: Commander::default() })
    }

    /// The graph as it was last seen.
    pub fn graph(&self) -> Arc<Graph> {
        self.heard.graph()
    }

    fn note_silence(&mut self, now: Instant) -> Option<GateFault> {
        let last = self.heard.look(|heard| heard.last_velocity);
        let is_silent = last.is_some_and(|last| now.since(last) > SILENCE);
        self.silence.fault(is_silent)
    }
}

impl Watcher for Ros2Watcher {
    fn facts(&self) -> Facts {
        Facts {
            adapter: "ros2",
            hold: "zeros 50 times a second until standstill is measured, then 1 s more",
            stop: "the same, with every stop service, every cancelled action and the lock of the wiring at once",
            last_to_command: "whoever publishes last on the robot's final topic; safe only as an input of a mux, or alone",
            base_timeout: "the robot's own, if it has one: the commissioning measures it",
            foreign: "other publishers on the command topic, as the robot's graph shows them",
        }
    }

    fn means(&self) -> Means {
        // The step that stops the robot sends everything at once, as every stop does.
        Means { several_stops: false, base_timeout: None, takes_velocities: true }
    }

    fn poll(&mut self, now: Instant) -> Events {
        let (readings, faults) = self.heard.take();
        let mut events = Events { readings: readings.into(), faults, ..Events::default() };
        events.faults.extend(self.note_silence(now));
        events.foreign = self.heard.look(|heard| heard.foreign.clone());
        events.readings.extend(self.told.reading(events.foreign.as_ref(), now));
        events
    }
}

/// Both halves.
pub struct Ros2Adapter {
    watcher: Ros2Watcher,
    outbox: Arc<Outbox>,
    sideways: bool,
    has_lock: bool,
    has_calls: bool,
    is_locked: bool,
    /// Nothing is sent, as if the gate had died.
    mute: bool,
    locked: Option<Instant>,
    /// The last set-point's time, and the end of the one that is in force.
    sent: Option<Instant>,
    ends: Option<Instant>,
    stop: Option<SentStop>,
}

/// The stop that is being sent, or was sent last.
struct SentStop {
    episode: u64,
    /// Number of its first zeros.
    number: u64,
    sent: Instant,
}

impl Drop for Ros2Adapter {
    fn drop(&mut self) {
        self.outbox.close();
    }
}

impl Ros2Adapter {
    /// Speaks for the robot, whose poses are in `frame`.
    pub fn open(wiring: &Ros2Wiring, frame: FrameId, clock: &ClockFn) -> Result<Self, DomainError> {
        let domain = Domain::join(wiring)?;
        let outbox = Arc::<Outbox>::default();
        let watcher = Ros2Watcher::open(&domain, wiring, frame, Some(Arc::clone(&outbox)), clock)?;
        sending::start(domain.node, wiring, &outbox, &watcher.heard, clock)?;
        Ok(Self {
            watcher,
            outbox,
            sideways: wiring.cmd_vel.as_ref().is_some_and(|cmd_vel| cmd_vel.sideways),
            has_lock: wiring.cmd_vel.as_ref().is_some_and(|cmd_vel| cmd_vel.lock.is_some()),
            has_calls: !wiring.stop_service.is_empty() || !wiring.cancel_action.is_empty(),
            is_locked: true,
            mute: false,
            locked: None,
            sent: None,
            ends: None,
            stop: None,
        })
    }

    /// The twist of a motion for the robot as it stands now.
    fn twist(&self, motion: &Motion, now: Instant) -> Result<Twist, Reason> {
        let rotation = self.watcher.heard.look(|heard| heard.rotation);
        let rotation = rotation.filter(|(_, arrived)| now.since(*arrived) <= ROTATION_MAX);
        let (rotation, _) = rotation.ok_or(Reason::NoFreshPose)?;
        steering::twist(motion, rotation, self.sideways)
    }

    fn hold_lock(&mut self, now: Instant) {
        if self.has_lock && !self.mute && self.locked.is_none_or(|last| now.since(last) >= LOCK_EVERY) {
            self.locked = Some(now);
            self.outbox.lock(self.is_locked);
        }
    }
}

impl Watcher for Ros2Adapter {
    fn facts(&self) -> Facts {
        self.watcher.facts()
    }

    fn means(&self) -> Means {
        self.watcher.means()
    }

    fn poll(&mut self, now: Instant) -> Events {
        self.hold_lock(now);
        let mut events = self.watcher.poll(now);
        events.faults.extend(self.outbox.failed().then_some(GateFault::NotTaken));
        events
    }
}

impl Adapter for Ros2Adapter {
    fn begin(&mut self, approved: &Approved<Command>, now: Instant) -> Begun {
        let command = approved.command();
        if !self.watcher.heard.look(listening::Heard::can_be_driven) {
            return Begun::Refused(Reason::UnknownActuator);
        }
        let twist = match self.twist(&command.motion, now) {
            Ok(twist) => twist,
            Err(reason) => return Begun::Refused(reason),
        };
        if !self.outbox.begin(twist) {
            return Begun::Refused(Reason::NotArmed);
        }
        self.stop = None;
        self.mute = false;
        self.is_locked = false;
        self.sent = Some(now);
        self.ends = Some(now.plus(Duration::from_millis(command.ttl_ms.into())));
        Begun::Running
    }

    fn fall_silent(&mut self) {
        self.mute = true;
    }

    fn refresh(&mut self, in_force: &SetPoints, now: Instant) {
        if self.mute {
            return;
        }
        let Some(command) = in_force.iter().next() else {
            // Only where nobody else commands: zeros of two compete.
            let lingers = self.stop.as_ref().is_some_and(|stop| now.since(stop.sent) <= LINGER);
            if lingers && self.watcher.heard.look(|heard| heard.foreign.is_none()) {
                self.outbox.stop(None);
            }
            return;
        };
        if self.sent.is_some_and(|last| now.since(last) < SET_POINT_EVERY) {
            return;
        }
        self.sent = Some(now);
        let is_over = self.ends.is_none_or(|ends| now > ends);
        match self.twist(&command.motion, now) {
            Ok(twist) if !is_over => {
                self.outbox.twist(twist);
            }
            // It is over, or the robot would leave the way that was judged.
            Ok(_) | Err(_) => {
                self.outbox.stop(None);
            }
        }
    }

    fn stop(&mut self, kind: StopKind, episode: u64, now: Instant) -> StopEvidence {
        self.mute = false;
        let calls = (kind == StopKind::Stop && self.has_calls).then_some(episode);
        if kind == StopKind::Stop && !std::mem::replace(&mut self.is_locked, true) {
            self.locked = None;
            self.hold_lock(now);
        }
        let number = self.outbox.stop(calls);
        let number = match &mut self.stop {
            Some(stop) if stop.episode == episode => {
                stop.sent = now;
                stop.number
            }
            Some(_) | None => self.stop.insert(SentStop { episode, number, sent: now }).number,
        };
        if calls.is_some_and(|episode| self.outbox.is_answered(episode)) {
            StopEvidence::RobotAnswered
        } else if self.outbox.left(number) {
            StopEvidence::Sent
        } else {
            StopEvidence::Waiting
        }
    }

    fn stop_sender(&self) -> Arc<dyn StopSender> {
        Arc::<Outbox>::clone(&self.outbox)
    }
}

#[cfg(test)]
pub(crate) mod tests;
