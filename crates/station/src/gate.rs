//! The way of a command: parse, judge, send. The only caller of `RobotLink::send`.

use std::sync::Arc;

use bridge::BridgeError;
use robot::{
    ApprovalId, Command, CommandId, LeaseToken, Motion, ParseContext, RawCommand, Source, VerdictId, parse_command,
};
use safety::{Item, Overall, Verdict, explain, judge};

use crate::error::OpError;
use crate::station::Station;
use crate::unit::RobotUnit;
use crate::wire::{CommandChecked, CommandOutcome, CommandStep, Fact, ItemRow, ProposalRef, Tag, word};

/// A command with who sends it.
#[derive(Debug, Clone)]
pub(crate) struct Submission {
    pub raw: RawCommand,
    pub source: Source,
    /// The proposal it was approved under.
    pub proposal: Option<ProposalRef>,
}

/// A judged command, before anything is sent.
pub(crate) struct Judged {
    pub command: CommandId,
    pub verdict: Verdict,
    pub explanation: Vec<ItemRow>,
    /// The parsed command, unless parsing refused it.
    pub parsed: Option<Command>,
}

impl Judged {
    pub fn allowed(&self) -> bool {
        self.verdict.overall == Overall::Allow
    }

    /// Whether it moves the point that poses are about.
    fn moves(&self) -> bool {
        self.parsed.as_ref().is_some_and(|command| match &command.motion {
            Motion::PoseGoal { .. } | Motion::Path { .. } => true,
            Motion::Velocity { linear_mps, .. } => linear_mps.iter().any(|part| *part != 0.0),
            Motion::Gripper { .. } | Motion::Switch { .. } => false,
        })
    }

    pub fn into_checked(self) -> CommandChecked {
        let sentence = self.verdict.sentence();
        CommandChecked { verdict: Arc::new(self.verdict), explanation: self.explanation, sentence }
    }

    pub fn into_outcome(
        self,
        (state, code): (CommandStep, Option<String>),
        proposal: Option<ProposalRef>,
    ) -> CommandOutcome {
        let command_id = self.command;
        let checked = self.into_checked();
        CommandOutcome {
            command_id,
            state,
            code,
            verdict: checked.verdict,
            explanation: checked.explanation,
            sentence: checked.sentence,
            proposal,
        }
    }
}

/// Judges `submission` for `unit` without sending it.
pub(crate) fn check(station: &Station, unit: &RobotUnit, submission: &Submission) -> Judged {
    let seq = unit.control().seq + 1;
    judged(station, unit, submission, seq)
}

/// Judges a command and, if every limit allows it, sends it. Blocks while the network does, so it is called off the
/// async runtime's threads. A denied command is an answer, not an error.
pub(crate) fn submit(station: &Arc<Station>, submission: Submission) -> Result<CommandOutcome, OpError> {
    let unit = station.unit(&submission.raw.robot)?;
    let seq = {
        let mut control = unit.control();
        control.seq += 1;
        control.seq
    };
    let mut judged = judged(station, &unit, &submission, seq);
    report(station, &unit, &judged);
    if !judged.allowed() {
        return Ok(judged.into_outcome((CommandStep::Denied, None), submission.proposal));
    }
    let id = judged.command;
    let proposal_id = submission.proposal.as_ref().map(|proposal| proposal.id.clone());
    if !station.commands.reserve(id, unit.id(), proposal_id, station.clock.now().station) {
        return Err(OpError::conflict("command_repeated", format!("The command {id} is being carried out already.")));
    }
    if judged.moves() {
        let now = station.clock.now().station;
        let mut control = unit.control();
        control.moving = Some((id, control.moving.map_or(now, |(_, since)| since)));
    }
    let progress = send(station, &unit, &mut judged);
    station.note_steps(station.commands.set(id, progress.clone()));
    Ok(judged.into_outcome(progress, submission.proposal))
}

fn send(station: &Station, unit: &RobotUnit, judged: &mut Judged) -> (CommandStep, Option<String>) {
    let Some(approved) = judged.verdict.take_approved() else { return (CommandStep::Denied, None) };
    match unit.link.send(approved, station.clock.now().station) {
        Ok(_) => {
            unit.control().first_motion = false;
            (CommandStep::Sent, None)
        }
        Err(BridgeError::RefusedAtSend { refusal, .. }) => {
            (CommandStep::Denied, Some(format!("refused_at_send_{}", word(&refusal.reason()))))
        }
        Err(error) => {
            tracing::warn!(robot = %unit.id(), error = &error as &dyn std::error::Error, "a command was not sent");
            (CommandStep::Failed, Some(error.code().to_owned()))
        }
    }
}

fn judged(station: &Station, unit: &RobotUnit, submission: &Submission, seq: u64) -> Judged {
    let fresh_id = CommandId(uuid::Uuid::now_v7());
    let (limits, state, now) = (unit.limits.load_full(), unit.robot_state(), station.clock.now().station);
    let approval = submission.proposal.as_ref().and_then(|proposal| ApprovalId::new(proposal.id.clone()).ok());
    let context = ParseContext {
        fresh_id,
        source: submission.source.clone(),
        lease: LeaseToken { station: station.id.clone(), epoch: state.epoch, seq },
        issued_at: now,
        approval,
    };
    match parse_command(&submission.raw, &unit.manifest, context) {
        Ok(command) => {
            let explanation = rows(explain(&limits, &state, &command, now));
            let verdict = judge(&limits, &state, command.clone(), now);
            Judged { command: command.id, verdict, explanation, parsed: Some(command) }
        }
        Err(rejection) => {
            let command = submission.raw.id.unwrap_or(fresh_id);
            let verdict = Verdict::rejected(&submission.raw, command, &rejection, &limits, &state, now);
            let explanation = rows(verdict.items.to_vec());
            Judged { command, verdict, explanation, parsed: None }
        }
    }
}

fn rows(items: Vec<Item>) -> Vec<ItemRow> {
    items.into_iter().map(|item| ItemRow { sentence: safety::sentence(&item), item }).collect()
}

fn report(station: &Station, unit: &RobotUnit, judged: &Judged) {
    let VerdictId(id) = judged.verdict.id;
    let sentence = judged.verdict.sentence();
    tracing::info!(robot = %unit.id(), command = %judged.command, verdict = sentence, "judged");
    let fact =
        Fact::Verdict { id: id.to_string(), robot: unit.id().clone(), overall: judged.verdict.overall, sentence };
    station.hub.fact(fact, Some(Tag::Safety));
}
