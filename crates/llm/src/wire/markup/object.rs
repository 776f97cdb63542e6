//! A call as one JSON object.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::schema;
use crate::ToolDecl;

/// A call as it was printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::wire) struct Printed {
    /// The tool.
    pub name: String,
    /// The arguments as they were printed.
    pub args_raw: String,
}

/// Names that models use for the tool, and names that they use for its arguments.
const NAMES: [&str; 3] = ["name", "tool", "function"];
const ARGUMENTS: [&str; 4] = ["arguments", "parameters", "args", "input"];

/// Reads what stands inside a tag; whether the tool exists is found out like with any other call.
pub(super) fn tagged(inner: &str) -> Option<Printed> {
    printed(inner.trim())
}

/// Reads a whole reply: one object, bare or fenced, that names one of `tools` and fits its schema.
pub(super) fn whole(text: &str, tools: &[ToolDecl]) -> Option<Printed> {
    let call = printed(unfenced(text.trim()))?;
    // An answer may happen to be JSON with a name in it; a call names a tool and fits its schema.
    let tool = tools.iter().find(|tool| tool.name == call.name)?;
    let arguments: Value = serde_json::from_str(&call.args_raw).ok()?;
    schema::fits(&tool.input_schema, &arguments).then_some(call)
}

/// Text between the fences, if it is one fenced block; otherwise all of it.
pub(super) fn unfenced(text: &str) -> &str {
    let inner = || {
        let (language, block) = text.strip_prefix("```")?.split_once('\n')?;
        let is_word = language.trim_end().chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let block = block.trim_end().strip_suffix("```")?;
        (is_word && !block.contains("```")).then_some(block.trim())
    };
    inner().unwrap_or(text)
}

fn printed(json: &str) -> Option<Printed> {
    let fields: Map<String, Value> = serde_json::from_str(json).ok()?;
    let raw: BTreeMap<String, &RawValue> = serde_json::from_str(json).ok()?;
    if let Some(Value::Object(_)) = fields.get("function") {
        return printed(raw.get("function")?.get());
    }
    let name = NAMES.iter().find_map(|key| fields.get(*key)).and_then(Value::as_str)?;
    let key = ARGUMENTS.iter().find(|key| fields.contains_key(**key));
    let args_raw = match key.map(|key| (&fields[*key], raw.get(*key))) {
        None | Some((Value::Null, _)) => "{}".to_owned(),
        Some((Value::Object(_), Some(raw))) => raw.get().to_owned(),
        Some((Value::String(text), _)) => {
            serde_json::from_str::<Map<String, Value>>(text).ok()?;
            text.clone()
        }
        Some((Value::Object(_) | Value::Array(_) | Value::Bool(_) | Value::Number(_), _)) => return None,
    };
    Some(Printed { name: name.to_owned(), args_raw })
}
