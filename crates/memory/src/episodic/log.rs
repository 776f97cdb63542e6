//! `memory/daily_logs_YYYY-MM-DD.jsonl`: the records themselves. What is written here is the truth; the index follows.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use files::LineFile;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Episode;
use crate::MemoryError;

const PREFIX: &str = "daily_logs_";
const SUFFIX: &str = ".jsonl";

/// The daily files of one agent, open for appending.
#[derive(Debug)]
pub struct DailyLogs {
    folder: PathBuf,
    zone: TimeZone,
    open: Option<OpenDay>,
}

#[derive(Debug)]
struct OpenDay {
    name: String,
    file: LineFile,
    is_synced: bool,
}

/// The outcome of an append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogAppended {
    /// Names of the files that are longer now.
    pub files: Vec<String>,
}

/// The whole lines of a part of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    /// Each without its end.
    pub lines: Vec<String>,
    /// The offset in the file at which the next line begins, bytes.
    pub end: u64,
}

impl DailyLogs {
    /// Takes up the files of `folder`; days are those of `zone`.
    #[must_use]
    pub fn new(folder: PathBuf, zone: TimeZone) -> Self {
        Self { folder, zone, open: None }
    }

    /// The folder of the files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The name of the file that takes what happens at `at_ms`.
    #[must_use]
    pub fn name_at(&self, at_ms: i64) -> String {
        let day = Timestamp::from_millisecond(at_ms).unwrap_or_default().to_zoned(self.zone.clone()).date();
        format!("{PREFIX}{day}{SUFFIX}")
    }

    /// Appends records in their order. With the operating system when this returns; on disk after [`Self::sync`].
    pub fn append(&mut self, episodes: &[Episode]) -> Result<LogAppended, MemoryError> {
        let mut files: Vec<String> = Vec::new();
        let named: Vec<(String, &Episode)> =
            episodes.iter().map(|episode| (self.name_at(episode.at_ms), episode)).collect();
        // The records of one batch may lie on both sides of midnight.
        for on_day in named.chunk_by(|(a, _), (b, _)| a == b) {
            let Some((name, _)) = on_day.first() else { continue };
            let mut bytes = Vec::new();
            for (_, episode) in on_day {
                bytes.extend_from_slice(episode.line().as_bytes());
                bytes.push(b'\n');
            }
            let path = self.folder.join(name);
            let written = self.day(name).and_then(|day| {
                day.is_synced = false;
                day.file.add(&bytes)
            });
            if let Err(source) = written {
                // The next try opens it anew.
                self.open = None;
                return Err(MemoryError::File { action: "append to", path, source });
            }
            files.push(name.clone());
        }
        files.dedup();
        Ok(LogAppended { files })
    }

    /// Puts what was appended on disk.
    pub fn sync(&mut self) -> Result<(), MemoryError> {
        let Some(day) = self.open.as_mut().filter(|day| !day.is_synced) else { return Ok(()) };
        let path = self.folder.join(&day.name);
        day.file.sync().map_err(|source| MemoryError::File { action: "sync", path, source })?;
        day.is_synced = true;
        Ok(())
    }

    /// Lets go of the open file, so that it can be replaced by another of its name.
    pub fn close(&mut self) {
        self.open = None;
    }

    fn day(&mut self, name: &str) -> std::io::Result<&mut OpenDay> {
        if let Some(day) = self.open.take_if(|day| day.name != name) {
            // `sync` covers the open file only, so this one has to be synced before it is closed.
            day.file.sync()?;
        }
        let day = match self.open.take() {
            Some(day) => day,
            None => OpenDay { name: name.to_owned(), file: LineFile::open(&self.folder.join(name))?, is_synced: true },
        };
        Ok(self.open.insert(day))
    }
}

/// The daily files in `folder` with their lengths, oldest day first.
pub(crate) fn files(folder: &Path) -> Result<Vec<(String, u64)>, MemoryError> {
    let failed = |source| MemoryError::File { action: "list", path: folder.to_owned(), source };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_file = entry.file_type().map_err(failed)?.is_file();
        if is_file && name.starts_with(PREFIX) && name.ends_with(SUFFIX) {
            files.push((name, entry.metadata().map_err(failed)?.len()));
        }
    }
    // The day is in the name, so that the order of names is that of time.
    files.sort();
    Ok(files)
}

/// The whole lines of a file from byte `from` on, about `bytes_max` bytes of them. A last line that is not ended yet
/// is left for later.
pub(crate) fn read_lines(path: &Path, from: u64, bytes_max: usize) -> Result<Lines, MemoryError> {
    let failed = |source| MemoryError::File { action: "read", path: path.to_owned(), source };
    let mut file = File::open(path).map_err(failed)?;
    file.seek(SeekFrom::Start(from)).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(bytes_max as u64).read_to_end(&mut bytes).map_err(failed)?;
    let whole = match bytes.iter().rposition(|byte| *byte == b'\n') {
        Some(last) => last + 1,
        // A line longer than any of ours is passed over, a part at a time.
        None if bytes.len() == bytes_max => bytes.len(),
        None => 0,
    };
    let lines = String::from_utf8_lossy(&bytes[..whole]).lines().map(str::to_owned).collect();
    Ok(Lines { lines, end: from + whole as u64 })
}

#[cfg(test)]
mod tests;
