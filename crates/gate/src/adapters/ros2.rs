//! The adapter `ros2`: a robot of ROS 2 over DDS that takes velocities, goals, or both.
//!
//! It joins the robot's domain as the node `/quarterdeck/gate`. The pose comes from odometry or from `/tf`, the
//! velocity from odometry. Velocities of commands, which are in the manifest's frame, become `Twist` or
//! `TwistStamped`, whichever the robot subscribes to, 25 times a second while they are in force. A stop is zeros 50
//! times a second until standstill is measured and one second more, and every stop service, every cancelled action
//! and the lock of the wiring at once.
//!
//! A goal becomes one of the action `nav2_msgs/NavigateToPose`, after the limit of its speed. It ends with the result
//! of the action server. A hold and a stop cancel every goal of the action, whoever sent it, 25 times a second until
//! standstill is measured, and each goal of this gate's own until it has ended.
//!
//! A publisher on the command topic that is not this gate is another commander, and so is a goal that is not this
//! gate's: motion is refused, and stops go on.
//!
//! Nothing in DDS is proof of its writer: a robot's topics are neither signed nor encrypted, and whoever is in its
//! domain can command it.

mod action;
mod arm;
mod calling;
mod discovery;
mod document;
mod domain;
mod frames;
mod goals;
mod hearing;
mod inbound;
mod listening;
mod message;
mod motions;
mod outbox;
mod own_goals;
mod relay;
mod sending;
mod steering;
mod trial;
mod wiring;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bridge::ClockFn;
use bridge::envelope::GateFault;
use robot::{ActuatorId, Command, FrameId, Instant, Motion, Reason, StopMeans};
use safety::{Approved, JointPositions};

use crate::adapter::{Adapter, Begun, Events, Facts, Means, SetPoints, StopEvidence, StopKind, StopSender, Watcher};
use crate::sources::{Commander, Silence};
pub use arm::{Robot, moved};
pub use discovery::graph::{Graph, TwistType};
pub use discovery::monitors::{Way, monitors_of, place, told};
pub use discovery::mux::{Mux, MuxPart, is_of_mux};
pub use discovery::nodes::NodeReader;
pub use discovery::parameters::{ParameterReader, Parameters, node_of_service, number, numbers, text, texts};
pub use domain::{
    Domain, DomainError, RawReader, SPEED_LIMIT, cancel_service, dds_requests, dds_topic, goal_service, node_of, read,
};
use goals::GoalId;
use hearing::Reader;
use inbound::{Inbound, Received};
pub use listening::take;
use listening::{ListenerParts, listen};
pub use message::{Header, TransformList};
use outbox::{Called, Calls, Outbox};
pub use own_goals::GOAL;
use own_goals::OwnGoals;
pub use relay::{Relay, message_of};
pub use wiring::{GoalKind, PoseSource, Ros2Wiring};

/// A robot that measures its speed and was silent for this long is a fault. Odometry comes ten times a second or more.
const SILENCE: Duration = Duration::from_secs(1);
/// A velocity is sent again after this time: every second tick of the gate, so never less than 20 times a second.
const SET_POINT_EVERY: Duration = Duration::from_millis(40);
/// Every goal is cancelled again after this time while the robot is stopped, and so is one that is given up until it
/// has ended.
const CANCEL_EVERY: Duration = Duration::from_millis(40);
/// Zeros go on for so long after standstill was measured.
const LINGER: Duration = Duration::from_secs(1);
/// A rotation that is older steers no robot.
const ROTATION_MAX: Duration = Duration::from_millis(500);
/// Period of the lock's messages.
const LOCK_EVERY: Duration = Duration::from_millis(100);

/// The commands that a robot takes.
#[derive(Debug, Clone, Copy)]
struct Takes {
    velocities: bool,
    goals: Option<GoalKind>,
}

/// The receiving half: it has readers only.
pub struct Ros2Watcher {
    heard: Arc<Inbound>,
    /// The robot takes velocities, and goals.
    takes: Takes,
    means: Means,
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
        let (participant, clock) = (domain.participant.clone(), ClockFn::clone(clock));
        let heard = listen(wiring, ListenerParts { participant, reader, outbox, clock, ended: Arc::clone(&ended) })?;
        Ok(Self::of(heard, wiring, ended))
    }

    fn of(heard: Arc<Inbound>, wiring: &Ros2Wiring, ended: Arc<AtomicBool>) -> Self {
        let takes = Takes { velocities: wiring.cmd_vel.is_some(), goals: wiring.goal_kind() };
        Self { heard, takes, means: wiring.means(), ended, silence: Silence::default(), told: Commander::default() }
    }

    /// The graph as it was last seen.
    pub fn graph(&self) -> Arc<Graph> {
        self.heard.graph()
    }

    fn note_silence(&mut self, now: Instant) -> Option<GateFault> {
        let moves_joints = self.takes.goals == Some(GoalKind::Trajectory);
        let joints = |heard: &Received| heard.joints.as_ref().map(|(_, arrived)| *arrived);
        let last = self.heard.look(|heard| if moves_joints { joints(heard) } else { heard.last_velocity });
        // Before the first measurement nothing is admitted, so that there is nothing to stop.
        let is_silent = last.is_some_and(|last| now.since(last) > SILENCE);
        self.silence.fault(is_silent)
    }

    /// Everything that has come from the robot, whose goals are somebody else's unless they are `own`.
    fn poll_with(&mut self, own: impl Fn(GoalId) -> bool, now: Instant) -> Events {
        let (readings, faults) = self.heard.take();
        let mut events = Events { readings: readings.into(), faults, ..Events::default() };
        events.monitors = self.heard.take_monitors();
        events.faults.extend(self.note_silence(now));
        events.foreign = self.heard.look(|heard| heard.foreign.clone().or_else(|| heard.goals.foreign(own)));
        events.readings.extend(self.told.reading(events.foreign.as_ref(), now));
        events
    }
}

impl Watcher for Ros2Watcher {
    fn facts(&self) -> Facts {
        discovery::facts::of(self.takes)
    }

    fn means(&self) -> Means {
        self.means.clone()
    }

    fn poll(&mut self, now: Instant) -> Events {
        self.poll_with(|_| false, now)
    }
}

/// Both halves.
pub struct Ros2Adapter {
    watcher: Ros2Watcher,
    outbox: Arc<Outbox>,
    own: OwnGoals,
    robot: Robot,
    /// The joints as commands are judged by them.
    judged: Option<JointPositions>,
    /// The place from which they are judged, metres.
    place_m: Option<[f64; 3]>,
    /// Goals need the robot's word that it takes them.
    needs_ready: bool,
    sideways: bool,
    has_lock: bool,
    has_calls: bool,
    /// Services stop it whatever commands it.
    has_services: bool,
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
    /// Number of its first message.
    number: u64,
    sent: Instant,
    /// Time of the last cancellation of every goal.
    cancelled: Instant,
}

impl Drop for Ros2Adapter {
    fn drop(&mut self) {
        self.outbox.close();
    }
}

impl Ros2Adapter {
    /// Speaks for the robot of a manifest.
    pub fn open(wiring: &Ros2Wiring, robot: Robot, clock: &ClockFn) -> Result<Self, DomainError> {
        let domain = Domain::join(wiring)?;
        let outbox = Arc::<Outbox>::default();
        let watcher = Ros2Watcher::open(&domain, wiring, robot.frame.clone(), Some(Arc::clone(&outbox)), clock)?;
        sending::start(domain.node, wiring, &outbox, &watcher.heard, clock)?;
        discovery::monitors::watch(&watcher.heard, wiring, clock, &watcher.ended)?;
        Ok(Self::of(watcher, outbox, wiring, robot))
    }

    fn of(watcher: Ros2Watcher, outbox: Arc<Outbox>, wiring: &Ros2Wiring, robot: Robot) -> Self {
        Self {
            watcher,
            outbox,
            own: OwnGoals::default(),
            robot,
            judged: None,
            place_m: None,
            needs_ready: wiring.ready.is_some(),
            sideways: wiring.cmd_vel.as_ref().is_some_and(|cmd_vel| cmd_vel.sideways),
            has_lock: wiring.cmd_vel.as_ref().is_some_and(|cmd_vel| cmd_vel.lock.is_some()),
            has_calls: !wiring.stop_service.is_empty() || !wiring.cancel_action.is_empty(),
            has_services: !wiring.stop_service.is_empty(),
            // Closed until the first motion, as the gate is latched at its start (decision 0013).
            is_locked: true,
            mute: false,
            locked: None,
            sent: None,
            ends: None,
            stop: None,
        }
    }

    /// Sends the velocity that is in force, or zeros for a moment after a stop.
    fn refresh_velocity(&mut self, in_force: &SetPoints, now: Instant) {
        let Some(command) = in_force.iter().next() else {
            // Only while no other node commands: zeros would compete with its velocities.
            let lingers = self.stop.as_ref().is_some_and(|stop| now.since(stop.sent) <= LINGER);
            if lingers && self.watcher.heard.look(|heard| heard.foreign.is_none()) {
                self.outbox.stop(None, false);
            }
            return;
        };
        if self.sent.is_some_and(|last| now.since(last) < SET_POINT_EVERY) {
            return;
        }
        self.sent = Some(now);
        let is_over = self.ends.is_none_or(|ends| now > ends) || self.own.is_left();
        match self.twist(&command.motion, now) {
            Ok(twist) if !is_over => {
                self.outbox.twist(twist);
            }
            // It is over, the goal before it is not, or the robot would leave the way that was judged.
            Ok(_) | Err(_) => {
                self.outbox.stop(None, false);
            }
        }
    }

    /// True once a message of the stop of this number has left on every way to the robot.
    fn has_left(&self, number: u64) -> bool {
        let Takes { velocities, goals } = self.watcher.takes;
        (!velocities || self.outbox.left(number)) && (goals.is_none() || self.outbox.cancelled(number))
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
        let own = &mut self.own;
        let mut events = self.watcher.poll_with(|goal| own.is_own(goal), now);
        self.note_place(&events.readings);
        if self.watcher.takes.goals.is_some() {
            let starts_there = self.waits_where_it_was_judged(now);
            let own = &mut self.own;
            let told = self.watcher.heard.with_goals(|goals| own.hear(goals, starts_there, &self.outbox, now));
            events.ended.extend(told.ended);
            events.faults.extend(told.faults);
            events.readings.extend(told.readings);
        }
        events.faults.extend(self.outbox.failed().then_some(GateFault::NotTaken));
        events
    }
}

impl Adapter for Ros2Adapter {
    fn moves(&self, actuator: &ActuatorId) -> bool {
        self.robot.moves(self.watcher.takes.goals, actuator)
    }

    fn begin(&mut self, approved: &Approved<Command>, now: Instant) -> Begun {
        let command = approved.command();
        let goals = self.watcher.takes.goals;
        let begun = match &command.motion {
            Motion::PoseGoal { .. } if goals == Some(GoalKind::Navigate) => self.begin_goal(command, now),
            Motion::Joints { .. } if goals == Some(GoalKind::Trajectory) => self.begin_goal(command, now),
            Motion::Velocity { .. } if self.watcher.takes.velocities => self.begin_velocity(command, now),
            Motion::PoseGoal { .. }
            | Motion::Velocity { .. }
            | Motion::Path { .. }
            | Motion::Joints { .. }
            | Motion::Gripper { .. }
            | Motion::Switch { .. }
            | Motion::Escape { .. } => Err(Reason::UnknownActuator),
        };
        if let Err(reason) = begun {
            return Begun::Refused(reason);
        }
        self.stop = None;
        self.mute = false;
        self.is_locked = false;
        Begun::Running
    }

    fn stop_by(&mut self, means: &StopMeans, episode: u64, now: Instant) -> StopEvidence {
        self.stop_alone(means, episode, now)
    }

    fn fall_silent(&mut self) {
        self.mute = true;
    }

    fn refresh(&mut self, in_force: &SetPoints, now: Instant) {
        if self.mute {
            return;
        }
        self.own.go_on(&self.outbox, now);
        if self.watcher.takes.velocities {
            self.refresh_velocity(in_force, now);
        }
    }

    fn stop(&mut self, kind: StopKind, episode: u64, now: Instant) -> StopEvidence {
        self.mute = false;
        self.ends = None;
        let goals = self.watcher.takes.goals.is_some();
        self.own.give_up(&self.outbox, now);
        let all = kind == StopKind::Stop;
        let calls = (goals || (all && self.has_calls))
            .then_some(Calls { episode, which: if all { Called::All } else { Called::Goals } });
        if all {
            self.lock(now);
        }
        let known = self.stop.as_ref().filter(|stop| stop.episode == episode);
        let cancels = goals && known.is_none_or(|stop| now.since(stop.cancelled) >= CANCEL_EVERY);
        let number = self.outbox.stop(calls, cancels);
        let number = match &mut self.stop {
            Some(stop) if stop.episode == episode => {
                stop.sent = now;
                stop.cancelled = if cancels { now } else { stop.cancelled };
                stop.number
            }
            Some(_) | None => self.stop.insert(SentStop { episode, number, sent: now, cancelled: now }).number,
        };
        let (has_left, is_answered) = (self.has_left(number), calls.is_some() && self.outbox.is_answered(episode));
        // A server that has cancelled its goals says nothing of velocities, whose zeros may have reached nobody.
        if is_answered && (has_left || (all && self.has_services)) {
            StopEvidence::RobotAnswered
        } else if has_left {
            StopEvidence::Sent
        } else {
            StopEvidence::Waiting
        }
    }

    fn is_settled(&self) -> bool {
        !self.own.is_left()
    }

    fn unanswered(&self) -> Vec<String> {
        self.open_calls()
    }

    fn stop_sender(&self) -> Arc<dyn StopSender> {
        Arc::<Outbox>::clone(&self.outbox)
    }
}

#[cfg(test)]
pub(crate) mod tests;
