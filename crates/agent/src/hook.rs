//! Hooks: programs of the site that are asked at eleven points of a conversation. A hook may deny an event before it
//! happens or put something else in its place; it never allows what a rule denies, and its words are untrusted.

use robot::Trust;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ToolOutcome, untrusted::sanitise};

/// The code of what a hook has denied.
const DENIED: &str = "denied_by_hook";

/// A point at which hooks are asked. On every wire its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Hook {
    /// A message came for the agent, before it begins or steers a turn.
    MessageReceive,
    /// Context was gathered for the message, before a model is asked.
    PromptBefore,
    /// The model has answered, before its words are kept and its calls looked at.
    PromptAfter,
    /// The model wants to call a tool, before anything else decides on it.
    ToolBefore,
    /// A call has its result, before the model sees that.
    ToolAfter,
    /// The same for a call that failed.
    ToolError,
    /// The model has words for people, before they are kept and shown.
    ResponseBefore,
    /// The turn has given its answer.
    ResponseAfter,
    /// The turn ended without one.
    ResponseError,
    /// A conversation begins.
    SessionStart,
    /// A conversation ends.
    SessionEnd,
}

/// A refusal of an unknown hook name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("hooks: on = {name:?}: expected one of {}", Hook::ALL.map(Hook::name).join(", "))]
pub struct HookError {
    /// The name as given.
    pub name: String,
}

/// Payload of a hook point: its hooks are shown it and may replace it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carries {
    /// Words.
    Text,
    /// The arguments of a call.
    Arguments,
    /// The result of a call.
    Result,
    /// Nothing: it only tells.
    Nothing,
}

/// Verdict of the hooks at a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookVerdict {
    /// Go on.
    GoOn,
    /// Go on with this instead.
    Change(Value),
    /// Do not go on, and why.
    Deny(String),
}

impl Hook {
    /// Every point, in the order in which a turn comes to them.
    pub const ALL: [Self; 11] = [
        Self::MessageReceive,
        Self::PromptBefore,
        Self::PromptAfter,
        Self::ToolBefore,
        Self::ToolAfter,
        Self::ToolError,
        Self::ResponseBefore,
        Self::ResponseAfter,
        Self::ResponseError,
        Self::SessionStart,
        Self::SessionEnd,
    ];

    /// Its name on every wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MessageReceive => "message:receive",
            Self::PromptBefore => "prompt:before",
            Self::PromptAfter => "prompt:after",
            Self::ToolBefore => "tool:before",
            Self::ToolAfter => "tool:after",
            Self::ToolError => "tool:error",
            Self::ResponseBefore => "response:before",
            Self::ResponseAfter => "response:after",
            Self::ResponseError => "response:error",
            Self::SessionStart => "session:start",
            Self::SessionEnd => "session:end",
        }
    }

    /// True if a hook that cannot be asked denies. At the other points the event has already happened.
    #[must_use]
    pub const fn fails_closed(self) -> bool {
        match self {
            // Nothing has happened yet at these points, and a check that was not made has not been passed
            // (decision 0078).
            Self::MessageReceive | Self::PromptBefore | Self::ToolBefore | Self::ResponseBefore => true,
            Self::PromptAfter
            | Self::ToolAfter
            | Self::ToolError
            | Self::ResponseAfter
            | Self::ResponseError
            | Self::SessionStart
            | Self::SessionEnd => false,
        }
    }

    /// Payload of this point.
    #[must_use]
    pub const fn carries(self) -> Carries {
        match self {
            Self::MessageReceive
            | Self::PromptBefore
            | Self::PromptAfter
            | Self::ResponseBefore
            | Self::ResponseAfter => Carries::Text,
            Self::ToolBefore => Carries::Arguments,
            Self::ToolAfter | Self::ToolError => Carries::Result,
            Self::ResponseError | Self::SessionStart | Self::SessionEnd => Carries::Nothing,
        }
    }

    /// True if it is about one call of a tool.
    #[must_use]
    pub const fn is_of_tools(self) -> bool {
        match self.carries() {
            Carries::Arguments | Carries::Result => true,
            Carries::Text | Carries::Nothing => false,
        }
    }
}

impl TryFrom<String> for Hook {
    type Error = HookError;
    fn try_from(name: String) -> Result<Self, HookError> {
        Self::ALL.into_iter().find(|hook| hook.name() == name).ok_or(HookError { name })
    }
}

impl From<Hook> for &'static str {
    fn from(hook: Hook) -> Self {
        hook.name()
    }
}

impl std::fmt::Display for Hook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Carries {
    /// Name of the payload's field in the JSON that a hook reads.
    #[must_use]
    pub const fn field(self) -> Option<&'static str> {
        match self {
            Self::Text => Some("text"),
            Self::Arguments => Some("arguments"),
            Self::Result => Some("result"),
            Self::Nothing => None,
        }
    }

    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Arguments | Self::Result => value.is_object(),
            Self::Nothing => false,
        }
    }
}

impl HookVerdict {
    /// Reads what a hook's program printed: nothing or `{}` to go on, `{"deny": "reason"}`, or `{"change": …}`.
    ///
    /// # Errors
    /// It is something else, so it is not clear what the hook wants.
    pub fn read(hook: Hook, printed: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        // A misspelt `deny` would otherwise read as consent.
        #[serde(deny_unknown_fields)]
        struct Answer {
            deny: Option<String>,
            change: Option<Value>,
        }
        if printed.trim().is_empty() {
            return Ok(Self::GoOn);
        }
        let answer: Answer =
            serde_json::from_str(printed).map_err(|error| format!("it did not print one JSON object: {error}"))?;
        match (answer.deny, answer.change) {
            (None, None) => Ok(Self::GoOn),
            // The reason is shown to people and to the model, and may quote whatever the hook has read.
            (Some(reason), None) => Ok(Self::Deny(sanitise::quotation(&reason))),
            (None, Some(change)) if hook.carries().fits(&change) => Ok(Self::Change(change)),
            (None, Some(_)) => Err(format!("at {hook} it cannot put that in its place")),
            // It is not clear which of the two is meant, and a guess could let the event happen.
            (Some(_), Some(_)) => Err("it wants to deny and to change".to_owned()),
        }
    }
}

impl ToolOutcome {
    /// The result of a call that a hook has denied. The reason is the hook's own words.
    #[must_use]
    pub fn denied_by_hook(reason: &str) -> Self {
        Self { trust: Trust::Text, ..Self::error(DENIED, &format!("not run: {reason}")) }
    }

    /// The result of a call that was carried out, and whose result a hook withholds.
    #[must_use]
    pub fn withheld_by_hook(reason: &str) -> Self {
        let message = format!("it was carried out, and what it gave is withheld: {reason}");
        Self { trust: Trust::Text, ..Self::error(DENIED, &message) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn t_39_there_are_eleven_hooks_and_no_other_name_is_one() {
        let names = Hook::ALL.map(Hook::name);
        assert_eq!(
            names.join(" "),
            "message:receive prompt:before prompt:after tool:before tool:after tool:error response:before response:after response:error session:start session:end"
        );
        for hook in Hook::ALL {
            assert_eq!(serde_json::from_value::<Hook>(json!(hook)).unwrap(), hook);
        }
        let refused = serde_json::from_value::<Hook>(json!("tool:befor")).unwrap_err().to_string();
        assert!(refused.contains("\"tool:befor\": expected one of message:receive, prompt:before"), "{refused}");
    }

    #[test]
    fn t_39_what_goes_before_something_fails_closed() {
        let closed: Vec<&str> = Hook::ALL.into_iter().filter(|hook| hook.fails_closed()).map(Hook::name).collect();
        assert_eq!(closed, ["message:receive", "prompt:before", "tool:before", "response:before"]);
    }

    /// Reads `printed` as a hook's output and compares the verdict; an error is printed with the reason.
    fn check(hook: Hook, printed: &str, expected: &str) {
        let read = match HookVerdict::read(hook, printed) {
            Ok(HookVerdict::GoOn) => "go on".to_owned(),
            Ok(HookVerdict::Change(value)) => format!("change {value}"),
            Ok(HookVerdict::Deny(reason)) => format!("deny {reason}"),
            Err(problem) => format!("garbage: {problem}"),
        };
        assert!(read.starts_with(expected), "{hook} {printed:?}: {read}, expected {expected}");
    }

    #[test]
    fn t_39_a_hook_prints_nothing_a_denial_or_something_else_and_everything_more_is_garbage() {
        check(Hook::ToolBefore, " \n", "go on");
        check(Hook::ToolBefore, "{}", "go on");
        check(Hook::ToolBefore, r#"{"deny":"not [now]"}"#, "deny not ");
        check(Hook::ToolBefore, r#"{"change":{"robot":"arm-1"}}"#, r#"change {"robot":"arm-1"}"#);
        check(Hook::ToolBefore, r#"{"change":"arm-1"}"#, "garbage: at tool:before");
        check(Hook::MessageReceive, r#"{"change":"arm-1"}"#, r#"change "arm-1""#);
        check(Hook::MessageReceive, r#"{"change":{}}"#, "garbage");
        check(Hook::SessionStart, r#"{"change":"x"}"#, "garbage");
        check(
            Hook::ToolBefore,
            r#"{"allow":true}"#,
            "garbage: it did not print one JSON object: unknown field `allow`",
        );
        check(Hook::ToolBefore, r#"{"deny":"a","change":{}}"#, "garbage: it wants to deny and to change");
        for printed in ["yes", "[]", "{} {}", r#"{"deny":7}"#, "{"] {
            check(Hook::ToolBefore, printed, "garbage");
        }
        let long = json!({ "deny": "x".repeat(10_000) }).to_string();
        let Ok(HookVerdict::Deny(reason)) = HookVerdict::read(Hook::ToolBefore, &long) else { panic!("no denial") };
        assert!(reason.chars().count() <= 201, "a reason is short, whatever a hook prints");
    }
}
