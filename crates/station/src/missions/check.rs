//! Conditions for the start of a mission: its dependencies, and the word of a model or a person.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use agent::{MicroVerdict, Precondition};
use llm::ModelKind;
use missions::MissionFile;
use missions::lifecycle::{Phase, State, Status};
use robot::{MissionId, SharedCode};

use super::Life;
use crate::code::StationCode;
use crate::missions::AgentMissions;
use crate::station::Station;
use agent_runner::Checking;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::session::Session;
use runtime::wire::Tag;

/// Looks at every mission that waits, and starts those whose dependencies are completed.
pub(super) fn look(station: &Arc<Station>, agent: &Arc<AgentMissions>) {
    let (task_station, task_agent) = (Arc::clone(station), Arc::clone(agent));
    station.runtime.tasks.spawn(async move {
        let (station, agent) = (task_station, task_agent);
        for id in agent.lives.ready() {
            if let Err(error) = start(&station, &agent, &id).await {
                tracing::error!(mission = %id, %error, "a mission that could start did not");
            }
        }
    });
}

/// Lets a mission whose dependencies are completed go live, after a language model has said that it is valid.
async fn start(station: &Arc<Station>, agent: &Arc<AgentMissions>, id: &MissionId) -> Result<(), OpError> {
    let needs_word = agent.lives.life(id).and_then(|life| life.version).is_some_and(|version| {
        !version.file.depends_on.is_empty() && agent.unit.model(&station.runner).kind == ModelKind::Language
    });
    if !needs_word {
        return enter(station, agent, id, (Phase::Held, Phase::Live)).await;
    }
    enter(station, agent, id, (Phase::Held, Phase::Checking)).await?;
    let Some(version) = agent.lives.life(id).and_then(|life| life.version) else { return Ok(()) };
    match ask_model(station, agent, &version.file).await {
        MicroVerdict::Valid => enter(station, agent, id, (Phase::Checking, Phase::Live)).await,
        MicroVerdict::Ask(reason) => {
            let sentence = format!("Mission {id} waits for a person to start it: {reason}");
            station.runtime.bus.event_of(&agent.unit.id, "mission_asks", sentence);
            Ok(())
        }
    }
}

/// Asks once whether the mission may go live now: what it depends on, and the world as it is known.
async fn ask_model(station: &Station, agent: &AgentMissions, file: &MissionFile) -> MicroVerdict {
    let outcome =
        |id: &MissionId| Precondition::Predicate { predicate: format!("mission {id} is completed"), holds: true };
    let preconditions: Vec<Precondition> = file.depends_on.iter().map(outcome).collect();
    let facts = agent.unit.turns.facts(&station.runner, &agent.unit);
    let checking = Checking { mission: &file.id, title: &file.title, preconditions: &preconditions, facts: &facts };
    agent.unit.turns.micro_turn(&station.runner, &agent.unit, checking).await
}

/// A person's answer about a mission that is being checked; true if it changed something.
pub(super) async fn answer(
    station: &Arc<Station>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    (id, life): (&MissionId, Life),
    answer: Option<&str>,
) -> Result<bool, OpError> {
    let Some(answer) = answer else { return Ok(false) };
    if life.state.phase != Phase::Checking {
        return Err(OpError::new(StationCode::AskUnknown, format!("Nothing is asked about {id}.")));
    }
    let phase = match answer {
        "start" => Phase::Live,
        "check_again" => Phase::Held,
        _ => return Err(OpError::bad_input(SharedCode::InvalidInput, "answer", "answer is start or check_again.")),
    };
    let state = State { phase, ..life.state.clone() };
    let life = Life { state, since_ms: station.runtime.clock.now().wall_ms, row_version: life.row_version + 1, ..life };
    agent.save_life(id, &life, by.actor()).await?;
    agent.lives.put(id, life);
    Ok(true)
}

/// Brings an active mission from one phase to the next, unless it has left that phase meanwhile.
async fn enter(
    station: &Arc<Station>,
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
    let life = Life { state, since_ms: station.runtime.clock.now().wall_ms, row_version: life.row_version + 1, ..life };
    agent.save_life(id, &life, "station").await?;
    // A pause that came meanwhile has a newer row and stays.
    let mut lives = lock(&agent.lives.lives);
    if lives.get(id).is_some_and(|now| now.row_version < life.row_version) {
        lives.insert(id.clone(), life);
    }
    drop(lives);
    station.runtime.bus.changed(Tag::Missions);
    Ok(())
}

/// That the mission does not wait for itself, along what the activated versions and the other files say.
pub(super) fn no_cycle(agent: &AgentMissions, file: &MissionFile) -> Result<(), OpError> {
    let drafts = agent.missions();
    let mut edges: BTreeMap<MissionId, Vec<MissionId>> =
        drafts.into_iter().filter_map(|(id, draft)| Some((id, draft.ok()?.depends_on.clone()))).collect();
    for (id, life) in lock(&agent.lives.lives).iter() {
        if let Some(version) = &life.version {
            edges.insert(id.clone(), version.file.depends_on.clone());
        }
    }
    edges.insert(file.id.clone(), file.depends_on.clone());
    let (mut seen, mut open) = (BTreeSet::new(), file.depends_on.clone());
    while let Some(id) = open.pop() {
        if id == file.id {
            let message = format!("{id} would wait for itself through what it depends on.");
            return Err(OpError::new(StationCode::DependencyCycle, message));
        }
        if seen.insert(id.clone()) {
            open.extend(edges.get(&id).cloned().unwrap_or_default());
        }
    }
    Ok(())
}

impl super::Lives {
    /// Active missions that wait although everything they depend on is completed, by id.
    fn ready(&self) -> Vec<MissionId> {
        let lives = lock(&self.lives);
        let is_done = |id: &MissionId| lives.get(id).is_some_and(|life| life.state.status == Status::Completed);
        let waiting = lives.iter().filter(|(_, life)| {
            life.state.status == Status::Active
                && life.state.phase == Phase::Held
                && life.version.as_ref().is_some_and(|version| version.file.depends_on.iter().all(is_done))
        });
        waiting.map(|(id, _)| id.clone()).collect()
    }
}
