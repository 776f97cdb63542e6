//! Jobs of one agent: looks at the wall clock, starts what is due, and follows it to its end. Every step is on disk
//! before it has an effect.

mod acts;
mod load;
mod of_mission;
mod request;
mod rows;
mod run;

pub use of_mission::OfMission;
pub(crate) use request::TaskInput;
pub(crate) use run::{Cards, of_turn};

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use memory::forget::Needles;
use memory::jobs::{self, Job, JobAction, JobChange, JobFault, JobRun, JobState, Plan, RunOutcome};
use memory::{AgentDb, MemoryError, word};
use robot::{Instant, JobId, Now};
use tokio::sync::{Mutex, Notify};
use tokio_util::sync::CancellationToken;
use world::cron::Zone;

use crate::agents::AgentUnit;
use crate::recall::removal::without;
use crate::runner::AgentRunner;
use run::DueRun;
use runtime::error::{OpError, RuntimeCode};
use runtime::wire::Tag;

/// The wall clock can be set, and a computer can sleep: jobs are looked at no later than this.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Jobs that were due before the station started begin at least this far apart.
const START_SPACING: Duration = Duration::from_secs(5);
/// Time between two removals of old runs and reviews.
const CLEAR_EVERY: Duration = Duration::from_secs(3_600);

/// The jobs of one agent.
#[derive(Default)]
pub struct Jobs {
    state: Mutex<State>,
    /// Something may be due earlier than was known.
    changed: Notify,
}

#[derive(Default)]
struct State {
    entries: BTreeMap<JobId, Entry>,
    /// When jobs were first looked at, UTC milliseconds: what was due then was missed.
    began_ms: i64,
    /// The next one of those begins no earlier.
    spaced_until: Instant,
    /// Number of jobs that each run has made.
    made_by_run: BTreeMap<String, usize>,
}

/// A job as it stands.
struct Entry {
    job: Job,
    zone: Zone,
    /// The next try of a failed run.
    retry: Option<Retry>,
    /// Ends the turn of its present run.
    cancel: CancellationToken,
    /// Times up to here are caught up with, one after the other.
    backlog_until_ms: i64,
}

/// A failed run that is tried again.
#[derive(Debug, Clone, Copy)]
struct Retry {
    due_ms: i64,
    attempt: u32,
    /// UTC milliseconds.
    at_ms: i64,
}

/// A run that could start now.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    due_ms: i64,
    attempt: u32,
    late: bool,
}

impl Entry {
    /// When something is to be done about it, UTC milliseconds.
    fn due_ms(&self) -> Option<i64> {
        match self.job.state {
            JobState::Pending | JobState::Waiting => {
                let retry_ms = self.retry.map(|retry| retry.at_ms);
                self.job.next_ms.into_iter().chain(retry_ms).min()
            }
            // Times before its start are caught up with when it ends; later ones are overlaps.
            JobState::Running => self.job.next_ms.filter(|next_ms| *next_ms > self.backlog_until_ms),
            JobState::Paused | JobState::Completed | JobState::Failed | JobState::Cancelled | JobState::DeadLetter => {
                None
            }
        }
    }

    /// Takes over a change that is on disk.
    fn apply(&mut self, change: JobChange) {
        self.job.state = change.state;
        self.job.next_ms = change.next_ms;
        self.job.retries = change.retries;
        self.job.last_error = change.last_error;
        self.job.version += 1;
    }
}

impl Jobs {
    /// Looks at the clock until the station ends.
    pub fn start(&self, runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>) {
        let (runner, agent) = (Arc::clone(runner), Arc::clone(agent));
        runner.runtime.tasks.clone().spawn(async move {
            let mut clear_at = Instant::default();
            loop {
                let now = runner.runtime.clock.now();
                if now.station >= clear_at {
                    clear_at = now.station.plus(CLEAR_EVERY);
                    clear(&runner, &agent, now.wall_ms).await;
                }
                let wait = agent.jobs.look(&runner, &agent).await;
                tokio::select! {
                    () = runner.runtime.ended.cancelled() => return,
                    () = agent.jobs.changed.notified() => {}
                    () = tokio::time::sleep(wait) => {}
                }
            }
        });
    }

    /// Writes every job as it is held, into a database that a backup has replaced.
    pub(crate) async fn put_back(&self, db: &AgentDb) -> Result<(), MemoryError> {
        let state = self.state.lock().await;
        let held: Vec<Job> = state.entries.values().map(|entry| entry.job.clone()).collect();
        db.put_back_jobs(&held).await
    }

    /// Takes forgotten texts out of what jobs are to do and what became of them.
    pub(crate) async fn forget(&self, needles: &Needles, mark: &str) {
        for Entry { job, .. } in self.state.lock().await.entries.values_mut() {
            if let Some(action) = without(&job.action, needles, mark) {
                job.action = action;
            }
            for words in [&mut job.name, &mut job.last_error] {
                if let Some(kept) = words.as_ref().and_then(|words| needles.replaced(words, mark)) {
                    *words = Some(kept);
                }
            }
        }
    }

    /// Does what is due, and says how long nothing else is.
    async fn look(&self, runner: &Arc<AgentRunner>, agent: &Arc<AgentUnit>) -> Duration {
        let now = runner.runtime.clock.now();
        let mut state = self.state.lock().await;
        let mut due: Vec<(i64, JobId)> =
            state.entries.iter().filter_map(|(id, entry)| Some((entry.due_ms()?, id.clone()))).collect();
        due.sort_unstable();
        let later = due.iter().find(|(due_ms, _)| *due_ms > now.wall_ms).map(|(due_ms, _)| *due_ms);
        for (_, id) in due.into_iter().take_while(|(due_ms, _)| *due_ms <= now.wall_ms) {
            // One job that cannot start must not hold up the others.
            if let Err(error) = state.attend(runner, agent, &id, now).await {
                tracing::error!(job = %id, %error, "a due job could not be started");
            }
        }
        let until_ms = later.map_or(i64::MAX, |later| later.saturating_sub(now.wall_ms));
        let until = Duration::from_millis(u64::try_from(until_ms).unwrap_or(0));
        until.min(LOOK_EVERY)
    }
}

impl State {
    /// Does what is due about one job.
    async fn attend(
        &mut self,
        runner: &Arc<AgentRunner>,
        agent: &Arc<AgentUnit>,
        id: &JobId,
        now: Now,
    ) -> Result<(), OpError> {
        let Some(entry) = self.entries.get_mut(id) else { return Ok(()) };
        if entry.job.state == JobState::Running {
            return entry.overlap(agent, now.wall_ms).await;
        }
        let plan = jobs::plan(&entry.job, &entry.zone, now.wall_ms);
        // At a regular time the plan decides: a retry beside it would be a second run.
        let is_regular = entry.job.next_ms.is_some_and(|next_ms| next_ms <= now.wall_ms);
        let candidate = match (plan.run, entry.retry) {
            (Some(run), _) => Some(Candidate { due_ms: run.due_ms, attempt: 1, late: run.late }),
            (None, Some(retry)) if !is_regular && retry.at_ms <= now.wall_ms => {
                Some(Candidate { due_ms: retry.due_ms, attempt: retry.attempt, late: false })
            }
            (None, _) => None,
        };
        let Some(candidate) = candidate else {
            return entry.miss(runner, agent, now.wall_ms, plan).await;
        };
        if let Some(hindrance) = run::hindrance(runner, agent, &entry.job).await {
            let mut plan = plan;
            // At the end, where the reason is taken from if the job has failed by it.
            plan.missed.push((candidate.due_ms, hindrance.missed()));
            entry.retry = None;
            return entry.miss(runner, agent, now.wall_ms, plan).await;
        }
        let is_spaced = candidate.late || candidate.due_ms <= self.began_ms;
        // Still due, so that a later look takes it up.
        if is_spaced && now.station < self.spaced_until {
            return Ok(());
        }
        // Reserved before the job is claimed: without a place it waits, and is asked about again.
        let place = match &entry.job.action {
            JobAction::Operation { .. } => None,
            JobAction::Prompt { .. } => match agent.turns.reserve(now.station) {
                Some(place) => Some(place),
                None => return entry.wait(agent).await,
            },
        };
        entry.begin(runner, agent, DueRun { candidate, place, plan }, now.wall_ms).await?;
        if is_spaced {
            self.spaced_until = now.station.plus(START_SPACING);
        }
        Ok(())
    }
}

impl Entry {
    /// Records times at which the job did not run.
    async fn miss(&mut self, runner: &AgentRunner, agent: &AgentUnit, now_ms: i64, plan: Plan) -> Result<(), OpError> {
        let missed: Vec<JobRun> = plan
            .missed
            .iter()
            .enumerate()
            .map(|(n, (due_ms, reason))| {
                let stands_for_more = n == 0 && plan.stands_for_more;
                let more = if stands_for_more { ", and every time from then to the next one recorded" } else { "" };
                let error = format!("{}{more}", word(reason));
                not_run(&self.job.id, *due_ms, RunOutcome::Missed, &error, now_ms)
            })
            .collect();
        let mut change = JobChange { next_ms: plan.next_ms, ..JobChange::of(&self.job) };
        let newest = plan.missed.last().map(|(_, reason)| *reason);
        if plan.next_ms.is_none() && self.retry.is_none() && newest.is_some() {
            // Nothing runs it any more, so it must not look as if it still waited.
            change.state = JobState::Failed;
            change.last_error = newest.map(|reason| JobFault::missed(reason).to_string());
        }
        self.change(agent, change, &missed).await?;
        runner.runtime.bus.changed(Tag::Jobs);
        Ok(())
    }

    /// Records times that came while the job ran.
    async fn overlap(&mut self, agent: &AgentUnit, now_ms: i64) -> Result<(), OpError> {
        let plan = jobs::plan(&self.job, &self.zone, now_ms);
        let dues = plan.missed.iter().map(|(due_ms, _)| *due_ms).chain(plan.run.map(|run| run.due_ms));
        let error = JobFault::Overlap.to_string();
        let overlaps: Vec<JobRun> =
            dues.map(|due_ms| not_run(&self.job.id, due_ms, RunOutcome::Overlap, &error, now_ms)).collect();
        let change = JobChange { next_ms: plan.next_ms, ..JobChange::of(&self.job) };
        self.change(agent, change, &overlaps).await
    }

    /// Changes the job on disk, then here.
    async fn change(&mut self, agent: &AgentUnit, change: JobChange, not_run: &[JobRun]) -> Result<(), OpError> {
        if !agent.db.change_job(&self.job.id, self.job.version, &change, not_run).await? {
            return Err(OpError::new(RuntimeCode::VersionConflict, format!("{} was changed meanwhile.", self.job.id)));
        }
        self.apply(change);
        Ok(())
    }
}

/// The record of a time at which a job did not run.
fn not_run(job_id: &JobId, due_ms: i64, outcome: RunOutcome, error: &str, now_ms: i64) -> JobRun {
    JobRun {
        id: format!("run-{}", uuid::Uuid::now_v7()),
        job_id: job_id.clone(),
        due_ms,
        attempt: 0,
        started_ms: None,
        ended_ms: Some(now_ms),
        outcome,
        turn: None,
        actuated: false,
        error: Some(error.to_owned()),
        proposal: None,
        cost_microusd: None,
    }
}

/// Forgets old runs, and drops reviews that nobody decided on.
async fn clear(runner: &AgentRunner, agent: &AgentUnit, now_ms: i64) {
    if let Err(error) = agent.db.forget_old_job_runs(now_ms).await {
        tracing::warn!(%error, "old runs stay");
    }
    agent.reviews.drop_old(&runner.runtime, &agent.id, now_ms).await;
}

#[cfg(test)]
mod tests;
