//! Commands and arming.

use std::sync::Arc;

use agent::{Decision, ToolOutcome};
use robot::{Effect, RawCommand, RobotId, Role, SessionKind, Trust, VerdictId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::mpsc;
use ts_rs::TS;

use super::Operation;
use super::limits::check_reason;
use crate::Station;
use crate::code::StationCode;
use crate::proposals::{self, Asked, Asker, Note, Wanted};
use fleet::arming;
use fleet::commands::Request;
use fleet::gate::{self, Submission};
use runtime::error::OpError;
use runtime::operation::{ALL, COMMAND_BYTES_MAX, OfOneRobot, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::{CommandChecked, CommandOutcome, ProposalRef, RobotSafety, VerdictRow};

/// Verdicts in one answer.
const LISTED_MAX: usize = 100;

/// Has approval cards of its own.
pub(crate) const SEND_COMMAND: &str = "send_command";

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Actuate, Read, Write};
    use Role::{Operator, Viewer};
    vec![
        row(
            "check_command",
            Terms(Viewer, Read, ALL, Trust::Trusted),
            "Judges a command without sending it.",
            check_command,
        ).example(json!({"robot": "arm-1", "actuator": "tool", "motion": {"pose_goal": {"position_m": [0.4, 0.0, 0.9], "speed_mps": 0.1}}}))
        .in_rooms()
        .core()
        .input_bytes_max(COMMAND_BYTES_MAX),
        row(
            SEND_COMMAND,
            Terms(Operator, Actuate, ALL, Trust::Trusted),
            "Sends a command to a robot, if every limit allows it.",
            send_command,
        ).example(json!({"robot": "arm-1", "actuator": "tool", "motion": {"pose_goal": {"position_m": [0.4, 0.0, 0.9], "speed_mps": 0.1}}}))
        .in_rooms()
        .core()
        .recorded_by_gate()
        .takes_agent()
        .input_bytes_max(COMMAND_BYTES_MAX),
        row(
            "list_verdicts",
            Terms(Viewer, Read, ALL, Trust::Trusted),
            "The newest verdicts on what was sent or proposed in this run.",
            list_verdicts,
        )
        .in_rooms()
        .core(),
        row(
            "explain_verdict",
            Terms(Viewer, Read, ALL, Trust::Trusted),
            "A verdict with every limit it rests on.",
            explain_verdict,
        ).example(json!({"id": "0198f2a4-5b6c-7d8e-9f00-112233445566"}))
        .in_rooms()
        .core(),
        row(
            "arm_robot",
            Terms(Operator, Actuate, UI, Trust::Text),
            "Lets motion of a robot pass its limits' check.",
            arm_robot,
        ).example(json!({"robot": "arm-1"})),
        row(
            "disarm_robot",
            Terms(Operator, Write, UI, Trust::Text),
            "Ends motion permission of a robot.",
            disarm_robot,
        ).example(json!({"robot": "arm-1"}))
        .urgent(),
    ]
}

async fn check_command(station: Arc<Station>, by: Session, raw: RawCommand) -> Result<CommandChecked, OpError> {
    let unit = station.fleet.unit(&raw.robot)?;
    gate::check_names(&station.fleet, &raw)?;
    let submission = Submission::new(raw, by);
    Ok(gate::check(&station.fleet, &unit, &submission).into_checked())
}

async fn list_verdicts(station: Arc<Station>, _: Session, input: OfOneRobot) -> Result<Vec<VerdictRow>, OpError> {
    let rows = station.fleet.verdicts.newest(input.robot.as_ref(), LISTED_MAX);
    if let Some(robot) = input.robot.as_ref().filter(|_| rows.is_empty()) {
        station.fleet.unit(robot)?;
    }
    Ok(rows)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExplainVerdict {
    /// One of `list_verdicts`, of an answer or of a card.
    id: VerdictId,
}

async fn explain_verdict(station: Arc<Station>, _: Session, input: ExplainVerdict) -> Result<CommandChecked, OpError> {
    let found = station.fleet.verdicts.find(input.id);
    found.ok_or_else(|| OpError::not_found(StationCode::VerdictNotFound, "verdict", input.id.0))
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
    if by.kind() == SessionKind::Machine {
        let input = serde_json::to_value(&raw).unwrap_or_default();
        let asker = Asker::of(&by, &station.agents.meant_by(&by)?.id);
        return Ok(
            match station.proposals.ask(&station, &Wanted { operation: SEND_COMMAND.into(), input }, asker).await {
                Asked::Waiting(proposal, _) => Sent::Proposal { proposal },
                Asked::Covered(proposal, notes) => outcome_of(notes).await.unwrap_or(Sent::Proposal { proposal }),
                Asked::Ended(outcome) => ended(&outcome),
            },
        );
    }
    if let Some(id) = raw.id
        && let Some(first) = station.fleet.commands.outcome(id, &Request::new(&raw, by.actor()))?
    {
        return Ok(Sent::Ended(first));
    }
    let submission = Submission::new(raw, by);
    let outcome = proposals::send(&station, submission).await?;
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

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arm {
    /// The robot.
    robot: RobotId,
    /// The reason for arming a robot outside its limits, for nothing but a slow escape from there; 1 to 500 characters.
    reason: Option<String>,
}

async fn arm_robot(station: Arc<Station>, by: Session, input: Arm) -> Result<RobotSafety, OpError> {
    input.reason.as_deref().map_or(Ok(()), check_reason)?;
    arming::arm(&station.fleet, &by, &input.robot, input.reason.as_deref()).await
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
    arming::disarm(&station.fleet, &input.robot, input.looked)
}
