//! Identity of a manifest, so that two who have one each can tell whether they have the same.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ts_rs::TS;

/// SHA-256 over the keys and values of a manifest, hex. Comments, spaces and the order of keys do not count.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, TS)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct ManifestHash(String);

impl ManifestHash {
    /// The hash of a manifest's keys and values.
    pub(super) fn of(text: &str) -> Result<Self, toml::de::Error> {
        let content: BTreeMap<String, serde_json::Value> = toml::from_str(text)?;
        // Keys are texts, so that this cannot fail; maps are sorted by them.
        let canonical = serde_json::to_vec(&content).unwrap_or_default();
        Ok(Self(hex::encode(Sha256::digest(canonical))))
    }

    /// The hash as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
