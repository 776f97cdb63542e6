//! Failures of the gate program before it runs.

use robot::refusal::Code;

use crate::code::GateCode;

/// A failure, with the code that stays the same whatever the words are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message} ({code})", line.map_or_else(String::new, |line| format!("line {line}: ")))]
pub struct GateError {
    /// The stable name of the failure.
    pub code: Code,
    /// The line at fault, from 1, if it is one.
    pub line: Option<usize>,
    /// The fault.
    pub message: String,
}

impl GateError {
    /// A failure of no particular line.
    pub fn new(code: GateCode, message: impl Into<String>) -> Self {
        Self { code: code.into(), line: None, message: message.into() }
    }

    /// The same at a line.
    #[must_use]
    pub fn at(self, line: usize) -> Self {
        Self { line: Some(line), ..self }
    }

    /// The thing to do.
    #[must_use]
    pub const fn remedy(&self) -> &'static str {
        self.code.row().remedy
    }
}
