//! `quarterdeck-gate` as a process between a real station and a robot that a program of somebody else's speaks for.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quarterdeck_tests::server_process::ServerProcess;
use quarterdeck_tests::{Site, built, find, violations};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::commissioning::commissioned;
use crate::strangers::Stranger;
use crate::supervision::{causes, of, until_state};

/// Anything a robot does happens within this time.
const DEADLINE: Duration = Duration::from_secs(60);
/// Time in which a gate that is asked to must have ended, and a margin for a busy machine.
const END_WITHIN: Duration = Duration::from_secs(4);

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/gate/examples")
}

/// A rover, its gate and the folder of both.
pub(crate) struct Rover {
    folder: TempDir,
    gate: Option<Child>,
}

impl Rover {
    /// Files of a rover as an integrator begins with them: the key in its manifest is none of its gate.
    pub(crate) fn unpaired() -> anyhow::Result<Self> {
        let rover = Self { folder: tempfile::tempdir()?, gate: None };
        std::fs::copy(examples().join("rover-9.toml"), rover.path("rover-9.toml"))?;
        rover.wire("beside", "endpoint = \"tcp/127.0.0.1:7447\"", &[])?;
        Ok(rover)
    }

    /// Files of a rover whose manifest has its gate's key; the gate was not started.
    pub(crate) fn new() -> anyhow::Result<Self> {
        let rover = Self::unpaired()?;
        let manifest = rover.manifest()?;
        let printed = Command::new(built("quarterdeck-gate")?).arg("key").args(rover.arguments()).output()?;
        let key = String::from_utf8(printed.stdout)?;
        anyhow::ensure!(key.starts_with("public_key = "), "{key}{}", String::from_utf8_lossy(&printed.stderr));
        let line = |line: &str| if line.starts_with("public_key") { key.trim().to_owned() } else { line.to_owned() };
        let manifest: Vec<String> = manifest.lines().map(line).collect();
        std::fs::write(rover.path("rover-9.toml"), manifest.join("\n"))?;
        Ok(rover)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn arguments(&self) -> [PathBuf; 2] {
        ["--config".into(), self.path("gate.toml")]
    }

    pub(crate) fn manifest(&self) -> anyhow::Result<String> {
        Ok(std::fs::read_to_string(self.path("rover-9.toml"))?)
    }

    /// Writes the wiring: its place, the fields of its station, and further arguments of the robot's program.
    pub(crate) fn wire(&self, placement: &str, station: &str, arguments: &[&str]) -> anyhow::Result<()> {
        let (program, trace) = (examples().join("exec_robot.py"), self.path("trace.json"));
        let command = json!(["python3", program, "--trace", trace]).as_array().cloned().unwrap_or_default();
        let command: Vec<Value> = command.into_iter().chain(arguments.iter().map(|argument| json!(argument))).collect();
        let text = format!(
            "robot = \"rover-9\"\nplacement = \"{placement}\"\nstation = {{ {station} }}\n\
             [exec]\ncommand = {}\nbase_timeout_ms = 1000\nwritten = [{}]\n",
            json!(command),
            json!(trace)
        );
        Ok(std::fs::write(self.path("gate.toml"), text)?)
    }

    /// Wires it to the station that `info` describes, and starts the gate.
    pub(crate) fn start(&mut self, info: &Value, arguments: &[&str]) -> anyhow::Result<()> {
        self.wire_to(info, arguments)?;
        self.start_gate()
    }

    /// The same for a robot that nobody has commissioned.
    pub(crate) fn start_uncommissioned(&mut self, info: &Value, arguments: &[&str]) -> anyhow::Result<()> {
        self.wire_to(info, arguments)?;
        self.start_uncommissioned_gate()
    }

    fn wire_to(&self, info: &Value, arguments: &[&str]) -> anyhow::Result<()> {
        let text = |field: &Value| field.as_str().unwrap_or_default().to_owned();
        let [endpoint, id, key] = [&info["zenoh_endpoints"][0], &info["station"], &info["public_key"]].map(text);
        let station = format!("endpoint = \"{endpoint}\", id = \"{id}\", public_key = \"{key}\"");
        self.wire("beside", &station, arguments)
    }

    /// Starts the gate as on another computer, with the bundle that the station has exported.
    pub(crate) fn start_onboard(&mut self, bundle: &Path) -> anyhow::Result<()> {
        self.wire("onboard", &format!("bundle = {}", json!(bundle)), &[])?;
        self.start_gate()
    }

    /// Starts the gate of a robot that was commissioned as it is wired now.
    pub(crate) fn start_gate(&mut self) -> anyhow::Result<()> {
        commissioned(self.folder.path(), &examples().join("exec_robot.py"))?;
        self.start_uncommissioned_gate()
    }

    fn start_uncommissioned_gate(&mut self) -> anyhow::Result<()> {
        let mut gate = Command::new(built("quarterdeck-gate")?);
        self.gate = Some(gate.arg("run").args(self.arguments()).stdin(Stdio::null()).spawn()?);
        Ok(())
    }

    /// The robot itself, whatever anybody says of it.
    pub(crate) fn trace(&self) -> Value {
        let text = std::fs::read_to_string(self.path("trace.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(crate) fn x_m(&self) -> f64 {
        self.trace()["position_m"][0].as_f64().unwrap_or_default()
    }

    pub(crate) fn x_mps(&self) -> f64 {
        self.trace()["velocity_mps"][0].as_f64().unwrap_or_default()
    }

    /// Waits for something that the robot does by itself.
    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) -> anyhow::Result<()> {
        let mut looks = tokio::time::interval(Duration::from_millis(10));
        let waited = tokio::time::timeout(DEADLINE, async {
            while !holds(self) {
                looks.tick().await;
            }
        });
        waited.await.map_err(|_| anyhow::anyhow!("{what} never happened: {}", self.trace()))
    }

    /// Ends the gate and waits for it, so that another can be started.
    pub(crate) fn end(&mut self) -> anyhow::Result<()> {
        self.signal("-TERM")?;
        self.gate.take().map(|mut gate| gate.wait()).transpose()?;
        Ok(())
    }

    fn signal(&self, name: &str) -> anyhow::Result<()> {
        let gate = self.gate.as_ref().ok_or_else(|| anyhow::anyhow!("no gate runs"))?;
        let sent = Command::new("kill").arg(name).arg(gate.id().to_string()).status()?;
        anyhow::ensure!(sent.success(), "the gate could not be signalled");
        Ok(())
    }
}

impl Drop for Rover {
    fn drop(&mut self) {
        let gate = self.gate.take();
        if let Some(mut gate) = gate {
            let _ = gate.kill();
            let _ = gate.wait();
        }
        if let Some(program) = self.trace()["pid"].as_u64() {
            let _ = Command::new("kill").arg("-9").arg(program.to_string()).stderr(Stdio::null()).status();
        }
    }
}

pub(crate) fn drive(x_m: f64) -> Value {
    json!({ "robot": "rover-9", "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [x_m, 0.0, 0.0], "speed_mps": 0.4 } } })
}

/// A station that knows the rover, whose gate runs and was armed.
async fn armed(arguments: &[&str]) -> anyhow::Result<(Site, Rover)> {
    let mut rover = Rover::new()?;
    let mut site = Site::start_with(&json!({ "rover-9": rover.manifest()? })).await?;
    rover.start(&site.get("session_info", json!({})).await?, arguments)?;
    site.until_robot("rover-9", |row| row["link"] == "live" && row["pose"].is_object()).await?;
    site.arm("rover-9").await?;
    Ok((site, rover))
}

async fn moving(arguments: &[&str]) -> anyhow::Result<(Site, Rover)> {
    let (site, rover) = armed(arguments).await?;
    let sent = site.get("send_command", drive(8.0)).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    rover.until("it moves", |rover| rover.x_mps() > 0.3).await?;
    Ok((site, rover))
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_52_a_stranger_s_robot_is_armed_goes_to_its_goal_and_is_stopped() -> anyhow::Result<()> {
    let (mut site, rover) = armed(&[]).await?;
    let sent = site.get("send_command", drive(0.5)).await?;
    assert_eq!(sent["verdict"]["overall"], "allow", "{sent:#}");
    rover.until("it arrives", |rover| (rover.x_m() - 0.5).abs() < 0.05 && rover.x_mps() == 0.0).await?;
    let id = sent["command_id"].as_str().unwrap_or_default().to_owned();
    site.until_fact(
        "the goal is confirmed",
        |fact| matches!(fact, api::Fact::CommandStep { command, step: runtime::wire::CommandStep::Done, .. } if *command == id),
    )
    .await?;

    assert_eq!(site.get("send_command", drive(8.0)).await?["verdict"]["overall"], "allow");
    rover.until("it moves", |rover| rover.x_mps() > 0.3).await?;
    site.stop_all().await?;
    rover.until("it stands", |rover| rover.x_mps() == 0.0).await?;
    site.until("safety_status", json!({}), |status| {
        let row = &status["stops"][0]["robots"][0];
        row["acked_after_ms"].is_number() && row["standstill"] == true && row["not_confirmed"] == false
    })
    .await?;
    let denied = site.get("send_command", drive(8.0)).await?;
    assert!(violations(&denied["verdict"]).contains(&"latched"), "{denied:#}");
    // Its poses must show for a second that it stands.
    site.until_ok("release_stop", json!({ "stop_ids": [1], "robots": ["rover-9"], "reason": "looked" })).await?;
    site.arm("rover-9").await?;
    let stopped_m = rover.x_m();
    assert_eq!(site.get("send_command", drive(1.0)).await?["verdict"]["overall"], "allow");
    rover.until("it moves again", |rover| (rover.x_m() - stopped_m).abs() > 0.05).await
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_10_a_gate_that_is_told_to_end_stops_the_robot_first() -> anyhow::Result<()> {
    let (mut site, mut rover) = moving(&["--no-timeout"]).await?;
    let asked_ns = wall_ns();
    rover.signal("-TERM")?;
    rover.until("it stands", |rover| rover.x_mps() == 0.0).await?;
    let gate = rover.gate.take();
    let status = tokio::task::spawn_blocking(move || gate.map(|mut gate| gate.wait())).await?;
    assert!(status.is_some_and(|status| status.is_ok_and(|status| status.success())));
    let took = Duration::from_nanos(wall_ns().saturating_sub(asked_ns));
    assert!(took < END_WITHIN, "{took:?}");
    let stopped = until_state(&mut site, "rover-9", "safe_stop").await?;
    assert!(causes(&stopped).contains(&"robot_gate_fault"), "{stopped:#}");
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
    let until = async |what: &str, name: &str, holds: &dyn Fn(&Value) -> bool| {
        let mut looks = tokio::time::interval(Duration::from_millis(100));
        let waited = tokio::time::timeout(DEADLINE, async {
            while !holds(&server.get(name, json!({})).await.unwrap_or_default()) {
                looks.tick().await;
            }
        });
        waited.await.map_err(|_| anyhow::anyhow!("{what} never happened"))
    };
    until("it may be armed", "safety_status", &|status| {
        find(&status["robots"], "robot", "rover-9").is_some_and(|row| row["arming_problem"].is_null())
    })
    .await?;
    server.get("arm_robot", json!({ "robot": "rover-9" })).await?;
    assert_eq!(server.get("send_command", drive(8.0)).await?["verdict"]["overall"], "allow");
    rover.until("it moves", |rover| rover.x_mps() > 0.3).await?;
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
    assert_eq!(site.get("send_command", drive(8.0)).await?["verdict"]["overall"], "allow");
    rover.until("it moves", |rover| rover.x_mps() > 0.3).await?;
    stranger.put("lab/rover-9/cmd/stop", &json!({ "robot": "rover-9", "station": "nobody", "stop_id": 1 }))?;
    rover.until("it stands", |rover| rover.x_mps() == 0.0).await?;
    until_state(&mut site, "rover-9", "safe_stop").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn rg_52_a_robot_s_program_that_is_killed_stops_and_latches_and_is_named() -> anyhow::Result<()> {
    let (mut site, rover) = armed(&[]).await?;
    let program = rover.trace()["pid"].to_string();
    assert!(Command::new("kill").arg("-9").arg(program).status()?.success());
    let stopped = until_state(&mut site, "rover-9", "safe_stop").await?;
    assert!(causes(&stopped).contains(&"robot_gate_fault"), "{stopped:#}");
    site.until_fact("the fault is named", |fact| {
        matches!(fact, api::Fact::Event { code, sentence, .. } if code == "gate_fault" && sentence.contains("program has ended"))
    })
    .await?;
    // Nobody can measure that it stands, so nobody is told so.
    site.until("safety_status", json!({}), |status| status["stops"][0]["robots"][0]["not_confirmed"] == true).await?;
    assert!(site.call("arm_robot", json!({ "robot": "rover-9" })).await.is_err());
    Ok(())
}

/// Stops that are timed.
const TIMED: u64 = 100;
/// Time that half of the stops may take beyond a bare message. On an idle machine it is the goal of 99 in 100.
const STOP_MS_MAX: f64 = 25.0;

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
    assert!(p50 < bare_p50 + STOP_MS_MAX, "{p50} {p99} against {bare_p50} {bare_p99}");
    Ok(())
}
