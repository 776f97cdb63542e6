//! A run that may not act by itself: it asks, and how it ends is what a person decides.

use std::sync::Arc;

use memory::jobs::{Ended, JobRun};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::cards::Cards;
use super::of_error;
use crate::agents::AgentUnit;
use crate::runner::AgentRunner;
use crate::surroundings::{Asked, Requester, Wanted};

/// Asks, and waits for what comes of it; none if the station ended first.
pub(super) async fn ask(
    runner: &Arc<AgentRunner>,
    agent: &AgentUnit,
    (operation, input): (&str, &Value),
    asker: Requester,
    (run, cancel): (&JobRun, &CancellationToken),
) -> Option<Ended> {
    let wanted = Wanted { operation: operation.to_owned(), input: input.clone() };
    let (proposal, notes) = match runner.proposer.ask(&wanted, asker).await {
        Ok(Asked::Waiting(proposal, notes) | Asked::Covered(proposal, notes)) => (proposal.id, notes),
        Ok(Asked::Ended(outcome)) => return Some(Ended::Refused(outcome.json)),
        Err(error) => return Some(of_error(error)),
    };
    let cards = Cards::of(&run.id);
    cards.asked(runner, agent, &proposal).await;
    let (ended, ()) = tokio::join!(cards.end(runner, Ended::Completed, cancel), async {
        tokio::select! {
            () = runner.runtime.ended.cancelled() => {}
            () = cancel.cancelled() => {}
            () = cards.follow(runner, agent, (&proposal, notes)) => {}
        }
    });
    ended
}
