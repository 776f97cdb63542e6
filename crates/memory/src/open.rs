//! Opens a database file with the settings every database of ours has.

use std::path::Path;
use std::time::Duration;

use sqlx::SqlitePool;
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

use crate::MemoryError;

/// How long a statement waits for another process that holds the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Readers beside the one writer; each holds a file handle and a page cache.
const CONNECTIONS_MAX: u32 = 4;

/// Opens or makes the database at `path` and brings it to the newest form.
pub async fn open(
    path: &Path,
    synchronous: SqliteSynchronous,
    migrations: &Migrator,
) -> Result<SqlitePool, MemoryError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(synchronous)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT);
    let pool = SqlitePoolOptions::new()
        .max_connections(CONNECTIONS_MAX)
        .connect_with(options)
        .await
        .map_err(|source| MemoryError::Open { path: path.to_owned(), source })?;
    migrations.run(&pool).await.map_err(|source| MemoryError::Version { path: path.to_owned(), source })?;
    Ok(pool)
}
