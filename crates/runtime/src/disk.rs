//! Files of the station, written from tasks that must not block.

use std::io;
use std::path::PathBuf;

/// Puts `text` in the place of `path`; on disk when this returns, and on an error the old content is.
pub async fn replace(path: PathBuf, text: String) -> io::Result<()> {
    blocking(move || files::replace(&path, text.as_bytes())).await
}

/// Carries out `work` on a thread that may wait for the disk.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|gone| Err(io::Error::other(gone)))
}
