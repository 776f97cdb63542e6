//! The files of an agent that are not databases, with this crate's errors.

use std::io;
use std::path::Path;

use crate::MemoryError;

/// Puts `bytes` in the place of `path`: old or new, never half of it.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), MemoryError> {
    ::files::replace(path, bytes).map_err(failed("write", path))
}

/// Gives a finished file its name, on disk when this returns.
pub(crate) fn rename_synced(from: &Path, to: &Path) -> Result<(), MemoryError> {
    ::files::rename(from, to).map_err(failed("rename", from))
}

/// Removes a file; one that is not there is as good as removed.
pub(crate) fn remove_if_there(path: &Path) -> Result<(), MemoryError> {
    ::files::remove(path).map_err(failed("remove", path))
}

/// Names what could not be done with `path`.
pub(crate) fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> MemoryError {
    move |source| MemoryError::File { action, path: path.to_owned(), source }
}
