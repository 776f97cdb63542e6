//! The files of a station and of an agent in it: what each is to forgetting, what is taken out of them, and whether
//! anything is left.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use robot::ConversationId;

use super::lines::{Line, of_log, of_transcript};
use super::phrase::Parts;
use super::{Needles, Removal};
use crate::MemoryError;
use crate::files::{remove_if_there, replace};

/// Depth to which folders are searched.
const DEPTH_MAX: usize = 8;

/// Removals by kind of place.
pub type Places = BTreeMap<String, u64>;

/// The folder of one agent.
#[derive(Debug, Clone)]
pub struct AgentFiles {
    /// `agents/<id>`.
    pub root: PathBuf,
}

/// The folder of a station, with that of one of its agents in it.
#[derive(Debug, Clone)]
pub struct StationFiles {
    /// The data directory.
    pub root: PathBuf,
    /// `agents/<id>` in it.
    pub agent: PathBuf,
}

/// The part that a file of a station plays in forgetting. One that is not known is named as such, and fails a test.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whose {
    /// `memory.db`, and what SQLite keeps beside it.
    AgentDatabase,
    /// A copy of it.
    Backup,
    /// The records of a day.
    DailyLog,
    /// A conversation.
    Transcript,
    /// An output too long for its transcript, or what a tool has written.
    Spilled,
    /// `MEMORY.md` or `knowledge.md`.
    Note,
    /// A damaged database that was set aside: of no use but to whoever repairs it, and nobody can edit it.
    SetAside,
    /// A mission as people write it.
    Mission,
    /// Anything of another agent.
    OtherAgent(String),
    /// `station.db`, and what SQLite keeps beside it.
    StationDatabase,
    /// The inputs of verdicts.
    Recording,
    /// A robot's manifest.
    Manifest,
    /// `config.toml`.
    Settings,
    /// The keys and the memory of a simulated robot: no words of people.
    Simulator,
    /// A file that nobody has thought of.
    Unknown,
}

impl StationFiles {
    /// The kind of the file at `path`.
    #[must_use]
    pub fn whose(&self, path: &Path) -> Whose {
        if path.starts_with(&self.agent) {
            return AgentFiles { root: self.agent.clone() }.whose(path);
        }
        let Ok(inside) = path.strip_prefix(&self.root) else { return Whose::Unknown };
        let mut parts = inside.iter().filter_map(|part| part.to_str());
        match (parts.next(), parts.next()) {
            (Some("agents"), Some(other)) => Whose::OtherAgent(other.to_owned()),
            (Some("recordings"), Some(_)) => Whose::Recording,
            (Some("robots"), Some(_)) => Whose::Manifest,
            (Some("simulator"), Some(_)) => Whose::Simulator,
            (Some(first), None) if first.starts_with("station.db") => Whose::StationDatabase,
            (Some(first), None) if first.starts_with("config.toml") || first == ".lock" || first == "audit.mark" => {
                Whose::Settings
            }
            (_, _) => Whose::Unknown,
        }
    }

    /// The name that people know the file at `path` by.
    #[must_use]
    pub fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }

    /// Every file.
    pub fn all(&self) -> Result<Vec<PathBuf>, MemoryError> {
        walk(&self.root)
    }
}

impl AgentFiles {
    /// The folder of the daily logs.
    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.root.join("memory")
    }

    fn whose(&self, path: &Path) -> Whose {
        let Ok(inside) = path.strip_prefix(&self.root) else { return Whose::Unknown };
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_lines = name.ends_with(".jsonl");
        match inside.iter().next().and_then(|first| first.to_str()) {
            Some("memory") if is_lines => Whose::DailyLog,
            Some("sessions") if is_lines => Whose::Transcript,
            Some("sessions") => Whose::Spilled,
            Some("MEMORY.md" | "knowledge.md") => Whose::Note,
            Some("missions") => Whose::Mission,
            Some("backups") => Whose::Backup,
            Some(first) if first.starts_with("memory.db.damaged-") => Whose::SetAside,
            Some(first) if first.starts_with("memory.db") => Whose::AgentDatabase,
            Some(_) | None => Whose::Unknown,
        }
    }

    /// Takes what is forgotten out of logs, transcripts, outputs and notes, and counts the lines or files. `replaced`
    /// gets the names of the daily logs that are other files now.
    pub fn forget(&self, removal: &Removal, replaced: &mut Vec<String>) -> Result<Places, MemoryError> {
        let mut places = Places::new();
        for path in walk(&self.root)? {
            let (place, count) = match self.whose(&path) {
                Whose::DailyLog => {
                    let count = change_lines(&path, |line| of_log(line, removal))?;
                    if count > 0 {
                        replaced.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
                    }
                    ("daily_logs", count)
                }
                Whose::Transcript => {
                    let session = path.file_stem().map(std::ffi::OsStr::to_string_lossy).unwrap_or_default();
                    let session = ConversationId::from(&*session);
                    let changed = |line: &str| of_transcript(line, &session, removal);
                    ("transcripts", change_lines(&path, changed)?)
                }
                Whose::Spilled => ("spilled", change_text(&path, removal)?),
                Whose::Note => ("notes", change_text(&path, removal)?),
                // Single pages of a damaged database cannot be edited, so the file is removed as a whole.
                Whose::SetAside if holds(&path, &removal.needles, Parts::Any)? => {
                    remove_if_there(&path)?;
                    ("set_aside", 1)
                }
                // Databases are taken care of row by row; the rest is not the agent's to edit.
                Whose::SetAside
                | Whose::AgentDatabase
                | Whose::Backup
                | Whose::Mission
                | Whose::OtherAgent(_)
                | Whose::StationDatabase
                | Whose::Recording
                | Whose::Manifest
                | Whose::Settings
                | Whose::Simulator
                | Whose::Unknown => continue,
            };
            if count > 0 {
                *places.entry(place.to_owned()).or_default() += count;
            }
        }
        Ok(places)
    }
}

/// The files of an agent that still hold one of the texts, relative to its folder.
pub fn remaining(files: &AgentFiles, needles: &Needles) -> Result<Vec<String>, MemoryError> {
    let mut found = Vec::new();
    for path in walk(&files.root)? {
        if holds(&path, needles, Parts::Telling)? {
            found.push(path.strip_prefix(&files.root).unwrap_or(&path).display().to_string());
        }
    }
    Ok(found)
}

pub(super) fn holds(path: &Path, needles: &Needles, parts: Parts) -> Result<bool, MemoryError> {
    match File::open(path).and_then(|file| needles.is_read_from(file, parts)) {
        Ok(holds) => Ok(holds),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(MemoryError::File { action: "read", path: path.to_owned(), source }),
    }
}

/// Rewrites a file line by line and counts what changed; a file in which nothing does stays as it is.
fn change_lines(path: &Path, mut change: impl FnMut(&str) -> Line) -> Result<u64, MemoryError> {
    let bytes = read(path)?;
    let mut written = Vec::with_capacity(bytes.len());
    let mut changed = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let (words, end) = match line.strip_suffix(b"\n") {
            Some(words) => (words, &b"\n"[..]),
            None => (line, &b""[..]),
        };
        match change(&String::from_utf8_lossy(words)) {
            // Written as it was read: bytes that are no UTF-8 stay as they are.
            Line::Stays => written.extend_from_slice(line),
            Line::Becomes(text) => {
                written.extend_from_slice(text.as_bytes());
                written.extend_from_slice(end);
                changed += 1;
            }
            Line::Goes => changed += 1,
        }
    }
    if changed > 0 {
        replace(path, &written)?;
    }
    Ok(changed)
}

fn change_text(path: &Path, removal: &Removal) -> Result<u64, MemoryError> {
    match removal.needles.replaced_bytes(&read(path)?, &removal.forgetting.mark()) {
        Some(written) => replace(path, &written).map(|()| 1),
        None => Ok(0),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, MemoryError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(bytes),
        // Retention may have removed it since the folder was listed.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(MemoryError::File { action: "read", path: path.to_owned(), source }),
    }
}

/// Every file below `root`; a link is no file of ours.
pub(super) fn walk(root: &Path) -> Result<Vec<PathBuf>, MemoryError> {
    let mut files = Vec::new();
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let failed = |source| MemoryError::File { action: "list", path: folder.clone(), source };
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = entry.file_type().map_err(failed)?;
            if kind.is_file() {
                files.push(entry.path());
            } else if kind.is_dir() && depth < DEPTH_MAX {
                folders.push((entry.path(), depth + 1));
            }
        }
    }
    files.sort();
    Ok(files)
}
