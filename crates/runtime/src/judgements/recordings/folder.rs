//! The recordings of one robot on disk: files of a few megabytes, the oldest of which go first.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use files::LineFile;

use super::{KEPT_MS, Recorded};

/// The most bytes of one robot.
const ROBOT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// The most bytes of one file: what is dropped at once.
const FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Bytes that may be on disk before a file is begun: one of each series can still grow.
const BYTES_BEFORE_NEXT: u64 = ROBOT_BYTES_MAX - 2 * FILE_BYTES_MAX;
/// A file is begun at least this often, milliseconds, so that what is a day old can be dropped.
const FILE_MS_MAX: i64 = 3_600_000;
/// Constraint sets kept of one robot.
const SETS_MAX: usize = 32;

/// Series that are dropped apart: denied ones stay while there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Series {
    Allowed,
    Denied,
}

/// The folder and the files it is writing.
pub(super) struct Folder {
    path: PathBuf,
    open: BTreeMap<Series, Open>,
    newest_set: u64,
}

struct Open {
    file: LineFile,
    bytes: u64,
    since_ms: i64,
}

/// A file that is there.
struct Found {
    series: Series,
    since_ms: i64,
    bytes: u64,
    path: PathBuf,
}

impl Series {
    fn prefix(self) -> &'static str {
        match self {
            Self::Allowed => "allowed-",
            Self::Denied => "denied-",
        }
    }
}

impl Folder {
    pub fn new(path: PathBuf) -> Self {
        Self { path, open: BTreeMap::new(), newest_set: 0 }
    }

    /// Appends a line; begins another file, and drops what there is no room for, when it is time.
    pub fn append(&mut self, series: Series, wall_ms: i64, line: &[u8]) -> io::Result<()> {
        let bytes = line.len() as u64 + 1;
        // A clock that was set back begins a file of its own: the
        // name of a file says since when it holds recordings.
        let fits = |open: &&mut Open| {
            open.bytes + bytes <= FILE_BYTES_MAX && (0..FILE_MS_MAX).contains(&(wall_ms - open.since_ms))
        };
        let open = match self.open.get_mut(&series).filter(fits) {
            Some(_) => self.open.get_mut(&series),
            None => {
                files::make_folder(&self.path)?;
                drop_old(&self.path, wall_ms)?;
                let path = self.path.join(format!("{}{wall_ms:014}.jsonl", series.prefix()));
                let file = LineFile::open(&path)?;
                self.open.insert(series, Open { file, bytes: 0, since_ms: wall_ms });
                self.open.get_mut(&series)
            }
        };
        let Some(open) = open else { return Ok(()) };
        open.file.add(&[line, b"\n"].concat())?;
        open.bytes += bytes;
        Ok(())
    }

    /// Keeps the set of that version beside what names it, once.
    pub fn keep_set(&mut self, version: u64, set: impl FnOnce() -> serde_json::Result<Vec<u8>>) -> io::Result<()> {
        if version == self.newest_set {
            return Ok(());
        }
        files::make_folder(&self.path)?;
        files::replace(&self.path.join(format!("set-{version:014}.json")), &set()?)?;
        // After the write: a failure is made good with the next recording.
        self.newest_set = version;
        let mut sets: Vec<PathBuf> =
            files(&self.path)?.into_iter().filter(|path| name(path).starts_with("set-")).collect();
        sets.sort();
        let surplus = sets.len().saturating_sub(SETS_MAX);
        sets.iter().take(surplus).try_for_each(|path| files::remove(path))
    }
}

/// Recordings since `since_ms`, oldest first. A line that was cut off is no recording.
pub(super) fn read(folder: &Path, since_ms: i64) -> Vec<Recorded> {
    let mut recorded: Vec<Recorded> = Vec::new();
    for found in found(folder).unwrap_or_default() {
        let Ok(file) = File::open(&found.path) else { continue };
        let lines = BufReader::new(file).lines().map_while(Result::ok);
        recorded.extend(lines.filter_map(|line| serde_json::from_str(&line).ok()));
    }
    recorded.retain(|row| row.wall_ms >= since_ms);
    // Allowed and denied ones lie in files of their own.
    recorded.sort_by_key(|row| row.wall_ms);
    recorded
}

/// The files below `root`, a folder for each robot, that may hold something of that time.
pub(super) fn covering(root: &Path, from_ms: i64, to_ms: i64) -> Vec<String> {
    let folders = files(root).unwrap_or_default();
    let found = folders.iter().filter_map(|folder| found(folder).ok()).flatten();
    let covers = |found: &Found| found.since_ms <= to_ms && from_ms <= found.since_ms.saturating_add(FILE_MS_MAX);
    let inside = |found: Found| found.path.strip_prefix(root).map(|path| path.display().to_string()).ok();
    let mut names: Vec<String> = found.filter(covers).filter_map(inside).collect();
    names.sort();
    names
}

/// Drops what was allowed more than a day ago, then the oldest until there is room: what was denied last.
fn drop_old(folder: &Path, wall_ms: i64) -> io::Result<()> {
    let (old, mut kept): (Vec<Found>, Vec<Found>) = found(folder)?
        .into_iter()
        .partition(|found| found.series == Series::Allowed && found.since_ms + FILE_MS_MAX < wall_ms - KEPT_MS);
    old.iter().try_for_each(|found| files::remove(&found.path))?;
    kept.sort_by_key(|found| (found.series, found.since_ms));
    let mut bytes: u64 = kept.iter().map(|found| found.bytes).sum();
    for found in kept {
        if bytes <= BYTES_BEFORE_NEXT {
            break;
        }
        files::remove(&found.path)?;
        bytes -= found.bytes;
    }
    Ok(())
}

fn found(folder: &Path) -> io::Result<Vec<Found>> {
    let known = |path: PathBuf| {
        let (series, rest) = [Series::Allowed, Series::Denied]
            .into_iter()
            .find_map(|series| Some((series, name(&path).strip_prefix(series.prefix())?.to_owned())))?;
        let since_ms = rest.strip_suffix(".jsonl")?.parse().ok()?;
        Some(Found { series, since_ms, bytes: fs::metadata(&path).ok()?.len(), path })
    };
    Ok(files(folder)?.into_iter().filter_map(known).collect())
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
