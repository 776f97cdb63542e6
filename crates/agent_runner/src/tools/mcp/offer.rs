//! A tool as its server offers it, and what of that is pinned.

use robot::Effect;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use runtime::config::Pin;
use runtime::wire::ToolFault;

/// Bytes of a tool's name: with the server's it stays within what providers take.
const NAME_BYTES_MAX: usize = 42;
/// Bytes of a description.
const DESCRIPTION_BYTES_MAX: usize = 4_096;
/// Bytes of a schema.
const SCHEMA_BYTES_MAX: usize = 16 * 1024;
/// Levels of a schema.
const SCHEMA_DEPTH_MAX: usize = 16;

/// A tool as its server describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedTool {
    /// Its own name.
    pub name: String,
    /// For the model.
    pub description: String,
    /// JSON schema of its arguments.
    pub input_schema: Value,
    /// Hints of its effect; null if there are none.
    pub annotations: Value,
}

impl OfferedTool {
    /// Canonical JSON of everything that is pinned.
    pub(crate) fn form(&self) -> String {
        let Self { name, description, input_schema, annotations } = self;
        let form = json!({
            "name": name, "description": description, "input_schema": input_schema, "annotations": annotations,
        });
        let canonical = serde_json_canonicalizer::to_string(&form);
        // A tool without a canonical form has no hash that anybody could have pinned.
        canonical.unwrap_or_default()
    }

    /// The tool that a pin holds.
    pub(crate) fn of_form(form: &str) -> Option<Self> {
        let form: Value = serde_json::from_str(form).ok()?;
        let text = |field: &str| form[field].as_str().map(str::to_owned);
        Some(Self {
            name: text("name")?,
            description: text("description")?,
            input_schema: form["input_schema"].clone(),
            annotations: form["annotations"].clone(),
        })
    }

    /// Reason to refuse the tool; none if it can be let.
    pub(crate) fn problem(&self) -> Option<ToolFault> {
        let is_fit = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if !(1..=NAME_BYTES_MAX).contains(&self.name.len()) || !self.name.chars().all(is_fit) {
            return Some(ToolFault::BadName { most: NAME_BYTES_MAX });
        }
        if self.description.len() > DESCRIPTION_BYTES_MAX {
            return Some(ToolFault::LongDescription { most: DESCRIPTION_BYTES_MAX });
        }
        // The descriptions in a schema are read by the model as well.
        if self.description.chars().any(is_hidden) || self.input_schema.to_string().chars().any(is_hidden) {
            return Some(ToolFault::HiddenCharacters);
        }
        if self.input_schema["type"] != "object" {
            return Some(ToolFault::NoObject);
        }
        if self.input_schema.to_string().len() > SCHEMA_BYTES_MAX || depth(&self.input_schema) > SCHEMA_DEPTH_MAX {
            return Some(ToolFault::LargeSchema { most: SCHEMA_BYTES_MAX, levels: SCHEMA_DEPTH_MAX });
        }
        let schema = jsonschema::validator_for(&self.input_schema);
        schema.err().map(|error| ToolFault::BadSchema { message: error.to_string() })
    }

    /// Effect of the tool: the pinned one, else the one that a trusted server hints; none if neither is known.
    pub(crate) fn effect(&self, pin: &Pin, is_trusted: bool) -> Option<Effect> {
        let hint = |name: &str| self.annotations[name].as_bool();
        pin.effect.or_else(|| match (is_trusted, hint("readOnlyHint"), hint("destructiveHint")) {
            (true, Some(true), _) => Some(Effect::Read),
            (true, _, Some(true)) => Some(Effect::Irreversible),
            (true, _, Some(false)) => Some(Effect::Write),
            // Hints of a server that nobody vouches for decide nothing.
            (true, _, None) | (false, _, _) => None,
        })
    }
}

/// SHA-256 of a form, hex.
pub(crate) fn hash(form: &str) -> String {
    hex::encode(Sha256::digest(form.as_bytes()))
}

/// Control, bidirectional, zero-width and tag characters: what a person who lets a tool would not see.
fn is_hidden(c: char) -> bool {
    let is_control = c.is_control() && !matches!(c, '\n' | '\t' | '\r');
    is_control
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(c, '\u{e0000}'..='\u{e007f}' | '\u{00ad}')
}

fn depth(value: &Value) -> usize {
    let below = match value {
        Value::Array(items) => items.iter().map(depth).max(),
        Value::Object(fields) => fields.values().map(depth).max(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    1 + below.unwrap_or_default()
}
