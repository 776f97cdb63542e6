//! Acts of people, programs and the agent on missions.

use std::collections::BTreeSet;
use std::sync::Arc;

use memory::StoredActivation;
use missions::lifecycle::{Act, Cause, Phase, Resumer, State, Status, Step, step};
use missions::{HiddenText, MissionCode};
use robot::{MissionId, RobotId, SessionKind};

use super::mission_halt::{let_go, still};
use super::{Life, Lives, Version, check, hash_of, rows};
use crate::code::StationCode;
use crate::missions::AgentMissions;
use crate::station::Station;
use runtime::disk;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::session::Session;
use runtime::wire::{MissionActivated, MissionChanged, MissionHalted, MissionLive, MissionsPaused, Tag};

/// Lets exactly the text with this hash run.
pub(crate) async fn activate(
    station: &Arc<Station>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    (id, hash): (&MissionId, &str),
) -> Result<MissionActivated, OpError> {
    let source = agent.mission_source(id)?;
    let found = hash_of(&source);
    if found != hash {
        let message = format!("The file of {id} is not the text you saw; read it again before you activate it.");
        return Err(OpError::new(StationCode::HashChanged, message).with(serde_json::json!({ "hash": found })));
    }
    let (parsed, text) = (id.clone(), source.clone());
    // A long file takes a while, and nobody else waits for it.
    let file = disk::blocking(move || Ok(missions::MissionFile::read(parsed, &text))).await;
    let file =
        file.map_err(|error| OpError::new(StationCode::MissionUnreadable, error.to_string()))?.map_err(|error| {
            let details = serde_json::json!({ "code": error.code, "line": error.line });
            OpError::new(StationCode::HasProblems, error.to_string()).with(details)
        })?;
    check_no_stop(station, &file.robots)?;
    check::no_cycle(agent, &file)?;
    let warning = hides(&file.hidden);
    let now_ms = station.runtime.clock.now().wall_ms;
    let activation = StoredActivation {
        id: format!("act-{}", uuid::Uuid::now_v7()),
        hash: found,
        at_ms: now_ms,
        by: by.actor().to_owned(),
        source,
    };
    let _writing = agent.lives.writing.lock().await;
    let before = agent.lives.life(id);
    let same_text =
        before.as_ref().and_then(|life| life.version.as_ref()).is_some_and(|old| old.activation.hash == hash);
    let next = step(before.as_ref().map(|life| &life.state), &Act::Activate { same_text }).map_err(refused)?;
    let activation_id = match (next, before.as_ref().and_then(|life| life.version.clone())) {
        (Step::Same, Some(version)) => version.activation.id,
        (Step::Same, None) => activation.id,
        (Step::To(state), _) => {
            let version = Some(Version { activation: activation.clone(), file });
            let row_version = before.map_or(0, |life| life.row_version) + 1;
            let life = Life { state, since_ms: now_ms, version, row_version };
            agent.save_life(id, &life, by.actor()).await?;
            agent.lives.put(id, life);
            let_go(station, agent, id);
            activation.id
        }
    };
    check::look(station, agent);
    station.runtime.bus.changed(Tag::Missions);
    let row = rows::row_of(agent, id).await?;
    let message = format!("Mission {id} activated{warning}");
    if !warning.is_empty() {
        station.runtime.bus.event_of(&agent.unit.id, "mission_hides_text", format!("{message}."));
    }
    Ok(MissionActivated { message, activation_id, state: row.state, reason: row.reason })
}

/// The rest of a sentence on a mission whose file hides text; nothing if it hides none.
fn hides(hidden: &[HiddenText]) -> String {
    let lines: BTreeSet<usize> = hidden.iter().map(|place| place.line).collect();
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    format!(", whose file hides text from a reader in line {}", lines.join(", "))
}

/// Makes a mission stand still.
pub(crate) async fn pause(
    station: &Arc<Station>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
) -> Result<MissionHalted, OpError> {
    halt(station, agent, by, id, (&Act::Pause(cause_of(by)), "paused")).await
}

/// Ends a mission for good.
pub(crate) async fn cancel(
    station: &Arc<Station>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
) -> Result<MissionHalted, OpError> {
    halt(station, agent, by, id, (&Act::Cancel, "cancelled")).await
}

/// Calls a mission done; what waits for it may start.
pub(crate) async fn complete(
    station: &Arc<Station>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
) -> Result<MissionChanged, OpError> {
    let halted = halt(station, agent, by, id, (&Act::Complete { parts_open: false }, "completed")).await?;
    check::look(station, agent);
    let MissionHalted { message, changed, .. } = halted;
    Ok(MissionChanged { message, changed, state: Status::Completed.as_str().to_owned(), reason: None })
}

/// Lets a mission go on: it waits for what it depends on again, and a person's answer starts one that was asked about.
pub(crate) async fn resume(
    station: &Arc<Station>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    (id, answer): (&MissionId, Option<&str>),
) -> Result<MissionChanged, OpError> {
    agent.check_known_mission(id)?;
    let writing = agent.lives.writing.lock().await;
    let before = agent.lives.life(id);
    let robots = before.as_ref().and_then(|life| life.version.as_ref()).map(|version| version.file.robots.clone());
    let resumer = match by.kind() {
        SessionKind::Person => {
            Resumer::Person { stop_open: check_no_stop(station, &robots.unwrap_or_default()).is_err() }
        }
        SessionKind::Machine => Resumer::Other(cause_of(by)),
    };
    let next = step(before.as_ref().map(|life| &life.state), &Act::Resume { by: resumer, is_expired: false })
        .map_err(refused)?;
    let changed = match (next, before) {
        (Step::To(state), Some(life)) => {
            let since_ms = station.runtime.clock.now().wall_ms;
            let life = Life { state, since_ms, row_version: life.row_version + 1, ..life };
            agent.save_life(id, &life, by.actor()).await?;
            agent.lives.put(id, life);
            let_go(station, agent, id);
            true
        }
        (Step::Same, Some(life)) => check::answer(station, agent, by, (id, life), answer).await?,
        (Step::Same | Step::To(_), None) => false,
    };
    drop(writing);
    check::look(station, agent);
    station.runtime.bus.changed(Tag::Missions);
    let row = rows::row_of(agent, id).await?;
    Ok(MissionChanged { message: format!("Mission {id} resumed"), changed, state: row.state, reason: row.reason })
}

/// Makes every active mission of every agent stand still.
pub(crate) async fn pause_all(station: &Arc<Station>, by: &Session) -> Result<MissionsPaused, OpError> {
    let mut paused = Vec::new();
    for agent in station.missions.all() {
        for id in agent.lives.active(|_| true) {
            pause(station, &agent, by, &id).await?;
            paused.push(id);
        }
    }
    Ok(MissionsPaused { paused })
}

/// A stop of `robots` makes the missions that name one of them stand still; a stop of all, every one. Nothing waits for
/// the disk.
pub(crate) fn pause_for_stop(station: &Arc<Station>, robots: &BTreeSet<RobotId>, of_all: bool) {
    for agent in station.missions.all() {
        let is_meant = |life: &Life| {
            of_all
                || life
                    .version
                    .as_ref()
                    .is_some_and(|version| version.file.robots.iter().any(|robot| robots.contains(robot)))
        };
        for id in agent.lives.active(is_meant) {
            let (task_station, agent) = (Arc::clone(station), Arc::clone(&agent));
            agent.lives.stand_still(&id, &Act::Pause(Cause::Stop), station.runtime.clock.now().wall_ms);
            let id = id.clone();
            station.runtime.spawn(async move {
                let by = Session::supervision();
                if let Err(error) = written(&task_station, &agent, &by, &id).await {
                    tracing::error!(mission = %id, %error, "the pause of a mission is not on disk");
                }
            });
        }
    }
}

/// Pauses or ends a mission: in memory at once, then at the owners of what it has running, then on disk.
async fn halt(
    station: &Arc<Station>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
    (act, done): (&Act, &str),
) -> Result<MissionHalted, OpError> {
    agent.check_known_mission(id)?;
    let before = agent.lives.life(id);
    let next = step(before.as_ref().map(|life| &life.state), act).map_err(refused)?;
    let changed = next != Step::Same;
    let message = format!("Mission {id} {done}");
    if !changed {
        return Ok(MissionHalted { message, changed, live: MissionLive::default(), still_moving: Vec::new() });
    }
    agent.lives.stand_still(id, act, station.runtime.clock.now().wall_ms);
    let (live, still_moving) = written(station, agent, by, id).await?;
    Ok(MissionHalted { message, changed, live, still_moving })
}

/// Takes back what a mission that stands still has running, and writes where it stands.
async fn written(
    station: &Arc<Station>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
) -> Result<(MissionLive, Vec<RobotId>), OpError> {
    let has_ended = agent.lives.status(id).is_some_and(Status::has_ended);
    let stands = still(station, agent, by, (id, has_ended)).await;
    station.runtime.bus.changed(Tag::Missions);
    let _writing = agent.lives.writing.lock().await;
    if let Some(life) = agent.lives.life(id) {
        agent.save_life(id, &life, by.actor()).await?;
    }
    Ok(stands)
}

fn check_no_stop(station: &Station, robots: &[RobotId]) -> Result<(), OpError> {
    match robots.iter().find(|robot| !station.fleet.stops.binding(robot).is_empty()) {
        Some(robot) => {
            Err(OpError::new(MissionCode::StopOpen, format!("A stop of {robot} is open; release it first.")))
        }
        None => Ok(()),
    }
}

/// Cause of a pause that `by` makes: an agent, a person or a machine.
fn cause_of(by: &Session) -> Cause {
    match (by.kind(), by.agent().filter(|_| by.is_agent())) {
        (_, Some(agent)) => Cause::Agent(agent.to_string()),
        (SessionKind::Person, None) => Cause::Person(by.actor().to_owned()),
        (SessionKind::Machine, None) => Cause::Machine(by.actor().to_owned()),
    }
}

fn refused(refusal: missions::lifecycle::Refusal) -> OpError {
    let mut sentence = refusal.to_string();
    sentence[..1].make_ascii_uppercase();
    OpError::new(refusal.code(), format!("{sentence}."))
}

impl Lives {
    pub(super) fn life(&self, id: &MissionId) -> Option<Life> {
        lock(&self.lives).get(id).cloned()
    }

    pub(super) fn put(&self, id: &MissionId, life: Life) {
        lock(&self.lives).insert(id.clone(), life);
    }

    /// Active missions that are `meant`.
    pub(super) fn active(&self, meant: impl Fn(&Life) -> bool) -> Vec<MissionId> {
        let lives = lock(&self.lives);
        let active = lives.iter().filter(|(_, life)| life.state.status == Status::Active && meant(life));
        active.map(|(id, _)| id.clone()).collect()
    }

    /// Applies an act that stops something, in memory: from here on nothing is done for the mission.
    fn stand_still(&self, id: &MissionId, act: &Act, now_ms: i64) {
        let mut lives = lock(&self.lives);
        let before = lives.get(id);
        let Ok(Step::To(state)) = step(before.map(|life| &life.state), act) else { return };
        let state = State { phase: Phase::Held, ..state };
        let (version, row_version) = before.map_or((None, 0), |life| (life.version.clone(), life.row_version));
        lives.insert(id.clone(), Life { state, since_ms: now_ms, version, row_version: row_version + 1 });
    }
}

impl AgentMissions {
    pub(super) async fn save_life(&self, id: &MissionId, life: &Life, actor: &str) -> Result<(), OpError> {
        if self.unit.db.save_mission(&life.stored(id), actor).await? {
            return Ok(());
        }
        Err(OpError::new(
            StationCode::MissionChanged,
            format!("Somebody has changed {id} meanwhile; look at it again."),
        ))
    }
}
