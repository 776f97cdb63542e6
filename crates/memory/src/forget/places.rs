//! The files of an agent: what is taken out of them, and whether anything is left.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::lines::{Line, of_log, of_transcript};
use super::{Forgetting, Needles};
use crate::MemoryError;
use crate::files::{remove_if_there, replace};

/// How deep folders are looked into.
const DEPTH_MAX: usize = 8;

/// How much was taken out of each kind of place.
pub type Places = BTreeMap<String, u64>;

/// The folder of one agent.
#[derive(Debug, Clone)]
pub struct AgentFiles {
    /// `agents/<id>`.
    pub root: PathBuf,
}

/// What a file is to forgetting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    DailyLog,
    Transcript,
    /// An output too long for its transcript.
    Spilled,
    Note,
    /// A damaged database that was set aside: of no use but to whoever repairs it, and nobody can edit it.
    SetAside,
    /// Written by people, or a database; forgetting does not edit it here.
    Other,
}

impl AgentFiles {
    /// The folder of the daily logs.
    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.root.join("memory")
    }

    fn kind(&self, path: &Path) -> Kind {
        let Ok(inside) = path.strip_prefix(&self.root) else { return Kind::Other };
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_lines = name.ends_with(".jsonl");
        match inside.iter().next().and_then(|first| first.to_str()) {
            Some("memory") if is_lines => Kind::DailyLog,
            Some("sessions") if is_lines => Kind::Transcript,
            Some("sessions") => Kind::Spilled,
            Some("MEMORY.md" | "knowledge.md") => Kind::Note,
            Some(first) if first.starts_with("memory.db.damaged-") => Kind::SetAside,
            Some(_) | None => Kind::Other,
        }
    }

    /// Takes what is forgotten out of logs, transcripts, outputs and notes, and counts the lines or files. `replaced`
    /// gets the names of the daily logs that are other files now.
    pub fn forget(
        &self,
        forgetting: &Forgetting,
        needles: &Needles,
        replaced: &mut Vec<String>,
    ) -> Result<Places, MemoryError> {
        let mut places = Places::new();
        for path in walk(&self.root)? {
            let kind = self.kind(&path);
            let (place, count) = match kind {
                Kind::DailyLog => {
                    let count = change_lines(&path, |line| of_log(line, forgetting, needles))?;
                    if count > 0 {
                        replaced.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
                    }
                    ("daily_logs", count)
                }
                Kind::Transcript => {
                    let session = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
                    let changed = |line: &str| of_transcript(line, &session, forgetting, needles);
                    ("transcripts", change_lines(&path, changed)?)
                }
                Kind::Spilled => ("spilled", change_text(&path, forgetting, needles)?),
                Kind::Note => ("notes", change_text(&path, forgetting, needles)?),
                Kind::SetAside if holds(&path, needles)? => {
                    remove_if_there(&path)?;
                    ("set_aside", 1)
                }
                Kind::SetAside | Kind::Other => continue,
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
        if holds(&path, needles)? {
            found.push(path.strip_prefix(&files.root).unwrap_or(&path).display().to_string());
        }
    }
    Ok(found)
}

fn holds(path: &Path, needles: &Needles) -> Result<bool, MemoryError> {
    match File::open(path).and_then(|file| needles.is_read_from(file)) {
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

fn change_text(path: &Path, forgetting: &Forgetting, needles: &Needles) -> Result<u64, MemoryError> {
    match needles.replaced_bytes(&read(path)?, &forgetting.mark()) {
        Some(written) => replace(path, &written).map(|()| 1),
        None => Ok(0),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, MemoryError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(MemoryError::File { action: "read", path: path.to_owned(), source }),
    }
}

/// Every file below `root`; a link is no file of ours.
fn walk(root: &Path) -> Result<Vec<PathBuf>, MemoryError> {
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
