//! The reasons why a robot does not move, for screens, programs and agents.

use robot::RobotId;
use safety::machine::SafetyCause;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The answer of `why_idle`: nothing stands in the way of a motion that the limits allow if there is no blocker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WhyIdle {
    /// The robot.
    pub robot: RobotId,
    /// Everything that keeps it from moving, in the order of [`BlockerCode`].
    pub blockers: Vec<Blocker>,
}

/// One thing that keeps a robot from moving.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Blocker {
    /// The kind of blocker.
    pub code: BlockerCode,
    /// The motion that it keeps from passing.
    pub blocks: Blocked,
    /// The cause of the robot's state, if it is one; `acknowledge_cause` names it.
    pub cause: Option<SafetyCause>,
    /// A description of the blocker, for people.
    pub sentence: String,
    /// The way to clear it, for people.
    pub cleared_by: String,
    /// The people who may clear it, human-readable: for example `an operator`.
    pub who: String,
}

/// The kinds of blockers, in the order in which they are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum BlockerCode {
    /// The robot does not answer, or has nothing that could hold it.
    Link,
    /// It is not armed.
    State,
    /// Something is wrong that holds or stops it, or keeps it from being armed.
    Cause,
    /// A stop is open.
    Latch,
    /// Somebody else has control of it, or nobody.
    Control,
    /// Somebody else's motion uses a part of it.
    Lease,
    /// Its limits are incomplete, contradict each other, or forbid the place where it is.
    Limits,
    /// A source of its state is silent or stale.
    Source,
    /// A mission that names it is paused.
    MissionPaused,
    /// A proposal waits for a person's decision.
    ApprovalWaiting,
    /// Every screen is frozen.
    ScreensFrozen,
}

/// Motions that a blocker keeps from passing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Blocked {
    /// Every motion.
    Everyone,
    /// The motion of the caller.
    You,
    /// The motions of agents.
    Agents,
    /// The motions for that mission.
    Mission,
}
