//! The thread that reads the robot's topics and its graph. The deciding thread only looks into what it has heard.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridge::ClockFn;
use bridge::envelope::GateFault;
use robot::{CollisionMonitor, Instant, UnitQuaternion};
use ros2::{Definition, built_in};
use ros2_client::Gid;
use ros2_client::dds::rustdds::{DomainParticipant, DomainParticipantStatusEvent, RTPSEntity as _, StatusEvented};
use safety::JointPositions;

use super::domain::{
    DomainError, RawMessage, RawReader, SPEED_LIMIT, SizedReader, dds_requests, dds_topic, dds_type, goal_service, read,
};
use super::goals::{Goals, Server};
use super::hearing::{Reader, Source, sources};
use super::message::GoalStatusArray;
use super::outbox::Outbox;
use super::wiring::Ros2Wiring;
use crate::adapter::{Reading, ReadingValue};
use crate::adapters::ros2::discovery::graph::{Endpoint, Graph, TwistType};
use crate::adapters::ros2::discovery::nodes::NodeReader;

/// Period of looks at the topics.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Looks between two at the graph.
const LOOKS_PER_GRAPH: u32 = 20;
/// Messages of one topic that are read at one look: a robot that sends more is too fast for its gate.
const MESSAGES_PER_LOOK: usize = 64;
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
    /// The gate's writers of commands, and those of them that a reader has matched.
    writers: BTreeSet<Gid>,
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

    /// Forgets the readers that are not `there` any more. A participant that is lost tells of none of its own.
    fn forget_gone(&mut self, there: &BTreeSet<Gid>) {
        self.matched.retain(|reader, _| there.contains(reader));
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

    fn note_ready(&self, ready: Option<bool>) {
        self.state().ready = ready;
    }

    fn state(&self) -> MutexGuard<'_, Received> {
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

/// A topic that is read.
struct Topic {
    name: String,
    source: Source,
    definition: &'static Definition,
    reader: RawReader,
}

/// The action server that moves the robot.
struct GoalServer {
    /// Its topic of states.
    topic: String,
    definition: &'static Definition,
    states: RawReader,
    /// Names in DDS of the requests to take a goal, and of the topic of limits of the speed.
    requests: String,
    limit: String,
}

/// The reading thread's own.
struct Listener {
    participant: DomainParticipant,
    topics: Vec<Topic>,
    /// Topics to forward whose type nobody has told yet: name in DDS, and in the wiring.
    untyped: Vec<(String, String)>,
    nodes: NodeReader,
    graph: Graph,
    command_topic: Option<String>,
    /// The topic by which the robot says that it takes goals, and true while somebody publishes it.
    ready_topic: Option<String>,
    has_ready: bool,
    goals: Option<GoalServer>,
    reader: Reader,
    heard: Arc<Inbound>,
    outbox: Option<Arc<Outbox>>,
    clock: ClockFn,
}

/// Everything that the reading of topics uses and tells.
pub struct ListenerParts {
    /// The gate's own in the robot's domain.
    pub participant: DomainParticipant,
    /// Makes measurements of messages.
    pub reader: Reader,
    /// Hears who listens to commands, if any are sent.
    pub outbox: Option<Arc<Outbox>>,
    /// Says when a message came.
    pub clock: ClockFn,
    /// Ends the reading once it is set.
    pub ended: Arc<AtomicBool>,
}

/// Starts to read the topics of a wiring.
pub fn listen(wiring: &Ros2Wiring, listening: ListenerParts) -> Result<Arc<Inbound>, DomainError> {
    let ListenerParts { participant, reader: measurements, outbox, clock, ended } = listening;
    let mut topics = Vec::new();
    for (name, message, source) in sources(wiring) {
        let definition = built_in().get(message).ok_or_else(|| DomainError::new(message, "its type is unknown"))?;
        // Both are sent when they change, and kept for whoever joins later.
        let is_durable = matches!(source, Source::Tf { is_static: true } | Source::Ready);
        let reader = read(&participant, &dds_topic(&name), &dds_type(message), is_durable)?;
        topics.push(Topic { name, source, definition, reader });
    }
    // The wiring has no types for what is forwarded: each is told by whoever publishes the topic.
    let untyped = wiring.forward.iter().map(|name| (dds_topic(&wiring.absolute(name)), name.clone())).collect();
    let heard = Arc::<Inbound>::default();
    let mut listener = Listener {
        nodes: NodeReader::open(&participant)?,
        goals: wiring.goal_action().map(|action| GoalServer::open(&participant, wiring, &action)).transpose()?,
        participant,
        topics,
        untyped,
        graph: Graph::default(),
        command_topic: wiring.command_topic().map(|topic| dds_topic(&topic)),
        ready_topic: wiring.ready.as_ref().map(|ready| dds_topic(&wiring.absolute(&ready.topic))),
        has_ready: false,
        reader: measurements,
        heard: Arc::clone(&heard),
        outbox,
        clock,
    };
    let to = Arc::clone(&heard);
    let run = move || {
        let crash = CrashMark(to);
        let mut looks = 0;
        while !ended.load(Ordering::Acquire) {
            listener.look(looks % LOOKS_PER_GRAPH == 0);
            looks = looks.wrapping_add(1);
            std::thread::sleep(LOOK_EVERY);
        }
        drop(crash);
    };
    let started = std::thread::Builder::new().name("ros2-in".to_owned()).spawn(run);
    started.map_err(|error| DomainError::new("a thread", error))?;
    Ok(heard)
}

impl GoalServer {
    fn open(participant: &DomainParticipant, wiring: &Ros2Wiring, action: &str) -> Result<Self, DomainError> {
        const STATES: &str = "action_msgs/msg/GoalStatusArray";
        let definition = built_in().get(STATES).ok_or_else(|| DomainError::new(STATES, "its type is unknown"))?;
        let topic = format!("{action}/_action/status");
        let states = read(participant, &dds_topic(&topic), &dds_type(STATES), true)?;
        let requests = dds_requests(&goal_service(action));
        Ok(Self { topic, definition, states, requests, limit: dds_topic(&wiring.absolute(SPEED_LIMIT)) })
    }

    fn note(&self, message: &[u8], heard: &Inbound) -> Result<(), String> {
        let states = ros2::read(message, self.definition, PhantomData::<GoalStatusArray<'_>>);
        let states = states.map_err(|error| error.to_string())?;
        heard.with_goals(|goals| goals.note_states(&states))
    }

    fn shown_by(&self, graph: &Graph) -> Server {
        Server {
            is_there: graph.is_served(&self.requests),
            limits_speed: graph.limits_speed(&self.limit),
            client: graph.only_writer(&self.requests),
        }
    }
}

impl Listener {
    fn look(&mut self, with_graph: bool) {
        self.look_at_matches();
        if with_graph {
            self.look_at_nodes();
            self.look_at_graph();
        }
        let now = (self.clock)().station;
        for topic in &self.topics {
            // A topic that never dries up must not keep the others from being read.
            let messages = std::iter::from_fn(|| take(&topic.reader)).take(MESSAGES_PER_LOOK);
            for message in worth_reading(&topic.source, messages) {
                let readings = match message {
                    Ok(message) => self.reader.read(&topic.name, &topic.source, topic.definition, &message, now),
                    Err(reason) => vec![self.reader.refuse(&topic.name, reason, now)],
                };
                self.heard.readings(readings, self.reader.rotation());
            }
        }
        // The last word of a driver that is gone says nothing.
        self.heard.note_ready(self.reader.ready().filter(|_| self.has_ready));
        self.look_at_goals(now);
    }

    fn look_at_goals(&mut self, now: Instant) {
        let Some(goals) = &self.goals else { return };
        for _ in 0..MESSAGES_PER_LOOK {
            let Some(message) = take(&goals.states) else { return };
            if let Err(reason) = message.and_then(|message| goals.note(&message, &self.heard)) {
                self.heard.with_goals(Goals::lose_states);
                let refused = self.reader.refuse(&goals.topic, reason, now);
                self.heard.readings(vec![refused], self.reader.rotation());
            }
        }
    }

    fn look_at_matches(&self) {
        let (own, events) = (self.participant.guid().prefix, self.participant.status_listener());
        while let Some(event) = events.try_recv_status() {
            let mut state = self.heard.state();
            if let DomainParticipantStatusEvent::ReaderLost { guid, .. } = event {
                state.matched.remove(&Gid::from(guid));
            } else if let DomainParticipantStatusEvent::RemoteReaderMatched { local_writer, remote_reader } = event
                // A reader of this participant is no robot.
                && remote_reader.prefix != own
                && state.matched.len() < MATCHES_MAX
            {
                state.matched.entry(Gid::from(remote_reader)).or_default().insert(Gid::from(local_writer));
            }
        }
    }

    fn look_at_nodes(&mut self) {
        let graph = &mut self.graph;
        self.nodes.look(|participant, nodes| {
            let nodes = nodes.iter().map(|node| {
                let name = format!("{}/{}", node.node_namespace.trim_end_matches('/'), node.node_name);
                let writers = node.writer_gid_seq.iter().filter_map(|gid| gid.data.try_into().ok());
                (name, writers.collect())
            });
            graph.note_nodes(participant, nodes.collect());
        });
    }

    fn look_at_graph(&mut self) {
        let own = self.participant.guid().prefix;
        // Replaced as a whole, so that an end which is gone is no commander any more.
        self.graph.writers = self
            .participant
            .discovered_writers()
            .into_iter()
            .filter(|writer| writer.publication_topic_data.key.prefix != own)
            .map(|writer| {
                let topic = writer.publication_topic_data;
                Endpoint { gid: Gid::from(topic.key), topic: topic.topic_name, dds_type: topic.type_name }
            })
            .collect();
        self.graph.readers = self
            .participant
            .discovered_readers()
            .into_iter()
            .filter(|reader| reader.subscription_topic_data.key().prefix != own)
            .map(|reader| {
                let topic = reader.subscription_topic_data;
                Endpoint {
                    gid: Gid::from(topic.key()),
                    topic: topic.topic_name().clone(),
                    dds_type: topic.type_name().clone(),
                }
            })
            .collect();
        self.read_what_is_typed_now();
        let topic = self.command_topic.as_deref();
        let listeners = topic.map(|topic| self.graph.listeners(topic)).unwrap_or_default();
        let foreign = topic.and_then(|topic| self.graph.foreign(topic));
        let server = self.goals.as_ref().map(|goals| goals.shown_by(&self.graph));
        self.has_ready = self.ready_topic.as_ref().is_some_and(|topic| self.graph.published(topic).is_some());
        let there: BTreeSet<Gid> = self.graph.readers.iter().map(|reader| reader.gid).collect();
        // The deciding thread waits for this lock: nothing large is copied under it.
        let graph = Arc::new(self.graph.clone());
        let mut state = self.heard.state();
        state.forget_gone(&there);
        let is_new = state.listeners != listeners;
        state.listeners.clone_from(&listeners);
        state.foreign = foreign;
        if let Some(server) = server {
            state.goals.note_server(server);
        }
        let old = std::mem::replace(&mut state.graph, graph);
        drop(state);
        drop(old);
        if let Some(outbox) = self.outbox.as_ref().filter(|_| is_new) {
            outbox.listeners(listeners.into_iter().flatten().collect());
        }
    }

    /// Reads the topics to forward whose type somebody has told meanwhile.
    fn read_what_is_typed_now(&mut self) {
        let (graph, participant, topics) = (&self.graph, &self.participant, &mut self.topics);
        let mut reader_of = |dds_name: &str, name: &str| -> Option<()> {
            let dds_type = graph.published(dds_name)?;
            let Some(definition) = built_in().of_dds_type(dds_type) else {
                tracing::warn!(name, dds_type, "a topic is not forwarded: its type is not known here");
                return Some(());
            };
            match read(participant, dds_name, dds_type, false) {
                Ok(reader) => {
                    let source = Source::Extra(name.to_owned());
                    topics.push(Topic { name: name.to_owned(), source, definition, reader });
                }
                Err(error) => tracing::warn!(name, %error, "a topic is not forwarded"),
            }
            Some(())
        };
        self.untyped.retain(|(dds_name, name)| reader_of(dds_name, name).is_none());
    }
}

/// The messages of one look that are read.
fn worth_reading<M>(source: &Source, messages: impl Iterator<Item = M>) -> Vec<M> {
    match source {
        // Stations get few of what is forwarded, and a fast scan that is decoded as a whole keeps the pose waiting.
        Source::Extra(_) => messages.last().into_iter().collect(),
        Source::Odometry { .. } | Source::Tf { .. } | Source::Joints | Source::Ready => messages.collect(),
    }
}

/// The next message of a topic: its bytes, or the reason that they are none.
pub fn take<const BYTES_MAX: usize>(reader: &SizedReader<BYTES_MAX>) -> Option<Result<Vec<u8>, String>> {
    reader.drain_read_notifications();
    match reader.try_take_one() {
        Ok(None) => None,
        Ok(Some(change)) => {
            let RawMessage(message) = change.into_value();
            Some(message.map_err(|bytes| format!("{bytes} bytes")))
        }
        Err(error) => Some(Err(error.to_string())),
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
    fn rg_06_of_what_is_forwarded_the_newest_is_read_and_of_measurements_each() {
        let extra = Source::Extra("scan".to_owned());
        assert_eq!(worth_reading(&extra, 1..=64), [64]);
        assert_eq!(worth_reading(&extra, 0..0), [0; 0]);
        assert_eq!(worth_reading(&Source::Joints, 1..=3), [1, 2, 3]);
    }
}
