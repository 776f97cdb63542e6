//! A source of a robot's state that falls silent, or repeats itself, is never an all-clear; and why a robot does not move.

use quarterdeck_tests::sensor::Sensor;
use quarterdeck_tests::{Site, arm_goal, find, violations};
use serde_json::{Value, json};

use crate::supervision::{acknowledge_all, causes, of, until_state};

fn drive(robot: &str, x_m: f64) -> Value {
    json!({ "robot": robot, "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [x_m, 0.0, 0.0], "speed_mps": 0.1 } } })
}

async fn fault(site: &Site, robot: &str, fault: &str, on: bool) -> anyhow::Result<()> {
    site.get("inject_fault", json!({ "target": robot, "fault": fault, "on": on })).await.map(drop)
}

/// The codes of what `why_idle` lists.
fn codes(why: &Value) -> Vec<&str> {
    why["blockers"].as_array().into_iter().flatten().filter_map(|blocker| blocker["code"].as_str()).collect()
}

async fn check(
    site: &mut Site,
    robot: &str,
    (name, cause): (&str, &str),
    (command, code): (Value, &str),
) -> anyhow::Result<()> {
    site.arm(robot).await?;
    site.until("check_command", command.clone(), |answer| answer["verdict"]["overall"] == "allow").await?;
    fault(site, robot, name, true).await?;
    let status = site
        .until("safety_status", json!({}), |status| {
            let stopped = of(status, robot)["state"] == "hold" || of(status, robot)["state"] == "safe_stop";
            stopped && causes(of(status, robot)).contains(&cause)
        })
        .await?;
    let row = find(&of(&status, robot)["causes"], "cause", cause).cloned().unwrap_or_default();
    assert!(row["sentence"].as_str().is_some_and(|text| text.contains("lab/")), "{name} names its key: {row:#}");
    let denied = site.get("check_command", command).await?;
    let violated = violations(&denied["verdict"]);
    assert!(violated.contains(&"not_armed") && violated.contains(&code), "{name}: {violated:?}");
    let why = site.get("why_idle", json!({ "robot": robot })).await?;
    assert!(codes(&why).contains(&"source"), "{name}: {why:#}");
    site.get("disarm_robot", json!({ "robot": robot, "looked": true })).await?;
    let refused = site.call("arm_robot", json!({ "robot": robot })).await.err().map(|error| error.code);
    assert!(refused.is_some(), "{name}: it is not armed while a source is silent");
    fault(site, robot, name, false).await?;
    acknowledge_all(site, robot).await
}

#[tokio::test(flavor = "multi_thread")]
async fn f23_a_source_that_falls_silent_or_repeats_one_stamp_stops_an_armed_robot_and_denies() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let stale = "source_stale";
    check(&mut site, "rover-1", ("silent_velocity", stale), (drive("rover-1", 0.5), "not_provable")).await?;
    check(&mut site, "arm-1", ("silent_force", stale), (arm_goal([0.4, 0.0, 0.9], 0.1), "not_provable")).await?;
    check(&mut site, "rover-1", ("silent_pose", "pose_stale"), (drive("rover-1", 0.5), "no_fresh_pose")).await?;
    check(&mut site, "rover-1", ("repeated_stamp", stale), (drive("rover-1", 0.5), "not_provable")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn f23_a_disarmed_robot_is_seen_to_move_by_its_poses_while_its_velocity_is_silent() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    for name in ["silent_velocity", "silent_pose"] {
        fault(&site, "rover-2", name, true).await?;
    }
    let pose = Sensor::open(&site, "rover-2", "lab/rover-2/out/state/pose").await?;
    let (mut x_m, mut put) = (2.0, Ok(()));
    site.until("safety_status", json!({}), |status| {
        // A centimetre with each frame; whoever pushes it goes on until somebody notices.
        x_m += 0.01;
        put = pose.put(&json!({ "frame": "map", "position_m": [x_m, 1.0, 0.0] }));
        causes(of(status, "rover-2")).contains(&"unexpected_motion")
    })
    .await?;
    put?;
    assert_eq!(until_state(&mut site, "rover-2", "safe_stop").await?["robot"], "rover-2");
    pose.close().await;
    Ok(())
}

/// Waits until `why_idle` lists exactly `wanted`; a command within the limits passes then if, and only if, that is
/// nothing.
async fn blocked_by(site: &mut Site, wanted: &[&str]) -> anyhow::Result<Value> {
    let why = site.until("why_idle", json!({ "robot": "rover-1" }), |why| codes(why) == wanted).await?;
    let passes = if wanted.is_empty() { "allow" } else { "deny" };
    let checked = site.get("check_command", drive("rover-1", 0.5)).await?;
    assert_eq!(checked["verdict"]["overall"], passes, "{why:#}\n{:#}", checked["sentence"]);
    Ok(why)
}

#[tokio::test(flavor = "multi_thread")]
async fn why_idle_lists_exactly_what_keeps_a_command_from_passing_and_who_clears_it() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let rover = || json!({ "robot": "rover-1" });
    let why = blocked_by(&mut site, &["state", "control"]).await?;
    assert_eq!(
        (&why["blockers"][0]["cleared_by"], &why["blockers"][0]["who"]),
        (&json!("Arm it."), &json!("an operator"))
    );

    let stop_id = site.get("stop_robot", rover()).await?["stop_id"].clone();
    fault(&site, "rover-1", "silent_velocity", true).await?;
    let why = blocked_by(&mut site, &["state", "latch", "control", "source"]).await?;
    let source = why["blockers"][3]["sentence"].as_str().unwrap_or_default();
    assert!(source.starts_with("The velocity on lab/rover-1/out/state/velocity is"), "{source}");
    fault(&site, "rover-1", "silent_velocity", false).await?;
    blocked_by(&mut site, &["state", "latch", "control"]).await?;
    let release = json!({ "stop_ids": [stop_id], "robots": ["rover-1"], "reason": "looked into" });
    site.until_ok("release_stop", release).await?;
    blocked_by(&mut site, &["state", "control"]).await?;
    site.arm("rover-1").await?;
    blocked_by(&mut site, &[]).await?;

    site.get("hold_robot", rover()).await?;
    let why = blocked_by(&mut site, &["state", "cause"]).await?;
    assert_eq!(
        (&why["blockers"][1]["cause"], &why["blockers"][1]["who"]),
        (&json!("hold_requested"), &json!("an operator"))
    );
    acknowledge_all(&mut site, "rover-1").await?;
    blocked_by(&mut site, &[]).await?;

    site.get("release_control", rover()).await?;
    let why = blocked_by(&mut site, &["control"]).await?;
    assert_eq!(why["blockers"][0]["cleared_by"], "Take control of rover-1 first.");
    site.get("take_control", rover()).await?;
    blocked_by(&mut site, &[]).await?;
    Ok(())
}
