//! Operations on robots that ask a person or name an agent, beside those of the fleet.

use std::sync::Arc;

use agent::{Decision, ToolOutcome};
use agent_runner::operations::{AgentCall, agent_row};
use agent_runner::{Asked, Note, Requester, Wanted};
use robot::{Effect, RawCommand, Role, SessionKind, Trust};
use safety::arbitration::Handover;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc;
use ts_rs::TS;

use super::Operation;
use super::why_idle;
use crate::Station;
use fleet::state::commands::Request;
use fleet::{Fleet, control::control_handover};
use fleet::{Submission, gate};
use runtime::error::OpError;
use runtime::operation::{self, ALL, COMMAND_BYTES_MAX, OfRobot, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::{CommandOutcome, ControlRow, ProposalRef, WhyIdle};

/// Has approval cards of its own.
pub(crate) const SEND_COMMAND: &str = "send_command";

/// Rows of the fleet as rows of the station.
fn of_fleet(rows: Vec<operation::Operation<Arc<Fleet>>>) -> impl Iterator<Item = Operation> {
    rows.into_iter().map(|row| row.within(|station: &Arc<Station>| Arc::clone(&station.fleet)))
}

pub(super) fn robots() -> Vec<Operation> {
    of_fleet(fleet::operations::robots()).collect()
}

pub(super) fn limits() -> Vec<Operation> {
    of_fleet(fleet::operations::limits()).collect()
}

pub(super) fn stops() -> Vec<Operation> {
    let why_idle = row(
        "why_idle",
        Terms(Role::Viewer, Effect::Read, ALL, Trust::Text),
        "Everything that keeps a robot from moving now, in order, with what clears it and who may.",
        tell_why_idle,
    )
    .in_missions()
    .example(json!({"robot": "arm-1"}))
    .core();
    of_fleet(fleet::operations::stops()).chain([why_idle]).collect()
}

pub(super) fn control() -> Vec<Operation> {
    let hand_to_agent = agent_row(
        "hand_to_agent",
        Terms(Role::Operator, Effect::Write, UI, Trust::Text),
        "Gives control of a robot to the agent.",
        hand_to_agent,
    )
    .example(json!({"robot": "arm-1"}));
    of_fleet(fleet::operations::control()).chain([hand_to_agent]).collect()
}

pub(super) fn commands() -> Vec<Operation> {
    let send_command = row(
            SEND_COMMAND,
            Terms(Role::Operator, Effect::Actuate, ALL, Trust::Trusted),
            "Sends a command to a robot, if every limit allows it.",
            send_command,
        ).in_missions().moves_robot().example(json!({"robot": "arm-1", "actuator": "tool", "motion": {"pose_goal": {"position_m": [0.4, 0.0, 0.9], "speed_mps": 0.1}}}))
        .in_rooms()
        .core()
        .recorded_by_gate()
        .takes_agent()
        .input_bytes_max(COMMAND_BYTES_MAX);
    let moves = of_fleet(fleet::operations::motion()).chain([send_command]);
    moves.chain(of_fleet(fleet::operations::commissioning())).collect()
}

async fn tell_why_idle(station: Arc<Station>, by: Session, input: OfRobot) -> Result<WhyIdle, OpError> {
    let unit = station.fleet.unit(&input.robot)?;
    Ok(WhyIdle { robot: input.robot, blockers: why_idle::blockers(&station, &unit, &by) })
}

/// The agent is named by the field `agent` that every operation accepts.
async fn hand_to_agent(
    station: Arc<Station>,
    AgentCall { by, agent }: AgentCall,
    input: OfRobot,
) -> Result<ControlRow, OpError> {
    let handover = Handover::ToAgent { session: by.id().clone(), id: agent.id.clone() };
    control_handover::hand_over(&station.fleet, &by, &input.robot, handover, "handed over").await
}

/// The answer of `send_command`: the outcome to a person, a proposal to a program, which is not a window.
#[derive(Debug, Serialize, JsonSchema, TS)]
#[serde(untagged)]
enum Sent {
    Outcome(Box<CommandOutcome>),
    #[ts(skip)]
    Proposal {
        proposal: ProposalRef,
    },
    #[ts(skip)]
    Ended(serde_json::Value),
}

async fn send_command(station: Arc<Station>, by: Session, raw: RawCommand) -> Result<Sent, OpError> {
    // A program moves nothing by itself: its command becomes a card for a person.
    if by.kind() == SessionKind::Machine {
        let input = serde_json::to_value(&raw).unwrap_or_default();
        let asker = Requester::of(&by, &station.runner.agents.meant_by(&by)?.id);
        return Ok(
            match station.proposals.ask(&station, &Wanted { operation: SEND_COMMAND.into(), input }, asker).await {
                Asked::Waiting(proposal, _) => Sent::Proposal { proposal },
                Asked::Covered(proposal, notes) => outcome_of(notes).await.unwrap_or(Sent::Proposal { proposal }),
                Asked::Ended(outcome) => ended(&outcome),
            },
        );
    }
    // A repeat under the same id gets the outcome of the first: the robot moves once.
    if let Some(id) = raw.id
        && let Some(first) = station.fleet.commands.outcome(id, &Request::new(&raw, by.actor()))?
    {
        return Ok(Sent::Ended(first));
    }
    let submission = Submission::new(raw, by);
    let outcome = gate::send(&station.fleet, submission).await?;
    Ok(Sent::Outcome(Box::new(outcome)))
}

/// The outcome of a command that a standing approval covers; none if it was rejected, expired or voided after all.
async fn outcome_of(mut notes: mpsc::Receiver<Note>) -> Option<Sent> {
    loop {
        match notes.recv().await? {
            Note::Done(outcome) => return Some(ended(&outcome)),
            Note::Decided(Decision::Approved | Decision::Unseen) | Note::Ended(_) => {}
            Note::Decided(Decision::Rejected(_) | Decision::Expired | Decision::Void) => return None,
        }
    }
}

fn ended(outcome: &ToolOutcome) -> Sent {
    Sent::Ended(serde_json::from_str(&outcome.json).unwrap_or_default())
}
