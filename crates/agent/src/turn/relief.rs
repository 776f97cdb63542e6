//! Making room in the context: facts saved, results masked, old messages summarised, and what follows an overflow.

use llm::{Block, CallId, ModelError};
use robot::{Effect as Does, Origin};
use serde_json::json;

use super::state::{Phase, Relief};
use super::{Turn, retry};
use crate::context::compact::{is_summary, lowest_trust};
use crate::context::context_relief::has_room;
use crate::context::view::is_prefix_bound;
use crate::{
    CompactedSession, Compaction, Covered, Effect, EntryKind, EpochReason, Event, Fact, Load, Marker, Mode, OnCancel,
    Outcome, OverflowStep, Profile, Purpose, Relieved, Side, Standing, Step, ToolCall, Why, after_overflow, can_flush,
    digest, estimate, flush_is_tainted, flush_request, has_gained, mask_all, mask_move, parse_facts, pressure, room,
    window,
};

/// The operation by which the loop saves facts.
const REMEMBER: &str = "remember_note";
/// Messages of a session that is given up that stay as a few lines.
const DIGEST_MESSAGES: usize = 15;

impl Turn {
    /// Makes room, as far as the policy wants that now. Nothing if a side call is to end first.
    pub(super) fn relieve(&mut self) -> Option<(Step, Load)> {
        self.state.failures = 0;
        // An earlier turn of the same epoch may have saved the facts already.
        self.state.relieved.flushed |= self.has_flushed();
        loop {
            let (step, load) = self.next_relief();
            match step {
                Step::Flush => {
                    // Noted before the call, so that a flush that fails is not tried again for the same
                    // compaction.
                    self.state.relieved = Relieved { flushed: true, facts: true, ..self.state.relieved };
                    if self.flush() {
                        return None;
                    }
                }
                Step::Mask => {
                    self.state.relieved.masked = true;
                    self.mask();
                }
                Step::Compact => {
                    if self.compact(load.used, false) {
                        return None;
                    }
                }
                Step::Emergency => {
                    self.state.relieved.emergency = true;
                    if self.compact(load.used, true) {
                        return None;
                    }
                }
                Step::Call | Step::Warn | Step::WarnFlush | Step::NextIsFinal | Step::Final => {
                    return Some((step, load));
                }
            }
        }
    }

    /// Results that are old by now are cleared before anything is gathered, unless facts are to be saved first.
    pub(super) fn clear_first(&mut self) {
        self.state.relieved.flushed |= self.has_flushed();
        if self.next_relief().0 == Step::Mask {
            self.state.relieved.masked = true;
            self.mask();
        }
    }

    /// The next step of relief that the policy asks for, and the load it is based on.
    fn next_relief(&self) -> (Step, Load) {
        let load = self.load();
        let standing = match (self.state.calls, self.state.resumes) {
            (0, true) => Standing::Resumed,
            (0, false) => Standing::TurnStart,
            (_, _) => Standing::Within,
        };
        let is_bound = is_prefix_bound(&self.frame.caps);
        (pressure(self.policy(), standing, is_bound, &load, &self.state.relieved), load)
    }

    /// Takes the remedies for a prompt that the provider calls too long, one after the other, until one helps.
    pub(super) fn relieve_overflow(&mut self, error: &ModelError) {
        // The provider knows its own window better than the catalogue does.
        if let Some(window) = error.window.filter(|window| *window > 0) {
            self.frame.caps.window = self.frame.caps.window.min(window);
        }
        self.state.failures = 0;
        while let Some(step) = after_overflow(self.policy(), &self.state.tried) {
            self.state.tried.push(step);
            let used = self.load().used;
            let helps = match step {
                OverflowStep::MaskAll => self.mask_everything(),
                OverflowStep::Compact if self.compact(used, false) => return,
                OverflowStep::Emergency if self.compact(used, true) => return,
                // Without a language model a stub is written at once, so a pass may have helped although no call
                // was made.
                OverflowStep::Compact | OverflowStep::Emergency => self.state.relieved.passes > 0,
                OverflowStep::NextIsFinal => {
                    self.state.is_final = true;
                    true
                }
                OverflowStep::ArchiveAndReset | OverflowStep::ArchiveWithSummary => self.archive(),
            };
            if helps {
                return self.go_on();
            }
        }
        self.log.emit(Event::ModelFailed { reason: error.to_string() });
        self.finish(Outcome::Partial(Why::Overflow));
    }

    /// Conversation, model and settings for a side call.
    pub(super) fn side(&self) -> Side<'_> {
        let caps = self.side.as_ref().unwrap_or(&self.frame.caps);
        Side { session: &self.frame.session, caps, policy: self.policy() }
    }

    /// Takes the facts that are worth keeping.
    pub(super) fn flushed(&mut self, answer: Option<&str>) {
        if let Some(answer) = answer {
            // Before the marker: behind it the text that was read no longer counts as fresh.
            let tainted = flush_is_tainted(&self.log.transcript);
            self.log.mark(Marker::Flushed);
            self.remember(parse_facts(answer), tainted);
        }
        self.go_on();
    }

    /// Saves facts by calls of the loop's own, whose ends nobody waits for.
    pub(super) fn remember(&mut self, facts: Vec<Fact>, tainted: bool) {
        let calls: Vec<ToolCall> = facts
            .into_iter()
            .enumerate()
            .map(|(number, fact)| ToolCall {
                id: CallId(format!("flush-{}-{number}", self.log.transcript.next_id())),
                name: REMEMBER.to_owned(),
                args: json!({ "title": fact.title, "text": fact.text }),
                effect: Does::Write,
                tainted,
                // A fact that was found should not be lost because its turn is cancelled.
                on_cancel: OnCancel::Finish,
            })
            .collect();
        if !calls.is_empty() {
            self.state.own_calls.extend(calls.iter().map(|call| call.id.clone()));
            self.log.effects.push(Effect::Run(calls));
        }
    }

    /// A side call that makes room failed: it is made again as a call of the conversation would be, for what it was to
    /// keep is gone otherwise.
    pub(super) fn relief_failed(&mut self, error: &ModelError) {
        // A message waits for the summary of a conversation that is left behind.
        let Phase::Relieving(relief) = self.state.phase else { return self.summarised(None) };
        match (self.retry_later(error, Some(relief)), relief) {
            (retry::Next::Again(_), _) => {}
            (retry::Next::TooLong(_) | retry::Next::GiveUp, Relief::Flush) => self.flushed(None),
            (retry::Next::TooLong(_) | retry::Next::GiveUp, Relief::Summary { .. }) => {
                let reason = format!("the conversation could not be summed up: {error}");
                self.log.emit(Event::Restart { reason, wait_ms: 0 });
                self.summarised(None);
            }
        }
    }

    /// Makes a side call that failed once more.
    pub(super) fn relieve_again(&mut self, relief: Relief) {
        let asks = match relief {
            Relief::Flush => self.flush(),
            Relief::Summary { before, emergency } => self.compact(before, emergency),
        };
        if !asks {
            self.go_on();
        }
    }

    /// Takes a summary. Without one the conversation stays as it is while it has room; then the old summary or a stub
    /// stands in.
    pub(super) fn summarised(&mut self, answer: Option<&str>) {
        if let Phase::Renewing(message) = &self.state.phase {
            let message = message.clone();
            return self.renewed(answer, &message);
        }
        let Phase::Relieving(Relief::Summary { before, emergency }) = self.state.phase else { return };
        let answer = answer.filter(|text| is_summary(text));
        let can_wait = !emergency && self.state.tried.is_empty();
        if answer.is_none() && can_wait && has_room(&self.policy().compact, &self.load()) {
            self.state.relieved.exhausted = true;
        } else {
            self.write_summary(answer, before, emergency);
        }
        self.go_on();
    }

    fn load(&self) -> Load {
        let (transcript, policy, caps) = (&self.log.transcript, self.policy(), &self.frame.caps);
        let request = self.request();
        let mask = mask_move(transcript, policy, &self.frame.data_bearing);
        // Marks must not move with the profile of a turn, so room is always left for a full reply.
        let output_max = crate::context::view::output_max(policy, caps, Profile::Deliberate);
        Load {
            used: estimate(policy.estimator, &request, self.state.measured),
            room: room(policy, caps, output_max),
            messages: u64::try_from(request.messages.len()).unwrap_or(u64::MAX),
            mask_frees: mask.map(|mask| mask.frees_tokens),
            can_compact: self.plan().is_some(),
            can_flush: self.may_remember() && can_flush(transcript),
        }
    }

    /// True if facts were saved in this epoch.
    fn has_flushed(&self) -> bool {
        let epoch = self.log.transcript.epoch();
        let newest = self.log.transcript.entries().iter().rev().take_while(|entry| entry.epoch == epoch);
        newest.into_iter().any(|entry| entry.kind == EntryKind::Marker(Marker::Flushed))
    }

    /// True if there is a model that finds facts and an operation that keeps them.
    pub(super) fn may_remember(&self) -> bool {
        let is_there = self.tools.iter().any(|tool| tool.name == REMEMBER);
        // *Observe only* forbids writing, and a note is something written.
        is_there && self.mode != Mode::Watch && self.has_language_model()
    }

    /// Asks for facts. False if there is nothing to ask about.
    fn flush(&mut self) -> bool {
        let Some(request) = flush_request(&self.log.transcript, self.side()) else { return false };
        self.log.effects.push(Effect::Call { purpose: Purpose::Flush, request });
        self.state.phase = Phase::Relieving(Relief::Flush);
        true
    }

    fn mask(&mut self) {
        if let Some(moved) = mask_move(&self.log.transcript, self.policy(), &self.frame.data_bearing) {
            self.log.change_epoch(EpochReason::MaskMoved);
            self.log.mark(moved.marker);
        }
    }

    /// Masks all but the newest results. False if that frees nothing.
    fn mask_everything(&mut self) -> bool {
        let moved = mask_all(&self.log.transcript, self.policy(), &self.frame.data_bearing);
        let Some(moved) = moved else { return false };
        self.log.change_epoch(EpochReason::MaskMoved);
        self.log.mark(moved.marker);
        true
    }

    /// Plans the next pass of compaction.
    fn plan(&self) -> Option<Compaction> {
        let window = window(self.policy(), &self.frame.caps);
        Compaction::plan(&self.log.transcript, self.policy(), window, self.state.relieved.passes)
    }

    /// Asks for a summary. False if there is nothing to ask about, or nobody who can write one: then a stub is there
    /// already.
    fn compact(&mut self, before: u64, emergency: bool) -> bool {
        let Some(plan) = self.plan() else {
            self.state.relieved.exhausted = true;
            return false;
        };
        if !self.has_language_model() {
            self.write_summary(None, before, emergency);
            return false;
        }
        let request = if emergency { plan.emergency_request(self.side()) } else { plan.request(self.side()) };
        self.log.effects.push(Effect::Call { purpose: Purpose::Summary, request });
        self.state.phase = Phase::Relieving(Relief::Summary { before, emergency });
        true
    }

    fn write_summary(&mut self, answer: Option<&str>, before: u64, emergency: bool) {
        // Before the pass is counted: the next pass keeps a shorter tail than the one that was summarised.
        let plan = self.plan();
        self.state.relieved.passes += 1;
        self.state.relieved.facts = false;
        let Some(plan) = plan else {
            self.state.relieved.exhausted = true;
            return;
        };
        self.log.change_epoch(match self.policy().compact.session {
            CompactedSession::Same => EpochReason::Compaction,
            CompactedSession::New => EpochReason::SessionReset,
        });
        self.log.append(EntryKind::Summary(plan.covered), plan.summary(answer), Origin::System);
        if emergency {
            self.mask_everything();
        }
        let after = self.load().used;
        if !has_gained(&self.policy().compact, before, after) {
            self.state.relieved.exhausted = true;
        }
        self.log.emit(Event::Compacted { before, after });
    }

    /// Gives up all that was said before this turn but a few lines. False if there is nothing of it.
    fn archive(&mut self) -> bool {
        let first = self.state.first;
        let older: Vec<_> = self.log.transcript.entries().iter().filter(|entry| entry.id < first).cloned().collect();
        if !older.iter().any(crate::Entry::is_shown) {
            return false;
        }
        // Of everything that goes, since the lines that stay may have been written under any of it.
        let trust = lowest_trust(&older);
        let mut before = crate::Transcript::default();
        older.into_iter().for_each(|entry| before.push(entry));
        let text = digest(&before, DIGEST_MESSAGES);
        self.log.change_epoch(EpochReason::SessionReset);
        let covered = Covered { from: 0, to: first };
        self.log.append(EntryKind::Summary(covered), vec![Block::Text { text, trust }], Origin::System);
        true
    }
}
