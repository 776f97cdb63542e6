//! One record by its id, whole: what a hit of a search, or the cause of another record, leads to.

use robot::{ConversationId, Trust};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::{Episode, EpisodeRole, VERSION};
use crate::error::failed;
use crate::{AgentDb, MemoryError, of_word};

impl AgentDb {
    /// The record called `id`; none if there is no such record.
    pub async fn episode(&self, id: &str) -> Result<Option<Episode>, MemoryError> {
        let row = sqlx::query(
            "SELECT id, at_ms, role, content, origin, trust, mission_id, session, entry, cause FROM episodic WHERE id = ?1",
        )
        .bind(id)
        .fetch_optional(&self.readers())
        .await
        .map_err(failed("read the record"))?;
        Ok(row.as_ref().map(episode))
    }
}

/// A trust level that cannot be read counts as untrusted text, and a role that cannot be read as `system`.
fn episode(row: &SqliteRow) -> Episode {
    Episode {
        v: VERSION,
        id: row.get("id"),
        at_ms: row.get("at_ms"),
        role: of_word(row.get("role")).unwrap_or(EpisodeRole::System),
        content: row.get("content"),
        origin: row.get("origin"),
        trust: of_word(row.get("trust")).unwrap_or(Trust::Text),
        mission: row.get("mission_id"),
        session: row.get::<Option<String>, _>("session").map(ConversationId::from),
        entry: row.get::<Option<i64>, _>("entry").and_then(|entry| u64::try_from(entry).ok()),
        cause: row.get("cause"),
    }
}
