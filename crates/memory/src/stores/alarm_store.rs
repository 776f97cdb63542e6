//! Alarms and what happened to them: those of an agent in its database, those of the station in `station.db`, in one
//! form.

use std::ops::RangeInclusive;

use serde_json::json;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection, SqlitePool};
use world::alarm::{AlarmEvent, AlarmEventKind, AlarmId, AlarmPoint, AlarmSource, AlarmState, Shelved, StoredAlarm};

use crate::error::failed;
use crate::{AgentDb, MemoryError, StationDb, of_word};

/// Retention of events, milliseconds: 90 days.
const EVENTS_KEPT_MS: i64 = 90 * 24 * 3_600 * 1_000;
/// Events kept.
const EVENTS_MAX: i64 = 100_000;
/// Rows that one statement removes, so that it holds nobody up.
const TRIM_ROWS: i64 = 500;

/// An event with the id it is stored under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAlarmEvent {
    /// `ae-<uuid>`.
    pub id: String,
    /// The event.
    pub event: AlarmEvent,
}

impl AgentDb {
    /// Every alarm of the agent. A row that cannot be read is returned as its error; the rest works.
    pub async fn alarms(&self) -> Result<Vec<Result<StoredAlarm, MemoryError>>, MemoryError> {
        load(&self.readers()).await
    }

    /// Saves alarms as they are, and what happened to them. A loss of power may undo it.
    pub async fn save_alarms(&self, alarms: &[StoredAlarm], events: &[StoredAlarmEvent]) -> Result<(), MemoryError> {
        let mut transaction = self.lazy("save the alarms").await?;
        save(&mut transaction, alarms, events).await?;
        transaction.commit().await.map_err(failed("save the alarms"))
    }

    /// Saves what a person did with alarms; on disk when this returns.
    pub async fn save_alarm_act(&self, alarms: &[StoredAlarm], events: &[StoredAlarmEvent]) -> Result<(), MemoryError> {
        let mut transaction = self.durable("save what was done with an alarm").await?;
        save(&mut transaction, alarms, events).await?;
        transaction.commit().await.map_err(failed("save what was done with an alarm"))
    }

    /// The events of the agent's alarms within a span of Unix milliseconds, oldest first.
    pub async fn alarm_points(&self, span_ms: RangeInclusive<i64>) -> Result<Vec<AlarmPoint>, MemoryError> {
        points(&self.readers(), span_ms).await
    }

    /// Removes some of the events that are too old or too many; false once none are left.
    pub async fn trim_alarm_events(&self, now_ms: i64) -> Result<bool, MemoryError> {
        let mut transaction = self.lazy("remove old alarm events").await?;
        let removed = trim(&mut transaction, now_ms).await?;
        transaction.commit().await.map_err(failed("remove old alarm events"))?;
        Ok(removed)
    }
}

impl StationDb {
    /// Every alarm of the station. A row that cannot be read is returned as its error; the rest works.
    pub async fn alarms(&self) -> Result<Vec<Result<StoredAlarm, MemoryError>>, MemoryError> {
        load(&self.pool).await
    }

    /// Saves alarms as they are, and what happened to them; committed when this returns.
    pub async fn save_alarms(&self, alarms: &[StoredAlarm], events: &[StoredAlarmEvent]) -> Result<(), MemoryError> {
        let mut transaction = self.pool.begin().await.map_err(failed("save the alarms"))?;
        save(&mut transaction, alarms, events).await?;
        transaction.commit().await.map_err(failed("save the alarms"))
    }

    /// The events of the station's alarms within a span of Unix milliseconds, oldest first.
    pub async fn alarm_points(&self, span_ms: RangeInclusive<i64>) -> Result<Vec<AlarmPoint>, MemoryError> {
        points(&self.pool, span_ms).await
    }

    /// Removes some of the events that are too old or too many; false once none are left.
    pub async fn trim_alarm_events(&self, now_ms: i64) -> Result<bool, MemoryError> {
        let mut connection = self.pool.acquire().await.map_err(failed("remove old alarm events"))?;
        trim(&mut connection, now_ms).await
    }
}

/// A row that is older than the one on disk changes nothing: what a person did is not undone by a batch it overtook.
async fn save(
    to: &mut SqliteConnection,
    alarms: &[StoredAlarm],
    events: &[StoredAlarmEvent],
) -> Result<(), MemoryError> {
    // Without the `WHERE true` SQLite would read ON CONFLICT as the condition of a join.
    let rows: Vec<_> = alarms.iter().map(alarm_json).collect();
    sqlx::query(
        "INSERT INTO alarm (id, source, priority, state, definition, raised_ms, returned_ms, count, acked_by, acked_ms,
             shelved_until_ms, out_of_service, seq)
         SELECT value ->> 'id', value ->> 'source', value ->> 'priority', value ->> 'state', value ->> 'definition',
             value ->> 'raised_ms', value ->> 'returned_ms', value ->> 'count', value ->> 'acked_by',
             value ->> 'acked_ms', value ->> 'shelved_until_ms', value ->> 'out_of_service', value ->> 'seq'
         FROM json_each(?1) WHERE true
         ON CONFLICT (source) DO UPDATE SET id = excluded.id, priority = excluded.priority, state = excluded.state,
             definition = excluded.definition, raised_ms = excluded.raised_ms, returned_ms = excluded.returned_ms,
             count = excluded.count, acked_by = excluded.acked_by, acked_ms = excluded.acked_ms,
             shelved_until_ms = excluded.shelved_until_ms, out_of_service = excluded.out_of_service, seq = excluded.seq
         WHERE excluded.seq >= alarm.seq",
    )
    .bind(serde_json::Value::from(rows).to_string())
    .execute(&mut *to)
    .await
    .map_err(failed("save the alarms"))?;
    // A batch that failed may come again, and a trigger refuses to change an event: one that is there stays.
    let rows: Vec<_> = events.iter().map(event_json).collect();
    sqlx::query(
        "INSERT INTO alarm_event (id, alarm_id, at_ms, kind, by, detail)
         SELECT value ->> 'id', value ->> 'alarm_id', value ->> 'at_ms', value ->> 'kind', value ->> 'by',
             value ->> 'detail'
         FROM json_each(?1) WHERE true ON CONFLICT (id) DO NOTHING",
    )
    .bind(serde_json::Value::from(rows).to_string())
    .execute(&mut *to)
    .await
    .map_err(failed("save what happened to alarms"))?;
    Ok(())
}

fn alarm_json(alarm: &StoredAlarm) -> serde_json::Value {
    json!({
        "id": alarm.id,
        "source": alarm.source,
        "priority": alarm.priority,
        "state": alarm.state,
        "definition": json!(alarm.definition).to_string(),
        "raised_ms": alarm.raised_ms,
        "returned_ms": alarm.returned_ms,
        "count": alarm.count,
        "acked_by": alarm.acked_by,
        "acked_ms": alarm.acked_ms,
        "shelved_until_ms": alarm.shelved.as_ref().map(|shelved| shelved.until_ms),
        "out_of_service": alarm.out_of_service.as_ref().map(|out| json!(out).to_string()),
        "seq": alarm.seq,
    })
}

fn event_json(StoredAlarmEvent { id, event }: &StoredAlarmEvent) -> serde_json::Value {
    json!({
        "id": id,
        "alarm_id": event.alarm,
        "at_ms": event.at_ms,
        "kind": event.kind,
        "by": event.by,
        "detail": event.detail.as_ref().map(|detail| json!(detail).to_string()),
    })
}

async fn load(from: &SqlitePool) -> Result<Vec<Result<StoredAlarm, MemoryError>>, MemoryError> {
    // The newest `shelved` event of an alarm holds its author and the reason.
    let rows = sqlx::query(
        "SELECT alarm.*, shelf.by AS shelved_by, shelf.detail AS shelved_why FROM alarm
         LEFT JOIN alarm_event AS shelf ON alarm.shelved_until_ms IS NOT NULL AND shelf.id =
             (SELECT max(id) FROM alarm_event WHERE alarm_id = alarm.id AND kind = 'shelved')
         ORDER BY alarm.seq",
    )
    .fetch_all(from)
    .await
    .map_err(failed("read the alarms"))?;
    Ok(rows.iter().map(stored).collect())
}

fn stored(row: &SqliteRow) -> Result<StoredAlarm, MemoryError> {
    let id: String = row.get("id");
    let unreadable = |error: serde_json::Error| MemoryError::Unreadable {
        table: "alarm",
        row: id.clone(),
        message: error.to_string(),
    };
    let definition: String = row.get("definition");
    let out_of_service: Option<String> = row.get("out_of_service");
    let shelved = row.get::<Option<i64>, _>("shelved_until_ms").map(|until_ms| Shelved {
        until_ms,
        by: row.get::<Option<String>, _>("shelved_by").unwrap_or_default(),
        reason: row.get::<Option<String>, _>("shelved_why").map(text).unwrap_or_default(),
    });
    Ok(StoredAlarm {
        source: AlarmSource(row.get("source")),
        priority: row.get("priority"),
        state: of_word::<AlarmState>(row.get("state")).map_err(unreadable)?,
        definition: serde_json::from_str(&definition).map_err(unreadable)?,
        raised_ms: row.get("raised_ms"),
        returned_ms: row.get("returned_ms"),
        count: unsigned(row.get("count")),
        acked_by: row.get("acked_by"),
        acked_ms: row.get("acked_ms"),
        shelved,
        out_of_service: out_of_service.as_deref().map(serde_json::from_str).transpose().map_err(unreadable)?,
        seq: unsigned(row.get("seq")),
        id: AlarmId(id),
    })
}

async fn points(from: &SqlitePool, span_ms: RangeInclusive<i64>) -> Result<Vec<AlarmPoint>, MemoryError> {
    let rows =
        sqlx::query("SELECT alarm_id, at_ms, kind FROM alarm_event WHERE at_ms BETWEEN ?1 AND ?2 ORDER BY at_ms, id")
            .bind(*span_ms.start())
            .bind(*span_ms.end())
            .fetch_all(from)
            .await
            .map_err(failed("read what happened to alarms"))?;
    // A kind of a newer version is none that the figures know.
    let point = |row: &SqliteRow| {
        let kind = of_word::<AlarmEventKind>(row.get("kind")).ok()?;
        Some(AlarmPoint { alarm: AlarmId(row.get("alarm_id")), at_ms: row.get("at_ms"), kind })
    };
    Ok(rows.iter().filter_map(point).collect())
}

/// The last event of an open alarm stays, whatever its age.
async fn trim(from: &mut SqliteConnection, now_ms: i64) -> Result<bool, MemoryError> {
    let removed = sqlx::query(
        "DELETE FROM alarm_event WHERE id IN (
             SELECT id FROM alarm_event AS old
             WHERE (at_ms < ?1 OR id <= (SELECT id FROM alarm_event ORDER BY id DESC LIMIT 1 OFFSET ?2))
                 AND NOT EXISTS (SELECT 1 FROM alarm WHERE alarm.id = old.alarm_id AND alarm.state <> 'normal')
             ORDER BY at_ms LIMIT ?3)",
    )
    .bind(now_ms.saturating_sub(EVENTS_KEPT_MS))
    .bind(EVENTS_MAX)
    .bind(TRIM_ROWS)
    .execute(from)
    .await
    .map_err(failed("remove old alarm events"))?;
    Ok(removed.rows_affected() > 0)
}

/// The text of a stored JSON string.
fn text(json: String) -> String {
    serde_json::from_str(&json).unwrap_or(json)
}

fn unsigned(stored: i64) -> u64 {
    u64::try_from(stored).unwrap_or(0)
}

#[cfg(test)]
mod tests;
