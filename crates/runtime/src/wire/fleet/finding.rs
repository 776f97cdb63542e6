//! Drafts of robots that a scan has found.

use robot::{FieldSource, FindField, FindProtocol, RobotId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire::ManifestMeaning;

/// A field of a draft as a person sees it before them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct DraftField {
    /// The field.
    pub field: FindField,
    /// Its value in the form of the field.
    pub value: String,
    /// Kind of thing that the value comes from; none for one that a person has written.
    #[serde(default)]
    pub source: Option<FieldSource>,
    /// Name of that thing, for example a topic.
    #[serde(default)]
    pub at: String,
    /// True for a guess that nobody has confirmed.
    #[serde(default)]
    pub is_guess: bool,
}

/// The reason why a field keeps a robot from being added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum DraftProblemKind {
    /// It has no value.
    Missing,
    /// It is a guess that nobody has confirmed.
    Unconfirmed,
    /// Its value cannot be used.
    Bad,
}

/// Something that keeps a robot from being added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct DraftProblem {
    /// The field; null if it is none of a single one.
    pub field: Option<FindField>,
    /// The reason.
    pub kind: DraftProblemKind,
    /// The reason in words.
    pub message: String,
}

/// The answer of `draft_robot`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RobotDraft {
    /// The protocol of the robot.
    pub protocol: FindProtocol,
    /// Text of the manifest, TOML; each line names its source.
    pub manifest: String,
    /// Text of the wiring, `gate.toml`.
    pub wiring: String,
    /// Everything that keeps the robot from being added; empty if nothing does.
    pub problems: Vec<DraftProblem>,
    /// The meaning of the manifest; null while it has none.
    pub meaning: Option<ManifestMeaning>,
}

/// The answer of `prepare_robot`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RobotPrepared {
    /// The robot.
    pub robot: RobotId,
    /// The folder of its gate.
    pub folder: String,
    /// The command that pairs its gate with this station.
    pub pair: String,
}
