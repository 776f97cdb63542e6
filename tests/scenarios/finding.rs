//! Robots of a real DDS domain are found by the real program, and set up from what they say.

use std::time::Duration;

use quarterdeck_tests::Site;
use ros2_client::qos::QosProfile;
use ros2_client::{
    Context, ContextOptions, Message, MessageTypeName, Name, Node, NodeName, NodeOptions, Publisher, Subscription,
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
