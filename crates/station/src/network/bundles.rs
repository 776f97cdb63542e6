//! Files for a router, a robot or another source, as they lie in the folder of an export.

use robot::Manifest;
use secrecy::ExposeSecret as _;
use serde_json::Value;

use super::certificates::Signed;
use super::site::StationKey;

/// Files of an export, by their paths in its folder.
pub(super) type Files = Vec<(String, Vec<u8>)>;

/// The part that is the same for every client of a router.
#[derive(Clone, Copy)]
pub(super) struct Client<'a> {
    /// Its configuration of Zenoh.
    pub config: &'a Value,
    /// Certificate of the authority, PEM.
    pub authority_pem: &'a str,
    /// Its own, with the key.
    pub signed: &'a Signed,
}

/// First line of every configuration: JSON5 has comments.
const HEAD: &str = "// Made by Quarterdeck from the manifests of the robots. Changes are lost with the next export.\n";

/// The router's configuration without its keys, which stay as they are.
pub(super) fn router_rules(config: &Value) -> Files {
    vec![("router/router.json5".to_owned(), configuration(config))]
}

/// The router's certificate and key.
pub(super) fn router_keys(authority_pem: &str, signed: &Signed) -> Files {
    keys("router", authority_pem, signed)
}

/// Everything that a robot needs to connect, and to know its station.
pub(super) fn robot(
    manifest: &Manifest,
    manifest_text: String,
    StationKey { id, public }: &StationKey,
    bundle: Client<'_>,
) -> Files {
    let folder = format!("robots/{}", manifest.id);
    let mut files = client(&folder, bundle);
    files.push((format!("{folder}/{}.toml", manifest.id), manifest_text.into_bytes()));
    files.push((format!("{folder}/station.key"), format!("{id}={public}\n").into_bytes()));
    files
}

/// Everything that another source needs to connect.
pub(super) fn source(id: &str, bundle: Client<'_>) -> Files {
    client(&format!("sources/{id}"), bundle)
}

fn client(folder: &str, Client { config, authority_pem, signed }: Client<'_>) -> Files {
    let mut files = keys(folder, authority_pem, signed);
    files.push((format!("{folder}/zenoh.json5"), configuration(config)));
    files
}

fn keys(folder: &str, authority_pem: &str, signed: &Signed) -> Files {
    vec![
        (format!("{folder}/ca.pem"), authority_pem.into()),
        (format!("{folder}/certificate.pem"), signed.pem.clone().into_bytes()),
        // Zenoh reads its key from a file, so here the key leaves its wrapper.
        (format!("{folder}/key.pem"), signed.key.expose_secret().into()),
    ]
}

fn configuration(config: &Value) -> Vec<u8> {
    format!("{HEAD}{config:#}\n").into_bytes()
}
