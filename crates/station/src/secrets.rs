//! Keys that outlive a run: in the keychain of the operating system or, where `config.toml` says so, in environment
//! variables. Never in a file of ours. Without either a key is missing, and whoever needs it says so.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{SECRET_KEY_LENGTH, SigningKey};
use keyring::{Entry, Error as KeychainError};
use secrecy::zeroize::Zeroizing;
use serde::Deserialize;
use tokio::sync::oneshot;

/// Under this name the keychain shows our entries.
const SERVICE: &str = "quarterdeck";
/// Signs anchors of the audit.
pub(crate) const AUDIT_SIGNING_KEY: &str = "audit signing key";
/// Signs what the station says to robots.
pub(crate) const STATION_SIGNING_KEY: &str = "station signing key";
/// A keychain that answers later than this waits for somebody to unlock it.
const KEYCHAIN_WAIT: Duration = Duration::from_secs(5);

/// Where keys are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyStore {
    /// The operating system's keychain.
    #[default]
    Keychain,
    /// Variables `QUARTERDECK_SECRET_<NAME>`, each 32 bytes in base64: for containers and test machines.
    Environment,
}

/// Why a key is missing; says what helps.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SecretError {
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
    /// The entry holds something else.
    #[error("the keychain's entry \"{name}\" is no key of ours; remove it")]
    NoKey {
        /// The entry.
        name: &'static str,
    },
}

impl KeyStore {
    /// The signing key `name`; made and kept at its first use where keys can be kept.
    pub(crate) async fn signing_key(self, name: &'static str) -> Result<SigningKey, SecretError> {
        match self {
            Self::Environment => from_environment(name),
            Self::Keychain => {
                let (answer, answered) = oneshot::channel();
                // A thread of its own: a keychain that waits for a password for ever must not keep the process from
                // ending, as the runtime's own threads would.
                let asking = std::thread::Builder::new().name("keychain".into());
                asking
                    .spawn(move || answer.send(from_keychain(name)).unwrap_or_default())
                    .map_err(|error| SecretError::Keychain(error.to_string()))?;
                match tokio::time::timeout(KEYCHAIN_WAIT, answered).await {
                    Ok(Ok(key)) => key,
                    Ok(Err(_)) => Err(SecretError::Keychain("asking it failed".into())),
                    Err(_) => Err(SecretError::Silent),
                }
            }
        }
    }
}

fn from_environment(name: &str) -> Result<SigningKey, SecretError> {
    let variable = format!("QUARTERDECK_SECRET_{}", name.to_uppercase().replace(' ', "_"));
    let text = Zeroizing::new(std::env::var(&variable).unwrap_or_default());
    parse_key(&text).ok_or(SecretError::Variable { variable })
}

fn from_keychain(name: &'static str) -> Result<SigningKey, SecretError> {
    let failed = |error: KeychainError| SecretError::Keychain(error.to_string());
    // Without a store of the operating system this is an error; there is none in memory behind it.
    if let Err(error) = Entry::store_status() {
        return Err(SecretError::Keychain(error.to_string()));
    }
    let entry = Entry::new(SERVICE, name).map_err(failed)?;
    match entry.get_password() {
        Ok(text) => return parse_key(&Zeroizing::new(text)).ok_or(SecretError::NoKey { name }),
        Err(KeychainError::NoEntry) => {}
        Err(error) => return Err(failed(error)),
    }
    let fresh: Zeroizing<[u8; SECRET_KEY_LENGTH]> = Zeroizing::new(rand::random());
    entry.set_password(&Zeroizing::new(STANDARD.encode(*fresh))).map_err(failed)?;
    // Read again: another station of this account may have kept its own at the same moment.
    let kept = Zeroizing::new(entry.get_password().map_err(failed)?);
    parse_key(&kept).ok_or(SecretError::NoKey { name })
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
    async fn s21_a_variable_that_is_missing_is_named() {
        let error = KeyStore::Environment.signing_key("key of a test").await.unwrap_err();
        assert!(error.to_string().starts_with("QUARTERDECK_SECRET_KEY_OF_A_TEST "), "{error}");
    }
}
