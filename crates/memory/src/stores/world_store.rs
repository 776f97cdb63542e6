//! Tier 0 on disk: providers, the world state as it was last, and its history.

use serde::de::DeserializeOwned;
use serde_json::json;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use world::{HistoryPoint, Key, ProviderConfig, StoredEntry};

use crate::error::failed;
use crate::{AgentDb, MemoryError};

/// Retention of the history, milliseconds: a week.
const HISTORY_KEPT_MS: i64 = 7 * 24 * 3_600 * 1_000;
/// The most rows of the history.
const HISTORY_ROWS_MAX: i64 = 1_000_000;
/// Rows that go at once, so that no batch waits long behind them.
const FORGOTTEN_AT_ONCE: i64 = 500;

/// A provider as stored.
#[derive(Debug, Clone)]
pub struct StoredProvider {
    /// `cp-<uuid>`.
    pub id: String,
    /// The newest input of `configure_context`.
    pub config: ProviderConfig,
    /// Rises with every change.
    pub version: u64,
    /// The mission it belonged to has ended: it is kept to be read, and never started.
    pub ended: bool,
}

/// One batch of the write-behind, stored in one transaction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WorldBatch {
    /// The newest state of keys that changed.
    pub entries: Vec<StoredEntry>,
    /// Keys that are no longer there; their history stays.
    pub removed: Vec<Key>,
    /// New points of the history.
    pub points: Vec<HistoryPoint>,
}

impl AgentDb {
    /// Providers in the order they were made. A row that cannot be read is returned as its error; the rest works.
    pub async fn providers(&self) -> Result<Vec<Result<StoredProvider, MemoryError>>, MemoryError> {
        let rows = sqlx::query("SELECT id, config, version, state FROM provider ORDER BY created_ms, id")
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read the providers"))?;
        Ok(rows.iter().map(provider).collect())
    }

    /// Saves a new provider; committed when this returns.
    pub async fn add_provider(&self, provider: &StoredProvider, by: &str, created_ms: i64) -> Result<(), MemoryError> {
        let action = "save the provider";
        let mut transaction = self.durable(action).await?;
        sqlx::query(
            "INSERT INTO provider (id, config, mission_id, version, created_ms, created_by)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .bind(&provider.id)
        .bind(json!(provider.config).to_string())
        .bind(provider.config.mission_id.as_ref().map(ToString::to_string))
        .bind(integer(provider.version))
        .bind(created_ms)
        .bind(by)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Replaces a provider's configuration if the stored version is still the one before `provider.version`; false if it
    /// is not. Committed when this returns.
    pub async fn update_provider(&self, provider: &StoredProvider) -> Result<bool, MemoryError> {
        let action = "change the provider";
        let mut transaction = self.durable(action).await?;
        let done = sqlx::query(
            "UPDATE provider SET config = ?2, mission_id = ?3, version = ?4 WHERE id = ?1 AND version = ?4 - 1",
        )
        .bind(&provider.id)
        .bind(json!(provider.config).to_string())
        .bind(provider.config.mission_id.as_ref().map(ToString::to_string))
        .bind(integer(provider.version))
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))?;
        Ok(done.rows_affected() == 1)
    }

    /// Removes a provider; committed when this returns. What it wrote into the history stays.
    pub async fn remove_provider(&self, id: &str) -> Result<(), MemoryError> {
        let action = "remove the provider";
        let mut transaction = self.durable(action).await?;
        sqlx::query("DELETE FROM provider WHERE id = ?1")
            .bind(id)
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Stores one batch of the write-behind.
    pub async fn save_world(&self, batch: &WorldBatch) -> Result<(), MemoryError> {
        let action = "save the world state";
        let mut transaction = self.lazy(action).await?;
        let statements = [
            (SAVE_ENTRIES, batch.entries.is_empty(), json!(batch.entries)),
            (REMOVE_ENTRIES, batch.removed.is_empty(), json!(batch.removed)),
            (SAVE_POINTS, batch.points.is_empty(), json!(batch.points)),
        ];
        for (sql, _, rows) in statements.into_iter().filter(|(_, is_empty, _)| !is_empty) {
            sqlx::query(sql).bind(rows.to_string()).execute(&mut *transaction).await.map_err(failed(action))?;
        }
        transaction.commit().await.map_err(failed(action))
    }

    /// The world state as it was last stored. A row that cannot be read is returned as its error; the rest works.
    pub async fn world_state(&self) -> Result<Vec<Result<StoredEntry, MemoryError>>, MemoryError> {
        let rows = sqlx::query(
            "SELECT key, json_object('key', key, 'value', json(value), 'confidence', confidence, 'unit', unit,
                 'trust', trust, 'origin', origin, 'observed_ms', observed_ms, 'received_ms', received_ms,
                 'source_ms', source_ms, 'age_basis', age_basis, 'max_age_ms', max_age_ms, 'source', source,
                 'instance', instance, 'provider_id', provider_id, 'mission_id', mission_id, 'flags', flags,
                 'changed_ms', changed_ms, 'seq', seq) AS row
             FROM world_state WHERE json_valid(value) ORDER BY key",
        )
        .fetch_all(&self.readers())
        .await
        .map_err(failed("read the world state"))?;
        Ok(rows.iter().map(|row| parse(row, "world_state")).collect())
    }

    /// The newest `points_max` points of `key` heard of in `from_ms..=to_ms`, oldest first.
    pub async fn world_history(
        &self,
        key: &Key,
        from_ms: i64,
        to_ms: i64,
        points_max: u32,
    ) -> Result<Vec<HistoryPoint>, MemoryError> {
        let rows = sqlx::query(
            "SELECT key, json_object('key', key, 'kind', kind, 'value', json(value), 'confidence', confidence,
                 'observed_ms', observed_ms, 'received_ms', received_ms, 'source', source,
                 'provider_id', provider_id) AS row
             FROM world_history WHERE key = ?1 AND received_ms BETWEEN ?2 AND ?3 AND json_valid(value)
             ORDER BY received_ms DESC, id DESC LIMIT ?4",
        )
        .bind(key.as_str())
        .bind(from_ms)
        .bind(to_ms)
        .bind(points_max)
        .fetch_all(&self.readers())
        .await
        .map_err(failed("read the history"))?;
        let mut points: Vec<HistoryPoint> = rows.iter().filter_map(|row| parse(row, "world_history").ok()).collect();
        points.sort_by_key(|point| point.observed_ms);
        Ok(points)
    }

    /// Removes up to 500 rows of the history that are older than a week or beyond a million; how many went.
    pub async fn forget_history(&self, now_ms: i64) -> Result<u64, MemoryError> {
        let action = "shorten the history";
        let mut transaction = self.lazy(action).await?;
        let done = sqlx::query(
            "DELETE FROM world_history WHERE id IN (
                 SELECT id FROM world_history
                 WHERE received_ms < ?1 OR id <= (SELECT max(id) FROM world_history) - ?2
                 ORDER BY id LIMIT ?3)",
        )
        .bind(now_ms.saturating_sub(HISTORY_KEPT_MS))
        .bind(HISTORY_ROWS_MAX)
        .bind(FORGOTTEN_AT_ONCE)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))?;
        Ok(done.rows_affected())
    }
}

const SAVE_ENTRIES: &str = "
    INSERT INTO world_state (key, value, confidence, unit, trust, origin, observed_ms, received_ms, source_ms, age_basis,
        max_age_ms, source, instance, provider_id, mission_id, flags, changed_ms, seq)
    SELECT value ->> 'key', value -> 'value', value ->> 'confidence', value ->> 'unit', value ->> 'trust',
        value ->> 'origin', value ->> 'observed_ms', value ->> 'received_ms', value ->> 'source_ms',
        value ->> 'age_basis', value ->> 'max_age_ms', value ->> 'source', value ->> 'instance',
        value ->> 'provider_id', value ->> 'mission_id', value ->> 'flags', value ->> 'changed_ms', value ->> 'seq'
    FROM json_each(?1) WHERE true
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, confidence = excluded.confidence, unit = excluded.unit,
        trust = excluded.trust, origin = excluded.origin, observed_ms = excluded.observed_ms,
        received_ms = excluded.received_ms, source_ms = excluded.source_ms, age_basis = excluded.age_basis,
        max_age_ms = excluded.max_age_ms, source = excluded.source, instance = excluded.instance,
        provider_id = excluded.provider_id, mission_id = excluded.mission_id, flags = excluded.flags,
        changed_ms = excluded.changed_ms, seq = excluded.seq";

const REMOVE_ENTRIES: &str = "DELETE FROM world_state WHERE key IN (SELECT value FROM json_each(?1))";

const SAVE_POINTS: &str = "
    INSERT INTO world_history (key, kind, value, confidence, observed_ms, received_ms, source, provider_id)
    SELECT value ->> 'key', value ->> 'kind', value -> 'value', value ->> 'confidence', value ->> 'observed_ms',
        value ->> 'received_ms', value ->> 'source', value ->> 'provider_id'
    FROM json_each(?1)";

fn provider(row: &SqliteRow) -> Result<StoredProvider, MemoryError> {
    let (id, text): (String, String) = (row.get("id"), row.get("config"));
    let version: i64 = row.get("version");
    match serde_json::from_str(&text) {
        Ok(config) => Ok(StoredProvider {
            id,
            config,
            version: u64::try_from(version).unwrap_or_default(),
            ended: row.get::<String, _>("state") == "ended",
        }),
        Err(error) => Err(unreadable("provider", id, &error)),
    }
}

fn parse<T: DeserializeOwned>(row: &SqliteRow, table: &'static str) -> Result<T, MemoryError> {
    let text: String = row.get("row");
    serde_json::from_str(&text).map_err(|error| unreadable(table, row.get("key"), &error))
}

fn unreadable(table: &'static str, row: String, error: &serde_json::Error) -> MemoryError {
    MemoryError::Unreadable { table, row, message: error.to_string() }
}

fn integer(version: u64) -> i64 {
    i64::try_from(version).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
