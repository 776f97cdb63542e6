//! The local profile: a session that nothing outside this computer can reach. Another setting is refused, not changed.

use std::net::SocketAddr;
use std::path::Path;

use serde_json::Value;
use zenoh::Config;

use super::LinkConfig;
use crate::BridgeError;

/// A link that was silent for this long is down, milliseconds.
const LINK_LEASE_MS: u64 = 2_000;
/// Legal lease of a configuration file, milliseconds.
const LINK_LEASE_MS_RANGE: std::ops::RangeInclusive<u64> = 1_000..=5_000;
/// The largest message that is put together from fragments, bytes. Far above what the decoder reads, so that a sample that
/// is too large arrives, is counted and has a name; Zenoh drops what is larger without a word.
pub(super) const MESSAGE_BYTES_MAX: usize = 16 * 1024 * 1024;

const LISTEN: &str = "listen/endpoints";
const CONNECT: &str = "connect/endpoints";
const LEASE: &str = "transport/link/tx/lease";

/// Settings of automatic discovery; both reach beyond this computer.
const DISCOVERY: [&str; 2] = ["scouting/multicast/enabled", "scouting/gossip/enabled"];

/// The Zenoh configuration of `wanted`, or the first setting that keeps it from being local.
pub(super) fn local_config(wanted: &LinkConfig) -> Result<Config, BridgeError> {
    let mut config = match &wanted.file {
        Some(path) => read(path)?,
        None => Config::default(),
    };
    let defaults = Config::default();
    for (field, given) in [(LISTEN, &wanted.listen), (CONNECT, &wanted.connect)] {
        if !given.is_empty() {
            set(&mut config, field, &Value::from(given.clone()))?;
        } else if value(&config, field)? == value(&defaults, field)? {
            set(&mut config, field, &Value::Array(Vec::new()))?;
        }
        check_endpoints(&value(&config, field)?, field)?;
    }
    for field in DISCOVERY {
        if !matches!(value(&config, field)?, Value::Null | Value::Bool(false)) {
            return Err(BridgeError::ConfigRefused { field, expected: "false in the local profile".to_owned() });
        }
        set(&mut config, field, &Value::Bool(false))?;
    }
    if value(&config, "mode")?.is_null() {
        set(&mut config, "mode", &Value::from("peer"))?;
    }
    set_lease(&mut config, &defaults)?;
    set(&mut config, "transport/link/rx/max_message_size", &Value::from(MESSAGE_BYTES_MAX))?;
    Ok(config)
}

fn read(path: &Path) -> Result<Config, BridgeError> {
    Config::from_file(path).map_err(|source| BridgeError::ConfigUnreadable { path: path.to_owned(), source })
}

fn set_lease(config: &mut Config, defaults: &Config) -> Result<(), BridgeError> {
    let lease_ms = value(config, LEASE)?;
    if lease_ms == value(defaults, LEASE)? {
        return set(config, LEASE, &Value::from(LINK_LEASE_MS));
    }
    if lease_ms.as_u64().is_some_and(|lease_ms| LINK_LEASE_MS_RANGE.contains(&lease_ms)) {
        return Ok(());
    }
    let (low, high) = (LINK_LEASE_MS_RANGE.start(), LINK_LEASE_MS_RANGE.end());
    Err(BridgeError::ConfigRefused { field: LEASE, expected: format!("{low} to {high} ms") })
}

/// Walks every form Zenoh knows for endpoints: a list, lists per mode, and groups with a strategy.
fn check_endpoints(endpoints: &Value, field: &'static str) -> Result<(), BridgeError> {
    match endpoints {
        Value::String(endpoint) if is_loopback(endpoint) => Ok(()),
        Value::String(endpoint) => Err(BridgeError::ConfigRefused {
            field,
            expected: format!("tcp on a loopback address in the local profile, not {endpoint:?}"),
        }),
        Value::Array(items) => items.iter().try_for_each(|item| check_endpoints(item, field)),
        Value::Object(parts) => parts
            .iter()
            .filter(|(name, _)| name.as_str() != "strategy")
            .try_for_each(|(_, part)| check_endpoints(part, field)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

/// A host name other than `localhost` could resolve to anything, so it does not count.
fn is_loopback(endpoint: &str) -> bool {
    let Some(address) = endpoint.strip_prefix("tcp/") else { return false };
    let address =
        address.strip_prefix("localhost:").map_or_else(|| address.to_owned(), |port| format!("127.0.0.1:{port}"));
    address.parse::<SocketAddr>().is_ok_and(|address| address.ip().is_loopback())
}

fn value(config: &Config, field: &'static str) -> Result<Value, BridgeError> {
    let refused = |expected: String| BridgeError::ConfigRefused { field, expected };
    let json = config.get_json(field).map_err(|error| refused(error.to_string()))?;
    serde_json::from_str(&json).map_err(|error| refused(error.to_string()))
}

fn set(config: &mut Config, field: &'static str, to: &Value) -> Result<(), BridgeError> {
    config
        .insert_json5(field, &to.to_string())
        .map_err(|error| BridgeError::ConfigRefused { field, expected: error.to_string() })
}

#[cfg(test)]
mod tests;
