//! Writes the state that a running station holds in memory into a database that a backup has replaced: every row
//! becomes as it is held, and rows that are held no longer are removed. All or nothing for each kind.

use std::sync::Arc;

use serde::Serialize;
use serde_json::json;
use sqlx::{Sqlite, Transaction};
use world::Key;

use crate::belief::Belief;
use crate::error::failed;
use crate::jobs::{Job, put_job};
use crate::stores::alert_store::{put_alert, save_records};
use crate::stores::belief_store::put_beliefs;
use crate::stores::mission_store::put_mission;
use crate::{AgentDb, MemoryError, StoredAlert, StoredMission, StoredProvider};

/// The author of a row of which only the newest form is known.
const BY: &str = "station";

impl AgentDb {
    /// Puts back every belief; the histories of those that the backup has stay.
    pub async fn put_back_beliefs(&self, held: &[Arc<Belief>]) -> Result<(), MemoryError> {
        let action = "put the beliefs back";
        let mut transaction = self.durable(action).await?;
        let ids = held.iter().map(|belief| &belief.id);
        // Removed first: a held belief may have the subject and predicate of one that is gone, and the
        // pair is unique.
        drop_others(&mut transaction, "DELETE FROM belief WHERE id NOT IN (SELECT value FROM json_each(?1))", ids)
            .await?;
        put_beliefs(&mut transaction, held).await?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Puts back every provider and every alert rule with what it has done. A rule that nobody holds counts as removed.
    pub async fn put_back_rules(
        &self,
        providers: &[StoredProvider],
        alerts: &[StoredAlert],
        now_ms: i64,
    ) -> Result<(), MemoryError> {
        let action = "put the contexts and alerts back";
        let mut transaction = self.durable(action).await?;
        let ids = providers.iter().map(|provider| &provider.id);
        drop_others(&mut transaction, "DELETE FROM provider WHERE id NOT IN (SELECT value FROM json_each(?1))", ids)
            .await?;
        for provider in providers {
            sqlx::query(
                "INSERT INTO provider (id, config, mission_id, version, state, created_ms, created_by)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT (id) DO UPDATE SET config = excluded.config, mission_id = excluded.mission_id,
                     version = excluded.version, state = excluded.state",
            )
            .bind(&provider.id)
            .bind(json!(provider.config).to_string())
            .bind(provider.config.mission_id.as_ref().map(ToString::to_string))
            .bind(i64::try_from(provider.version).unwrap_or(i64::MAX))
            .bind(if provider.ended { "ended" } else { "running" })
            .bind(now_ms)
            .bind(BY)
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        }
        // Not deleted: for a day the record binds a rule that is registered anew.
        let removed = "UPDATE alert SET removed_ms = ?2, state = 'removed'
                       WHERE removed_ms IS NULL AND id NOT IN (SELECT value FROM json_each(?1))";
        let ids: Vec<_> = alerts.iter().map(|alert| &alert.id).collect();
        sqlx::query(removed)
            .bind(json!(ids).to_string())
            .bind(now_ms)
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        for alert in alerts {
            put_alert(&mut transaction, alert, BY, now_ms).await?;
        }
        // `put_alert` leaves fires and wakes as they are in the row, which are those of the backup.
        let records: Vec<_> = alerts.iter().map(|alert| alert.record.clone()).collect();
        save_records(&mut transaction, &records).await?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Puts back every job; the runs of those that the backup has stay.
    pub async fn put_back_jobs(&self, held: &[Job]) -> Result<(), MemoryError> {
        let action = "put the jobs back";
        let mut transaction = self.durable(action).await?;
        let ids = held.iter().map(|job| &job.id);
        drop_others(&mut transaction, "DELETE FROM job WHERE id NOT IN (SELECT value FROM json_each(?1))", ids).await?;
        // A name may have gone from one to another meanwhile.
        sqlx::query("UPDATE job SET name = NULL").execute(&mut *transaction).await.map_err(failed(action))?;
        for job in held {
            put_job(&mut transaction, job).await?;
        }
        transaction.commit().await.map_err(failed(action))
    }

    /// Puts back where every mission stands, with the text that was activated.
    pub async fn put_back_missions(&self, held: &[StoredMission]) -> Result<(), MemoryError> {
        let action = "put the missions back";
        let mut transaction = self.durable(action).await?;
        for mission in held {
            put_mission(&mut transaction, mission, None).await?;
        }
        transaction.commit().await.map_err(failed(action))
    }

    /// The keys of the world state as it is stored, and when its history ends, Unix milliseconds.
    pub async fn stored_world(&self) -> Result<(Vec<Key>, Option<i64>), MemoryError> {
        let action = "read the world state";
        let readers = self.readers();
        let keys: Vec<String> =
            sqlx::query_scalar("SELECT key FROM world_state").fetch_all(&readers).await.map_err(failed(action))?;
        let newest = sqlx::query_scalar("SELECT max(received_ms) FROM world_history").fetch_one(&readers).await;
        Ok((keys.into_iter().filter_map(|key| Key::new(&key).ok()).collect(), newest.map_err(failed(action))?))
    }
}

/// Removes the rows that are not among `ids`.
async fn drop_others<T: Serialize>(
    from: &mut Transaction<'static, Sqlite>,
    sql: &'static str,
    ids: impl Iterator<Item = T>,
) -> Result<(), MemoryError> {
    let ids: Vec<T> = ids.collect();
    // One JSON list: SQLite bounds the number of parameters below the number of beliefs there may be.
    let removed = sqlx::query(sql).bind(json!(ids).to_string()).execute(&mut **from).await;
    removed.map(drop).map_err(failed("remove what nobody holds"))
}
