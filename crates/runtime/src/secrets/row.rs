//! Keys as people and programs see them: everything about them but the keys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::SecretName;

/// One row of `list_secrets`, and the answer of `set_secret`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SecretRow {
    /// Its name.
    pub name: SecretName,
    /// Its last four characters; empty for a key too short to show any.
    pub last4: String,
    /// When it was set, UTC milliseconds; null for one of the environment.
    #[ts(type = "number | null")]
    pub set_at: Option<i64>,
    /// The place of the key.
    pub kept: SecretKept,
}

/// Places for keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SecretKept {
    /// In the operating system's keychain.
    Keychain,
    /// In a variable of the process.
    Environment,
    /// In memory, until the process ends.
    Session,
}
