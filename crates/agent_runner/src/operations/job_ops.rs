//! Jobs: one thing done at a time or times.

use std::sync::Arc;

use agent::Careful;
use memory::jobs::JobState;
use robot::{Effect, JobId, MissionId, Role, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ts_rs::TS;

use super::{AgentCall, Operation, agent_row};
use crate::runner::AgentRunner;
use crate::schedule::TaskInput;
use crate::surroundings::{Asked, Requester, Wanted};
use runtime::error::OpError;
use runtime::operation::{ALL, Terms};
use runtime::wire::{JobDetail, JobRow, ProposalRef, SchedulePreview, ScheduledTime, TaskScheduled};
use world::cron::Zone;

/// Times that `preview_schedule` gives.
const PREVIEWED: usize = 5;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Operator, Viewer};
    vec![
        agent_row(
            "schedule_task",
            Terms(Operator, Write, ALL, Trust::Trusted),
            "Starts a turn or runs an operation at a time or times.",
            schedule_task,
        )
        .example(json!({"prompt": "Look at the dock.", "cron_schedule": "0 22 * * *"}))
        .core()
        .own_words()
        .careful(Careful::Asks),
        agent_row(
            "preview_schedule",
            Terms(Viewer, Read, ALL, Trust::Trusted),
            "The next five times of a schedule, and the schedule in words.",
            preview_schedule,
        )
        .example(json!({"cron_schedule": "0 22 * * *", "prompt": "Look at the dock."}))
        .core(),
        agent_row("list_jobs", Terms(Viewer, Read, ALL, Trust::Text), "Jobs with state and next time.", list_jobs)
            .example(json!({"status": "pending"}))
            .core(),
        agent_row("get_job", Terms(Viewer, Read, ALL, Trust::Text), "A job with its last 20 runs.", get_job)
            .example(json!({"id": "job-1"}))
            .core(),
        agent_row("cancel_job", Terms(Operator, Write, ALL, Trust::Text), "Ends a job for good.", cancel_job)
            .example(json!({"id": "job-1"}))
            .core(),
        agent_row(
            "pause_job",
            Terms(Operator, Write, ALL, Trust::Text),
            "Pauses a job that waits for its time.",
            pause_job,
        )
        .example(json!({"id": "job-1"}))
        .core(),
        agent_row("resume_job", Terms(Operator, Write, ALL, Trust::Text), "Lets a paused job go on.", resume_job)
            .example(json!({"id": "job-1"}))
            .core()
            .careful(Careful::Asks),
        agent_row("run_job", Terms(Operator, Write, ALL, Trust::Text), "Runs a job now, beside its schedule.", run_job)
            .example(json!({"id": "job-1"}))
            .core()
            .careful(Careful::Asks),
        agent_row(
            "retry_job",
            Terms(Operator, Write, ALL, Trust::Text),
            "Tries a job again that was given up.",
            retry_job,
        )
        .example(json!({"id": "job-1"}))
        .core()
        .careful(Careful::Asks),
    ]
}

/// The answer of `schedule_task`: the job, or the card if a tainted turn asked for one.
#[derive(Debug, Serialize, JsonSchema, TS)]
#[serde(untagged)]
enum Scheduled {
    Task(TaskScheduled),
    #[ts(skip)]
    Proposal {
        proposal: ProposalRef,
    },
    #[ts(skip)]
    Ended(Value),
}

async fn schedule_task(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: TaskInput,
) -> Result<Scheduled, OpError> {
    let wanted = Wanted { operation: "schedule_task".into(), input: input.given() };
    // Checked whole before a person is asked about it.
    let job = input.job(&runner, &agent, &by)?;
    if by.is_tainted() {
        return Ok(match runner.proposer.ask(&wanted, Requester::of(&by, &agent.id)).await? {
            Asked::Waiting(proposal, _) | Asked::Covered(proposal, _) => Scheduled::Proposal { proposal },
            Asked::Ended(outcome) => Scheduled::Ended(serde_json::from_str(&outcome.json).unwrap_or_default()),
        });
    }
    agent.jobs.add(&runner, &agent, &by, job).await.map(Scheduled::Task)
}

async fn preview_schedule(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: TaskInput,
) -> Result<SchedulePreview, OpError> {
    input.check_mission(&runner, &agent)?;
    let now_ms = runner.runtime.clock.now().wall_ms;
    let (schedule, zone) = input.schedule(&runner.runtime.zone, now_ms)?;
    let first = schedule.next_after(&zone, now_ms);
    let following = |at_ms: &i64| schedule.next_after(&zone, *at_ms);
    let count = if schedule.recurs() { PREVIEWED } else { 1 };
    let next = std::iter::successors(first, following).take(count).map(|at_ms| ScheduledTime {
        local: zone.rfc3339(at_ms),
        utc: Zone::utc().rfc3339(at_ms).replace("+00:00", "Z"),
    });
    Ok(SchedulePreview { words: schedule.words(&zone), time_zone: zone.name().to_owned(), next: next.collect() })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListJobs {
    /// Only those in this state.
    status: Option<JobState>,
    /// Only those of this mission.
    mission_id: Option<MissionId>,
}

async fn list_jobs(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: ListJobs,
) -> Result<Vec<JobRow>, OpError> {
    let rows = agent.jobs.list(input.status, input.mission_id.as_ref().map(MissionId::as_str)).await;
    if let Some(mission) = input.mission_id.as_ref().filter(|_| rows.is_empty()) {
        runner.missions.check_exists(&agent.id, mission)?;
    }
    Ok(rows)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfJob {
    /// `job-<uuid>`.
    id: JobId,
}

async fn get_job(_: Arc<AgentRunner>, AgentCall { agent, .. }: AgentCall, input: OfJob) -> Result<JobDetail, OpError> {
    agent.jobs.detail(&agent, &input.id).await
}

async fn cancel_job(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: OfJob,
) -> Result<JobRow, OpError> {
    agent.jobs.cancel(&runner, &agent, &input.id).await
}

async fn pause_job(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: OfJob,
) -> Result<JobRow, OpError> {
    agent.jobs.pause(&runner, &agent, &input.id).await
}

async fn resume_job(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: OfJob,
) -> Result<JobRow, OpError> {
    agent.jobs.resume(&runner, &agent, &input.id).await
}

async fn run_job(
    runner: Arc<AgentRunner>,
    AgentCall { by, agent }: AgentCall,
    input: OfJob,
) -> Result<JobRow, OpError> {
    agent.jobs.run(&runner, &agent, &by, &input.id).await
}

async fn retry_job(
    runner: Arc<AgentRunner>,
    AgentCall { agent, .. }: AgentCall,
    input: OfJob,
) -> Result<JobRow, OpError> {
    agent.jobs.retry(&runner, &agent, &input.id).await
}
