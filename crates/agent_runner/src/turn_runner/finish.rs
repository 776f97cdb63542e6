//! The consequences of a turn's end: for its waiters, for its alerts or its job, and for messages it did not hear.

use std::sync::Arc;

use agent::{CancelReason, Outcome};
use robot::Instant;
use world::arousal::Autonomous;

use super::{Start, TurnRunner};
use crate::agents::AgentUnit;
use crate::runner::AgentRunner;
use runtime::lock::lock;

impl TurnRunner {
    /// Ends the turn that was started with `start`.
    pub(super) async fn finish(
        &self,
        runner: &Arc<AgentRunner>,
        agent: &Arc<AgentUnit>,
        start: Start,
        outcome: Option<Outcome>,
    ) {
        let (turn, conversation) = (start.turn.clone(), Arc::clone(&start.conversation));
        let (by, cost) = (agent.answerer(runner), agent.ledger.cost_of(&conversation.session).await);
        self.conversations.record(&agent.db, &conversation.session, by, cost).await;
        // Turns that people start have no bound by the hour and no distance to keep.
        if !comes_again(&start, outcome.as_ref()) {
            self.let_next(&start, has_failed(outcome.as_ref()), runner.runtime.clock.now().station);
        }
        self.note_running(agent, None).await;
        self.running.end();
        self.pause(agent, &start, outcome.as_ref()).await;
        self.settle(runner, agent, start, outcome);
        // The turn's own calls may have spent the money of the day, which keeps the next one away.
        self.look_at_budget(runner, agent).await;
        self.save_wakes(runner, agent).await;
        // A person's message that the turn did not hear goes before everything that starts by itself.
        self.go_on(&turn, &conversation);
        self.stirred.notify_one();
    }

    /// A turn is over, or never began: if it counted as one that starts by itself, the next of them may.
    pub(super) fn let_next(&self, start: &Start, failed: bool, now: Instant) {
        if start.by_itself {
            lock(&self.wakes).ended(Autonomous { reactive: start.woken.is_some(), failed }, now);
            self.stirred.notify_one();
        }
    }

    /// Puts back what made room for a person, once, and tells whoever waits for the end.
    fn settle(&self, runner: &AgentRunner, agent: &AgentUnit, start: Start, outcome: Option<Outcome>) {
        // Its causes are put back rather than the turn: they merge with what has fired since.
        let made_room = has_made_room(outcome.as_ref());
        if let Some(causes) = &start.woken {
            let now = runner.runtime.clock.now();
            let mut wakes = lock(&self.wakes);
            if made_room {
                wakes.put_back(causes.clone(), |rule| agent.world.ingest.is_true(rule), now.station);
            } else {
                wakes.dealt_with(causes);
            }
            return;
        }
        if comes_again(&start, outcome.as_ref()) {
            self.queue.push_again(Start { again: true, ..start });
            return;
        }
        if let Some((job, outcome)) = start.job.zip(outcome) {
            // The station may be ending, and nobody listening.
            let _ = job.done.send(outcome);
        }
    }
}

/// True if a turn made room for a person.
fn has_made_room(outcome: Option<&Outcome>) -> bool {
    outcome == Some(&Outcome::Cancelled(CancelReason::Preempted))
}

/// True if a turn that made room waits for its place once more; what alerts began is told by their causes instead.
fn comes_again(start: &Start, outcome: Option<&Outcome>) -> bool {
    has_made_room(outcome) && start.woken.is_none() && !start.again
}

/// True if a turn counts as failed among those that start by themselves: the model, the time or the disk failed it.
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

#[cfg(test)]
mod tests {
    use agent::JobNotice;
    use tokio::sync::oneshot;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::schedule::Cards;
    use crate::test_support::Rig;
    use crate::turn_runner::{JobTurn, turn_id};

    /// A desk of the rig's agent that takes no turn out of its queue.
    async fn desk(rig: &Rig) -> TurnRunner {
        TurnRunner::open(&rig.agent.folders, &rig.agent.db, rig.runner.runtime.clock.now()).await.unwrap()
    }

    fn queue_job(rig: &Rig, turns: &TurnRunner) -> (robot::TurnId, oneshot::Receiver<Outcome>) {
        let now = rig.runner.runtime.clock.now().station;
        let notice = JobNotice {
            job: "job-1".into(),
            name: None,
            mission: None,
            prompt: "status".into(),
            operator: None,
            trust: robot::Trust::Trusted,
        };
        let (turn, run) = (turn_id(), "run-1".to_owned());
        let cards = Arc::new(Cards::of(&run));
        let started = JobTurn { turn: turn.clone(), run, cancel: CancellationToken::new(), cards };
        (turn, turns.job(turns.reserve(now).unwrap(), &notice, started, now))
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_waiting_turn_that_a_person_cancels_lets_the_next_one_start_by_itself() {
        let rig = Rig::start().await;
        let (turns, now) = (desk(&rig).await, rig.runner.runtime.clock.now().station);
        let (turn, ended) = queue_job(&rig, &turns);
        assert!(!turns.may_start(now), "one at a time");
        turns.cancel(&rig.runner, &rig.agent, &turn).await.unwrap();
        assert_eq!(ended.await.unwrap(), Outcome::Cancelled(CancelReason::Operator));
        assert!(turns.may_start(now));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_turn_that_made_room_counts_until_it_is_over_or_cancelled() {
        let rig = Rig::start().await;
        let (turns, now) = (desk(&rig).await, rig.runner.runtime.clock.now().station);
        let (turn, _ended) = queue_job(&rig, &turns);
        let start = turns.queue.take(&turn).unwrap();
        turns.finish(&rig.runner, &rig.agent, start, Some(Outcome::Cancelled(CancelReason::Preempted))).await;
        assert!(turns.queue.count() == 1 && !turns.may_start(now), "it waits for its place");
        turns.cancel(&rig.runner, &rig.agent, &turn).await.unwrap();
        assert!(turns.may_start(now));
    }
}
