//! The name of a provider's key.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{AUDIT_SIGNING_KEY, SITE_AUTHORITY_KEY, STATION_SIGNING_KEY, STATION_TLS_KEY, variable};

/// Keys that the station keeps for itself.
const OWN: [&str; 4] = [AUDIT_SIGNING_KEY, STATION_SIGNING_KEY, SITE_AUTHORITY_KEY, STATION_TLS_KEY];

/// The longest name.
const CHARS_MAX: usize = 64;

/// The name of a key: 1 to 64 of a to z, 0 to 9, `_` and `-`. No person can give the names of the station's own keys.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
#[ts(type = "string")]
pub struct SecretName(String);

/// A refusal of a key's name. The text is not quoted: somebody may have put the key itself in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretNameError {
    /// It is not of the grammar.
    #[error("a key's name is 1 to {CHARS_MAX} of a to z, 0 to 9, _ and -")]
    Grammar,
    /// The station keeps a key of its own under it.
    #[error("this name is for a key of the station itself")]
    Reserved,
}

impl SecretName {
    /// Checks a name.
    pub fn new(name: impl Into<String>) -> Result<Self, SecretNameError> {
        let name = name.into();
        let is_of_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-');
        if !(1..=CHARS_MAX).contains(&name.len()) || !name.bytes().all(is_of_name) {
            return Err(SecretNameError::Grammar);
        }
        // Compared as variables: `audit-signing-key` would name the station's own key in the environment.
        if OWN.iter().any(|own| variable(own) == variable(&name)) {
            return Err(SecretNameError::Reserved);
        }
        Ok(Self(name))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for SecretName {
    type Error = SecretNameError;

    fn try_from(name: String) -> Result<Self, SecretNameError> {
        Self::new(name)
    }
}

impl From<SecretName> for String {
    fn from(name: SecretName) -> Self {
        name.0
    }
}

impl fmt::Display for SecretName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_word_and_none_of_the_stations_own() {
        let long = "a".repeat(CHARS_MAX + 1);
        for (name, expected) in [
            ("anthropic", Ok(())),
            ("openai-2_b", Ok(())),
            ("", Err(SecretNameError::Grammar)),
            ("OpenAI", Err(SecretNameError::Grammar)),
            ("audit signing key", Err(SecretNameError::Grammar)),
            ("../x", Err(SecretNameError::Grammar)),
            (long.as_str(), Err(SecretNameError::Grammar)),
            ("audit_signing_key", Err(SecretNameError::Reserved)),
            ("station-signing-key", Err(SecretNameError::Reserved)),
            ("site_authority_key", Err(SecretNameError::Reserved)),
            ("station-tls-key", Err(SecretNameError::Reserved)),
        ] {
            assert_eq!(SecretName::new(name).map(drop), expected, "{name}");
        }
    }
}
