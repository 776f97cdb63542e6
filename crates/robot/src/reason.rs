//! Reasons for refusing a command. The codes are frozen: screens, logs and clients rely on them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A refusal's code, snake_case on every wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the field's words and the sentence of each is in `safety::sentence`")]
pub enum Reason {
    NonFinite,
    BadArity,
    BadOrientation,
    Schema,
    TooLarge,
    Sequence,
    Replay,
    Expired,
    RateLimited,
    UnknownActuator,
    JointNames,
    NotProvable,
    MissingVelocity,
    MissingForce,
    Velocity,
    Force,
    Workspace,
    ForbiddenZone,
    KeepOut,
    StoppingDistance,
    ApproachSpeed,
    Acceleration,
    GoalJump,
    JointLimit,
    FrameMismatch,
    StaleTransform,
    NoFreshPose,
    Implausible,
    Lease,
    Arbitration,
    NotArmed,
    Latched,
    StaleSet,
    EmptySet,
    AuditUnavailable,
    ApprovalMissing,
    ApprovalVoid,
    Deadline,
    NotCommissioned,
    KeepsMoving,
}
