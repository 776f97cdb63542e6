//! JSON schema in the part of it that OpenAPI 3.0 knows. What is lost is checked by us: arguments are validated against
//! the full schema whatever the model was shown.

use std::cell::Cell;

use serde_json::{Map, Value, json};

/// References are followed this deep; a schema that contains itself ends there.
const REFERENCES_MAX: usize = 8;
/// Schemas inside one schema: references that fan out would otherwise grow without end.
const SCHEMAS_MAX: usize = 2_000;
/// Formats that are known.
const FORMATS: [&str; 7] = ["float", "double", "int32", "int64", "date-time", "enum", "byte"];
/// Keywords that are kept as they are.
const KEPT: [&str; 14] = [
    "title",
    "description",
    "nullable",
    "enum",
    "required",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "pattern",
    "minProperties",
    "maxProperties",
];

/// The schema of a tool's arguments; absent if it takes none.
pub(super) fn subset(schema: &Value) -> Option<Value> {
    let reduced = Reducer { root: schema, left: Cell::new(SCHEMAS_MAX) }.reduce(schema, REFERENCES_MAX);
    let takes_none = reduced.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty);
    (!takes_none).then_some(reduced)
}

struct Reducer<'a> {
    root: &'a Value,
    /// Schemas that may still be read.
    left: Cell<usize>,
}

impl Reducer<'_> {
    fn reduce(&self, schema: &Value, references_left: usize) -> Value {
        let Value::Object(schema) = schema else { return json!({}) };
        let Some(left) = self.left.get().checked_sub(1) else { return json!({"type": "object"}) };
        self.left.set(left);
        if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|path| self.target(path)) {
            return match references_left.checked_sub(1) {
                Some(left) => self.reduce(target, left),
                None => json!({"type": "object"}),
            };
        }
        let merged = self.merged(schema, references_left);
        let mut reduced: Map<String, Value> = merged
            .iter()
            .filter(|(key, _)| KEPT.contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        self.add_type(&merged, &mut reduced);
        // OpenAPI 3.0 has no `const`; a choice of one says the same.
        if let Some(constant) = merged.get("const") {
            reduced.insert("enum".to_owned(), json!([constant]));
        }
        if let Some(format) =
            merged.get("format").filter(|format| format.as_str().is_some_and(|name| FORMATS.contains(&name)))
        {
            reduced.insert("format".to_owned(), format.clone());
        }
        if let Some(items) = merged.get("items") {
            reduced.insert("items".to_owned(), self.reduce(items, references_left));
        }
        if let Some(Value::Array(choices)) = merged.get("anyOf") {
            self.add_choices(choices, references_left, &mut reduced);
        }
        if let Some(Value::Object(properties)) = merged.get("properties") {
            let properties =
                properties.iter().map(|(name, property)| (name.clone(), self.reduce(property, references_left)));
            reduced.insert("properties".to_owned(), Value::Object(properties.collect()));
        }
        Value::Object(reduced)
    }

    fn target(&self, path: &str) -> Option<&Value> {
        self.root.pointer(path.strip_prefix('#')?)
    }

    /// The schema with the parts of its `allOf`, and its `oneOf` read as `anyOf`: one of them fits, which is all that
    /// can be said.
    fn merged(&self, schema: &Map<String, Value>, references_left: usize) -> Map<String, Value> {
        let mut merged = schema.clone();
        if let Some(choices) = merged.remove("oneOf") {
            merged.entry("anyOf").or_insert(choices);
        }
        // There is no way to say that all parts hold, so they are laid into one.
        let Some(Value::Array(parts)) = merged.remove("allOf") else { return merged };
        for part in parts {
            let Value::Object(part) = self.reduce(&part, references_left) else { continue };
            for (key, value) in part {
                match (merged.get_mut(&key), value) {
                    (Some(Value::Object(known)), Value::Object(more)) => known.extend(more),
                    (Some(Value::Array(known)), Value::Array(more)) if key == "required" => known.extend(more),
                    // The schema's own keyword is the more specific one.
                    (Some(_), _) => {}
                    (None, value) => drop(merged.insert(key, value)),
                }
            }
        }
        merged
    }

    /// `["string", "null"]` is a nullable string.
    fn add_type(&self, schema: &Map<String, Value>, reduced: &mut Map<String, Value>) {
        let names: Vec<&str> = match schema.get("type") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(name)) => vec![name.as_str()],
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => Vec::new(),
        };
        if names.len() > 1 && names.contains(&"null") {
            reduced.insert("nullable".to_owned(), Value::Bool(true));
        }
        let others: Vec<&str> = names.into_iter().filter(|name| *name != "null").collect();
        match (others.as_slice(), schema.get("const").or_else(|| schema.get("enum")?.get(0))) {
            ([one], _) => drop(reduced.insert("type".to_owned(), json!(one))),
            ([], Some(Value::String(_))) => drop(reduced.insert("type".to_owned(), json!("string"))),
            ([], _) => {}
            (several, _) => {
                let choices: Vec<Value> = several.iter().map(|name| json!({"type": name})).collect();
                reduced.insert("anyOf".to_owned(), Value::Array(choices));
            }
        }
    }

    /// A choice between something and nothing is something nullable.
    fn add_choices(&self, choices: &[Value], references_left: usize, reduced: &mut Map<String, Value>) {
        let is_null = |choice: &&Value| choice.get("type").is_some_and(|name| name == "null");
        if choices.iter().any(|choice| is_null(&choice)) {
            reduced.insert("nullable".to_owned(), Value::Bool(true));
        }
        let others =
            choices.iter().filter(|choice| !is_null(choice)).map(|choice| self.reduce(choice, references_left));
        let others: Vec<Value> = others.collect();
        match <[Value; 1]>::try_from(others) {
            // A choice that has one option left is that option.
            Ok([Value::Object(only)]) => {
                for (key, value) in only {
                    reduced.entry(key).or_insert(value);
                }
            }
            Ok([_]) => {}
            Err(others) if others.is_empty() => {}
            Err(others) => drop(reduced.insert("anyOf".to_owned(), Value::Array(others))),
        }
    }
}
