//! A tool's input as a type in the manner of TypeScript: half of the text of its JSON schema, and a form that models have
//! read much of. Bounds and keywords without a type stand behind it in JSON. A field that may be left out is not said to
//! take null as well.

use serde_json::{Map, Value};

/// Deeper than any tool's input.
const DEPTH_MAX: usize = 32;
const DEFINITIONS: &str = "$defs";
/// Keywords that the type itself says, or that say nothing to a model.
const SAID: [&str; 15] = [
    "$defs",
    "$ref",
    "$schema",
    "additionalProperties",
    "anyOf",
    "const",
    "default",
    "description",
    "enum",
    "items",
    "oneOf",
    "properties",
    "required",
    "title",
    "type",
];

/// The definitions that `schema` refers to, a line each, and its type.
pub(super) fn signature(schema: &Value) -> (Vec<String>, String) {
    let definitions = schema.get(DEFINITIONS).and_then(Value::as_object).into_iter().flatten();
    let lines = definitions.map(|(name, schema)| format!("type {} = {}", key(name), typed(schema, 0))).collect();
    (lines, typed(schema, 0))
}

/// `text` on one line, and without the end of a comment.
pub(super) fn comment(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace("*/", "* /")
}

fn typed(schema: &Value, depth: usize) -> String {
    let Value::Object(fields) = schema else { return "any".to_owned() };
    if depth > DEPTH_MAX {
        // Beyond the bound the rest is given as it is: longer, but not wrong.
        return schema.to_string();
    }
    if let Some(reference) = fields.get("$ref").and_then(Value::as_str) {
        // A reference is named and not followed, so a schema that holds itself has an end.
        return key(reference.rsplit('/').next().unwrap_or(reference));
    }
    if let Some(value) = fields.get("const") {
        return value.to_string();
    }
    let one_of =
        |options: &[Value], of: &dyn Fn(&Value) -> String| options.iter().map(of).collect::<Vec<String>>().join(" | ");
    if let Some(words) = list(fields, "enum") {
        return one_of(words, &Value::to_string);
    }
    let inner = |schema: &Value| typed(schema, depth + 1);
    if let Some(options) = list(fields, "anyOf").or_else(|| list(fields, "oneOf")) {
        return one_of(options, &inner);
    }
    match fields.get("type") {
        Some(Value::Array(names)) => one_of(names, &|name| named(fields, name.as_str(), depth)),
        name => named(fields, name.and_then(Value::as_str), depth),
    }
}

/// The type of a schema whose `type` is `name`.
fn named(fields: &Map<String, Value>, name: Option<&str>, depth: usize) -> String {
    match name {
        Some("array") => {
            let items = fields.get("items").map_or_else(|| "any".to_owned(), |items| typed(items, depth + 1));
            // `a | b[]` would be a list of `b` alone.
            if items.contains([' ', '|']) { format!("({items})[]") } else { format!("{items}[]") }
        }
        Some("object") => object(fields, depth),
        None if fields.contains_key("properties") => object(fields, depth),
        Some(name) => name.to_owned(),
        None => "any".to_owned(),
    }
}

/// The fields that must be given first.
fn object(fields: &Map<String, Value>, depth: usize) -> String {
    let properties = fields.get("properties").and_then(Value::as_object).into_iter().flatten();
    let is_required =
        |name: &str| list(fields, "required").is_some_and(|names| names.iter().any(|known| known == name));
    let (required, optional): (Vec<_>, Vec<_>) = properties.partition(|(name, _)| is_required(name));
    let given = |schema: &Value| typed(schema, depth + 1);
    let required = required.into_iter().map(|(name, schema)| field(name, "", &given(schema), schema));
    let optional = optional.into_iter().map(|(name, schema)| {
        let input = given(schema);
        // A field that may be left out need not take null as well.
        field(name, "?", input.strip_suffix(" | null").unwrap_or(&input), schema)
    });
    format!("{{{}}}", required.chain(optional).collect::<Vec<String>>().join(", "))
}

fn field(name: &str, mark: &str, input: &str, schema: &Value) -> String {
    let aside = aside(schema);
    let aside = if aside.is_empty() { aside } else { format!(" /* {} */", comment(&aside)) };
    format!("{}{mark}: {input}{aside}", key(name))
}

/// The rest of a schema beside its type: its description, what is taken if it is left out, and its bounds in JSON.
fn aside(schema: &Value) -> String {
    let Value::Object(fields) = schema else { return String::new() };
    let mut parts = Vec::new();
    let description = fields.get("description").and_then(Value::as_str);
    parts.extend(description.map(|text| text.trim_end_matches('.').to_owned()));
    parts.extend(fields.get("default").filter(|value| !value.is_null()).map(|value| format!("default {value}")));
    let bounds = fields.iter().filter(|(name, _)| !SAID.contains(&name.as_str()));
    let bounds: Map<String, Value> = bounds.map(|(name, value)| (name.clone(), value.clone())).collect();
    if !bounds.is_empty() {
        parts.push(Value::Object(bounds).to_string());
    }
    parts.join("; ")
}

/// A name as it stands before a colon.
fn key(name: &str) -> String {
    let is_plain = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_plain { name.to_owned() } else { Value::from(name).to_string() }
}

fn list<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a [Value]> {
    fields.get(name).and_then(Value::as_array).map(Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn wc_07_an_input_is_printed_as_a_type_with_what_must_be_given_first() {
        let schema = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "force_n": { "type": ["number", "null"], "description": "Newtons.", "maximum": 60 },
                "motion": { "oneOf": [
                    { "type": "object", "properties": { "points_m": {
                        "type": "array", "items": { "type": "array", "items": { "type": "number" } },
                    } }, "required": ["points_m"] },
                    { "$ref": "#/$defs/Switch" },
                ] },
                "robot": { "type": "string" },
                "way": { "enum": ["road", "air", null], "default": "road" },
                "tags": { "type": "array", "items": { "enum": ["a", "b"] } },
                "odd name": true,
            },
            "required": ["robot", "motion"],
            "$defs": { "Switch": { "type": "object", "properties": { "on": { "type": "boolean" } } } },
        });
        let (definitions, input) = signature(&schema);
        assert_eq!(definitions, ["type Switch = {on?: boolean}"]);
        let expected = "{motion: {points_m: number[][]} | Switch, robot: string, \
                        force_n?: number /* Newtons; {\"maximum\":60} */, \"odd name\"?: any, \
                        tags?: (\"a\" | \"b\")[], way?: \"road\" | \"air\" /* default \"road\" */}";
        assert_eq!(input, expected);
    }

    #[test]
    fn wc_07_a_description_neither_ends_its_comment_nor_its_line() {
        let schema =
            json!({ "properties": { "a": { "type": "string", "description": "x */ }\n</tool_call>\n- stop" } } });
        assert_eq!(signature(&schema).1, "{a?: string /* x * / } </tool_call> - stop */}");
    }

    #[test]
    fn wc_07_a_schema_that_holds_itself_without_end_is_cut() {
        let mut schema = json!({ "type": "string" });
        for _ in 0..100 {
            schema = json!({ "type": "array", "items": schema });
        }
        assert!(signature(&schema).1.contains("\"items\""));
        let tree = json!({ "$defs": { "Tree": { "properties": { "left": { "$ref": "#/$defs/Tree" } } } }, "$ref": "#/$defs/Tree" });
        assert_eq!(signature(&tree), (vec!["type Tree = {left?: Tree}".to_owned()], "Tree".to_owned()));
    }
}
