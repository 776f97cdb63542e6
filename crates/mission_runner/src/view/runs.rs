//! Runs of a mission for people: those that have ended, and the one that goes on.

use missions::MissionFile;
use missions::format::front::Goal;
use missions::run::{GoalRun, GoalState, Run};
use robot::{MissionId, RobotId};

use crate::lives::Life;
use crate::runner::AgentMissions;
use runtime::error::OpError;
use runtime::wire::{MissionGoalState, MissionRun, MissionRunGoal, MissionRunRow};

/// The runs of a mission with numbers below `before`, the newest first. One that cannot be read is left out.
pub(crate) async fn runs(
    agent: &AgentMissions,
    id: &MissionId,
    before: u32,
    limit: u32,
) -> Result<Vec<MissionRun>, OpError> {
    let past = agent.db.mission_runs(id.as_str(), before, limit).await?;
    let mut read: Option<(String, Option<MissionFile>)> = None;
    let mut runs = Vec::with_capacity(past.len());
    for past in past {
        // One row of an older or damaged form must not hide the rest of the history.
        let Ok(run) = serde_json::from_str::<Run>(&past.run) else { continue };
        let source = past.source.unwrap_or_default();
        // Most runs are of one text.
        if read.as_ref().is_none_or(|(text, _)| *text != source) {
            let file = MissionFile::read(id.clone(), &source).ok();
            read = Some((source, file));
        }
        let file = read.as_ref().and_then(|(_, file)| file.as_ref());
        let goals = run.goals.iter().enumerate().map(|(number, goal)| goal_row(&run, number, goal, file));
        runs.push(MissionRun { goals: goals.collect(), row: row(&run) });
    }
    Ok(runs)
}

/// The newest runs of a mission as `life` has them: the disk may be behind it, or ahead by the time it is read.
pub(crate) async fn newest(
    agent: &AgentMissions,
    id: &MissionId,
    life: Option<&Life>,
    limit: u32,
) -> Result<Vec<MissionRunRow>, OpError> {
    let on_disk = runs(agent, id, u32::MAX, limit).await?.into_iter().map(|run| run.row);
    let Some(life) = life else { return Ok(on_disk.collect()) };
    let newest = life.run.as_ref();
    let is_older = |kept: &MissionRunRow| newest.map_or(kept.number <= life.runs, |newest| kept.number < newest.number);
    Ok(newest.map(row).into_iter().chain(on_disk.filter(is_older)).take(limit as usize).collect())
}

/// One run.
fn row(run: &Run) -> MissionRunRow {
    MissionRunRow {
        number: run.number,
        trigger: run.trigger.clone(),
        start: run.start.clone(),
        started_ms: run.started_ms,
        ended_ms: run.end.map(|end| end.at_ms),
        outcome: run.end.map(|end| end.outcome),
        goals_done: run.done(),
        goals_total: run.goals.len(),
    }
}

fn goal_row(run: &Run, number: usize, goal: &GoalRun, file: Option<&MissionFile>) -> MissionRunGoal {
    let is_asked = run.current() == Some(number) && !run.ask.is_empty();
    MissionRunGoal {
        text: file.map_or_else(|| format!("Goal {}", number + 1), |file| file.goal_words(number)),
        phrase: file.and_then(|file| file.goal_phrase(number)),
        state: goal_state(goal, is_asked),
        attempt: goal.attempt,
        started_ms: goal.started_ms,
        ended_ms: goal.ended_ms(),
        robot: file.and_then(|file| robot_of(file, number)),
        proposal: goal.proposal.clone(),
        command: goal.command,
        verdict: goal.verdict,
        detail: goal.detail.clone(),
        reason: goal.reason.clone(),
    }
}

/// The robot that a step names.
fn robot_of(file: &MissionFile, number: usize) -> Option<RobotId> {
    let Goal::Step { input, .. } = &file.parsed.front.goals.get(number)?.value else { return None };
    RobotId::new(input.get("robot")?.as_str()?).ok()
}

/// The state of a goal for people. `is_asked` while a person has to say how it goes on.
pub(crate) fn goal_state(goal: &GoalRun, is_asked: bool) -> MissionGoalState {
    match goal.state {
        _ if is_asked => MissionGoalState::Asked,
        GoalState::Pending => MissionGoalState::Pending,
        GoalState::Current => MissionGoalState::Current,
        GoalState::Dispatched if goal.proposal.is_some() && !goal.is_approved => MissionGoalState::Proposed,
        GoalState::Dispatched => MissionGoalState::Dispatched,
        GoalState::Done => MissionGoalState::Done,
        GoalState::Failed => MissionGoalState::Failed,
    }
}
