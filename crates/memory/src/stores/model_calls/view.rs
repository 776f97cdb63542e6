//! Views of models, each text stored once however often it is shown.

use std::collections::BTreeMap;

use sqlx::types::Json;
use sqlx::{Row, Sqlite, Transaction};

use crate::error::failed;
use crate::{AgentDb, MemoryError};

/// A text of a view.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ViewPart {
    /// Names it in views.
    pub hash: String,
    /// The text.
    pub body: String,
}

pub(super) async fn save(
    transaction: &mut Transaction<'static, Sqlite>,
    parts: &[ViewPart],
    now_ms: i64,
) -> Result<(), sqlx::Error> {
    // A part that is known gets a new time: retention counts the age of a text from its newest view.
    for part in parts {
        sqlx::query(
            "INSERT INTO view_part (hash, body, shown_ms) VALUES (?1, ?2, ?3)
             ON CONFLICT (hash) DO UPDATE SET shown_ms = excluded.shown_ms",
        )
        .bind(&part.hash)
        .bind(&part.body)
        .bind(now_ms)
        .execute(&mut **transaction)
        .await?;
    }
    Ok(())
}

impl AgentDb {
    /// The texts that `hashes` name. One that was forgotten, or is too old, is missing or reads otherwise.
    pub async fn view_parts(&self, hashes: &[&str]) -> Result<BTreeMap<String, String>, MemoryError> {
        let rows = sqlx::query("SELECT hash, body FROM view_part WHERE hash IN (SELECT value FROM json_each(?1))")
            .bind(Json(hashes))
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read what a model was shown"))?;
        Ok(rows.iter().map(|row| (row.get("hash"), row.get("body"))).collect())
    }
}
