//! The robots' own gates: one owner at a time, and what they remember when they are killed.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use api::SimulatorProcess;
use bridge::envelope::{Ack, Status, Subject};
use bridge::robot_gate::{Credentials, Reply, RobotGate, Volatile};
use bridge::signing::SigningKey;
use bridge::{Link, LinkConfig};
use quarterdeck_tests::{Site, built, find, violations};
use robot::{Manifest, Now};
use serde_json::{Value, json};
use server::SiblingSimulator;

use crate::supervision::{acknowledge_all, causes, of, until_held_for, until_state};

fn drive(x_m: f64) -> Value {
    json!({ "robot": "rover-1", "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [x_m, 0.0, 0.0], "speed_mps": 0.5 } } })
}

/// Ends the simulator whose robots keep their state in `folder`, as a loss of power would.
fn kill_simulator(folder: &Path) -> anyhow::Result<()> {
    let folder = folder.to_string_lossy().into_owned();
    for process in std::fs::read_dir("/proc")? {
        let process = process?;
        let Ok(arguments) = std::fs::read(process.path().join("cmdline")) else { continue };
        let mut arguments = arguments.split(|byte| *byte == 0);
        let program = arguments.next().is_some_and(|program| program.ends_with(b"quarterdeck-sim"));
        if program && arguments.any(|argument| argument == folder.as_bytes()) {
            let killed = Command::new("kill").arg("-9").arg(process.file_name()).status()?;
            anyhow::ensure!(killed.success(), "the simulator could not be killed");
            return Ok(());
        }
    }
    anyhow::bail!("no simulator keeps its state in {folder}")
}

#[tokio::test(flavor = "multi_thread")]
async fn f13_robots_killed_in_the_middle_of_a_motion_come_back_latched_and_are_let_go_by_a_person() -> anyhow::Result<()>
{
    let mut site = Site::start().await?;
    site.arm("rover-1").await?;
    assert_eq!(site.get("send_command", drive(5.0)).await?["verdict"]["overall"], "allow");
    site.until_robot("rover-1", |row| row["pose"]["position_m"][0].as_f64().is_some_and(|x_m| x_m > 0.2)).await?;
    kill_simulator(&site.data_dir().join("simulator"))?;
    until_state(&mut site, "rover-1", "safe_stop").await?;
    site.until("session_info", json!({}), |info| info["simulator"] == "stopped").await?;
    site.get("start_simulator", json!({})).await?;
    let status = site
        .until("safety_status", json!({}), |status| {
            let rover = of(status, "rover-1");
            let over = rover["causes"]
                .as_array()
                .is_some_and(|rows| rows.iter().all(|row| row["present"] == false || row["cause"] == "stop_robot"));
            causes(rover).contains(&"robot_gate_fault") && over
        })
        .await?;
    assert_eq!(of(&status, "rover-1")["state"], "safe_stop");
    let denied = site.get("check_command", drive(5.0)).await?;
    assert!(violations(&denied["verdict"]).contains(&"not_armed"), "{denied:#}");

    site.get("disarm_robot", json!({ "robot": "rover-1", "looked": true })).await?;
    acknowledge_all(&mut site, "rover-1").await?;
    site.arm("rover-1").await?;
    let sent = site.get("send_command", drive(1.0)).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    site.until_robot("rover-1", |row| row["pose"]["position_m"][0].as_f64().is_some_and(|x_m| x_m > 0.9)).await?;
    Ok(())
}

/// The manifests, with their keys, of robots that keep their state in `folder`.
pub(crate) async fn manifests(folder: &Path) -> anyhow::Result<Value> {
    let state = folder.to_string_lossy().into_owned();
    let arguments = ["--state", &state, "--listen", "tcp/127.0.0.1:0"].map(str::to_owned);
    let mut first_run = SiblingSimulator::launch_program(&built("quarterdeck-sim")?, arguments.to_vec())?;
    let ready: Value = serde_json::from_str(&first_run.lines.recv().await.unwrap_or_default())?;
    Ok(ready["manifests"].clone())
}

/// The same, of which arm-1 has no workspace.
pub(crate) async fn manifests_without_room(folder: &Path) -> anyhow::Result<Value> {
    let mut manifests = manifests(folder).await?;
    let whole = manifests["arm-1"].as_str().unwrap_or_default().to_owned();
    let room = ", workspace = { x = [-1.0, 1.0], y = [-1.0, 1.0], z = [0.0, 1.5] }";
    anyhow::ensure!(whole.contains(room), "{whole}");
    manifests["arm-1"] = json!(whole.replace(room, ""));
    Ok(manifests)
}

/// Two stations of the same robots, both of which hear rover-1.
async fn two_stations(folder: &Path) -> anyhow::Result<(Site, Site, SimulatorProcess)> {
    let manifests = manifests(folder).await?;
    let mut first = Site::start_with(&manifests).await?;
    let mut second = Site::start_with(&manifests).await?;
    let robots = start_robots(folder, &[&first, &second]).await?;
    for site in [&mut first, &mut second] {
        site.until_robot("rover-1", |row| row["link"] == "live" && row["pose"].is_object()).await?;
    }
    Ok((first, second, robots))
}

/// Starts those robots, which `sites` may command.
pub(crate) async fn start_robots(folder: &Path, sites: &[&Site]) -> anyhow::Result<SimulatorProcess> {
    start_overheard_robots(folder, sites, &[]).await
}

/// The same with others at these endpoints, who hear what the robots say.
pub(crate) async fn start_overheard_robots(
    folder: &Path,
    sites: &[&Site],
    others: &[String],
) -> anyhow::Result<SimulatorProcess> {
    let mut arguments = vec!["--state".to_owned(), folder.to_string_lossy().into_owned()];
    for site in sites {
        let info = site.get("session_info", json!({})).await?;
        let station = |field: &str| info[field].as_str().unwrap_or_default().to_owned();
        arguments.extend(["--station".to_owned(), format!("{}={}", station("station"), station("public_key"))]);
        arguments.extend(["--connect".to_owned(), site.endpoint().await?]);
    }
    arguments.extend(others.iter().flat_map(|endpoint| ["--connect".to_owned(), endpoint.clone()]));
    Ok(SiblingSimulator::launch_program(&built("quarterdeck-sim")?, arguments)?)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gate_that_speaks_for_another_robot_locks_its_own_until_the_station_is_started_anew() -> anyhow::Result<()> {
    let mut site = Site::start().await?;
    site.arm("rover-1").await?;
    let seed = std::fs::read(site.data_dir().join("simulator/rover-1.key"))?;
    let key = SigningKey::from_seed(seed.as_slice().try_into()?);
    let text = std::fs::read_to_string(site.data_dir().join("robots/rover-1.toml"))?;
    let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
    let link = Link::open(config, Arc::new(Now::default)).await?;
    let credentials = Credentials { key, stations: BTreeMap::new() };
    let manifest = Manifest::parse(&text, "rover-1")?;
    let gate = RobotGate::open(&link, &manifest, credentials, Box::new(Volatile), |_| {}).await?;
    let station = site.get("session_info", json!({})).await?["station"].as_str().unwrap_or_default().parse()?;
    let lie = Reply::Ack(Ack {
        robot: "rover-2".parse()?,
        subject: Subject::Hold { station, hold_id: 1 },
        status: Status::Received,
        claimed_by: None,
        speed_mps: Some(0.0),
        standstill: true,
    });
    let mut put = Ok(());
    site.until("safety_status", json!({}), |status| {
        put = gate.put(&lie);
        of(status, "rover-1")["state"] == "lockout"
    })
    .await?;
    put?;
    let locked = until_state(&mut site, "rover-1", "lockout").await?;
    let row = find(&locked["causes"], "cause", "identity_mismatch").cloned().unwrap_or_default();
    assert_eq!(row["clears"], "never", "{locked:#}");
    link.close().await;
    let back = json!({ "robot": "rover-1", "reason": "the gate was looked into" });
    assert_eq!(site.refused("recommission", back).await?, "still_locked");
    let named = json!({ "robot": "rover-1", "cause": "identity_mismatch", "reason": "seen" });
    site.call("acknowledge_cause", named).await.err().ok_or_else(|| anyhow::anyhow!("an acknowledgement ended it"))?;
    until_state(&mut site, "rover-2", "disarmed").await?;

    // A restart alone lets nobody go, and after it an administrator may.
    let mut site = site.restart().await?;
    let locked = until_state(&mut site, "rover-1", "lockout").await?;
    assert_eq!(causes(&locked), ["identity_mismatch"], "{locked:#}");
    let back = json!({ "robot": "rover-1", "reason": "the gate was replaced" });
    site.until_ok("recommission", back).await?;
    until_state(&mut site, "rover-1", "disarmed").await?;
    site.arm("rover-1").await
}

#[tokio::test(flavor = "multi_thread")]
async fn f20_of_two_stations_one_commands_a_robot_and_the_other_is_told_who() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (mut first, mut second, _robots) = two_stations(folder.path()).await?;

    first.arm("rover-1").await?;
    let owner = first.get("session_info", json!({})).await?["station"].clone();
    let Err(refused) = second.call("arm_robot", json!({ "robot": "rover-1" })).await else {
        anyhow::bail!("both stations command the robot")
    };
    assert_eq!((refused.code.as_str(), &refused.details["owner"]), ("claimed_elsewhere", &owner));
    let denied = second.get("send_command", drive(1.0)).await?;
    assert!(violations(&denied["verdict"]).contains(&"not_armed"), "{denied:#}");
    assert_eq!(first.get("send_command", drive(1.0)).await?["verdict"]["overall"], "allow");
    first.until_robot("rover-1", |row| row["pose"]["position_m"][0].as_f64().is_some_and(|x_m| x_m > 0.9)).await?;

    first.api.shutdown().await;
    // It is the second's to command once the claim has run out.
    let owner = owner.as_str().unwrap_or_default();
    second.until("why_idle", json!({ "robot": "rover-1" }), |why| !why.to_string().contains(owner)).await?;
    second.arm("rover-1").await?;
    assert_eq!(second.get("send_command", drive(0.0)).await?["verdict"]["overall"], "allow");
    second.until_robot("rover-1", |row| row["pose"]["position_m"][0].as_f64().is_some_and(|x_m| x_m < 0.1)).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn fs_11_a_robot_that_another_station_holds_says_so_at_the_station_that_moves_it() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (mut first, second, _robots) = two_stations(folder.path()).await?;
    first.arm("rover-1").await?;
    assert_eq!(first.get("send_command", drive(8.0)).await?["verdict"]["overall"], "allow");
    first.until_robot("rover-1", |row| row["pose"]["position_m"][0].as_f64().is_some_and(|x_m| x_m > 0.2)).await?;
    second.get("hold_robot", json!({ "robot": "rover-1" })).await?;
    until_held_for(&mut first, "rover-1", "hold", &["hold_requested"]).await?;
    let other = second.get("session_info", json!({})).await?["station"].as_str().unwrap_or_default().to_owned();
    first
        .until_fact("the hold by another station", |fact| {
            matches!(fact, api::Fact::Event { code, sentence, .. } if code == "held_elsewhere" && sentence.contains(&other))
        })
        .await?;
    Ok(())
}

/// The codes of what `why_idle` lists.
fn codes(why: &Value) -> Vec<&str> {
    why["blockers"].as_array().into_iter().flatten().filter_map(|blocker| blocker["code"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn fs_17_two_stations_may_both_hold_a_robot_and_the_one_that_may_not_move_it_is_told_who_does()
-> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (mut first, mut second, _robots) = two_stations(folder.path()).await?;
    let rover = || json!({ "robot": "rover-1" });
    second.until("why_idle", rover(), |why| codes(why) == ["state", "control"]).await?;
    first.arm("rover-1").await?;
    assert_eq!(first.get("send_command", drive(8.0)).await?["verdict"]["overall"], "allow");

    // The claim of the first is named at the second, as what keeps it from arming.
    let owner = first.get("session_info", json!({})).await?["station"].as_str().unwrap_or_default().to_owned();
    let why = second.until("why_idle", rover(), |why| codes(why) == ["state", "control", "control"]).await?;
    let claim = &why["blockers"][1];
    assert_eq!(claim["sentence"], format!("Station {owner} commands rover-1."), "{why:#}");
    assert_eq!((&claim["blocks"], &claim["who"]), (&json!("everyone"), &json!("whoever runs that station")));
    assert_eq!(second.refused("arm_robot", rover()).await?, "claimed_elsewhere");
    assert!(violations(&second.get("send_command", drive(1.0)).await?["verdict"]).contains(&"not_armed"));
    until_state(&mut first, "rover-1", "armed").await?;

    // Both hold it; who commands it lets it go on, and nobody else.
    second.get("hold_robot", rover()).await?;
    until_state(&mut first, "rover-1", "hold").await?;
    first.get("hold_robot", rover()).await?;
    first.until("why_idle", rover(), |why| codes(why) == ["state", "cause"]).await?;
    assert!(violations(&first.get("send_command", drive(1.0)).await?["verdict"]).contains(&"not_armed"));
    let seen = json!({ "robot": "rover-1", "cause": "hold_requested", "reason": "looked into" });
    assert_eq!(second.refused("acknowledge_cause", seen).await?, "no_such_cause");
    assert_eq!(second.refused("arm_robot", rover()).await?, "claimed_elsewhere");
    acknowledge_all(&mut first, "rover-1").await?;
    until_state(&mut first, "rover-1", "armed").await?;
    first.until("why_idle", rover(), |why| codes(why).is_empty()).await?;

    // Nobody is named once the claim has run out.
    first.api.shutdown().await;
    second.until("why_idle", rover(), |why| !why.to_string().contains(&owner)).await?;
    Ok(())
}
