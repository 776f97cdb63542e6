//! Jobs as screens and programs read them.

use std::collections::BTreeMap;

use memory::jobs::{JobAction, JobFault, JobRun, JobState, PromptSource};
use robot::{JobId, Trust};
use world::cron::Schedule;

use super::{Entry, Jobs};
use crate::agents::AgentUnit;
use crate::code::AgentCode;
use runtime::error::OpError;
use runtime::wire::{JobDetail, JobRow, JobRunRow};

/// Runs that `get_job` gives.
const RUNS_SHOWN: u32 = 20;

impl Jobs {
    /// Jobs in the order they were made.
    pub async fn list(&self, state: Option<JobState>, mission: Option<&str>) -> Vec<JobRow> {
        let held = self.state.lock().await;
        let wanted = held.entries.values().filter(|entry| {
            state.is_none_or(|state| entry.job.state == state)
                && mission.is_none_or(|mission| entry.job.mission_id.as_deref() == Some(mission))
        });
        wanted.map(Entry::row).collect()
    }

    /// Number of the jobs of each mission that are not over, for those that have some.
    pub async fn open_by_mission(&self) -> BTreeMap<String, usize> {
        let held = self.state.lock().await;
        let mut open = BTreeMap::new();
        for job in held.entries.values().map(|entry| &entry.job).filter(|job| !job.state.has_ended()) {
            if let Some(mission) = &job.mission_id {
                *open.entry(mission.clone()).or_insert(0) += 1;
            }
        }
        open
    }

    /// One job with its newest runs.
    pub async fn detail(&self, agent: &AgentUnit, id: &JobId) -> Result<JobDetail, OpError> {
        // Held while the runs are read: the end of one is on disk before the job says so.
        let held = self.state.lock().await;
        let job = held.entries.get(id).map(Entry::row).ok_or_else(|| not_found(id))?;
        let runs = agent.db.job_runs(id, RUNS_SHOWN).await?;
        drop(held);
        Ok(JobDetail { job, runs: runs.into_iter().map(run_row).collect() })
    }
}

impl Entry {
    pub(super) fn row(&self) -> JobRow {
        let job = &self.job;
        let (prompt, prompt_from, operation, input) = match job.action.clone() {
            JobAction::Prompt { prompt, from } => (Some(prompt), Some(from), None, None),
            JobAction::Operation { operation, input } => (None, None, Some(operation), Some(input)),
        };
        let (cron_schedule, at, every_secs) = match &job.schedule {
            Schedule::Cron { cron, .. } => (Some(cron.text().to_owned()), None, None),
            Schedule::At { at_ms } => (None, Some(self.zone.rfc3339(*at_ms)), None),
            Schedule::Every { every_secs, .. } => (None, None, Some(*every_secs)),
        };
        JobRow {
            id: job.id.clone(),
            name: job.name.clone(),
            mission_id: job.mission_id.clone(),
            prompt,
            prompt_from,
            trust: prompt_from.map_or(Trust::Trusted, PromptSource::trust),
            operation,
            input,
            cron_schedule,
            at,
            every_secs,
            words: job.schedule.words(&self.zone),
            time_zone: job.time_zone.clone(),
            recurrence: job.schedule.recurs(),
            missed: job.policy.missed,
            grace_secs: job.policy.grace_secs,
            max_retries: job.policy.max_retries,
            state: job.state,
            next_run: job.next_ms.map(|next_ms| self.zone.rfc3339(next_ms)),
            next_run_at: job.next_ms.map(unix_s),
            retry_at: self.retry.map(|retry| unix_s(retry.at_ms)),
            retries: job.retries,
            last_error: job.last_error.clone(),
            last_fault: job.last_error.as_deref().map(JobFault::read),
            created_by: job.created_by.clone(),
            version: job.version,
        }
    }
}

pub(super) fn not_found(id: &JobId) -> OpError {
    OpError::not_found(AgentCode::JobNotFound, "job", id)
}

fn run_row(run: JobRun) -> JobRunRow {
    JobRunRow {
        late: run.is_late(),
        id: run.id,
        due_at: unix_s(run.due_ms),
        attempt: run.attempt,
        started_at: run.started_ms.map(unix_s),
        ended_at: run.ended_ms.map(unix_s),
        outcome: run.outcome,
        turn: run.turn,
        actuated: run.actuated,
        fault: run.error.as_deref().map(JobFault::read),
        error: run.error,
        proposal: run.proposal,
        cost_microusd: run.cost_microusd,
    }
}

const fn unix_s(ms: i64) -> i64 {
    ms.div_euclid(1_000)
}
