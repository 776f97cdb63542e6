//! The tools by which a model steers its own turn: they reach no handler.

use std::time::Duration;

use serde_json::Value;

use crate::Agency;

/// A call of such a tool.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AgencyCall {
    /// Words for the person, now.
    Say(String),
    /// A note to itself.
    Think,
    /// Nothing, for so long.
    Wait(Duration),
    /// The turn is over once the calls of this reply are done.
    EndTurn,
}

/// Reads a call of the agency tool `name`; nothing if there is no such tool.
pub(super) fn read(name: &str, args: &Value, agency: &Agency) -> Option<AgencyCall> {
    match name {
        "say" => Some(AgencyCall::Say(args.get("text").and_then(Value::as_str).unwrap_or_default().trim().to_owned())),
        "think" => Some(AgencyCall::Think),
        "wait" => Some(AgencyCall::Wait(clamped(args.get("seconds"), agency))),
        "end_turn" => Some(AgencyCall::EndTurn),
        _ => None,
    }
}

fn clamped(seconds: Option<&Value>, agency: &Agency) -> Duration {
    let (least, most) = (agency.wait_min_s, agency.wait_max_s.max(agency.wait_min_s));
    let wanted = seconds.and_then(Value::as_f64).unwrap_or_default();
    // A time that is no number becomes the shortest wait.
    let seconds = if wanted > f64::from(least) { wanted.min(f64::from(most)) } else { f64::from(least) };
    Duration::from_secs_f64(seconds)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Policy;

    fn check(name: &str, args: &Value, expected: Option<AgencyCall>) {
        assert_eq!(read(name, args, &Policy::operator().agency), expected, "{name} {args}");
    }

    #[test]
    fn b_17_s_52_a_wait_is_one_to_fifteen_seconds() {
        let wait = |ms| Some(AgencyCall::Wait(Duration::from_millis(ms)));
        check("wait", &json!({"seconds": 2.5}), wait(2_500));
        check("wait", &json!({"seconds": 0}), wait(1_000));
        check("wait", &json!({"seconds": -4}), wait(1_000));
        check("wait", &json!({"seconds": 1e300}), wait(15_000));
        check("wait", &json!({}), wait(1_000));
    }

    #[test]
    fn b_17_the_four_tools_of_the_turn() {
        check("say", &json!({"text": " done "}), Some(AgencyCall::Say("done".into())));
        check("think", &json!({"text": "hm"}), Some(AgencyCall::Think));
        check("end_turn", &json!({}), Some(AgencyCall::EndTurn));
        check("stop_all", &json!({}), None);
    }
}
