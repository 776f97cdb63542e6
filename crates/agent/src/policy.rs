//! Every number and mode of the turn loop. What differs between agents is a value of this type, never a branch.

mod choice;
mod number;
mod preset;
mod range;
mod read;
mod setting;

use serde::{Deserialize, Serialize};

pub use choice::{
    AfterRound, CacheMarks, ChoiceRule, CompactedSession, Concurrency, Delivery, DirectPolicy, Estimator, FinalCall,
    FlushTo, GateWhen, HardStep, KeepBy, MaskText, MemoryRank, Models, Moment, NotesPlace, NudgeChannel, OnEmpty,
    OverflowStep, Prefix, PromptOrder, Reached, RepeatBy, ResumeText, Room, RoomPolicy, RouteBy, SelectWhen,
    SummaryForm, TextBesideTools, ThinkingRule, VolatilePlace, Warm,
};
pub use number::{Ratio, TimeOfDay, Usd};
pub use preset::Preset;
pub use read::PolicyError;
pub use setting::{
    Agency, Approval, Budget, Caching, Compact, Empty, Gate, IngressPolicy, Keep, LengthStalls, Mask, Notes, Prefetch,
    Prompt, Rag, Repeat, Resume, Retry, Route, Sampling, Select, Session, Tools,
};

/// The settings of one agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The published design, or our own, that the other settings started from.
    pub preset: Preset,
    /// Budget of a turn.
    pub budget: Budget,
    /// Empty replies.
    pub empty: Empty,
    /// Replies that were cut by length.
    pub length_stalls: LengthStalls,
    /// Compaction of a context that fills.
    pub compact: Compact,
    /// Old results in the view.
    pub mask: Mask,
    /// Token estimator.
    pub estimator: Estimator,
    /// Calls.
    pub tools: Tools,
    /// The completion gate.
    pub gate: Gate,
    /// Text that reaches the person.
    pub delivery: Delivery,
    /// Treatment of text beside calls.
    pub text_beside_tools: TextBesideTools,
    /// Channel of hints to the model.
    pub nudge: NudgeChannel,
    /// Place of state that changes from turn to turn.
    pub volatile: VolatilePlace,
    /// Notes in the context.
    pub memory: Notes,
    /// Context gathered for a turn.
    pub prefetch: Prefetch,
    /// Weights of searching.
    pub rag: Rag,
    /// The system text.
    pub prompt: Prompt,
    /// Caches of the provider.
    pub cache: Caching,
    /// Calls that failed.
    pub retry: Retry,
    /// Steps after a reported overflow, each at most once a turn.
    pub on_overflow: Vec<OverflowStep>,
    /// The life of a session.
    pub session: Session,
    /// A resumed session.
    pub resume: Resume,
    /// The router.
    pub route: Route,
    /// Temperatures and output limit of the model's calls.
    pub sampling: Sampling,
    /// Messages on their way in.
    pub ingress: IngressPolicy,
    /// The tools `say` and `wait`.
    pub agency: Agency,
    /// Waiting for a person.
    pub approval: Approval,
    /// Models of the agent.
    pub models: Models,
    /// Amount of thinking of the model.
    pub thinking: ThinkingRule,
}

impl Policy {
    /// The preset for an operator's desk.
    #[must_use]
    pub fn operator() -> Self {
        Self::preset(Preset::Operator)
    }

    /// The same in a room: nothing that the agent remembers is read there, and nothing that is said there is kept as a
    /// fact.
    #[must_use]
    pub fn in_room(self) -> Self {
        let memory = Notes { place: NotesPlace::Nowhere, lines: 0, daily_lines: 0 };
        let prefetch = Prefetch { hits: 0, feed: 0, ..self.prefetch };
        let compact = Compact { flush: FlushTo::Off, ..self.compact };
        Self { memory, prefetch, compact, ..self }
    }

    /// True if model call `step`, counted from 0, is the last of its turn.
    #[must_use]
    pub const fn is_final(&self, step: u32) -> bool {
        step.saturating_add(1) >= self.budget.calls
    }
}

#[cfg(test)]
mod tests;
