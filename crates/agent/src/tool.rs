//! Tools as the loop knows them: an operation's name, form and effect, one call of it, and how that ended.

use llm::CallId;
use robot::{Effect, Trust};
use serde::{Deserialize, Serialize};

/// An operation the agent may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// One line for the model.
    pub description: String,
    /// JSON schema of the arguments; an object.
    pub input_schema: serde_json::Value,
    /// What it does to the world.
    pub effect: Effect,
    /// Whether it stops robots.
    pub stops: Stops,
}

/// Which robots a tool stops. Such a call runs first in its reply, asks nobody, and takes the place of motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stops {
    /// None.
    No,
    /// Every robot.
    All,
    /// The one in the argument `robot`.
    Named,
}

/// A call whose arguments are legal JSON of the tool's form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Names the call in every input and event about it.
    pub id: CallId,
    /// The tool.
    pub name: String,
    /// The arguments: a JSON object.
    pub args: serde_json::Value,
    /// The tool's effect.
    pub effect: Effect,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolOutcome {
    /// A JSON object, serialised.
    pub json: String,
    /// Whether the call failed.
    pub is_error: bool,
    /// Whether this is an answer that says no, such as a denied command: what was asked for was not done.
    pub refused: bool,
    /// The lowest trust of what it quotes.
    pub trust: Trust,
}

impl ToolOutcome {
    /// An answer of the station itself.
    #[must_use]
    pub fn answer(json: &serde_json::Value) -> Self {
        Self { json: json.to_string(), is_error: false, refused: false, trust: Trust::Trusted }
    }

    /// A failure with a stable code and a sentence.
    #[must_use]
    pub fn error(code: &str, message: &str) -> Self {
        let json = serde_json::json!({ "code": code, "message": message });
        Self { is_error: true, ..Self::answer(&json) }
    }

    /// Whether what was asked for was done.
    #[must_use]
    pub const fn succeeded(&self) -> bool {
        !self.is_error && !self.refused
    }
}

/// A person's answer to an ask.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The station dispatches the call; its outcome follows.
    Approved,
    /// No, and why.
    Rejected(String),
    /// Nobody answered in the proposal's lifetime.
    Expired,
    /// What was asked for has changed or was stopped.
    Void,
}
