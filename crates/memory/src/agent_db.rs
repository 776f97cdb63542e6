//! `agents/<id>/memory.db`: an agent's providers, alert rules and proposals (`synchronous=NORMAL`).

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use sqlx::{AssertSqlSafe, Sqlite, SqlitePool, Transaction};

use crate::database::open::{Connections, open_split};
use crate::error::failed;
use crate::{MemoryError, Restored};

/// One agent's open database: one connection writes, a few read.
#[derive(Debug, Clone)]
pub struct AgentDb {
    path: Arc<Path>,
    // Behind one more pointer, so that a damaged file is replaced under everybody who holds a clone.
    connections: Arc<ArcSwap<Connections>>,
    /// Held while the file is copied: a copy that began before a forgetting must not end after it.
    copying: Arc<tokio::sync::Mutex<()>>,
    /// The database that took the place of a damaged one and could not be opened yet. Held by who replaces the file.
    restored: Arc<tokio::sync::Mutex<Option<Restored>>>,
}

impl AgentDb {
    /// Opens or makes `path`.
    pub async fn open(path: &Path) -> Result<Self, MemoryError> {
        Ok(Self::over(path, open_split(path, &sqlx::migrate!("./migrations/agent")).await?))
    }

    pub(crate) fn over(path: &Path, connections: Connections) -> Self {
        let connections = Arc::new(ArcSwap::from_pointee(connections));
        Self { path: path.into(), connections, copying: Arc::default(), restored: Arc::default() }
    }

    /// Goes on with other connections, under every clone.
    pub(crate) fn reconnect(&self, connections: Connections) {
        self.connections.store(Arc::new(connections));
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Waits for a running copy of the file, and keeps others from beginning while the guard is held.
    pub(crate) async fn copying(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.copying.lock().await
    }

    /// The backup that took the place of a damaged file and was not told of yet; nobody else replaces the file meanwhile.
    pub(crate) async fn restored(&self) -> tokio::sync::MutexGuard<'_, Option<Restored>> {
        self.restored.lock().await
    }

    /// Begins a write that is on disk once committed, also after a loss of power. For what is answered after the commit.
    pub(crate) async fn durable(&self, action: &'static str) -> Result<Transaction<'static, Sqlite>, MemoryError> {
        // The level cannot change inside a transaction and stays behind, so each one begins by setting its own.
        // IMMEDIATE takes the write lock now: a transaction that reads first and writes later can fail
        // without waiting.
        let begin = "PRAGMA synchronous = FULL; BEGIN IMMEDIATE";
        self.connections.load().writer.begin_with(begin).await.map_err(failed(action))
    }

    /// Begins a write that a loss of power may undo, for batches that come by themselves.
    pub(crate) async fn lazy(&self, action: &'static str) -> Result<Transaction<'static, Sqlite>, MemoryError> {
        // In WAL mode NORMAL syncs at checkpoints only: a loss of power costs the newest commits and
        // damages nothing.
        let begin = "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE";
        self.connections.load().writer.begin_with(begin).await.map_err(failed(action))
    }

    /// Connections that only read and wait for no writer.
    pub(crate) fn readers(&self) -> SqlitePool {
        self.connections.load().readers.clone()
    }

    /// The connection that writes, for statements outside a transaction.
    pub(crate) fn writer(&self) -> SqlitePool {
        self.connections.load().writer.clone()
    }

    /// Connections for searches.
    pub(crate) fn searchers(&self) -> SqlitePool {
        self.connections.load().searchers.clone()
    }

    /// Has writes from here on wait for no longer than `most` for another process that holds the file. Fails if the
    /// file is closed.
    pub async fn wait_no_longer_than(&self, most: Duration) -> Result<(), MemoryError> {
        let pragma = format!("PRAGMA busy_timeout = {}", most.as_millis());
        // The writer is a single connection, so the setting reaches every later write.
        let set = sqlx::query(AssertSqlSafe(pragma)).execute(&self.writer()).await;
        set.map(drop).map_err(failed("shorten the wait for the database"))
    }

    /// Closes the file; later calls fail.
    pub async fn close(&self) {
        let connections = self.connections.load_full();
        connections.searchers.close().await;
        connections.readers.close().await;
        connections.writer.close().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn st_01_at_the_end_a_write_does_not_wait_for_a_file_that_another_process_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        let db = AgentDb::open(&path).await.unwrap();
        let mut other = crate::database::probe::plain(&path).await.unwrap();
        sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
        db.wait_no_longer_than(Duration::from_millis(20)).await.unwrap();
        let refused = tokio::time::timeout(crate::database::open::BUSY_TIMEOUT, db.lazy("write")).await;
        refused.expect("it waits no longer than told").unwrap_err();
        sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
        db.lazy("write").await.unwrap();
    }

    #[tokio::test]
    async fn st_01_a_reader_cannot_write_and_reads_while_a_write_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
        let mut open_write = db.durable("hold the writer").await.unwrap();
        sqlx::query("DELETE FROM provider").execute(&mut *open_write).await.unwrap();
        assert_eq!(db.providers().await.unwrap().len(), 0);
        let refused = sqlx::query("DELETE FROM alert").execute(&db.readers()).await.unwrap_err();
        assert!(refused.to_string().contains("readonly"), "{refused}");
    }

    #[tokio::test]
    async fn st_02_each_write_sets_how_safe_its_commit_is() {
        let folder = tempfile::tempdir().unwrap();
        let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
        for (is_durable, level) in [(false, 1_i64), (true, 2), (false, 1), (true, 2)] {
            let begun = if is_durable { db.durable("write").await } else { db.lazy("write").await };
            let mut transaction = begun.unwrap();
            let found: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut *transaction).await.unwrap();
            assert_eq!(found, level);
            transaction.commit().await.unwrap();
        }
    }
}
