//! Bodies of robots: the URDFs of the simulated ones, and the joints by which they are posed.

use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn u_1103_a_simulated_arm_has_a_urdf_whose_joints_are_measured_and_listed() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let urdf = site.get("robot_model", json!({ "robot": "arm-1" })).await?["urdf"].clone();
    let urdf = urdf.as_str().unwrap_or_default();
    let robots = site.get("list_robots", json!({})).await?;
    let actuators = find(&robots, "id", "arm-1").map(|robot| robot["actuators"].clone()).unwrap_or_default();
    let joints: Vec<Value> = actuators
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|actuator| actuator["joints"].as_array().cloned().unwrap_or_default())
        .collect();
    assert_eq!(joints.len(), 4, "{joints:?}");
    for joint in &joints {
        let name = joint["name"].as_str().unwrap_or_default();
        assert!(urdf.contains(&format!("<joint name=\"{name}\"")), "{name}");
        let id = format!("robot/arm-1/joint/{name}");
        let signal = site.until_signal(&id).await?;
        assert_eq!(signal["unit"], joint["unit"], "{name}");
        let position = signal["value"].as_f64().unwrap_or(f64::NAN);
        let [low, high] = [0, 1].map(|end| joint["position"][end].as_f64().unwrap_or_default());
        assert!((low..=high).contains(&position), "{name}: {position}");
    }
    assert_eq!(site.get("robot_model", json!({ "robot": "gate-1" })).await?["urdf"], Value::Null);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn u_1103_a_mesh_outside_the_folder_of_its_robot_is_not_read() -> anyhow::Result<()> {
    let site = Site::start().await?;
    let folder = site.data_dir().join("robots/arm-1/arm_description");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("link.stl"), b"solid")?;
    let mesh = |name: &str| json!({ "robot": "arm-1", "mesh": name });
    let found = site.get("robot_mesh", mesh("package://arm_description/link.stl")).await?;
    assert_eq!(found, json!({ "base64": "c29saWQ=" }));
    for name in ["../arm-1.toml", "package://../../config.toml", "/etc/hostname", "arm_description/none.stl"] {
        assert_eq!(site.get("robot_mesh", mesh(name)).await?, json!({ "base64": null }), "{name}");
    }
    Ok(())
}
