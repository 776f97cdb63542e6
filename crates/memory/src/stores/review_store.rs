//! Changes of memory that a tainted turn asked for, until a person decides on them.

use serde_json::Value;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::error::failed;
use crate::{AgentDb, MemoryError, of_word, word};

/// Reviews that may wait at once; more would wear the operator down.
pub const WAITING_MAX: usize = 200;
/// Time that a review waits for a decision, milliseconds.
const WAITS_MS: i64 = 7 * 86_400_000;

/// A change that waits, or was decided on.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryReview {
    /// `rv-<uuid>`; its order is that of making.
    pub id: String,
    /// The operation that would write.
    pub target: String,
    /// The present text; none if there is none.
    pub before: Option<String>,
    /// That operation's input, JSON.
    pub after: String,
    /// Its provenance.
    pub provenance: Value,
    /// UTC milliseconds.
    pub created_ms: i64,
    /// Its state.
    pub state: ReviewState,
}

/// The state of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// A person may decide.
    Waiting,
    /// A person let it be written as it stood.
    Accepted,
    /// A person changed it, and let that be written.
    Edited,
    /// A person said no.
    Rejected,
    /// Nobody decided in time.
    Dropped,
}

impl AgentDb {
    /// Saves a review that waits; false if too many wait already.
    pub async fn add_review(&self, review: &MemoryReview) -> Result<bool, MemoryError> {
        let action = "save the review";
        let mut transaction = self.durable(action).await?;
        // Counted and added in one statement, so that two turns cannot both take the last place.
        let added = sqlx::query(
            "INSERT INTO memory_review (id, target, before, after, provenance, created_ms, state)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
             WHERE (SELECT count(*) FROM memory_review WHERE state = ?7) < ?8",
        )
        .bind(&review.id)
        .bind(&review.target)
        .bind(&review.before)
        .bind(&review.after)
        .bind(review.provenance.to_string())
        .bind(review.created_ms)
        .bind(word(&ReviewState::Waiting))
        .bind(WAITING_MAX as i64)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))?;
        Ok(added.rows_affected() == 1)
    }

    /// Reviews that wait, newest first.
    pub async fn waiting_reviews(&self) -> Result<Vec<MemoryReview>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM memory_review WHERE state = ?1 ORDER BY id DESC")
            .bind(word(&ReviewState::Waiting))
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read the reviews"))?;
        rows.iter().map(review).collect()
    }

    /// One review.
    pub async fn review(&self, id: &str) -> Result<Option<MemoryReview>, MemoryError> {
        let row = sqlx::query("SELECT * FROM memory_review WHERE id = ?1")
            .bind(id)
            .fetch_optional(&self.readers())
            .await
            .map_err(failed("read the review"))?;
        row.as_ref().map(review).transpose()
    }

    /// Decides on a review that waits, once; false if it does not wait.
    pub async fn decide_review(&self, id: &str, decided: ReviewState) -> Result<bool, MemoryError> {
        let action = "save the decision";
        let mut transaction = self.durable(action).await?;
        // Two people may decide at once: the first one wins, and the other is told.
        let done = sqlx::query("UPDATE memory_review SET state = ?2 WHERE id = ?1 AND state = ?3")
            .bind(id)
            .bind(word(&decided))
            .bind(word(&ReviewState::Waiting))
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))?;
        Ok(done.rows_affected() == 1)
    }

    /// Drops what has waited too long, and says what; forgets what was decided that long ago.
    pub async fn drop_old_reviews(&self, now_ms: i64) -> Result<Vec<MemoryReview>, MemoryError> {
        let action = "drop old reviews";
        let mut transaction = self.durable(action).await?;
        let before_ms = now_ms.saturating_sub(WAITS_MS);
        sqlx::query("DELETE FROM memory_review WHERE state <> ?1 AND created_ms < ?2")
            .bind(word(&ReviewState::Waiting))
            .bind(before_ms)
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        let rows = sqlx::query("UPDATE memory_review SET state = ?1 WHERE state = ?2 AND created_ms < ?3 RETURNING *")
            .bind(word(&ReviewState::Dropped))
            .bind(word(&ReviewState::Waiting))
            .bind(before_ms)
            .fetch_all(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))?;
        rows.iter().map(review).collect()
    }
}

fn review(row: &SqliteRow) -> Result<MemoryReview, MemoryError> {
    let id: String = row.get("id");
    let unreadable = |message: String| MemoryError::Unreadable { table: "memory_review", row: id.clone(), message };
    let state: String = row.get("state");
    Ok(MemoryReview {
        target: row.get("target"),
        before: row.get("before"),
        after: row.get("after"),
        provenance: serde_json::from_str(row.get("provenance")).map_err(|error| unreadable(error.to_string()))?,
        created_ms: row.get("created_ms"),
        state: of_word(&state).map_err(|_| unreadable(format!("no state {state}")))?,
        id,
    })
}

#[cfg(test)]
mod tests;
