//! Proposals: what the agent wants done, waiting for a person. Tiers, validity and exactly-once dispatch.

mod make;
mod tier;

pub(crate) use make::Asked;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use agent::{Decision, ToolOutcome};
use memory::ApprovalRow;
use robot::{RawCommand, Trust};
use serde_json::json;
use tokio::sync::mpsc;

use crate::audit::Happening;
use crate::commands::Step;
use crate::error::OpError;
use crate::gate::{self, Submission};
use crate::lock::lock;
use crate::session::Session;
use crate::station::Station;
use crate::wire::{
    Approved, CommandOutcome, CommandStep, Fact, LinkState, Proposal, ProposalRef, ProposalState, StepAt, Tag, word,
};

/// Proposals that may wait at once; more would wear the operator down.
const OPEN_MAX: usize = 20;
/// New proposals a minute.
const PER_MINUTE_MAX: usize = 10;
/// Decided proposals kept for the history of this run.
const DECIDED_MAX: usize = 200;
/// How far the robot may have moved since the proposal was judged, metres.
const START_MOVED_M_MAX: f64 = 0.02;

/// What a decision means for the turn that asked.
#[derive(Debug)]
pub(crate) enum Note {
    /// A person, the clock or a stop decided.
    Decided(Decision),
    /// The approved call ended.
    Done(ToolOutcome),
}

struct Entry {
    proposal: Proposal,
    raw: RawCommand,
    set_version: u64,
    start_m: Option<[f64; 3]>,
    notes: mpsc::Sender<Note>,
}

/// All proposals of this run.
#[derive(Default)]
pub struct Proposals {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    entries: BTreeMap<String, Entry>,
    made_mono_ms: VecDeque<u64>,
}

fn is_open(state: ProposalState) -> bool {
    matches!(state, ProposalState::Waiting | ProposalState::Recheck)
}

impl Proposals {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    /// Newest first; only those in `state` if given.
    pub fn list(&self, state: Option<ProposalState>) -> Vec<Proposal> {
        let inner = self.lock();
        let wanted = inner.entries.values().filter(|entry| state.is_none_or(|state| entry.proposal.state == state));
        // The id starts with its time, so its order is the order of making.
        wanted.map(|entry| entry.proposal.clone()).rev().collect()
    }

    /// What waits for a decision, with the time at which it expires.
    fn open(&self) -> Vec<(String, u64)> {
        let inner = self.lock();
        let open = inner.entries.values().map(|entry| &entry.proposal).filter(|proposal| is_open(proposal.state));
        open.map(|proposal| (proposal.id.clone(), proposal.expires_mono_ms)).collect()
    }

    /// Whether nothing waits for a decision.
    pub fn none_open(&self) -> bool {
        self.open().is_empty()
    }

    /// Voids everything that waits.
    pub fn void_all(&self, station: &Station, by: &Session, reason: &str) {
        for (id, _) in self.open() {
            self.close(station, Some(by), &id, (ProposalState::Voided, reason), Decision::Void);
        }
    }

    /// Ends a waiting proposal without sending anything; `None` if it no longer waits.
    fn close(
        &self,
        station: &Station,
        by: Option<&Session>,
        id: &str,
        (state, reason): (ProposalState, &str),
        decision: Decision,
    ) -> Option<Proposal> {
        let proposal = {
            let mut inner = self.lock();
            let entry = inner.entries.get_mut(id).filter(|entry| is_open(entry.proposal.state))?;
            entry.proposal.state = state;
            entry.proposal.state_reason = Some(reason.to_owned());
            // The turn may be over and nobody listening; the state above is what counts.
            let _ = entry.notes.try_send(Note::Decided(decision));
            entry.proposal.clone()
        };
        let (outcome, about) = (word(&state), format!("id={id} reason={reason}"));
        let closed = match by {
            Some(by) => Happening::by(by, "proposal", &outcome),
            None => Happening::by_station("proposal", &outcome),
        };
        station.audit.note_done(closed.about(about));
        self.tell(station, &proposal);
        Some(proposal)
    }

    fn tell(&self, station: &Station, proposal: &Proposal) {
        let fact = Fact::Proposal { id: proposal.id.clone(), version: proposal.version, state: proposal.state };
        station.hub.fact(fact, Some(Tag::Proposals));
    }

    /// Rejects with a person's reason.
    pub fn reject(
        &self,
        station: &Station,
        by: &Session,
        id: &str,
        version: u64,
        reason: &str,
    ) -> Result<Approved, OpError> {
        self.checked(id, version, None)?;
        let rejected = Decision::Rejected(reason.to_owned());
        let Some(proposal) = self.close(station, Some(by), id, (ProposalState::Rejected, reason), rejected) else {
            return Err(self.closed_error(id));
        };
        if let Some(entry) = self.lock().entries.get_mut(id) {
            entry.proposal.decided_by = Some(by.actor().to_owned());
        }
        Ok(Approved { id: proposal.id, version: proposal.version, state: proposal.state })
    }

    fn closed_error(&self, id: &str) -> OpError {
        let state = self.lock().entries.get(id).map(|entry| entry.proposal.state);
        let Some(state) = state else { return OpError::not_found("proposal_not_found", "proposal", id) };
        OpError::conflict("proposal_closed", format!("The proposal is {} already.", word(&state)))
            .with(json!({ "state": state }))
    }

    /// The proposal if it waits, in exactly the version and with exactly the content that was shown.
    fn checked(&self, id: &str, version: u64, action_hash: Option<&str>) -> Result<(), OpError> {
        let inner = self.lock();
        let Some(entry) = inner.entries.get(id) else {
            return Err(OpError::not_found("proposal_not_found", "proposal", id));
        };
        let proposal = &entry.proposal;
        let open = is_open(proposal.state);
        let same = proposal.version == version && action_hash.is_none_or(|hash| hash == proposal.action_hash);
        let present = json!({ "version": proposal.version, "state": proposal.state });
        drop(inner);
        if !open {
            return Err(self.closed_error(id));
        }
        if same {
            return Ok(());
        }
        let message = "What is proposed is not what was on the screen. Read it again.";
        Err(OpError::conflict("proposal_changed", message).with(present))
    }

    /// Approves what was shown and sends it, once. Everything is judged again at this moment.
    pub async fn approve(
        &self,
        station: &Arc<Station>,
        by: &Session,
        (id, version, action_hash): (&str, u64, &str),
    ) -> Result<Approved, OpError> {
        self.checked(id, version, Some(action_hash))?;
        self.refresh(station, id);
        let row = {
            let mut inner = self.lock();
            let Some(entry) = inner.entries.get_mut(id) else {
                return Err(OpError::not_found("proposal_not_found", "proposal", id));
            };
            let now = station.clock.now();
            if entry.proposal.state != ProposalState::Waiting || entry.proposal.version != version {
                let reason = entry.proposal.state_reason.clone().unwrap_or_else(|| "the state has changed".into());
                let message = format!("Not approved: {reason}. It is being judged again.");
                return Err(OpError::conflict("proposal_recheck", message));
            }
            if now.station.mono_ms() >= entry.proposal.expires_mono_ms {
                return Err(OpError::conflict("proposal_closed", "The proposal has expired."));
            }
            entry.proposal.state = ProposalState::Approved;
            entry.proposal.decided_by = Some(by.actor().to_owned());
            approval_row(&entry.proposal, by, now.wall_ms)
        };
        if let Err(error) = claim_on_record(station, by, &row).await {
            self.not_sent(station, id, &error);
            return Err(error);
        }
        self.set_state(station, id, ProposalState::Dispatched, None);
        self.dispatch(station, id);
        Ok(Approved { id: id.to_owned(), version, state: ProposalState::Approved })
    }

    /// Ends an approved proposal that could not be claimed or put on record: it is not sent, now or later.
    fn not_sent(&self, station: &Station, id: &str, error: &OpError) {
        if let Some(entry) = self.lock().entries.get(id) {
            // The turn may be over and nobody listening.
            let _ = entry.notes.try_send(Note::Decided(Decision::Void));
        }
        self.set_state(station, id, ProposalState::Failed, Some(error.code.clone()));
    }

    fn set_state(&self, station: &Station, id: &str, state: ProposalState, reason: Option<String>) {
        self.edit(station, id, |proposal| {
            proposal.state = state;
            proposal.state_reason = reason;
        });
    }

    /// Changes a proposal and tells every window of it.
    fn edit(&self, station: &Station, id: &str, change: impl FnOnce(&mut Proposal)) -> Option<Proposal> {
        let proposal = {
            let mut inner = self.lock();
            let proposal = &mut inner.entries.get_mut(id)?.proposal;
            change(proposal);
            proposal.clone()
        };
        self.tell(station, &proposal);
        Some(proposal)
    }

    fn dispatch(&self, station: &Arc<Station>, id: &str) {
        let (submission, notes) = {
            let inner = self.lock();
            let Some(entry) = inner.entries.get(id) else { return };
            let proposal = Some(reference(&entry.proposal));
            (Submission { raw: entry.raw.clone(), by: Session::agent(), proposal }, entry.notes.clone())
        };
        let _ = notes.try_send(Note::Decided(Decision::Approved));
        let (station, id) = (Arc::clone(station), id.to_owned());
        station.tasks.clone().spawn(async move {
            let outcome = send(&station, submission).await;
            station.proposals.note_outcome(&station, &id, &outcome);
            let _ = notes.try_send(Note::Done(tool_outcome(&outcome)));
        });
    }

    fn note_outcome(&self, station: &Station, id: &str, outcome: &Result<CommandOutcome, OpError>) {
        match outcome {
            Ok(outcome) if outcome.state == CommandStep::Denied => {
                let reason = outcome.code.clone().unwrap_or_else(|| outcome.sentence.clone());
                self.set_state(station, id, ProposalState::Failed, Some(reason));
            }
            Ok(_) => {}
            Err(error) => self.set_state(station, id, ProposalState::Failed, Some(error.message.clone())),
        }
    }

    /// Notes how far the command of a proposal got.
    pub(crate) fn note_step(&self, station: &Station, step: &Step) {
        let Some(id) = &step.proposal else { return };
        let at_mono_ms = station.clock.now().station.mono_ms();
        let (reached, code) = &step.progress;
        let edited = self.edit(station, id, |proposal| {
            proposal.steps.push(StepAt { step: *reached, at_mono_ms });
            proposal.state = state_after(*reached, proposal.state);
            proposal.state_reason = code.clone();
        });
        let Some(proposal) = edited else { return };
        if matches!(proposal.state, ProposalState::Done | ProposalState::Failed) {
            let (db, id) = (station.db.clone(), id.clone());
            station.tasks.spawn(async move {
                if let Err(error) = db.end_dispatch(&id).await {
                    tracing::error!(error = &error as &dyn std::error::Error, "outcome not saved");
                }
            });
        }
    }

    /// Expires what nobody decided, and judges again what was judged on a state that has changed.
    pub(crate) fn sweep(&self, station: &Arc<Station>) {
        let now_ms = station.clock.now().station.mono_ms();
        for (id, expires_mono_ms) in self.open() {
            if now_ms >= expires_mono_ms {
                let expired = (ProposalState::Expired, "nobody decided in time");
                self.close(station, None, &id, expired, Decision::Expired);
            } else {
                self.refresh(station, &id);
            }
        }
    }

    /// Compares a waiting proposal with the present. If what it was judged on has changed it is judged again: allowed
    /// gives a new version that waits for a new look, anything else a re-check that cannot be approved.
    fn refresh(&self, station: &Arc<Station>, id: &str) {
        let Some((raw, changed)) = self.changed(station, id) else { return };
        let Some(changed) = changed else { return };
        let fresh = make::judged_content(station, &raw);
        let proposal = {
            let mut inner = self.lock();
            let Some(entry) = inner.entries.get_mut(id).filter(|entry| is_open(entry.proposal.state)) else { return };
            match fresh {
                Ok(content) if content.judged.allowed() && content.link == LinkState::Live => {
                    entry.set_version = content.set_version;
                    entry.start_m = content.start_m;
                    entry.proposal.version += 1;
                    entry.proposal.state = ProposalState::Waiting;
                    entry.proposal.state_reason = None;
                    content.fill(&mut entry.proposal);
                }
                Ok(content) if entry.proposal.state == ProposalState::Waiting => {
                    entry.proposal.version += 1;
                    entry.proposal.state = ProposalState::Recheck;
                    entry.proposal.state_reason = Some(changed);
                    content.fill(&mut entry.proposal);
                }
                Ok(_) => return,
                Err(error) => {
                    entry.proposal.state = ProposalState::Recheck;
                    entry.proposal.state_reason = Some(error.message);
                }
            }
            entry.proposal.clone()
        };
        self.tell(station, &proposal);
    }

    /// The raw command of a waiting proposal and what has changed since it was judged.
    fn changed(&self, station: &Station, id: &str) -> Option<(RawCommand, Option<String>)> {
        let inner = self.lock();
        let entry = inner.entries.get(id).filter(|entry| is_open(entry.proposal.state))?;
        if entry.proposal.state == ProposalState::Recheck {
            return Some((entry.raw.clone(), Some("judged again".into())));
        }
        let Ok(unit) = station.unit(&entry.raw.robot) else { return Some((entry.raw.clone(), None)) };
        let measured = unit.measurements();
        let moved_m =
            entry.start_m.zip(measured.pose.as_ref()).map(|(start, pose)| distance(start, pose.value.position_m));
        let state = unit.robot_state();
        let now = station.clock.now().station;
        let changed = if state.latched || !state.armed {
            Some("the robot is no longer armed")
        } else if unit.limits.load().version() != entry.set_version {
            Some("the limits have changed")
        } else if unit.link_state(now) != LinkState::Live {
            Some("the robot does not answer")
        } else if moved_m.is_some_and(|moved_m| !(moved_m <= START_MOVED_M_MAX)) {
            Some("the robot has moved")
        } else {
            None
        };
        Some((entry.raw.clone(), changed.map(str::to_owned)))
    }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Sends a command off the async runtime's threads and waits for the robot's first word.
pub(crate) async fn send(station: &Arc<Station>, submission: Submission) -> Result<CommandOutcome, OpError> {
    let in_thread = Arc::clone(station);
    let sent = tokio::task::spawn_blocking(move || gate::submit(&in_thread, submission)).await;
    let mut outcome = sent.map_err(|error| {
        tracing::error!(%error, "the gate panicked");
        OpError::new(crate::error::ErrorKind::Internal, "validator_error", "The safety gate failed; nothing was sent.")
    })??;
    if outcome.state == CommandStep::Sent {
        (outcome.state, outcome.code) = station.commands.first_report(outcome.command_id).await;
    }
    Ok(outcome)
}

/// A command's outcome as the agent reads it.
pub(crate) fn tool_outcome(outcome: &Result<CommandOutcome, OpError>) -> ToolOutcome {
    let (value, is_error, refused) = match outcome {
        Ok(outcome) => (serde_json::to_value(outcome), false, is_refused(outcome.state)),
        Err(error) => (serde_json::to_value(error), true, false),
    };
    let json = value.unwrap_or_else(|_| json!({})).to_string();
    ToolOutcome { json, is_error, refused, trust: Trust::Trusted }
}

fn is_refused(step: CommandStep) -> bool {
    matches!(step, CommandStep::Denied | CommandStep::RefusedByRobot)
}

fn state_after(step: CommandStep, before: ProposalState) -> ProposalState {
    match step {
        CommandStep::Approved | CommandStep::Sent => before,
        CommandStep::Received => ProposalState::Received,
        CommandStep::Running => ProposalState::Running,
        CommandStep::Done => ProposalState::Done,
        CommandStep::Unknown => ProposalState::Unknown,
        CommandStep::Denied | CommandStep::Failed | CommandStep::Superseded | CommandStep::RefusedByRobot => {
            ProposalState::Failed
        }
    }
}

fn reference(proposal: &Proposal) -> ProposalRef {
    ProposalRef {
        id: proposal.id.clone(),
        tier: proposal.tier,
        tier_rule: proposal.tier_rule.clone(),
        expires_at: proposal.expires_at,
    }
}

/// Claims a proposal for sending, once, and puts the approval on record. Both are on disk when this returns.
async fn claim_on_record(station: &Station, by: &Session, row: &ApprovalRow) -> Result<(), OpError> {
    if !station.db.claim_dispatch(row).await? {
        return Err(OpError::conflict("proposal_closed", "The proposal was sent already."));
    }
    let about = format!("id={} version={} action_hash={}", row.proposal, row.version, row.action_hash);
    station.audit.commit(Happening::by(by, "approval", "ok").about(about)).await
}

fn approval_row(proposal: &Proposal, by: &Session, at_ms: i64) -> ApprovalRow {
    ApprovalRow {
        proposal: proposal.id.clone(),
        version: proposal.version,
        action_hash: proposal.action_hash.clone(),
        by: by.actor().to_owned(),
        at_ms,
        body: serde_json::to_string(proposal).unwrap_or_default(),
    }
}
