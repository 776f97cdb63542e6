//! Declarations, calls and results as text, for servers that take no tools.

use serde_json::{Value, json};

use crate::ToolDecl;

const INTRODUCTION: &str = "\n\n# Tools\n\
    You may call the tools below. A call stands on its own between <tool_call> and </tool_call>, as one JSON object \
    with the keys \"name\" and \"arguments\":\n\
    <tool_call>{\"name\": \"tool\", \"arguments\": {}}</tool_call>\n\
    Its result comes back between <tool_response> and </tool_response>. The tools, one a line:\n";

/// What stands at the end of the system text.
pub(in crate::wire) fn declarations(tools: &[ToolDecl]) -> String {
    let line = |tool: &ToolDecl| {
        json!({ "name": tool.name, "description": tool.description, "parameters": tool.input_schema }).to_string()
    };
    let lines: Vec<String> = tools.iter().map(line).collect();
    format!("{INTRODUCTION}{}", lines.join("\n"))
}

/// A call that the model made.
pub(in crate::wire) fn call(name: &str, arguments: &str) -> String {
    let name = Value::from(name);
    format!("<tool_call>{}</tool_call>", closed(&format!(r#"{{"name":{name},"arguments":{arguments}}}"#)))
}

/// What came of it.
pub(in crate::wire) fn result(json: &str) -> String {
    format!("<tool_response>{}</tool_response>", closed(json))
}

/// JSON has `<` only in texts, and there it can be written so that it neither opens nor closes a tag.
fn closed(json: &str) -> String {
    json.replace('<', "\\u003c")
}
