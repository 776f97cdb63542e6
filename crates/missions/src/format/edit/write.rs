//! Values as YAML on one line.

use std::fmt::Write;

use serde_json::Value as Json;

use crate::format::yaml::{Node, Plain, Style, Value};

/// Words that older readers of YAML take for something else than text.
const WORDS: [&str; 9] = ["yes", "no", "on", "off", "y", "n", "true", "false", "null"];

/// Keys in the order in which people write them; the others follow by name.
const FIRST: [&str; 9] = ["type", "operation", "goal", "path", "name", "robot", "actuator", "params", "input"];

/// `value` as it stands behind a key or `-`, or in a list of a line.
pub(super) fn flow(value: &Json) -> String {
    match value {
        Json::String(text) => scalar(text, Style::Plain),
        Json::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Json::Object(fields) => {
            let field = |(key, value): (&String, &Json)| format!("{}: {}", scalar(key, Style::Plain), flow(value));
            let mut fields: Vec<(&String, &Json)> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| FIRST.iter().position(|first| first == key).unwrap_or(FIRST.len()));
            format!("{{{}}}", fields.into_iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => value.to_string(),
    }
}

/// Text in the quotes of `style` if it can stand in them, else in double quotes.
pub(super) fn scalar(text: &str, style: Style) -> String {
    let is_printable = !text.chars().any(|c| c.is_control() || matches!(c, '\u{FEFF}' | '\u{2028}' | '\u{2029}'));
    match style {
        Style::Plain if is_plain(text) => text.to_owned(),
        Style::Single if is_printable => format!("'{}'", text.replace('\'', "''")),
        Style::Plain | Style::Single | Style::Double | Style::Block => quoted(text),
    }
}

/// True if `text` reads as itself without quotes, wherever it stands.
fn is_plain(text: &str) -> bool {
    let is_word =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' ' | '(' | ')' | '+' | '=' | '<' | '>');
    let node = Node {
        span: crate::problem::Span::default(),
        value: Value::Scalar { text: text.to_owned(), style: Style::Plain },
    };
    // Asked of the reader itself: text that looks like a number or `true` needs quotes to stay text.
    node.plain() == Some(Plain::Text(text))
        && text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(is_word)
        && !text.ends_with(' ')
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if c.is_control() || matches!(c, '\u{FEFF}' | '\u{2028}' | '\u{2029}') => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
