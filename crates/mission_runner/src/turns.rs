//! Runs that are a turn of the agent: a mission without goals has its text taken up at each firing, one turn at a time.

use std::sync::Arc;

use missions::goals::Outcome;
use missions::lifecycle::{PhaseEvent, State};
use missions::text_for_agent;
use robot::MissionId;
use tokio_util::sync::CancellationToken;

use crate::lives::{Life, Version, cut_at_line};
use crate::runner::{AgentMissions, MissionRunner, OpenTurn};
use crate::surroundings::{TurnCall, TurnEnd};
use runtime::error::OpError;
use runtime::lock::lock;

/// The text that a turn is given, characters.
const TEXT_CHARS_MAX: usize = 8_000;

/// Takes in how a turn ended. One that failed ends its run, and the next firing begins another one.
async fn take_in(runner: &MissionRunner, agent: &AgentMissions, id: &MissionId, of: (&str, u32), end: TurnEnd) {
    let now_ms = runner.runtime.clock.now().wall_ms;
    let failure = match &end {
        TurnEnd::Failed(reason) => Some(reason.clone()),
        TurnEnd::Done | TurnEnd::NotBegun => None,
    };
    let ended = |life: &Life| {
        let mut run = life.run.clone().filter(|run| life.is_running() && run.id == of.0)?;
        let (is_its, state) = match end {
            TurnEnd::Done => (run.end_step(of.1, (Outcome::Done, None), now_ms), life.state.clone()),
            TurnEnd::NotBegun => (run.put_back(of.1, now_ms), life.state.clone()),
            TurnEnd::Failed(reason) => {
                let phase = life.state.phase.after(PhaseEvent::RunEnded)?;
                (run.fail(of.1, reason, now_ms), State { phase, ..life.state.clone() })
            }
        };
        is_its.then_some((state, Some(run)))
    };
    match agent.change(runner, id, "station", ended).await {
        Ok(true) => {
            // The turn of the next run may be there already.
            lock(&agent.turns).retain(|other, turn| other != id || turn.run != of.0);
            if let Some(reason) = failure {
                let sentence = format!("The turn of mission {id} came to nothing: {}.", reason.trim_end_matches('.'));
                runner.runtime.bus.event_of(&agent.id, "mission_turn_failed", sentence);
            }
        }
        Ok(false) => {}
        Err(error) => tracing::error!(mission = %id, %error, "the end of a turn is not on disk"),
    }
}

impl AgentMissions {
    /// Ends the turn that a mission has going on.
    pub(crate) fn end_turn(&self, id: &MissionId) {
        let turn = lock(&self.turns).remove(id);
        if let Some(OpenTurn { cancel, .. }) = turn {
            cancel.cancel();
        }
    }
}

impl MissionRunner {
    /// Starts the turn of a run as soon as one may start: on disk first, then beside the work on missions.
    pub(crate) async fn begin_turn(
        self: &Arc<Self>,
        agent: &Arc<AgentMissions>,
        version: &Version,
        run_id: &str,
    ) -> Result<(), OpError> {
        let (runner, id) = (self, &version.file.id);
        if !version.file.is_taken_up() || runner.host.agents.no_turn(&agent.id).is_some() {
            return Ok(());
        }
        let now_ms = runner.runtime.clock.now().wall_ms;
        let mut attempt = 0;
        let dispatched = |life: &Life| {
            let mut run = life.run.clone().filter(|run| life.is_running() && run.id == run_id)?;
            let is_its = run.dispatch(now_ms);
            attempt = run.goal().map_or(0, |goal| goal.attempt);
            is_its.then(|| (life.state.clone(), Some(run)))
        };
        let cancel = CancellationToken::new();
        // Known before it is on disk: a pause from here on ends it.
        lock(&agent.turns).insert(id.clone(), OpenTurn { run: run_id.to_owned(), cancel: cancel.clone() });
        if !agent.change(runner, id, "station", dispatched).await? {
            return Ok(());
        }
        let turn = TurnCall {
            mission: id.clone(),
            run: run_id.to_owned(),
            title: version.file.title.clone(),
            text: cut_at_line(text_for_agent(version.file.body()).trim(), TEXT_CHARS_MAX),
        };
        let (task_runner, agent) = (Arc::clone(runner), Arc::clone(agent));
        runner.runtime.tasks.spawn(async move {
            let (run_id, id) = (turn.run.clone(), turn.mission.clone());
            let made = task_runner.host.agents.take_up(&agent.id, turn, cancel);
            let end = tokio::select! {
                () = task_runner.runtime.ended.cancelled() => return,
                end = made => end,
            };
            take_in(&task_runner, &agent, &id, (&run_id, attempt), end).await;
        });
        Ok(())
    }
}
