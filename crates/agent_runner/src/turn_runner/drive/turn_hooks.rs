//! The points of a turn at which hooks are asked: around what comes to the turn and what it does. A person who cancels
//! it waits for no hook, and neither does a stop.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;

use agent::{
    CancelReason, EpochReason, Event, Hook, HookVerdict, IngressStep, Input, Message, Outcome, Purpose, ToolCall,
    ToolOutcome,
};
use llm::{Block, CallId, CommandModel, Reply, ReplyBlock, Stop, Usage};
use robot::{Origin, Stops, Trust};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::super::Start;
use super::super::running::{CancelWish, Signal};
use super::{Driver, INPUTS_MAX, hear_late};
use crate::agents::AgentUnit;
use crate::code::AgentCode;
use crate::rooms::OfRoom;
use crate::runner::AgentRunner;
use crate::tools::hooks::{About, Hooks};
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::wire::{Fact, Tag};

/// The sentence for a person whose message waited for a hook when all robots were stopped.
const NOT_HEARD: &str = "All robots were stopped before a hook of the site had let your last message through: the agent \
                         has not read it. Send it again if it is still wanted.";

/// The state of a turn's hooks.
pub(super) struct TurnHooks {
    hooks: Hooks,
    /// The tools of calls whose results hooks look at.
    watched: BTreeMap<CallId, String>,
    /// The message that began the turn tells robots to stop, and waits for no hook.
    is_urgent: bool,
    /// The words of the reply that comes next are a hook's.
    is_reworded: bool,
}

/// The reason for which a turn does not begin.
pub(super) enum Stopped {
    /// The message is denied by a hook, with its reason.
    Denied(String),
    /// Somebody ended it while its hooks were asked.
    Cancelled(CancelReason),
}

/// True if `message` tells robots to stop: it waits for no hook.
fn is_urgent(message: &Message) -> bool {
    matches!(message.origin(), Origin::Operator(_)) && CommandModel::says_stop(message.text())
}

/// Shows the hooks the message that begins a turn, and lets them change it.
pub(super) async fn receive(
    hooks: &Hooks,
    runner: &AgentRunner,
    agent: &AgentUnit,
    start: &mut Start,
    wish: &mut CancelWish,
) -> Result<(), Stopped> {
    let begins = lock(&start.conversation.transcript).is_untouched();
    // A stop is not asked about, and hooks still hear of the new conversation.
    if is_urgent(&start.message) {
        if begins {
            hooks.tell(&[Hook::SessionStart], &About::default());
        }
        return Ok(());
    }
    let cancelled = start.job.as_ref().map(|job| job.cancel.clone()).unwrap_or_default();
    let asked = async {
        if begins && let denied @ HookVerdict::Deny(_) = hooks.ask(Hook::SessionStart, About::default()).await {
            return denied;
        }
        hooks.ask(Hook::MessageReceive, about_message(&start.message)).await
    };
    let verdict = tokio::select! {
        biased;
        // A message that no hook has to look at begins its turn, and stands in the conversation even if that ends
        // at once.
        verdict = asked => verdict,
        reason = wish.given() => return Err(Stopped::Cancelled(reason)),
        () = runner.runtime.ended.cancelled() => return Err(Stopped::Cancelled(CancelReason::Shutdown)),
        () = cancelled.cancelled() => return Err(Stopped::Cancelled(CancelReason::Operator)),
    };
    if let Some(message) = reworded(&start.message, verdict).map_err(Stopped::Denied)? {
        tracing::info!(agent = %agent.id, turn = %start.turn, "a hook has changed the message that begins a turn");
        start.message = message;
    }
    Ok(())
}

/// Ends a turn that has not begun.
pub(super) async fn not_begun(
    runner: &Arc<AgentRunner>,
    agent: &Arc<AgentUnit>,
    start: Start,
    stopped: Stopped,
    signalled: &mut mpsc::Receiver<Signal>,
) {
    let tell = |event| {
        let session = start.conversation.session.clone();
        let (agent, turn) = (agent.id.clone(), start.turn.clone());
        runner.runtime.bus.fact(Fact::Turn { agent, session, turn, event }, Some(Tag::Transcript));
    };
    let outcome = match stopped {
        Stopped::Denied(reason) => {
            tell_denied(runner, &reason);
            tell(Event::Dropped { step: IngressStep::Hook });
            Outcome::Refused
        }
        Stopped::Cancelled(reason) => {
            if reason == CancelReason::StopAll && start.said.is_some() {
                runner.runtime.bus.event("not_heard", NOT_HEARD);
            }
            Outcome::Cancelled(reason)
        }
    };
    tell(Event::TurnEnded { outcome, calls: 0, usage: Usage::default() });
    // A message that a station going down has not looked at is heard by its next run.
    if outcome != Outcome::Cancelled(CancelReason::Shutdown) {
        forget_said(agent, start.said.as_deref()).await;
        if let Some(room) = &start.room {
            room.note_heard().await;
        }
    }
    agent.turns.finish(runner, agent, start, Some(outcome)).await;
    hear_late(runner, agent, signalled);
}

impl TurnHooks {
    /// `hooks` for the turn that `message` begins.
    pub fn of(hooks: Hooks, message: &Message) -> Self {
        Self { hooks, watched: BTreeMap::new(), is_urgent: is_urgent(message), is_reworded: false }
    }

    /// True, once, if the words of the reply that comes next are a hook's.
    pub const fn take_reworded(&mut self) -> bool {
        std::mem::replace(&mut self.is_reworded, false)
    }
}

impl Driver<'_> {
    /// `input` as the hooks have left it; none if the turn is not to hear of it.
    pub(super) async fn looked_through(&mut self, input: Input, arriving: &mut mpsc::Receiver<Input>) -> Option<Input> {
        match input {
            // A stop waits for no hook, whatever it says besides.
            Input::Steer(message) if self.hooked.hooks.has(Hook::MessageReceive) && !is_urgent(&message) => {
                self.steer_looked_through(message, arriving).await
            }
            Input::Context(blocks) if self.hooked.hooks.has(Hook::PromptBefore) && !self.hooked.is_urgent => {
                self.context_looked_through(blocks, arriving).await
            }
            // Words that no hook has looked at are shown to nobody.
            Input::Delta(_) if self.hooked.hooks.hold_words() => None,
            Input::ModelDone { purpose, reply } if self.hooked.hooks.hold_words() => {
                let reply = self.reply_looked_through(purpose, reply, arriving).await?;
                Some(Input::ModelDone { purpose, reply })
            }
            Input::ToolDone { call, outcome } => {
                let outcome = match self.hooked.watched.remove(&call) {
                    Some(tool) => self.result_looked_through(&call, &tool, outcome, arriving).await?,
                    None => outcome,
                };
                Some(Input::ToolDone { call, outcome })
            }
            input @ (Input::Start(_)
            | Input::Context(_)
            | Input::Delta(_)
            | Input::ModelDone { .. }
            | Input::ModelFailed { .. }
            | Input::Hooked { .. }
            | Input::Denied { .. }
            | Input::Reworded
            | Input::Proposed { .. }
            | Input::Decided { .. }
            | Input::Progress { .. }
            | Input::Steer(_)
            | Input::Billed(_)
            | Input::Cancel(_)
            | Input::Tick
            | Input::Spoken
            | Input::AppendFailed { .. }) => Some(input),
        }
    }

    /// Asks hooks about a call, beside the turn.
    pub(super) fn ask_hooks(&self, call: ToolCall) {
        let (hooks, inputs, abort) = (self.hooked.hooks.clone(), self.inputs.clone(), self.abort.clone());
        let (runner, by) = (Arc::clone(self.runner), self.session(call.tainted));
        self.runner.runtime.tasks.spawn(async move {
            let about = About::carrying(call.args.clone()).of_tool(&call.name).with("call", call.id.0.clone());
            let verdict = tokio::select! {
                () = abort.cancelled() => return,
                verdict = hooks.ask(Hook::ToolBefore, about) => verdict,
            };
            if let HookVerdict::Deny(reason) = &verdict {
                // A call that is denied here never reaches the operation that would put it on record.
                let refusal = OpError::new(AgentCode::DeniedByHook, reason.clone());
                runner.refused(&by, &call, refusal);
            }
            // The turn may have ended meanwhile.
            let _ = inputs.send(Input::Hooked { call: call.id, verdict }).await;
        });
    }

    /// Remembers a call whose result hooks look at. What has stopped robots is told at once.
    pub(super) fn watch(&mut self, call: &ToolCall) {
        let has_hooks =
            [Hook::ToolAfter, Hook::ToolError].iter().any(|hook| self.hooked.hooks.has_for(*hook, &call.name));
        if has_hooks && self.runner.operations.stops_of(&call.name) == Stops::No {
            self.hooked.watched.insert(call.id.clone(), call.name.clone());
        }
    }

    /// Tells hooks of a conversation that has ended by itself and begun anew.
    pub(super) fn tell_hooks(&self, event: &Event) {
        if let Event::EpochChanged { reason: EpochReason::SessionReset, .. } = event {
            self.hooked.hooks.tell(&[Hook::SessionEnd, Hook::SessionStart], &About::default().with("by", "policy"));
        }
    }

    /// Tells hooks how the turn has ended, and brings its answer to the room it began in.
    pub(super) fn tell_end(&mut self, outcome: Option<Outcome>) {
        let (answer, room) = (self.recording.take_answer(), self.room.take());
        match (answer, room) {
            (Some(answer), Some(room)) if self.hooked.hooks.has(Hook::ResponseAfter) => {
                // Beside the turn: the next one does not wait for this hook.
                self.runner.runtime.spawn(answer_room(
                    Arc::clone(self.runner),
                    self.hooked.hooks.clone(),
                    room,
                    answer,
                ));
            }
            (Some(answer), Some(room)) => room.answer(self.runner, answer),
            (Some(answer), None) => self.hooked.hooks.tell(&[Hook::ResponseAfter], &About::carrying(answer)),
            (None, _) if matches!(outcome, Some(Outcome::Failed(_) | Outcome::Refused)) => {
                self.hooked.hooks.tell(&[Hook::ResponseError], &About::default().with("outcome", json!(outcome)));
            }
            (None, _) => {}
        }
    }

    async fn steer_looked_through(&mut self, message: Message, arriving: &mut mpsc::Receiver<Input>) -> Option<Input> {
        let hooks = self.hooked.hooks.clone();
        let asked = hooks.ask(Hook::MessageReceive, about_message(&message));
        let verdict = self.unless_cancelled(asked, arriving).await?;
        let steers = &self.agent.turns.steers;
        match reworded(&message, verdict) {
            Ok(None) => Some(Input::Steer(message)),
            Ok(Some(other)) => {
                steers.reword(&self.turn_id, &message, &other);
                Some(Input::Steer(other))
            }
            Err(reason) => {
                // Off the disk as well: the next start would show it to the hooks again.
                let said = steers.withdraw(&self.turn_id, &message).and_then(|steer| steer.said);
                forget_said(self.agent, said.as_deref()).await;
                tell_denied(self.runner, &reason);
                self.emit(Event::Dropped { step: IngressStep::Hook });
                None
            }
        }
    }

    async fn context_looked_through(
        &mut self,
        blocks: Vec<Block>,
        arriving: &mut mpsc::Receiver<Input>,
    ) -> Option<Input> {
        let texts = blocks.iter().filter_map(|block| match block {
            Block::Text { text, .. } => Some(text.as_str()),
            Block::Call { .. } | Block::Result { .. } => None,
        });
        let about = About::carrying(texts.collect::<Vec<_>>().join("\n\n"));
        let hooks = self.hooked.hooks.clone();
        match self.unless_cancelled(hooks.ask(Hook::PromptBefore, about), arriving).await? {
            HookVerdict::GoOn => Some(Input::Context(blocks)),
            HookVerdict::Change(change) => {
                // The model is not shown the gathered world state, but the hook's text.
                self.shown = None;
                Some(Input::Context(vec![Block::Text { text: text_of(&change), trust: Trust::Text }]))
            }
            HookVerdict::Deny(reason) => Some(Input::Denied { hook: Hook::PromptBefore, reason }),
        }
    }

    async fn reply_looked_through(
        &mut self,
        purpose: Purpose,
        reply: Reply,
        arriving: &mut mpsc::Receiver<Input>,
    ) -> Option<Reply> {
        let is_main = match purpose {
            Purpose::Main => true,
            Purpose::Fallback | Purpose::Extend => false,
            // The replies to these calls are shown to nobody.
            Purpose::Router
            | Purpose::JudgeGrounded
            | Purpose::JudgeAdequacy
            | Purpose::Flush
            | Purpose::Summary
            | Purpose::MicroTurn
            | Purpose::Reader
            | Purpose::Warm => return Some(reply),
        };
        let calls = called(&reply);
        if calls.iter().any(|name| self.runner.operations.stops_of(name) != Stops::No) {
            // A stop waits for no hook, and words that none has looked at are not said.
            return Some(with_words(reply, None));
        }
        let hooks = self.hooked.hooks.clone();
        let mut reply = reply;
        if is_main && hooks.has(Hook::PromptAfter) {
            let about = About::carrying(words_of(&reply)).with("calls", json!(calls));
            match self.unless_cancelled(hooks.ask(Hook::PromptAfter, about), arriving).await? {
                HookVerdict::GoOn => {}
                HookVerdict::Change(change) => reply = self.reworded(reply, &text_of(&change)),
                HookVerdict::Deny(reason) => {
                    let reason = format!("{} was denied by a hook: {reason}", Hook::PromptAfter);
                    self.emit(Event::ModelFailed { reason });
                    // As if the provider had declined, which is an end that every turn knows.
                    return Some(Reply { blocks: Vec::new(), stop: Stop::Refusal, sidecar: None, ..reply });
                }
            }
        }
        if !words_of(&reply).trim().is_empty() && hooks.has(Hook::ResponseBefore) {
            let about = About::carrying(words_of(&reply)).with("is_final", calls.is_empty());
            match self.unless_cancelled(hooks.ask(Hook::ResponseBefore, about), arriving).await? {
                HookVerdict::GoOn => {}
                HookVerdict::Change(change) => reply = self.reworded(reply, &text_of(&change)),
                // A final answer has to say why it is missing; words beside calls can be left out.
                HookVerdict::Deny(reason) if calls.is_empty() => {
                    reply = self.reworded(reply, &format!("[Withheld by a hook of the site: {reason}]"));
                }
                HookVerdict::Deny(_) => reply = with_words(reply, None),
            }
        }
        Some(reply)
    }

    async fn result_looked_through(
        &mut self,
        call: &CallId,
        tool: &str,
        outcome: ToolOutcome,
        arriving: &mut mpsc::Receiver<Input>,
    ) -> Option<ToolOutcome> {
        let hook = if outcome.is_error { Hook::ToolError } else { Hook::ToolAfter };
        let result: Value = serde_json::from_str(&outcome.json).unwrap_or_else(|_| json!({ "text": outcome.json }));
        let about = About::carrying(result).of_tool(tool).with("call", call.0.clone());
        let hooks = self.hooked.hooks.clone();
        Some(match self.unless_cancelled(hooks.ask(hook, about), arriving).await? {
            HookVerdict::GoOn => outcome,
            // The words of a hook are untrusted, whatever they replace (decision 0079).
            HookVerdict::Change(change) => ToolOutcome { json: change.to_string(), trust: Trust::Text, ..outcome },
            HookVerdict::Deny(reason) => ToolOutcome::withheld_by_hook(&reason),
        })
    }

    /// The reply with other words, as untrusted text.
    fn reworded(&mut self, reply: Reply, words: &str) -> Reply {
        self.hooked.is_reworded = true;
        with_words(reply, Some(words))
    }

    /// The verdict of `hooks`, or none if the turn is cancelled meanwhile.
    async fn unless_cancelled(
        &mut self,
        hooks: impl Future<Output = HookVerdict>,
        arriving: &mut mpsc::Receiver<Input>,
    ) -> Option<HookVerdict> {
        let (ended, cancelled) = (self.runner.runtime.ended.clone(), self.cancelled.clone());
        let mut hooks = pin!(hooks);
        let reason = loop {
            let input = tokio::select! {
                // A cancellation counts before a verdict that came at the same moment.
                biased;
                () = ended.cancelled() => break CancelReason::Shutdown,
                () = cancelled.cancelled() => break CancelReason::Operator,
                reason = self.wish.given() => break reason,
                Some(input) = arriving.recv(), if self.next.len() < INPUTS_MAX => input,
                verdict = &mut hooks => return Some(verdict),
            };
            self.next.push_back(input);
        };
        // In front of the inputs that were put aside: none of them is carried out any more.
        self.next.push_front(Input::Cancel(reason));
        None
    }
}

/// Brings an answer to its room, as far as hooks let it.
async fn answer_room(runner: Arc<AgentRunner>, hooks: Hooks, room: OfRoom, answer: String) {
    let verdict = tokio::select! {
        () = runner.runtime.ended.cancelled() => return,
        verdict = hooks.ask(Hook::ResponseAfter, About::carrying(answer.clone())) => verdict,
    };
    match verdict {
        HookVerdict::GoOn => room.answer(&runner, answer),
        HookVerdict::Change(change) => room.answer(&runner, text_of(&change)),
        HookVerdict::Deny(reason) => tell_denied(&runner, &reason),
    }
}

/// The message with the words that hooks want, if they want others; an error says why it is not heard at all.
fn reworded(message: &Message, verdict: HookVerdict) -> Result<Option<Message>, String> {
    match verdict {
        HookVerdict::GoOn => Ok(None),
        HookVerdict::Change(change) => message.reworded(&text_of(&change)).map(Some).map_err(|error| error.to_string()),
        HookVerdict::Deny(reason) => Err(reason),
    }
}

fn about_message(message: &Message) -> About {
    About::carrying(message.text()).with("trigger", json!(message.trigger())).with("origin", json!(message.origin()))
}

fn tell_denied(runner: &AgentRunner, reason: &str) {
    runner.runtime.bus.event("denied_by_hook", format!("A hook of the site denies it: {reason}."));
}

/// Removes a person's message from those that wait on disk.
async fn forget_said(agent: &AgentUnit, said: Option<&str>) {
    let Some(said) = said else { return };
    if let Err(error) = agent.db.remove_said(said).await {
        // The next start shows it to the hooks once more.
        tracing::warn!(error = &error as &dyn std::error::Error, "what is not heard is kept");
    }
}

fn text_of(change: &Value) -> String {
    change.as_str().unwrap_or_default().to_owned()
}

fn words_of(reply: &Reply) -> String {
    let words = reply.blocks.iter().filter_map(|block| match block {
        ReplyBlock::Text(text) => Some(text.as_str()),
        ReplyBlock::Call { .. } => None,
    });
    words.collect()
}

fn called(reply: &Reply) -> Vec<String> {
    let names = reply.blocks.iter().filter_map(|block| match block {
        ReplyBlock::Call { name, .. } => Some(name.clone()),
        ReplyBlock::Text(_) => None,
    });
    names.collect()
}

/// The reply with `words` in the place of its own; what its provider keeps of it has the old ones and is left out.
fn with_words(reply: Reply, words: Option<&str>) -> Reply {
    let words = words.map(|words| ReplyBlock::Text(words.to_owned()));
    let calls = reply.blocks.into_iter().filter(|block| matches!(block, ReplyBlock::Call { .. }));
    Reply { blocks: words.into_iter().chain(calls).collect(), sidecar: None, ..reply }
}
