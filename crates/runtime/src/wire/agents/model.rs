//! Model calls on the wire: their cost, and the requests that the models were shown.

use std::collections::BTreeMap;

use agent::ModelName;
use llm::{CallId, Usage};
use robot::{AgentId, ConversationId, MissionId, Trust, TurnId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::config::ModelChoice;

/// The answer of `select_model`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ModelSelected {
    /// The agent.
    pub agent: AgentId,
    /// The model that answers from the agent's next turn on.
    pub model: ModelName,
    /// The model of side calls; null if it is the same.
    pub side: Option<ModelChoice>,
}

/// The answer of `select_embedding`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EmbeddingSelected {
    /// The agent.
    pub agent: AgentId,
    /// The model that embeds its memory and tools from now on; null for none.
    pub embedding: Option<ModelChoice>,
}

/// A budget in money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Meter {
    /// The budget of one turn.
    Turn,
    /// The budget of one mission.
    Mission,
    /// The budget of one day.
    Day,
}

/// The spent part of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BudgetRow {
    /// Millionths of a US dollar, of calls with a known price.
    #[ts(type = "number")]
    pub spent_microusd: i64,
    /// Number of further calls with an unknown price.
    #[ts(type = "number")]
    pub unknown_calls: i64,
    /// The budget, including additions by people; null without a bound.
    #[ts(type = "number | null")]
    pub limit_microusd: Option<i64>,
}

impl BudgetRow {
    /// True if nothing is left of it.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.limit_microusd.is_some_and(|limit| self.spent_microusd >= limit)
    }
}

/// The budgets that an agent draws on: the answer of `add_budget`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BudgetsRow {
    /// The budget of the turn that was named.
    pub turn: Option<BudgetRow>,
    /// The budget of the mission that was named.
    pub mission: Option<BudgetRow>,
    /// The budget of today.
    pub day: BudgetRow,
}

/// One row of `list_model_calls`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ModelCallRow {
    /// `mc-<uuid>`.
    pub id: String,
    /// When it began, UTC milliseconds.
    #[ts(type = "number")]
    pub began_ms: i64,
    /// When it ended; null while it is under way.
    #[ts(type = "number | null")]
    pub ended_ms: Option<i64>,
    /// The conversation.
    pub session: ConversationId,
    /// The turn; null for a call in the background.
    pub turn: Option<TurnId>,
    /// The mission it was for.
    pub mission_id: Option<MissionId>,
    /// The purpose of the call, for example `main`.
    pub purpose: String,
    /// The provider; empty for the built-in interpreter.
    pub provider: String,
    /// The model.
    pub model: String,
    /// `running`, `ok`, `interrupted`, or why there was no reply.
    pub outcome: String,
    /// The price it was reckoned by; null if nobody knows one.
    pub price: Option<llm::Price>,
    /// Usage in the provider's words; null if it said nothing.
    #[ts(type = "unknown")]
    pub usage_raw: serde_json::Value,
    /// The same in this program's own form.
    pub usage: Usage,
    /// The part of the input that a cache gave, 0 to 1.
    pub cached_share: f64,
    /// Millionths of a US dollar; null if nobody knows.
    #[ts(type = "number | null")]
    pub cost_microusd: Option<i64>,
}

/// The answer of `list_model_calls`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ModelCallList {
    /// Newest first.
    pub calls: Vec<ModelCallRow>,
    /// True if there are more, older ones.
    pub is_cut: bool,
    /// The date of today at the station, for example `2026-03-08`.
    pub today: String,
    /// The state of today's budget.
    pub day: BudgetRow,
}

/// The answer of `get_turn_view`: each request of a turn, as the model was shown it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TurnView {
    /// The turn.
    pub turn: TurnId,
    /// The conversation.
    pub session: ConversationId,
    /// Oldest first.
    pub calls: Vec<CallView>,
    /// Every text by its SHA-256, hex. One that was forgotten reads so; one that is too old is missing.
    pub texts: BTreeMap<String, String>,
}

/// One call of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CallView {
    /// Its row of the ledger.
    pub row: ModelCallRow,
    /// The request, if it is kept.
    pub layout: Option<ViewLayout>,
}

/// The parts of one request, in order. Texts stand in it by their hash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ViewLayout {
    /// Within an epoch a request only grows at its end.
    pub epoch: u32,
    /// System text.
    pub system: Vec<String>,
    /// The tools it might call, as JSON.
    pub tools: Option<String>,
    /// The tool choice of the request: the calls it allowed or demanded.
    #[ts(type = "unknown")]
    pub choice: serde_json::Value,
    /// Most tokens of the reply.
    pub output_max: u32,
    /// The first message that was gone again after this call.
    #[ts(type = "number | null")]
    pub transient_from: Option<usize>,
    /// The conversation.
    pub messages: Vec<ViewMessage>,
}

/// One message of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ViewMessage {
    /// `system`, `user` or `assistant`.
    pub speaker: String,
    /// The author, for example `operator(dana)`.
    pub origin: String,
    /// The entry of the transcript; null for a hint of this call alone.
    #[ts(type = "number | null")]
    pub entry: Option<u64>,
    /// Its parts.
    pub blocks: Vec<ViewBlock>,
    /// A reply in its provider's own form, sent back in place of the parts.
    pub replayed: Option<String>,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ViewBlock {
    /// Words.
    Text {
        /// The words.
        hash: String,
        /// Trust level of the words.
        trust: Trust,
    },
    /// A call of the model.
    Call {
        /// Its id.
        id: CallId,
        /// The tool.
        name: String,
        /// The arguments as they arrived.
        hash: String,
    },
    /// The answer to a call.
    Result {
        /// The call.
        call: CallId,
        /// A JSON object.
        hash: String,
        /// True if the call failed or was not run.
        is_error: bool,
        /// The lowest trust level of the texts it quotes.
        trust: Trust,
    },
}

/// Formats of a turn's export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExportForm {
    /// Everything, for programs.
    Json,
    /// An incident report, for people.
    Markdown,
}

/// The answer of `export_turn`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TurnExport {
    /// A name for the file.
    pub name: String,
    /// The content of the file.
    pub text: String,
    /// SHA-256 of that, hex.
    pub sha256: String,
}
