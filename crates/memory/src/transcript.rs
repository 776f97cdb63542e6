//! `sessions/<id>.jsonl`: a conversation, one JSON line an entry, only ever appended to.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use files::LineFile;

use crate::MemoryError;

/// A transcript file open for appending.
#[derive(Debug)]
pub struct TranscriptFile {
    path: PathBuf,
    file: Arc<Mutex<LineFile>>,
}

impl TranscriptFile {
    /// Opens or makes `path` and returns its lines beside it. A torn last line is left as it is; the next append
    /// starts on a new line.
    pub async fn open(path: &Path) -> Result<(Self, Vec<String>), MemoryError> {
        let own = path.to_owned();
        let opened = move || {
            let bytes = read(&own)?;
            Ok((LineFile::open(&own)?, bytes))
        };
        let (file, bytes) = blocking(path, "open", opened).await?;
        let transcript = Self { path: path.to_owned(), file: Arc::new(Mutex::new(file)) };
        let text = String::from_utf8_lossy(&bytes);
        Ok((transcript, text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()))
    }

    /// Appends one line; with `synced` it is on disk when this returns, else with the operating system. On an error
    /// the file is as it was.
    pub async fn append(&mut self, line: &str, synced: bool) -> Result<(), MemoryError> {
        // The blocking task owns what it needs: a caller that gives up cannot leave half a line.
        let (file, line) = (Arc::clone(&self.file), format!("{line}\n"));
        let added = move || {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            if synced { file.add_synced(line.as_bytes()) } else { file.add(line.as_bytes()) }
        };
        blocking(&self.path, "append to", added).await
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match files::open(path) {
        Ok(mut file) => io::Read::read_to_end(&mut file, &mut bytes).map(|_| bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(bytes),
        Err(error) => Err(error),
    }
}

/// Carries out `work` on `path` where it may block.
async fn blocking<T: Send + 'static>(
    path: &Path,
    action: &'static str,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, MemoryError> {
    let done = tokio::task::spawn_blocking(work).await.unwrap_or_else(|gone| Err(io::Error::other(gone)));
    done.map_err(crate::files::failed(action, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_torn_last_line_does_not_swallow_the_next_entry() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        std::fs::write(&path, "{\"id\":0}\n{\"id\":1,\"con").unwrap();
        let (mut transcript, lines) = TranscriptFile::open(&path).await.unwrap();
        assert_eq!(lines, ["{\"id\":0}", "{\"id\":1,\"con"]);
        transcript.append("{\"id\":1}", true).await.unwrap();
        let (_, lines) = TranscriptFile::open(&path).await.unwrap();
        assert_eq!(lines.last().map(String::as_str), Some("{\"id\":1}"));
    }
}
