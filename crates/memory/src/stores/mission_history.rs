//! The past of missions: their runs, the texts that were seen, and who brought them where.

use serde_json::json;
use sqlx::{Sqlite, Transaction};

use crate::error::failed;
use crate::stores::mission_store::{StoredMission, StoredRun};
use crate::{AgentDb, MemoryError};

/// Runs of a mission that are kept.
pub const RUNS_KEPT: u32 = 1_000;
/// Texts of a mission that are kept without having been activated.
pub const VERSIONS_KEPT: u32 = 50;

/// A run of a mission that is kept.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct KeptRun {
    /// The run, JSON.
    pub run: String,
    /// The text that ran.
    pub source: Option<String>,
}

/// A step of a mission that somebody took, or that changed its status.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct MissionStep {
    /// Rises over the steps of all missions.
    pub seq: i64,
    /// The status before it; none of a draft.
    pub from_status: Option<String>,
    /// The status after it.
    pub to_status: String,
    /// The phase after it.
    pub phase: String,
    /// The cause of a pause or an end, JSON.
    pub cause: Option<String>,
    /// The author.
    pub actor: String,
    /// UTC milliseconds.
    pub at_ms: i64,
    /// The text that it activated.
    pub hash: Option<String>,
    /// The reason that the author gave.
    pub reason: Option<String>,
}

/// A text of a mission that was seen.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct KeptVersion {
    /// SHA-256 of the text, in hexadecimal.
    pub hash: String,
    /// When it was last seen as the newest, UTC milliseconds.
    pub seen_ms: i64,
    /// The author who saved it here; none if it came from elsewhere.
    pub author: Option<String>,
    /// When it was last activated, UTC milliseconds; 0 if only that it was is known.
    pub activated_ms: Option<i64>,
    /// The person who activated it last.
    pub activated_by: Option<String>,
}

/// A text of a mission as it is seen now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenVersion {
    /// Stem of its file.
    pub mission: String,
    /// SHA-256 of the text, in hexadecimal.
    pub hash: String,
    /// The text.
    pub source: String,
    /// The author who saved it here; none if it came from elsewhere.
    pub author: Option<String>,
}

impl AgentDb {
    /// The runs of a mission with numbers below `before`, the newest first.
    pub async fn mission_runs(&self, id: &str, before: u32, limit: u32) -> Result<Vec<KeptRun>, MemoryError> {
        let runs = sqlx::query_as(
            "SELECT run, source FROM mission_run
             LEFT JOIN mission_version USING (mission_id, hash)
             WHERE mission_id = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3",
        );
        let runs = runs.bind(id).bind(before).bind(limit).fetch_all(&self.readers()).await;
        runs.map_err(failed("read the runs of a mission"))
    }

    /// The steps of a mission before the one numbered `before`, the newest first. Those of its runs are left out.
    pub async fn mission_transitions(
        &self,
        id: &str,
        before: i64,
        limit: u32,
    ) -> Result<Vec<MissionStep>, MemoryError> {
        let steps = sqlx::query_as(
            "SELECT seq, from_status, to_status, phase, cause, actor, at_ms, hash, reason FROM mission_transition
             WHERE mission_id = ?1 AND seq < ?2 AND (from_status IS NOT to_status OR actor <> 'station')
             ORDER BY seq DESC LIMIT ?3",
        );
        let steps = steps.bind(id).bind(before).bind(limit).fetch_all(&self.readers()).await;
        steps.map_err(failed("read the history of a mission"))
    }

    /// The texts of a mission, the newest first.
    pub async fn mission_versions(&self, id: &str, limit: u32) -> Result<Vec<KeptVersion>, MemoryError> {
        let versions = sqlx::query_as(
            "SELECT hash, seen_ms, author, activated_ms, activated_by FROM mission_version
             WHERE mission_id = ?1 ORDER BY max(seen_ms, coalesce(activated_ms, 0)) DESC, rowid DESC LIMIT ?2",
        );
        let versions = versions.bind(id).bind(limit).fetch_all(&self.readers()).await;
        versions.map_err(failed("read the texts of a mission"))
    }

    /// One text of a mission.
    pub async fn mission_source(&self, id: &str, hash: &str) -> Result<Option<String>, MemoryError> {
        let source = sqlx::query_scalar("SELECT source FROM mission_version WHERE mission_id = ?1 AND hash = ?2");
        let source = source.bind(id).bind(hash).fetch_optional(&self.readers()).await;
        source.map_err(failed("read a text of a mission"))
    }

    /// Keeps texts that were seen. One that is kept already is not written again; if it has changed now, it becomes the
    /// newest. A loss of power may undo it: the files are read again then.
    pub async fn keep_mission_versions(
        &self,
        seen: &[SeenVersion],
        has_changed: bool,
        now_ms: i64,
    ) -> Result<(), MemoryError> {
        let action = "keep the texts of missions";
        if seen.is_empty() {
            return Ok(());
        }
        let mut transaction = self.lazy(action).await?;
        for SeenVersion { mission, hash, source, author } in seen {
            let kept = sqlx::query(
                "INSERT INTO mission_version (mission_id, hash, source, seen_ms, author) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO UPDATE SET seen_ms = ?4, author = coalesce(?5, author) WHERE ?6 OR ?5 IS NOT NULL",
            );
            let kept = kept.bind(mission).bind(hash).bind(source).bind(now_ms).bind(author).bind(has_changed);
            kept.execute(&mut *transaction).await.map_err(failed(action))?;
        }
        // A text that was ever activated stays: runs and transitions refer to it by its hash.
        let missions: Vec<&String> = seen.iter().map(|version| &version.mission).collect();
        let dropped = sqlx::query(
            "DELETE FROM mission_version WHERE rowid IN (
                 SELECT id FROM (
                     SELECT rowid AS id,
                            row_number() OVER (PARTITION BY mission_id ORDER BY seen_ms DESC, rowid DESC) AS place
                     FROM mission_version
                     WHERE activated_ms IS NULL AND mission_id IN (SELECT value FROM json_each(?1)))
                 WHERE place > ?2)",
        );
        let dropped = dropped.bind(json!(missions).to_string()).bind(VERSIONS_KEPT).execute(&mut *transaction).await;
        dropped.map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }
}

/// Keeps the newest run of a mission, and ends what is open of a text that another one has followed.
pub(crate) async fn put_run(
    to: &mut Transaction<'static, Sqlite>,
    mission: &StoredMission,
    superseded_ms: Option<i64>,
) -> Result<(), MemoryError> {
    let action = "save the run of a mission";
    if let Some(at_ms) = superseded_ms {
        let ended = sqlx::query(
            "UPDATE mission_run SET run = json_set(run, '$.end', json_object('outcome', 'superseded', 'at_ms', ?2))
             WHERE mission_id = ?1 AND number = (SELECT max(number) FROM mission_run WHERE mission_id = ?1)
               AND run ->> '$.end' IS NULL",
        );
        ended.bind(&mission.id).bind(at_ms).execute(&mut **to).await.map_err(failed(action))?;
    }
    let Some(StoredRun { id, number, run }) = &mission.run else { return Ok(()) };
    let hash = mission.activation.as_ref().map(|activation| &activation.hash);
    // A run is written again with each of its steps.
    let put = sqlx::query("INSERT OR REPLACE INTO mission_run VALUES (?1, ?2, ?3, ?4, ?5)");
    let put = put.bind(id).bind(&mission.id).bind(number).bind(hash).bind(run).execute(&mut **to).await;
    put.map_err(failed(action))?;
    let dropped = sqlx::query("DELETE FROM mission_run WHERE mission_id = ?1 AND number <= ?2 - ?3");
    let dropped = dropped.bind(&mission.id).bind(number).bind(RUNS_KEPT).execute(&mut **to).await;
    dropped.map(drop).map_err(failed(action))
}

#[cfg(test)]
mod tests;
