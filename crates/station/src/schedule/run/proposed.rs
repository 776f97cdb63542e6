//! A run that may not act by itself: it asks, and how it ends is what a person decides.

use std::sync::Arc;

use memory::jobs::{Ended, JobRun};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::cards::Cards;
use super::of_error;
use crate::agents::AgentUnit;
use crate::proposals::{Asked, Asker, Wanted};
use crate::station::Station;

/// Asks, and waits for what comes of it; none if the station ended first.
pub(super) async fn ask(
    station: &Arc<Station>,
    agent: &AgentUnit,
    (operation, input): (&str, &Value),
    asker: Asker,
    (run, cancel): (&JobRun, &CancellationToken),
) -> Option<Ended> {
    let wanted = Wanted { operation: operation.to_owned(), input: input.clone() };
    let (proposal, notes) = match station.proposals.try_ask(station, &wanted, asker).await {
        Ok(Asked::Waiting(proposal, notes) | Asked::Covered(proposal, notes)) => (proposal.id, notes),
        Ok(Asked::Ended(outcome)) => return Some(Ended::Refused(outcome.json)),
        Err(error) => return Some(of_error(error)),
    };
    let cards = Cards::of(&run.id);
    cards.asked(station, agent, &proposal).await;
    let (ended, ()) = tokio::join!(cards.end(station, Ended::Completed, cancel), async {
        tokio::select! {
            () = station.runtime.ended.cancelled() => {}
            () = cancel.cancelled() => {}
            () = cards.follow(station, agent, (&proposal, notes)) => {}
        }
    });
    ended
}
