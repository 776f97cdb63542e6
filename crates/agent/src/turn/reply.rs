//! Parts of a reply of the model, and the steps that follow from it.

use std::sync::Arc;

use llm::{Block, CallId, Reply, ReplyBlock, Sidecar, Stop};
use robot::{Origin, Trust};

use super::Turn;
use super::admit::{Gatekeeper, RawCall};
use super::written;
use crate::untrusted::sanitise::marked;
use crate::untrusted::taint::is_tainted;
use crate::{
    Entry, EntryKind, Event, FinalCall, Marker, Measured, OnEmpty, Outcome, Purpose, ToolOutcome, Why, classified,
};

const NUDGE_EMPTY: &str = "[Hint] Your reply was empty. Answer the operator, or call a tool.";
const NUDGE_SMALLER: &str = "[Hint] Your reply was cut off and its calls were not run. Work in smaller pieces.";
const NUDGE_GO_ON: &str = "[Hint] Your reply was cut off. Go on where it ended.";
const NUDGE_FILE: &str =
    "[Hint] Your replies are cut off by their length. Write long output into a file and say where it is.";

/// The id of a call that was written as words.
const WRITTEN_ID: &str = "written";

/// A reply taken apart.
struct Parts {
    text: Option<String>,
    calls: Vec<RawCall>,
    /// Calls beyond the most that is kept of a reply.
    left_out: u64,
    /// Its provider's own form, if that is still what is kept of it.
    sidecar: Option<Sidecar>,
}

impl Turn {
    pub(super) fn take_reply(&mut self, purpose: Purpose, reply: Reply) -> bool {
        if purpose == Purpose::Reader {
            return self.note_read(Some(reply.usage));
        }
        if self.state.calling() != Some(purpose) {
            return false;
        }
        self.note_usage(purpose, reply.usage);
        let words = || words(&reply.blocks);
        match purpose {
            Purpose::Main => self.take_main(reply),
            Purpose::Router => {
                self.routed(classified(Some(&words())));
                self.go_on();
            }
            Purpose::JudgeGrounded | Purpose::JudgeAdequacy => self.judged(Some(&words())),
            Purpose::Flush => self.flushed(Some(&words())),
            Purpose::Summary => self.summarised(Some(&words())),
            Purpose::Fallback if self.stops(&reply) => self.stop_at_last(reply),
            Purpose::Fallback | Purpose::Extend => self.rescued(Some((words(), reply.stop == Stop::Length))),
            Purpose::MicroTurn | Purpose::Reader | Purpose::Warm => return false,
        }
        true
    }

    fn take_main(&mut self, reply: Reply) {
        // Before the reply is appended: the figures belong to the request as it was sent.
        if let Some(measured) = Measured::of(&self.request(), &reply.usage) {
            self.state.measured = Some(measured);
        }
        let stop = reply.stop.clone();
        let mut parts = self.take_apart(reply);
        // Looked at before the words are shown: a call that was written as words is not for people.
        self.take_written(&mut parts);
        self.show_held();
        self.state.clear_stream();
        if matches!(stop, Stop::Refusal | Stop::ContentFilter) {
            return self.refuse(parts.text.unwrap_or_default());
        }
        // Some models call although they were told not to; this reply was to bring words, so nothing of it runs.
        if self.must_answer() && !parts.calls.is_empty() {
            self.keep_stops(&mut parts);
        }
        let is_cut = matches!(stop, Stop::Length | Stop::WindowExceeded);
        self.state.facts.cut_by_length = is_cut;
        let is_last = self.state.form.is_final;
        // The provider wants its unfinished reply back unchanged and goes on from there.
        if stop == Stop::Pause && parts.calls.is_empty() && !is_last {
            self.append_reply(&parts);
            return self.next_step();
        }
        if parts.text.is_none() && parts.calls.is_empty() {
            return if is_cut { self.stall(None) } else { self.go_on_after_nothing(&stop) };
        }
        self.state.empty = 0;
        if !is_cut {
            self.state.stalls = 0;
        }
        match (parts.calls.is_empty(), is_cut) {
            // A cut reply with calls is never run, and cut words are an answer only if no further call could end
            // them.
            (_, true) if !(is_last && parts.calls.is_empty()) => self.stall(Some(parts)),
            (true, _) => self.answer(parts),
            (false, _) => self.run_calls(parts),
        }
    }

    /// Leaves a reply that was to be an answer no calls but stops: no bound of a turn holds a stop back.
    fn keep_stops(&self, parts: &mut Parts) {
        let gate = self.gatekeeper();
        let before = parts.calls.len();
        parts.calls.retain(|call| gate.stops(&call.name));
        if parts.calls.len() < before {
            // The provider's own form holds calls that get no result.
            parts.sidecar = None;
        }
    }

    /// True if a whole reply calls a stop.
    fn stops(&self, reply: &Reply) -> bool {
        let gate = self.gatekeeper();
        let is_whole = !matches!(reply.stop, Stop::Length | Stop::WindowExceeded);
        is_whole
            && reply.blocks.iter().any(|block| match block {
                ReplyBlock::Call { name, .. } => gate.stops(name),
                ReplyBlock::Text(_) => false,
            })
    }

    /// Runs the stops of a reply that was to be the only words of the turn.
    fn stop_at_last(&mut self, reply: Reply) {
        let mut parts = self.take_apart(reply);
        self.keep_stops(&mut parts);
        self.state.form.bare = true;
        self.run_calls(parts);
    }

    /// True if the call under way was to answer in words.
    pub(super) fn must_answer(&self) -> bool {
        let forces = self.policy().budget.final_call == FinalCall::ForceText;
        self.state.form.bare || (self.state.form.is_final && forces)
    }

    /// Separates words from calls and makes sure that every call of the conversation has an id of its own.
    fn take_apart(&self, reply: Reply) -> Parts {
        let (mut text, mut calls) = (String::new(), Vec::<RawCall>::new());
        let mut is_renamed = false;
        for block in reply.blocks {
            match block {
                ReplyBlock::Text(part) => text.push_str(&marked(&part)),
                ReplyBlock::Call { id, name, args_raw } => {
                    let unused = self.unused_id(&id, &calls);
                    is_renamed |= unused != id;
                    calls.push(RawCall { id: unused, name, args_raw });
                }
            }
        }
        let text = (!text.trim().is_empty()).then_some(text);
        // With another id the provider's own form would ask for a result that never comes.
        let left_out = reply.sidecar.as_ref().map_or(0, |sidecar| sidecar.calls_left_out);
        Parts { text, calls, left_out, sidecar: reply.sidecar.filter(|_| !is_renamed) }
    }

    /// A reply that is nothing but calls in words is those calls, of a model that may do so. One of a tool that does not
    /// exist is answered with the nearest names once, and after that it is a reply without words.
    fn take_written(&mut self, parts: &mut Parts) {
        let may_write = self.has_language_model() && self.frame.caps.may_write_calls();
        let Some(text) = parts.text.as_deref().filter(|_| may_write && parts.calls.is_empty()) else { return };
        let calls = written::calls_in(text);
        let is_known = |name: &str| self.tools.iter().any(|tool| tool.name == name);
        let are_calls = calls.iter().all(|written| written.has_args || is_known(&written.name));
        if calls.is_empty() || !are_calls || self.quotes(text) {
            return;
        }
        let known: Vec<bool> = calls.iter().map(|written| is_known(&written.name)).collect();
        parts.text = None;
        // The provider's own form holds words and no call.
        parts.sidecar = None;
        for (written, is_known) in calls.into_iter().zip(known) {
            if is_known || !std::mem::replace(&mut self.state.misnamed, true) {
                let id = self.unused_id(&CallId(WRITTEN_ID.to_owned()), &parts.calls);
                parts.calls.push(RawCall { id, name: written.name, args_raw: written.args_raw });
            }
        }
        self.state.held.clear();
        // Screens have shown the words already and take them back.
        if self.state.has_shown {
            self.log.emit(Event::Restart { reason: "the words are a call".to_owned(), wait_ms: 0 });
        }
    }

    /// True if the words stand in untrusted text: a model that repeats a file calls nothing.
    fn quotes(&self, words: &str) -> bool {
        let words = written::squeezed(words);
        let words = words.trim_matches('`').trim_start_matches("json");
        let holds = |block: &Block| match block {
            Block::Text { text, trust: Trust::Text } => written::squeezed(text).contains(words),
            Block::Result { json, trust: Trust::Text, .. } => written::squeezed(json).contains(words),
            Block::Text { .. } | Block::Result { .. } | Block::Call { .. } => false,
        };
        // Its own words do not quote themselves.
        let others = self.transcript().entries().iter().filter(|entry| entry.kind != EntryKind::Assistant);
        others.flat_map(|entry| &entry.blocks).any(holds)
    }

    fn unused_id(&self, id: &CallId, others: &[RawCall]) -> CallId {
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

    fn go_on_after_nothing(&mut self, stop: &Stop) {
        let ended_well = *stop != Stop::Length;
        // People have been answered already, so an empty reply only ends the turn.
        if ended_well && (self.state.delivered || !self.state.said.is_empty()) {
            return self.end(Outcome::Delivered);
        }
        if self.state.form.bare {
            let outcome = if self.state.form.is_final { Outcome::Forced } else { Outcome::Partial(Why::Empty) };
            return self.finish(outcome);
        }
        if self.state.form.is_final {
            // Some models find words only if no tools are declared.
            return if self.must_answer() { self.call_bare() } else { self.finish(Outcome::Forced) };
        }
        let most = match self.policy().empty.then {
            OnEmpty::OnceWithoutTools => return self.call_bare(),
            OnEmpty::FallbackText => return self.finish(Outcome::Fallback),
            OnEmpty::Nudges => self.policy().empty.nudges,
            OnEmpty::GateNudge => self.policy().gate.loops,
        };
        if self.state.empty >= most {
            return self.finish(Outcome::Partial(Why::Empty));
        }
        self.state.empty += 1;
        self.state.hints.push(NUDGE_EMPTY.to_owned());
        self.go_on();
    }

    /// A reply was cut off. Half a call must not run, and nothing tells what the missing half was.
    fn stall(&mut self, parts: Option<Parts>) {
        self.state.stalls += 1;
        let none = Parts { text: None, calls: Vec::new(), left_out: 0, sidecar: None };
        let Parts { text, calls, left_out, sidecar } = parts.unwrap_or(none);
        let hint = if calls.is_empty() { NUDGE_GO_ON } else { NUDGE_SMALLER };
        // Words that were cut off are part of the answer all the same: the next reply goes on behind them.
        if calls.is_empty() && text.is_some() {
            let words = text.clone().unwrap_or_default();
            self.append_reply(&Parts { text, calls, left_out, sidecar });
            self.state.cut.push_str(&words);
        } else {
            self.log.mark(Marker::CutByLength { partial: text.unwrap_or_default() });
        }
        let stalls = &self.policy().length_stalls;
        let reached = |mark: Option<u32>| mark.is_some_and(|mark| self.state.stalls >= mark);
        if reached(stalls.stop) || self.state.form.is_final {
            return self.finish(Outcome::Partial(Why::Length));
        }
        let hint = if reached(stalls.advise) { NUDGE_FILE } else { hint };
        self.state.hints.push(hint.to_owned());
        self.next_step();
    }

    fn answer(&mut self, mut parts: Parts) {
        if let (Some(table), Some(text)) = (self.repeated_result(), parts.text.as_mut()) {
            *text = format!("{}\n\n{table}", text.trim_end());
        }
        let entry = self.append_reply(&parts);
        let text = std::mem::take(&mut self.state.cut) + &parts.text.unwrap_or_default();
        self.conclude(Some((entry, text)));
    }

    fn run_calls(&mut self, parts: Parts) {
        self.state.cut.clear();
        let entry = self.append_reply(&parts);
        let mut streak = std::mem::take(&mut self.state.streak);
        let gate = self.gatekeeper();
        let mut verdicts: Vec<_> = parts
            .calls
            .into_iter()
            .enumerate()
            .map(|(index, raw)| {
                let verdict = gate.admit(&raw, index, &mut streak);
                (raw.id, raw.name, verdict)
            })
            .collect();
        // Calls beyond the bound were dropped while they were read and have no ids, so the last refusal tells of
        // them.
        if parts.left_out > 0
            && let Some((_, _, Err(last))) = verdicts.last_mut()
        {
            let (most, left_out) = (self.policy().budget.reply_calls, parts.left_out);
            let message =
                format!("not run: a reply may hold {most} calls; {left_out} more behind this one were left out");
            *last = ToolOutcome::error("too_many_calls", &message);
        }
        self.state.streak = streak;
        self.begin_round(verdicts, entry);
    }

    /// Takes the trust of the current words: that of the model's own, unless a hook has replaced them or untrusted text
    /// was in view.
    pub(super) fn take_trust(&mut self) -> Trust {
        let is_reworded = std::mem::take(&mut self.state.reworded);
        if is_reworded || is_tainted(&self.log.transcript) { Trust::Text } else { Trust::Trusted }
    }

    pub(super) fn gatekeeper(&self) -> Gatekeeper<'_> {
        Gatekeeper {
            tools: &self.tools,
            schemas: &self.schemas,
            policy: self.policy(),
            speaker: self.state.speaker,
            mode: &self.mode,
            rules: &self.rules,
            hooked: &self.hooked,
        }
    }

    fn append_reply(&mut self, parts: &Parts) -> u64 {
        let gate = self.gatekeeper();
        // A call that may move something is on the disk itself before it runs: a crash must not hide it.
        let synced = parts.calls.iter().any(|call| gate.actuates(&call.name));
        let trust = self.take_trust();
        let words = parts.text.clone().map(|text| Block::Text { text, trust });
        let calls = parts.calls.iter().cloned();
        let calls = calls.map(|RawCall { id, name, args_raw }| Block::Call { id, name, args_raw });
        let blocks = words.into_iter().chain(calls).collect();
        let entry = self.log.entry(EntryKind::Assistant, blocks, Origin::Agent);
        let id = entry.id;
        let derived = trust == Trust::Text;
        self.log.write(Entry { derived, sidecar: parts.sidecar.clone().map(Arc::new), ..entry }, synced);
        if let Some(text) = &parts.text {
            self.state.last_text = Some((id, text.clone()));
            self.state.texts.push(text.clone());
        }
        id
    }
}

fn words(blocks: &[ReplyBlock]) -> String {
    let text = |block: &ReplyBlock| match block {
        ReplyBlock::Text(text) => Some(text.clone()),
        ReplyBlock::Call { .. } => None,
    };
    blocks.iter().filter_map(text).collect()
}
