//! Commands through the gate: what passes, what is denied and why, what the robot confirms.

use quarterdeck_tests::{Site, arm_goal, find, violations};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn an_armed_robot_goes_where_an_allowed_command_sends_it() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let denied = site.get("send_command", arm_goal([0.5, 0.2, 1.0], 0.5)).await?;
    assert_eq!(
        (denied["state"].as_str(), violations(&denied["verdict"])),
        (Some("denied"), vec!["arbitration", "not_armed"])
    );
    site.arm("arm-1").await?;
    let sent = site.get("send_command", arm_goal([0.5, 0.2, 1.0], 0.5)).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    site.until_robot("arm-1", |row| {
        let at = |axis: usize, wanted: f64| {
            row["pose"]["position_m"][axis].as_f64().is_some_and(|value| (value - wanted).abs() < 0.01)
        };
        at(0, 0.5) && at(1, 0.2) && at(2, 1.0)
    })
    .await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_outside_the_limits_reaches_the_robot_and_every_limit_is_explained() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let before = site.until_robot("arm-1", |_| true).await?;
    let no_speed =
        json!({ "robot": "arm-1", "actuator": "arm", "motion": { "pose_goal": { "position_m": [0.4, 0, 1] } } });
    let two_numbers = json!({ "robot": "arm-1", "actuator": "arm", "motion": { "pose_goal": { "position_m": [0.4, 0], "speed_mps": 0.1 } } });
    let mut other_frame = arm_goal([0.4, 0.0, 1.0], 0.1);
    other_frame["frame"] = json!("odom");
    for (command, code) in [
        (arm_goal([2.0, 0.0, 1.0], 0.1), "workspace"),
        (arm_goal([400.0, 0.0, 1.0], 0.1), "implausible"),
        (arm_goal([1e308, 0.0, 1.0], 0.1), "implausible"),
        (arm_goal([0.4, 0.0, 1.0], 9.0), "velocity"),
        (no_speed, "missing_velocity"),
        (two_numbers, "bad_arity"),
        (other_frame, "frame_mismatch"),
    ] {
        let answer = site.get("send_command", command).await?;
        assert_eq!(answer["state"], "denied", "{answer:#}");
        assert!(violations(&answer["verdict"]).contains(&code), "{code}: {}", answer["sentence"]);
        assert!(answer["explanation"].as_array().is_some_and(|rows| !rows.is_empty()));
    }
    let denial = site.get("check_command", arm_goal([2.0, 0.0, 1.0], 0.1)).await?;
    let kinds: Vec<_> =
        denial["explanation"].as_array().into_iter().flatten().map(|row| row["item"]["kind"].clone()).collect();
    for kind in ["workspace", "max_velocity", "max_force"] {
        assert!(kinds.contains(&json!(kind)), "{kind} is not explained: {kinds:?}");
    }
    let after = site.until_robot("arm-1", |_| true).await?;
    assert_eq!(before["pose"]["position_m"], after["pose"]["position_m"]);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_zone_on_the_way_denies_and_a_changed_set_voids_what_was_approved_before() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let zone = json!({
        "robot": "arm-1", "constraint_type": "forbidden_zone",
        "params_json": "{\"center\": [0.4, 0.1, 0.9], \"radius\": 0.02}", "reason": "a fixture stands there",
    });
    let registered = site.get("register_constraint", zone).await?;
    assert_eq!(registered["version"]["arm-1"], 2);
    let through = site.get("send_command", arm_goal([0.5, 0.2, 1.0], 0.05)).await?;
    assert!(violations(&through["verdict"]).contains(&"forbidden_zone"), "{through:#}");
    let limits = site.get("list_constraints", json!({ "robot": "arm-1" })).await?;
    let listed = limits.as_array().into_iter().flatten().find(|row| row["id"] == registered["id"]);
    assert_eq!(listed.map(|row| row["constraint"]["ForbiddenZone"]["radius"].clone()), Some(json!(0.02)));
    for (kind, params, path) in [
        ("workspace", "{\"x\": [1, 0], \"y\": [0, 1], \"z\": [0, 1]}", "params_json.x"),
        ("forbidden_zone", "{\"center\": [0, 0], \"radius\": 1}", "params_json.center"),
        ("max_velocity", "\"1,5\"", "params_json"),
        ("moat", "1", "constraint_type"),
    ] {
        let input = json!({ "robot": "arm-1", "constraint_type": kind, "params_json": params });
        let error = site.call("register_constraint", input).await.err();
        let found = error.as_ref().and_then(|error| error.details["path"].as_str()).unwrap_or_default();
        assert!(found.starts_with(path), "{kind} {params}: {error:?}");
    }
    assert_eq!(site.get("list_constraints", json!({ "robot": "arm-1" })).await?, limits, "a refused limit was stored");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_command_id_gives_the_first_outcome_and_moves_once() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let mut command = arm_goal([0.4, 0.0, 0.9], 0.2);
    command["id"] = json!("0199a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b");
    let first = site.get("send_command", command.clone()).await?;
    let second = site.get("send_command", command).await?;
    assert_eq!(first, second);
    assert_eq!(first["command_id"], "0199a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a12_what_names_nothing_or_means_something_else_is_refused_and_nothing_is_sent() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let mut of_mission = arm_goal([0.4, 0.0, 0.9], 0.2);
    of_mission["mission_id"] = json!("nope");
    for operation in ["send_command", "check_command"] {
        assert_eq!(site.refused(operation, of_mission.clone()).await?, "mission_not_found");
    }
    let mut command = arm_goal([0.4, 0.0, 0.9], 0.2);
    command["id"] = json!("0199a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b");
    assert_eq!(site.get("send_command", command.clone()).await?["verdict"]["overall"], "allow");
    command["motion"]["pose_goal"]["position_m"] = json!([-0.4, 0.0, 0.9]);
    let Err(repeated) = site.call("send_command", command).await else { anyhow::bail!("another command passed") };
    assert_eq!(repeated.code, "command_repeated");
    assert_eq!(repeated.details["differs"][0]["path"], "motion.pose_goal.position_m[0]");

    let mut long = arm_goal([0.4, 0.0, 0.9], 0.2);
    long["motion"] = json!({ "path": { "points_m": vec![[0.123_456_7, 0.0, 0.9]; 40_000], "speed_mps": 0.2 } });
    assert_eq!(site.refused("send_command", long).await?, "too_large");

    let stop_id = site.get("stop_all", json!({})).await?["stop_id"].clone();
    let nothing = json!({ "stop_ids": [stop_id], "robots": [], "reason": "looked" });
    assert_eq!(site.refused("release_stop", nothing).await?, "nothing_to_release");
    let status = site.get("safety_status", json!({})).await?;
    assert_eq!(status["stops"][0]["stop_id"], stop_id, "{status:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn g7_a_stale_or_broken_pose_denies_motion_until_it_is_fresh_again() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    for fault in ["stale_sensor", "nan_sample"] {
        site.get("inject_fault", json!({ "target": "arm-1", "fault": fault, "on": true })).await?;
        site.until("check_command", arm_goal([0.4, 0.0, 0.9], 0.1), |answer| {
            violations(&answer["verdict"]).contains(&"no_fresh_pose")
        })
        .await?;
        site.get("inject_fault", json!({ "target": "arm-1", "fault": fault, "on": false })).await?;
        site.until("check_command", arm_goal([0.4, 0.0, 0.9], 0.1), |answer| answer["verdict"]["overall"] == "allow")
            .await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rovers_drive_and_the_gate_switches() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("rover-1").await?;
    site.arm("gate-1").await?;
    let drive = json!({ "robot": "rover-1", "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [0.5, 0.0, 0.0], "speed_mps": 0.5 } } });
    assert_eq!(site.get("send_command", drive).await?["verdict"]["overall"], "allow");
    site.until_robot("rover-1", |row| row["pose"]["position_m"][0].as_f64().is_some_and(|x| (x - 0.5).abs() < 0.02))
        .await?;
    let robots = site.get("list_robots", json!({})).await?;
    let actuator = find(&robots, "id", "gate-1").map(|gate| gate["actuators"][0]["id"].clone());
    let open = json!({ "robot": "gate-1", "actuator": actuator, "motion": { "switch": { "on": true } } });
    assert_eq!(site.get("send_command", open).await?["verdict"]["overall"], "allow");
    site.until_key("gate.status", |row| row["value"] == "open").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_limit_is_registered_listed_and_judged() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let kinds = [
        ("keep_out_box", json!({ "min": [0.35, 0.05, 0.85], "max": [0.45, 0.15, 0.95] }), "keep_out"),
        ("max_acceleration", json!(1.0), ""),
        ("command_rate", json!({ "actuator": "arm", "hz": 20, "burst": 5 }), ""),
        ("goal_jump", json!(0.05), "goal_jump"),
        ("stopping_distance", json!(0.01), "stopping_distance"),
        ("approach_speed", json!({ "decel_mps2": 0.01, "floor_mps": 0.05 }), "approach_speed"),
    ];
    for (kind, params, _) in &kinds {
        let input = json!({ "robot": "arm-1", "constraint_type": kind, "params_json": params.to_string() });
        let registered = site.get("register_constraint", input).await?;
        let listed = site.get("list_constraints", json!({ "robot": "arm-1" })).await?;
        let row = listed.as_array().into_iter().flatten().find(|row| row["id"] == registered["id"]).cloned();
        assert!(row.is_some_and(|row| row["constraint"].is_object() && row["unit"].is_string()), "{kind}: {listed:#}");
    }
    let denied = site.get("check_command", arm_goal([0.5, 0.2, 1.0], 0.5)).await?;
    for (_, _, code) in kinds.iter().filter(|(_, _, code)| !code.is_empty()) {
        assert!(violations(&denied["verdict"]).contains(code), "{code}: {denied:#}");
    }
    let elsewhere = json!({ "robot": "arm-1", "constraint_type": "command_rate",
        "params_json": "{\"actuator\": \"leg\", \"hz\": 20, \"burst\": 5}" });
    assert!(site.call("register_constraint", elsewhere).await.is_err(), "a rate of an actuator that is not there");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn g14_a_velocity_that_jumps_is_denied_and_one_that_grows_is_not() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("rover-1").await?;
    let drive = |x: f64| {
        json!({ "robot": "rover-1", "actuator": "base", "ttl_ms": 1000,
            "motion": { "velocity": { "linear_mps": [x, 0, 0], "angular_radps": [0, 0, 0] } } })
    };
    assert_eq!(site.get("send_command", drive(0.1)).await?["verdict"]["overall"], "allow");
    let jump = site.get("send_command", drive(-1.4)).await?;
    assert!(violations(&jump["verdict"]).contains(&"acceleration"), "{jump:#}");
    assert_eq!(site.get("send_command", drive(0.1)).await?["verdict"]["overall"], "allow");
    assert_eq!(
        site.get("send_command", drive(0.0)).await?["verdict"]["overall"],
        "allow",
        "standing still is always allowed"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a7_commands_that_come_too_fast_are_denied_and_a_stop_is_not() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let rate = json!({ "robot": "arm-1", "constraint_type": "command_rate",
        "params_json": "{\"actuator\": \"arm\", \"hz\": 1, \"burst\": 2}" });
    site.get("register_constraint", rate).await?;
    let mut limited = 0;
    for _ in 0..50 {
        let answer = site.get("send_command", arm_goal([0.4, 0.0, 0.9], 0.1)).await?;
        limited += u32::from(violations(&answer["verdict"]) == ["rate_limited"]);
    }
    assert!(limited >= 40, "{limited} of 50 were limited");
    site.stop_all().await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_is_listed_and_explained_as_it_was_answered() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let denied = site.get("send_command", arm_goal([2.0, 0.0, 1.0], 0.1)).await?;
    let rows = site.get("list_verdicts", json!({ "robot": "arm-1" })).await?;
    assert_eq!((&rows[0]["id"], &rows[0]["sentence"]), (&denied["verdict"]["id"], &denied["sentence"]));
    let explained = site.get("explain_verdict", json!({ "id": rows[0]["id"] })).await?;
    assert_eq!((&explained["verdict"], &explained["explanation"]), (&denied["verdict"], &denied["explanation"]));
    site.get("send_message", json!({ "text": "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s" })).await?;
    let card = site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    site.get("explain_verdict", json!({ "id": card["verdict_id"] })).await?;
    let unknown = json!({ "id": "0199a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b" });
    assert_eq!(site.refused("explain_verdict", unknown).await?, "verdict_not_found");
    Ok(())
}
