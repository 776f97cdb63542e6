//! The signed-in session, and the state of the whole station.

use agent::ModelName;
use robot::{AgentId, ConversationId, Role, SessionId, SessionKind, StationId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{AuditSigning, RobotSafety, Stop};

/// LIVE or SIM: a real robot may move, or only simulated ones can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// At least one known robot is real, or none is known.
    Live,
    /// Every known robot is simulated.
    Sim,
}

/// The answer of `notice_state`: acceptance of the notice about the limits of STOP ALL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct NoticeState {
    /// Name of the session that accepted it first; null while nobody has.
    pub accepted_by: Option<String>,
    /// Unix milliseconds.
    #[ts(type = "number | null")]
    pub accepted_at_ms: Option<i64>,
}

/// State of the simulator's process.
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

/// State of the global key of STOP ALL: Ctrl+Alt+End stops all robots from any program of a desk.
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
    /// The name of the person or program that is signed in.
    pub actor: String,
    /// The highest role of the session now.
    pub role: Role,
    /// When *Act as Admin* ends, station clock, milliseconds; null if it is not in force.
    #[ts(type = "number | null")]
    pub admin_until_mono_ms: Option<u64>,
    /// True if its screen is locked: it may look and stop, and nothing else.
    pub locked: bool,
    /// The session itself; names it as the holder of control.
    pub session_id: SessionId,
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
    /// Endpoints for Zenoh clients, for example `tcp/127.0.0.1:7447`.
    pub zenoh_endpoints: Vec<String>,
    /// The agent that this call is about, or the first.
    pub agent: AgentId,
    /// Its conversation.
    pub session: ConversationId,
    /// The model that answers.
    pub model: ModelName,
    /// The agent's autonomy: the extent to which it may act by itself.
    pub agent_mode: agent::Mode,
    /// The state of the audit's signing.
    pub audit_signing: AuditSigning,
    /// The global key of STOP ALL at this desk.
    pub stop_shortcut: StopShortcut,
    /// True if it signed in with a token: nothing raises its role.
    pub has_token: bool,
    /// True if a PIN is asked of whoever acts as Admin.
    pub has_admin_pin: bool,
}

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TokenRow {
    /// The part of the token that names it.
    pub id: String,
    /// Its holder.
    pub label: String,
    /// A person or a program.
    pub kind: SessionKind,
    /// The highest role of its session.
    pub role: Role,
    /// Its session may look and stop, and nothing else.
    pub only_stops: bool,
    /// The Admin who made it.
    pub made_by: String,
    /// Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: i64,
    /// From then on it signs nobody in; Unix milliseconds.
    #[ts(type = "number")]
    pub expires_ms: i64,
    /// True if it signs nobody in any more.
    pub expired: bool,
    /// When it signed somebody in last in this run, Unix milliseconds; null if it has not.
    #[ts(type = "number | null")]
    pub used_ms: Option<i64>,
}

/// The answer of `create_token`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TokenCreated {
    /// The token. It is shown this once; the station keeps its hash alone.
    pub token: String,
    /// Everything else about it.
    pub row: TokenRow,
}

/// The answer of `act_as_admin` and `end_admin`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AdminGranted {
    /// The role of the session now.
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
    /// The value in force in this run.
    pub value: u32,
    /// The value in force where nothing is chosen.
    pub default: u32,
    /// The least that may be chosen.
    pub min: u32,
    /// The most that may be chosen.
    pub max: u32,
    /// The effect of the setting.
    #[schemars(extend("x-vouched" = true))]
    pub meaning: String,
}
