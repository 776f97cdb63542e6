//! The mission files of one folder, each parsed once for what it says: a look at the folder costs no parsing as long as
//! nobody has changed a file, and a file that was copied is not parsed again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use missions::{MissionCode, MissionFile};
use robot::MissionId;
use sha2::{Digest, Sha256};

use runtime::error::OpError;
use runtime::lock::lock;

/// Files of one folder that are missions: those that are shipped and the first by name; more are ignored.
pub(crate) const FILES_MAX: usize = 1_000;
/// The longest mission file, bytes: more is no text that a person wrote.
pub(super) const FILE_BYTES_MAX: u64 = 256 * 1024;
/// Bytes of changed files that are parsed for a caller who waits. The rest is parsed beside it, by the watcher.
const PARSED_AT_ONCE_BYTES: u64 = 1024 * 1024;
/// The error of a file that has not been parsed yet; an unread file might bind any robot.
const NOT_READ_YET: &str = "it is being read; try again soon";

/// A mission file, or why it cannot be read.
pub type Draft = Result<Arc<MissionFile>, String>;

/// Stamp by which an unchanged file is known: its length, and the file system's times of modification and change.
type Stamp = (u64, Option<SystemTime>, i64);

/// Every file that was read, by its id.
#[derive(Debug, Default)]
pub(crate) struct MissionFiles {
    known: Mutex<BTreeMap<MissionId, Known>>,
}

#[derive(Debug, Clone)]
struct Known {
    stamp: Stamp,
    hash: [u8; 32],
    parsed: Draft,
}

impl MissionFiles {
    /// Every mission of `folder`. Files that nobody has parsed yet are, as far as that takes no time.
    pub fn look(&self, folder: &Path) -> BTreeMap<MissionId, Draft> {
        self.read(folder, PARSED_AT_ONCE_BYTES)
    }

    /// Parses whatever has changed, however long that takes: not for a thread that others wait for.
    pub fn parse_all(&self, folder: &Path) {
        self.read(folder, u64::MAX);
    }

    /// The hash of each file that was read.
    pub fn hashes(&self) -> BTreeMap<MissionId, [u8; 32]> {
        lock(&self.known).iter().map(|(id, known)| (id.clone(), known.hash)).collect()
    }

    /// The files that were read and could be, as they were then.
    pub fn known(&self) -> BTreeMap<MissionId, Arc<MissionFile>> {
        let known = lock(&self.known);
        known.iter().filter_map(|(id, known)| Some((id.clone(), Arc::clone(known.parsed.as_ref().ok()?)))).collect()
    }

    fn read(&self, folder: &Path, bytes_max: u64) -> BTreeMap<MissionId, Draft> {
        let listed = listed(folder).unwrap_or_default().files;
        let mut left = bytes_max;
        let mut drafts = BTreeMap::new();
        for (id, path) in listed {
            let draft = match stamped(&path) {
                Ok(stamp) => self.unchanged(&id, stamp).unwrap_or_else(|| {
                    if stamp.0 > left {
                        return Err(NOT_READ_YET.to_owned());
                    }
                    left -= stamp.0;
                    self.parse(&id, &path, stamp)
                }),
                Err(error) => Err(error.to_string()),
            };
            drafts.insert(id, draft);
        }
        lock(&self.known).retain(|id, _| drafts.contains_key(id));
        drafts
    }

    fn unchanged(&self, id: &MissionId, stamp: Stamp) -> Option<Draft> {
        lock(&self.known).get(id).filter(|known| known.stamp == stamp).map(|known| known.parsed.clone())
    }

    fn parse(&self, id: &MissionId, path: &Path, stamp: Stamp) -> Draft {
        let text = match read_text(path) {
            Ok(text) => text,
            Err(error) => return Err(error.to_string()),
        };
        let hash = Sha256::digest(&text).into();
        let same = lock(&self.known).get(id).filter(|known| known.hash == hash).map(|known| known.parsed.clone());
        let parsed = same.unwrap_or_else(|| {
            missions::MissionFile::read(id.clone(), &text).map(Arc::new).map_err(|error| error.to_string())
        });
        lock(&self.known).insert(id.clone(), Known { stamp, hash, parsed: parsed.clone() });
        parsed
    }
}

/// The mission files of a folder.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// Those that are looked at.
    pub files: BTreeMap<MissionId, PathBuf>,
    /// The others.
    pub left_out: BTreeSet<MissionId>,
}

/// The mission files of `folder`.
pub(crate) fn listed(folder: &Path) -> std::io::Result<Listed> {
    let paths = std::fs::read_dir(folder)?.filter_map(Result::ok).map(|file| file.path());
    let missions = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let named = missions.filter_map(|path| Some((MissionId::new(path.file_stem()?.to_str()?).ok()?, path)));
    // A name with `_` in front is a person's own note.
    let named = named.filter(|(id, _)| !id.as_str().starts_with('_'));
    let (shipped, mut files): (BTreeMap<_, _>, BTreeMap<_, _>) = named.partition(|(id, _)| is_shipped(id));
    let first_beyond = files.keys().nth(FILES_MAX - shipped.len()).cloned();
    let left_out = first_beyond.map(|first| files.split_off(&first).into_keys().collect()).unwrap_or_default();
    files.extend(shipped);
    Ok(Listed { files, left_out })
}

fn is_shipped(id: &MissionId) -> bool {
    missions::EXAMPLES.iter().any(|(shipped, _)| *shipped == id.as_str())
}

/// Hash that names a text: SHA-256 in hexadecimal.
pub(crate) fn hash_of(source: &str) -> String {
    hex::encode(Sha256::digest(source))
}

/// The text of a mission's file in `folder`; none if there is no such file.
pub(super) fn text_of(folder: &Path, id: &MissionId) -> Result<Option<String>, OpError> {
    match read_text(&folder.join(format!("{id}.md"))) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(OpError::new(MissionCode::MissionUnreadable, format!("{id} cannot be read: {error}."))),
    }
}

/// A mission file's text, read once and whole. What lies elsewhere is none, even if a link leads there.
fn read_text(path: &Path) -> std::io::Result<String> {
    stamped(path)?;
    ::files::read_text(path, FILE_BYTES_MAX)
}

fn stamped(path: &Path) -> std::io::Result<Stamp> {
    let metadata = std::fs::symlink_metadata(path)?;
    if !metadata.is_file() {
        return Err(std::io::Error::other("it is no file of this folder"));
    }
    if metadata.len() > FILE_BYTES_MAX {
        return Err(too_long());
    }
    Ok((metadata.len(), metadata.modified().ok(), changed_ns(&metadata)))
}

fn too_long() -> std::io::Error {
    std::io::Error::other(format!("it has more than {FILE_BYTES_MAX} bytes"))
}

/// When the file was changed in any way, which nobody can set back.
#[cfg(unix)]
fn changed_ns(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime().wrapping_mul(1_000_000_000).wrapping_add(metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed_ns(_: &Metadata) -> i64 {
    0
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

    #[test]
    fn mi_03_mc_13_missions_are_the_md_files_of_the_folder_itself_with_an_id_for_a_stem() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("more")).unwrap();
        for name in ["dock.md", "_note.md", ".dock.md", "README.md", "ramp.MD", "ramp.markdown", "more/yard.md"] {
            std::fs::write(at(name), "# Dock").unwrap();
        }
        std::os::unix::fs::symlink(at("dock.md"), at("link.md")).unwrap();
        let drafts = MissionFiles::default().look(folder.path());
        let told: Vec<(&str, bool)> = drafts.iter().map(|(id, draft)| (id.as_str(), draft.is_ok())).collect();
        assert_eq!(told, [("dock", true), ("link", false)], "a link is told as a problem and never opened");
    }

    #[test]
    fn att_25_other_files_push_no_mission_out_and_of_too_many_the_shipped_and_the_first_by_name_stay() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..FILES_MAX + 200 {
            std::fs::write(folder.path().join(format!("note-{n}.txt")), "").unwrap();
        }
        std::fs::write(folder.path().join("patrol.md"), "# Patrol").unwrap();
        assert_eq!(listed(folder.path()).unwrap().files.len(), 1);
        for n in 0..FILES_MAX + 10 {
            std::fs::write(folder.path().join(format!("a-{n:05}.md")), "").unwrap();
        }
        for (shipped, text) in missions::EXAMPLES {
            std::fs::write(folder.path().join(format!("{shipped}.md")), text).unwrap();
        }
        let Listed { files, left_out } = listed(folder.path()).unwrap();
        let names: Vec<String> = files.keys().map(ToString::to_string).collect();
        assert_eq!((names.len(), names.first().unwrap().as_str()), (FILES_MAX, "a-00000"));
        assert!(missions::EXAMPLES.iter().all(|(shipped, _)| names.iter().any(|name| name == shipped)), "{names:?}");
        assert_eq!(left_out.len(), 11 + missions::EXAMPLES.len());
        assert!(left_out.contains(&MissionId::new("patrol").unwrap()), "it is told which ones are left out");
    }

    #[test]
    fn ml_33_a_file_is_parsed_again_only_when_it_says_something_else() {
        let folder = tempfile::tempdir().unwrap();
        let (path, id) = (folder.path().join("patrol.md"), MissionId::new("patrol").unwrap());
        let files = MissionFiles::default();
        let title = |files: &MissionFiles| files.look(folder.path())[&id].clone().unwrap();
        std::fs::write(&path, "# One").unwrap();
        let first = title(&files);
        assert!(Arc::ptr_eq(&first, &title(&files)), "nobody has changed it");
        std::fs::write(folder.path().join("new"), "# One").unwrap();
        std::fs::rename(folder.path().join("new"), &path).unwrap();
        assert!(Arc::ptr_eq(&first, &title(&files)), "another file that says the same");
        std::fs::write(&path, "# Two").unwrap();
        assert_eq!((first.title.as_str(), title(&files).title.as_str()), ("One", "Two"));
    }

    #[test]
    fn att_25_many_long_files_wait_for_the_watcher_and_bind_until_they_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let long = "x".repeat(200 * 1024);
        for n in 0..12 {
            std::fs::write(folder.path().join(format!("long-{n:02}.md")), &long).unwrap();
        }
        let files = MissionFiles::default();
        let unread = |drafts: BTreeMap<MissionId, Draft>| drafts.values().filter(|draft| draft.is_err()).count();
        assert_eq!(unread(files.look(folder.path())), 7, "five have room in what is parsed at once");
        files.parse_all(folder.path());
        assert_eq!(unread(files.look(folder.path())), 0);
    }
}
