//! The dry runs of missions: how each ended, and what that rests on.

use crate::error::failed;
use crate::{AgentDb, MemoryError};

/// Dry runs of a mission that are kept, besides the one that its newest activation names.
const DRY_RUNS_KEPT: u32 = 20;

/// A dry run of a mission, without its rows.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StoredDryRun {
    /// `dry-<uuid>`.
    pub id: String,
    /// Stem of its file.
    pub mission_id: String,
    /// SHA-256 of the text that was run, in hexadecimal.
    pub hash: String,
    /// UTC milliseconds.
    pub at_ms: i64,
    /// True if every step would be allowed.
    pub ok: bool,
    /// The outcome as a sentence.
    pub sentence: String,
    /// Everything that its verdicts rest on besides the text, JSON.
    pub basis: String,
    /// The outcome as data, JSON; none of one that was kept before there was such data.
    pub outcome: Option<String>,
}

impl AgentDb {
    /// Keeps a dry run; the oldest makes room. A loss of power may undo it: then the mission is run dry again.
    pub async fn keep_dry_run(&self, run: &StoredDryRun) -> Result<(), MemoryError> {
        let action = "keep a dry run of a mission";
        let mut transaction = self.lazy(action).await?;
        let kept = sqlx::query("INSERT INTO mission_dry_run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
        let kept = kept.bind(&run.id).bind(&run.mission_id).bind(&run.hash).bind(run.at_ms);
        let kept = kept.bind(run.ok).bind(&run.sentence).bind(&run.basis).bind(&run.outcome);
        let kept = kept.execute(&mut *transaction).await;
        kept.map_err(failed(action))?;
        let dropped = sqlx::query(
            "DELETE FROM mission_dry_run
             WHERE mission_id = ?1 AND id NOT IN (SELECT dry_run FROM mission WHERE dry_run IS NOT NULL)
               AND rowid NOT IN (SELECT rowid FROM mission_dry_run WHERE mission_id = ?1
                                 ORDER BY at_ms DESC, rowid DESC LIMIT ?2)",
        );
        let dropped = dropped.bind(&run.mission_id).bind(DRY_RUNS_KEPT).execute(&mut *transaction).await;
        dropped.map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// The newest dry run of the text with this hash, or else of any text of the mission.
    pub async fn newest_dry_run(&self, mission: &str, hash: &str) -> Result<Option<StoredDryRun>, MemoryError> {
        let run = sqlx::query_as(
            "SELECT * FROM mission_dry_run WHERE mission_id = ?1 ORDER BY hash = ?2 DESC, at_ms DESC, rowid DESC LIMIT 1",
        );
        let run = run.bind(mission).bind(hash).fetch_optional(&self.readers()).await;
        run.map_err(failed("read the newest dry run of a mission"))
    }

    /// The dry run of a mission with this id.
    pub async fn dry_run(&self, mission: &str, id: &str) -> Result<Option<StoredDryRun>, MemoryError> {
        let run = sqlx::query_as("SELECT * FROM mission_dry_run WHERE mission_id = ?1 AND id = ?2");
        let run = run.bind(mission).bind(id).fetch_optional(&self.readers()).await;
        run.map_err(failed("read a dry run of a mission"))
    }
}

#[cfg(test)]
mod tests;
