//! The state of a robot: what holds it, what stops it, and who lets it go.

use quarterdeck_tests::sensor::Sensor;
use quarterdeck_tests::{Site, arm_goal, find, violations};
use serde_json::{Value, json};

use crate::arriving::Lag;

pub(crate) fn of<'a>(status: &'a Value, robot: &str) -> &'a Value {
    find(&status["robots"], "robot", robot).unwrap_or(&Value::Null)
}

pub(crate) fn causes(safety: &Value) -> Vec<&str> {
    safety["causes"].as_array().into_iter().flatten().filter_map(|row| row["cause"].as_str()).collect()
}

/// Waits until `robot` is in `state`, and gives its row of `safety_status`.
pub(crate) async fn until_state(site: &mut Site, robot: &str, state: &str) -> anyhow::Result<Value> {
    let status = site.until("safety_status", json!({}), |status| of(status, robot)["state"] == state).await?;
    Ok(of(&status, robot).clone())
}

/// Waits until `robot` is in `state` for exactly these causes, and gives its row of `safety_status`: on a busy machine an
/// answer of the robot may be late beside them, for a moment.
pub(crate) async fn until_held_for(
    site: &mut Site,
    robot: &str,
    state: &str,
    expected: &[&str],
) -> anyhow::Result<Value> {
    let is_for = |row: &Value| row["state"] == state && causes(row) == expected;
    let status = site.until("safety_status", json!({}), |status| is_for(of(status, robot))).await?;
    Ok(of(&status, robot).clone())
}

/// Acknowledges every cause of `robot` as soon as it is over, until the robot is disarmed or armed, or locked.
pub(crate) async fn acknowledge_all(site: &mut Site, robot: &str) -> anyhow::Result<()> {
    loop {
        let status = site
            .until("safety_status", json!({}), |status| {
                let rows = of(status, robot)["causes"].as_array().cloned().unwrap_or_default();
                rows.iter().all(|row| row["present"] == false || row["cause"] == "stop_robot")
            })
            .await?;
        // One that took long to answer was latched a second time.
        let stops: Vec<_> = status["stops"].as_array().into_iter().flatten().map(|stop| &stop["stop_id"]).collect();
        if !stops.is_empty() {
            let release = json!({ "stop_ids": stops, "robots": [robot], "reason": "looked into" });
            // Refused while a cause is open; the next round asks again.
            let _ = site.call("release_stop", release).await;
        }
        let rows = of(&status, robot)["causes"].as_array().cloned().unwrap_or_default();
        for row in rows.iter().filter(|row| row["clears"] == "on_acknowledge") {
            let input = json!({ "robot": robot, "cause": row["cause"], "reason": "looked into" });
            // It may have come back, or been cleared, since it was read.
            let _ = site.call("acknowledge_cause", input).await;
        }
        let after = site.until("safety_status", json!({}), |_| true).await?;
        if ["disarmed", "armed", "lockout"].iter().any(|state| of(&after, robot)["state"] == *state) {
            return Ok(());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f3_a_cut_link_is_held_then_stopped_and_after_an_acknowledgement_the_robot_is_armed_again() -> anyhow::Result<()>
{
    let mut site = Site::start().await?;
    let lag = Lag::watch(&site);
    site.arm("rover-1").await?;
    let slow = json!({ "robot": "rover-1", "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [0.5, 0.0, 0.0], "speed_mps": 0.05 } } });
    assert_eq!(site.get("send_command", slow).await?["verdict"]["overall"], "allow");
    site.get("inject_fault", json!({ "target": "rover-1", "fault": "drop_link", "on": true })).await?;
    let held = until_state(&mut site, "rover-1", "hold").await?;
    assert!(causes(&held).contains(&"beat_late") || causes(&held).contains(&"pose_stale"), "{held:#}");
    let drive = json!({ "robot": "rover-1", "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [0.5, 0.0, 0.0], "speed_mps": 0.5 } } });
    let denied = site.get("check_command", drive.clone()).await?;
    assert!(violations(&denied["verdict"]).contains(&"not_armed"), "{denied:#}");
    let stopped = until_state(&mut site, "rover-1", "safe_stop").await?;
    assert!(causes(&stopped).contains(&"beat_lost"), "{stopped:#}");
    let since = |cause: &str| find(&stopped["causes"], "cause", cause).and_then(|row| row["since_mono_ms"].as_u64());
    let apart_ms = since("beat_lost").zip(since("beat_late")).map(|(lost, late)| lost - late);
    // Each of the two is noticed as late as this process is.
    let lag_ms = lag.longest_ms();
    let in_time = |ms: u64| (800 - lag_ms.min(800)..1_300 + lag_ms).contains(&ms);
    assert!(apart_ms.is_some_and(in_time), "hold at 0.5 s, stop at 1.5 s: {apart_ms:?} ms, at a lag of {lag_ms} ms");
    let early = json!({ "robot": "rover-1", "cause": "beat_lost", "reason": "impatient" });
    assert_eq!(site.refused("acknowledge_cause", early).await?, "cause_present");
    assert_eq!(site.refused("arm_robot", json!({ "robot": "rover-1" })).await?, "latched");

    site.get("inject_fault", json!({ "target": "rover-1", "fault": "drop_link", "on": false })).await?;
    acknowledge_all(&mut site, "rover-1").await?;
    site.arm("rover-1").await?;
    let sent = site.get("send_command", drive).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f10_a_frozen_sensor_holds_a_moving_robot_until_it_is_acknowledged() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_command", arm_goal([0.6, 0.3, 1.2], 0.1)).await?;
    site.get("inject_fault", json!({ "target": "arm-1", "fault": "frozen_sensor", "on": true })).await?;
    until_held_for(&mut site, "arm-1", "hold", &["sensor_frozen"]).await?;
    site.until_fact(
        "the end of the motion",
        |fact| matches!(fact, api::Fact::CommandStep { code: Some(code), .. } if code == "held"),
    )
    .await?;
    site.get("inject_fault", json!({ "target": "arm-1", "fault": "frozen_sensor", "on": false })).await?;
    acknowledge_all(&mut site, "arm-1").await?;
    until_state(&mut site, "arm-1", "armed").await?;
    site.until("check_command", arm_goal([0.4, 0.0, 0.9], 0.1), |answer| answer["verdict"]["overall"] == "allow")
        .await?;
    Ok(())
}

/// Forbids a place just above the arm; gives its center.
pub async fn zone_above_arm(site: &mut Site) -> anyhow::Result<[f64; 3]> {
    let row = site.until_robot("arm-1", |_| true).await?;
    let at = |axis: usize| row["pose"]["position_m"][axis].as_f64().unwrap_or_default();
    let center = [at(0), at(1), at(2) + 0.2];
    let params = json!({ "center": center, "radius": 0.05 }).to_string();
    let zone =
        json!({ "robot": "arm-1", "constraint_type": "forbidden_zone", "params_json": params, "reason": "a fixture" });
    site.get("register_constraint", zone).await?;
    Ok(center)
}

#[tokio::test(flavor = "multi_thread")]
async fn f9_a_pose_pushed_into_a_zone_without_a_command_stops_the_robot() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let center = zone_above_arm(&mut site).await?;
    site.arm("arm-1").await?;
    let pose = Sensor::open(&site, "arm-1", "lab/arm-1/out/state/pose").await?;
    let payload = json!({ "frame": "base_link", "position_m": center });
    let mut put = Ok(());
    site.until("safety_status", json!({}), |status| {
        put = pose.put(&payload);
        of(status, "arm-1")["state"] == "safe_stop"
    })
    .await?;
    put?;
    let stopped = until_state(&mut site, "arm-1", "safe_stop").await?;
    assert!(causes(&stopped).contains(&"breach"), "{stopped:#}");
    let refused = json!({ "stop_ids": [1], "robots": ["arm-1"], "reason": "no" });
    let code = site.refused("release_stop", refused).await?;
    // While its pose jumps it does not stand.
    assert!(["not_standing_still", "causes_open"].contains(&code.as_str()), "{code}");
    pose.close().await;
    acknowledge_all(&mut site, "arm-1").await?;
    site.arm("arm-1").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_was_cut_off_stops_every_robot_at_the_next_start() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    let mut site = site.crash().await?;
    for robot in ["arm-1", "rover-1"] {
        let stopped = until_state(&mut site, robot, "safe_stop").await?;
        assert!(causes(&stopped).contains(&"unclean_restart"), "{stopped:#}");
    }
    acknowledge_all(&mut site, "arm-1").await?;
    site.arm("arm-1").await?;
    let site = site.restart().await?;
    let status = site.get("safety_status", json!({})).await?;
    assert!(
        !causes(of(&status, "arm-1")).contains(&"unclean_restart"),
        "a clean end is not an unclean one: {status:#}"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn anybody_holds_a_robot_and_an_operator_lets_it_go() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_command", arm_goal([0.6, 0.3, 1.2], 0.1)).await?;
    assert_eq!(site.get("hold_robot", json!({ "robot": "arm-1" })).await?["state"], "hold");
    let denied = site.get("send_command", arm_goal([0.4, 0.0, 0.9], 0.1)).await?;
    assert!(violations(&denied["verdict"]).contains(&"not_armed"), "{denied:#}");
    acknowledge_all(&mut site, "arm-1").await?;
    until_state(&mut site, "arm-1", "armed").await?;
    let disarmed = site.get("disarm_robot", json!({ "robot": "arm-1", "looked": true })).await?;
    assert_eq!(disarmed["state"], "disarmed");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_robot_that_stood_and_moves_again_is_stopped_as_one_that_does_not_obey() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("hold_robot", json!({ "robot": "arm-1" })).await?;
    let velocity = Sensor::open(&site, "arm-1", "lab/arm-1/out/state/velocity").await?;
    let payload = json!({ "linear_mps": [0.05, 0.0, 0.0], "angular_radps": [0.0, 0.0, 0.0] });
    let mut put = Ok(());
    // Its own samples say in between that it stands.
    let status = site
        .until("safety_status", json!({}), |status| {
            put = velocity.put(&payload);
            of(status, "arm-1")["state"] != "hold"
        })
        .await?;
    put?;
    velocity.close().await;
    let stopped = of(&status, "arm-1");
    assert_eq!(stopped["state"], "safe_stop", "{stopped:#}");
    assert!(causes(stopped).contains(&"stop_unconfirmed"), "{stopped:#}");
    let alarm = |rows: &Value| rows.as_array().is_some_and(|rows| rows.iter().any(|row| row["priority"] == 1));
    site.until("list_alarms", json!({}), alarm).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn f4_a_robot_that_publishes_but_hears_nothing_is_held_then_stopped_like_one_whose_link_is_cut()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("rover-1").await?;
    site.get("inject_fault", json!({ "target": "rover-1", "fault": "half_open", "on": true })).await?;
    // Its samples are as fresh as ever.
    until_held_for(&mut site, "rover-1", "hold", &["beat_late"]).await?;
    let stopped = until_state(&mut site, "rover-1", "safe_stop").await?;
    assert!(causes(&stopped).contains(&"beat_lost"), "{stopped:#}");
    let row = site.until_robot("rover-1", |_| true).await?;
    assert!(row["pose"]["age_ms"].as_u64().is_some_and(|age_ms| age_ms < 500), "{row:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f5_over_a_link_that_loses_delays_and_reorders_only_what_the_limits_allow_passes_and_a_stop_arrives()
-> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("rover-1").await?;
    site.get("inject_fault", json!({ "target": "rover-1", "fault": "lossy", "on": true })).await?;
    let drive = |x_m: f64| {
        json!({ "robot": "rover-1", "actuator": "base", "frame": "map",
            "motion": { "pose_goal": { "position_m": [x_m, 0.0, 0.0], "speed_mps": 0.2 } } })
    };
    for _ in 0..10 {
        let outside = site.get("send_command", drive(500.0)).await?;
        assert_eq!(outside["verdict"]["overall"], "deny", "{outside:#}");
        // Held for late answers or not: an allowed one is inside the limits.
        site.get("send_command", drive(0.5)).await?;
    }
    let stop_id = site.get("stop_all", json!({})).await?["stop_id"].clone();
    let status = site
        .until("safety_status", json!({}), |status| {
            let stop = status["stops"].as_array().into_iter().flatten().find(|stop| stop["stop_id"] == stop_id);
            let robot = stop.and_then(|stop| find(&stop["robots"], "robot", "rover-1").cloned());
            robot.is_some_and(|robot| robot["acked_after_ms"].is_number() && robot["standstill"] == true)
        })
        .await?;
    assert_eq!(of(&status, "rover-1")["state"], "safe_stop");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_robot_that_must_be_supervised_is_held_while_nobody_is_there_and_goes_on_when_somebody_is()
-> anyhow::Result<()> {
    let mut site = Site::start_with_safety("absence_ms = 10000").await?;
    site.arm("arm-1").await?;
    let absent = |fact: &api::Fact| matches!(fact, api::Fact::Event { code, .. } if code == "operator_absent");
    // Asking would be a sign of life.
    site.until_fact("the hold for nobody's presence", absent).await?;
    until_state(&mut site, "arm-1", "hold").await?;
    until_state(&mut site, "arm-1", "armed").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_lets_a_robot_move_unattended_with_a_reason_and_it_is_shown() -> anyhow::Result<()> {
    let site = Site::start().await?;
    let said =
        |supervision: &str, reason: &str| json!({ "robot": "arm-1", "supervision": supervision, "reason": reason });
    let status = site.get("safety_status", json!({})).await?;
    assert_eq!(of(&status, "arm-1")["supervision"], "required");
    assert_eq!(site.refused("set_supervision", said("unattended", " ")).await?, "reason_missing");
    assert_eq!(site.refused("set_supervision", said("never", "night shift")).await?, "invalid_input");
    let desk = api::Session::app_window();
    let by_operator = site.api.call(&desk, "set_supervision", said("unattended", "night shift")).await;
    assert_eq!(by_operator.err().map(|error| error.code), Some("forbidden".to_owned()));
    let changed = site.get("set_supervision", said("unattended", "night shift")).await?;
    assert_eq!(changed["supervision"], "unattended", "{changed:#}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_of_the_safety_engine_are_settings_that_hold_and_are_shown() -> anyhow::Result<()> {
    let mut site = Site::start_with_safety("command_rate_hz = 1\ncommand_burst = 1").await?;
    let settings = site.get("get_safety_settings", json!({})).await?;
    let burst = find(&settings, "key", "command_burst").cloned().unwrap_or_default();
    let numbers = ["value", "default", "min", "max"].map(|field| burst[field].as_u64());
    assert_eq!(numbers, [Some(1), Some(10), Some(1), Some(50)], "{settings:#}");
    site.arm("arm-1").await?;
    let goals = [0.39, 0.4].map(|x_m| arm_goal([x_m, 0.0, 0.9], 0.1));
    let mut overall = Vec::new();
    for goal in goals {
        let sent = site.get("send_command", goal).await?;
        overall.push((sent["verdict"]["overall"].clone(), violations(&sent["verdict"]).contains(&"rate_limited")));
    }
    assert_eq!(overall, [(json!("allow"), false), (json!("deny"), true)]);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_setting_outside_its_range_is_refused_at_start_with_its_key_and_range() -> anyhow::Result<()> {
    let Err(error) = Site::start_with_safety("beat_hz = 51").await else { anyhow::bail!("it started") };
    let message = format!("{error:#}");
    assert!(message.contains("safety.beat_hz = 51: expected 5 to 50"), "{message}");
    Ok(())
}
