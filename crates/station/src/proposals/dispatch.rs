//! Sends what was approved and claimed, and follows its progress.

use std::sync::Arc;

use agent::{Decision, ToolOutcome};
use memory::ApprovalState;
use robot::{CommandId, ProposalId, SessionId, Trust};
use serde_json::{Value, json};

use super::{Action, Bound, Proposals, reference};
use crate::station::Station;
use agent_runner::tools::toolbox::tool_error;
use agent_runner::{Note, TaskEnd};
use fleet::state::commands::{Progress, Step, is_over};
use fleet::{Submission, UnderProposal, gate};
use runtime::error::OpError;
use runtime::session::Session;
use runtime::vouched;
use runtime::wire::{CommandOutcome, CommandStep, Proposal, ProposalReason, ProposalState, StepAt, word};

impl Proposals {
    /// Sends a claimed proposal. The gate looks once more at all that the approval is bound to.
    pub(super) fn dispatch(&self, station: &Arc<Station>, id: &ProposalId, approved_by: Option<&SessionId>) {
        // Before it is sent: steps of the command arrive at once, and must not be overwritten.
        self.set_state(station, id, ProposalState::Dispatched, None);
        let (submission, notes) = {
            let inner = self.lock();
            let Some(entry) = inner.entries.get(id) else { return };
            let Some(live) = entry.live.clone() else { return };
            let Action::Motion { raw, binding, care } = live.action else { return };
            let facts = entry.proposal.facts.iter().map(|fact| fact.key.clone()).collect();
            let approval = Arc::new(Bound { binding: *binding, facts, care, station: Arc::downgrade(station) });
            let approved_by = approved_by.cloned();
            let under = UnderProposal { shown: reference(&entry.proposal), approval, approved_by };
            (Submission { proposal: Some(under), ..Submission::new(*raw, Session::of_agent(&live.agent)) }, live.notes)
        };
        self.record_decision(station, id);
        // The turn may be over and nobody listening.
        let _ = notes.try_send(Note::Decided(Decision::Approved));
        let (station, id, robot) = (Arc::clone(station), id.clone(), submission.raw.robot.clone());
        station.runtime.tasks.clone().spawn(async move {
            let outcome = gate::send(&station.fleet, submission).await;
            station.proposals.note_outcome(&station, &id, &outcome);
            let _ = notes.try_send(Note::Done(tool_outcome(&outcome)));
            let Some(command) = begun(&outcome) else { return };
            let progress = tokio::select! {
                () = station.runtime.ended.cancelled() => return,
                progress = station.fleet.commands.end_of(command) => progress,
            };
            let _ =
                notes.try_send(Note::Ended(TaskEnd { command, robot, step: progress.step, reason: progress.reason() }));
        });
    }

    fn note_outcome(&self, station: &Station, id: &ProposalId, outcome: &Result<CommandOutcome, OpError>) {
        match outcome {
            Ok(outcome) if outcome.state == CommandStep::Denied => {
                let reason = match &outcome.code {
                    Some(end) => ProposalReason::Command { end: end.clone() },
                    None => ProposalReason::Denied { sentence: outcome.sentence.clone() },
                };
                self.set_state(station, id, ProposalState::Failed, Some(reason));
            }
            // Further steps arrive through `note_step`.
            Ok(_) => {}
            Err(error) => self.set_state(station, id, ProposalState::Failed, Some(refused(error))),
        }
    }

    /// Notes the progress of a proposal's command.
    pub(crate) fn note_step(&self, station: &Station, step: &Step) {
        let Some(id) = &step.proposal else { return };
        let at_mono_ms = station.runtime.clock.now().station.mono_ms();
        let Progress { step: reached, off_goal, .. } = &step.progress;
        let edited = self.edit_entry(station, id, |proposal| {
            proposal.steps.push(StepAt { step: *reached, at_mono_ms, off_goal: *off_goal });
            proposal.put(state_after(*reached, proposal.state), reason_of(&step.progress));
        });
        edited.iter().for_each(|proposal| save_end(station, proposal));
    }

    /// Moves an approved proposal on.
    pub(super) fn set_state(
        &self,
        station: &Station,
        id: &ProposalId,
        state: ProposalState,
        reason: Option<ProposalReason>,
    ) {
        let edited = self.edit_entry(station, id, |proposal| proposal.put(state, reason));
        edited.iter().for_each(|proposal| save_end(station, proposal));
    }
}

/// Saves that an approved proposal has ended, so that the next run does not take it for unknown.
fn save_end(station: &Station, proposal: &Proposal) {
    let ended = match proposal.state {
        // The row of the approval says only that both have ended; the proposal says how.
        ProposalState::Done | ProposalState::DoneNotConfirmed => ApprovalState::Done,
        ProposalState::Failed => ApprovalState::Failed,
        ProposalState::Waiting
        | ProposalState::Recheck
        | ProposalState::Rejected
        | ProposalState::Expired
        | ProposalState::Voided
        | ProposalState::Approved
        | ProposalState::Dispatched
        | ProposalState::Received
        | ProposalState::Running
        | ProposalState::Unknown => return,
    };
    let (db, id) = (station.runtime.db.clone(), proposal.id.clone());
    station.runtime.spawn(async move {
        if let Err(error) = db.end_dispatch(&id, ended).await {
            tracing::error!(error = &error as &dyn std::error::Error, "outcome not saved");
        }
    });
}

/// A refusal as the reason for the state of a proposal.
pub(super) fn refused(error: &OpError) -> ProposalReason {
    ProposalReason::Refused {
        error: error.code.to_string(),
        sentence: error.message.clone(),
        details: error.details.clone(),
    }
}

/// The reason for where a command is, if it needs one.
fn reason_of(progress: &Progress) -> Option<ProposalReason> {
    let measured = progress.off_goal.map(|off_goal| ProposalReason::OffGoal { off_goal });
    measured.or_else(|| Some(ProposalReason::Command { end: progress.code.clone()? }))
}

/// The command that goes on after its first answer.
fn begun(outcome: &Result<CommandOutcome, OpError>) -> Option<CommandId> {
    outcome.as_ref().ok().filter(|outcome| !is_over(outcome.state)).map(|outcome| outcome.command_id)
}

/// A command's outcome as the agent reads it.
pub(crate) fn tool_outcome(outcome: &Result<CommandOutcome, OpError>) -> ToolOutcome {
    let (value, refused) = match outcome {
        Ok(outcome) => (serde_json::to_value(outcome), is_refused(outcome.state)),
        Err(error) => return tool_error(error),
    };
    let value = value.unwrap_or_else(|_| json!({}));
    let trust = vouched::trust_as::<CommandOutcome>(Trust::Trusted, &value);
    ToolOutcome { json: value.to_string(), is_error: false, refused, trust, spill: None }
}

/// The outcome that a repeated command had the first time, as the agent reads it.
pub(super) fn first_outcome(first: &Value) -> ToolOutcome {
    let trust = vouched::trust_as::<CommandOutcome>(Trust::Trusted, first);
    let refused = first["state"] == word(&CommandStep::Denied) || first["state"] == word(&CommandStep::RefusedByRobot);
    ToolOutcome { json: first.to_string(), is_error: false, refused, trust, spill: None }
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
        CommandStep::DoneNotConfirmed => ProposalState::DoneNotConfirmed,
        CommandStep::Unknown => ProposalState::Unknown,
        CommandStep::Denied | CommandStep::Failed | CommandStep::Superseded | CommandStep::RefusedByRobot => {
            ProposalState::Failed
        }
    }
}
