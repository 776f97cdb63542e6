//! Looks through everything below a folder of ours. Follows no link.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::private::{OTHERS, close_to_others};
use crate::{is_unfinished, remove};

/// Folders within folders that are looked through.
const DEPTH_MAX: usize = 8;
/// Entries that are named at most.
const NAMED_MAX: usize = 8;

/// Files and folders with which something did not work.
#[derive(Debug, Default)]
pub struct Failures {
    /// The number of these files and folders.
    pub count: u64,
    /// The first of them, each with why.
    pub named: Vec<(PathBuf, io::Error)>,
}

impl Failures {
    /// One failure, about everything in `path`.
    #[must_use]
    pub fn of(path: &Path, error: io::Error) -> Self {
        let mut failures = Self::default();
        failures.note(path, error);
        failures
    }

    /// The first of them in words, each with why.
    #[must_use]
    pub fn in_words(&self) -> String {
        let named = self.named.iter().map(|(path, error)| format!("{} ({error})", path.display()));
        named.collect::<Vec<_>>().join(", ")
    }

    fn note(&mut self, path: &Path, error: io::Error) {
        self.count += 1;
        if self.named.len() < NAMED_MAX {
            self.named.push((path.to_owned(), error));
        }
    }
}

/// The unfinished files of an earlier run.
#[derive(Debug, Default)]
pub struct Swept {
    /// The number of files that were removed.
    pub removed: u64,
    /// The folders in which they lay, at most eight.
    pub folders: Vec<PathBuf>,
    /// Those that are still there.
    pub left: Failures,
}

/// Takes the rights of others from everything below `root`, and from `root` itself; gives what they can still reach.
/// Links are left as they are.
#[must_use]
pub fn tighten(root: &Path) -> Failures {
    let mut loose = Failures::default();
    walk(root, DEPTH_MAX, &mut loose, &mut |path, found| {
        let mode = found.permissions().mode();
        if mode & OTHERS == 0 { Ok(()) } else { close_to_others(path, mode & !OTHERS) }
    });
    loose
}

/// Removes from every folder below `root`, and from `root` itself, what killed processes have left unfinished.
/// Only for whoever alone writes there.
#[must_use]
pub fn sweep_below(root: &Path) -> Swept {
    let mut swept = Swept::default();
    let Swept { removed, folders, left } = &mut swept;
    walk(root, DEPTH_MAX, left, &mut |path, found| {
        if !found.is_file() || !path.file_name().is_some_and(is_unfinished) {
            return Ok(());
        }
        remove(path)?;
        *removed += 1;
        let folder = path.parent().unwrap_or(path).to_owned();
        if folders.len() < NAMED_MAX && !folders.contains(&folder) {
            folders.push(folder);
        }
        Ok(())
    });
    swept
}

/// Those of `paths` that are there and that this process may not write to, each with why. Writes nothing.
#[must_use]
pub fn unwritable<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Failures {
    let mut refused = Failures::default();
    for path in paths {
        match access(path, Access::WRITE_OK) {
            Ok(()) | Err(rustix::io::Errno::NOENT) => {}
            Err(error) => refused.note(path, error.into()),
        }
    }
    refused
}

/// Shows `see` each file and folder, a folder before what is in it. What cannot be looked at counts as failed.
fn walk(path: &Path, depth: usize, failures: &mut Failures, see: &mut dyn FnMut(&Path, &Metadata) -> io::Result<()>) {
    let found = match std::fs::symlink_metadata(path) {
        Ok(found) => found,
        // Gone meanwhile.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => return failures.note(path, error),
    };
    // The target of a link, a socket or a device is nothing of this folder.
    if !found.is_file() && !found.is_dir() {
        return;
    }
    // A failure here does not keep the rest from being looked at.
    if let Err(error) = see(path, &found) {
        failures.note(path, error);
    }
    if !found.is_dir() {
        return;
    }
    match std::fs::read_dir(path) {
        Ok(entries) if depth > 0 => {
            for entry in entries {
                match entry {
                    Ok(entry) => walk(&entry.path(), depth - 1, failures, see),
                    Err(error) => failures.note(path, error),
                }
            }
        }
        // Bounds the recursion: folders within folders, however many, cannot exhaust the stack.
        Ok(_) => {}
        Err(error) => failures.note(path, error),
    }
}
