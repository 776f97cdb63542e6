//! Jobs and their runs in `memory.db`. Every change names the version it was made from, and is on disk when it is
//! answered; so a job never runs twice for one due time.

use robot::{JobId, ProposalId, TurnId};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, Sqlite, Transaction};

use super::run::RunOutcome;
use super::{JOBS_MAX, Job, JobRun, JobState};
use crate::error::failed;
use crate::{AgentDb, MemoryError, of_word, word};

/// Runs that are kept; the oldest go first.
const RUNS_MAX: i64 = 10_000;
/// Retention of a run, milliseconds.
const RUNS_KEPT_MS: i64 = 90 * 86_400_000;

/// The outcome of adding a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddedJob {
    /// It is on disk.
    Added,
    /// A job of that name has not ended; its id.
    Exists(JobId),
    /// There are as many jobs as there may be, and none has ended.
    Full,
}

/// A change of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobChange {
    /// Its new state.
    pub state: JobState,
    /// The next regular time, UTC milliseconds.
    pub next_ms: Option<i64>,
    /// Failed runs in a row.
    pub retries: u32,
    /// The error of the newest run, if it failed.
    pub last_error: Option<String>,
}

impl JobChange {
    /// The change that changes nothing.
    #[must_use]
    pub fn of(job: &Job) -> Self {
        Self { state: job.state, next_ms: job.next_ms, retries: job.retries, last_error: job.last_error.clone() }
    }
}

impl AgentDb {
    /// Saves a new job. One of the same name that has ended gives the name up; the oldest that has ended makes room.
    pub async fn add_job(&self, job: &Job) -> Result<AddedJob, MemoryError> {
        let action = "save the job";
        let mut transaction = self.durable(action).await?;
        if let Some(name) = &job.name {
            let holder = sqlx::query("SELECT id, state FROM job WHERE name = ?1")
                .bind(name)
                .fetch_optional(&mut *transaction)
                .await
                .map_err(failed(action))?;
            if let Some(holder) = holder {
                let (id, state): (String, String) = (holder.get("id"), holder.get("state"));
                // A state that cannot be read counts as alive: two live jobs of one name would be
                // worse than a refusal.
                if !of_word(&state).is_ok_and(JobState::has_ended) {
                    return Ok(AddedJob::Exists(id.into()));
                }
                sqlx::query("UPDATE job SET name = NULL, version = version + 1 WHERE id = ?1")
                    .bind(id)
                    .execute(&mut *transaction)
                    .await
                    .map_err(failed(action))?;
            }
        }
        if !make_room(&mut transaction).await? {
            return Ok(AddedJob::Full);
        }
        put_job(&mut transaction, job).await?;
        transaction.commit().await.map_err(failed(action))?;
        Ok(AddedJob::Added)
    }

    /// Every job in the order they were made. A row that cannot be read is returned as its error; the rest works.
    pub async fn jobs(&self) -> Result<Vec<Result<Job, MemoryError>>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM job ORDER BY id")
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read the jobs"))?;
        Ok(rows.iter().map(job).collect())
    }

    /// The newest `limit` runs of a job, newest first.
    pub async fn job_runs(&self, job_id: &JobId, limit: u32) -> Result<Vec<JobRun>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM job_run WHERE job_id = ?1 ORDER BY id DESC LIMIT ?2")
            .bind(job_id.as_str())
            .bind(limit)
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read the runs"))?;
        rows.iter().map(run).collect()
    }

    /// Runs that an earlier process began and did not end.
    pub async fn open_job_runs(&self) -> Result<Vec<JobRun>, MemoryError> {
        let rows = sqlx::query("SELECT * FROM job_run WHERE outcome IN (?1, ?2) ORDER BY id")
            .bind(word(&RunOutcome::Running))
            .bind(word(&RunOutcome::Proposed))
            .fetch_all(&self.readers())
            .await
            .map_err(failed("read the runs"))?;
        rows.iter().map(run).collect()
    }

    /// Claims a job for `run`, once: on disk before anything is done. False if the job is not as it was at `version`,
    /// or this attempt was made before.
    pub async fn claim_job(&self, version: i64, change: &JobChange, run: &JobRun) -> Result<bool, MemoryError> {
        let action = "claim the job";
        let mut transaction = self.durable(action).await?;
        // Dropped without a commit, the transaction leaves nothing behind.
        if !update(&mut transaction, &run.job_id, version, change).await? || !insert_run(&mut transaction, run).await? {
            return Ok(false);
        }
        transaction.commit().await.map_err(failed(action))?;
        Ok(true)
    }

    /// Changes a job and records times at which it did not run. False if the job is not as it was at `version`.
    pub async fn change_job(
        &self,
        id: &JobId,
        version: i64,
        change: &JobChange,
        not_run: &[JobRun],
    ) -> Result<bool, MemoryError> {
        let action = "save the job";
        let mut transaction = self.durable(action).await?;
        if !update(&mut transaction, id, version, change).await? {
            return Ok(false);
        }
        for run in not_run {
            insert_run(&mut transaction, run).await?;
        }
        transaction.commit().await.map_err(failed(action))?;
        Ok(true)
    }

    /// Saves how a run ended, and how its job goes on if it is still as it was at `version`.
    pub async fn end_job_run(&self, run: &JobRun, version: i64, change: &JobChange) -> Result<bool, MemoryError> {
        let action = "save the end of the run";
        let mut transaction = self.durable(action).await?;
        sqlx::query(
            "UPDATE job_run SET ended_ms = ?2, outcome = ?3, turn = ?4, error = ?5, cost_microusd = ?6 WHERE id = ?1",
        )
        .bind(&run.id)
        .bind(run.ended_ms)
        .bind(word(&run.outcome))
        .bind(run.turn.as_ref().map(TurnId::as_str))
        .bind(&run.error)
        .bind(run.cost_microusd)
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        // The run's end is saved even if the job has changed meanwhile; the version guards the job's own row.
        let changed = update(&mut transaction, &run.job_id, version, change).await?;
        transaction.commit().await.map_err(failed(action))?;
        Ok(changed)
    }

    /// Saves that a run waits for a decision on `proposal`, or that it goes on once there is one; on disk when this
    /// returns. A run that has ended stays as it ended: its cards may be decided after that.
    pub async fn note_job_proposed(
        &self,
        run_id: &str,
        proposal: &ProposalId,
        is_decided: bool,
    ) -> Result<(), MemoryError> {
        let action = "save what the run waits for";
        // A start reads this off the row: a run that waits for a card ends otherwise than one that was cut off.
        let outcome = if is_decided { RunOutcome::Running } else { RunOutcome::Proposed };
        let mut transaction = self.durable(action).await?;
        sqlx::query("UPDATE job_run SET outcome = ?2, proposal = ?3 WHERE id = ?1 AND ended_ms IS NULL")
            .bind(run_id)
            .bind(word(&outcome))
            .bind(proposal.as_str())
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Saves that a run is about to move something or to do what cannot be undone.
    pub async fn note_job_actuates(&self, run_id: &str) -> Result<(), MemoryError> {
        let action = "save that the run moves something";
        let mut transaction = self.durable(action).await?;
        sqlx::query("UPDATE job_run SET actuated = 1 WHERE id = ?1")
            .bind(run_id)
            .execute(&mut *transaction)
            .await
            .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))
    }

    /// Forgets runs that are older or more than are kept; those that run stay.
    pub async fn forget_old_job_runs(&self, now_ms: i64) -> Result<u64, MemoryError> {
        let action = "forget old runs";
        let mut transaction = self.lazy(action).await?;
        let forgotten = sqlx::query(
            "DELETE FROM job_run WHERE outcome NOT IN (?1, ?4) AND (due_ms < ?2
                 OR id NOT IN (SELECT id FROM job_run ORDER BY id DESC LIMIT ?3))",
        )
        .bind(word(&RunOutcome::Running))
        .bind(now_ms.saturating_sub(RUNS_KEPT_MS))
        .bind(RUNS_MAX)
        .bind(word(&RunOutcome::Proposed))
        .execute(&mut *transaction)
        .await
        .map_err(failed(action))?;
        transaction.commit().await.map_err(failed(action))?;
        Ok(forgotten.rows_affected())
    }
}

/// Forgets the oldest job that has ended if there are too many; false if none has.
async fn make_room(transaction: &mut Transaction<'static, Sqlite>) -> Result<bool, MemoryError> {
    let action = "save the job";
    let count: i64 =
        sqlx::query_scalar("SELECT count(*) FROM job").fetch_one(&mut **transaction).await.map_err(failed(action))?;
    if usize::try_from(count).is_ok_and(|count| count < JOBS_MAX) {
        return Ok(true);
    }
    // A dead letter stays: it waits for a person to look at it.
    let forgotten =
        sqlx::query("DELETE FROM job WHERE id = (SELECT id FROM job WHERE state IN (?1, ?2, ?3) ORDER BY id LIMIT 1)")
            .bind(word(&JobState::Completed))
            .bind(word(&JobState::Failed))
            .bind(word(&JobState::Cancelled))
            .execute(&mut **transaction)
            .await
            .map_err(failed(action))?;
    Ok(forgotten.rows_affected() == 1)
}

/// Makes the row of a job, or changes everything in it.
pub(crate) async fn put_job(transaction: &mut Transaction<'static, Sqlite>, job: &Job) -> Result<(), MemoryError> {
    sqlx::query(
        "INSERT INTO job (id, name, mission_id, action, schedule, time_zone, policy, state, next_ms, retries,
             last_error, version, created_by)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, mission_id = excluded.mission_id,
             action = excluded.action, schedule = excluded.schedule, time_zone = excluded.time_zone,
             policy = excluded.policy, state = excluded.state, next_ms = excluded.next_ms, retries = excluded.retries,
             last_error = excluded.last_error, version = excluded.version, created_by = excluded.created_by",
    )
    .bind(job.id.as_str())
    .bind(&job.name)
    .bind(&job.mission_id)
    .bind(json(job.id.as_str(), &job.action)?)
    .bind(json(job.id.as_str(), &job.schedule)?)
    .bind(&job.time_zone)
    .bind(json(job.id.as_str(), &job.policy)?)
    .bind(word(&job.state))
    .bind(job.next_ms)
    .bind(job.retries)
    .bind(&job.last_error)
    .bind(job.version)
    .bind(&job.created_by)
    .execute(&mut **transaction)
    .await
    .map_err(failed("save the job"))?;
    Ok(())
}

async fn update(
    transaction: &mut Transaction<'static, Sqlite>,
    id: &JobId,
    version: i64,
    change: &JobChange,
) -> Result<bool, MemoryError> {
    let done = sqlx::query(
        "UPDATE job SET state = ?3, next_ms = ?4, retries = ?5, last_error = ?6, version = version + 1
         WHERE id = ?1 AND version = ?2",
    )
    .bind(id.as_str())
    .bind(version)
    .bind(word(&change.state))
    .bind(change.next_ms)
    .bind(change.retries)
    .bind(&change.last_error)
    .execute(&mut **transaction)
    .await
    .map_err(failed("save the job"))?;
    Ok(done.rows_affected() == 1)
}

// Job, due time and attempt are unique in the table: a second claim of the same run finds its row there.
async fn insert_run(transaction: &mut Transaction<'static, Sqlite>, run: &JobRun) -> Result<bool, MemoryError> {
    let done = sqlx::query(
        "INSERT INTO job_run (id, job_id, due_ms, attempt, started_ms, ended_ms, outcome, turn, actuated, error,
             cost_microusd, proposal)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT DO NOTHING",
    )
    .bind(&run.id)
    .bind(run.job_id.as_str())
    .bind(run.due_ms)
    .bind(run.attempt)
    .bind(run.started_ms)
    .bind(run.ended_ms)
    .bind(word(&run.outcome))
    .bind(run.turn.as_ref().map(TurnId::as_str))
    .bind(run.actuated)
    .bind(&run.error)
    .bind(run.cost_microusd)
    .bind(run.proposal.as_ref().map(ProposalId::as_str))
    .execute(&mut **transaction)
    .await
    .map_err(failed("save the run"))?;
    Ok(done.rows_affected() == 1)
}

fn json(id: &str, value: &impl serde::Serialize) -> Result<String, MemoryError> {
    serde_json::to_string(value).map_err(|error| unreadable("job", id, &error))
}

fn unreadable(table: &'static str, id: &str, error: &dyn std::fmt::Display) -> MemoryError {
    MemoryError::Unreadable { table, row: id.to_owned(), message: error.to_string() }
}

fn job(row: &SqliteRow) -> Result<Job, MemoryError> {
    let id: String = row.get("id");
    let failed = |error: serde_json::Error| unreadable("job", &id, &error);
    let state: String = row.get("state");
    Ok(Job {
        name: row.get("name"),
        mission_id: row.get("mission_id"),
        action: serde_json::from_str(row.get("action")).map_err(failed)?,
        schedule: serde_json::from_str(row.get("schedule")).map_err(failed)?,
        time_zone: row.get("time_zone"),
        policy: serde_json::from_str(row.get("policy")).map_err(failed)?,
        state: of_word(&state).map_err(|_| unreadable("job", &id, &format!("no state {state}")))?,
        next_ms: row.get("next_ms"),
        retries: row.get("retries"),
        last_error: row.get("last_error"),
        version: row.get("version"),
        created_by: row.get("created_by"),
        id: id.into(),
    })
}

fn run(row: &SqliteRow) -> Result<JobRun, MemoryError> {
    let id: String = row.get("id");
    let outcome: String = row.get("outcome");
    Ok(JobRun {
        job_id: row.get::<String, _>("job_id").into(),
        due_ms: row.get("due_ms"),
        attempt: row.get("attempt"),
        started_ms: row.get("started_ms"),
        ended_ms: row.get("ended_ms"),
        outcome: of_word(&outcome).map_err(|_| unreadable("job_run", &id, &format!("no outcome {outcome}")))?,
        turn: row.get::<Option<String>, _>("turn").map(TurnId::from),
        actuated: row.get("actuated"),
        error: row.get("error"),
        cost_microusd: row.get("cost_microusd"),
        proposal: row.get::<Option<String>, _>("proposal").map(ProposalId::from),
        id,
    })
}
