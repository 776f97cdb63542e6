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
    /// What a turn may use.
    pub budget: Budget,
    /// Empty replies.
    pub empty: Empty,
    /// Replies that were cut by length.
    pub length_stalls: LengthStalls,
    /// What happens when the context fills.
    pub compact: Compact,
    /// Old results in the view.
    pub mask: Mask,
    /// How tokens are counted.
    pub estimator: Estimator,
    /// Calls.
    pub tools: Tools,
    /// The completion gate.
    pub gate: Gate,
    /// What reaches the person.
    pub delivery: Delivery,
    /// What becomes of text that stands beside calls.
    pub text_beside_tools: TextBesideTools,
    /// How a hint reaches the model.
    pub nudge: NudgeChannel,
    /// Where state that changes from turn to turn stands.
    pub volatile: VolatilePlace,
    /// Notes in the context.
    pub memory: Notes,
    /// What is gathered for a turn.
    pub prefetch: Prefetch,
    /// Weights of searching.
    pub rag: Rag,
    /// The system text.
    pub prompt: Prompt,
    /// Caches of the provider.
    pub cache: Caching,
    /// Calls that failed.
    pub retry: Retry,
    /// What follows a reported overflow, each step at most once a turn.
    pub on_overflow: Vec<OverflowStep>,
    /// The life of a session.
    pub session: Session,
    /// A resumed session.
    pub resume: Resume,
    /// The router.
    pub route: Route,
    /// How words are chosen.
    pub sampling: Sampling,
    /// Messages on their way in.
    pub ingress: IngressPolicy,
    /// The tools `say` and `wait`.
    pub agency: Agency,
    /// Waiting for a person.
    pub approval: Approval,
    /// Which models the agent has.
    pub models: Models,
    /// How much the model thinks.
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

    /// Whether model call `step`, counted from 0, is the last of its turn.
    #[must_use]
    pub const fn is_final(&self, step: u32) -> bool {
        step.saturating_add(1) >= self.budget.calls
    }
}

#[cfg(test)]
mod tests;
