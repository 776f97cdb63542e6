//! Proposals on disk: saved with every change, and taken up again as what they can still be. `station.db` has the
//! last word on what was approved.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use memory::{AgentDb, ApprovalState, ProposalRow};
use robot::{AgentId, ProposalId};

use super::{Entry, Proposals};
use crate::station::Station;
use runtime::wire::{Proposal, ProposalReason, ProposalState, word};

/// Proposals of earlier runs that screens can still show.
const RESTORED_MAX: u32 = 200;

impl Proposals {
    /// Takes up what earlier runs have left. Nothing of it can be approved or sent any more.
    pub(crate) async fn load(&self, station: &Station) -> Result<(), memory::MemoryError> {
        self.attendance.note_start(station.runtime.clock.now().station);
        self.standing.load(station).await?;
        let mut stored = Vec::new();
        for agent in station.runner.agents.all() {
            stored.extend(agent.db.proposals(RESTORED_MAX).await?);
        }
        let newest = stored.iter().map(|row| row.revision).max().unwrap_or(0);
        self.revision.store(newest, Ordering::Relaxed);
        let approved = station.runtime.db.approvals(RESTORED_MAX).await?;
        let approval_of: BTreeMap<&str, ApprovalState> =
            approved.iter().map(|(row, state)| (row.proposal.as_str(), *state)).collect();
        let mut bodies: BTreeMap<&str, &str> =
            approved.iter().map(|(row, _)| (row.proposal.as_str(), row.body.as_str())).collect();
        // The agent's copy tells what followed the approval, so it goes over the approval's own.
        bodies.extend(stored.iter().map(|row| (row.id.as_str(), row.body.as_str())));
        for (id, body) in bodies {
            let Some(mut proposal) = read(id, body) else { continue };
            let before = proposal.state;
            settle(&mut proposal, approval_of.get(id).copied());
            if proposal.state != before {
                self.save(station, &proposal).await;
            }
            let entry = Entry { is_shown: true, ..Entry::new(&proposal, None, 0) };
            self.lock().entries.insert(proposal.id.clone(), entry);
        }
        Ok(())
    }

    /// Saves a proposal; on disk when this returns, unless the disk fails.
    pub(super) async fn save(&self, station: &Station, proposal: &Proposal) {
        if let Some(write) = self.write(station, proposal) {
            write.await;
        }
    }

    /// Saves a proposal soon. The newest form wins, in whatever order the writes arrive.
    pub(super) fn save_later(&self, station: &Station, proposal: &Proposal) {
        if let Some(write) = self.write(station, proposal) {
            station.runtime.spawn(write);
        }
    }

    /// Writes it where its agent keeps what it proposed. None for an agent that is gone.
    fn write(&self, station: &Station, proposal: &Proposal) -> Option<impl Future<Output = ()> + Send + use<>> {
        let agent = station.runner.agents.get(&proposal.agent).ok()?;
        let row = self.row(proposal);
        Some(async move {
            if let Err(error) = agent.db.save_proposal(&row).await {
                tracing::error!(id = %row.id, error = &error as &dyn std::error::Error, "proposal not saved");
            }
        })
    }

    /// Saves every proposal of `agent` as it is held into its database, which a backup has replaced.
    pub(crate) async fn put_back(&self, agent: &AgentId, db: &AgentDb) -> Result<(), memory::MemoryError> {
        let held: Vec<Proposal> = {
            let inner = self.lock();
            let of_agent = inner.entries.values().map(|entry| &entry.proposal).filter(|held| held.agent == *agent);
            of_agent.cloned().collect()
        };
        // Each is read again when its turn comes: what was decided meanwhile is newer.
        for proposal in held.iter().filter_map(|held| self.held(&held.id)) {
            db.save_proposal(&self.row(&proposal)).await?;
        }
        Ok(())
    }

    fn held(&self, id: &ProposalId) -> Option<Proposal> {
        self.lock().entries.get(id).map(|entry| entry.proposal.clone())
    }

    fn row(&self, proposal: &Proposal) -> ProposalRow {
        // Every limit of every card would fill the disk; the verdict keeps those that matter.
        let body = Proposal { explanation: Vec::new(), ..proposal.clone() };
        ProposalRow {
            id: proposal.id.clone(),
            mission_id: proposal.mission.as_ref().map(ToString::to_string),
            state: word(&proposal.state),
            tier: word(&proposal.tier),
            action_hash: proposal.action_hash.clone(),
            expires_ms: proposal.expires_at.saturating_mul(1000),
            created_ms: proposal.created_at.saturating_mul(1000),
            revision: self.revision.fetch_add(1, Ordering::Relaxed) + 1,
            body: serde_json::to_string(&body).unwrap_or_default(),
        }
    }
}

/// A stored proposal. One that cannot be read is named and left out.
fn read(id: &str, body: &str) -> Option<Proposal> {
    serde_json::from_str(body).map_err(|error| tracing::warn!(id, %error, "a stored proposal cannot be read")).ok()
}

/// Settles a proposal of an earlier run on the state it can still have, given how far its approval got.
fn settle(proposal: &mut Proposal, approval: Option<ApprovalState>) {
    use ProposalState::{Approved, Dispatched, Done, Expired, Failed, Received, Recheck, Rejected, Running, Unknown};
    use ProposalState::{DoneNotConfirmed, Voided, Waiting};
    let (state, reason) = match (approval, proposal.state) {
        // The row of an approval knows one kind of end; the proposal says which.
        (Some(ApprovalState::Done), DoneNotConfirmed) => return,
        (Some(ApprovalState::Done), _) => (Done, None),
        (Some(ApprovalState::Failed), _) => (Failed, None),
        (Some(ApprovalState::Rejected), _) => (Rejected, None),
        // It may have reached the robot, so it is not sent a second time.
        (Some(ApprovalState::Dispatched), _) | (None, Dispatched | Received | Running) => {
            (Unknown, Some(ProposalReason::EndedUnreported))
        }
        (None, Waiting | Recheck) => (Expired, Some(ProposalReason::EndedUndecided)),
        (None, Approved) => (Voided, Some(ProposalReason::EndedUnsent)),
        (None, Rejected | Expired | Voided | Done | DoneNotConfirmed | Failed | Unknown) => return,
    };
    if proposal.state != state {
        proposal.put(state, reason);
    }
}

#[cfg(test)]
mod tests;
