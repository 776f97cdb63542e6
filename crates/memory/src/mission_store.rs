//! The record of missions: the status of each, the text of every activated version, and every transition.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, Sqlite, Transaction};

use crate::error::failed;
use crate::{AgentDb, MemoryError};

/// A mission that somebody has activated or ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMission {
    /// Stem of its file.
    pub id: String,
    /// `active`, `paused`, `completed`, `failed` or `cancelled`.
    pub status: String,
    /// `held`, `checking`, `live` or `running`.
    pub phase: String,
    /// The cause of a pause, JSON.
    pub cause: Option<String>,
    /// When the status began, UTC milliseconds.
    pub since_ms: i64,
    /// The newest activation; none if it was ended as a draft.
    pub activation: Option<StoredActivation>,
    /// The newest run of that text, JSON; none if none has begun.
    pub run: Option<String>,
    /// The firings of each trigger of that text, JSON.
    pub triggers: Option<String>,
    /// Counts its changes.
    pub row_version: i64,
}

/// A person's act that lets exactly one text of a mission run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredActivation {
    /// `act-<uuid>`.
    pub id: String,
    /// SHA-256 of the text, in hexadecimal.
    pub hash: String,
    /// UTC milliseconds.
    pub at_ms: i64,
    /// The person who activated it.
    pub by: String,
    /// The text.
    pub source: String,
    /// The warnings that the person accepted, JSON.
    pub accepted: Option<String>,
    /// The role of the person.
    pub role: Option<String>,
    /// The reason that the person gave.
    pub reason: Option<String>,
}

impl AgentDb {
    /// Every mission that is no mere draft.
    pub async fn missions(&self) -> Result<Vec<StoredMission>, MemoryError> {
        let rows = sqlx::query(
            "SELECT mission.*, mission_version.source FROM mission
             LEFT JOIN mission_version ON mission_id = id AND mission_version.hash = mission.hash ORDER BY id",
        )
        .fetch_all(&self.readers())
        .await
        .map_err(failed("read the missions"))?;
        rows.iter().map(stored).collect()
    }

    /// Saves where a mission stands now, and that `actor` brought it there; false if it has changed meanwhile.
    /// `mission.row_version` is the new one, the old is one less.
    pub async fn save_mission(&self, mission: &StoredMission, actor: &str) -> Result<bool, MemoryError> {
        let action = "save the mission";
        let mut transaction = self.durable(action).await?;
        let before: Option<Before> =
            sqlx::query_as("SELECT status, phase, cause, activation, row_version FROM mission WHERE id = ?1")
                .bind(&mission.id)
                .fetch_optional(&mut *transaction)
                .await
                .map_err(failed(action))?;
        if before.as_ref().map_or(0, |before| before.row_version) + 1 != mission.row_version {
            return Ok(false);
        }
        put_mission(&mut transaction, mission).await?;
        if before.as_ref().is_some_and(|before| before.stands_as(mission)) {
            transaction.commit().await.map_err(failed(action))?;
            return Ok(true);
        }
        sqlx::query(
            "INSERT INTO mission_transition (mission_id, from_status, to_status, phase, cause, actor, at_ms, activation)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )
        .bind(&mission.id)
        .bind(before.map(|before| before.status))
        .bind(&mission.status)
        .bind(&mission.phase)
        .bind(&mission.cause)
        .bind(actor)
        .bind(mission.since_ms)
        .bind(mission.activation.as_ref().map(|activation| &activation.id))
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))?;
        Ok(true)
    }
}

/// The place of a mission before a change.
#[derive(sqlx::FromRow)]
struct Before {
    status: String,
    phase: String,
    cause: Option<String>,
    activation: Option<String>,
    row_version: i64,
}

impl Before {
    /// True if only its run goes on: that is no transition.
    fn stands_as(&self, mission: &StoredMission) -> bool {
        let activation = mission.activation.as_ref().map(|activation| &activation.id);
        (&self.status, &self.phase, &self.cause) == (&mission.status, &mission.phase, &mission.cause)
            && self.activation.as_ref() == activation
    }
}

/// Makes the row of a mission anew, and keeps the text that was activated.
pub(crate) async fn put_mission(
    to: &mut Transaction<'static, Sqlite>,
    mission: &StoredMission,
) -> Result<(), MemoryError> {
    let action = "save the mission";
    let activation = mission.activation.as_ref();
    sqlx::query(
        "INSERT OR REPLACE INTO mission VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    )
    .bind(&mission.id)
    .bind(&mission.status)
    .bind(&mission.phase)
    .bind(&mission.cause)
    .bind(mission.since_ms)
    .bind(activation.map(|activation| &activation.id))
    .bind(activation.map(|activation| &activation.hash))
    .bind(activation.map(|activation| activation.at_ms))
    .bind(activation.map(|activation| &activation.by))
    .bind(mission.row_version)
    .bind(&mission.run)
    .bind(activation.map(|activation| &activation.accepted))
    .bind(activation.map(|activation| &activation.role))
    .bind(activation.map(|activation| &activation.reason))
    .bind(&mission.triggers)
    .execute(&mut **to)
    .await
    .map_err(failed(action))?;
    if let Some(activation) = activation {
        sqlx::query("INSERT OR IGNORE INTO mission_version VALUES (?1, ?2, ?3)")
            .bind(&mission.id)
            .bind(&activation.hash)
            .bind(&activation.source)
            .execute(&mut **to)
            .await
            .map_err(failed(action))?;
    }
    Ok(())
}

fn stored(row: &SqliteRow) -> Result<StoredMission, MemoryError> {
    let action = failed("read a mission");
    let read = || -> Result<StoredMission, sqlx::Error> {
        let activation = row.try_get::<Option<String>, _>("activation")?;
        let activation = activation.map(|id| {
            Ok::<_, sqlx::Error>(StoredActivation {
                id,
                hash: row.try_get("hash")?,
                at_ms: row.try_get("activated_ms")?,
                by: row.try_get("activated_by")?,
                source: row.try_get("source")?,
                accepted: row.try_get("accepted")?,
                role: row.try_get("activated_role")?,
                reason: row.try_get("reason")?,
            })
        });
        Ok(StoredMission {
            id: row.try_get("id")?,
            status: row.try_get("status")?,
            phase: row.try_get("phase")?,
            cause: row.try_get("cause")?,
            since_ms: row.try_get("since_ms")?,
            activation: activation.transpose()?,
            run: row.try_get("run")?,
            triggers: row.try_get("triggers")?,
            row_version: row.try_get("row_version")?,
        })
    };
    read().map_err(action)
}
