//! Reads and replaces a file so that a crash leaves the old one or the new one, and a change by hand is seen.

use std::io::{Error, ErrorKind};
use std::path::Path;

use super::NoteError;

/// A text longer than any note file may grow by hand is not read.
const BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The text of a file; nothing if there is none.
pub(super) async fn read(path: &Path) -> Result<String, NoteError> {
    blocking(path, read_now).await
}

/// Puts `after` in the place of `before`. False if the file is not `before` any more; nothing is written then.
pub(super) async fn replace(path: &Path, before: &str, after: &str) -> Result<bool, NoteError> {
    let (before, after) = (before.to_owned(), after.to_owned());
    let replaced = move |path: &Path| {
        let prepared = files::prepare(path, after.as_bytes())?;
        // The last look, right before the rename: what a person saved meanwhile stays.
        if read_now(path)? != before {
            return Ok(false);
        }
        prepared.put_in_place().map(|()| true)
    };
    blocking(path, replaced).await
}

fn read_now(path: &Path) -> Result<String, Error> {
    match files::read_text(path, BYTES_MAX) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

/// Carries out `work` where it may block.
async fn blocking<T: Send + 'static>(
    path: &Path,
    work: impl FnOnce(&Path) -> Result<T, Error> + Send + 'static,
) -> Result<T, NoteError> {
    let own = path.to_owned();
    let done = tokio::task::spawn_blocking(move || work(&own)).await.unwrap_or_else(|gone| Err(Error::other(gone)));
    done.map_err(|source| NoteError::File { path: path.to_owned(), source })
}
