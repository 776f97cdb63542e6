//! Nobody but the owner enters a folder of ours or reads a file in it.

use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// The owner enters, lists and changes.
const FOLDER_MODE: u32 = 0o700;
/// The permission bits that only the owner may have: clear for everybody else.
const OTHERS: u32 = 0o077;
/// Folders within folders that are looked through.
const DEPTH_MAX: usize = 8;
/// Entries that are named at most.
const NAMED_MAX: usize = 8;

/// The files and folders that others than the owner can still reach.
#[derive(Debug, Default)]
pub struct Loose {
    /// The number of these files and folders.
    pub count: u64,
    /// The first of them, each with why.
    pub named: Vec<(PathBuf, io::Error)>,
}

/// Makes the folder `path`, with those above it, for the owner alone; one that is there stays as it is, for [`tighten`].
///
/// # Errors
/// Fails if the disk refuses the write.
pub fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
}

/// The same; an open one that is there is closed to others, or refused.
///
/// # Errors
/// Fails if the disk refuses, or if the rights cannot be taken from others.
pub fn private_folder(path: &Path) -> io::Result<()> {
    make_folder(path)?;
    close_to_others(path, FOLDER_MODE)
}

/// Takes the rights of others from everything below `root`, and from `root` itself. Links are left as they are.
#[must_use]
pub fn tighten(root: &Path) -> Loose {
    let mut loose = Loose::default();
    look(root, DEPTH_MAX, &mut loose);
    loose
}

impl Loose {
    fn note(&mut self, path: &Path, error: io::Error) {
        self.count += 1;
        if self.named.len() < NAMED_MAX {
            self.named.push((path.to_owned(), error));
        }
    }
}

fn look(path: &Path, depth: usize, loose: &mut Loose) {
    let found = match std::fs::symlink_metadata(path) {
        Ok(found) => found,
        // Gone meanwhile.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => return loose.note(path, error),
    };
    if !found.is_file() && !found.is_dir() {
        return;
    }
    let mode = found.permissions().mode();
    if mode & OTHERS != 0
        && let Err(error) = close_to_others(path, mode & !OTHERS)
    {
        loose.note(path, error);
    }
    if !found.is_dir() {
        return;
    }
    match std::fs::read_dir(path) {
        Ok(entries) if depth > 0 => {
            entries.filter_map(Result::ok).for_each(|entry| look(&entry.path(), depth - 1, loose));
        }
        Ok(_) => {}
        Err(error) => loose.note(path, error),
    }
}

/// Some file systems take a change of rights and do not keep it.
fn close_to_others(path: &Path, mode: u32) -> io::Result<()> {
    let present = std::fs::symlink_metadata(path)?.permissions().mode();
    if present & OTHERS == 0 && present & mode == mode {
        return Ok(());
    }
    std::fs::set_permissions(path, Permissions::from_mode(mode & 0o7777))?;
    if std::fs::symlink_metadata(path)?.permissions().mode() & OTHERS == 0 {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::Unsupported, "the file system does not keep the rights"))
}
