//! Commissioning of a robot behind its gate, from a real station: what is refused before, the steps, and what makes them void.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bridge::signing::SigningKey;
use quarterdeck_tests::{Site, find};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::arriving::Lag;
use crate::rover::{Rover, drive};

/// Any step is over within this time, on a busy machine after several tries.
const STEP_WITHIN: Duration = Duration::from_secs(180);
/// Period at which a window that is held speaks.
const HELD_EVERY: Duration = Duration::from_millis(100);

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The program that a shell would start.
fn python() -> anyhow::Result<Vec<u8>> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join("python3")).find(|path| path.is_file());
    Ok(std::fs::read(found.ok_or_else(|| anyhow::anyhow!("there is no python3"))?)?)
}

/// Writes the record of a commissioning in which every step went well, as the gate in `folder` would have signed it.
pub(crate) fn commissioned(folder: &Path, program: &Path) -> anyhow::Result<()> {
    let text = |name: &str| std::fs::read(folder.join(name)).map(|bytes| hex(Sha256::new_with_prefix(bytes)));
    let mut program_hash = Sha256::new();
    for bytes in [python()?, std::fs::read(program)?] {
        program_hash.update(Sha256::digest(bytes));
    }
    let step = |step: &str| {
        json!({ "step": step, "outcome": "passed", "time_ms": 500, "distance_m": null, "time_ms_max": null,
            "distance_m_max": null, "speeds": [], "person": "Ada", "at_ms": 0 })
    };
    let steps = ["axis_x", "axis_y", "axis_turn", "stop_from_speed", "silence", "hardware_stop"].map(step);
    let hashes =
        json!({ "manifest": text("rover-9.toml")?, "wiring": text("gate.toml")?, "program": hex(program_hash) });
    let record = json!({ "robot": "rover-9", "hashes": hashes, "steps": steps }).to_string();
    let seed = std::fs::read(folder.join("rover-9.state/key"))?;
    let seed: [u8; 32] = seed.try_into().map_err(|_| anyhow::anyhow!("the gate's key is no seed"))?;
    let signature = BASE64.encode(SigningKey::from_seed(&seed).sign("commissioning.json", record.as_bytes()));
    let file = json!({ "record": record, "signature": signature });
    Ok(std::fs::write(folder.join("rover-9.state/commissioning.json"), file.to_string())?)
}

/// A robot that brakes as it says even on a busy machine.
fn patient(rover: &Rover) -> anyhow::Result<String> {
    let manifest = rover.manifest()?.replace("reaction_s = 0.3", "reaction_s = 0.9");
    std::fs::write(rover.path("rover-9.toml"), &manifest)?;
    Ok(manifest)
}

/// A station and a rover that nobody has commissioned, heard and standing.
pub(crate) async fn uncommissioned(arguments: &[&str]) -> anyhow::Result<(Site, Rover)> {
    let mut rover = Rover::new()?;
    let manifest = patient(&rover)?;
    let mut site = Site::start_with(&json!({ "rover-9": manifest })).await?;
    rover.start_uncommissioned(&site.get("session_info", json!({})).await?, arguments)?;
    site.until_robot("rover-9", |row| row["link"] == "live" && row["pose"].is_object()).await?;
    site.until("get_commissioning", json!({ "robot": "rover-9" }), |row| row["gate"].is_object()).await?;
    Ok((site, rover))
}

async fn begin(site: &mut Site) -> anyhow::Result<()> {
    let confirmed = json!({ "robot": "rover-9", "at_hardware_stop": true });
    let begun = site.until_ok("begin_commissioning", confirmed).await?;
    assert_eq!(begun["state"], "armed", "{begun:#}");
    Ok(())
}

fn outcome<'a>(row: &'a Value, step: &str) -> &'a Value {
    let results = row["gate"]["commissioning"]["results"].as_array();
    let found = results.and_then(|results| results.iter().find(|result| result["step"] == step));
    found.unwrap_or(&Value::Null)
}

/// Holds the button of a step, as a window does, until the gate has a new result of it.
async fn hold(site: &mut Site, step: &str) -> anyhow::Result<Value> {
    let mut held = tokio::time::interval(HELD_EVERY);
    let holding = tokio::time::timeout(STEP_WITHIN, async {
        loop {
            held.tick().await;
            let row = match site.call("run_commissioning_step", json!({ "robot": "rover-9", "step": step })).await {
                Ok(row) => row,
                // A machine that is busy for half a second has let go, and a person would press again.
                Err(error) if ["step_broken_off", "step_denied"].contains(&error.code.as_str()) => {
                    site.get("let_go_commissioning_step", json!({ "robot": "rover-9" })).await?;
                    continue;
                }
                // Its beats were late for as long, and the robot was held: a person would begin again.
                Err(error) if error.code.as_str() == "not_under_way" => {
                    begin(site).await?;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let commissioning = &row["gate"]["commissioning"];
            if commissioning["running"].is_null() && !outcome(&row, step).is_null() {
                return anyhow::Ok(row);
            }
        }
    });
    let row = holding.await.map_err(|_| anyhow::anyhow!("the step {step} never ended"))??;
    site.get("let_go_commissioning_step", json!({ "robot": "rover-9" })).await?;
    Ok(row)
}

async fn until_standing(rover: &Rover) -> anyhow::Result<()> {
    rover.until("it stands", |rover| rover.x_mps() == 0.0).await
}

fn press(rover: &Rover) -> anyhow::Result<()> {
    let pid = rover.trace()["pid"].to_string();
    anyhow::ensure!(Command::new("kill").args(["-USR1", &pid]).status()?.success(), "the button is stuck");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_30_a_robot_is_armed_only_after_its_steps_and_a_touched_manifest_makes_them_void() -> anyhow::Result<()> {
    let (mut site, mut rover) = uncommissioned(&[]).await?;
    let refused = site.call("arm_robot", json!({ "robot": "rover-9" })).await.unwrap_err();
    assert_eq!(refused.code.as_str(), "not_commissioned", "{refused:?}");
    assert!(refused.message.contains("direction along x"), "{}", refused.message);
    let nobody = json!({ "robot": "rover-9", "at_hardware_stop": false });
    assert_eq!(site.call("begin_commissioning", nobody).await.unwrap_err().code.as_str(), "nobody_at_stop");

    let lag = Lag::watch(&site);
    begin(&mut site).await?;
    let denied = site.get("send_command", drive(1.0)).await?;
    assert_eq!(denied["verdict"]["overall"], "deny", "nothing but steps passes: {denied:#}");
    for (step, expected) in [
        ("axis_x", "passed"),
        ("axis_y", "passed"),
        ("axis_turn", "no_such_axis"),
        ("stop_from_speed", "passed"),
        ("silence", "passed"),
    ] {
        let row = hold(&mut site, step).await?;
        assert_eq!(outcome(&row, step)["outcome"], expected, "{row:#}");
        until_standing(&rover).await?;
    }
    let row = site.get("run_commissioning_step", json!({ "robot": "rover-9", "step": "hardware_stop" })).await?;
    assert_eq!(row["gate"]["commissioning"]["missing"], "hardware_stop", "{row:#}");
    press(&rover)?;
    let complete = |row: &Value| row["gate"]["commissioning"]["missing"].is_null();
    let row = site.until("get_commissioning", json!({ "robot": "rover-9" }), complete).await?;
    assert_eq!(outcome(&row, "hardware_stop")["outcome"], "passed", "{row:#}");
    let within_ms = 1_500 + lag.longest_ms();
    assert!(
        outcome(&row, "silence")["time_ms"].as_u64().is_some_and(|ms| ms < within_ms),
        "in {within_ms} ms: {row:#}"
    );
    // Beats tell the station of the pendant, and may come after the gate's report.
    site.until_robot("rover-9", |row| row["control"] == "local").await?;
    press(&rover)?;

    site.get("disarm_robot", json!({ "robot": "rover-9" })).await?;
    site.until_robot("rover-9", |row| row["control"] != "local").await?;
    site.arm("rover-9").await?;
    let x_m = rover.x_m();
    let moves = |rover: &Rover| rover.x_m() > x_m + 0.2;
    rover.goes(&site, x_m + 0.5, "it moves", moves).await?;

    rover.end()?;
    let touched = format!("{}\n# another word\n", std::fs::read_to_string(rover.path("rover-9.toml"))?);
    std::fs::write(rover.path("rover-9.toml"), touched)?;
    rover.start_uncommissioned(&site.get("session_info", json!({})).await?, &[])?;
    let void = |row: &Value| row["gate"]["commissioning"]["changed"] == json!(["manifest"]);
    site.until("get_commissioning", json!({ "robot": "rover-9" }), void).await?;
    // The station may notice only after the first look that the gate was started anew.
    let looked = json!({ "robot": "rover-9", "looked": true });
    site.until("disarm_robot", looked, |safety| safety.to_string().contains("it is not commissioned")).await?;
    let refused = site.call("arm_robot", json!({ "robot": "rover-9" })).await;
    assert!(refused.is_err(), "{refused:?}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_31_a_robot_that_drives_the_wrong_way_is_told_so_and_stays_uncommissioned() -> anyhow::Result<()> {
    let (mut site, rover) = uncommissioned(&["--inverted"]).await?;
    begin(&mut site).await?;
    let row = hold(&mut site, "axis_x").await?;
    assert_eq!(outcome(&row, "axis_x")["outcome"], "wrong_way", "{row:#}");
    assert_eq!(row["gate"]["commissioning"]["missing"], "axis_x");
    until_standing(&rover).await?;
    let stop = json!({ "robot": "rover-9", "step": "stop_from_speed" });
    assert!(site.call("run_commissioning_step", stop).await.is_err(), "no axis is known to move it");
    site.get("disarm_robot", json!({ "robot": "rover-9" })).await?;
    assert_eq!(
        site.call("arm_robot", json!({ "robot": "rover-9" })).await.unwrap_err().code.as_str(),
        "not_commissioned"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_32_a_robot_that_keeps_moving_takes_no_velocity_until_an_admin_accepts_that_with_a_reason()
-> anyhow::Result<()> {
    let (mut site, mut rover) = uncommissioned(&["--no-timeout"]).await?;
    let accept = json!({ "robot": "rover-9", "reason": "A fence keeps people out." });
    begin(&mut site).await?;
    for step in ["axis_x", "axis_y", "axis_turn", "stop_from_speed"] {
        hold(&mut site, step).await?;
        until_standing(&rover).await?;
    }
    let row = hold(&mut site, "silence").await?;
    assert_eq!(outcome(&row, "silence")["outcome"], "keeps_moving", "{row:#}");
    assert_eq!(row["gate"]["commissioning"]["base_timeout"], "never");
    until_standing(&rover).await?;

    site.get("run_commissioning_step", json!({ "robot": "rover-9", "step": "hardware_stop" })).await?;
    let row = site.get("let_go_commissioning_step", json!({ "robot": "rover-9" })).await?;
    assert_eq!(row["robot"], "rover-9");
    let complete = |row: &Value| row["gate"]["commissioning"]["missing"].is_null();
    let row = site.until("get_commissioning", json!({ "robot": "rover-9" }), complete).await?;
    assert_eq!(outcome(&row, "hardware_stop")["outcome"], "not_visible");

    site.get("disarm_robot", json!({ "robot": "rover-9" })).await?;
    site.arm("rover-9").await?;
    let jog = json!({ "robot": "rover-9", "actuator": "base", "linear_mps": [0.05, 0.0, 0.0], "angular_radps": [0.0, 0.0, 0.0] });
    let jogged = site.get("jog", jog.clone()).await?;
    assert!(quarterdeck_tests::violations(&jogged["verdict"]).contains(&"keeps_moving"), "{jogged:#}");
    let x_m = rover.x_m();
    let moves = |rover: &Rover| rover.x_m() > x_m + 0.1;
    rover.goes(&site, x_m + 0.3, "it goes to a goal", moves).await?;
    until_standing(&rover).await?;

    assert_eq!(site.call("accept_keeps_moving", accept.clone()).await.unwrap_err().code.as_str(), "not_under_way");
    site.get("disarm_robot", json!({ "robot": "rover-9" })).await?;
    begin(&mut site).await?;
    let no_reason = json!({ "robot": "rover-9", "reason": " " });
    assert_eq!(site.call("accept_keeps_moving", no_reason).await.unwrap_err().code.as_str(), "reason_missing");
    let accepted = site.get("accept_keeps_moving", accept).await?;
    let kept = &accepted["gate"]["commissioning"]["accepted"];
    assert_eq!(kept["reason"], "A fence keeps people out.", "{accepted:#}");
    site.get("disarm_robot", json!({ "robot": "rover-9" })).await?;
    site.arm("rover-9").await?;
    let moves = |rover: &Rover| rover.x_mps() != 0.0;
    let jogging = async {
        let mut held = tokio::time::interval(HELD_EVERY);
        while !moves(&rover) {
            held.tick().await;
            let jogged = site.get("jog", jog.clone()).await?;
            anyhow::ensure!(jogged["verdict"]["overall"] == "allow", "{jogged:#}");
        }
        Ok(())
    };
    tokio::time::timeout(STEP_WITHIN, jogging).await??;
    // It is told to whoever looks at the robot, accepted or not.
    let robots = site.get("safety_status", json!({})).await?;
    assert_eq!(
        find(&robots["robots"], "robot", "rover-9").map(|row| &row["keeps_moving"]),
        Some(&json!(true)),
        "{robots:#}"
    );
    assert_eq!(site.get("disarm_robot", json!({ "robot": "rover-9" })).await?["state"], "disarmed");
    until_standing(&rover).await?;
    rover.end()
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_11_the_station_shows_what_a_gate_says_of_its_robot_and_that_nothing_moved_it_uncommissioned()
-> anyhow::Result<()> {
    let (mut site, rover) = uncommissioned(&[]).await?;
    let row = site.get("get_commissioning", json!({ "robot": "rover-9" })).await?;
    let gate = &row["gate"];
    assert_eq!((&gate["placement"], &gate["facts"]["adapter"]), (&json!("beside"), &json!("exec")), "{row:#}");
    for fact in ["hold", "stop", "last_to_command", "base_timeout", "foreign"] {
        assert!(gate["facts"][fact].as_str().is_some_and(|words| !words.is_empty()), "{fact}: {row:#}");
    }
    assert_eq!(gate["facts"]["moves"], json!(["base"]));
    site.stop_all().await?;
    site.release("rover-9").await?;
    assert!(site.call("arm_robot", json!({ "robot": "rover-9" })).await.is_err());
    assert_eq!(rover.x_m(), 0.0);
    Ok(())
}
