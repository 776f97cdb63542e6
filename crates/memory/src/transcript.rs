//! `sessions/<id>.jsonl`: a conversation, one JSON line an entry, only ever appended to.

use std::path::{Path, PathBuf};

use tokio::fs::{File, OpenOptions};
use tokio::io::AsyncWriteExt;

use crate::MemoryError;

/// A transcript file open for appending.
#[derive(Debug)]
pub struct TranscriptFile {
    path: PathBuf,
    file: File,
}

impl TranscriptFile {
    /// Opens or makes `path` and returns its lines beside it. A torn last line is left as it is; the next append
    /// starts on a new line.
    pub async fn open(path: &Path) -> Result<(Self, Vec<String>), MemoryError> {
        let failed = |action, source| MemoryError::File { action, path: path.to_owned(), source };
        let bytes = match tokio::fs::read(path).await {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failed("read", error)),
        };
        let file =
            OpenOptions::new().create(true).append(true).open(path).await.map_err(|error| failed("open", error))?;
        let mut transcript = Self { path: path.to_owned(), file };
        if bytes.last().is_some_and(|byte| *byte != b'\n') {
            transcript.write(b"\n", "end the torn line of", false).await?;
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok((transcript, text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()))
    }

    /// Appends one line; with `synced` it is on disk when this returns, else with the operating system.
    pub async fn append(&mut self, line: &str, synced: bool) -> Result<(), MemoryError> {
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        self.write(&bytes, "append to", synced).await
    }

    async fn write(&mut self, bytes: &[u8], action: &'static str, synced: bool) -> Result<(), MemoryError> {
        let path = &self.path;
        let failed = |source| MemoryError::File { action, path: path.clone(), source };
        self.file.write_all(bytes).await.map_err(failed)?;
        self.file.flush().await.map_err(failed)?;
        if synced {
            self.file.sync_data().await.map_err(failed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_torn_last_line_does_not_swallow_the_next_entry() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        tokio::fs::write(&path, "{\"id\":0}\n{\"id\":1,\"con").await.unwrap();
        let (mut transcript, lines) = TranscriptFile::open(&path).await.unwrap();
        assert_eq!(lines, ["{\"id\":0}", "{\"id\":1,\"con"]);
        transcript.append("{\"id\":1}", true).await.unwrap();
        let (_, lines) = TranscriptFile::open(&path).await.unwrap();
        assert_eq!(lines.last().map(String::as_str), Some("{\"id\":1}"));
    }
}
