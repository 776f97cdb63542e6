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
    check(&mut site, "arm-1", ("silent_joints", stale), (arm_goal([0.4, 0.0, 0.9], 0.1), "not_provable")).await?;
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

#[tokio::test(flavor = "multi_thread")]
async fn f23_in_no_state_is_a_robot_armed_while_its_sources_are_silent_and_each_of_them_is_named() -> anyhow::Result<()>
{
    let mut site = Site::start().await?;
    let (arm, faults) =
        (json!({ "robot": "arm-1" }), ["silent_velocity", "silent_force", "silent_joints", "silent_pose"]);
    for state in ["disarmed", "hold", "safe_stop"] {
        site.arm("arm-1").await?;
        match state {
            "hold" => site.get("hold_robot", arm.clone()).await?,
            "safe_stop" => site.get("stop_robot", arm.clone()).await?,
            _ => site.get("disarm_robot", json!({ "robot": "arm-1", "looked": true })).await?,
        };
        until_state(&mut site, "arm-1", state).await?;
        for name in faults {
            fault(&site, "arm-1", name, true).await?;
        }
        let names = |why: &Value, key: &str| {
            let mut rows = why["blockers"].as_array().into_iter().flatten();
            rows.any(|row| row["code"] == "source" && row["sentence"].to_string().contains(key))
        };
        let keys = ["velocity", "force", "joints", "pose"].map(|what| format!("lab/arm-1/out/state/{what}"));
        site.until("why_idle", arm.clone(), |why| keys.iter().all(|key| names(why, key))).await?;
        let refused = site.call("arm_robot", arm.clone()).await.err().map(|error| error.code);
        assert!(refused.is_some(), "{state}: it is not armed while its sources are silent");
        for name in faults {
            fault(&site, "arm-1", name, false).await?;
        }
        acknowledge_all(&mut site, "arm-1").await?;
    }
    Ok(())
}

/// Lets nothing but the poses of rover-2 say that it moves, its velocity silent and its gate measuring 0, until `holds`
/// of `safety_status`.
async fn creep(site: &mut Site, mut holds: impl FnMut(&Value) -> bool) -> anyhow::Result<Value> {
    for name in ["silent_velocity", "silent_pose"] {
        fault(site, "rover-2", name, true).await?;
    }
    let pose = Sensor::open(site, "rover-2", "lab/rover-2/out/state/pose").await?;
    let (mut x_m, mut put) = (2.0, Ok(()));
    let status = site
        .until("safety_status", json!({}), |status| {
            x_m += 0.01;
            put = pose.put(&json!({ "frame": "map", "position_m": [x_m, 1.0, 0.0] }));
            holds(status)
        })
        .await?;
    put?;
    pose.close().await;
    Ok(status)
}

#[tokio::test(flavor = "multi_thread")]
async fn f7_a_stopped_robot_that_its_poses_show_moving_is_not_released_and_its_stop_is_unconfirmed()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.get("stop_robot", json!({ "robot": "rover-2" })).await?;
    // An unconfirmed stop is latched a second time.
    let unconfirmed = |status: &Value| {
        let stops = status["stops"].as_array().map_or(0, Vec::len);
        stops > 1 && causes(of(status, "rover-2")).contains(&"stop_unconfirmed")
    };
    let status = creep(&mut site, unconfirmed).await?;
    let stop_ids: Vec<_> =
        status["stops"].as_array().into_iter().flatten().map(|stop| stop["stop_id"].clone()).collect();
    let release = json!({ "stop_ids": stop_ids, "robots": ["rover-2"], "reason": "looked into" });
    assert_eq!(site.refused("release_stop", release).await?, "not_standing_still");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f7_f13_a_stop_of_an_earlier_run_is_unconfirmed_too_while_the_robot_moves() -> anyhow::Result<()> {
    let site = Site::start().await?;
    site.get("stop_robot", json!({ "robot": "rover-2" })).await?;
    let mut site = site.restart().await?;
    creep(&mut site, |status| causes(of(status, "rover-2")).contains(&"stop_unconfirmed")).await?;
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

/// Removes what `register_constraint` has answered for rover-1.
async fn remove(site: &Site, registered: &Value) -> anyhow::Result<()> {
    let (id, version) = (&registered["id"], &registered["version"]["rover-1"]);
    let shown = site.get("preview_constraint_change", json!({ "id": id, "params_json": null })).await?;
    let preview = &shown["preview_id"];
    let remove = json!({ "id": id, "version": version, "reason": "the fixture is gone", "preview_id": preview });
    site.get("remove_constraint", remove).await.map(drop)
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

    // Inside the margin of a zone nothing is broken, and all the same nothing passes.
    let zone = json!({ "robot": "rover-1", "constraint_type": "forbidden_zone", "reason": "a fixture",
        "params_json": "{\"center\": [0.0, 1.0, 0.0], \"radius\": 0.57}" });
    let zone = site.get("register_constraint", zone).await?;
    let why = blocked_by(&mut site, &["limits"]).await?;
    assert!(why["blockers"][0]["cleared_by"].as_str().is_some_and(|text| text.starts_with("Disarm it")), "{why:#}");
    remove(&site, &zone).await?;
    blocked_by(&mut site, &[]).await?;

    site.get("release_control", rover()).await?;
    let why = blocked_by(&mut site, &["control"]).await?;
    assert_eq!(why["blockers"][0]["cleared_by"], "Take control of rover-1 first.");
    site.get("take_control", rover()).await?;
    blocked_by(&mut site, &[]).await?;

    fault(&site, "rover-1", "drop_link", true).await?;
    site.until("why_idle", rover(), |why| codes(why).first() == Some(&"link")).await?;
    // A late answer is told at once, and held at the next look.
    site.until("check_command", drive("rover-1", 0.5), |answer| answer["verdict"]["overall"] == "deny").await?;
    fault(&site, "rover-1", "drop_link", false).await?;
    acknowledge_all(&mut site, "rover-1").await?;
    site.arm("rover-1").await?;
    blocked_by(&mut site, &[]).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn why_idle_tells_what_blocks_a_mission_or_the_agent_from_what_blocks_everybody() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let (arm, goal) = (json!({ "robot": "arm-1" }), arm_goal([0.4, 0.0, 0.9], 0.1));
    let mut of_mission = goal.clone();
    of_mission["mission_id"] = json!("weld");
    site.arm("arm-1").await?;
    let blocks = |why: &Value| -> Vec<(String, String)> {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let rows = why["blockers"].as_array().into_iter().flatten();
        rows.map(|row| (word(&row["code"]), word(&row["blocks"]))).collect()
    };
    let only = |code: &str, whom: &str| vec![(code.to_owned(), whom.to_owned())];

    let file = site.data_dir().join("agents/main/missions/weld.md");
    std::fs::write(file, "---\nrobots: [arm-1]\n---\nWeld slowly.\n")?;
    let hash = site.get("get_mission", json!({ "mission_id": "weld" })).await?["hash"].clone();
    site.get("activate_mission", json!({ "mission_id": "weld", "hash": hash })).await?;
    let is = |rows: &Value, state: &str| find(rows, "id", "weld").is_some_and(|row| row["state"] == state);
    site.until("list_missions", json!({}), |rows| is(rows, "active")).await?;
    site.until("check_command", of_mission.clone(), |answer| answer["verdict"]["overall"] == "allow").await?;
    site.get("pause_mission", json!({ "mission_id": "weld" })).await?;
    site.until("why_idle", arm.clone(), |why| blocks(why) == only("mission_paused", "mission")).await?;
    site.until("list_missions", json!({}), |rows| is(rows, "paused")).await?;
    let denied = site.get("check_command", of_mission.clone()).await?;
    assert_eq!(denied["verdict"]["overall"], "deny", "{denied:#}");
    let own = site.get("check_command", goal.clone()).await?;
    assert_eq!(own["verdict"]["overall"], "allow", "{own:#}");
    site.get("resume_mission", json!({ "mission_id": "weld" })).await?;
    site.until("why_idle", arm.clone(), |why| blocks(why).is_empty()).await?;
    site.until("check_command", of_mission, |answer| answer["verdict"]["overall"] == "allow").await?;

    site.get("send_message", json!({ "text": "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s" })).await?;
    let card = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    site.until("why_idle", arm.clone(), |why| blocks(why) == only("approval_waiting", "agents")).await?;
    let own = site.get("check_command", goal.clone()).await?;
    assert_eq!(own["verdict"]["overall"], "allow", "{own:#}");
    let rejected = json!({ "id": card["id"], "version": card["version"], "reason": "not_now" });
    site.get("reject_proposal", rejected).await?;
    site.until("why_idle", arm.clone(), |why| blocks(why).is_empty()).await?;

    let desk = api::Session::app_window();
    let frames = site.api.subscribe(&desk);
    site.api.call(&desk, "screen_alive", json!({})).await?;
    site.until("why_idle", arm.clone(), |why| blocks(why) == only("screens_frozen", "agents")).await?;
    let own = site.get("check_command", goal).await?;
    assert_eq!(own["verdict"]["overall"], "allow", "{own:#}");
    site.api.call(&desk, "screen_alive", json!({})).await?;
    site.until("why_idle", arm, |why| blocks(why).is_empty()).await?;
    drop(frames);
    Ok(())
}
