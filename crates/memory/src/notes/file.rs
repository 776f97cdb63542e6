//! Reads and replaces a file so that a crash leaves the old one or the new one, and a change by hand is seen.

use std::io::{Error, ErrorKind};
use std::path::Path;

use tokio::io::AsyncWriteExt;

use super::NoteError;

/// The text of a file; nothing if there is none.
pub(super) async fn read(path: &Path) -> Result<String, NoteError> {
    match tokio::fs::read_to_string(path).await {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(source) => Err(failed(path, source)),
    }
}

/// Puts `after` in the place of `before`. False if the file is not `before` any more; nothing is written then.
pub(super) async fn replace(path: &Path, before: &str, after: &str) -> Result<bool, NoteError> {
    let temporary = path.with_extension("md.new");
    write(&temporary, after).await.map_err(|source| failed(&temporary, source))?;
    // The last look, right before the rename: what a person saved meanwhile stays.
    if read(path).await? != before {
        tokio::fs::remove_file(&temporary).await.map_err(|source| failed(&temporary, source))?;
        return Ok(false);
    }
    tokio::fs::rename(&temporary, path).await.map_err(|source| failed(path, source))?;
    sync_folder(path).await.map_err(|source| failed(path, source))?;
    Ok(true)
}

async fn write(path: &Path, text: &str) -> Result<(), Error> {
    let mut file = tokio::fs::File::create(path).await?;
    file.write_all(text.as_bytes()).await?;
    file.sync_all().await
}

/// The rename itself is on disk once the folder is.
async fn sync_folder(path: &Path) -> Result<(), Error> {
    match path.parent() {
        Some(folder) => tokio::fs::File::open(folder).await?.sync_all().await,
        None => Ok(()),
    }
}

fn failed(path: &Path, source: Error) -> NoteError {
    NoteError::File { path: path.to_owned(), source }
}
