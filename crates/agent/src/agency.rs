//! The tools by which a model acts on its own turn. They are declared where the policy lets it speak or end by them.

use robot::Effect;
use serde_json::{Value, json};

use crate::{ChoiceRule, Delivery, Policy, ToolKind, ToolSpec};

const SAY: &str = include_str!("prompts/agency_say.md");
const THINK: &str = include_str!("prompts/agency_think.md");
const WAIT: &str = include_str!("prompts/agency_wait.md");
const END_TURN: &str = include_str!("prompts/agency_end_turn.md");

/// The agency tools of a policy: all four where the model must call one, `say` and `wait` where it may speak by them.
#[must_use]
pub fn agency_tools(policy: &Policy) -> Vec<ToolSpec> {
    let must_call = policy.tools.choice == ChoiceRule::Required;
    let may_say = match policy.delivery {
        Delivery::Say | Delivery::FinalTextAndSay => policy.agency.says > 0,
        // Here words reach people only as the final answer, so the tool would promise a delivery that never
        // happens.
        Delivery::FinalText | Delivery::FinalNote | Delivery::FinalOrSendTool => false,
    };
    let mut tools = Vec::new();
    // A model that has to call a tool in every reply could otherwise neither speak nor pause.
    if must_call || may_say {
        tools.push(tool("say", SAY, "text", &json!({ "type": "string" })));
        tools.push(tool("wait", WAIT, "seconds", &json!({ "type": "number" })));
    }
    // Without `end_turn` a reply that has to hold a call could never be the last one.
    if must_call {
        tools.push(tool("think", THINK, "text", &json!({ "type": "string" })));
        let nothing = json!({ "type": "object", "properties": {}, "additionalProperties": false });
        tools.push(spec("end_turn", END_TURN, nothing));
    }
    tools
}

fn tool(name: &str, description: &str, argument: &str, form: &Value) -> ToolSpec {
    let schema = json!({
        "type": "object",
        "properties": { argument: form },
        "required": [argument],
        "additionalProperties": false,
    });
    spec(name, description, schema)
}

fn spec(name: &str, description: &str, schema: Value) -> ToolSpec {
    // Such calls reach no handler and change nothing, so neither a mode nor a taint asks a person about them.
    ToolSpec { kind: ToolKind::Agency, ..ToolSpec::new(name, description.trim_end(), schema, Effect::Read) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

    #[test]
    fn b_17_s_30_s_52_p_01_who_has_which_agency_tools() {
        let check = |preset, expected: &[&str]| {
            let tools = agency_tools(&Policy::preset(preset));
            let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
            assert_eq!(names, expected, "{preset:?}");
            assert!(tools.iter().all(|tool| tool.kind == ToolKind::Agency && tool.effect == Effect::Read));
        };
        check(Preset::Companion, &["say", "wait", "think", "end_turn"]);
        check(Preset::Operator, &["say", "wait"]);
        for preset in [Preset::Vault, Preset::Investigator, Preset::Chat] {
            check(preset, &[]);
        }
    }
}
