//! A robot that is where it may not be: armed for nothing but leaving, slowly and outwards.

use quarterdeck_tests::sensor::Sensor;
use quarterdeck_tests::{Site, arm_goal, find, violations};
use serde_json::{Value, json};

use crate::supervision::{causes, until_state};

/// Registers a zone whose centre is 0.1 m from where the arm is, and arms the arm to escape; gives where it was.
async fn armed_to_escape(site: &mut Site) -> anyhow::Result<[f64; 3]> {
    let row = site.until_robot("arm-1", |_| true).await?;
    let at = |axis: usize| row["pose"]["position_m"][axis].as_f64().unwrap_or_default();
    let params = json!({ "center": [at(0), at(1) + 0.1, at(2)], "radius": 0.05 }).to_string();
    let zone =
        json!({ "robot": "arm-1", "constraint_type": "forbidden_zone", "params_json": params, "reason": "a fixture" });
    site.get("register_constraint", zone).await?;
    let refused = site.call("arm_robot", json!({ "robot": "arm-1" })).await.err();
    let refused = refused.map(|error| (error.code, error.details["remedy"].clone()));
    assert_eq!(refused, Some(("inconsistent_set".to_owned(), json!("reason_to_escape"))));
    let status = site.get("safety_status", json!({})).await?;
    let offered = find(&status["robots"], "robot", "arm-1").map(|row| row["escape_possible"].clone());
    assert_eq!(offered, Some(json!(true)));
    let armed = site.get("arm_robot", json!({ "robot": "arm-1", "reason": "free it from the fixture" })).await?;
    assert_eq!((&armed["state"], &armed["escape_only"]), (&json!("armed"), &json!(true)), "{armed:#}");
    Ok([at(0), at(1), at(2)])
}

fn escape(position_m: [f64; 3], speed_mps: f64) -> Value {
    let motion = json!({ "escape": { "position_m": position_m, "speed_mps": speed_mps } });
    json!({ "robot": "arm-1", "actuator": "arm", "motion": motion })
}

#[tokio::test(flavor = "multi_thread")]
async fn g6_a_robot_inside_a_zone_is_armed_to_escape_only_and_disarmed_outside() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let [x, y, z] = armed_to_escape(&mut site).await?;
    for (command, code) in [
        (arm_goal([x, y - 0.2, z], 0.1), "not_armed"),
        (escape([x, y + 0.3, z], 0.1), "forbidden_zone"),
        (escape([x, y - 0.2, z], 0.2), "velocity"),
    ] {
        let denied = site.get("send_command", command).await?;
        assert!(violations(&denied["verdict"]).contains(&code), "{code}: {denied:#}");
    }
    let sent = site.get("send_command", escape([x, y - 0.2, z], 0.1)).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    let disarmed = until_state(&mut site, "arm-1", "disarmed").await?;
    assert_eq!(disarmed["escape_only"], false, "{disarmed:#}");
    let row = site.until_robot("arm-1", |_| true).await?;
    let gone = y - row["pose"]["position_m"][1].as_f64().unwrap_or_default();
    assert!((0.02..=0.21).contains(&gone), "out of the zone, and no farther than it was sent: {gone} m");
    site.arm("arm-1").await?;
    let status = site.get("safety_status", json!({})).await?;
    let escapes = find(&status["robots"], "robot", "arm-1").map(|row| row["escape_only"].clone());
    assert_eq!(escapes, Some(json!(false)));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn g6_a_robot_that_gets_deeper_instead_of_out_is_stopped() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let [x, y, z] = armed_to_escape(&mut site).await?;
    let pose = Sensor::open(&site, "arm-1", "lab/arm-1/out/state/pose").await?;
    let payload = json!({ "frame": "base_link", "position_m": [x, y + 0.006, z] });
    let mut put = Ok(());
    site.until("safety_status", json!({}), |status| {
        put = pose.put(&payload);
        find(&status["robots"], "robot", "arm-1").is_some_and(|row| row["state"] == "safe_stop")
    })
    .await?;
    put?;
    let stopped = until_state(&mut site, "arm-1", "safe_stop").await?;
    assert!(causes(&stopped).contains(&"breach") && stopped["escape_only"] == false, "{stopped:#}");
    pose.close().await;
    Ok(())
}
