//! The record of missions: the status of each, the text of every activated version, and every transition.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, Sqlite, Transaction};

use crate::error::failed;
use crate::stores::mission_history::put_run;
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
    /// The newest run of that text; none if none has begun.
    pub run: Option<StoredRun>,
    /// The number of the newest run of any text.
    pub runs: u32,
    /// The firings of each trigger of that text, JSON.
    pub triggers: Option<String>,
    /// Counts its changes.
    pub row_version: i64,
}

/// A run of a mission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRun {
    /// `run-<uuid>`.
    pub id: String,
    /// Counts the runs of its mission.
    pub number: u32,
    /// The run, JSON.
    pub run: String,
}

/// The author of a step of a mission.
#[derive(Debug, Clone, Copy)]
pub struct Author<'a> {
    /// The name.
    pub actor: &'a str,
    /// The reason that was given.
    pub reason: Option<&'a str>,
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
    /// The numbers of the standing approvals that the person granted, JSON.
    pub granted: Option<String>,
    /// The role of the person.
    pub role: Option<String>,
    /// The reason that the person gave.
    pub reason: Option<String>,
    /// The dry run that the person saw.
    pub dry_run: Option<String>,
}

impl AgentDb {
    /// Every mission that is no mere draft.
    pub async fn missions(&self) -> Result<Vec<StoredMission>, MemoryError> {
        let rows = sqlx::query(
            "SELECT mission.*, mission_version.source, mission_run.run AS run_json, mission_run.number AS run_number
             FROM mission
             LEFT JOIN mission_version ON mission_version.mission_id = mission.id AND mission_version.hash = mission.hash
             LEFT JOIN mission_run ON mission_run.id = mission.run ORDER BY mission.id",
        )
        .fetch_all(&self.readers())
        .await
        .map_err(failed("read the missions"))?;
        rows.iter().map(stored).collect()
    }

    /// Saves where a mission stands now, and that `author` brought it there; false if it has changed meanwhile.
    /// `mission.row_version` is the new one, the old is one less.
    pub async fn save_mission(&self, mission: &StoredMission, author: Author<'_>) -> Result<bool, MemoryError> {
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
        let is_new_text = before.as_ref().is_none_or(|before| !before.has_text_of(mission));
        put_mission(&mut transaction, mission, is_new_text.then_some(mission.since_ms)).await?;
        if before.as_ref().is_some_and(|before| before.stands_as(mission)) {
            transaction.commit().await.map_err(failed(action))?;
            return Ok(true);
        }
        sqlx::query(
            "INSERT INTO mission_transition (mission_id, from_status, to_status, phase, cause, actor, at_ms, activation,
                                              reason, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )
        .bind(&mission.id)
        .bind(before.map(|before| before.status))
        .bind(&mission.status)
        .bind(&mission.phase)
        .bind(&mission.cause)
        .bind(author.actor)
        .bind(mission.since_ms)
        .bind(mission.activation.as_ref().map(|activation| &activation.id))
        .bind(author.reason)
        .bind(mission.activation.as_ref().filter(|_| is_new_text).map(|activation| &activation.hash))
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
        (&self.status, &self.phase, &self.cause) == (&mission.status, &mission.phase, &mission.cause)
            && self.has_text_of(mission)
    }

    fn has_text_of(&self, mission: &StoredMission) -> bool {
        self.activation.as_ref() == mission.activation.as_ref().map(|activation| &activation.id)
    }
}

/// Makes the row of a mission anew, and keeps its run and the text that was activated, which takes the place of
/// another one if that is `superseded_ms`.
pub(crate) async fn put_mission(
    to: &mut Transaction<'static, Sqlite>,
    mission: &StoredMission,
    superseded_ms: Option<i64>,
) -> Result<(), MemoryError> {
    let action = "save the mission";
    let activation = mission.activation.as_ref();
    sqlx::query(
        "INSERT OR REPLACE INTO mission VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
                                            ?16, ?17, ?18)",
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
    .bind(mission.run.as_ref().map(|run| &run.id))
    .bind(activation.map(|activation| &activation.accepted))
    .bind(activation.map(|activation| &activation.role))
    .bind(activation.map(|activation| &activation.reason))
    .bind(&mission.triggers)
    .bind(mission.runs)
    .bind(activation.map(|activation| &activation.granted))
    .bind(activation.map(|activation| &activation.dry_run))
    .execute(&mut **to)
    .await
    .map_err(failed(action))?;
    if let Some(activation) = activation {
        sqlx::query(
            "INSERT INTO mission_version (mission_id, hash, source, seen_ms, activated_ms, activated_by)
             VALUES (?1, ?2, ?3, ?4, ?4, ?5)
             ON CONFLICT DO UPDATE SET activated_ms = ?4, activated_by = ?5 WHERE activated_ms IS NOT ?4",
        )
        .bind(&mission.id)
        .bind(&activation.hash)
        .bind(&activation.source)
        .bind(activation.at_ms)
        .bind(&activation.by)
        .execute(&mut **to)
        .await
        .map_err(failed(action))?;
    }
    put_run(to, mission, superseded_ms).await
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
                granted: row.try_get("granted")?,
                role: row.try_get("activated_role")?,
                reason: row.try_get("reason")?,
                dry_run: row.try_get("dry_run")?,
            })
        });
        let run = row.try_get::<Option<String>, _>("run_json")?;
        let run = run.map(|run| {
            Ok::<_, sqlx::Error>(StoredRun { id: row.try_get("run")?, number: row.try_get("run_number")?, run })
        });
        Ok(StoredMission {
            id: row.try_get("id")?,
            status: row.try_get("status")?,
            phase: row.try_get("phase")?,
            cause: row.try_get("cause")?,
            since_ms: row.try_get("since_ms")?,
            activation: activation.transpose()?,
            run: run.transpose()?,
            runs: row.try_get("runs")?,
            triggers: row.try_get("triggers")?,
            row_version: row.try_get("row_version")?,
        })
    };
    read().map_err(action)
}
