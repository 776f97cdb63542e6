//! The contract between the gate and a robot's own protocol. Only the deciding thread calls an adapter, and no call may
//! wait for the robot: I/O runs on threads of the adapter's own.

use std::sync::Arc;
use std::time::Duration;

use bridge::envelope::GateFault;
use bridge::state::Velocity;
use robot::{ActuatorId, CollisionMonitor, Command, CommandId, Instant, Reason, StopMeans};
use safety::{Approved, JointPositions, Pose};
use serde::Serialize;
use serde_json::Value;

/// The properties of a robot behind an adapter, in the words that people read on its page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// The adapter's name in the wiring.
    pub adapter: &'static str,
    /// Messages that a hold sends.
    pub hold: &'static str,
    /// Messages that a stop sends.
    pub stop: &'static str,
    /// The last one to command the motors.
    pub last_to_command: &'static str,
    /// Reaction of the robot itself when commands cease.
    pub base_timeout: &'static str,
    /// Other sources of motion, as far as the protocol shows them.
    pub foreign: &'static str,
}

/// Properties of an adapter that decide which steps commissioning needs and how long they may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Means {
    /// Its means of stopping. Where it has more than one, each is to be tried alone, by [`Adapter::stop_by`].
    pub stops: Vec<StopMeans>,
    /// Time after which the robot stops by itself when commands cease, as it is declared.
    pub base_timeout: Option<Duration>,
    /// It takes velocities: the steps that move a base command them.
    pub takes_velocities: bool,
    /// It takes goals of joints: the steps that move an arm command them.
    pub takes_joints: bool,
}

/// The half of an adapter that only receives. It has no means of moving the robot.
pub trait Watcher: Send {
    /// Properties of the robot behind it.
    fn facts(&self) -> Facts;

    /// Properties that commissioning needs to know.
    fn means(&self) -> Means;

    /// Everything that has come from the robot since the last call.
    fn poll(&mut self, now: Instant) -> Events;
}

/// The half that sends.
pub trait Adapter: Watcher {
    /// True of an actuator that the robot behind it moves. A command of any other is refused before [`Adapter::begin`]:
    /// a protocol that does not name the actuator would move another one than was judged.
    fn moves(&self, actuator: &ActuatorId) -> bool;

    /// Begins a motion that the gate has admitted.
    fn begin(&mut self, command: &Approved<Command>, now: Instant) -> Begun;

    /// Sends the velocities that are in force, if the protocol wants them again and again. Called every tick, never
    /// while the robot is being stopped.
    fn refresh(&mut self, in_force: &SetPoints, now: Instant);

    /// Sends the stop messages, all at once; called every tick until standstill is measured. `episode` rises with every
    /// new reason to stop, so that an answer to an earlier stop does not count for a later one.
    fn stop(&mut self, kind: StopKind, episode: u64, now: Instant) -> StopEvidence;

    /// Names of what is to answer the newest stop at the robot and has not; empty while there is none, and of an
    /// adapter whose stops nothing answers.
    fn unanswered(&self) -> Vec<String> {
        Vec::new()
    }

    /// Sends one of the means of [`Means::stops`] alone, and nothing else; called every tick until [`Adapter::stop`].
    /// An adapter with one means is not called; whatever it does not know how to do alone, it does by all of them.
    fn stop_by(&mut self, _means: &StopMeans, episode: u64, now: Instant) -> StopEvidence {
        self.stop(StopKind::Stop, episode, now)
    }

    /// True once nothing that was sent can begin a motion any more. A server that was busy may take a goal after it was
    /// given up, and a gate that had ended by then could not cancel it.
    fn is_settled(&self) -> bool;

    /// Sends nothing at all from now on, no sign of life and no zero either, until the next [`Adapter::begin`] or
    /// [`Adapter::stop`]: as if the gate had died.
    fn fall_silent(&mut self);

    /// A sender of the stop messages that works without the adapter.
    fn stop_sender(&self) -> Arc<dyn StopSender>;
}

/// Sends an adapter's stop messages from any thread: the way out if the deciding thread has crashed or hangs.
pub trait StopSender: Send + Sync {
    /// Sends them once. Every motion message that waits is dropped.
    fn send(&self);
}

/// Outcome of the beginning of a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begun {
    /// Its message is on its way.
    Running,
    /// Nothing was sent.
    Refused(Reason),
}

/// Severity of a stop. It is part of what is sent only where the robot's protocol knows the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopKind {
    /// Every motion ends; the next command may begin another.
    Hold,
    /// The robot's stop behaviour; the gate is latched.
    Stop,
}

/// Evidence that a stop has reached the robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopEvidence {
    /// The message has not left yet.
    Waiting,
    /// It has left.
    Sent,
    /// The robot has answered it.
    RobotAnswered,
}

/// Events of one poll.
#[derive(Debug, Default)]
pub struct Events {
    /// Measurements, in the order in which they came.
    pub readings: Vec<Reading>,
    /// Ends of motions.
    pub ended: Vec<(CommandId, Outcome)>,
    /// Control at the robot itself; none if it was not heard of.
    pub local: Option<bool>,
    /// The name of a source of motion that is neither this gate nor a person at the robot; none while there is none.
    pub foreign: Option<String>,
    /// Failures that stop the robot.
    pub faults: Vec<GateFault>,
    /// The collision monitors that the protocol shows, if they have changed.
    pub monitors: Option<Vec<CollisionMonitor>>,
}

/// The end of a motion, as the robot reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is where it was to go.
    Done,
    /// It ended in another way.
    Failed,
}

/// One measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The robot's own time of it, milliseconds of any clock that only rises.
    pub stamp_ms: f64,
    /// Gate's clock at arrival.
    pub arrived: Instant,
    /// The value.
    pub value: ReadingValue,
}

/// Measured joints.
#[derive(Debug, Clone, PartialEq)]
pub struct JointReading {
    /// Their positions.
    pub positions: JointPositions,
    /// Their speeds in the same order, radians a second, metres of a sliding joint; none where the robot tells none.
    pub speeds: Option<Box<[f64]>>,
}

/// The value of a measurement.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each holds the measurement it is named after")]
pub enum ReadingValue {
    /// In the manifest's default frame.
    Pose(Pose),
    Velocity(Velocity),
    Joints(JointReading),
    /// Newtons.
    Force(f64),
    /// Something that the wiring forwards by name.
    Extra(String, Value),
}

/// Velocities that are in force. Only an admitted command puts one here, and a lapse, a hold or a stop takes it out.
#[derive(Debug, Default)]
pub struct SetPoints {
    commands: Vec<Approved<Command>>,
}

impl SetPoints {
    pub(crate) fn put(&mut self, approved: Approved<Command>) {
        // One for each actuator: two would be refreshed in turn.
        self.remove(&approved.command().actuator.clone());
        self.commands.push(approved);
    }

    pub(crate) fn remove(&mut self, actuator: &ActuatorId) {
        self.commands.retain(|held| held.command().actuator != *actuator);
    }

    pub(crate) fn clear(&mut self) {
        self.commands.clear();
    }

    /// The commands, one for each actuator.
    pub fn iter(&self) -> impl Iterator<Item = &Command> {
        self.commands.iter().map(Approved::command)
    }
}
