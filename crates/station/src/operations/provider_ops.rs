//! Providers of language models: where they are, and whether they answer.

use std::sync::Arc;

use robot::{Effect, ModelProviderId, Role};
use schemars::JsonSchema;
use serde::Deserialize;

use super::table::{Message, Nothing, Operation, Terms, UI, message, row};
use crate::config::{ModelChoice, ProviderSettings};
use crate::wire::{ModelList, ProviderRow, ProviderTested};
use crate::{OpError, Session, Station};

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Viewer};
    vec![
        row("list_providers", Terms(Viewer, Read, UI), "Providers of language models.", list_providers),
        row("set_provider", Terms(Admin, Write, UI), "Adds or changes a provider of language models.", set_provider),
        row("remove_provider", Terms(Admin, Write, UI), "Removes a provider that no agent uses.", remove_provider),
        row("test_provider", Terms(Admin, Write, UI), "Asks a model for one word.", test_provider),
        row("list_models", Terms(Viewer, Read, UI), "Models of a provider, with window and price.", list_models),
    ]
}

async fn list_providers(station: Arc<Station>, _: Session, _: Nothing) -> Result<Vec<ProviderRow>, OpError> {
    station.models.rows(&station).await
}

#[derive(Debug, Deserialize, JsonSchema)]
struct SetProvider {
    /// The operator's name of it: 1 to 64 of a to z, 0 to 9, `_` and `-`.
    id: ModelProviderId,
    /// The rest is what `config.toml` holds of it.
    #[serde(flatten)]
    provider: ProviderSettings,
}

async fn set_provider(station: Arc<Station>, _: Session, input: SetProvider) -> Result<ProviderRow, OpError> {
    station.models.set_provider(&station, &input.id, &input.provider).await?;
    let rows = station.models.rows(&station).await?;
    rows.into_iter()
        .find(|row| row.id == input.id)
        .ok_or_else(|| OpError::not_found("provider_not_found", "id", &input.id))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfProvider {
    /// The provider.
    provider: ModelProviderId,
}

async fn remove_provider(station: Arc<Station>, _: Session, input: OfProvider) -> Result<Message, OpError> {
    station.models.remove_provider(&station, &input.provider).await?;
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

async fn test_provider(station: Arc<Station>, _: Session, input: TestProvider) -> Result<ProviderTested, OpError> {
    let TestProvider { provider, model } = input;
    let model = match model {
        Some(model) => model,
        None => station.models.first_model(&station, &provider).await?,
    };
    station.models.test(&station, &ModelChoice { provider, model }).await
}

async fn list_models(station: Arc<Station>, _: Session, input: OfProvider) -> Result<ModelList, OpError> {
    station.models.list(&station, &input.provider).await
}
