//! The agents of a station. Each has a folder, a database, a world and a queue of turns of its own; nothing is shared between
//! them but samples in flight.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, RwLock};

use agent::Preset;
use memory::notes::NoteFiles;
use memory::{AgentDb, Restored};
use robot::AgentId;
use serde_json::json;
use world::cron::Zone;

use crate::agent_model::Health;
use crate::beliefs::{self, Beliefs};
use crate::code::StationCode;
use crate::embeddings::{self, Meaning};
use crate::episodes::{self, Episodes};
use crate::ledger::Ledger;
use crate::missions::{self, Missions};
use crate::missions_folder::MissionFiles;
use crate::reviews::Reviews;
use crate::schedule::Jobs;
use crate::station::Station;
use crate::storage_maintenance::{self, LeftAt, Upkeep};
use crate::toolbox::CallRate;
use crate::turn_runner::TurnRunner;
use crate::{StartError, forget};
use runtime::clock::Clock;
use runtime::config::{AgentFolders, ConfigError, ModelChoice};
use runtime::error::OpError;
use runtime::lock::{read, write};
use runtime::redaction::Redaction;
use runtime::session::Session;
use runtime::wire::{AgentRow, Tag, word};
use sensing::{AgentWorld, Rules};

/// The most agents of a station.
const AGENTS_MAX: usize = 16;
/// The agent that the first start makes.
const FIRST_AGENT: &str = "main";

/// One agent with everything that is its own.
pub struct AgentUnit {
    pub(crate) id: AgentId,
    pub(crate) folders: AgentFolders,
    pub(crate) db: AgentDb,
    /// Its world state, and the rules over it.
    pub(crate) world: Arc<AgentWorld>,
    pub(crate) turns: TurnRunner,
    pub(crate) beliefs: Beliefs,
    pub(crate) episodes: Episodes,
    pub(crate) upkeep: Upkeep,
    /// Times of its database and backup, as the last run left them; none at its first start.
    left: Option<LeftAt>,
    /// Restoration of a damaged database at this start; none if nothing was damaged.
    restored: Option<Restored>,
    pub(crate) jobs: Jobs,
    pub(crate) notes: NoteFiles,
    pub(crate) reviews: Reviews,
    pub(crate) call_rate: CallRate,
    /// Missions that somebody has activated or ended; the others are files only.
    pub(crate) lives: Missions,
    /// The mission files, as they were last read.
    pub(crate) mission_files: MissionFiles,
    pub(crate) ledger: Ledger,
    pub(crate) meaning: Meaning,
    pub(crate) health: Health,
}

/// All agents by id; at least one.
#[derive(Default)]
pub(crate) struct Agents {
    units: RwLock<BTreeMap<AgentId, Arc<AgentUnit>>>,
    /// Held while one is made, so that two calls cannot make the same.
    making: tokio::sync::Mutex<()>,
}

impl AgentUnit {
    async fn open(
        id: AgentId,
        agents: &Path,
        (clock, zone): (Clock, Zone),
        redaction: &Redaction,
    ) -> Result<Self, StartError> {
        let folders = AgentFolders::create(agents, &id)?;
        let left = LeftAt::of(&folders.root, clock.now().wall_ms);
        let (db, restored) = AgentDb::open_or_restore(&folders.root.join("memory.db"), clock.now().wall_ms).await?;
        // Before anything is read that shall not be read any more.
        forget::take_out_unfinished(&folders, &db).await?;
        let logs = folders.daily_logs.clone();
        Ok(Self {
            world: Arc::new(AgentWorld::new(id.clone(), db.clone())),
            id,
            db: db.clone(),
            turns: TurnRunner::open(&folders, &db, clock.now()).await?,
            beliefs: Beliefs::default(),
            episodes: Episodes::new(logs, clock.zone(), clock, redaction.clone()),
            upkeep: Upkeep::default(),
            left,
            restored,
            jobs: Jobs::default(),
            notes: NoteFiles::in_folder(&folders.root),
            ledger: Ledger::new(db.clone(), clock, zone),
            health: Health::default(),
            meaning: Meaning::default(),
            reviews: Reviews::new(db),
            call_rate: CallRate::default(),
            lives: Missions::default(),
            mission_files: MissionFiles::default(),
            folders,
        })
    }

    /// Takes up what its database holds, and starts taking turns.
    async fn start(self: &Arc<Self>, station: &Arc<Station>) -> Result<(), StartError> {
        episodes::start(station, self);
        if let Some(left) = self.left {
            storage_maintenance::tell_unsaved(station, self, left);
        }
        storage_maintenance::start(station, self);
        self.ledger.load().await?;
        self.beliefs.load(station, (&self.id, &self.db)).await?;
        beliefs::start(station, self);
        self.world.rules.load(&self.world).await?;
        station.sensing.alarms.load_agent(&self.world).await?;
        forget::finish_unfinished(station, self).await;
        if let Some(restored) = &self.restored {
            storage_maintenance::tell_restored(station, self, restored, storage_maintenance::AT_START);
        }
        self.world.ingest.load(&station.sensing, &self.world).await?;
        self.lives.load(station, self).await?;
        missions::watch(station, self);
        Rules::start(&station.sensing, &self.world);
        self.jobs.load(station, self).await?;
        embeddings::start(station, self);
        self.turns.start(station, self);
        self.jobs.start(station, self);
        Ok(())
    }

    pub(crate) fn row(&self, station: &Station) -> AgentRow {
        let settings = station.models.of_agent(&self.id);
        AgentRow {
            id: self.id.clone(),
            session: self.turns.session(),
            preset: word(&self.policy(station).preset),
            model: self.model(station),
            provider: settings.provider,
            side: settings.side,
            embedding: settings.embedding,
            recall: self.meaning.recall(station, self),
            offline: self.offline(),
            reading: self.health.reading.shown(),
            compact: self.health.reading.compact(),
            mode: self.turns.mode(),
            running: self.turns.running(),
            paused: self.turns.paused(),
        }
    }
}

impl Agents {
    /// Opens every agent that has a folder. A link in the place of a folder is no agent.
    pub async fn open(agents: &Path, (clock, zone): (Clock, Zone), redaction: &Redaction) -> Result<Self, StartError> {
        let failed = |source| ConfigError::File { path: agents.to_owned(), source };
        let mut ids = Vec::new();
        for folder in std::fs::read_dir(agents).map_err(failed)? {
            let folder = folder.map_err(failed)?;
            let id = folder.file_name().to_str().and_then(|name| AgentId::new(name).ok());
            match id {
                Some(id) if folder.file_type().map_err(failed)?.is_dir() => ids.push(id),
                Some(_) | None => tracing::warn!(path = %folder.path().display(), "no agent's folder"),
            }
        }
        if ids.is_empty() {
            ids.push(AgentId::new(FIRST_AGENT)?);
        }
        let mut units = BTreeMap::new();
        for id in ids {
            units.insert(id.clone(), Arc::new(AgentUnit::open(id, agents, (clock, zone.clone()), redaction).await?));
        }
        Ok(Self { units: RwLock::new(units), ..Self::default() })
    }

    pub async fn start(&self, station: &Arc<Station>) -> Result<(), StartError> {
        for agent in self.all() {
            station.sensing.add(Arc::clone(&agent.world));
            agent.start(station).await?;
        }
        Ok(())
    }

    /// Every agent, by id.
    pub fn all(&self) -> Vec<Arc<AgentUnit>> {
        read(&self.units).values().cloned().collect()
    }

    pub fn get(&self, id: &AgentId) -> Result<Arc<AgentUnit>, OpError> {
        let found = read(&self.units).get(id).cloned();
        found.ok_or_else(|| OpError::not_found(StationCode::AgentNotFound, "agent", id))
    }

    /// The agent a call is about: the caller itself, the one it names, or the only one. There is no default.
    pub fn meant_by(&self, by: &Session) -> Result<Arc<AgentUnit>, OpError> {
        if let Some(id) = by.agent() {
            return self.get(id);
        }
        let mut all = self.all();
        match all.pop() {
            Some(only) if all.is_empty() => Ok(only),
            last => {
                let ids: Vec<String> = all.iter().chain(&last).map(|agent| agent.id.to_string()).collect();
                let message = format!("Name the agent in the field agent: one of {}.", ids.join(", "));
                Err(OpError::bad_input(StationCode::AgentRequired, "agent", message)
                    .with(json!({ "path": "agent", "agents": ids })))
            }
        }
    }

    /// The first by id.
    pub fn first(&self) -> Result<Arc<AgentUnit>, OpError> {
        let first = read(&self.units).values().next().cloned();
        first.ok_or_else(|| OpError::not_found(StationCode::AgentNotFound, "agent", FIRST_AGENT))
    }

    /// The agent that a screen shows: the one its call is about, or the first.
    pub fn shown_to(&self, by: &Session) -> Result<Arc<AgentUnit>, OpError> {
        match by.agent() {
            Some(id) => self.get(id),
            None => self.first(),
        }
    }

    /// Makes an agent; it takes messages when this returns.
    pub async fn create(
        &self,
        station: &Arc<Station>,
        id: AgentId,
        (preset, model): (Preset, Option<ModelChoice>),
    ) -> Result<AgentRow, OpError> {
        let _making = self.making.lock().await;
        if self.get(&id).is_ok() {
            return Err(OpError::new(StationCode::AgentExists, format!("There is an agent {id} already.")));
        }
        if self.all().len() >= AGENTS_MAX {
            return Err(OpError::limit_reached(AGENTS_MAX, format!("A station takes at most {AGENTS_MAX} agents.")));
        }
        // Before it takes its first message.
        station.models.settle(station, &id, (preset, model)).await?;
        let (folder, clocks) = (&station.runtime.layout.agents, (station.runtime.clock, station.runtime.zone.clone()));
        let made = AgentUnit::open(id.clone(), folder, clocks, &station.runtime.redaction).await;
        let agent = Arc::new(made.map_err(not_made)?);
        station.runtime.bus.events().take_up(Some(&agent.id), agent.db.events().await?);
        agent.start(station).await.map_err(not_made)?;
        write(&self.units).insert(id, Arc::clone(&agent));
        station.sensing.add(Arc::clone(&agent.world));
        station.runtime.bus.changed(Tag::Agents);
        Ok(agent.row(station))
    }

    /// Closes their files; later calls fail.
    pub async fn close(&self) {
        for agent in self.all() {
            agent.db.close().await;
        }
    }
}

fn not_made(error: StartError) -> OpError {
    OpError::new(StationCode::AgentNotMade, format!("The agent was not made: {error}."))
}
