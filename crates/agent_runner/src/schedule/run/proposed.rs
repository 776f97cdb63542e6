//! A run that may not act by itself: it asks, and how it ends is what a person decides.

use memory::jobs::Ended;
use tokio_util::sync::CancellationToken;

use super::cards::Cards;
use super::of_error;
use crate::agents::AgentUnit;
use crate::runner::AgentRunner;
use crate::surroundings::{Asked, Requester, Wanted};

impl Cards {
    /// Asks, and waits for what comes of it; none if the station ended first.
    pub(super) async fn ask(
        &self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        wanted: &Wanted,
        asker: Requester,
        cancel: &CancellationToken,
    ) -> Option<Ended> {
        let (proposal, notes) = match runner.proposer.ask(wanted, asker).await {
            Ok(Asked::Waiting(proposal, notes) | Asked::Covered(proposal, notes)) => (proposal.id, notes),
            Ok(Asked::Ended(outcome)) => return Some(Ended::Refused(outcome.json)),
            Err(error) => return Some(of_error(error)),
        };
        // Before the wait: a cancellation withdraws only the cards that are known here.
        self.asked(runner, agent, &proposal).await;
        let (ended, ()) = tokio::join!(self.end(runner, Ended::Completed, cancel), async {
            tokio::select! {
                () = runner.runtime.ended.cancelled() => {}
                () = cancel.cancelled() => {}
                () = self.follow(runner, agent, &proposal, notes) => {}
            }
        });
        ended
    }
}
