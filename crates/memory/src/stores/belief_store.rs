//! Beliefs and their history in `memory.db`.

use std::sync::Arc;

use robot::Trust;
use serde::de::DeserializeOwned;
use serde_json::json;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, Sqlite, Transaction};
use uuid::Uuid;
use world::Key;

use crate::belief::{Belief, BeliefEvent, BeliefId, ChangeKind, Dispute, Kind, KindName, KindParams};
use crate::error::failed;
use crate::{AgentDb, MemoryError, of_word};

/// Rows of one belief's history; beyond, runs of confirmations are thinned.
const EVENTS_OF_ONE_MAX: i64 = 10_000;
/// Rows of all histories of an agent.
const EVENTS_MAX: i64 = 1_000_000;
/// Rows that one statement removes, so that no other writer waits long.
const THINNED_AT_ONCE_MAX: i64 = 500;

/// Durability of a write once it has returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Safety {
    /// It survives a loss of power.
    Durable,
    /// A loss of power may undo it.
    Lazy,
}

impl AgentDb {
    /// Every belief, oldest first. A row that cannot be read is returned as its error; the rest works.
    pub async fn beliefs(&self) -> Result<Vec<Result<Belief, MemoryError>>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM belief ORDER BY id").fetch_all(&self.readers()).await;
        Ok(rows.map_err(failed("read the beliefs"))?.iter().map(belief).collect())
    }

    /// Saves beliefs as they are now, with what happened to them; all or nothing. Events of beliefs that are gone are
    /// left out.
    pub async fn save_beliefs(
        &self,
        beliefs: &[Arc<Belief>],
        events: &[BeliefEvent],
        safety: Safety,
    ) -> Result<(), MemoryError> {
        let action = "save the beliefs";
        let mut transaction = match safety {
            Safety::Durable => self.durable(action).await?,
            Safety::Lazy => self.lazy(action).await?,
        };
        put_beliefs(&mut transaction, beliefs).await?;
        add_events(&mut transaction, events).await?;
        transaction.commit().await.map_err(failed(action))
    }

    /// The history of a belief in `from_ms..=to_ms`, oldest first, the newest `limit` rows of it.
    pub async fn belief_events(
        &self,
        id: &str,
        from_ms: i64,
        to_ms: i64,
        limit: u32,
    ) -> Result<Vec<BeliefEvent>, MemoryError> {
        let rows = sqlx::query(
            "SELECT * FROM belief_history WHERE belief_id = ?1 AND at_ms BETWEEN ?2 AND ?3
             ORDER BY at_ms DESC, id DESC LIMIT ?4",
        )
        .bind(id)
        .bind(from_ms)
        .bind(to_ms)
        .bind(limit)
        .fetch_all(&self.readers())
        .await
        .map_err(failed("read the history of a belief"))?;
        rows.iter().rev().map(event).collect()
    }

    /// Rows in the history of a belief in `from_ms..=to_ms`.
    pub async fn belief_event_count(&self, id: &str, from_ms: i64, to_ms: i64) -> Result<i64, MemoryError> {
        sqlx::query_scalar("SELECT count(*) FROM belief_history WHERE belief_id = ?1 AND at_ms BETWEEN ?2 AND ?3")
            .bind(id)
            .bind(from_ms)
            .bind(to_ms)
            .fetch_one(&self.readers())
            .await
            .map_err(failed("count the history of a belief"))
    }

    /// Every time a person pinned a belief or let it go, or another value ended a pin, oldest first.
    pub async fn belief_pins(&self, id: &str) -> Result<Vec<BeliefEvent>, MemoryError> {
        let rows = sqlx::query(
            "SELECT * FROM belief_history WHERE belief_id = ?1
             AND kind IN ('pinned', 'unpinned', 'replaced', 'corrected') ORDER BY at_ms, id",
        )
        .bind(id)
        .fetch_all(&self.readers())
        .await
        .map_err(failed("read the pins of a belief"))?;
        rows.iter().map(event).collect()
    }

    /// Erases a belief with its history; durable when this returns.
    pub async fn erase_belief(&self, id: &str) -> Result<(), MemoryError> {
        let action = "erase the belief";
        let mut transaction = self.durable(action).await?;
        for sql in ["DELETE FROM belief_history WHERE belief_id = ?1", "DELETE FROM belief WHERE id = ?1"] {
            sqlx::query(sql).bind(id).execute(&mut *transaction).await.map_err(failed(action))?;
        }
        transaction.commit().await.map_err(failed(action))
    }

    /// Brings histories back within their bounds: of runs of confirmations the first and the last of each hour stay,
    /// the oldest runs go first. Nothing else is ever thinned. Gives the number of rows removed.
    pub async fn thin_belief_history(&self) -> Result<u64, MemoryError> {
        let histories: Vec<(String, i64)> = sqlx::query_as(
            "SELECT belief_id, count(*) AS events FROM belief_history GROUP BY belief_id ORDER BY events DESC",
        )
        .fetch_all(&self.readers())
        .await
        .map_err(failed("count the histories of beliefs"))?;
        let total: i64 = histories.iter().map(|(_, events)| events).sum();
        let mut surplus = (total - EVENTS_MAX).max(0);
        let mut thinned = 0;
        for (id, events) in histories {
            let wanted = surplus.max(events - EVENTS_OF_ONE_MAX);
            // The longest come first: all further ones are within their bounds, and the surplus is gone.
            if wanted <= 0 {
                break;
            }
            let removed = self.thin_one(&id, wanted).await?;
            surplus = (surplus - removed).max(0);
            thinned += removed.unsigned_abs();
        }
        Ok(thinned)
    }

    async fn thin_one(&self, id: &str, wanted: i64) -> Result<i64, MemoryError> {
        let action = "thin the history of a belief";
        let mut removed = 0;
        while removed < wanted {
            let mut transaction = self.lazy(action).await?;
            let gone = sqlx::query(THIN)
                .bind(id)
                .bind(THINNED_AT_ONCE_MAX.min(wanted - removed))
                .execute(&mut *transaction)
                .await
                .map_err(failed(action))?
                .rows_affected();
            transaction.commit().await.map_err(failed(action))?;
            // Nothing else may be thinned, even where the history stays too long.
            if gone == 0 {
                break;
            }
            removed += i64::try_from(gone).unwrap_or(i64::MAX);
        }
        Ok(removed)
    }
}

/// A confirmation between two others of the same hour says nothing that they do not say.
const THIN: &str = "
    DELETE FROM belief_history WHERE id IN (
        SELECT id FROM (
            SELECT id, at_ms, kind, at_ms / 3600000 AS hour,
                lag(kind) OVER run AS kind_before, lead(kind) OVER run AS kind_after,
                lag(at_ms / 3600000) OVER run AS hour_before, lead(at_ms / 3600000) OVER run AS hour_after
            FROM belief_history WHERE belief_id = ?1 WINDOW run AS (ORDER BY at_ms, id)
        )
        WHERE kind = 'confirmed' AND kind_before = 'confirmed' AND kind_after = 'confirmed'
            AND hour = hour_before AND hour = hour_after
        ORDER BY at_ms, id LIMIT ?2
    )";

/// Makes or changes the rows of beliefs.
pub(crate) async fn put_beliefs(
    to: &mut Transaction<'static, Sqlite>,
    beliefs: &[Arc<Belief>],
) -> Result<(), MemoryError> {
    // Subject and predicate are the name of a belief and never change, so a conflict leaves them out.
    let rows: Vec<_> = beliefs.iter().map(|belief| belief_json(belief)).collect();
    sqlx::query(
        "INSERT INTO belief (id, subject, predicate, value, kind, kind_params, confidence, anchor_ms, half_life_ms,
             pinned_until_ms, source, trust, confirmed_by, observes, first_observed_ms, last_confirmed_ms,
             confirmation_count, contradiction_count, challenged, notes)
         SELECT value ->> 'id', value ->> 'subject', value ->> 'predicate', value ->> 'value', value ->> 'kind',
             value ->> 'kind_params', value ->> 'confidence', value ->> 'anchor_ms', value ->> 'half_life_ms',
             value ->> 'pinned_until_ms', value ->> 'source', value ->> 'trust', value ->> 'confirmed_by',
             value ->> 'observes', value ->> 'first_observed_ms', value ->> 'last_confirmed_ms',
             value ->> 'confirmation_count', value ->> 'contradiction_count', value ->> 'challenged', value ->> 'notes'
         FROM json_each(?1) WHERE true
         ON CONFLICT (id) DO UPDATE SET value = excluded.value, kind = excluded.kind,
             kind_params = excluded.kind_params, confidence = excluded.confidence, anchor_ms = excluded.anchor_ms,
             half_life_ms = excluded.half_life_ms, pinned_until_ms = excluded.pinned_until_ms,
             source = excluded.source, trust = excluded.trust, confirmed_by = excluded.confirmed_by,
             observes = excluded.observes, first_observed_ms = excluded.first_observed_ms,
             last_confirmed_ms = excluded.last_confirmed_ms, confirmation_count = excluded.confirmation_count,
             contradiction_count = excluded.contradiction_count, challenged = excluded.challenged,
             notes = excluded.notes",
    )
    .bind(serde_json::Value::from(rows).to_string())
    .execute(&mut **to)
    .await
    .map_err(failed("save the beliefs"))?;
    Ok(())
}

async fn add_events(to: &mut Transaction<'static, Sqlite>, events: &[BeliefEvent]) -> Result<(), MemoryError> {
    let rows: Vec<_> = events.iter().map(event_json).collect();
    sqlx::query(
        "INSERT INTO belief_history (id, belief_id, at_ms, kind, value, confidence_before, confidence_after, by,
             evidence)
         SELECT value ->> 'id', value ->> 'belief_id', value ->> 'at_ms', value ->> 'kind', value ->> 'value',
             value ->> 'confidence_before', value ->> 'confidence_after', value ->> 'by', value ->> 'evidence'
         FROM json_each(?1) AS event WHERE EXISTS (SELECT 1 FROM belief WHERE id = event.value ->> 'belief_id')",
    )
    .bind(serde_json::Value::from(rows).to_string())
    .execute(&mut **to)
    .await
    .map_err(failed("save the history of beliefs"))?;
    Ok(())
}

fn belief_json(belief: &Belief) -> serde_json::Value {
    let dispute = (belief.dispute != Dispute::default()).then(|| json!(belief.dispute).to_string());
    json!({
        "id": belief.id,
        "subject": belief.subject,
        "predicate": belief.predicate,
        "value": belief.value,
        "kind": belief.kind.name(),
        "kind_params": belief.kind.params().map(|params| json!(params).to_string()),
        "confidence": belief.confidence,
        "anchor_ms": belief.anchor_ms,
        "half_life_ms": belief.half_life_ms,
        "pinned_until_ms": belief.pinned_until_ms,
        "source": belief.source,
        "trust": belief.trust,
        "confirmed_by": belief.confirmed_by,
        "observes": belief.observes,
        "first_observed_ms": belief.first_observed_ms,
        "last_confirmed_ms": belief.last_confirmed_ms,
        "confirmation_count": belief.confirmation_count,
        "contradiction_count": belief.contradiction_count,
        "challenged": dispute,
        "notes": belief.notes,
    })
}

fn event_json(event: &BeliefEvent) -> serde_json::Value {
    json!({
        // Ids made one after the other sort in that order, also within one millisecond.
        "id": format!("bh-{}", Uuid::now_v7()),
        "belief_id": event.belief,
        "at_ms": event.at_ms,
        "kind": event.kind,
        "value": event.value,
        "confidence_before": event.confidence_before,
        "confidence_after": event.confidence_after,
        "by": event.by,
        "evidence": event.evidence.as_ref().map(|evidence| json!(evidence).to_string()),
    })
}

fn belief(row: &SqliteRow) -> Result<Belief, MemoryError> {
    let id: String = row.get("id");
    let failed = |message: String| MemoryError::Unreadable { table: "belief", row: id.clone(), message };
    let unread = |error: serde_json::Error| failed(error.to_string());
    let kind: KindName = of_word(row.get("kind")).map_err(unread)?;
    let params: Option<KindParams> = optional(row.get("kind_params")).map_err(failed)?;
    let kind = Kind::new(kind, params.as_ref()).map_err(|error| failed(error.to_string()))?;
    let trust: Trust = of_word(row.get("trust")).map_err(unread)?;
    let observes = row.get::<Option<&str>, _>("observes").map(Key::new).transpose();
    Ok(Belief {
        subject: row.get("subject"),
        predicate: row.get("predicate"),
        value: row.get("value"),
        kind,
        confidence: row.get("confidence"),
        anchor_ms: row.get("anchor_ms"),
        half_life_ms: row.get("half_life_ms"),
        pinned_until_ms: row.get("pinned_until_ms"),
        source: row.get("source"),
        trust,
        confirmed_by: of_word(row.get("confirmed_by")).map_err(unread)?,
        observes: observes.map_err(|error| failed(error.to_string()))?,
        first_observed_ms: row.get("first_observed_ms"),
        last_confirmed_ms: row.get("last_confirmed_ms"),
        confirmation_count: row.get::<i64, _>("confirmation_count").unsigned_abs(),
        contradiction_count: row.get::<i64, _>("contradiction_count").unsigned_abs(),
        dispute: optional(row.get("challenged")).map_err(failed)?.unwrap_or_default(),
        notes: row.get("notes"),
        id: BeliefId::new(&id),
    })
}

fn event(row: &SqliteRow) -> Result<BeliefEvent, MemoryError> {
    let id: String = row.get("id");
    let failed = |message: String| MemoryError::Unreadable { table: "belief_history", row: id.clone(), message };
    let unread = |error: serde_json::Error| failed(error.to_string());
    let kind: ChangeKind = of_word(row.get("kind")).map_err(unread)?;
    Ok(BeliefEvent {
        belief: BeliefId::new(row.get("belief_id")),
        at_ms: row.get("at_ms"),
        kind,
        value: row.get("value"),
        confidence_before: row.get("confidence_before"),
        confidence_after: row.get("confidence_after"),
        by: row.get("by"),
        evidence: optional(row.get("evidence")).map_err(failed)?,
    })
}

fn optional<T: DeserializeOwned>(json: Option<&str>) -> Result<Option<T>, String> {
    json.map(serde_json::from_str).transpose().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
