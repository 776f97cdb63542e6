//! The mission files of a folder as the system tells of them: which there are, and what each is before and after it
//! is read.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use missions::MissionCode;
use robot::MissionId;
use sha2::{Digest, Sha256};

use runtime::error::OpError;

use super::unread::Unread;

/// Files of one folder that are missions: those that are shipped and the first by name; more are ignored.
pub(crate) const FILES_MAX: usize = 10_000;
/// Ids under which files with other names are told; further ones are left out.
const MISNAMED_MAX: usize = 1_000;
/// The longest mission file, bytes: more is no text that a person wrote.
pub(super) const FILE_BYTES_MAX: u64 = 256 * 1024;

/// The mission files of a folder.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// Those that are looked at.
    pub files: BTreeMap<MissionId, PathBuf>,
    /// The others.
    pub left_out: BTreeSet<MissionId>,
    /// The names of those that are no missions because of their names, under the id that each could have.
    pub misnamed: BTreeMap<MissionId, BTreeSet<String>>,
}

/// The meaning of a file's name.
enum Named {
    /// The mission with this id.
    Mission(MissionId),
    /// None; it could be the mission with this id.
    Near(MissionId),
}

/// The mission files of `folder`.
pub(crate) fn listed(folder: &Path) -> std::io::Result<Listed> {
    let (mut named, mut misnamed) = (BTreeMap::new(), BTreeMap::<MissionId, BTreeSet<String>>::new());
    for file in std::fs::read_dir(folder)?.filter_map(Result::ok) {
        match name_of(&file.path()) {
            Some(Named::Mission(id)) => drop(named.insert(id, file.path())),
            // A folder with an odd name is somebody's own, as every folder is here.
            Some(Named::Near(id)) if !file.file_type().is_ok_and(|kind| kind.is_dir()) => {
                misnamed.entry(id).or_default().insert(file.file_name().to_string_lossy().into_owned());
            }
            Some(Named::Near(_)) | None => {}
        }
    }
    // Shipped ones count first: thousands of files with early names must not push them out.
    let (shipped, mut files): (BTreeMap<_, _>, BTreeMap<_, _>) = named.into_iter().partition(|(id, _)| is_shipped(id));
    let first_beyond = files.keys().nth(FILES_MAX - shipped.len()).cloned();
    let mut left_out: BTreeSet<MissionId> =
        first_beyond.map(|first| files.split_off(&first).into_keys().collect()).unwrap_or_default();
    files.extend(shipped);
    if let Some(first) = misnamed.keys().nth(MISNAMED_MAX).cloned() {
        left_out.extend(misnamed.split_off(&first).into_keys());
    }
    Ok(Listed { files, left_out, misnamed })
}

/// The meaning of a file's name; none if it is meant for something else.
fn name_of(path: &Path) -> Option<Named> {
    let is_markdown = |name: &&OsStr| ["md", "markdown"].iter().any(|known| name.eq_ignore_ascii_case(known));
    let extension = path.extension().filter(is_markdown)?;
    let stem = path.file_stem()?.to_string_lossy();
    // A name with `_` in front is a person's own note.
    if stem.starts_with(['_', '.']) || stem == "README" {
        return None;
    }
    match missions::id_of(&stem) {
        Ok(id) if extension == "md" => Some(Named::Mission(id)),
        Ok(id) => Some(Named::Near(id)),
        Err(error) => MissionId::new(&error.nearest).ok().map(Named::Near),
    }
}

fn is_shipped(id: &MissionId) -> bool {
    missions::EXAMPLES.iter().any(|(shipped, _)| *shipped == id.as_str())
}

/// The file of a mission in `folder`.
pub(super) fn path_of(folder: &Path, id: &MissionId) -> PathBuf {
    folder.join(format!("{id}.md"))
}

/// Hash that names a text: SHA-256 in hexadecimal.
pub(crate) fn hash_of(source: &str) -> String {
    hex::encode(Sha256::digest(source))
}

/// The text of a mission's file in `folder`; none if there is no such file.
pub(super) fn text_of(folder: &Path, id: &MissionId) -> Result<Option<String>, OpError> {
    match read_text(&path_of(folder, id)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(id, &Unread::from(error))),
    }
}

/// The refusal of a mission whose file cannot be read for this reason.
pub(super) fn unreadable(id: &MissionId, reason: &Unread) -> OpError {
    OpError::new(MissionCode::MissionUnreadable, format!("{id} cannot be read: {reason}."))
}

/// A mission file's text, read once and whole. What lies elsewhere is none, even if a link leads there.
pub(super) fn read_text(path: &Path) -> std::io::Result<String> {
    stamp_of(path)?;
    ::files::read_text(path, FILE_BYTES_MAX)
}

/// Stamp by which an unchanged file is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Its length, bytes.
    pub len: u64,
    modified: Option<SystemTime>,
    /// The file system's own number of the file and time of its last change, which nobody can set back.
    file: (u64, u64, i64),
}

/// The stamp of a file of the folder itself that may be read.
pub(super) fn stamp_of(path: &Path) -> std::io::Result<Stamp> {
    // Not followed: a link could make any file of the machine readable as a mission.
    let metadata = std::fs::symlink_metadata(path)?;
    if !metadata.is_file() {
        return Err(std::io::Error::other(Unread::NotAFile));
    }
    if metadata.len() > FILE_BYTES_MAX {
        return Err(std::io::Error::other(Unread::TooLarge));
    }
    Ok(Stamp { len: metadata.len(), modified: metadata.modified().ok(), file: file_of(&metadata) })
}

#[cfg(unix)]
fn file_of(metadata: &Metadata) -> (u64, u64, i64) {
    use std::os::unix::fs::MetadataExt;
    // Only compared for equality, so a wrap on a broken file system does no harm.
    let changed_ns = metadata.ctime().wrapping_mul(1_000_000_000).wrapping_add(metadata.ctime_nsec());
    (metadata.dev(), metadata.ino(), changed_ns)
}

#[cfg(not(unix))]
fn file_of(_: &Metadata) -> (u64, u64, i64) {
    (0, 0, 0)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn f21_att_24_a_link_a_folder_a_giant_and_bytes_that_are_no_text_are_no_mission() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("outside.txt"), "secret").unwrap();
        std::os::unix::fs::symlink(at("outside.txt"), at("link.md")).unwrap();
        std::fs::create_dir(at("folder.md")).unwrap();
        std::fs::write(at("giant.md"), "x".repeat(300_000)).unwrap();
        std::fs::write(at("cut.md"), [b'a', 0xe2, 0x82]).unwrap();
        for name in ["link.md", "folder.md", "giant.md", "cut.md", "gone.md"] {
            assert!(read_text(&at(name)).is_err(), "{name}");
        }
        std::fs::write(at("good.md"), "text").unwrap();
        assert_eq!(read_text(&at("good.md")).unwrap(), "text");
    }
}
