//! Providers of language models on the wire.

use llm::{ModelErrorKind, ServerKind};
use robot::{AgentId, ModelProviderId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::secrets::SecretName;

/// One row of `list_providers`, and the answer of `set_provider`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProviderRow {
    /// The operator's name of it.
    pub id: ModelProviderId,
    /// What kind of server it is.
    pub kind: ServerKind,
    /// Where requests go.
    pub base: String,
    /// Whether a connection may go without TLS.
    pub local: bool,
    /// The name of its key; null if none is sent.
    pub key: Option<SecretName>,
    /// False if it needs a key that nobody has set.
    pub key_is_set: bool,
    /// Tokens of its window, where a person has said so.
    pub window: Option<u32>,
    /// Models that a person has named.
    pub models: Vec<String>,
    /// The agents that use it.
    pub agents: Vec<AgentId>,
}

/// The answer of `test_provider`: what came of one tiny call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProviderTested {
    /// The model that was asked.
    pub model: String,
    /// Until the whole answer was there, or it failed, milliseconds.
    #[ts(type = "number")]
    pub latency_ms: u64,
    /// What it said; null if it failed.
    pub said: Option<String>,
    /// Why it failed; null if it did not.
    pub error: Option<ProviderFailure>,
}

/// Why a provider did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProviderFailure {
    /// What kind of failure it is.
    pub kind: ModelErrorKind,
    /// What it means and what helps, for people.
    pub message: String,
    /// HTTP status, if there was an answer.
    pub status: Option<u16>,
}

/// One row of `list_models`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ModelRow {
    /// As the provider calls it.
    pub name: String,
    /// Tokens of its window, as far as it is known.
    pub window: u32,
    /// Most tokens of a reply.
    pub output_max: u32,
    /// Whether it takes tools outside the text.
    pub native_tools: bool,
    /// What it costs; null if nobody knows.
    pub price: Option<llm::Price>,
    /// True if the server itself names it.
    pub served: bool,
}

/// The answer of `list_models`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ModelList {
    /// By name.
    pub models: Vec<ModelRow>,
    /// Why the server could not be asked; null if it was.
    pub error: Option<ProviderFailure>,
}

/// One row of `detect_local_servers`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LocalServerRow {
    /// What answered.
    pub kind: ServerKind,
    /// Where.
    pub base: String,
    /// The models it has.
    pub models: Vec<String>,
    /// Tokens of its window, if it says.
    pub window: Option<u32>,
    /// The provider that is configured for it already; null if none is.
    pub provider: Option<ModelProviderId>,
}
