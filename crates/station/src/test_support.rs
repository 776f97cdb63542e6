//! A station without robots, for tests of what only the agent's side can ask for.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc;

use crate::launcher::{Launched, SimulatorLauncher};
use crate::operations;
use crate::station::Station;
use agent_runner::AgentUnit;
use agent_runner::tools::mcp::{ServerFuture, ServerNews, ToolServer, ToolServers, Transport};
use runtime::config::Config;
use runtime::error::OpError;
use runtime::session::{Cause, Session};

/// A free port, and nothing of the keychain of whoever runs the tests.
const SETTINGS: &str = "[zenoh]\nlisten = [\"tcp/127.0.0.1:0\"]\n[secrets]\nstore = \"environment\"\n";

/// The manifest of a robot of one switch.
const GATE: &str = include_str!("../../fleet/src/test_support/gate-1.toml");

struct NoSimulator;

impl SimulatorLauncher for NoSimulator {
    fn launch(&self, _: Vec<String>) -> Launched {
        Box::pin(async { Err(std::io::Error::other("no simulator")) })
    }

    fn launch_gate(&self, _: Vec<String>) -> Launched {
        Box::pin(async { Err(std::io::Error::other("no gate program")) })
    }
}

pub(crate) struct NoToolServers;

impl ToolServers for NoToolServers {
    fn connect(&self, _: Transport, _: mpsc::Sender<ServerNews>) -> ServerFuture<Arc<dyn ToolServer>> {
        Box::pin(async { Err("no tool servers".to_owned()) })
    }
}

pub(crate) struct Rig {
    pub station: Arc<Station>,
    pub agent: Arc<AgentUnit>,
    /// Removes the files when the test ends.
    _folder: tempfile::TempDir,
}

impl Rig {
    pub async fn start() -> Self {
        Self::start_with("", Arc::new(NoToolServers)).await
    }

    /// With more settings than the others have, and with external MCP servers.
    pub async fn start_with(settings: &str, tool_servers: Arc<dyn ToolServers>) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), settings, tool_servers).await
    }

    /// With a robot of one switch, which never answers, with more settings, and a manifest that says where its hardware stop is.
    pub async fn start_with_gate_where(settings: &str, hardware_stop: &str) -> Self {
        Self::start_with_robots(settings, &[gate_where(hardware_stop)], Arc::new(NoToolServers)).await
    }

    /// With files of manifests, by their stems, and with external MCP servers.
    pub async fn start_with_robots(
        settings: &str,
        manifests: &[(&str, String)],
        tool_servers: Arc<dyn ToolServers>,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let robots = folder.path().join("robots");
        std::fs::create_dir(&robots).unwrap();
        for (stem, text) in manifests {
            std::fs::write(robots.join(format!("{stem}.toml")), text).unwrap();
        }
        Self::start_in(folder, settings, tool_servers).await
    }

    async fn start_in(folder: tempfile::TempDir, settings: &str, tool_servers: Arc<dyn ToolServers>) -> Self {
        std::fs::write(folder.path().join("config.toml"), format!("{SETTINGS}{settings}")).unwrap();
        let config = Config { data_dir: folder.path().to_owned(), zenoh_config: None, with_sim: false, seed: 7 };
        let station = Station::start(config, Arc::new(NoSimulator), tool_servers).await.unwrap();
        let agent = station.runner.agents.first().unwrap();
        Self { station, agent, _folder: folder }
    }

    /// Calls as a turn of the agent would.
    pub async fn by_agent(&self, cause: Cause, operation: &str, input: Value) -> Result<Value, OpError> {
        let by = Session::of_agent(&self.agent.id).caused_by(cause);
        operations::dispatch(&self.station, &by, operation, input).await
    }

    /// Calls as a person.
    pub async fn by_person(&self, operation: &str, input: Value) -> Result<Value, OpError> {
        operations::dispatch(&self.station, &Session::bootstrap(), operation, input).await
    }
}

/// The manifest of the robot of one switch, which says where its hardware stop is.
pub(crate) fn gate_where(hardware_stop: &str) -> (&'static str, String) {
    ("gate-1", GATE.replace("red button on the post", hardware_stop))
}

/// A turn that has read untrusted text.
pub(crate) fn tainted() -> Cause {
    Cause { turn: Some("turn-1".into()), tainted: true, ..Cause::default() }
}
