//! Acts of people, programs and the agent on jobs.

use std::sync::Arc;

use memory::jobs::{AddedJob, JOBS_MAX, Job, JobAction, JobChange, JobState, Plan};
use robot::{Audience, Instant, JobId, MissionId};
use serde_json::json;

use super::rows::not_found;
use super::run::DueRun;
use super::{Candidate, Entry, Jobs, Retry, run};
use crate::agents::AgentUnit;
use crate::code::AgentCode;
use crate::runner::AgentRunner;
use crate::turn_runner::{Place, TurnRunner};
use runtime::error::{OpError, RuntimeCode};
use runtime::session::Session;
use runtime::wire::{JobRow, Tag, TaskScheduled, word};

/// Jobs that a turn started by a job may make.
const MADE_BY_RUN_MAX: usize = 3;

impl Jobs {
    /// Saves a job; on disk when this returns.
    pub async fn add(
        &self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        by: &Session,
        job: Job,
    ) -> Result<TaskScheduled, OpError> {
        let mut state = self.state.lock().await;
        let run = by.cause().and_then(|cause| cause.run.clone());
        let made = run.as_ref().and_then(|run| state.made_by_run.get(run).copied()).unwrap_or(0);
        if made >= MADE_BY_RUN_MAX {
            return Err(full(MADE_BY_RUN_MAX, "A turn that a job started makes at most this many jobs"));
        }
        match agent.db.add_job(&job).await? {
            AddedJob::Added => {}
            AddedJob::Exists(id) => {
                let message = format!("A job of this name has not ended: {id}.");
                return Err(OpError::new(AgentCode::JobExists, message).with(json!({ "id": id })));
            }
            AddedJob::Full => return Err(full(JOBS_MAX, "An agent has at most this many jobs")),
        }
        if let Some(run) = run {
            state.made_by_run.insert(run, made + 1);
        }
        // The database may have taken the name from one that has ended, or forgotten the oldest of them.
        state.forget_ended(agent).await?;
        let entry = Entry::new(job);
        let answer = scheduled(&entry, runner.runtime.clock.now().wall_ms);
        state.entries.insert(entry.job.id.clone(), entry);
        drop(state);
        self.changed.notify_one();
        runner.runtime.bus.changed(Tag::Jobs);
        Ok(answer)
    }

    /// Ends a job for good. A turn of it that runs is cancelled.
    pub async fn cancel(&self, runner: &AgentRunner, agent: &AgentUnit, id: &JobId) -> Result<JobRow, OpError> {
        self.act(runner, agent, id, "cancelled", |entry| {
            let job = &entry.job;
            (!job.state.has_ended()).then(|| JobChange {
                state: JobState::Cancelled,
                next_ms: None,
                ..JobChange::of(job)
            })
        })
        .await
    }

    /// Cancels the turns that jobs of `mission` have running; if it has ended, the jobs themselves too.
    pub async fn stand_still(&self, runner: &AgentRunner, agent: &AgentUnit, mission: &MissionId, has_ended: bool) {
        for row in self.list(None, Some(mission.as_str())).await {
            if let Some(entry) = self.state.lock().await.entries.get(&row.id) {
                entry.cancel.cancel();
            }
            if has_ended
                && !row.state.has_ended()
                && let Err(error) = self.cancel(runner, agent, &row.id).await
            {
                tracing::error!(job = %row.id, %error, "a job of a mission that has ended");
            }
        }
    }

    /// Pauses a job that waits for its time.
    pub async fn pause(&self, runner: &AgentRunner, agent: &AgentUnit, id: &JobId) -> Result<JobRow, OpError> {
        self.act(runner, agent, id, "paused", |entry| match entry.job.state {
            JobState::Pending | JobState::Waiting => {
                Some(JobChange { state: JobState::Paused, ..JobChange::of(&entry.job) })
            }
            JobState::Running
            | JobState::Paused
            | JobState::Completed
            | JobState::Failed
            | JobState::Cancelled
            | JobState::DeadLetter => None,
        })
        .await
    }

    /// Lets a paused job go on. A schedule goes on from now; a single time that has passed is late.
    pub async fn resume(&self, runner: &AgentRunner, agent: &AgentUnit, id: &JobId) -> Result<JobRow, OpError> {
        let now_ms = runner.runtime.clock.now().wall_ms;
        self.act(runner, agent, id, "resumed", |entry| {
            let job = &entry.job;
            let next_ms =
                if job.schedule.recurs() { job.schedule.next_after(&entry.zone, now_ms) } else { job.next_ms };
            (job.state == JobState::Paused).then(|| JobChange {
                state: JobState::Pending,
                next_ms,
                ..JobChange::of(job)
            })
        })
        .await
    }

    /// Puts a job that was given up, or has failed, back: it is tried again now.
    pub async fn retry(&self, runner: &AgentRunner, agent: &AgentUnit, id: &JobId) -> Result<JobRow, OpError> {
        let now_ms = runner.runtime.clock.now().wall_ms;
        let newest = agent.db.job_runs(id, 1).await?.into_iter().next();
        let row = self
            .act(runner, agent, id, "retried", |entry| {
                let job = &entry.job;
                let is_over = matches!(job.state, JobState::DeadLetter | JobState::Failed);
                is_over.then(|| {
                    let (due_ms, attempt) =
                        newest.as_ref().map_or((now_ms, 1), |run| (run.due_ms, run.attempt.saturating_add(1)));
                    entry.retry = Some(Retry { due_ms, attempt, at_ms: now_ms });
                    let next_ms =
                        if job.schedule.recurs() { job.schedule.next_after(&entry.zone, now_ms) } else { None };
                    JobChange { state: JobState::Pending, next_ms, retries: 0, last_error: None }
                })
            })
            .await?;
        self.changed.notify_one();
        Ok(row)
    }

    /// Runs a job now, beside its schedule. A run that a person starts is wanted now; one that a program or the agent
    /// starts keeps to the bounds of what starts by itself, and starts no other, so that no chain of them goes on.
    pub async fn run(
        &self,
        runner: &Arc<AgentRunner>,
        agent: &Arc<AgentUnit>,
        by: &Session,
        id: &JobId,
    ) -> Result<JobRow, OpError> {
        if by.cause().is_some_and(|cause| cause.run.is_some()) {
            let message = "What a job started runs no other job. A person can run it.";
            return Err(OpError::new(RuntimeCode::Forbidden, message));
        }
        let now = runner.runtime.clock.now();
        let now_ms = now.wall_ms;
        let mut state = self.state.lock().await;
        let entry = state.entries.get_mut(id).ok_or_else(|| not_found(id))?;
        match entry.job.state {
            JobState::Pending | JobState::Waiting | JobState::Completed | JobState::Failed => {}
            // A paused job goes on by `resume_job`, and one that was given up by `retry_job` alone.
            JobState::Running | JobState::Paused | JobState::Cancelled | JobState::DeadLetter => {
                return Err(wrong_state(&entry.job, "run"));
            }
        }
        if let Some(hindrance) = run::hindrance(runner, agent, &entry.job).await {
            let code = hindrance.code();
            let message = format!("It cannot run now: {}.", code.as_str().replace('_', " "));
            return Err(OpError::new(code, message));
        }
        let candidate = Candidate { due_ms: now_ms, attempt: 1, late: false };
        // Beside the schedule: its next time stays as it is.
        let plan = Plan { next_ms: entry.job.next_ms, ..Plan::default() };
        let place = match &entry.job.action {
            JobAction::Operation { .. } => None,
            JobAction::Prompt { .. } => Some(place_for(&agent.turns, by.audience(), now.station)?),
        };
        entry.begin(runner, agent, DueRun { candidate, place, plan }, now_ms).await?;
        Ok(entry.row())
    }

    /// Changes a job in a way that its state allows.
    async fn act(
        &self,
        runner: &AgentRunner,
        agent: &AgentUnit,
        id: &JobId,
        done: &str,
        change: impl FnOnce(&mut Entry) -> Option<JobChange>,
    ) -> Result<JobRow, OpError> {
        let mut state = self.state.lock().await;
        let entry = state.entries.get_mut(id).ok_or_else(|| not_found(id))?;
        // `change` may set a retry before the disk has taken the change.
        let retry = entry.retry;
        let Some(change) = change(entry) else { return Err(wrong_state(&entry.job, done)) };
        if let Err(error) = entry.change(agent, change, &[]).await {
            entry.retry = retry;
            return Err(error);
        }
        if entry.job.state == JobState::Cancelled {
            entry.cancel.cancel();
        }
        // Clears the alarm of a job that was given up until now.
        entry.tell_dead_letter(runner, agent);
        runner.runtime.bus.changed(Tag::Jobs);
        Ok(entry.row())
    }
}

impl super::State {
    /// Forgets jobs that the database has forgotten, and names it has taken back.
    async fn forget_ended(&mut self, agent: &AgentUnit) -> Result<(), OpError> {
        let stored: std::collections::BTreeMap<JobId, Job> =
            agent.db.jobs().await?.into_iter().flatten().map(|job| (job.id.clone(), job)).collect();
        self.entries.retain(|id, entry| {
            let Some(job) = stored.get(id) else { return false };
            (entry.job.name, entry.job.version) = (job.name.clone(), job.version);
            true
        });
        Ok(())
    }
}

/// A place for the turn of a job that somebody runs now.
fn place_for(turns: &TurnRunner, by: Audience, now: Instant) -> Result<Place, OpError> {
    let (place, refusal) = match by {
        Audience::Ui => (turns.reserve_for_person(), "Too many turns are waiting already. Try again soon."),
        Audience::Agent | Audience::Mcp => {
            let refusal = "Another turn that no person began runs or waits, or as many as may have begun in this hour. \
                           A person can run it now.";
            (turns.reserve(now), refusal)
        }
    };
    place.ok_or_else(|| OpError::new(RuntimeCode::Busy, refusal))
}

fn scheduled(entry: &Entry, now_ms: i64) -> TaskScheduled {
    let next = entry.job.next_ms.filter(|next_ms| *next_ms > now_ms);
    let id = entry.job.id.clone();
    let message = match next {
        Some(_) => format!("Task {id} scheduled"),
        None => format!("Task {id} scheduled for a time that has passed"),
    };
    TaskScheduled { message, id, next_runs: next.map(|next_ms| entry.zone.rfc3339(next_ms)).into_iter().collect() }
}

fn wrong_state(job: &Job, act: &str) -> OpError {
    let state = word(&job.state);
    OpError::new(RuntimeCode::WrongState, format!("{} is {state}; it cannot be {act}.", job.id))
        .with(json!({ "state": state }))
}

fn full(limit: usize, sentence: &str) -> OpError {
    OpError::limit_reached(limit, format!("{sentence}: {limit}."))
}
