//! The agents of a station with what they share: models, tools, rooms, and the doors to the rest of the station.

use std::sync::Arc;

use agent::ToolCall;
use bridge::BridgeError;
use memory::MemoryError;
use robot::{AgentId, ConversationId, IdError, SiteId, TurnId};

use crate::agents::Agents;
use crate::models::model_registry::ModelRegistry;
use crate::rooms::Rooms;
use crate::surroundings::{Host, Missions, Operations, Proposer, Robots};
use crate::tools::hooks::{HookPrograms, Hooks};
use crate::tools::mcp::{Mcp, ToolServers};
use crate::tools::sandbox::Sandbox;
use crate::tools::toolbox::Toolbox;
use runtime::Runtime;
use runtime::audit::Call;
use runtime::config::{ConfigError, ConfigFile, MemorySettings, Settings, ToolSettings};
use runtime::error::OpError;
use runtime::secrets::Keys;
use runtime::session::Session;
use sensing::Sensing;

/// Failure to open or start the agents.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// Their folders.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Storage.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Rooms on the link.
    #[error(transparent)]
    Bridge(#[from] BridgeError),
    /// A built-in id.
    #[error(transparent)]
    Id(#[from] IdError),
}

/// The agents, and everything that they share.
pub struct AgentRunner {
    /// The services that all parts share.
    pub runtime: Arc<Runtime>,
    /// The worlds of the agents, and the alarms.
    pub sensing: Arc<Sensing>,
    /// The agents, by id.
    pub agents: Agents,
    /// Name of the site, as prompts say it.
    pub(crate) site: SiteId,
    pub(crate) memory: MemorySettings,
    /// Everything that agents may call.
    pub toolbox: Arc<Toolbox>,
    /// External MCP servers.
    pub(crate) mcp: Arc<Mcp>,
    /// Sandbox for the programs of tools.
    pub(crate) sandbox: Arc<Sandbox>,
    pub(crate) hook_programs: Arc<HookPrograms>,
    /// Language models and their providers.
    pub(crate) models: Arc<ModelRegistry>,
    /// Rooms in which operators of several stations speak.
    pub(crate) rooms: Rooms,
    pub(crate) operations: Arc<dyn Operations>,
    pub(crate) proposer: Arc<dyn Proposer>,
    pub(crate) robots: Arc<dyn Robots>,
    pub(crate) missions: Arc<dyn Missions>,
}

impl AgentRunner {
    /// Agents that do nothing yet.
    pub fn new(runtime: Arc<Runtime>, sensing: Arc<Sensing>, parts: Parts) -> Arc<Self> {
        let Parts { agents, settings, config_file, keys, tool_servers, host } = parts;
        let Settings { site, memory, tools, models, rooms, .. } = settings;
        let sandbox = Arc::new(Sandbox::new(runtime.layout.root.clone()));
        let mcp = Mcp::new(Arc::clone(&runtime), Arc::clone(&sandbox), tool_servers);
        Arc::new(Self {
            agents,
            site,
            memory,
            toolbox: Arc::new(Toolbox::new(Arc::clone(&runtime), &host, Arc::clone(&mcp), Arc::clone(&sandbox), tools)),
            mcp,
            hook_programs: HookPrograms::new(Arc::clone(&runtime), Arc::clone(&sandbox)),
            sandbox,
            models: Arc::new(ModelRegistry::new(Arc::clone(&runtime), Arc::clone(&sensing), config_file, models, keys)),
            rooms: Rooms::new(rooms),
            operations: host.operations,
            proposer: host.proposer,
            robots: host.robots,
            missions: host.missions,
            runtime,
            sensing,
        })
    }

    /// The configuration file, which operations on models and tools change.
    pub fn config_file(&self) -> &ConfigFile {
        self.models.file()
    }

    /// Settings of tools in `config.toml`, as they are now.
    pub(crate) fn tool_settings(&self) -> Arc<ToolSettings> {
        self.toolbox.settings()
    }

    /// The hooks as they are now, for the conversation `session` of an agent, and for one turn of it if one runs.
    pub(crate) fn hooks(&self, agent: &AgentId, session: &ConversationId, turn: Option<&TurnId>) -> Hooks {
        self.hook_programs.hooks(self.tool_settings(), agent, session, turn)
    }

    /// Records that a tool's call was refused, and gives the error back.
    pub(crate) fn refused(&self, by: &Session, call: &ToolCall, error: OpError) -> OpError {
        let record = match self.operations.row(&call.name) {
            Some(row) => Call::of(by, row.name, &call.args),
            // A tool of an external server, or a word of the model.
            None => Call::of_word(by, &call.name, &call.args),
        };
        self.runtime.audit.refused(&record, error)
    }

    /// Changes `config.toml`, and takes over what it says of tools.
    pub(crate) async fn edit_config(
        &self,
        change: impl FnOnce(&mut toml_edit::DocumentMut) -> Option<()> + Send,
    ) -> Result<(), OpError> {
        // The file first: what the disk refused must not be in force until the next start.
        let take = |settings: Settings| {
            let tools = Arc::new(settings.tools);
            self.toolbox.set(Arc::clone(&tools));
            self.mcp.keep(&tools.mcp);
        };
        self.models.file().edit(change, take).await
    }
}

/// The parts that a station makes its agents of.
pub struct Parts {
    /// The agents that were found.
    pub agents: Agents,
    /// The settings of the site.
    pub settings: Settings,
    /// `config.toml`, which holds the models and tools.
    pub config_file: ConfigFile,
    /// Keys of model providers.
    pub keys: Keys,
    /// The way to external MCP servers.
    pub tool_servers: Arc<dyn ToolServers>,
    /// The rest of the station, as agents may know it.
    pub host: Host,
}
