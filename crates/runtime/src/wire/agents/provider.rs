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
    /// The kind of server.
    pub kind: ServerKind,
    /// The base address of its API.
    pub base: String,
    /// True if a connection may go without TLS and to a private address.
    pub local: bool,
    /// The name of its key; null if none is sent.
    pub key: Option<SecretName>,
    /// False if it needs a key that nobody has set.
    pub key_is_set: bool,
    /// Tokens of its context window, where a person has said so.
    pub window: Option<u32>,
    /// Models that a person has named.
    pub models: Vec<String>,
    /// The agents that use it.
    pub agents: Vec<AgentId>,
}

/// The answer of `test_provider`: the result of one tiny call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProviderTested {
    /// The model that was asked.
    pub model: String,
    /// Until the whole answer was there, or it failed, milliseconds.
    #[ts(type = "number")]
    pub latency_ms: u64,
    /// The reply; null if the call failed.
    pub said: Option<String>,
    /// The failure; null if the call succeeded.
    pub error: Option<ProviderFailure>,
}

/// A failure of a provider to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProviderFailure {
    /// The kind of failure.
    pub kind: ModelErrorKind,
    /// The meaning of the failure and its remedy, for people.
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
    /// True if it takes native tool calls, outside the text.
    pub native_tools: bool,
    /// The price of its tokens; null if none is known.
    pub price: Option<llm::Price>,
    /// True if the server itself names it.
    pub served: bool,
}

/// The answer of `list_models`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ModelList {
    /// By name.
    pub models: Vec<ModelRow>,
    /// The failure to ask the server; null if it answered.
    pub error: Option<ProviderFailure>,
}

/// One row of `detect_local_servers`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LocalServerRow {
    /// The kind of server that answered.
    pub kind: ServerKind,
    /// The address at which it answered.
    pub base: String,
    /// The models it has.
    pub models: Vec<String>,
    /// Tokens of its window, if it says.
    pub window: Option<u32>,
    /// The provider that is configured for it already; null if none is.
    pub provider: Option<ModelProviderId>,
}
