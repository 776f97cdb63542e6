//! Form of a tool's output for the model: a JSON object of bounded size and no more trust than due.

pub(super) mod table;

use robot::{ConversationId, Trust};
use serde_json::{Value, json};

use crate::{ToolOutcome, ToolOutput, Tools};

/// Part of each end of a stored output that is shown, bytes.
const END_BYTES: usize = 1_024;

/// Makes an output the result of a call in the conversation `session`.
pub(super) fn wrap(outcome: ToolOutcome, output: ToolOutput, tools: &Tools, session: &ConversationId) -> ToolOutcome {
    // A tool of foreign words cannot vouch for them, whatever its answer says of itself.
    let trust = match output {
        ToolOutput::Trusted => outcome.trust,
        ToolOutput::Text => outcome.trust.max(Trust::Text),
    };
    let outcome = ToolOutcome { trust, ..outcome };
    let is_longer_than = |bytes: u32| outcome.json.len() > usize::try_from(bytes).unwrap_or(usize::MAX);
    let json = match outcome.spill {
        Some(number) if tools.spill_above_bytes.is_some_and(is_longer_than) => {
            let (head, tail) = ends(&outcome.json);
            let path = format!("sessions/{session}.out/{number}.txt");
            json!({ "bytes": outcome.json.len(), "head": head, "tail": tail, "path": path, "n": number }).to_string()
        }
        Some(_) | None if is_longer_than(tools.cut_above_bytes) => {
            let most = usize::try_from(tools.cut_above_bytes).unwrap_or(usize::MAX);
            let kept = &outcome.json[..outcome.json.floor_char_boundary(most)];
            // A cut JSON text is no JSON any more, so what is kept of it stands in an object as text.
            json!({ "cut": true, "bytes": outcome.json.len(), "text": kept }).to_string()
        }
        Some(_) | None => as_object(&outcome.json),
    };
    ToolOutcome { json, ..outcome }
}

fn ends(text: &str) -> (&str, &str) {
    let head = &text[..text.floor_char_boundary(END_BYTES)];
    let tail = &text[text.ceil_char_boundary(text.len().saturating_sub(END_BYTES))..];
    (head, tail)
}

fn as_object(json: &str) -> String {
    // Providers take only objects as results (decision 0038).
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

    fn wrapped(preset: Preset, bytes: usize, spill: Option<u32>) -> Value {
        let json = json!({ "text": "ä".repeat(bytes / 2) }).to_string();
        let outcome = ToolOutcome { json, spill, ..ToolOutcome::answer(&json!({})) };
        let wrapped = wrap(outcome, ToolOutput::Trusted, &Policy::preset(preset).tools, &"desk".into());
        serde_json::from_str(&wrapped.json).unwrap()
    }

    #[test]
    fn h_20_a_stored_output_leaves_its_ends_and_its_path() {
        let result = wrapped(Preset::Investigator, 10_000, Some(3));
        assert_eq!((&result["path"], &result["n"]), (&"sessions/desk.out/3.txt".into(), &3.into()));
        let length = |end: &str| result[end].as_str().unwrap().len();
        assert!((1_020..=1_024).contains(&length("head")) && (1_020..=1_024).contains(&length("tail")), "{result}");
    }

    #[test]
    fn s_25_what_is_not_stored_is_cut_and_stays_an_object() {
        assert_eq!(wrapped(Preset::Operator, 60_000, None)["cut"], true);
        assert!(wrapped(Preset::Operator, 60_000, None)["text"].as_str().unwrap().len() <= 51_200);
        assert!(wrapped(Preset::Companion, 60_000, None)["cut"].is_null());
        assert_eq!(wrapped(Preset::Companion, 300_000, None)["cut"], true);
        assert!(wrapped(Preset::Investigator, 4_000, Some(1))["path"].is_null());
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
        let trust = |output| wrap(ToolOutcome::answer(&json!({})), output, &tools, &"desk".into()).trust;
        assert_eq!((trust(ToolOutput::Trusted), trust(ToolOutput::Text)), (Trust::Trusted, Trust::Text));
    }
}
