//! The part of a robot's graph that a gate looks at: who listens to its commands, and who else commands.

use std::collections::{BTreeMap, BTreeSet};

use ros2_client::Gid;

use crate::adapters::ros2::discovery::mux::is_written_plainly;
use crate::adapters::ros2::discovery::parameters::node_of_service;

/// Participants whose nodes are known by name.
const PARTICIPANTS_MAX: usize = 1_024;
/// A name is cut to this many characters.
const NAME_CHARS_MAX: usize = 64;
/// Another source of motion that tells no name.
const NAMELESS: &str = "another publisher";
/// The type in DDS of limits of a speed.
const SPEED_LIMIT: &str = "nav2_msgs::msg::dds_::SpeedLimit_";
/// The number of Eclipse Cyclone DDS among the vendors of DDS.
const CYCLONE: [u8; 2] = [0x01, 0x10];

/// The types that carry velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TwistType {
    /// `geometry_msgs/Twist`.
    Plain,
    /// `geometry_msgs/TwistStamped`.
    Stamped,
}

impl TwistType {
    /// The type that DDS names so.
    #[must_use]
    pub fn of(dds_type: &str) -> Option<Self> {
        match dds_type {
            "geometry_msgs::msg::dds_::Twist_" => Some(Self::Plain),
            "geometry_msgs::msg::dds_::TwistStamped_" => Some(Self::Stamped),
            _ => None,
        }
    }

    /// Name of the message.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "Twist",
            Self::Stamped => "TwistStamped",
        }
    }
}

/// One end of a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Its identity.
    pub gid: Gid,
    /// Name of the topic in DDS.
    pub topic: String,
    /// Type of its messages in DDS.
    pub dds_type: String,
}

/// The name of a node, and the identities of what it publishes.
pub type NodeWriters = (String, BTreeSet<[u8; 16]>);

/// The graph as it was last seen.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    /// Publishers, services' responses included.
    pub writers: Vec<Endpoint>,
    /// Subscribers, services' requests included.
    pub readers: Vec<Endpoint>,
    nodes: BTreeMap<[u8; 16], Vec<NodeWriters>>,
    /// Participants of Cyclone DDS.
    cyclone: BTreeSet<[u8; 12]>,
}

impl Graph {
    /// The nodes of a participant with what they publish.
    pub fn note_nodes(&mut self, participant: [u8; 16], nodes: Vec<NodeWriters>) {
        if self.nodes.len() >= PARTICIPANTS_MAX {
            self.forget_gone();
        }
        if self.nodes.len() < PARTICIPANTS_MAX || self.nodes.contains_key(&participant) {
            self.nodes.insert(participant, nodes);
        }
    }

    /// The vendor of the middleware of a participant.
    pub fn note_vendor(&mut self, participant: [u8; 16], vendor: [u8; 2]) {
        if self.cyclone.len() >= PARTICIPANTS_MAX {
            self.forget_gone();
        }
        if vendor == CYCLONE && self.cyclone.len() < PARTICIPANTS_MAX {
            self.cyclone.insert(prefix(participant));
        }
    }

    /// Forgets participants that have no end of a topic any more: every command line tool is one for a moment.
    fn forget_gone(&mut self) {
        let participant_of = |gid: Gid| prefix(gid.to_bytes16());
        let ends = self.writers.iter().chain(&self.readers);
        let there: BTreeSet<[u8; 12]> = ends.map(|end| participant_of(end.gid)).collect();
        self.nodes.retain(|participant, _| there.contains(&prefix(*participant)));
        self.cyclone.retain(|participant| there.contains(participant));
    }

    /// Types of those who listen to the commands on `topic`.
    #[must_use]
    pub fn listeners(&self, topic: &str) -> BTreeSet<Option<TwistType>> {
        let of_topic = self.readers.iter().filter(|reader| reader.topic == topic);
        of_topic.map(|reader| TwistType::of(&reader.dds_type)).collect()
    }

    /// The first other publisher on `topic`, by the name of its node.
    #[must_use]
    pub fn foreign(&self, topic: &str) -> Option<String> {
        // In order, so that of several others always the same one is named.
        let others: BTreeSet<String> =
            self.writers.iter().filter(|writer| writer.topic == topic).map(|writer| self.node_of(writer.gid)).collect();
        others.into_iter().next()
    }

    /// The name of the node that is the only one to publish on `topic`.
    #[must_use]
    pub fn only_writer(&self, topic: &str) -> Option<String> {
        let writers: BTreeSet<String> =
            self.writers.iter().filter(|writer| writer.topic == topic).map(|writer| self.node_of(writer.gid)).collect();
        let mut writers = writers.into_iter().filter(|name| name != NAMELESS);
        writers.next().filter(|_| writers.next().is_none())
    }

    /// Type of the messages that are published on `topic`.
    #[must_use]
    pub fn published(&self, topic: &str) -> Option<&str> {
        self.writers.iter().find(|writer| writer.topic == topic).map(|writer| writer.dds_type.as_str())
    }

    /// True if somebody listens on `topic`, and understands the requests of this gate if it has those of a service.
    #[must_use]
    pub fn is_served(&self, topic: &str) -> bool {
        let mut readers = self.readers.iter().filter(|reader| reader.topic == topic);
        readers.any(|reader| !is_request(topic) || !self.is_of_cyclone(reader))
    }

    /// True if only Cyclone DDS serves the service whose requests go to `topic`. Requests have another form there, so
    /// that none of this gate is understood.
    #[must_use]
    pub fn is_served_otherwise(&self, topic: &str) -> bool {
        let is_there = self.readers.iter().any(|reader| reader.topic == topic);
        is_there && !self.is_served(topic)
    }

    fn is_of_cyclone(&self, end: &Endpoint) -> bool {
        self.cyclone.contains(&prefix(end.gid.to_bytes16()))
    }

    /// True if a limit of the speed that is published on `topic` binds whoever drives: somebody listens for limits there,
    /// and nobody else sets them.
    #[must_use]
    pub fn limits_speed(&self, topic: &str) -> bool {
        let listens = self.readers.iter().any(|reader| reader.topic == topic && reader.dds_type == SPEED_LIMIT);
        // Nav2's speed filter publishes there too, and lifts every limit where its map has none.
        listens && self.foreign(topic).is_none()
    }

    /// Nodes that tell their parameters, by their paths.
    #[must_use]
    pub fn parameter_nodes(&self) -> BTreeSet<String> {
        let services = self.readers.iter().filter_map(|reader| {
            let service = reader.topic.strip_prefix("rq")?.strip_suffix("Request")?;
            node_of_service(service).map(str::to_owned)
        });
        services.collect()
    }

    /// True if the node of this path publishes on `topic`.
    #[must_use]
    pub fn publishes(&self, node: &str, topic: &str) -> bool {
        let node: String = node.chars().take(NAME_CHARS_MAX).collect();
        self.writers.iter().any(|writer| writer.topic == topic && self.node_of(writer.gid) == node)
    }

    fn node_of(&self, writer: Gid) -> String {
        let writer = writer.to_bytes16();
        let mut nodes = self.nodes.values().flatten();
        let node = nodes.find(|(_, writers)| writers.contains(&writer)).map(|(name, _)| name.as_str());
        // Whoever wrote the name is a stranger, and people read it.
        let node = node.filter(|name| is_written_plainly(name));
        node.unwrap_or(NAMELESS).chars().take(NAME_CHARS_MAX).collect()
    }
}

/// True of a topic in DDS that has the requests of a service.
fn is_request(topic: &str) -> bool {
    topic.starts_with("rq/")
}

/// The part of an identity in DDS that every end of one participant shares.
fn prefix(identity: [u8; 16]) -> [u8; 12] {
    let [prefix @ .., _, _, _, _] = identity;
    prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(number: u8, topic: &str, name: &str) -> Endpoint {
        Endpoint {
            gid: Gid::from([number; 16]),
            topic: topic.to_owned(),
            dds_type: format!("geometry_msgs::msg::dds_::{name}_"),
        }
    }

    #[test]
    fn rg_14_another_publisher_on_the_command_topic_is_named_by_its_node() {
        let mut graph = Graph {
            writers: vec![endpoint(1, "rt/odom", "Twist"), endpoint(2, "rt/cmd_vel", "Twist")],
            ..Graph::default()
        };
        assert_eq!(graph.foreign("rt/cmd_vel").as_deref(), Some("another publisher"));
        graph.note_nodes([9; 16], vec![("/joystick".to_owned(), [[2; 16]].into())]);
        assert_eq!(graph.foreign("rt/cmd_vel").as_deref(), Some("/joystick"));
        assert_eq!(graph.foreign("rt/other"), None);
    }

    #[test]
    fn rg_12_a_service_of_cyclone_dds_understands_no_request_and_its_topics_are_heard() {
        let readers = vec![endpoint(1, "rq/stopRequest", "Trigger"), endpoint(1, "rt/event", "String")];
        let mut graph = Graph { readers, ..Graph::default() };
        assert!(graph.is_served("rq/stopRequest") && !graph.is_served_otherwise("rq/stopRequest"));
        graph.note_vendor([1; 16], CYCLONE);
        graph.note_vendor([2; 16], [0x01, 0x0f]);
        assert!(!graph.is_served("rq/stopRequest") && graph.is_served_otherwise("rq/stopRequest"));
        assert!(graph.is_served("rt/event") && !graph.is_served_otherwise("rq/otherRequest"));
        graph.readers.push(endpoint(2, "rq/stopRequest", "Trigger"));
        assert!(graph.is_served("rq/stopRequest"));
    }

    #[test]
    fn rg_05_rg_14_a_name_that_ros_2_does_not_allow_is_not_shown() {
        let mut graph = Graph { writers: vec![endpoint(2, "rt/cmd_vel", "Twist")], ..Graph::default() };
        for name in ["/joy\u{1b}[2Jstick", "/joy\u{202e}kcits", "/joy stick"] {
            graph.note_nodes([9; 16], vec![(name.to_owned(), [[2; 16]].into())]);
            assert_eq!(graph.foreign("rt/cmd_vel").as_deref(), Some("another publisher"), "{name:?}");
        }
    }

    #[test]
    fn rg_27_a_limit_of_the_speed_binds_if_somebody_listens_for_one_and_nobody_else_sets_it() {
        let limit = |number: u8, dds_type: &str| Endpoint {
            dds_type: dds_type.to_owned(),
            ..endpoint(number, "rt/speed_limit", "Twist")
        };
        let mut graph = Graph { readers: vec![limit(1, "std_msgs::msg::dds_::Float64_")], ..Graph::default() };
        assert!(!graph.limits_speed("rt/speed_limit"), "a listener for another message hears no limit");
        graph.readers.push(limit(2, SPEED_LIMIT));
        assert!(graph.limits_speed("rt/speed_limit"));
        graph.writers.push(limit(3, SPEED_LIMIT));
        assert!(!graph.limits_speed("rt/speed_limit"), "a speed filter would lift it");
    }

    #[test]
    fn rg_14_a_node_is_named_however_many_came_and_went_before_it() {
        let mut graph = Graph { writers: vec![endpoint(2, "rt/cmd_vel", "Twist")], ..Graph::default() };
        for number in 0..PARTICIPANTS_MAX as u16 {
            let [high, low] = number.to_be_bytes();
            let mut gone = [7; 16];
            [gone[0], gone[1]] = [high, low];
            graph.note_nodes(gone, vec![("/ros2cli".to_owned(), BTreeSet::new())]);
        }
        graph.note_nodes([2; 16], vec![("/joystick".to_owned(), [[2; 16]].into())]);
        assert_eq!(graph.foreign("rt/cmd_vel").as_deref(), Some("/joystick"));
    }

    #[test]
    fn rg_25_the_type_of_a_velocity_is_the_one_that_the_robot_listens_for() {
        let readers = vec![endpoint(1, "rt/cmd_vel", "TwistStamped"), endpoint(2, "rt/other", "Twist")];
        let mut graph = Graph { readers, ..Graph::default() };
        assert_eq!(graph.listeners("rt/cmd_vel"), [Some(TwistType::Stamped)].into());
        graph.readers.push(endpoint(3, "rt/cmd_vel", "Wrench"));
        assert_eq!(graph.listeners("rt/cmd_vel"), [None, Some(TwistType::Stamped)].into());
    }
}
