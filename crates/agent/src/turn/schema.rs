//! The form of every tool's arguments, compiled when the tool is called.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use serde_json::{Map, Value};

use crate::ToolSpec;

/// Most characters of a message about wrong arguments: it may quote all of them.
const REASON_CHARS_MAX: usize = 300;

/// The forms of a turn's tools, by name. Clones share them.
#[derive(Clone)]
pub(super) struct Schemas(Arc<BTreeMap<String, Value>>);

impl Schemas {
    pub fn of(tools: &[ToolSpec]) -> Self {
        Self(Arc::new(tools.iter().map(|spec| (spec.name.clone(), spec.input_schema.clone())).collect()))
    }

    /// Reads the arguments of a call of `tool`; what is wrong with them is told with the path to it.
    pub fn parse(&self, tool: &str, args_raw: &str) -> Result<Value, String> {
        // Models send nothing for a call without arguments.
        let args_raw = if args_raw.trim().is_empty() { "{}" } else { args_raw };
        let args: Map<String, Value> =
            serde_json::from_str(args_raw).map_err(|error| format!("the arguments are no JSON object: {error}"))?;
        let args = Value::Object(args);
        let Some(schema) = self.0.get(tool) else { return Ok(args) };
        // Compiled at the call: a turn declares many tools and calls few of them.
        let validator = jsonschema::validator_for(schema)
            .map_err(|error| format!("the form of {tool} cannot be read: {}", short(&error.to_string())))?;
        let wrong = validator.iter_errors(&args).next().map(|error| {
            let path = error.instance_path().as_str().trim_start_matches('/').replace('/', ".");
            short(&reason(&path, error.kind(), &error.to_string(), schema))
        });
        wrong.map_or(Ok(args), Err)
    }
}

fn reason(path: &str, kind: &ValidationErrorKind, message: &str, schema: &Value) -> String {
    let at = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    // The forms of errors are the library's, and more will come.
    #[expect(clippy::wildcard_enum_match_arm, reason = "an enum of a library")]
    match kind {
        ValidationErrorKind::Required { property } => format!("{}: missing", at(property.as_str().unwrap_or_default())),
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let name = at(unexpected.first().map(String::as_str).unwrap_or_default());
            let known = schema.get("properties").and_then(Value::as_object).filter(|_| path.is_empty());
            match known {
                Some(known) => {
                    let known: Vec<&str> = known.keys().map(String::as_str).collect();
                    format!("{name}: unknown, expected one of: {}", known.join(", "))
                }
                None => format!("{name}: unknown"),
            }
        }
        _ if path.is_empty() => message.to_owned(),
        _ => format!("{path}: {message}"),
    }
}

fn short(reason: &str) -> String {
    crate::text::cut(reason, REASON_CHARS_MAX)
}

impl fmt::Debug for Schemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use robot::Effect;
    use serde_json::json;

    fn check(args_raw: &str, expected: Expect) {
        let schema = json!({
            "type": "object",
            "properties": {
                "robot": {"type": "string"},
                "motion": {"oneOf": [{"$ref": "#/$defs/pose"}, {"type": "null"}]},
                "speed_mps": {"type": "number", "minimum": 0},
            },
            "required": ["robot"],
            "additionalProperties": false,
            "$defs": {"pose": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}},
        });
        let schemas = Schemas::of(&[
            ToolSpec::new("move", "", schema, Effect::Actuate),
            ToolSpec::new("odd", "", json!({"type": 7}), Effect::Read),
        ]);
        let tool = if args_raw == "odd" { "odd" } else { "move" };
        let args_raw = if args_raw == "odd" { "{}" } else { args_raw };
        expected.assert_eq(&match schemas.parse(tool, args_raw) {
            Ok(args) => format!("ok {args}"),
            Err(reason) => reason,
        });
    }

    #[test]
    fn p_04_what_is_wrong_is_told_with_the_path_to_it() {
        check(r#"{"robot":"arm-1","speed_mps":0.5}"#, expect![[r#"ok {"robot":"arm-1","speed_mps":0.5}"#]]);
        check("", expect!["robot: missing"]);
        check(
            "[1]",
            expect!["the arguments are no JSON object: invalid type: sequence, expected a map at line 1 column 0"],
        );
        check(r#"{"robot":7}"#, expect![[r#"robot: 7 is not of type "string""#]]);
        check(r#"{"robot":"a","speed_mps":-1}"#, expect!["speed_mps: -1 is less than the minimum of 0"]);
        check(
            r#"{"robot":"a","override":true}"#,
            expect!["override: unknown, expected one of: motion, robot, speed_mps"],
        );
        check(
            r#"{"robot":"a","motion":{"x":"far"}}"#,
            expect![[r#"motion: {"x":"far"} is not valid under any of the schemas listed in the 'oneOf' keyword"#]],
        );
        check(
            "odd",
            expect![
                "the form of odd cannot be read: 7 is not valid under any of the schemas listed in the 'anyOf' keyword"
            ],
        );
    }

    #[test]
    fn p_04_a_reason_is_short_whatever_it_quotes() {
        let schemas =
            Schemas::of(&[ToolSpec::new("t", "", json!({"properties": {"a": {"type": "null"}}}), Effect::Read)]);
        let args = json!({ "a": "x".repeat(10_000) }).to_string();
        assert!(schemas.parse("t", &args).unwrap_err().chars().count() <= REASON_CHARS_MAX + 1);
    }
}
