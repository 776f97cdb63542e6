//! Tokens of liveliness at a Zenoh router: what takes part there. Nothing is put and nothing is subscribed to.

use std::time::Duration;

use zenoh::Config;

use crate::BridgeError;

/// The longest token, bytes.
const TOKEN_BYTES_MAX: usize = 2_048;
/// The longest message that is put together from fragments, bytes. A reply with a token of the greatest length fits;
/// Zenoh's own limit would let a hostile router fill the memory of whoever asks it.
const MESSAGE_BYTES_MAX: usize = 1 << 16;
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
    // Replies beyond the last one that was taken fill the channel, and the session's receiver waits for room in it.
    drop(alive);
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
        ("transport/link/rx/max_message_size", MESSAGE_BYTES_MAX.to_string()),
        ("transport/shared_memory/enabled", "false".to_owned()),
    ];
    for (field, value) in settings {
        let refused = |error: zenoh::Error| BridgeError::ConfigRefused { field, expected: error.to_string() };
        config.insert_json5(field, &value).map_err(refused)?;
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far beyond what it takes on a busy computer.
    const WITHIN: Duration = Duration::from_secs(60);

    fn router() -> Config {
        let mut config = Config::default();
        for (field, value) in [
            ("mode", "\"router\""),
            ("listen/endpoints", "[\"tcp/127.0.0.1:0\"]"),
            ("scouting/multicast/enabled", "false"),
            ("scouting/gossip/enabled", "false"),
        ] {
            config.insert_json5(field, value).unwrap();
        }
        config
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn of_a_router_with_countless_tokens_as_many_are_taken_as_were_asked_for() {
        let router = zenoh::open(router()).await.unwrap();
        let mut declared = Vec::new();
        for n in 0..2_000 {
            declared.push(router.liveliness().declare_token(format!("robots/{n}")).await.unwrap());
        }
        let endpoint = router.info().locators().await[0].to_string();
        for (most, found) in [(3, 3), (5_000, 2_000)] {
            assert_eq!(tokens(&endpoint, "robots/*", WITHIN, most).await.unwrap().len(), found);
        }
    }
}
