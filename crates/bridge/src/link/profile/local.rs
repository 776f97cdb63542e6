//! The local profile: a session that nothing outside this computer can reach. Another setting is refused, not changed.

use std::net::SocketAddr;

use serde_json::Value;
use zenoh::Config;

use super::{
    CONNECT, LISTEN, LinkConfig, MESSAGE_BYTES_MAX, MESSAGE_SIZE, MODE, check_endpoints, set, set_lease,
    switch_discovery_off, value,
};
use crate::BridgeError;

/// `config` with the endpoints of `wanted`, or the first setting that keeps it from being local.
pub(super) fn config(mut config: Config, wanted: &LinkConfig) -> Result<Config, BridgeError> {
    let defaults = Config::default();
    for (field, given) in [(LISTEN, &wanted.listen), (CONNECT, &wanted.connect)] {
        if !given.is_empty() {
            set(&mut config, field, &Value::from(given.clone()))?;
        } else if value(&config, field)? == value(&defaults, field)? {
            // Zenoh's own default of a peer listens on every interface.
            set(&mut config, field, &Value::Array(Vec::new()))?;
        }
        let expected = "tcp on a loopback address in the local profile";
        check_endpoints(&value(&config, field)?, field, is_loopback, expected)?;
    }
    switch_discovery_off(&mut config, "local")?;
    if value(&config, MODE)?.is_null() {
        set(&mut config, MODE, &Value::from("peer"))?;
    }
    set_lease(&mut config)?;
    set(&mut config, MESSAGE_SIZE, &Value::from(MESSAGE_BYTES_MAX))?;
    Ok(config)
}

/// A host name other than `localhost` could resolve to anything, so it does not count.
fn is_loopback(endpoint: &str) -> bool {
    let Some(address) = endpoint.strip_prefix("tcp/") else { return false };
    let address =
        address.strip_prefix("localhost:").map_or_else(|| address.to_owned(), |port| format!("127.0.0.1:{port}"));
    address.parse::<SocketAddr>().is_ok_and(|address| address.ip().is_loopback())
}
