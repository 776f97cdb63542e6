//! State of a turn: everything besides its setup and the conversation. It can be written down after any step and taken
//! up again.

use std::collections::{BTreeSet, VecDeque};

use llm::{Block, CallId, Usage};
use robot::{Instant, Role};
use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::repeat::Streak;
use crate::{Bills, Judge, Measured, Message, MeterName, OverflowStep, Purpose, Relieved, Routed, Speaker, TurnFacts};

/// State of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnState {
    pub(super) phase: Phase,
    /// The entry that began it.
    pub(super) first: u64,
    /// Author of the turn.
    pub(super) speaker: Speaker,
    /// The tools that were chosen for it; all of them as long as none were.
    pub(super) tools: Option<Vec<String>>,
    /// Changes of its system text since that was written.
    pub(super) news: Option<String>,
    /// It goes on with what was paused or interrupted.
    pub(super) resumes: bool,
    /// Model calls that counted against the budget.
    pub(super) step: u32,
    /// All model calls of the conversation itself.
    pub(super) calls: u32,
    /// Empty replies in a row.
    pub(super) empty: u32,
    /// Replies in a row that were cut by length.
    pub(super) stalls: u32,
    /// Failures in a row of the call under way.
    pub(super) failures: u32,
    /// This call is the last, whatever the budget says.
    pub(super) is_final: bool,
    /// Nobody asked for this turn, and a person waits: it ends as soon as no tool runs.
    pub(super) preempted: bool,
    /// Verdict of the router.
    pub(super) routed: Option<Routed>,
    /// Form of the call under way.
    pub(super) form: Form,
    /// The part of its reply that has come.
    pub(super) streamed: String,
    /// The beginning of its reply, which may become a call and is shown to nobody yet.
    #[serde(default)]
    pub(super) held: String,
    /// Words of its reply have been shown.
    #[serde(default)]
    pub(super) has_shown: bool,
    /// It has written a call of a tool that does not exist as words.
    #[serde(default)]
    pub(super) misnamed: bool,
    /// The words of the reply that comes next are a hook's.
    pub(super) reworded: bool,
    /// Hints for the next call.
    pub(super) hints: Vec<String>,
    /// Changes of the world for the next call.
    pub(super) changes: Vec<Block>,
    /// Messages to be heard before the next call.
    pub(super) steers: VecDeque<Message>,
    /// The newest words of the model in this turn and the entry that holds them.
    pub(super) last_text: Option<(u64, String)>,
    /// The beginning of an answer that was cut off.
    pub(super) cut: String,
    /// All words of the model in this turn.
    pub(super) texts: Vec<String>,
    /// Texts said to the person.
    pub(super) said: Vec<String>,
    /// Work tools of the round at hand, and whether they failed.
    pub(super) round: Vec<(String, bool)>,
    /// A tool has brought the answer.
    pub(super) delivered: bool,
    /// Facts for the gate.
    pub(super) facts: TurnFacts,
    pub(super) streak: Streak,
    pub(super) relieved: Relieved,
    pub(super) measured: Option<Measured>,
    /// Steps tried against an overflow.
    pub(super) tried: Vec<OverflowStep>,
    /// The provider's thinking was given up once already.
    pub(super) repaired: bool,
    /// Calls of the loop's own, whose results nobody waits for.
    pub(super) own_calls: BTreeSet<CallId>,
    /// Meters that people were told of.
    pub(super) warned: BTreeSet<MeterName>,
    pub(super) bills: Bills,
    pub(super) usage: Usage,
    pub(super) clock: WallClock,
}

/// Phase of a turn, named after the input or call it waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    /// Its message.
    New,
    /// A summary of the conversation that ended before this message.
    Renewing(Box<Message>),
    /// Its context. After that a classifier may be asked how hard the message is.
    Context { classifies: bool },
    /// The classifier.
    Routing,
    /// A side call that makes room.
    Relieving(Relief),
    /// The model.
    Model,
    /// The time to ask the model again, or the one that makes room.
    Retrying {
        at: Instant,
        #[serde(default)]
        relief: Option<Relief>,
    },
    /// Calls.
    Tools(Batch),
    /// A judge.
    Judging { judge: Judge, answer: Option<(u64, String)> },
    /// Something to say at all.
    Rescuing(Rescue),
    /// Nothing.
    Ended,
}

/// A side call that makes room in the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Relief {
    /// Facts are saved.
    Flush,
    /// Old messages are summarised; so many tokens there were.
    Summary { before: u64, emergency: bool },
}

/// A call for something to say when nothing was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Rescue {
    /// One short reply.
    Fallback,
    /// The rest of it.
    Extend { text: String },
}

/// Form of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Form {
    /// It must answer in words, if the policy says so.
    pub is_final: bool,
    /// Some models call tools although they were told not to; the last try leaves the tools out.
    pub bare: bool,
    /// Hints that are gone again after the call.
    pub nudges: Vec<String>,
}

/// The time a turn may take; waiting for a person stands outside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct WallClock {
    pub began: Instant,
    pub deadline: Instant,
    pub woken_at: Instant,
}

impl TurnState {
    pub(super) fn new(bills: Bills) -> Self {
        Self {
            phase: Phase::New,
            first: 0,
            // The least of all roles, until the message says whose turn it is.
            speaker: Speaker { role: Role::Viewer, in_room: false },
            news: None,
            tools: None,
            resumes: false,
            step: 0,
            calls: 0,
            empty: 0,
            stalls: 0,
            failures: 0,
            is_final: false,
            preempted: false,
            routed: None,
            form: Form::default(),
            streamed: String::new(),
            held: String::new(),
            has_shown: false,
            misnamed: false,
            reworded: false,
            hints: Vec::new(),
            changes: Vec::new(),
            steers: VecDeque::new(),
            last_text: None,
            cut: String::new(),
            texts: Vec::new(),
            said: Vec::new(),
            round: Vec::new(),
            delivered: false,
            facts: TurnFacts::default(),
            streak: Streak::default(),
            relieved: Relieved::default(),
            measured: None,
            tried: Vec::new(),
            repaired: false,
            own_calls: BTreeSet::new(),
            warned: BTreeSet::new(),
            bills,
            usage: Usage::default(),
            clock: WallClock::default(),
        }
    }

    /// Begins with a new reply: what came of the one before counts no more.
    pub(super) fn clear_stream(&mut self) {
        self.streamed.clear();
        self.held.clear();
        self.has_shown = false;
    }

    /// The call of a model whose answer is waited for.
    pub(super) const fn calling(&self) -> Option<Purpose> {
        match &self.phase {
            Phase::Routing => Some(Purpose::Router),
            Phase::Relieving(Relief::Flush) => Some(Purpose::Flush),
            Phase::Renewing(_) | Phase::Relieving(Relief::Summary { .. }) => Some(Purpose::Summary),
            Phase::Model => Some(Purpose::Main),
            Phase::Judging { judge: Judge::Grounded, .. } => Some(Purpose::JudgeGrounded),
            Phase::Judging { judge: Judge::Adequacy, .. } => Some(Purpose::JudgeAdequacy),
            Phase::Rescuing(Rescue::Fallback) => Some(Purpose::Fallback),
            Phase::Rescuing(Rescue::Extend { .. }) => Some(Purpose::Extend),
            Phase::New | Phase::Context { .. } | Phase::Retrying { .. } | Phase::Tools(_) | Phase::Ended => None,
        }
    }
}
