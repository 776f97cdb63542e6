//! The calls of one reply: cut into waves, run or asked about one wave at a time, results written in their order.

use std::collections::VecDeque;
use std::time::Duration;

use llm::{Block, CallId};
use robot::{Effect as Does, Instant, Origin};
use serde_json::{Value, json};

use super::admit::{Admitted, actuates};
use super::log::Log;
use crate::taint::is_tainted;
use crate::{Decision, Effect, EntryKind, Event, Policy, Stops, ToolCall, ToolOutcome};

/// A longer result is cut: it would push everything else out of the model's sight.
const RESULT_BYTES_MAX: usize = 51_200;

/// Whether the calls of a reply all have their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Waiting,
    Finished,
}

/// The calls of one reply.
#[derive(Debug, Clone)]
pub(super) struct Batch {
    slots: Vec<Slot>,
    waves: VecDeque<Vec<usize>>,
    /// When what runs or is asked at present is given up.
    deadline: Instant,
    /// Results of the slots before this one are in the transcript.
    written: usize,
    tool_timeout: Duration,
    approval_wait: Duration,
}

#[derive(Debug, Clone)]
struct Slot {
    id: CallId,
    name: String,
    began: Instant,
    state: State,
}

#[derive(Debug, Clone)]
enum State {
    Queued(Admitted),
    Running { effect: Does },
    Asked { call: ToolCall, proposal: Option<Value> },
    Done(ToolOutcome),
}

impl Batch {
    /// Takes the calls of a reply with what was decided on each.
    pub fn new(calls: Vec<(CallId, String, Result<Admitted, ToolOutcome>)>, policy: &Policy, log: &mut Log) -> Self {
        let mut slots: Vec<Slot> = calls
            .into_iter()
            .map(|(id, name, verdict)| {
                let state = verdict.map_or_else(State::Done, State::Queued);
                Slot { id, name, began: log.now.station, state }
            })
            .collect();
        let stops: Vec<(Stops, ToolCall)> = slots.iter().filter_map(Slot::stop).collect();
        for slot in &mut slots {
            slot.yield_to(&stops);
        }
        let waves = waves(&slots, policy.tools.reads_at_once);
        let batch = Self {
            slots,
            waves,
            deadline: log.now.station,
            written: 0,
            tool_timeout: Duration::from_secs(policy.tools.timeout_s.into()),
            approval_wait: Duration::from_secs(policy.approval.wait_s.into()),
        };
        batch.report_refused(log);
        batch
    }

    /// Starts the next wave, if the present one has ended.
    pub fn advance(&mut self, log: &mut Log) -> Progress {
        self.write_results(log);
        while !self.slots.iter().any(Slot::is_open) {
            let Some(wave) = self.waves.pop_front() else { return Progress::Finished };
            self.start(&wave, log);
        }
        Progress::Waiting
    }

    /// Takes the outcome of a call that runs or is asked about. False if there is none.
    pub fn finish(&mut self, id: &CallId, outcome: ToolOutcome, log: &mut Log) -> bool {
        let Some(index) = self.slots.iter().position(|slot| slot.id == *id && slot.is_open()) else { return false };
        self.end(index, wrap(outcome), log);
        true
    }

    /// Tells how far a call is. False if it does not run.
    pub fn progress(&self, id: CallId, text: String, log: &mut Log) -> bool {
        let runs = self.slots.iter().any(|slot| slot.id == id && matches!(slot.state, State::Running { .. }));
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
    pub fn decide(&mut self, id: &CallId, decision: Decision, log: &mut Log) -> bool {
        let Some(index) = self.slots.iter().position(|slot| slot.id == *id && slot.is_asked()) else { return false };
        match decision {
            Decision::Approved => self.approve(index, log),
            Decision::Rejected(reason) => {
                self.end(index, ToolOutcome::error("rejected", &format!("a person rejected it: {reason}")), log);
            }
            Decision::Expired => {
                self.end(index, ToolOutcome::error("expired", "nobody answered in time; it was not done"), log);
            }
            Decision::Void => {
                let message = "what was asked for has changed or was stopped; it was not done";
                self.end(index, ToolOutcome::error("void", message), log);
            }
        }
        true
    }

    /// Since when a person is waited for.
    pub fn asked_at(&self) -> Option<Instant> {
        self.slots.iter().find(|slot| slot.is_asked()).map(|slot| slot.began)
    }

    /// Gives up what is overdue: a tool fails, an ask goes on without its answer.
    pub fn give_up_overdue(&mut self, log: &mut Log) {
        if log.now.station < self.deadline {
            return;
        }
        if self.slots.iter().any(|slot| matches!(slot.state, State::Running { .. })) {
            log.effects.push(Effect::Abort);
        }
        let waited_s = self.tool_timeout.as_secs();
        for index in 0..self.slots.len() {
            let outcome = match &self.slots[index].state {
                State::Running { .. } => ToolOutcome::error("timed_out", &format!("no result within {waited_s} s")),
                State::Asked { proposal, .. } => pending(proposal.as_ref()),
                State::Queued(_) | State::Done(_) => continue,
            };
            self.end(index, outcome, log);
        }
    }

    /// Goes on without the answers that people still owe; their proposals live on.
    pub fn stop_waiting(&mut self, log: &mut Log) {
        for index in 0..self.slots.len() {
            if let State::Asked { proposal, .. } = &self.slots[index].state {
                let outcome = pending(proposal.as_ref());
                self.end(index, outcome, log);
            }
        }
    }

    /// Ends every call: what runs was cancelled, what waits was not run.
    pub fn cancel(&mut self, log: &mut Log) {
        for index in 0..self.slots.len() {
            let outcome = match &self.slots[index].state {
                State::Running { .. } | State::Asked { .. } => {
                    let after_ms = log.now.station.ms_since(self.slots[index].began);
                    ToolOutcome::error("cancelled", &format!("cancelled after {after_ms} ms"))
                }
                State::Queued(_) => ToolOutcome::error("cancelled", "not run"),
                State::Done(_) => continue,
            };
            self.end(index, outcome, log);
        }
        self.write_results(log);
    }

    fn start(&mut self, wave: &[usize], log: &mut Log) {
        let mut calls = Vec::with_capacity(wave.len());
        for &index in wave {
            let slot = &mut self.slots[index];
            let State::Queued(Admitted { call, asks, .. }) = slot.state.clone() else { continue };
            slot.began = log.now.station;
            if asks {
                self.deadline = log.now.station.plus(self.approval_wait);
                slot.state = State::Asked { call: call.clone(), proposal: None };
                let (id, name, args, effect) = (call.id.clone(), call.name.clone(), call.args.clone(), call.effect);
                let tainted = is_tainted(&log.transcript, &call.args);
                log.effects.push(Effect::Ask { call, until: self.deadline, tainted });
                log.emit(Event::Asked { call: id, name, args, effect });
                log.effects.push(Effect::Wake { at: self.deadline });
            } else {
                slot.state = State::Running { effect: call.effect };
                log.emit(started(&call));
                calls.push(call);
            }
        }
        if !calls.is_empty() {
            self.deadline = log.now.station.plus(self.tool_timeout);
            log.effects.push(Effect::Run(calls));
            log.effects.push(Effect::Wake { at: self.deadline });
        }
    }

    /// The station dispatches an approved call; the loop only waits for its outcome.
    fn approve(&mut self, index: usize, log: &mut Log) {
        let slot = &mut self.slots[index];
        let State::Asked { call, .. } = &slot.state else { return };
        log.emit(started(call));
        slot.state = State::Running { effect: call.effect };
        slot.began = log.now.station;
        self.deadline = log.now.station.plus(self.tool_timeout);
        log.effects.push(Effect::Wake { at: self.deadline });
    }

    fn end(&mut self, index: usize, outcome: ToolOutcome, log: &mut Log) {
        let slot = &mut self.slots[index];
        // An ask that ended without an approval was not done, whatever its result says.
        let (effect, done, began) = match &slot.state {
            State::Running { effect } => (Some(*effect), outcome.succeeded(), slot.began),
            State::Asked { call, .. } => (Some(call.effect), false, slot.began),
            State::Queued(_) | State::Done(_) => (None, true, log.now.station),
        };
        let ended = Event::CallEnded {
            call: slot.id.clone(),
            name: slot.name.clone(),
            is_error: outcome.is_error,
            duration_ms: log.now.station.ms_since(began),
        };
        slot.state = State::Done(outcome);
        self.write_results(log);
        log.emit(ended);
        if !done && effect.is_some_and(actuates) {
            self.drop_later_motion(log);
        }
    }

    /// Motion planned on top of a motion that did not happen would start from the wrong place.
    fn drop_later_motion(&mut self, log: &mut Log) {
        for index in 0..self.slots.len() {
            if self.slots[index].moves_something() {
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
        while let Some(Slot { id, name, state: State::Done(outcome), .. }) = self.slots.get(self.written) {
            let ToolOutcome { json, is_error, trust, .. } = outcome.clone();
            let block = Block::Result { call: id.clone(), json, is_error, trust };
            log.append(EntryKind::ToolResult, vec![block], Origin::Tool(name.clone()), false);
            self.written += 1;
        }
    }
}

impl Slot {
    fn is_open(&self) -> bool {
        matches!(self.state, State::Running { .. } | State::Asked { .. })
    }

    fn is_asked(&self) -> bool {
        matches!(self.state, State::Asked { .. })
    }

    fn stop(&self) -> Option<(Stops, ToolCall)> {
        let State::Queued(admitted) = &self.state else { return None };
        (admitted.stops != Stops::No).then(|| (admitted.stops, admitted.call.clone()))
    }

    fn moves_something(&self) -> bool {
        let State::Queued(admitted) = &self.state else { return false };
        admitted.stops == Stops::No && actuates(admitted.call.effect)
    }

    /// A stop takes the place of every motion of its robots in the same reply.
    fn yield_to(&mut self, stops: &[(Stops, ToolCall)]) {
        let State::Queued(admitted) = &self.state else { return };
        if !self.moves_something() {
            return;
        }
        let robot = admitted.call.args.get("robot");
        let stopped_by = stops.iter().find(|(scope, stop)| match scope {
            Stops::No => false,
            Stops::All | Stops::Missions => true,
            Stops::Named => robot == stop.args.get("robot"),
        });
        if let Some((_, stop)) = stopped_by {
            let message = format!("not run: {} in the same reply comes first", stop.name);
            self.state = State::Done(ToolOutcome::error("cancelled_by_stop", &message));
        }
    }
}

/// Stops first, then the rest in order: neighbouring reads together, everything else alone.
fn waves(slots: &[Slot], reads_at_once: u32) -> VecDeque<Vec<usize>> {
    let mut stops: VecDeque<Vec<usize>> = VecDeque::new();
    let mut rest: Vec<Vec<usize>> = Vec::new();
    let mut reads = 0;
    for (index, slot) in slots.iter().enumerate() {
        let State::Queued(Admitted { call, stops: scope, .. }) = &slot.state else { continue };
        let is_read = call.effect == Does::Read;
        match rest.last_mut() {
            _ if *scope != Stops::No => stops.push_back(vec![index]),
            Some(wave) if is_read && (1..reads_at_once).contains(&reads) => {
                wave.push(index);
                reads += 1;
            }
            Some(_) | None => {
                rest.push(vec![index]);
                reads = u32::from(is_read);
            }
        }
    }
    stops.extend(rest);
    stops
}

fn started(call: &ToolCall) -> Event {
    let ToolCall { id, name, args, effect } = call.clone();
    Event::CallStarted { call: id, name, args, effect }
}

fn pending(proposal: Option<&Value>) -> ToolOutcome {
    ToolOutcome::answer(
        &proposal.map_or_else(
            || json!({ "state": "pending" }),
            |proposal| json!({ "state": "pending", "proposal": proposal }),
        ),
    )
}

/// Makes every result a JSON object of bounded size.
pub(super) fn wrap(outcome: ToolOutcome) -> ToolOutcome {
    if outcome.json.len() > RESULT_BYTES_MAX {
        let kept = &outcome.json[..outcome.json.floor_char_boundary(RESULT_BYTES_MAX)];
        let json = json!({ "cut": true, "bytes": outcome.json.len(), "text": kept }).to_string();
        return ToolOutcome { json, ..outcome };
    }
    let json = match serde_json::from_str(&outcome.json) {
        Ok(Value::Object(_)) => return outcome,
        Ok(Value::Array(items)) => json!({ "items": items }),
        Ok(value @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_))) => json!({ "value": value }),
        Err(_) => json!({ "text": outcome.json }),
    };
    ToolOutcome { json: json.to_string(), ..outcome }
}
