//! Who is asking, and the state of the whole station.

use agent::ModelName;
use robot::{AgentId, Role, SessionKind, StationId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{AuditSigning, RobotSafety, Stop};

/// Whether anything real can move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// At least one known robot is real, or none is known.
    Live,
    /// Every known robot is simulated.
    Sim,
}

/// Whether the simulator's process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SimulatorState {
    /// Not started, or ended.
    Stopped,
    /// Started, not ready.
    Starting,
    /// Publishing.
    Running,
}

/// Whether Ctrl+Alt+End stops all robots from any program of a desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum StopShortcut {
    /// It does.
    Registered,
    /// The desktop is a Wayland one, which gives no program a key of other windows.
    Wayland,
    /// Another program has the key, or the desktop did not say why not.
    Taken,
    /// The session's window is a page of a browser.
    NoDesktop,
}

/// The answer of `session_info`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SessionInfo {
    /// Who is signed in.
    pub actor: String,
    /// What they may do at most, now.
    pub role: Role,
    /// When *Act as Admin* ends, station clock, milliseconds; null if it is not in force.
    #[ts(type = "number | null")]
    pub admin_until_mono_ms: Option<u64>,
    /// Whether its screen is locked: it may look and stop, and nothing else.
    pub locked: bool,
    /// The session itself; names it as the holder of control.
    pub session_id: String,
    /// A person or a program.
    pub kind: SessionKind,
    /// This station.
    pub station: StationId,
    /// The key its signatures are tested with, `ed25519:BASE64`; robots that shall obey it are given it.
    pub public_key: String,
    /// LIVE or SIM.
    pub mode: Mode,
    /// Version of the program.
    pub version: String,
    /// The simulator's process.
    pub simulator: SimulatorState,
    /// Where Zenoh clients can connect, for example `tcp/127.0.0.1:7447`.
    pub zenoh_endpoints: Vec<String>,
    /// The agent that this call is about, or the first.
    pub agent: AgentId,
    /// Its conversation.
    pub session: String,
    /// What answers.
    pub model: ModelName,
    /// How far it may act by itself.
    pub agent_mode: agent::Mode,
    /// Whether the audit is signed.
    pub audit_signing: AuditSigning,
    /// The global key of STOP ALL at this desk.
    pub stop_shortcut: StopShortcut,
}

/// The answer of `act_as_admin` and `end_admin`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AdminGranted {
    /// What the session may do now.
    pub role: Role,
    /// Until then; station clock, milliseconds.
    #[ts(type = "number | null")]
    pub until_mono_ms: Option<u64>,
}

/// The answer of `safety_status`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SafetyStatus {
    /// LIVE or SIM.
    pub mode: Mode,
    /// This station. Its own name is ours, other than those that come over the network.
    #[schemars(with = "String", extend("x-vouched" = true))]
    pub station: StationId,
    /// Every robot with a manifest, by id.
    pub robots: Vec<RobotSafety>,
    /// Stops that still bind a robot, oldest first.
    pub stops: Vec<Stop>,
    /// True while a stop is open.
    pub stopped: bool,
}

/// A number of the safety engine that the site may choose in `config.toml`, `[safety]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SafetySetting {
    /// Its key; ends in its unit, if it has one.
    #[schemars(extend("x-vouched" = true))]
    pub key: String,
    /// What holds in this run.
    pub value: u32,
    /// What holds where nothing is chosen.
    pub default: u32,
    /// The least that may be chosen.
    pub min: u32,
    /// The most that may be chosen.
    pub max: u32,
    /// What it decides.
    #[schemars(extend("x-vouched" = true))]
    pub meaning: String,
}
