//! A participant in the robot's DDS domain, and the readers of its topics, which give the bytes as they came.

use std::convert::Infallible;

use ros2_client::dds::rustdds::{
    DomainParticipant, DomainParticipantBuilder, QosPolicies, QosPolicyBuilder, RepresentationIdentifier, TopicKind,
    no_key, policy,
};
use ros2_client::qos::{Durability, History, QosProfile, WhenFull};
use ros2_client::{Context, MessageTypeName, Node, NodeName, NodeOptions};

use super::hearing::MESSAGE_BYTES_MAX;
use super::wiring::Ros2Wiring;

/// Topic of Nav2 by which the speed of its controller is limited.
pub const SPEED_LIMIT: &str = "speed_limit";

/// Messages of a topic that wait to be read: what comes between two looks.
const DEPTH: usize = 64;
/// Messages of a topic of which only the newest counts.
const NEWEST: i32 = 2;
/// Transforms that hold for ever, and graphs of other participants, as late joiners get them.
const DURABLE_DEPTH: usize = 256;

/// A participant and its node.
pub struct Domain {
    pub participant: DomainParticipant,
    pub node: Node,
}

/// A participant could not be made, or one of its parts.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {reason}")]
pub struct DomainError {
    what: String,
    reason: String,
}

impl DomainError {
    /// `what` failed.
    pub fn new(what: impl Into<String>, reason: impl std::fmt::Display) -> Self {
        Self { what: what.into(), reason: reason.to_string() }
    }
}

impl Domain {
    /// Joins the domain of a wiring as the node `/quarterdeck/gate`, which offers nothing.
    pub fn join(wiring: &Ros2Wiring) -> Result<Self, DomainError> {
        Self::join_as("gate", wiring)
    }

    /// Joins as another node of `/quarterdeck`, whose messages are received beside those of all others.
    pub fn join_as(node: &str, wiring: &Ros2Wiring) -> Result<Self, DomainError> {
        let failed = |reason: String| DomainError::new(format!("domain {} of ROS 2", wiring.domain), reason);
        let mut builder = DomainParticipantBuilder::new(wiring.domain);
        if let Some(interface) = wiring.interface {
            builder = builder.with_only_networks([interface]);
        }
        let participant = builder.build().map_err(|error| failed(error.to_string()))?;
        let node = node_of(&participant, node)?;
        Ok(Self { participant, node })
    }
}

/// A node of `/quarterdeck` that offers nothing.
pub fn node_of(participant: &DomainParticipant, node: &str) -> Result<Node, DomainError> {
    let failed = |reason: String| DomainError::new(format!("the node {node}"), reason);
    let context = Context::from_domain_participant(participant.clone()).map_err(|error| failed(error.to_string()))?;
    let name = NodeName::new("/quarterdeck", node).map_err(|error| failed(error.to_string()))?;
    // A service of its own would be a way into the gate, in a domain where nobody proves who they are.
    let options = NodeOptions::new().enable_rosout(false).start_parameter_services(false);
    context.new_node(name, options).map_err(|error| failed(error.to_string()))
}

/// The name of a topic of ROS 2 in DDS.
#[must_use]
pub fn dds_topic(absolute: &str) -> String {
    format!("rt{absolute}")
}

/// The topic in DDS of the requests to a service.
#[must_use]
pub fn dds_requests(absolute: &str) -> String {
    format!("rq{absolute}Request")
}

/// The service by which goals of an action are cancelled.
#[must_use]
pub fn cancel_service(action: &str) -> String {
    format!("{action}/_action/cancel_goal")
}

/// The service that takes the goals of an action.
#[must_use]
pub fn goal_service(action: &str) -> String {
    format!("{action}/_action/send_goal")
}

/// Quality of service of velocities, requests and answers. A writer never waits.
pub const fn prompt(depth: usize) -> QosProfile {
    QosProfile::publisher_default().reliability_reliable(WhenFull::Fail).history(History::KeepLast { depth })
}

/// Takes what comes, from reliable and from other senders.
const fn as_it_comes() -> QosProfile {
    QosProfile::subscription_default().history(History::KeepLast { depth: DEPTH })
}

/// Takes also what was sent before.
pub const fn durable() -> QosProfile {
    prompt(DURABLE_DEPTH).durability(Durability::TransientLocal)
}

/// A message as it came: header of CDR and body, or the size of one that is too large.
pub struct RawMessage(pub Result<Vec<u8>, usize>);

/// Keeps bytes as they are, up to so many.
pub struct RawAdapter<const BYTES_MAX: usize>;

/// Reads them.
#[derive(Clone)]
pub struct RawDecoder<const BYTES_MAX: usize>;

// ROS 2 writes plain CDR, and the reader of definitions takes nothing else.
const READABLE: [RepresentationIdentifier; 2] = [RepresentationIdentifier::CDR_BE, RepresentationIdentifier::CDR_LE];

impl<const BYTES_MAX: usize> no_key::DeserializerAdapter<RawMessage> for RawAdapter<BYTES_MAX> {
    type Error = Infallible;
    type Decoded = RawMessage;

    fn supported_encodings() -> &'static [RepresentationIdentifier] {
        &READABLE
    }

    fn transform_decoded(decoded: RawMessage) -> RawMessage {
        decoded
    }
}

impl<const BYTES_MAX: usize> no_key::DefaultDecoder<RawMessage> for RawAdapter<BYTES_MAX> {
    type Decoder = RawDecoder<BYTES_MAX>;
    const DECODER: RawDecoder<BYTES_MAX> = RawDecoder;
}

impl<'de, const BYTES_MAX: usize> no_key::Decode<'de, RawMessage> for RawDecoder<BYTES_MAX> {
    type Error = Infallible;

    fn decode_bytes(self, body: &'de [u8], encoding: RepresentationIdentifier) -> Result<RawMessage, Infallible> {
        if body.len() > BYTES_MAX {
            return Ok(RawMessage(Err(body.len())));
        }
        // RustDDS has taken off the header that tells the order of bytes; the reader of CDR needs it.
        let order = u8::from(encoding == RepresentationIdentifier::CDR_LE);
        Ok(RawMessage(Ok([&[0, order, 0, 0], body].concat())))
    }
}

/// A reader of one topic, of messages up to a size.
pub type SizedReader<const BYTES_MAX: usize> = no_key::SimpleDataReader<RawMessage, RawAdapter<BYTES_MAX>>;
/// A reader of one topic of measurements.
pub type RawReader = SizedReader<MESSAGE_BYTES_MAX>;

/// Reads a topic by its name and its type in DDS.
pub fn read<const BYTES_MAX: usize>(
    participant: &DomainParticipant,
    topic: &str,
    dds_type: &str,
    is_durable: bool,
) -> Result<SizedReader<BYTES_MAX>, DomainError> {
    read_with(participant, topic, dds_type, if is_durable { durable() } else { as_it_comes() }.into())
}

/// Reads a topic of large messages of which only the newest counts.
pub fn read_newest<const BYTES_MAX: usize>(
    participant: &DomainParticipant,
    topic: &str,
    dds_type: &str,
    is_durable: bool,
) -> Result<SizedReader<BYTES_MAX>, DomainError> {
    let qos = if is_durable { prompt(1).durability(Durability::TransientLocal) } else { QosProfile::default() };
    // Without this RustDDS keeps 64 messages, as long as the participant lives: half a gigabyte of raw pictures.
    let few = policy::ResourceLimits { max_samples: NEWEST, max_instances: 1, max_samples_per_instance: NEWEST };
    let qos = QosPolicies::from(qos).modify_by(&QosPolicyBuilder::new().resource_limits(few).build());
    read_with(participant, topic, dds_type, qos)
}

fn read_with<const BYTES_MAX: usize>(
    participant: &DomainParticipant,
    topic: &str,
    dds_type: &str,
    qos: QosPolicies,
) -> Result<SizedReader<BYTES_MAX>, DomainError> {
    let failed = |reason: String| DomainError::new(topic, reason);
    let made = participant.create_topic(topic.to_owned(), dds_type.to_owned(), &qos, TopicKind::NoKey);
    let made = made.map_err(|error| failed(error.to_string()))?;
    let subscriber = participant.create_subscriber(&qos).map_err(|error| failed(error.to_string()))?;
    let reader = subscriber.create_simple_datareader_no_key::<RawMessage, RawAdapter<BYTES_MAX>>(&made, Some(qos));
    reader.map_err(|error| failed(error.to_string()))
}

/// The type in DDS of a message, by its name.
#[must_use]
pub fn dds_type(message: &str) -> String {
    let mut parts = message.split('/');
    let package = parts.next().unwrap_or_default();
    MessageTypeName::new(package, parts.next_back().unwrap_or_default()).dds_msg_type()
}
