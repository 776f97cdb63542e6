//! Refusals of manifests.

/// Refusal of a manifest; names the line or the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// The text is no manifest.
    #[error("line {line}: {message}")]
    Syntax {
        /// Line from 1.
        line: usize,
        /// The fault there.
        message: String,
    },
    /// A value is impossible.
    #[error("{key}: {expected}")]
    Value {
        /// The key's path.
        key: String,
        /// Value that was expected.
        expected: String,
    },
}

pub(super) fn value_error(key: impl Into<String>, expected: impl Into<String>) -> ManifestError {
    ManifestError::Value { key: key.into(), expected: expected.into() }
}
