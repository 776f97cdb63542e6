//! Carries out one turn: its effects in order, its waiting side by side.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use agent::{
    Bills, CancelReason, Effect, EntryLine, Event, Input, Outcome, Purpose, Surroundings, ToolCall, ToolOutcome,
    ToolSpec, Trigger, Turn, TurnSetup,
};
use llm::{Block, CallId};
use robot::{Effect as Does, Instant, Trust};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::model::{ModelCall, model_for};
use super::recording::Recording;
use super::{Conversation, Current, OfJob, Start};
use crate::agents::AgentUnit;
use crate::audit::Call;
use crate::ledger::Place;
use crate::lock::lock;
use crate::models::TurnModels;
use crate::outputs::Outputs;
use crate::proposals::{Asked, Asker, Note, Wanted, tool_error};
use crate::session::{Cause, Session};
use crate::station::Station;
use crate::wire::{Fact, Tag};
use crate::{operations, screens, toolbox};

/// Inputs that may wait for one turn: more than all its calls can answer with at once.
const INPUTS_MAX: usize = 256;
/// Lines of world state in front of a message.
const BLOCK_LINES_MAX: usize = 40;
/// Characters of world state in front of a message.
const BLOCK_CHARS_MAX: usize = 1_750;

/// Lines of `MEMORY.md` in front of a message.
const MEMORY_LINES_MAX: usize = 150;
/// Bytes of them: a turn's record must not hold a whole file.
const MEMORY_BYTES_MAX: usize = 8_192;
/// Memory writes: what a tainted turn wants written waits for a person's look by itself.
const REVIEWED: &[&str] = &["remember_note", "update_belief"];

struct Driver<'a> {
    station: &'a Arc<Station>,
    agent: &'a Arc<AgentUnit>,
    turn_id: String,
    conversation: &'a Conversation,
    inputs: mpsc::Sender<Input>,
    next: VecDeque<Input>,
    wakes: BTreeSet<Instant>,
    abort: CancellationToken,
    recording: Recording<'a>,
    models: TurnModels,
    /// The mission it works for.
    mission: Option<String>,
    /// The run of the job that started it.
    run: Option<String>,
    /// Its job was cancelled.
    cancelled: CancellationToken,
    /// Longer outputs go into files.
    spill_above_bytes: Option<u32>,
    outcome: Option<Outcome>,
}

/// Runs a turn from its message to its end.
pub(super) async fn run(station: &Arc<Station>, agent: &Arc<AgentUnit>, start: Start) {
    let (inputs, mut arriving) = mpsc::channel(INPUTS_MAX);
    *agent.desk.current() = Some(Current { turn: start.turn.clone(), inputs: inputs.clone() });
    let conversation = Arc::clone(&start.conversation);
    let by_itself = start.by_itself;
    let session = conversation.session.to_string();
    let (models, tools) = (agent.models_for(station, &start.message).await, toolbox::tools(station, agent).await);
    let setup = setup(station, agent, &start, (&models, tools));
    let spill_above_bytes = setup.policy.tools.spill_above_bytes;
    let mut turn = Turn::new(setup);
    let (run, cancelled, done) = match start.job {
        Some(OfJob { run, cancel, done }) => (Some(run), cancel, Some(done)),
        None => (None, CancellationToken::new(), None),
    };
    let mut driver = Driver {
        recording: Recording::of(&agent.episodes, session, start.message.clone(), start.cause),
        station,
        agent,
        models,
        mission: start.mission,
        turn_id: start.turn,
        conversation: &conversation,
        inputs,
        next: VecDeque::from([Input::Start(start.message)]),
        wakes: BTreeSet::new(),
        abort: station.ended.child_token(),
        run,
        cancelled,
        spill_above_bytes,
        outcome: None,
    };
    while !turn.has_ended() {
        let Some(input) = driver.input(&mut arriving).await else { break };
        let input = driver.kept(input).await;
        let effects = turn.step(input, station.clock.now());
        driver.carry_out(effects).await;
    }
    driver.abort.cancel();
    driver.recording.end();
    if by_itself {
        agent.desk.ended(has_failed(driver.outcome.as_ref()), station.clock.now().station);
    }
    if let Some((done, outcome)) = done.zip(driver.outcome.take()) {
        // The station may be ending, and nobody listening.
        let _ = done.send(outcome);
    }
    *lock(&conversation.transcript) = turn.into_transcript();
    *agent.desk.current() = None;
    station.hub.changed(Tag::Transcript);
}

fn setup(
    station: &Station,
    agent: &AgentUnit,
    start: &Start,
    (models, tools): (&TurnModels, Vec<ToolSpec>),
) -> TurnSetup {
    let conversation = &start.conversation;
    let mut policy = agent.policy(station);
    if start.by_itself {
        policy.budget.wall_s = policy.budget.autonomous_wall_s;
    }
    TurnSetup {
        session: conversation.session.clone(),
        transcript: lock(&conversation.transcript).clone(),
        policy,
        mode: screens::agent_mode(station, agent.desk.mode()),
        rules: toolbox::rules(station, &agent.id),
        caps: models.main.caps().clone(),
        side: None,
        tools,
        system: agent::system_text(&agent.id, &station.site).into_iter().chain(agent.lives.told()).collect(),
        quote_key: agent::QuoteKey::derived(station.key.as_bytes()),
        surroundings: Surroundings::default(),
        bills: Bills::default(),
    }
}

impl Driver<'_> {
    /// The next thing that happens to the turn.
    async fn input(&mut self, arriving: &mut mpsc::Receiver<Input>) -> Option<Input> {
        if let Some(input) = self.next.pop_front() {
            return Some(input);
        }
        let now = self.station.clock.now().station;
        let due = self.wakes.first().copied();
        let wait = due.map_or(Duration::MAX, |due| due.since(now));
        tokio::select! {
            biased;
            input = arriving.recv() => input,
            () = self.station.ended.cancelled() => Some(Input::Cancel(CancelReason::Shutdown)),
            () = self.cancelled.cancelled() => Some(Input::Cancel(CancelReason::Operator)),
            () = sleep(wait) => {
                self.wakes.pop_first();
                Some(Input::Tick)
            }
        }
    }

    /// The input, with a long output put away if the policy wants it so.
    async fn kept(&self, input: Input) -> Input {
        let (Input::ToolDone { call, outcome }, Some(bytes_max)) = (&input, self.spill_above_bytes) else {
            return input;
        };
        let outputs = Outputs::of(&self.agent.folders, &self.conversation.session.to_string());
        let (call, whole) = (call.clone(), outcome.clone());
        let kept = tokio::task::spawn_blocking(move || outputs.keep(whole, bytes_max)).await;
        kept.map_or(input, |outcome| Input::ToolDone { call, outcome })
    }

    async fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Append { entry, synced } => {
                    if let Err(error) = self.append(EntryLine::from(entry), synced).await {
                        tracing::error!(error = &error as &dyn std::error::Error, "transcript");
                        // What is not on disk was not said: the rest of this step is not done.
                        self.next.push_front(Input::AppendFailed);
                        return;
                    }
                }
                Effect::Emit(event) => self.emit(event),
                Effect::Prefetch { trigger, text } => {
                    let context = self.context(trigger, &text).await;
                    self.next.push_back(Input::Context(context));
                }
                Effect::Call { purpose, request } => {
                    let (call, model) = (self.model_call(), model_for(&self.models, purpose));
                    self.station.tasks.spawn(call.run(model, purpose, request));
                }
                Effect::Run(calls) => {
                    for call in calls {
                        self.run_call(call).await;
                    }
                }
                Effect::Ask { call, .. } => self.ask(call).await,
                Effect::Wake { at } => {
                    self.wakes.insert(at);
                }
                Effect::Abort => {
                    self.abort.cancel();
                    self.abort = self.station.ended.child_token();
                }
                Effect::Warm(request) => {
                    let (call, model) = (self.model_call(), model_for(&self.models, Purpose::Warm));
                    self.station.tasks.spawn(call.warm(model, request));
                }
                Effect::End(outcome) => self.outcome = Some(outcome),
            }
        }
    }

    fn model_call(&self) -> ModelCall {
        ModelCall {
            station: Arc::clone(self.station),
            agent: Arc::clone(self.agent),
            place: Place {
                session: self.conversation.session.to_string(),
                turn: Some(self.turn_id.clone()),
                mission: self.mission.clone(),
            },
            inputs: self.inputs.clone(),
            abort: self.abort.clone(),
        }
    }

    async fn append(&mut self, line: EntryLine, synced: bool) -> Result<(), memory::MemoryError> {
        let text = serde_json::to_string(&line).unwrap_or_default();
        self.conversation.file.lock().await.append(&text, synced).await?;
        self.recording.note_entry(&line);
        self.conversation.lines().push(line);
        self.station.hub.changed(Tag::Transcript);
        Ok(())
    }

    fn emit(&mut self, event: Event) {
        self.recording.note_event(&event);
        let session = self.conversation.session.to_string();
        self.station.hub.fact(
            Fact::Turn { agent: self.agent.id.clone(), session, turn: self.turn_id.clone(), event },
            Some(Tag::Transcript),
        );
    }

    /// The clock, the world as it is now and the beliefs that `words` may be about, in front of the message.
    async fn context(&self, trigger: Trigger, words: &str) -> Vec<Block> {
        let now = self.station.clock.now();
        let entries = self.agent.ingest.entries();
        let block = world::block::render(&entries, &[], now, BLOCK_LINES_MAX, BLOCK_CHARS_MAX);
        let mut typed = block.typed;
        if block.left_out > 0 {
            typed = format!("{typed}\n+{} more", block.left_out);
        }
        let mut blocks = vec![agent::context_block(now.wall_ms, trigger, &typed, Trust::Typed)];
        if !block.text.is_empty() {
            blocks.push(Block::Text { text: block.text, trust: Trust::Text });
        }
        let recalled = self.agent.beliefs.recall(words, now);
        let beliefs = [(recalled.vouched, Trust::Trusted), (recalled.text, Trust::Text)];
        let shown = beliefs.into_iter().filter(|(text, _)| !text.is_empty());
        blocks.extend(shown.map(|(text, trust)| Block::Text { text, trust }));
        blocks.extend(self.memory().await);
        blocks
    }

    /// What the agent is to keep in mind, those lines apart that nobody vouches for.
    async fn memory(&self) -> Vec<Block> {
        let lines = match self.agent.notes.memory_lines(MEMORY_LINES_MAX).await {
            Ok(lines) => lines,
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "the turn goes without MEMORY.md");
                return Vec::new();
            }
        };
        let block = |text: String, trust| {
            let kept = &text[..text.floor_char_boundary(MEMORY_BYTES_MAX)];
            (!kept.is_empty()).then(|| Block::Text { text: format!("[MEMORY.md]\n{kept}"), trust })
        };
        block(lines.vouched, Trust::Trusted).into_iter().chain(block(lines.unvouched, Trust::Text)).collect()
    }

    async fn run_call(&mut self, call: ToolCall) {
        if !self.may_act(&call).await {
            return;
        }
        let (station, by) = (Arc::clone(self.station), self.session(call.tainted));
        self.later(async move {
            let Wanted { operation, input } = toolbox::wanted(&call.name, &call.args);
            let answer = operations::dispatch(&station, &by, &operation, input).await;
            Input::ToolDone { call: call.id, outcome: toolbox::outcome(&operation, answer) }
        });
    }

    /// Who calls.
    fn session(&self, tainted: bool) -> Session {
        let entry = self.conversation.lines().last().map(|line| (self.conversation.session.to_string(), line.id));
        let (run, record) = (self.run.clone(), self.recording.cause());
        let cause = Cause { turn: Some(self.turn_id.clone()), entry, run, record, tainted };
        Session::of_agent(&self.agent.id).caused_by(cause)
    }

    /// Whether a call may be carried out now. What moves something in a job's turn is noted on disk first, so that a
    /// crash never repeats it.
    async fn may_act(&mut self, call: &ToolCall) -> bool {
        if let Err(error) = toolbox::check_rate(self.station, self.agent, call) {
            let refusal =
                operations::refused(self.station, &Call::of(&self.session(false), &call.name, &call.args), error);
            self.done(call.id.clone(), tool_error(&refusal));
            return false;
        }
        let Some(run) = self.run.as_ref().filter(|_| !matches!(call.effect, Does::Read | Does::Write)) else {
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
        if call.tainted && REVIEWED.contains(&call.name.as_str()) {
            return self.run_call(call).await;
        }
        if !self.may_act(&call).await {
            return;
        }
        let by = self.session(call.tainted);
        let (wanted, reason, mission) = toolbox::asked_for(&call);
        let asker = Asker { reason, mission, ..Asker::of(&by, &self.agent.id) };
        let asked = match screens::check_seen(self.station) {
            Ok(()) => self.station.proposals.try_ask(self.station, &wanted, asker).await,
            Err(error) => Err(error),
        };
        match asked {
            Err(error) => {
                let refusal = operations::refused(self.station, &Call::of(&by, &call.name, &call.args), error);
                self.done(call.id, tool_error(&refusal));
            }
            Ok(Asked::Ended(outcome)) => self.done(call.id, outcome),
            Ok(Asked::Waiting(proposal, notes) | Asked::Covered(proposal, notes)) => {
                let proposal = serde_json::to_value(proposal).unwrap_or_default();
                self.next.push_back(Input::Proposed { call: call.id.clone(), proposal });
                self.forward(call.id, notes);
                if self.agent.desk.is_awaited() {
                    self.next.push_back(Input::Spoken);
                }
            }
        }
    }

    fn done(&mut self, call: CallId, outcome: ToolOutcome) {
        self.next.push_back(Input::ToolDone { call, outcome });
    }

    fn forward(&self, call: CallId, mut notes: mpsc::Receiver<Note>) {
        let (inputs, abort) = (self.inputs.clone(), self.abort.clone());
        self.station.tasks.spawn(async move {
            loop {
                let note = tokio::select! {
                    () = abort.cancelled() => return,
                    note = notes.recv() => note,
                };
                let input = match note {
                    Some(Note::Decided(decision)) => Input::Decided { call: call.clone(), decision },
                    Some(Note::Done(outcome)) => Input::ToolDone { call: call.clone(), outcome },
                    None => return,
                };
                if inputs.send(input).await.is_err() {
                    return;
                }
            }
        });
    }

    /// Runs `work` beside the turn; its input arrives unless the turn drops it.
    fn later(&self, work: impl Future<Output = Input> + Send + 'static) {
        let (inputs, abort) = (self.inputs.clone(), self.abort.clone());
        self.station.tasks.spawn(async move {
            tokio::select! {
                () = abort.cancelled() => {}
                input = work => {
                    // The turn may have ended meanwhile.
                    let _ = inputs.send(input).await;
                }
            }
        });
    }
}

/// Whether a turn counts against those that start by themselves: the model, the time or the disk failed it.
fn has_failed(outcome: Option<&Outcome>) -> bool {
    match outcome {
        Some(
            Outcome::Answered
            | Outcome::Delivered
            | Outcome::Forced
            | Outcome::Fallback
            | Outcome::Partial(_)
            | Outcome::Refused
            | Outcome::Paused(_),
        ) => false,
        Some(Outcome::Cancelled(reason)) => *reason == CancelReason::Timeout,
        Some(Outcome::Failed(_)) | None => true,
    }
}

async fn sleep(wait: Duration) {
    if wait == Duration::MAX {
        return std::future::pending().await;
    }
    tokio::time::sleep(wait).await;
}
