//! Refusals: the answer of an operation that does not succeed.

mod code;
mod domain;

use std::fmt::Display;

use memory::{MemoryError, Trouble};
use robot::{SharedCode, Trust};
use serde::Serialize;
use serde_json::{Value, json};

pub use code::RuntimeCode;
pub use robot::refusal::{Code, CodeRow, ErrorKind};

/// A coded refusal: nothing was changed.
#[derive(Debug, Clone, Serialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct OpError {
    /// Stable code; a row of one of the tables of [`codes`].
    pub code: Code,
    /// A sentence for people.
    pub message: String,
    /// Values for a program, for example the failing path.
    pub details: Value,
    /// For the host's status.
    #[serde(skip)]
    pub kind: ErrorKind,
    /// The trust of its words.
    #[serde(skip)]
    pub trust: Trust,
}

/// The words of a refusal. Text written in the program is the station's own; text put together as it runs may
/// quote anybody, unless the code that puts it together vouches for it.
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
    /// A refusal without details, of the usual kind of its code.
    pub fn new(code: impl Into<Code>, message: impl Into<ErrorText>) -> Self {
        let (code, ErrorText { text, trust }) = (code.into(), message.into());
        Self { code, message: text, details: json!({}), kind: code.kind(), trust }
    }

    /// The same as another kind, which the table gives to its code too.
    #[must_use]
    pub fn of_kind(self, kind: ErrorKind) -> Self {
        debug_assert!(self.code.row().kinds.contains(&kind), "the table does not say that {} is {kind:?}", self.code);
        Self { kind, ..self }
    }

    /// A refusal as one of the input that named what was refused.
    #[must_use]
    pub fn as_bad_input(self) -> Self {
        self.of_kind(ErrorKind::BadInput)
    }

    /// The same with details.
    #[must_use]
    pub fn with(mut self, details: Value) -> Self {
        // Any other detail may hold text of unknown origin.
        let quotes = details.as_object().into_iter().flatten().any(|(name, detail)| {
            !OWN_DETAILS.contains(&name.as_str()) && !matches!(detail, Value::Null | Value::Bool(_) | Value::Number(_))
        });
        self.trust = if quotes || !details.is_object() { Trust::Text } else { self.trust };
        self.details = details;
        self
    }

    /// The named thing does not exist.
    pub fn not_found(code: impl Into<Code>, what: &str, id: impl Display) -> Self {
        Self::new(code, ErrorText::own(format!("There is no {what} {id}.")))
    }

    /// The field at `path` is not what the operation takes.
    pub fn bad_input(code: impl Into<Code>, path: &str, message: impl Into<ErrorText>) -> Self {
        Self::new(code, message).with(json!({ "path": path }))
    }
}

/// The refusals that many operations share.
impl OpError {
    /// `field` is a number, or has a length, outside `min` to `max`.
    pub fn out_of_range(field: &str, min: impl Serialize + Display, max: impl Serialize + Display) -> Self {
        let message = ErrorText::own(format!("{field} is {min} to {max}."));
        Self::bad_input(SharedCode::OutOfRange, field, message)
            .with(json!({ "path": field, "field": field, "min": min, "max": max }))
    }

    /// There are as many as there may be.
    pub fn limit_reached(limit: usize, message: impl Into<ErrorText>) -> Self {
        Self::new(SharedCode::LimitReached, message).with(json!({ "limit": limit }))
    }
}

/// Every code of the shared services and of the crates below them.
pub fn codes() -> impl Iterator<Item = Code> {
    SharedCode::codes()
        .chain(world::WorldCode::codes())
        .chain(safety::SafetyCode::codes())
        .chain(missions::MissionCode::codes())
        .chain(bridge::BridgeCode::codes())
        .chain(RuntimeCode::codes())
}

impl From<MemoryError> for OpError {
    fn from(error: MemoryError) -> Self {
        // The source of the failure is for the log; the answer says what a person can do.
        tracing::error!(error = &error as &dyn std::error::Error, "storage");
        match error.trouble() {
            Some(Trouble::Unwritable) => {
                let message = "The disk is full or cannot be written. Nothing was changed; free space and try again.";
                return Self::new(RuntimeCode::StorageFull, message);
            }
            Some(Trouble::Damaged) => {
                let message = "The database is damaged and is being looked at. Nothing was changed.";
                return Self::new(RuntimeCode::StorageDamaged, message);
            }
            None => {}
        }
        Self::new(RuntimeCode::StorageFailed, format!("Storage failed: {error}. Nothing was changed."))
    }
}
