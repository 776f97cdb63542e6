//! STOP ALL: sent, acknowledged, standing still, latched on disk, released.

use std::process::Stdio;

use quarterdeck_tests::{Site, arm_goal, violations};
use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

const ROBOTS: [&str; 4] = ["arm-1", "gate-1", "rover-1", "rover-2"];

fn all_robots(status: &Value, holds: impl Fn(&Value) -> bool) -> bool {
    let robots = status["stops"][0]["robots"].as_array();
    robots.is_some_and(|rows| rows.len() == ROBOTS.len() && rows.iter().all(holds))
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_all_in_the_middle_of_a_motion_is_acknowledged_by_every_robot_and_survives_a_restart() -> anyhow::Result<()>
{
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_command", arm_goal([0.6, 0.3, 1.2], 0.3)).await?;
    site.until_robot("arm-1", |row| row["pose"]["position_m"][2].as_f64().is_some_and(|z| z > 0.82)).await?;
    let pressed = site.stop_all().await?;
    assert_eq!((&pressed["stop_id"], &pressed["robots"]), (&json!(1), &json!(ROBOTS)));
    let again = site.get("stop_all", json!({})).await?;
    assert_eq!(again["stop_id"], 1, "pressing again sends the same stop again");
    let status = site
        .until("safety_status", json!({}), |status| {
            all_robots(status, |row| row["acked_after_ms"].is_number() && row["standstill"] == true)
        })
        .await?;
    assert!(all_robots(&status, |row| row["sent_after_ms"].is_number() && row["not_confirmed"] == false));
    let after = site.get("send_command", arm_goal([0.5, 0.2, 1.0], 0.1)).await?;
    assert!(violations(&after["verdict"]).contains(&"latched"), "{after:#}");

    let mut site = site.restart().await?;
    let status = site.get("safety_status", json!({})).await?;
    assert_eq!((&status["stopped"], &status["stops"][0]["stop_id"]), (&json!(true), &json!(1)));
    assert_eq!(site.refused("arm_robot", json!({ "robot": "arm-1" })).await?, "latched");
    site.release_all(&ROBOTS).await?;
    site.arm("arm-1").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn release_names_exactly_the_open_stops_and_enables_arming_only() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.get("stop_robot", json!({ "robot": "rover-1" })).await?;
    site.get("stop_all", json!({})).await?;
    site.until("safety_status", json!({}), |status| {
        let stops = status["stops"].as_array();
        stops.is_some_and(|stops| {
            stops.iter().all(|stop| {
                stop["robots"].as_array().is_some_and(|rows| rows.iter().all(|row| row["standstill"] == true))
            })
        })
    })
    .await?;
    for stop_ids in [json!([]), json!([1]), json!([2]), json!([1, 2, 99])] {
        let input = json!({ "stop_ids": stop_ids, "robots": ["rover-1"], "reason": "clear" });
        assert_eq!(site.refused("release_stop", input).await?, "stop_set_changed");
    }
    let blank = json!({ "stop_ids": [1, 2], "robots": ["rover-1"], "reason": " " });
    assert_eq!(site.refused("release_stop", blank).await?, "reason_missing");
    // A robot that answered late was stopped a second time for that, so there may be more of them.
    let released = site.release_all(&["rover-1"]).await?;
    let rest = json!(["arm-1", "gate-1", "rover-2"]);
    assert_eq!((&released["released"], &released["open"]["2"]), (&json!(["rover-1"]), &rest));
    assert_eq!(released["open"]["1"], Value::Null, "{released:#}");
    site.until_robot("rover-1", |row| row["state"] == "disarmed").await?;
    site.until_robot("arm-1", |row| row["state"] == "safe_stop").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f7_a_robot_that_does_not_acknowledge_is_named_with_its_hardware_stop() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.get("inject_fault", json!({ "target": "arm-1", "fault": "no_ack", "on": true })).await?;
    site.get("stop_all", json!({})).await?;
    let told = site
        .until_fact(
            "the missing acknowledgement",
            |fact| matches!(fact, api::Fact::Event { code, .. } if code == "stop_not_confirmed"),
        )
        .await?;
    let api::Fact::Event { sentence, .. } = told else { anyhow::bail!("another fact") };
    assert!(sentence.contains("arm-1") && sentence.contains("hardware stop"), "{sentence}");
    site.until("safety_status", json!({}), |status| {
        let rows = status["stops"][0]["robots"].as_array().cloned().unwrap_or_default();
        rows.iter().any(|row| row["robot"] == "arm-1" && row["not_confirmed"] == true)
            && rows.iter().filter(|row| row["not_confirmed"] == false).count() == 3
    })
    .await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_with_no_robot_latches_all_the_same() -> anyhow::Result<()> {
    let mut site = Site::start_empty().await?;
    let pressed = site.stop_all().await?;
    assert_eq!((&pressed["stop_id"], &pressed["robots"]), (&json!(1), &json!([])));
    site.get("start_simulator", json!({})).await?;
    assert_eq!(site.refused("arm_robot", json!({ "robot": "arm-1" })).await?, "latched");
    site.get("release_stop", json!({ "stop_ids": [1], "robots": [], "reason": "nothing was moving" })).await?;
    assert_eq!(site.get("safety_status", json!({})).await?["stopped"], false);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_stops_all_robots_of_a_running_server_and_says_so_when_it_did_not() -> anyhow::Result<()> {
    let data = tempfile::tempdir()?;
    let program = quarterdeck_tests::built("quarterdeck-server")?;
    let mut serving = Command::new(&program)
        .arg("--data-dir")
        .arg(data.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let Some(output) = serving.stdout.take() else { anyhow::bail!("no output") };
    let Some(started) = BufReader::new(output).lines().next_line().await? else { anyhow::bail!("it did not start") };
    let url = serde_json::from_str::<serde_json::Value>(&started)?["url"].as_str().unwrap_or_default().to_owned();
    let token_file = data.path().join("token");
    let stop = async |token: &str| -> anyhow::Result<std::process::Output> {
        std::fs::write(&token_file, token)?;
        let arguments = ["stop", "--url", &url, "--token-file"];
        Ok(Command::new(&program).args(arguments).arg(&token_file).output().await?)
    };
    let pressed = stop(&started).await?;
    let answer: serde_json::Value = serde_json::from_slice(&pressed.stdout)?;
    assert_eq!((&answer["stop_id"], &answer["robots"]), (&json!(1), &json!([])));
    let refused = stop("qd_boot_wrong").await?;
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("NOT STOPPED"), "{said}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drill_stops_a_robot_over_the_real_path_keeps_what_it_took_and_lets_it_go() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("arm-1").await?;
    site.get("send_message", json!({ "text": "move arm-1 to 0.5 0.2 1.0 at 0.1 m/s" })).await?;
    site.until_proposal(|proposal| proposal["state"] == "waiting").await?;
    site.until_robot("rover-1", |row| row["link"] == "live").await?;
    let run = site.get("run_stop_drill", json!({ "robot": "rover-1" })).await?;
    let (acked, stood) = (&run["drill"]["acked_after_ms"], &run["drill"]["standstill_after_ms"]);
    assert!(acked.as_f64().is_some_and(|ms| ms < 300.0) && stood.is_f64() && run["released"] == true, "{run:#}");
    let listed = site.get("list_drills", json!({ "robot": "rover-1" })).await?;
    assert_eq!(listed[0], run["drill"]);
    let status = site.get("safety_status", json!({})).await?;
    assert_eq!(status["stopped"], false, "{status:#}");
    let open = site.get("list_proposals", json!({})).await?;
    assert!(["waiting", "recheck"].iter().any(|state| open[0]["state"] == *state), "a drill voids nothing: {open:#}");

    site.get("stop_all", json!({})).await?;
    assert_eq!(site.refused("run_stop_drill", json!({ "robot": "rover-1" })).await?, "latched");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn f25_four_stops_in_a_row_are_each_put_at_once_while_the_database_is_held() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    let options = SqliteConnectOptions::new().filename(site.data_dir().join("station.db"));
    let mut held = SqliteConnection::connect_with(&options).await?;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut held).await?;
    for robot in ROBOTS {
        let pressed = site.get("stop_robot", json!({ "robot": robot })).await?;
        assert_eq!((&pressed["latch_saved"], &pressed["robots"]), (&json!(false), &json!([robot])));
    }
    let status = site
        .until("safety_status", json!({}), |status| {
            pressed(status).iter().all(|stop| stop["robots"][0]["acked_after_ms"].is_number())
        })
        .await?;
    let sent: Vec<f64> =
        pressed(&status).iter().filter_map(|stop| stop["robots"][0]["sent_after_ms"].as_f64()).collect();
    // Each answer waits a second for its latch. Nothing of that is in the way of the stop itself.
    assert!(sent.len() == ROBOTS.len() && sent.iter().all(|ms| *ms < 1_000.0), "{sent:?}");
    sqlx::query("ROLLBACK").execute(&mut held).await?;
    held.close().await?;
    site.until("safety_status", json!({}), |status| {
        let stops = pressed(status);
        stops.len() == ROBOTS.len() && stops.iter().all(|stop| stop["latch_saved"] == true)
    })
    .await
    .map(drop)
}

/// The open stops of the administrator. A robot that acknowledges late is stopped a second time, by its supervision.
fn pressed(status: &Value) -> Vec<&Value> {
    status["stops"].as_array().into_iter().flatten().filter(|stop| stop["by"] == "admin").collect()
}
