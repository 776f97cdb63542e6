//! Tools in few words, for a model that is small or reads slowly.

use std::collections::BTreeMap;

use agent::{Select, ToolSpec};
use serde_json::{Map, Value, json};

/// Keywords of a schema that say nothing about the shape of a value.
const ASIDE: [&str; 6] = ["title", "examples", "$schema", "$comment", "format", "x-vouched"];
/// Keywords below which names stand, each with a schema.
const NAMED: [&str; 3] = ["properties", "patternProperties", DEFINITIONS];
/// Keywords below which a value stands, and no schema.
const VALUES: [&str; 3] = ["default", "const", "enum"];
const DEFINITIONS: &str = "$defs";
/// Definitions within definitions are followed so often.
const DEPTH_MAX: usize = 8;
/// A definition that is no longer stands where it is used.
const INLINED_BYTES_MAX: usize = 160;

/// Of `tools` those that are always declared, if there are any; each with the first sentence of its descriptions, and a
/// schema in few words that accepts the same.
pub fn compact(select: &Select, mut tools: Vec<ToolSpec>) -> Vec<ToolSpec> {
    // A policy that names none keeps all: without tools the agent could do nothing.
    if tools.iter().any(|tool| select.is_always_in(tool)) {
        tools.retain(|tool| select.is_always_in(tool));
    }
    tools.into_iter().map(shortened).collect()
}

fn shortened(mut tool: ToolSpec) -> ToolSpec {
    tool.description = first_sentence(&tool.description).to_owned();
    shorten(&mut tool.input_schema);
    for _ in 0..DEPTH_MAX {
        if !inline(&mut tool.input_schema) {
            break;
        }
    }
    each_within(&mut tool.input_schema, &mut or_null);
    tool
}

/// Shortens a schema and all schemas within.
fn shorten(schema: &mut Value) {
    each_within(schema, &mut |fields| {
        fields.retain(|name, _| !ASIDE.contains(&name.as_str()));
        if let Some(Value::String(text)) = fields.get_mut("description") {
            *text = first_sentence(text).to_owned();
        }
        // Its fields say it.
        if fields.contains_key("properties") {
            fields.remove("description");
        }
        if let Some(words) = fields.get("oneOf").and_then(words) {
            fields.remove("oneOf");
            if words.iter().all(Value::is_string) {
                fields.insert("type".to_owned(), json!("string"));
            }
            fields.insert("enum".to_owned(), Value::Array(words));
        }
    });
}

/// Says of a value that it may be null by its type, and not by a choice of two schemas.
fn or_null(fields: &mut Map<String, Value>) {
    let Some([Value::Object(schema), null]) = fields.get("anyOf").and_then(Value::as_array).map(Vec::as_slice) else {
        return;
    };
    let Some(Value::String(name)) = schema.get("type").filter(|_| *null == json!({ "type": "null" })) else { return };
    let mut schema = schema.clone();
    schema.insert("type".to_owned(), json!([name, "null"]));
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    fields.remove("anyOf");
    for (name, value) in schema {
        fields.entry(name).or_insert(value);
    }
}

/// The words that a choice between constants allows.
fn words(choices: &Value) -> Option<Vec<Value>> {
    choices.as_array()?.iter().map(|choice| choice.get("const").cloned()).collect()
}

/// Puts definitions where they are used, if they are short or used once. True if any was put in place.
fn inline(schema: &mut Value) -> bool {
    let Some(Value::Object(mut definitions)) = schema.get_mut(DEFINITIONS).map(Value::take) else { return false };
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    let mut count = |fields: &mut Map<String, Value>| {
        if let Some(name) = reference(fields) {
            *uses.entry(name.to_owned()).or_default() += 1;
        }
    };
    each_within(schema, &mut count);
    definitions.values_mut().for_each(|definition| each_within(definition, &mut count));
    let is_inlined = |name: &str, definition: &mut Value| {
        let mut refers = false;
        each_within(definition, &mut |fields| refers |= reference(fields).is_some());
        // A definition that refers to another waits for a later round, after that one was put in place.
        let is_once = uses.get(name).is_none_or(|uses| *uses <= 1);
        !refers && (is_once || definition.to_string().len() <= INLINED_BYTES_MAX)
    };
    let mut kept = Map::new();
    let mut inlined = BTreeMap::new();
    for (name, mut definition) in definitions {
        if is_inlined(&name, &mut definition) {
            inlined.insert(name, definition);
        } else {
            kept.insert(name, definition);
        }
    }
    let mut put = |fields: &mut Map<String, Value>| {
        if let Some(Value::Object(definition)) = reference(fields).and_then(|name| inlined.get(name)) {
            fields.remove("$ref");
            for (name, value) in definition {
                // A keyword beside the reference is about this use, and wins.
                fields.entry(name).or_insert_with(|| value.clone());
            }
        }
    };
    each_within(schema, &mut put);
    kept.values_mut().for_each(|definition| each_within(definition, &mut put));
    if let Value::Object(fields) = schema {
        fields.remove(DEFINITIONS);
        if !kept.is_empty() {
            fields.insert(DEFINITIONS.to_owned(), Value::Object(kept));
        }
    }
    !inlined.is_empty()
}

/// The definition that a schema stands for.
fn reference(fields: &Map<String, Value>) -> Option<&str> {
    fields.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// Calls `change` with every schema within `schema`, the inner ones first. A field may itself have the name of a
/// keyword: a schema stands there, and no text.
fn each_within(schema: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                if let Value::Object(named) = value
                    && NAMED.contains(&name.as_str())
                {
                    named.values_mut().for_each(|schema| each_within(schema, change));
                } else if !VALUES.contains(&name.as_str()) {
                    each_within(value, change);
                }
            }
            change(fields);
        }
        Value::Array(values) => values.iter_mut().for_each(|schema| each_within(schema, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// `text` up to its first full stop or semicolon before a space.
fn first_sentence(text: &str) -> &str {
    let end = text.find(". ").into_iter().chain(text.find("; ")).min();
    end.map_or(text, |end| &text[..end])
}

#[cfg(test)]
mod tests {
    use agent::Policy;
    use robot::Effect;

    use super::*;

    #[test]
    fn fp_18_a_tool_keeps_the_shape_of_its_input_and_the_first_sentence_of_each_description() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Goal",
            "type": "object",
            "properties": {
                "description": { "type": "string", "description": "Its words. At most 80." },
                "title": { "type": "string", "maxLength": 80 },
                "examples": true,
                "speed": { "anyOf": [{ "type": "number", "description": "In m/s, 0.1 at least" }, { "type": "null" }] },
                "way": { "enum": [{ "title": "by road" }], "default": { "title": "by road" } },
            },
            "required": ["description"],
        });
        let tool = shortened(ToolSpec::new("go", "Drives. Slowly, at 0.5 m/s.", schema, Effect::Read));
        assert_eq!(tool.description, "Drives");
        let expected = json!({
            "type": "object",
            "properties": {
                "description": { "type": "string", "description": "Its words" },
                "title": { "type": "string", "maxLength": 80 },
                "examples": true,
                "speed": { "type": ["number", "null"], "description": "In m/s, 0.1 at least" },
                "way": { "enum": [{ "title": "by road" }], "default": { "title": "by road" } },
            },
            "required": ["description"],
        });
        assert_eq!(tool.input_schema, expected);
    }

    #[test]
    fn fp_18_definitions_stand_where_they_are_used_and_words_are_a_list() {
        let long = "A frame in which positions and velocities are, one of those that the manifest of the robot names, or that \
                    of a site which holds it, for as long as its transform is known and fresh";
        let schema = json!({
            "$defs": {
                "Frame": { "type": "string", "description": long, "x-vouched": true },
                "Missed": {
                    "description": "What is done then.",
                    "oneOf": [{ "const": "once", "type": "string" }, { "const": "all", "type": "string" }],
                },
                "Tree": { "type": "object", "properties": { "left": { "$ref": "#/$defs/Tree" } } },
            },
            "type": "object",
            "properties": {
                "from": { "$ref": "#/$defs/Frame" },
                "to": { "$ref": "#/$defs/Frame" },
                "missed": { "anyOf": [{ "$ref": "#/$defs/Missed" }, { "type": "null" }], "description": "If late." },
                "tree": { "$ref": "#/$defs/Tree" },
            },
        });
        let expected = json!({
            "$defs": {
                "Frame": { "type": "string", "description": long },
                "Tree": { "type": "object", "properties": { "left": { "$ref": "#/$defs/Tree" } } },
            },
            "type": "object",
            "properties": {
                "from": { "$ref": "#/$defs/Frame" },
                "to": { "$ref": "#/$defs/Frame" },
                "missed": { "type": ["string", "null"], "enum": ["once", "all", null], "description": "If late." },
                "tree": { "$ref": "#/$defs/Tree" },
            },
        });
        assert_eq!(shortened(ToolSpec::new("go", "Drives.", schema, Effect::Read)).input_schema, expected);
    }

    #[test]
    fn fp_18_where_no_tool_is_always_declared_all_stay() {
        let tool = ToolSpec::new("go", "Drives.", json!({ "type": "object" }), Effect::Read);
        let mut select = Policy::operator().tools.select;
        assert_eq!(compact(&select, vec![tool.clone()]), std::slice::from_ref(&tool));
        select.always.clear();
        assert_eq!(compact(&select, vec![tool.clone()]), [tool]);
    }
}
