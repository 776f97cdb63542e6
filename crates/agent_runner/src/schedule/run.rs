//! One run: claimed on disk, carried out as a turn or as a call, and put on record with what follows from it.

mod cards;
mod proposed;

use std::sync::Arc;

use agent::{CancelReason, FailKind, JobNotice, MissionNotice, Outcome, Permission, permission};
use llm::{CommandModel, ModelKind};
use memory::episodic::EpisodeRole;
use memory::jobs::{
    self, Ended, Job, JobAction, JobChange, JobFault, JobRun, JobState, MissReason, Plan, PromptSource, RunOutcome,
};
use robot::{Effect, MissionId, Trust};
use tokio_util::sync::CancellationToken;
use world::alarm::{BuiltIn, Of};

pub(crate) use cards::Cards;

use super::{Candidate, Entry, Jobs, Retry};
use crate::agents::AgentUnit;
use crate::code::AgentCode;
use crate::recall::episodes::Record;
use crate::runner::AgentRunner;
use crate::surroundings::{Requester, Wanted};
use crate::turn_runner::{JobTurn, Place, turn_id};
use missions::MissionCode;
use runtime::error::{Code, ErrorKind, OpError, RuntimeCode};
use runtime::session::{Cause, Session};
use runtime::wire::{Tag, word};

/// A reason why a job that is due cannot be run, whatever its policy.
#[derive(Debug, Clone, Copy)]
pub(super) enum Hindrance {
    /// Its mission is not live.
    MissionNotLive,
    /// No language model is configured, and the prompt is no command of a desk.
    NoModel,
    /// Its prompt needs a model, and what its mission may spend on models is spent.
    BudgetSpent,
}

impl Hindrance {
    /// The code of a refusal to run it now.
    pub fn code(self) -> Code {
        match self {
            Self::MissionNotLive => MissionCode::MissionNotLive.into(),
            Self::NoModel => AgentCode::NoModel.into(),
            Self::BudgetSpent => AgentCode::BudgetSpent.into(),
        }
    }

    /// The reason why a run at its time is missed.
    pub fn missed(self) -> MissReason {
        match self {
            Self::MissionNotLive => MissReason::MissionNotLive,
            Self::NoModel => MissReason::NoModel,
            Self::BudgetSpent => MissReason::BudgetSpent,
        }
    }
}

/// The reason why a job that is due cannot be run, if there is one.
pub(super) async fn hindrance(runner: &AgentRunner, agent: &AgentUnit, job: &Job) -> Option<Hindrance> {
    let mission = job.mission_id.as_ref().map(|id| MissionId::new(id.clone()));
    let is_live = |id: &MissionId| runner.missions.is_live(&agent.id, id);
    if mission.as_ref().is_some_and(|id| !id.as_ref().is_ok_and(is_live)) {
        return Some(Hindrance::MissionNotLive);
    }
    let obeys_desks_only = agent.model(runner).kind == ModelKind::Interpreter;
    match &job.action {
        JobAction::Prompt { from: PromptSource::External | PromptSource::Agent | PromptSource::Mission, .. }
            if obeys_desks_only =>
        {
            Some(Hindrance::NoModel)
        }
        JobAction::Prompt { .. } if !obeys_desks_only => {
            let mission = mission.and_then(Result::ok)?;
            agent.is_mission_spent(runner, &mission).await.then_some(Hindrance::BudgetSpent)
        }
        // The interpreter and mere calls cost no money.
        JobAction::Prompt { .. } | JobAction::Operation { .. } => None,
    }
}

/// A run that is to start now.
pub(super) struct DueRun {
    pub candidate: Candidate,
    /// Of its turn; none for an operation, which has no turn.
    pub place: Option<Place>,
    /// Of the job, by which it is due.
    pub plan: Plan,
}

impl Entry {
    /// Claims the job for a run and starts it; a turn at its place in the queue.
    pub(super) async fn begin(
        &mut self,
        runner: &Arc<AgentRunner>,
        agent: &Arc<AgentUnit>,
        start: DueRun,
        now_ms: i64,
    ) -> Result<(), OpError> {
        let DueRun { candidate, place, plan } = start;
        let turn = place.is_some().then(turn_id);
        let run = JobRun {
            id: format!("run-{}", uuid::Uuid::now_v7()),
            job_id: self.job.id.clone(),
            due_ms: candidate.due_ms,
            attempt: candidate.attempt,
            started_ms: Some(now_ms),
            ended_ms: None,
            outcome: RunOutcome::Running,
            turn: turn.clone(),
            actuated: acts_by_itself(runner, &self.job.action),
            error: None,
            proposal: None,
            cost_microusd: None,
        };
        // The missed times first, since the claim below moves the job past them.
        if !plan.missed.is_empty() {
            self.miss(runner, agent, now_ms, Plan { run: None, next_ms: self.job.next_ms, ..plan.clone() }).await?;
        }
        let change = JobChange { state: JobState::Running, next_ms: plan.next_ms, ..JobChange::of(&self.job) };
        // On disk before anything is done: after a crash the run is found open, and not begun a second time.
        if !agent.db.claim_job(self.job.version, &change, &run).await? {
            return Err(OpError::new(RuntimeCode::VersionConflict, format!("{} was changed meanwhile.", self.job.id)));
        }
        self.apply(change);
        self.retry = None;
        // The token of the last run may be cancelled already.
        self.cancel = CancellationToken::new();
        self.backlog_until_ms = now_ms;
        runner.runtime.bus.changed(Tag::Jobs);
        let (runner, agent, job) = (Arc::clone(runner), Arc::clone(agent), self.job.clone());
        let cancel = self.cancel.clone();
        runner.runtime.tasks.clone().spawn(async move {
            let ended = match (place, turn) {
                (Some(place), Some(turn)) => {
                    let cards = Arc::new(Cards::of(&run.id));
                    prompt(&runner, &agent, &job, place, JobTurn { turn, run: run.id.clone(), cancel, cards }).await
                }
                (_, _) => call(&runner, &agent, &job, &run, &cancel).await,
            };
            // A run that the end of the station cuts off is found open at the next start.
            let Some(ended) = ended else { return };
            agent.jobs.end(&runner, &agent, &run, ended).await;
        });
        Ok(())
    }

    /// Notes that the job is due and has no place yet.
    pub(super) async fn wait(&mut self, agent: &AgentUnit) -> Result<(), OpError> {
        if self.job.state == JobState::Waiting {
            return Ok(());
        }
        let change = JobChange { state: JobState::Waiting, ..JobChange::of(&self.job) };
        self.change(agent, change, &[]).await
    }

    /// An alarm stands for as long as the job was tried as often as it may be.
    pub(super) fn tell_dead_letter(&self, runner: &AgentRunner, agent: &AgentUnit) {
        let mission = self.job.mission_id.as_ref().and_then(|id| MissionId::new(id).ok());
        let of = Of::agent(&agent.id).item(self.job.id.as_str()).mission(mission);
        runner.sensing.alarms.set(BuiltIn::JobDeadLetter, &of, self.job.state == JobState::DeadLetter, || {
            let name = self.job.name.as_deref().unwrap_or(self.job.id.as_str());
            let error = self.job.last_error.as_deref().unwrap_or("no reason is known");
            format!("Job {name} is not tried again: {}.", error.trim_end_matches('.'))
        });
    }
}

impl Jobs {
    /// Puts the end of a run on record and what follows from it in force.
    async fn end(&self, runner: &AgentRunner, agent: &AgentUnit, run: &JobRun, ended: Ended) {
        let now_ms = runner.runtime.clock.now().wall_ms;
        let mut state = self.state.lock().await;
        state.made_by_run.remove(&run.id);
        let Some(entry) = state.entries.get_mut(&run.job_id) else { return };
        let run = JobRun { ended_ms: Some(now_ms), outcome: ended.outcome(), error: ended.error(), ..run.clone() };
        let mut change = JobChange::of(&entry.job);
        // A job that was cancelled meanwhile stays so.
        if entry.job.state == JobState::Running {
            let after = jobs::after(&entry.job, &run.id, &ended);
            (change.state, change.retries, change.last_error) = (after.state, after.retries, after.last_error);
            entry.retry = after.retry_ms.map(|retry_ms| Retry {
                due_ms: run.due_ms,
                attempt: run.attempt + 1,
                at_ms: now_ms.saturating_add(retry_ms),
            });
        }
        let name = entry.job.name.as_deref().unwrap_or(entry.job.id.as_str());
        let why = run.error.as_deref().map_or_else(String::new, |error| format!(": {error}"));
        let told = format!("Job {name} {}{why}", word(&run.outcome));
        agent.episodes.record(Record::new(EpisodeRole::Job, told, "system", trust_of_end(&entry.job, &run)));
        match agent.db.end_job_run(&run, entry.job.version, &change).await {
            Ok(_) => entry.apply(change),
            Err(error) => {
                tracing::error!(
                    run = run.id,
                    error = &error as &dyn std::error::Error,
                    "the end of a run is not saved"
                );
                // Ended for this process; the row that stays open is taken up at the next start.
                entry.job.state = change.state;
            }
        }
        entry.tell_dead_letter(runner, agent);
        drop(state);
        self.changed.notify_one();
        runner.runtime.bus.changed(Tag::Jobs);
    }
}

/// The trust of the text that tells of the end of a run: the author of a job chooses its name, and an error quotes
/// whatever has failed.
fn trust_of_end(job: &Job, run: &JobRun) -> Trust {
    if run.error.is_some() {
        return Trust::Text;
    }
    match &job.action {
        JobAction::Prompt { from, .. } => from.trust(),
        JobAction::Operation { .. } if job.name.is_none() => Trust::Trusted,
        JobAction::Operation { .. } => Trust::Text,
    }
}

/// True if an action moves something or cannot be undone, known before it runs.
fn acts_by_itself(runner: &AgentRunner, action: &JobAction) -> bool {
    match action {
        JobAction::Prompt { .. } => false,
        JobAction::Operation { operation, .. } => runner
            .operations
            .of_agent(operation)
            .is_some_and(|row| matches!(row.effect, Effect::Actuate | Effect::Irreversible)),
    }
}

/// Runs a turn, and waits for what it has asked people for; none if the station ended first.
async fn prompt(runner: &AgentRunner, agent: &AgentUnit, job: &Job, place: Place, turn: JobTurn) -> Option<Ended> {
    let JobAction::Prompt { prompt, from } = &job.action else { return None };
    let is_command = agent.model(runner).kind == ModelKind::Interpreter;
    // The model may be another one than when the job was made.
    if is_command && let Err(complaint) = CommandModel::check(prompt) {
        return Some(Ended::Refused(complaint));
    }
    let operator = (*from == PromptSource::Desk).then(|| job.created_by.clone());
    let mission = job.mission_id.as_ref().map(|id| {
        let told = MissionId::new(id.clone()).ok().and_then(|id| runner.missions.notice(&agent.id, &id));
        told.unwrap_or_else(|| MissionNotice { id: id.clone(), goal: None, text: None })
    });
    let notice = JobNotice {
        job: job.id.clone(),
        name: job.name.clone(),
        mission,
        prompt: prompt.clone(),
        operator,
        trust: from.trust(),
    };
    let (cards, cancel) = (Arc::clone(&turn.cards), turn.cancel.clone());
    let outcome = agent.turns.job(place, &notice, turn, runner.runtime.clock.now().station).await.ok()?;
    cards.end(runner, of_turn(outcome)?, &cancel).await
}

/// The end of a run's turn; none if the station ended it.
pub(crate) fn of_turn(outcome: Outcome) -> Option<Ended> {
    match outcome {
        Outcome::Answered | Outcome::Delivered | Outcome::Forced | Outcome::Fallback => Some(Ended::Completed),
        Outcome::Partial(_) => Some(failed(&JobFault::NoAnswer)),
        Outcome::Refused => Some(failed(&JobFault::Declined)),
        Outcome::Paused(_) => Some(failed(&JobFault::BudgetSpent)),
        Outcome::Cancelled(CancelReason::Timeout) => Some(failed(&JobFault::TooLong)),
        Outcome::Cancelled(CancelReason::Operator | CancelReason::Preempted | CancelReason::StopAll) => {
            Some(Ended::Cancelled)
        }
        // Its row stays open, and the next start ends it.
        Outcome::Cancelled(CancelReason::Shutdown) => None,
        Outcome::Failed(FailKind::Model) => Some(failed(&JobFault::ModelSilent)),
        Outcome::Failed(FailKind::Storage) => Some(failed(&JobFault::NotWritten)),
    }
}

/// Calls an operation with the agent's rights: what its mode asks for becomes a proposal.
async fn call(
    runner: &Arc<AgentRunner>,
    agent: &AgentUnit,
    job: &Job,
    run: &JobRun,
    cancel: &CancellationToken,
) -> Option<Ended> {
    let JobAction::Operation { operation, input } = &job.action else { return None };
    let Some(row) = runner.operations.of_agent(operation) else {
        let fault = JobFault::MayNotCall { operation: operation.clone() };
        return Some(Ended::Refused(fault.to_string()));
    };
    let cause = Cause { run: Some(run.id.clone()), ..Cause::default() };
    let by = Session::of_agent(&agent.id).caused_by(cause);
    // The mode of now: what the agent was allowed when the job was made is over.
    let mode = agent.turns.mode_now(runner);
    let asks = match permission(&mode, row.effect, row.stops) {
        Permission::Allow => false,
        Permission::Ask => true,
        Permission::Deny => {
            let fault = JobFault::Mode { mode: format!("{:?}", mode.label()) };
            return Some(Ended::Refused(fault.to_string()));
        }
    };
    if asks {
        let reason = format!("It is due by {}.", job.name.as_deref().unwrap_or(job.id.as_str()));
        let asker = Requester { reason, ..Requester::of(&by, &agent.id) };
        let wanted = Wanted { operation: operation.to_owned(), input: input.clone() };
        return Cards::of(&run.id).ask(runner, agent, &wanted, asker, cancel).await;
    }
    let answer = runner.operations.dispatch(&by, operation, input.clone()).await;
    Some(answer.map_or_else(of_error, |_| Ended::Completed))
}

/// The end of a run with a fault that may be another one the next time.
fn failed(fault: &JobFault) -> Ended {
    Ended::Failed(fault.to_string())
}

/// The end of a run whose call was refused.
fn of_error(error: OpError) -> Ended {
    if is_final(&error) { Ended::Refused(error.message) } else { Ended::Failed(error.message) }
}

/// True if the same call would be refused again.
fn is_final(error: &OpError) -> bool {
    match error.kind {
        ErrorKind::BadRequest
        | ErrorKind::BadInput
        | ErrorKind::SignedOut
        | ErrorKind::Forbidden
        | ErrorKind::NotFound
        | ErrorKind::BadMethod
        | ErrorKind::TooLarge => true,
        ErrorKind::Conflict
        | ErrorKind::TooSlow
        | ErrorKind::TooOften
        | ErrorKind::Unavailable
        | ErrorKind::Internal => false,
    }
}
