//! Events of a turn for people: one stream of facts, none of which may be dropped.

use llm::{CallId, ModelKind, Usage};
use robot::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Demand, EpochReason, Profile, Purpose, Trigger};

/// One fact about a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A turn began.
    TurnStarted {
        /// Cause of the turn.
        trigger: Trigger,
        /// The model that will answer.
        model: ModelName,
    },
    /// The difficulty of the message is known.
    Routed {
        /// Depth of the answer.
        profile: Profile,
        /// Needs of the answer.
        demand: Demand,
    },
    /// The model was given the state of the world.
    Context {
        /// The transcript entry that holds it.
        #[ts(type = "number")]
        entry: u64,
    },
    /// The model says something, piece by piece. Void after [`Event::Restart`]; what counts is delivered.
    TextDelta {
        /// The piece.
        text: String,
    },
    /// The model thinks, piece by piece.
    ThinkingDelta {
        /// The piece.
        text: String,
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
        /// Effect of the call on the world.
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
        /// Effect of the call on the world.
        effect: Effect,
    },
    /// A call that runs says how far it is.
    CallProgress {
        /// The call.
        call: CallId,
        /// One line.
        text: String,
    },
    /// A call has its result.
    CallEnded {
        /// The call.
        call: CallId,
        /// Its tool.
        name: String,
        /// True if it failed or was not run.
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
    /// A call of a model took tokens.
    Usage {
        /// Purpose of the call.
        purpose: Purpose,
        /// Tokens that the call took.
        usage: Usage,
        /// All calls of the turn so far, this one included.
        total: Usage,
    },
    /// A budget runs low, or is spent.
    Warn {
        /// Name of the budget.
        meter: MeterName,
        /// Amount used: calls, milliseconds, tokens or micro-dollars.
        #[ts(type = "number")]
        used: u64,
        /// Amount available, in the same unit.
        #[ts(type = "number")]
        limit: u64,
    },
    /// The model is shown something else than before from here on.
    EpochChanged {
        /// The epoch that ended.
        from: u32,
        /// The one that begins.
        to: u32,
        /// Reason for the new epoch.
        reason: EpochReason,
    },
    /// The older part of the conversation is shown as a summary from here on.
    Compacted {
        /// Tokens of the conversation before, about.
        #[ts(type = "number")]
        before: u64,
        /// And after.
        #[ts(type = "number")]
        after: u64,
    },
    /// The reply so far is void; the model is asked again.
    Restart {
        /// Reason, one sentence.
        reason: String,
        /// Time until it is asked again, milliseconds.
        #[ts(type = "number")]
        wait_ms: u64,
    },
    /// A message started no turn.
    Dropped {
        /// Step at which it was stopped.
        step: IngressStep,
    },
    /// An answer for the operator.
    Delivered {
        /// The transcript entry that holds it.
        #[ts(type = "number")]
        entry: u64,
        /// The answer.
        text: String,
        /// The model that answered.
        model: ModelName,
    },
    /// The model gave no reply.
    ModelFailed {
        /// Reason, one sentence.
        reason: String,
    },
    /// An input did not fit the state of the turn and changed nothing.
    Ignored {
        /// The input's name.
        input: String,
    },
    /// The turn is over.
    TurnEnded {
        /// Outcome of the turn.
        outcome: Outcome,
        /// Model calls made.
        calls: u32,
        /// Tokens of all of them.
        usage: Usage,
    },
}

/// Name and kind of a model, as shown on each reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ModelName {
    /// For example `quarterdeck-commands`.
    pub name: String,
    /// Interpreter or language model.
    pub kind: ModelKind,
}

/// A bounded quantity of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MeterName {
    /// Model calls.
    Calls,
    /// Time.
    Wall,
    /// Room in the model's window.
    Context,
    /// Money for one turn.
    Turn,
    /// Money for one mission.
    Mission,
    /// Money for one day.
    Day,
}

/// A step at which a message can be stopped before it starts a turn, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum IngressStep {
    /// It waits for what follows it.
    Debounce,
    /// It came before.
    Dedupe,
    /// Its sender may not speak here.
    Policy,
    /// Its sender speaks too often.
    Rate,
    /// It is not for the agent.
    Mention,
    /// Nothing, or too much, is left of it.
    Sanitise,
    /// It cannot be said who sent it.
    Envelope,
    /// A hook of the site denies it.
    Hook,
}

/// Outcome of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// With an answer.
    Answered,
    /// A tool has brought the answer to whom it is for; there is no text.
    Delivered,
    /// With what the loop could say for a model that found no words in its budget.
    Forced,
    /// With the text that stands for an answer when there is none.
    Fallback,
    /// With less than an answer.
    Partial(Why),
    /// The model or its provider declined.
    Refused,
    /// From outside.
    Cancelled(CancelReason),
    /// Without an answer.
    Failed(FailKind),
    /// A budget is spent. It can go on as soon as there is more.
    Paused(MeterName),
}

/// Reason for a partial answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The model's replies were empty.
    Empty,
    /// The conversation does not fit the model's window.
    Overflow,
    /// Reply after reply was cut off.
    Length,
    /// Something that should not happen.
    Unexpected,
}

/// Cause from outside that ended a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum CancelReason {
    /// A person pressed *Stop reply*.
    Operator,
    /// A person wants to say something, and nobody had asked for this turn.
    Preempted,
    /// All robots were stopped.
    StopAll,
    /// Its time was up.
    Timeout,
    /// The station goes down.
    Shutdown,
}

/// Cause of a failed turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FailKind {
    /// The model did not answer.
    Model,
    /// The transcript could not be written, so nothing was done.
    Storage,
}
