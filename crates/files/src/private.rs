//! Nobody but the owner enters a folder of ours or reads a file in it.

use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;

/// The owner enters, lists and changes.
const FOLDER_MODE: u32 = 0o700;
/// The permission bits that only the owner may have: clear for everybody else.
pub(crate) const OTHERS: u32 = 0o077;
/// Makes the folder `path`, with those above it, for the owner alone; one that is there stays as it is, for
/// [`crate::tighten`].
///
/// # Errors
/// Fails if the disk refuses the write, or if a link or a file is in the place of the folder.
pub fn make_folder(path: &Path) -> io::Result<()> {
    make_named_folder(path)?;
    // `create` is content with a link to a folder, so the place is looked at after it.
    if std::fs::symlink_metadata(path)?.is_dir() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::NotADirectory, "a link is in the folder's place"))
}

/// The same for a folder that a person has named: that may be a link.
///
/// # Errors
/// Fails if the disk refuses the write, or if a file is in the place of the folder.
pub fn make_named_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
}

/// As [`make_folder`]; an open one that is there is closed to others, or refused.
///
/// # Errors
/// Fails if the disk refuses, or if the rights cannot be taken from others.
pub fn private_folder(path: &Path) -> io::Result<()> {
    make_folder(path)?;
    close_to_others(path, FOLDER_MODE)
}

/// Takes the rights of others from `path`; an error also where the file system takes the change and does not keep it.
pub(crate) fn close_to_others(path: &Path, mode: u32) -> io::Result<()> {
    let present = std::fs::symlink_metadata(path)?.permissions().mode();
    if present & OTHERS == 0 && present & mode == mode {
        return Ok(());
    }
    // Without the bits of the file's type, which `mode` may carry and chmod does not take.
    std::fs::set_permissions(path, Permissions::from_mode(mode & 0o7777))?;
    if std::fs::symlink_metadata(path)?.permissions().mode() & OTHERS == 0 {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::Unsupported, "the file system does not keep the rights"))
}
