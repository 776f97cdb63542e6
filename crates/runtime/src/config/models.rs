//! The `[providers]` and `[agents]` parts of `config.toml`: providers of models, and the agents that use them.

use std::collections::BTreeMap;

use llm::ServerKind;
use robot::{AgentId, ModelProviderId, SharedCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::error::OpError;
use crate::secrets::SecretName;

/// Providers of one station; each is a row on a screen.
const PROVIDERS_MAX: usize = 32;
/// Models that one provider names.
const MODELS_MAX: usize = 200;
/// The longest name of a model, and the longest address.
const TEXT_BYTES_MAX: usize = 256;
/// Range of `window`, tokens.
const WINDOW: std::ops::RangeInclusive<u32> = 1_024..=16_000_000;

/// Providers and agents, as `config.toml` says them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelSettings {
    /// The `[providers]` part.
    pub providers: BTreeMap<ModelProviderId, ProviderSettings>,
    /// The `[agents]` part.
    pub agents: BTreeMap<AgentId, AgentSettings>,
}

/// One `[providers.<id>]`: the address and the models of a server of language models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ProviderSettings {
    /// The kind of server.
    pub kind: ServerKind,
    /// Its address; the usual one of its kind if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub base: Option<String>,
    /// The name of its key in the keychain; none is sent if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub key: Option<SecretName>,
    /// True for a server on this computer or in a private network: only there may a connection go without TLS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub local: Option<bool>,
    /// Tokens of its window, where the server does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub window: Option<u32>,
    /// Models to offer, besides those the server names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub models: Vec<String>,
}

/// One `[agents.<id>]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AgentSettings {
    /// The provider of its model; without one the built-in command interpreter answers.
    pub provider: Option<ModelProviderId>,
    /// Its model.
    pub model: Option<String>,
    /// The model of side calls; its own if left out.
    pub side: Option<ModelChoice>,
    /// The model for embeddings; without one memory and tools are searched by words alone.
    pub embedding: Option<ModelChoice>,
    /// `preset`, and the settings that differ from it.
    pub policy: toml::Table,
}

/// A model of a provider.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ModelChoice {
    /// The provider.
    pub provider: ModelProviderId,
    /// The model.
    pub model: String,
}

impl ProviderSettings {
    /// The base address of its API.
    pub fn base(&self) -> &str {
        self.base.as_deref().unwrap_or(self.kind.profile().base)
    }

    /// True if a connection may go without TLS and to a private address.
    pub fn is_local(&self) -> bool {
        self.local.unwrap_or(self.kind.profile().is_local)
    }

    /// Refuses a kind of server whose interface for embeddings this program does not speak.
    pub fn check_embeds(&self) -> Result<(), OpError> {
        let message = "Embeddings come from a server that speaks OpenAI's interface, or from Ollama.";
        let refusal = || OpError::bad_input(SharedCode::InvalidInput, "provider", message);
        self.kind.profile().embeds.map(drop).ok_or_else(refusal)
    }

    /// Refuses what could not be reached, naming the field.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        let base = self.base();
        let is_plain = base.starts_with("http://");
        if !(is_plain || base.starts_with("https://")) || base.len() > TEXT_BYTES_MAX {
            let message = format!("base begins with https:// or, for a local server, http://, up to {TEXT_BYTES_MAX}");
            return Err(("base", message));
        }
        if base.contains(['@', '?', '#']) || base.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err((
                "base",
                "base is an address without a user, a query or blanks; a key has its own place".into(),
            ));
        }
        // On a public network the key and all texts would pass readable (decision 0048).
        if is_plain && !self.is_local() {
            return Err(("base", "base without TLS is for a server marked local = true".into()));
        }
        if self.kind == ServerKind::OpenaiCompatible && self.base.is_none() {
            return Err(("base", "base is needed for a server of this kind".into()));
        }
        if self.window.is_some_and(|window| !WINDOW.contains(&window)) {
            return Err(("window", format!("window is {} to {} tokens", WINDOW.start(), WINDOW.end())));
        }
        let is_name = |model: &String| !model.trim().is_empty() && model.len() <= TEXT_BYTES_MAX;
        if self.models.len() > MODELS_MAX || !self.models.iter().all(is_name) {
            let message = format!("models are at most {MODELS_MAX} names of 1 to {TEXT_BYTES_MAX} bytes");
            return Err(("models", message));
        }
        Ok(())
    }
}

impl AgentSettings {
    /// The model of the conversation, if it is a language model.
    pub fn main(&self) -> Option<ModelChoice> {
        Some(ModelChoice { provider: self.provider.clone()?, model: self.model.clone()? })
    }
}

impl ModelSettings {
    /// Refuses what contradicts itself, naming the key.
    pub fn check(&self) -> Result<(), String> {
        if self.providers.len() > PROVIDERS_MAX {
            return Err(format!("providers: at most {PROVIDERS_MAX} are taken"));
        }
        for (id, provider) in &self.providers {
            provider.check().map_err(|(_, why)| format!("providers.{id}: {why}"))?;
        }
        for (id, settings) in &self.agents {
            agent::Policy::read(&settings.policy).map_err(|why| format!("agents.{id}.policy: {why}"))?;
            if settings.provider.is_some() != settings.model.is_some() {
                return Err(format!("agents.{id}: provider and model go together"));
            }
            let chosen = settings.main().into_iter().chain(settings.side.clone()).chain(settings.embedding.clone());
            for choice in chosen {
                self.check_choice(&choice).map_err(|why| format!("agents.{id}: {why}"))?;
            }
        }
        Ok(())
    }

    fn check_choice(&self, choice: &ModelChoice) -> Result<(), String> {
        if choice.model.trim().is_empty() || choice.model.len() > TEXT_BYTES_MAX {
            return Err(format!("model is 1 to {TEXT_BYTES_MAX} bytes"));
        }
        if self.providers.contains_key(&choice.provider) {
            return Ok(());
        }
        Err(format!("there is no provider {}", choice.provider))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A provider as `config.toml` has it, and the field that is refused.
    fn check(text: &str, refused: Option<&str>) {
        let provider: ProviderSettings = toml::from_str(text).unwrap();
        assert_eq!(provider.check().map_err(|(field, _)| field), refused.map_or(Ok(()), Err), "{text}");
    }

    #[test]
    fn w_03_a_base_without_tls_is_for_servers_marked_local() {
        check("kind = \"anthropic\"", None);
        check("kind = \"ollama\"", None);
        check("kind = \"openai\"\nbase = \"http://10.0.0.5:8000/v1\"", Some("base"));
        check("kind = \"openai\"\nbase = \"http://10.0.0.5:8000/v1\"\nlocal = true", None);
        check("kind = \"llama_cpp\"\nlocal = false", Some("base"));
        check("kind = \"openai_compatible\"", Some("base"));
        check("kind = \"openai_compatible\"\nbase = \"https://llm.example/v1\"", None);
        check("kind = \"openai\"\nbase = \"https://sk-key@llm.example/v1\"", Some("base"));
        check("kind = \"openai\"\nbase = \"file:///etc/passwd\"", Some("base"));
        check("kind = \"openai\"\nwindow = 100", Some("window"));
        check("kind = \"openai\"\nmodels = [\" \"]", Some("models"));
    }
}
