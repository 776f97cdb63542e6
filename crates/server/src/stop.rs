//! STOP ALL from a terminal: one request to a running server.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::Value;

/// How long the server may take. It answers after a second at the latest.
const ANSWER_WAIT: Duration = Duration::from_secs(3);

/// The line a server prints when it starts; a file may hold it whole.
#[derive(Debug, Deserialize)]
struct Started {
    token: String,
}

/// Presses STOP ALL at the server `url` and returns its answer. The file holds a token, or the line that the server
/// printed when it started.
pub async fn stop_all(url: &str, token_file: &Path) -> anyhow::Result<Value> {
    let text = std::fs::read_to_string(token_file)
        .with_context(|| format!("NOT STOPPED: {} cannot be read", token_file.display()))?;
    let token = serde_json::from_str(&text).map_or_else(|_| text.trim().to_owned(), |Started { token }| token);
    let address = format!("{}/op/stop_all", url.trim_end_matches('/'));
    let client = reqwest::Client::builder().no_proxy().timeout(ANSWER_WAIT).build()?;
    let asked = client.post(&address).bearer_auth(token).json(&serde_json::json!({})).send().await;
    let answer = asked.with_context(|| format!("NOT STOPPED: {address} did not answer; use the hardware stop"))?;
    let status = answer.status();
    let body: Value = answer.json().await.unwrap_or_default();
    if !status.is_success() {
        bail!("NOT STOPPED: the server refused ({status}): {}", body["message"].as_str().unwrap_or("no reason given"));
    }
    Ok(body)
}
