//! The thread that reads the robot's topics and its graph. The deciding thread only looks into what it has heard.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bridge::ClockFn;
use robot::Instant;
use ros2::{Definition, built_in};
use ros2_client::Gid;
use ros2_client::dds::rustdds::{DomainParticipant, DomainParticipantStatusEvent, RTPSEntity as _, StatusEvented};

use super::domain::{
    DomainError, RawMessage, RawReader, SPEED_LIMIT, SizedReader, dds_requests, dds_topic, dds_type, goal_service, read,
};
use super::goals::{Goals, Server};
use super::hearing::{Reader, Source, sources};
use super::inbound::{CrashMark, Inbound};
use super::message::GoalStatusArray;
use super::outbox::Outbox;
use super::wiring::Ros2Wiring;
use crate::adapters::ros2::discovery::graph::{Endpoint, Graph};
use crate::adapters::ros2::discovery::nodes::NodeReader;

/// Period of looks at the topics.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Looks between two at the graph.
const LOOKS_PER_GRAPH: u32 = 20;
/// Messages of one topic that are read at one look: a robot that sends more is too fast for its gate.
const MESSAGES_PER_LOOK: usize = 64;

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

    fn look_at_matches(&mut self) {
        let (own, events) = (self.participant.guid().prefix, self.participant.status_listener());
        while let Some(event) = events.try_recv_status() {
            if let DomainParticipantStatusEvent::ParticipantDiscovered { dpd } = &event {
                self.graph.note_vendor(Gid::from(dpd.guid).to_bytes16(), dpd.vendor_id.as_bytes());
            }
            let mut state = self.heard.state();
            if let DomainParticipantStatusEvent::ReaderLost { guid, .. } = event {
                state.note_lost(Gid::from(guid));
            } else if let DomainParticipantStatusEvent::RemoteReaderMatched { local_writer, remote_reader } = event
                // A reader of this participant is no robot.
                && remote_reader.prefix != own
            {
                state.note_match(Gid::from(remote_reader), Gid::from(local_writer));
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
            state.note_server(server);
        }
        let old = state.replace_graph(graph);
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
    fn rg_06_of_what_is_forwarded_the_newest_is_read_and_of_measurements_each() {
        let extra = Source::Extra("scan".to_owned());
        assert_eq!(worth_reading(&extra, 1..=64), [64]);
        assert_eq!(worth_reading(&extra, 0..0), [0; 0]);
        assert_eq!(worth_reading(&Source::Joints, 1..=3), [1, 2, 3]);
    }
}
