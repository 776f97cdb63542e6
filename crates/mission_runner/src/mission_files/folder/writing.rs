//! Mission files as they are written here: over the text that was seen and no other, whole, and never through a link.

use std::io::ErrorKind;
use std::path::PathBuf;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use missions::{Edit, FILE_BYTES_MAX, MissionCode};
use robot::{MissionId, SharedCode};
use serde_json::{Value, json};

use super::listing::{FILES_MAX, hash_of, listed, path_of, text_of};
use super::mission_not_found;
use runtime::error::{OpError, RuntimeCode};
use runtime::wire::{MissionImportOutcome as Outcome, MissionImported};

/// Folder of the files that were put away.
const TRASH: &str = ".trash";
/// Files that stay there: the newest.
const TRASHED_MAX: usize = 100;

/// The new text of a mission file.
#[derive(Debug)]
pub(crate) enum Change {
    /// This text.
    Source(String),
    /// The present text with these edits, which touch nothing else.
    Edits(Vec<Edit>),
}

/// A file that is brought in.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MissionImport {
    /// Its name; the id of the mission is its stem.
    pub name: String,
    /// Its bytes in Base64.
    pub bytes_base64: String,
}

impl MissionImport {
    /// Its id and text.
    pub(crate) fn read(&self) -> Result<(MissionId, String), OpError> {
        // Both separators on every system: a name from Windows must not become a path here.
        let Some(stem) = self.name.strip_suffix(".md").filter(|stem| !stem.contains(['/', '\\'])) else {
            let message = "The name of a mission file ends in .md and has no folder.";
            return Err(OpError::bad_input(MissionCode::BadId, "files.name", message));
        };
        let id = id_of(stem)?;
        let bytes = BASE64_STANDARD
            .decode(&self.bytes_base64)
            .map_err(|error| OpError::bad_input(SharedCode::InvalidInput, "files.bytes_base64", format!("{error}.")))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| OpError::bad_input(MissionCode::MissionUnreadable, "files", "The file is no UTF-8 text."))?;
        Ok((id, text))
    }
}

/// The policy for a file whose name another mission has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OnConflict {
    /// It is told, and the file that is there stays.
    #[default]
    Ask,
    /// The file that is there stays.
    Skip,
    /// It takes the place of the file that is there.
    Replace,
}

/// The folder of the mission files of an agent, as its one writer has it.
#[derive(Debug)]
pub(crate) struct MissionFolder(PathBuf);

impl MissionFolder {
    /// The folder at `path`.
    pub fn at(path: PathBuf) -> Self {
        Self(path)
    }

    fn path(&self, id: &MissionId) -> PathBuf {
        path_of(&self.0, id)
    }

    /// The text of a file; none if there is no such file.
    fn text(&self, id: &MissionId) -> Result<Option<String>, OpError> {
        text_of(&self.0, id)
    }

    /// Changes the text that has the hash `base`, or makes a file if that is none; gives the text that stands there
    /// then.
    pub fn save(&self, id: &MissionId, base: Option<&str>, change: Change) -> Result<String, OpError> {
        let old = self.text(id)?;
        check_base(id, base, old.as_deref())?;
        let new = changed(old.as_deref().unwrap_or_default(), change)?;
        if new.len() > FILE_BYTES_MAX {
            let message = format!("A mission file has {FILE_BYTES_MAX} bytes at most; this one has {}.", new.len());
            return Err(OpError::new(RuntimeCode::TooLarge, message));
        }
        match old {
            Some(old) if old == new => {}
            Some(old) => self.replace(id, &old, &new)?,
            None => self.make(id, &new)?,
        }
        Ok(new)
    }

    fn replace(&self, id: &MissionId, old: &str, new: &str) -> Result<(), OpError> {
        // The slow part first, so that as little time as possible lies between the comparison and the exchange.
        let prepared = ::files::prepare(&self.path(id), new.as_bytes()).map_err(|error| not_written(id, &error))?;
        // Another program may have written it while the new text went to the disk.
        let now = self.text(id)?;
        if now.as_deref() != Some(old) {
            return Err(file_changed(id, now.as_deref()));
        }
        prepared.put_in_place().map_err(|error| not_written(id, &error))
    }

    fn make(&self, id: &MissionId, text: &str) -> Result<(), OpError> {
        let count = listed(&self.0).map_err(|error| not_written(id, &error))?.files.len();
        if count >= FILES_MAX {
            let message = format!("There are {FILES_MAX} mission files, which is the most. Put away some first.");
            return Err(OpError::limit_reached(FILES_MAX, message));
        }
        ::files::make(&self.path(id), text.as_bytes()).map_err(|error| {
            // Without its text: it was written this moment and may be half of one.
            if error.kind() == ErrorKind::AlreadyExists { exists(id, None) } else { not_written(id, &error) }
        })
    }

    /// Puts the file with the hash `base` away, and gives its text.
    pub fn put_away(&self, id: &MissionId, base: &str, now_ms: i64) -> Result<String, OpError> {
        let text = self.text(id)?;
        check_base(id, Some(base), text.as_deref())?;
        let trash = self.0.join(TRASH);
        ::files::make_folder(&trash)
            .and_then(|()| ::files::rename(&self.path(id), &trash.join(format!("{now_ms:015}-{id}.md"))))
            .map_err(|error| not_written(id, &error))?;
        // The file is put away; that older ones stay is no failure of this act.
        if let Err(error) = self.empty_trash() {
            tracing::warn!(%error, "mission files that were put away long ago stay");
        }
        Ok(text.unwrap_or_default())
    }

    fn trashed(&self) -> std::io::Result<Vec<PathBuf>> {
        match std::fs::read_dir(self.0.join(TRASH)) {
            Ok(files) => files.map(|file| file.map(|file| file.path())).collect(),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    fn empty_trash(&self) -> std::io::Result<()> {
        let mut trashed = self.trashed()?;
        // Their names begin with the time.
        trashed.sort();
        let over = trashed.len().saturating_sub(TRASHED_MAX);
        trashed.iter().take(over).try_for_each(|path| ::files::remove(path))
    }

    /// True if somebody has put away a file of this mission.
    pub fn was_put_away(&self, id: &str) -> bool {
        // The time has no hyphen.
        let is_of = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.and_then(|name| name.split_once('-')).is_some_and(|(_, rest)| rest.strip_suffix(".md") == Some(id))
        };
        self.trashed().is_ok_and(|trashed| trashed.iter().any(is_of))
    }

    pub fn import(&self, file: &MissionImport, on_conflict: OnConflict) -> MissionImported {
        let answer = |outcome, id: Option<&MissionId>, error: Option<&OpError>| MissionImported {
            name: file.name.clone(),
            mission_id: id.cloned(),
            outcome,
            code: error.map(|error| error.code.to_string()),
            message: error.map(|error| error.message.to_string()),
        };
        let (id, text) = match file.read() {
            Ok(read) => read,
            Err(error) => return answer(Outcome::Refused, None, Some(&error)),
        };
        let old = match self.text(&id) {
            Ok(old) => old,
            Err(error) => return answer(Outcome::Refused, Some(&id), Some(&error)),
        };
        let (outcome, base) = match (old, on_conflict) {
            (None, _) => (Outcome::Added, None),
            (Some(old), _) if old == text => return answer(Outcome::Same, Some(&id), None),
            (Some(_), OnConflict::Ask) => return answer(Outcome::Conflict, Some(&id), None),
            (Some(_), OnConflict::Skip) => return answer(Outcome::Skipped, Some(&id), None),
            // Over the text that was looked at: a file that changes in between is not replaced unseen.
            (Some(old), OnConflict::Replace) => (Outcome::Replaced, Some(hash_of(&old))),
        };
        match self.save(&id, base.as_deref(), Change::Source(text)) {
            Ok(_) => answer(outcome, Some(&id), None),
            Err(error) => answer(Outcome::Refused, Some(&id), Some(&error)),
        }
    }
}

/// The id that the stem of a file's name stands for.
pub(crate) fn id_of(stem: &str) -> Result<MissionId, OpError> {
    missions::id_of(stem).map_err(|error| OpError::bad_input(MissionCode::BadId, "mission_id", format!("{error}.")))
}

/// Applies a change to the text `old`.
fn changed(old: &str, change: Change) -> Result<String, OpError> {
    match change {
        Change::Source(text) => Ok(text),
        Change::Edits(edits) => {
            let bytes = missions::edit(old.as_bytes(), &edits)
                .map_err(|error| OpError::bad_input(SharedCode::InvalidInput, "edits", format!("{error}.")))?;
            String::from_utf8(bytes)
                .map_err(|_| OpError::bad_input(SharedCode::InvalidInput, "edits", "The text would be no UTF-8."))
        }
    }
}

/// That a caller has seen the text that stands there.
fn check_base(id: &MissionId, base: Option<&str>, text: Option<&str>) -> Result<(), OpError> {
    match (base, text) {
        (None, None) => Ok(()),
        (None, Some(text)) => Err(exists(id, Some(text))),
        (Some(_), None) => Err(mission_not_found()),
        (Some(base), Some(text)) if hash_of(text) == base => Ok(()),
        (Some(_), Some(text)) => Err(file_changed(id, Some(text))),
    }
}

fn exists(id: &MissionId, text: Option<&str>) -> OpError {
    OpError::new(MissionCode::MissionExists, format!("There is a mission {id} already.")).with(present(text))
}

fn file_changed(id: &MissionId, text: Option<&str>) -> OpError {
    let message = match text {
        Some(_) => format!("The file of {id} is not the text that you have changed. Nothing was saved."),
        None => format!("The file of {id} is gone. Nothing was saved."),
    };
    OpError::new(MissionCode::FileChanged, message).with(present(text))
}

/// The text that stands in a file now, for whoever compares it with theirs.
fn present(text: Option<&str>) -> Value {
    json!({ "hash": text.map(hash_of), "source": text })
}

fn not_written(id: &MissionId, error: &std::io::Error) -> OpError {
    unwritable(&format!("The file of {id}"), error)
}

/// The refusal of a write to `file`, as people call it.
pub(crate) fn unwritable(file: &str, error: &std::io::Error) -> OpError {
    let is_full =
        matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::ReadOnlyFilesystem);
    let code = if is_full { RuntimeCode::StorageFull } else { RuntimeCode::StorageFailed };
    OpError::new(code, format!("{file} could not be written: {error}. Nothing was changed."))
}

#[cfg(test)]
mod tests;
