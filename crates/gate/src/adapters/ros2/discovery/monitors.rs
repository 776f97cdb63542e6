//! The collision monitors of Nav2 in a robot's domain: what stands in the way of a gate's velocities, by graph and
//! parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bridge::ClockFn;
use robot::{CollisionMonitor, Instant, MonitorPlace};

use crate::adapters::ros2::discovery::graph::Graph;
use crate::adapters::ros2::discovery::mux::{is_of_mux, is_written_plainly, topic};
use crate::adapters::ros2::discovery::parameters::{ParameterReader, Parameters};
use crate::adapters::ros2::domain::{Domain, DomainError, dds_topic};
use crate::adapters::ros2::inbound::Inbound;
use crate::adapters::ros2::wiring::Ros2Wiring;

/// Part of the name of every collision monitor.
const MONITOR: &str = "collision_monitor";
/// The topic that a collision monitor takes velocities from.
const MONITOR_INPUT: &str = "cmd_vel_in_topic";
/// Collision monitors that are looked at.
const MONITORS_MAX: usize = 8;
/// Time within which nodes tell their parameters.
const WITHIN: Duration = Duration::from_secs(10);
/// Period of looks at their answers.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Period of looks at the graph of a running gate.
const GRAPH_EVERY: Duration = Duration::from_millis(250);
/// Parameters are read again after this time: a node that was started anew may have others.
const READ_EVERY: Duration = Duration::from_secs(60);

/// The way of a gate's velocities.
#[derive(Clone, Copy)]
pub struct Way<'w> {
    /// The topic that the gate writes.
    pub topic: &'w str,
    /// The mux behind it.
    pub mux: Option<&'w str>,
    /// The graph.
    pub graph: &'w Graph,
}

/// The collision monitors of a graph, by the paths of their nodes.
pub fn monitors_of(graph: &Graph) -> Vec<String> {
    let is_monitor = |node: &String| node.rsplit('/').next().is_some_and(|name| name.contains(MONITOR));
    let nodes = graph.parameter_nodes().into_iter();
    nodes.filter(|node| is_monitor(node) && is_written_plainly(node)).take(MONITORS_MAX).collect()
}

/// The place of a collision monitor with these parameters on the way of a gate's velocities.
pub fn place(node: &str, told: Option<&Parameters>, way: Way<'_>) -> CollisionMonitor {
    let input = told.and_then(|told| topic(node, told, MONITOR_INPUT));
    let is_of_mux = |input: &String| way.mux.is_some_and(|mux| way.graph.publishes(mux, &dds_topic(input)));
    let place = match &input {
        None => MonitorPlace::Unknown,
        Some(input) if input == way.topic || is_of_mux(input) => MonitorPlace::OnTheWay,
        Some(_) => MonitorPlace::Elsewhere,
    };
    CollisionMonitor { node: node.to_owned(), input, place }
}

/// The parameters of nodes that tell the order of a mux and the input of a collision monitor, as far as they have told
/// them in time. `name` is that of the node that asks.
pub fn told(
    name: &str,
    wiring: &Ros2Wiring,
    nodes: &[&str],
    clock: &ClockFn,
    is_ended: impl Fn() -> bool,
) -> Result<BTreeMap<String, Parameters>, DomainError> {
    let domain = Domain::join_as(name, wiring)?;
    let mut reader = ParameterReader::new(domain.node, |name| is_of_mux(name) || name == MONITOR_INPUT);
    for node in nodes {
        reader.ask(node)?;
    }
    let began = clock().station;
    while !reader.is_done() && clock().station.since(began) < WITHIN && !is_ended() {
        reader.look(clock().station);
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(reader.into_parameters())
}

/// Looks for collision monitors while the gate runs, on a thread of its own: nothing that commands or stops waits for
/// it.
pub fn watch(
    heard: &Arc<Inbound>,
    wiring: &Ros2Wiring,
    clock: &ClockFn,
    ended: &Arc<AtomicBool>,
) -> Result<(), DomainError> {
    let Some(command) = wiring.command_topic() else { return Ok(()) };
    let mut look = Watch {
        mux: wiring.cmd_vel.as_ref().and_then(|cmd_vel| cmd_vel.mux.as_ref()).map(|mux| wiring.absolute(mux)),
        command,
        wiring: wiring.clone(),
        heard: Arc::clone(heard),
        clock: ClockFn::clone(clock),
        read: None,
    };
    let ended = Arc::clone(ended);
    let run = move || {
        while !ended.load(Ordering::Acquire) {
            look.look(&ended);
            std::thread::sleep(GRAPH_EVERY);
        }
    };
    let started = std::thread::Builder::new().name("ros2-monitors".to_owned()).spawn(run);
    started.map(drop).map_err(|error| DomainError::new("a thread", error))
}

/// The watching thread's own.
struct Watch {
    command: String,
    mux: Option<String>,
    wiring: Ros2Wiring,
    heard: Arc<Inbound>,
    clock: ClockFn,
    read: Option<Read>,
}

/// The parameters as they were read last.
struct Read {
    of: BTreeSet<String>,
    told: BTreeMap<String, Parameters>,
    at: Instant,
}

impl Watch {
    fn look(&mut self, ended: &AtomicBool) {
        let graph = self.heard.graph();
        let monitors = monitors_of(&graph);
        let nodes: BTreeSet<String> = monitors.iter().cloned().collect();
        let now = (self.clock)().station;
        let is_fresh = |read: &Read| read.of == nodes && now.since(read.at) < READ_EVERY;
        if !nodes.is_empty() && !self.read.as_ref().is_some_and(is_fresh) {
            let asked: Vec<&str> = monitors.iter().map(String::as_str).collect();
            let told = told("monitors", &self.wiring, &asked, &self.clock, || ended.load(Ordering::Acquire));
            // Nothing that commands or stops depends on it: the place of the monitor is unknown then.
            let told = told.unwrap_or_else(|error| {
                tracing::warn!(%error, "collision monitors cannot be asked for their parameters");
                BTreeMap::new()
            });
            self.read = Some(Read { of: nodes, told, at: now });
        }
        let told = |node: &String| self.read.as_ref().and_then(|read| read.told.get(node));
        let way = Way { topic: &self.command, mux: self.mux.as_deref(), graph: &graph };
        self.heard.note_monitors(monitors.iter().map(|node| place(node, told(node), way)).collect());
    }
}
