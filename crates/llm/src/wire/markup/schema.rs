//! Check of arguments against a tool's schema, as far as it tells a call from an answer that happens to be JSON.
//! The turn loop validates arguments in full before it runs anything.

use serde_json::{Map, Value};

/// Deeper than any tool's arguments, and an end to a reference to itself.
const DEPTH_MAX: usize = 32;

/// Types, required and known properties, enumerations and alternatives.
pub(super) fn fits(schema: &Value, value: &Value) -> bool {
    value.is_object() && holds(schema, schema, value, 0)
}

fn holds(root: &Value, schema: &Value, value: &Value, depth: usize) -> bool {
    let Value::Object(schema) = schema else { return schema != &Value::Bool(false) };
    if depth > DEPTH_MAX {
        return false;
    }
    let inner = |schema: &Value, value: &Value| holds(root, schema, value, depth + 1);
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target = reference.strip_prefix('#').and_then(|path| root.pointer(path));
        return target.is_some_and(|target| inner(target, value));
    }
    let any = |key: &str| list(schema, key).is_none_or(|options| options.iter().any(|option| inner(option, value)));
    let all = list(schema, "allOf").is_none_or(|parts| parts.iter().all(|part| inner(part, value)));
    let is_known_word = list(schema, "enum").is_none_or(|words| words.contains(value));
    let is_constant = schema.get("const").is_none_or(|constant| constant == value);
    any("anyOf")
        && any("oneOf")
        && all
        && is_known_word
        && is_constant
        && is_of_type(schema, value)
        && match value {
            Value::Object(fields) => fields_fit(schema, fields, inner),
            Value::Array(items) => {
                schema.get("items").is_none_or(|schema| items.iter().all(|item| inner(schema, item)))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        }
}

fn list<'a>(schema: &'a Map<String, Value>, key: &str) -> Option<&'a Vec<Value>> {
    schema.get(key).and_then(Value::as_array)
}

fn is_of_type(schema: &Map<String, Value>, value: &Value) -> bool {
    let is = |name: &Value| match (name.as_str(), value) {
        (Some("integer"), Value::Number(number)) => number.is_i64() || number.is_u64(),
        (Some("null"), Value::Null)
        | (Some("boolean"), Value::Bool(_))
        | (Some("number"), Value::Number(_))
        | (Some("string"), Value::String(_))
        | (Some("array"), Value::Array(_))
        | (Some("object"), Value::Object(_)) => true,
        _ => false,
    };
    match schema.get("type") {
        None => true,
        Some(Value::Array(names)) => names.iter().any(is),
        Some(name) => is(name),
    }
}

fn fields_fit(schema: &Map<String, Value>, fields: &Map<String, Value>, fits: impl Fn(&Value, &Value) -> bool) -> bool {
    let required = list(schema, "required").into_iter().flatten().filter_map(Value::as_str);
    let known = schema.get("properties").and_then(Value::as_object);
    let others = schema.get("additionalProperties");
    let field_fits = |(name, value): (&String, &Value)| match (known.and_then(|known| known.get(name)), others) {
        (Some(schema), _) | (None, Some(schema)) => fits(schema, value),
        (None, None) => true,
    };
    required.into_iter().all(|name| fields.contains_key(name)) && fields.iter().all(field_fits)
}
