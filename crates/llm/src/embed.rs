//! Texts as points in space, for search by meaning. Optional: without a server for it, search goes by words.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use url::Url;

use crate::driver::SetupError;
use crate::http::{self, HttpError};
use crate::wire::usage::{plausible, tokens};
use crate::{EmbeddingForm, ModelError, ModelErrorKind, ServerKind, Usage};

/// 64 points of 4,096 numbers of 24 letters are less.
const ANSWER_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Settings of an embedding model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingSettings {
    /// Kind of server: Ollama has a form of its own, all others speak OpenAI's.
    pub server: ServerKind,
    /// Its address, as for a chat model.
    pub base: String,
    /// The model.
    pub model: String,
    /// The operator marked its address as local.
    pub is_local: bool,
    /// Time limit of one request.
    pub time: Duration,
}

/// The places of texts, and what they took.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    /// One for each text, in their order; all have the same number of dimensions.
    pub places: Vec<Vec<f32>>,
    /// Tokens; a guess by length if the server does not say.
    pub usage: Usage,
    /// The same in the server's words; null if it does not say.
    pub usage_raw: Value,
}

/// A model that places texts.
pub struct Embedder {
    url: Url,
    model: String,
    time: Duration,
    client: reqwest::Client,
    authorization: Option<HeaderValue>,
}

/// The model of `settings`. `key` is sent to its address and nowhere else.
///
/// # Errors
/// The address is refused, or the key cannot be sent.
pub fn embedder(settings: EmbeddingSettings, key: Option<SecretString>) -> Result<Embedder, SetupError> {
    let EmbeddingSettings { server, base, model, is_local, time } = settings;
    let mut url = http::parse(&base)?;
    let profile = server.profile();
    let path = url.path();
    url.set_path(&match profile.embeds {
        Some(EmbeddingForm::Ollama) => format!("{}/api/embed", path.trim_end_matches('/').trim_end_matches("/v1")),
        Some(EmbeddingForm::Openai) | None => profile.version.join(path, "embeddings"),
    });
    let reach = http::reach(&url, is_local);
    http::check(&url, reach)?;
    let client = http::client(reach)?;
    let bearer = |key: &SecretString| {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose_secret())).ok()?;
        value.set_sensitive(true);
        Some(value)
    };
    let authorization = match key.filter(|key| !key.expose_secret().is_empty()) {
        None => None,
        Some(key) => Some(bearer(&key).ok_or_else(|| SetupError::Key { provider: http::host(&url) })?),
    };
    Ok(Embedder { url, model, time, client, authorization })
}

impl std::fmt::Debug for Embedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Embedder").field("model", &self.model).field("url", &self.url.as_str()).finish_non_exhaustive()
    }
}

impl Embedder {
    /// Texts that one request should hold at most.
    pub const TEXTS_MAX: usize = 64;

    /// The place of each text, by one request.
    ///
    /// # Errors
    /// The server does not answer in time, refuses, or answers with something else.
    pub async fn embeddings(&self, texts: &[String]) -> Result<Embeddings, ModelError> {
        let asked = tokio::time::timeout(self.time, self.ask(texts)).await;
        let embeddings = asked.map_err(|_| {
            let message = format!("no embeddings within {} ms", self.time.as_millis());
            ModelError::own(ModelErrorKind::Transport, message)
        })??;
        // Distances are defined only between points of the same number of dimensions.
        let is_even = embeddings.places.windows(2).all(|pair| pair[0].len() == pair[1].len());
        if is_even { Ok(embeddings) } else { Err(unreadable("the points have different numbers of dimensions")) }
    }

    async fn ask(&self, texts: &[String]) -> Result<Embeddings, ModelError> {
        let host = http::host(&self.url);
        let body = json!({ "model": self.model, "input": texts }).to_string();
        let mut request = self.client.post(self.url.clone()).header(CONTENT_TYPE, "application/json").body(body);
        if let Some(authorization) = &self.authorization {
            request = request.header(reqwest::header::AUTHORIZATION, authorization);
        }
        let response = request.send().await.map_err(|error| failed(&http::no_answer(&host, &error)))?;
        let status = response.status();
        if !status.is_success() {
            let kind = crate::wire::errors::kind_of_status(status.as_u16());
            let message = HttpError::Status { host, status: status.as_u16() }.to_string();
            return Err(ModelError { status: Some(status.as_u16()), ..ModelError::own(kind, message) });
        }
        let body = http::body(&host, response, ANSWER_BYTES_MAX).await.map_err(|error| failed(&error))?;
        let answer: Value = serde_json::from_slice(&body).map_err(|_| unreadable("the answer is no JSON"))?;
        let places = places(&answer).filter(|places| places.len() == texts.len());
        let places = places.ok_or_else(|| unreadable("the answer does not hold one point a text"))?;
        let (usage, usage_raw) = usage(&answer, texts);
        Ok(Embeddings { places, usage, usage_raw })
    }
}

/// The points of either form, in the order of their texts.
fn places(answer: &Value) -> Option<Vec<Vec<f32>>> {
    if let Some(places) = answer.get("embeddings").and_then(Value::as_array) {
        return places.iter().map(place).collect();
    }
    let rows = answer.get("data")?.as_array()?;
    let mut numbered: Vec<(u64, Vec<f32>)> = rows
        .iter()
        .zip(0..)
        // Servers may answer out of order; `index` says which text a point belongs to.
        .map(|(row, at)| Some((row["index"].as_u64().unwrap_or(at), place(row.get("embedding")?)?)))
        .collect::<Option<_>>()?;
    numbered.sort_by_key(|(at, _)| *at);
    Some(numbered.into_iter().map(|(_, place)| place).collect())
}

/// Usage that the answer reports, in either form; an estimate if it reports none.
fn usage(answer: &Value, texts: &[String]) -> (Usage, Value) {
    let of_ollama = answer.get("prompt_eval_count").map(|count| json!({ "prompt_eval_count": count }));
    let raw = answer.get("usage").filter(|usage| usage.is_object()).cloned().or(of_ollama).unwrap_or_default();
    let count = ["prompt_tokens", "total_tokens", "prompt_eval_count"].iter().find_map(|name| raw.get(name)?.as_u64());
    let bytes = || texts.iter().map(String::len).sum();
    let reported = count.and_then(|in_fresh| plausible(Usage { in_fresh, ..Usage::default() }));
    let guessed = || Usage { in_fresh: tokens(bytes()), estimated: true, ..Usage::default() };
    (reported.unwrap_or_else(guessed), raw)
}

#[expect(clippy::cast_possible_truncation, reason = "single precision is what search needs")]
fn place(numbers: &Value) -> Option<Vec<f32>> {
    let place: Vec<f32> =
        numbers.as_array()?.iter().map(|number| Some(number.as_f64()? as f32)).collect::<Option<_>>()?;
    // One value that is no number would spoil every distance it enters.
    (!place.is_empty() && place.iter().all(|number| number.is_finite())).then_some(place)
}

fn failed(error: &HttpError) -> ModelError {
    ModelError::own(ModelErrorKind::Transport, error.to_string())
}

fn unreadable(message: &str) -> ModelError {
    ModelError::own(ModelErrorKind::Protocol, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k_01_a_figure_that_cannot_be_meant_is_replaced_by_a_guess() {
        let check = |count: u64, expected: Usage| {
            let answer = json!({ "usage": { "prompt_tokens": count } });
            assert_eq!(usage(&answer, &["abcd".to_owned()]).0, expected, "{count}");
        };
        let guess = Usage { in_fresh: tokens(4), estimated: true, ..Usage::default() };
        check(7, Usage { in_fresh: 7, ..Usage::default() });
        check(900_000_000_000_000, guess);
    }
}
