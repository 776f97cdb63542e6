//! Asks a provider whether it answers, and what it has.

use std::sync::Arc;

use llm::{Block, ModelError, ModelErrorKind, Reply, ReplyBlock, Request, RequestMessage, Speaker, ToolChoice};
use robot::{ConversationId, ModelProviderId, Origin, SharedCode, Trust};

use super::ModelRegistry;
use crate::models::ledger::{Ledger, Place};
use crate::models::stream::Stream;
use runtime::config::{ModelChoice, ProviderSettings};
use runtime::error::OpError;
use runtime::lock::read;
use runtime::secrets::SecretValue;
use runtime::wire::{LocalServerRow, ModelList, ModelRow, ProviderFailure, ProviderTested, word};

/// Question of a test, whose answer costs next to nothing.
const QUESTION: &str = "Answer with the one word OK.";
/// Room for a model that thinks before it says one word.
const ANSWER_TOKENS_MAX: u32 = 64;
/// Conversation and purpose of a test in the ledger.
const TEST: &str = "test";

impl ModelRegistry {
    /// Asks a model for one word. The call is in the ledger of an agent like any other.
    pub async fn test(&self, ledger: &Ledger, choice: &ModelChoice) -> Result<ProviderTested, OpError> {
        let model = self.open(choice).await?;
        let (request, place) = (question(), Place { session: TEST.into(), turn: None, mission: None });
        let row = ledger.begin(&place, ledger.as_of().await, TEST, model.caps(), &request).await;
        let began = self.runtime.clock.now().station;
        let stream = Arc::new(Stream::default());
        let answer = model.call(request, stream.sink()).await;
        let latency_ms = self.runtime.clock.now().station.ms_since(began);
        // A provider may quote the key that it refuses.
        let answer = answer
            .map_err(|error| ModelError { message: self.runtime.redaction.without_secrets(&error.message), ..error });
        // Nothing is streamed here: only what the error reports shows that the model had begun.
        ledger.end(row, stream.ending(Some(&answer))).await;
        let model = choice.model.clone();
        Ok(match answer {
            Ok(reply) => ProviderTested { model, latency_ms, said: Some(words(&reply)), error: None },
            Err(error) => ProviderTested { model, latency_ms, said: None, error: Some(failure(&error)) },
        })
    }

    /// The model that is asked if nobody names one.
    pub async fn first_model(&self, id: &ModelProviderId) -> Result<String, OpError> {
        let list = self.list(id).await?;
        let first = list.models.into_iter().next();
        first.map(|model| model.name).ok_or_else(|| {
            OpError::bad_input(SharedCode::InvalidInput, "model", format!("{id} names no model; name the one to ask."))
        })
    }

    /// The models of a provider: those a person has named, and those the server has.
    pub async fn list(&self, id: &ModelProviderId) -> Result<ModelList, OpError> {
        let provider = self.provider(id)?;
        Ok(listed(id.as_str(), &provider, self.served(&provider).await))
    }

    /// The models of a provider that is not written down yet, asked with a key that is not kept: `value`, or else the
    /// one it names. What was tried is in the audit like any other call.
    pub async fn attempt(&self, provider: &ProviderSettings, value: Option<SecretValue>) -> Result<ModelList, OpError> {
        provider
            .check()
            .map_err(|(field, why)| OpError::bad_input(SharedCode::InvalidInput, field, format!("{why}.")))?;
        let key = match (value, &provider.key) {
            (Some(value), _) => Some(self.keys.tried(value)),
            (None, Some(name)) => Some(self.key(name).await?),
            (None, None) => None,
        };
        let served = llm::served_models(provider.kind, provider.base(), provider.is_local(), key.as_ref()).await;
        let served = served
            .map_err(|error| ModelError { message: self.runtime.redaction.without_secrets(&error.message), ..error });
        Ok(listed(word(&provider.kind).as_str(), provider, served))
    }

    /// Names of the models that the server itself lists.
    async fn served(&self, provider: &ProviderSettings) -> Result<Vec<String>, ModelError> {
        let key = match &provider.key {
            Some(name) => {
                let found = self.key(name).await;
                Some(found.map_err(|error| ModelError::own(ModelErrorKind::Auth, error.message))?)
            }
            None => None,
        };
        if provider.is_local() && key.is_none() {
            let Some(server) = llm::local::probe(provider.base()).await else {
                return Err(ModelError::own(ModelErrorKind::Transport, "no model server answers there"));
            };
            return Ok(server.models.into_iter().map(|model| model.name).collect());
        }
        Ok(Vec::new())
    }

    /// Model servers of this computer, with the provider that is configured for each.
    pub async fn detect(&self) -> Vec<LocalServerRow> {
        let found = llm::local::detect().await;
        let settings = read(&self.settings);
        let provider_of = |base: &str| {
            let of =
                |provider: &ProviderSettings| provider.base().trim_end_matches('/').trim_end_matches("/v1") == base;
            settings.providers.iter().find(|(_, provider)| of(provider)).map(|(id, _)| id.clone())
        };
        let rows = found.into_iter().map(|server| LocalServerRow {
            provider: provider_of(&server.base),
            window: server.models.iter().find_map(|model| model.window),
            models: server.models.into_iter().map(|model| model.name).collect(),
            kind: server.kind,
            base: server.base,
        });
        rows.collect()
    }
}

/// Models that a person has named, and those that the server has.
fn listed(id: &str, provider: &ProviderSettings, served: Result<Vec<String>, ModelError>) -> ModelList {
    let (served, error) = match served {
        Ok(served) => (served, None),
        Err(error) => (Vec::new(), Some(failure(&error))),
    };
    let named = provider.models.iter().filter(|name| !served.contains(*name));
    let mut models: Vec<ModelRow> = named.map(|name| row(id, provider, name, false)).collect();
    models.extend(served.iter().map(|name| row(id, provider, name, true)));
    models.sort_by(|a, b| a.name.cmp(&b.name));
    ModelList { models, error }
}

fn row(id: &str, provider: &ProviderSettings, name: &str, served: bool) -> ModelRow {
    let caps = llm::caps(provider.kind, id, provider.base(), name);
    ModelRow {
        name: name.to_owned(),
        window: provider.window.unwrap_or(caps.window),
        output_max: caps.output_max,
        native_tools: caps.native_tools,
        price: llm::price(&caps),
        served,
    }
}

/// A failure in words that say what helps.
fn failure(error: &ModelError) -> ProviderFailure {
    let helps = match error.kind {
        ModelErrorKind::Auth => "The key is missing, wrong or not allowed to do this. Set another key.",
        ModelErrorKind::Quota => "The account has no money or quota left.",
        ModelErrorKind::RateLimit => "The provider takes no more requests for now. Try again later.",
        ModelErrorKind::Overloaded => "The server is busy or failed. Try again later.",
        ModelErrorKind::Transport => {
            "The server was not reached, or its answer broke off. Check the address and that it runs."
        }
        ModelErrorKind::BadRequest => {
            "The server does not take this request. Check the model's name and the kind of server."
        }
        ModelErrorKind::Protocol => "The answer cannot be read. Check the kind of server.",
        ModelErrorKind::Overflow => "The window is too small even for one sentence.",
        ModelErrorKind::PrefixBound | ModelErrorKind::Refused => "The provider declined.",
        ModelErrorKind::Cancelled => "The test was ended.",
    };
    ProviderFailure { kind: error.kind, message: format!("{helps} ({})", error.message), status: error.status }
}

fn words(reply: &Reply) -> String {
    let text = reply.blocks.iter().filter_map(|block| match block {
        ReplyBlock::Text(text) => Some(text.as_str()),
        ReplyBlock::Call { .. } => None,
    });
    text.collect::<Vec<_>>().concat()
}

fn question() -> Request {
    Request {
        session: ConversationId::from(TEST),
        epoch: 0,
        system: Vec::new(),
        tools: Arc::new([]),
        messages: vec![RequestMessage {
            speaker: Speaker::User,
            origin: Origin::System,
            entry: None,
            blocks: vec![Block::Text { text: QUESTION.into(), trust: Trust::Trusted }],
            sidecar: None,
        }],
        choice: ToolChoice::Auto,
        output_max: ANSWER_TOKENS_MAX,
        thinking: llm::ThinkingWish::Off,
        sampling: None,
        transient_from: None,
        marks: llm::MarkWish::default(),
        drop_blocks: false,
    }
}
