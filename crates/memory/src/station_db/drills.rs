//! Tests of the stop path, as a robot passed or failed them.

use robot::RobotId;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::{StationDb, failed, signed, unreadable, unsigned};
use crate::MemoryError;

/// One test of the stop path, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredDrill {
    /// The number of its stop.
    pub stop_id: u64,
    /// The robot.
    pub robot: RobotId,
    /// The caller who ran it.
    pub by: String,
    /// Unix milliseconds.
    pub at_ms: i64,
    /// Milliseconds from the press to the robot's acknowledgement; none if it did not come.
    pub acked_ms: Option<f64>,
    /// Milliseconds from the press until the robot was seen standing still; none if it was not.
    pub standstill_ms: Option<f64>,
}

impl StationDb {
    /// Saves a test of the stop path.
    pub async fn add_drill(&self, drill: &StoredDrill) -> Result<(), MemoryError> {
        sqlx::query(
            "INSERT INTO drill (stop_id, robot, by, at_ms, acked_ms, standstill_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .bind(signed(drill.stop_id))
        .bind(drill.robot.as_str())
        .bind(&drill.by)
        .bind(drill.at_ms)
        .bind(drill.acked_ms)
        .bind(drill.standstill_ms)
        .execute(&self.pool)
        .await
        .map_err(failed("save the drill"))?;
        Ok(())
    }

    /// The newest tests of the stop path, newest first, at most `limit`; only those of `robot` if given.
    pub async fn drills(&self, robot: Option<&RobotId>, limit: u32) -> Result<Vec<StoredDrill>, MemoryError> {
        let rows = sqlx::query(
            "SELECT stop_id, robot, by, at_ms, acked_ms, standstill_ms FROM drill
             WHERE ?1 IS NULL OR robot = ?1 ORDER BY stop_id DESC LIMIT ?2",
        )
        .bind(robot.map(RobotId::as_str))
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(failed("read the drills"))?;
        rows.iter().map(drill).collect()
    }

    /// Robots of which at least one test found that a stop arrives and ends in standstill, each with the time of the newest
    /// such test, Unix milliseconds.
    pub async fn tested_robots(&self) -> Result<Vec<(RobotId, i64)>, MemoryError> {
        let robots: Vec<(String, i64)> = sqlx::query_as(
            "SELECT robot, MAX(at_ms) FROM drill WHERE acked_ms IS NOT NULL AND standstill_ms IS NOT NULL GROUP BY robot",
        )
        .fetch_all(&self.pool)
        .await
        .map_err(failed("read which robots were tested"))?;
        // A name that is none belongs to no robot that could be asked about.
        Ok(robots.into_iter().filter_map(|(robot, at_ms)| Some((RobotId::new(robot).ok()?, at_ms))).collect())
    }
}

fn drill(row: &SqliteRow) -> Result<StoredDrill, MemoryError> {
    let stop_id = unsigned(row.get("stop_id"));
    let robot: String = row.get("robot");
    let robot = RobotId::new(robot).map_err(|error| unreadable("drill", stop_id.to_string(), &error))?;
    Ok(StoredDrill {
        stop_id,
        robot,
        by: row.get("by"),
        at_ms: row.get("at_ms"),
        acked_ms: row.get("acked_ms"),
        standstill_ms: row.get("standstill_ms"),
    })
}
