//! A dry run of a mission: what each of its goals would lead to. Nothing of it was sent.

use std::sync::Arc;

use missions::GoalPhrase;
use robot::{ActuatorId, MissionId, RobotId};
use safety::Verdict;
use safety::approval::tier::Tier;
use safety::machine::SafetyCause;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire::{BlockerCode, ItemRow, Preview};

/// The answer of `dry_run_mission`. Its verdicts approve nothing, and stand in no list of verdicts.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDryRun {
    /// `dry-<uuid>`: an input of `activate_mission`.
    pub id: String,
    /// The mission.
    pub mission_id: MissionId,
    /// SHA-256 of the text that was run, hex.
    pub hash: String,
    /// When it was run, UTC milliseconds.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// True if every step would be allowed and no part is locked by another.
    pub ok: bool,
    /// The outcome as a sentence.
    pub sentence: String,
    /// The same as data.
    pub outcome: MissionDryOutcome,
    /// Everything that keeps a robot from moving now; a person clears it before a start.
    pub before: Vec<MissionDryHindrance>,
    /// Missions that could want a part of a robot at the same time.
    pub conflicts: Vec<MissionDryConflict>,
    /// The goals in the order of a run.
    pub steps: Vec<MissionDryStep>,
    /// Steps that would be denied.
    pub denied: usize,
    /// Steps that would wait for a person.
    pub asked: usize,
    /// Seconds from the start to the end at least.
    pub takes_s: f64,
    /// True if it takes exactly so long.
    pub is_exact: bool,
    /// The limits of the file, tried on recorded commands; null unless that was asked for.
    pub recorded: Option<MissionDryRecorded>,
    /// Everything that the verdicts rest on besides the text, robot by robot.
    pub basis: Vec<MissionDryBasis>,
}

/// The outcome of a dry run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum MissionDryOutcome {
    /// It has no goals.
    #[error("The mission has no goals that could be run.")]
    NoGoals,
    /// Nothing stands against it.
    #[error("Every step would be allowed.")]
    Allowed,
    /// Another has a part that it needs.
    #[error("Every step would be allowed, but {holder} has {part}.")]
    Locked {
        /// The other.
        holder: String,
        /// The part.
        part: String,
    },
    /// A goal would be denied.
    #[error("Goal {goal} would be denied.")]
    Denied {
        /// Its number, from 1.
        goal: usize,
    },
    /// Several goals would be denied.
    #[error("Goal {goal} would be denied, and {more} more.")]
    SomeDenied {
        /// The number of the first, from 1.
        goal: usize,
        /// Number of the others.
        more: usize,
    },
}

/// A robot as a dry run met it. The same hashes are the same robot under the same limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDryBasis {
    /// The robot.
    pub robot: RobotId,
    /// Hash of its manifest.
    pub manifest: String,
    /// Hash of the limits that bound it, those of the mission's own text left out.
    pub limits: String,
}

/// A dry run that is kept, without its steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDryRecord {
    /// `dry-<uuid>`.
    pub id: String,
    /// SHA-256 of the text that was run, hex.
    pub hash: String,
    /// When it was run, UTC milliseconds.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// True if every step would have been allowed and no part was locked by another.
    pub ok: bool,
    /// The outcome as a sentence.
    pub sentence: String,
    /// The same as data; absent of one that was kept before there was such data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outcome: Option<MissionDryOutcome>,
    /// Everything that has changed since, so that it says nothing about now; absent if nothing has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<MissionDryStale>>", optional)]
    pub stale: Vec<MissionDryStale>,
}

/// A change by which a dry run says nothing about now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDryStale {
    /// The thing that is another one.
    pub cause: MissionDryStaleCause,
    /// The robot whose it is; none of the text.
    pub robot: Option<RobotId>,
}

/// The thing that has changed since a dry run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionDryStaleCause {
    /// The text.
    Text,
    /// The limits that bind a robot besides those of the text.
    Limits,
    /// The manifest of a robot, or the robot is gone.
    Manifest,
}

/// The limits of a file, tried on the commands of its robots that were judged in the last 24 h.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDryRecorded {
    /// Commands that were judged again.
    pub commands: u32,
    /// Number of those that passed and would not.
    pub to_deny: u32,
    /// Number of those that did not pass and would.
    pub to_allow: u32,
    /// The first of both, in order of time.
    pub changed: Vec<MissionDryRecordedCommand>,
}

/// A recorded command whose verdict would be another one.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDryRecordedCommand {
    /// When it was judged, UTC milliseconds.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// The command with the verdict that it would have, from where the robot was in that moment.
    pub motion: MissionDryMotion,
}

/// A hindrance of a robot before the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDryHindrance {
    /// The robot.
    pub robot: RobotId,
    /// The hindrance as a sentence.
    pub sentence: String,
    /// The same as data.
    pub why: RobotHindrance,
}

/// A reason why no motion of a mission passes to a robot now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum RobotHindrance {
    /// The station ends.
    StationEnds,
    /// The robot is not there.
    Gone,
    /// Something blocks it.
    Blocked {
        /// Its kind.
        blocker: BlockerCode,
        /// The cause of the robot's state, if it is one.
        cause: Option<SafetyCause>,
    },
}

/// Another mission that could want the same part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDryConflict {
    /// The other mission.
    pub mission_id: MissionId,
    /// The conflict as a sentence.
    pub sentence: String,
}

/// One goal of a dry run.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDryStep {
    /// Its number in the file, from 1.
    pub goal: usize,
    /// The goal in a phrase.
    pub text: String,
    /// The same as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub phrase: Option<GoalPhrase>,
    /// Kind of goal.
    pub kind: MissionDryKind,
    /// False if a step before it would be denied.
    pub is_reached: bool,
    /// True if it would be denied, or refused by the mode of the agent.
    pub is_denied: bool,
    /// Seconds from the start to its begin at least.
    pub begins_s: f64,
    /// True if it begins exactly then.
    pub is_exact: bool,
    /// Seconds that it takes; null if that depends on people, on the world or on the robot.
    pub takes_s: Option<f64>,
    /// The parts of robots that it locks.
    pub parts: Vec<String>,
    /// A part of these that another has now.
    pub locked: Option<MissionDryLock>,
    /// The approval that it would need; null if it calls nothing.
    pub approval: Option<MissionDryApproval>,
    /// The judgement of its motion.
    pub motion: Option<MissionDryMotion>,
}

/// Kind of goal in a dry run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionDryKind {
    /// A robot moves.
    Motion,
    /// An operation is called that moves nothing.
    Call,
    /// A time passes, or a rule becomes true.
    Wait,
    /// A sentence that a person ticks.
    Sentence,
}

/// A locked part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDryLock {
    /// Its path.
    pub part: String,
    /// The other that has it.
    pub holder: String,
}

/// The approval that a step would need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDryApproval {
    /// The way it would be approved.
    pub kind: MissionDryApprovalKind,
    /// The risk tier of a motion.
    pub tier: Option<Tier>,
    /// The rule that made the tier.
    pub tier_rule: Option<String>,
}

/// The way a step would be approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionDryApprovalKind {
    /// A card waits for a person.
    Asked,
    /// A standing approval covers it.
    Standing,
    /// The activation of the text approves it.
    Activation,
    /// Nobody is asked.
    Free,
    /// The mode of the agent refuses it.
    Refused,
}

/// A motion that was judged and not sent.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDryMotion {
    /// The robot.
    pub robot: RobotId,
    /// Its actuator.
    pub actuator: ActuatorId,
    /// The verdict of the safety engine.
    pub verdict: Arc<Verdict>,
    /// Every limit, allowed ones too.
    pub explanation: Vec<ItemRow>,
    /// The verdict as a sentence.
    pub sentence: String,
    /// Begin of the motion.
    pub start: MissionDryStart,
    /// The predicted way, if one can be predicted.
    pub preview: Option<Preview>,
}

/// Begin of a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionDryStart {
    /// The robot stands there now.
    Measured,
    /// The motion before it ends there.
    Predicted,
    /// Nothing says where the robot would be: it was judged from the last place that is known.
    Open,
}
