//! The two profiles of a session. Local: nothing outside this computer can reach it. Production: a client of a router,
//! known by its certificate. Whatever lies between is refused, with the name of the setting.

mod local;
mod pairing;
mod production;

use std::path::Path;

use serde_json::Value;
use zenoh::Config;

use super::LinkConfig;
use crate::BridgeError;
pub(super) use pairing::{reaching, waiting};
pub use production::RouterLink;
pub(super) use production::station_config;

/// A link that was silent for this long is down, milliseconds.
const LINK_LEASE_MS: u64 = 2_000;
/// Legal lease of a configuration file, milliseconds.
const LINK_LEASE_MS_RANGE: std::ops::RangeInclusive<u64> = 1_000..=5_000;
/// The largest message that is put together from fragments, bytes. Far above what the decoder reads, so that a sample
/// that is too large arrives, is counted and has a name; Zenoh drops what is larger without a word.
pub(crate) const MESSAGE_BYTES_MAX: usize = 16 * 1024 * 1024;

const MODE: &str = "mode";
const LISTEN: &str = "listen/endpoints";
const CONNECT: &str = "connect/endpoints";
const LEASE: &str = "transport/link/tx/lease";
const MESSAGE_SIZE: &str = "transport/link/rx/max_message_size";
const PROTOCOLS: &str = "transport/link/protocols";
const SHARED_MEMORY: &str = "transport/shared_memory/enabled";

/// Settings of automatic discovery; both reach beyond this computer.
const DISCOVERY: [&str; 2] = ["scouting/multicast/enabled", "scouting/gossip/enabled"];

/// Kinds of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Everything on this computer, without TLS.
    Local,
    /// A client of a router, over TLS, with a certificate of its own.
    Production,
}

/// The Zenoh configuration of `wanted`, or the first setting that fits neither profile.
pub(super) fn config_of(wanted: &LinkConfig) -> Result<(Config, Profile), BridgeError> {
    let Some(path) = &wanted.file else { return Ok((local::config(Config::default(), wanted)?, Profile::Local)) };
    let given = read(path)?;
    if production::is_meant(&given)? {
        let folder = path.parent().unwrap_or(Path::new("."));
        return Ok((production::config_of_file(given, folder)?, Profile::Production));
    }
    Ok((local::config(given, wanted)?, Profile::Local))
}

fn read(path: &Path) -> Result<Config, BridgeError> {
    Config::from_file(path).map_err(|source| BridgeError::ConfigUnreadable { path: path.to_owned(), source })
}

/// Neither way of discovery may be asked for; both are off.
fn switch_discovery_off(config: &mut Config, profile: &str) -> Result<(), BridgeError> {
    for field in DISCOVERY {
        // Refused and not switched off in silence: the setting was made so that others find the station.
        if !matches!(value(config, field)?, Value::Null | Value::Bool(false)) {
            return Err(BridgeError::ConfigRefused { field, expected: format!("false in the {profile} profile") });
        }
        set(config, field, &Value::Bool(false))?;
    }
    Ok(())
}

fn set_lease(config: &mut Config) -> Result<(), BridgeError> {
    let lease_ms = value(config, LEASE)?;
    // Zenoh's own ten seconds are far longer than a robot moves without beats.
    if lease_ms == value(&Config::default(), LEASE)? {
        return set(config, LEASE, &Value::from(LINK_LEASE_MS));
    }
    if lease_ms.as_u64().is_some_and(|lease_ms| LINK_LEASE_MS_RANGE.contains(&lease_ms)) {
        return Ok(());
    }
    let (low, high) = (LINK_LEASE_MS_RANGE.start(), LINK_LEASE_MS_RANGE.end());
    Err(BridgeError::ConfigRefused { field: LEASE, expected: format!("{low} to {high} ms") })
}

/// Walks every form Zenoh knows for endpoints: a list, lists per mode, and groups with a strategy.
fn check_endpoints(
    endpoints: &Value,
    field: &'static str,
    is_legal: fn(&str) -> bool,
    expected: &str,
) -> Result<(), BridgeError> {
    let each = |item: &Value| check_endpoints(item, field, is_legal, expected);
    match endpoints {
        Value::String(endpoint) if is_legal(endpoint) => Ok(()),
        Value::String(endpoint) => {
            Err(BridgeError::ConfigRefused { field, expected: format!("{expected}, not {endpoint:?}") })
        }
        Value::Array(items) => items.iter().try_for_each(each),
        Value::Object(parts) => {
            // `strategy` says how a group is tried and names no address.
            parts.iter().filter(|(name, _)| name.as_str() != "strategy").try_for_each(|(_, part)| each(part))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
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
