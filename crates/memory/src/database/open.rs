//! Opens a database file with the settings every database of ours has.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection, SqlitePool};

use crate::MemoryError;
use crate::database::probe::{check_known, probe};
use crate::error::is_refused_as_read_only;
use crate::files;

/// The longest wait of a statement for another process that holds the file.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Readers beside the one writer; each holds a file handle and a page cache.
const CONNECTIONS_MAX: u32 = 4;
/// Bytes that the write-ahead log keeps once it was written back.
pub const LOG_BYTES_MAX: u64 = 64 << 20;
/// Searches at the same time: one of the agent, one of a screen.
const SEARCHERS_MAX: u32 = 2;

/// The one connection that writes, and those that read beside it.
#[derive(Debug, Clone)]
pub struct Connections {
    /// One connection: a writer waits for its turn.
    pub writer: SqlitePool,
    /// Refuse to write, and wait for no writer.
    pub readers: SqlitePool,
    /// The same for searches, which take long and are ended in the middle.
    pub searchers: SqlitePool,
}

/// Opens or makes the database at `path` and brings it to the newest form. What cannot be read is refused as damaged:
/// only a file that is not there is made.
pub async fn open(
    path: &Path,
    synchronous: SqliteSynchronous,
    migrations: &Migrator,
) -> Result<SqlitePool, MemoryError> {
    if let Some(found) = probe(path).await? {
        check_known(path, found, migrations)?;
    }
    connect(path, settings(path, synchronous), CONNECTIONS_MAX, migrations).await
}

/// One connection more to a database that [`open`] has opened, for who must not wait for a turn among the others.
pub async fn beside(path: &Path, synchronous: SqliteSynchronous) -> Result<SqlitePool, MemoryError> {
    let pool = whole(SqlitePoolOptions::new().max_connections(1)).connect_with(settings(path, synchronous)).await;
    pool.map_err(|source| MemoryError::Open { path: path.to_owned(), source })
}

/// The same with one writer, for a database that is written all the time.
pub async fn open_split(path: &Path, migrations: &Migrator) -> Result<Connections, MemoryError> {
    let options = settings(path, SqliteSynchronous::Normal).pragma("journal_size_limit", LOG_BYTES_MAX.to_string());
    let writer = connect(path, options.clone(), 1, migrations).await?;
    // SQLite itself refuses writes here, so that no write can pass the one writer by.
    let options = options.pragma("query_only", "ON");
    // Opened at the first use: by now the writer has made and migrated the file.
    let readers = SqlitePoolOptions::new().max_connections(CONNECTIONS_MAX).connect_lazy_with(options.clone());
    let searchers = SqlitePoolOptions::new().max_connections(SEARCHERS_MAX).connect_lazy_with(options);
    Ok(Connections { writer, readers, searchers })
}

/// Deleted content is overwritten on disk.
fn settings(path: &Path, synchronous: SqliteSynchronous) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        // With a write-ahead log readers see the last commit while a write is open.
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(synchronous)
        .pragma("secure_delete", "ON")
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
}

async fn connect(
    path: &Path,
    options: SqliteConnectOptions,
    connections: u32,
    migrations: &Migrator,
) -> Result<SqlitePool, MemoryError> {
    make_if_missing(path, migrations).await?;
    let pool = whole(SqlitePoolOptions::new().max_connections(connections))
        .connect_with(options)
        .await
        .map_err(|source| MemoryError::Open { path: path.to_owned(), source })?;
    migrations.run(&pool).await.map_err(|source| MemoryError::Version { path: path.to_owned(), source })?;
    Ok(pool)
}

/// Connections that cannot write any more are not used again. A full disk ends a transaction inside SQLite, and the
/// driver goes on counting it: no other can begin there. A file that was opened while it could not be written stays
/// so for good.
fn whole(options: SqlitePoolOptions) -> SqlitePoolOptions {
    let opened_read_only = Arc::new(AtomicBool::new(false));
    let opened = Arc::clone(&opened_read_only);
    options
        .after_connect(move |connection, _| {
            let opened = Arc::clone(&opened);
            Box::pin(async move {
                if is_read_only(connection).await? {
                    opened.store(true, Ordering::Relaxed);
                }
                Ok(())
            })
        })
        .before_acquire(move |connection, _| {
            // The trial write costs time at every acquire, so it is made only once a connection was
            // found read-only.
            let may_be_one = opened_read_only.load(Ordering::Relaxed);
            Box::pin(async move {
                let is_lost = connection.is_in_transaction() || (may_be_one && is_read_only(connection).await?);
                Ok(!is_lost)
            })
        })
}

/// True if SQLite opened the file or its log for reading only, as it does where it may not write. Waits for nobody
/// who writes.
async fn is_read_only(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    sqlx::query("PRAGMA busy_timeout = 0").execute(&mut *connection).await?;
    let mut tried = sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await;
    if tried.is_ok() {
        // BEGIN IMMEDIATE fails if the log is read-only, CREATE TABLE if the file is. It is never committed.
        tried = sqlx::query("CREATE TABLE is_writable (never)").persistent(false).execute(&mut *connection).await;
        sqlx::query("ROLLBACK").execute(&mut *connection).await?;
    }
    let is_read_only = tried.is_err_and(|error| is_refused_as_read_only(&error));
    // The connection goes back to the pool, where statements do have to wait for a writer.
    let wait = format!("PRAGMA busy_timeout = {}", BUSY_TIMEOUT.as_millis());
    sqlx::query(AssertSqlSafe(wait)).execute(connection).await?;
    Ok(is_read_only)
}

/// Makes a database under another name and gives it its own once it is whole: an empty file is never a new database.
async fn make_if_missing(path: &Path, migrations: &Migrator) -> Result<(), MemoryError> {
    if path.exists() {
        return Ok(());
    }
    let unfinished = ::files::begin(path).map_err(files::failed("make", path))?;
    let failed = |source| MemoryError::Open { path: path.to_owned(), source };
    let options = SqliteConnectOptions::new().filename(unfinished.path());
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.map_err(failed)?;
    let made = migrations.run(&pool).await;
    // Closing removes the files that SQLite keeps beside the database.
    pool.close().await;
    made.map_err(|source| MemoryError::Version { path: path.to_owned(), source })?;
    unfinished.put_in_place().map_err(files::failed("make", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn f26_a_connection_that_can_only_read_is_found_and_one_that_has_to_wait_is_none() -> Result<(), sqlx::Error>
    {
        let folder = tempfile::tempdir().map_err(sqlx::Error::Io)?;
        let path = folder.path().join("a.db");
        let options = settings(&path, SqliteSynchronous::Normal);
        let mut writing = SqliteConnection::connect_with(&options.clone().create_if_missing(true)).await?;
        sqlx::query("CREATE TABLE a (b)").execute(&mut writing).await?;
        let mut reading = SqliteConnection::connect_with(&options.clone().read_only(true)).await?;
        assert!(is_read_only(&mut reading).await?);
        assert!(!is_read_only(&mut writing).await?);
        sqlx::query("BEGIN IMMEDIATE").execute(&mut writing).await?;
        let mut waiting = SqliteConnection::connect_with(&options).await?;
        assert!(!is_read_only(&mut waiting).await?, "somebody else writes");
        sqlx::query("COMMIT").execute(&mut writing).await?;
        sqlx::query("INSERT INTO a VALUES (1)").execute(&mut waiting).await?;
        Ok(())
    }
}
