//! Conditions for the start of a mission: its dependencies, and the word of a model or a person.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use agent::MicroVerdict;
use missions::lifecycle::{Phase, State, Status};
use missions::{MissionCode, MissionFile};
use robot::{MissionId, SharedCode};

use crate::lives::Life;
use crate::runner::{AgentMissions, MissionRunner};
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::Tag;

/// Looks at every mission that waits, and starts those whose dependencies are completed.
pub(crate) fn look(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>) {
    let (task_runner, task_agent) = (Arc::clone(runner), Arc::clone(agent));
    runner.runtime.tasks.spawn(async move {
        let (runner, agent) = (task_runner, task_agent);
        for id in agent.lives.ready() {
            if let Err(error) = start(&runner, &agent, &id).await {
                tracing::error!(mission = %id, %error, "a mission that could start did not");
            }
        }
    });
}

/// Lets a mission whose dependencies are completed go live, after a language model has said that it is valid.
async fn start(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>, id: &MissionId) -> Result<(), OpError> {
    let needs_word =
        agent.lives.life(id).and_then(|life| life.version).is_some_and(|version| {
            !version.file.depends_on.is_empty() && runner.host.agents.has_language_model(&agent.id)
        });
    if !needs_word {
        return enter(runner, agent, id, (Phase::Held, Phase::Live)).await;
    }
    enter(runner, agent, id, (Phase::Held, Phase::Checking)).await?;
    let Some(version) = agent.lives.life(id).and_then(|life| life.version) else { return Ok(()) };
    match runner.host.agents.may_start(&agent.id, &version.file).await {
        MicroVerdict::Valid => enter(runner, agent, id, (Phase::Checking, Phase::Live)).await,
        MicroVerdict::Ask(reason) => {
            let sentence = format!("Mission {id} waits for a person to start it: {reason}");
            runner.runtime.bus.event_of(&agent.id, "mission_asks", sentence);
            Ok(())
        }
    }
}

/// A person's answer about a mission that is being checked; true if it changed something.
pub(crate) async fn answer(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    (id, life): (&MissionId, Life),
    answer: Option<&str>,
) -> Result<bool, OpError> {
    let Some(answer) = answer else { return Ok(false) };
    if life.state.phase != Phase::Checking {
        return Err(OpError::new(MissionCode::AskUnknown, format!("Nothing is asked about {id}.")));
    }
    let phase = match answer {
        "start" => Phase::Live,
        "check_again" => Phase::Held,
        _ => return Err(OpError::bad_input(SharedCode::InvalidInput, "answer", "answer is start or check_again.")),
    };
    let state = State { phase, ..life.state.clone() };
    let life = Life { state, since_ms: runner.runtime.clock.now().wall_ms, row_version: life.row_version + 1, ..life };
    agent.save_life(id, &life, by.actor()).await?;
    agent.lives.put_saved(id, life);
    Ok(true)
}

/// Brings an active mission from one phase to the next, unless it has left that phase meanwhile.
async fn enter(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
    (from, to): (Phase, Phase),
) -> Result<(), OpError> {
    let _writing = agent.lives.writing.lock().await;
    let Some(life) = agent.lives.life(id) else { return Ok(()) };
    if life.state.status != Status::Active || life.state.phase != from {
        return Ok(());
    }
    let state = State { phase: to, ..life.state.clone() };
    let life = Life { state, since_ms: runner.runtime.clock.now().wall_ms, row_version: life.row_version + 1, ..life };
    agent.save_life(id, &life, "station").await?;
    agent.lives.put_saved(id, life);
    runner.runtime.bus.changed(Tag::Missions);
    Ok(())
}

/// That the mission does not wait for itself, along what the activated versions and the other files say.
pub(crate) fn no_cycle(agent: &AgentMissions, file: &MissionFile) -> Result<(), OpError> {
    let drafts = agent.drafts();
    let mut edges: BTreeMap<MissionId, Vec<MissionId>> =
        drafts.into_iter().filter_map(|(id, draft)| Some((id, draft.ok()?.depends_on.clone()))).collect();
    edges.extend(agent.lives.dependencies());
    edges.insert(file.id.clone(), file.depends_on.clone());
    let (mut seen, mut open) = (BTreeSet::new(), file.depends_on.clone());
    while let Some(id) = open.pop() {
        if id == file.id {
            let message = format!("{id} would wait for itself through what it depends on.");
            return Err(OpError::new(MissionCode::DependencyCycle, message));
        }
        if seen.insert(id.clone()) {
            open.extend(edges.get(&id).cloned().unwrap_or_default());
        }
    }
    Ok(())
}
