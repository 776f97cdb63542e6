//! The places of a station's files, and the settings of `config.toml`.

mod approvals;
mod file;
mod hooks;
mod kept;
mod mcp;
mod memory;
mod models;
mod permissions;
mod rooms;
mod safety;
mod sandbox;
mod storage;
mod tools;
mod zenoh;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use robot::{AgentId, ModelProviderId, SiteId};
use serde::Deserialize;

use crate::secrets::KeyStore;

pub use approvals::{ApprovalSettings, UnseenAlarm};
pub use file::{ConfigFile, put, table_at};
pub use hooks::HookSettings;
pub use kept::{Known, Loaded, Source, copy_in, record};
pub use mcp::{Pin, ServerSettings, Servers};
pub use memory::MemorySettings;
pub use models::ModelSettings;
pub use models::{AgentSettings, ModelChoice, ProviderSettings};
pub use permissions::{PermissionRule, check_tool_pattern};
pub use rooms::{MemberKey, RoomSettings, RoomsSettings};
pub use safety::SafetySettings;
pub use safety::ms;
pub use sandbox::{
    RECORDINGS, SandboxSettings, ShellToolSettings, ShellTools, SourceSettings, WORLD_HISTORY, template_params,
};
pub use storage::StorageSettings;
pub use tools::ToolSettings;
pub use zenoh::ZenohSettings;

/// A data directory or a `config.toml` that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file or folder.
    #[error("could not use {}", path.display())]
    File {
        /// Its place.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// `config.toml`.
    #[error("{} is refused: {message}", path.display())]
    Settings {
        /// Its place.
        path: PathBuf,
        /// The mistake, and what was expected.
        message: String,
    },
    /// Two stations on one directory would be one station twice to the robots.
    #[error("{} is in use by another station; end that one or choose another directory", root.display())]
    InUse {
        /// The data directory.
        root: PathBuf,
    },
}

/// The options that a host gives the station at start.
#[derive(Debug, Clone)]
pub struct Config {
    /// Everything the station keeps.
    pub data_dir: PathBuf,
    /// A Zenoh configuration file that replaces the `[zenoh]` part of `config.toml`.
    pub zenoh_config: Option<PathBuf>,
    /// Start the simulator with the station.
    pub with_sim: bool,
    /// The simulator's seed.
    pub seed: u64,
}

/// The settings of `config.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The first part of the keys of its rooms, and how prompts call it.
    pub site: SiteId,
    /// The `[zenoh]` part.
    pub zenoh: ZenohSettings,
    /// The `[secrets]` part.
    pub secrets: SecretSettings,
    /// The `[safety]` part.
    pub safety: SafetySettings,
    /// The `[approvals]` part.
    pub approvals: ApprovalSettings,
    /// The `[memory]` part.
    pub memory: MemorySettings,
    /// The `[storage]` part.
    pub storage: StorageSettings,
    /// The `[mcp]`, `[sandbox]`, `[shell_tools]`, `[[hooks]]` and `[[permissions]]` parts.
    pub tools: ToolSettings,
    /// The `[providers]` and `[agents]` parts.
    pub models: ModelSettings,
    /// The `[rooms]` part.
    pub rooms: RoomsSettings,
}

/// `config.toml` as it is written. Unknown keys are errors.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    site: String,
    zenoh: ZenohSettings,
    secrets: SecretSettings,
    safety: SafetySettings,
    approvals: ApprovalSettings,
    memory: MemorySettings,
    storage: StorageSettings,
    providers: BTreeMap<ModelProviderId, ProviderSettings>,
    agents: BTreeMap<AgentId, AgentSettings>,
    mcp: Servers,
    sandbox: SandboxSettings,
    shell_tools: ShellTools,
    hooks: Vec<HookSettings>,
    permissions: Vec<PermissionRule>,
    rooms: RoomsSettings,
}

/// The `[secrets]` part: the store of keys.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SecretSettings {
    /// `keychain` or `environment`.
    pub store: KeyStore,
}

impl Default for Written {
    fn default() -> Self {
        Self {
            site: "lab".into(),
            zenoh: ZenohSettings::default(),
            secrets: SecretSettings::default(),
            safety: SafetySettings::default(),
            approvals: ApprovalSettings::default(),
            memory: MemorySettings::default(),
            storage: StorageSettings::default(),
            providers: BTreeMap::new(),
            agents: BTreeMap::new(),
            mcp: Servers::default(),
            sandbox: SandboxSettings::default(),
            shell_tools: ShellTools::default(),
            hooks: Vec::new(),
            permissions: Vec::new(),
            rooms: RoomsSettings::new(),
        }
    }
}

impl Settings {
    /// Reads the text of a `config.toml`; an error names what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let written: Written = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        written.zenoh.check()?;
        written.safety.check()?;
        written.approvals.check()?;
        written.memory.check()?;
        written.storage.check()?;
        rooms::check(&written.rooms)?;
        let Written { site, zenoh, secrets, safety, approvals, memory, storage, providers, agents, rooms, .. } =
            written;
        let site = SiteId::new(site).map_err(|error| error.to_string())?;
        let models = ModelSettings { providers, agents };
        models.check()?;
        let (mcp, sandbox) = (written.mcp, written.sandbox);
        let (shell_tools, hooks, permissions) = (written.shell_tools, written.hooks, written.permissions);
        let tools = ToolSettings { mcp, sandbox, shell_tools, hooks, permissions };
        tools.check()?;
        Ok(Self { site, zenoh, secrets, safety, approvals, memory, storage, tools, models, rooms })
    }
}

/// Refuses a number outside its range; says the key and the range. No number is bent into it.
fn in_range<T: PartialOrd + Display>(key: &str, value: T, range: &RangeInclusive<T>) -> Result<(), String> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(format!("{key} = {value}: expected {} to {}", range.start(), range.end()))
}

/// The folders of a data directory.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The data directory itself.
    pub root: PathBuf,
    /// Robot manifests.
    pub robots: PathBuf,
    /// Inputs of verdicts, a folder per robot.
    pub recordings: PathBuf,
    /// A folder per agent.
    pub agents: PathBuf,
}

impl Layout {
    /// Makes the folders that are missing, for the owner alone; those that are there are seen to by [`files::tighten`].
    pub fn create(root: &Path) -> Result<Self, ConfigError> {
        let layout = Self {
            root: root.to_owned(),
            robots: root.join("robots"),
            recordings: root.join("recordings"),
            agents: root.join("agents"),
        };
        let Self { root, robots, recordings, agents } = &layout;
        files::make_named_folder(root).map_err(|source| ConfigError::File { path: root.clone(), source })?;
        make_all([robots, recordings, agents])?;
        Ok(layout)
    }
}

/// The folders of one agent. Nothing in them is shared with another.
#[derive(Debug, Clone)]
pub struct AgentFolders {
    /// The agent's own folder.
    pub root: PathBuf,
    /// Daily logs of events, a file a day.
    pub daily_logs: PathBuf,
    /// Its transcripts.
    pub sessions: PathBuf,
    /// Its mission files.
    pub missions: PathBuf,
}

impl AgentFolders {
    /// Makes the folders that are missing below `agents`, for the owner alone.
    pub fn create(agents: &Path, id: &robot::AgentId) -> Result<Self, ConfigError> {
        let root = agents.join(id.as_str());
        let folders = Self {
            daily_logs: root.join("memory"),
            sessions: root.join("sessions"),
            missions: root.join("missions"),
            root,
        };
        let Self { root, daily_logs, sessions, missions } = &folders;
        make_all([root, daily_logs, sessions, missions])?;
        Ok(folders)
    }
}

fn make_all<const N: usize>(folders: [&PathBuf; N]) -> Result<(), ConfigError> {
    for folder in folders {
        files::make_folder(folder).map_err(|source| ConfigError::File { path: folder.clone(), source })?;
    }
    Ok(())
}

/// Holds the data directory for this process alone. The lock ends with the file, so also with a killed process.
pub fn hold(root: &Path) -> Result<File, ConfigError> {
    let path = root.join(".lock");
    match files::hold(&path) {
        Ok(Some(file)) => Ok(file),
        Ok(None) => Err(ConfigError::InUse { root: root.to_owned() }),
        Err(source) => Err(ConfigError::File { path, source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_that_is_no_name_is_refused_with_the_key_and_the_form() {
        for site in ["../../x", "", "Lab", "a/b", "**", &"x".repeat(65), &"x".repeat(100_000)] {
            let refused = Settings::parse(&format!("site = \"{site}\"")).unwrap_err();
            assert!(refused.starts_with("site \"") && refused.contains("1 to 64 characters of a-z"), "{refused}");
            assert!(refused.len() < 200, "{refused}");
        }
        assert_eq!(Settings::parse("site = \"hall-3_b\"").unwrap().site.as_str(), "hall-3_b");
    }
}
