//! MCP tools, programs in a cell, and outputs too long for a conversation.

use robot::{Effect, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// An MCP server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct McpServerRow {
    /// Its name in `config.toml`.
    pub id: String,
    /// Its program and arguments; empty if it is an address.
    pub command: Vec<String>,
    /// Folders that the program may read besides the system's own.
    pub program_folders: Vec<String>,
    /// Its address, if it is no program.
    pub url: Option<String>,
    /// True if the server's own hints tell the effect of its tools.
    pub trusted: bool,
    /// State of the connection to the server.
    pub state: McpServerState,
    /// The reason why it does not answer.
    pub reason: Option<String>,
    /// The same as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub loss: Option<ServerLoss>,
    /// The tools it offers, and those of them that a person has allowed.
    pub tools: Vec<McpToolRow>,
}

/// States of the connection to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum McpServerState {
    /// It is being started.
    Connecting,
    /// It answers.
    Ready,
    /// It is gone, and will be tried again.
    Lost,
}

/// A reason why a server does not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ServerLoss {
    /// It did not come up in time.
    #[error("it did not come up within {secs} s")]
    NotUp {
        /// Seconds.
        secs: u32,
    },
    /// It did not list its tools in time.
    #[error("it did not list its tools within {secs} s")]
    NotListed {
        /// Seconds.
        secs: u32,
    },
    /// It has ended.
    #[error("it has ended")]
    Ended,
    /// It is a program that would reach more than it may.
    #[error(
        "it is not started: a program with `network = true` would also reach this machine's desktop and session bus; run it \
         as a service of its own and give its url"
    )]
    Network,
    /// Its settings name no way to it.
    #[error("it has neither command nor url")]
    NoWay,
    /// Its program cannot be started in a cell.
    #[error("{message}")]
    NotStarted {
        /// The reason.
        message: String,
    },
    /// It used more than it may.
    #[error("{message}")]
    UsedUp {
        /// A sentence on it.
        message: String,
    },
    /// In the words of the server, or of the system.
    #[error("{message}")]
    Said {
        /// The words.
        message: String,
    },
}

/// A reason why a tool can never be allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ToolFault {
    /// Its name has another form.
    #[error("its name is not 1 to {most} letters, digits, - and _")]
    BadName {
        /// Most characters.
        most: usize,
    },
    /// Its description is too long.
    #[error("its description has more than {most} bytes")]
    LongDescription {
        /// Most bytes.
        most: usize,
    },
    /// It holds characters that nobody sees.
    #[error("it holds characters that nobody sees")]
    HiddenCharacters,
    /// Its arguments are no object.
    #[error("its arguments are no object")]
    NoObject,
    /// Its schema is too large.
    #[error("its schema has more than {most} bytes or {levels} levels")]
    LargeSchema {
        /// Most bytes.
        most: usize,
        /// Most levels.
        levels: usize,
    },
    /// Its schema is none.
    #[error("its schema is no JSON schema: {message}")]
    BadSchema {
        /// The fault in it.
        message: String,
    },
}

/// A reason why no program can run in a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SandboxFault {
    /// The system is another one.
    #[error("it needs Linux")]
    NeedsLinux,
    /// A program that makes cells is missing.
    #[error("{program} is not installed")]
    NotInstalled {
        /// The program.
        program: String,
    },
    /// No cell can be made.
    #[error("a cell cannot be made; are user namespaces allowed?")]
    NoCell,
    /// The program that makes cells does not start.
    #[error("bwrap does not start: {message}")]
    NotStarted {
        /// The system's own words.
        message: String,
    },
    /// A cell cannot be prepared.
    #[error("{message}")]
    NotPrepared {
        /// The reason.
        message: String,
    },
    /// A cell does not hold.
    #[error("{escapes}")]
    Leaks {
        /// All that is not enforced.
        escapes: String,
    },
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct McpToolRow {
    /// `server__tool`: the name that the agent calls.
    pub name: String,
    /// The name at its server.
    pub tool: String,
    /// For the model, in the server's words.
    pub description: String,
    /// The permission for the agent to call it.
    pub state: McpToolState,
    /// The reason why it can never be allowed.
    pub problem: Option<String>,
    /// The same as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fault: Option<ToolFault>,
    /// The effect of a call; none if no person has declared one, and then each call asks.
    pub effect: Option<Effect>,
    /// SHA-256 of `form`, hex: the value that is pinned.
    pub hash: String,
    /// Canonical JSON of name, description, input schema and annotations.
    pub form: String,
    /// The form that was allowed, if it is another.
    pub pinned_form: Option<String>,
}

/// Permissions for the agent to call a server's tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum McpToolState {
    /// Nobody has allowed it yet.
    New,
    /// It may be called.
    Pinned,
    /// Differs from the form that was allowed: off until it is allowed again.
    Changed,
    /// It was allowed, and its server offers it no more.
    Gone,
    /// It can never be allowed.
    Refused,
}

/// The answer of an MCP server's tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ToolAnswer {
    /// The answer as text.
    pub text: String,
    /// The same as data, if the server says so.
    #[ts(type = "unknown")]
    pub structured: Option<serde_json::Value>,
    /// Trust level: untrusted text.
    pub trust: Trust,
}

/// The end of a program in a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProgramEnded {
    /// None if it was ended.
    pub exit_code: Option<i32>,
    /// The output of the program.
    pub output: String,
    /// It wrote more than is kept, and was ended for it.
    pub cut: bool,
    /// It took longer than it may, and was ended for it.
    pub timed_out: bool,
    /// Trust level: untrusted text.
    pub trust: Trust,
}

/// The state of an agent's investigation sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SandboxStatus {
    /// True if an Admin has turned it on for this agent.
    pub on: bool,
    /// The reason why no program can run in a cell on this machine; none if it can.
    pub problem: Option<String>,
    /// The same as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fault: Option<SandboxFault>,
    /// Sources that can be fetched into it.
    pub sources: Vec<SourceRow>,
    /// The declared shell tools.
    pub shell_tools: Vec<ShellToolRow>,
    /// The hooks of the site, in the order in which they are asked.
    pub hooks: Vec<HookRow>,
}

/// Something that can be fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SourceRow {
    /// Its name.
    pub name: String,
    /// The content of the source.
    pub description: String,
    /// Names of its parameters.
    pub params: Vec<String>,
}

/// A declared program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShellToolRow {
    /// `shell_<name>`.
    pub name: String,
    /// The purpose of the program.
    pub description: String,
    /// Program and arguments, with holes in braces.
    pub command: Vec<String>,
}

/// A declared hook, and its counts since the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct HookRow {
    /// The point at which it is asked.
    pub on: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// The tools it is asked about; all if there are none.
    pub tools: Vec<String>,
    /// Number of times it was asked.
    #[ts(type = "number")]
    pub asked: u64,
    /// Number of times it changed the value it was shown.
    #[ts(type = "number")]
    pub changed: u64,
    /// Number of times it denied.
    #[ts(type = "number")]
    pub denied: u64,
    /// Number of times it could not be asked.
    #[ts(type = "number")]
    pub failed: u64,
    /// The last reason why it could not be asked.
    pub problem: Option<String>,
}

/// A file fetched into a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Fetched {
    /// The file's name in the sandbox's folder.
    pub file: String,
    /// Its size.
    #[ts(type = "number")]
    pub bytes: u64,
    /// The beginning of the file.
    pub head: String,
    /// Trust level: untrusted text.
    pub trust: Trust,
}

/// The result of each fetch of a batch, in their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FetchedBatch {
    /// Each with its file, or with its error.
    pub items: Vec<FetchedItem>,
}

/// One fetch of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FetchedItem {
    /// It is there.
    Fetched(Fetched),
    /// It is not.
    Failed {
        /// Stable code.
        code: String,
        /// A sentence.
        message: String,
    },
}

/// A part of an output that was too long for the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OutputPage {
    /// The number of the output.
    pub n: u32,
    /// Offset of `text` in the output, bytes.
    #[ts(type = "number")]
    pub offset: u64,
    /// The part.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub text: String,
    /// Offset of the next part, bytes; none at the end.
    #[ts(type = "number | null")]
    pub next_offset: Option<u64>,
    /// Size of the whole output, bytes.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Trust level of the output, as that of its source.
    pub trust: Trust,
}

/// The answers of a model that fills in a form about such an output and is given nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OutputAnswers {
    /// The number of the output.
    pub n: u32,
    /// Offset at which reading began, bytes.
    #[ts(type = "number")]
    pub offset: u64,
    /// Offset at which to go on, bytes; none if it was read to its end.
    #[ts(type = "number | null")]
    pub next_offset: Option<u64>,
    /// Size of the whole output, bytes.
    #[ts(type = "number")]
    pub bytes: u64,
    /// A note about the parts that were not read, human-readable.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub note: Option<String>,
    /// Every field of the form; null where the text does not say.
    #[ts(type = "Record<string, number | boolean | string | null>")]
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub answers: Map<String, Value>,
    /// Trust level: typed if the form has no free text, and none of its words are those of an untrusted text.
    pub trust: Trust,
}
