//! Commands, arming, proposals.

use std::sync::Arc;

use robot::{Effect, RawCommand, RobotId, Role, SessionKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::table::{ALL, Operation, Terms, UI, row};
use crate::gate::{self, Submission};
use crate::proposals::{self, Asked};
use crate::wire::{
    Approved, CommandChecked, CommandOutcome, Proposal, ProposalRef, ProposalState, RejectReason, RobotSafety, word,
};
use crate::{OpError, Session, Station, arming};

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Actuate, Read, Write};
    use Role::{Operator, Viewer};
    vec![
        row("check_command", Terms(Viewer, Read, ALL), "Judges a command without sending it.", check_command),
        row(
            "send_command",
            Terms(Operator, Actuate, ALL),
            "Sends a command to a robot, if every limit allows it.",
            send_command,
        ),
        row("arm_robot", Terms(Operator, Actuate, UI), "Lets motion of a robot pass its limits' check.", arm_robot),
        row("disarm_robot", Terms(Operator, Write, UI), "Ends motion permission of a robot.", disarm_robot),
        row("list_proposals", Terms(Viewer, Read, ALL), "Proposals, newest first.", list_proposals),
        row(
            "approve_proposal",
            Terms(Operator, Actuate, UI),
            "Approves exactly what was shown, once.",
            approve_proposal,
        ),
        row("reject_proposal", Terms(Operator, Write, UI), "Rejects a proposal with a reason.", reject_proposal),
    ]
}

async fn check_command(station: Arc<Station>, by: Session, raw: RawCommand) -> Result<CommandChecked, OpError> {
    let unit = station.unit(&raw.robot)?;
    let submission = Submission { raw, by, proposal: None, approved_by: None };
    Ok(gate::check(&station, &unit, &submission).into_checked())
}

/// What `send_command` answers: the outcome to a person, a proposal to a program.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum Sent {
    Outcome(Box<CommandOutcome>),
    Proposal { proposal: ProposalRef },
    Ended(serde_json::Value),
}

async fn send_command(station: Arc<Station>, by: Session, raw: RawCommand) -> Result<Sent, OpError> {
    if by.kind() == SessionKind::Machine {
        let input = serde_json::to_value(&raw).unwrap_or_default();
        return Ok(match station.proposals.ask(&station, &input) {
            Asked::Waiting(proposal, _) => Sent::Proposal { proposal },
            Asked::Ended(outcome) => Sent::Ended(serde_json::from_str(&outcome.json).unwrap_or_default()),
        });
    }
    if let Some(first) = raw.id.and_then(|id| station.commands.outcome(id)) {
        return Ok(Sent::Ended(first));
    }
    let submission = Submission { raw, by, proposal: None, approved_by: None };
    let outcome = proposals::send(&station, submission).await?;
    station.commands.keep_outcome(outcome.command_id, serde_json::to_value(&outcome).unwrap_or_default());
    Ok(Sent::Outcome(Box::new(outcome)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfRobot {
    /// The robot.
    pub robot: RobotId,
}

async fn arm_robot(station: Arc<Station>, by: Session, input: OfRobot) -> Result<RobotSafety, OpError> {
    arming::arm(&station, &by, &input.robot).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Disarm {
    /// The robot.
    robot: RobotId,
    /// You have looked at the robot, and it is in order.
    #[serde(default)]
    looked: bool,
}

async fn disarm_robot(station: Arc<Station>, _: Session, input: Disarm) -> Result<RobotSafety, OpError> {
    arming::disarm(&station, &input.robot, input.looked)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListProposals {
    /// Only those in this state.
    state: Option<ProposalState>,
}

async fn list_proposals(station: Arc<Station>, by: Session, input: ListProposals) -> Result<Vec<Proposal>, OpError> {
    let mut rows = station.proposals.list(input.state);
    if by.is_agent() {
        // A model reads what waits and why; every limit of every card would fill its context.
        for row in &mut rows {
            row.explanation.clear();
            row.verdict = None;
        }
    }
    Ok(rows)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Approve {
    /// `pr-<uuid>`.
    id: String,
    /// The version that was shown.
    version: u64,
    /// The hash that was shown.
    action_hash: String,
}

async fn approve_proposal(station: Arc<Station>, by: Session, input: Approve) -> Result<Approved, OpError> {
    station.proposals.approve(&station, &by, (&input.id, input.version, &input.action_hash)).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reject {
    /// `pr-<uuid>`.
    id: String,
    /// The version that was shown.
    version: u64,
    /// Why; the agent is told.
    reason: RejectReason,
    /// More words, at most 500 characters.
    note: Option<String>,
}

async fn reject_proposal(station: Arc<Station>, by: Session, input: Reject) -> Result<Approved, OpError> {
    let choice = word(&input.reason);
    let note: String = input.note.unwrap_or_default().chars().take(500).collect();
    let reason = if note.is_empty() { choice } else { format!("{choice}: {note}") };
    station.proposals.reject(&station, &by, &input.id, input.version, &reason)
}
