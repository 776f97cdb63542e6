//! One call of the model: what is done before it, how it is made, and what follows when it fails.

use llm::{ModelError, ModelErrorKind, Request};
use robot::Origin;

use super::repeat::Streak;
use super::state::{Form, Phase, Relief};
use super::{Turn, retry};
use crate::context::stable::StableBytes;
use crate::context::view::{CallForm, NudgeWay, view};
use crate::meter::{Level, Meter, warning};
use crate::untrusted::sanitise::marked;
use crate::{
    Bill, CancelReason, Effect, EntryKind, EpochReason, Event, FailKind, FinalCall, Fixed, Load, MeterName, Outcome,
    Profile, Purpose, Step, Why, classified,
};

const LAST_CALL: &str = "[Budget] This is the last call of the turn. Answer now; no more calls are run.";
const NO_TOOLS: &str = "[Hint] The same call was made again and again. Its result is above, and no tools are left: \
    answer the operator now from what is there.";
const SLIP: &str = "Your call could not be read. Make it once more in the form of the tools, or answer in words. The \
    server says:";
const FLUSH_WARNING: &str = include_str!("../prompts/flush_warning.md");

impl Turn {
    /// Makes the next call, unless something comes before it.
    pub(super) fn go_on(&mut self) {
        if self.state.preempted {
            self.cancel(CancelReason::Preempted);
            return;
        }
        // Looked at before every call: the last one may have spent what was left.
        if let Some(meter) = self.spent() {
            self.tell(&meter);
            self.end(Outcome::Paused(meter.name));
            return;
        }
        if let Some((step, load)) = self.relieve() {
            self.call(step, load);
        }
    }

    /// The next call counts as one more of the budget.
    pub(super) fn next_step(&mut self) {
        self.state.step += 1;
        self.state.empty = 0;
        self.go_on();
    }

    /// Makes the call under way again as it was.
    pub(super) fn call_again(&mut self) {
        self.state.calls += 1;
        self.state.clear_stream();
        // A hook's words replaced those of one reply; the next reply is the model's again.
        self.state.reworded = false;
        let request = self.request();
        self.check_prefix(&request);
        self.log.effects.push(Effect::Call { purpose: Purpose::Main, request });
        self.state.phase = Phase::Model;
    }

    /// Tells of a past that was edited within its epoch. The one call without tools is made so on purpose.
    fn check_prefix(&mut self, request: &Request) {
        if self.state.form.bare {
            return;
        }
        if let Some(at) = self.log.transcript.show(StableBytes::of(request)) {
            self.log.effects.push(Effect::PrefixBroken { at: u64::try_from(at).unwrap_or(u64::MAX) });
        }
    }

    /// Makes it again without any tools.
    pub(super) fn call_bare(&mut self) {
        self.state.form.bare = true;
        self.call_again();
    }

    /// The request of the call under way.
    pub(super) fn request(&self) -> Request {
        let Form { is_final, bare, nudges } = self.state.form.clone();
        let form = CallForm { is_final, with_tools: !bare, profile: self.profile(), nudges };
        view(&self.log.transcript, &self.frame, &form)
    }

    pub(super) fn profile(&self) -> Profile {
        self.state.routed.map_or(Profile::Deliberate, |routed| routed.profile)
    }

    /// Money that is used up, if any is.
    pub(super) fn spent(&self) -> Option<Meter> {
        self.money().into_iter().find(|meter| meter.level() == Level::Final)
    }

    fn call(&mut self, step: Step, load: Load) {
        // Changes of the world come before what people have said since, so that their words stay the newest.
        self.show_changes();
        self.hear();
        let is_full = match step {
            // The measurement is of the call before this one.
            Step::Final | Step::NextIsFinal => true,
            Step::Call | Step::Flush | Step::Mask | Step::Compact | Step::Emergency | Step::Warn | Step::WarnFlush => {
                false
            }
        };
        let is_final = self.state.is_final || is_full || self.policy().is_final(self.state.step);
        let circles = self.state.streak.circling().is_some();
        let mut hints = std::mem::take(&mut self.state.hints);
        hints.extend(circles.then(|| NO_TOOLS.to_owned()));
        if is_final {
            hints.extend(self.policy().budget.final_warning.then(|| LAST_CALL.to_owned()));
        } else {
            hints.extend(self.warn(step, load));
            hints.extend((step == Step::WarnFlush).then(|| FLUSH_WARNING.trim_end().to_owned()));
        }
        for text in &hints {
            self.log.emit(Event::Nudge { text: text.clone() });
        }
        if NudgeWay::of(self.policy(), &self.frame.caps).is_kept() {
            for text in hints.drain(..) {
                let block = llm::Block::Text { text, trust: robot::Trust::Trusted };
                self.log.append(EntryKind::Nudge, vec![block], Origin::System);
            }
        }
        self.state.relieved.masked = false;
        self.state.failures = 0;
        self.state.form = Form { is_final, bare: false, nudges: hints };
        self.begin_epoch();
        // The tools of the epoch stay what they are; this call goes without.
        self.state.form.bare = circles;
        self.call_again();
    }

    /// Shows changes that came while tools ran, after their results; anywhere else they would seem to have been known
    /// before the words they follow.
    fn show_changes(&mut self) {
        let newest = self.log.transcript.entries().last().map(|entry| &entry.kind);
        if newest == Some(&EntryKind::ToolResult) {
            let changes = std::mem::take(&mut self.state.changes);
            self.show(changes);
        }
    }

    /// Begins an epoch if the request fixes something else than the one before it, also in an earlier turn.
    fn begin_epoch(&mut self) {
        // Tools are chosen by the message, so once a turn, with its first call.
        if self.state.calls == 0 && self.has_language_model() {
            self.choose_tools();
        }
        let fixed = Fixed::of(&self.request(), &self.frame.caps);
        if let Some(reason) = self.log.transcript.fix(fixed) {
            self.log.change_epoch(reason);
        }
        // Noted after the epoch may have changed: the choice belongs to the new one.
        if let Some(tools) = &self.state.tools {
            self.log.transcript.choose(tools.clone(), &self.frame.caps);
        }
    }

    /// Takes in messages that came while the turn ran.
    fn hear(&mut self) {
        while let Some(message) = self.state.steers.pop_front() {
            // A person who speaks may ask for the same once more.
            self.state.streak = Streak::default();
            let blocks = vec![message.block(self.log.now.wall_ms)];
            self.log.append(EntryKind::User, blocks, message.origin().clone());
            message.text().clone_into(&mut self.state.facts.request);
        }
    }

    /// The hint that names what runs low. A hint that stays names each meter once.
    fn warn(&mut self, step: Step, load: Load) -> Option<String> {
        let is_kept = NudgeWay::of(self.policy(), &self.frame.caps).is_kept();
        let context = Meter { name: MeterName::Context, used: load.used, soft: Some(0), hard: load.room };
        let mut low = vec![self.calls_meter(), self.wall_meter()];
        low.extend(self.money());
        low.retain(|meter| meter.level() == Level::Warn);
        low.extend((step == Step::Warn).then_some(context));
        // A hint that is removed after its call has to be given again with the next one.
        low.retain(|meter| self.tell(meter) || !is_kept);
        warning(&low)
    }

    /// Tells people of a meter, once a turn. True if this was the first time.
    fn tell(&mut self, meter: &Meter) -> bool {
        let is_new = self.state.warned.insert(meter.name);
        if is_new {
            self.log.emit(Event::Warn { meter: meter.name, used: meter.used, limit: meter.hard });
        }
        is_new
    }

    fn calls_meter(&self) -> Meter {
        let budget = &self.policy().budget;
        Meter::new(MeterName::Calls, u64::from(self.state.step) + 1, budget.calls.into(), budget.warn_at)
    }

    fn wall_meter(&self) -> Meter {
        let budget = &self.policy().budget;
        let wall_ms = u64::from(budget.wall_s) * 1_000;
        // Time that people took to answer has moved the deadline.
        let left_ms = self.state.clock.deadline.ms_since(self.log.now.station);
        Meter::new(MeterName::Wall, wall_ms.saturating_sub(left_ms), wall_ms, budget.warn_at)
    }

    /// Money, as far as it is bounded. Words of the command interpreter are free.
    fn money(&self) -> Vec<Meter> {
        if !self.has_language_model() {
            return Vec::new();
        }
        let bills = self.state.bills;
        let bounded = |name, bill: Bill| bill.limit.map(|limit| Meter::of_money(name, bill.spent, limit));
        [
            bounded(MeterName::Turn, bills.turn),
            bills.mission.and_then(|bill| bounded(MeterName::Mission, bill)),
            bounded(MeterName::Day, bills.day),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    pub(super) fn take_failure(&mut self, purpose: Purpose, error: &ModelError) -> bool {
        // A reader's call belongs to a tool; only its cost is the turn's.
        if purpose == Purpose::Reader {
            return self.note_read(error.usage);
        }
        // The turn may have gone on without this call; a late answer must not change what it does by now.
        if self.state.calling() != Some(purpose) {
            return false;
        }
        if let Some(usage) = error.usage {
            self.note_usage(purpose, usage);
        }
        match purpose {
            Purpose::Main => self.main_failed(error),
            Purpose::Router => {
                self.routed(classified(None));
                self.go_on();
            }
            Purpose::JudgeGrounded | Purpose::JudgeAdequacy => self.judged(None),
            Purpose::Flush | Purpose::Summary => self.relief_failed(error),
            Purpose::Fallback | Purpose::Extend => self.rescued(None),
            Purpose::MicroTurn | Purpose::Reader | Purpose::Warm => return false,
        }
        true
    }

    fn main_failed(&mut self, error: &ModelError) {
        match error.kind {
            ModelErrorKind::Overflow => return self.relieve_overflow(error),
            ModelErrorKind::Refused => return self.refuse(String::new()),
            // Once a turn: a provider that refuses again would be asked without end.
            ModelErrorKind::PrefixBound if !self.state.repaired => {
                self.state.repaired = true;
                self.log.change_epoch(EpochReason::PrefixBound);
                return self.call_again();
            }
            ModelErrorKind::RateLimit
            | ModelErrorKind::Quota
            | ModelErrorKind::Overloaded
            | ModelErrorKind::Transport
            | ModelErrorKind::Auth
            | ModelErrorKind::PrefixBound
            | ModelErrorKind::BadRequest
            | ModelErrorKind::Protocol
            | ModelErrorKind::Cancelled => {}
        }
        match self.retry_later(error, None) {
            retry::Next::Again(_) => {
                self.state.step += u32::from(self.policy().retry.uses_step);
                self.state.clear_stream();
                self.tell_slip(error);
            }
            retry::Next::TooLong(wait) => self.fail(&format!("{error}; it asks to wait {} s", wait.as_secs())),
            retry::Next::GiveUp if is_unexpected(error.kind) => {
                self.log.emit(Event::ModelFailed { reason: error.to_string() });
                self.finish(Outcome::Partial(Why::Unexpected));
            }
            retry::Next::GiveUp => self.fail(&error.to_string()),
        }
    }

    /// Has the call that failed made again after a while, if that can help: the main one, or that of `relief`.
    pub(super) fn retry_later(&mut self, error: &ModelError, relief: Option<Relief>) -> retry::Next {
        let (session, entry) = (&self.frame.session, self.log.transcript.next_id());
        let next = retry::after(error, self.state.failures, &self.policy().retry, session, entry);
        if let retry::Next::Again(wait) = next {
            self.state.failures += 1;
            let (at, reason) = (self.log.now.station.plus(wait), error.to_string());
            let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            self.log.emit(Event::Restart { reason, wait_ms });
            self.log.effects.push(Effect::Wake { at });
            self.state.phase = Phase::Retrying { at, relief };
        }
        next
    }

    /// Tells the model of a call that its server could not read: the same request would bring the same call.
    fn tell_slip(&mut self, error: &ModelError) {
        let Some(written) = error.slip.as_deref() else { return };
        let wrote = if written.is_empty() { String::new() } else { format!(" You wrote: {}", marked(written)) };
        // Both come from outside, so hidden characters in them are made visible.
        let text = format!("[Hint] {SLIP} {}{wrote}", marked(&error.message));
        self.log.emit(Event::Nudge { text: text.clone() });
        if NudgeWay::of(self.policy(), &self.frame.caps).is_kept() {
            let trust = self.take_trust();
            self.log.append(EntryKind::Nudge, vec![llm::Block::Text { text, trust }], Origin::System);
        } else {
            self.state.form.nudges.push(text);
        }
    }

    fn fail(&mut self, reason: &str) {
        self.log.emit(Event::ModelFailed { reason: reason.to_owned() });
        match self.policy().budget.final_call {
            FinalCall::Fallback => self.finish(Outcome::Fallback),
            FinalCall::GateForce | FinalCall::ForceText => self.end(Outcome::Failed(FailKind::Model)),
        }
    }
}

/// Errors that neither a provider nor a connection causes in the ordinary way: a reply that nobody can read, or one
/// that was given up from outside the turn. The words so far are worth more than an error.
const fn is_unexpected(kind: ModelErrorKind) -> bool {
    match kind {
        ModelErrorKind::Protocol | ModelErrorKind::Cancelled => true,
        ModelErrorKind::RateLimit
        | ModelErrorKind::Quota
        | ModelErrorKind::Overloaded
        | ModelErrorKind::Transport
        | ModelErrorKind::Auth
        | ModelErrorKind::PrefixBound
        | ModelErrorKind::BadRequest
        | ModelErrorKind::Overflow
        | ModelErrorKind::Refused => false,
    }
}
