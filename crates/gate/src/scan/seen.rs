//! A graph of ROS 2 as a scan has seen it, whatever it came over: plain data.

use std::collections::{BTreeMap, BTreeSet};

use robot::{FIND_TEXT_CHARS_MAX, FindProtocol};

use crate::adapters::ros2::Parameters;

/// Nodes of one graph.
const NODES_MAX: usize = 2_048;
/// Ends of topics and services of one graph.
const ENDS_MAX: usize = 20_000;
/// Nodes of this program itself.
const OWN_NAMESPACE: &str = "/quarterdeck";

/// The place of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphPlace {
    /// The protocol.
    pub protocol: FindProtocol,
    /// The domain, or the router.
    pub address: String,
    /// The ROS domain.
    pub domain: u16,
}

/// A node by its namespace and its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeName {
    /// With the slash at its beginning.
    pub namespace: String,
    /// Without slashes.
    pub name: String,
}

/// Kind of an end of a topic or a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndKind {
    /// It publishes.
    Publisher,
    /// It subscribes.
    Subscriber,
    /// It serves.
    Server,
}

/// An end of a topic or a service.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// Kind of it.
    pub kind: EndKind,
    /// Name of the topic or the service, with the slash at its beginning.
    pub name: String,
    /// Type in DDS, of a service that of its requests.
    pub dds_type: String,
    /// Its node, if it has introduced itself.
    pub node: Option<NodeName>,
}

/// Content of the messages of a scan.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Messages {
    /// Odometry by topic.
    pub odometry: BTreeMap<String, OdometrySeen>,
    /// Parent and child of every transform.
    pub transforms: BTreeSet<(String, String)>,
    /// Names of joints by topic.
    pub joints: BTreeMap<String, Vec<String>>,
    /// Texts of robot descriptions by topic.
    pub descriptions: BTreeMap<String, String>,
    /// Largest standard deviation of a position on a map by topic, metres; topics without one are left out.
    pub localised: BTreeMap<String, f64>,
    /// Parameters by the path of their node.
    pub parameters: BTreeMap<String, Parameters>,
}

/// Odometry of one topic.
#[derive(Debug, Clone, PartialEq)]
pub struct OdometrySeen {
    /// Frame of its poses.
    pub frame: String,
    /// Frame that moves.
    pub child: String,
    /// Largest standard deviation of a position, metres; none if every covariance was zero.
    pub sigma_m: Option<f64>,
}

/// The graph.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// Its nodes.
    pub nodes: BTreeSet<NodeName>,
    /// Ends of topics and services.
    pub ends: BTreeSet<End>,
    /// Content of the messages on its topics.
    pub messages: Messages,
}

impl Seen {
    /// Notes a node, unless it is one of this program or of a tool. None for a name that ROS 2 does not allow.
    pub fn note_node(&mut self, namespace: &str, name: &str) -> Option<NodeName> {
        let node = NodeName { namespace: namespace.to_owned(), name: name.to_owned() };
        if !is_name(&node.path()) {
            return None;
        }
        // A tool is left out and still gives its name, by which its own ends are left out too.
        if self.nodes.len() < NODES_MAX && !node.is_of_a_tool() {
            self.nodes.insert(node.clone());
        }
        Some(node)
    }

    /// Notes an end, unless it belongs to this program or a tool, or bears a name that ROS 2 does not allow.
    pub fn note_end(&mut self, end: End) {
        let is_of_a_tool = end.node.as_ref().is_some_and(NodeName::is_of_a_tool);
        if self.ends.len() < ENDS_MAX && !is_of_a_tool && is_name(&end.name) && is_type(&end.dds_type) {
            self.ends.insert(end);
        }
    }
}

impl NodeName {
    /// With its namespace.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}/{}", self.namespace.trim_end_matches('/'), self.name)
    }

    /// Names that begin with an underscore are hidden: the daemon of the command line, for example.
    fn is_of_a_tool(&self) -> bool {
        self.namespace == OWN_NAMESPACE || self.name.starts_with('_')
    }
}

/// A name of ROS 2: chunks of letters, digits and underscores.
pub fn is_name(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'/';
    text.len() <= FIND_TEXT_CHARS_MAX && text.starts_with('/') && !text.contains("//") && text.bytes().all(is_letter)
}

/// A word that a stranger has chosen and that can be kept and shown: a frame, or a part of a name.
pub fn is_short(text: &str) -> bool {
    text.len() <= FIND_TEXT_CHARS_MAX && text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_type(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b':';
    text.len() <= FIND_TEXT_CHARS_MAX && text.contains("::dds_::") && text.bytes().all(is_letter)
}

/// A frame that can stand in a manifest as it is.
pub fn is_frame(text: &str) -> bool {
    robot::FrameId::new(text).is_ok()
}
