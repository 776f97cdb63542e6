//! The built-in simulator: a process of its own that speaks Zenoh like any robot, and ends with the station.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use robot::{Manifest, RobotId};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use world::WorldCode;

use crate::code::StationCode;
use crate::launcher::{SimulatorLauncher, SimulatorProcess};
use crate::station::Station;
use agent_runner::AgentUnit;
use runtime::disk;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::wire::{SimulatorState, Tag};

/// Time limit for the simulator to publish.
const READY_WAIT: Duration = Duration::from_secs(20);
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
    running: Mutex<Option<Running>>,
    state: Mutex<SimulatorState>,
}

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
        Self {
            launcher: tokio::sync::Mutex::new(launcher),
            seed,
            running: Mutex::default(),
            state: Mutex::new(SimulatorState::Stopped),
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        lock(&self.running)
    }

    fn set_state(&self, state: SimulatorState) {
        *lock(&self.state) = state;
    }

    /// State of the simulator.
    pub(crate) fn state(&self) -> SimulatorState {
        *lock(&self.state)
    }

    /// True for a key expression of the simulator while it runs.
    pub(crate) fn owns(&self, key_expr: &str) -> bool {
        self.state() == SimulatorState::Running && key_expr.starts_with(SITE)
    }

    /// Starts the process, takes over its robots, and gives `agent` the providers and missions of its site.
    /// Started already is success.
    pub(crate) async fn start(&self, station: &Arc<Station>, agent: &Arc<AgentUnit>) -> Result<(), OpError> {
        let launcher = self.launcher.lock().await;
        if self.state() == SimulatorState::Running {
            return Ok(());
        }
        self.set_state(SimulatorState::Starting);
        let started = self.launch(&**launcher, station, agent).await;
        self.set_state(if started.is_ok() { SimulatorState::Running } else { SimulatorState::Stopped });
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
        let first = tokio::time::timeout(READY_WAIT, process.lines.recv()).await;
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
        // Last: if a step before it fails, the process is dropped, which ends it.
        self.watch(station, process);
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
            let path = folder.join(format!("{stem}.toml"));
            disk::replace(path.clone(), text).await.map_err(|error| failed(format!("{}: {error}", path.display())))?;
            simulated.insert(id);
            station.runtime.db.save_simulated_robots(&simulated).await?;
            station.fleet.add_robot(manifest, true).await.map_err(|error| failed(error.to_string()))?;
        }
        Ok(())
    }

    fn watch(&self, station: &Arc<Station>, process: SimulatorProcess) {
        let (answers_in, answers) = mpsc::channel(16);
        let answers = Arc::new(tokio::sync::Mutex::new(answers));
        *self.running() = Some(Running { input: process.input, answers });
        let (station, mut lines) = (Arc::clone(station), process.lines);
        station.runtime.tasks.clone().spawn(async move {
            while let Some(line) = lines.recv().await {
                // Nobody may be waiting for an answer.
                let _ = answers_in.try_send(line);
            }
            station.simulator.set_state(SimulatorState::Stopped);
            *station.simulator.running() = None;
            if !station.runtime.ended.is_cancelled() {
                station.runtime.bus.event("simulator_ended", "The simulator has ended.");
                station.runtime.bus.changed(Tag::Robots);
            }
        });
    }

    /// Switches a fault on or off; answered by the simulator itself.
    pub(crate) async fn fault(&self, target: &str, fault: &str, on: bool) -> Result<(), OpError> {
        let Some((input, answers)) =
            self.running().as_ref().map(|running| (running.input.clone(), Arc::clone(&running.answers)))
        else {
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

    /// Ends the process. Its robots stay known and are shown as lost.
    pub(crate) async fn stop(&self) {
        let ended = self.running().take();
        // Dropping its input ends it.
        drop(ended);
    }
}
