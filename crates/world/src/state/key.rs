//! The name of a world state entry: `person.location`.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The most parts a key may have.
pub(crate) const KEY_PARTS_MAX: usize = 8;
/// The longest part, in bytes.
pub(crate) const KEY_PART_BYTES_MAX: usize = 64;
/// The longest key, in bytes.
const KEY_BYTES_MAX: usize = 200;
/// In a rule this word means the confidence of the rule's one key, so no entry may have it as its whole name.
pub(crate) const RESERVED: &str = "confidence";

/// `part ("." part)*`, each part `[a-z0-9_-]{1,64}`, at most 8 parts and 200 bytes.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
#[ts(type = "string")]
pub struct Key(Arc<str>);

/// The error for a text that is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no world key: 1 to 8 parts of a-z, 0-9, '_' and '-' joined by dots, 200 bytes in all")]
pub struct KeyError {
    /// The text as given, cut to 80 characters.
    pub text: String,
}

impl Key {
    /// Checks `text` against the key grammar.
    pub fn new(text: &str) -> Result<Self, KeyError> {
        if Self::is_legal(text) {
            return Ok(Self(text.into()));
        }
        Err(KeyError { text: text.chars().take(80).collect() })
    }

    /// True for a text that is a key.
    pub(crate) fn is_legal(text: &str) -> bool {
        let fits = text.len() <= KEY_BYTES_MAX && text != RESERVED;
        fits && text.split('.').count() <= KEY_PARTS_MAX && text.split('.').all(is_part)
    }

    /// False for a text with which no key begins.
    #[must_use]
    pub fn may_begin_with(text: &str) -> bool {
        text.len() <= KEY_BYTES_MAX && text.bytes().all(|byte| is_key_byte(byte) || byte == b'.')
    }

    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// True for a byte a key part may consist of.
pub(crate) fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_' || byte == b'-'
}

fn is_part(part: &str) -> bool {
    (1..=KEY_PART_BYTES_MAX).contains(&part.len()) && part.bytes().all(is_key_byte)
}

impl Borrow<str> for Key {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Key {
    type Error = KeyError;
    fn try_from(text: String) -> Result<Self, KeyError> {
        Self::new(&text)
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.0.as_ref().into()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ws_05_refuses_text_outside_the_key_grammar() {
        let long_part = "a".repeat(65);
        let long_key = ["a".repeat(60), "b".repeat(60), "c".repeat(60), "d".repeat(60)].join(".");
        for text in
            ["", ".", "a.", ".a", "a..b", "A.b", "a b", "ä", "confidence", "a.b.c.d.e.f.g.h.i", &long_part, &long_key]
        {
            assert!(Key::new(text).is_err(), "{text:?} was accepted");
        }
        for text in ["a", "person.location", "arm-1.calibrated", "confidence.low", "a.b.c.d.e.f.g.h"] {
            assert_eq!(Key::new(text).unwrap().as_str(), text);
        }
    }
}
