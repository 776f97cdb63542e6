//! Records of decided proposals, and forgetting in what is held of them.

use memory::episodic::EpisodeRole;
use memory::forget::Needles;
use robot::{ProposalId, Trust};

use super::Proposals;
use crate::station::Station;
use agent_runner::Record;
use agent_runner::without;
use runtime::wire::{Proposal, word};

impl Proposals {
    /// Records how a proposal was decided, with the record that led to it as its cause.
    pub(super) fn record_decision(&self, station: &Station, id: &ProposalId) {
        let (proposal, cause, trust) = {
            let inner = self.lock();
            let Some(entry) = inner.entries.get(id) else { return };
            // The sentence quotes what was asked, so a tainted request makes an untrusted record.
            let is_clean = entry.live.as_ref().is_some_and(|live| !live.tainted);
            let trust = if is_clean { Trust::Trusted } else { Trust::Text };
            (entry.proposal.clone(), entry.live.as_ref().and_then(|live| live.cause.clone()), trust)
        };
        let Ok(agent) = station.runner.agents.get(&proposal.agent) else { return };
        let by = proposal.decided_by.as_ref().map_or_else(|| "system".to_owned(), |by| format!("operator({by})"));
        let decision = Record::new(EpisodeRole::Plan, sentence(&proposal), by, trust);
        agent.episodes.record(decision.of_mission(proposal.mission).caused_by(cause));
    }

    /// Takes texts out of what is held of proposals, so that no later save brings them back to the disk.
    pub(crate) fn forget(&self, needles: &Needles, mark: &str) {
        for entry in self.lock().entries.values_mut() {
            if let Some(kept) = without(&entry.proposal, needles, mark) {
                entry.proposal = kept;
            }
        }
    }
}

fn sentence(proposal: &Proposal) -> String {
    let by = proposal.decided_by.as_ref().map_or_else(String::new, |by| format!(" by {by}"));
    let reason = proposal.state_reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
    format!("{} {}{by}{reason} ({})", proposal.id, word(&proposal.state), proposal.sentence)
}
