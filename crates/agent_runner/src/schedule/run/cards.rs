//! The proposals of one run: the run is over only when each of them is, and ends as they did.

use agent::{Decision, ToolOutcome};
use memory::jobs::{Ended, JobFault};
use robot::ProposalId;
use serde_json::Value;
use tokio::sync::{Mutex, mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::agents::AgentUnit;
use crate::runner::AgentRunner;
use crate::surroundings::{Note, UNATTENDED};
use runtime::wire::{ProposalReason, Tag};

/// Proposals of a run, and what came of each.
pub(crate) struct Cards {
    cards: watch::Sender<Vec<Card>>,
    /// The id of the run, whose row says what it waits for. Held while that is saved, so that the newest state is saved
    /// last.
    run: Mutex<String>,
}

#[derive(Debug, Clone)]
struct Card {
    proposal: ProposalId,
    is_approved: bool,
    /// None while a person, or the approved call, is waited for.
    ended: Option<Ended>,
}

impl Cards {
    /// No cards yet of the run of this id.
    pub fn of(run: &str) -> Self {
        Self { cards: watch::Sender::new(Vec::new()), run: Mutex::new(run.to_owned()) }
    }

    /// Notes that the run waits for a decision on `proposal`.
    pub async fn asked(&self, runner: &AgentRunner, agent: &AgentUnit, proposal: &ProposalId) {
        let card = Card { proposal: proposal.clone(), is_approved: false, ended: None };
        // Before it is saved, since a decision may come at once.
        self.cards.send_modify(|cards| cards.push(card));
        self.save(runner, agent).await;
    }

    /// Notes what was said of `proposal`.
    pub async fn heard(&self, runner: &AgentRunner, agent: &AgentUnit, proposal: &ProposalId, note: &Note) {
        let (is_approved, ended) = (matches!(note, Note::Decided(Decision::Approved)), ended_by(note));
        if self.change(proposal, |card| {
            card.is_approved |= is_approved;
            // The first end counts: what is said later is about the motion that the card began.
            card.ended = card.ended.take().or(ended);
        }) {
            self.save(runner, agent).await;
        }
    }

    /// Notes that nothing more is said of `proposal`.
    pub fn unheard(&self, proposal: &ProposalId) {
        let dropped = || Ended::Failed(JobFault::Dropped.to_string());
        self.change(proposal, |card| {
            card.ended.get_or_insert_with(dropped);
        });
    }

    /// Follows `proposal` until nothing more is said of it or it has ended.
    pub async fn follow(
        &self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        proposal: &ProposalId,
        mut notes: mpsc::Receiver<Note>,
    ) {
        while let Some(note) = notes.recv().await {
            self.heard(runner, agent, proposal, &note).await;
            if ended_by(&note).is_some() {
                return;
            }
        }
        self.unheard(proposal);
    }

    /// The end of a run whose own part ended as `own`, once every card has ended; none if the station ends first. When
    /// the run is cancelled, what still waits is withdrawn.
    pub async fn end(&self, runner: &AgentRunner, own: Ended, cancel: &CancellationToken) -> Option<Ended> {
        if own == Ended::Cancelled {
            return Some(self.cancelled(runner));
        }
        let mut cards = self.cards.subscribe();
        let settled = cards.wait_for(|cards| cards.iter().all(|card| card.ended.is_some()));
        tokio::select! {
            () = runner.runtime.ended.cancelled() => None,
            () = cancel.cancelled() => Some(self.cancelled(runner)),
            settled = settled => {
                let ends: Vec<Ended> = settled.ok()?.iter().filter_map(|card| card.ended.clone()).collect();
                Some(all_told(own, ends))
            }
        }
    }

    /// Nobody can approve any more what a cancelled run has asked for.
    fn cancelled(&self, runner: &AgentRunner) -> Ended {
        let waiting: Vec<Card> = self.cards.borrow().iter().filter(|card| card.ended.is_none()).cloned().collect();
        for card in waiting {
            runner.proposer.withdraw(&card.proposal, &ProposalReason::JobCancelled);
        }
        Ended::Cancelled
    }

    /// Changes a card; false if there is none of that name.
    fn change(&self, proposal: &ProposalId, change: impl FnOnce(&mut Card)) -> bool {
        self.cards.send_if_modified(|cards| {
            let Some(card) = cards.iter_mut().find(|card| card.proposal == *proposal) else { return false };
            change(card);
            true
        })
    }

    /// Saves what the run waits for. Once a card was approved, that one stays on the row: after a crash it must not be
    /// asked for again as if nothing had come of it. A row that cannot be saved is no reason not to wait: at the next
    /// start the run counts as cut off.
    async fn save(&self, runner: &AgentRunner, agent: &AgentUnit) {
        let run = self.run.lock().await;
        let Some((proposal, is_decided)) = on_row(&self.cards.borrow()) else { return };
        if let Err(error) = agent.db.note_job_proposed(&run, &proposal, is_decided).await {
            tracing::warn!(
                run = *run,
                error = &error as &dyn std::error::Error,
                "it is not saved what the run waits for"
            );
        }
        runner.runtime.bus.changed(Tag::Jobs);
    }
}

/// The proposal that stands on the row of the run, and whether no decision is waited for.
fn on_row(cards: &[Card]) -> Option<(ProposalId, bool)> {
    let waits = |card: &&Card| !card.is_approved && card.ended.is_none();
    let waiting = cards.iter().find(waits);
    let shown = cards.iter().find(|card| card.is_approved).or(waiting).or(cards.last())?;
    Some((shown.proposal.clone(), waiting.is_none()))
}

/// End of a run whose own part ended as `own` and whose cards ended as `cards`.
fn all_told(own: Ended, cards: Vec<Ended>) -> Ended {
    let was_carried_out = cards.contains(&Ended::Completed);
    let mut ends: Vec<Ended> =
        cards.into_iter().chain([own]).filter(|ended| !matches!(ended, Ended::Completed)).collect();
    // A stop or a person ended a part of it, so nothing of it is tried again.
    if ends.contains(&Ended::Cancelled) {
        return Ended::Cancelled;
    }
    if let Some(refused) = ends.iter().find(|ended| matches!(ended, Ended::Refused(_))) {
        return refused.clone();
    }
    match (ends.drain(..).next(), was_carried_out) {
        (None, _) => Ended::Completed,
        // To try again would do a second time what was approved once.
        (Some(Ended::Failed(error)), true) => Ended::Refused(error),
        (Some(ended), _) => ended,
    }
}

/// The end of a card, if the note says that it has ended.
fn ended_by(note: &Note) -> Option<Ended> {
    Some(match note {
        Note::Decided(Decision::Rejected(reason)) if reason == UNATTENDED => {
            Ended::Failed(JobFault::Unattended.to_string())
        }
        Note::Decided(Decision::Rejected(reason)) => {
            Ended::Refused(JobFault::Rejected { reason: reason.clone() }.to_string())
        }
        Note::Decided(Decision::Expired) => Ended::Failed(JobFault::Undecided.to_string()),
        Note::Decided(Decision::Void) => Ended::Cancelled,
        Note::Done(outcome) => of_outcome(outcome),
        // The approved call has not ended, or the card stays open.
        Note::Decided(Decision::Approved | Decision::Unseen) | Note::Ended(_) => return None,
    })
}

fn of_outcome(outcome: &ToolOutcome) -> Ended {
    if !(outcome.is_error || outcome.refused) {
        return Ended::Completed;
    }
    let value: Value = serde_json::from_str(&outcome.json).unwrap_or_default();
    let message = value.get("message").or_else(|| value.get("code")).and_then(Value::as_str);
    Ended::Failed(message.map_or_else(|| JobFault::CallFailed.to_string(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(proposal: &str, is_approved: bool, ended: Option<Ended>) -> Card {
        Card { proposal: proposal.into(), is_approved, ended }
    }

    #[test]
    fn j_07_a_run_ends_as_its_cards_and_what_was_carried_out_is_not_tried_again() {
        let (failed, refused) = (|| Ended::Failed("late".into()), || Ended::Refused("rejected: no".into()));
        assert_eq!(all_told(Ended::Completed, vec![]), Ended::Completed);
        assert_eq!(all_told(Ended::Completed, vec![Ended::Completed, Ended::Completed]), Ended::Completed);
        assert_eq!(all_told(Ended::Completed, vec![failed()]), failed());
        assert_eq!(all_told(Ended::Completed, vec![failed(), refused()]), refused());
        assert_eq!(all_told(Ended::Completed, vec![refused(), Ended::Cancelled]), Ended::Cancelled);
        assert_eq!(all_told(Ended::Completed, vec![Ended::Completed, failed()]), Ended::Refused("late".into()));
        assert_eq!(all_told(failed(), vec![Ended::Completed]), Ended::Refused("late".into()));
        assert_eq!(all_told(failed(), vec![]), failed());
    }

    #[test]
    fn j_07_a_card_that_nobody_decided_on_fails_a_no_refuses_and_an_approval_alone_ends_nothing() {
        let decided = |decision| ended_by(&Note::Decided(decision));
        assert_eq!(decided(Decision::Expired), Some(Ended::Failed("nobody decided in time".into())));
        assert_eq!(decided(Decision::Rejected("no".into())), Some(Ended::Refused("rejected: no".into())));
        assert_eq!(decided(Decision::Void), Some(Ended::Cancelled));
        assert_eq!((decided(Decision::Approved), decided(Decision::Unseen)), (None, None));
        let done = ended_by(&Note::Done(ToolOutcome::answer(&serde_json::json!({}))));
        assert_eq!(done, Some(Ended::Completed));
    }

    #[test]
    fn j_10_the_row_keeps_the_card_that_was_approved_while_another_waits() {
        let (a, b) = (|| ProposalId::from("pr-a"), || ProposalId::from("pr-b"));
        assert_eq!(on_row(&[]), None);
        assert_eq!(on_row(&[card("pr-a", false, None)]), Some((a(), false)));
        assert_eq!(on_row(&[card("pr-a", true, None)]), Some((a(), true)));
        assert_eq!(
            on_row(&[card("pr-a", true, Some(Ended::Completed)), card("pr-b", false, None)]),
            Some((a(), false))
        );
        let refused = Some(Ended::Refused("rejected: no".into()));
        assert_eq!(on_row(&[card("pr-a", false, refused.clone()), card("pr-b", false, None)]), Some((b(), false)));
        assert_eq!(on_row(&[card("pr-a", false, refused)]), Some((a(), true)));
    }
}
