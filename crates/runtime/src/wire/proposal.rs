//! Commands, their verdicts, and proposals a person decides on.

use std::sync::Arc;

use robot::{
    AgentId, CommandId, ConversationId, FrameId, MissionId, ProposalId, RobotId, Role, SessionId, TurnId, VerdictId,
};
use safety::approval::tier::Tier;
use safety::arbitration::DeskKind;
use safety::{Envelope, Item, OffGoal, Overall, Precondition, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use world::Freshness;

use super::ProposalReason;

/// Progress of a command; each step after `sent` needs the robot's own report.
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
    /// The robot reports the end, and is measured at the goal.
    Done,
    /// The robot reports the end, and nothing measured confirms it.
    DoneNotConfirmed,
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StepAt {
    /// The step.
    pub step: CommandStep,
    /// Station clock, milliseconds.
    #[ts(type = "number")]
    pub at_mono_ms: u64,
    /// The measured distance from its goal, if the robot reported the end elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub off_goal: Option<OffGoal>,
}

/// One limit with the result of its check, human-readable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[schemars(extend("x-vouched" = true))]
pub struct ItemRow {
    /// The numbers.
    pub item: Item,
    /// The same as a sentence.
    pub sentence: String,
}

/// The answer of `check_command`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct CommandChecked {
    /// The verdict of the safety engine.
    pub verdict: Arc<Verdict>,
    /// Every limit, allowed ones too.
    pub explanation: Vec<ItemRow>,
    /// The verdict as a sentence.
    #[schemars(extend("x-vouched" = true))]
    pub sentence: String,
}

/// One verdict in a list; `explain_verdict` gives every limit of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct VerdictRow {
    /// Its id.
    pub id: VerdictId,
    /// Station clock of the judgement, milliseconds.
    #[ts(type = "number")]
    pub at_mono_ms: u64,
    /// The robot.
    pub robot: RobotId,
    /// The command.
    pub command: CommandId,
    /// The decision.
    pub overall: Overall,
    /// The decision as a sentence.
    #[schemars(extend("x-vouched" = true))]
    pub sentence: String,
}

impl From<&CommandChecked> for VerdictRow {
    fn from(checked: &CommandChecked) -> Self {
        let verdict = &checked.verdict;
        Self {
            id: verdict.id,
            at_mono_ms: verdict.at.mono_ms(),
            robot: verdict.robot.clone(),
            command: verdict.command,
            overall: verdict.overall,
            sentence: checked.sentence.clone(),
        }
    }
}

/// The answer of `send_command` where a person decided at once, or nothing had to be decided.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct CommandOutcome {
    /// The command.
    pub command_id: CommandId,
    /// The step that the command has reached.
    pub state: CommandStep,
    /// The code of the reason: the robot's gate, or the fence at sending, refused it, or its end is not confirmed.
    pub code: Option<String>,
    /// The measured distance from its goal, if the robot reported the end elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub off_goal: Option<OffGoal>,
    /// The verdict of the safety engine.
    pub verdict: Arc<Verdict>,
    /// Every limit, allowed ones too.
    pub explanation: Vec<ItemRow>,
    /// The verdict as a sentence.
    #[schemars(extend("x-vouched" = true))]
    pub sentence: String,
    /// The proposal it was sent under.
    pub proposal: Option<ProposalRef>,
}

/// Names a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProposalRef {
    /// `pr-<uuid>`.
    #[schemars(extend("x-vouched" = true))]
    pub id: ProposalId,
    /// The risk tier, which decides the care that an approval takes.
    pub tier: Tier,
    /// The rule that made the tier.
    #[schemars(extend("x-vouched" = true))]
    pub tier_rule: String,
    /// Unix seconds.
    #[ts(type = "number")]
    pub expires_at: i64,
}

/// States of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ProposalState {
    /// A person may decide.
    Waiting,
    /// The facts it was judged on have changed; it is being judged again.
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
    /// The robot reports the end, and is measured at the goal.
    Done,
    /// The robot reports the end, and nothing measured confirms it.
    DoneNotConfirmed,
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
    /// Freshness of the fact at that time.
    pub freshness: Freshness,
}

/// A condition of approving, with whether it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PreconditionRow {
    /// The condition.
    pub code: Precondition,
    /// True if it held at the last check.
    pub holds: bool,
}

/// Pose of the robot at the time of the judgement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StartPose {
    /// The frame of the numbers.
    pub frame: FrameId,
    /// Metres.
    pub position_m: [f64; 3],
    /// `[x, y, z, w]`, if the robot reports one.
    pub orientation: Option<[f64; 4]>,
}

/// Differences from the last approved action of the same group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProposalDiff {
    /// That action's proposal.
    pub last: ProposalId,
    /// Each field that differs.
    pub changes: Vec<FieldChange>,
}

/// A field of the input that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FieldChange {
    /// Its path, for example `motion.pose_goal.position_m[0]`.
    pub path: String,
    /// The value before; null if the field was not there.
    #[ts(type = "unknown")]
    pub from: serde_json::Value,
    /// The value now; null if the field is gone.
    #[ts(type = "unknown")]
    pub to: serde_json::Value,
}

/// The planner of the path shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PreviewKind {
    /// A straight line.
    StraightEstimate,
    /// The robot's own plan.
    Planned,
}

/// The predicted motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Preview {
    /// The frame of `from` and `to`.
    pub frame: FrameId,
    /// Present position of the robot, metres.
    pub from: [f64; 3],
    /// Position at the end of the motion, metres.
    pub to: [f64; 3],
    /// Points of the way after `from`, metres; a long way is shown by some of its points.
    pub path: Vec<[f64; 3]>,
    /// Length of the way, metres.
    pub length_m: f64,
    /// Smallest distance to a limit, metres.
    pub clearance_m: Option<f64>,
    /// Time at the commanded speed, seconds.
    pub duration_s: Option<f64>,
    /// The planner of the path.
    pub kind: PreviewKind,
}

/// An action that waits for, or had, a person's decision.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct Proposal {
    /// `pr-<uuid>`.
    pub id: ProposalId,
    /// Rises with every change of the shown proposal.
    #[ts(type = "number")]
    pub version: u64,
    /// SHA-256 of operation, input, robot, agent and mission, hex.
    pub action_hash: String,
    /// The risk tier, which decides the care that an approval takes.
    pub tier: Tier,
    /// The rule that made the tier.
    pub tier_rule: String,
    /// The role needed to approve it.
    pub role_needed: Role,
    /// The agent that made it.
    pub agent: AgentId,
    /// The robot it moves.
    pub robot: Option<RobotId>,
    /// The mission it belongs to.
    pub mission: Option<MissionId>,
    /// The turn that asked; none if a program did.
    pub turn: Option<TurnId>,
    /// The conversation of that turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub session: Option<ConversationId>,
    /// The operation it would run.
    pub operation: String,
    /// Equal for actions of one kind, so that a screen can show them together.
    pub group: String,
    /// That operation's input, canonical.
    #[ts(type = "unknown")]
    pub input: serde_json::Value,
    /// The effect of the action, written by the station.
    pub sentence: String,
    /// The agent's own words.
    pub reason: String,
    /// Facts that the proposal relied on.
    pub facts: Vec<ProposalFact>,
    /// Conditions that must hold for it to be approved.
    pub preconditions: Vec<PreconditionRow>,
    /// The newest verdict's id.
    pub verdict_id: Option<VerdictId>,
    /// Version of the limits it was judged by.
    #[ts(type = "number")]
    pub set_version: u64,
    /// The station's claim on the robot when it was judged.
    #[ts(type = "number")]
    pub lease_epoch: u64,
    /// The picture of the robot it was judged on.
    #[ts(type = "number")]
    pub snapshot_seq: u64,
    /// Pose of the robot at that time.
    pub start_pose: Option<StartPose>,
    /// The newest verdict.
    pub verdict: Option<Arc<Verdict>>,
    /// Every limit, allowed ones too.
    pub explanation: Vec<ItemRow>,
    /// The predicted motion.
    pub preview: Option<Preview>,
    /// Differences from the last approved action of its group.
    pub diff_from_last: Option<ProposalDiff>,
    /// Unix seconds.
    #[ts(type = "number")]
    pub created_at: i64,
    /// Unix seconds.
    #[ts(type = "number")]
    pub expires_at: i64,
    /// Station clock, milliseconds.
    #[ts(type = "number")]
    pub expires_mono_ms: u64,
    /// The state of the proposal.
    pub state: ProposalState,
    /// The reason for that state, if it needs one.
    pub state_reason: Option<String>,
    /// The code of that reason, with what it names; null for a proposal that an older version of the station has kept.
    #[serde(default)]
    pub state_reason_kind: Option<ProposalReason>,
    /// Steps reported after approval.
    pub steps: Vec<StepAt>,
    /// The person who decided, or `the activation of <mission> by <person>`.
    pub decided_by: Option<String>,
    /// The standing approval it was approved under.
    pub standing_approval: Option<String>,
    /// The desks it reached.
    #[serde(default)]
    pub desks: Vec<ProposalDesk>,
    /// No desk has shown it for as long as the site lets pass (`approvals.unseen_after_ms`).
    #[serde(default)]
    pub nobody_sees: bool,
}

impl Proposal {
    /// Puts it in a state, with the reason in words and as a code.
    pub fn put(&mut self, state: ProposalState, reason: Option<ProposalReason>) {
        self.state = state;
        self.state_reason = reason.as_ref().map(ToString::to_string);
        self.state_reason_kind = reason;
    }
}

/// A signed-in window that a proposal reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProposalDesk {
    /// The session of the window.
    pub session: SessionId,
    /// The name of the person or program at the window.
    pub actor: String,
    /// The kind of desk.
    pub desk: DeskKind,
    /// When the window was given the proposal, Unix milliseconds.
    #[ts(type = "number")]
    pub delivered_at: i64,
    /// When its card first stood on the screen, Unix milliseconds; null if it never did.
    #[ts(type = "number | null")]
    pub shown_at: Option<i64>,
}

/// The answer of `proposal_shown`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProposalSeen {
    /// The proposal.
    pub id: ProposalId,
    /// True if somebody at this desk can see it: a locked screen, or one that does not take frames, counts for nobody.
    pub counts: bool,
}

/// A standing approval of motions within bounds, as it holds now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StandingApprovalRow {
    /// `sa-<uuid>`.
    pub id: String,
    /// The robot.
    pub robot: RobotId,
    /// Only for commands of this mission.
    pub mission: Option<MissionId>,
    /// The operation it is for.
    pub operation: String,
    /// Its bounds.
    pub envelope: Envelope,
    /// Number of uses granted.
    #[ts(type = "number")]
    pub count: u64,
    /// Number of uses so far.
    #[ts(type = "number")]
    pub used: u64,
    /// The person who granted it.
    pub granted_by: String,
    /// Unix seconds.
    #[ts(type = "number")]
    pub expires_at: i64,
    /// Station clock, milliseconds.
    #[ts(type = "number")]
    pub expires_mono_ms: u64,
}

/// The answer of `grant_standing_approval` and `revoke_standing_approval`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StandingApprovalChanged {
    /// A confirmation, for people.
    pub message: String,
    /// The standing approval.
    pub id: String,
}

/// The answer of `approve_proposal` and `reject_proposal`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Approved {
    /// The proposal.
    pub id: ProposalId,
    /// Its version.
    #[ts(type = "number")]
    pub version: u64,
    /// The state after the decision.
    pub state: ProposalState,
}
