//! World state, providers and alerts on the wire.

use robot::{ConstraintId, RobotId, Scalar, Trust};
use safety::{ChangeDirection, ConstraintKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;
use world::{Freshness, Warning};

use super::SignalOrigin;

/// One row of `list_world_state`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WorldRow {
    /// The key.
    pub key: String,
    /// Names its live signal in the frames.
    pub signal: String,
    /// The value.
    pub value: Scalar,
    /// Its unit, as the provider declares.
    pub unit: Option<String>,
    /// 0 to 1; null = unknown.
    pub confidence: Option<f64>,
    /// When it was observed, Unix seconds.
    #[ts(type = "number")]
    pub updated_at: i64,
    /// Milliseconds since it was observed.
    #[ts(type = "number")]
    pub age_ms: u64,
    /// How current it is.
    pub freshness: Freshness,
    /// The key expression it came from.
    pub source: String,
    /// The provider that wrote it.
    pub provider: String,
    /// Measured, estimated or replayed.
    pub origin: SignalOrigin,
    /// How far its text can be believed.
    pub trust: Trust,
    /// True if another live source says something else.
    pub contested: bool,
}

/// Whether a provider receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ContextState {
    /// Subscribed.
    Running,
}

/// The answer of `configure_context`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ContextConfigured {
    /// For people.
    pub message: String,
    /// `cp-<uuid>`.
    pub id: String,
    /// 1 for a new provider.
    #[ts(type = "number")]
    pub version: u64,
    /// Whether it receives.
    pub state: ContextState,
    /// What may surprise.
    pub warnings: Vec<Warning>,
}

/// The answer of `register_alert`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AlertRegistered {
    /// For people.
    pub message: String,
    /// `al-<uuid>`.
    pub id: String,
    /// The predicate in its printed form.
    pub predicate: String,
    /// What may surprise.
    pub warnings: Vec<Warning>,
}

/// The answer of `register_constraint`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ConstraintRegistered {
    /// For people.
    pub message: String,
    /// `con-<uuid>`.
    pub id: String,
    /// New set version per robot it binds.
    #[ts(type = "Record<string, number>")]
    pub version: BTreeMap<RobotId, u64>,
}

/// The answer of `tighten_constraint`, `loosen_constraint` and `remove_constraint`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ConstraintChanged {
    /// For people.
    pub message: String,
    /// The constraint.
    pub id: ConstraintId,
    /// New set version per robot it binds.
    #[ts(type = "Record<string, number>")]
    pub version: BTreeMap<RobotId, u64>,
}

/// What a change of a limit would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ConstraintPreview {
    /// Names this preview in the confirmation.
    pub preview_id: String,
    /// Which way it goes.
    pub direction: ChangeDirection,
    /// What holds now.
    pub old: ConstraintKind,
    /// What would hold; null if it would be removed.
    pub new: Option<ConstraintKind>,
    /// True if a robot could no longer be armed afterwards.
    pub leaves_incomplete: bool,
    /// The robots it binds.
    pub robots: Vec<RobotId>,
    /// Commands of the last 24 h that were judged under both sets.
    pub recorded: u32,
    /// How many of them passed and would not.
    pub allow_to_deny_total: u32,
    /// The first 100 of these.
    pub allow_to_deny: Vec<TriedCommand>,
    /// How many of them did not pass and would.
    pub deny_to_allow_total: u32,
    /// The first 100 of these.
    pub deny_to_allow: Vec<TriedCommand>,
}

/// A recorded command whose verdict would be another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TriedCommand {
    /// The robot.
    pub robot: RobotId,
    /// The command.
    pub command: String,
    /// When it was judged, Unix seconds.
    #[ts(type = "number")]
    pub at: i64,
    /// The verdict it would have, for people.
    pub sentence: String,
}
