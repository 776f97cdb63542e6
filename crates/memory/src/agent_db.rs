//! `agents/<id>/memory.db`: an agent's providers, alert rules and proposals (`synchronous=NORMAL`).

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::sqlite::{SqliteRow, SqliteSynchronous};
use sqlx::{Row, SqlitePool};
use world::AlertRule;

use crate::MemoryError;

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

    /// Alert rules in the order they were made. A row that cannot be read is returned as its error; the rest works.
    pub async fn alerts(&self) -> Result<Vec<Result<StoredAlert, MemoryError>>, MemoryError> {
        let rows = sqlx::query("SELECT id, config FROM alert ORDER BY created_ms, id")
            .fetch_all(&self.pool)
            .await
            .map_err(|source| MemoryError::Statement { action: "read the alerts", source })?;
        Ok(rows.iter().map(|row| parse(row, "alert").map(|(id, rule)| StoredAlert { id, rule })).collect())
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
