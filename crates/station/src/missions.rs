//! The missions of one agent that somebody has activated or ended. A file never acts, an activation does. Stopping acts
//! first and is written then; starting is written first and acts then.

mod acts;
mod check;
mod mission_halt;
mod rows;
mod watch;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, RwLock};

use memory::forget::Needles;
use memory::{AgentDb, MemoryError, StoredActivation, StoredMission};
use missions::MissionFile;
use missions::lifecycle::{Cause, Phase, State, Status};
use robot::{AgentId, MissionId, RobotId};
use sha2::{Digest, Sha256};

use crate::missions_folder::MissionFiles;
use crate::station::Station;
use agent_runner::{AgentCode, AgentUnit};
use fleet::gate::Submission;
use runtime::error::OpError;
use runtime::lock::{lock, read, write};

pub(crate) use acts::{activate, cancel, complete, pause, pause_all, pause_for_stop, resume};
pub(crate) use rows::{detail, rows};

/// The text of all active missions that a turn is shown, characters.
const TOLD_CHARS_MAX: usize = 4_000;
/// The text of one of them, characters.
const TOLD_OF_ONE_CHARS_MAX: usize = 1_200;

/// The missions of every agent.
#[derive(Default)]
pub(crate) struct Missions {
    of_agents: RwLock<BTreeMap<AgentId, Arc<AgentMissions>>>,
}

/// The missions of one agent.
pub(crate) struct AgentMissions {
    pub unit: Arc<AgentUnit>,
    /// Missions that somebody has activated or ended; the others are files only.
    pub lives: Lives,
    /// The mission files, as they were last read.
    pub files: MissionFiles,
}

/// Lifecycles of an agent's missions; those that have only a file are not in here.
#[derive(Default)]
pub(crate) struct Lives {
    lives: Mutex<BTreeMap<MissionId, Life>>,
    /// One change is written at a time, in the order in which it was made.
    writing: tokio::sync::Mutex<()>,
}

/// One mission that somebody has activated or ended.
#[derive(Debug, Clone)]
struct Life {
    state: State,
    since_ms: i64,
    /// The activated version; none if it was ended as a draft.
    version: Option<Version>,
    row_version: i64,
}

/// The text that a person activated.
#[derive(Debug, Clone)]
struct Version {
    activation: StoredActivation,
    file: MissionFile,
}

/// Message that refuses motion for the mission that `submission` names: it is known and does not run. A submission that
/// names no agent means a mission of any.
pub(crate) fn stands_still(station: &Station, submission: &Submission) -> Option<String> {
    let id = submission.raw.mission_id.as_ref()?;
    let agents = match submission.by.agent() {
        Some(named) => station.missions.of(named).into_iter().collect(),
        None => station.missions.all(),
    };
    agents.iter().find_map(|agent| agent.lives.check_may_act(id).err()).map(|error| error.message)
}

impl Missions {
    /// Takes up the missions of an agent that starts, and watches its files.
    pub async fn start(&self, station: &Arc<Station>, unit: &Arc<AgentUnit>) -> Result<(), MemoryError> {
        let agent = AgentMissions { unit: Arc::clone(unit), lives: Lives::default(), files: MissionFiles::default() };
        agent.lives.load(station, &agent).await?;
        let agent = Arc::new(agent);
        write(&self.of_agents).insert(unit.id.clone(), Arc::clone(&agent));
        watch::start(station, &agent);
        Ok(())
    }

    /// The missions of an agent.
    pub fn of(&self, agent: &AgentId) -> Result<Arc<AgentMissions>, OpError> {
        let found = read(&self.of_agents).get(agent).cloned();
        found.ok_or_else(|| OpError::not_found(AgentCode::AgentNotFound, "agent", agent))
    }

    /// Those of every agent, by its id.
    pub fn all(&self) -> Vec<Arc<AgentMissions>> {
        read(&self.of_agents).values().cloned().collect()
    }
}

impl Lives {
    /// Takes up what the database holds. A row that cannot be read concerns its mission alone, which is named.
    pub async fn load(&self, station: &Station, agent: &AgentMissions) -> Result<(), MemoryError> {
        for stored in agent.unit.db.missions().await? {
            let id = stored.id.clone();
            match life(stored) {
                Some((id, life)) => {
                    let stands_still = life.state.status != Status::Active;
                    lock(&self.lives).insert(id.clone(), life);
                    if stands_still {
                        agent.unit.world.ingest.pause_mission(&station.sensing, &agent.unit.world, &id);
                    }
                }
                None => station.runtime.bus.event_of(
                    &agent.unit.id,
                    "mission_unreadable",
                    format!("The stored state of {id} cannot be read."),
                ),
            }
        }
        Ok(())
    }

    /// Writes where every mission stands, into a database that a backup has replaced.
    pub async fn put_back(&self, db: &AgentDb) -> Result<(), MemoryError> {
        let _writing = self.writing.lock().await;
        let held: Vec<StoredMission> = lock(&self.lives).iter().map(|(id, life)| life.stored(id)).collect();
        db.put_back_missions(&held).await
    }

    /// Takes forgotten texts out of what was activated.
    pub fn forget(&self, needles: &Needles, mark: &str) {
        for (id, life) in lock(&self.lives).iter_mut() {
            let Some(Version { activation, file }) = &mut life.version else { continue };
            let parsed = |source: &str| missions::MissionFile::read(id.clone(), source);
            let kept = needles.replaced_if(&activation.source, mark, |source| parsed(source).is_ok());
            let Some((source, Ok(without))) = kept.map(|source| (source.clone(), parsed(&source))) else { continue };
            *file = without;
            activation.source = source;
        }
    }

    /// Status of a mission; `None` for a draft.
    pub fn status(&self, id: &MissionId) -> Option<Status> {
        lock(&self.lives).get(id).map(|life| life.state.status)
    }

    /// True if a mission runs.
    pub fn is_live(&self, id: &MissionId) -> bool {
        lock(&self.lives).get(id).is_some_and(Life::is_live)
    }

    /// True if a mission runs and names `robot`.
    pub fn may_move(&self, id: &MissionId, robot: &RobotId) -> bool {
        let lives = lock(&self.lives);
        let live = lives.get(id).filter(|life| life.is_live());
        live.and_then(|life| life.version.as_ref()).is_some_and(|version| version.file.robots.contains(robot))
    }

    /// The paused missions that name `robot`.
    pub fn paused_of(&self, robot: &RobotId) -> Vec<MissionId> {
        let lives = lock(&self.lives);
        let named = |life: &Life| life.version.as_ref().is_some_and(|version| version.file.robots.contains(robot));
        let paused = lives.iter().filter(|(_, life)| life.state.status == Status::Paused && named(life));
        paused.map(|(id, _)| id.clone()).collect()
    }

    /// That nothing is done for a mission that stands still or has ended, whatever a model still reads.
    pub fn check_may_act(&self, id: &MissionId) -> Result<(), OpError> {
        match self.status(id) {
            None | Some(Status::Active) => Ok(()),
            Some(status) => {
                Err(OpError::new(AgentCode::MissionNotLive, format!("The mission {id} is {}.", status.as_str())))
            }
        }
    }

    /// The activated texts, for the system text of a turn: each vouched for by the person who activated it.
    pub fn told(&self) -> Option<String> {
        let lives = lock(&self.lives);
        let active = lives.iter().filter(|(_, life)| life.state.status == Status::Active);
        let (mut told, mut left_out) = (String::new(), Vec::new());
        for (id, life) in active {
            let Some(Version { file, .. }) = &life.version else { continue };
            let robots: Vec<&str> = file.robots.iter().map(RobotId::as_str).collect();
            let robots = if robots.is_empty() { "none".to_owned() } else { robots.join(", ") };
            let phase = life.state.phase.as_str();
            let mut block = format!("[Mission {id}: {}; {phase}; robots: {robots}]\n", file.title);
            if life.is_live() {
                block.push_str(&cut_at_line(file.body.trim(), TOLD_OF_ONE_CHARS_MAX));
                block.push('\n');
            }
            if told.chars().count() + block.chars().count() > TOLD_CHARS_MAX {
                left_out.push(id.as_str());
            } else {
                told.push_str(&block);
            }
        }
        if !left_out.is_empty() {
            told.push_str(&format!("+{} more: {}\n", left_out.len(), left_out.join(", ")));
        }
        (!told.is_empty()).then_some(told)
    }
}

impl Life {
    fn is_live(&self) -> bool {
        self.state.status == Status::Active && self.state.phase == Phase::Live
    }

    fn stored(&self, id: &MissionId) -> StoredMission {
        let State { status, phase, cause } = &self.state;
        StoredMission {
            id: id.to_string(),
            status: status.as_str().to_owned(),
            phase: phase.as_str().to_owned(),
            cause: cause.as_ref().and_then(|cause| serde_json::to_string(cause).ok()),
            since_ms: self.since_ms,
            activation: self.version.as_ref().map(|version| version.activation.clone()),
            row_version: self.row_version,
        }
    }
}

/// A stored mission; `None` if something in it is not what this program writes.
fn life(stored: StoredMission) -> Option<(MissionId, Life)> {
    let id = MissionId::new(stored.id).ok()?;
    let status = Status::ALL.into_iter().find(|status| status.as_str() == stored.status)?;
    let phase = Phase::ALL.into_iter().find(|phase| phase.as_str() == stored.phase)?;
    let cause = stored.cause.map(|cause| serde_json::from_str::<Cause>(&cause)).transpose().ok()?;
    let version = stored.activation.map(|activation| {
        let file = missions::MissionFile::read(id.clone(), &activation.source).ok()?;
        Some(Version { activation, file })
    });
    let version = match version {
        Some(None) => return None,
        Some(Some(version)) => Some(version),
        None => None,
    };
    let state = State { status, phase, cause };
    Some((id, Life { state, since_ms: stored.since_ms, version, row_version: stored.row_version }))
}

/// Hash that names a text: SHA-256 in hexadecimal.
fn hash_of(source: &str) -> String {
    Sha256::digest(source.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `text` up to the last line that ends within `chars_max` characters, with a mark if something is missing.
fn cut_at_line(text: &str, chars_max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(chars_max) else { return text.to_owned() };
    let kept = text.get(..end).unwrap_or_default();
    let kept = kept.rsplit_once('\n').map_or(kept, |(whole, _)| whole);
    format!("{kept}\n[cut]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ml_31_a_long_text_is_cut_at_a_line_with_a_mark() {
        assert_eq!(cut_at_line("one\ntwo\nthree", 9), "one\ntwo\n[cut]");
        assert_eq!(cut_at_line("one\ntwo", 7), "one\ntwo");
        assert_eq!(cut_at_line("äöü", 2), "äö\n[cut]");
    }
}
