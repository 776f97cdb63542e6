//! A rover whose program is somebody else's, its gate and the files of both.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use quarterdeck_tests::{Site, built, find};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{interval, timeout};

use crate::commissioning::commissioned;

/// Anything a robot does happens within this time.
const DEADLINE: Duration = Duration::from_secs(60);

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

    pub(crate) fn wire_to(&self, info: &Value, arguments: &[&str]) -> anyhow::Result<()> {
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

    pub(crate) fn start_uncommissioned_gate(&mut self) -> anyhow::Result<()> {
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

    /// Sends the robot to `x_m`, metres, until `holds`. On a busy machine the gate misses beats and ends the motion, as it must: a
    /// person would look, release the stop, arm the robot and send it again. That is done only after a word about lateness.
    pub(crate) async fn drives<E: std::fmt::Debug>(
        &self,
        ask: impl AsyncFn(&'static str, Value) -> Result<Value, E>,
        x_m: f64,
        what: &str,
        holds: impl Fn(&Self) -> bool,
    ) -> anyhow::Result<String> {
        let (mut last_said, mut was_late) = (String::new(), false);
        let driven: Result<Result<String, E>, _> = timeout(DEADLINE * 3, async {
            let mut looks = interval(Duration::from_millis(10));
            loop {
                let stop = self.stop();
                let sent = ask("send_command", drive(x_m)).await?;
                let id = sent["command_id"].as_str().unwrap_or_default();
                loop {
                    if holds(self) {
                        return Ok(id.to_owned());
                    }
                    let said = said_of(&ask, id).await;
                    let is_denied = sent["verdict"]["overall"] != "allow";
                    let is_over = is_denied || self.stop() != stop || ENDED.iter().any(|word| said.contains(word));
                    was_late |= LATE.iter().any(|word| said.contains(word));
                    last_said = format!("{said} {:#}", sent["verdict"]);
                    if is_over && was_late {
                        break;
                    }
                    looks.tick().await;
                }
                ready(&ask).await;
            }
        })
        .await;
        let failed = |why: String| anyhow::anyhow!("{what} never happened: {}: {why} {}", self.trace(), last_said);
        driven.map_err(|_| failed(String::new()))?.map_err(|error| failed(format!("{error:?}")))
    }

    /// The same from a station in this process.
    pub(crate) async fn goes(
        &self,
        site: &Site,
        x_m: f64,
        what: &str,
        holds: impl Fn(&Self) -> bool,
    ) -> anyhow::Result<String> {
        self.drives(async |name, input| site.call(name, input).await, x_m, what, holds).await
    }

    /// Number of the newest stop that reached the robot.
    pub(crate) fn stop(&self) -> u64 {
        self.trace()["stop"][0].as_u64().unwrap_or_default()
    }

    /// Ends the gate and waits for it, so that another can be started.
    pub(crate) fn end(&mut self) -> anyhow::Result<()> {
        self.signal("-TERM")?;
        self.gate.take().map(|mut gate| gate.wait()).transpose()?;
        Ok(())
    }

    pub(crate) fn take_gate(&mut self) -> Option<Child> {
        self.gate.take()
    }

    pub(crate) fn signal(&self, name: &str) -> anyhow::Result<()> {
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

/// Arms the robot. On a busy machine it may confirm too late, and is stopped for that: a person would look, release the stop
/// and arm it again.
pub(crate) async fn armed<E>(ask: impl AsyncFn(&'static str, Value) -> Result<Value, E>) -> anyhow::Result<()> {
    let arming = timeout(DEADLINE, async {
        if ask("arm_robot", json!({ "robot": "rover-9" })).await.is_ok() {
            return;
        }
        let mut looks = interval(Duration::from_millis(250));
        loop {
            looks.tick().await;
            ready(&ask).await;
            let status = ask("safety_status", json!({})).await.unwrap_or_default();
            if find(&status["robots"], "robot", "rover-9").is_some_and(|row| row["state"] == "armed") {
                return;
            }
        }
    });
    arming.await.map_err(|_| anyhow::anyhow!("it was never armed"))
}

pub(crate) fn drive(x_m: f64) -> Value {
    json!({ "robot": "rover-9", "actuator": "base", "frame": "map",
        "motion": { "pose_goal": { "position_m": [x_m, 0.0, 0.0], "speed_mps": 0.4 } } })
}

/// Reports after which a command moves nothing any more.
const ENDED: [&str; 3] = ["report failed", "report refused_by_robot", "report unknown"];
/// Words about something that came too late: beats, poses, a turn of the gate's own threads.
const LATE: [&str; 7] =
    ["code=held", "code=deadline", "beat_late", "beat_lost", "pose_stale", "source_stale", "robot_gate_fault"];

/// Lines of the record that name a command, and the causes for which its robot stands.
async fn said_of<E>(ask: &impl AsyncFn(&'static str, Value) -> Result<Value, E>, command: &str) -> String {
    let [record, status] = [("list_audit", json!({ "limit": 50 })), ("safety_status", json!({}))]
        .map(|(operation, input)| ask(operation, input));
    let (record, status) = (record.await.unwrap_or_default(), status.await.unwrap_or_default());
    let lines = record.as_array().into_iter().flatten();
    let lines = lines.filter(|line| line["operation"] == "report" && line["detail"].to_string().contains(command));
    let causes = find(&status["robots"], "robot", "rover-9").map(|row| row["causes"].to_string());
    let report = |line: &Value| format!("report {} {}", line["outcome"].as_str().unwrap_or_default(), line["detail"]);
    let lines: Vec<String> = lines.map(report).collect();
    format!("{} {}", lines.join("\n"), causes.unwrap_or_default())
}

/// Releases what has stopped the robot and arms it, as far as it can be done now.
async fn ready<E>(ask: &impl AsyncFn(&'static str, Value) -> Result<Value, E>) {
    let status = ask("safety_status", json!({})).await.unwrap_or_default();
    let stops: Vec<_> = status["stops"].as_array().into_iter().flatten().map(|stop| &stop["stop_id"]).collect();
    let causes = find(&status["robots"], "robot", "rover-9").map(|row| row["causes"].clone()).unwrap_or_default();
    // Any of them may be refused while its reason lasts; the next round asks again.
    let _ = ask("release_stop", json!({ "stop_ids": stops, "robots": ["rover-9"], "reason": "looked" })).await;
    for row in causes.as_array().into_iter().flatten().filter(|row| row["clears"] == "on_acknowledge") {
        let _ =
            ask("acknowledge_cause", json!({ "robot": "rover-9", "cause": row["cause"], "reason": "looked" })).await;
    }
    let _ = ask("disarm_robot", json!({ "robot": "rover-9", "looked": true })).await;
    for operation in ["arm_robot", "take_control"] {
        let _ = ask(operation, json!({ "robot": "rover-9" })).await;
    }
}
