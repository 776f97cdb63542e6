//! The audit on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::audit::{Fault, Found};
use crate::secrets::SecretError;

/// The answer of `verify_audit`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AuditCheck {
    /// True if every record up to the newest is as it was written.
    pub intact: bool,
    /// The last record up to which the chain holds.
    #[ts(type = "number")]
    pub verified: u64,
    /// The first record that is not the one that was written.
    #[ts(type = "number | null")]
    pub first_broken_seq: Option<u64>,
    /// The fault of that record.
    pub fault: Option<String>,
    /// The code of that fault, with what it names.
    pub fault_kind: Option<Fault>,
    /// The last record that an anchor of the present key vouches for; null without one.
    #[ts(type = "number | null")]
    pub signed_up_to: Option<u64>,
    /// The state of signing: new anchors are made, or the reason why none are.
    pub signing: AuditSigning,
    /// The last record that an administrator has taken as it was found; null if none has.
    #[ts(type = "number | null")]
    pub accepted_up_to: Option<u64>,
}

/// The answer of `audit_state`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AuditState {
    /// False while the records of earlier runs are still being followed; until then nothing is armed.
    pub checked: bool,
    /// Differences of the audit from the records as written; nothing is armed until an administrator has accepted them.
    pub found: Vec<String>,
    /// The same as data, one for each sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<AuditDifference>>", optional)]
    pub found_kinds: Vec<AuditDifference>,
    /// The last record that an administrator has taken as it was found; null if none has.
    #[ts(type = "number | null")]
    pub accepted_up_to: Option<u64>,
}

/// A difference between the stored audit and what was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum AuditDifference {
    /// The chain does not hold at a record.
    Broken {
        /// Its number.
        #[ts(type = "number")]
        seq: u64,
        /// Its fault.
        fault: Fault,
    },
    /// The newest records are gone.
    Cut {
        /// The newest record that was written.
        #[ts(type = "number")]
        marked: u64,
        /// The newest record that is there.
        #[ts(type = "number")]
        last: u64,
    },
    /// A record was written anew.
    Rewritten {
        /// Its number.
        #[ts(type = "number")]
        seq: u64,
    },
    /// The mark outside the database is gone.
    MarkGone,
    /// That mark cannot be used.
    MarkUnusable {
        /// The fault of the mark.
        message: String,
    },
    /// That mark is not signed with the station's key.
    MarkUnsigned,
    /// Neither copy of that mark could be asked for.
    Unread {
        /// The fault.
        message: String,
    },
}

impl From<&Found> for AuditDifference {
    fn from(found: &Found) -> Self {
        match found {
            Found::Broken(broken) => Self::Broken { seq: broken.seq, fault: broken.fault.clone() },
            Found::Cut { marked, last } => Self::Cut { marked: *marked, last: *last },
            Found::Rewritten { seq } => Self::Rewritten { seq: *seq },
            Found::MarkGone => Self::MarkGone,
            Found::MarkUnusable(message) => Self::MarkUnusable { message: message.clone() },
            Found::MarkUnsigned => Self::MarkUnsigned,
            Found::Unread(message) => Self::Unread { message: message.clone() },
        }
    }
}

/// The answer of `accept_audit`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AuditAccepted {
    /// Everything that was found, the limits that differ included.
    pub found: Vec<String>,
    /// The last record that was taken as it was found.
    #[ts(type = "number")]
    pub accepted_up_to: u64,
}

/// The state of signing: the end of the audit is signed from time to time, or the reason why it is not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AuditSigning {
    /// False: the audit is unsigned. Its chain stands, but somebody who can write the database can write a new one.
    pub signed: bool,
    /// `ed25519:` and base64; compare it with the one in an export.
    pub public_key: Option<String>,
    /// The reason why it is unsigned, and the remedy.
    pub unsigned_because: Option<String>,
    /// The code of that reason, with what it names.
    pub unsigned_kind: Option<UnsignedReason>,
}

/// A reason why the audit is not signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum UnsignedReason {
    /// The key is being looked up.
    Awaited,
    /// There is no keychain, or it is locked.
    Keychain,
    /// The keychain waits for a person.
    KeychainSilent,
    /// A variable does not hold the key.
    Variable {
        /// The name of the variable.
        variable: String,
    },
    /// An entry of the keychain is no key.
    NoKey {
        /// The name of the entry.
        name: String,
    },
    /// There is no key, and none can be kept.
    Missing,
}

impl From<&SecretError> for UnsignedReason {
    fn from(error: &SecretError) -> Self {
        match error {
            SecretError::Keychain(_) => Self::Keychain,
            SecretError::Silent => Self::KeychainSilent,
            SecretError::Variable { variable } => Self::Variable { variable: variable.clone() },
            SecretError::NoKey { name } => Self::NoKey { name: (*name).to_owned() },
            SecretError::TlsVariable { .. } | SecretError::Missing { .. } | SecretError::ReadOnly { .. } => {
                Self::Missing
            }
        }
    }
}

/// The answer of `export_audit`. `quarterdeck-server verify-audit` reads one file of all pages, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AuditExport {
    /// One record a line, as it was hashed; behind a record that was signed, its anchor.
    pub jsonl: String,
    /// `after` of the next page; null at the end.
    #[ts(type = "number | null")]
    pub next: Option<u64>,
}
