//! Keys of providers: a person puts them in, the driver of a provider takes them out, and nothing shows them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;

use memory::{StationDb, StoredSecret};
use schemars::JsonSchema;
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer};

use super::{KeyStore, SecretError, SecretKept, SecretName, SecretRow, VARIABLE_BEGINNING, keychain, variable};
use crate::error::OpError;
use crate::lock::lock;
use crate::secrets::redaction::Redaction;

/// Of a shorter key even its end is too much to show.
const CHARS_TO_SHOW_END: usize = 12;
/// Characters shown of its end.
const CHARS_SHOWN: usize = 4;
/// The longest key; keys in use have some hundred characters.
const VALUE_BYTES_MAX: usize = 4_096;

/// A key on its way in. It has no form for logs, and no way out.
#[derive(JsonSchema)]
#[schemars(transparent)]
pub struct SecretValue(#[schemars(with = "String")] SecretString);

impl SecretValue {
    /// Its text, for hashing.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

/// The keys of providers.
pub struct Keys {
    store: KeyStore,
    /// Keys of this run: in no store at all, and before the store's.
    of_session: Mutex<BTreeMap<SecretName, (SecretString, i64)>>,
    redaction: Redaction,
}

impl Keys {
    /// Keys kept in `store`; each one that is used is taken out of logs by `redaction`.
    pub fn new(store: KeyStore, redaction: Redaction) -> Self {
        Self { store, of_session: Mutex::default(), redaction }
    }

    /// Keeps a key until the process ends.
    pub fn set_for_session(&self, name: SecretName, SecretValue(value): SecretValue, now_ms: i64) -> SecretRow {
        // Before anything else is done with it, so that no log can hold it.
        self.redaction.learn(value.expose_secret().as_bytes());
        let (last4, kept) = (end_of(&value), SecretKept::Session);
        lock(&self.of_session).insert(name.clone(), (value, now_ms));
        SecretRow { name, last4, set_at: Some(now_ms), kept }
    }

    /// A key that is tried and kept nowhere.
    pub fn tried(&self, SecretValue(value): SecretValue) -> SecretString {
        self.redaction.learn(value.expose_secret().as_bytes());
        value
    }

    /// Keeps a key in the store.
    pub async fn set(
        &self,
        db: &StationDb,
        name: SecretName,
        SecretValue(value): SecretValue,
        now_ms: i64,
    ) -> Result<SecretRow, OpError> {
        if self.store == KeyStore::Environment {
            return Err(SecretError::ReadOnly { variable: variable(name.as_str()) }.into());
        }
        self.redaction.learn(value.expose_secret().as_bytes());
        let last4 = end_of(&value);
        let before = db.secrets().await?.into_iter().find(|kept| kept.name == name.as_str());
        // Listed first: a key that is kept can be seen and deleted, whatever fails.
        db.save_secret(&StoredSecret { name: name.to_string(), last4: last4.clone(), set_ms: now_ms }).await?;
        let (written, undone) = (name.clone(), name.clone());
        let kept = keychain::ask_or_undo(
            move || keychain::write(written.as_str(), value.expose_secret()),
            move |late| {
                if late.is_ok()
                    && let Err(error) = keychain::delete(undone.as_str())
                {
                    tracing::warn!(%error, key = %undone, "a key was kept after its time and stays in the keychain");
                }
            },
        )
        .await;
        if let Err(error) = kept {
            let restored = match before {
                Some(before) => db.save_secret(&before).await,
                None => db.remove_secret(name.as_str()).await.map(drop),
            };
            if let Err(error) = restored {
                tracing::warn!(%error, key = %name, "a key is listed that the keychain did not take");
            }
            return Err(error.into());
        }
        // A key that is set for good is not hidden by an older one of this session.
        lock(&self.of_session).remove(&name);
        Ok(SecretRow { name, last4, set_at: Some(now_ms), kept: SecretKept::Keychain })
    }

    /// The key `name`.
    pub async fn get(&self, name: &SecretName) -> Result<SecretString, SecretError> {
        if let Some((value, _)) = lock(&self.of_session).get(name) {
            return Ok(value.clone());
        }
        let missing = || SecretError::Missing { name: name.clone(), variable: variable(name.as_str()) };
        let value = match self.store {
            KeyStore::Environment => {
                std::env::var(variable(name.as_str())).ok().filter(|value| !value.is_empty()).map(SecretString::from)
            }
            KeyStore::Keychain => {
                let asked = name.clone();
                let text = keychain::ask(move || keychain::read(asked.as_str())).await?;
                text.map(|text| SecretString::from(text.as_str()))
            }
        };
        let value = value.ok_or_else(missing)?;
        self.redaction.learn(value.expose_secret().as_bytes());
        Ok(value)
    }

    /// Forgets the key `name` wherever it is kept.
    pub async fn delete(&self, db: &StationDb, name: &SecretName) -> Result<(), OpError> {
        let was_of_session = lock(&self.of_session).remove(name).is_some();
        let missing = || SecretError::Missing { name: name.clone(), variable: variable(name.as_str()) };
        match self.store {
            KeyStore::Environment if was_of_session => Ok(()),
            KeyStore::Environment if std::env::var_os(variable(name.as_str())).is_some() => {
                Err(SecretError::ReadOnly { variable: variable(name.as_str()) }.into())
            }
            KeyStore::Environment => Err(missing().into()),
            KeyStore::Keychain => {
                let is_kept = db.secrets().await?.iter().any(|kept| kept.name == name.as_str());
                if !is_kept {
                    return if was_of_session { Ok(()) } else { Err(missing().into()) };
                }
                let gone = name.clone();
                keychain::ask(move || keychain::delete(gone.as_str())).await?;
                db.remove_secret(name.as_str()).await?;
                Ok(())
            }
        }
    }

    /// Every key there is, by name; of one that is kept twice the one in use.
    pub async fn list(&self, db: &StationDb) -> Result<Vec<SecretRow>, OpError> {
        let mut rows: BTreeMap<SecretName, SecretRow> = match self.store {
            KeyStore::Environment => in_environment().map(|row| (row.name.clone(), row)).collect(),
            KeyStore::Keychain => {
                let kept = db.secrets().await?.into_iter().filter_map(|kept| {
                    let name = SecretName::new(kept.name).ok()?;
                    let set_at = Some(kept.set_ms);
                    Some((name.clone(), SecretRow { name, last4: kept.last4, set_at, kept: SecretKept::Keychain }))
                });
                kept.collect()
            }
        };
        for (name, (value, set_ms)) in lock(&self.of_session).iter() {
            let row = SecretRow {
                name: name.clone(),
                last4: end_of(value),
                set_at: Some(*set_ms),
                kept: SecretKept::Session,
            };
            // In place of the kept one, because the key of this session is the one in use.
            rows.insert(name.clone(), row);
        }
        Ok(rows.into_values().collect())
    }
}

impl<'de> Deserialize<'de> for SecretValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        // Serde's own error would quote the value, which is a key.
        let Ok(text) = String::deserialize(deserializer) else { return Err(D::Error::custom("a key is a text")) };
        let text = Zeroizing::new(text);
        let value = text.trim();
        let is_sendable = value.bytes().all(|byte| byte.is_ascii_graphic());
        if value.is_empty() || value.len() > VALUE_BYTES_MAX || !is_sendable {
            return Err(D::Error::custom(format!(
                "a key is 1 to {VALUE_BYTES_MAX} characters that can be seen, without blanks"
            )));
        }
        Ok(Self(SecretString::from(value)))
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[a key]")
    }
}

fn in_environment() -> impl Iterator<Item = SecretRow> {
    std::env::vars().filter_map(|(variable, value)| {
        let name = SecretName::new(variable.strip_prefix(VARIABLE_BEGINNING)?.to_lowercase()).ok()?;
        let last4 = end_of(&SecretString::from(value));
        Some(SecretRow { name, last4, set_at: None, kept: SecretKept::Environment })
    })
}

/// The end of a key, for a person to tell it from another.
fn end_of(value: &SecretString) -> String {
    let chars: Vec<char> = value.expose_secret().chars().collect();
    if chars.len() < CHARS_TO_SHOW_END {
        return String::new();
    }
    chars.iter().skip(chars.len() - CHARS_SHOWN).collect()
}

#[cfg(test)]
mod tests;
