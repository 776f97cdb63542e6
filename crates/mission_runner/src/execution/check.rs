//! The start of a mission whose dependencies are completed: its preconditions, and the word of a model or a person.

use std::sync::Arc;

use agent::MicroVerdict;
use missions::MissionCode;
use missions::format::front::Precondition;
use missions::goals::Answer;
use missions::lifecycle::{Phase, PhaseEvent, State, Status};
use robot::{MissionId, SharedCode};
use world::predicate::Truth;

use crate::execution::work::{Looked, Watched};
use crate::lives::{Life, rules};
use crate::runner::{AgentMissions, MissionRunner};
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::session::Session;

/// Lets a mission whose dependencies are completed go live, once its preconditions hold, and a model or a person has said
/// so where a sentence or a dependency asks for that.
pub(crate) async fn begin(looked: Looked<'_>, watched: &mut Watched) -> Result<(), OpError> {
    let Looked { runner, agent, id, life } = looked;
    let Some(version) = &life.version else { return Ok(()) };
    let front = &version.file.parsed.front;
    for (number, rule) in rules(front).enumerate() {
        // Unknown is not true: a sensor that is silent lets no mission begin.
        if watched.truth(looked, version.precondition_place(number), rule) != Truth::True {
            return Ok(());
        }
    }
    let has_model = runner.host.agents.has_language_model(&agent.id);
    let has_sentence = front.preconditions.iter().any(|one| matches!(one.value, Precondition::Text(_)));
    // A sentence asks for a judgement even without a model; then a person gives it.
    let needs_check = has_sentence || (has_model && !version.file.depends_on.is_empty());
    // Known before it is on disk that this check is asked for: an earlier one has no say any more.
    let check = lock(&agent.checks).begin(id);
    if !enter(runner, agent, id, PhaseEvent::Ready { needs_check }).await? || !needs_check {
        return Ok(());
    }
    if !has_model {
        tell_asked(runner, agent, id, "no language model can judge its preconditions");
        return Ok(());
    }
    let (task_runner, agent, id, version) = (Arc::clone(runner), Arc::clone(agent), id.clone(), Arc::clone(version));
    // Beside the work: a model takes its time, and other missions must not wait for it.
    runner.runtime.tasks.spawn(async move {
        let runner = task_runner;
        let verdict = tokio::select! {
            () = runner.runtime.ended.cancelled() => return,
            () = check.cancelled() => return,
            verdict = runner.host.agents.may_start(&agent.id, &version.file) => verdict,
        };
        match verdict {
            MicroVerdict::Valid => {
                let valid = |life: &Life| after(life, PhaseEvent::Valid).filter(|_| !check.is_cancelled());
                agent.take_in(&runner, &id, valid).await;
            }
            MicroVerdict::Ask(reason) => tell_asked(&runner, &agent, &id, &reason),
        }
    });
    Ok(())
}

fn tell_asked(runner: &MissionRunner, agent: &AgentMissions, id: &MissionId, reason: &str) {
    let sentence = format!("Mission {id} waits for a person to start it: {reason}");
    runner.runtime.bus.event_of(&agent.id, "mission_asks", sentence);
}

/// A person's answer to what a mission asks; true if it changed something.
pub(crate) async fn answer(
    runner: &MissionRunner,
    agent: &AgentMissions,
    by: &Session,
    id: &MissionId,
    answer: Option<&str>,
) -> Result<bool, OpError> {
    let Some(answer) = answer else { return Ok(false) };
    let Some(life) = agent.lives.life(id) else { return Ok(false) };
    let nothing_asked = || OpError::new(MissionCode::AskUnknown, format!("Nothing of the kind is asked about {id}."));
    if life.state.phase == Phase::Checking {
        let event = match answer {
            "start" => PhaseEvent::Valid,
            "check_again" => PhaseEvent::CheckAgain,
            _ => return Err(OpError::bad_input(SharedCode::InvalidInput, "answer", "answer is start or check_again.")),
        };
        return agent.change(runner, id, by.actor(), |life| after(life, event)).await;
    }
    // A word that is no answer at all gets the same refusal as one that is not asked for now.
    let answer: Answer = answer.parse().map_err(|_| nothing_asked())?;
    let now_ms = runner.runtime.clock.now().wall_ms;
    let answered = |life: &Life| {
        let mut run = life.run.clone().filter(|_| life.state.status == Status::Active)?;
        run.answer(answer, now_ms).then(|| (life.state.clone(), Some(run)))
    };
    if agent.change(runner, id, by.actor(), answered).await? { Ok(true) } else { Err(nothing_asked()) }
}

/// Brings an active mission to the phase that `event` leads to, unless it has left its phase meanwhile.
async fn enter(
    runner: &MissionRunner,
    agent: &AgentMissions,
    id: &MissionId,
    event: PhaseEvent,
) -> Result<bool, OpError> {
    agent.change(runner, id, "station", |life| after(life, event)).await
}

/// An active mission after `event`; none if that does not concern it.
fn after(life: &Life, event: PhaseEvent) -> Option<(State, Option<missions::run::Run>)> {
    let is_active = life.state.status == Status::Active;
    let phase = life.state.phase.after(event).filter(|_| is_active)?;
    Some((State { phase, ..life.state.clone() }, life.run.clone()))
}
