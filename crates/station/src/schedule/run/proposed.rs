//! A run that may not act by itself: it asks, and how it ends is what a person decides.

use std::sync::Arc;

use agent::{Decision, ToolOutcome};
use memory::jobs::{Ended, JobRun};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::of_error;
use crate::agents::AgentUnit;
use crate::proposals::{Asked, Asker, Note, UNATTENDED, Wanted};
use crate::station::Station;
use crate::wire::Tag;

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
    note(station, agent, (&run.id, &proposal), false).await;
    tokio::select! {
        () = station.ended.cancelled() => None,
        () = cancel.cancelled() => {
            station.proposals.withdraw(station, &proposal, "its job was cancelled");
            Some(Ended::Cancelled)
        }
        ended = settled(station, agent, (&run.id, &proposal), notes) => Some(ended),
    }
}

/// Waits for the decision, and for the outcome if it was allowed.
async fn settled(
    station: &Station,
    agent: &AgentUnit,
    (run, proposal): (&str, &str),
    mut notes: mpsc::Receiver<Note>,
) -> Ended {
    while let Some(said) = notes.recv().await {
        match said {
            // From here a crash leaves nobody knowing how far it came.
            Note::Decided(Decision::Approved) => note(station, agent, (run, proposal), true).await,
            Note::Decided(Decision::Rejected(reason)) if reason == UNATTENDED => {
                return Ended::Failed("nobody was there to decide".into());
            }
            Note::Decided(Decision::Rejected(reason)) => return Ended::Refused(format!("rejected: {reason}")),
            Note::Decided(Decision::Expired) => return Ended::Failed("nobody decided in time".into()),
            Note::Decided(Decision::Void) => return Ended::Cancelled,
            Note::Done(outcome) => return of_outcome(&outcome),
            // The card stays open: the run waits on.
            Note::Decided(Decision::Unseen) | Note::Ended(_) => {}
        }
    }
    Ended::Failed("what it asked for was dropped".into())
}

fn of_outcome(outcome: &ToolOutcome) -> Ended {
    if !(outcome.is_error || outcome.refused) {
        return Ended::Completed;
    }
    let value: Value = serde_json::from_str(&outcome.json).unwrap_or_default();
    let message = value.get("message").or_else(|| value.get("code")).and_then(Value::as_str);
    Ended::Failed(message.unwrap_or("the approved call failed").to_owned())
}

/// A row that cannot be saved is no reason not to wait: at the next start the run counts as cut off.
async fn note(station: &Station, agent: &AgentUnit, (run, proposal): (&str, &str), is_decided: bool) {
    if let Err(error) = agent.db.note_job_proposed(run, proposal, is_decided).await {
        tracing::warn!(run, error = &error as &dyn std::error::Error, "it is not saved what the run waits for");
    }
    station.hub.changed(Tag::Jobs);
}
