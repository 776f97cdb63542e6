//! One attempt at a reply over HTTP. Everything about formats is in `wire`; everything about time, bytes, keys and
//! addresses is here. Retries belong to the turn loop, but for the one that takes a refused wish back.

mod bounds;
mod conversations;
mod reading;

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::http::{self, HttpError};
use crate::wire::{errors, replay, usage};
use crate::{
    Anthropic, Api, Auth, BoxFuture, Caps, Chat, Delta, DeltaSink, Gemini, HttpRequest, Model, ModelError,
    ModelErrorKind, Ollama, Reply, Request, ServerKind, Thinking, Wire,
};
use conversations::{Conversation, Conversations};

/// Stands for the key in what a server says.
const KEY: &str = "[key]";
/// A shorter beginning of a key is a word like any other, bytes.
const KEY_BYTES_MIN: usize = 4;

/// Settings of a model: capabilities, address, time limits.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSettings {
    /// Identity, capabilities and base URL.
    pub caps: Caps,
    /// The operator marked its address as local: it may be private, and need not be encrypted.
    pub is_local: bool,
    /// Time limits of a call.
    pub times: Times,
}

impl ModelSettings {
    /// The model of `caps` with the times of its kind.
    #[must_use]
    pub fn new(caps: Caps, is_local: bool) -> Self {
        let times = Times::of(&caps, is_local);
        Self { caps, is_local, times }
    }
}

/// Time limits of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Until the first content of the reply.
    pub first: Duration,
    /// Then between two pieces.
    pub idle: Duration,
}

impl Times {
    /// A local model reads a long prompt slowly, and one that thinks is silent first.
    #[must_use]
    pub fn of(caps: &Caps, is_local: bool) -> Self {
        let is_slow = is_local || caps.thinking != Thinking::No;
        Self {
            first: Duration::from_secs(if is_slow { 300 } else { 120 }),
            idle: Duration::from_secs(if is_local { 120 } else { 30 }),
        }
    }
}

/// A fault in the setup of a model, which therefore cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// Its address is not used.
    #[error(transparent)]
    Address(#[from] HttpError),
    /// It is not reached over HTTP at all.
    #[error("{name} is no model of a provider")]
    Builtin {
        /// The model.
        name: String,
    },
    /// Its key cannot be sent.
    #[error("the key of {provider} holds characters that no key has")]
    Key {
        /// The operator's name of the provider.
        provider: String,
    },
}

/// The model of `settings`, reached over HTTP. `key` is sent to its address and nowhere else.
///
/// # Errors
/// The address is refused, or the key cannot be sent.
pub fn http_model(settings: ModelSettings, key: Option<SecretString>) -> Result<HttpModel, SetupError> {
    let ModelSettings { caps, is_local, times } = settings;
    let wire: fn(Caps) -> Box<dyn Wire> = match caps.api {
        Api::Builtin => return Err(SetupError::Builtin { name: caps.name }),
        Api::AnthropicMessages => |caps| Box::new(Anthropic::new(caps)),
        Api::ChatCompletions => |caps| Box::new(Chat::new(caps)),
        Api::GeminiGenerateContent => |caps| Box::new(Gemini::new(caps)),
        Api::OllamaChat => |caps| Box::new(Ollama::new(caps)),
    };
    let base = base(&caps)?;
    let reach = http::reach(&base, is_local);
    http::check(&base, reach)?;
    // An empty field in the settings means that the server wants no key.
    let key = key.filter(|key| !key.expose_secret().is_empty());
    // Found out while the model is set up, not in the middle of its first turn.
    if key.as_ref().is_some_and(|key| HeaderValue::from_str(key.expose_secret()).is_err()) {
        return Err(SetupError::Key { provider: caps.provider });
    }
    let client = http::client(reach)?;
    Ok(HttpModel { caps, wire, base, client, key, times, conversations: Conversations::default() })
}

/// A model of a provider.
pub struct HttpModel {
    caps: Caps,
    /// Its format, for what is left of its capabilities in a conversation.
    wire: fn(Caps) -> Box<dyn Wire>,
    base: Url,
    client: reqwest::Client,
    key: Option<SecretString>,
    times: Times,
    conversations: Conversations,
}

impl std::fmt::Debug for HttpModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpModel")
            .field("name", &self.caps.name)
            .field("base", &self.caps.base)
            .finish_non_exhaustive()
    }
}

impl Model for HttpModel {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn call(&self, request: Request, deltas: Arc<DeltaSink>) -> BoxFuture<'_, Result<Reply, ModelError>> {
        Box::pin(async move { self.converse(request, deltas.as_ref()).await })
    }
}

impl HttpModel {
    async fn converse(&self, mut request: Request, deltas: &DeltaSink) -> Result<Reply, ModelError> {
        let session = request.session.clone();
        let conversation = self.conversations.of(&session, &self.caps);
        // A provider that has once failed to recognise its own thinking will not recognise it later either.
        request.drop_blocks |= conversation.drops_blocks;
        let error = match self.attempt(&conversation, &request, deltas).await {
            Ok(reply) => return Ok(reply),
            Err(error) => error,
        };
        // The provider knows its own window better than the catalogue does.
        if let Some(window) = error.window {
            self.conversations.change(&session, |known| known.caps.window = known.caps.window.min(window));
        }
        let Some(lowered) = lowered(conversation, &mut request, &error) else { return Err(error) };
        tracing::info!(
            model = self.caps.name,
            error = error.message,
            "the call is made once more without what was refused"
        );
        // Remembered before the second attempt, so that later calls do not meet the same refusal.
        self.conversations.change(&session, |known| known.clone_from(&lowered));
        if error.status.is_none() {
            // Without a status the refusal came inside a stream, whose words so far have been shown.
            deltas(Delta::Restart);
        }
        self.attempt(&lowered, &request, deltas).await
    }

    async fn attempt(
        &self,
        conversation: &Conversation,
        request: &Request,
        deltas: &DeltaSink,
    ) -> Result<Reply, ModelError> {
        let wire = (self.wire)(conversation.caps.clone());
        let encoded = wire.encode(request, &conversation.marks);
        let (sent, marks) = encoded.map_err(|error| ModelError::own(ModelErrorKind::BadRequest, error.to_string()))?;
        let answered = self.exchange(wire.as_ref(), &sent, request, deltas).await;
        // Only a request that was answered has filled the provider's cache.
        let reply = answered.map_err(|error| told(error, self.key.as_ref()))?;
        self.conversations.change(&request.session, |known| known.marks = marks);
        Ok(reply)
    }

    fn headers(&self, sent: &HttpRequest) -> HeaderMap {
        let plain = sent
            .headers
            .iter()
            .filter_map(|(name, value)| Some((HeaderName::from_static(name), HeaderValue::from_str(value).ok()?)));
        let mut headers: HeaderMap = plain.collect();
        let Some(key) = &self.key else { return headers };
        let (name, text) = match sent.auth {
            Auth::Bearer => ("authorization", format!("Bearer {}", key.expose_secret())),
            Auth::Header(name) => (name, key.expose_secret().to_owned()),
        };
        if let Ok(mut value) = HeaderValue::from_str(&text) {
            // The HTTP client then leaves the key out of its debug output.
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        headers
    }
}

/// An error as it goes on: without figures that cannot be meant, and without the key, which some servers quote.
fn told(error: ModelError, key: Option<&SecretString>) -> ModelError {
    let clean = |text: String| match key {
        Some(key) => without(&text, key.expose_secret()),
        None => text,
    };
    ModelError {
        message: clean(error.message),
        provider_code: error.provider_code.map(clean),
        request_id: error.request_id.map(clean),
        slip: error.slip.map(clean),
        usage: error.usage.and_then(usage::plausible),
        ..error
    }
}

/// `text` without `key`, and without the beginning of it at its end, where the text may have been cut.
fn without(text: &str, key: &str) -> String {
    let text = text.replace(key, KEY);
    let begin = key.char_indices().map(|(at, _)| &key[..at]).rev().find(|begin| text.ends_with(begin));
    match begin.filter(|begin| begin.len() >= KEY_BYTES_MIN) {
        Some(begin) => format!("{}{KEY}", &text[..text.len() - begin.len()]),
        None => text,
    }
}

/// A lowered conversation for one more attempt after a refusal: without the capability that it names, or without
/// thinking that no longer fits what stands before it.
fn lowered(conversation: Conversation, request: &mut Request, error: &ModelError) -> Option<Conversation> {
    // If the provider was to drop such thinking already, another attempt would be refused the same way.
    if error.kind == ModelErrorKind::PrefixBound && !request.drop_blocks {
        *request = replay::without_proofs(request);
        return Some(Conversation { drops_blocks: true, ..conversation });
    }
    let caps = conversation.caps.without(errors::capability(error)?)?;
    Some(Conversation { caps, ..conversation })
}

/// Base URL of requests. People leave out the version that some servers want in front of everything, and add the one
/// that others have in each path.
fn base(caps: &Caps) -> Result<Url, HttpError> {
    let mut base = http::parse(&caps.base)?;
    let path = base.path().trim_end_matches('/').to_owned();
    let path = match (caps.api, caps.server) {
        (
            Api::ChatCompletions,
            Some(
                ServerKind::Openai
                | ServerKind::LlamaCpp
                | ServerKind::Ollama
                | ServerKind::LmStudio
                | ServerKind::Vllm,
            ),
        ) if path.is_empty() => "/v1",
        (Api::OllamaChat | Api::AnthropicMessages, _) => path.trim_end_matches("/v1"),
        (Api::GeminiGenerateContent, _) => path.trim_end_matches("/v1beta"),
        _ => &path,
    };
    base.set_path(path);
    base.set_query(None);
    base.set_fragment(None);
    Ok(base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Usage;

    #[test]
    fn w_04_a_message_that_was_cut_in_the_middle_of_the_key_shows_none_of_it() {
        let (key, kept) = ("sk-0123456789abcdef", "the server answered 502: authorization: Bearer ");
        let key_of = SecretString::from(key);
        for shown in 0..=key.len() {
            let message = format!("{kept}{}", &key[..shown]);
            let error = told(ModelError::own(ModelErrorKind::Overloaded, message.clone()), Some(&key_of));
            let expected = if shown < KEY_BYTES_MIN { message } else { format!("{kept}{KEY}") };
            assert_eq!(error.message, expected, "{shown}");
        }
        let plain = told(ModelError::own(ModelErrorKind::Auth, "Incorrect key."), None);
        assert_eq!(plain.message, "Incorrect key.");
    }

    #[test]
    fn k_01_figures_that_cannot_be_meant_leave_no_error() {
        for (in_fresh, stays) in [(7, true), (900_000_000_000_000, false)] {
            let usage = Usage { in_fresh, ..Usage::default() };
            let broken = ModelError { usage: Some(usage), ..ModelError::own(ModelErrorKind::Transport, "gone") };
            assert_eq!(told(broken, None).usage, stays.then_some(usage), "{in_fresh}");
        }
    }
}
