//! Commands, their verdicts, and proposals a person decides on.

use std::sync::Arc;

use robot::{AgentId, CommandId, FrameId, RobotId, Role};
use safety::{Item, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How far a command got; each step after `sent` needs the robot's own report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum CommandStep {
    /// The safety engine refused it.
    Denied,
    /// The safety engine allowed it.
    Approved,
    /// Put on the network.
    Sent,
    /// The robot's gate accepted it.
    Received,
    /// The robot moves.
    Running,
    /// The robot reports the end.
    Done,
    /// The robot could not finish.
    Failed,
    /// A newer command of the same actuator took its place.
    Superseded,
    /// The robot's gate refused it.
    RefusedByRobot,
    /// No report in time: the true state is not known.
    Unknown,
}

/// A step and when it was reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StepAt {
    /// The step.
    pub step: CommandStep,
    /// Station clock, milliseconds.
    #[ts(type = "number")]
    pub at_mono_ms: u64,
}

/// One limit with what was found, in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ItemRow {
    /// The numbers.
    pub item: Item,
    /// The same as a sentence.
    pub sentence: String,
}

/// The answer of `check_command`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct CommandChecked {
    /// What the safety engine decided.
    pub verdict: Arc<Verdict>,
    /// Every limit, allowed ones too.
    pub explanation: Vec<ItemRow>,
    /// The verdict in words.
    pub sentence: String,
}

/// The answer of `send_command` where a person decided at once, or nothing had to be decided.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct CommandOutcome {
    /// The command.
    pub command_id: CommandId,
    /// How far it got.
    pub state: CommandStep,
    /// Why the robot's gate, or the fence at sending, refused it.
    pub code: Option<String>,
    /// What the safety engine decided.
    pub verdict: Arc<Verdict>,
    /// Every limit, allowed ones too.
    pub explanation: Vec<ItemRow>,
    /// The verdict in words.
    pub sentence: String,
    /// The proposal it was sent under.
    pub proposal: Option<ProposalRef>,
}

/// Names a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProposalRef {
    /// `pr-<uuid>`.
    pub id: String,
    /// How much care it needs.
    pub tier: Tier,
    /// The rule that made the tier.
    pub tier_rule: String,
    /// Unix seconds.
    #[ts(type = "number")]
    pub expires_at: i64,
}

/// How much care a proposal needs; set by a rule of the station, never by a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Contact-free; 10 min.
    Low,
    /// Well inside the limits; 3 min.
    Medium,
    /// Near a limit, fast, or the first motion; 60 s.
    High,
}

/// Where a proposal stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ProposalState {
    /// A person may decide.
    Waiting,
    /// What it was judged on has changed; it is being judged again.
    Recheck,
    /// A person said no.
    Rejected,
    /// Nobody decided in time.
    Expired,
    /// A stop, or the end of its conditions, took it away.
    Voided,
    /// A person said yes.
    Approved,
    /// Claimed for sending, once.
    Dispatched,
    /// The robot's gate accepted it.
    Received,
    /// The robot moves.
    Running,
    /// The robot reports the end.
    Done,
    /// Refused at sending or by the robot, or not finished.
    Failed,
    /// No report in time.
    Unknown,
}

/// A fact the proposal relied on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProposalFact {
    /// Its name.
    pub key: String,
    /// Its value as text.
    pub value: String,
    /// Age when the proposal was made or last judged, milliseconds.
    #[ts(type = "number")]
    pub age_ms: u64,
}

/// Who planned the way shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PreviewKind {
    /// A straight line.
    StraightEstimate,
    /// The robot's own plan.
    Planned,
}

/// What would happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Preview {
    /// The frame of `from` and `to`.
    pub frame: FrameId,
    /// Where the robot is, metres.
    pub from: [f64; 3],
    /// Where it would go, metres.
    pub to: [f64; 3],
    /// Length of the way, metres.
    pub length_m: f64,
    /// Smallest distance to a limit, metres.
    pub clearance_m: Option<f64>,
    /// Time at the commanded speed, seconds.
    pub duration_s: Option<f64>,
    /// Who planned it.
    pub kind: PreviewKind,
}

/// An action that waits for, or had, a person's decision.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct Proposal {
    /// `pr-<uuid>`.
    pub id: String,
    /// Rises whenever what is shown changes.
    #[ts(type = "number")]
    pub version: u64,
    /// SHA-256 of operation, input, robot, agent and mission, hex.
    pub action_hash: String,
    /// How much care it needs.
    pub tier: Tier,
    /// The rule that made the tier.
    pub tier_rule: String,
    /// Who may approve.
    pub role_needed: Role,
    /// Whose proposal it is.
    pub agent: AgentId,
    /// The robot it moves.
    pub robot: Option<RobotId>,
    /// The operation it would run.
    pub operation: String,
    /// That operation's input, canonical.
    #[ts(type = "unknown")]
    pub input: serde_json::Value,
    /// What it would do, written by the station.
    pub sentence: String,
    /// The agent's own words.
    pub reason: String,
    /// What it relied on.
    pub facts: Vec<ProposalFact>,
    /// The newest verdict.
    pub verdict: Option<Arc<Verdict>>,
    /// Every limit, allowed ones too.
    pub explanation: Vec<ItemRow>,
    /// What would happen.
    pub preview: Option<Preview>,
    /// Unix seconds.
    #[ts(type = "number")]
    pub created_at: i64,
    /// Unix seconds.
    #[ts(type = "number")]
    pub expires_at: i64,
    /// Station clock, milliseconds.
    #[ts(type = "number")]
    pub expires_mono_ms: u64,
    /// Where it stands.
    pub state: ProposalState,
    /// Why it stands there, if that needs words.
    pub state_reason: Option<String>,
    /// What was reported after approval.
    pub steps: Vec<StepAt>,
    /// Who decided.
    pub decided_by: Option<String>,
}

/// The answer of `approve_proposal` and `reject_proposal`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Approved {
    /// The proposal.
    pub id: String,
    /// Its version.
    #[ts(type = "number")]
    pub version: u64,
    /// Where it stands now.
    pub state: ProposalState,
}

/// Why a person said no; the agent is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the choices on the card")]
pub enum RejectReason {
    WrongPlace,
    WrongRobot,
    NotNow,
    Unsafe,
    Other,
}
