//! Robots of a real DDS domain are found by the real program, and set up from what they say.

use std::time::Duration;

use quarterdeck_tests::Site;
use ros2_client::action::ActionServerQosPolicies;
use ros2_client::qos::QosProfile;
use ros2_client::{
    ActionServer, ActionTypeName, Context, ContextOptions, Message, MessageTypeName, Name, Node, NodeName, NodeOptions,
    ParameterValue, Publisher, ServiceMapping, Subscription,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// A robot is found by one of so many scans: a busy machine is late.
const SCANS: usize = 6;

/// `nav_msgs/Odometry` with all its fields.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Odometry {
    stamp: (i32, u32),
    frame_id: String,
    child_frame_id: String,
    pose: [f64; 7],
    pose_covariance: ([f64; 32], [f64; 4]),
    twist: [f64; 6],
    twist_covariance: ([f64; 32], [f64; 4]),
}

impl Message for Odometry {}

/// `geometry_msgs/Twist`.
#[derive(Clone, Serialize, Deserialize)]
struct Twist([f64; 6]);

impl Message for Twist {}

/// A robot that says where it is and listens for velocities.
struct Robot {
    commands: Subscription<Twist>,
    _speaks: JoinSet<()>,
    _node: Node,
}

impl Robot {
    fn start(domain: u16, namespace: &str) -> anyhow::Result<Self> {
        let context = Context::with_options(ContextOptions::new().domain_id(domain))?;
        let options = NodeOptions::new().enable_rosout(false).start_parameter_services(false);
        let mut node = context.new_node(NodeName::new(namespace, "driver")?, options)?;
        let qos = QosProfile::publisher_default();
        let odom = MessageTypeName::new("nav_msgs", "Odometry");
        let odom = node.create_topic(&Name::parse(&format!("{namespace}/odom"))?, odom, &qos)?;
        let odometry: Publisher<Odometry> = node.create_publisher(&odom, None)?;
        let twist = MessageTypeName::new("geometry_msgs", "Twist");
        let topic = node.create_topic(&Name::parse(&format!("{namespace}/cmd_vel"))?, twist, &qos)?;
        let commands = node.create_subscription(&topic, None)?;
        let mut speaks = JoinSet::new();
        speaks.spawn(async move {
            let mut covariance = ([0.0; 32], [0.0; 4]);
            covariance.0[0] = 0.04;
            let (frame_id, child_frame_id) = ("odom".to_owned(), "base_link".to_owned());
            let said = Odometry { frame_id, child_frame_id, pose_covariance: covariance, ..Odometry::default() };
            let mut ticks = tokio::time::interval(Duration::from_millis(100));
            while odometry.publish(said.clone()).is_ok() {
                ticks.tick().await;
            }
        });
        Ok(Self { commands, _speaks: speaks, _node: node })
    }
}

/// A message whose fields nobody looks at.
#[derive(Clone, Serialize, Deserialize)]
struct Anything(u8);

impl Message for Anything {}

/// A node that tells its parameters, as every node of ROS 2 does.
struct Tells {
    node: Node,
    _spins: JoinSet<()>,
}

impl Tells {
    fn start(domain: u16, namespace: &str, name: &str, told: &[(&str, ParameterValue)]) -> anyhow::Result<Self> {
        let context = Context::with_options(ContextOptions::new().domain_id(domain))?;
        let options = NodeOptions::new().enable_rosout(false);
        let options =
            told.iter().fold(options, |options, (name, value)| options.declare_parameter(name, value.clone()));
        let mut node = context.new_node(NodeName::new(namespace, name)?, options)?;
        let spinner = node.spinner()?;
        let mut spins = JoinSet::new();
        spins.spawn(async move {
            let _ = spinner.spin().await;
        });
        Ok(Self { node, _spins: spins })
    }

    /// Publishes on a topic of this type, and says nothing.
    fn publish(&mut self, topic: &str, package: &str, message: &str) -> anyhow::Result<Publisher<Anything>> {
        let qos = QosProfile::publisher_default();
        let topic = self.node.create_topic(&Name::parse(topic)?, MessageTypeName::new(package, message), &qos)?;
        Ok(self.node.create_publisher(&topic, None)?)
    }

    /// Serves an action of this type, and answers nothing.
    fn act(&mut self, action: &str, kind: (&str, &str)) -> anyhow::Result<ActionServer<Anything, Anything, Anything>> {
        let qos = QosProfile::publisher_default;
        let policies = ActionServerQosPolicies {
            goal_service: qos(),
            result_service: qos(),
            cancel_service: qos(),
            feedback_publisher: qos(),
            status_publisher: qos(),
        };
        let kind = ActionTypeName::new(kind.0, kind.1);
        Ok(self.node.create_action_server(ServiceMapping::Enhanced, &Name::parse(action)?, &kind, policies)?)
    }
}

fn scan(domain: u16, seconds: u16) -> Value {
    json!({ "domains": [domain], "routers": [], "seconds": seconds })
}

async fn found(site: &Site, domain: u16, name: &str) -> anyhow::Result<Value> {
    for _ in 0..SCANS {
        let report = site.get("scan_robots", scan(domain, 8)).await?;
        let finds = report["finds"].as_array().cloned().unwrap_or_default();
        let is_whole = |find: &&Value| find["name"] == name && proposal(find, "frame").is_some();
        if let Some(find) = finds.iter().find(is_whole) {
            return Ok(find.clone());
        }
    }
    anyhow::bail!("{name} was not found in domain {domain}")
}

fn proposal<'f>(find: &'f Value, field: &str) -> Option<&'f Value> {
    find["fields"].as_array()?.iter().find(|proposal| proposal["field"] == field)
}

/// The fields of a find as a person leaves them: guesses confirmed, and the rest filled in.
fn filled_in(find: &Value) -> Vec<Value> {
    let person = [
        ("site", "lab"),
        ("hardware_stop", "on the mast"),
        ("radius", "0.3"),
        ("margin", "0.05"),
        ("speed", "0.5"),
        ("rotation", "1"),
        ("acceleration", "1"),
        ("goal_jump", "10"),
        ("workspace", "-5 5 -5 5 -1 1"),
        ("envelope", "-50 50 -50 50 -1 1"),
        ("stop_behaviour", "hold"),
        ("carries_load", "no"),
        ("reaction", "0.3"),
        ("braking", "0.5"),
    ];
    let proposed = find["fields"].as_array().cloned().unwrap_or_default();
    let proposed = proposed.into_iter().filter(|proposal| proposal["value"].is_string()).map(|proposal| {
        json!({ "field": proposal["field"], "value": proposal["value"], "source": proposal["source"], "at": proposal["at"], "is_guess": false })
    });
    proposed.chain(person.iter().map(|(field, value)| json!({ "field": field, "value": value }))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_38_rg_40_a_robot_is_found_and_its_files_are_written_once_a_person_has_said_the_rest() -> anyhow::Result<()>
{
    let site = Site::start_empty().await?;
    let robot = Robot::start(37, "/rover_7")?;
    let find = found(&site, 37, "/rover_7").await?;
    assert_eq!((&find["certainty"], &find["lacks"]), (&json!("certain"), &json!([])), "{find:#}");
    assert_eq!(find["nodes"], json!(["/rover_7/driver"]));
    let value = |field| proposal(&find, field).map(|proposal| proposal["value"].clone());
    assert_eq!(value("robot"), Some(json!("rover-7")));
    assert_eq!(value("pose"), Some(json!("odom /rover_7/odom")));
    // Three standard deviations of 0.2 m.
    assert_eq!(value("localisation_error"), Some(json!("0.600")));
    assert_eq!(value("speed"), None, "no topic says a robot's limits");
    // Nothing was sent on the topic that moves it.
    assert!(robot.commands.take()?.is_none(), "a scan has sent a velocity");

    let folder = tempfile::tempdir()?;
    let gate = folder.path().join("rover-7");
    let input = |fields: Vec<Value>| json!({ "folder": &gate, "protocol": "ros2_dds", "fields": fields });
    assert_eq!(site.refused("prepare_robot", input(Vec::new())).await?, "draft_open");
    assert!(!gate.exists());
    let fields = filled_in(&find);
    let draft = site.get("draft_robot", json!({ "protocol": "ros2_dds", "fields": &fields })).await?;
    assert_eq!(draft["problems"], json!([]), "{draft:#}");
    let prepared = site.get("prepare_robot", input(fields.clone())).await?;
    assert_eq!(prepared["robot"], "rover-7");
    let manifest = std::fs::read_to_string(gate.join("rover-7.toml"))?;
    assert_eq!(draft["manifest"], json!(manifest));
    assert_eq!(site.refused("prepare_robot", input(fields)).await?, "folder_not_free");
    assert_eq!(site.get("list_robots", json!({})).await?, json!([]), "nothing is added by itself");

    // The gate takes the files as they are, but for the key that it makes when it is paired.
    let key = std::process::Command::new(quarterdeck_tests::built("quarterdeck-gate")?)
        .args(["check", "--offline", "--config"])
        .arg(gate.join("gate.toml"))
        .output()?;
    let said = String::from_utf8_lossy(&key.stdout).into_owned();
    assert!(said.contains("wiring") && said.contains("public_key") && !said.contains("wiring_syntax"), "{said}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_40_goals_cameras_a_map_and_the_parameters_of_a_robot_s_nodes_are_proposed() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let robot = Robot::start(40, "/rover_8")?;
    let speeds = [("max_velocity", ParameterValue::DoubleArray(vec![0.3, 0.0, 1.5]))];
    let mut smoother = Tells::start(40, "/rover_8", "velocity_smoother", &speeds)?;
    let body = [("robot_radius", ParameterValue::Double(0.22)), ("width", ParameterValue::Integer(3))];
    let _costmap = Tells::start(40, "/rover_8/local_costmap", "local_costmap", &body)?;
    let _action = smoother.act("/rover_8/navigate_to_pose", ("nav2_msgs", "NavigateToPose"))?;
    let _pictures = smoother.publish("/rover_8/front/compressed", "sensor_msgs", "CompressedImage")?;
    let _map = smoother.publish("/rover_8/map", "nav_msgs", "OccupancyGrid")?;

    let whole = |find: &Value| {
        ["speed", "radius", "map", "cameras", "navigate", "frame"].iter().all(|field| proposal(find, field).is_some())
    };
    let mut last = json!(null);
    for _ in 0..SCANS {
        last = found(&site, 40, "/rover_8").await?;
        if whole(&last) {
            break;
        }
    }
    let shown = |field| {
        let proposal = proposal(&last, field).cloned().unwrap_or_default();
        (proposal["value"].clone(), proposal["source"].clone(), proposal["is_guess"].clone())
    };
    let from = |value: &str, source: &str, is_guess: bool| (json!(value), json!(source), json!(is_guess));
    assert_eq!(shown("speed"), from("0.3", "parameter", true), "{last:#}");
    assert_eq!(shown("rotation"), from("1.5", "parameter", true));
    assert_eq!(shown("radius"), from("0.220", "parameter", true));
    assert_eq!(shown("navigate"), from("/rover_8/navigate_to_pose", "action", false));
    assert_eq!(shown("cameras"), from("front compressed_image /rover_8/front/compressed", "topic", true));
    assert_eq!(shown("map"), from("/rover_8/map", "topic", false));
    assert_eq!(shown("acceleration").0, Value::Null, "no parameter names one");
    assert!(robot.commands.take()?.is_none(), "a scan has sent a velocity");
    assert_eq!(smoother.node.get_parameter("max_velocity"), Some(speeds[0].1.clone()));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_39_two_robots_of_one_domain_are_two_finds() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let (_one, _two) = (Robot::start(38, "/one")?, Robot::start(38, "/two")?);
    let one = found(&site, 38, "/one").await?;
    let two = found(&site, 38, "/two").await?;
    assert_eq!((&one["nodes"], &two["nodes"]), (&json!(["/one/driver"]), &json!(["/two/driver"])));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_38_one_scan_runs_at_a_time_and_ends_when_it_is_cancelled() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let running = async {
        loop {
            let refused = site.refused("scan_robots", scan(39, 60)).await?;
            if refused != "scan_running" {
                return anyhow::Ok(refused);
            }
        }
    };
    let cancelling = async {
        // Until then the second one may be the one that runs.
        while site.refused("scan_robots", scan(39, 2)).await.ok().as_deref() != Some("scan_running") {}
        site.get("cancel_scan", json!({})).await
    };
    let (ended, _) = tokio::try_join!(running, cancelling)?;
    assert_eq!(ended, "scan_cancelled");
    let nothing = site.get("scan_robots", scan(39, 2)).await?;
    assert_eq!((&nothing["finds"], &nothing["places"][0]["problem"]), (&json!([]), &Value::Null));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_38_places_that_cannot_be_looked_at_are_refused_or_named() -> anyhow::Result<()> {
    let site = Site::start_empty().await?;
    let own = site.get("session_info", json!({})).await?["zenoh_endpoints"][0].clone();
    for input in [
        json!({ "domains": [], "routers": [], "seconds": 20 }),
        json!({ "domains": [102], "routers": [], "seconds": 20 }),
        json!({ "domains": [], "routers": ["--domain=1"], "seconds": 20 }),
        json!({ "domains": [], "routers": [own], "seconds": 20 }),
    ] {
        assert_eq!(site.refused("scan_robots", input.clone()).await?, "bad_scan", "{input}");
    }
    let unreachable = json!({ "domains": [], "routers": ["tcp/127.0.0.1:9"], "seconds": 2 });
    let report = site.get("scan_robots", unreachable).await?;
    assert_eq!(report["places"][0]["address"], "tcp/127.0.0.1:9");
    assert!(report["places"][0]["problem"].is_string(), "{report:#}");
    Ok(())
}
