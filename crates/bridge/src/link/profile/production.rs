//! The production profile: a client of one or more routers, over TLS in both directions. Access control binds only
//! where it runs, which is the router; so nothing listens here, and nobody is reached past the router.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use zenoh::Config;

use super::{
    CONNECT, LISTEN, MESSAGE_BYTES_MAX, MESSAGE_SIZE, MODE, PROTOCOLS, SHARED_MEMORY, check_endpoints, set, set_lease,
    switch_discovery_off, value,
};
use crate::BridgeError;

const MTLS: &str = "transport/link/tls/enable_mtls";
const VERIFY_NAME: &str = "transport/link/tls/verify_name_on_connect";
const CLOSE_ON_EXPIRY: &str = "transport/link/tls/close_link_on_expiration";
const AUTHORITY: &str = "transport/link/tls/root_ca_certificate";
const CERTIFICATE: &str = "transport/link/tls/connect_certificate";
const KEY: &str = "transport/link/tls/connect_private_key";

/// Files of a configuration; each is one of the bundle that the station has made.
const FILES: [&str; 3] = [AUTHORITY, CERTIFICATE, KEY];
/// A configuration with one of these is meant for production.
const MEANS_TLS: [&str; 8] = [
    MTLS,
    VERIFY_NAME,
    CLOSE_ON_EXPIRY,
    AUTHORITY,
    CERTIFICATE,
    KEY,
    "transport/link/tls/listen_certificate",
    "transport/link/tls/listen_private_key",
];
/// Parts of a router that a client must not have.
const OFF: [&str; 2] = ["adminspace/enabled", "plugins_loading/enabled"];

/// A station's way to its routers. The key is handed to Zenoh in memory; no file holds it.
#[derive(Debug, Clone)]
pub struct RouterLink {
    /// For example `tls/router.lab:7447`; of several the first that answers is used.
    pub routers: Vec<String>,
    /// Certificate of the site's authority, PEM.
    pub authority: String,
    /// Certificate of the station, PEM.
    pub certificate: String,
    /// Its key, PKCS#8 in PEM.
    pub key: SecretString,
}

impl RouterLink {
    /// Checks the address of a router as it is written in settings.
    ///
    /// # Errors
    /// Says what was expected.
    pub fn check_router(endpoint: &str) -> Result<(), String> {
        if is_tls(endpoint) { Ok(()) } else { Err(format!("tls/HOST:PORT without further parts, not {endpoint:?}")) }
    }
}

/// True if somebody has begun to ask for TLS: from then on all of it must be there.
pub(super) fn is_meant(given: &Config) -> Result<bool, BridgeError> {
    let defaults = Config::default();
    // Half a configuration of TLS must be an error and not a session without it.
    for field in MEANS_TLS {
        if value(given, field)? != value(&defaults, field)? {
            return Ok(true);
        }
    }
    Ok(names_tls(&value(given, CONNECT)?) || names_tls(&value(given, LISTEN)?))
}

fn names_tls(endpoints: &Value) -> bool {
    match endpoints {
        Value::String(endpoint) => endpoint.starts_with("tls/"),
        Value::Array(items) => items.iter().any(names_tls),
        Value::Object(parts) => parts.values().any(names_tls),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The configuration of a robot's or another source's bundle. Paths in it begin at its own folder.
pub(super) fn config_of_file(mut config: Config, folder: &Path) -> Result<Config, BridgeError> {
    refuse_unless(&config, MODE, |mode| mode == "client", "\"client\" in the production profile")?;
    refuse_unless(&config, MTLS, |on| on == true, "true in the production profile")?;
    for field in [VERIFY_NAME, CLOSE_ON_EXPIRY] {
        refuse_unless(&config, field, |on| on.is_null() || on == true, "true in the production profile")?;
    }
    for field in FILES {
        let expected = "the path of a file in the production profile";
        refuse_unless(&config, field, |path| path.as_str().is_some_and(|path| !path.is_empty()), expected)?;
        let path = value(&config, field)?;
        let path = folder.join(path.as_str().unwrap_or_default());
        set(&mut config, field, &Value::from(path.to_string_lossy()))?;
    }
    if value(&config, LISTEN)? != value(&Config::default(), LISTEN)? {
        let nobody = |_: &str| false;
        check_endpoints(&value(&config, LISTEN)?, LISTEN, nobody, "no endpoint in the production profile")?;
    }
    complete(config)
}

/// The configuration of a station, with its keys.
pub(in crate::link) fn station_config(link: &RouterLink) -> Result<Config, BridgeError> {
    let mut config = Config::default();
    set(&mut config, CONNECT, &json!(link.routers))?;
    // Both texts hold the private key, so they are wiped when they are dropped.
    let base64 = |pem: &str| Zeroizing::new(STANDARD.encode(pem));
    let secret = |config: &mut Config, field: &'static str, pem: &str| {
        let text = Zeroizing::new(format!("\"{}\"", *base64(pem)));
        // Zenoh's error may quote the value, which is a key, so it is replaced.
        let refused = |_| BridgeError::ConfigRefused { field, expected: "a PEM text".to_owned() };
        config.insert_json5(field, &text).map_err(refused)
    };
    secret(&mut config, "transport/link/tls/root_ca_certificate_base64", &link.authority)?;
    secret(&mut config, "transport/link/tls/connect_certificate_base64", &link.certificate)?;
    secret(&mut config, "transport/link/tls/connect_private_key_base64", link.key.expose_secret())?;
    complete(config)
}

/// Everything that is the same for each session of the profile.
fn complete(mut config: Config) -> Result<Config, BridgeError> {
    let connect = value(&config, CONNECT)?;
    if !names_tls(&connect) {
        let expected = "the endpoint of a router, tls/HOST:PORT, in the production profile".to_owned();
        return Err(BridgeError::ConfigRefused { field: CONNECT, expected });
    }
    check_endpoints(&connect, CONNECT, is_tls, "tls/HOST:PORT without further parts in the production profile")?;
    for field in OFF {
        refuse_unless(&config, field, |on| on.is_null() || on == false, "false in the production profile")?;
        set(&mut config, field, &Value::Bool(false))?;
    }
    switch_discovery_off(&mut config, "production")?;
    set_lease(&mut config)?;
    let settings = [
        (MODE, json!("client")),
        (LISTEN, json!([])),
        (MTLS, json!(true)),
        (VERIFY_NAME, json!(true)),
        (CLOSE_ON_EXPIRY, json!(true)),
        // No other transport, whatever an endpoint asks for.
        (PROTOCOLS, json!(["tls"])),
        (SHARED_MEMORY, json!(false)),
        (MESSAGE_SIZE, json!(MESSAGE_BYTES_MAX)),
        // A router that is away comes back: it is looked for without end, and often.
        ("connect/timeout_ms", json!(-1)),
        ("connect/exit_on_failure", json!(false)),
        ("connect/retry", json!({ "period_init_ms": 250, "period_max_ms": 1_000, "period_increase_factor": 2.0 })),
    ];
    for (field, to) in settings {
        set(&mut config, field, &to)?;
    }
    Ok(config)
}

fn refuse_unless(
    config: &Config,
    field: &'static str,
    is_legal: impl Fn(&Value) -> bool,
    expected: &str,
) -> Result<(), BridgeError> {
    if is_legal(&value(config, field)?) {
        return Ok(());
    }
    Err(BridgeError::ConfigRefused { field, expected: expected.to_owned() })
}

fn is_tls(endpoint: &str) -> bool {
    is_plain(endpoint, "tls/")
}

/// True for a host and a port after `protocol`. What may follow them in
/// Zenoh's form, `?` and `#`, could switch checks off for this endpoint alone.
pub(super) fn is_plain(endpoint: &str, protocol: &str) -> bool {
    let Some((host, port)) = endpoint.strip_prefix(protocol).and_then(|address| address.rsplit_once(':')) else {
        return false;
    };
    let of_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
    !host.is_empty() && host.chars().all(of_host) && port.parse::<u16>().is_ok_and(|port| port > 0)
}
