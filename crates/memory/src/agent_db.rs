//! `agents/<id>/memory.db`: an agent's providers, alert rules and proposals (`synchronous=NORMAL`).

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::sqlite::{SqliteRow, SqliteSynchronous};
use sqlx::{Row, SqlitePool};
use world::{AlertRule, ProviderConfig};

use crate::MemoryError;

/// A provider as stored.
#[derive(Debug, Clone)]
pub struct StoredProvider {
    /// `cp-<uuid>`.
    pub id: String,
    /// What `configure_context` was given.
    pub config: ProviderConfig,
}

/// An alert rule as stored.
#[derive(Debug, Clone)]
pub struct StoredAlert {
    /// `al-<uuid>`.
    pub id: String,
    /// What `register_alert` was given.
    pub rule: AlertRule,
}

/// One agent's open database.
#[derive(Debug, Clone)]
pub struct AgentDb {
    pub(crate) pool: SqlitePool,
}

impl AgentDb {
    /// Opens or makes `path`.
    pub async fn open(path: &Path) -> Result<Self, MemoryError> {
        let pool = crate::open::open(path, SqliteSynchronous::Normal, &sqlx::migrate!("./migrations/agent")).await?;
        Ok(Self { pool })
    }

    /// Providers in the order they were made. A row that cannot be read is returned as its error; the rest works.
    pub async fn providers(&self) -> Result<Vec<Result<StoredProvider, MemoryError>>, MemoryError> {
        let rows = sqlx::query("SELECT id, config FROM provider ORDER BY created_ms, id")
            .fetch_all(&self.pool)
            .await
            .map_err(|source| MemoryError::Statement { action: "read the providers", source })?;
        Ok(rows.iter().map(|row| parse(row, "provider").map(|(id, config)| StoredProvider { id, config })).collect())
    }

    /// Alert rules in the order they were made. A row that cannot be read is returned as its error; the rest works.
    pub async fn alerts(&self) -> Result<Vec<Result<StoredAlert, MemoryError>>, MemoryError> {
        let rows = sqlx::query("SELECT id, config FROM alert ORDER BY created_ms, id")
            .fetch_all(&self.pool)
            .await
            .map_err(|source| MemoryError::Statement { action: "read the alerts", source })?;
        Ok(rows.iter().map(|row| parse(row, "alert").map(|(id, rule)| StoredAlert { id, rule })).collect())
    }

    /// Saves a new provider; committed when this returns.
    pub async fn add_provider(&self, provider: &StoredProvider, by: &str, created_ms: i64) -> Result<(), MemoryError> {
        self.insert(
            "INSERT INTO provider (id, config, created_ms, created_by) VALUES (?1, ?2, ?3, ?4)",
            ("save the provider", &provider.id, by, created_ms),
            &provider.config,
        )
        .await
    }

    /// Saves a new alert rule; committed when this returns.
    pub async fn add_alert(&self, alert: &StoredAlert, by: &str, created_ms: i64) -> Result<(), MemoryError> {
        self.insert(
            "INSERT INTO alert (id, config, created_ms, created_by) VALUES (?1, ?2, ?3, ?4)",
            ("save the alert", &alert.id, by, created_ms),
            &alert.rule,
        )
        .await
    }

    /// Closes the file; later calls fail.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    async fn insert(
        &self,
        sql: &'static str,
        (action, id, by, created_ms): (&'static str, &str, &str, i64),
        config: &impl Serialize,
    ) -> Result<(), MemoryError> {
        let config = serde_json::to_string(config).map_err(|error| MemoryError::Unreadable {
            table: action,
            row: id.to_owned(),
            message: error.to_string(),
        })?;
        sqlx::query(sql)
            .bind(id)
            .bind(config)
            .bind(created_ms)
            .bind(by)
            .execute(&self.pool)
            .await
            .map_err(|source| MemoryError::Statement { action, source })?;
        Ok(())
    }
}

fn parse<T: DeserializeOwned>(row: &SqliteRow, table: &'static str) -> Result<(String, T), MemoryError> {
    let id: String = row.get("id");
    let text: String = row.get("config");
    match serde_json::from_str(&text) {
        Ok(config) => Ok((id, config)),
        Err(error) => Err(MemoryError::Unreadable { table, row: id, message: error.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_unreadable_provider_is_named_and_the_others_still_load() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        let db = AgentDb::open(&path).await.unwrap();
        let config: ProviderConfig = serde_json::from_value(serde_json::json!({
            "topic_pattern": "lab/oven-1/out/state", "world_state_key_template": "oven.smoke", "value_field": "smoke"
        }))
        .unwrap();
        db.add_provider(&StoredProvider { id: "cp-1".into(), config }, "dana", 1).await.unwrap();
        sqlx::query("INSERT INTO provider VALUES ('cp-2', '{\"newer\": 1}', 2, 'dana')")
            .execute(&db.pool)
            .await
            .unwrap();
        db.close().await;
        let loaded = AgentDb::open(&path).await.unwrap().providers().await.unwrap();
        assert_eq!(loaded[0].as_ref().unwrap().id, "cp-1");
        assert!(loaded[1].as_ref().unwrap_err().to_string().contains("cp-2"));
    }
}
