//! The built-in simulator: a process of its own that speaks Zenoh like any robot, and ends with the station.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use robot::{Manifest, RobotId};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use world::WorldCode;

use crate::code::StationCode;
use crate::launcher::{SimulatorLauncher, SimulatorProcess};
use crate::manifests::kept;
use crate::station::Station;
use agent_runner::AgentUnit;
use runtime::disk;
use runtime::error::OpError;
use runtime::wire::{SimulatorState, Tag};

/// Time limit for the simulator to publish.
const READY_WAIT: Duration = Duration::from_secs(20);
/// Time limit for a process that was told to end.
const END_WAIT: Duration = Duration::from_secs(5);
/// Time limit for a fault to be confirmed.
const FAULT_WAIT: Duration = Duration::from_secs(2);
/// Everything the simulator publishes stands below this.
const SITE: &str = "lab";
/// Folder of the simulated robots' keys, claims and latches, in the data directory.
const STATE_FOLDER: &str = "simulator";

/// The simulator of a station.
pub struct Simulator {
    /// Held during a start: there is one at a time.
    launcher: tokio::sync::Mutex<Arc<dyn SimulatorLauncher>>,
    seed: u64,
    life: Arc<watch::Sender<Life>>,
}

/// The life of the process. It begins from `Stopped` alone, so that there is never a second one.
enum Life {
    Stopped,
    /// Cancelled when it is not wanted any more.
    Starting(CancellationToken),
    Running(Running),
    /// Told to end, and still there.
    Ending,
}

#[derive(Clone)]
struct Running {
    input: mpsc::Sender<String>,
    answers: Arc<tokio::sync::Mutex<mpsc::Receiver<String>>>,
}

#[derive(Deserialize)]
struct Ready {
    ready: bool,
    manifests: BTreeMap<String, String>,
    /// URDFs by robot.
    models: BTreeMap<String, String>,
}

fn failed(message: impl Into<String>) -> OpError {
    OpError::new(StationCode::SimulatorFailed, message.into())
}

impl Simulator {
    pub(crate) fn new(launcher: Arc<dyn SimulatorLauncher>, seed: u64) -> Self {
        Self { launcher: tokio::sync::Mutex::new(launcher), seed, life: Arc::new(watch::Sender::new(Life::Stopped)) }
    }

    /// State of the simulator.
    pub(crate) fn state(&self) -> SimulatorState {
        match *self.life.borrow() {
            Life::Stopped => SimulatorState::Stopped,
            Life::Starting(_) => SimulatorState::Starting,
            Life::Running(_) | Life::Ending => SimulatorState::Running,
        }
    }

    /// True for a key expression of the simulator while it runs.
    pub(crate) fn owns(&self, key_expr: &str) -> bool {
        self.state() == SimulatorState::Running && key_expr.starts_with(SITE)
    }

    /// Starts the process, takes over its robots, and gives `agent` the providers and missions of its site. Started
    /// already is success; the end of one that was told to end is waited for.
    pub(crate) async fn start(&self, station: &Arc<Station>, agent: &Arc<AgentUnit>) -> Result<(), OpError> {
        let launcher = self.launcher.lock().await;
        let mut lives = self.life.subscribe();
        let over = lives.wait_for(|life| !matches!(life, Life::Ending));
        if tokio::time::timeout(END_WAIT, over).await.is_err() {
            return Err(failed("The simulator that was told to end has not ended yet."));
        }
        let wanted = CancellationToken::new();
        let mut is_running = false;
        let begun = self.life.send_if_modified(|life| match life {
            // A start that was given up has left it starting: there is one at a time, and this is it.
            Life::Stopped | Life::Starting(_) => {
                *life = Life::Starting(wanted.clone());
                true
            }
            Life::Running(_) => {
                is_running = true;
                false
            }
            Life::Ending => false,
        });
        if !begun {
            return if is_running { Ok(()) } else { Err(not_wanted()) };
        }
        let started = self.launch(&**launcher, station, agent, &wanted).await;
        if started.is_err() {
            self.life.send_replace(Life::Stopped);
        }
        station.runtime.bus.changed(Tag::Robots);
        // The simulated site has a plan of its own.
        station.runtime.bus.changed(Tag::SitePlan);
        started
    }

    async fn launch(
        &self,
        launcher: &dyn SimulatorLauncher,
        station: &Arc<Station>,
        agent: &Arc<AgentUnit>,
        wanted: &CancellationToken,
    ) -> Result<(), OpError> {
        let mut args = vec!["--seed".to_owned(), self.seed.to_string()];
        // Its gates take motion from the stations named here alone.
        args.extend(["--station".to_owned(), format!("{}={}", station.runtime.id, station.runtime.key.public())]);
        let state = station.runtime.layout.root.join(STATE_FOLDER);
        args.extend(["--state".to_owned(), state.to_string_lossy().into_owned()]);
        for endpoint in station.runtime.link.endpoints() {
            args.extend(["--connect".to_owned(), endpoint]);
        }
        let process = launcher.launch(args).await;
        let mut process = process.map_err(|error| failed(format!("The simulator could not be started: {error}.")))?;
        if let Err(error) = self.prepare(station, agent, &mut process, wanted).await {
            end(process).await;
            return Err(error);
        }
        if let Err(process) = self.run(station, process) {
            end(process).await;
            return Err(not_wanted());
        }
        Ok(())
    }

    /// Waits until the process is ready, and makes known what it brings.
    async fn prepare(
        &self,
        station: &Arc<Station>,
        agent: &Arc<AgentUnit>,
        process: &mut SimulatorProcess,
        wanted: &CancellationToken,
    ) -> Result<(), OpError> {
        let first = tokio::select! {
            first = tokio::time::timeout(READY_WAIT, process.lines.recv()) => first,
            () = wanted.cancelled() => return Err(not_wanted()),
        };
        let Ok(Some(line)) = first else { return Err(failed("The simulator ended, or did not get ready in time.")) };
        let ready: Ready = serde_json::from_str(&line).map_err(|error| failed(format!("{error}: {line:.200}")))?;
        if !ready.ready {
            return Err(failed("The simulator is not ready."));
        }
        self.adopt(station, ready.manifests).await?;
        for (robot, urdf) in ready.models {
            let path = station.runtime.layout.robots.join(format!("{robot}.urdf"));
            disk::replace(path.clone(), urdf).await.map_err(|error| failed(format!("{}: {error}", path.display())))?;
        }
        for config in crate::simulated::sim_providers::providers() {
            match agent
                .world
                .ingest
                .configure(&station.sensing, &agent.world, &runtime::session::Session::bootstrap(), config)
                .await
            {
                Ok(_) => {}
                // Left by an earlier start.
                Err(error) if error.code == WorldCode::DuplicateContext => {}
                Err(error) => return Err(error),
            }
        }
        let missions = station.missions.of(&agent.id)?;
        missions.add_examples().await.map_err(|error| failed(format!("The missions were not added: {error}.")))?;
        station.runtime.bus.changed(Tag::Missions);
        Ok(())
    }

    /// Makes the simulated robots known. A real robot of the same name is never replaced.
    async fn adopt(&self, station: &Arc<Station>, manifests: BTreeMap<String, String>) -> Result<(), OpError> {
        // Held, so that nobody adds a robot of the same name between the check and the write.
        let folder = station.fleet.manifests.lock().await;
        let mut simulated = station.runtime.db.simulated_robots().await?;
        for (stem, text) in manifests {
            let manifest = Manifest::parse(&text, &stem).map_err(|error| failed(format!("{stem}: {error}")))?;
            let id: RobotId = manifest.id.clone();
            match station.fleet.unit(&id) {
                Ok(unit) if unit.simulated && unit.manifest.public_key == manifest.public_key => continue,
                Ok(unit) if unit.simulated => {
                    let message = format!("{id} has another key than before. Restart the station.");
                    return Err(OpError::new(StationCode::RobotKeyChanged, message));
                }
                Ok(_) => {
                    let message = format!("A real robot is called {id}. Rename it before you start the simulator.");
                    return Err(OpError::new(StationCode::RobotExists, message));
                }
                Err(_) => {}
            }
            let Some(key) = manifest.public_key.clone() else { return Err(failed(format!("{id} has no key."))) };
            let path = folder.join(format!("{stem}.toml"));
            simulated.insert(key);
            if let Some(before) = kept(&path).await?
                && !is_simulated(&before, &stem, &simulated)
            {
                let message =
                    format!("{} is of another robot. Rename it before you start the simulator.", path.display());
                return Err(OpError::new(StationCode::RobotExists, message));
            }
            simulated.remove(id.as_str());
            // Before the file: one that is there is never taken for a real robot's.
            station.runtime.db.save_simulated_robots(&simulated).await?;
            disk::replace(path.clone(), text).await.map_err(|error| failed(format!("{}: {error}", path.display())))?;
            station.fleet.add_robot(manifest, true).await.map_err(|error| failed(error.to_string()))?;
        }
        Ok(())
    }

    /// From now on it runs, until its output ends; gives it back if it is not wanted any more.
    fn run(&self, station: &Arc<Station>, process: SimulatorProcess) -> Result<(), SimulatorProcess> {
        let SimulatorProcess { mut lines, input } = process;
        let (answers_in, answers) = mpsc::channel(16);
        let running = Running { input: input.clone(), answers: Arc::new(tokio::sync::Mutex::new(answers)) };
        let is_wanted = self.life.send_if_modified(|life| match life {
            Life::Starting(wanted) if !wanted.is_cancelled() => {
                *life = Life::Running(running);
                true
            }
            Life::Starting(_) | Life::Stopped | Life::Running(_) | Life::Ending => false,
        });
        if !is_wanted {
            return Err(SimulatorProcess { lines, input });
        }
        let (life, station) = (Arc::clone(&self.life), Arc::clone(station));
        station.runtime.tasks.clone().spawn(async move {
            while let Some(line) = lines.recv().await {
                // Nobody may be waiting for an answer.
                let _ = answers_in.try_send(line);
            }
            life.send_replace(Life::Stopped);
            if !station.runtime.ended.is_cancelled() {
                station.runtime.bus.event("simulator_ended", "The simulator has ended.");
                station.runtime.bus.changed(Tag::Robots);
            }
        });
        Ok(())
    }

    /// Switches a fault on or off; answered by the simulator itself.
    pub(crate) async fn fault(&self, target: &str, fault: &str, on: bool) -> Result<(), OpError> {
        let running = match &*self.life.borrow() {
            Life::Running(running) => Some(running.clone()),
            Life::Stopped | Life::Starting(_) | Life::Ending => None,
        };
        let Some(Running { input, answers }) = running else {
            return Err(OpError::new(StationCode::SimulatorStopped, "The simulator does not run."));
        };
        let mut answers = answers.lock().await;
        while answers.try_recv().is_ok() {}
        let line = json!({ "fault": { "target": target, "fault": fault, "on": on } }).to_string();
        input.send(line).await.map_err(|_| failed("The simulator has ended."))?;
        let answer = tokio::time::timeout(FAULT_WAIT, answers.recv()).await;
        let Ok(Some(answer)) = answer else { return Err(failed("The simulator did not answer.")) };
        let answer: serde_json::Value = serde_json::from_str(&answer).map_err(|error| failed(error.to_string()))?;
        if answer["applied"] == true {
            return Ok(());
        }
        let message = answer["error"].as_str().unwrap_or("The simulator refused the fault.").to_owned();
        Err(OpError::bad_input(StationCode::BadFault, "fault", message))
    }

    /// Ends the process, also one that only starts. Its robots stay known and are shown as lost.
    pub(crate) fn stop(&self) {
        self.life.send_if_modified(|life| match life {
            Life::Starting(wanted) => {
                wanted.cancel();
                false
            }
            Life::Running(_) => {
                *life = Life::Ending;
                true
            }
            Life::Stopped | Life::Ending => false,
        });
    }
}

fn not_wanted() -> OpError {
    failed("The simulator was told to end.")
}

/// Ends a process that does not run, and waits a while for its end: the next one needs what it holds.
async fn end(process: SimulatorProcess) {
    let SimulatorProcess { mut lines, input } = process;
    drop(input);
    let over = async { while lines.recv().await.is_some() {} };
    if tokio::time::timeout(END_WAIT, over).await.is_err() {
        tracing::warn!("the simulator was told to end and goes on");
    }
}

/// True if the text of a manifest is of a robot with one of the `simulated` keys.
fn is_simulated(text: &str, stem: &str, simulated: &BTreeSet<String>) -> bool {
    let key = Manifest::parse(text, stem).ok().and_then(|manifest| manifest.public_key);
    key.is_some_and(|key| simulated.contains(&key))
}

#[cfg(test)]
mod tests;
