//! One robot of a graph, and the questions about it.

use std::collections::BTreeSet;

use super::seen::{End, EndKind, NodeName, Seen};
use crate::adapters::ros2::Parameters;

/// Types of topics that take velocities.
const VELOCITIES: [&str; 2] = ["geometry_msgs/msg/Twist", "geometry_msgs/msg/TwistStamped"];
/// Types of actions by which a robot moves itself.
const MOVING_ACTIONS: [&str; 2] = [NAVIGATE, FOLLOW];
/// Type of actions that drive a base to a place.
pub const NAVIGATE: &str = "nav2_msgs/action/NavigateToPose";
/// Type of actions that move joints.
pub const FOLLOW: &str = "control_msgs/action/FollowJointTrajectory";
/// Type of the topic that measures pose and velocity.
pub const ODOMETRY: &str = "nav_msgs/msg/Odometry";
/// Type of the topics of transforms between frames.
const TRANSFORMS: &str = "tf2_msgs/msg/TFMessage";
/// Type of the topic that measures joints.
pub const JOINT_STATE: &str = "sensor_msgs/msg/JointState";
/// Requests by which goals are sent to an action.
const SEND_GOAL: &str = "/_action/send_goal";

/// The part of a graph that is one robot.
pub struct Group<'s> {
    /// Its namespace; `/` for the robot without one.
    pub namespace: String,
    /// Paths of its nodes.
    pub nodes: Vec<String>,
    /// The ends of its topics and services.
    pub ends: Vec<&'s End>,
    /// The whole graph.
    pub seen: &'s Seen,
}

impl<'s> Group<'s> {
    /// Names of ends of a kind whose messages are of one of these types.
    pub fn named(&self, kind: EndKind, types: &[&str]) -> Vec<&'s str> {
        let is_meant = |end: &&&End| end.kind == kind && types.contains(&message_type(&end.dds_type).as_str());
        let names: BTreeSet<&str> = self.ends.iter().filter(is_meant).map(|end| end.name.as_str()).collect();
        names.into_iter().collect()
    }

    /// The field of a pose by the transform between two frames: with its topic, where that is not `/tf`, as Nav2
    /// has it for several robots in one domain.
    pub fn transform(&self, parent: &str, child: &str) -> String {
        let mut topics = self.named(EndKind::Publisher, &[TRANSFORMS]);
        topics.retain(|topic| !topic.ends_with("_static"));
        match topics.first() {
            Some(own) if !topics.contains(&"/tf") => format!("tf {parent} {child} {own}"),
            Some(_) | None => format!("tf {parent} {child}"),
        }
    }

    /// Topics that take velocities.
    pub fn command_topics(&self) -> Vec<&'s str> {
        self.named(EndKind::Subscriber, &VELOCITIES)
    }

    /// Actions, each with its type.
    pub fn actions(&self) -> Vec<(&'s str, String)> {
        let servers = self.ends.iter().filter(|end| end.kind == EndKind::Server);
        let action = servers.filter_map(|end| {
            let name = end.name.strip_suffix(SEND_GOAL)?;
            Some((name, service_type(&end.dds_type).trim_end_matches("_SendGoal").to_owned()))
        });
        action.collect()
    }

    /// Actions of one type.
    pub fn actions_of(&self, action_type: &str) -> Vec<&'s str> {
        let actions = self.actions().into_iter().filter(|(_, is_of)| is_of == action_type);
        actions.map(|(name, _)| name).collect()
    }

    /// Parameters of its nodes.
    pub fn parameters(&self) -> impl Iterator<Item = (&'s str, &'s Parameters)> {
        let told = self.seen.messages.parameters.iter().filter(|(node, _)| self.nodes.contains(*node));
        told.map(|(node, parameters)| (node.as_str(), parameters))
    }

    /// Others that publish on a topic, by the paths of their nodes.
    pub fn publishers(&self, topic: &str) -> Vec<String> {
        let is_meant = |end: &&End| end.kind == EndKind::Publisher && end.name == topic;
        let path = |end: &End| end.node.as_ref().map_or_else(|| "?".to_owned(), NodeName::path);
        let paths: BTreeSet<String> = self.seen.ends.iter().filter(is_meant).map(path).collect();
        paths.into_iter().collect()
    }

    /// True if something moves it.
    pub fn takes_motion(&self) -> bool {
        let is_moving = |(_, action): &(&str, String)| MOVING_ACTIONS.contains(&action.as_str());
        !self.command_topics().is_empty() || self.actions().iter().any(is_moving)
    }

    /// True if it measures its motion.
    pub fn measures(&self) -> bool {
        !self.named(EndKind::Publisher, &[ODOMETRY, JOINT_STATE]).is_empty()
    }

    /// True if it does either.
    pub fn moves_or_measures(&self) -> bool {
        self.takes_motion() || self.measures()
    }

    /// The action of a robot that is an arm alone.
    pub fn arm(&self) -> Option<&'s str> {
        let is_base = !self.command_topics().is_empty() || !self.actions_of(NAVIGATE).is_empty();
        // One gate moves a base or an arm, and the base is proposed first.
        self.actions_of(FOLLOW).first().copied().filter(|_| !is_base)
    }

    /// The node that takes velocities, moves an arm, or measures velocities.
    pub fn driver(&self) -> Option<String> {
        let commands = self.command_topics();
        let drives = |end: &&&End| end.kind == EndKind::Subscriber && commands.contains(&end.name.as_str());
        let measures = |end: &&&End| end.kind == EndKind::Publisher && message_type(&end.dds_type) == ODOMETRY;
        let goals = self.arm().map(|action| format!("{action}{SEND_GOAL}"));
        let moves = |end: &&&End| end.kind == EndKind::Server && goals.as_ref() == Some(&end.name);
        let find = |is_meant: &dyn Fn(&&&End) -> bool| self.ends.iter().find(is_meant);
        let found = find(&drives).or_else(|| find(&moves)).or_else(|| find(&measures));
        found.and_then(|end| end.node.as_ref()).map(NodeName::path)
    }
}

/// `geometry_msgs/msg/Twist` of `geometry_msgs::msg::dds_::Twist_`.
pub fn message_type(dds_type: &str) -> String {
    dds_type.replace("::dds_::", "/").replace("::", "/").trim_end_matches('_').to_owned()
}

/// `std_srvs/srv/Trigger` of `std_srvs::srv::dds_::Trigger_Request_`, or of `…Trigger_`.
pub fn service_type(dds_type: &str) -> String {
    message_type(dds_type).trim_end_matches("_Request").to_owned()
}
