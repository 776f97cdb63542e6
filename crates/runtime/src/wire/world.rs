//! World state, providers and alerts on the wire.

use robot::{ConstraintId, RobotId, Scalar, Trust};
use safety::{ChangeDirection, ConstraintKind, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use ts_rs::TS;
use world::{AlertId, Flags, Freshness, PointKind, ProviderConfig, Warning};

use super::{AgeBasis, ValueOrigin};

/// One row of `list_world_state`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WorldRow {
    /// The key.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub key: String,
    /// Names its live signal in the frames.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub signal: String,
    /// The value; null if there never was one.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub value: Option<Scalar>,
    /// Its unit, as the provider declares.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub unit: Option<String>,
    /// 0 to 1; null = unknown.
    pub confidence: Option<f64>,
    /// When it was observed, Unix seconds.
    #[ts(type = "number | null")]
    pub updated_at: Option<i64>,
    /// Milliseconds since it was observed.
    #[ts(type = "number | null")]
    pub age_ms: Option<u64>,
    /// Freshness of the value, by its age.
    pub freshness: Freshness,
    /// The key expression it came from, which its publisher chose; empty for an agent, to whom `explain_world_entry`
    /// gives it as untrusted text.
    pub source: String,
    /// The provider that wrote it.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub provider: String,
    /// Measured, estimated or replayed.
    pub origin: ValueOrigin,
    /// Trust level of its key and its value.
    pub trust: Trust,
    /// True if another live source says something else.
    pub contested: bool,
    /// The clock that the age starts from.
    pub age_basis: AgeBasis,
    /// Flags for everything else that is odd about it.
    pub flags: Flags,
    /// Rises with every shown change of this agent's world.
    #[ts(type = "number")]
    pub seq: u64,
}

/// States of a provider's subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ContextState {
    /// Subscribed.
    Running,
    /// The link does not take the subscription yet; it is tried again.
    WaitingForLink,
    /// Its mission is paused.
    Paused,
    /// Its mission has ended.
    Ended,
}

/// Reasons why a running provider makes no entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ContextTrouble {
    /// It has rejected every row for 60 s.
    RejectsAll,
    /// It has seen no sample for five times its maximum age.
    NoSample,
}

/// One row of `list_contexts`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ContextRow {
    /// `cp-<uuid>`.
    pub id: String,
    /// Rises with every change; `update_context` names it.
    #[ts(type = "number")]
    pub version: u64,
    /// The state of its subscription.
    pub state: ContextState,
    /// The configuration it was given.
    pub config: ProviderConfig,
    /// Keys it has written that are still there.
    #[ts(type = "number")]
    pub keys: u64,
    /// Samples a second, over the last ten seconds.
    pub rate_hz: f64,
    /// Bytes a second, over the last ten seconds.
    pub bytes_per_s: f64,
    /// Age of the newest sample when the station answers, milliseconds.
    #[ts(type = "number | null")]
    pub last_sample_age_ms: Option<u64>,
    /// Samples since it was started or changed.
    #[ts(type = "number")]
    pub samples: u64,
    /// Rows in them.
    #[ts(type = "number")]
    pub rows: u64,
    /// Rows beyond the 256th of a sample.
    #[ts(type = "number")]
    pub rows_cut: u64,
    /// Rows that became a value.
    #[ts(type = "number")]
    pub matched: u64,
    /// Samples and rows that did not, by reason.
    #[ts(type = "Record<string, number>")]
    pub rejects: BTreeMap<String, u64>,
    /// Keys that gave way to new ones.
    #[ts(type = "number")]
    pub keys_replaced: u64,
    /// Samples missing by the sources' own counters.
    #[ts(type = "number")]
    pub missing: u64,
    /// The reason why it makes no entries, if it makes none.
    pub trouble: Option<ContextTrouble>,
    /// Warnings about surprises in the configuration.
    pub warnings: Vec<Warning>,
}

/// The answer of `test_context`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ContextTested {
    /// Samples there were.
    #[ts(type = "number")]
    pub samples: u64,
    /// Rows in them.
    #[ts(type = "number")]
    pub rows: u64,
    /// Rows that would become a value.
    #[ts(type = "number")]
    pub matched: u64,
    /// Samples and rows that would not, by reason.
    #[ts(type = "Record<string, number>")]
    pub rejects: BTreeMap<String, u64>,
    /// The entries there would be, the first 50 by key.
    pub writes: Vec<TestedWrite>,
    /// The clause of the filter at which the newest rejected row failed.
    pub first_failing_clause: Option<String>,
    /// The usual time between two samples of one source.
    #[ts(type = "number | null")]
    pub period_ms: Option<u64>,
    /// A maximum age that fits that.
    pub suggested_max_age_secs: Option<f64>,
    /// Warnings about surprises in the configuration.
    pub warnings: Vec<Warning>,
}

/// An entry that a tested provider would write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TestedWrite {
    /// Its key.
    pub key: String,
    /// The last value.
    pub value: Scalar,
    /// 0 to 1; null = unknown.
    pub confidence: Option<f64>,
    /// Age of the value, milliseconds.
    #[ts(type = "number")]
    pub age_ms: u64,
    /// Number of times it was written.
    #[ts(type = "number")]
    pub n: u64,
}

/// The answer of `explain_world_entry`: the reasons why an entry is as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WorldExplained {
    /// The entry that is shown.
    pub entry: WorldRow,
    /// Claims of all sources about the key, the shown one among them.
    pub claims: Vec<ClaimRow>,
    /// The provider that made it; null if it was removed.
    pub context: Option<ContextRow>,
    /// The sample it came from, while that is kept.
    pub sample: Option<RawSample>,
    /// Alert rules that name its key.
    pub rules: Vec<AlertId>,
}

/// The claim of one source about a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ClaimRow {
    /// The value.
    pub value: Scalar,
    /// 0 to 1; null = unknown.
    pub confidence: Option<f64>,
    /// The key expression it came from.
    pub source: String,
    /// The instance of the source.
    pub instance: Option<String>,
    /// The provider that took it in.
    pub provider: String,
    /// Age of the value, milliseconds.
    #[ts(type = "number")]
    pub age_ms: u64,
    /// Freshness of the value, by its age.
    pub freshness: Freshness,
    /// The source's own stamp, Unix milliseconds.
    #[ts(type = "number | null")]
    pub source_ms: Option<i64>,
    /// When it arrived, Unix milliseconds.
    #[ts(type = "number")]
    pub received_ms: i64,
    /// Flags for everything that is odd about it.
    pub flags: Flags,
}

/// A sample as it arrived.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RawSample {
    /// The concrete key expression.
    pub key_expr: String,
    /// When it arrived, Unix milliseconds.
    #[ts(type = "number")]
    pub received_ms: i64,
    /// Its number on its subscription.
    #[ts(type = "number")]
    pub n: u64,
    /// The declared encoding.
    pub encoding: String,
    /// `json`, `cbor`, `text`, `ros2` or `hex`: the form of the text below.
    pub form: String,
    /// The sample as text.
    pub text: String,
    /// True if the text ends before the sample does.
    pub cut: bool,
}

/// One point of `world_history`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WorldPoint {
    /// The kind of change that the point records.
    pub kind: PointKind,
    /// The value; the freshness as a word; whether it is contested.
    pub value: Scalar,
    /// 0 to 1; null = unknown.
    pub confidence: Option<f64>,
    /// When it was so, Unix milliseconds.
    #[ts(type = "number")]
    pub observed_ms: i64,
    /// When it was heard of, Unix milliseconds.
    #[ts(type = "number")]
    pub received_ms: i64,
    /// The key expression it came from.
    pub source: String,
}

/// The answer of `world_store_status`: counts of changes on their way to the disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WorldStoreStatus {
    /// Keys whose newest state is not written yet.
    #[ts(type = "number")]
    pub waiting: u64,
    /// States of a key that a newer one replaced before they were written.
    #[ts(type = "number")]
    pub conflated: u64,
    /// Points of the history that were dropped because the disk did not take them.
    #[ts(type = "number")]
    pub points_lost: u64,
}

/// One row of `list_topics` and `watch_topic`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TopicRow {
    /// The concrete key expression.
    pub key_expr: String,
    /// Samples since somebody listens.
    #[ts(type = "number")]
    pub samples: u64,
    /// Samples a second.
    pub rate_hz: f64,
    /// Bytes a second.
    pub bytes_per_s: f64,
    /// Milliseconds since the newest sample.
    #[ts(type = "number")]
    pub age_ms: u64,
    /// The declared encoding.
    pub encoding: String,
    /// `json`, `cbor`, `text`, `ros2` or `hex`: the form it was read as.
    pub form: String,
    /// Size of the newest sample.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Samples that were too large to be read.
    #[ts(type = "number")]
    pub too_large: u64,
    /// The likely form of the newest sample, if it cannot be read, for example `ROS 2 (CDR, little-endian)`.
    pub looks_like: Option<String>,
    /// The newest sample as text.
    pub last: String,
    /// True if that text ends before the sample does.
    pub cut: bool,
    /// Fields found in it, as paths.
    pub fields: Vec<TopicField>,
}

/// A place in a sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TopicField {
    /// A path as providers name it.
    pub path: String,
    /// `number`, `boolean`, `text`, `null`, `map`, `array` or `bytes`.
    pub kind: String,
    /// The value found there.
    pub example: Option<Scalar>,
}

/// The answer of `configure_context`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ContextConfigured {
    /// A confirmation, for people.
    pub message: String,
    /// `cp-<uuid>`.
    pub id: String,
    /// 1 for a new provider.
    #[ts(type = "number")]
    pub version: u64,
    /// The state of its subscription.
    pub state: ContextState,
    /// Warnings about surprises in the configuration.
    pub warnings: Vec<Warning>,
}

/// The answer of `register_alert`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AlertRegistered {
    /// A confirmation, for people.
    pub message: String,
    /// `al-<uuid>`.
    pub id: String,
    /// The predicate in its printed form.
    pub predicate: String,
    /// Warnings about surprises in the rule.
    pub warnings: Vec<Warning>,
}

/// The answer of `register_constraint`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ConstraintRegistered {
    /// A confirmation, for people.
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
    /// A confirmation, for people.
    pub message: String,
    /// The constraint.
    pub id: ConstraintId,
    /// New set version per robot it binds.
    #[ts(type = "Record<string, number>")]
    pub version: BTreeMap<RobotId, u64>,
}

/// The effects that a change of a limit would have.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct ConstraintPreview {
    /// Names this preview in the confirmation.
    pub preview_id: String,
    /// The direction of the change: tightening or loosening.
    pub direction: ChangeDirection,
    /// The limit in force now.
    pub old: ConstraintKind,
    /// The limit in force after the change; null if it would be removed.
    pub new: Option<ConstraintKind>,
    /// True if a robot could no longer be armed afterwards.
    pub leaves_incomplete: bool,
    /// The robots it binds.
    pub robots: Vec<RobotId>,
    /// Commands of the last 24 h that were judged under both sets.
    pub recorded: u32,
    /// Number of those that passed and would not.
    pub allow_to_deny_total: u32,
    /// The first 100 of them.
    pub allow_to_deny: Vec<TriedCommand>,
    /// Number of those that did not pass and would.
    pub deny_to_allow_total: u32,
    /// The first 100 of them.
    pub deny_to_allow: Vec<TriedCommand>,
}

/// A recorded command whose verdict would change.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, TS)]
pub struct TriedCommand {
    /// The robot.
    pub robot: RobotId,
    /// The command.
    pub command: String,
    /// When it was judged, Unix seconds.
    #[ts(type = "number")]
    pub at: i64,
    /// The verdict it would have.
    pub verdict: Arc<Verdict>,
    /// The verdict as a sentence.
    pub sentence: String,
}
