//! Files that are replaced whole: whoever reads finds the old one or the new one, also after a loss of power.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use crate::MemoryError;

/// Puts `bytes` in the place of `path`.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), MemoryError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let unfinished = path.with_file_name(name);
    remove_if_there(&unfinished)?;
    write_new(&unfinished, bytes).map_err(|source| MemoryError::File {
        action: "write",
        path: unfinished.clone(),
        source,
    })?;
    rename_synced(&unfinished, path)
}

/// Gives a finished file its name, on disk when this returns.
pub(crate) fn rename_synced(from: &Path, to: &Path) -> Result<(), MemoryError> {
    let renamed = std::fs::rename(from, to).and_then(|()| sync_folder(to));
    renamed.map_err(|source| MemoryError::File { action: "rename", path: from.to_owned(), source })
}

/// Removes a file; one that is not there is as good as removed.
pub(crate) fn remove_if_there(path: &Path) -> Result<(), MemoryError> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(MemoryError::File { action: "remove", path: path.to_owned(), source }),
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(unix)]
fn sync_folder(of: &Path) -> std::io::Result<()> {
    of.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}
