//! The calls of one reply: run or asked about one wave at a time, results written in their order.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use llm::{Block, CallId};
use robot::{ConversationId, Instant, Origin, Trust};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::admit::{Admitted, actuates};
use super::agency::AgencyCall;
use super::log::Log;
use super::result::wrap;
use super::slot::{Slot, State, asked, pending, started, unseen};
use super::wave::{Queued, waves};
use crate::untrusted::sanitise::marked;
use crate::untrusted::taint::is_tainted;
use crate::{Decision, Effect, Entry, EntryKind, Event, OnCancel, Policy, ToolCall, ToolKind, ToolOutcome, ToolOutput};

/// Progress of a reply's calls towards their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Waiting,
    Finished,
}

/// The calls of one reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Batch {
    slots: Vec<Slot>,
    waves: VecDeque<Vec<usize>>,
    /// Results of the slots before this one are in the transcript.
    written: usize,
    /// The entry of the reply.
    entry: u64,
    /// Texts that may still be said in this turn.
    says_left: u32,
    /// News since the turn last looked.
    news: News,
}

/// News of its calls for the turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct News {
    /// Said to the person.
    pub said: Vec<String>,
    /// Work tools that have ended.
    pub worked: Vec<Worked>,
    /// The model wants the turn to end.
    pub ends_turn: bool,
}

/// A call of a work tool that has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Worked {
    pub name: String,
    /// The result as the model sees it.
    pub json: String,
    pub failed: bool,
    /// It brought its words to people.
    pub delivered: bool,
}

/// Policy, session and log of a batch.
pub(super) struct Bench<'a> {
    pub policy: &'a Policy,
    pub session: &'a ConversationId,
    pub log: &'a mut Log,
}

impl Batch {
    /// Takes the calls of a reply, which `entry` holds, with what was decided on each.
    pub fn new(
        calls: Vec<(CallId, String, Result<Admitted, ToolOutcome>)>,
        entry: u64,
        says_left: u32,
        bench: &mut Bench,
    ) -> Self {
        let began = bench.log.now.station;
        let mut slots: Vec<Slot> = calls
            .into_iter()
            .map(|(id, name, verdict)| match verdict {
                Ok(admitted) => Slot { id, name, began, admitted: Some(admitted), state: State::Queued },
                Err(outcome) => Slot { id, name, began, admitted: None, state: State::Done(outcome) },
            })
            .collect();
        // Stops are looked for before anything runs, so a motion that stands before one in the reply yields too.
        let stops: Vec<_> = slots.iter().filter_map(Slot::stop).collect();
        for slot in &mut slots {
            slot.yield_to(&stops);
        }
        let tools = &bench.policy.tools;
        let reads_at_once = usize::try_from(tools.reads_at_once).unwrap_or(usize::MAX);
        let waves = waves(&queued(&slots), tools.concurrency, reads_at_once);
        let batch = Self { slots, waves, written: 0, entry, says_left, news: News::default() };
        batch.report_refused(bench.log);
        batch
    }

    /// Starts the next wave, if the present one has ended.
    pub fn advance(&mut self, bench: &mut Bench) -> Progress {
        self.write_results(bench.log);
        // The calls of a wave may all end at once, and then the next wave begins in the same step.
        while !self.slots.iter().any(Slot::is_open) {
            let Some(wave) = self.waves.pop_front() else { return Progress::Finished };
            self.start(&wave, bench);
        }
        Progress::Waiting
    }

    /// Takes the news since the last look.
    pub fn take_news(&mut self) -> News {
        std::mem::take(&mut self.news)
    }

    /// True while a tool runs.
    pub fn is_running(&self) -> bool {
        self.slots.iter().any(Slot::is_running)
    }

    /// Since when a person is waited for.
    pub fn asked_at(&self) -> Option<Instant> {
        self.slots.iter().filter(|slot| slot.is_asked()).map(|slot| slot.began).min()
    }

    /// Takes the outcome of a call that runs or is asked about. False if there is none.
    pub fn finish(&mut self, id: &CallId, outcome: ToolOutcome, bench: &mut Bench) -> bool {
        // An asked call may end without a decision: a command that is denied makes no card.
        let is_due = |slot: &Slot| slot.id == *id && (slot.is_running() || slot.is_asked());
        let Some(index) = self.slots.iter().position(is_due) else { return false };
        let admitted = self.slots[index].admitted.as_ref();
        let output = admitted.map_or(ToolOutput::Trusted, |admitted| admitted.output);
        let changed = admitted.filter(|admitted| admitted.changed).map(|admitted| &admitted.call.args);
        let result = wrap(outcome, output, &bench.policy.tools, bench.session);
        let result = match changed {
            Some(args) => telling_of(args, result),
            None => result,
        };
        self.end(index, result, bench.log);
        true
    }

    /// The call that hooks are asked about, as it was; none if they are not.
    pub fn hooked(&self, id: &CallId) -> Option<&ToolCall> {
        let slot = self.slots.iter().find(|slot| slot.id == *id && slot.is_hooked())?;
        slot.admitted.as_ref().map(|admitted| &admitted.call)
    }

    /// Takes what hooks and the inspection after them have left of a call; nothing if it stays as it was. False if
    /// hooks are not asked about it.
    pub fn after_hooks(
        &mut self,
        id: &CallId,
        inspected: Result<Option<Admitted>, ToolOutcome>,
        bench: &mut Bench,
    ) -> bool {
        let Some(index) = self.slots.iter().position(|slot| slot.id == *id && slot.is_hooked()) else { return false };
        let slot = &mut self.slots[index];
        let refusal = match inspected {
            Err(refusal) => Some(refusal),
            Ok(changed) => {
                slot.admitted = changed.or(slot.admitted.take());
                // The changed arguments may name another robot, so the stops of the reply are compared once
                // more.
                let stops: Vec<_> = self.slots.iter().filter_map(Slot::stop).collect();
                self.slots[index].stopped_by(&stops)
            }
        };
        if let Some(refusal) = refusal {
            self.end(index, refusal, bench.log);
        } else if let Some(admitted) = self.slots[index].admitted.clone() {
            self.slots[index].began = bench.log.now.station;
            let (call, until) = self.begin(index, admitted, bench);
            run(call.into_iter().collect(), BTreeSet::from([until]), bench.log);
        }
        true
    }

    /// Tells how far a call is. False if it does not run.
    pub fn progress(&self, id: CallId, text: String, log: &mut Log) -> bool {
        let runs = self.slots.iter().any(|slot| slot.id == id && slot.is_running());
        if runs {
            log.emit(Event::CallProgress { call: id, text });
        }
        runs
    }

    /// Remembers the proposal made for an asked call. False if nothing is asked about it.
    pub fn note_proposal(&mut self, id: &CallId, made: Value) -> bool {
        let slot = self.slots.iter_mut().find(|slot| slot.id == *id);
        let Some(Slot { state: State::Asked { proposal, .. }, .. }) = slot else { return false };
        *proposal = Some(made);
        true
    }

    /// Takes a person's decision. False if nothing is asked about that call.
    pub fn decide(&mut self, id: &CallId, decision: Decision, bench: &mut Bench) -> bool {
        let Some(index) = self.slots.iter().position(|slot| slot.id == *id && slot.is_asked()) else { return false };
        let refusal = match decision {
            Decision::Approved => {
                self.approve(index, bench);
                return true;
            }
            Decision::Rejected(reason) => ToolOutcome::error("rejected", &format!("a person rejected it: {reason}")),
            Decision::Unseen => unseen(self.slots[index].proposal()),
            Decision::Expired => ToolOutcome::error("expired", "nobody answered in time; it was not done"),
            Decision::Void => {
                ToolOutcome::error("void", "what was asked for has changed or was stopped; it was not done")
            }
        };
        self.end(index, refusal, bench.log);
        true
    }

    /// Gives up what is overdue: a tool fails, an ask goes on without its answer, a pause is over.
    pub fn give_up_overdue(&mut self, log: &mut Log) {
        let now = log.now.station;
        let overdue: Vec<usize> = (0..self.slots.len())
            .filter(|index| self.slots[*index].until().is_some_and(|until| now >= until))
            .collect();
        let is_late = |index: usize| overdue.contains(&index);
        let late_run = overdue.iter().any(|index| self.slots[*index].is_running());
        // Dropping futures drops all of them, so one that is in time keeps a late one alive, unheard.
        let is_due = |(index, slot): (usize, &Slot)| slot.is_hooked() || (slot.is_running() && !is_late(index));
        if late_run && !self.slots.iter().enumerate().any(is_due) {
            log.effects.push(Effect::Abort);
        }
        for index in overdue {
            let slot = &self.slots[index];
            let outcome = match &slot.state {
                State::Running { until } => {
                    let waited_s = until.since(slot.began).as_secs();
                    ToolOutcome::error("timed_out", &format!("no result within {waited_s} s"))
                }
                State::Asked { proposal, .. } => pending(proposal.as_ref()),
                State::Waiting { .. } => ToolOutcome::answer(&json!({})),
                State::Queued | State::Hooked | State::Done(_) => continue,
            };
            self.end(index, outcome, log);
        }
    }

    /// Goes on without what people still owe and without letting time pass; proposals live on.
    pub fn stop_waiting(&mut self, log: &mut Log) {
        for index in 0..self.slots.len() {
            let outcome = match &self.slots[index].state {
                State::Asked { proposal, .. } => pending(proposal.as_ref()),
                State::Waiting { .. } => ToolOutcome::answer(&json!({ "ended": "somebody spoke" })),
                // A tool that runs is left alone: only waiting is cut short.
                State::Queued | State::Hooked | State::Running { .. } | State::Done(_) => continue,
            };
            self.end(index, outcome, log);
        }
    }

    /// Ends every call: what runs was cancelled, what waits was not run.
    pub fn cancel(&mut self, log: &mut Log) {
        for index in 0..self.slots.len() {
            let slot = &self.slots[index];
            // The driver lets such a call finish, and the next turn hears of its outcome.
            let finishes = slot.admitted.as_ref().is_some_and(|admitted| admitted.call.on_cancel == OnCancel::Finish);
            let outcome = match &slot.state {
                State::Running { .. } | State::Asked { .. } | State::Waiting { .. } => {
                    let after = robot::span_in_words(log.now.station.ms_since(slot.began));
                    let more =
                        if finishes && slot.is_running() { "; it may still finish, and is told then" } else { "" };
                    ToolOutcome::error("cancelled", &format!("cancelled after {after}{more}"))
                }
                State::Queued | State::Hooked => ToolOutcome::error("cancelled", "not run"),
                State::Done(_) => continue,
            };
            self.end(index, outcome, log);
        }
        self.write_results(log);
    }

    fn start(&mut self, wave: &[usize], bench: &mut Bench) {
        let (mut calls, mut wakes) = (Vec::with_capacity(wave.len()), BTreeSet::new());
        for &index in wave {
            let Some(admitted) = self.slots[index].admitted.clone().filter(|_| self.slots[index].is_queued()) else {
                continue;
            };
            self.slots[index].began = bench.log.now.station;
            if let Some(agency) = admitted.agency {
                wakes.extend(self.act(index, agency, bench));
            } else if admitted.hooked {
                self.slots[index].state = State::Hooked;
                bench.log.effects.push(Effect::Hook(admitted.call));
            } else {
                let (call, until) = self.begin(index, admitted, bench);
                calls.extend(call);
                wakes.insert(until);
            }
        }
        run(calls, wakes, bench.log);
    }

    /// Asks about a call, or gives it to be run; and when it is given up.
    fn begin(&mut self, index: usize, mut admitted: Admitted, bench: &mut Bench) -> (Option<ToolCall>, Instant) {
        let now = bench.log.now.station;
        // Looked at when the call begins, so that results of the same reply count as well.
        admitted.call.tainted = admitted.changed || is_tainted(&bench.log.transcript);
        if admitted.asks || (admitted.asks_if_tainted && admitted.call.tainted) {
            let until = now.plus(Duration::from_secs(bench.policy.approval.wait_s.into()));
            self.slots[index].state = State::Asked { until, proposal: None };
            let event = asked(&admitted.call);
            bench.log.effects.push(Effect::Ask { call: admitted.call, until });
            bench.log.emit(event);
            return (None, until);
        }
        let until = now.plus(time_of(&admitted, bench.policy));
        self.slots[index].state = State::Running { until };
        bench.log.emit(started(&admitted.call));
        (Some(admitted.call), until)
    }

    /// Does what a call asks the turn itself for; gives the time at which a pause is over.
    fn act(&mut self, index: usize, agency: AgencyCall, bench: &mut Bench) -> Option<Instant> {
        let outcome = match agency {
            AgencyCall::Say(text) if text.is_empty() => ToolOutcome::error("nothing_said", "there are no words"),
            AgencyCall::Say(_) if self.says_left == 0 => {
                let most = bench.policy.agency.says;
                ToolOutcome::error("said_enough", &format!("not said: a turn may say {most} texts"))
            }
            AgencyCall::Say(text) => {
                // These words go to a screen, where hidden characters could disguise them.
                let text = marked(&text);
                self.says_left -= 1;
                let (entry, model) = (self.entry, bench.log.model.clone());
                bench.log.emit(Event::Delivered { entry, text: text.clone(), model });
                self.news.said.push(text);
                ToolOutcome::answer(&json!({}))
            }
            AgencyCall::Think => ToolOutcome::answer(&json!({})),
            AgencyCall::Wait(time) => {
                let until = bench.log.now.station.plus(time);
                self.slots[index].state = State::Waiting { until };
                return Some(until);
            }
            AgencyCall::EndTurn => {
                self.news.ends_turn = true;
                ToolOutcome::answer(&json!({ "text": "[turn ended]" }))
            }
        };
        self.end(index, outcome, bench.log);
        None
    }

    /// The station dispatches an approved call; the loop only waits for its outcome.
    fn approve(&mut self, index: usize, bench: &mut Bench) {
        let slot = &mut self.slots[index];
        let Some(admitted) = &slot.admitted else { return };
        bench.log.emit(started(&admitted.call));
        // The time that a person took to decide does not count against the tool.
        let until = bench.log.now.station.plus(time_of(admitted, bench.policy));
        slot.state = State::Running { until };
        slot.began = bench.log.now.station;
        bench.log.effects.push(Effect::Wake { at: until });
    }

    fn end(&mut self, index: usize, outcome: ToolOutcome, log: &mut Log) {
        let slot = &mut self.slots[index];
        // An ask that ended without an approval was not done, whatever its result says.
        let (done, began) = match &slot.state {
            State::Running { .. } | State::Waiting { .. } => (outcome.succeeded(), slot.began),
            State::Hooked | State::Asked { .. } => (false, slot.began),
            // A call that never began has not failed.
            State::Queued | State::Done(_) => (true, log.now.station),
        };
        // A call that was refused or never begun is no work that was tried.
        let was_open = slot.is_open();
        let ended = Event::CallEnded {
            call: slot.id.clone(),
            name: slot.name.clone(),
            is_error: outcome.is_error,
            duration_ms: log.now.station.ms_since(began),
        };
        if let Some(admitted) = slot.admitted.as_ref().filter(|admitted| was_open && admitted.kind == ToolKind::Work) {
            // Programs report a failure as an ordinary result, which the gate must not count as work done.
            let failed = !done || says_failure(&outcome.json);
            let (name, json) = (slot.name.clone(), outcome.json.clone());
            self.news.worked.push(Worked { name, json, failed, delivered: admitted.delivers && !failed });
        }
        let moves = was_open && slot.admitted.as_ref().is_some_and(|admitted| actuates(admitted.call.effect));
        slot.state = State::Done(outcome);
        // The result stands in the transcript before people hear that the call has ended.
        self.write_results(log);
        log.emit(ended);
        if !done && moves {
            self.drop_later_motion(log);
        }
    }

    /// Motion planned on top of a motion that did not happen would start from the wrong place.
    fn drop_later_motion(&mut self, log: &mut Log) {
        for index in 0..self.slots.len() {
            if self.slots[index].is_queued() && self.slots[index].is_motion() {
                let message = "not run: an earlier motion of this reply was not carried out";
                self.end(index, ToolOutcome::error("not_run", message), log);
            }
        }
    }

    fn report_refused(&self, log: &mut Log) {
        for slot in &self.slots {
            if let State::Done(outcome) = &slot.state {
                let (call, name) = (slot.id.clone(), slot.name.clone());
                log.emit(Event::CallEnded { call, name, is_error: outcome.is_error, duration_ms: 0 });
            }
        }
    }

    /// Writes every result whose predecessors all have theirs.
    fn write_results(&mut self, log: &mut Log) {
        let is_derived =
            log.transcript.entries().iter().rfind(|entry| entry.id == self.entry).is_some_and(|entry| entry.derived);
        while let Some(Slot { id, name, state: State::Done(outcome), .. }) = self.slots.get(self.written) {
            let ToolOutcome { json, is_error, trust, spill, .. } = outcome.clone();
            // The answer to a derived call may repeat its text.
            let trust = if is_derived && trust == Trust::Trusted { Trust::Text } else { trust };
            let block = Block::Result { call: id.clone(), json, is_error, trust };
            let entry = log.entry(EntryKind::ToolResult, vec![block], Origin::Tool(name.clone()));
            log.write(Entry { spill, ..entry }, false);
            self.written += 1;
        }
    }
}

/// Has `calls` run, and the turn woken at `wakes`.
fn run(calls: Vec<ToolCall>, wakes: BTreeSet<Instant>, log: &mut Log) {
    if !calls.is_empty() {
        log.effects.push(Effect::Run(calls));
    }
    log.effects.extend(wakes.into_iter().map(|at| Effect::Wake { at }));
}

/// The result of a call that the model did not make like this, with what it was called with.
fn telling_of(args: &Value, result: ToolOutcome) -> ToolOutcome {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(&result.json) else { return result };
    fields.insert("arguments_changed_by_hook".to_owned(), args.clone());
    ToolOutcome { json: Value::Object(fields).to_string(), trust: Trust::Text, ..result }
}

fn queued(slots: &[Slot]) -> Vec<Queued> {
    let queued = slots.iter().enumerate().filter(|(_, slot)| slot.is_queued());
    let call = |(index, slot): (usize, &Slot)| {
        let admitted = slot.admitted.as_ref()?;
        Some(Queued { index, effect: admitted.call.effect, is_stop: slot.stop().is_some() })
    };
    queued.filter_map(call).collect()
}

fn time_of(admitted: &Admitted, policy: &Policy) -> Duration {
    let own = admitted.timeout_ms.map(|ms| Duration::from_millis(ms.into()));
    own.unwrap_or(Duration::from_secs(policy.tools.timeout_s.into()))
}

/// True if a result that is no error says in its own words that nothing came of it.
fn says_failure(json: &str) -> bool {
    const MISSING: [&str; 2] = ["not installed", "command not found"];
    let value: Value = serde_json::from_str(json).unwrap_or_default();
    let is_refused = value.get("ok") == Some(&Value::Bool(false));
    let names_error = value.get("error").is_some_and(|error| !error.is_null());
    is_refused || names_error || MISSING.iter().any(|words| json.contains(words))
}
