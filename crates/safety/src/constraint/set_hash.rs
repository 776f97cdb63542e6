//! The hash that names a constraint set.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// SHA-256 over the canonical JSON of a constraint set; lower-case hex on every wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
#[ts(type = "string")]
pub struct SetHash(pub [u8; 32]);

impl fmt::Display for SetHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for SetHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<SetHash> for String {
    fn from(hash: SetHash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for SetHash {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        const EXPECTED: &str = "a set hash is 64 lower-case hexadecimal digits";
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() != 64 || !text.bytes().all(digit) {
            return Err(EXPECTED);
        }
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).map_err(|_| EXPECTED)?;
        }
        Ok(Self(bytes))
    }
}
