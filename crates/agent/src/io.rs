//! Inputs and effects of a turn. The driver in `station` carries out the effects, in order.

use llm::{Block, CallId, Delta, ModelError, Reply, Request};
use robot::Instant;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    CancelReason, Decision, Entry, Event, Hook, HookVerdict, Message, Outcome, ToolCall, ToolOutcome, Trigger,
};

/// Something that happened to a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// It begins.
    Start(Message),
    /// The answer to [`Effect::Prefetch`]; empty if there is none in time.
    Context(Vec<Block>),
    /// A piece of the reply that is being made.
    Delta(Delta),
    /// The model answered.
    ModelDone {
        /// Purpose of the call.
        purpose: Purpose,
        /// The answer.
        reply: Reply,
    },
    /// The model did not answer.
    ModelFailed {
        /// Purpose of the call.
        purpose: Purpose,
        /// The model's error.
        error: ModelError,
    },
    /// A call ended. For an asked call it may come without a decision: a denied command makes no card.
    ToolDone {
        /// The call.
        call: CallId,
        /// Outcome of the call.
        outcome: ToolOutcome,
    },
    /// The answer to [`Effect::Hook`].
    Hooked {
        /// The call.
        call: CallId,
        /// Verdict of the hooks on it.
        verdict: HookVerdict,
    },
    /// A hook denies what was gathered: no model is asked, and the turn ends.
    Denied {
        /// Point at which it denies.
        hook: Hook,
        /// Reason for the denial.
        reason: String,
    },
    /// A hook has replaced the words of the reply that comes next: they are untrusted.
    Reworded,
    /// An asked call has its proposal; its JSON becomes part of the result if nobody answers in time.
    Proposed {
        /// The call.
        call: CallId,
        /// `{"id", "tier", "tier_rule", "expires_at"}`.
        proposal: serde_json::Value,
    },
    /// A person answered an ask.
    Decided {
        /// The call.
        call: CallId,
        /// The answer.
        decision: Decision,
    },
    /// A call that runs says how far it is, in one line.
    Progress {
        /// The call.
        call: CallId,
        /// The line.
        text: String,
    },
    /// Something to be heard in this turn, before the model is called again.
    Steer(Message),
    /// Money spent and its limits; comes after every call of a model and when a person adds to a budget.
    Billed(Bills),
    /// The turn is to end now. Stops no robot.
    Cancel(CancelReason),
    /// A [`Effect::Wake`] is due; harmless at any other time.
    Tick,
    /// A person has said something else: a call that waits for a decision goes on without it, so that what was said
    /// is heard now.
    Spoken,
    /// An entry is not on disk. The driver drops what is left of that list of effects before it says so.
    AppendFailed {
        /// Its id.
        entry: u64,
    },
}

/// Money that a turn draws on, micro-dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bills {
    /// Of this turn.
    pub turn: Bill,
    /// Of the mission it works for.
    pub mission: Option<Bill>,
    /// Of this day.
    pub day: Bill,
}

impl Bills {
    /// True if any of them leaves nothing to spend.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        // At the limit already: the next call would cost something and pass it.
        let is_spent = |bill: &Bill| bill.limit.is_some_and(|limit| bill.spent >= limit);
        // A turn that works for no mission draws on no budget of one.
        [Some(&self.turn), self.mission.as_ref(), Some(&self.day)].into_iter().flatten().any(is_spent)
    }
}

/// One of the [`Bills`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bill {
    /// Spent so far.
    pub spent: u64,
    /// The limit; absent if nobody has set one.
    pub limit: Option<u64>,
}

/// Purpose of a call of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The conversation itself.
    Main,
    /// Rating of the message's difficulty.
    Router,
    /// Check that the answer reflects what the tools returned.
    JudgeGrounded,
    /// Check that the answer does what was asked for.
    JudgeAdequacy,
    /// Facts worth remembering, taken before the conversation is summarised.
    Flush,
    /// The conversation so far, shorter.
    Summary,
    /// Something to say when nothing was said.
    Fallback,
    /// The rest of an answer that was cut off.
    Extend,
    /// Verdict on a mission that wants to go live.
    MicroTurn,
    /// Answers about a long text, for a tool that asked.
    Reader,
    /// The next prefix, so that a local server has read it already.
    Warm,
}

/// Something the driver does. An [`Effect::Append`] is on disk before the next effect starts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Gather context, answered by [`Input::Context`] within the driver's time limit.
    Prefetch {
        /// Cause of the turn.
        trigger: Trigger,
        /// The words to find context for.
        text: String,
    },
    /// The next call does not begin with what the one before it showed, although nothing said so: what the provider
    /// has read is paid for once more. To be logged as `prefix_broken` and counted; nothing else follows from it.
    PrefixBroken {
        /// The first byte of tools, system text and messages that differs.
        at: u64,
    },
    /// Call the model, once.
    Call {
        /// Purpose of the call: side calls may go to another model.
        purpose: Purpose,
        /// The call.
        request: Request,
    },
    /// Ask the hooks of the site about a call, before anything is decided on it.
    Hook(ToolCall),
    /// Run one wave of calls side by side.
    Run(Vec<ToolCall>),
    /// Make a proposal. `until` bounds the loop's waiting, not the proposal's life.
    Ask {
        /// The call to ask about.
        call: ToolCall,
        /// Time at which the loop goes on without an answer.
        until: Instant,
    },
    /// Write an entry.
    Append {
        /// The entry.
        entry: Entry,
        /// True if it must reach the disk itself, because it holds a call that can move something.
        synced: bool,
    },
    /// Tell people and screens that watch.
    Emit(Event),
    /// Send [`Input::Tick`] then.
    Wake {
        /// Time of the tick.
        at: Instant,
    },
    /// Drop every model call and tool future of this turn.
    Abort,
    /// Let the model read this beforehand, in the background; what it says is nothing.
    Warm(Request),
    /// The turn is over.
    End(Outcome),
}

impl Input {
    /// The input's name on every wire.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Start(_) => "start",
            Self::Context(_) => "context",
            Self::Delta(_) => "delta",
            Self::ModelDone { .. } => "model_done",
            Self::ModelFailed { .. } => "model_failed",
            Self::ToolDone { .. } => "tool_done",
            Self::Hooked { .. } => "hooked",
            Self::Denied { .. } => "denied",
            Self::Reworded => "reworded",
            Self::Proposed { .. } => "proposed",
            Self::Decided { .. } => "decided",
            Self::Progress { .. } => "progress",
            Self::Steer(_) => "steer",
            Self::Billed(_) => "billed",
            Self::Cancel(_) => "cancel",
            Self::Tick => "tick",
            Self::Spoken => "spoken",
            Self::AppendFailed { .. } => "append_failed",
        }
    }
}
