//! One running system: what it is made of, how it starts, what its clockwork does, how it ends.

mod clockwork;
mod ending;
mod fleet_host;
mod sensing_host;
mod start;

pub use start::StartError;

use std::sync::{Arc, RwLock};

use robot::SiteId;
use world::alarm::{BuiltIn, Of};

use crate::agents::Agents;
use crate::hooks::Tally;
use crate::mcp::Mcp;
use crate::model_registry::ModelRegistry;
use crate::operations::Repeats;
use crate::proposals::Proposals;
use crate::rooms::Rooms;
use crate::sandbox::Sandbox;
use crate::simulator::Simulator;
use fleet::Fleet;
use runtime::Runtime;
use runtime::config::{ApprovalSettings, MemorySettings, ToolSettings};
use runtime::error::OpError;
use runtime::event_bus::Frames;
use runtime::lock::{read, write};
use runtime::session::Session;
use runtime::stop_lane::StopLane;
use sensing::Sensing;

/// A running station. Operations are the only way in for people, programs and the agent.
pub struct Station {
    /// The services that all parts share.
    pub(crate) runtime: Arc<Runtime>,
    /// The robots.
    pub(crate) fleet: Arc<Fleet>,
    /// The worlds of the agents, and the alarms.
    pub(crate) sensing: Arc<Sensing>,
    /// The agents, by id.
    pub(crate) agents: Agents,
    /// Keeps other processes out of the data directory.
    held: std::fs::File,
    /// Name of the site, as prompts say it.
    pub(crate) site: SiteId,
    /// The settings of the site about cards.
    pub(crate) approvals: ApprovalSettings,
    pub(crate) memory: MemorySettings,
    tools: RwLock<Arc<ToolSettings>>,
    /// External MCP servers.
    pub(crate) mcp: Mcp,
    /// Sandbox for the programs of tools.
    pub(crate) sandbox: Sandbox,
    pub(crate) hooks: Tally,
    /// Language models and their providers.
    pub(crate) models: ModelRegistry,
    pub(crate) proposals: Proposals,
    pub(crate) simulator: Simulator,
    /// Rooms in which operators of several stations speak.
    pub(crate) rooms: Rooms,
    pub(crate) repeats: Repeats,
    /// The thread on which words are searched for a stop.
    pub(crate) words_lane: StopLane,
}

impl Station {
    /// Settings of tools in `config.toml`, as they are now.
    pub(crate) fn tool_settings(&self) -> Arc<ToolSettings> {
        Arc::clone(&read(&self.tools))
    }

    /// Changes `config.toml`, and takes over what it says of tools.
    pub(crate) async fn edit_config(
        self: &Arc<Self>,
        change: impl FnOnce(&mut toml_edit::DocumentMut) -> Option<()> + Send,
    ) -> Result<(), OpError> {
        let tools = Arc::new(self.models.file().edit(change).await?.tools);
        *write(&self.tools) = Arc::clone(&tools);
        self.mcp.keep(self, &tools.mcp);
        Ok(())
    }

    /// Puts on record that a host refused a request before it reached an operation.
    pub fn note_refused_by_host(&self, by: Option<&Session>, operation: &str, code: &str) {
        self.runtime.audit.note_refused_by_host(by, operation, code);
    }

    /// A host refuses requests because too many come. Its own thread does not wait for the list of alarms.
    pub fn note_flood(self: &Arc<Self>, sentence: String) {
        let station = Arc::clone(self);
        self.runtime.spawn(async move { station.sensing.alarms.note(BuiltIn::RequestFlood, &Of::station(), sentence) });
    }

    /// Opens a window's channel.
    pub fn subscribe(&self, session: &Session) -> Frames {
        self.runtime.bus.subscribe(self.fleet.presence.open_screen(session.id(), session.desk()))
    }
}
