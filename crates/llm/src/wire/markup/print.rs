//! Declarations, calls and results as text, for servers that take no tools.

use std::collections::BTreeMap;

use serde_json::Value;

use super::signature::{comment, signature};
use crate::ToolDecl;

const INTRODUCTION: &str = "\n\n# Tools\n\
    You may call the tools below. A call stands on its own between <tool_call> and </tool_call>, as one JSON object \
    with the keys \"name\" and \"arguments\":\n\
    <tool_call>{\"name\": \"tool\", \"arguments\": {}}</tool_call>\n\
    Its result comes back between <tool_response> and </tool_response>. The tools, each with the type of its arguments; a \
    field with `?` may be left out, and `(as other)` takes the arguments of `other`:\n";

/// An input shorter than this is printed again for a second tool that takes the same.
const SAME_BYTES_MIN: usize = 80;

/// The tools as they stand at the end of the system text.
pub(in crate::wire) fn declarations(tools: &[ToolDecl]) -> String {
    let mut text = INTRODUCTION.to_owned();
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for tool in tools {
        let (definitions, input) = signature(&tool.input_schema);
        let input = [vec![format!("({input})")], definitions].concat().join("\n  where ");
        let input = match known.get(&input) {
            Some(same) if input.len() >= SAME_BYTES_MIN => format!("(as {same})"),
            _ => {
                known.insert(input.clone(), &tool.name);
                input
            }
        };
        text.push_str(&format!("/* {} */ {}{input}\n", comment(&tool.description), tool.name));
    }
    text.truncate(text.trim_end().len());
    text
}

/// A call that the model made.
pub(in crate::wire) fn call(name: &str, arguments: &str) -> String {
    let name = Value::from(name);
    format!("<tool_call>{}</tool_call>", closed(&format!(r#"{{"name":{name},"arguments":{arguments}}}"#)))
}

/// Result of a call.
pub(in crate::wire) fn result(json: &str) -> String {
    format!("<tool_response>{}</tool_response>", closed(json))
}

/// JSON has `<` only in texts, and there it can be written so that it neither opens nor closes a tag.
fn closed(json: &str) -> String {
    json.replace('<', "\\u003c")
}
