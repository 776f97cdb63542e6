//! The missions of every agent, and the parts of the station that they reach.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, RwLock};

use memory::AgentDb;
use missions::MissionCode;
use missions::lifecycle::Status;
use robot::{AgentId, MissionId, RobotId};
use runtime::Runtime;
use runtime::error::OpError;
use runtime::lock::{read, write};
use runtime::session::Session;
use runtime::wire::BudgetRow;
use serde_json::Value;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::execution::ending::Ending;
use crate::execution::held_locks::Locks;
use crate::execution::start_checks::Checks;
use crate::lives::{Life, Lives, LivesOnDisk};
use crate::mission_files::counts::CountedFiles;
use crate::mission_files::folder::{Draft, MissionFiles, MissionFolder, mission_not_found};
use crate::surroundings::{Agents, Fleet, Sensing};
use crate::view::graph::KnownFamily;

/// The rest of the station, as missions may know it.
pub struct Host {
    /// The agents that carry them out.
    pub agents: Arc<dyn Agents>,
    /// The robots that they move.
    pub fleet: Arc<dyn Fleet>,
    /// The worlds that they watch.
    pub sensing: Arc<dyn Sensing>,
}

/// Money of a mission that has a budget; none if it cannot be read, which counts as spent.
pub(crate) type Money = Option<BudgetRow>;

/// A turn that goes on for a mission.
#[derive(Debug)]
pub(crate) struct OpenTurn {
    pub of: TurnOf,
    pub cancel: CancellationToken,
}

/// The name of a turn for a mission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TurnOf {
    /// The run that it belongs to.
    pub run: String,
    /// The number of its goal, from 0.
    pub goal: usize,
    /// Counts the turns of that goal, from 1.
    pub number: u32,
}

/// The missions of every agent.
pub struct MissionRunner {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) host: Host,
    of_agents: RwLock<BTreeMap<AgentId, Arc<AgentMissions>>>,
    /// Cancelled once the activated texts were held against the robots of this run: until then nothing is worked on.
    pub(crate) checked: CancellationToken,
    /// Held during a dry run: there is one at a time.
    pub(crate) dry_running: tokio::sync::Mutex<()>,
}

/// The missions of one agent.
pub struct AgentMissions {
    /// The agent.
    pub id: AgentId,
    pub(crate) db: AgentDb,
    pub(crate) folder: PathBuf,
    /// Missions that somebody has activated or ended; the others are files only.
    pub lives: Lives,
    /// The same on disk, for whoever changes one: one after the other.
    pub(crate) on_disk: tokio::sync::Mutex<LivesOnDisk>,
    /// The same folder for whoever writes: one at a time.
    pub(crate) writing: Mutex<MissionFolder>,
    /// The mission files, as they were last read.
    pub(crate) files: MissionFiles,
    /// The hash of each text that history has of them, once it has been looked at.
    pub(crate) kept: tokio::sync::Mutex<Option<BTreeMap<MissionId, [u8; 32]>>>,
    /// All of them among one another.
    pub(crate) family: KnownFamily,
    /// The numbers of their problems, as they were last compiled.
    pub(crate) counted: CountedFiles,
    /// Held while what a mission declares is registered or withdrawn.
    pub(crate) reconciling: tokio::sync::Mutex<()>,
    /// Missions of which something declared could not be put in force, each with the reason.
    pub(crate) unsettled: Mutex<BTreeMap<MissionId, String>>,
    /// Parts of robots that runs have locked.
    pub(crate) locks: Locks,
    /// The turns that missions have going on; each ends with its mission.
    pub(crate) turns: Mutex<BTreeMap<MissionId, OpenTurn>>,
    /// Missions with a budget, each with what it has spent of it as far as that can be read.
    pub(crate) money: Mutex<BTreeMap<MissionId, Money>>,
    /// The check of the start of each mission.
    pub(crate) checks: Mutex<Checks>,
    /// Missions that have ended, and whose limits still bind.
    pub(crate) ending: Mutex<Ending>,
    /// Something has changed that may let a mission go on.
    pub(crate) changed: Notify,
}

impl MissionRunner {
    /// No missions yet: each agent's are taken up when it starts.
    #[must_use]
    pub fn new(runtime: Arc<Runtime>, host: Host) -> Arc<Self> {
        Arc::new(Self {
            runtime,
            host,
            of_agents: RwLock::default(),
            checked: CancellationToken::new(),
            dry_running: tokio::sync::Mutex::default(),
        })
    }

    /// The missions of an agent that has started.
    pub fn of(&self, agent: &AgentId) -> Result<Arc<AgentMissions>, OpError> {
        let found = read(&self.of_agents).get(agent).cloned();
        found.ok_or_else(|| OpError::new(MissionCode::NotStarted, format!("The agent {agent} has not started.")))
    }

    /// Those of every agent, by its id.
    pub fn all(&self) -> Vec<Arc<AgentMissions>> {
        read(&self.of_agents).values().cloned().collect()
    }

    /// The missions of the agent that a call of `by` is about.
    pub(crate) fn meant_by(&self, by: &Session) -> Result<Arc<AgentMissions>, OpError> {
        self.of(&self.host.agents.meant_by(by)?)
    }

    pub(crate) fn add(&self, agent: Arc<AgentMissions>) {
        write(&self.of_agents).insert(agent.id.clone(), agent);
    }

    /// The mission files of every agent by their id. Two agents may use the same.
    pub fn drafts(&self) -> BTreeMap<MissionId, Vec<Draft>> {
        let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (id, file) in self.all().iter().flat_map(|agent| agent.drafts()) {
            all.entry(id).or_default().push(file);
        }
        all
    }

    /// Refuses a mission of which no agent has a file that can be read.
    pub fn check_readable(&self, id: &MissionId) -> Result<(), OpError> {
        match self.all().iter().rev().find_map(|agent| agent.files.draft(&agent.folder, id)) {
            Some(Ok(_)) => Ok(()),
            Some(Err(error)) => Err(OpError::new(MissionCode::MissionUnreadable, error.to_string())),
            None => Err(mission_not_found()),
        }
    }

    /// True if some agent has a file of this mission.
    pub fn has_file(&self, id: &MissionId) -> bool {
        self.all().iter().any(|agent| agent.has_file(id))
    }

    /// The robots that each mission names; none where a file of it cannot be read, which may name any robot.
    pub fn robots(&self) -> BTreeMap<MissionId, Option<BTreeSet<RobotId>>> {
        let robots = |files: Vec<Draft>| {
            // One unreadable file is enough: it may bind any robot.
            let named: Result<Vec<_>, _> = files.into_iter().map(|file| file.map(|file| file.robots.clone())).collect();
            named.ok().map(|robots| robots.into_iter().flatten().collect())
        };
        let mut named: BTreeMap<MissionId, Option<BTreeSet<RobotId>>> =
            self.drafts().into_iter().map(|(id, files)| (id, robots(files))).collect();
        // A limit of an activated mission binds the robots of the text that a person activated, whatever its file says
        // since then.
        for agent in self.all() {
            let is_open = |life: &Life| matches!(life.state.status, Status::Active | Status::Paused);
            for (id, life) in agent.lives.all().into_iter().filter(|(_, life)| is_open(life)) {
                let known = named.get_mut(&id).and_then(Option::as_mut);
                if let Some((known, version)) = known.zip(life.version.as_ref()) {
                    known.extend(version.file.robots.iter().cloned());
                }
            }
        }
        named
    }

    /// Message that refuses motion for `mission`: it is known and does not run. Without an agent, a mission of any.
    pub fn halt_of(&self, agent: Option<&AgentId>, mission: &MissionId) -> Option<String> {
        let agents = match agent {
            Some(named) => self.of(named).into_iter().collect(),
            None => self.all(),
        };
        agents.iter().find_map(|agent| agent.lives.check_may_act(mission).err()).map(|error| error.message)
    }
}

/// The robot that a call moves, if it moves one.
pub(crate) fn robot_of(runner: &MissionRunner, operation: &str, input: &Value) -> Option<RobotId> {
    let moves = runner.host.agents.operations().get(operation).is_some_and(|row| row.moves_robot);
    let named = input.get("robot").and_then(Value::as_str).filter(|_| moves)?;
    RobotId::new(named).ok()
}
