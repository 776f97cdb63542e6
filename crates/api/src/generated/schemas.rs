//! The JSON schemas of every operation in one file.

use schemars::SchemaGenerator;
use serde_json::{Value, json};
use station::operations::table;

/// By operation, its terms with the schemas of its input and its output; the definitions that these share.
pub(super) fn operations() -> String {
    let mut shared = SchemaGenerator::default();
    let rows = table().iter().map(|row| {
        let [input, output] = (row.schemas)(&mut shared);
        let terms = json!({
            "description": row.description,
            "role": row.role,
            "effect": row.effect,
            "audience": row.audience,
            "about_agent": row.about_agent,
            "input": input,
            "output": output,
        });
        (row.name.to_owned(), terms)
    });
    let rows = lines(rows.collect::<Vec<_>>());
    let definitions = lines(shared.take_definitions(true));
    format!("{{\n\"operations\": {{\n{rows}\n}},\n\"$defs\": {{\n{definitions}\n}}\n}}\n")
}

/// One line each: a change of an operation is one line of a diff.
fn lines(named: impl IntoIterator<Item = (String, Value)>) -> String {
    let lines: Vec<String> = named.into_iter().map(|(name, value)| format!("{}: {value}", json!(name))).collect();
    lines.join(",\n")
}
