use std::collections::BTreeSet;

use proptest::prelude::*;
use robot::{FieldProposal, FieldSource, FindCertainty, FindField, FindLack, OfferKind};
use ros2_client::ParameterValue;

use super::robots::{finds, groups};
use super::seen::{End, EndKind, GraphPlace, OdometrySeen, Seen};
use super::*;

/// A TurtleBot 4 under Nav2, as its graph was recorded: kind, name, type and node of each end.
const TURTLEBOT: &str = "\
pub /odom nav_msgs::msg::dds_::Odometry_ / turtlebot4_base
pub /tf tf2_msgs::msg::dds_::TFMessage_ / turtlebot4_base
pub /joint_states sensor_msgs::msg::dds_::JointState_ / turtlebot4_base
pub /battery_state sensor_msgs::msg::dds_::BatteryState_ / turtlebot4_base
pub /robot_description std_msgs::msg::dds_::String_ / robot_state_publisher
pub /rosout rcl_interfaces::msg::dds_::Log_ / turtlebot4_base
sub /cmd_vel geometry_msgs::msg::dds_::Twist_ / turtlebot4_base
pub /cmd_vel geometry_msgs::msg::dds_::Twist_ / controller_server
srv /e_stop std_srvs::srv::dds_::Trigger_Request_ / turtlebot4_base
srv /dock_stop std_srvs::srv::dds_::Trigger_Request_ / turtlebot4_base
srv /turtlebot4_base/get_parameters rcl_interfaces::srv::dds_::GetParameters_Request_ / turtlebot4_base
srv /navigate_to_pose/_action/send_goal nav2_msgs::action::dds_::NavigateToPose_SendGoal_Request_ / bt_navigator
srv /navigate_to_pose/_action/cancel_goal action_msgs::srv::dds_::CancelGoal_Request_ / bt_navigator
pub /camera/image sensor_msgs::msg::dds_::Image_ /camera driver
pub /x quarterdeck::msg::dds_::X_ /quarterdeck gate
";

/// Two robots of a fleet, each with parts of its own, and a tool without a namespace.
const FLEET: &str = "\
pub /a/odom nav_msgs::msg::dds_::Odometry_ /a base
sub /a/cmd_vel geometry_msgs::msg::dds_::TwistStamped_ /a base
pub /a/nav/plan nav_msgs::msg::dds_::Path_ /a/nav planner
pub /b/odom nav_msgs::msg::dds_::Odometry_ /b base
sub /b/cmd_vel geometry_msgs::msg::dds_::TwistStamped_ /b base
pub /ab/state std_msgs::msg::dds_::String_ /ab thing
pub /clock rosgraph_msgs::msg::dds_::Clock_ / clock
";

fn at() -> GraphPlace {
    GraphPlace { protocol: FindProtocol::Ros2Dds, address: "7".to_owned(), domain: 7 }
}

fn recorded(text: &str) -> Seen {
    let mut seen = Seen::default();
    for line in text.lines() {
        let [kind, name, dds_type, namespace, node] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let kind = match kind {
            "pub" => EndKind::Publisher,
            "sub" => EndKind::Subscriber,
            _ => EndKind::Server,
        };
        let node = seen.note_node(namespace, node);
        seen.note_end(End { kind, name: name.to_owned(), dds_type: dds_type.to_owned(), node });
    }
    seen
}

fn field(find: &Find, field: FindField) -> Option<&FieldProposal> {
    find.fields.iter().find(|proposal| proposal.field == field)
}

fn value(find: &Find, wanted: FindField) -> Option<&str> {
    field(find, wanted).and_then(|proposal| proposal.value.as_deref())
}

#[test]
fn rg_39_a_graph_without_namespaces_is_one_robot_with_its_camera() {
    let found = finds(&recorded(TURTLEBOT), &at());
    assert_eq!(found.len(), 1);
    let robot = &found[0];
    assert_eq!((robot.name.as_str(), robot.certainty), ("/turtlebot4_base", FindCertainty::Certain));
    assert!(
        robot.nodes.contains(&"/camera/driver".to_owned()) && !robot.nodes.contains(&"/quarterdeck/gate".to_owned())
    );
    assert_eq!(robot.lacks, []);
    assert_eq!(robot.commanders, ["/controller_server"]);
    let actions: Vec<_> = robot.offers.iter().filter(|offer| offer.kind == OfferKind::Action).collect();
    assert_eq!(
        (actions[0].name.as_str(), actions[0].message_type.as_str()),
        ("/navigate_to_pose", "nav2_msgs/action/NavigateToPose")
    );
    // Every node has those.
    assert!(robot.offers.iter().all(|offer| offer.name != "/rosout" && !offer.name.ends_with("get_parameters")));
}

#[test]
fn rg_39_robots_are_told_apart_by_namespace() {
    let found = finds(&recorded(FLEET), &at());
    let named: Vec<(&str, FindCertainty)> = found.iter().map(|find| (find.name.as_str(), find.certainty)).collect();
    let (certain, unsure) = (FindCertainty::Certain, FindCertainty::Unsure);
    assert_eq!(named, [("/clock", unsure), ("/a", certain), ("/b", certain), ("/ab", unsure)]);
    let a = &found[1];
    assert_eq!(a.nodes, ["/a/base", "/a/nav/planner"]);
    assert_eq!((value(a, FindField::Robot), value(a, FindField::Namespace)), (Some("a"), Some("/a")));
}

#[test]
fn rg_39_rg_40_each_robot_of_a_domain_has_its_own_transforms() {
    let mut seen = recorded(FLEET);
    for robot in ["a", "b"] {
        let transforms = "tf2_msgs::msg::dds_::TFMessage_";
        let node = seen.note_node(&format!("/{robot}"), "base");
        for name in [format!("/{robot}/tf"), format!("/{robot}/tf_static")] {
            seen.note_end(End { kind: EndKind::Publisher, name, dds_type: transforms.to_owned(), node: node.clone() });
        }
        let odometry = OdometrySeen { frame: "odom".into(), child: "base_link".into(), sigma_m: None };
        seen.messages.odometry.insert(format!("/{robot}/odom"), odometry);
    }
    seen.messages.transforms.extend([("map".into(), "odom".into()), ("odom".into(), "base_link".into())]);
    let found = finds(&seen, &at());
    let pose = |name: &str| found.iter().find(|find| find.name == name).and_then(|find| value(find, FindField::Pose));
    assert_eq!([pose("/a"), pose("/b")], [Some("tf map base_link /a/tf"), Some("tf map base_link /b/tf")]);
}

#[test]
fn rg_40_every_field_has_its_source_and_a_guess_is_marked() {
    let mut seen = recorded(TURTLEBOT);
    let odometry = OdometrySeen { frame: "odom".into(), child: "base_link".into(), sigma_m: Some(0.1) };
    seen.messages.odometry.insert("/odom".into(), odometry);
    seen.messages.descriptions.insert(
        "/robot_description".into(),
        "<robot><link name=\"b\"><collision><geometry><sphere radius=\"0.2\"/></geometry></collision></link></robot>"
            .into(),
    );
    let found = finds(&seen, &at());
    let shown = |wanted| {
        let proposal = field(&found[0], wanted).unwrap();
        (proposal.value.as_deref(), proposal.source, proposal.at.as_str(), proposal.is_guess)
    };
    assert_eq!(shown(FindField::Robot), (Some("turtlebot4-base"), FieldSource::Node, "/turtlebot4_base", true));
    assert_eq!(shown(FindField::Pose), (Some("odom /odom"), FieldSource::Message, "/odom", false));
    assert_eq!(shown(FindField::Frame), (Some("odom"), FieldSource::Message, "/odom", false));
    assert_eq!(shown(FindField::Velocity), (Some("/odom"), FieldSource::Topic, "/odom", false));
    assert_eq!(
        shown(FindField::Navigate),
        (Some("/navigate_to_pose"), FieldSource::Action, "/navigate_to_pose", false)
    );
    // Nav2's controller publishes there, and the robot takes goals.
    assert_eq!(shown(FindField::CommandTopic), (None, FieldSource::Topic, "/cmd_vel", true));
    assert_eq!(shown(FindField::LocalisationError), (Some("0.300"), FieldSource::Covariance, "/odom", true));
    assert_eq!(shown(FindField::Radius), (Some("0.200"), FieldSource::Description, "/robot_description", true));
    assert_eq!(shown(FindField::Forward), (Some("/battery_state"), FieldSource::Topic, "/battery_state", false));
    // A stop cancels the goals of that action anyway.
    assert_eq!(field(&found[0], FindField::CancelActions), None);
    assert_eq!(
        shown(FindField::Cameras),
        (Some("camera image /camera/image"), FieldSource::Topic, "/camera/image", true)
    );
    assert_eq!(shown(FindField::Standstill).1, FieldSource::Usual);
}

#[test]
fn rg_40_a_map_is_taken_before_odometry_that_drifts() {
    let mut seen = recorded(TURTLEBOT);
    let odometry = OdometrySeen { frame: "odom".into(), child: "base_link".into(), sigma_m: None };
    seen.messages.odometry.insert("/odom".into(), odometry);
    seen.messages.transforms.extend([("map".into(), "odom".into()), ("odom".into(), "base_link".into())]);
    let found = finds(&seen, &at());
    assert_eq!(value(&found[0], FindField::Pose), Some("tf map base_link"));
    assert_eq!(value(&found[0], FindField::Frame), Some("map"));
    // A covariance of zeros says nothing, and that of odometry nothing about a map.
    assert_eq!(field(&found[0], FindField::LocalisationError), None);
    seen.messages.odometry.get_mut("/odom").unwrap().sigma_m = Some(0.5);
    assert_eq!(field(&finds(&seen, &at())[0], FindField::LocalisationError), None);
    let dds_type = "geometry_msgs::msg::dds_::PoseWithCovarianceStamped_".to_owned();
    seen.note_end(End { kind: EndKind::Publisher, name: "/amcl_pose".into(), dds_type, node: None });
    seen.messages.localised.insert("/amcl_pose".into(), 0.04);
    let found = finds(&seen, &at());
    let error = field(&found[0], FindField::LocalisationError).unwrap();
    assert_eq!((error.value.as_deref(), error.at.as_str()), (Some("0.120"), "/amcl_pose"));
}

/// A TurtleBot 4 whose nodes tell their parameters.
fn turtlebot_with(parameters: &[(&str, &str, ParameterValue)]) -> Seen {
    let mut seen = recorded(TURTLEBOT);
    for (node, name, value) in parameters {
        let (namespace, own) = node.rsplit_once('/').unwrap();
        seen.note_node(if namespace.is_empty() { "/" } else { namespace }, own).unwrap();
        seen.messages.parameters.entry((*node).to_owned()).or_default().insert((*name).to_owned(), value.clone());
    }
    seen
}

fn shown(find: &Find, wanted: FindField) -> Option<(Option<&str>, FieldSource, &str, bool)> {
    let proposal = field(find, wanted)?;
    Some((proposal.value.as_deref(), proposal.source, proposal.at.as_str(), proposal.is_guess))
}

#[test]
fn rg_40_of_the_limits_that_parameters_name_the_smallest_is_proposed_as_a_guess() {
    use ParameterValue::{Double, DoubleArray, Integer, String};
    let seen = turtlebot_with(&[
        ("/velocity_smoother", "max_velocity", DoubleArray(vec![0.5, 0.0, 2.0])),
        ("/velocity_smoother", "max_accel", DoubleArray(vec![0.3, 0.0, 3.2])),
        ("/diffdrive_controller", "linear.x.max_velocity", Double(0.46)),
        ("/diffdrive_controller", "angular.z.max_velocity", Double(f64::NAN)),
        ("/controller_server", "FollowPath.max_vel_x", Double(0.26)),
        ("/controller_server", "FollowPath.max_speed_xy", Double(0.0)),
        ("/controller_server", "FollowPath.max_vel_theta", Integer(1)),
        ("/local_costmap/local_costmap", "robot_radius", Double(0.1)),
        ("/local_costmap/local_costmap", "footprint", String("[[0.3, 0.4], [-0.3, 0.4], [0.0, -0.2]]".into())),
        ("/global_costmap/global_costmap", "robot_radius", Double(0.22)),
        ("/global_costmap/global_costmap", "footprint", String("[]".into())),
    ]);
    let found = finds(&seen, &at());
    let from = |value, at| Some((Some(value), FieldSource::Parameter, at, true));
    assert_eq!(shown(&found[0], FindField::Speed), from("0.26", "/controller_server FollowPath.max_vel_x"));
    assert_eq!(shown(&found[0], FindField::Rotation), from("1", "/controller_server FollowPath.max_vel_theta"));
    assert_eq!(shown(&found[0], FindField::Acceleration), from("0.3", "/velocity_smoother max_accel"));
    assert_eq!(shown(&found[0], FindField::Radius), from("0.500", "/local_costmap/local_costmap footprint"));
}

#[test]
fn rg_26_rg_40_behind_a_mux_the_highest_input_and_the_lock_that_nobody_uses_are_proposed() {
    let part = |key: &str, topic: &str, priority: i64| {
        [
            ("/twist_mux", format!("{key}.topic"), ParameterValue::String(topic.to_owned())),
            ("/twist_mux", format!("{key}.priority"), ParameterValue::Integer(priority)),
        ]
    };
    let parts = [
        part("topics.nav", "cmd_vel_nav", 10),
        part("topics.joystick", "cmd_vel_joy", 300),
        part("topics.quarterdeck", "cmd_vel_quarterdeck", 200),
        part("locks.pause", "pause", 250),
        part("locks.quarterdeck", "quarterdeck_lock", 200),
    ];
    let parts = parts.concat();
    let parts: Vec<_> = parts.iter().map(|(node, name, value)| (*node, name.as_str(), value.clone())).collect();
    let mut seen = turtlebot_with(&parts);
    for (kind, name, message) in [
        (EndKind::Subscriber, "/cmd_vel_nav", "geometry_msgs::msg::dds_::Twist_"),
        (EndKind::Subscriber, "/cmd_vel_joy", "geometry_msgs::msg::dds_::Twist_"),
        (EndKind::Subscriber, "/cmd_vel_quarterdeck", "geometry_msgs::msg::dds_::Twist_"),
        (EndKind::Publisher, "/cmd_vel_joy", "geometry_msgs::msg::dds_::Twist_"),
        (EndKind::Publisher, "/pause", "std_msgs::msg::dds_::Bool_"),
    ] {
        let node = seen.note_node("/", "joystick");
        seen.note_end(End { kind, name: name.to_owned(), dds_type: message.to_owned(), node });
    }
    let found = finds(&seen, &at());
    let input = (Some("/cmd_vel_quarterdeck"), FieldSource::Parameter, "/twist_mux topics.quarterdeck.topic", true);
    assert_eq!(shown(&found[0], FindField::CommandTopic), Some(input));
    assert_eq!(shown(&found[0], FindField::Mux), Some((Some("/twist_mux"), FieldSource::Node, "/twist_mux", false)));
    assert_eq!(value(&found[0], FindField::Lock), Some("/quarterdeck_lock"));
    assert_eq!(found[0].commanders, Vec::<String>::new());
}

/// An arm under its controller, as ros2_control shows one.
const ARM: &str = "\
pub /joint_states sensor_msgs::msg::dds_::JointState_ / joint_state_broadcaster
srv /arm_controller/follow_joint_trajectory/_action/send_goal control_msgs::action::dds_::FollowJointTrajectory_SendGoal_Request_ / arm_controller
srv /move_action/_action/send_goal moveit_msgs::action::dds_::MoveGroup_SendGoal_Request_ / move_group
";

/// Two joints of which the description says everything but the acceleration.
const TWO_JOINTS: &str = r#"<robot name="a"><link name="world"/><link name="upper"/><link name="lower"/><link name="tool"/>
  <joint name="elbow" type="prismatic"><parent link="upper"/><child link="lower"/><origin xyz="0 0.3 0.4"/>
    <limit lower="0" upper="0.25" velocity="0.1"/></joint>
  <joint name="shoulder" type="revolute"><parent link="world"/><child link="upper"/>
    <limit lower="-1.5" upper="1.5" velocity="0.5" effort="40"/></joint>
  <joint name="flange" type="fixed"><parent link="lower"/><child link="tool"/><origin xyz="0 0 0.1"/></joint></robot>"#;

#[test]
fn rg_40_an_arm_is_proposed_with_the_joints_of_its_controller_and_its_acceleration_is_left_open() {
    let mut seen = recorded(ARM);
    let joints = ParameterValue::StringArray(vec!["shoulder".into(), "elbow".into()]);
    seen.messages.parameters.insert("/arm_controller".into(), [("joints".to_owned(), joints)].into());
    // The description is a parameter where nobody has published it.
    let description = ParameterValue::String(TWO_JOINTS.into());
    seen.note_node("/", "robot_state_publisher").unwrap();
    let publisher = seen.messages.parameters.entry("/robot_state_publisher".into()).or_default();
    publisher.insert("robot_description".into(), description);
    let found = finds(&seen, &at());
    let arm = &found[0];
    assert_eq!(value(arm, FindField::Robot), Some("arm-controller"));
    assert_eq!(value(arm, FindField::Trajectory), Some("/arm_controller/follow_joint_trajectory"));
    let limits = "shoulder rad -1.5 1.5 0.5 ? 0.75 40; elbow m 0 0.25 0.1 ? 1";
    assert_eq!(
        shown(arm, FindField::JointLimits),
        Some((Some(limits), FieldSource::Parameter, "/arm_controller joints", true))
    );
    assert_eq!(value(arm, FindField::Pose), Some("tf world lower"));
    assert_eq!(value(arm, FindField::CancelActions), Some("/move_action"));
    // The sphere of an arm is that of its tool.
    assert_eq!(field(arm, FindField::Radius), None);
    assert!(!arm.lacks.contains(&FindLack::Velocity) && !arm.lacks.contains(&FindLack::Motion));
    assert_eq!((arm.joints[0].slides, arm.joints[1].effort_max), (true, Some(40.0)));
}

#[test]
fn rg_40_an_arm_on_a_base_is_offered_and_the_base_is_proposed() {
    let found = finds(&recorded(&format!("{TURTLEBOT}{ARM}")), &at());
    let trajectory = field(&found[0], FindField::Trajectory).unwrap();
    assert_eq!((trajectory.value.as_deref(), trajectory.choices.len()), (None, 1));
    assert_eq!(field(&found[0], FindField::JointLimits), None);
}

#[test]
fn rg_40_each_camera_is_proposed_once_and_a_costmap_is_no_map() {
    let pictures = "\
pub /spot/front/image_raw sensor_msgs::msg::dds_::Image_ /spot cam
pub /spot/front/image_raw/compressed sensor_msgs::msg::dds_::CompressedImage_ /spot cam
pub /spot/front/camera_info sensor_msgs::msg::dds_::CameraInfo_ /spot cam
pub /spot/depth/image_raw sensor_msgs::msg::dds_::Image_ /spot cam
pub /spot/odom nav_msgs::msg::dds_::Odometry_ /spot base
pub /spot/local_costmap/costmap nav_msgs::msg::dds_::OccupancyGrid_ /spot nav
";
    let found = finds(&recorded(pictures), &at());
    let topic = "/spot/front/image_raw/compressed";
    assert_eq!(
        shown(&found[0], FindField::Cameras),
        Some((Some("front compressed_image /spot/front/image_raw/compressed"), FieldSource::Topic, topic, false))
    );
    assert_eq!(value(&found[0], FindField::Map), None);
    let with_map = format!("{pictures}pub /spot/map nav_msgs::msg::dds_::OccupancyGrid_ /spot slam\n");
    let found = finds(&recorded(&with_map), &at());
    assert_eq!(shown(&found[0], FindField::Map), Some((Some("/spot/map"), FieldSource::Topic, "/spot/map", false)));
}

#[test]
fn rg_40_a_stop_service_is_offered_and_never_chosen() {
    let found = finds(&recorded(TURTLEBOT), &at());
    let services = field(&found[0], FindField::StopServices).unwrap();
    assert_eq!((services.value.as_deref(), services.choices.as_slice()), (None, ["/e_stop".to_owned()].as_slice()));
}

#[test]
fn rg_40_nothing_that_only_a_person_knows_is_proposed() {
    for text in [TURTLEBOT, FLEET] {
        for find in finds(&recorded(text), &at()) {
            assert!(find.fields.iter().all(|proposal| !proposal.field.is_for_the_person()), "{}", find.name);
        }
    }
}

#[test]
fn rg_38_tokens_of_a_router_give_the_same_robot_which_this_program_cannot_drive_yet() {
    let token = |kind: &str, name: &str, dds_type: &str| {
        format!("@ros2_lv/7/aa/0/1/{kind}/%/%spot/driver/{}/{dds_type}/RIHS01_00/::,1:,:,:,,", name.replace('/', "%"))
    };
    let tokens = [
        token("MS", "/spot/cmd_vel", "geometry_msgs::msg::dds_::Twist_"),
        token("MP", "/spot/odom", "nav_msgs::msg::dds_::Odometry_"),
        "@ros2_lv/7/aa/0/0/NN/%/%spot/driver".to_owned(),
        "lab/spot/out/beat".to_owned(),
    ];
    let graphs = zenoh::graphs(tokens.iter().map(String::as_str));
    assert_eq!(graphs.len(), 1);
    let router = GraphPlace { protocol: FindProtocol::Ros2Zenoh, address: "tcp/10.0.0.2:7447".to_owned(), domain: 7 };
    let found = finds(&graphs[0].1, &router);
    assert_eq!((found[0].name.as_str(), found[0].certainty), ("/spot", FindCertainty::Certain));
    assert_eq!(found[0].lacks, [FindLack::Adapter]);
    // Nobody has heard a message, so the pose is a guess.
    assert!(field(&found[0], FindField::Pose).unwrap().is_guess);
}

#[test]
fn rg_38_a_report_is_bounded_and_keeps_the_most_certain() {
    let lines = (0..400).map(|number| {
        let kind = if number % 2 == 0 { "Odometry" } else { "Path" };
        format!("pub /r{number}/odom nav_msgs::msg::dds_::{kind}_ /r{number} base")
    });
    let seen = recorded(&lines.collect::<Vec<_>>().join("\n"));
    let report = bounded(ScanReport { finds: finds(&seen, &at()), ..ScanReport::default() });
    assert_eq!((report.finds.len(), report.finds_left_out), (FINDS_MAX, 336));
    assert!(report.finds.iter().all(|find| find.certainty == FindCertainty::Likely));
}

#[test]
fn rg_38_names_that_ros_2_does_not_allow_are_left_out() {
    let mut seen = Seen::default();
    assert_eq!(seen.note_node("/a b", "x"), None);
    for name in ["/a\nb", "/a//b", "a", "/\u{202e}b"] {
        let dds_type = "nav_msgs::msg::dds_::Odometry_".to_owned();
        seen.note_end(End { kind: EndKind::Publisher, name: name.to_owned(), dds_type, node: None });
    }
    assert!(seen.ends.is_empty());
}

#[tokio::test]
async fn rg_38_a_scan_without_a_place_or_beyond_the_domains_is_refused() {
    let plan = |domains: &[u16], seconds| ScanPlan { domains: domains.to_vec(), routers: Vec::new(), seconds };
    for plan in [plan(&[], 20), plan(&[102], 20), plan(&[0], 1), plan(&[0], 61), plan(&[1; 9], 20)] {
        assert_eq!(scan(&plan).await.unwrap_err().code.to_string(), "bad_scan", "{plan:?}");
    }
}

/// Namespaces of which some lie within others.
fn graph() -> impl Strategy<Value = Seen> {
    let end = ("(/[ab]){0,3}", 0..3_u8, 0..3_usize);
    prop::collection::vec(end, 0..24).prop_map(|ends| {
        let mut seen = Seen::default();
        for (namespace, kind, message) in ends {
            let namespace = if namespace.is_empty() { "/".to_owned() } else { namespace };
            let node = seen.note_node(&namespace, "n");
            let kind = [EndKind::Publisher, EndKind::Subscriber, EndKind::Server][usize::from(kind)];
            let dds_type = ["nav_msgs::msg::dds_::Odometry_", "geometry_msgs::msg::dds_::Twist_", "a::msg::dds_::B_"];
            let name = format!("{}/t", namespace.trim_end_matches('/'));
            seen.note_end(End { kind, name, dds_type: dds_type[message].to_owned(), node });
        }
        seen
    })
}

proptest! {
    #[test]
    fn rg_39_every_node_and_every_end_belongs_to_exactly_one_robot(seen in graph()) {
        let groups = groups(&seen);
        let nodes: Vec<&String> = groups.iter().flat_map(|group| &group.nodes).collect();
        prop_assert_eq!(nodes.len(), seen.nodes.len());
        prop_assert_eq!(nodes.into_iter().collect::<BTreeSet<_>>().len(), seen.nodes.len());
        prop_assert_eq!(groups.iter().map(|group| group.ends.len()).sum::<usize>(), seen.ends.len());
        // No robot lies within another, but in the one without a namespace.
        for one in &groups {
            for other in groups.iter().filter(|other| other.namespace != one.namespace && other.namespace != "/") {
                let is_within = one.namespace.starts_with(&format!("{}/", other.namespace));
                prop_assert!(!is_within, "a robot lies within another");
            }
        }
    }

    #[test]
    fn rg_40_no_graph_gives_a_value_to_a_field_of_the_person(seen in graph()) {
        for find in finds(&seen, &at()) {
            prop_assert!(find.fields.iter().all(|proposal| !proposal.field.is_for_the_person()));
        }
    }
}
