//! `station.db`: what must be on disk before it is reported: stops, lockouts, epochs, limits, approvals, the audit
//! (`synchronous=FULL`).

mod audit;
mod constraints;
mod drills;
mod lockouts;
mod network;
mod notices;
mod secrets;
mod site_plans;
mod standing;
mod tokens;

pub use audit::{AnchorLine, AuditLine};
pub use constraints::{ConstraintChange, SealedChange, SetChange, SetRow, StoredConstraint, StoredConstraints};
pub use drills::StoredDrill;
pub use lockouts::StoredLockout;
pub use network::{StoredCertificate, StoredNetwork};
pub use notices::AcceptedNotice;
pub use secrets::StoredSecret;
pub use site_plans::StoredSitePlan;
pub use standing::StandingApproval;
pub use tokens::{AdminPin, StoredToken};

use std::collections::BTreeSet;
use std::path::Path;

use robot::{ProposalId, RobotId, StationId};
use serde::{Deserialize, Serialize};
use sqlx::sqlite::SqliteSynchronous;
use sqlx::types::Json;
use sqlx::{Row, SqliteExecutor, SqlitePool};

use crate::error::failed;
use crate::{MemoryError, of_word, word};

/// A stop that still binds at least one robot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenStop {
    /// Rises with every stop of this station.
    pub stop_id: u64,
    /// The person or program that stopped.
    pub by: String,
    /// True if somebody asked for it. One that the robot's own state asked for ends with that state.
    pub asked: bool,
    /// The reason, if given.
    pub reason: Option<String>,
    /// The code of that reason with what it names, JSON; none for a stop that an older version has kept.
    pub reason_kind: Option<String>,
    /// Unix milliseconds.
    pub at_ms: i64,
    /// The robots it was sent to.
    pub robots: BTreeSet<RobotId>,
    /// Those of them that have been released.
    pub released: BTreeSet<RobotId>,
}

/// A stop as stored, released or not.
#[derive(Debug)]
pub struct StoredStop {
    /// Its number.
    pub stop_id: u64,
    /// True while it binds a robot, as the row says.
    pub open: bool,
    /// The rest of the row, if it can be read.
    pub stop: Result<OpenStop, MemoryError>,
}

/// Progress of an approved proposal, as far as the disk knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalState {
    /// Claimed for sending; after a crash nobody knows whether it was sent, and it is never sent again.
    Dispatched,
    /// The robot reported that the command was carried out.
    Done,
    /// It was refused at sending or by the robot, or not finished.
    Failed,
    /// A person said no.
    Rejected,
}

impl ApprovalState {
    /// The state of a stored word; an unreadable one is not known to have ended and counts as dispatched.
    fn of_stored(stored: &str) -> Self {
        of_word(stored).unwrap_or(Self::Dispatched)
    }
}

/// A decision to send, as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalRow {
    /// The proposal.
    pub proposal: ProposalId,
    /// Its version as shown.
    pub version: u64,
    /// SHA-256 of what was shown, hex.
    pub action_hash: String,
    /// The approver.
    pub by: String,
    /// Unix milliseconds.
    pub at_ms: i64,
    /// The whole proposal, JSON.
    pub body: String,
}

/// The open station database.
#[derive(Debug, Clone)]
pub struct StationDb {
    pub(crate) pool: SqlitePool,
    /// One connection for stops alone, which wait for no other's turn.
    latches: SqlitePool,
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

impl StationDb {
    /// Opens or makes `path`.
    pub async fn open(path: &Path) -> Result<Self, MemoryError> {
        let pool =
            crate::database::open::open(path, SqliteSynchronous::Full, &sqlx::migrate!("./migrations/station")).await?;
        // After the pool, which makes and migrates the file.
        let latches = crate::database::open::beside(path, SqliteSynchronous::Full).await?;
        Ok(Self { pool, latches })
    }

    /// The station's id; `fresh` becomes it if there is none yet.
    pub async fn station_id(&self, fresh: &StationId) -> Result<StationId, MemoryError> {
        // Inserted before it is read, so that neither a crash nor a second start gives the station another id.
        sqlx::query("INSERT INTO station (name, value) VALUES ('id', ?1) ON CONFLICT (name) DO NOTHING")
            .bind(fresh.as_str())
            .execute(&self.pool)
            .await
            .map_err(failed("save the station id"))?;
        let id: String = sqlx::query_scalar("SELECT value FROM station WHERE name = 'id'")
            .fetch_one(&self.pool)
            .await
            .map_err(failed("read the station id"))?;
        StationId::new(id.clone()).map_err(|error| unreadable("station", id, &error))
    }

    /// Public keys of the robots that the simulator brought, so that a later start without it does not take them for real
    /// ones, and a real one of the same name for one of them. Names stand in it from before keys were noted.
    pub async fn simulated_robots(&self) -> Result<BTreeSet<String>, MemoryError> {
        let text: Option<String> = sqlx::query_scalar("SELECT value FROM station WHERE name = 'simulated_robots'")
            .fetch_optional(&self.pool)
            .await
            .map_err(failed("read the simulated robots"))?;
        text.map_or(Ok(BTreeSet::new()), |text| {
            serde_json::from_str(&text).map_err(|error| unreadable("station", "simulated_robots".into(), &error))
        })
    }

    /// Saves which robots the simulator brought.
    pub async fn save_simulated_robots(&self, robots: &BTreeSet<String>) -> Result<(), MemoryError> {
        self.save_named("simulated_robots", robots).await.map_err(failed("save the simulated robots"))
    }

    /// Saves `value` under a name of which the station has one.
    async fn save_named(&self, name: &'static str, value: &(impl Serialize + Sync)) -> Result<(), sqlx::Error> {
        sqlx::query(
            "INSERT INTO station (name, value) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .bind(name)
        .bind(Json(value))
        .execute(&self.pool)
        .await
        .map(drop)
    }

    /// True if a robot could move when the last run ended: after a run that armed one and did not end cleanly.
    pub async fn motion_enabled(&self) -> Result<bool, MemoryError> {
        let value: Option<String> = sqlx::query_scalar("SELECT value FROM station WHERE name = 'motion_enabled'")
            .fetch_optional(&self.pool)
            .await
            .map_err(failed("read whether motion was enabled"))?;
        // Any stored value but a clear no counts as enabled: a damaged row must not hide an unclean end.
        Ok(value.is_some_and(|value| value != "false"))
    }

    /// Saves whether a robot can move; committed when this returns.
    pub async fn set_motion_enabled(&self, enabled: bool) -> Result<(), MemoryError> {
        self.save_named("motion_enabled", &enabled).await.map_err(failed("save whether motion is enabled"))
    }

    /// The highest stop number ever given out; 0 before the first.
    pub async fn last_stop_id(&self) -> Result<u64, MemoryError> {
        let last: Option<i64> = sqlx::query_scalar("SELECT max(stop_id) FROM latch")
            .fetch_one(&self.pool)
            .await
            .map_err(failed("read the stops"))?;
        Ok(unsigned(last.unwrap_or(0)))
    }

    /// Every stop, oldest first.
    pub async fn stops(&self) -> Result<Vec<StoredStop>, MemoryError> {
        let rows = sqlx::query(
            "SELECT stop_id, by, asked, reason, reason_kind, at_ms, robots, released, open FROM latch ORDER BY stop_id",
        )
        .fetch_all(&self.pool)
        .await
        .map_err(failed("read the stops"))?;
        let stored = |row: &sqlx::sqlite::SqliteRow| StoredStop {
            stop_id: unsigned(row.get("stop_id")),
            open: row.get("open"),
            stop: open_stop(row),
        };
        Ok(rows.iter().map(stored).collect())
    }

    /// Saves a stop, its released robots and whether it is still open; committed when this returns.
    pub async fn save_stop(&self, stop: &OpenStop, open: bool) -> Result<(), MemoryError> {
        sqlx::query(
            "INSERT INTO latch (stop_id, by, reason, at_ms, robots, released, open, asked, reason_kind)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (stop_id) DO UPDATE SET robots = excluded.robots, released = excluded.released,
                 open = excluded.open, asked = excluded.asked",
        )
        .bind(signed(stop.stop_id))
        .bind(&stop.by)
        .bind(&stop.reason)
        .bind(stop.at_ms)
        .bind(Json(&stop.robots))
        .bind(Json(&stop.released))
        .bind(open)
        .bind(stop.asked)
        .bind(&stop.reason_kind)
        // A connection of its own, so that a stop does not queue behind the statements of the pool.
        .execute(&self.latches)
        .await
        .map_err(failed("save the stop"))?;
        Ok(())
    }

    /// Raises the robot's epoch above its last one and above `floor`, and returns it; committed when this returns.
    pub async fn raise_epoch(&self, robot: &RobotId, floor: u64) -> Result<u64, MemoryError> {
        // The robot's gate may hold a higher epoch than this disk; a command has to outrank both.
        let epoch: i64 = sqlx::query_scalar(
            "INSERT INTO lease_epoch (robot, epoch) VALUES (?1, ?2 + 1)
             ON CONFLICT (robot) DO UPDATE SET epoch = max(epoch, ?2) + 1 RETURNING epoch",
        )
        .bind(robot.as_str())
        .bind(signed(floor))
        .fetch_one(&self.pool)
        .await
        .map_err(failed("raise the epoch"))?;
        Ok(unsigned(epoch))
    }

    /// Claims a proposal for sending. `false` if it was claimed before: then nothing may be sent.
    pub async fn claim_dispatch(&self, row: &ApprovalRow) -> Result<bool, MemoryError> {
        insert_approval(row, ApprovalState::Dispatched, &self.pool).await
    }

    /// Saves that a person said no; committed when this returns. A proposal that was claimed before stays claimed.
    pub async fn record_rejection(&self, row: &ApprovalRow) -> Result<(), MemoryError> {
        insert_approval(row, ApprovalState::Rejected, &self.pool).await.map(|_| ())
    }

    /// Notes how an approved command ended.
    pub async fn end_dispatch(&self, proposal: &ProposalId, ended: ApprovalState) -> Result<(), MemoryError> {
        sqlx::query("UPDATE approval SET state = ?2 WHERE proposal = ?1")
            .bind(proposal.as_str())
            .bind(word(&ended))
            .execute(&self.pool)
            .await
            .map_err(failed("save the outcome"))?;
        Ok(())
    }

    /// The state of the decision on a proposal; none if nobody has decided on it.
    pub async fn approval_state(&self, proposal: &ProposalId) -> Result<Option<ApprovalState>, MemoryError> {
        let state: Option<String> = sqlx::query_scalar("SELECT state FROM approval WHERE proposal = ?1")
            .bind(proposal.as_str())
            .fetch_optional(&self.pool)
            .await
            .map_err(failed("read the decision"))?;
        Ok(state.as_deref().map(ApprovalState::of_stored))
    }

    /// The newest `limit` decided proposals, newest first, each with how far it got.
    pub async fn approvals(&self, limit: u32) -> Result<Vec<(ApprovalRow, ApprovalState)>, MemoryError> {
        // The ids of proposals sort in the order in which they were made.
        let rows = sqlx::query("SELECT * FROM approval ORDER BY proposal DESC LIMIT ?1")
            .bind(limit)
            .fetch_all(&self.pool)
            .await
            .map_err(failed("read the approvals"))?;
        let approval = |row: &sqlx::sqlite::SqliteRow| ApprovalRow {
            proposal: row.get::<String, _>("proposal").into(),
            version: unsigned(row.get("version")),
            action_hash: row.get("action_hash"),
            by: row.get("by"),
            at_ms: row.get("at_ms"),
            body: row.get("body"),
        };
        Ok(rows.iter().map(|row| (approval(row), ApprovalState::of_stored(row.get("state")))).collect())
    }

    /// Closes the file; later calls fail.
    pub async fn close(&self) {
        self.latches.close().await;
        self.pool.close().await;
    }
}

/// Makes the row of a decision; `false` if there is one already.
async fn insert_approval(
    row: &ApprovalRow,
    state: ApprovalState,
    to: impl SqliteExecutor<'_>,
) -> Result<bool, MemoryError> {
    // The primary key is the claim: of two who decide on a proposal at once, one inserts no row.
    let done = sqlx::query(
        "INSERT INTO approval (proposal, version, action_hash, by, state, at_ms, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (proposal) DO NOTHING",
    )
    .bind(row.proposal.as_str())
    .bind(signed(row.version))
    .bind(&row.action_hash)
    .bind(&row.by)
    .bind(word(&state))
    .bind(row.at_ms)
    .bind(&row.body)
    .execute(to)
    .await
    .map_err(failed("save the approval"))?;
    Ok(done.rows_affected() == 1)
}

fn open_stop(row: &sqlx::sqlite::SqliteRow) -> Result<OpenStop, MemoryError> {
    let stop_id = unsigned(row.get("stop_id"));
    let robots = |column: &str| {
        let text: String = row.get(column);
        serde_json::from_str(&text).map_err(|error| unreadable("latch", stop_id.to_string(), &error))
    };
    Ok(OpenStop {
        stop_id,
        by: row.get("by"),
        asked: row.get("asked"),
        reason: row.get("reason"),
        reason_kind: row.get("reason_kind"),
        at_ms: row.get("at_ms"),
        robots: robots("robots")?,
        released: robots("released")?,
    })
}

fn unreadable(table: &'static str, row: String, error: &dyn std::fmt::Display) -> MemoryError {
    MemoryError::Unreadable { table, row, message: error.to_string() }
}

#[cfg(test)]
mod tests;
