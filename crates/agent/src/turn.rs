//! One turn: from a message to its answer. [`Turn::step`] takes what happened and says what to do; it waits for
//! nothing, so a turn can be replayed from its inputs.

mod admit;
mod batch;
mod log;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use llm::{Block, CallId, Caps, ModelError, Reply, ReplyBlock, SessionId, Stop, ToolDecl, Usage};
use robot::{Instant, Now, Origin, Trust};

use crate::view::{CallForm, Frame, view};
use crate::{
    CancelReason, Effect, EntryKind, Event, FailKind, Input, Marker, Message, Mode, ModelName, Outcome, Policy,
    Profile, Purpose, ToolSpec, Transcript,
};
use admit::{Gatekeeper, RawCall, Streak};
use batch::{Batch, Progress};
use log::Log;

/// Said for a model that found no words.
const NO_ANSWER: &str = "[Agent did not produce a final response]";
const NUDGE_EMPTY: &str = "[Hint] Your reply was empty. Answer the operator, or call a tool.";
const NUDGE_SMALLER: &str = "[Hint] Your reply was cut off and its calls were not run. Work in smaller pieces.";
const NUDGE_GO_ON: &str = "[Hint] Your reply was cut off. Go on where it ended.";

/// What a turn is made from.
#[derive(Debug, Clone)]
pub struct TurnSetup {
    /// The conversation it belongs to.
    pub session: SessionId,
    /// What was said before.
    pub transcript: Transcript,
    /// The agent's numbers.
    pub policy: Policy,
    /// What the agent may do by itself.
    pub mode: Mode,
    /// What the model is.
    pub caps: Caps,
    /// What it may call, in any order.
    pub tools: Vec<ToolSpec>,
    /// The system text, see [`crate::system_text`].
    pub system: Vec<String>,
}

/// One turn of an agent.
#[derive(Debug, Clone)]
pub struct Turn {
    policy: Policy,
    mode: Mode,
    model: ModelName,
    tools: Vec<ToolSpec>,
    frame: Frame,
    log: Log,
    phase: Phase,
    /// Model calls that counted against the budget.
    step: u32,
    /// All model calls.
    calls: u32,
    /// Empty replies in a row.
    empty: u32,
    /// Whether the call under way has no tools at all.
    bare: bool,
    /// The newest words of the model in this turn and the entry that holds them.
    last_text: Option<(u64, String)>,
    streak: Streak,
    usage: Usage,
    clock: WallClock,
}

#[derive(Debug, Clone)]
enum Phase {
    New,
    Context,
    Model,
    Tools(Batch),
    Ended,
}

/// The time a turn may take; waiting for a person stands outside it.
#[derive(Debug, Clone, Copy, Default)]
struct WallClock {
    deadline: Instant,
    woken_at: Instant,
}

impl Turn {
    /// A turn that waits for its [`Input::Start`].
    #[must_use]
    pub fn new(setup: TurnSetup) -> Self {
        let TurnSetup { session, transcript, policy, mode, caps, mut tools, system } = setup;
        tools.sort_by(|a, b| a.name.cmp(&b.name));
        let declared: Arc<[ToolDecl]> = tools
            .iter()
            .map(|spec| ToolDecl {
                name: spec.name.clone(),
                description: spec.description.clone(),
                input_schema: spec.input_schema.clone(),
            })
            .collect();
        Self {
            mode,
            model: ModelName { name: caps.name.clone(), kind: caps.kind },
            tools,
            policy: policy.clone(),
            frame: Frame { session, system, tools: declared, policy, caps, data_bearing: BTreeSet::new() },
            log: Log { transcript, now: Now::default(), effects: Vec::new() },
            phase: Phase::New,
            step: 0,
            calls: 0,
            empty: 0,
            bare: false,
            last_text: None,
            streak: Streak::default(),
            usage: Usage::default(),
            clock: WallClock::default(),
        }
    }

    /// Takes one input and gives the effects it has, in order. Total: an input that does not fit changes nothing
    /// and is reported as [`Event::Ignored`]; after the end nothing has an effect.
    pub fn step(&mut self, input: Input, now: Now) -> Vec<Effect> {
        if self.has_ended() {
            return Vec::new();
        }
        self.log.now = now;
        let name = input.name();
        let fits = match input {
            Input::Start(message) => self.start(&message),
            Input::Context(blocks) => self.take_context(blocks),
            Input::Delta(_) => true,
            Input::ModelDone { reply, .. } => self.take_reply(reply),
            Input::ModelFailed { error, .. } => self.take_model_failure(&error),
            Input::ToolDone { call, outcome } => self.in_batch(|batch, log| batch.finish(&call, outcome, log)),
            Input::Proposed { call, proposal } => self.in_batch(|batch, _| batch.note_proposal(&call, proposal)),
            Input::Decided { call, decision } => self.in_batch(|batch, log| batch.decide(&call, decision, log)),
            Input::Progress { call, text } => self.in_batch(|batch, log| batch.progress(call, text, log)),
            Input::Steer(_) | Input::Billed(_) => false,
            Input::Cancel(reason) => self.cancel(reason),
            Input::Tick => self.tick(),
            Input::Spoken => {
                self.in_batch(|batch, log| {
                    batch.stop_waiting(log);
                    true
                });
                true
            }
            Input::AppendFailed => self.take_append_failure(),
        };
        if !fits {
            self.log.emit(Event::Ignored { input: name.to_owned() });
        }
        std::mem::take(&mut self.log.effects)
    }

    /// Whether the turn is over.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self.phase, Phase::Ended)
    }

    /// Whether a call with these arguments may have been put into the model's mouth by text that nobody vouches for.
    #[must_use]
    pub fn is_tainted(&self, args: &serde_json::Value) -> bool {
        crate::taint::is_tainted(&self.log.transcript, args)
    }

    /// What was said so far.
    #[must_use]
    pub const fn transcript(&self) -> &Transcript {
        &self.log.transcript
    }

    /// What was said, for the next turn.
    #[must_use]
    pub fn into_transcript(self) -> Transcript {
        self.log.transcript
    }

    fn start(&mut self, message: &Message) -> bool {
        if !matches!(self.phase, Phase::New) {
            return false;
        }
        let now = self.log.now;
        self.log.append(EntryKind::User, vec![message.block(now.wall_ms)], message.origin().clone(), false);
        self.log.emit(Event::TurnStarted { trigger: message.trigger(), model: self.model.clone() });
        self.clock.deadline = now.station.plus(Duration::from_secs(self.policy.budget.wall_s.into()));
        self.wake_for_wall(self.clock.deadline);
        self.log.effects.push(Effect::Prefetch { trigger: message.trigger(), text: message.text().to_owned() });
        self.phase = Phase::Context;
        true
    }

    fn take_context(&mut self, mut blocks: Vec<Block>) -> bool {
        if !matches!(self.phase, Phase::Context) {
            return false;
        }
        blocks.retain(|block| matches!(block, Block::Text { text, .. } if !text.is_empty()));
        if !blocks.is_empty() {
            let entry = self.log.append(EntryKind::Volatile, blocks, Origin::System, false);
            self.log.emit(Event::Context { entry });
        }
        self.call_model(None);
        true
    }

    fn take_reply(&mut self, reply: Reply) -> bool {
        if !matches!(self.phase, Phase::Model) {
            return false;
        }
        self.usage.add(&reply.usage);
        let is_last = self.policy.is_final(self.step);
        let (text, mut calls) = self.split(reply.blocks);
        if is_last {
            calls.clear();
        }
        match (text, calls.is_empty(), reply.stop) {
            (None, true, _) => self.go_on_after_nothing(is_last),
            (text, false, Stop::Length) => self.go_on_after_cut_calls(text.unwrap_or_default()),
            (Some(text), true, Stop::Length) if !is_last => self.go_on_after_cut_text(text),
            (Some(text), true, _) => {
                let entry = self.append_reply(Some(text.clone()), &[]);
                self.deliver(entry, text, Outcome::Answered);
            }
            (text, false, _) => self.run_calls(text, calls),
        }
        true
    }

    /// Separates words from calls and makes sure that every call of the conversation has an id of its own.
    fn split(&self, blocks: Vec<ReplyBlock>) -> (Option<String>, Vec<RawCall>) {
        let (mut text, mut calls) = (String::new(), Vec::<RawCall>::new());
        for block in blocks {
            match block {
                ReplyBlock::Text(part) => text.push_str(&part),
                ReplyBlock::Call { id, name, args_raw } => {
                    let id = self.unused_id(id, &calls);
                    calls.push(RawCall { id, name, args_raw });
                }
            }
        }
        ((!text.trim().is_empty()).then_some(text), calls)
    }

    fn unused_id(&self, id: CallId, others: &[RawCall]) -> CallId {
        let is_used = |id: &CallId| {
            let in_entry = |block: &Block| matches!(block, Block::Call { id: used, .. } if used == id);
            others.iter().any(|call| call.id == *id)
                || self.transcript().entries().iter().any(|entry| entry.blocks.iter().any(in_entry))
        };
        let mut unused = id.clone();
        let mut copy = 2_u32;
        while is_used(&unused) {
            unused = CallId(format!("{id}-{copy}"));
            copy += 1;
        }
        unused
    }

    fn go_on_after_nothing(&mut self, is_last: bool) {
        if self.bare || (!is_last && self.empty >= self.policy.empty.nudges) {
            let (entry, text) = self
                .last_text
                .clone()
                .unwrap_or_else(|| (self.append_reply(Some(NO_ANSWER.to_owned()), &[]), NO_ANSWER.to_owned()));
            self.deliver(entry, text, Outcome::Forced);
        } else if is_last {
            self.bare = true;
            self.call_model(None);
        } else {
            self.empty += 1;
            self.call_model(Some(NUDGE_EMPTY));
        }
    }

    /// Half a call must not run, and nobody can tell which half of it is missing.
    fn go_on_after_cut_calls(&mut self, partial: String) {
        self.log.append(EntryKind::Marker(Marker::CutByLength { partial }), Vec::new(), Origin::System, false);
        self.next_step(Some(NUDGE_SMALLER));
    }

    fn go_on_after_cut_text(&mut self, text: String) {
        self.append_reply(Some(text), &[]);
        self.next_step(Some(NUDGE_GO_ON));
    }

    fn run_calls(&mut self, text: Option<String>, calls: Vec<RawCall>) {
        self.append_reply(text, &calls);
        let gate = Gatekeeper { tools: &self.tools, policy: &self.policy, mode: self.mode };
        let streak = &mut self.streak;
        let verdicts = calls
            .into_iter()
            .enumerate()
            .map(|(index, raw)| {
                let verdict = gate.admit(&raw, index, streak);
                (raw.id, raw.name, verdict)
            })
            .collect();
        self.phase = Phase::Tools(Batch::new(verdicts, &self.policy, &mut self.log));
        self.in_batch(|_, _| true);
    }

    /// Lets `change` work on the calls under way and then starts whatever comes next.
    fn in_batch(&mut self, change: impl FnOnce(&mut Batch, &mut Log) -> bool) -> bool {
        let Phase::Tools(batch) = &mut self.phase else { return false };
        let asked_at = batch.asked_at();
        if !change(batch, &mut self.log) {
            return false;
        }
        if let Some(asked_at) = asked_at.filter(|_| batch.asked_at().is_none()) {
            self.clock.deadline = self.clock.deadline.plus(self.log.now.station.since(asked_at));
        }
        if batch.advance(&mut self.log) == Progress::Finished {
            self.next_step(None);
        }
        true
    }

    fn take_model_failure(&mut self, error: &ModelError) -> bool {
        if !matches!(self.phase, Phase::Model) {
            return false;
        }
        self.log.emit(Event::ModelFailed { reason: error.to_string() });
        self.end(Outcome::Failed(FailKind::Model));
        true
    }

    /// What is not on disk was not done: nothing more is written or run.
    fn take_append_failure(&mut self) -> bool {
        if matches!(self.phase, Phase::New) {
            return false;
        }
        self.log.effects.push(Effect::Abort);
        self.end(Outcome::Failed(FailKind::Storage));
        true
    }

    fn cancel(&mut self, reason: CancelReason) -> bool {
        if matches!(self.phase, Phase::New) {
            return false;
        }
        self.log.effects.push(Effect::Abort);
        if let Phase::Tools(batch) = &mut self.phase {
            batch.cancel(&mut self.log);
        }
        let partial = self.last_text.take().map(|(_, text)| text).unwrap_or_default();
        self.log.append(EntryKind::Marker(Marker::Cancelled { reason, partial }), Vec::new(), Origin::System, false);
        self.end(Outcome::Cancelled(reason));
        true
    }

    fn tick(&mut self) -> bool {
        if matches!(self.phase, Phase::New) {
            return false;
        }
        let now = self.log.now.station;
        self.in_batch(|batch, log| {
            batch.give_up_overdue(log);
            true
        });
        let waiting_since = match &self.phase {
            Phase::Tools(batch) => batch.asked_at(),
            Phase::New | Phase::Context | Phase::Model | Phase::Ended => None,
        };
        let waited = waiting_since.map_or(Duration::ZERO, |asked_at| now.since(asked_at));
        let deadline = self.clock.deadline.plus(waited);
        if now >= deadline {
            return self.cancel(CancelReason::Timeout);
        }
        if now >= self.clock.woken_at {
            self.wake_for_wall(deadline);
        }
        true
    }

    fn wake_for_wall(&mut self, at: Instant) {
        self.clock.woken_at = at;
        self.log.effects.push(Effect::Wake { at });
    }

    fn next_step(&mut self, nudge: Option<&str>) {
        self.step += 1;
        self.empty = 0;
        self.call_model(nudge);
    }

    fn call_model(&mut self, nudge: Option<&str>) {
        let is_last = self.policy.is_final(self.step);
        let warning = self.policy.warns(self.step).then(|| {
            let (call, of) = (self.step + 1, self.policy.budget.calls);
            format!("[Budget] This is call {call} of {of}. Come to an answer.")
        });
        let nudges: Vec<String> = nudge.map(str::to_owned).into_iter().chain(warning).collect();
        for text in &nudges {
            self.log.emit(Event::Nudge { text: text.clone() });
        }
        let form = CallForm { is_final: is_last, with_tools: !self.bare, profile: Profile::Deliberate, nudges };
        self.calls += 1;
        let request = view(&self.log.transcript, &self.frame, &form);
        self.log.effects.push(Effect::Call { purpose: Purpose::Main, request });
        self.phase = Phase::Model;
    }

    fn append_reply(&mut self, text: Option<String>, calls: &[RawCall]) -> u64 {
        let gate = Gatekeeper { tools: &self.tools, policy: &self.policy, mode: self.mode };
        let synced = calls.iter().any(|call| gate.actuates(&call.name));
        let words = text.clone().map(|text| Block::Text { text, trust: Trust::Trusted });
        let calls = calls.iter().cloned().map(|RawCall { id, name, args_raw }| Block::Call { id, name, args_raw });
        let entry =
            self.log.append(EntryKind::Assistant, words.into_iter().chain(calls).collect(), Origin::Agent, synced);
        if let Some(text) = text {
            self.last_text = Some((entry, text));
        }
        entry
    }

    fn deliver(&mut self, entry: u64, text: String, outcome: Outcome) {
        self.log.emit(Event::Delivered { entry, text, model: self.model.clone() });
        self.end(outcome);
    }

    fn end(&mut self, outcome: Outcome) {
        self.log.emit(Event::TurnEnded { outcome, calls: self.calls, usage: self.usage });
        self.log.effects.push(Effect::End(outcome));
        self.phase = Phase::Ended;
    }
}

#[cfg(test)]
mod tests;
