//! Models that a server lists for a key: the cheapest question that tells whether the address and the key are right.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use url::Url;

use crate::http::{self, FetchLimits, HttpError};
use crate::{ModelError, ModelErrorKind, ServerKind};

/// The longest lists of today are a tenth of this.
const LIMITS: FetchLimits = FetchLimits { bytes_max: 2 * 1024 * 1024, time: Duration::from_secs(15) };
/// More models than a list on a screen shows.
const MODELS_MAX: usize = 500;
/// A longer name is none.
const NAME_CHARS_MAX: usize = 200;

/// Names of the models that the server at `base` lists. `key` is sent there and nowhere else.
///
/// # Errors
/// The address is refused, the server is not reached or refuses the key, or its answer is no list of models.
pub async fn served_models(
    kind: ServerKind,
    base: &str,
    is_local: bool,
    key: Option<&SecretString>,
) -> Result<Vec<String>, ModelError> {
    let url = list_url(kind, http::parse(base).map_err(|error| failed(&error))?);
    let reach = http::reach(&url, is_local);
    http::check(&url, reach).map_err(|error| failed(&error))?;
    let client = http::client(reach).map_err(|error| failed(&error))?;
    let headers = headers(kind, key).ok_or_else(|| ModelError::own(ModelErrorKind::Auth, "the key cannot be sent"))?;
    let fetched = http::get_with(&client, url, headers, LIMITS).await.map_err(|error| failed(&error))?;
    let unreadable = || ModelError::own(ModelErrorKind::Protocol, "the answer is no list of models");
    let answer: Value = serde_json::from_slice(&fetched.body).map_err(|_| unreadable())?;
    names(&answer).ok_or_else(unreadable)
}

fn list_url(kind: ServerKind, mut url: Url) -> Url {
    let profile = kind.profile();
    let path = profile.version.join(url.path(), "models");
    url.set_path(&path);
    url.set_query(profile.list_query);
    url
}

/// Headers of the question; none if the key holds what no header may hold.
fn headers(kind: ServerKind, key: Option<&SecretString>) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    // Anthropic refuses a request that does not name the version of its interface.
    if kind == ServerKind::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
    }
    let Some(key) = key.map(ExposeSecret::expose_secret).filter(|key| !key.is_empty()) else { return Some(headers) };
    let (name, text) = match kind.profile().key_header {
        None => (AUTHORIZATION, format!("Bearer {key}")),
        Some(name) => (HeaderName::from_static(name), key.to_owned()),
    };
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    headers.insert(name, value);
    Some(headers)
}

/// Names in a list of `OpenAI`'s and Anthropic's form, or of Gemini's, whose names begin with `models/`.
fn names(answer: &Value) -> Option<Vec<String>> {
    let (rows, field) = match answer.get("data").and_then(Value::as_array) {
        Some(rows) => (rows, "id"),
        None => (answer.get("models")?.as_array()?, "name"),
    };
    let named = rows.iter().filter_map(|row| row.get(field)?.as_str());
    let names = named.map(|name| name.trim_start_matches("models/"));
    // The names are shown in a list, where a control character could disguise one.
    let plain =
        |name: &&str| !name.is_empty() && name.chars().count() <= NAME_CHARS_MAX && !name.chars().any(char::is_control);
    let mut names: Vec<String> = names.filter(plain).map(str::to_owned).take(MODELS_MAX).collect();
    names.sort();
    names.dedup();
    Some(names)
}

fn failed(error: &HttpError) -> ModelError {
    match error {
        HttpError::Status { status, .. } => ModelError {
            status: Some(*status),
            ..ModelError::own(crate::wire::errors::kind_of_status(*status), error.to_string())
        },
        HttpError::TooLong { .. } => ModelError::own(ModelErrorKind::Protocol, error.to_string()),
        HttpError::NoAddress { .. }
        | HttpError::NotEncrypted { .. }
        | HttpError::Refused { .. }
        | HttpError::NoClient(_)
        | HttpError::NoAnswer { .. }
        | HttpError::TooSlow { .. } => ModelError::own(ModelErrorKind::Transport, error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(kind: ServerKind, base: &str) -> String {
        list_url(kind, base.parse().unwrap()).to_string()
    }

    #[test]
    fn fu_18_each_kind_of_server_is_asked_where_it_lists_its_models() {
        assert_eq!(
            url(ServerKind::Anthropic, "https://api.anthropic.com"),
            "https://api.anthropic.com/v1/models?limit=1000"
        );
        assert_eq!(url(ServerKind::Anthropic, "https://a.example/v1/"), "https://a.example/v1/models?limit=1000");
        assert_eq!(url(ServerKind::Gemini, "https://g.example"), "https://g.example/v1beta/models?pageSize=1000");
        assert_eq!(url(ServerKind::Openai, "https://api.openai.com/v1"), "https://api.openai.com/v1/models");
        assert_eq!(url(ServerKind::Vllm, "http://127.0.0.1:8000"), "http://127.0.0.1:8000/v1/models");
        assert_eq!(url(ServerKind::OpenaiCompatible, "https://o.example/api?x=1"), "https://o.example/api/models");
    }

    #[test]
    fn fu_18_a_key_goes_where_its_kind_of_server_reads_it() {
        let key = SecretString::from("sk-1");
        let sent =
            |kind, name: &str| headers(kind, Some(&key)).unwrap().get(name).map(|value| value.as_bytes().to_vec());
        assert_eq!(sent(ServerKind::Anthropic, "x-api-key"), Some(b"sk-1".to_vec()));
        assert_eq!(sent(ServerKind::Gemini, "x-goog-api-key"), Some(b"sk-1".to_vec()));
        assert_eq!(sent(ServerKind::Openai, "authorization"), Some(b"Bearer sk-1".to_vec()));
        assert!(headers(ServerKind::Openai, Some(&SecretString::from("sk\n1"))).is_none());
        assert!(headers(ServerKind::Openai, None).unwrap().is_empty());
    }

    #[test]
    fn fu_18_a_list_of_models_is_read_in_every_form_and_nothing_else_is_one() {
        let listed = |text: &str| names(&serde_json::from_str(text).unwrap());
        let two = Some(vec!["a-1".to_owned(), "b-2".to_owned()]);
        assert_eq!(listed(r#"{"data": [{"id": "b-2"}, {"id": "a-1"}, {"id": "a-1"}, {"id": 3}]}"#), two);
        assert_eq!(listed(r#"{"models": [{"name": "models/a-1"}, {"name": "models/b-2"}, {"name": "c\u0007"}]}"#), two);
        assert_eq!(listed(r#"{"error": "no"}"#), None);
        assert_eq!(listed("[]"), None);
    }
}
