//! Copies of an agent's database, so that damage costs an hour and not everything.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use sqlx::Connection;

use crate::database::probe::{part_of, plain};
use crate::error::failed;
use crate::files::{self, remove_if_there};
use crate::{AgentDb, MemoryError};

/// Copies that are kept; the oldest goes when there is one more.
const KEPT: usize = 7;
/// Steps of SQLite's machine between two looks at whether anybody waits for a copy.
const STEPS_PER_LOOK: i32 = 1_000;
const PREFIX: &str = "memory-";
const SUFFIX: &str = ".db";

/// The folder of the copies of the database at `path`.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    path.with_file_name("backups")
}

/// The copies of the database at `path`, the newest first. One of a day that has not come yet was made before the clock
/// was set back, and is older than all others. A folder that cannot be read is an error: nobody knows what it holds.
pub(crate) fn list(path: &Path, now_ms: i64) -> Result<Vec<PathBuf>, MemoryError> {
    let folder = folder_of(path);
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(files::failed("read", &folder)(source)),
    };
    let found: Result<Vec<_>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut copies = found.map_err(files::failed("read", &folder))?;
    copies.retain(|path| is_copy(path));
    // The day is in the name, and what was made before a migration stands before that day's own.
    copies.sort();
    copies.reverse();
    let today = copy_of(path, now_ms, "");
    let (of_future, mut newest_first): (Vec<PathBuf>, Vec<PathBuf>) =
        copies.into_iter().partition(|copy| *copy > today);
    newest_first.extend(of_future);
    Ok(newest_first)
}

/// The copy of the database at `path` of that day.
fn copy_of(path: &Path, now_ms: i64, note: &str) -> PathBuf {
    let day = Timestamp::from_millisecond(now_ms).unwrap_or_default().strftime("%Y-%m-%d");
    folder_of(path).join(format!("{PREFIX}{day}{note}{SUFFIX}"))
}

fn is_copy(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// When a copy was made, Unix milliseconds.
pub(crate) fn made_ms(copy: &Path) -> Option<i64> {
    let modified = std::fs::metadata(copy).ok()?.modified().ok()?;
    let since = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}

/// When the database at `path`, or its log, was written last, Unix milliseconds; none if there is no database.
#[must_use]
pub fn written_ms(path: &Path) -> Option<i64> {
    // A log without its database is a leftover and tells nothing.
    made_ms(path).max(made_ms(&part_of(path, "-wal")).filter(|_| path.exists()))
}

/// When the newest copy of the database at `path` was made, Unix milliseconds; none if none is known.
#[must_use]
pub fn backed_up_ms(path: &Path, now_ms: i64) -> Option<i64> {
    list(path, now_ms).ok()?.first().and_then(|copy| made_ms(copy))
}

/// Copies the database at `path` while it is in use. `note` distinguishes copies of the same day.
pub(crate) async fn copy(path: &Path, now_ms: i64, note: &str) -> Result<PathBuf, MemoryError> {
    let folder = folder_of(path);
    ::files::make_folder(&folder).map_err(files::failed("make", &folder))?;
    // Leftovers of a killed process.
    ::files::sweep(&folder).map_err(files::failed("clear", &folder))?;
    let copy = copy_of(path, now_ms, note);
    let unfinished = ::files::begin(&copy).map_err(files::failed("make", &copy))?;
    // VACUUM INTO reads one snapshot beside a writer, and leaves behind free pages with deleted text.
    vacuum_into(path, unfinished.path()).await?;
    without_intents(unfinished.path()).await?;
    // Every connection to the copy is closed, so that no log lies beside it.
    unfinished.put_in_place().map_err(files::failed("write", &copy))?;
    // The new copy is in place already, so a failure here leaves one too many and never one too few.
    for old in list(path, now_ms)?.into_iter().skip(KEPT) {
        remove_if_there(&old)?;
    }
    Ok(copy)
}

/// Sets its flag when it is dropped: the caller has given up.
#[derive(Default)]
struct GivenUp(Arc<AtomicBool>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Copies into `target`. SQLite works on a thread of its own, so a caller that gives up ends it through a progress
/// handler.
async fn vacuum_into(path: &Path, target: &Path) -> Result<(), MemoryError> {
    let action = "copy the database";
    let mut connection = plain(path).await?;
    let given_up = GivenUp::default();
    let is_given_up = Arc::clone(&given_up.0);
    let go_on = move || !is_given_up.load(Ordering::Relaxed);
    connection.lock_handle().await.map_err(failed(action))?.set_progress_handler(STEPS_PER_LOOK, go_on);
    let copied = sqlx::query("VACUUM INTO ?1").bind(target.to_string_lossy()).execute(&mut connection).await;
    // Closed before the outcome is looked at: a failed copy must not keep the file open.
    connection.close().await.map_err(failed(action))?;
    copied.map(drop).map_err(failed(action))
}

/// An intent holds its texts until they are forgotten; a copy must not keep them.
async fn without_intents(copy: &Path) -> Result<(), MemoryError> {
    let action = "finish the copy";
    let mut connection = plain(copy).await?;
    let table = "SELECT count(*) FROM sqlite_master WHERE name = 'forget_intent'";
    let has_intents: i64 = sqlx::query_scalar(table).fetch_one(&mut connection).await.map_err(failed(action))?;
    // A copy that was made before a migration may come from a version without the table.
    if has_intents > 0 {
        // Deleting alone would leave the bytes of the rows in their pages.
        for statement in ["PRAGMA secure_delete = ON", "DELETE FROM forget_intent"] {
            sqlx::query(statement).execute(&mut connection).await.map_err(failed(action))?;
        }
    }
    connection.close().await.map_err(failed(action))
}

impl AgentDb {
    /// Makes today's copy, in place of an earlier one of today.
    pub async fn back_up(&self, now_ms: i64) -> Result<PathBuf, MemoryError> {
        let _alone = self.copying().await;
        copy(self.path(), now_ms, "").await
    }

    /// When the newest copy was made, Unix milliseconds.
    #[must_use]
    pub fn backed_up_ms(&self, now_ms: i64) -> Option<i64> {
        backed_up_ms(self.path(), now_ms)
    }
}
