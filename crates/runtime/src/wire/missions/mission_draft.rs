//! Mission files as they are written through the station.

use missions::Change;
use missions::templates::DraftNote;
use robot::{MissionId, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire::MissionProblem;

/// A mission file that was saved. It may have problems: it is a draft until somebody activates it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionSaved {
    /// SHA-256 of the text that stands in the file now, hex.
    pub hash: String,
    /// That text.
    pub source: String,
    /// Its problems, in the order of their places.
    pub problems: Vec<MissionProblem>,
}

/// A draft that was made. It does nothing until a person activates it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionDrafted {
    /// A sentence for people.
    pub message: String,
    /// Its id.
    pub mission_id: MissionId,
    /// Its title.
    pub title: String,
    /// SHA-256 of its text, hex.
    pub hash: String,
    /// True if no problem is an error.
    pub ok: bool,
    /// Its meaning in sentences; empty if it cannot be told.
    pub meaning: Vec<String>,
    /// Sentences on wishes that it does not follow, with the reason.
    pub notes: Vec<String>,
    /// The same as data, one for each sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<DraftNote>>", optional)]
    pub note_kinds: Vec<DraftNote>,
    /// Its problems, in the order of their places.
    pub problems: Vec<MissionProblem>,
    /// Number of further problems.
    pub problems_unlisted: usize,
}

/// A mission file that was put away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionRemoved {
    /// A sentence for people.
    pub message: String,
    /// Its text: saved again, the file is as it was.
    pub source: String,
}

/// A text of a mission held against the site of now; nothing is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionValidated {
    /// True if no problem is an error.
    pub ok: bool,
    /// Its problems, in the order of their places.
    pub problems: Vec<MissionProblem>,
    /// Number of further problems.
    pub problems_unlisted: usize,
    /// Its meaning in sentences; empty if it cannot be told.
    pub meaning: Vec<String>,
    /// The differences from what was activated last; against nothing, everything is added.
    pub changes: Vec<Change>,
    /// The least role of a person who activates it.
    pub role_needed: Role,
}

/// Files that were brought in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionsImported {
    /// The outcome of each, in the order in which they were given.
    pub files: Vec<MissionImported>,
}

/// The outcome of one file that was brought in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MissionImported {
    /// The name of the file.
    pub name: String,
    /// The mission that it is; none if its name stands for none.
    pub mission_id: Option<MissionId>,
    /// The outcome.
    pub outcome: MissionImportOutcome,
    /// The code of the refusal.
    pub code: Option<String>,
    /// The refusal in words.
    pub message: Option<String>,
}

/// The fate of a file that was brought in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissionImportOutcome {
    /// It is a new draft.
    Added,
    /// The same text stands there already.
    Same,
    /// Another text stands there, and stays until a person has chosen.
    Conflict,
    /// Another text stands there, and stays.
    Skipped,
    /// It took the place of another text.
    Replaced,
    /// It could not be taken; the code says why.
    Refused,
}
