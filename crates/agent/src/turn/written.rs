//! A call that a model has written as words: small models know the form of one and not where it goes.

use serde_json::{Map, Value};

/// Marks that models put around a call.
const TAGS: [(&str, &str); 8] = [
    ("<tool_call>", "</tool_call>"),
    ("<function_call>", "</function_call>"),
    ("<tool>", "</tool>"),
    ("<tools>", "</tools>"),
    ("<|tool_call|>", ""),
    ("<|python_tag|>", ""),
    ("[TOOL_CALLS]", ""),
    ("```", "```"),
];
/// Words for the language of a fenced text.
const FENCED: [&str; 4] = ["json", "tool_call", "tool_code", "xml"];
/// Fields that a call may be wrapped in.
const WRAPPERS: [&str; 4] = ["function", "tool_call", "function_call", "tool_calls"];
/// Fields that name the tool, that hold its arguments, and that may stand beside them.
const NAMES: [&str; 5] = ["name", "tool", "tool_name", "function", "action"];
const ARGUMENTS: [&str; 7] = ["arguments", "parameters", "args", "input", "params", "action_input", "tool_input"];
const BESIDE: [&str; 4] = ["id", "type", "call_id", "index"];

/// A call as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub name: String,
    pub args_raw: String,
    /// It says what with: an object that has a name only may be anything.
    pub has_args: bool,
}

/// Words that are held back until it is clear whether they are a call, bytes.
const HELD_BYTES_MAX: usize = 8 * 1024;
/// No tool has a longer name.
const NAME_BYTES_MAX: usize = 64;
const NAMED_TAG: &str = "<function=";

/// The calls that `text` is, if it is nothing else: bare, fenced, or between marks. None, or at least one.
pub(super) fn calls_in(text: &str) -> Vec<Written> {
    let mut text = text.trim();
    while let Some(inside) = unwrapped(text) {
        text = inside;
    }
    let calls = || calls_of(&serde_json::from_str(text).ok()?);
    named_by_tag(text).map(|call| vec![call]).or_else(calls).unwrap_or_default()
}

/// True if a text that goes on may still be a call.
pub(super) fn may_begin_call(text: &str) -> bool {
    if text.len() > HELD_BYTES_MAX {
        return false;
    }
    let mut rest = text.trim_start();
    while let Some((begin, _)) = TAGS.iter().find(|(begin, _)| rest.starts_with(begin)) {
        rest = &rest[begin.len()..];
        if *begin == "```" {
            let is_begun = |language: &&&str| language.starts_with(rest) || rest.starts_with(**language);
            rest =
                FENCED.iter().find(is_begun).map_or(rest, |language| rest.strip_prefix(language).unwrap_or_default());
        }
        rest = rest.trim_start();
    }
    let is_tag = TAGS.iter().any(|(begin, _)| begin.starts_with(rest));
    let is_named = NAMED_TAG.starts_with(rest) || rest.starts_with(NAMED_TAG);
    is_tag || is_named || begins_object(rest)
}

/// `{"` and `[{"`, as far as they are there.
fn begins_object(text: &str) -> bool {
    let mut signs = text.chars().filter(|sign| !sign.is_whitespace()).skip_while(|sign| *sign == '[');
    match (signs.next(), signs.next()) {
        (None, _) => text.starts_with('['),
        (Some(first), second) => first == '{' && second.is_none_or(|second| second == '"'),
    }
}

/// A text without what quoting changes: blanks, and the marks before quotes.
pub(super) fn squeezed(text: &str) -> String {
    text.chars().filter(|sign| !sign.is_whitespace() && *sign != '\\').collect()
}

fn unwrapped(text: &str) -> Option<&str> {
    TAGS.iter().find_map(|(begin, end)| {
        let inside = text.strip_prefix(begin)?;
        // A model that was cut off, or is done, may leave the last mark out.
        let inside = inside.trim_end().strip_suffix(end).unwrap_or(inside);
        let language = FENCED.iter().find_map(|language| inside.strip_prefix(language));
        Some(language.filter(|_| *begin == "```").unwrap_or(inside).trim())
    })
}

/// `<function=list_robots>{}</function>`.
fn named_by_tag(text: &str) -> Option<Written> {
    let (name, rest) = text.strip_prefix(NAMED_TAG)?.split_once('>')?;
    let args: Value = serde_json::from_str(rest.trim().trim_end_matches("</function>").trim()).ok()?;
    let is_call = args.is_object() && is_name(name.trim());
    is_call.then(|| Written { name: name.trim().to_owned(), args_raw: args.to_string(), has_args: true })
}

fn calls_of(value: &Value) -> Option<Vec<Written>> {
    match value {
        Value::Array(items) if items.len() == 1 => calls_of(&items[0]),
        // A list may be anything, unless each of its items says what with.
        Value::Array(items) => {
            let calls: Vec<Written> = items.iter().map(calls_of).collect::<Option<Vec<_>>>()?.concat();
            calls.iter().all(|call| call.has_args).then_some(calls)
        }
        Value::Object(fields) => {
            // `function` may hold a whole call or only the name of the tool.
            let wrapped = WRAPPERS.iter().find_map(|wrapper| fields.get(*wrapper).filter(|inside| !inside.is_string()));
            match wrapped {
                Some(inside) => calls_of(inside),
                None => Some(vec![call_with(fields)?]),
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn call_with(fields: &Map<String, Value>) -> Option<Written> {
    let name = NAMES.iter().find_map(|field| fields.get(*field)?.as_str())?;
    let args = ARGUMENTS.iter().find_map(|field| fields.get(*field));
    // Small models put their reasons beside a call; without arguments such an object may be anything.
    let is_known = |name: &String| [&NAMES[..], &ARGUMENTS[..], &BESIDE[..]].concat().contains(&name.as_str());
    if args.is_none() && !fields.keys().all(is_known) {
        return None;
    }
    let args_raw = match args {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(args @ Value::Object(_)) => args.to_string(),
        // Some models write the arguments as JSON inside a JSON string.
        Some(Value::String(text)) => {
            let inside: Value = serde_json::from_str(text).ok()?;
            inside.is_object().then(|| inside.to_string())?
        }
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_)) => return None,
    };
    // A sentence in a field called `name` is data and no tool.
    is_name(name).then(|| Written { name: name.to_owned(), args_raw, has_args: args.is_some() })
}

/// True if a tool may be called so; longer words are words.
fn is_name(name: &str) -> bool {
    (1..=NAME_BYTES_MAX).contains(&name.len()) && !name.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_04_a_reply_that_is_nothing_but_a_call_is_one_in_every_form_and_anything_else_is_words() {
        let check = |text: &str, expected: Option<(&str, &str, bool)>| {
            let found = calls_in(text);
            let found = found.first().map(|call| (call.name.as_str(), call.args_raw.as_str(), call.has_args));
            assert_eq!(found, expected, "{text}");
        };
        let location = Some(("location", r#"{"location":"rover-1"}"#, true));
        for text in [
            r#"{"name": "location", "arguments": {"location": "rover-1"}}"#,
            r#"{"tool": "location", "parameters": {"location": "rover-1"}, "id": "1"}"#,
            r#"{"type":"function","function":{"name":"location","arguments":"{\"location\": \"rover-1\"}"}}"#,
            r#"{"function": "location", "args": {"location": "rover-1"}}"#,
            r#"[{"name": "location", "arguments": {"location": "rover-1"}}]"#,
            "```json\n{\"name\": \"location\", \"arguments\": {\"location\": \"rover-1\"}}\n```",
            "<tool_call>\n{\"name\": \"location\", \"arguments\": {\"location\": \"rover-1\"}}\n</tool_call>",
            "<tool_call>```{\"name\": \"location\", \"arguments\": {\"location\": \"rover-1\"}}```",
            r#"[TOOL_CALLS][{"name": "location", "arguments": {"location": "rover-1"}}]"#,
            r#"<function=location>{"location": "rover-1"}</function>"#,
            r#"{"thought": "where is it?", "name": "location", "arguments": {"location": "rover-1"}, "reason": "asked"}"#,
            r#"{"tool_calls": [{"function": {"name": "location", "arguments": {"location": "rover-1"}}}]}"#,
        ] {
            check(text, location);
        }
        check(r#"{"name": "list_robots"}"#, Some(("list_robots", "{}", false)));
        let endless = "stop_".repeat(13);
        check(&format!(r#"{{"name": "{endless}", "arguments": {{}}}}"#), None);
        check(&format!("<function={endless}>{{}}</function>"), None);
        for text in [
            "rover-1 is in the hallway.",
            r#"Call {"name": "location", "arguments": {}}"#,
            r#"{"name": "rover-1", "state": "armed"}"#,
            r#"{"name": "a", "arguments": [1]}"#,
            r#"[{"name": "a"}, {"name": "b"}]"#,
            r#"[{"name": "a", "arguments": {}}, {"id": "b"}]"#,
            "[]",
            "```\nstatus\n```",
            "",
        ] {
            check(text, None);
        }
        let two = calls_in(r#"[{"name": "a", "arguments": {}}, {"name": "b", "args": {"n": 1}, "reason": "x"}]"#);
        let two: Vec<_> = two.iter().map(|call| (call.name.as_str(), call.args_raw.as_str())).collect();
        assert_eq!(two, [("a", "{}"), ("b", r#"{"n":1}"#)]);
    }

    #[test]
    fn p_04_words_are_held_back_as_long_as_they_may_become_a_call() {
        for call in [
            r#"{"name": "location", "arguments": {"location": "rover-1"}}"#,
            "[\n {\"name\": \"location\", \"arguments\": {}}]",
            "```json\n{\"name\": \"location\", \"arguments\": {}}\n```",
            "<tool_call>\n{\"name\": \"location\", \"arguments\": {}}\n</tool_call>",
            r#"[TOOL_CALLS][{"name": "location", "arguments": {}}]"#,
            r#"<function=location>{"location": "rover-1"}</function>"#,
        ] {
            for end in 0..=call.len() {
                assert!(may_begin_call(&call[..end]), "{:?}", &call[..end]);
            }
        }
        for words in ["A", "The arm", "[note] it", "{x}", "```python\n", "<b>", "[1, 2]"] {
            assert!(!may_begin_call(words), "{words}");
        }
        assert!(!may_begin_call(&format!("{{\"a\": \"{}", "x".repeat(HELD_BYTES_MAX))), "it is shown some time");
    }
}
