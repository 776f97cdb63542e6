//! No mark in the type of an answer vouches for a place at which anything can stand.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde_json::{Value, json};

/// Every place below a mark at which anything at all may stand.
fn open_below(root: &Value, node: &Value, is_marked: bool, path: String, found: &mut BTreeSet<String>) {
    let is_marked = match node.get("x-vouched") {
        Some(Value::Bool(is_ours)) => *is_ours,
        _ => is_marked,
    };
    let is_marked = is_marked || node.get("x-vouched-by").is_some();
    if path.matches('/').count() > 24 {
        return;
    }
    let described = ["type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf", "properties"];
    let is_anything = *node == json!(true)
        || node.as_object().is_some_and(|fields| !described.iter().any(|word| fields.contains_key(*word)));
    let has_no_form = node["type"] == "object"
        && ["properties", "additionalProperties", "patternProperties"].iter().all(|word| node.get(word).is_none());
    if is_marked && (is_anything || has_no_form) {
        found.insert(path.clone());
    }
    if let Some(target) = node["$ref"].as_str().and_then(|name| root.pointer(name.strip_prefix('#')?)) {
        open_below(root, target, is_marked, format!("{path}/{}", node["$ref"]), found);
    }
    for word in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        for (at, below) in node[word].as_array().into_iter().flatten().enumerate() {
            open_below(root, below, is_marked, format!("{path}/{word}{at}"), found);
        }
    }
    for (name, below) in node["properties"].as_object().into_iter().flatten() {
        open_below(root, below, is_marked, format!("{path}/{name}"), found);
    }
    for word in ["items", "additionalProperties"] {
        if let Some(below) = node.get(word).filter(|below| **below != json!(false)) {
            open_below(root, below, is_marked, format!("{path}/{word}"), found);
        }
    }
}

/// Answers of a form that a person or a model has declared, whose trust is reckoned from their words.
const RECKONED: &[&str] = &["ask_output/answers/additionalProperties"];

#[test]
fn p_20_nothing_vouches_for_what_can_hold_anything_however_deep_it_lies() {
    let mut found = BTreeSet::new();
    for row in super::super::table() {
        let schema = (row.output_schema)();
        open_below(&schema, &schema, false, row.name.to_owned(), &mut found);
    }
    found.retain(|place| !RECKONED.contains(&place.as_str()));
    assert!(found.is_empty(), "{found:#?}");
    let anything = schemars::schema_for!(Marked).to_value();
    open_below(&anything, &anything, false, "marked".to_owned(), &mut found);
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["marked/deep/\"#/$defs/Deep\"/anything"]);
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Marked {
    #[schemars(extend("x-vouched" = true))]
    deep: Deep,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Deep {
    anything: Value,
}
