//! `agents/<id>/memory.db`: an agent's providers, alert rules and proposals (`synchronous=NORMAL`).

use std::path::Path;
use std::sync::Arc;

use arc_swap::ArcSwap;
use sqlx::{Sqlite, SqlitePool, Transaction};

use crate::MemoryError;
use crate::error::failed;
use crate::open::{Connections, open_split};

/// One agent's open database: one connection writes, a few read.
#[derive(Debug, Clone)]
pub struct AgentDb {
    // Behind one more pointer, so that a damaged file is replaced under everybody who holds a clone.
    connections: Arc<ArcSwap<Connections>>,
}

impl AgentDb {
    /// Opens or makes `path`.
    pub async fn open(path: &Path) -> Result<Self, MemoryError> {
        let connections = open_split(path, &sqlx::migrate!("./migrations/agent")).await?;
        Ok(Self { connections: Arc::new(ArcSwap::from_pointee(connections)) })
    }

    /// Begins a write that is on disk once committed, also after a loss of power. For what is answered after the commit.
    pub(crate) async fn durable(&self, action: &'static str) -> Result<Transaction<'static, Sqlite>, MemoryError> {
        // The level cannot change inside a transaction and stays behind, so each one begins by setting its own.
        let begin = "PRAGMA synchronous = FULL; BEGIN IMMEDIATE";
        self.connections.load().writer.begin_with(begin).await.map_err(failed(action))
    }

    /// Begins a write that a loss of power may undo, for batches that come by themselves.
    pub(crate) async fn lazy(&self, action: &'static str) -> Result<Transaction<'static, Sqlite>, MemoryError> {
        let begin = "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE";
        self.connections.load().writer.begin_with(begin).await.map_err(failed(action))
    }

    /// Connections that only read and wait for no writer.
    pub(crate) fn readers(&self) -> SqlitePool {
        self.connections.load().readers.clone()
    }

    /// Connections for searches.
    pub(crate) fn searchers(&self) -> SqlitePool {
        self.connections.load().searchers.clone()
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
