//! `MEMORY.md` and `knowledge.md`: files that people and the agent write. One writer; a file that was changed by hand
//! is read again and never overwritten from an older copy.

mod file;
mod section;

use std::path::{Path, PathBuf};

pub use section::{Lines, Listed, Written};

/// Largest `MEMORY.md`, bytes.
const MEMORY_BYTES_MAX: usize = 64 * 1024;
/// Largest `knowledge.md`, bytes.
const KNOWLEDGE_BYTES_MAX: usize = 256 * 1024;
/// Changes by hand between reading and writing before the writer gives up.
const TRIES_MAX: usize = 5;

/// Something to be remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The section of `knowledge.md`; without one it goes to `MEMORY.md`.
    pub title: Option<String>,
    /// The words.
    pub text: String,
    /// Their origin.
    pub stamp: Stamp,
    /// A person wrote it: locked sections are open to nobody else.
    pub by_person: bool,
}

/// The origin of a written section; stands at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// `note-<uuid>`.
    pub id: String,
    /// For example `operator(dana)`.
    pub from: String,
    /// RFC 3339, UTC.
    pub at: String,
    /// The word for how far it can be believed.
    pub trust: String,
}

/// A refusal or failure to write a note.
#[derive(Debug, thiserror::Error)]
pub enum NoteError {
    /// The section is locked, and the writer is no person.
    #[error("section {title:?} is locked; only a person can change it")]
    Locked {
        /// The section.
        title: String,
    },
    /// The file would grow beyond its bound.
    #[error("{file} is full ({bytes_max} bytes)")]
    Full {
        /// The file's name.
        file: &'static str,
        /// Its bound.
        bytes_max: usize,
        /// The oldest sections that may be removed.
        oldest: Vec<String>,
    },
    /// Somebody changes the file faster than it can be written.
    #[error("{file} is being changed by somebody else")]
    Busy {
        /// The file's name.
        file: &'static str,
    },
    /// The file could not be read or written.
    #[error("could not write {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
}

/// One of the two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Memory,
    Knowledge,
}

impl Kind {
    const fn file(self) -> &'static str {
        match self {
            Self::Memory => "MEMORY.md",
            Self::Knowledge => "knowledge.md",
        }
    }

    const fn bytes_max(self) -> usize {
        match self {
            Self::Memory => MEMORY_BYTES_MAX,
            Self::Knowledge => KNOWLEDGE_BYTES_MAX,
        }
    }
}

/// The note files of one agent.
#[derive(Debug)]
pub struct NoteFiles {
    folder: PathBuf,
    /// The same folder behind a lock, so that notes are written one at a time.
    writing: tokio::sync::Mutex<PathBuf>,
}

impl NoteFiles {
    /// The files in an agent's folder. They need not exist.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), writing: tokio::sync::Mutex::new(folder.to_owned()) }
    }

    /// Writes a note; on disk when this returns. Answers with the file's name.
    pub async fn remember(&self, note: &Note) -> Result<&'static str, NoteError> {
        let kind = if note.title.is_some() { Kind::Knowledge } else { Kind::Memory };
        let folder = self.writing.lock().await;
        let path = folder.join(kind.file());
        // A person may save the file between reading and writing; the note then goes into the new text.
        for _ in 0..TRIES_MAX {
            let before = file::read(&path).await?;
            let after = section::remember(&before, note)?;
            // Refused instead of cut, with sections named that could go: what is worth keeping is not
            // decided here.
            if after.len() > kind.bytes_max() {
                let oldest = section::oldest(&before, note.title.is_some());
                return Err(NoteError::Full { file: kind.file(), bytes_max: kind.bytes_max(), oldest });
            }
            if file::replace(&path, &before, &after).await? {
                return Ok(kind.file());
            }
        }
        Err(NoteError::Busy { file: kind.file() })
    }

    /// The words a section has now; `None` if there is no such section.
    pub async fn section(&self, title: &str) -> Result<Option<Written>, NoteError> {
        let text = file::read(&self.folder.join(Kind::Knowledge.file())).await?;
        Ok(section::find(&text, title))
    }

    /// Every section of both files, each with its file's name.
    pub async fn all(&self) -> Result<Vec<(&'static str, Listed)>, NoteError> {
        let mut all = Vec::new();
        for (kind, by_title) in [(Kind::Memory, false), (Kind::Knowledge, true)] {
            let text = file::read(&self.folder.join(kind.file())).await?;
            all.extend(section::all(&text, by_title).into_iter().map(|section| (kind.file(), section)));
        }
        Ok(all)
    }

    /// The first `lines_max` lines of `MEMORY.md`, untrusted ones apart.
    pub async fn memory_lines(&self, lines_max: usize) -> Result<Lines, NoteError> {
        let text = file::read(&self.folder.join(Kind::Memory.file())).await?;
        Ok(section::lines(&text, lines_max))
    }
}

#[cfg(test)]
mod tests;
