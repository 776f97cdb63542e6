//! Makes a proposal from a call of the agent or of a program.

use std::sync::Arc;
use std::time::Duration;

use agent::Decision;
use robot::{AgentId, Now, ProposalId, RawCommand, Role, SharedCode};
use safety::approval::tier::Tier;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::beforehand::{Activated, Beforehand};
use super::content::{Content, by_agent, group, unix_s};
use super::dispatch::first_outcome;
use super::facts::People;
use super::{Action, Closing, Entry, Inner, Live, Proposals, is_open, reference, tool_outcome};
use crate::code::StationCode;
use crate::operations::SEND_COMMAND;
use crate::station::Station;
use agent_runner::{Asked, Note, Requester, UNATTENDED};
use fleet::gate;
use fleet::state::commands::{Progress, Request};
use mission_runner::StepOf;
use runtime::audit::AuditEntry;
use runtime::error::OpError;
use runtime::operation::input_diff;
use runtime::session::Session;
use runtime::wire::{CommandStep, Proposal, ProposalDiff, ProposalReason, ProposalState};

/// Proposals that may wait at once; more would wear the operator down.
const OPEN_MAX: usize = 20;
/// New proposals a minute.
const PER_MINUTE_MAX: usize = 10;
/// Notes that a turn may have waiting: the decision and the outcome.
pub(super) const NOTES_MAX: usize = 4;
/// One minute on the station clock, milliseconds.
const MINUTE_MS: u64 = 60_000;

impl Proposals {
    /// Asks a person about a command of the agent, once for each id that it gives: a repeat gets the first
    /// outcome. That of the `step` of a run may be approved by the activation of its text.
    pub(super) async fn ask_motion(
        &self,
        station: &Arc<Station>,
        input: &Value,
        asker: Requester,
        step: Option<StepOf>,
    ) -> Result<Asked, OpError> {
        let raw = read(input, &asker)?;
        // Before the id is reserved: a command that names nothing uses up no id.
        gate::check_names(&station.fleet, &raw)?;
        station.fleet.unit(&raw.robot)?;
        let Some(id) = raw.id else { return self.ask_once(station, raw, asker, step).await };
        let asked = Request::new(&raw, Session::of_agent(&asker.agent).actor());
        // Reserved before it is judged (decision 0107): a repeat that comes meanwhile finds the id taken.
        if !station.fleet.commands.reserve(id, asked.clone(), None, station.runtime.clock.now().station)? {
            let first = station.fleet.commands.outcome(id, &asked)?.ok_or_else(|| Request::refused_again(id))?;
            return Ok(Asked::Ended(first_outcome(&first)));
        }
        let asked = self.ask_once(station, raw, asker, step).await;
        if asked.is_err() {
            // Nothing came of it, so the id is free again.
            station.fleet.commands.give_up(id);
        }
        asked
    }

    /// Asks a person about a command whose id is reserved. A denied command makes no card: its outcome is the verdict.
    async fn ask_once(
        &self,
        station: &Arc<Station>,
        raw: RawCommand,
        asker: Requester,
        step: Option<StepOf>,
    ) -> Result<Asked, OpError> {
        let agent = station.runner.agents.get(&asker.agent)?;
        let given = raw.id;
        raw.mission_id
            .as_ref()
            .map_or(Ok(()), |mission| station.missions.of(&asker.agent)?.lives.check_may_move(mission, &raw.robot))?;
        let people = People::around(station, &agent);
        let mut content = Content::of(station, &asker.agent, &raw, &people, asker.tainted)?;
        // Before anything follows from it: a verdict that finds no room in the audit becomes a denial.
        content.judged = gate::recorded(&station.runtime.audit, &by_agent(&asker.agent, &raw), content.judged);
        if !content.judged.allowed() {
            station.fleet.fallbacks.denied(
                &station.fleet,
                &station.fleet.unit(&raw.robot)?,
                &content.judged.verdict.sentence(),
            );
            let outcome = content.judged.into_outcome(Progress::at(CommandStep::Denied), None);
            station.fleet.verdicts.keep(&outcome.verdict, &outcome.explanation);
            gate::keep_denial(&station.fleet, given, &outcome);
            return Ok(Asked::Ended(tool_outcome(&Ok(outcome))));
        }
        let activated = step.filter(|_| !asker.tainted).and_then(|step| Activated::of(station, &agent, &step, &raw));
        let content = if activated.is_some() { content.seen() } else { content };
        // An activation uses up nothing of a standing approval.
        let beforehand = match activated {
            Some(activated) => Some(Beforehand::Activation(activated)).filter(|_| content.tier.0 < Tier::High),
            None => {
                let covering = self.standing.covering(station, &agent, &raw, &content, asker.tainted);
                covering.map(Beforehand::Standing)
            }
        };
        let (notes, waiting) = mpsc::channel(NOTES_MAX);
        let by = Session::of_agent(&asker.agent);
        let live = live(raw.clone(), &content, &asker, notes);
        let proposal = self.add(station, bare(station, &raw, &content, asker), content, live, beforehand.is_some())?;
        if let Some(id) = given {
            // From here on the command of this id is sent under this card and no other.
            station.fleet.commands.waits_under(id, &proposal.id);
        }
        if let Some(verdict) = &proposal.verdict {
            station.fleet.verdicts.keep(verdict, &proposal.explanation);
        }
        let asked = AuditEntry::by(&by, "proposal", "waiting");
        let about = format!("id={} robot={} tier_rule={}", proposal.id, proposal.input["robot"], proposal.tier_rule);
        // On record before anybody can decide on it.
        station.runtime.audit.note_done(asked.about(about));
        // Made and listed as ever, also if it needs no click (decision 0189).
        self.show(station, &proposal).await;
        self.refuse_unattended(station, &proposal);
        let shown = reference(&proposal);
        let is_covered = match beforehand {
            Some(beforehand) => self.approve_under(station, &proposal.id, beforehand).await,
            None => false,
        };
        if !is_covered {
            self.note_unseen(&proposal.id);
        }
        Ok(if is_covered { Asked::Covered(shown, waiting) } else { Asked::Waiting(shown, waiting) })
    }

    /// Adds a bare proposal that waits, filled in with what its judgement says.
    fn add(
        &self,
        station: &Station,
        mut proposal: Proposal,
        content: Content,
        live: Live,
        is_covered: bool,
    ) -> Result<Proposal, OpError> {
        let now = station.runtime.clock.now();
        let mut inner = self.lock();
        // The bounds spare the operator's attention, which a proposal without a click does not take.
        if !is_covered && let Err(error) = inner.admit(now.station.mono_ms()) {
            inner.tell_refused(station, &proposal.agent, now.station.mono_ms());
            return Err(error);
        }
        inner.forget_oldest();
        proposal.diff_from_last = inner.diff_from_last(&proposal);
        content.fill(&mut proposal, now);
        inner.entries.insert(proposal.id.clone(), Entry::new(&proposal, Some(live), station.fleet.stops.presses()));
        Ok(proposal)
    }

    /// Rejects a High proposal at once if nobody is present who could press and hold.
    pub(super) fn refuse_unattended(&self, station: &Station, proposal: &Proposal) {
        let idle_max = Duration::from_secs(60) * station.fleet.settings.operator_idle_min;
        if proposal.tier == Tier::High && self.attendance.is_unattended(idle_max, station.runtime.clock.now().station) {
            let decision = Decision::Rejected(UNATTENDED.to_owned());
            let (state, reason) = (ProposalState::Rejected, ProposalReason::Unattended);
            self.close(station, None, &proposal.id, Closing { state, reason, decision });
        }
    }
}

/// The command that `asker` wants sent.
fn read(input: &Value, asker: &Requester) -> Result<RawCommand, OpError> {
    let mut raw: RawCommand = serde_json::from_value(input.clone())
        .map_err(|error| OpError::bad_input(SharedCode::InvalidInput, "motion", error.to_string()))?;
    raw.mission_id = raw.mission_id.or_else(|| asker.mission.clone());
    Ok(raw)
}

/// The part of a motion's proposal that the station judges and sends.
fn live(raw: RawCommand, content: &Content, asker: &Requester, notes: mpsc::Sender<Note>) -> Live {
    let binding = content.present.binding.clone();
    Live {
        agent: asker.agent.clone(),
        action: Action::Motion { raw: Box::new(raw), binding: Box::new(binding), care: content.care() },
        tainted: asker.tainted,
        seen: content.is_seen(),
        cause: asker.cause.clone(),
        entry: asker.entry.clone(),
        notes,
    }
}

/// A motion's proposal without what its judgement fills in.
fn bare(station: &Station, raw: &RawCommand, content: &Content, asker: Requester) -> Proposal {
    let (tier, tier_rule) = content.tier;
    Proposal {
        action_hash: content.present.binding.action_hash.clone(),
        robot: Some(raw.robot.clone()),
        mission: raw.mission_id.clone(),
        group: group(raw),
        input: content.input.clone(),
        sentence: content.sentence.clone(),
        preconditions: content.against(&content.present.binding, &content.facts),
        ..blank(asker, tier, tier_rule, SEND_COMMAND, station.runtime.clock.now())
    }
}

/// A proposal to call `operation` that waits from now on. What is asked for exactly is left to fill in.
pub(super) fn blank(asker: Requester, tier: Tier, tier_rule: &str, operation: &str, now: Now) -> Proposal {
    Proposal {
        id: format!("pr-{}", uuid::Uuid::now_v7()).into(),
        version: 1,
        action_hash: String::new(),
        tier,
        tier_rule: tier_rule.to_owned(),
        role_needed: Role::Operator,
        agent: asker.agent,
        robot: None,
        mission: None,
        turn: asker.turn,
        session: asker.entry.map(|(session, _)| session),
        operation: operation.to_owned(),
        group: operation.to_owned(),
        input: Value::Null,
        sentence: String::new(),
        reason: asker.reason,
        facts: Vec::new(),
        preconditions: Vec::new(),
        verdict_id: None,
        set_version: 0,
        lease_epoch: 0,
        snapshot_seq: 0,
        start_pose: None,
        verdict: None,
        explanation: Vec::new(),
        preview: None,
        diff_from_last: None,
        created_at: now.unix_s(),
        expires_at: now.unix_s() + unix_s(tier.lifetime_ms()),
        expires_mono_ms: now.station.mono_ms() + tier.lifetime_ms(),
        state: ProposalState::Waiting,
        state_reason: None,
        state_reason_kind: None,
        steps: Vec::new(),
        decided_by: None,
        standing_approval: None,
        desks: Vec::new(),
        nobody_sees: false,
    }
}

impl Inner {
    /// Counts one more, or refuses it.
    pub(super) fn admit(&mut self, now_mono_ms: u64) -> Result<(), OpError> {
        self.made_mono_ms.retain(|made| now_mono_ms.saturating_sub(*made) < MINUTE_MS);
        let open = self.entries.values().filter(|entry| is_open(entry.proposal.state)).count();
        if open >= OPEN_MAX || self.made_mono_ms.len() >= PER_MINUTE_MAX {
            let message = format!("At most {OPEN_MAX} proposals wait and {PER_MINUTE_MAX} are made a minute.");
            let details = json!({ "open": open, "made_in_a_minute": self.made_mono_ms.len() });
            return Err(OpError::new(StationCode::TooManyOpen, message).with(details));
        }
        self.made_mono_ms.push_back(now_mono_ms);
        Ok(())
    }

    /// Says once a minute that proposals are refused.
    pub(super) fn tell_refused(&mut self, station: &Station, agent: &AgentId, now_mono_ms: u64) {
        if now_mono_ms < self.refusal_told_mono_ms {
            return;
        }
        self.refusal_told_mono_ms = now_mono_ms + MINUTE_MS;
        let sentence = format!("Agent {agent} asks too often; what it asks beyond the bound is refused.");
        station.runtime.bus.event_of(agent, "too_many_proposals", sentence);
    }

    pub(super) fn forget_oldest(&mut self) {
        let decided: Vec<ProposalId> =
            self.entries.iter().filter(|(_, entry)| !is_open(entry.proposal.state)).map(|(id, _)| id.clone()).collect();
        // Ids begin with their time, so the first ones are the oldest.
        for id in decided.iter().take(decided.len().saturating_sub(super::DECIDED_MAX)) {
            self.entries.remove(id);
        }
    }

    /// The fields that differ from the newest approved action of the same group.
    pub(super) fn diff_from_last(&self, proposal: &Proposal) -> Option<ProposalDiff> {
        let of_group = |entry: &&Entry| entry.proposal.group == proposal.group && was_approved(entry.proposal.state);
        let last = &self.entries.values().rev().find(of_group)?.proposal;
        Some(ProposalDiff { last: last.id.clone(), changes: input_diff::changes(&last.input, &proposal.input) })
    }
}

fn was_approved(state: ProposalState) -> bool {
    match state {
        ProposalState::Approved
        | ProposalState::Dispatched
        | ProposalState::Received
        | ProposalState::Running
        | ProposalState::Done
        | ProposalState::DoneNotConfirmed
        // Approved all the same: they failed, or were lost sight of, afterwards.
        | ProposalState::Failed
        | ProposalState::Unknown => true,
        ProposalState::Waiting
        | ProposalState::Recheck
        | ProposalState::Rejected
        | ProposalState::Expired
        | ProposalState::Voided => false,
    }
}

#[cfg(test)]
mod tests;
