//! Files of the folder that are no missions, or not yet, each with what is wrong and what to do about it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;

use missions::{Problem, ProblemCode, Severity};
use robot::MissionId;

use super::files::Draft;
use super::listing::{FILE_BYTES_MAX, FILES_MAX, Listed};

/// Files that are told one by one under one id; further ones are counted.
const TOLD_MAX: usize = 20;
/// Names that one sentence tells.
const NAMES_MAX: usize = 10;
/// Characters of a name that are shown.
const NAME_CHARS_MAX: usize = 80;

/// A reason why there is no mission where a file of one could be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// It may be written on, or nobody has come to read it. It might bind any robot.
    NotYet,
    /// A link, a folder or a device is in its place.
    NotAFile,
    /// It is longer than a mission may be.
    TooLarge,
    /// Its bytes are no text.
    NotUtf8,
    /// The disk refuses, with its own words.
    Refused(String),
    /// It was read, and its text is no mission for this reason.
    NoMission(String),
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotYet => f.write_str("it is being written or read; try again soon"),
            Self::NotAFile => f.write_str("it is no file of this folder"),
            Self::TooLarge => write!(f, "it has more than {FILE_BYTES_MAX} bytes"),
            Self::NotUtf8 => f.write_str("it is not UTF-8 text"),
            Self::Refused(reason) | Self::NoMission(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Unread {}

impl From<std::io::Error> for Unread {
    fn from(error: std::io::Error) -> Self {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<Self>()) {
            Some(known) => known.clone(),
            None if error.kind() == ErrorKind::InvalidData => Self::NotUtf8,
            None => Self::Refused(error.to_string()),
        }
    }
}

impl Unread {
    /// The problem of a file that cannot be read as it is; none if its text was read, or is yet to be.
    fn problem(&self, id: &MissionId) -> Option<Problem> {
        let (code, message, help) = match self {
            Self::NotYet | Self::NoMission(_) => return None,
            Self::NotAFile => (
                ProblemCode::NotAFile,
                format!("In the place of `{id}.md` is a link, a folder or a device, which is never opened."),
                "Put the file itself there, or remove what is in its place.",
            ),
            Self::TooLarge => (
                ProblemCode::TooLarge,
                format!("The file has more than {FILE_BYTES_MAX} bytes and is not opened."),
                "Shorten it, or divide it into several missions.",
            ),
            Self::NotUtf8 => (ProblemCode::NotUtf8, "The file is not UTF-8 text.".to_owned(), "Save it in UTF-8."),
            Self::Refused(reason) => (
                ProblemCode::FileUnreadable,
                format!("The file cannot be read: {reason}."),
                "Check the rights of the file.",
            ),
        };
        Some(Problem::of_file(code, Severity::Error, message, help.to_owned()))
    }
}

/// The problems of files that were not read, under the id of the mission that each is, or could be.
pub(super) fn faults(listed: &Listed, drafts: &BTreeMap<MissionId, Draft>) -> BTreeMap<MissionId, Vec<Problem>> {
    let mut faults: BTreeMap<MissionId, Vec<Problem>> = BTreeMap::new();
    for (id, draft) in drafts {
        let problem = draft.as_ref().err().and_then(|unread| unread.problem(id));
        faults.extend(problem.map(|problem| (id.clone(), vec![problem])));
    }
    for (id, names) in &listed.misnamed {
        let is_taken = listed.files.contains_key(id);
        faults.entry(id.clone()).or_default().extend(misnamed(id, names, is_taken));
    }
    if let Some(first) = listed.left_out.first() {
        faults.entry(first.clone()).or_default().push(too_many(&listed.left_out));
    }
    faults
}

/// The problems of files that could be the mission `id`, and are none by their names.
fn misnamed(id: &MissionId, names: &BTreeSet<String>, is_taken: bool) -> Vec<Problem> {
    // It takes nothing from the mission that has this id, so that one can be activated.
    let severity = if is_taken { Severity::Warning } else { Severity::Error };
    let remedy = if is_taken {
        format!("There is `{id}.md` already: give it another name, or remove it.")
    } else {
        format!("Rename it to `{id}.md`.")
    };
    let problem = |name: &String| {
        // A good stem with another ending, or a stem that is no id.
        let is_ending = name.rsplit_once('.').is_some_and(|(stem, _)| stem == id.as_str());
        let (code, cause) = if is_ending {
            (ProblemCode::NotAFile, "does not end in `.md`")
        } else {
            (ProblemCode::BadId, "is not made of small letters, digits, `-` and `_` alone, or means a device")
        };
        let message = format!("The file `{}` is no mission, because its name {cause}.", shown(name));
        Problem::of_file(code, severity, message, remedy.clone())
    };
    let mut problems: Vec<Problem> = names.iter().take(TOLD_MAX).map(problem).collect();
    let more = names.len().saturating_sub(TOLD_MAX);
    if more > 0 {
        let message = format!("{more} more files have names that are no ids of missions.");
        problems.push(Problem::of_file(ProblemCode::BadId, severity, message, "Rename them.".to_owned()));
    }
    problems
}

/// The problem of a folder with too many files, which were left out.
fn too_many(left_out: &BTreeSet<MissionId>) -> Problem {
    let names: Vec<String> = left_out.iter().take(NAMES_MAX).map(|id| format!("`{id}`")).collect();
    let more = left_out.len().saturating_sub(names.len());
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let message =
        format!("The folder has more files than count, which are {FILES_MAX}. Left out: {}{more}.", names.join(", "));
    let help = "Move files that are no longer needed to another folder.".to_owned();
    Problem::of_file(ProblemCode::TooManyFiles, Severity::Error, message, help)
}

/// A name of a file for people. What a reader would not see of it is written out.
fn shown(name: &str) -> String {
    let mut shown = String::new();
    for c in name.chars().take(NAME_CHARS_MAX) {
        if c.is_ascii_graphic() || c == ' ' { shown.push(c) } else { shown.extend(c.escape_debug()) }
    }
    shown
}
