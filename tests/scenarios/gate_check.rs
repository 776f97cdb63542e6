//! `quarterdeck-gate check` where something else than the station listens.

use quarterdeck_tests::built;
use quarterdeck_tests::router::reserved_port;

use crate::rover::Rover;

#[tokio::test(flavor = "multi_thread")]
async fn rg_04_check_tells_a_zenoh_router_of_ros_2_from_the_station() -> anyhow::Result<()> {
    let (_kept, address) = reserved_port("127.0.0.1")?;
    let rover = Rover::unpaired()?;
    let wiring = std::fs::read_to_string(rover.path("gate.toml"))?;
    std::fs::write(rover.path("gate.toml"), wiring.replace("127.0.0.1:7447", &address.to_string()))?;

    let mut config = zenoh::Config::default();
    let settings = [
        ("mode", "\"router\"".to_owned()),
        ("listen/endpoints", format!("[\"tcp/{address}\"]")),
        ("scouting/multicast/enabled", "false".to_owned()),
    ];
    for (key, value) in settings {
        config.insert_json5(key, &value).map_err(|error| anyhow::anyhow!(error))?;
    }
    let router = zenoh::open(config).await.map_err(|error| anyhow::anyhow!(error))?;
    let said = async || -> anyhow::Result<String> {
        let mut check = tokio::process::Command::new(built("quarterdeck-gate")?);
        let output = check.arg("check").args(rover.arguments()).output().await?;
        Ok(String::from_utf8(output.stdout)?)
    };
    let clash = format!("a Zenoh router of ROS 2 listens at tcp/{address}, and no station (endpoint_clash)");
    let bare = said().await?;
    assert!(bare.contains(&format!("something listens at tcp/{address}")) && !bare.contains(&clash), "{bare}");

    let talker = router.liveliness().declare_token("@ros2_lv/0/aa/0/0/NN/%/%/talker").await;
    let talker = talker.map_err(|error| anyhow::anyhow!(error))?;
    let with_ros = said().await?;
    assert!(with_ros.contains(&clash), "{with_ros}");
    drop(talker);
    Ok(())
}
