//! An agent's proposals as `memory.db` keeps them. What was approved is in `station.db`, which wins.

use robot::ProposalId;
use sqlx::Row;

use crate::error::failed;
use crate::{AgentDb, MemoryError};

/// Proposals that are kept; the oldest go first.
const KEPT_MAX: u32 = 10_000;

/// A proposal as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalRow {
    /// `pr-<uuid>`; its order is that of making.
    pub id: ProposalId,
    /// The mission it belongs to.
    pub mission_id: Option<String>,
    /// The state's word.
    pub state: String,
    /// The tier's word.
    pub tier: String,
    /// SHA-256 of the action, hex.
    pub action_hash: String,
    /// Unix milliseconds.
    pub expires_ms: i64,
    /// Unix milliseconds.
    pub created_ms: i64,
    /// Rises with every change, so that writes that overtake each other end with the newest.
    pub revision: i64,
    /// The whole proposal, JSON.
    pub body: String,
}

impl AgentDb {
    /// Saves a proposal, unless a newer form of it is stored; committed when this returns.
    pub async fn save_proposal(&self, row: &ProposalRow) -> Result<(), MemoryError> {
        let action = "save the proposal";
        let mut transaction = self.durable(action).await?;
        sqlx::query(
            "INSERT INTO proposal (id, mission_id, state, tier, action_hash, expires_ms, created_ms, revision, body)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (id) DO UPDATE SET state = excluded.state, tier = excluded.tier,
                 expires_ms = excluded.expires_ms, revision = excluded.revision, body = excluded.body
             WHERE excluded.revision > revision",
        )
        .bind(row.id.as_str())
        .bind(&row.mission_id)
        .bind(&row.state)
        .bind(&row.tier)
        .bind(&row.action_hash)
        .bind(row.expires_ms)
        .bind(row.created_ms)
        .bind(row.revision)
        .bind(&row.body)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// The newest `limit` proposals, newest first. Forgets those beyond what is kept.
    pub async fn proposals(&self, limit: u32) -> Result<Vec<ProposalRow>, MemoryError> {
        let mut transaction = self.lazy("drop the oldest proposals").await?;
        sqlx::query("DELETE FROM proposal WHERE id NOT IN (SELECT id FROM proposal ORDER BY id DESC LIMIT ?1)")
            .bind(KEPT_MAX)
            .execute(&mut *transaction)
            .await
            .map_err(failed("drop the oldest proposals"))?;
        transaction.commit().await.map_err(failed("drop the oldest proposals"))?;
        // After the commit: readers see committed rows only.
        let rows = sqlx::query("SELECT * FROM proposal ORDER BY id DESC LIMIT ?1")
            .bind(limit)
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read the proposals"))?;
        let proposal = |row: &sqlx::sqlite::SqliteRow| ProposalRow {
            id: row.get::<String, _>("id").into(),
            mission_id: row.get("mission_id"),
            state: row.get("state"),
            tier: row.get("tier"),
            action_hash: row.get("action_hash"),
            expires_ms: row.get("expires_ms"),
            created_ms: row.get("created_ms"),
            revision: row.get("revision"),
            body: row.get("body"),
        };
        Ok(rows.iter().map(proposal).collect())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn row(id: &str, state: &str, revision: i64) -> ProposalRow {
        ProposalRow {
            id: id.into(),
            mission_id: None,
            state: state.into(),
            tier: "high".into(),
            action_hash: "00".into(),
            expires_ms: 2,
            created_ms: 1,
            revision,
            body: "{}".into(),
        }
    }

    #[tokio::test]
    async fn a_write_that_was_overtaken_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
        for saved in
            [row("pr-1", "waiting", 1), row("pr-1", "done", 3), row("pr-1", "approved", 2), row("pr-2", "waiting", 4)]
        {
            db.save_proposal(&saved).await.unwrap();
        }
        assert_eq!(db.proposals(9).await.unwrap(), [row("pr-2", "waiting", 4), row("pr-1", "done", 3)]);
        assert_eq!(db.proposals(1).await.unwrap().len(), 1);
    }
}
