use std::collections::BTreeSet;

use proptest::prelude::*;
use robot::{FieldProposal, FieldSource, FindCertainty, FindField, FindLack, OfferKind};

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
    assert_eq!(shown(FindField::CommandTopic), (Some("/cmd_vel"), FieldSource::Topic, "/cmd_vel", false));
    assert_eq!(shown(FindField::LocalisationError), (Some("0.300"), FieldSource::Covariance, "/odom", true));
    assert_eq!(shown(FindField::Radius), (Some("0.200"), FieldSource::Description, "/robot_description", true));
    assert_eq!(shown(FindField::Forward), (Some("/battery_state"), FieldSource::Topic, "/battery_state", false));
    assert_eq!(shown(FindField::CancelActions).0, Some("/navigate_to_pose"));
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
    // A covariance of zeros says nothing.
    assert_eq!(field(&found[0], FindField::LocalisationError), None);
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
