//! Fallbacks: the station's own response to a failure, and the progress of it that it shows.

use quarterdeck_tests::{Site, arm_goal, find};
use serde_json::{Value, json};

use crate::arriving::Lag;
use crate::mission_steps::{until_state, write};

/// The outcome of each step of the newest run of `class`, in order, once `holds`.
async fn until_run(site: &mut Site, robot: &str, class: &str, expected: &[(&str, &str)]) -> anyhow::Result<Value> {
    let rows = site
        .until("list_fallbacks", json!({ "robot": robot }), |rows| {
            let steps = find(rows, "class", class).and_then(|row| row["steps"].as_array()).into_iter().flatten();
            let told: Vec<_> = steps.map(|step| (step["step"].as_str(), step["outcome"].as_str())).collect();
            told == expected.iter().map(|(step, outcome)| (Some(*step), Some(*outcome))).collect::<Vec<_>>()
        })
        .await?;
    Ok(find(&rows, "class", class).cloned().unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_while_moving_stops_the_robot_and_wakes_the_agent() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_command", arm_goal([0.6, 0.3, 1.2], 0.1)).await?;
    let lag = Lag::watch(&site);
    site.get("inject_fault", json!({ "target": "arm-1", "fault": "frozen_sensor", "on": true })).await?;
    let steps = [("stop_actuators", "done"), ("alert_agent", "done")];
    let run = until_run(&mut site, "arm-1", "sensor", &steps).await?;
    let within_ms = 3_000 + 5 * lag.longest_ms();
    assert!(run["steps"][0]["after_ms"].as_u64().is_some_and(|ms| ms < within_ms), "within {within_ms} ms: {run:#}");
    let autonomy = json!({ "session": "autonomy" });
    let told = site.until("get_transcript", autonomy, |page| page.to_string().contains("safety:arm-1:sensor")).await?;
    assert!(told.to_string().contains("The pose does not change while it should."), "{told:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn att_07_an_agent_that_is_refused_again_and_again_is_paused() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.activate("dog-monitor").await?;
    site.get("send_message", json!({ "text": "move arm-1 to 0.4 0 0.9 at 0.1 m/s" })).await?;
    site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    for _ in 0..5 {
        site.say("move arm-1 to 2 0 1 at 0.1 m/s").await?;
    }
    let steps = [("pause_all_missions", "done"), ("alert_agent", "done")];
    until_run(&mut site, "arm-1", "denied_often", &steps).await?;
    site.until_proposal(|proposal| proposal["state"] == "voided").await?;
    let paused = until_state(&mut site, "dog-monitor", "paused").await?;
    assert_eq!(paused["reason"]["code"], "fallback", "{paused:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn mi_08_ml_22_a_live_mission_adds_steps_to_the_response_to_failures_of_its_robots_alone() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let guard =
        "---\nrobots: [arm-1]\nfallbacks: {sensor: [halt_and_wait, alert_agent, pause_all_missions]}\n---\nGuard.\n";
    write(&site, "guard", guard)?;
    write(
        &site,
        "other",
        "---\nrobots: [rover-1]\nfallbacks: {sensor: [stop_actuators], link: [halt_and_wait]}\n---\n",
    )?;
    site.activate("guard").await?;
    site.activate("other").await?;
    let meaning = until_state(&mut site, "guard", "active").await?["meaning"].to_string();
    assert!(
        meaning.contains("stop actuators, then alert agent, then halt and wait, then pause all missions"),
        "{meaning}"
    );
    until_state(&mut site, "other", "active").await?;
    site.arm("arm-1").await?;
    site.get("send_command", arm_goal([0.6, 0.3, 1.2], 0.1)).await?;
    site.get("inject_fault", json!({ "target": "arm-1", "fault": "frozen_sensor", "on": true })).await?;
    let steps = ["stop_actuators", "alert_agent", "halt_and_wait", "pause_all_missions"].map(|step| (step, "done"));
    until_run(&mut site, "arm-1", "sensor", &steps).await?;
    let status = site.get("safety_status", json!({})).await?;
    assert_eq!(
        find(&status["robots"], "robot", "arm-1").map(|robot| &robot["state"]),
        Some(&json!("safe_stop")),
        "{status:#}"
    );
    let other = until_state(&mut site, "other", "paused").await?;
    assert_eq!(other["reason"]["code"], "fallback", "{other:#}");
    let of_rover = site.get("list_fallbacks", json!({ "robot": "rover-1" })).await?;
    let unasked = find(&of_rover, "class", "sensor").map(|row| &row["begun_mono_ms"]);
    assert_eq!(unasked, Some(&Value::Null), "{of_rover:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f7_f18_a_stop_that_is_not_confirmed_latches_the_robot_until_a_person_releases_it() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("inject_fault", json!({ "target": "arm-1", "fault": "no_ack", "on": true })).await?;
    site.get("stop_robot", json!({ "robot": "arm-1" })).await?;
    let steps = [("stop_actuators", "failed"), ("halt_and_wait", "done")];
    until_run(&mut site, "arm-1", "stop_unconfirmed", &steps).await?;
    let status = site.get("safety_status", json!({})).await?;
    let open: Vec<_> = status["stops"].as_array().into_iter().flatten().map(|stop| stop["stop_id"].clone()).collect();
    assert_eq!(open.len(), 2, "the person's stop and the station's: {status:#}");
    let release = json!({ "stop_ids": open, "robots": ["arm-1"], "reason": "looked at it" });
    assert_eq!(site.refused("release_stop", release.clone()).await?, "causes_open");
    site.get("inject_fault", json!({ "target": "arm-1", "fault": "no_ack", "on": false })).await?;
    let clear = |status: &Value| {
        let robot = find(&status["robots"], "robot", "arm-1");
        robot.is_some_and(|robot| {
            find(&robot["causes"], "cause", "stop_unconfirmed").is_some_and(|row| row["present"] == false)
        })
    };
    site.until("safety_status", json!({}), clear).await?;
    let named = json!({ "robot": "arm-1", "cause": "stop_unconfirmed", "reason": "it stands" });
    site.until_ok("acknowledge_cause", named).await?;
    site.until_ok("release_stop", release).await?;
    site.arm("arm-1").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_motion_that_a_new_limit_forbids_is_ended() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_command", arm_goal([0.6, 0.3, 1.2], 0.05)).await?;
    let params = json!({ "center": [0.6, 0.3, 1.2], "radius": 0.05 }).to_string();
    let zone = json!({ "robot": "arm-1", "constraint_type": "forbidden_zone", "params_json": params, "reason": "new" });
    site.get("register_constraint", zone).await?;
    let ended = |fact: &api::Fact| matches!(fact, api::Fact::CommandStep { code: Some(code), .. } if code == "held");
    site.until_fact("the end of the motion", ended).await?;
    until_run(&mut site, "arm-1", "breach", &[("stop_actuators", "done"), ("alert_agent", "done")]).await?;
    Ok(())
}
