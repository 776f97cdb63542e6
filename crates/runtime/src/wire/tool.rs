//! Tools that are not operations of the station, and outputs too long for a conversation.

use robot::{Effect, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// A server of tools.
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
    /// Whether its own hints say what its tools do.
    pub trusted: bool,
    /// Whether it answers.
    pub state: McpServerState,
    /// Why it does not.
    pub reason: Option<String>,
    /// What it offers, and what was let of it.
    pub tools: Vec<McpToolRow>,
}

/// Whether a server answers.
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

/// A tool of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct McpToolRow {
    /// `server__tool`: what the agent calls it.
    pub name: String,
    /// What its server calls it.
    pub tool: String,
    /// For the model, in the server's words.
    pub description: String,
    /// Whether the agent may call it.
    pub state: McpToolState,
    /// Why it can never be let.
    pub problem: Option<String>,
    /// What it does; none if nobody has said, and then each call asks.
    pub effect: Option<Effect>,
    /// SHA-256 of `form`, hex: what is pinned.
    pub hash: String,
    /// Canonical JSON of name, description, input schema and annotations.
    pub form: String,
    /// The form that was let, if it is another.
    pub pinned_form: Option<String>,
}

/// Whether the agent may call a server's tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum McpToolState {
    /// Nobody has let it yet.
    New,
    /// It may be called.
    Pinned,
    /// It is not what was let: off until it is let again.
    Changed,
    /// It was let, and its server offers it no more.
    Gone,
    /// It can never be let.
    Refused,
}

/// What a tool of a server answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ToolAnswer {
    /// Its words.
    pub text: String,
    /// The same as data, if the server says so.
    #[ts(type = "unknown")]
    pub structured: Option<serde_json::Value>,
    /// Nobody vouches for it.
    pub trust: Trust,
}

/// How a program in a cell ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProgramEnded {
    /// None if it was ended.
    pub exit_code: Option<i32>,
    /// What it wrote.
    pub output: String,
    /// It wrote more than is kept, and was ended for it.
    pub cut: bool,
    /// It took longer than it may, and was ended for it.
    pub timed_out: bool,
    /// Nobody vouches for it.
    pub trust: Trust,
}

/// Whether an agent has the investigation sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SandboxStatus {
    /// Whether an Admin has turned it on for this agent.
    pub on: bool,
    /// Why no program can run in a cell on this machine; none if it can.
    pub problem: Option<String>,
    /// What can be fetched into it.
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
    /// What is there.
    pub description: String,
    /// What it has to be given.
    pub params: Vec<String>,
}

/// A declared program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShellToolRow {
    /// `shell_<name>`.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Program and arguments, with holes in braces.
    pub command: Vec<String>,
}

/// A declared hook, and what came of it since the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct HookRow {
    /// The point at which it is asked.
    pub on: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// The tools it is asked about; all if there are none.
    pub tools: Vec<String>,
    /// How often it was asked.
    #[ts(type = "number")]
    pub asked: u64,
    /// How often it put something else in the place of what it was shown.
    #[ts(type = "number")]
    pub changed: u64,
    /// How often it denied.
    #[ts(type = "number")]
    pub denied: u64,
    /// How often it could not be asked.
    #[ts(type = "number")]
    pub failed: u64,
    /// Why it could not be asked the last time.
    pub problem: Option<String>,
}

/// What was fetched into a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Fetched {
    /// The file's name in the sandbox's folder.
    pub file: String,
    /// Its size.
    #[ts(type = "number")]
    pub bytes: u64,
    /// How it begins.
    pub head: String,
    /// Nobody vouches for it.
    pub trust: Trust,
}

/// What became of each fetch of a batch, in their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FetchedBatch {
    /// Each with its file, or with what went wrong.
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
    /// Which output.
    pub n: u32,
    /// Where `text` begins, in bytes.
    #[ts(type = "number")]
    pub offset: u64,
    /// The part.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub text: String,
    /// Where the next part begins; none at the end.
    #[ts(type = "number | null")]
    pub next_offset: Option<u64>,
    /// Of the whole output.
    #[ts(type = "number")]
    pub bytes: u64,
    /// As far as what made the output is believed.
    pub trust: Trust,
}

/// What a model that was given nothing but a form says of such an output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OutputAnswers {
    /// Which output.
    pub n: u32,
    /// Where it was begun to read, in bytes.
    #[ts(type = "number")]
    pub offset: u64,
    /// Where to go on; none if it was read to its end.
    #[ts(type = "number | null")]
    pub next_offset: Option<u64>,
    /// Of the whole output.
    #[ts(type = "number")]
    pub bytes: u64,
    /// What was not read, in words.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub note: Option<String>,
    /// Every field of the form; null where the text does not say.
    #[ts(type = "Record<string, number | boolean | string | null>")]
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub answers: Map<String, Value>,
    /// Typed if the form has no free text, and none of its words are those of a text nobody vouches for.
    pub trust: Trust,
}
