//! Events that need no answer: those of an agent in its database, those of the station in `station.db`, in one form.
//! The caller that saves them decides how many are kept.

use serde_json::json;
use sqlx::sqlite::SqliteRow;
use sqlx::types::Json;
use sqlx::{Row, SqliteConnection, SqlitePool};

use crate::error::failed;
use crate::{AgentDb, MemoryError, StationDb};

const SAVE: &str = "save what happened";

/// Something that needs no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Rises over the events of a station, whoever they are of.
    pub seq: u64,
    /// When it last happened, Unix milliseconds.
    pub at_ms: i64,
    /// Stable code, snake_case.
    pub code: String,
    /// Human-readable description.
    pub sentence: String,
    /// Occurrences in a row.
    pub count: u64,
}

impl AgentDb {
    /// Every event of the agent that is kept, oldest first.
    pub async fn events(&self) -> Result<Vec<StoredEvent>, MemoryError> {
        load(&self.readers()).await
    }

    /// Saves events, new or changed, and removes all that are not among `kept`. A loss of power may undo it.
    pub async fn save_events(&self, events: &[StoredEvent], kept: &[u64]) -> Result<(), MemoryError> {
        let mut transaction = self.lazy(SAVE).await?;
        save(&mut transaction, events, kept).await?;
        transaction.commit().await.map_err(failed(SAVE))
    }
}

impl StationDb {
    /// Every event of the station that is kept, oldest first.
    pub async fn events(&self) -> Result<Vec<StoredEvent>, MemoryError> {
        load(&self.pool).await
    }

    /// Saves events, new or changed, and removes all that are not among `kept`; committed when this returns.
    pub async fn save_events(&self, events: &[StoredEvent], kept: &[u64]) -> Result<(), MemoryError> {
        let mut transaction = self.pool.begin().await.map_err(failed(SAVE))?;
        save(&mut transaction, events, kept).await?;
        transaction.commit().await.map_err(failed(SAVE))
    }
}

async fn load(from: &SqlitePool) -> Result<Vec<StoredEvent>, MemoryError> {
    let rows = sqlx::query("SELECT seq, at_ms, code, sentence, count FROM event ORDER BY seq")
        .fetch_all(from)
        .await
        .map_err(failed("read what happened"))?;
    let event = |row: &SqliteRow| StoredEvent {
        seq: unsigned(row.get("seq")),
        at_ms: row.get("at_ms"),
        code: row.get("code"),
        sentence: row.get("sentence"),
        count: unsigned(row.get("count")),
    };
    Ok(rows.iter().map(event).collect())
}

async fn save(to: &mut SqliteConnection, events: &[StoredEvent], kept: &[u64]) -> Result<(), MemoryError> {
    let row = |event: &StoredEvent| {
        let StoredEvent { seq, at_ms, code, sentence, count } = event;
        json!({ "seq": seq, "at_ms": at_ms, "code": code, "sentence": sentence, "count": count })
    };
    // An event that happens again gets a new number; of a stored one only the sentence changes, by forgetting.
    let rows: Vec<_> = events.iter().map(row).collect();
    sqlx::query(
        "INSERT INTO event (seq, at_ms, code, sentence, count)
         SELECT value ->> 'seq', value ->> 'at_ms', value ->> 'code', value ->> 'sentence', value ->> 'count'
         FROM json_each(?1) WHERE true
         ON CONFLICT (seq) DO UPDATE SET sentence = excluded.sentence",
    )
    .bind(serde_json::Value::from(rows).to_string())
    .execute(&mut *to)
    .await
    .map_err(failed(SAVE))?;
    // The bound is kept by the caller in memory; the table follows it, whatever an earlier run left.
    sqlx::query("DELETE FROM event WHERE seq NOT IN (SELECT value FROM json_each(?1))")
        .bind(Json(kept))
        .execute(&mut *to)
        .await
        .map_err(failed(SAVE))?;
    Ok(())
}

fn unsigned(stored: i64) -> u64 {
    u64::try_from(stored).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seq: u64, sentence: &str) -> StoredEvent {
        StoredEvent { seq, at_ms: 5, code: "provider_rejects_all".into(), sentence: sentence.into(), count: 2 }
    }

    #[tokio::test]
    async fn u_1302_events_come_back_as_they_were_saved_from_either_database_and_old_ones_go() {
        let folder = tempfile::tempdir().unwrap();
        let agent = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
        let station = StationDb::open(&folder.path().join("station.db")).await.unwrap();
        let first = [event(1, "a"), event(2, "the \"door\""), event(4, "b")];
        let then = [event(4, "[forgotten]"), event(5, "c")];
        agent.save_events(&first, &[1, 2, 4]).await.unwrap();
        agent.save_events(&then, &[2, 4, 5]).await.unwrap();
        station.save_events(&first, &[1, 2, 4]).await.unwrap();
        station.save_events(&then, &[2, 4, 5]).await.unwrap();
        let kept = [event(2, "the \"door\""), event(4, "[forgotten]"), event(5, "c")];
        assert_eq!(agent.events().await.unwrap(), kept);
        assert_eq!(station.events().await.unwrap(), kept);
    }
}
