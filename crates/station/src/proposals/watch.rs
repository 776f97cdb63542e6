//! Looks after what waits: expires it, and judges it again and again, because the world goes on.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent::Decision;
use robot::{AgentId, ProposalId};

use super::content::{Content, broken};
use super::dispatch::refused;
use super::facts::People;
use super::{Action, Closing, Entry, Live, Proposals};
use crate::station::Station;
use runtime::error::OpError;
use runtime::wire::{PreconditionRow, Proposal, ProposalReason, ProposalState};

#[cfg(test)]
mod arrivals;

impl Proposals {
    /// Expires proposals that were not decided in time, and judges the waiting ones again.
    pub(crate) fn sweep(&self, station: &Arc<Station>) {
        self.standing.sweep(station);
        self.look_for_unseen(station);
        let open = self.open();
        if open.is_empty() {
            return;
        }
        let (now_ms, people) = (station.runtime.clock.now().station.mono_ms(), People::around_all(station));
        for (id, expires_mono_ms) in open {
            if now_ms >= expires_mono_ms {
                let (state, reason) = (ProposalState::Expired, ProposalReason::NotDecided);
                self.close(station, None, &id, Closing { state, reason, decision: Decision::Expired });
            } else {
                self.refresh(station, &id, &people);
            }
        }
    }

    /// Compares a waiting proposal with the present. What no longer holds turns it into a re-check; once everything
    /// has held from one look to the next it waits again, as a new version for a new look.
    pub(super) fn refresh(&self, station: &Arc<Station>, id: &ProposalId, people: &BTreeMap<AgentId, People>) {
        let live = self.lock().open(id).and_then(|entry| entry.live.clone());
        let Some((live, people)) = live.and_then(|live| people.get(&live.agent).map(|people| (live, people))) else {
            return;
        };
        let Action::Motion { raw, .. } = &live.action else { return };
        // Judged without the lock, which a stop takes to void what waits.
        let fresh = Content::of(station, &live.agent, raw, people, live.tainted);
        let fresh = fresh.map(|content| if live.seen { content.seen() } else { content });
        let changed = {
            let mut inner = self.lock();
            // It may have been decided meanwhile.
            let Some(entry) = inner.open(id) else { return };
            entry.compare(fresh, station.runtime.clock.now()).then(|| entry.proposal.clone())
        };
        let Some(proposal) = changed else { return };
        self.tell(station, &proposal);
        self.refuse_unattended(station, &proposal);
    }
}

impl Entry {
    /// Takes in a new judgement; true if what a screen shows has changed.
    fn compare(&mut self, fresh: Result<Content, OpError>, now: robot::Now) -> bool {
        let Some(Live { action: Action::Motion { binding, care, .. }, .. }) = &self.live else { return false };
        let content = match fresh {
            Ok(content) => content,
            Err(error) => return self.recheck(refused(&error)),
        };
        let rows = content.against(binding, &self.proposal.facts);
        let Proposal { tier, facts, .. } = &self.proposal;
        // A card never asks for less care than its action needs now, by every rule and not by the first alone.
        let more_care = || {
            let rule = content.more_care(*tier, care, facts)?;
            Some(ProposalReason::MoreCare { rule: rule.to_owned() })
        };
        let broken = broken(&rows).or_else(more_care);
        match (self.proposal.state, broken) {
            (ProposalState::Waiting, None) => false,
            // The robot may still move, or the command still be denied: the next look compares with this state.
            (_, Some(reason)) => {
                self.take(content, rows, now);
                if let ProposalReason::MoreCare { rule } = &reason {
                    self.proposal.tier_rule.clone_from(rule);
                }
                self.recheck(reason)
            }
            (_, None) => {
                self.take(content, rows, now);
                self.proposal.version += 1;
                self.proposal.put(ProposalState::Waiting, None);
                true
            }
        }
    }

    fn take(&mut self, content: Content, rows: Vec<PreconditionRow>, now: robot::Now) {
        self.live.iter_mut().for_each(|live| live.rebind(&content));
        self.proposal.preconditions = rows;
        content.fill(&mut self.proposal, now);
    }

    /// Says what does not hold; true if that is news.
    fn recheck(&mut self, reason: ProposalReason) -> bool {
        // Compared by its sentence: details of a refusal may change at every look without being news.
        let is_said = self.proposal.state_reason.as_ref().is_some_and(|said| *said == reason.to_string());
        if self.proposal.state == ProposalState::Recheck && is_said {
            return false;
        }
        self.proposal.version += 1;
        self.proposal.put(ProposalState::Recheck, Some(reason));
        true
    }
}

impl Live {
    fn rebind(&mut self, content: &Content) {
        if let Action::Motion { binding, care, .. } = &mut self.action {
            **binding = content.present.binding.clone();
            *care = content.care();
        }
    }
}

#[cfg(test)]
mod tests;
