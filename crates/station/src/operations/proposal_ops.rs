//! Proposals a person decides on, and leave given beforehand.

use std::sync::Arc;

use robot::{Effect, MissionId, RobotId, Role};
use safety::Envelope;
use schemars::JsonSchema;
use serde::Deserialize;

use super::table::{ALL, Nothing, Operation, Terms, UI, row};
use crate::proposals::Grant;
use crate::wire::{
    Approved, CommandOutcome, Proposal, ProposalState, RejectReason, StandingApprovalChanged, StandingApprovalRow, word,
};
use crate::{OpError, Session, Station};

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Actuate, Read, Write};
    use Role::{Operator, Viewer};
    vec![
        row("list_proposals", Terms(Viewer, Read, ALL), "Proposals, newest first.", list_proposals),
        row(
            "approve_proposal",
            Terms(Operator, Actuate, UI),
            "Approves exactly what was shown, once.",
            approve_proposal,
        ),
        row(
            "edit_proposal",
            Terms(Operator, Actuate, UI),
            "Sends a proposal's command with other numbers.",
            edit_proposal,
        ),
        row("reject_proposal", Terms(Operator, Write, UI), "Rejects a proposal with a reason.", reject_proposal),
        row(
            "grant_standing_approval",
            Terms(Operator, Write, UI),
            "Lets motions within bounds happen without a click each.",
            grant_standing_approval,
        ),
        row(
            "revoke_standing_approval",
            Terms(Operator, Write, UI),
            "Takes a standing approval back.",
            revoke_standing_approval,
        ),
        row(
            "list_standing_approvals",
            Terms(Viewer, Read, UI),
            "Standing approvals that hold, oldest first.",
            list_standing_approvals,
        ),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListProposals {
    /// Only those in this state.
    state: Option<ProposalState>,
}

async fn list_proposals(station: Arc<Station>, by: Session, input: ListProposals) -> Result<Vec<Proposal>, OpError> {
    let mut rows = station.proposals.list(input.state);
    // A person decides for all agents; an agent and a program see what one agent asked for.
    if let Some(agent) = by.agent() {
        rows.retain(|proposal| proposal.agent == *agent);
    }
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
struct Edit {
    /// `pr-<uuid>`.
    id: String,
    /// The version that was shown.
    version: u64,
    /// The shown input with other numbers.
    input: serde_json::Value,
}

async fn edit_proposal(station: Arc<Station>, by: Session, input: Edit) -> Result<CommandOutcome, OpError> {
    station.proposals.edit(&station, &by, (&input.id, input.version), input.input).await
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
    station.proposals.reject(&station, &by, (&input.id, input.version), &reason)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GrantStanding {
    /// The robot.
    robot: RobotId,
    /// Only for commands of this mission.
    mission_id: Option<MissionId>,
    /// The operation; `send_command`.
    operation: String,
    /// The bounds.
    envelope: Envelope,
    /// How often it may be used, 1 to 100.
    count: u64,
    /// How long it lasts, above 0 and at most 8 hours.
    hours: f64,
}

async fn grant_standing_approval(
    station: Arc<Station>,
    by: Session,
    input: GrantStanding,
) -> Result<StandingApprovalChanged, OpError> {
    let grant = Grant {
        robot: input.robot,
        mission: input.mission_id,
        operation: input.operation,
        envelope: input.envelope,
        count: input.count,
        hours: input.hours,
    };
    station.proposals.standing.grant(&station, &by, grant).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RevokeStanding {
    /// `sa-<uuid>`.
    id: String,
}

async fn revoke_standing_approval(
    station: Arc<Station>,
    by: Session,
    input: RevokeStanding,
) -> Result<StandingApprovalChanged, OpError> {
    station.proposals.standing.revoke(&station, &by, &input.id).await
}

async fn list_standing_approvals(
    station: Arc<Station>,
    _: Session,
    _: Nothing,
) -> Result<Vec<StandingApprovalRow>, OpError> {
    Ok(station.proposals.standing.list())
}
