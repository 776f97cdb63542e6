//! Proposals: what the agent or a program wants done, waiting for a person. Here is what they are and how they close;
//! the submodules make them, watch them, decide on them and send them, exactly once.

mod attendance;
mod beforehand;
mod call;
mod content;
mod decide;
mod desks;
mod dispatch;
mod dry_run;
mod facts;
mod make;
mod motion_words;
mod reach;
mod remember;
mod standing;
mod store;
mod watch;

pub(crate) use content::Bound;
use dispatch::tool_outcome;
pub(crate) use standing::Grant;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::AtomicI64;
use std::sync::{Mutex, MutexGuard};

use agent::Decision;
use agent_runner::Note;
use robot::{AgentId, ConversationId, MissionId, ProposalId, RawCommand, RobotId, Role};
use safety::Binding;
use tokio::sync::mpsc;

use crate::station::Station;
use attendance::Attendance;
use desks::Seen;
use runtime::audit::AuditEntry;
use runtime::lock::lock;
use runtime::session::Session;
use runtime::wire::{Fact, Proposal, ProposalReason, ProposalRef, ProposalState, Tag, word};
use standing::StandingApprovals;

/// Decided proposals kept for screens; all of them are on disk.
const DECIDED_MAX: usize = 200;

/// A proposal of this run, or one that an earlier run left behind.
struct Entry {
    proposal: Proposal,
    /// None for a proposal of an earlier run: nothing can come of it any more.
    live: Option<Live>,
    /// It is on disk, and so listed. A stop that comes earlier voids it all the same.
    is_shown: bool,
    seen: Seen,
    /// Count of stops of robots when it was made: the next stop voids it.
    presses: u64,
}

/// The part of a proposal that the station judges and sends.
#[derive(Clone)]
struct Live {
    agent: AgentId,
    action: Action,
    tainted: bool,
    /// The activation of a mission is to approve it: a person has seen it.
    seen: bool,
    /// The record of what led to it.
    cause: Option<String>,
    /// The conversation, and the entry in it that holds the call.
    entry: Option<(ConversationId, u64)>,
    notes: mpsc::Sender<Note>,
}

/// The action that an approval lets happen.
#[derive(Clone)]
enum Action {
    /// A robot moves. `care`: every rule by which it asked for the most care when it was judged.
    Motion { raw: Box<RawCommand>, binding: Box<Binding>, care: BTreeSet<&'static str> },
    /// The operation on the card is called as it stands there.
    Call,
}

/// The end of a proposal that waits.
struct Closing {
    state: ProposalState,
    reason: ProposalReason,
    /// The decision as the turn that asked hears of it.
    decision: Decision,
}

/// A card in the version that somebody has seen.
#[derive(Clone, Copy)]
pub(crate) struct CardRef<'a> {
    pub id: &'a ProposalId,
    pub version: u64,
}

/// All proposals.
#[derive(Default)]
pub struct Proposals {
    inner: Mutex<Inner>,
    /// Standing approvals.
    pub(crate) standing: StandingApprovals,
    /// The presence of a person who could decide.
    pub(crate) attendance: Attendance,
    /// Of the newest write to disk.
    revision: AtomicI64,
}

#[derive(Default)]
struct Inner {
    entries: BTreeMap<ProposalId, Entry>,
    made_mono_ms: VecDeque<u64>,
    /// Until then it has been said that more is refused.
    refusal_told_mono_ms: u64,
}

fn is_open(state: ProposalState) -> bool {
    matches!(state, ProposalState::Waiting | ProposalState::Recheck)
}

impl Entry {
    /// One that is not on disk yet, made after `presses` stops.
    fn new(proposal: &Proposal, live: Option<Live>, presses: u64) -> Self {
        Self { proposal: proposal.clone(), live, is_shown: false, seen: Seen::default(), presses }
    }

    /// Tells the turn that asked; it may be over and nobody listening.
    fn tell_turn(&self, note: Note) {
        if let Some(live) = &self.live {
            let _ = live.notes.try_send(note);
        }
    }
}

impl Closing {
    fn voided(reason: &ProposalReason) -> Self {
        Self { state: ProposalState::Voided, reason: reason.clone(), decision: Decision::Void }
    }
}

impl Inner {
    /// An entry that waits for a decision.
    fn open(&mut self, id: &ProposalId) -> Option<&mut Entry> {
        self.entries.get_mut(id).filter(|entry| is_open(entry.proposal.state))
    }
}

impl Proposals {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    /// Newest first; only those in `state` if given.
    pub fn list(&self, state: Option<ProposalState>) -> Vec<Proposal> {
        let inner = self.lock();
        let is_wanted = |entry: &&Entry| entry.is_shown && state.is_none_or(|state| entry.proposal.state == state);
        let wanted = inner.entries.values().filter(is_wanted);
        // The id starts with its time, so its order is the order of making.
        wanted.map(|entry| entry.proposal.clone()).rev().collect()
    }

    /// Ids of the proposals that wait for a decision, each with its expiry on the station clock, milliseconds.
    fn open(&self) -> Vec<(ProposalId, u64)> {
        let inner = self.lock();
        let open = inner.entries.values().map(|entry| &entry.proposal).filter(|proposal| is_open(proposal.state));
        open.map(|proposal| (proposal.id.clone(), proposal.expires_mono_ms)).collect()
    }

    /// Voids every proposal that waits, and all standing approvals.
    pub fn void_all(&self, station: &Station, by: &Session, reason: &ProposalReason) {
        self.void_made_before(station, by, u64::MAX, reason);
    }

    /// Voids proposals made before robots were stopped `presses` times, and all standing approvals.
    pub(crate) fn void_made_before(&self, station: &Station, by: &Session, presses: u64, reason: &ProposalReason) {
        // Before the cards: a standing approval could cover the next motion while these are voided.
        self.standing.void_all(station, by, &reason.to_string());
        let is_meant = |id: &ProposalId| self.lock().entries.get(id).is_some_and(|entry| entry.presses < presses);
        // Listed first: `close` takes the lock itself.
        for (id, _) in self.open().into_iter().filter(|(id, _)| is_meant(id)) {
            self.close(station, Some(by), &id, Closing::voided(reason));
        }
    }

    /// The proposals that wait for a decision on `robot`: the agent, the sentence, and the role that may decide.
    pub fn waiting_for(&self, robot: &RobotId) -> Vec<(AgentId, String, Role)> {
        let inner = self.lock();
        let waiting = inner.entries.values().map(|entry| &entry.proposal);
        let waiting = waiting.filter(|proposal| is_open(proposal.state) && proposal.robot.as_ref() == Some(robot));
        waiting.map(|proposal| (proposal.agent.clone(), proposal.sentence.clone(), proposal.role_needed)).collect()
    }

    /// True if no proposal waits for a decision.
    pub fn none_open(&self) -> bool {
        self.open().is_empty()
    }

    /// Voids what waits to move `robot`. Without `by` the station does so itself.
    pub fn void_of(&self, station: &Station, by: Option<&Session>, robot: &RobotId, reason: &ProposalReason) {
        let of_robot = |id: &ProposalId| {
            self.lock().entries.get(id).is_some_and(|entry| entry.proposal.robot.as_ref() == Some(robot))
        };
        for (id, _) in self.open().into_iter().filter(|(id, _)| of_robot(id)) {
            self.close(station, by, &id, Closing::voided(reason));
        }
    }

    /// Voids proposals that wait for a click for an agent's mission, and the standing approvals for it.
    pub fn void_of_mission(
        &self,
        station: &Station,
        by: &Session,
        agent: &AgentId,
        mission: &MissionId,
        reason: &ProposalReason,
    ) {
        self.standing.void_of_mission(station, by, mission, &reason.to_string());
        let is_its = |id: &ProposalId| {
            self.lock().entries.get(id).is_some_and(|Entry { proposal, .. }| {
                proposal.mission.as_ref() == Some(mission) && proposal.agent == *agent
            })
        };
        for (id, _) in self.open().into_iter().filter(|(id, _)| is_its(id)) {
            self.close(station, Some(by), &id, Closing::voided(reason));
        }
    }

    /// Voids a proposal that its asker has withdrawn, if it still waits.
    pub(crate) fn withdraw(&self, station: &Station, id: &ProposalId, reason: &ProposalReason) {
        self.close(station, None, id, Closing::voided(reason));
    }

    /// Ends a waiting proposal without sending anything; `None` if it no longer waits.
    fn close(&self, station: &Station, by: Option<&Session>, id: &ProposalId, closing: Closing) -> Option<Proposal> {
        let Closing { state, reason, decision } = closing;
        let proposal = {
            let mut inner = self.lock();
            let entry = inner.open(id)?;
            entry.proposal.put(state, Some(reason.clone()));
            entry.proposal.decided_by = by.map(|by| by.actor().to_owned());
            entry.tell_turn(Note::Decided(decision));
            entry.proposal.clone()
        };
        // Outside of the lock, which a stop takes to void what waits.
        let (outcome, about) = (word(&state), format!("id={id} reason={reason}"));
        let closed = match by {
            Some(by) => AuditEntry::by(by, "proposal", &outcome),
            None => AuditEntry::by_station("proposal", &outcome),
        };
        station.runtime.audit.note_done(closed.about(about));
        self.record_decision(station, id);
        self.tell(station, &proposal);
        Some(proposal)
    }

    /// Puts a new proposal on disk and then before a person: what somebody has seen is there after a crash.
    async fn show(&self, station: &Station, proposal: &Proposal) {
        self.save(station, proposal).await;
        if let Some(entry) = self.lock().entries.get_mut(&proposal.id) {
            entry.is_shown = true;
            // As it stands by now: a stop may have voided it while it was written.
            announce(station, &entry.proposal);
        }
    }

    /// Tells every window of a change, and saves it.
    fn tell(&self, station: &Station, proposal: &Proposal) {
        announce(station, proposal);
        self.save_later(station, proposal);
    }

    /// Changes a proposal and tells every window of it.
    fn edit_entry(&self, station: &Station, id: &ProposalId, change: impl FnOnce(&mut Proposal)) -> Option<Proposal> {
        let proposal = {
            let mut inner = self.lock();
            let proposal = &mut inner.entries.get_mut(id)?.proposal;
            change(proposal);
            proposal.clone()
        };
        self.tell(station, &proposal);
        Some(proposal)
    }
}

fn announce(station: &Station, proposal: &Proposal) {
    let fact = Fact::Proposal { id: proposal.id.clone(), version: proposal.version, state: proposal.state };
    station.runtime.bus.fact(fact, Some(Tag::Proposals));
}

fn reference(proposal: &Proposal) -> ProposalRef {
    ProposalRef {
        id: proposal.id.clone(),
        tier: proposal.tier,
        tier_rule: proposal.tier_rule.clone(),
        expires_at: proposal.expires_at,
    }
}

#[cfg(test)]
mod tests;
