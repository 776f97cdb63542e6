//! Everything that was heard of a robot, between the threads that hear it and the one that decides.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bridge::envelope::GateFault;
use robot::{CollisionMonitor, Instant, UnitQuaternion};
use ros2_client::Gid;
use safety::JointPositions;

use super::goals::{Goals, Server};
use crate::adapter::{Reading, ReadingValue};
use crate::adapters::ros2::discovery::graph::{Graph, TwistType};

/// Measurements that wait for the deciding thread: what comes within its longest tick.
const READINGS_MAX: usize = 1_024;
/// Readers that were matched with the gate's writers and are remembered.
const MATCHES_MAX: usize = 256;

/// Everything that was heard.
#[derive(Default)]
pub struct Inbound {
    state: Mutex<Received>,
}

/// Everything that was heard since the last look, and what holds now.
#[derive(Default)]
pub struct Received {
    /// In the order in which they came.
    pub readings: VecDeque<Reading>,
    /// Faults of the robot and of the threads.
    pub faults: Vec<GateFault>,
    /// Arrival of the last velocity.
    pub last_velocity: Option<Instant>,
    /// Rotation of the robot in the default frame, and its arrival.
    pub rotation: Option<(UnitQuaternion, Instant)>,
    /// The newest positions of joints, and their arrival.
    pub joints: Option<(JointPositions, Instant)>,
    /// The robot's word that it takes goals; none if it has told nothing.
    pub ready: Option<bool>,
    /// Another publisher on the command topic.
    pub foreign: Option<String>,
    /// Types of those who listen to the commands; none for one that carries no velocity.
    pub listeners: BTreeSet<Option<TwistType>>,
    /// Goals at the action server that moves the robot.
    pub goals: Goals,
    /// The collision monitors of the robot's domain, if they are others than before.
    monitors: Option<Vec<CollisionMonitor>>,
    known_monitors: Vec<CollisionMonitor>,
    /// The gate's writers of commands, that of limits of the speed, and the writers that each reader has matched.
    writers: BTreeSet<Gid>,
    limits: Option<Gid>,
    matched: BTreeMap<Gid, BTreeSet<Gid>>,
    graph: Arc<Graph>,
}

impl Received {
    /// True if somebody receives the gate's messages on the command topic.
    #[must_use]
    pub fn reaches_the_robot(&self) -> bool {
        self.matched.values().flatten().any(|writer| self.writers.contains(writer))
    }

    /// True if a measurement of this robot's time waits.
    #[cfg(test)]
    pub fn has(&self, stamp_ms: f64) -> bool {
        self.readings.iter().any(|reading| (reading.stamp_ms - stamp_ms).abs() < 0.5)
    }

    /// True if velocities have exactly one meaning to whoever listens.
    #[must_use]
    pub fn can_be_driven(&self) -> bool {
        self.reaches_the_robot() && self.listeners.len() == 1 && !self.listeners.contains(&None)
    }

    /// A reader receives one of the gate's writers.
    pub(super) fn note_match(&mut self, reader: Gid, writer: Gid) {
        if self.matched.len() < MATCHES_MAX {
            self.matched.entry(reader).or_default().insert(writer);
        }
    }

    /// A reader has said that it ends.
    pub(super) fn note_lost(&mut self, reader: Gid) {
        self.matched.remove(&reader);
    }

    /// Forgets the readers that are not `there` any more. A participant that is lost tells of none of its own.
    pub(super) fn forget_gone(&mut self, there: &BTreeSet<Gid>) {
        self.matched.retain(|reader, _| there.contains(reader));
    }

    /// The action server as the graph shows it.
    pub(super) fn note_server(&mut self, server: Server) {
        let mut received = self.matched.values().flatten();
        // A listener that has not found the gate's writer, or wants another quality of service, gets no limit.
        let limits_speed = server.limits_speed && received.any(|writer| self.limits == Some(*writer));
        self.goals.note_server(Server { limits_speed, ..server });
    }

    /// Takes in the graph, and gives back the one before.
    pub(super) const fn replace_graph(&mut self, graph: Arc<Graph>) -> Arc<Graph> {
        std::mem::replace(&mut self.graph, graph)
    }
}

impl Inbound {
    /// Takes out the readings and the faults, and shows the rest.
    pub fn take(&self) -> (VecDeque<Reading>, Vec<GateFault>) {
        let mut state = self.state();
        (std::mem::take(&mut state.readings), std::mem::take(&mut state.faults))
    }

    /// A look at what holds.
    pub fn look<T>(&self, look: impl FnOnce(&Received) -> T) -> T {
        look(&self.state())
    }

    /// Takes what was heard of goals.
    pub fn with_goals<T>(&self, take: impl FnOnce(&mut Goals) -> T) -> T {
        take(&mut self.state().goals)
    }

    /// The graph as it was last seen.
    pub fn graph(&self) -> Arc<Graph> {
        Arc::clone(&self.state().graph)
    }

    /// One of the gate's writers of commands.
    pub fn note_writer(&self, writer: Gid) {
        self.state().writers.insert(writer);
    }

    /// The gate's writer of limits of the speed.
    pub fn note_limits(&self, writer: Gid) {
        self.state().limits = Some(writer);
    }

    /// A fault that stops the robot.
    pub fn fault(&self, fault: GateFault) {
        let mut state = self.state();
        if !state.faults.contains(&fault) {
            state.faults.push(fault);
        }
    }

    pub(super) fn readings(&self, readings: Vec<Reading>, rotation: Option<(UnitQuaternion, Instant)>) {
        let mut state = self.state();
        state.rotation = rotation;
        for reading in readings {
            match &reading.value {
                ReadingValue::Velocity(_) => state.last_velocity = Some(reading.arrived),
                ReadingValue::Joints(joints) => state.joints = Some((joints.positions.clone(), reading.arrived)),
                ReadingValue::Pose(_) | ReadingValue::Force(_) | ReadingValue::Extra(..) => {}
            }
            if state.readings.len() == READINGS_MAX {
                // `fault` takes the same lock.
                drop(state);
                return self.fault(GateFault::Flood);
            }
            state.readings.push_back(reading);
        }
    }

    /// The collision monitors that are there now.
    pub(super) fn note_monitors(&self, monitors: Vec<CollisionMonitor>) {
        let mut state = self.state();
        // Said only when it changes: each time is a report to the station.
        if state.known_monitors != monitors {
            state.known_monitors.clone_from(&monitors);
            state.monitors = Some(monitors);
        }
    }

    /// The collision monitors, if they have changed since the last call.
    pub fn take_monitors(&self) -> Option<Vec<CollisionMonitor>> {
        self.state().monitors.take()
    }

    /// The robot's word that it takes goals, if it is there.
    pub(super) fn note_ready(&self, ready: Option<bool>) {
        self.state().ready = ready;
    }

    /// Everything, for as long as the guard lives: the deciding thread waits for it.
    pub(super) fn state(&self) -> MutexGuard<'_, Received> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that panics leaves a fault behind.
pub struct CrashMark(pub Arc<Inbound>);

impl Drop for CrashMark {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.fault(GateFault::Crashed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rg_10_a_reader_that_is_gone_without_a_word_receives_no_stop_and_makes_room() {
        let [writer, reader, other] = [1, 2, 3].map(|number| Gid::from([number; 16]));
        let mut heard = Received { writers: [writer].into(), ..Received::default() };
        heard.matched = [(reader, [writer].into()), (other, BTreeSet::new())].into();
        heard.forget_gone(&[reader].into());
        assert!(heard.reaches_the_robot() && heard.matched.len() == 1);
        heard.forget_gone(&[other].into());
        assert!(!heard.reaches_the_robot() && heard.matched.is_empty());
    }

    #[test]
    fn rg_27_a_limit_of_the_speed_binds_once_somebody_receives_it() {
        let [limits, reader] = [1, 2].map(|number| Gid::from([number; 16]));
        let mut heard = Received { limits: Some(limits), ..Received::default() };
        let server = Server { is_there: true, limits_speed: true, client: None };
        heard.note_server(server.clone());
        assert!(!heard.goals.server.limits_speed, "the graph shows a listener, and nothing reaches it");
        heard.note_match(reader, limits);
        heard.note_server(server);
        assert!(heard.goals.server.limits_speed);
    }
}
