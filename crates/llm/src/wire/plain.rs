//! The body of an answer that should have been a stream and is one JSON text: a whole reply, or an error under 200.

use serde_json::Value;

/// An answer's bytes, as long as they may be one JSON text.
#[derive(Debug)]
pub(crate) struct Plain {
    kept: Option<Vec<u8>>,
}

impl Plain {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { kept: Some(Vec::new()) }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let Some(kept) = &mut self.kept else { return };
        kept.extend_from_slice(bytes);
        // An event stream begins with the name of a field, so nothing of it has to be kept here.
        if kept.trim_ascii_start().first().is_some_and(|byte| *byte != b'{' && *byte != b'[') {
            self.kept = None;
        }
    }

    /// True while the bytes may still be one JSON text.
    pub const fn may_be(&self) -> bool {
        self.kept.is_some()
    }

    /// The JSON text, at the end of the answer.
    pub fn whole(&self) -> Option<Value> {
        serde_json::from_slice(self.kept.as_deref()?.trim_ascii()).ok()
    }
}
