//! A look into a domain of ROS 2 over DDS. Nothing is published or served; the services by which nodes tell their
//! parameters are the only ones that are called.

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ros2::built_in;
use ros2_client::dds::rustdds::{DomainParticipant, DomainParticipantBuilder, RTPSEntity as _};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::parameters;
use super::seen::{End, EndKind, NodeName, OdometrySeen, Seen, is_name, is_short};
use crate::adapters::ros2::{
    Header, NodeReader, ParameterReader, RawReader, TransformList, node_of, node_of_service, read, take,
};
use crate::host;

/// Period of looks at the graph and at what was said.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Messages of one topic that are read at one look.
const MESSAGES_PER_LOOK: usize = 64;
/// Topics that are listened to.
const TOPICS_MAX: usize = 64;
/// Transforms, and participants, that are remembered.
const REMEMBERED_MAX: usize = 4_096;
/// Nodes of all participants that are remembered, and what belongs to one of them.
const NODES_MAX: usize = 4_096;
const ENDS_OF_NODE_MAX: usize = 1_024;
/// The longest description, bytes.
const DESCRIPTION_BYTES_MAX: usize = 1 << 20;
/// Joints of one topic.
const JOINTS_MAX: usize = 64;

/// The part of a topic's messages that is read.
#[derive(Clone, Copy)]
enum Content {
    Odometry,
    Localised,
    Transforms,
    Joints,
    Description,
}

struct Listened {
    name: String,
    content: Content,
    reader: RawReader,
}

/// `nav_msgs/Odometry` with its covariance.
#[derive(Deserialize)]
struct Odometry {
    header: Header,
    child_frame_id: String,
    pose: PoseWithCovariance,
}

/// `geometry_msgs/PoseWithCovarianceStamped`.
#[derive(Deserialize)]
struct Localised {
    pose: PoseWithCovariance,
}

#[derive(Deserialize)]
struct PoseWithCovariance {
    covariance: Vec<f64>,
}

#[derive(Deserialize)]
struct Joints {
    name: Vec<String>,
}

#[derive(Deserialize)]
struct Text {
    data: String,
}

/// Nodes of a participant, and the identities of what belongs to each.
type Nodes = Vec<(String, String, Vec<[u8; 16]>)>;

/// Identity, kind, name and type of an end as DDS names them.
type SeenEnd = ([u8; 16], EndKind, String, String);

/// The participant goes last, after the readers that it has made.
struct Look {
    nodes: NodeReader,
    of_participants: BTreeMap<[u8; 16], Nodes>,
    listened: Vec<Listened>,
    parameters: ParameterReader,
    /// Topics that could not be listened to, and nodes that could not be asked: each is tried once.
    failed: BTreeSet<String>,
    seen: Seen,
    participant: DomainParticipant,
}

/// Everything that shows in a domain within a time, or until `ended`.
///
/// # Errors
/// The reason why the domain could not be joined.
pub fn look(domain: u16, within: Duration, ended: &AtomicBool) -> Result<Seen, String> {
    let participant = DomainParticipantBuilder::new(domain).build().map_err(|error| error.to_string())?;
    let nodes = NodeReader::open(&participant).map_err(|error| error.to_string())?;
    let node = node_of(&participant, "scan").map_err(|error| error.to_string())?;
    let parameters = ParameterReader::new(node, parameters::is_wanted);
    let (of_participants, listened, seen) = (BTreeMap::new(), Vec::new(), Seen::default());
    let failed = BTreeSet::new();
    let mut look = Look { participant, nodes, of_participants, listened, parameters, failed, seen };
    let clock = host::clock();
    let began = clock().station;
    while clock().station.since(began) < within && !ended.load(Ordering::Acquire) {
        look.look_at_nodes();
        let ends = look.ends();
        look.listen_to_new_topics(&ends);
        look.ask_new_nodes(&ends);
        look.parameters.look(clock().station);
        look.hear();
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(look.result())
}

impl Look {
    fn look_at_nodes(&mut self) {
        let of_participants = &mut self.of_participants;
        self.nodes.look(|participant, nodes| {
            let nodes = nodes.iter().filter(|node| is_short(node.node_namespace) && is_short(node.node_name));
            let nodes = nodes.map(|node| {
                let own = node.reader_gid_seq.iter().chain(&node.writer_gid_seq);
                let own = own.filter_map(|gid| gid.data.try_into().ok()).take(ENDS_OF_NODE_MAX).collect();
                (node.node_namespace.to_owned(), node.node_name.to_owned(), own)
            });
            remember(of_participants, participant, nodes);
        });
    }

    /// The ends of everybody else, by their identities.
    fn ends(&self) -> Vec<SeenEnd> {
        let own = self.participant.guid().prefix;
        let writers = self.participant.discovered_writers().into_iter().filter_map(|writer| {
            let topic = writer.publication_topic_data;
            // ROS 2 puts `rt` before the names of topics in DDS, and `rq` before requests to services.
            let is_topic = topic.key.prefix != own && topic.topic_name.starts_with("rt/");
            is_topic.then(|| (topic.key.to_bytes(), EndKind::Publisher, topic.topic_name, topic.type_name))
        });
        let readers = self.participant.discovered_readers().into_iter().filter_map(|reader| {
            let topic = reader.subscription_topic_data;
            let kind = match topic.topic_name() {
                name if name.starts_with("rt/") => EndKind::Subscriber,
                name if name.starts_with("rq/") => EndKind::Server,
                _ => return None,
            };
            let (name, dds_type) = (topic.topic_name().clone(), topic.type_name().clone());
            (topic.key().prefix != own).then(|| (topic.key().to_bytes(), kind, name, dds_type))
        });
        writers.chain(readers).collect()
    }

    /// Listens to the topics whose messages say something that the graph does not.
    fn listen_to_new_topics(&mut self, ends: &[SeenEnd]) {
        for (_, kind, dds_name, dds_type) in ends {
            let name = dds_name.trim_start_matches("rt");
            let is_new = *kind == EndKind::Publisher
                && is_name(name)
                && self.listened.iter().all(|topic| topic.name != name)
                && !self.failed.contains(name);
            let Some((content, is_durable)) = content_of(name, dds_type).filter(|_| is_new) else { continue };
            if self.listened.len() == TOPICS_MAX {
                return;
            }
            match read(&self.participant, dds_name, dds_type, is_durable) {
                Ok(reader) => self.listened.push(Listened { name: name.to_owned(), content, reader }),
                Err(error) => {
                    tracing::warn!(name, %error, "a topic is not listened to");
                    note_failed(&mut self.failed, name);
                }
            }
        }
    }

    /// Asks the nodes whose parameters say something about the robot.
    fn ask_new_nodes(&mut self, ends: &[SeenEnd]) {
        for (_, kind, dds_name, _) in ends {
            let service = dds_name.trim_start_matches("rq").trim_end_matches("Request");
            let node = node_of_service(service).filter(|_| *kind == EndKind::Server);
            let Some(node) = node.filter(|node| is_name(node) && parameters::is_of_interest(node)) else { continue };
            if !self.failed.contains(node)
                && let Err(error) = self.parameters.ask(node)
            {
                tracing::warn!(node, %error, "the parameters of a node are not read");
                note_failed(&mut self.failed, node);
            }
        }
    }

    fn hear(&mut self) {
        for topic in &self.listened {
            for _ in 0..MESSAGES_PER_LOOK {
                let Some(message) = take(&topic.reader) else { break };
                if let Ok(message) = message {
                    note(&mut self.seen, topic, &message);
                }
            }
        }
    }

    fn result(mut self) -> Seen {
        let mut owners: BTreeMap<[u8; 16], NodeName> = BTreeMap::new();
        for (namespace, name, own) in self.of_participants.values().flatten() {
            if let Some(node) = self.seen.note_node(namespace, name) {
                owners.extend(own.iter().map(|end| (*end, node.clone())));
            }
        }
        for (id, kind, dds_name, dds_type) in self.ends() {
            let name = match kind {
                EndKind::Publisher | EndKind::Subscriber => dds_name.trim_start_matches("rt").to_owned(),
                EndKind::Server => dds_name.trim_start_matches("rq").trim_end_matches("Request").to_owned(),
            };
            self.seen.note_end(End { kind, name, dds_type, node: owners.get(&id).cloned() });
        }
        self.seen.messages.parameters = self.parameters.into_parameters();
        self.seen
    }
}

/// Keeps the nodes of a participant in place of those that it told of before. Participants are strangers, and one
/// program may pretend to be any number of them, each with any number of nodes.
fn remember(
    of_participants: &mut BTreeMap<[u8; 16], Nodes>,
    participant: [u8; 16],
    nodes: impl Iterator<Item = (String, String, Vec<[u8; 16]>)>,
) {
    of_participants.remove(&participant);
    let known: usize = of_participants.values().map(Vec::len).sum();
    if of_participants.len() < REMEMBERED_MAX {
        of_participants.insert(participant, nodes.take(NODES_MAX.saturating_sub(known)).collect());
    }
}

/// Notes a name that nothing can be had of; beyond the bound it is tried again.
fn note_failed(failed: &mut BTreeSet<String>, name: &str) {
    if failed.len() < REMEMBERED_MAX {
        failed.insert(name.to_owned());
    }
}

/// The content of a topic that is listened to, and true if it is sent to late joiners.
fn content_of(name: &str, dds_type: &str) -> Option<(Content, bool)> {
    match dds_type {
        "nav_msgs::msg::dds_::Odometry_" => Some((Content::Odometry, false)),
        "geometry_msgs::msg::dds_::PoseWithCovarianceStamped_" if name.ends_with("/amcl_pose") => {
            Some((Content::Localised, true))
        }
        "tf2_msgs::msg::dds_::TFMessage_" => Some((Content::Transforms, name.ends_with("/tf_static"))),
        "sensor_msgs::msg::dds_::JointState_" => Some((Content::Joints, false)),
        "std_msgs::msg::dds_::String_" if name.ends_with("/robot_description") => Some((Content::Description, true)),
        _ => None,
    }
}

/// Reads a message by the definition of its type that this program has.
fn message<T: DeserializeOwned>(name: &str, bytes: &[u8]) -> Option<T> {
    ros2::read(bytes, built_in().get(name)?, PhantomData::<T>).ok()
}

fn note(seen: &mut Seen, topic: &Listened, bytes: &[u8]) {
    let messages = &mut seen.messages;
    match topic.content {
        Content::Odometry => {
            let Some(odometry) = message::<Odometry>("nav_msgs/msg/Odometry", bytes) else { return };
            if !is_short(&odometry.header.frame_id) || !is_short(&odometry.child_frame_id) {
                return;
            }
            let before = messages.odometry.get(&topic.name).and_then(|seen| seen.sigma_m);
            let sigma_m = larger(before, sigma_m(&odometry.pose.covariance));
            let said = OdometrySeen { frame: odometry.header.frame_id, child: odometry.child_frame_id, sigma_m };
            messages.odometry.insert(topic.name.clone(), said);
        }
        Content::Localised => {
            let Some(localised) = message::<Localised>("geometry_msgs/msg/PoseWithCovarianceStamped", bytes) else {
                return;
            };
            let before = messages.localised.get(&topic.name).copied();
            if let Some(sigma_m) = larger(before, sigma_m(&localised.pose.covariance)) {
                messages.localised.insert(topic.name.clone(), sigma_m);
            }
        }
        Content::Transforms => {
            let Some(list) = message::<TransformList>("tf2_msgs/msg/TFMessage", bytes) else { return };
            let pairs = list.transforms.into_iter().map(|link| (link.header.frame_id, link.child_frame_id));
            let pairs = pairs.filter(|(parent, child)| is_short(parent) && is_short(child));
            // Frames are names that strangers choose: their number has no bound of its own.
            let room = REMEMBERED_MAX.saturating_sub(messages.transforms.len());
            messages.transforms.extend(pairs.take(room));
        }
        Content::Joints => {
            let Some(joints) = message::<Joints>("sensor_msgs/msg/JointState", bytes) else { return };
            messages.joints.insert(topic.name.clone(), joints.name.into_iter().take(JOINTS_MAX).collect());
        }
        Content::Description => {
            let Some(text) = message::<Text>("std_msgs/msg/String", bytes) else { return };
            // A longer one would be parsed for as long as its author likes.
            if text.data.len() <= DESCRIPTION_BYTES_MAX {
                messages.descriptions.insert(topic.name.clone(), text.data);
            }
        }
    }
}

fn larger(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}

/// The larger standard deviation of x and y; none for a covariance of zeros, which says nothing.
fn sigma_m(covariance: &[f64]) -> Option<f64> {
    // Row by row over x, y, z and three rotations: the variance of y is the eighth number.
    let [x, y] = [covariance.first()?, covariance.get(7)?];
    let variance = x.max(*y);
    (variance.is_finite() && variance > 0.0).then(|| variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rg_38_of_participants_that_pretend_to_be_thousands_a_bounded_number_of_nodes_is_remembered() {
        let nodes = |count: usize| (0..count).map(|n| ("/".to_owned(), format!("n{n}"), Vec::new()));
        let mut known = BTreeMap::new();
        remember(&mut known, [1; 16], nodes(3));
        remember(&mut known, [2; 16], nodes(NODES_MAX));
        remember(&mut known, [1; 16], nodes(2));
        assert_eq!((known[&[1; 16]].len(), known[&[2; 16]].len()), (2, NODES_MAX - 3));
        remember(&mut known, [3; 16], nodes(9));
        assert_eq!(known[&[3; 16]].len(), 1, "the room that is left");
        for n in 0..2 * REMEMBERED_MAX as u64 {
            let id: Vec<u8> = [n, n].map(u64::to_be_bytes).concat();
            remember(&mut known, id.try_into().unwrap(), nodes(0));
        }
        assert_eq!(known.len(), REMEMBERED_MAX);
    }

    #[test]
    fn rg_38_frames_are_short_words_of_letters_that_can_be_shown() {
        for (frame, expected) in [
            ("odom", true),
            ("Robot1/base_link", true),
            ("od\u{202e}om", false),
            ("a b", false),
            (&*"x".repeat(300), false),
        ] {
            assert_eq!(is_short(frame), expected, "{frame}");
        }
    }
}
