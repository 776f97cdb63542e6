//! What people see of a turn: one stream of facts, none of which may be dropped.

use llm::{CallId, ModelKind, Usage};
use robot::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Trigger;

/// One fact about a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A turn began.
    TurnStarted {
        /// What began it.
        trigger: Trigger,
        /// What will answer.
        model: ModelName,
    },
    /// The model was given the state of the world.
    Context {
        /// The transcript entry that holds it.
        #[ts(type = "number")]
        entry: u64,
    },
    /// A call runs.
    CallStarted {
        /// The call.
        call: CallId,
        /// Its tool.
        name: String,
        /// Its arguments.
        #[ts(type = "unknown")]
        args: serde_json::Value,
        /// What it does to the world.
        effect: Effect,
    },
    /// A person is asked about a call.
    Asked {
        /// The call.
        call: CallId,
        /// Its tool.
        name: String,
        /// Its arguments.
        #[ts(type = "unknown")]
        args: serde_json::Value,
        /// What it does to the world.
        effect: Effect,
    },
    /// A call has its result.
    CallEnded {
        /// The call.
        call: CallId,
        /// Its tool.
        name: String,
        /// Whether it failed or was not run.
        is_error: bool,
        /// From its start, or from the ask if it never started; 0 if it was neither.
        #[ts(type = "number")]
        duration_ms: u64,
    },
    /// The model was given a hint of the loop's own.
    Nudge {
        /// The hint.
        text: String,
    },
    /// An answer for the operator.
    Delivered {
        /// The transcript entry that holds it.
        #[ts(type = "number")]
        entry: u64,
        /// The answer.
        text: String,
        /// What answered.
        model: ModelName,
    },
    /// The model gave no reply.
    ModelFailed {
        /// Why, one sentence.
        reason: String,
    },
    /// An input did not fit the state of the turn and changed nothing.
    Ignored {
        /// The input's name.
        input: String,
    },
    /// The turn is over.
    TurnEnded {
        /// How.
        outcome: Outcome,
        /// Model calls made.
        calls: u32,
        /// Tokens of all of them.
        usage: Usage,
    },
}

/// What answers, as shown on each reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ModelName {
    /// For example `quarterdeck-commands`.
    pub name: String,
    /// Interpreter or language model.
    pub kind: ModelKind,
}

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// With an answer.
    Answered,
    /// With what the loop could say for a model that found no words in its budget.
    Forced,
    /// From outside.
    Cancelled(CancelReason),
    /// Without an answer.
    Failed(FailKind),
}

/// Who or what ended a turn from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum CancelReason {
    /// A person pressed *Stop reply*.
    Operator,
    /// All robots were stopped.
    StopAll,
    /// Its time was up.
    Timeout,
    /// The station goes down.
    Shutdown,
}

/// Why a turn failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FailKind {
    /// The model did not answer.
    Model,
    /// The transcript could not be written, so nothing was done.
    Storage,
}
