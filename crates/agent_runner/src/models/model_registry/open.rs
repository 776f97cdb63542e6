//! Opens a model: what is known of it, what its server says, and the driver that reaches it.

use std::sync::Arc;
use std::time::Duration;

use llm::{Api, Caps, Embedder, EmbeddingSettings, Model, ServerKind, local};
use secrecy::SecretString;

use runtime::config::{ModelChoice, ProviderSettings};
use runtime::error::OpError;

use crate::code::AgentCode;

/// Time limit for embedding some dozens of texts on a small computer.
const EMBEDDING_TIME: Duration = Duration::from_secs(30);

/// A model that can be called, and whether it is as its server says: one that did not answer is asked again.
pub(super) struct Opened {
    pub model: Arc<dyn Model>,
    pub is_settled: bool,
}

/// The driver of `choice`. A local server is asked what it can do; nothing is raised by what it says.
pub(super) async fn open(
    choice: &ModelChoice,
    provider: &ProviderSettings,
    key: Option<SecretString>,
) -> Result<Opened, OpError> {
    let mut caps = caps(choice, provider);
    let answered = if provider.kind.profile().is_local { local::probe(provider.base()).await } else { None };
    let is_settled = answered.is_some() || !provider.is_local();
    if let Some(server) = answered {
        server.lower(&mut caps);
    }
    let settings = llm::ModelSettings::new(caps, provider.is_local());
    let model = llm::http_model(settings, key).map_err(|error| {
        OpError::new(AgentCode::ProviderUnusable, format!("{} cannot be used: {error}.", choice.provider))
    })?;
    Ok(Opened { model: Arc::new(model), is_settled })
}

/// The driver of a model for embeddings.
pub(super) fn embedder(
    choice: &ModelChoice,
    provider: &ProviderSettings,
    key: Option<SecretString>,
) -> Result<Embedder, OpError> {
    let settings = EmbeddingSettings {
        server: provider.kind,
        base: provider.base().to_owned(),
        model: choice.model.clone(),
        is_local: provider.is_local(),
        time: EMBEDDING_TIME,
    };
    llm::embedder(settings, key).map_err(|error| {
        OpError::new(AgentCode::ProviderUnusable, format!("{} cannot be used: {error}.", choice.provider))
    })
}

/// Capabilities of a model, as known before it is asked, with the window that a person has set.
pub(super) fn caps(choice: &ModelChoice, provider: &ProviderSettings) -> Caps {
    let mut caps = llm::caps(provider.kind, choice.provider.as_str(), provider.base(), &choice.model);
    if let Some(window) = provider.window {
        caps.window = window;
        // Half of the window stays for what the model reads.
        caps.output_max = caps.output_max.min(window / 2);
        if provider.kind == ServerKind::Ollama {
            // Only its own interface takes a window; its copy of Chat Completions cuts the prompt without a word.
            caps.api = Api::OllamaChat;
        }
    }
    caps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_a_person_has_set_holds_and_ollama_is_asked_in_its_own_way_then() {
        let choice = ModelChoice { provider: robot::ModelProviderId::new("near").unwrap(), model: "qwen3".into() };
        for (text, api, window) in [
            ("kind = \"ollama\"", Api::ChatCompletions, None),
            ("kind = \"ollama\"\nwindow = 8192", Api::OllamaChat, Some(8_192)),
            ("kind = \"llama_cpp\"\nwindow = 4096", Api::ChatCompletions, Some(4_096)),
        ] {
            let provider: ProviderSettings = toml::from_str(text).unwrap();
            let caps = caps(&choice, &provider);
            assert_eq!(caps.api, api, "{text}");
            assert!(window.is_none_or(|window| caps.window == window && caps.output_max <= window / 2), "{text}");
        }
    }
}
