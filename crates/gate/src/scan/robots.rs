//! Robots told apart in a graph of ROS 2, by namespace.
//!
//! Nodes of a namespace and of those within it are one robot. A namespace of which nothing moves and nothing measures
//! motion, of a camera for example, is part of what has no namespace. Nodes without a namespace are one robot.

use std::collections::{BTreeMap, BTreeSet};

use robot::{
    FIND_TEXT_CHARS_MAX, FieldProposal, Find, FindCertainty, FindField, FindLack, FindOffer, FindProtocol, OFFERS_MAX,
    OfferKind,
};

use super::fields;
use super::group::{Group, JOINT_STATE, ODOMETRY, message_type, service_type};
use super::seen::{End, EndKind, GraphPlace, Seen};

/// Everything that every node of ROS 2 has, which says nothing about a robot.
const PLUMBING: [&str; 2] = ["/rosout", "/parameter_events"];

/// The robots of a graph.
pub fn finds(seen: &Seen, at: &GraphPlace) -> Vec<Find> {
    groups(seen).iter().filter(|group| group.says_something()).map(|group| group.find(at)).collect()
}

/// The graph in parts, one for each robot.
pub fn groups(seen: &Seen) -> Vec<Group<'_>> {
    let named: BTreeSet<&str> = seen.nodes.iter().map(|node| node.namespace.as_str()).collect();
    let roots = outermost(&named);
    let mut parts: BTreeMap<String, Group<'_>> = BTreeMap::new();
    let root_of = |name: &str| roots.iter().find(|root| is_within(name, root)).map_or("/", |root| root).to_owned();
    let empty = |root: &str| Group { namespace: root.to_owned(), nodes: Vec::new(), ends: Vec::new(), seen };
    for node in &seen.nodes {
        let root = root_of(&node.namespace);
        parts.entry(root.clone()).or_insert_with(|| empty(&root)).nodes.push(node.path());
    }
    for end in &seen.ends {
        // The end of a node that has not introduced itself is told by its own name.
        let namespace = end.node.as_ref().map_or(end.name.as_str(), |node| node.namespace.as_str());
        let root = root_of(namespace);
        parts.entry(root.clone()).or_insert_with(|| empty(&root)).ends.push(end);
    }
    with_parts_joined(parts)
}

/// Namespaces that lie within no other but the root.
fn outermost(named: &BTreeSet<&str>) -> Vec<String> {
    let is_inner =
        |namespace: &str| named.iter().any(|other| *other != "/" && *other != namespace && is_within(namespace, other));
    named.iter().filter(|namespace| **namespace != "/" && !is_inner(namespace)).map(|&root| root.to_owned()).collect()
}

fn is_within(name: &str, root: &str) -> bool {
    name.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Joins namespaces that are parts of a robot without one to it.
fn with_parts_joined(parts: BTreeMap<String, Group<'_>>) -> Vec<Group<'_>> {
    let (mut robots, mut loose): (Vec<_>, Vec<_>) =
        parts.into_values().partition(|group| group.namespace == "/" || group.moves_or_measures());
    if let Some(root) = robots.iter_mut().find(|group| group.namespace == "/" && group.moves_or_measures()) {
        for group in loose.drain(..) {
            root.nodes.extend(group.nodes);
            root.ends.extend(group.ends);
        }
    }
    // Without a robot of no namespace they belong to nothing, and are shown as they are.
    robots.extend(loose);
    robots
}

impl Group<'_> {
    /// True unless it consists of what every node has.
    fn says_something(&self) -> bool {
        !self.offers().is_empty()
    }

    fn certainty(&self) -> FindCertainty {
        match (self.takes_motion(), self.measures()) {
            (true, true) => FindCertainty::Certain,
            (true, false) | (false, true) => FindCertainty::Likely,
            (false, false) => FindCertainty::Unsure,
        }
    }

    fn lacks(&self, at: &GraphPlace) -> Vec<FindLack> {
        let odometry = !self.named(EndKind::Publisher, &[ODOMETRY]).is_empty();
        let joints = !self.named(EndKind::Publisher, &[JOINT_STATE]).is_empty();
        let is_arm = self.arm().is_some();
        let lacks = [
            (FindLack::Velocity, !(odometry || is_arm && joints)),
            (FindLack::Pose, !odometry && self.seen.messages.transforms.is_empty()),
            (FindLack::Motion, !self.takes_motion()),
            (FindLack::NodeNames, self.nodes.is_empty()),
            (FindLack::Adapter, at.protocol == FindProtocol::Ros2Zenoh),
        ];
        lacks.into_iter().filter(|(_, is_lacking)| *is_lacking).map(|(lack, _)| lack).collect()
    }

    fn offers(&self) -> BTreeSet<FindOffer> {
        let plain = |end: &&End| {
            let (kind, message_type) = match end.kind {
                EndKind::Publisher => (OfferKind::Publishes, message_type(&end.dds_type)),
                EndKind::Subscriber => (OfferKind::Subscribes, message_type(&end.dds_type)),
                EndKind::Server => (OfferKind::Service, service_type(&end.dds_type)),
            };
            let is_plumbing = PLUMBING.contains(&end.name.as_str())
                // ROS 2 hides names that begin with an underscore, those of the parts of actions among them.
                || end.name.contains("/_")
                || message_type.starts_with("rcl_interfaces/")
                || message_type.starts_with("type_description_interfaces/");
            (!is_plumbing).then(|| FindOffer { kind, name: end.name.clone(), message_type })
        };
        let action = |(name, message_type): (&str, String)| FindOffer {
            kind: OfferKind::Action,
            name: name.to_owned(),
            message_type,
        };
        self.ends.iter().filter_map(plain).chain(self.actions().into_iter().map(action)).collect()
    }

    fn find(&self, at: &GraphPlace) -> Find {
        let offers = self.offers();
        let offers_left_out = u32::try_from(offers.len().saturating_sub(OFFERS_MAX)).unwrap_or(u32::MAX);
        let fields = fields::proposals(self, at);
        let commanders = self.commanders(&fields);
        let cut = |texts: Vec<String>| texts.into_iter().take(OFFERS_MAX).collect();
        Find {
            id: match at.protocol {
                FindProtocol::Ros2Dds => format!("ros2_dds {} {}", at.domain, self.namespace),
                FindProtocol::Ros2Zenoh => format!("ros2_zenoh {} {} {}", at.address, at.domain, self.namespace),
            },
            protocol: at.protocol,
            address: at.address.clone(),
            name: self.name().chars().take(FIND_TEXT_CHARS_MAX).collect(),
            nodes: cut(self.nodes.clone()),
            offers: offers.into_iter().take(OFFERS_MAX).collect(),
            offers_left_out,
            commanders: cut(commanders),
            certainty: self.certainty(),
            lacks: self.lacks(at),
            fields,
            joints: fields::joints(self),
        }
    }

    /// Others that publish on the topic that is proposed for velocities, or could be chosen for them.
    fn commanders(&self, fields: &[FieldProposal]) -> Vec<String> {
        let Some(topic) = fields.iter().find(|proposal| proposal.field == FindField::CommandTopic) else {
            return Vec::new();
        };
        self.publishers(topic.value.as_ref().unwrap_or(&topic.at))
    }

    /// The namespace, or the node that takes its velocities, or its first node.
    fn name(&self) -> String {
        if self.namespace != "/" {
            return self.namespace.clone();
        }
        self.driver().or_else(|| self.nodes.first().cloned()).unwrap_or_else(|| "/".to_owned())
    }
}
