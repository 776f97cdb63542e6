//! Keys that outlive a run: in the keychain of the operating system or, where `config.toml` says so, in environment
//! variables. Never in a file of ours. Without either a key is missing, and the part that needs it says so.

mod keychain;
mod keys;
mod name;
pub mod redaction;
mod row;

pub use keys::{Keys, SecretValue};
pub use name::SecretName;
pub use row::{SecretKept, SecretRow};

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{SECRET_KEY_LENGTH, SigningKey};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretSlice, SecretString};
use serde::{Deserialize, Serialize};

use crate::error::{OpError, RuntimeCode};

/// First part of the names of variables that hold our keys.
pub const VARIABLE_BEGINNING: &str = "QUARTERDECK_SECRET_";
/// Signs anchors of the audit.
pub const AUDIT_SIGNING_KEY: &str = "audit signing key";
/// Signs messages of the station to robots.
pub const STATION_SIGNING_KEY: &str = "station signing key";
/// Signs the certificates of the site.
pub const SITE_AUTHORITY_KEY: &str = "site authority key";
/// Shows routers that a link is the station's.
pub const STATION_TLS_KEY: &str = "station tls key";
/// A keychain that answers later than this waits for somebody to unlock it.
const KEYCHAIN_WAIT: Duration = Duration::from_secs(5);

/// Stores of keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyStore {
    /// The operating system's keychain.
    #[default]
    Keychain,
    /// Variables `QUARTERDECK_SECRET_<NAME>`, for containers and test machines. Signing keys are 32 bytes in base64.
    Environment,
}

/// A reason why a key is missing; says what helps.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// No keychain, or a locked one.
    #[error("the keychain cannot be used ({0}); unlock it, or set `[secrets] store = \"environment\"` in config.toml")]
    Keychain(String),
    /// It waits for a person.
    #[error("the keychain did not answer within {} s; unlock it", KEYCHAIN_WAIT.as_secs())]
    Silent,
    /// A variable that is not set, or not what it should be.
    #[error("{variable} must hold 32 bytes in base64")]
    Variable {
        /// Its name.
        variable: String,
    },
    /// A key of a certificate that is not set.
    #[error(
        "keys come from the environment, and {variable} is not set; it holds a private key of the curve P-256, PKCS#8 in base64"
    )]
    TlsVariable {
        /// Its name.
        variable: String,
    },
    /// The entry holds something else.
    #[error("the keychain's entry \"{name}\" is no key of ours; remove it")]
    NoKey {
        /// The entry.
        name: &'static str,
    },
    /// Nothing is kept under that name.
    #[error("no key named {name} is kept; set it, or set {variable} where keys come from the environment")]
    Missing {
        /// The name.
        name: SecretName,
        /// The variable of that name.
        variable: String,
    },
    /// Keys come from the environment, where nothing can be kept.
    #[error(
        "config.toml takes keys from the environment; set {variable} and start again, or set the key for this session only"
    )]
    ReadOnly {
        /// The variable of that name.
        variable: String,
    },
}

impl From<SecretError> for OpError {
    fn from(error: SecretError) -> Self {
        let message = robot::sentence_of(&error.to_string());
        match error {
            SecretError::Keychain(_) | SecretError::Silent => {
                let message = format!("{message} Nothing was kept; a key can also be set for this session only.");
                Self::new(RuntimeCode::KeychainUnavailable, message)
            }
            SecretError::Variable { .. } | SecretError::TlsVariable { .. } | SecretError::NoKey { .. } => {
                Self::new(RuntimeCode::SecretUnreadable, message)
            }
            SecretError::Missing { name, .. } => {
                Self { message, ..Self::not_found(RuntimeCode::SecretNotFound, "name", name) }
            }
            SecretError::ReadOnly { .. } => Self::new(RuntimeCode::SecretsReadOnly, message),
        }
    }
}

impl KeyStore {
    /// The signing key `name`; made and kept at its first use where keys can be kept.
    pub async fn signing_key(self, name: &'static str) -> Result<SigningKey, SecretError> {
        match self {
            Self::Environment => from_environment(name),
            Self::Keychain => keychain::ask(move || from_keychain(name)).await,
        }
    }

    /// The key `name` of a certificate, PKCS#8; none if the keychain has none yet.
    pub async fn tls_key(self, name: &'static str) -> Result<Option<SecretSlice<u8>>, SecretError> {
        match self {
            Self::Environment => {
                let variable = variable(name);
                let text = Zeroizing::new(std::env::var(&variable).unwrap_or_default());
                let key = parse_bytes(&text).filter(|key| !key.expose_secret().is_empty());
                key.map(Some).ok_or(SecretError::TlsVariable { variable })
            }
            Self::Keychain => {
                keychain::ask(move || {
                    let Some(text) = keychain::read(name)? else { return Ok(None) };
                    parse_bytes(&text).map(Some).ok_or(SecretError::NoKey { name })
                })
                .await
            }
        }
    }

    /// Keeps the key `name` of a certificate in the keychain. Keys
    /// of the environment are set by whoever starts the station.
    pub async fn keep_tls_key(self, name: &'static str, key: &SecretSlice<u8>) -> Result<(), SecretError> {
        let text = Zeroizing::new(STANDARD.encode(key.expose_secret()));
        match self {
            Self::Environment => Err(SecretError::TlsVariable { variable: variable(name) }),
            Self::Keychain => keychain::ask(move || keychain::write(name, &text)).await,
        }
    }

    /// The text that is kept beside the keys as `name`; none if there is none, or where nothing can be kept.
    pub async fn note(self, name: String) -> Result<Option<String>, SecretError> {
        match self {
            Self::Environment => Ok(None),
            Self::Keychain => {
                keychain::ask(move || Ok(keychain::read(&name)?.map(|text| text.as_str().to_owned()))).await
            }
        }
    }

    /// Keeps a secret text of the app's desk as `name`; false where nothing can be kept.
    pub async fn keep_text(self, name: String, text: SecretString) -> Result<bool, SecretError> {
        match self {
            Self::Environment => Ok(false),
            Self::Keychain => {
                keychain::ask(move || keychain::write(&name, text.expose_secret())).await?;
                Ok(true)
            }
        }
    }

    /// The secret text that is kept as `name`; none if there is none, or where nothing can be kept.
    pub async fn text(self, name: String) -> Result<Option<SecretString>, SecretError> {
        match self {
            Self::Environment => Ok(None),
            Self::Keychain => {
                keychain::ask(move || Ok(keychain::read(&name)?.map(|text| SecretString::from(text.as_str())))).await
            }
        }
    }

    /// Forgets the secret text `name`, if one is kept.
    pub async fn forget_text(self, name: String) -> Result<(), SecretError> {
        match self {
            Self::Environment => Ok(()),
            Self::Keychain => keychain::ask(move || keychain::delete(&name)).await,
        }
    }

    /// Keeps a text that is no key beside the keys as `name`, where anything can be kept.
    pub async fn keep_note(self, name: String, text: String) -> Result<(), SecretError> {
        match self {
            Self::Environment => Ok(()),
            Self::Keychain => keychain::ask(move || keychain::write(&name, &text)).await,
        }
    }
}

fn from_environment(name: &str) -> Result<SigningKey, SecretError> {
    let variable = variable(name);
    let text = Zeroizing::new(std::env::var(&variable).unwrap_or_default());
    parse_key(&text).ok_or(SecretError::Variable { variable })
}

/// The variable that holds the key `name`.
fn variable(name: &str) -> String {
    format!("{VARIABLE_BEGINNING}{}", name.to_uppercase().replace([' ', '-'], "_"))
}

fn from_keychain(name: &'static str) -> Result<SigningKey, SecretError> {
    if let Some(text) = keychain::read(name)? {
        return parse_key(&text).ok_or(SecretError::NoKey { name });
    }
    let fresh: Zeroizing<[u8; SECRET_KEY_LENGTH]> = Zeroizing::new(rand::random());
    keychain::write(name, &Zeroizing::new(STANDARD.encode(*fresh)))?;
    // Read again: another station of this account may have kept its own at the same moment.
    let kept = keychain::read(name)?.unwrap_or_default();
    parse_key(&kept).ok_or(SecretError::NoKey { name })
}

fn parse_bytes(text: &str) -> Option<SecretSlice<u8>> {
    STANDARD.decode(text.trim()).ok().map(SecretSlice::from)
}

fn parse_key(text: &str) -> Option<SigningKey> {
    let bytes = Zeroizing::new(STANDARD.decode(text.trim()).ok()?);
    let secret = <&[u8; SECRET_KEY_LENGTH]>::try_from(bytes.as_slice()).ok()?;
    Some(SigningKey::from_bytes(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_32_bytes_in_base64_and_nothing_else() {
        let text = STANDARD.encode([7; 32]);
        assert_eq!(parse_key(&format!("{text}\n")).unwrap().to_bytes(), [7; 32]);
        for bad in ["", "AAAA", "not base64!", &STANDARD.encode([7; 33])] {
            assert!(parse_key(bad).is_none(), "{bad}");
        }
    }

    #[tokio::test]
    async fn att_21_a_key_of_a_certificate_is_read_where_keys_are_kept_and_written_to_no_file() {
        let missing = KeyStore::Environment.tls_key("tls key of a test").await.unwrap_err();
        assert!(missing.to_string().contains("QUARTERDECK_SECRET_TLS_KEY_OF_A_TEST is not set"), "{missing}");
        let key = SecretSlice::from(vec![1, 2, 3]);
        let refused = KeyStore::Environment.keep_tls_key("tls key of a test", &key).await.unwrap_err();
        assert!(matches!(refused, SecretError::TlsVariable { .. }));
        assert!(parse_bytes("no base64!").is_none());
    }

    #[tokio::test]
    async fn att_21_a_variable_that_is_missing_is_named() {
        let error = KeyStore::Environment.signing_key("key of a test").await.unwrap_err();
        assert!(error.to_string().starts_with("QUARTERDECK_SECRET_KEY_OF_A_TEST "), "{error}");
    }
}
