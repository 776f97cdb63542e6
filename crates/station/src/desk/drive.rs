//! Carries out one turn: its effects in order, its waiting side by side.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use agent::{CancelReason, Effect, EntryLine, Event, Input, Policy, ToolCall, ToolOutcome, Trigger, Turn, TurnSetup};
use llm::{Block, CallId};
use robot::{Instant, Trust};
use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::recording::Recording;
use super::{Conversation, Current, Start};
use crate::agents::AgentUnit;
use crate::audit::Call;
use crate::error::{ErrorKind, OpError};
use crate::lock::lock;
use crate::operations;
use crate::proposals::{Asked, Asker, Note};
use crate::screens;
use crate::session::Session;
use crate::station::Station;
use crate::wire::{Fact, Tag};

/// Inputs that may wait for one turn: more than all its calls can answer with at once.
const INPUTS_MAX: usize = 256;
/// Lines of world state in front of a message.
const BLOCK_LINES_MAX: usize = 40;
/// Characters of world state in front of a message.
const BLOCK_CHARS_MAX: usize = 1_750;

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
}

/// Runs a turn from its message to its end.
pub(super) async fn run(station: &Arc<Station>, agent: &Arc<AgentUnit>, start: Start) {
    let (inputs, mut arriving) = mpsc::channel(INPUTS_MAX);
    *agent.desk.current() = Some(Current { turn: start.turn.clone(), inputs: inputs.clone() });
    let conversation = Arc::clone(&start.conversation);
    let mut turn = Turn::new(setup(station, agent, &conversation));
    let session = conversation.session.to_string();
    let mut driver = Driver {
        recording: Recording::of(&agent.episodes, session, start.message.clone(), start.cause),
        station,
        agent,
        turn_id: start.turn,
        conversation: &conversation,
        inputs,
        next: VecDeque::from([Input::Start(start.message)]),
        wakes: BTreeSet::new(),
        abort: station.ended.child_token(),
    };
    while !turn.has_ended() {
        let Some(input) = driver.input(&mut arriving).await else { break };
        let effects = turn.step(input, station.clock.now());
        driver.carry_out(effects).await;
    }
    driver.abort.cancel();
    driver.recording.end();
    *lock(&conversation.transcript) = turn.into_transcript();
    *agent.desk.current() = None;
    station.hub.changed(Tag::Transcript);
}

fn setup(station: &Station, agent: &AgentUnit, conversation: &Conversation) -> TurnSetup {
    TurnSetup {
        session: conversation.session.clone(),
        transcript: lock(&conversation.transcript).clone(),
        policy: Policy::operator(),
        mode: screens::agent_mode(station, agent.desk.mode()),
        caps: agent.desk.model.caps().clone(),
        tools: operations::tools(),
        system: agent::system_text(&agent.id, &station.site),
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
            () = sleep(wait) => {
                self.wakes.pop_first();
                Some(Input::Tick)
            }
        }
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
                Effect::Prefetch { trigger, text } => self.next.push_back(Input::Context(self.context(trigger, &text))),
                Effect::Call(request) => {
                    let model = Arc::clone(&self.agent.desk.model);
                    self.later(async move {
                        match model.call(request).await {
                            Ok(reply) => Input::ModelDone(reply),
                            Err(error) => Input::ModelFailed(error),
                        }
                    });
                }
                Effect::Run(calls) => calls.into_iter().for_each(|call| self.run_call(call)),
                Effect::Ask { call, tainted, .. } => self.ask(call, tainted).await,
                Effect::Wake { at } => {
                    self.wakes.insert(at);
                }
                Effect::Abort => {
                    self.abort.cancel();
                    self.abort = self.station.ended.child_token();
                }
                Effect::End(_) => {}
            }
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
    fn context(&self, trigger: Trigger, words: &str) -> Vec<Block> {
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
        blocks
    }

    fn run_call(&self, call: ToolCall) {
        let entry = self.conversation.lines().last().map(|line| line.id);
        let by = Session::of_agent(&self.agent.id).calling_from(&self.conversation.session.to_string(), entry);
        let station = Arc::clone(self.station);
        self.later(async move {
            let answer = operations::dispatch(&station, &by, &call.name, call.args).await;
            let (value, is_error) = match answer {
                Ok(answer) => (answer, false),
                Err(error) => (json!(error), true),
            };
            let trust = quoted_trust(&call.name, &value);
            let outcome = ToolOutcome { json: as_object(value), is_error, refused: false, trust };
            Input::ToolDone { call: call.id, outcome }
        });
    }

    /// Makes a proposal of a call. Its decision and outcome reach the turn for as long as it runs.
    async fn ask(&mut self, call: ToolCall, tainted: bool) {
        let refusal = match call.name.as_str() {
            "send_command" => screens::check_seen(self.station).err(),
            _ => Some(OpError::new(ErrorKind::Forbidden, "not_proposable", "Only a person can do this.")),
        };
        if let Some(refusal) = refusal {
            let asked = Call::of(&Session::of_agent(&self.agent.id), &call.name, &call.args);
            let refusal = operations::refused(self.station, &asked, refusal);
            self.done(call.id, ToolOutcome::error(&refusal.code, &refusal.message));
            return;
        }
        let cause = self.recording.cause();
        let asker = Asker { agent: self.agent.id.clone(), turn: Some(self.turn_id.clone()), tainted, cause };
        match self.station.proposals.ask(self.station, &call.args, asker).await {
            Asked::Ended(outcome) => self.done(call.id, outcome),
            Asked::Waiting(proposal, notes) | Asked::Covered(proposal, notes) => {
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

async fn sleep(wait: Duration) {
    if wait == Duration::MAX {
        return std::future::pending().await;
    }
    tokio::time::sleep(wait).await;
}

fn as_object(value: serde_json::Value) -> String {
    if value.is_object() { value.to_string() } else { json!({ "items": value }).to_string() }
}

/// An answer is the station's own word, but not better than the stored values it quotes.
fn quoted_trust(operation: &str, answer: &serde_json::Value) -> Trust {
    match operation {
        // Its rows hold what sensors and programs have said, each row by another.
        "belief_history" => Trust::Text,
        _ if quotes_text(answer) => Trust::Text,
        "list_world_state" => Trust::Typed,
        _ => Trust::Trusted,
    }
}

fn quotes_text(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::Array(items) => items.iter().any(quotes_text),
        serde_json::Value::Object(fields) => {
            fields.get("trust").is_some_and(|trust| trust == "text") || fields.values().any(quotes_text)
        }
        serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::Number(_)
        | serde_json::Value::String(_) => false,
    }
}
