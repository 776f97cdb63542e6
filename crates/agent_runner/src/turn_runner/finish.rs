//! The consequences of a turn's end: for its waiters, for its alerts or its job, and for messages it did not hear.

use std::sync::Arc;

use agent::{CancelReason, Outcome};
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
        if start.by_itself {
            let reactive = start.woken.is_some();
            let ended = Autonomous { reactive, failed: has_failed(outcome.as_ref()) };
            lock(&self.wakes).ended(ended, runner.runtime.clock.now().station);
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

    /// Puts back what made room for a person, once, and tells whoever waits for the end.
    fn settle(&self, runner: &AgentRunner, agent: &AgentUnit, start: Start, outcome: Option<Outcome>) {
        let made_room = outcome == Some(Outcome::Cancelled(CancelReason::Preempted));
        // Its causes are put back rather than the turn: they merge with what has fired since.
        if let Some(causes) = &start.woken {
            let now = runner.runtime.clock.now();
            let mut wakes = lock(&self.wakes);
            if made_room {
                wakes.put_back(causes.clone(), |rule| agent.world.ingest.is_true(rule, now), now.station);
            } else {
                wakes.dealt_with(causes);
            }
            return;
        }
        if made_room && !start.again {
            self.queue.push_again(Start { again: true, ..start });
            return;
        }
        if let Some((job, outcome)) = start.job.zip(outcome) {
            // The station may be ending, and nobody listening.
            let _ = job.done.send(outcome);
        }
    }
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
