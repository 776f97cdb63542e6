//! A call of an operation as the audit keeps it: caller, subject, outcome. Never the input itself.

use serde_json::{Value, json};

use super::AuditEntry;
use super::chain::input_hash;
use crate::error::{ErrorKind, OpError, RuntimeCode};
use crate::secrets::SecretName;
use crate::session::Session;

/// Fields of an input that name its subject. Others, such as the text of a message, are in the hash only.
const NAMING_FIELDS: &[&str] = &[
    "robot",
    "robots",
    "room",
    "id",
    "version",
    "mission_id",
    "dry_run_id",
    "constraint_type",
    "stop_ids",
    "turn",
    "target",
    "fault",
    "provider",
    "model",
    "on",
    "reason",
];

/// The operation of a record of a call by a word that no operation has; the word is in its detail.
pub const OTHER_CALL: &str = "other_call";
/// The longest such word that is kept, in characters.
const WORD_CHARS_MAX: usize = 80;

/// A call that will be recorded once its outcome is known.
#[derive(Debug, Clone)]
pub struct Call {
    by: Session,
    operation: &'static str,
    /// The value that is hashed once there is something to record: most calls only read.
    hashed: Value,
    about: String,
}

impl Call {
    /// Keeps `input` until it is hashed, and the names in it.
    pub fn of(by: &Session, operation: &'static str, input: &Value) -> Self {
        let named = NAMING_FIELDS.iter().filter_map(|name| Some(format!("{name}={}", plain(input.get(name)?))));
        let about = named.collect::<Vec<_>>().join(" ");
        Self { by: by.clone(), operation, hashed: input.clone(), about }
    }

    /// The same of a call by a word that no operation has, such as a tool's.
    pub fn of_word(by: &Session, word: &str, input: &Value) -> Self {
        let call = Self::of(by, OTHER_CALL, input);
        let about = format!("name={word:.WORD_CHARS_MAX$} {}", call.about);
        Self { about: about.trim_end().to_owned(), ..call }
    }

    /// The same of an operation on a key, of which the key's name alone is on record: of a short key even the hash says
    /// too much.
    pub fn of_key(by: &Session, operation: &'static str, input: &Value) -> Self {
        let name = input.get("name").and_then(|name| serde_json::from_value::<SecretName>(name.clone()).ok());
        let about = name.as_ref().map(|name| format!("name={name}")).unwrap_or_default();
        Self { by: by.clone(), operation, hashed: json!({ "name": name }), about }
    }

    /// The record of how it ended.
    pub fn ended(&self, answer: &Result<Value, OpError>) -> AuditEntry {
        match answer {
            Ok(_) => self.entry("ok", self.about.clone()),
            Err(error) => self.refused(error),
        }
    }

    /// The record of a refusal.
    pub fn refused(&self, error: &OpError) -> AuditEntry {
        let why = why(error);
        // The words of the call are the very text that is to be forgotten.
        if error.code == RuntimeCode::ReasonQuotesContent {
            return self.entry(error.code.as_str(), why);
        }
        let detail = if self.about.is_empty() { why } else { format!("{}: {why}", self.about) };
        self.entry(error.code.as_str(), detail)
    }

    fn entry(&self, outcome: &str, detail: String) -> AuditEntry {
        let input_hash = Some(input_hash(&self.hashed));
        AuditEntry { input_hash, ..AuditEntry::by(&self.by, self.operation, outcome).about(detail) }
    }
}

/// The sentence of a refusal. That of a bad input may quote it, and an input may hold a secret: its path is enough.
fn why(error: &OpError) -> String {
    match error.kind {
        ErrorKind::BadRequest | ErrorKind::BadInput => {
            format!("bad input at {:?}", error.details["path"].as_str().unwrap_or_default())
        }
        ErrorKind::SignedOut
        | ErrorKind::Forbidden
        | ErrorKind::NotFound
        | ErrorKind::BadMethod
        | ErrorKind::Conflict
        | ErrorKind::TooSlow
        | ErrorKind::TooLarge
        | ErrorKind::TooOften
        | ErrorKind::Unavailable
        | ErrorKind::Internal => error.message.clone(),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
