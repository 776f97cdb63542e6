//! Turns of the agent for a mission, one at a time: a mission without goals has its text taken up at each firing,
//! which is a run of its own, and a goal that is a sentence has the agent work on it. No turn ends such a goal.

use std::sync::Arc;

use missions::format::front::Goal;
use missions::goals::GoalEnd;
use missions::lifecycle::{PhaseEvent, State};
use missions::run::{Run, TurnResult};
use robot::MissionId;
use tokio_util::sync::CancellationToken;

use crate::lives::{Life, Version};
use crate::runner::{AgentMissions, MissionRunner, OpenTurn, TurnOf};
use crate::surroundings::{TurnCall, TurnEnd};
use runtime::error::OpError;
use runtime::lock::lock;

/// The turn of `run` that is next; none if it is not due.
fn next_turn(version: &Version, run: &Run, now_ms: i64) -> Option<TurnOf> {
    // The number makes the turn's end recognisable: one that comes late is not that of the next turn.
    let number = if version.file.is_taken_up() { run.goal()?.attempt.saturating_add(1) } else { run.due_turn(now_ms)? };
    Some(TurnOf { run: run.id.clone(), goal: run.current()?, number })
}

/// True while a mission works on the goal that the turn `of` is for.
fn is_at(life: &Life, of: &TurnOf) -> bool {
    life.is_running() && life.run.as_ref().is_some_and(|run| run.id == of.run && run.current() == Some(of.goal))
}

/// Notes in `run` that its turn `of` begins; false if it may not.
fn begin(life: &Life, run: &mut Run, of: &TurnOf, now_ms: i64) -> bool {
    let is_present = run.id == of.run && run.current() == Some(of.goal);
    if life.is_taken_up() {
        return is_present && run.dispatch(now_ms) && run.goal().is_some_and(|goal| goal.attempt == of.number);
    }
    is_present && run.begin_turn(of.number, now_ms)
}

/// The instruction of a turn.
fn prompt(version: &Version, goal: usize) -> String {
    let Some(goal) = version.file.parsed.front.goals.get(goal) else { return version.text_for_turn() };
    let until = match &goal.value {
        Goal::Text { done_when: Some(rule), .. } => format!("once {rule}, or a person says so"),
        Goal::Text { done_when: None, .. } | Goal::Step { .. } | Goal::WaitFor { .. } | Goal::WaitSecs(_) => {
            "once a person says so".to_owned()
        }
    };
    format!("Work on this goal of the mission as far as you can, and say what you did and found. It is done {until}.")
}

/// Takes in how the turn for a goal ended. The goal stands as before: another turn follows later.
fn after_goal_turn(run: &mut Run, of: &TurnOf, end: &TurnEnd, now_ms: i64) -> bool {
    let result = match end {
        TurnEnd::Done => TurnResult::Answered,
        TurnEnd::Failed(_) => TurnResult::CameToNothing,
        TurnEnd::NotBegun => TurnResult::NotBegun,
    };
    run.end_turn(of.goal, of.number, result, now_ms)
}

/// Takes in how a turn ended. One of a firing that failed ends its run, and the next firing begins another one.
async fn take_in(runner: &MissionRunner, agent: &AgentMissions, id: &MissionId, of: &TurnOf, end: TurnEnd) {
    let now_ms = runner.runtime.clock.now().wall_ms;
    let failure = match &end {
        TurnEnd::Failed(reason) => Some(reason.clone()),
        TurnEnd::Done | TurnEnd::NotBegun => None,
    };
    let ended = |life: &Life| {
        let mut run = life.run.clone().filter(|run| life.is_running() && run.id == of.run)?;
        let (is_its, state) = match &end {
            _ if !life.is_taken_up() => (after_goal_turn(&mut run, of, &end, now_ms), life.state.clone()),
            TurnEnd::Done => (run.end_step(of.number, GoalEnd::done(), now_ms), life.state.clone()),
            // The model was not asked, so the firing is not used up.
            TurnEnd::NotBegun => (run.put_back(of.number, now_ms), life.state.clone()),
            TurnEnd::Failed(reason) => {
                let phase = life.state.phase.after(PhaseEvent::RunEnded)?;
                (run.fail(of.number, reason.clone(), now_ms), State { phase, ..life.state.clone() })
            }
        };
        is_its.then_some((state, Some(run)))
    };
    // After the end is written, so that no other turn begins of a run that still shows this one.
    let stands = agent.take_in(runner, id, ended).await;
    agent.drop_turn(id, of);
    if let Some(reason) = failure.filter(|_| stands) {
        let sentence =
            format!("The turn of mission {id} came to nothing: {}.", reason.to_string().trim_end_matches('.'));
        runner.runtime.bus.event_of(&agent.id, "mission_turn_failed", sentence);
    }
}

impl AgentMissions {
    /// Notes that a turn of a mission is over; the next one may be there already.
    fn drop_turn(&self, id: &MissionId, of: &TurnOf) {
        lock(&self.turns).retain(|other, turn| other != id || turn.of != *of);
    }

    /// True while a turn of a mission goes on.
    pub(crate) fn has_turn(&self, id: &MissionId) -> bool {
        lock(&self.turns).contains_key(id)
    }

    /// Takes `life`, which is on disk, as [`Lives::put_saved`] does, and ends a turn that it leaves behind.
    ///
    /// [`Lives::put_saved`]: crate::lives::Lives::put_saved
    pub(crate) fn put_saved(&self, runner: &MissionRunner, id: &MissionId, life: Life) -> bool {
        let stands = self.lives.put_saved(id, life, |robots| runner.is_stopped(robots));
        self.end_stale_turn(id);
        stands
    }

    /// Ends the turn of a mission that is no longer at the goal of that turn. The turn of the next goal may have begun
    /// by now, and goes on.
    pub(crate) fn end_stale_turn(&self, id: &MissionId) {
        let life = self.lives.life(id);
        let stale = |_: &MissionId, turn: &mut OpenTurn| !life.as_ref().is_some_and(|life| is_at(life, &turn.of));
        // Taken out here and not at its end: the next goal's turn must not wait for one that is cancelled.
        for (_, OpenTurn { cancel, .. }) in lock(&self.turns).extract_if(id..=id, stale) {
            cancel.cancel();
        }
    }
}

impl MissionRunner {
    /// Starts the next turn of a run as soon as one may start: on disk first, then beside the work on missions.
    pub(crate) async fn begin_turn(
        self: &Arc<Self>,
        agent: &Arc<AgentMissions>,
        version: &Version,
        run: &Run,
    ) -> Result<(), OpError> {
        let (runner, id, now_ms) = (self, &version.file.id, self.runtime.clock.now().wall_ms);
        // One at a time: two turns would work on the same goal and pay for it twice.
        let next = next_turn(version, run, now_ms).filter(|_| !agent.has_turn(id));
        let Some(of) = next.filter(|_| runner.host.agents.no_turn(&agent.id).is_none()) else { return Ok(()) };
        let begun = |life: &Life| {
            let mut run = life.run.clone().filter(|_| life.is_running())?;
            begin(life, &mut run, &of, now_ms).then(|| (life.state.clone(), Some(run)))
        };
        let cancel = CancellationToken::new();
        // Known before it is on disk: a pause from here on ends it.
        lock(&agent.turns).insert(id.clone(), OpenTurn { of: of.clone(), cancel: cancel.clone() });
        let done = agent.change(runner, id, "station", begun).await;
        // A pause has come first, or the disk has not taken it: no money is spent on what is not on record.
        if !matches!(done, Ok(true)) {
            agent.drop_turn(id, &of);
            return done.map(drop);
        }
        let turn = TurnCall {
            mission: version.notice(run),
            run: run.id.clone(),
            title: version.file.title.clone(),
            prompt: prompt(version, of.goal),
        };
        let (task_runner, agent, id) = (Arc::clone(runner), Arc::clone(agent), id.clone());
        runner.runtime.tasks.spawn(async move {
            let made = task_runner.host.agents.take_up(&agent.id, turn, cancel);
            let end = tokio::select! {
                () = task_runner.runtime.ended.cancelled() => return,
                end = made => end,
            };
            take_in(&task_runner, &agent, &id, &of, end).await;
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use missions::goals::{GoalReason, Outcome};
    use missions::lifecycle::{Phase, Status};
    use missions::run::RunStart;

    use super::*;

    #[test]
    fn ml_32_a_tick_leaves_the_turn_of_the_ticked_goal_behind_and_not_that_of_the_next() {
        let mut run = Run::new(RunStart { id: "run-1".into(), number: 1, start: None }, 2, 0);
        run.end_wait(0, GoalEnd::because(Outcome::Done, GoalReason::SaidDone { by: "dana".into() }), 1);
        let state = State { status: Status::Active, phase: Phase::Running, cause: None };
        let (version, triggers, unsaved) = (None, Vec::new(), None);
        let mut life = Life { state, since_ms: 0, version, run: Some(run), runs: 1, triggers, row_version: 1, unsaved };
        let turn = |run: &str, goal| TurnOf { run: run.into(), goal, number: 1 };
        assert!(is_at(&life, &turn("run-1", 1)), "the turn that the tick made due");
        assert!(!is_at(&life, &turn("run-1", 0)) && !is_at(&life, &turn("run-0", 1)));
        life.state.status = Status::Paused;
        assert!(!is_at(&life, &turn("run-1", 1)), "a pause leaves it behind");
    }
}
