//! Approvals given beforehand, and the claim of a proposal under one.

use robot::{MissionId, RobotId};
use safety::Envelope;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use sqlx::types::Json;

use super::{ApprovalRow, ApprovalState, StationDb, failed, insert_approval, signed, unreadable, unsigned};
use crate::MemoryError;

/// A standing approval of a person for motions of one kind, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StandingApproval {
    /// `sa-<uuid>`.
    pub id: String,
    /// The robot.
    pub robot: RobotId,
    /// Only for commands of this mission.
    pub mission: Option<MissionId>,
    /// The operation it is for.
    pub operation: String,
    /// The bounds of it.
    pub envelope: Envelope,
    /// The most uses.
    pub uses_max: u64,
    /// Uses so far.
    pub uses: u64,
    /// The person who granted it.
    pub granted_by: String,
    /// Unix milliseconds.
    pub granted_ms: i64,
    /// Unix milliseconds.
    pub expires_ms: i64,
    /// The robot's constraint set it was granted under.
    pub set_version: u64,
    /// The newest stop of the station when it was granted.
    pub stop_id: u64,
    /// The reason that it is no longer valid.
    pub ended: Option<String>,
}

impl StationDb {
    /// Saves a new standing approval; committed when this returns.
    pub async fn add_standing_approval(&self, row: &StandingApproval) -> Result<(), MemoryError> {
        sqlx::query(
            "INSERT INTO standing_approval (id, robot, mission, operation, envelope, uses_max, uses, granted_by,
                 granted_ms, expires_ms, set_version, stop_id, ended)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )
        .bind(&row.id)
        .bind(row.robot.as_str())
        .bind(row.mission.as_ref().map(MissionId::as_str))
        .bind(&row.operation)
        .bind(Json(&row.envelope))
        .bind(signed(row.uses_max))
        .bind(signed(row.uses))
        .bind(&row.granted_by)
        .bind(row.granted_ms)
        .bind(row.expires_ms)
        .bind(signed(row.set_version))
        .bind(signed(row.stop_id))
        .bind(&row.ended)
        .execute(&self.pool)
        .await
        .map_err(failed("save the standing approval"))?;
        Ok(())
    }

    /// Ends a standing approval; the first reason stays. Committed when this returns.
    pub async fn end_standing_approval(&self, id: &str, reason: &str) -> Result<(), MemoryError> {
        sqlx::query("UPDATE standing_approval SET ended = ?2 WHERE id = ?1 AND ended IS NULL")
            .bind(id)
            .bind(reason)
            .execute(&self.pool)
            .await
            .map_err(failed("end the standing approval"))?;
        Ok(())
    }

    /// Standing approvals that nothing has ended, oldest first. A stop that the disk holds has ended every older one,
    /// also if the station died before it could say so.
    pub async fn standing_approvals(&self) -> Result<Vec<StandingApproval>, MemoryError> {
        let rows = sqlx::query(
            "SELECT * FROM standing_approval
             WHERE ended IS NULL AND stop_id = (SELECT coalesce(max(stop_id), 0) FROM latch) ORDER BY id",
        )
        .fetch_all(&self.pool)
        .await
        .map_err(failed("read the standing approvals"))?;
        rows.iter().map(standing_approval).collect()
    }

    /// Claims a proposal for sending under the standing approval `id` and counts the use, both or neither. `false` if
    /// the proposal was claimed before, or the approval is ended, used up or older than a stop.
    pub async fn claim_dispatch_under(&self, id: &str, row: &ApprovalRow) -> Result<bool, MemoryError> {
        let action = "save the approval";
        let mut transaction = self.pool.begin().await.map_err(failed(action))?;
        // Compared with the newest stop here as well: a stop that was saved a moment ago ends the approval even if
        // its row does not say so yet.
        let used = sqlx::query(
            "UPDATE standing_approval SET uses = uses + 1 WHERE id = ?1 AND ended IS NULL AND uses < uses_max
             AND stop_id = (SELECT coalesce(max(stop_id), 0) FROM latch)",
        )
        .bind(id)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        if used.rows_affected() != 1 || !insert_approval(row, ApprovalState::Dispatched, &mut *transaction).await? {
            // Dropped without a commit, the transaction leaves nothing behind.
            return Ok(false);
        }
        transaction.commit().await.map_err(failed(action))?;
        Ok(true)
    }
}

fn standing_approval(row: &SqliteRow) -> Result<StandingApproval, MemoryError> {
    let id: String = row.get("id");
    let failed = |error: &dyn std::fmt::Display| unreadable("standing_approval", id.clone(), error);
    let mission: Option<String> = row.get("mission");
    Ok(StandingApproval {
        robot: RobotId::new(row.get::<String, _>("robot")).map_err(|error| failed(&error))?,
        mission: mission.map(MissionId::new).transpose().map_err(|error| failed(&error))?,
        operation: row.get("operation"),
        envelope: serde_json::from_str(row.get("envelope")).map_err(|error| failed(&error))?,
        uses_max: unsigned(row.get("uses_max")),
        uses: unsigned(row.get("uses")),
        granted_by: row.get("granted_by"),
        granted_ms: row.get("granted_ms"),
        expires_ms: row.get("expires_ms"),
        set_version: unsigned(row.get("set_version")),
        stop_id: unsigned(row.get("stop_id")),
        ended: row.get("ended"),
        id,
    })
}

#[cfg(test)]
mod tests;
