//! Agents on a real runtime, with their own operations and nobody around them.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, Weak};

use bridge::signing::SignedSample;
use llm::BoxFuture;
use memory::forget::Needles;
use memory::{AgentDb, MemoryError};
use robot::{AgentId, Audience, Camera, CameraId, MapSource, MissionId, ProposalId, RobotId};
use serde_json::Value;
use tokio::sync::mpsc;
use world::{AlertId, Entry, Fire, RuleMove};

use crate::agents::{AgentUnit, Agents};
use crate::operations::{AREAS, Operation};
use crate::runner::{AgentRunner, Parts};
use crate::surroundings::{Asked, Host, Missions, Operations, Proposer, Requester, RobotMotion, Robots, Wanted};
use crate::tools::mcp::{ServerFuture, ServerNews, ToolServer, ToolServers, Transport};
use runtime::clock::Clock;
use runtime::config::{ConfigFile, Settings};
use runtime::error::{OpError, RuntimeCode};
use runtime::operation::{Leave, Row};
use runtime::secrets::{KeyStore, Keys};
use runtime::session::{Cause, Session};
use runtime::stamps::Stamps;
use runtime::wire::{ProposalReason, RobotRow};
use runtime_of_tests::runtime_in;
use sensing::{FireRecord, Sensing, Sources, Waker};

#[path = "../../runtime/tests/support/runtime.rs"]
mod runtime_of_tests;

pub(crate) struct NoToolServers;

impl ToolServers for NoToolServers {
    fn connect(&self, _: Transport, _: mpsc::Sender<ServerNews>) -> ServerFuture<Arc<dyn ToolServer>> {
        Box::pin(async { Err("no tool servers".to_owned()) })
    }
}

/// The operations of agents alone. What they ask a person stays in `asked`, and nobody answers.
#[derive(Default)]
struct Nobody {
    runner: OnceLock<Weak<AgentRunner>>,
    asked: Mutex<Vec<Wanted>>,
    /// Missions are not taken up.
    refuses_missions: AtomicBool,
    /// The database of the agent whose missions were to be taken up last.
    newest_db: Mutex<Option<AgentDb>>,
}

fn table() -> &'static [Operation] {
    static TABLE: LazyLock<Vec<Operation>> = LazyLock::new(|| AREAS.iter().flat_map(|(_, rows)| rows()).collect());
    &TABLE
}

fn found(name: &str) -> Result<&'static Operation, OpError> {
    let unknown = || OpError::new(RuntimeCode::Forbidden, format!("{name} is no operation of agents."));
    table().iter().find(|operation| operation.name == name).ok_or_else(unknown)
}

impl Operations for Nobody {
    fn row(&self, name: &str) -> Option<&'static Row> {
        found(name).ok().map(|operation| &**operation)
    }

    fn find(&self, name: &str) -> Result<&'static Row, OpError> {
        found(name).map(|operation| &**operation)
    }

    fn of_agents(&self) -> Vec<&'static Row> {
        table().iter().map(|operation| &**operation).filter(|row| row.is_for(Audience::Agent)).collect()
    }

    fn dispatch<'a>(&'a self, by: &'a Session, name: &'a str, input: Value) -> BoxFuture<'a, Result<Value, OpError>> {
        Box::pin(async move {
            let (runner, operation) = (self.runner.get().and_then(Weak::upgrade).unwrap(), found(name)?);
            let leave = Leave::take(&runner.runtime.audit, operation)?;
            operation.run(&leave, runner, by.clone(), input).await
        })
    }
}

impl Proposer for Nobody {
    fn operation(&self) -> &'static str {
        "ask"
    }

    fn ask<'a>(&'a self, wanted: &'a Wanted, _: Requester) -> BoxFuture<'a, Result<Asked, OpError>> {
        self.asked.lock().unwrap().push(wanted.clone());
        Box::pin(async { Err(OpError::new(RuntimeCode::Busy, "Nobody is there to be asked.")) })
    }

    fn withdraw(&self, _: &ProposalId, _: &ProposalReason) {}

    fn forget(&self, _: &Needles, _: &str) {}

    fn put_back<'a>(&'a self, _: &'a AgentId, _: &'a AgentDb) -> BoxFuture<'a, Result<(), MemoryError>> {
        Box::pin(async { Ok(()) })
    }
}

impl Robots for Nobody {
    fn rows(&self) -> Vec<RobotRow> {
        Vec::new()
    }

    fn motions(&self) -> Vec<RobotMotion> {
        Vec::new()
    }

    fn limit_lines(&self) -> Vec<String> {
        Vec::new()
    }

    fn is_unseen(&self) -> bool {
        false
    }

    fn check_seen(&self) -> Result<(), OpError> {
        Ok(())
    }

    fn note_denied(&self, _: &RobotId, _: &str) {}
}

impl Missions for Nobody {
    fn start<'a>(&'a self, _: &'a AgentId, db: &'a AgentDb, _: &'a Path) -> BoxFuture<'a, Result<(), MemoryError>> {
        *self.newest_db.lock().unwrap() = Some(db.clone());
        let refused = MemoryError::Unreadable { table: "mission", row: "patrol".into(), message: "refused".into() };
        let refuses = self.refuses_missions.load(Ordering::Relaxed);
        Box::pin(async move { if refuses { Err(refused) } else { Ok(()) } })
    }

    fn ids(&self, _: &AgentId) -> BTreeSet<MissionId> {
        BTreeSet::new()
    }

    fn check_exists(&self, _: &AgentId, _: &MissionId) -> Result<(), OpError> {
        Ok(())
    }

    fn put_in_force(&self, _: &AgentId, _: &MissionId) {}

    fn is_live(&self, _: &AgentId, _: &MissionId) -> bool {
        false
    }

    fn budget_microusd(&self, _: &AgentId, _: &MissionId) -> Option<i64> {
        None
    }

    fn spent(&self, _: &AgentId) -> BTreeSet<MissionId> {
        BTreeSet::new()
    }

    fn notice(&self, _: &AgentId, _: &MissionId) -> Option<agent::MissionNotice> {
        None
    }

    fn active_texts(&self, _: &AgentId) -> Option<String> {
        None
    }

    fn forget<'a>(&'a self, _: &'a AgentId, _: &'a Needles, _: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }

    fn put_back<'a>(&'a self, _: &'a AgentId) -> BoxFuture<'a, Result<(), MemoryError>> {
        Box::pin(async { Ok(()) })
    }
}

impl Sources for Nobody {
    fn maps(&self) -> Vec<(RobotId, MapSource)> {
        Vec::new()
    }

    fn camera(&self, _: &RobotId, _: &CameraId) -> Option<Camera> {
        None
    }

    fn believes(&self, _: &SignedSample, _: &Stamps) -> bool {
        true
    }

    fn robot_of(&self, _: &str) -> Option<RobotId> {
        None
    }

    fn is_simulated(&self, _: &str) -> bool {
        false
    }
}

impl Waker for Nobody {
    fn episode_id(&self) -> String {
        String::new()
    }

    fn fired(&self, _: &AgentId, _: &Fire, _: FireRecord) {}

    fn remember(&self, _: &AgentId, _: &Fire, _: String) {}

    fn moved(&self, _: &AgentId, _: &RuleMove) {}

    fn removed(&self, _: &AgentId, _: &AlertId) {}

    fn changed(&self, _: &AgentId, _: &Arc<Entry>) {}
}

pub(crate) struct Rig {
    pub runner: Arc<AgentRunner>,
    pub agent: Arc<AgentUnit>,
    nobody: Arc<Nobody>,
    /// Removes the files when the test ends.
    _folder: tempfile::TempDir,
}

impl Rig {
    pub async fn start() -> Self {
        Self::start_with("", Arc::new(NoToolServers)).await
    }

    /// With settings, and with external MCP servers.
    pub async fn start_with(settings: &str, tool_servers: Arc<dyn ToolServers>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runtime = runtime_in(folder.path(), Clock::start()).await;
        runtime.audit.start(runtime.db.clone());
        let nobody = Arc::<Nobody>::default();
        let agents = Agents::open(&runtime.layout.agents, runtime.clock, runtime.zone.clone(), &runtime.redaction);
        let parts = Parts {
            agents: agents.await.unwrap(),
            settings: Settings::parse(settings).unwrap(),
            config_file: ConfigFile::in_folder(folder.path(), settings.to_owned()),
            keys: Keys::new(KeyStore::Environment, runtime.redaction.clone()),
            tool_servers,
            host: Host {
                operations: Arc::clone(&nobody) as Arc<dyn Operations>,
                proposer: Arc::clone(&nobody) as Arc<dyn Proposer>,
                robots: Arc::clone(&nobody) as Arc<dyn Robots>,
                missions: Arc::clone(&nobody) as Arc<dyn Missions>,
            },
        };
        let (sources, waker) = (Arc::clone(&nobody) as Arc<dyn Sources>, Arc::clone(&nobody) as Arc<dyn Waker>);
        let sensing = Sensing::new(Arc::clone(&runtime), sources, waker);
        let runner = AgentRunner::new(runtime, sensing, parts);
        nobody.runner.set(Arc::downgrade(&runner)).unwrap();
        runner.start().await.unwrap();
        let agent = runner.agents.first().unwrap();
        Self { runner, agent, nobody, _folder: folder }
    }

    /// Calls as a turn of the agent would.
    pub async fn by_agent(&self, cause: Cause, operation: &str, input: Value) -> Result<Value, OpError> {
        let by = Session::of_agent(&self.agent.id).caused_by(cause);
        self.runner.operations.dispatch(&by, operation, input).await
    }

    /// Calls as a person.
    pub async fn by_person(&self, operation: &str, input: Value) -> Result<Value, OpError> {
        self.runner.operations.dispatch(&Session::bootstrap(), operation, input).await
    }

    /// Has no missions taken up from here on, or has them taken up again.
    pub fn refuse_missions(&self, refuses: bool) {
        self.nobody.refuses_missions.store(refuses, Ordering::Relaxed);
    }

    /// The database of the agent that was taken up last.
    pub fn newest_db(&self) -> AgentDb {
        self.nobody.newest_db.lock().unwrap().clone().unwrap()
    }

    /// The calls that a person was asked about.
    pub fn asked(&self) -> Vec<Wanted> {
        self.nobody.asked.lock().unwrap().clone()
    }

    /// Text of a file of the agent; empty if there is none.
    pub fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.agent.folders.root.join(name)).unwrap_or_default()
    }
}

/// A turn that has read untrusted text.
pub(crate) fn tainted() -> Cause {
    Cause { turn: Some("turn-1".into()), tainted: true, ..Cause::default() }
}
