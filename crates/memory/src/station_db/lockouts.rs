//! Robots that are locked, until an administrator puts them into service again.

use robot::RobotId;
use safety::machine::{CauseSet, SafetyCause};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use sqlx::types::Json;

use super::{StationDb, failed, unreadable};
use crate::MemoryError;

/// A robot that is locked, as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLockout {
    /// The robot.
    pub robot: RobotId,
    /// The causes of the lockout; none if they cannot be read any more.
    pub causes: Option<CauseSet>,
}

impl StationDb {
    /// Saves that `robot` is locked by `causes`, in place of those it was locked by; committed when this returns.
    pub async fn save_lockout(&self, robot: &RobotId, causes: CauseSet, at_ms: i64) -> Result<(), MemoryError> {
        sqlx::query(
            "INSERT INTO lockout (robot, causes, at_ms) VALUES (?1, ?2, ?3)
             ON CONFLICT (robot) DO UPDATE SET causes = excluded.causes",
        )
        .bind(robot.as_str())
        .bind(Json(causes.iter().collect::<Vec<_>>()))
        .bind(at_ms)
        .execute(&self.pool)
        .await
        .map_err(failed("save the lockout"))?;
        Ok(())
    }

    /// Forgets that `robot` is locked; committed when this returns.
    pub async fn end_lockout(&self, robot: &RobotId) -> Result<(), MemoryError> {
        sqlx::query("DELETE FROM lockout WHERE robot = ?1")
            .bind(robot.as_str())
            .execute(&self.pool)
            .await
            .map_err(failed("end the lockout"))?;
        Ok(())
    }

    /// Every robot that is locked. A row that names no robot is an error: it could be any one's.
    pub async fn lockouts(&self) -> Result<Vec<StoredLockout>, MemoryError> {
        let rows = sqlx::query("SELECT robot, causes FROM lockout ORDER BY robot")
            .fetch_all(&self.pool)
            .await
            .map_err(failed("read the lockouts"))?;
        rows.iter().map(lockout).collect()
    }
}

fn lockout(row: &SqliteRow) -> Result<StoredLockout, MemoryError> {
    let robot: String = row.get("robot");
    let robot = RobotId::new(robot.clone()).map_err(|error| unreadable("lockout", robot, &error))?;
    let causes: String = row.get("causes");
    // A cause that a newer station knows is one that this one cannot read.
    // An empty list counts as unreadable too, and the robot stays locked (decision 0087).
    let causes = serde_json::from_str::<Vec<SafetyCause>>(&causes).ok().filter(|causes| !causes.is_empty());
    Ok(StoredLockout { robot, causes: causes.map(|causes| causes.into_iter().collect()) })
}
