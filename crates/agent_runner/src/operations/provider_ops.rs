//! Providers of language models: where they are, and whether they answer.

use std::sync::Arc;

use llm::ServerKind;
use robot::{Effect, ModelProviderId, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Operation;
use crate::code::AgentCode;
use crate::runner::AgentRunner;
use runtime::config::{ModelChoice, ProviderSettings};
use runtime::error::OpError;
use runtime::operation::{Message, Nothing, Terms, UI, message, row};
use runtime::secrets::{SecretName, SecretValue};
use runtime::session::Session;
use runtime::wire::{LocalServerRow, ModelList, ProviderRow, ProviderTested};

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Viewer};
    vec![
        row("list_providers", Terms(Viewer, Read, UI, Trust::Text), "Providers of language models.", list_providers),
        row(
            "set_provider",
            Terms(Admin, Write, UI, Trust::Text),
            "Adds or changes a provider of language models.",
            set_provider,
        )
        .example(json!({"id": "local", "kind": "llama_cpp", "base": "http://127.0.0.1:8080"})),
        row(
            "remove_provider",
            Terms(Admin, Write, UI, Trust::Text),
            "Removes a provider that no agent uses.",
            remove_provider,
        )
        .example(json!({"provider": "local"})),
        row("test_provider", Terms(Admin, Write, UI, Trust::Text), "Asks a model for one word.", test_provider)
            .example(json!({"provider": "local"}))
            .takes_agent(),
        row(
            "try_provider",
            Terms(Admin, Write, UI, Trust::Text),
            "Asks a provider that is not saved yet, with a key that is not kept, for its models.",
            try_provider,
        )
        .example(json!({"kind": "llama_cpp", "base": "http://127.0.0.1:8080"})),
        row(
            "detect_local_servers",
            Terms(Viewer, Read, UI, Trust::Text),
            "Model servers of this computer, on the ports they have by default.",
            detect_local_servers,
        ),
        row(
            "list_models",
            Terms(Viewer, Read, UI, Trust::Text),
            "Models of a provider, with window and price.",
            list_models,
        )
        .example(json!({"provider": "local"})),
    ]
}

async fn list_providers(runner: Arc<AgentRunner>, _: Session, _: Nothing) -> Result<Vec<ProviderRow>, OpError> {
    runner.models.rows().await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetProvider {
    /// The operator's name of it: 1 to 64 of a to z, 0 to 9, `_` and `-`.
    id: ModelProviderId,
    /// The kind of server.
    kind: ServerKind,
    /// Its address; the usual one of its kind if left out.
    base: Option<String>,
    /// The name of its key; none is sent if left out.
    key: Option<SecretName>,
    /// True for a server on this computer or in a private network: only there may a connection go without TLS.
    local: Option<bool>,
    /// Tokens of its window, where the server does not say.
    window: Option<u32>,
    /// Models to offer, besides those the server names.
    #[serde(default)]
    models: Vec<String>,
}

async fn set_provider(runner: Arc<AgentRunner>, _: Session, input: SetProvider) -> Result<ProviderRow, OpError> {
    let SetProvider { id, kind, base, key, local, window, models } = input;
    let provider = ProviderSettings { kind, base, key, local, window, models };
    runner.models.set_provider(&id, &provider).await?;
    let rows = runner.models.rows().await?;
    rows.into_iter().find(|row| row.id == id).ok_or_else(|| OpError::not_found(AgentCode::ProviderNotFound, "id", &id))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfProvider {
    /// The provider.
    provider: ModelProviderId,
}

async fn remove_provider(runner: Arc<AgentRunner>, _: Session, input: OfProvider) -> Result<Message, OpError> {
    runner.models.remove_provider(&input.provider).await?;
    Ok(message(format!("The provider {} is removed", input.provider)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TestProvider {
    /// The provider.
    provider: ModelProviderId,
    /// The model; the first that the provider names if left out.
    model: Option<String>,
}

async fn test_provider(runner: Arc<AgentRunner>, by: Session, input: TestProvider) -> Result<ProviderTested, OpError> {
    let TestProvider { provider, model } = input;
    let model = match model {
        Some(model) => model,
        None => runner.models.first_model(&provider).await?,
    };
    // A test belongs to no agent: it is booked with the one on the screen.
    let agent = runner.agents.shown_to(&by)?;
    runner.models.test(&agent.ledger, &ModelChoice { provider, model }).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TryProvider {
    /// The kind of server.
    kind: ServerKind,
    /// Its address; the usual one of its kind if left out.
    base: Option<String>,
    /// The name of a kept key.
    key: Option<SecretName>,
    /// A key that is used for this question alone, in place of a kept one.
    value: Option<SecretValue>,
    /// True for a server on this computer or in a private network: only there may a connection go without TLS.
    local: Option<bool>,
}

async fn try_provider(runner: Arc<AgentRunner>, _: Session, input: TryProvider) -> Result<ModelList, OpError> {
    let TryProvider { kind, base, key, value, local } = input;
    let provider = ProviderSettings { kind, base, key, local, window: None, models: Vec::new() };
    runner.models.attempt(&provider, value).await
}

async fn list_models(runner: Arc<AgentRunner>, _: Session, input: OfProvider) -> Result<ModelList, OpError> {
    runner.models.list(&input.provider).await
}

async fn detect_local_servers(
    runner: Arc<AgentRunner>,
    _: Session,
    _: Nothing,
) -> Result<Vec<LocalServerRow>, OpError> {
    Ok(runner.models.detect().await)
}
