//! One turn: from a message to its answer. [`Turn::step`] takes what happened and says what to do; it waits for
//! nothing, so a turn can be replayed from its inputs.

mod admit;
mod agency;
mod batch;
mod call;
mod end;
mod hint;
mod log;
mod relief;
mod renew;
mod repeat;
mod reply;
mod result;
mod retry;
mod round;
mod schema;
mod slot;
mod start;
mod state;
mod wave;
mod written;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::tz::TimeZone;
use llm::{Caps, Delta, ModelKind, Request, ToolDecl, Usage};
use robot::{ConversationId, Now, Origin};

use crate::context::view::{Frame, warm};
use crate::untrusted::sanitise::marked;
use crate::{
    Bills, CancelReason, Effect, Entry, EntryKind, EntryPlace, EpochReason, Event, Input, Marker, Message, Mode,
    ModelName, Moment, Outcome, Policy, Purpose, QuoteKey, Rule, SelectWhen, SystemParts, ToolSpec, Transcript,
    agency_tools, mask_move, select_tools,
};
use log::Log;
use schema::Schemas;
use state::Phase;

pub use state::TurnState;

/// Messages that may wait to be heard in a turn.
const STEERS_MAX: usize = 16;
/// Bytes of a reply that are kept while it is made, for a turn that is cancelled in the middle of it.
const STREAMED_BYTES_MAX: usize = 65_536;

/// Setup of a turn.
#[derive(Debug, Clone)]
pub struct TurnSetup {
    /// The conversation it belongs to.
    pub session: ConversationId,
    /// The conversation so far.
    pub transcript: Transcript,
    /// The agent's numbers.
    pub policy: Policy,
    /// Mode of the agent.
    pub mode: Mode,
    /// Decisions on tools that people made ahead.
    pub rules: Vec<Rule>,
    /// Tools whose calls hooks are asked about first; `*` at the end of a name stands for any rest.
    pub hooked: Vec<String>,
    /// Capabilities of the model.
    pub caps: Caps,
    /// Capabilities of the model of side calls, if it is another one.
    pub side: Option<Caps>,
    /// Tools that it may call, in any order.
    pub tools: Vec<ToolSpec>,
    /// Parts of its system text.
    pub system: SystemParts,
    /// The secret of the installation that tags of quoted text are made with.
    pub quote_key: QuoteKey,
    /// Circumstances of the message, for the router.
    pub surroundings: Surroundings,
    /// Time zone of its people.
    pub zone: TimeZone,
    /// Money spent and its limits.
    pub bills: Bills,
}

fn declared(tools: &[ToolSpec]) -> Arc<[ToolDecl]> {
    let declared = tools.iter().map(|spec| ToolDecl {
        name: spec.name.clone(),
        description: spec.description.clone(),
        input_schema: spec.input_schema.clone(),
    });
    declared.collect()
}

/// Circumstances of a message.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surroundings {
    /// A robot moves, or an alarm is open.
    pub is_busy: bool,
    /// Ids of robots and missions, and keys of the world.
    pub names: Vec<String>,
    /// Similarity of tools to the message in meaning, 0 to 1, by name; empty without a model for that.
    pub near_tools: BTreeMap<String, f64>,
}

/// One turn of an agent.
#[derive(Debug, Clone)]
pub struct Turn {
    mode: Mode,
    rules: Vec<Rule>,
    hooked: Vec<String>,
    side: Option<Caps>,
    tools: Vec<ToolSpec>,
    schemas: Schemas,
    surroundings: Surroundings,
    zone: TimeZone,
    frame: Frame,
    log: Log,
    state: TurnState,
}

impl Turn {
    /// A turn that waits for its [`Input::Start`].
    #[must_use]
    pub fn new(setup: TurnSetup) -> Self {
        let state = TurnState::new(setup.bills);
        Self::restore(setup, state)
    }

    /// A turn that goes on from where [`Turn::state`] stood. `setup` is what it was made from, with the transcript as
    /// it was then.
    #[must_use]
    pub fn restore(setup: TurnSetup, mut state: TurnState) -> Self {
        let TurnSetup { session, mut transcript, policy, mode, rules, .. } = setup;
        let TurnSetup { hooked, caps, side, mut tools, quote_key, .. } = setup;
        let (system, news) = transcript.system(&policy, &setup.system);
        // A restored turn keeps the news that its model was not told yet.
        if matches!(state.phase, Phase::New) {
            state.news = news;
        }
        // The command interpreter speaks by its reply and has no use for tools of the turn.
        if caps.kind == ModelKind::Language {
            tools.extend(agency_tools(&policy));
        }
        // A turn that goes on has the tools that were chosen for it.
        tools.retain(|spec| state.tools.as_ref().is_none_or(|chosen| chosen.contains(&spec.name)));
        // In one order, so that equal tools give equal bytes in the prefix that providers cache.
        tools.sort_by(|a, b| a.name.cmp(&b.name));
        let declared = declared(&tools);
        let data_bearing = tools.iter().filter(|spec| spec.data_bearing).map(|spec| spec.name.clone()).collect();
        let model = ModelName { name: caps.name.clone(), kind: caps.kind };
        Self {
            mode,
            rules,
            hooked,
            side,
            schemas: Schemas::of(&tools),
            tools,
            surroundings: setup.surroundings,
            zone: setup.zone,
            frame: Frame { session, system, tools: declared, policy, caps, data_bearing, quote_key },
            log: Log { transcript, model, now: Now::default(), effects: Vec::new() },
            state,
        }
    }

    /// Declares only the tools that the message is likely to need, if there are too many. Those of an epoch stay.
    fn choose_tools(&mut self) {
        let Frame { policy, caps, .. } = &self.frame;
        let keeps = policy.tools.select.when == SelectWhen::EachEpoch;
        // Other tools within an epoch would change the prefix that the provider has read.
        let earlier = self.log.transcript.chosen(caps).filter(|_| keeps).map(<[String]>::to_vec);
        let chosen = earlier.unwrap_or_else(|| {
            let mut tools = self.tools.clone();
            // A choice for this message alone leaves out tools that it could not call.
            let is_for_this = policy.tools.select.when == SelectWhen::EachMessage;
            tools.retain(|spec| !is_for_this || spec.scope.refusal(self.state.speaker).is_none());
            let near = &self.surroundings.near_tools;
            let near_of = |spec: &ToolSpec| near.get(&spec.name).copied().unwrap_or_default();
            let near: Option<Vec<f64>> = (!near.is_empty()).then(|| tools.iter().map(near_of).collect());
            let message = &self.state.facts.request;
            let chosen = select_tools(policy, &tools, message, near.as_deref(), caps.tools_max);
            chosen.into_iter().map(|spec| spec.name).collect()
        });
        self.tools.retain(|spec| chosen.contains(&spec.name));
        self.frame.tools = declared(&self.tools);
        self.state.tools = Some(chosen);
    }

    /// Takes one input and gives the effects it has, in order. Total: an input that does not fit changes nothing
    /// and is reported as [`Event::Ignored`]; after the end nothing has an effect.
    pub fn step(&mut self, input: Input, now: Now) -> Vec<Effect> {
        if self.has_ended() {
            return Vec::new();
        }
        self.log.now = now;
        let name = input.name();
        if !self.take(input) {
            self.log.emit(Event::Ignored { input: name.to_owned() });
        }
        std::mem::take(&mut self.log.effects)
    }

    /// True once the turn is over.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self.state.phase, Phase::Ended)
    }

    /// The conversation so far.
    #[must_use]
    pub const fn transcript(&self) -> &Transcript {
        &self.log.transcript
    }

    /// State of the turn.
    #[must_use]
    pub const fn state(&self) -> &TurnState {
        &self.state
    }

    /// Messages that were not heard any more, oldest first: they begin the next turn.
    #[must_use]
    pub fn unheard(&self) -> Vec<Message> {
        self.state.steers.iter().cloned().collect()
    }

    /// The conversation, for the next turn.
    #[must_use]
    pub fn into_transcript(self) -> Transcript {
        self.log.transcript
    }

    /// The beginning of the next request, for a server that can read it before anybody has spoken; nothing if the
    /// policy does not want that.
    #[must_use]
    pub fn warm(&self) -> Option<Request> {
        let Frame { policy, caps, .. } = &self.frame;
        let is_wanted = match policy.cache.warm {
            crate::Warm::Off => false,
            crate::Warm::StartAndReply => true,
            crate::Warm::LocalOnly => caps.cache == llm::Cache::LocalKv,
        };
        let is_language = caps.kind == ModelKind::Language;
        (is_wanted && is_language).then(|| warm(&self.masked_ahead(), &self.frame))
    }

    /// The transcript as the next turn will show it: what it masks at its start is masked in what is read ahead too.
    fn masked_ahead(&self) -> Transcript {
        let policy = self.policy();
        let mut transcript = self.log.transcript.clone();
        let moved = mask_move(&transcript, policy, &self.frame.data_bearing)
            .filter(|_| policy.mask.when == Moment::TurnStart)
            .filter(|moved| moved.frees_tokens >= policy.mask.frees_min_tokens.into());
        if let Some(moved) = moved {
            let (wall_ms, kind) = (self.log.now.wall_ms, EntryKind::Marker(moved.marker));
            transcript.push(transcript.next_epoch(wall_ms, EpochReason::MaskMoved));
            let (id, epoch) = (transcript.next_id(), transcript.epoch());
            transcript.push(Entry::new(EntryPlace { id, epoch, at_ms: wall_ms }, kind, Vec::new(), Origin::System));
        }
        transcript
    }

    /// Takes an input. False if it does not fit.
    fn take(&mut self, input: Input) -> bool {
        match input {
            Input::Start(message) => self.start(message),
            Input::Context(blocks) => self.take_context(blocks),
            Input::Delta(delta) => self.take_delta(delta),
            Input::ModelDone { purpose, reply } => self.take_reply(purpose, reply),
            Input::ModelFailed { purpose, error } => self.take_failure(purpose, &error),
            Input::ToolDone { call, outcome } => {
                // Notes that the loop saves belong to no reply, so their results are written nowhere.
                self.state.own_calls.remove(&call) || self.in_batch(|batch, bench| batch.finish(&call, outcome, bench))
            }
            Input::Hooked { call, verdict } => self.hooked(&call, verdict),
            Input::Denied { hook, reason } => self.denied(hook, &reason),
            Input::Reworded => {
                self.state.reworded = true;
                true
            }
            Input::Proposed { call, proposal } => self.in_batch(|batch, _| batch.note_proposal(&call, proposal)),
            Input::Decided { call, decision } => self.in_batch(|batch, bench| batch.decide(&call, decision, bench)),
            Input::Progress { call, text } => self.in_batch(|batch, bench| batch.progress(call, text, bench.log)),
            Input::Steer(message) => self.steer(message),
            Input::Billed(bills) => {
                self.state.bills = bills;
                true
            }
            Input::Cancel(CancelReason::Preempted) => self.preempt(),
            Input::Cancel(reason) => self.cancel(reason),
            Input::Tick => self.tick(),
            Input::Spoken => {
                self.stop_waiting();
                true
            }
            Input::AppendFailed { entry } => self.take_append_failure(entry),
        }
    }

    const fn is_new(&self) -> bool {
        matches!(self.state.phase, Phase::New)
    }

    const fn policy(&self) -> &Policy {
        &self.frame.policy
    }

    /// A model that reads and writes language, unlike the command interpreter, which needs no side calls.
    fn has_language_model(&self) -> bool {
        self.frame.caps.kind == ModelKind::Language
    }

    /// Counts what a call of a model took.
    fn note_usage(&mut self, purpose: Purpose, usage: Usage) {
        self.state.usage.add(&usage);
        self.log.emit(Event::Usage { purpose, usage, total: self.state.usage });
    }

    /// Counts what a call of a model took that one of the tools made. Its words are for that tool.
    fn note_read(&mut self, usage: Option<Usage>) -> bool {
        let has_begun = !self.is_new();
        if let Some(usage) = usage.filter(|_| has_begun) {
            self.note_usage(Purpose::Reader, usage);
        }
        has_begun
    }

    /// A piece of the reply that is being made: shown, held or dropped as the policy says.
    fn take_delta(&mut self, delta: Delta) -> bool {
        match self.state.phase {
            // Words of a side call are shown to nobody.
            Phase::Renewing(_) | Phase::Routing | Phase::Relieving(_) | Phase::Judging { .. } | Phase::Rescuing(_) => {
                return true;
            }
            Phase::Model => {}
            Phase::New | Phase::Context { .. } | Phase::Retrying { .. } | Phase::Tools(_) | Phase::Ended => {
                return false;
            }
        }
        match delta {
            Delta::Text(text) => self.stream(&marked(&text)),
            Delta::Thinking(text) => self.log.emit(Event::ThinkingDelta { text: marked(&text) }),
            Delta::Restart => {
                self.state.clear_stream();
                self.log.emit(Event::Restart { reason: "the reply was begun anew".to_owned(), wait_ms: 0 });
            }
            // Calls are taken from the whole reply: half of one must not be acted on.
            Delta::CallStart { .. }
            | Delta::CallArgs { .. }
            | Delta::CallEnd { .. }
            | Delta::Usage(_)
            | Delta::Prompt(_) => {}
        }
        true
    }

    /// Shows words while they come, unless they may become a call.
    fn stream(&mut self, text: &str) {
        let shows = self.shows_deltas();
        let may_write = self.has_language_model() && self.frame.caps.may_write_calls();
        let state = &mut self.state;
        let room = STREAMED_BYTES_MAX.saturating_sub(state.streamed.len());
        state.streamed.push_str(&text[..text.floor_char_boundary(room)]);
        if !shows {
            return;
        }
        state.held.push_str(text);
        // What may become a call is held back: words that people have read would have to be taken back.
        if may_write && !state.has_shown && written::may_begin_call(&state.held) {
            return;
        }
        self.show_held();
    }

    /// Shows what was held back: it is no call.
    fn show_held(&mut self) {
        let text = std::mem::take(&mut self.state.held);
        if !text.is_empty() {
            self.state.has_shown = true;
            self.log.emit(Event::TextDelta { text });
        }
    }

    const fn shows_deltas(&self) -> bool {
        use crate::TextBesideTools::{Held, Internal, Joined, LastText, Progress};
        match self.policy().text_beside_tools {
            Internal | Held => false,
            LastText | Joined | Progress => true,
        }
    }

    /// An entry that is not on disk counts as not done, and as not said: nothing more is written or run, and it and those
    /// after it leave the conversation.
    fn take_append_failure(&mut self, entry: u64) -> bool {
        if self.is_new() {
            return false;
        }
        self.log.transcript.keep_before(entry);
        // What still runs is dropped before the end is reported, so that nothing acts for a turn that is over.
        self.log.effects.push(Effect::Abort);
        self.end(Outcome::Failed(crate::FailKind::Storage));
        true
    }

    fn cancel(&mut self, reason: CancelReason) -> bool {
        if self.is_new() {
            return false;
        }
        self.log.effects.push(Effect::Abort);
        match &mut self.state.phase {
            // A message stays in the transcript, although no turn came to hear it.
            Phase::Renewing(message) => {
                let blocks = vec![message.block(self.log.now.wall_ms)];
                self.log.append(EntryKind::User, blocks, message.origin().clone());
            }
            Phase::Tools(batch) => batch.cancel(&mut self.log),
            Phase::New
            | Phase::Context { .. }
            | Phase::Routing
            | Phase::Relieving(_)
            | Phase::Model
            | Phase::Retrying { .. }
            | Phase::Judging { .. }
            | Phase::Rescuing(_)
            | Phase::Ended => {}
        }
        let streamed = std::mem::take(&mut self.state.streamed);
        let said = self.state.last_text.take().map(|(_, text)| text);
        // Words of the reply that was cut off are newer than those of the replies before it.
        let partial = if streamed.trim().is_empty() { said.unwrap_or_default() } else { streamed };
        self.log.mark(Marker::Cancelled { reason, partial });
        self.end(Outcome::Cancelled(reason));
        true
    }

    /// A person goes first, but not in the middle of what a tool does. What waits for a person goes on waiting without
    /// the turn.
    fn preempt(&mut self) -> bool {
        match &self.state.phase {
            Phase::Tools(_) => {
                self.state.preempted = true;
                self.stop_waiting();
                true
            }
            Phase::New
            | Phase::Renewing(_)
            | Phase::Context { .. }
            | Phase::Routing
            | Phase::Relieving(_)
            | Phase::Model
            | Phase::Retrying { .. }
            | Phase::Judging { .. }
            | Phase::Rescuing(_)
            | Phase::Ended => self.cancel(CancelReason::Preempted),
        }
    }

    /// Queues a message to be heard in this turn. Whatever only waits goes on, so that it is heard now.
    fn steer(&mut self, message: Message) -> bool {
        // A message that finds no place is kept by the driver and begins the next turn.
        if self.is_new() || self.state.steers.len() >= STEERS_MAX {
            return false;
        }
        self.state.steers.push_back(message);
        // A verdict on an answer that is overtaken counts no more.
        if let Phase::Judging { .. } = self.state.phase {
            // It must not be taken for the verdict on the next answer.
            self.log.effects.push(Effect::Abort);
            self.next_step();
            return true;
        }
        self.stop_waiting();
        true
    }

    fn stop_waiting(&mut self) {
        self.in_batch(|batch, bench| {
            batch.stop_waiting(bench.log);
            true
        });
    }
}

#[cfg(test)]
mod tests;
