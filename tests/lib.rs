//! A whole station on the simulated site, for scenarios: real Zenoh, real files, a simulator process with a seed.

pub mod fake_model;
pub mod remote_lab;
pub mod router;
pub mod sensor;
pub mod server_process;
pub mod small_disk;
pub mod station_files;
mod stops;
pub mod wire;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use api::{Api, Clock, ClockShift, Config, ErrorBody, Fact, Frames, Launched, Session, SimulatorLauncher, ToolServers};
use serde_json::{Value, json};
use server::{McpClient, SiblingSimulator};
use tempfile::TempDir;

/// Anything a scenario waits for happens within this time, or the scenario fails.
const DEADLINE: Duration = Duration::from_secs(60);
/// The seed of every scenario; printed when one fails.
pub const SEED: u64 = 7;

/// A free port, and nothing of the keychain on the machine of the tests. Most scenarios open no desk, so a card that
/// nobody has seen is reported late. An unoptimised build judges slower than one that robots are run with, and the scenarios
/// share the processor, and a disk that others may have filled.
const SETTINGS: &str = "[secrets]\nstore = \"environment\"\n[approvals]\nunseen_after_ms = 60000\n\
                        [storage]\nlow_mib = 64\n[safety]\njudge_deadline_us = 5000\n[zenoh]\nlisten = [\"tcp/127.0.0.1:0\"]\n";

/// A station with its data directory.
pub struct Site {
    /// The station.
    pub api: Api,
    /// The session of the caller, which may do everything.
    pub admin: Session,
    frames: Frames,
    facts: Vec<Fact>,
    folder: Folder,
    /// Of the station's clocks; a restart keeps it.
    pub clock: &'static ClockShift,
    /// The station's clock.
    pub time: Clock,
}

/// The data directory of a station.
struct Folder {
    path: PathBuf,
    /// Removes it when the test ends.
    _kept: Option<TempDir>,
}

impl From<TempDir> for Folder {
    fn from(folder: TempDir) -> Self {
        Self { path: folder.path().to_owned(), _kept: Some(folder) }
    }
}

/// The simulator beside the test programs: `target/<profile>/quarterdeck-sim`.
struct BuiltSimulator;

impl SimulatorLauncher for BuiltSimulator {
    fn launch(&self, args: Vec<String>) -> Launched {
        Box::pin(async move {
            let program = built("quarterdeck-sim").map_err(std::io::Error::other)?;
            SiblingSimulator::launch_program(&program, args)
        })
    }

    fn launch_gate(&self, args: Vec<String>) -> Launched {
        Box::pin(async move {
            let program = built("quarterdeck-gate").map_err(std::io::Error::other)?;
            SiblingSimulator::launch_program(&program, args)
        })
    }
}

/// The path of a program of this workspace, beside the folder of the running test.
pub fn built(program: &str) -> anyhow::Result<PathBuf> {
    let test = std::env::current_exe()?;
    let folder = test.ancestors().nth(2).ok_or_else(|| anyhow::anyhow!("no target folder"))?;
    let path = folder.join(program);
    anyhow::ensure!(path.exists(), "{} is missing: run `cargo build -p sim -p server` first", path.display());
    Ok(path)
}

impl Site {
    /// Starts a station with the simulated site, each with a data directory of its own.
    pub async fn start() -> anyhow::Result<Self> {
        Self::start_in(tempfile::tempdir()?, true).await
    }

    /// Starts a station that knows no robot.
    pub async fn start_empty() -> anyhow::Result<Self> {
        Self::start_in(tempfile::tempdir()?, false).await
    }

    /// Starts a station with the simulated site and these settings, the first of them in `[safety]`.
    pub async fn start_with_safety(safety: &str) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let settings = SETTINGS.replace("[zenoh]\n", &format!("{safety}\n[zenoh]\n"));
        std::fs::write(folder.path().join("config.toml"), settings)?;
        Self::start_in(folder, true).await
    }

    /// Starts a station with these settings beside its own, the first of them still in `[zenoh]`.
    pub async fn start_with_settings(settings: &str, with_sim: bool) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("config.toml"), format!("{SETTINGS}{settings}"))?;
        Self::start_in(folder, with_sim).await
    }

    /// Starts a station with the simulated site that tells soon when nobody sees a card, with these settings about it.
    pub async fn start_with_approvals(approvals: &str) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let settings = SETTINGS.replace("unseen_after_ms = 60000", approvals);
        std::fs::write(folder.path().join("config.toml"), settings)?;
        Self::start_in(folder, true).await
    }

    /// Starts a station with robots of these manifests, given as texts by id, and nobody who simulates them.
    pub async fn start_with(manifests: &Value) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let robots = folder.path().join("robots");
        std::fs::create_dir_all(&robots)?;
        for (id, text) in manifests.as_object().into_iter().flatten() {
            std::fs::write(robots.join(format!("{id}.toml")), text.as_str().unwrap_or_default())?;
        }
        Self::start_in(folder, false).await
    }

    /// Starts a station that knows no robot on `data_dir`, which stays when the test ends.
    pub async fn start_at(data_dir: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(data_dir)?;
        Self::start_in(Folder { path: data_dir.to_owned(), _kept: None }, false).await
    }

    /// The same with the simulated site.
    pub async fn start_with_sim_at(data_dir: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(data_dir)?;
        Self::start_in(Folder { path: data_dir.to_owned(), _kept: None }, true).await
    }

    /// Starts a station that knows no robot on what an earlier one has left in `folder`.
    pub async fn start_from(folder: TempDir) -> anyhow::Result<Self> {
        Self::start_in(folder, false).await
    }

    /// Starts a station with the simulated site that reaches external MCP servers by `tool_servers`.
    pub async fn start_with_tool_servers(tool_servers: Arc<dyn ToolServers>) -> anyhow::Result<Self> {
        Self::start_reaching(tempfile::tempdir()?.into(), true, Box::leak(Box::default()), tool_servers).await
    }

    async fn start_in(folder: impl Into<Folder>, with_sim: bool) -> anyhow::Result<Self> {
        Self::start_shifted(folder.into(), with_sim, Box::leak(Box::default())).await
    }

    async fn start_shifted(folder: Folder, with_sim: bool, clock: &'static ClockShift) -> anyhow::Result<Self> {
        Self::start_reaching(folder, with_sim, clock, Arc::new(McpClient)).await
    }

    async fn start_reaching(
        folder: Folder,
        with_sim: bool,
        clock: &'static ClockShift,
        tool_servers: Arc<dyn ToolServers>,
    ) -> anyhow::Result<Self> {
        let settings = folder.path.join("config.toml");
        // A station that has run before may have lost its settings, which is what some tests are about.
        if !settings.exists() && !folder.path.join("station.db").exists() {
            std::fs::write(settings, SETTINGS)?;
        }
        let config = Config { data_dir: folder.path.clone(), zenoh_config: None, with_sim, seed: SEED };
        let time = Clock::shifted(clock);
        let api = Api::start_with_clock(config, Arc::new(BuiltSimulator), tool_servers, time).await?;
        let admin = Session::bootstrap();
        let frames = api.subscribe(&admin);
        let mut site = Self { api, admin, frames, facts: Vec::new(), folder, clock, time };
        if with_sim {
            for robot in ["arm-1", "gate-1", "rover-1", "rover-2"] {
                site.until_robot(robot, |row| row["link"] == "live").await?;
            }
            for robot in ["arm-1", "rover-1", "rover-2"] {
                site.until_robot(robot, |row| row["pose"].is_object()).await?;
            }
        }
        Ok(site)
    }

    /// Ends the station and starts it again on the same data directory.
    pub async fn restart(self) -> anyhow::Result<Self> {
        self.api.shutdown().await;
        Self::start_in(self.folder, true).await
    }

    /// Ends the station and starts it again on the same data directory without the simulator.
    pub async fn restart_empty(self) -> anyhow::Result<Self> {
        self.api.shutdown().await;
        Self::start_shifted(self.folder, false, self.clock).await
    }

    /// Ends the station, edits its files, and starts it again on them without the simulator.
    pub async fn edited(self, edit: impl FnOnce(&Path) -> anyhow::Result<()>) -> anyhow::Result<Self> {
        self.api.shutdown().await;
        edit(&self.folder.path)?;
        Self::start_shifted(self.folder, false, self.clock).await
    }

    /// Starts a station on what the disk holds at this moment, as after a crash.
    pub async fn crash(self) -> anyhow::Result<Self> {
        self.crash_with(true).await
    }

    /// The same without the simulator.
    pub async fn crash_empty(self) -> anyhow::Result<Self> {
        self.crash_with(false).await
    }

    async fn crash_with(self, with_sim: bool) -> anyhow::Result<Self> {
        let left = tempfile::tempdir()?;
        station_files::image(&self.folder.path, left.path())?;
        self.api.shutdown().await;
        Self::start_in(left, with_sim).await
    }

    /// Tries to start a second station on the data directory of the first.
    pub async fn start_beside(data_dir: &Path) -> anyhow::Result<Api> {
        let config = Config { data_dir: data_dir.to_owned(), zenoh_config: None, with_sim: false, seed: SEED };
        Ok(Api::start(config, Arc::new(BuiltSimulator), Arc::new(McpClient)).await?)
    }

    /// The data directory of the station.
    pub fn data_dir(&self) -> &Path {
        &self.folder.path
    }

    /// Calls an operation as the administrator.
    pub async fn call(&self, operation: &str, input: Value) -> Result<Value, ErrorBody> {
        self.api.call(&self.admin, operation, input).await
    }

    /// Calls an operation that must be answered.
    pub async fn get(&self, operation: &str, input: Value) -> anyhow::Result<Value> {
        Ok(self.call(operation, input).await?)
    }

    /// Activates the text that stands in the file of a mission now, with every warning that it has.
    pub async fn activate(&self, mission: &str) -> anyhow::Result<Value> {
        let shown = self.get("get_mission", json!({ "mission_id": mission })).await?;
        let problems = shown["problems"].as_array().cloned().unwrap_or_default();
        let accept: Vec<Value> =
            problems.iter().map(|one| json!({ "code": one["code"], "line": one["line"] })).collect();
        self.get("activate_mission", json!({ "mission_id": mission, "hash": shown["hash"], "accept": accept })).await
    }

    /// Calls an operation that must be refused, and gives the code.
    pub async fn refused(&self, operation: &str, input: Value) -> anyhow::Result<String> {
        match self.call(operation, input).await {
            Ok(answer) => anyhow::bail!("{operation} was not refused: {answer}"),
            Err(error) => Ok(error.code),
        }
    }

    /// Asks `operation` again with each frame until `holds`, and gives that answer.
    pub async fn until(
        &mut self,
        operation: &str,
        input: Value,
        mut holds: impl FnMut(&Value) -> bool,
    ) -> anyhow::Result<Value> {
        let mut last = Value::Null;
        let waited = tokio::time::timeout(DEADLINE, async {
            loop {
                last = self.get(operation, input.clone()).await?;
                if holds(&last) {
                    return Ok(last.clone());
                }
                match self.frames.next().await {
                    Some(frame) => self.facts.extend(frame.facts),
                    None => anyhow::bail!("the station ended"),
                }
            }
        })
        .await;
        match waited {
            Ok(answer) => answer,
            Err(_) => anyhow::bail!("seed {SEED}: {operation} {input} never got there; last answer: {last:#}"),
        }
    }

    /// Calls an operation again with each frame until it is not refused: what it waits for is shown nowhere else.
    pub async fn until_ok(&mut self, operation: &str, input: Value) -> anyhow::Result<Value> {
        let mut refused = None;
        let waited = tokio::time::timeout(DEADLINE, async {
            loop {
                match self.call(operation, input.clone()).await {
                    Ok(answer) => return Some(answer),
                    Err(error) => refused = Some(error),
                }
                self.facts.extend(self.frames.next().await?.facts);
            }
        })
        .await;
        waited.ok().flatten().ok_or_else(|| anyhow::anyhow!("seed {SEED}: {operation} {input} is refused: {refused:?}"))
    }

    /// Waits for a row of `list_robots`.
    pub async fn until_robot(&mut self, robot: &str, mut holds: impl FnMut(&Value) -> bool) -> anyhow::Result<Value> {
        let rows = self.until("list_robots", json!({}), |rows| find(rows, "id", robot).is_some_and(&mut holds)).await?;
        find(&rows, "id", robot).cloned().ok_or_else(|| anyhow::anyhow!("{robot} is gone"))
    }

    /// Waits for a row of `list_world_state`.
    pub async fn until_key(&mut self, key: &str, holds: impl FnMut(&Value) -> bool) -> anyhow::Result<Value> {
        self.until_key_asked(key, || {}, holds).await
    }

    async fn until_key_asked(
        &mut self,
        key: &str,
        mut before: impl FnMut(),
        mut holds: impl FnMut(&Value) -> bool,
    ) -> anyhow::Result<Value> {
        let input = json!({ "prefix": key });
        let rows = self
            .until("list_world_state", input, |rows| {
                let held = find(rows, "key", key).is_some_and(&mut holds);
                if !held {
                    before();
                }
                held
            })
            .await?;
        find(&rows, "key", key).cloned().ok_or_else(|| anyhow::anyhow!("{key} is gone"))
    }

    /// Puts a sample with each frame until `key` has `value`: the first may come before the subscription is known.
    pub async fn put_until(
        &mut self,
        mut put: impl FnMut() -> anyhow::Result<()>,
        (key, value): (&str, Value),
    ) -> anyhow::Result<Value> {
        let mut failed = None;
        let row = self
            .until_key_asked(
                key,
                || failed = failed.take().or(put().err()),
                |row| {
                    // A value that an earlier run left says nothing about this one.
                    row["value"] == value && row["flags"]["restored"] != true
                },
            )
            .await;
        failed.map_or(row, Err)
    }

    /// Waits for the newest proposal.
    pub async fn until_proposal(&mut self, mut holds: impl FnMut(&Value) -> bool) -> anyhow::Result<Value> {
        let rows = self.until("list_proposals", json!({}), |rows| rows.get(0).is_some_and(&mut holds)).await?;
        Ok(rows[0].clone())
    }

    /// Waits for the next value of a signal.
    pub async fn until_signal(&mut self, id: &str) -> anyhow::Result<Value> {
        let waited = tokio::time::timeout(DEADLINE, async {
            while let Some(frame) = self.frames.next().await {
                self.facts.extend(frame.facts);
                if let Some(signal) = frame.signals.iter().find(|signal| signal.id == id) {
                    return Ok(serde_json::to_value(signal)?);
                }
            }
            anyhow::bail!("the station ended")
        })
        .await;
        waited.unwrap_or_else(|_| anyhow::bail!("seed {SEED}: the signal {id} never came"))
    }

    /// Waits for a fact, those of earlier waits included.
    pub async fn until_fact(&mut self, what: &str, mut holds: impl FnMut(&Fact) -> bool) -> anyhow::Result<Fact> {
        let waited = tokio::time::timeout(DEADLINE, async {
            loop {
                if let Some(fact) = self.facts.iter().find(|fact| holds(fact)) {
                    return Ok(fact.clone());
                }
                match self.frames.next().await {
                    Some(frame) => self.facts.extend(frame.facts),
                    None => anyhow::bail!("the station ended"),
                }
            }
        })
        .await;
        waited.unwrap_or_else(|_| {
            let mut seen = String::new();
            for fact in &self.facts {
                let _ = writeln!(seen, "{fact:?}");
            }
            anyhow::bail!("seed {SEED}: {what} never happened; facts:\n{seen}")
        })
    }

    /// Says something to the agent and waits for the answer's text.
    pub async fn say(&mut self, text: &str) -> anyhow::Result<String> {
        self.get("send_message", json!({ "text": text })).await?;
        self.until_answer(text).await
    }

    /// Waits for the agent's final words after the message `text`.
    pub async fn until_answer(&mut self, text: &str) -> anyhow::Result<String> {
        let page = self.until("get_transcript", json!({}), |page| answer_after(page, text).is_some()).await?;
        Ok(answer_after(&page, text).unwrap_or_default())
    }

    /// The endpoint for external Zenoh clients.
    pub async fn endpoint(&self) -> anyhow::Result<String> {
        let info = self.get("session_info", json!({})).await?;
        Ok(info["zenoh_endpoints"][0].as_str().unwrap_or_default().to_owned())
    }

    /// Lets the agent think with `model` from its next turn on.
    pub async fn use_model(&self, model: &fake_model::FakeModel) -> anyhow::Result<()> {
        let provider = json!({
            "id": "local", "kind": "openai_compatible", "base": model.base(), "local": true, "models": ["m-1"],
        });
        self.get("set_provider", provider).await?;
        self.get("select_model", json!({ "provider": "local", "model": "m-1" })).await.map(drop)
    }
}

/// A goal of the arm in its default frame.
pub fn arm_goal(position_m: [f64; 3], speed_mps: f64) -> Value {
    let pose_goal = json!({ "position_m": position_m, "speed_mps": speed_mps });
    json!({ "robot": "arm-1", "actuator": "arm", "motion": { "pose_goal": pose_goal } })
}

/// The lines of a transcript page of one kind.
pub fn entries<'a>(page: &'a Value, kind: &str) -> Vec<&'a Value> {
    page["entries"].as_array().into_iter().flatten().filter(|entry| entry["kind"] == kind).collect()
}

/// The row of `rows` whose `field` is `value`.
pub fn find<'a>(rows: &'a Value, field: &str, value: &str) -> Option<&'a Value> {
    rows.as_array()?.iter().find(|row| row[field] == value)
}

/// Codes of the violated items of a verdict.
pub fn violations(verdict: &Value) -> Vec<&str> {
    let items = verdict["items"].as_array().map_or(&[][..], Vec::as_slice);
    items.iter().filter(|item| item["verdict"] == "deny").filter_map(|item| item["reason"]["code"].as_str()).collect()
}

fn answer_after(page: &Value, text: &str) -> Option<String> {
    let entries = page["entries"].as_array()?;
    let asked = entries.iter().rposition(|entry| {
        entry["kind"] == "user" && entry["content"].as_str().is_some_and(|content| content.ends_with(text))
    })?;
    let is_answer = |entry: &&Value| entry["kind"] == "assistant" && entry.get("tool_calls").is_none();
    let answer = entries.iter().skip(asked).find(is_answer)?;
    page["running"].is_null().then(|| answer["content"].as_str().unwrap_or_default().to_owned())
}
