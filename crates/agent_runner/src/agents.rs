//! The agents of a station. Each has a folder, a database, a world and a queue of turns of its own; nothing is
//! shared between them but samples in flight.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use memory::notes::NoteFiles;
use memory::{AgentDb, Restored};
use robot::AgentId;
use serde_json::json;
use world::cron::Zone;

use crate::code::AgentCode;
use crate::models::ledger::Ledger;
use crate::models::model_health::Health;
use crate::recall::beliefs::Beliefs;
use crate::recall::embeddings::Embeddings;
use crate::recall::episodes::Episodes;
use crate::recall::removal::Eraser;
use crate::recall::reviews::Reviews;
use crate::runner::AgentError;
use crate::runner::AgentRunner;
use crate::schedule::Jobs;
use crate::storage_state::{LeftAt, StorageState};
use crate::turn_runner::TurnRunner;
use runtime::clock::Clock;
use runtime::config::{AgentFolders, ConfigError};
use runtime::error::OpError;
use runtime::lock::{read, write};
use runtime::secrets::redaction::Redaction;
use runtime::session::Session;
use runtime::wire::{AgentRow, word};
use sensing::AgentWorld;

/// The most agents of a station.
pub(crate) const AGENTS_MAX: usize = 16;
/// The agent that the first start makes.
const FIRST_AGENT: &str = "main";

/// One agent with everything that is its own.
pub struct AgentUnit {
    /// Its id.
    pub id: AgentId,
    /// Its folders.
    pub folders: AgentFolders,
    /// Its database.
    pub db: AgentDb,
    /// Its world state, and the rules over it.
    pub world: Arc<AgentWorld>,
    /// Its turns, one after another.
    pub turns: TurnRunner,
    pub(crate) beliefs: Arc<Beliefs>,
    /// Its memory of events.
    pub episodes: Arc<Episodes>,
    /// Takes out what is forgotten, one request after the other.
    pub(crate) eraser: Arc<tokio::sync::Mutex<Eraser>>,
    pub(crate) storage: StorageState,
    /// Times of its database and backup, as the last run left them; none at its first start.
    pub(crate) left: Option<LeftAt>,
    /// Restoration of a damaged database at this start; none if nothing was damaged.
    pub(crate) restored: Option<Restored>,
    /// Its work at set times.
    pub jobs: Jobs,
    pub(crate) notes: NoteFiles,
    pub(crate) reviews: Reviews,
    pub(crate) ledger: Ledger,
    pub(crate) embeddings: Arc<Embeddings>,
    pub(crate) health: Health,
}

/// All agents by id; at least one.
pub struct Agents {
    units: RwLock<BTreeMap<AgentId, Arc<AgentUnit>>>,
    /// The folder of their folders. Held while one is made, so that two calls cannot make the same.
    pub(crate) folder: tokio::sync::Mutex<PathBuf>,
}

impl AgentUnit {
    /// Opens its files; it does nothing before it is started.
    pub(crate) async fn open(
        id: AgentId,
        agents: &Path,
        clock: Clock,
        zone: Zone,
        redaction: &Redaction,
    ) -> Result<Self, AgentError> {
        let folders = AgentFolders::create(agents, &id)?;
        // Before the database is opened, which changes the times of its files.
        let left = LeftAt::of(&folders.root, clock.now().wall_ms);
        let (db, restored) = AgentDb::open_or_restore(&folders.root.join("memory.db"), clock.now().wall_ms).await?;
        // Before anything is read: what an earlier run began to forget must not be loaded once more.
        let mut eraser = Eraser::new(&folders, db.clone());
        eraser.take_out_unfinished().await?;
        let ledger = Ledger::new(db.clone(), clock, zone);
        let embeddings = Arc::new(Embeddings::new(id.clone(), db.clone(), ledger.clone()));
        let logs = folders.daily_logs.clone();
        let episodes = Arc::new(Episodes::new(logs, clock.zone(), clock, redaction.clone()));
        let eraser = Arc::new(tokio::sync::Mutex::new(eraser));
        let beliefs = Arc::new(Beliefs::new(id.clone(), db.clone(), Arc::clone(&episodes), Arc::clone(&eraser)));
        Ok(Self {
            world: Arc::new(AgentWorld::new(id.clone(), db.clone())),
            id,
            db: db.clone(),
            turns: TurnRunner::open(&folders, &db, clock.now()).await?,
            beliefs,
            episodes,
            eraser,
            storage: StorageState::default(),
            left,
            restored,
            jobs: Jobs::default(),
            notes: NoteFiles::in_folder(&folders.root),
            ledger,
            health: Health::default(),
            embeddings,
            reviews: Reviews::new(db),
            folders,
        })
    }

    pub(crate) fn row(&self, runner: &AgentRunner) -> AgentRow {
        let settings = runner.models.of_agent(&self.id);
        let offline = self.offline();
        AgentRow {
            id: self.id.clone(),
            session: self.turns.session(),
            preset: word(&self.policy(runner).preset),
            model: self.model(runner),
            provider: settings.provider,
            side: settings.side,
            embedding: settings.embedding,
            recall: self.embeddings.recall(&runner.models),
            offline_kind: offline.as_ref().map(|error| error.kind),
            offline: offline.map(|error| error.message),
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
    pub async fn open(agents: &Path, clock: Clock, zone: Zone, redaction: &Redaction) -> Result<Self, AgentError> {
        let failed = |source| ConfigError::File { path: agents.to_owned(), source };
        let mut ids = Vec::new();
        for folder in std::fs::read_dir(agents).map_err(failed)? {
            let folder = folder.map_err(failed)?;
            let id = folder.file_name().to_str().and_then(|name| AgentId::new(name).ok());
            match id {
                Some(id) if folder.file_type().map_err(failed)?.is_dir() => ids.push(id),
                // A stray file must not keep the station from starting.
                Some(_) | None => tracing::warn!(path = %folder.path().display(), "no agent's folder"),
            }
        }
        if ids.is_empty() {
            ids.push(AgentId::new(FIRST_AGENT)?);
        }
        let mut units = BTreeMap::new();
        for id in ids {
            units.insert(id.clone(), Arc::new(AgentUnit::open(id, agents, clock, zone.clone(), redaction).await?));
        }
        Ok(Self { units: RwLock::new(units), folder: tokio::sync::Mutex::new(agents.to_owned()) })
    }

    /// Every agent, by id.
    pub fn all(&self) -> Vec<Arc<AgentUnit>> {
        read(&self.units).values().cloned().collect()
    }

    /// The agent called `id`.
    pub fn get(&self, id: &AgentId) -> Result<Arc<AgentUnit>, OpError> {
        let found = read(&self.units).get(id).cloned();
        found.ok_or_else(|| OpError::not_found(AgentCode::AgentNotFound, "agent", id))
    }

    /// The agent a call is about: the caller itself, the one it names, or the only one. There is no default.
    pub fn meant_by(&self, by: &Session) -> Result<Arc<AgentUnit>, OpError> {
        if let Some(id) = by.agent() {
            return self.get(id);
        }
        let mut all = self.all();
        match all.pop() {
            Some(only) if all.is_empty() => Ok(only),
            // Any guess could put the words into the wrong memory.
            last => {
                let ids: Vec<String> = all.iter().chain(&last).map(|agent| agent.id.to_string()).collect();
                let message = format!("Name the agent in the field agent: one of {}.", ids.join(", "));
                Err(OpError::bad_input(AgentCode::AgentRequired, "agent", message)
                    .with(json!({ "path": "agent", "agents": ids })))
            }
        }
    }

    /// The first by id.
    pub fn first(&self) -> Result<Arc<AgentUnit>, OpError> {
        let first = read(&self.units).values().next().cloned();
        first.ok_or_else(|| OpError::not_found(AgentCode::AgentNotFound, "agent", FIRST_AGENT))
    }

    /// The agent that a screen shows: the one its call is about, or the first.
    pub fn shown_to(&self, by: &Session) -> Result<Arc<AgentUnit>, OpError> {
        match by.agent() {
            Some(id) => self.get(id),
            None => self.first(),
        }
    }

    /// Puts one among them.
    pub(crate) fn insert(&self, agent: Arc<AgentUnit>) {
        write(&self.units).insert(agent.id.clone(), agent);
    }

    /// Closes their files; later calls fail.
    pub async fn close(&self) {
        for agent in self.all() {
            agent.db.close().await;
        }
    }
}
