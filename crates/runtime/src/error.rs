//! What an operation answers when it does not answer success.

mod domain;

use std::fmt::Display;

use memory::{MemoryError, Trouble};
use robot::Trust;
use serde::Serialize;
use serde_json::{Value, json};

/// What kind of refusal it is; hosts map it to their own status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The input is no JSON.
    BadJson,
    /// The input is not what the operation takes.
    BadInput,
    /// The session may not do this.
    Forbidden,
    /// The named thing does not exist.
    NotFound,
    /// It exists, but not in a state in which this can be done.
    Conflict,
    /// Storage or a robot did not answer.
    Unavailable,
    /// A defect of ours.
    Internal,
}

/// The code of a refusal that asks for a look at the agent's database.
pub const STORAGE_DAMAGED: &str = "storage_damaged";

/// A coded refusal: nothing was changed.
#[derive(Debug, Clone, Serialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct OpError {
    /// Stable code, snake_case.
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// What a program needs to know, for example the failing path.
    pub details: Value,
    /// For the host's status.
    #[serde(skip)]
    pub kind: ErrorKind,
    /// The trust of its words.
    #[serde(skip)]
    pub trust: Trust,
}

/// The words of a refusal. What is written in the program is the station's own; what is put together as it runs may
/// quote anybody, unless whoever puts it together vouches for it.
#[derive(Debug, Clone)]
pub struct ErrorText {
    text: String,
    trust: Trust,
}

impl ErrorText {
    /// Words that quote nothing but numbers, declared names and what the caller itself has written.
    pub fn own(text: impl Into<String>) -> Self {
        Self { text: text.into(), trust: Trust::Trusted }
    }
}

impl From<&'static str> for ErrorText {
    fn from(text: &'static str) -> Self {
        Self::own(text)
    }
}

impl From<String> for ErrorText {
    fn from(text: String) -> Self {
        Self { text, trust: Trust::Text }
    }
}

/// Details that name a part of the input or an operation.
const OWN_DETAILS: [&str; 3] = ["path", "field", "nearest"];

impl OpError {
    /// A refusal without details.
    pub fn new(kind: ErrorKind, code: &str, message: impl Into<ErrorText>) -> Self {
        let ErrorText { text, trust } = message.into();
        Self { code: code.to_owned(), message: text, details: json!({}), kind, trust }
    }

    /// The same with details.
    #[must_use]
    pub fn with(mut self, details: Value) -> Self {
        let quotes = details.as_object().into_iter().flatten().any(|(name, detail)| {
            !OWN_DETAILS.contains(&name.as_str()) && !matches!(detail, Value::Null | Value::Bool(_) | Value::Number(_))
        });
        self.trust = if quotes || !details.is_object() { Trust::Text } else { self.trust };
        self.details = details;
        self
    }

    /// The named thing does not exist.
    pub fn not_found(code: &str, what: &str, id: impl std::fmt::Display) -> Self {
        Self::new(ErrorKind::NotFound, code, ErrorText::own(format!("There is no {what} {id}.")))
    }

    /// It cannot be done in the present state.
    pub fn conflict(code: &str, message: impl Into<ErrorText>) -> Self {
        Self::new(ErrorKind::Conflict, code, message)
    }

    /// The field at `path` is not what the operation takes.
    pub fn bad_input(code: &str, path: &str, message: impl Into<ErrorText>) -> Self {
        Self::new(ErrorKind::BadInput, code, message).with(json!({ "path": path }))
    }
}

/// The refusals that many operations share.
impl OpError {
    /// `field` is a number, or has a length, outside `min` to `max`.
    pub fn out_of_range(field: &str, min: impl Serialize + Display, max: impl Serialize + Display) -> Self {
        let message = ErrorText::own(format!("{field} is {min} to {max}."));
        Self::bad_input("out_of_range", field, message)
            .with(json!({ "path": field, "field": field, "min": min, "max": max }))
    }

    /// There are as many as there may be.
    pub fn limit_reached(limit: usize, message: impl Into<ErrorText>) -> Self {
        Self::conflict("limit_reached", message).with(json!({ "limit": limit }))
    }
}

impl From<MemoryError> for OpError {
    fn from(error: MemoryError) -> Self {
        tracing::error!(error = &error as &dyn std::error::Error, "storage");
        match error.trouble() {
            Some(Trouble::Unwritable) => {
                let message = "The disk is full or cannot be written. Nothing was changed; free space and try again.";
                return Self::new(ErrorKind::Unavailable, "storage_full", message);
            }
            Some(Trouble::Damaged) => {
                let message = "The database is damaged and is being looked at. Nothing was changed.";
                return Self::new(ErrorKind::Unavailable, STORAGE_DAMAGED, message);
            }
            None => {}
        }
        Self::new(ErrorKind::Unavailable, "storage_failed", format!("Storage failed: {error}. Nothing was changed."))
    }
}
