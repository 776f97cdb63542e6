//! Proposals a person decides on, and standing approvals.

use std::sync::Arc;

use robot::{Effect, MissionId, ProposalId, RobotId, Role, SharedCode, Trust};
use safety::Envelope;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Operation;
use crate::Station;
use crate::code::StationCode;
use crate::proposals::{CardRef, Grant};
use agent_runner::operations::{AgentCall, agent_row};
use agent_runner::{Asked, Requester, Wanted};
use runtime::error::OpError;
use runtime::operation::{ALL, Nothing, Terms, UI, given, row};
use runtime::session::Session;
use runtime::wire::{
    Approved, CommandOutcome, CommandStep, Proposal, ProposalCreated, ProposalReason, ProposalRef, ProposalSeen,
    ProposalState, RejectReason, StandingApprovalChanged, StandingApprovalRow, word,
};

/// Asks a person for another operation.
pub(crate) const CREATE_PROPOSAL: &str = "create_proposal";

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Actuate, Read, Write};
    use Role::{Operator, Viewer};
    vec![
        row("list_proposals", Terms(Viewer, Read, ALL, Trust::Text), "Proposals, newest first.", list_proposals).example(json!({"state": "waiting"})).core(),
        row(
            "proposal_shown",
            Terms(Viewer, Read, UI, Trust::Trusted),
            "Says that a proposal stands on this screen.",
            proposal_shown,
        ).example(json!({"id": "proposal-7"})),
        agent_row(
            CREATE_PROPOSAL,
            Terms(Operator, Write, ALL, Trust::Trusted),
            "Asks a person to let an operation happen.",
            create_proposal,
        ).example(json!({"operation": "arm_robot", "input": {"robot": "arm-1"}, "reason": "The patrol begins at ten."}))
        .in_rooms()
        .core(),
        row(
            "approve_proposal",
            Terms(Operator, Actuate, UI, Trust::Text),
            "Approves exactly what was shown, once.",
            approve_proposal,
        ).example(json!({"id": "proposal-7", "version": 1, "action_hash": "sha256:0f1e2d"})),
        row(
            "edit_proposal",
            Terms(Operator, Actuate, UI, Trust::Text),
            "Sends a proposal's command with other numbers.",
            edit_proposal,
        ).example(json!({"id": "proposal-7", "version": 1, "input": {"robot": "arm-1", "actuator": "tool", "motion": {"pose_goal": {"position_m": [0.4, 0.0, 0.9], "speed_mps": 0.1}}}})),
        row(
            "reject_proposal",
            Terms(Operator, Write, UI, Trust::Text),
            "Rejects a proposal with a reason.",
            reject_proposal,
        ).example(json!({"id": "proposal-7", "version": 1, "reason": "unsafe", "note": "Somebody is at the table."})),
        row(
            "grant_standing_approval",
            Terms(Operator, Write, UI, Trust::Text),
            "Lets motions within bounds happen without a click each.",
            grant_standing_approval,
        ).example(json!({"robot": "arm-1", "operation": "send_command", "envelope": {"actuator": "tool", "workspace": {"x": [0.2, 0.6], "y": [-0.2, 0.2], "z": [0.4, 1.0]}, "speed_mps_max": 0.2}, "count": 10, "hours": 2.0})),
        row(
            "revoke_standing_approval",
            Terms(Operator, Write, UI, Trust::Text),
            "Takes a standing approval back.",
            revoke_standing_approval,
        ).example(json!({"id": "grant-1"})),
        row(
            "list_standing_approvals",
            Terms(Viewer, Read, UI, Trust::Text),
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
    /// Only those of this mission.
    mission_id: Option<MissionId>,
    /// Only those made at or after this RFC 3339 time.
    since: Option<String>,
}

async fn list_proposals(station: Arc<Station>, by: Session, input: ListProposals) -> Result<Vec<Proposal>, OpError> {
    station.proposals.note_delivered(&station, &by);
    let mut rows = station.proposals.list(input.state);
    if let Some(mission) = &input.mission_id {
        rows.retain(|row| row.mission.as_ref() == Some(mission));
        // The proposals of a mission that is gone stay listed; a mission that never was is an error.
        if rows.is_empty() && !station.missions.has_file(mission) {
            return Err(mission_runner::mission_not_found());
        }
    }
    if let Some(since) = &input.since {
        let since_ms = world::cron::parse_rfc3339(since).ok_or_else(|| {
            OpError::bad_input(SharedCode::InvalidInput, "since", "since is a time as 2026-03-09T07:00:00Z.")
        })?;
        // Creation is kept in whole seconds.
        rows.retain(|row| row.created_at >= since_ms.div_euclid(1_000));
    }
    // A person decides for all agents; an agent and a program see what one agent asked for.
    if let Some(agent) = by.agent() {
        rows.retain(|proposal| proposal.agent == *agent);
    }
    if by.is_agent() {
        // A model reads what waits and why; every limit of every card would fill its context.
        for row in &mut rows {
            row.explanation.clear();
            row.verdict = None;
            row.desks.clear();
        }
    }
    Ok(rows)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ShownProposal {
    /// `pr-<uuid>`.
    id: ProposalId,
}

async fn proposal_shown(station: Arc<Station>, by: Session, input: ShownProposal) -> Result<ProposalSeen, OpError> {
    station.proposals.note_shown(&station, &by, &input.id)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreateProposal {
    /// The operation that a person is asked to approve.
    operation: String,
    /// That operation's input.
    input: serde_json::Value,
    /// The reason, 1 to 500 characters.
    reason: String,
    /// The mission it is for.
    mission_id: Option<MissionId>,
}

async fn create_proposal(
    station: Arc<Station>,
    AgentCall { by, agent }: AgentCall,
    input: CreateProposal,
) -> Result<ProposalCreated, OpError> {
    given(&input.reason)?;
    input.mission_id.as_ref().map_or(Ok(()), |mission| station.missions.of(&agent.id)?.check_exists(mission))?;
    let asker = Requester { reason: input.reason, mission: input.mission_id, ..Requester::of(&by, &agent.id) };
    let wanted = Wanted { operation: input.operation, input: input.input };
    let (shown, message) = match station.proposals.try_ask(&station, &wanted, asker).await? {
        Asked::Waiting(shown, _) => {
            let message = format!("Proposal {} waits for approval", shown.id);
            (shown, message)
        }
        Asked::Covered(shown, _) => {
            let message = format!("Proposal {} was covered by a standing approval", shown.id);
            (shown, message)
        }
        Asked::Ended(outcome) => {
            let ended: serde_json::Value = serde_json::from_str(&outcome.json).unwrap_or_default();
            let Some(shown) = sent_under(&ended) else {
                let sentence = ended["sentence"].as_str().unwrap_or("The safety engine denies it.").to_owned();
                return Err(OpError::new(StationCode::Denied, sentence).with(ended));
            };
            let message = format!("Proposal {} was made for this id before", shown.id);
            (shown, message)
        }
    };
    let ProposalRef { id, tier, tier_rule, expires_at } = shown;
    Ok(ProposalCreated { message, id, tier, tier_rule, expires_at })
}

/// The proposal under which a command with this outcome was sent: its id was given before.
fn sent_under(outcome: &serde_json::Value) -> Option<ProposalRef> {
    let is_denied = outcome["state"] == word(&CommandStep::Denied);
    serde_json::from_value(outcome["proposal"].clone()).ok().filter(|_| !is_denied)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Approve {
    /// `pr-<uuid>`.
    id: ProposalId,
    /// The version that was shown.
    version: u64,
    /// The hash that was shown.
    action_hash: String,
}

async fn approve_proposal(station: Arc<Station>, by: Session, input: Approve) -> Result<Approved, OpError> {
    let card = CardRef { id: &input.id, version: input.version };
    station.proposals.approve(&station, &by, card, &input.action_hash).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Edit {
    /// `pr-<uuid>`.
    id: ProposalId,
    /// The version that was shown.
    version: u64,
    /// The shown input with other numbers.
    input: serde_json::Value,
}

async fn edit_proposal(station: Arc<Station>, by: Session, input: Edit) -> Result<CommandOutcome, OpError> {
    station.proposals.edit(&station, &by, CardRef { id: &input.id, version: input.version }, input.input).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reject {
    /// `pr-<uuid>`.
    id: ProposalId,
    /// The version that was shown.
    version: u64,
    /// The reason; the agent is told.
    reason: RejectReason,
    /// More words, at most 500 characters.
    note: Option<String>,
}

async fn reject_proposal(station: Arc<Station>, by: Session, input: Reject) -> Result<Approved, OpError> {
    // Cut and not refused: a rejection must not fail for its words.
    let note = input.note.unwrap_or_default().chars().take(500).collect();
    let reason = ProposalReason::Rejected { reason: input.reason, note };
    station.proposals.reject(&station, &by, CardRef { id: &input.id, version: input.version }, reason).await
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
    /// Number of commands it covers, 1 to 100.
    count: u64,
    /// Hours for which it holds, above 0 and at most 8.
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
