//! Registered constraints, their seals and the versions of the sets they make. A change is one transaction with its
//! records in the audit: after a crash either all of it is there or nothing.

use std::collections::BTreeMap;

use robot::{ConstraintId, RobotId};
use safety::Constraint;
use sqlx::sqlite::SqliteRow;
use sqlx::types::Json;
use sqlx::{Row, Sqlite, Transaction};

use super::audit::append;
use super::{AuditLine, StationDb, failed, signed, unsigned};
use crate::MemoryError;

/// The action that an error names.
const SAVE: &str = "save the constraint";

/// A change of one registered constraint.
#[derive(Debug, Clone, PartialEq)]
pub enum ConstraintChange {
    /// It is new, or its parameters are.
    Put(Constraint),
    /// It is gone.
    Remove(ConstraintId),
}

/// The constraints of one owner after a change.
#[derive(Debug, Clone, PartialEq)]
pub struct SealedChange {
    /// The change; none if the rows are taken over as they are.
    pub change: Option<ConstraintChange>,
    /// `robot/<id>` or `mission/<id>`.
    pub owner: String,
    /// Hash over the owner's constraints after the change, hex.
    pub seal: String,
}

/// Everything that one change of the constraints writes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SetChange {
    /// The row and its owner's seal; none if only a manifest or a mission file has changed.
    pub sealed: Option<SealedChange>,
    /// Unix milliseconds.
    pub at_ms: i64,
    /// Version and hash of each robot's new set, and the version it follows.
    pub sets: BTreeMap<RobotId, SetRow>,
}

/// The set of one robot as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetRow {
    /// Rises with every change.
    pub version: u64,
    /// SHA-256 over the set, hex.
    pub hash: String,
}

/// A constraint as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredConstraint {
    /// The row's key.
    pub id: String,
    /// The row's owner.
    pub owner: String,
    /// The constraint, or the reason that it cannot be read.
    pub constraint: Result<Constraint, String>,
}

/// All that is stored about constraints, at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoredConstraints {
    /// Rows in the order they were made.
    pub rows: Vec<StoredConstraint>,
    /// Seal by owner.
    pub seals: BTreeMap<String, String>,
    /// Set by robot.
    pub sets: BTreeMap<String, SetRow>,
}

impl StationDb {
    /// Everything about constraints, read at one moment. A row that cannot be read is named, not skipped.
    pub async fn constraints(&self) -> Result<StoredConstraints, MemoryError> {
        let failed = || failed("read the constraints");
        // One read transaction: rows and seals of different moments would look like tampering.
        let mut snapshot = self.pool.begin().await.map_err(failed())?;
        let rows = sqlx::query("SELECT id, owner, body FROM constraint_row ORDER BY created_ms, id")
            .fetch_all(&mut *snapshot)
            .await
            .map_err(failed())?;
        let seals = sqlx::query_as("SELECT owner, seal FROM constraint_seal").fetch_all(&mut *snapshot).await;
        let sets: Vec<(String, i64, String)> = sqlx::query_as("SELECT robot, version, hash FROM constraint_set")
            .fetch_all(&mut *snapshot)
            .await
            .map_err(failed())?;
        Ok(StoredConstraints {
            rows: rows.iter().map(stored).collect(),
            seals: seals.map_err(failed())?.into_iter().collect(),
            sets: sets
                .into_iter()
                .map(|(robot, version, hash)| (robot, SetRow { version: unsigned(version), hash }))
                .collect(),
        })
    }

    /// Saves a change of the constraints and its records in the audit; both are committed when this returns, or
    /// neither.
    pub async fn change_constraints(&self, change: &SetChange, records: &[AuditLine]) -> Result<(), MemoryError> {
        let mut transaction = self.pool.begin().await.map_err(failed(SAVE))?;
        if let Some(sealed) = &change.sealed {
            put_sealed(&mut transaction, sealed, change.at_ms).await?;
        }
        for (robot, set) in &change.sets {
            put_set(&mut transaction, robot, set).await?;
        }
        append(&mut transaction, records).await?;
        transaction.commit().await.map_err(failed(SAVE))
    }

    /// The records about constraints, oldest first.
    pub async fn audit_of_constraints(&self) -> Result<Vec<AuditLine>, MemoryError> {
        // Spelled as in the index, so that a start reads no other record.
        let sql = "SELECT seq, record FROM audit INDEXED BY audit_of_constraints WHERE
            CASE WHEN json_valid(record) THEN json_extract(record, '$.operation') END
            IN ('constraint_set', 'constraint_seal') ORDER BY seq";
        let rows: Vec<(i64, String)> =
            sqlx::query_as(sql).fetch_all(&self.pool).await.map_err(failed("read the audit of the constraints"))?;
        Ok(rows.into_iter().map(|(seq, record)| AuditLine { seq: unsigned(seq), record }).collect())
    }
}

fn stored(row: &SqliteRow) -> StoredConstraint {
    // A file that was edited by hand can hold anything in a column, also bytes that are not text.
    let text = |column: &str| row.try_get::<String, _>(column).map_err(|error| error.to_string());
    let constraint = text("body").and_then(|body| serde_json::from_str(&body).map_err(|error| error.to_string()));
    StoredConstraint { id: text("id").unwrap_or_default(), owner: text("owner").unwrap_or_default(), constraint }
}

async fn put_sealed(
    transaction: &mut Transaction<'_, Sqlite>,
    sealed: &SealedChange,
    at_ms: i64,
) -> Result<(), MemoryError> {
    let statement = match &sealed.change {
        Some(ConstraintChange::Put(constraint)) => Some(
            sqlx::query(
                "INSERT INTO constraint_row (id, owner, body, created_ms) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (id) DO UPDATE SET body = excluded.body, owner = excluded.owner",
            )
            .bind(constraint.id.as_str())
            .bind(&sealed.owner)
            .bind(Json(constraint))
            .bind(at_ms),
        ),
        Some(ConstraintChange::Remove(id)) => {
            Some(sqlx::query("DELETE FROM constraint_row WHERE id = ?1").bind(id.as_str()))
        }
        None => None,
    };
    if let Some(statement) = statement {
        statement.execute(&mut **transaction).await.map_err(failed(SAVE))?;
    }
    sqlx::query(
        "INSERT INTO constraint_seal (owner, seal) VALUES (?1, ?2)
         ON CONFLICT (owner) DO UPDATE SET seal = excluded.seal",
    )
    .bind(&sealed.owner)
    .bind(&sealed.seal)
    .execute(&mut **transaction)
    .await
    .map_err(failed(SAVE))?;
    Ok(())
}

/// Saves a set, if the one it follows is the one that is stored.
async fn put_set(transaction: &mut Transaction<'_, Sqlite>, robot: &RobotId, set: &SetRow) -> Result<(), MemoryError> {
    let done = sqlx::query(
        "INSERT INTO constraint_set (robot, version, hash) VALUES (?1, ?2, ?3)
         ON CONFLICT (robot) DO UPDATE SET version = excluded.version, hash = excluded.hash
         WHERE constraint_set.version = excluded.version - 1",
    )
    .bind(robot.as_str())
    .bind(signed(set.version))
    .bind(&set.hash)
    .execute(&mut **transaction)
    .await
    .map_err(failed(SAVE))?;
    // The caller drops the transaction then, and nothing of the change stays.
    if done.rows_affected() == 1 { Ok(()) } else { Err(MemoryError::SetChanged { robot: robot.clone() }) }
}

#[cfg(test)]
mod tests;
