//! Tokens of liveliness at a Zenoh router: what takes part there. Nothing is put and nothing is subscribed to.

use std::time::Duration;

use zenoh::Config;

use crate::BridgeError;

/// The longest token, bytes.
const TOKEN_BYTES_MAX: usize = 2_048;
/// Time for the router to be reached, milliseconds.
const REACH_WITHIN_MS: u64 = 3_000;

/// The tokens at the router at `endpoint` that `key_expr` matches, as many as `tokens_max`. The session is a client of
/// that router alone, hears no announcements of others, and ends here.
///
/// # Errors
/// The router cannot be reached.
pub async fn tokens(
    endpoint: &str,
    key_expr: &str,
    within: Duration,
    tokens_max: usize,
) -> Result<Vec<String>, BridgeError> {
    let session = zenoh::open(client(endpoint)?).await.map_err(|source| BridgeError::Open { source })?;
    let alive = session.liveliness().get(key_expr).timeout(within).await;
    let alive = alive.map_err(|source| BridgeError::Declare { key_expr: key_expr.to_owned(), source })?;
    let mut tokens = Vec::new();
    while let Ok(reply) = alive.recv_async().await {
        if let Ok(sample) = reply.result()
            && sample.key_expr().len() <= TOKEN_BYTES_MAX
        {
            tokens.push(sample.key_expr().as_str().to_owned());
        }
        // A participant there can declare any number of tokens.
        if tokens.len() == tokens_max {
            break;
        }
    }
    if let Err(error) = session.close().await {
        tracing::warn!(%error, "the Zenoh session did not close cleanly");
    }
    Ok(tokens)
}

fn client(endpoint: &str) -> Result<Config, BridgeError> {
    let mut config = Config::default();
    let settings = [
        ("mode", "\"client\"".to_owned()),
        ("connect/endpoints", serde_json::json!([endpoint]).to_string()),
        ("connect/timeout_ms", REACH_WITHIN_MS.to_string()),
        ("listen/endpoints", "[]".to_owned()),
        ("scouting/multicast/enabled", "false".to_owned()),
        ("scouting/gossip/enabled", "false".to_owned()),
    ];
    for (field, value) in settings {
        let refused = |error: zenoh::Error| BridgeError::ConfigRefused { field, expected: error.to_string() };
        config.insert_json5(field, &value).map_err(refused)?;
    }
    Ok(config)
}
