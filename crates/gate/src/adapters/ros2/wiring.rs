//! Table `[ros2]` of a wiring.

use std::collections::BTreeMap;
use std::net::IpAddr;

use robot::{CameraId, StopMeans};
use ros2_client::Name;
use serde::Deserialize;

use crate::adapter::Means;
use crate::code::GateCode;
use crate::error::GateError;

/// Domains whose ports lie below those that the system hands out itself.
const DOMAIN_MAX: u16 = 101;
/// Services, actions or forwarded topics of one robot.
const NAMES_MAX: usize = 32;

/// Table `[ros2]`. Names without a slash at their beginning are within `namespace`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ros2Wiring {
    /// The middleware of the robot.
    pub transport: Transport,
    /// `ROS_DOMAIN_ID` of the robot.
    #[serde(default)]
    pub domain: u16,
    /// The robot's namespace.
    #[serde(default = "root")]
    pub namespace: String,
    /// Address of the only interface of this computer that is used; all of them if left out.
    #[serde(default)]
    pub interface: Option<IpAddr>,
    /// Source of the pose.
    pub pose: PoseSource,
    /// Topic of `nav_msgs/Odometry` whose twist is the measured velocity.
    #[serde(default)]
    pub velocity: Option<String>,
    /// Topic of `sensor_msgs/JointState`.
    #[serde(default)]
    pub joints: Option<String>,
    /// The way of velocities to the robot.
    #[serde(default)]
    pub cmd_vel: Option<CommandTopic>,
    /// Services of type `std_srvs/Trigger` that stop the robot.
    #[serde(default)]
    pub stop_service: Vec<String>,
    /// Actions whose goals are all cancelled by a stop.
    #[serde(default)]
    pub cancel_action: Vec<String>,
    /// Topics that go to stations.
    #[serde(default)]
    pub forward: Vec<String>,
    /// Topics of `sensor_msgs/CompressedImage` or `sensor_msgs/Image`, by the camera of the manifest that each is.
    #[serde(default)]
    pub cameras: BTreeMap<CameraId, String>,
    /// Topics of `vision_msgs/Detection2DArray`, by the camera of the manifest in whose pictures the objects are.
    #[serde(default)]
    pub detections: BTreeMap<CameraId, String>,
    /// Topic of `nav_msgs/OccupancyGrid` that is the manifest's map.
    #[serde(default)]
    pub map: Option<String>,
    /// Action of type `nav2_msgs/NavigateToPose` that drives the robot to goals.
    #[serde(default)]
    pub navigate: Option<String>,
    /// Action of type `control_msgs/FollowJointTrajectory` that moves the robot's joints.
    #[serde(default)]
    pub trajectory: Option<String>,
    /// Topic of `std_msgs/String` on which a stop says "stop": that of MoveIt's execution of trajectories.
    #[serde(default)]
    pub stop_event: Option<String>,
    /// Condition for goals.
    #[serde(default)]
    pub ready: Option<Ready>,
}

/// A condition that a robot tells of itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ready {
    /// Topic of `std_msgs/Bool`: true while the robot takes goals.
    pub topic: String,
}

/// The kinds of actions that move a robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalKind {
    /// `nav2_msgs/NavigateToPose`: a base drives to a place.
    Navigate,
    /// `control_msgs/FollowJointTrajectory`: joints move to positions.
    Trajectory,
}

/// A middleware of ROS 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// Any implementation of DDS: Fast DDS, Connext, and Cyclone DDS for topics alone, whose services have another form.
    Dds,
    /// `rmw_zenoh`.
    Zenoh,
}

/// Source of a robot's pose.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PoseSource {
    /// Topic of `nav_msgs/Odometry`.
    Odom(String),
    /// The transform between two frames: the manifest's default frame, and the robot's own.
    Tf(TransformSource),
}

/// A transform between two frames, `["map", "base_link"]` of `/tf`, or a table that names another topic.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "TransformForm")]
pub struct TransformSource {
    /// The frame in which the pose is.
    pub parent: String,
    /// The robot's own frame.
    pub child: String,
    /// Topic of `tf2_msgs/TFMessage`; transforms that hold for ever are on the same with `_static` behind it.
    pub topic: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum TransformForm {
    Frames([String; 2]),
    Whole(TransformTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TransformTable {
    parent: String,
    child: String,
    topic: String,
}

impl From<TransformForm> for TransformSource {
    fn from(form: TransformForm) -> Self {
        match form {
            TransformForm::Frames([parent, child]) => Self { parent, child, topic: "/tf".to_owned() },
            TransformForm::Whole(TransformTable { parent, child, topic }) => Self { parent, child, topic },
        }
    }
}

/// The way of velocities to a robot.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandTopic {
    /// Topic of `geometry_msgs/Twist` or `TwistStamped`, whichever the robot subscribes to.
    pub topic: String,
    /// Node of `twist_mux` that the topic is an input of.
    #[serde(default)]
    pub mux: Option<String>,
    /// Topic of `std_msgs/Bool` by which `twist_mux` is locked.
    #[serde(default)]
    pub lock: Option<String>,
    /// The robot can drive sideways.
    #[serde(default)]
    pub sideways: bool,
}

fn root() -> String {
    "/".to_owned()
}

impl Ros2Wiring {
    /// `name` with the namespace before it.
    #[must_use]
    pub fn absolute(&self, name: &str) -> String {
        if name.starts_with('/') {
            return name.to_owned();
        }
        // With its slash, whoever writes it without: the gate would send into its own namespace and listen in another.
        match self.namespace.trim_matches('/') {
            "" => format!("/{name}"),
            namespace => format!("/{namespace}/{name}"),
        }
    }

    /// The topic of velocities to the robot.
    #[must_use]
    pub fn command_topic(&self) -> Option<String> {
        self.cmd_vel.as_ref().map(|cmd_vel| self.absolute(&cmd_vel.topic))
    }

    /// Kind of the goals that the robot takes.
    #[must_use]
    pub const fn goal_kind(&self) -> Option<GoalKind> {
        match (&self.navigate, &self.trajectory) {
            (Some(_), _) => Some(GoalKind::Navigate),
            (None, Some(_)) => Some(GoalKind::Trajectory),
            (None, None) => None,
        }
    }

    /// The action that moves the robot to goals.
    #[must_use]
    pub fn goal_action(&self) -> Option<String> {
        self.navigate.as_ref().or(self.trajectory.as_ref()).map(|action| self.absolute(action))
    }

    /// The actions whose goals a stop cancels beside those of [`Ros2Wiring::goal_action`].
    #[must_use]
    pub fn other_actions(&self) -> Vec<String> {
        let (own, all) = (self.goal_action(), self.cancel_action.iter().map(|action| self.absolute(action)));
        all.filter(|action| own.as_ref() != Some(action)).collect()
    }

    /// Properties of the robot that commissioning needs to know.
    #[must_use]
    pub fn means(&self) -> Means {
        let takes_joints = self.goal_kind() == Some(GoalKind::Trajectory);
        Means { stops: self.stop_means(), base_timeout: None, takes_velocities: self.cmd_vel.is_some(), takes_joints }
    }

    /// The means by which a stop stops the robot and that can be tried alone: first those that leave it ready for the next.
    /// The word on [`Ros2Wiring::stop_event`] is none of them: nobody answers it, and it ends no goal of this gate.
    #[must_use]
    pub fn stop_means(&self) -> Vec<StopMeans> {
        let zeros = self.cmd_vel.iter().map(|_| StopMeans::Zeros);
        let lock = self.cmd_vel.iter().filter_map(|cmd_vel| cmd_vel.lock.as_ref()).map(|_| StopMeans::Lock);
        zeros.chain(lock).chain(self.called_means()).collect()
    }

    /// Those of them that are called, in the order of calls.
    pub fn called_means(&self) -> impl Iterator<Item = StopMeans> {
        let goals = self.goal_action().map(StopMeans::Goals);
        let services = self.stop_service.iter().map(|service| StopMeans::Service(self.absolute(service)));
        goals.into_iter().chain(self.other_actions().into_iter().map(StopMeans::Cancel)).chain(services)
    }

    /// Everything in the table that cannot be used. `commands` says that the robot is to be moved.
    #[must_use]
    pub fn misfits(&self, commands: bool) -> Vec<GateError> {
        let mut misfits = Vec::new();
        let lacks =
            |what: &str| GateError::new(GateCode::Ros2PartMissing, format!("{what} is not in this program yet"));
        if self.transport == Transport::Zenoh {
            misfits.push(lacks("transport = \"zenoh\""));
        }
        if self.trajectory.is_some() && (self.navigate.is_some() || self.cmd_vel.is_some()) {
            misfits.push(lacks("`trajectory` beside `navigate` or `cmd_vel`: a base and an arm behind one gate"));
        }
        let bad = |message: String| GateError::new(GateCode::BadRos2, message);
        if commands && self.cmd_vel.is_none() && self.goal_kind().is_none() {
            let message = "none of `cmd_vel`, `navigate` and `trajectory` is there, and nothing else moves the robot";
            misfits.push(bad(message.to_owned()));
        }
        if self.trajectory.is_none() && (self.stop_event.is_some() || self.ready.is_some()) {
            misfits.push(bad("`stop_event` and `ready` belong to `trajectory`".to_owned()));
        }
        if self.trajectory.is_some() && self.joints.is_none() {
            misfits.push(bad("`trajectory` needs `joints`, the topic on which they are measured".to_owned()));
        }
        if self.domain > DOMAIN_MAX {
            misfits.push(bad(format!("domain {} is above {DOMAIN_MAX}", self.domain)));
        }
        if self.names().len() > NAMES_MAX {
            misfits.push(bad(format!("it has more than {NAMES_MAX} names")));
        }
        let is_bad = |name: &&str| Name::parse(&self.absolute(name)).is_err();
        misfits
            .extend(self.names().into_iter().filter(is_bad).map(|name| bad(format!("{name:?} is no name of ROS 2"))));
        misfits
    }

    fn names(&self) -> Vec<&str> {
        let pose = match &self.pose {
            PoseSource::Odom(topic) => Some(topic),
            PoseSource::Tf(transform) => Some(&transform.topic),
        };
        let cmd_vel =
            self.cmd_vel.iter().flat_map(|cmd_vel| [Some(&cmd_vel.topic), cmd_vel.mux.as_ref(), cmd_vel.lock.as_ref()]);
        let seen = self.cameras.values().chain(self.detections.values()).chain(&self.map);
        let (actions, event) = ([self.navigate.as_ref(), self.trajectory.as_ref()], self.stop_event.as_ref());
        let one =
            [pose, self.velocity.as_ref(), self.joints.as_ref(), event, self.ready.as_ref().map(|ready| &ready.topic)]
                .into_iter()
                .chain(actions)
                .chain(cmd_vel)
                .flatten()
                .chain(seen);
        let many = [&self.stop_service, &self.cancel_action, &self.forward].into_iter().flatten();
        one.chain(many).map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(more: &str) -> Vec<String> {
        let text = format!("transport = \"dds\"\npose = {{ odom = \"odom\" }}\n{more}");
        let wiring: Ros2Wiring = toml::from_str(&text).unwrap();
        wiring.misfits(true).iter().map(|error| error.code.to_string()).collect()
    }

    #[test]
    fn rg_20_a_name_is_within_its_namespace_unless_it_begins_with_a_slash() {
        let text = "transport = \"dds\"\nnamespace = \"/spot\"\npose = { tf = [\"vision\", \"body\"] }\ncmd_vel = { topic = \"cmd_vel\" }";
        let wiring: Ros2Wiring = toml::from_str(text).unwrap();
        assert_eq!(wiring.command_topic().unwrap(), "/spot/cmd_vel");
        let PoseSource::Tf(transform) = &wiring.pose else { panic!("{:?}", wiring.pose) };
        assert_eq!(wiring.absolute(&transform.topic), "/tf");
        let root = Ros2Wiring { namespace: "/".to_owned(), ..wiring };
        assert_eq!(root.absolute("odom"), "/odom");
        let bare = Ros2Wiring { namespace: "fleet/spot/".to_owned(), ..root };
        assert_eq!(bare.command_topic().unwrap(), "/fleet/spot/cmd_vel");
    }

    #[test]
    fn rg_27_the_action_of_goals_is_not_cancelled_twice() {
        let text = "transport = \"dds\"\nnamespace = \"/tb4\"\npose = { odom = \"odom\" }\n\
                    navigate = \"navigate_to_pose\"\ncancel_action = [\"/tb4/navigate_to_pose\", \"dock\"]";
        let wiring: Ros2Wiring = toml::from_str(text).unwrap();
        assert_eq!(wiring.goal_action().as_deref(), Some("/tb4/navigate_to_pose"));
        assert_eq!(wiring.other_actions(), ["/tb4/dock"]);
        let [goals, cancel] =
            [StopMeans::Goals("/tb4/navigate_to_pose".to_owned()), StopMeans::Cancel("/tb4/dock".to_owned())];
        assert_eq!(wiring.stop_means(), [goals, cancel]);
    }

    #[test]
    fn rg_20_whatever_this_program_cannot_do_or_ros_2_cannot_name_is_refused() {
        const MOVES: &str = "cmd_vel = { topic = \"cmd_vel\" }\n";
        assert!(codes(MOVES).is_empty());
        assert_eq!(codes(""), ["bad_ros2"]);
        assert!(codes("navigate = \"navigate_to_pose\"").is_empty());
        assert_eq!(codes("navigate = \"navigate to pose\""), ["bad_ros2"]);
        assert_eq!(codes(&format!("{MOVES}domain = 200")), ["bad_ros2"]);
        assert_eq!(codes(&format!("{MOVES}stop_service = [\"a b\"]")), ["bad_ros2"]);
        assert_eq!(codes(&format!("{MOVES}joints = \"joints\"\ntrajectory = \"follow\"")), ["ros2_part_missing"]);
        assert!(codes("joints = \"joints\"\ntrajectory = \"follow\"").is_empty());
        assert_eq!(codes("trajectory = \"follow\""), ["bad_ros2"]);
        assert_eq!(
            codes("joints = \"j\"\ntrajectory = \"f\"\nstop_event = \"a b\"\nready = { topic = \"c d\" }"),
            ["bad_ros2"; 2]
        );
        let zenoh = "transport = \"zenoh\"\npose = { odom = \"odom\" }";
        let wiring: Ros2Wiring = toml::from_str(zenoh).unwrap();
        assert_eq!(wiring.misfits(false)[0].code.to_string(), "ros2_part_missing");
    }
}
