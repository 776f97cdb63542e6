//! Words on the wire.

/// The word on the wire of a variant without data, for example `high`.
#[must_use]
pub fn word(variant: &impl serde::Serialize) -> String {
    match serde_json::to_value(variant) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(_) | Err(_) => String::new(),
    }
}
