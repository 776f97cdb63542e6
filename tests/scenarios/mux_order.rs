//! `quarterdeck-gate check` reads the parameters of a robot's mux and collision monitor over a real DDS domain.

use std::path::{Path, PathBuf};

use ros2_client::qos::QosProfile;
use ros2_client::{
    Context, ContextOptions, Message, MessageTypeName, Name, Node, NodeName, NodeOptions, ParameterValue, Publisher,
    Subscription,
};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

/// Nodes are found by one of so many checks: a busy machine is late.
const CHECKS: usize = 4;
const DOMAIN: u16 = 41;

/// `geometry_msgs/Twist`.
#[derive(Clone, Serialize, Deserialize)]
struct Twist([f64; 6]);

impl Message for Twist {}

/// A mux, and the collision monitor behind it.
struct Robot {
    mux: Node,
    monitor: Node,
    _ends: (Subscription<Twist>, Publisher<Twist>),
    _spins: JoinSet<()>,
}

fn node(name: &str, parameters: &[(&str, ParameterValue)], spins: &mut JoinSet<()>) -> anyhow::Result<Node> {
    let context = Context::with_options(ContextOptions::new().domain_id(DOMAIN))?;
    let options = NodeOptions::new().enable_rosout(false);
    let options =
        parameters.iter().fold(options, |options, (name, value)| options.declare_parameter(name, value.clone()));
    let mut node = context.new_node(NodeName::new("/", name)?, options)?;
    let spinner = node.spinner()?;
    spins.spawn(async move {
        let _ = spinner.spin().await;
    });
    Ok(node)
}

impl Robot {
    fn start() -> anyhow::Result<Self> {
        use ParameterValue::{Double, Integer, String};
        let mut spins = JoinSet::new();
        let parameters = [
            ("topics.joystick.topic", String("cmd_vel_joy".to_owned())),
            ("topics.joystick.timeout", Double(0.5)),
            ("topics.joystick.priority", Integer(100)),
            ("topics.quarterdeck.topic", String("cmd_vel_quarterdeck".to_owned())),
            ("topics.quarterdeck.timeout", Double(0.5)),
            ("topics.quarterdeck.priority", Integer(200)),
            ("locks.quarterdeck.topic", String("quarterdeck_lock".to_owned())),
            ("locks.quarterdeck.timeout", Double(0.5)),
            ("locks.quarterdeck.priority", Integer(200)),
        ];
        let mut mux = node("twist_mux", &parameters, &mut spins)?;
        let monitor = node("collision_monitor", &[("cmd_vel_in_topic", String("cmd_vel".to_owned()))], &mut spins)?;
        let (qos, twist) = (QosProfile::publisher_default(), || MessageTypeName::new("geometry_msgs", "Twist"));
        let input = mux.create_topic(&Name::parse("/cmd_vel_quarterdeck")?, twist(), &qos)?;
        let output = mux.create_topic(&Name::parse("/cmd_vel")?, twist(), &qos)?;
        let ends = (mux.create_subscription(&input, None)?, mux.create_publisher(&output, None)?);
        Ok(Self { mux, monitor, _ends: ends, _spins: spins })
    }

    fn set(&self, name: &str, value: ParameterValue) -> anyhow::Result<()> {
        self.mux.set_parameter(name, value).map_err(anyhow::Error::msg)
    }
}

/// The example rover's files, as an input of the mux.
fn wired(folder: &Path) -> anyhow::Result<PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/gate/examples");
    std::fs::copy(examples.join("rover-2.toml"), folder.join("rover-2.toml"))?;
    let wiring = std::fs::read_to_string(examples.join("rover-2.gate.toml"))?;
    let mux = "cmd_vel = { topic = \"cmd_vel_quarterdeck\", mux = \"twist_mux\", lock = \"quarterdeck_lock\" }";
    let wiring = wiring.replace("cmd_vel = { topic = \"cmd_vel\" }", mux);
    let config = folder.join("gate.toml");
    std::fs::write(&config, wiring.replace("domain = 0 ", &format!("domain = {DOMAIN} ")))?;
    Ok(config)
}

/// The lines of a check that are about the mux and the monitor, once both have answered.
async fn checked(config: &Path) -> anyhow::Result<Vec<String>> {
    let mut said = String::new();
    for _ in 0..CHECKS {
        let mut check = tokio::process::Command::new(quarterdeck_tests::built("quarterdeck-gate")?);
        let output = check.args(["check", "--config"]).arg(config).output().await?;
        said = String::from_utf8_lossy(&output.stdout).into_owned();
        if !said.contains("tells no") && said.contains("collision monitor") {
            let is_meant = |line: &&str| line.contains("/twist_mux") || line.contains("/collision_monitor");
            return Ok(said.lines().filter(is_meant).map(str::to_owned).collect());
        }
    }
    anyhow::bail!("mux and monitor were not seen: {said}")
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_26_check_refuses_an_order_of_the_mux_in_which_a_stop_would_not_win() -> anyhow::Result<()> {
    let robot = Robot::start()?;
    let folder = tempfile::tempdir()?;
    let config = wired(folder.path())?;
    assert_eq!(
        checked(&config).await?,
        [
            "ok     /twist_mux: /cmd_vel_quarterdeck wins over every other input",
            "ok     behind the collision monitor /collision_monitor, which takes /cmd_vel",
        ]
    );

    robot.set("topics.joystick.priority", ParameterValue::Integer(255))?;
    robot.set("topics.joystick.timeout", ParameterValue::Double(5.0))?;
    robot.set("locks.quarterdeck.timeout", ParameterValue::Double(0.0))?;
    let monitor = ParameterValue::String("cmd_vel_raw".to_owned());
    robot.monitor.set_parameter("cmd_vel_in_topic", monitor).map_err(anyhow::Error::msg)?;
    let lines = checked(&config).await?;
    for (line, said) in lines.iter().zip([
        "WRONG  /twist_mux: topics.joystick.timeout is 5: set it above 0, at most 1 s",
        "WRONG  /twist_mux: topics.joystick.priority is 255, and topics.quarterdeck.priority of the gate only 200",
        "WRONG  /twist_mux: locks.quarterdeck.timeout is 0, so that the lock never expires",
        "note   not behind the collision monitor /collision_monitor: its cmd_vel_in_topic is /cmd_vel_raw",
    ]) {
        assert!(line.starts_with(said), "{said}: {lines:#?}");
    }
    assert_eq!(lines.len(), 4, "{lines:#?}");
    Ok(())
}
