//! Alert rules, what they have done, and their fires.

use robot::{MissionId, TurnId};
use serde::Serialize;
use serde_json::json;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use world::{AlertId, AlertRule, RuleRecord};

use crate::error::failed;
use crate::{AgentDb, MemoryError};

/// Retention of fires, milliseconds: 90 days.
const FIRES_KEPT_MS: i64 = 90 * 24 * 3_600 * 1_000;
/// Fires kept.
const FIRES_MAX: i64 = 100_000;
/// Retention of a removed rule's row, milliseconds: its record binds the next rule for a day.
const REMOVED_KEPT_MS: i64 = 24 * 3_600 * 1_000;
/// Rows that one statement removes, so that it holds nobody up.
const TRIM_ROWS: i64 = 500;

/// An alert rule as stored.
#[derive(Debug, Clone)]
pub struct StoredAlert {
    /// `al-<uuid>`.
    pub id: String,
    /// The input of `register_alert`.
    pub rule: AlertRule,
    /// Its predicate in printed form.
    pub predicate: String,
    /// Fires, suppressed edges and wakes so far.
    pub record: RuleRecord,
}

/// A rule that was removed less than a day ago.
#[derive(Debug, Clone, PartialEq)]
pub struct RemovedAlert {
    /// Its mission.
    pub mission: Option<MissionId>,
    /// Its predicate in printed form.
    pub predicate: String,
    /// Fires, suppressed edges and wakes until then.
    pub record: RuleRecord,
    /// When it was removed, Unix milliseconds.
    pub removed_ms: i64,
}

/// A fire as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFire {
    /// `fire-<uuid>`.
    pub id: String,
    /// The rule.
    pub alert: String,
    /// Unix milliseconds.
    pub at_ms: i64,
    /// Number of the fire, of all fires of the agent.
    pub seq: u64,
    /// Predicate, values and what else it rests on, JSON.
    pub facts: String,
    /// The record that tells of it.
    pub episode: Option<String>,
    /// The turn that it led to.
    pub turn: Option<TurnId>,
}

/// A turn and a fire that led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FireTurn {
    /// `fire-<uuid>`.
    pub fire: String,
    /// `turn-<uuid>`.
    pub turn: TurnId,
}

impl AgentDb {
    /// Alert rules in the order they were made. A row that cannot be read is returned as its error; the rest works.
    pub async fn alerts(&self) -> Result<Vec<Result<StoredAlert, MemoryError>>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM alert WHERE removed_ms IS NULL ORDER BY created_ms, id")
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read the alerts"))?;
        let alert = |row: &SqliteRow| {
            let record = record(row);
            let id = record.id.0.clone();
            match serde_json::from_str(row.get::<&str, _>("config")) {
                Ok(rule) => Ok(StoredAlert { id, rule, predicate: row.get("predicate"), record }),
                Err(error) => Err(MemoryError::Unreadable { table: "alert", row: id, message: error.to_string() }),
            }
        };
        Ok(rows.iter().map(alert).collect())
    }

    /// Rules that were removed less than a day before `now_ms`.
    pub async fn removed_alerts(&self, now_ms: i64) -> Result<Vec<RemovedAlert>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM alert WHERE removed_ms > ?1 ORDER BY removed_ms")
            .bind(now_ms.saturating_sub(REMOVED_KEPT_MS))
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read the removed alerts"))?;
        let removed = |row: &SqliteRow| RemovedAlert {
            mission: row.get::<Option<String>, _>("mission_id").and_then(|id| MissionId::new(id).ok()),
            predicate: row.get("predicate"),
            record: record(row),
            removed_ms: row.get("removed_ms"),
        };
        Ok(rows.iter().map(removed).collect())
    }

    /// Saves an alert rule, new or changed; on disk when this returns.
    pub async fn save_alert(&self, alert: &StoredAlert, by: &str, at_ms: i64) -> Result<(), MemoryError> {
        const ACTION: &str = "save the alert";
        let mut transaction = self.durable(ACTION).await?;
        put_alert(&mut transaction, alert, by, at_ms).await?;
        transaction.commit().await.map_err(failed(ACTION))
    }

    /// Notes that a rule was removed, with what it has done; on disk when this returns.
    pub async fn remove_alert(&self, record: &RuleRecord, removed_ms: i64) -> Result<(), MemoryError> {
        const ACTION: &str = "remove the alert";
        let mut transaction = self.durable(ACTION).await?;
        save_records(&mut transaction, std::slice::from_ref(record)).await?;
        sqlx::query("UPDATE alert SET removed_ms = ?2, state = 'removed' WHERE id = ?1")
            .bind(&record.id.0)
            .bind(removed_ms)
            .execute(&mut *transaction)
            .await
            .map_err(failed(ACTION))?;
        transaction.commit().await.map_err(failed(ACTION))
    }

    /// Saves what rules have done, their fires, and the turns that fires have led to. A loss of power may undo it.
    pub async fn save_fires(
        &self,
        records: &[RuleRecord],
        fires: &[StoredFire],
        turns: &[FireTurn],
    ) -> Result<(), MemoryError> {
        const ACTION: &str = "save the fires";
        let mut transaction = self.lazy(ACTION).await?;
        save_records(&mut transaction, records).await?;
        let row = |fire: &StoredFire| {
            let StoredFire { id, alert, at_ms, seq, facts, episode, turn } = fire;
            json!({ "id": id, "alert": alert, "at_ms": at_ms, "seq": seq, "facts": facts, "episode": episode, "turn": turn })
        };
        sqlx::query(
            "INSERT INTO alert_fire (id, alert_id, at_ms, seq, facts, episode, turn)
             SELECT value ->> 'id', value ->> 'alert', value ->> 'at_ms', value ->> 'seq', value ->> 'facts',
                 value ->> 'episode', value ->> 'turn'
             FROM json_each(?1)",
        )
        .bind(fires.iter().map(row).collect::<serde_json::Value>().to_string())
        .execute(&mut *transaction)
        .await
        .map_err(failed(ACTION))?;
        sqlx::query(
            "UPDATE alert_fire SET turn = new.value ->> 'turn' FROM json_each(?1) AS new
             WHERE alert_fire.id = new.value ->> 'fire'",
        )
        .bind(sqlx::types::Json(turns))
        .execute(&mut *transaction)
        .await
        .map_err(failed(ACTION))?;
        transaction.commit().await.map_err(failed(ACTION))
    }

    /// The number of the newest fire; 0 before the first.
    pub async fn last_fire_seq(&self) -> Result<u64, MemoryError> {
        let last: Option<i64> = sqlx::query_scalar("SELECT max(seq) FROM alert_fire")
            .fetch_one(&self.readers())
            .await
            .map_err(failed("read the fires"))?;
        Ok(last.and_then(|last| u64::try_from(last).ok()).unwrap_or(0))
    }

    /// The newest fires of a rule, newest first.
    pub async fn fires(&self, alert: &str, limit: u32) -> Result<Vec<StoredFire>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM alert_fire WHERE alert_id = ?1 ORDER BY seq DESC LIMIT ?2")
            .bind(alert)
            .bind(limit)
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read the fires"))?;
        let fire = |row: &SqliteRow| StoredFire {
            id: row.get("id"),
            alert: row.get("alert_id"),
            at_ms: row.get("at_ms"),
            seq: u64::try_from(row.get::<i64, _>("seq")).unwrap_or(0),
            facts: row.get("facts"),
            episode: row.get("episode"),
            turn: row.get::<Option<String>, _>("turn").map(TurnId::from),
        };
        Ok(rows.iter().map(fire).collect())
    }

    /// Removes some of the fires that are too old or too many, and removed rules after their day; false once none are
    /// left.
    pub async fn trim_fires(&self, now_ms: i64) -> Result<bool, MemoryError> {
        const ACTION: &str = "remove old fires";
        let mut transaction = self.lazy(ACTION).await?;
        let fires = sqlx::query(
            "DELETE FROM alert_fire WHERE id IN (
                 SELECT id FROM alert_fire
                 WHERE at_ms < ?1 OR seq <= (SELECT seq FROM alert_fire ORDER BY seq DESC LIMIT 1 OFFSET ?2)
                 ORDER BY at_ms LIMIT ?3)",
        )
        .bind(now_ms.saturating_sub(FIRES_KEPT_MS))
        .bind(FIRES_MAX)
        .bind(TRIM_ROWS)
        .execute(&mut *transaction)
        .await
        .map_err(failed(ACTION))?;
        sqlx::query("DELETE FROM alert WHERE removed_ms < ?1")
            .bind(now_ms.saturating_sub(REMOVED_KEPT_MS))
            .execute(&mut *transaction)
            .await
            .map_err(failed(ACTION))?;
        transaction.commit().await.map_err(failed(ACTION))?;
        Ok(fires.rows_affected() > 0)
    }
}

/// Makes or changes the row of a rule; what it has done stays as it is there.
pub(crate) async fn put_alert(
    to: &mut sqlx::SqliteConnection,
    alert: &StoredAlert,
    by: &str,
    at_ms: i64,
) -> Result<(), MemoryError> {
    sqlx::query(
        "INSERT INTO alert (id, config, created_ms, created_by, mission_id, predicate) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (id) DO UPDATE SET config = excluded.config, mission_id = excluded.mission_id,
             predicate = excluded.predicate, version = version + 1",
    )
    .bind(&alert.id)
    .bind(json!(alert.rule).to_string())
    .bind(at_ms)
    .bind(by)
    .bind(alert.rule.mission_id.as_ref().map(MissionId::as_str))
    .bind(&alert.predicate)
    .execute(to)
    .await
    .map_err(failed("save the alert"))?;
    Ok(())
}

/// Writes what rules have done.
pub(crate) async fn save_records(to: &mut sqlx::SqliteConnection, records: &[RuleRecord]) -> Result<(), MemoryError> {
    let row = |record: &RuleRecord| {
        json!({
            "id": record.id,
            "last_fired_ms": record.last_fired_ms,
            "fires": record.fires,
            "suppressed": record.suppressed,
            "wakes": json!(record.wakes_ms).to_string(),
        })
    };
    sqlx::query(
        "UPDATE alert SET last_fired_ms = new.value ->> 'last_fired_ms', fires = new.value ->> 'fires',
             suppressed = new.value ->> 'suppressed', wakes = new.value ->> 'wakes'
         FROM json_each(?1) AS new WHERE alert.id = new.value ->> 'id'",
    )
    .bind(records.iter().map(row).collect::<serde_json::Value>().to_string())
    .execute(to)
    .await
    .map_err(failed("save what rules have done"))?;
    Ok(())
}

fn record(row: &SqliteRow) -> RuleRecord {
    let unsigned = |column: &str| u64::try_from(row.get::<i64, _>(column)).unwrap_or(0);
    RuleRecord {
        id: AlertId(row.get("id")),
        last_fired_ms: row.get("last_fired_ms"),
        fires: unsigned("fires"),
        suppressed: unsigned("suppressed"),
        // A list that cannot be read is no reason to leave a rule out.
        wakes_ms: serde_json::from_str(row.get::<&str, _>("wakes")).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
