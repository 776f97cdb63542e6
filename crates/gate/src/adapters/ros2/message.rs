//! The messages of ROS 2 that a gate itself writes and reads, as far as it needs their fields.

use robot::UnitQuaternion;
use ros2_client::Message;
use serde::{Deserialize, Serialize};

/// `builtin_interfaces/Time` and `Duration`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Time {
    pub sec: i32,
    pub nanosec: u32,
}

/// `std_msgs/Header`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub stamp: Time,
    pub frame_id: String,
}

/// `geometry_msgs/Vector3` and `Point`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Vector3 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

/// `geometry_msgs/Quaternion`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Quaternion {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub w: f64,
}

/// `geometry_msgs/Twist`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Twist {
    pub linear: Vector3,
    pub angular: Vector3,
}

/// `geometry_msgs/TwistStamped`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TwistStamped {
    pub header: Header,
    pub twist: Twist,
}

/// `std_msgs/Bool`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Flag {
    pub data: bool,
}

/// Request of `std_srvs/Trigger`. DDS has no message without a member.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct TriggerRequest {
    structure_needs_at_least_one_member: u8,
}

/// Response of `std_srvs/Trigger`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TriggerResponse {
    pub success: bool,
    pub message: String,
}

/// `action_msgs/GoalInfo`.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct GoalInfo {
    pub goal_id: [u8; 16],
    pub stamp: Time,
}

/// Request of `action_msgs/CancelGoal`. With neither id nor stamp it cancels every goal.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct CancelRequest {
    pub goal_info: GoalInfo,
}

/// Response of `action_msgs/CancelGoal`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CancelResponse {
    pub return_code: i8,
    pub goals_canceling: Vec<GoalInfo>,
}

/// `geometry_msgs/PoseStamped`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PoseStamped {
    pub header: Header,
    pub pose: PlainPose,
}

/// Goal of `nav2_msgs/NavigateToPose`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NavigateGoal {
    pub pose: PoseStamped,
    /// File of the behaviour tree; empty for the robot's usual one.
    pub behavior_tree: String,
}

/// Result of `nav2_msgs/NavigateToPose`. A text may follow, by the release of Nav2.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct NavigateResult {
    pub error_code: u16,
}

/// Feedback of `nav2_msgs/NavigateToPose`. More numbers may follow, by the release of Nav2.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NavigateFeedback {
    pub current_pose: PoseStamped,
    pub navigation_time: Time,
    pub estimated_time_remaining: Time,
    pub number_of_recoveries: i16,
    pub distance_remaining: f32,
}

/// A sequence without elements, of whatever type they would be.
pub type Empty = Vec<u8>;

/// `trajectory_msgs/JointTrajectoryPoint`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JointTrajectoryPoint {
    pub positions: Vec<f64>,
    pub velocities: Vec<f64>,
    pub accelerations: Vec<f64>,
    pub effort: Vec<f64>,
    pub time_from_start: Time,
}

/// `trajectory_msgs/JointTrajectory`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JointTrajectory {
    /// Without a time the trajectory begins when it is taken.
    pub header: Header,
    pub joint_names: Vec<String>,
    pub points: Vec<JointTrajectoryPoint>,
}

/// `trajectory_msgs/MultiDOFJointTrajectory` without points.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EmptyTrajectory {
    pub header: Header,
    pub joint_names: Empty,
    pub points: Empty,
}

/// Goal of `control_msgs/FollowJointTrajectory`. Tolerances that are left out are the controller's own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrajectoryGoal {
    pub trajectory: JointTrajectory,
    pub multi_dof_trajectory: EmptyTrajectory,
    pub path_tolerance: Empty,
    pub component_path_tolerance: Empty,
    pub goal_tolerance: Empty,
    pub component_goal_tolerance: Empty,
    pub goal_time_tolerance: Time,
}

/// Result of `control_msgs/FollowJointTrajectory`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrajectoryResult {
    pub error_code: i32,
    pub error_string: String,
}

/// Feedback of `control_msgs/FollowJointTrajectory`, as far as it is looked at.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TrajectoryFeedback {
    pub header: Header,
}

/// `std_msgs/String`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Text {
    pub data: String,
}

/// `nav2_msgs/SpeedLimit`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpeedLimit {
    pub header: Header,
    /// The limit is a share of the robot's largest speed, in place of metres per second.
    pub percentage: bool,
    pub speed_limit: f64,
}

/// `action_msgs/GoalStatusArray`.
#[derive(Debug, Deserialize)]
pub struct GoalStatusArray<'m> {
    #[serde(borrow)]
    pub status_list: Vec<GoalStatus<'m>>,
}

/// `action_msgs/GoalStatus`.
#[derive(Debug, Deserialize)]
pub struct GoalStatus<'m> {
    #[serde(borrow)]
    pub goal_info: StatusInfo<'m>,
    pub status: i8,
}

/// `action_msgs/GoalInfo`, as it is read.
#[derive(Debug, Deserialize)]
pub struct StatusInfo<'m> {
    #[serde(borrow)]
    pub goal_id: IdBytes<'m>,
}

/// `unique_identifier_msgs/UUID`.
#[derive(Debug, Deserialize)]
pub struct IdBytes<'m> {
    #[serde(borrow)]
    pub uuid: &'m [u8],
}

impl Message for NavigateGoal {}
impl Message for NavigateResult {}
impl Message for NavigateFeedback {}
impl Message for TrajectoryGoal {}
impl Message for TrajectoryResult {}
impl Message for TrajectoryFeedback {}
impl Message for Text {}
impl Message for SpeedLimit {}
impl Message for TwistStamped {}
impl Message for Twist {}
impl Message for Flag {}
impl Message for TriggerRequest {}
impl Message for TriggerResponse {}
impl Message for CancelRequest {}
impl Message for CancelResponse {}

impl CancelResponse {
    /// True unless the robot goes on with a goal: each is being cancelled, has ended, or is unknown.
    #[must_use]
    pub const fn is_cancelled(&self) -> bool {
        matches!(self.return_code, 0 | 2 | 3)
    }
}

/// `nav_msgs/Odometry`.
#[derive(Debug, Deserialize)]
pub struct Odometry {
    pub header: Header,
    pub pose: PoseWithCovariance,
    pub twist: TwistWithCovariance,
}

/// `geometry_msgs/PoseWithCovariance`.
#[derive(Debug, Deserialize)]
pub struct PoseWithCovariance {
    pub pose: PlainPose,
}

/// `geometry_msgs/Pose`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlainPose {
    pub position: Vector3,
    pub orientation: Quaternion,
}

/// `geometry_msgs/TwistWithCovariance`.
#[derive(Debug, Deserialize)]
pub struct TwistWithCovariance {
    pub twist: Twist,
}

/// `tf2_msgs/TFMessage`.
#[derive(Debug, Deserialize)]
pub struct TransformList {
    pub transforms: Vec<TransformStamped>,
}

/// `geometry_msgs/TransformStamped`.
#[derive(Debug, Deserialize)]
pub struct TransformStamped {
    pub header: Header,
    pub child_frame_id: String,
    pub transform: Transform,
}

/// `geometry_msgs/Transform`.
#[derive(Debug, Deserialize)]
pub struct Transform {
    pub translation: Vector3,
    pub rotation: Quaternion,
}

/// `sensor_msgs/JointState`.
#[derive(Debug, Deserialize)]
pub struct JointState {
    pub header: Header,
    pub name: Vec<String>,
    pub position: Vec<f64>,
    /// Empty where the robot measures none.
    pub velocity: Vec<f64>,
}

/// `rmw_dds_common/ParticipantEntitiesInfo`: the nodes of a participant, and what belongs to each.
pub const ENTITIES: &str = "MSG: rmw_dds_common/ParticipantEntitiesInfo\nGid gid\nNodeEntitiesInfo[] node_entities_info_seq\n\
    ===\nMSG: rmw_dds_common/NodeEntitiesInfo\nstring<=256 node_namespace\nstring<=256 node_name\nGid[] reader_gid_seq\n\
    Gid[] writer_gid_seq\n===\nMSG: rmw_dds_common/Gid\nuint8[16] data";

/// The nodes of one participant.
#[derive(Debug, Deserialize)]
pub struct Entities<'m> {
    #[serde(borrow)]
    pub gid: Identity<'m>,
    #[serde(borrow)]
    pub node_entities_info_seq: Vec<NodeEntities<'m>>,
}

/// One node.
#[derive(Debug, Deserialize)]
pub struct NodeEntities<'m> {
    pub node_namespace: &'m str,
    pub node_name: &'m str,
    #[serde(borrow)]
    pub reader_gid_seq: Vec<Identity<'m>>,
    #[serde(borrow)]
    pub writer_gid_seq: Vec<Identity<'m>>,
}

/// `rmw_dds_common/Gid`.
#[derive(Debug, Deserialize)]
pub struct Identity<'m> {
    #[serde(borrow)]
    pub data: &'m [u8],
}

impl Time {
    /// Milliseconds of the clock that made it.
    #[must_use]
    pub fn ms(self) -> f64 {
        f64::from(self.sec) * 1e3 + f64::from(self.nanosec) / 1e6
    }
}

impl Vector3 {
    /// The three numbers, if they are numbers.
    #[must_use]
    pub fn finite(self) -> Option<[f64; 3]> {
        let numbers = [self.x, self.y, self.z];
        numbers.iter().all(|number| number.is_finite()).then_some(numbers)
    }
}

impl Twist {
    /// Its linear and its angular part, if they are numbers.
    #[must_use]
    pub fn finite(self) -> Option<[[f64; 3]; 2]> {
        Some([self.linear.finite()?, self.angular.finite()?])
    }
}

impl From<[f64; 3]> for Vector3 {
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self { x, y, z }
    }
}

impl Quaternion {
    /// The rotation, if it is one.
    #[must_use]
    pub fn unit(self) -> Option<UnitQuaternion> {
        UnitQuaternion::new([self.x, self.y, self.z, self.w])
    }
}
