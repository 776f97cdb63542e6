//! The calls of a reply as part of the turn: begun, followed, and summed up for the model when they are done.

use llm::CallId;

use super::admit::{Admitted, RawCall};
use super::batch::{Batch, Bench, News, Progress};
use super::state::Phase;
use super::{Turn, hint};
use crate::{AfterRound, CancelReason, HookVerdict, Outcome, PREVIEWS_MAX, ToolOutcome, preview};

impl Turn {
    /// Begins the calls of the reply that `entry` holds.
    pub(super) fn begin_round(&mut self, calls: Vec<(CallId, String, Result<Admitted, ToolOutcome>)>, entry: u64) {
        let said = u32::try_from(self.state.said.len()).unwrap_or(u32::MAX);
        let says_left = self.policy().agency.says.saturating_sub(said);
        let session = &self.frame.session;
        let mut bench = Bench { policy: &self.frame.policy, session, log: &mut self.log };
        let batch = Batch::new(calls, entry, says_left, &mut bench);
        self.state.phase = Phase::Tools(batch);
        self.in_batch(|_, _| true);
    }

    /// Lets `change` work on the calls under way and then starts whatever comes next. False if that did not fit.
    pub(super) fn in_batch(&mut self, change: impl FnOnce(&mut Batch, &mut Bench) -> bool) -> bool {
        let Phase::Tools(batch) = &mut self.state.phase else { return false };
        let session = &self.frame.session;
        let mut bench = Bench { policy: &self.frame.policy, session, log: &mut self.log };
        let asked_at = batch.asked_at();
        if !change(batch, &mut bench) {
            return false;
        }
        // The time that a person took is not the turn's, so the deadline moves by as much.
        if let Some(asked_at) = asked_at.filter(|_| batch.asked_at().is_none()) {
            let clock = &mut self.state.clock;
            clock.deadline = clock.deadline.plus(bench.log.now.station.since(asked_at));
        }
        let stops_here = self.state.preempted && !batch.is_running();
        let progress = if stops_here { Progress::Waiting } else { batch.advance(&mut bench) };
        let news = batch.take_news();
        let ends_turn = self.note(news);
        match progress {
            _ if stops_here => {
                self.cancel(CancelReason::Preempted);
            }
            Progress::Waiting => self.state.facts.ended_by_tool |= ends_turn,
            Progress::Finished => {
                self.state.facts.ended_by_tool |= ends_turn;
                self.round_done();
            }
        }
        true
    }

    /// Remembers what happened. True if the model wants the turn to end.
    fn note(&mut self, news: News) -> bool {
        self.state.said.extend(news.said);
        let facts = &mut self.state.facts;
        for worked in news.worked {
            facts.works += 1;
            facts.succeeded += u32::from(!worked.failed);
            facts.last_failed = worked.failed;
            facts.any_failed |= worked.failed;
            facts.previews.insert(0, preview(&worked.json));
            facts.previews.truncate(PREVIEWS_MAX);
            self.state.delivered |= worked.delivered;
            self.state.round.push((worked.name, worked.failed));
        }
        news.ends_turn
    }

    /// Takes what hooks say of a call. One that they have changed is inspected as if the model had made it so, but for
    /// their words, which are untrusted.
    pub(super) fn hooked(&mut self, id: &CallId, verdict: HookVerdict) -> bool {
        let Phase::Tools(batch) = &self.state.phase else { return false };
        let Some(call) = batch.hooked(id) else { return false };
        let inspected = match verdict {
            HookVerdict::GoOn => Ok(None),
            HookVerdict::Deny(reason) => Err(ToolOutcome::denied_by_hook(&reason)),
            HookVerdict::Change(args) => {
                let raw = RawCall { id: id.clone(), name: call.name.clone(), args_raw: args.to_string() };
                self.gatekeeper().readmit(&raw).map(Some)
            }
        };
        self.in_batch(|batch, bench| batch.after_hooks(id, inspected, bench))
    }

    fn round_done(&mut self) {
        if self.state.facts.ended_by_tool {
            return self.conclude(None);
        }
        let round = std::mem::take(&mut self.state.round);
        // No further call can put the results into words.
        if self.state.form.is_final {
            return if self.must_answer() { self.finish_stopped(&round) } else { self.finish(Outcome::Forced) };
        }
        let repeat = self.state.streak.hint(&self.policy().tools.repeat);
        let failed: Vec<&str> = round.iter().filter(|(_, failed)| *failed).map(|(name, _)| name.as_str()).collect();
        let told = match self.policy().tools.after_round {
            AfterRound::Nothing => None,
            AfterRound::Nudge => Some(hint::results_are_there(&failed, &self.state.said)),
            AfterRound::Directive => hint::directive(&self.log.transcript),
        };
        self.state.hints.extend(repeat.into_iter().chain(told));
        self.next_step();
    }
}
