//! `quarterdeck-gate` as a process between a real station and a robot that a program of somebody else's speaks for.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quarterdeck_tests::server_process::ServerProcess;
use quarterdeck_tests::{Site, violations};
use serde_json::{Value, json};

use crate::arriving::Lag;
use crate::commissioning::uncommissioned;
use crate::rover::{Rover, drive};
use crate::strangers::Stranger;
use crate::supervision::{causes, of, until_state};

/// Time in which a gate that is asked to must have ended, and a margin for a busy machine.
const END_WITHIN: Duration = Duration::from_secs(4);

/// A station that knows the rover, whose gate runs and was armed.
async fn armed(arguments: &[&str]) -> anyhow::Result<(Site, Rover)> {
    let mut rover = Rover::new()?;
    let mut site = Site::start_with(&json!({ "rover-9": rover.manifest()? })).await?;
    rover.start(&site.get("session_info", json!({})).await?, arguments)?;
    site.until_robot("rover-9", |row| row["link"] == "live" && row["pose"].is_object()).await?;
    site.arm("rover-9").await?;
    Ok((site, rover))
}

/// Waits for a cause of the robot's stop; on a busy machine others may be there before.
async fn until_stopped_for(site: &mut Site, cause: &str) -> anyhow::Result<()> {
    let is_for = |status: &Value| {
        let row = of(status, "rover-9");
        row["state"] == "safe_stop" && causes(row).contains(&cause)
    };
    site.until("safety_status", json!({}), is_for).await.map(drop)
}

fn is_fast(rover: &Rover) -> bool {
    rover.x_mps() > 0.3
}

async fn moving(arguments: &[&str]) -> anyhow::Result<(Site, Rover)> {
    let (site, rover) = armed(arguments).await?;
    rover.goes(&site, 8.0, "it moves", is_fast).await?;
    Ok((site, rover))
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_52_a_stranger_s_robot_is_armed_goes_to_its_goal_and_is_stopped() -> anyhow::Result<()> {
    let (mut site, rover) = armed(&[]).await?;
    let arrives = |rover: &Rover| (rover.x_m() - 0.5).abs() < 0.05 && rover.x_mps() == 0.0;
    let id = rover.goes(&site, 0.5, "it arrives", arrives).await?;
    site.until_fact(
        "the goal is confirmed",
        |fact| matches!(fact, api::Fact::CommandStep { command, step: runtime::wire::CommandStep::Done, .. } if *command == id),
    )
    .await?;

    rover.goes(&site, 8.0, "it moves", is_fast).await?;
    let stop_id = site.stop_all().await?["stop_id"].clone();
    rover.until("it stands", |rover| rover.x_mps() == 0.0).await?;
    site.until("safety_status", json!({}), |status| {
        let stop = status["stops"].as_array().into_iter().flatten().find(|stop| stop["stop_id"] == stop_id);
        let row = &stop.unwrap_or(&Value::Null)["robots"][0];
        row["acked_after_ms"].is_number() && row["standstill"] == true && row["not_confirmed"] == false
    })
    .await?;
    let denied = site.get("send_command", drive(8.0)).await?;
    assert!(violations(&denied["verdict"]).contains(&"latched"), "{denied:#}");
    site.release("rover-9").await?;
    site.arm("rover-9").await?;
    let stopped_m = rover.x_m();
    let moves = |rover: &Rover| (rover.x_m() - stopped_m).abs() > 0.05;
    rover.goes(&site, 1.0, "it moves again", moves).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_10_a_gate_that_is_told_to_end_stops_the_robot_first() -> anyhow::Result<()> {
    let (mut site, mut rover) = moving(&["--no-timeout"]).await?;
    let (asked_ns, lag) = (wall_ns(), Lag::watch(&site));
    rover.signal("-TERM")?;
    rover.until("it stands", |rover| rover.x_mps() == 0.0).await?;
    let gate = rover.take_gate();
    let status = tokio::task::spawn_blocking(move || gate.map(|mut gate| gate.wait())).await?;
    assert!(status.is_some_and(|status| status.is_ok_and(|status| status.success())));
    let took = Duration::from_nanos(wall_ns().saturating_sub(asked_ns));
    // The gate, its robot and this test each wait for the processor, one after the other.
    let within = END_WITHIN + 5 * Duration::from_millis(lag.longest_ms());
    assert!(took < within, "{took:?} of {within:?}");
    until_stopped_for(&mut site, "robot_gate_fault").await?;
    site.until_fact("the gate's last word", |fact| {
        matches!(fact, api::Fact::Event { code, sentence, .. } if code == "gate_fault" && sentence.contains("the gate was ended"))
    })
    .await?;

    // Started again, it is latched until a person has looked.
    rover.start(&site.get("session_info", json!({})).await?, &[])?;
    site.until_robot("rover-9", |row| row["link"] == "live").await?;
    assert!(violations(&site.get("check_command", drive(8.0)).await?["verdict"]).contains(&"not_armed"));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_03_a_station_that_is_killed_stops_the_robot_by_its_gate_s_own_rules() -> anyhow::Result<()> {
    let mut rover = Rover::new()?;
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("robots"))?;
    std::fs::write(folder.path().join("robots/rover-9.toml"), rover.manifest()?)?;
    let mut server = ServerProcess::start_in(folder, &[]).await?;
    rover.start(&server.get("session_info", json!({})).await?, &["--no-timeout"])?;
    crate::rover::armed(async |name, input| server.get(name, input).await).await?;
    rover.drives(async |name, input| server.get(name, input).await, 8.0, "it moves", is_fast).await?;
    server.kill().await?;
    rover.until("it stands", |rover| rover.x_mps() == 0.0).await?;
    let memory = || std::fs::read_to_string(rover.path("rover-9.state/memory.json")).unwrap_or_default();
    rover.until("its gate has latched", |_| memory().contains("\"deadman\"")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_11_a_robot_whose_gate_is_killed_goes_on_moving_and_the_station_says_what_it_does_not_know()
-> anyhow::Result<()> {
    let (mut site, rover) = moving(&["--no-timeout"]).await?;
    let before_m = rover.x_m();
    rover.signal("-KILL")?;
    let lost = site
        .until("safety_status", json!({}), |status| {
            causes(of(status, "rover-9")).contains(&"beat_lost")
                && status["stops"][0]["robots"][0]["not_confirmed"] == true
        })
        .await?;
    assert_eq!(of(&lost, "rover-9")["state"], "safe_stop", "{lost:#}");
    let row = site.until_robot("rover-9", |row| row["link"] == "lost").await?;
    assert_ne!(row["state"], "armed", "{row:#}");
    let answer = &lost["stops"][0]["robots"][0];
    assert!(answer["acked_after_ms"].is_null() && answer["standstill"] != true, "nobody has measured it: {answer:#}");
    rover.until("it goes on without its gate", |rover| rover.x_m() > before_m + 0.5).await
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_10_a_stranger_on_the_network_stops_the_robot_and_does_not_move_it() -> anyhow::Result<()> {
    let (mut site, rover) = armed(&[]).await?;
    let stranger = Stranger::at(&site).await?;
    let motion = json!({ "velocity": { "linear_mps": [0.3, 0.0, 0.0], "angular_radps": [0.0, 0.0, 0.0] } });
    let station = site.get("session_info", json!({})).await?["station"].clone();
    let forged = json!({ "robot": "rover-9", "actuator": "base", "id": "0199a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b",
        "station": station, "epoch": 1, "seq": 900, "generation": 900, "ttl_ms": 500, "beat": 1, "frame": "map", "motion": motion });
    let mut failed = Ok(());
    site.until("list_alarms", json!({}), |alarms| {
        failed = stranger.put("lab/rover-9/cmd/act/base", &forged);
        alarms.to_string().contains("rover-9 refused a message")
    })
    .await?;
    failed?;
    assert_eq!(rover.x_m(), 0.0);
    rover.goes(&site, 8.0, "it moves", is_fast).await?;
    stranger.put("lab/rover-9/cmd/stop", &json!({ "robot": "rover-9", "station": "nobody", "stop_id": 1 }))?;
    rover.until("it stands", |rover| rover.x_mps() == 0.0).await?;
    until_state(&mut site, "rover-9", "safe_stop").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_52_a_robot_s_program_that_is_killed_stops_and_latches_and_is_named_and_started_again() -> anyhow::Result<()>
{
    let (mut site, rover) = armed(&[]).await?;
    let program = rover.trace()["pid"].clone();
    assert!(Command::new("kill").arg("-9").arg(program.to_string()).status()?.success());
    until_stopped_for(&mut site, "robot_gate_fault").await?;
    site.until_fact("the fault is named", |fact| {
        matches!(fact, api::Fact::Event { code, sentence, .. } if code == "gate_fault" && sentence.contains("program has ended"))
    })
    .await?;
    assert!(site.call("arm_robot", json!({ "robot": "rover-9" })).await.is_err());
    rover.until("it is started again", |rover| rover.trace()["pid"] != program).await?;
    assert_eq!(rover.x_mps(), 0.0, "it waits for a person");
    rover.goes(&site, 8.0, "a person has released the stop and armed it", is_fast).await.map(drop)
}

/// Stops that are timed.
const TIMED: u64 = 100;
/// Time that half of the stops may take beyond the hops of bare messages. On an idle machine it is the goal of 99 in 100.
const STOP_MS_MAX: f64 = 25.0;
/// Hops that a busy machine makes wait: the robot's gate and its program, each with threads of its own.
const HOPS: f64 = 10.0;

#[tokio::test(flavor = "multi_thread")]
async fn rg_33_a_drill_that_the_robot_s_program_does_not_answer_was_no_test_and_names_it() -> anyhow::Result<()> {
    let drilled = async |arguments: &[&str]| -> anyhow::Result<Value> {
        let (mut site, _rover) = uncommissioned(arguments).await?;
        let run = site.until_ok("run_stop_drill", json!({ "robot": "rover-9" })).await?;
        assert!(run["drill"]["standstill_after_ms"].is_number(), "it stood all the time: {run:#}");
        Ok(run)
    };
    let mute = drilled(&["--mute"]).await?;
    assert_eq!((&mute["unanswered"], &mute["drill"]["acked_after_ms"]), (&json!(["stop"]), &Value::Null), "{mute:#}");
    let answered = drilled(&[]).await?;
    assert!(answered["drill"]["acked_after_ms"].is_number(), "{answered:#}");
    assert_eq!(answered["unanswered"], json!([]));
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "two programs on one computer compare their clocks; nothing is decided by it"
)]
fn wall_ns() -> u64 {
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since_1970.as_nanos()).unwrap_or(u64::MAX)
}

/// Median and 99th percentile, milliseconds.
fn percentiles(mut ns: Vec<u64>) -> (f64, f64) {
    ns.sort_unstable();
    let at = |share: usize| ns.get(ns.len() * share / 100).copied().unwrap_or_default() as f64 / 1e6;
    (at(50), at(99))
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_64_a_stop_reaches_the_robot_s_program_soon_after_any_message_reaches_a_listener() -> anyhow::Result<()> {
    let (site, rover) = armed(&[]).await?;
    let (stranger, listener) = (Stranger::at(&site).await?, Stranger::at(&site).await?);
    let heard = Arc::new(AtomicU64::new(0));
    let hears = Arc::clone(&heard);
    let _listening = listener.hear("lab/bare", move || hears.store(wall_ns(), Ordering::SeqCst)).await?;
    let stop = |rover: &Rover| rover.trace()["stop"][0].as_u64().unwrap_or_default();
    let (mut stops, mut bare) = (Vec::new(), Vec::new());
    rover
        .until("the listener is known", |_| {
            stranger.put("lab/bare", &json!({})).is_ok() && heard.load(Ordering::SeqCst) > 0
        })
        .await?;
    for stop_id in 1..=TIMED {
        let before = stop(&rover);
        let put = wall_ns();
        stranger
            .put("lab/rover-9/cmd/stop", &json!({ "robot": "rover-9", "station": "nobody", "stop_id": stop_id }))?;
        rover.until("the stop arrives", |rover| stop(rover) > before).await?;
        stops.push(rover.trace()["stop"][1].as_u64().unwrap_or_default().saturating_sub(put));
        let put = wall_ns();
        stranger.put("lab/bare", &json!({}))?;
        rover.until("the floor is heard", |_| heard.load(Ordering::SeqCst) >= put).await?;
        bare.push(heard.load(Ordering::SeqCst) - put);
    }
    let ((p50, p99), (bare_p50, bare_p99)) = (percentiles(stops), percentiles(bare));
    println!(
        "cmd/stop to the robot's program: p50 {p50:.2} ms, p99 {p99:.2} ms; a bare message: {bare_p50:.2}, {bare_p99:.2} ms"
    );
    assert!(p50 < HOPS * bare_p50 + STOP_MS_MAX, "{p50} {p99} against {bare_p50} {bare_p99}");
    Ok(())
}
