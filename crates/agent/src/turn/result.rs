//! What becomes of a tool's output before the model sees it: a JSON object of bounded size and no more trust than due.

use robot::Trust;
use serde_json::{Value, json};

use crate::{ToolOutcome, ToolOutput, Tools};

/// Makes an output the result of a call. A long one that is stored arrives shortened already.
pub(super) fn wrap(outcome: ToolOutcome, output: ToolOutput, tools: &Tools) -> ToolOutcome {
    let trust = match output {
        ToolOutput::Trusted => outcome.trust,
        ToolOutput::Text => outcome.trust.max(Trust::Text),
    };
    let most = usize::try_from(tools.cut_above_bytes).unwrap_or(usize::MAX);
    let json = if outcome.json.len() > most {
        let kept = &outcome.json[..outcome.json.floor_char_boundary(most)];
        json!({ "cut": true, "bytes": outcome.json.len(), "text": kept }).to_string()
    } else {
        as_object(&outcome.json)
    };
    ToolOutcome { json, trust, ..outcome }
}

fn as_object(json: &str) -> String {
    let wrapped = match serde_json::from_str(json) {
        Ok(Value::Object(_)) => return json.to_owned(),
        Ok(Value::Array(items)) => json!({ "items": items }),
        Ok(value @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_))) => json!({ "value": value }),
        Err(_) => json!({ "text": json }),
    };
    wrapped.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Policy, Preset};

    #[test]
    fn s_25_a_long_result_is_cut_and_stays_an_object() {
        let check = |preset, bytes: usize, is_cut: bool| {
            let outcome = ToolOutcome::answer(&json!({ "text": "ä".repeat(bytes / 2) }));
            let wrapped = wrap(outcome, ToolOutput::Trusted, &Policy::preset(preset).tools);
            let value: Value = serde_json::from_str(&wrapped.json).unwrap();
            assert_eq!(value.get("cut").is_some(), is_cut, "{preset:?} {bytes}");
            assert!(value["text"].as_str().unwrap().len() <= 262_144);
        };
        check(Preset::Operator, 51_000, false);
        check(Preset::Operator, 60_000, true);
        check(Preset::Chat, 60_000, true);
        check(Preset::Companion, 60_000, false);
        check(Preset::Companion, 300_000, true);
    }

    #[test]
    fn h_19_a_result_is_always_an_object() {
        for (json, expected) in [
            ("{\"a\":1}", "{\"a\":1}"),
            ("[1]", "{\"items\":[1]}"),
            ("true", "{\"value\":true}"),
            ("no json", "{\"text\":\"no json\"}"),
        ] {
            assert_eq!(as_object(json), expected);
        }
    }

    #[test]
    fn p_20_the_words_of_strangers_stay_theirs() {
        let tools = Policy::operator().tools;
        let trust = |output| wrap(ToolOutcome::answer(&json!({})), output, &tools).trust;
        assert_eq!((trust(ToolOutput::Trusted), trust(ToolOutput::Text)), (Trust::Trusted, Trust::Text));
    }
}
