//! Carries out one turn: its effects in order, its waiting side by side.

mod turn_hooks;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use agent::{
    CancelReason, Careful, Effect, EntryLine, Event, Input, LineKind, ModelName, Notes, Outcome, Prefetch, Purpose,
    ToolCall, ToolOutcome, Turn, WorldExcerpt,
};
use llm::{CallId, Caps, ModelKind};
use robot::{Effect as Does, Instant, ProposalId, Trust, TurnId};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Start;
use super::late_decision::LateDecision;
use super::recording::Recording;
use super::running::{CancelWish, Current, SIGNALS_MAX, Signal, place_of};
use super::setup::setup;
use super::state::RunningTurn;
use super::task::notice;
use crate::agents::AgentUnit;
use crate::conversations::Conversation;
use crate::models::ledger::{AsOf, Place};
use crate::models::model_registry::TurnModels;
use crate::rooms::OfRoom;
use crate::runner::AgentRunner;
use crate::schedule::Cards;
use crate::surroundings::{Asked, Note, Requester, Wanted};
use crate::tools::tool_output_files::Outputs;
use crate::tools::toolbox;
use crate::turn_runner::calls::background_call::BackgroundCall;
use crate::turn_runner::calls::model::{ModelCall, model_for};
use crate::turn_runner::context::recall::Gathering;
use runtime::crash::{self, CrashPoint};
use runtime::disk;
use runtime::lock::lock;
use runtime::session::{Cause, Session};
use runtime::wire::{Fact, Tag};
use turn_hooks::TurnHooks;

/// Inputs that may wait for one turn: more than all its calls can answer with at once.
const INPUTS_MAX: usize = 256;

struct Driver<'a> {
    runner: &'a Arc<AgentRunner>,
    agent: &'a Arc<AgentUnit>,
    turn_id: TurnId,
    conversation: &'a Conversation,
    inputs: mpsc::Sender<Input>,
    signals: mpsc::Sender<Signal>,
    next: VecDeque<Input>,
    wakes: BTreeSet<Instant>,
    abort: CancellationToken,
    /// The turn itself is cancelled, and not only a call of it given up.
    cut_short: CancellationToken,
    recording: Recording<'a>,
    hooked: TurnHooks,
    models: TurnModels,
    prefetch: Prefetch,
    notes: Notes,
    /// The place under which its model calls are booked in the ledger.
    place: Place,
    as_of: AsOf,
    /// The run of the job that started it, and the cards on which it asks people.
    run: Option<(String, Arc<Cards>)>,
    /// Its job was cancelled.
    cancelled: CancellationToken,
    /// Somebody ends it.
    wish: CancelWish,
    /// The row of the words that began it, until the transcript holds them.
    said: Option<String>,
    /// Calls that a person is asked about, and that have no result yet.
    asked: BTreeSet<CallId>,
    /// Longer outputs go into files.
    spill_above_bytes: Option<u32>,
    /// The room that its answer is posted to, if it began in one.
    room: Option<OfRoom>,
    /// The part of the world state that was gathered, until the entry that shows it is written.
    shown: Option<WorldExcerpt>,
    outcome: Option<Outcome>,
}

/// Runs a turn from its message to its end.
pub(super) async fn run(runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>, mut start: Start) {
    let as_of = agent.ledger.as_of().await;
    let (inputs, mut arriving) = mpsc::channel(INPUTS_MAX);
    let (signals, mut signalled) = mpsc::channel(SIGNALS_MAX);
    let conversation = Arc::clone(&start.conversation);
    start.room = start.room.take().or_else(|| OfRoom::of_session(runner, &conversation.session));
    let (current, mut wish) = Current::of(&start, inputs.clone(), signals.clone());
    agent.turns.running.begin(current);
    // Noted before the first effect: after a crash the next start finds the turn by this row.
    agent.turns.note_running(agent, Some(&RunningTurn::of(&start))).await;
    crash::point(CrashPoint::TurnBegin);
    let hooks = runner.hooks(&agent.id, &conversation.session, Some(&start.turn));
    if let Err(stopped) = turn_hooks::receive(&hooks, runner, agent, &mut start, &mut wish).await {
        return turn_hooks::not_begun(runner, agent, start, stopped, &mut signalled).await;
    }
    let (models, tools) = (agent.models_for(runner, &start.message).await, runner.toolbox.tools(&agent.id).await);
    let setup = setup(runner, agent, &start, &models, tools).await;
    let (prefetch, notes) = (setup.policy.prefetch.clone(), setup.policy.memory.clone());
    // The interpreter has no window to fill and reads answers whole.
    let spill_above_bytes = setup.policy.tools.spill_above_bytes.filter(|_| setup.caps.kind == ModelKind::Language);
    let mut turn = Turn::new(setup);
    let (run, cancelled) = start.of_job();
    let steers = agent.turns.steers.untold(&start.turn).map(Input::Steer);
    let (session, said) = (conversation.session.clone(), start.said.take());
    let mut driver = Driver {
        recording: Recording::of(&agent.episodes, session, start.message.clone(), start.cause.clone()),
        hooked: TurnHooks::of(hooks, &start.message),
        runner,
        agent,
        models,
        prefetch,
        notes,
        place: place_of(&start),
        as_of,
        turn_id: start.turn.clone(),
        conversation: &conversation,
        inputs,
        signals,
        next: [Input::Start(start.message.clone())].into_iter().chain(steers).collect(),
        wakes: BTreeSet::new(),
        abort: runner.runtime.ended.child_token(),
        cut_short: CancellationToken::new(),
        run,
        cancelled,
        wish,
        said,
        asked: BTreeSet::new(),
        spill_above_bytes,
        room: start.room.clone(),
        shown: None,
        outcome: None,
    };
    while !turn.has_ended() {
        let Some(input) = driver.input(&mut arriving, &mut signalled).await else { break };
        let Some(input) = driver.looked_through(input, &mut arriving).await else { continue };
        if driver.hooked.take_reworded() {
            turn.step(Input::Reworded, runner.runtime.clock.now());
        }
        let input = driver.kept(input).await;
        let effects = turn.step(input, runner.runtime.clock.now());
        driver.carry_out(effects).await;
    }
    driver.abort.cancel();
    let outcome = driver.outcome.take();
    driver.tell_end(outcome);
    driver.recording.end();
    *lock(&conversation.transcript) = turn.into_transcript();
    crash::point(CrashPoint::TurnEnd);
    agent.turns.finish(runner, agent, start, outcome).await;
    hear_late(runner, agent, &mut signalled);
}

/// Takes the signals that came too late for their turn.
fn hear_late(runner: &AgentRunner, agent: &AgentUnit, signalled: &mut mpsc::Receiver<Signal>) {
    while let Ok(signal) = signalled.try_recv() {
        agent.turns.hear_signal(signal);
    }
    runner.runtime.bus.changed(Tag::Transcript);
}

impl Driver<'_> {
    /// The next thing that happens to the turn.
    async fn input(
        &mut self,
        arriving: &mut mpsc::Receiver<Input>,
        signalled: &mut mpsc::Receiver<Signal>,
    ) -> Option<Input> {
        loop {
            if self.next.is_empty() {
                self.next.extend(self.agent.turns.steers.untold(&self.turn_id).map(Input::Steer));
            }
            if let Some(input) = self.next.pop_front() {
                return Some(input);
            }
            let now = self.runner.runtime.clock.now().station;
            let due = self.wakes.first().copied();
            let wait = due.map_or(Duration::MAX, |due| due.since(now));
            tokio::select! {
                biased;
                reason = self.wish.given() => return Some(Input::Cancel(reason)),
                signal = signalled.recv() => self.take_signal(signal?),
                input = arriving.recv() => return input,
                () = self.runner.runtime.ended.cancelled() => return Some(Input::Cancel(CancelReason::Shutdown)),
                () = self.cancelled.cancelled() => return Some(Input::Cancel(CancelReason::Operator)),
                () = sleep(wait) => {
                    self.wakes.pop_first();
                    return Some(Input::Tick);
                }
            }
        }
    }

    /// Hands on what a signal asks for, if it is still for this turn.
    fn take_signal(&mut self, signal: Signal) {
        match signal {
            Signal::Preempt => self.next.push_back(Input::Cancel(CancelReason::Preempted)),
            // It looks there before it waits again.
            Signal::Steered => {}
            Signal::Decided(late) if self.asked.contains(&late.call) => self.next.extend(late.into_input()),
            Signal::Decided(late) => self.agent.turns.hear_late(late),
        }
    }

    /// The input, with a long output put away if the policy wants it so.
    async fn kept(&self, input: Input) -> Input {
        let (Input::ToolDone { call, outcome }, Some(bytes_max)) = (&input, self.spill_above_bytes) else {
            return input;
        };
        let outputs = Outputs::of(&self.agent.folders, &self.conversation.session);
        let (call, whole) = (call.clone(), outcome.clone());
        let kept = tokio::task::spawn_blocking(move || outputs.keep(whole, bytes_max)).await;
        kept.map_or(input, |outcome| Input::ToolDone { call, outcome })
    }

    async fn carry_out(&mut self, effects: Vec<Effect>) {
        if effects.iter().any(|effect| matches!(effect, Effect::End(Outcome::Cancelled(_)))) {
            self.cut_short.cancel();
        }
        for effect in effects {
            match effect {
                Effect::Append { entry, synced } => {
                    let id = entry.id;
                    if let Err(error) = self.append(EntryLine::from(entry), synced).await {
                        tracing::error!(error = &error as &dyn std::error::Error, "transcript");
                        // An entry that is not on disk counts as not said: the rest of this step is not done.
                        self.next.push_front(Input::AppendFailed { entry: id });
                        return;
                    }
                }
                Effect::Emit(event) => self.emit(event),
                Effect::Prefetch { trigger, text } => {
                    let (context, shown) = self.gathering().blocks(trigger, &text).await;
                    self.shown = Some(shown);
                    self.next.push_back(Input::Context(context));
                }
                Effect::Call { purpose, request } => {
                    let (call, model) = (self.model_call(), model_for(&self.models, purpose));
                    self.runner.runtime.tasks.spawn(call.run(model, purpose, request));
                }
                Effect::PrefixBroken { at } => {
                    let session = &self.conversation.session;
                    tracing::warn!(agent = %self.agent.id, %session, at, "prefix_broken");
                }
                Effect::Hook(call) => self.ask_hooks(call),
                Effect::Run(calls) => {
                    for call in calls {
                        self.watch(&call);
                        self.run_call(call).await;
                    }
                }
                Effect::Ask { call, .. } => {
                    self.watch(&call);
                    self.ask(call).await;
                }
                Effect::Wake { at } => {
                    self.wakes.insert(at);
                }
                Effect::Abort => {
                    self.abort.cancel();
                    self.abort = self.runner.runtime.ended.child_token();
                }
                Effect::Warm(request) => {
                    let (call, model) = (self.model_call(), model_for(&self.models, Purpose::Warm));
                    // The warm-up after the turn outlives it: giving up the turn does not cancel it.
                    let call = ModelCall { abort: self.runner.runtime.ended.child_token(), ..call };
                    self.runner.runtime.tasks.spawn(call.warm(model, request));
                }
                Effect::End(outcome) => self.outcome = Some(outcome),
            }
        }
    }

    fn gathering(&self) -> Gathering<'_> {
        Gathering {
            runner: self.runner,
            agent: self.agent,
            conversation: self.conversation,
            prefetch: &self.prefetch,
            notes: &self.notes,
            recalls: self.models.main.caps().kind == ModelKind::Language,
            room: self.room.as_ref(),
        }
    }

    fn model_call(&self) -> ModelCall {
        ModelCall {
            runner: Arc::clone(self.runner),
            agent: Arc::clone(self.agent),
            place: self.place.clone(),
            as_of: self.as_of,
            inputs: self.inputs.clone(),
            abort: self.abort.clone(),
        }
    }

    async fn append(&mut self, line: EntryLine, synced: bool) -> Result<(), memory::MemoryError> {
        let mut line = EntryLine { turn: Some(self.turn_id.clone()), ..line };
        if line.kind == LineKind::Volatile {
            line.world = self.shown.take();
        }
        if line.kind == LineKind::Assistant {
            let Caps { name, kind, .. } = self.models.main.caps();
            line.model = Some(ModelName { name: name.clone(), kind: *kind });
        }
        self.distrust_whole(&mut line).await;
        self.agent.turns.conversations.append(self.conversation, line.clone(), synced).await?;
        crash::appended(line.kind);
        self.recording.note_entry(&line);
        self.asked.retain(|call| line.tool_call_id.as_ref() != Some(call));
        if line.kind == LineKind::User {
            self.heard(&line).await;
        }
        self.runner.runtime.bus.changed(Tag::Transcript);
        Ok(())
    }

    /// The whole of a long output is no better than what stands of it in the conversation: a call that untrusted
    /// text led to gives a result that may repeat it.
    async fn distrust_whole(&self, line: &mut EntryLine) {
        let Some(n) = line.spill.filter(|_| line.trust == Trust::Text) else { return };
        let outputs = Outputs::of(&self.agent.folders, &self.conversation.session);
        if let Err(error) = disk::blocking(move || outputs.distrust(n)).await {
            tracing::warn!(%error, n, "the whole of an output is not told");
            line.spill = None;
        }
    }

    /// The transcript holds what a person said: it waits no more.
    async fn heard(&mut self, line: &EntryLine) {
        if let Some(room) = &self.room {
            room.note_heard().await;
        }
        let said = self.said.take().or_else(|| {
            let steer = self.agent.turns.steers.heard(&self.turn_id, line)?;
            self.recording.note_steer(&steer.message, line.id);
            steer.said
        });
        let Some(said) = said else { return };
        if let Err(error) = self.agent.db.remove_said(&said).await {
            // The next start finds it in the transcript.
            tracing::warn!(error = &error as &dyn std::error::Error, "what was heard is kept");
        }
    }

    fn emit(&mut self, event: Event) {
        self.recording.note_event(&event);
        self.tell_hooks(&event);
        let session = self.conversation.session.clone();
        self.runner.runtime.bus.fact(
            Fact::Turn { agent: self.agent.id.clone(), session, turn: self.turn_id.clone(), event },
            Some(Tag::Transcript),
        );
    }

    async fn run_call(&mut self, call: ToolCall) {
        if !self.may_act(&call).await {
            return;
        }
        let (runner, by) = (Arc::clone(self.runner), self.session(call.tainted));
        let Wanted { operation, input } = toolbox::wanted(&call.name, &call.args);
        // The interpreter looks for fields by their names.
        let is_tabled = call.effect == Does::Read && self.models.main.caps().kind == ModelKind::Language;
        let work = async move {
            let answer = runner.operations.dispatch(&by, &operation, input).await;
            let outcome = runner.toolbox.outcome(&operation, answer);
            if is_tabled { toolbox::with_tables(outcome) } else { outcome }
        };
        self.runner.runtime.tasks.spawn(self.background_call().run(call, work));
    }

    fn background_call(&self) -> BackgroundCall {
        BackgroundCall {
            runner: Arc::clone(self.runner),
            agent: Arc::clone(self.agent),
            session: self.conversation.session.clone(),
            inputs: self.inputs.clone(),
            abort: self.abort.clone(),
            cancelled: self.cut_short.clone(),
        }
    }

    /// The session as which the turn calls operations.
    fn session(&self, tainted: bool) -> Session {
        let entry = self.conversation.lines().last().map(|line| (self.conversation.session.clone(), line.id));
        let (run, record) = (self.run.as_ref().map(|(run, _)| run.clone()), self.recording.cause());
        let cause = Cause { turn: Some(self.turn_id.clone()), entry, run, record, tainted };
        Session::of_agent(&self.agent.id).caused_by(cause)
    }

    /// True if a call may be carried out now. A call that moves something in a job's turn is noted on disk first, so
    /// that a crash never repeats it.
    async fn may_act(&mut self, call: &ToolCall) -> bool {
        if let Err(error) = self.runner.toolbox.check_rate(&self.agent.id, call) {
            let refusal = self.runner.refused(&self.session(false), call, error);
            self.done(call.id.clone(), toolbox::tool_error(&refusal));
            return false;
        }
        let Some((run, _)) = self.run.as_ref().filter(|_| !matches!(call.effect, Does::Read | Does::Write)) else {
            return true;
        };
        let noted = self.agent.db.note_job_actuates(run).await;
        if let Err(error) = &noted {
            self.done(call.id.clone(), ToolOutcome::error("storage_failed", &format!("not run: {error}")));
        }
        noted.is_ok()
    }

    /// Makes a proposal of a call. Its decision and outcome reach the turn for as long as it runs.
    async fn ask(&mut self, call: ToolCall) {
        // A write to memory from a tainted turn waits for a person's review by itself.
        if call.tainted
            && self.runner.operations.row(&call.name).is_some_and(|row| row.tool.careful == Careful::Reviewed)
        {
            return self.run_call(call).await;
        }
        if !self.may_act(&call).await {
            return;
        }
        let by = self.session(call.tainted);
        let (wanted, reason, mission) = self.runner.toolbox.asked_for(&call);
        let asker = Requester { reason, mission, ..Requester::of(&by, &self.agent.id) };
        let asked = match self.runner.robots.check_seen() {
            Ok(()) => self.runner.proposer.ask(&wanted, asker).await,
            Err(error) => Err(error),
        };
        match asked {
            Err(error) => {
                let refusal = self.runner.refused(&by, &call, error);
                self.done(call.id, toolbox::tool_error(&refusal));
            }
            Ok(Asked::Ended(outcome)) => self.done(call.id, outcome),
            Ok(Asked::Waiting(proposal, notes) | Asked::Covered(proposal, notes)) => {
                let (id, proposal) = (proposal.id.clone(), serde_json::to_value(proposal).unwrap_or_default());
                if let Some((_, cards)) = &self.run {
                    cards.asked(self.runner, self.agent, &id).await;
                }
                self.next.push_back(Input::Proposed { call: call.id.clone(), proposal });
                self.forward(call.id, id, wanted.operation, notes);
                if self.agent.turns.is_awaited() {
                    self.next.push_back(Input::Spoken);
                }
            }
        }
    }

    fn done(&mut self, call: CallId, outcome: ToolOutcome) {
        self.next.push_back(Input::ToolDone { call, outcome });
    }

    /// Hands on what becomes of a proposal, also after the turn went on without it or has ended.
    fn forward(&mut self, call: CallId, proposal: ProposalId, operation: String, mut notes: mpsc::Receiver<Note>) {
        self.asked.insert(call.clone());
        let (signals, session) = (self.signals.clone(), self.conversation.session.clone());
        let (runner, agent) = (Arc::clone(self.runner), Arc::clone(self.agent));
        let cards = self.run.as_ref().map(|(_, cards)| Arc::clone(cards));
        self.runner.runtime.tasks.spawn(async move {
            loop {
                let note = tokio::select! {
                    () = runner.runtime.ended.cancelled() => return,
                    note = notes.recv() => note,
                };
                let Some(note) = note else {
                    return cards.iter().for_each(|cards| cards.unheard(&proposal));
                };
                if let Some(cards) = &cards {
                    cards.heard(&runner, &agent, &proposal, &note).await;
                }
                if let Note::Ended(end) = note {
                    agent.turns.task_ended(&runner, &agent, notice(&session, &operation, end));
                    continue;
                }
                let (call, session, proposal) = (call.clone(), session.clone(), proposal.clone());
                let late = LateDecision { call, session, proposal, operation: operation.clone(), note };
                if let Err(mpsc::error::SendError(signal)) = signals.send(Signal::Decided(late)).await {
                    // The receiver is gone once the turn has ended.
                    agent.turns.hear_signal(signal);
                }
            }
        });
    }
}

async fn sleep(wait: Duration) {
    if wait == Duration::MAX {
        return std::future::pending().await;
    }
    tokio::time::sleep(wait).await;
}
