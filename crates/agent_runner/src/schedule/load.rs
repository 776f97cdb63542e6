//! Takes up the jobs of earlier runs of the station, and what a crash has left of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use memory::jobs::{self, Ended, Job, JobAction, JobChange, JobFault, JobRun, JobState, RunOutcome};
use memory::{ApprovalState, MemoryError};
use robot::JobId;
use tokio_util::sync::CancellationToken;
use world::cron::Zone;

use super::{Entry, Jobs, Retry};
use crate::agents::AgentUnit;
use crate::runner::AgentRunner;

/// Runs looked through for the one that is tried again.
const RUNS_LOOKED_AT: u32 = 20;

impl Jobs {
    /// Reads every job. One that cannot be read is named and left alone.
    pub async fn load(&self, runner: &Arc<AgentRunner>, agent: &AgentUnit) -> Result<(), MemoryError> {
        let mut open: BTreeMap<JobId, JobRun> =
            agent.db.open_job_runs().await?.into_iter().map(|run| (run.job_id.clone(), run)).collect();
        let missions: BTreeSet<String> = runner.missions.ids(&agent.id).iter().map(ToString::to_string).collect();
        let mut state = self.state.lock().await;
        let now_ms = runner.runtime.clock.now().wall_ms;
        state.began_ms = now_ms;
        for job in agent.db.jobs().await? {
            let job = match job {
                Ok(job) => job,
                Err(error) => {
                    runner.runtime.bus.event_of(&agent.id, "job_unreadable", error.to_string());
                    continue;
                }
            };
            let id = job.id.clone();
            let mut entry = Entry::new(job);
            if let Some(run) = open.remove(&id) {
                entry.interrupt(runner, agent, run, now_ms).await?;
            } else if entry.job.retries > 0 {
                entry.retry = retry_of(agent, &entry.job).await?;
            }
            let is_orphan = |mission: &String| !missions.contains(mission);
            if !entry.job.state.has_ended() && entry.job.mission_id.as_ref().is_some_and(is_orphan) {
                entry.orphan(runner, agent).await?;
            }
            state.entries.insert(id, entry);
        }
        Ok(())
    }
}

impl Entry {
    pub(super) fn new(job: Job) -> Self {
        let zone = Zone::named(&job.time_zone).unwrap_or_else(|| {
            // A zone that was renamed away: better at a wrong hour of the same day than never.
            tracing::warn!(job = %job.id, zone = job.time_zone, "unknown time zone; UTC is used");
            Zone::utc()
        });
        Self { job, zone, retry: None, cancel: CancellationToken::new(), backlog_until_ms: i64::MIN }
    }

    /// Ends a job whose mission is gone.
    async fn orphan(&mut self, runner: &AgentRunner, agent: &AgentUnit) -> Result<(), MemoryError> {
        let last_error = Some(JobFault::MissionGone.to_string());
        let change = JobChange { state: JobState::Cancelled, next_ms: None, last_error, ..JobChange::of(&self.job) };
        agent.db.change_job(&self.job.id, self.job.version, &change, &[]).await?;
        self.apply(change);
        self.retry = None;
        let name = self.job.name.as_deref().unwrap_or(self.job.id.as_str());
        runner.runtime.bus.event_of(
            &agent.id,
            "job_cancelled",
            format!("Job {name} is cancelled: its mission is gone."),
        );
        Ok(())
    }

    /// Ends a run that the station did not live to see the end of.
    async fn interrupt(
        &mut self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        run: JobRun,
        now_ms: i64,
    ) -> Result<(), MemoryError> {
        let ended = cut_off(runner, &self.job.action, &run).await?;
        let after = jobs::after(&self.job, &run.id, &ended);
        let is_running = self.job.state == JobState::Running;
        let run = JobRun { ended_ms: Some(now_ms), outcome: ended.outcome(), error: ended.error(), ..run };
        let change = if is_running {
            JobChange {
                state: after.state,
                retries: after.retries,
                last_error: after.last_error,
                next_ms: self.job.next_ms,
            }
        } else {
            // What was cancelled or paused while it ran stays so.
            JobChange::of(&self.job)
        };
        agent.db.end_job_run(&run, self.job.version, &change).await?;
        self.apply(change);
        self.retry = after.retry_ms.filter(|_| is_running).map(|retry_ms| Retry {
            due_ms: run.due_ms,
            attempt: run.attempt + 1,
            at_ms: now_ms.saturating_add(retry_ms),
        });
        self.tell_dead_letter(runner, agent);
        Ok(())
    }
}

/// The end of a run that the end of the station cut off. What was approved is never asked for again by itself, and has
/// been carried out only if the disk says so.
async fn cut_off(runner: &AgentRunner, action: &JobAction, run: &JobRun) -> Result<Ended, MemoryError> {
    let is_call = matches!(action, JobAction::Operation { .. });
    let interrupted = Ended::Interrupted { actuated: run.actuated };
    let Some(proposal) = &run.proposal else { return Ok(interrupted) };
    Ok(match runner.runtime.db.approval_state(proposal).await? {
        Some(ApprovalState::Done) if is_call => Ended::Completed,
        Some(ApprovalState::Failed) if is_call => Ended::Failed("the approved call failed".into()),
        // Nobody knows how far it came, or the rest of the turn.
        Some(ApprovalState::Dispatched | ApprovalState::Done | ApprovalState::Failed) => {
            Ended::Interrupted { actuated: true }
        }
        Some(ApprovalState::Rejected) => Ended::Refused("rejected".into()),
        // A turn may have moved something before it asked.
        None if run.outcome == RunOutcome::Proposed && (is_call || !run.actuated) => {
            Ended::Failed("the station ended before anybody decided".into())
        }
        None => interrupted,
    })
}

/// The next try of the newest run, at the time it had before the station ended.
async fn retry_of(agent: &AgentUnit, job: &Job) -> Result<Option<Retry>, MemoryError> {
    if job.state != JobState::Pending && job.state != JobState::Waiting {
        return Ok(None);
    }
    let runs = agent.db.job_runs(&job.id, RUNS_LOOKED_AT).await?;
    let newest = runs.into_iter().find(|run| run.started_ms.is_some());
    Ok(newest.map(|run| Retry {
        due_ms: run.due_ms,
        attempt: run.attempt + 1,
        at_ms: run.ended_ms.unwrap_or(run.due_ms).saturating_add(jobs::retry_delay_ms(&run.id, job.retries)),
    }))
}
