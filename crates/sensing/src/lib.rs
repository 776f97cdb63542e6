//! Runs the world state of every agent. Samples come in through [`Feeds`], become entries by the contexts of an agent
//! ([`Ingest`]), make its rules fire ([`Rules`]), and are written behind; alarms of rules and of the station are one
//! list ([`Alarms`]).
//!
//! It knows neither robots nor agents: the belief that a sample deserves comes through [`Sources`], and a rule that
//! fires wakes somebody through [`Waker`].

mod alarms;
mod cameras;
mod clockwork;
mod code;
mod ingest;
mod maps;
mod newest;
pub mod operations;
mod rules;
mod surroundings;
mod watched;

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use cameras::{Cameras, Detectors};
use maps::Maps;
use memory::AgentDb;
use robot::AgentId;
use runtime::Runtime;
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::{read, write};

pub use alarms::Alarms;
pub use cameras::Picture;
pub use code::SensingCode;
pub use ingest::{Declared, Feeds, InForce, Ingest, News, awaited_row, explain, history, row, test, topics, watch};
pub use rules::{FireRecord, Rules};
pub use surroundings::{Sources, Waker};

/// The world state of one agent, and the rules over it.
pub struct AgentWorld {
    /// The agent.
    pub id: AgentId,
    /// Its database.
    pub db: AgentDb,
    /// Its world state, and the contexts that fill it.
    pub ingest: Ingest,
    /// Consequences of its rules.
    pub rules: Rules,
}

impl AgentWorld {
    /// An empty world.
    pub fn new(id: AgentId, db: AgentDb) -> Self {
        Self { id, db, ingest: Ingest::default(), rules: Rules::default() }
    }
}

/// The worlds of a station's agents, the samples that fill them, and the alarms.
pub struct Sensing {
    /// The services of the station.
    pub runtime: Arc<Runtime>,
    /// Received samples, by key expression.
    pub feeds: Feeds,
    /// Alarms of rules and of the station itself.
    pub alarms: Alarms,
    /// Cameras that somebody looks at.
    cameras: Cameras,
    detectors: Detectors,
    /// Maps that somebody looks at.
    maps: Maps,
    worlds: RwLock<BTreeMap<AgentId, Arc<AgentWorld>>>,
    sources: Arc<dyn Sources>,
    waker: Arc<dyn Waker>,
}

impl Sensing {
    /// Without a world.
    pub fn new(runtime: Arc<Runtime>, sources: Arc<dyn Sources>, waker: Arc<dyn Waker>) -> Arc<Self> {
        let alarms = Alarms::new(runtime.clock, Arc::clone(&runtime.bus));
        Arc::new(Self {
            runtime,
            feeds: Feeds::default(),
            alarms,
            cameras: Cameras::default(),
            detectors: Detectors::default(),
            maps: Maps::default(),
            worlds: RwLock::default(),
            sources,
            waker,
        })
    }

    /// Takes up the world of an agent.
    pub fn add(&self, world: Arc<AgentWorld>) {
        write(&self.worlds).insert(world.id.clone(), world);
    }

    /// Writes what waits for the disk of `agent`: its world state, what its rules did, and alarms. A disk that does
    /// not take it gets it later.
    pub async fn save_waiting(&self, agent: &AgentWorld) {
        // Processed first, so that the resulting records are part of the write below.
        agent.rules.deal(self, agent);
        tokio::join!(ingest::write_waiting(self, agent), agent.rules.save(agent), Alarms::save(self));
    }

    /// Every world, by agent.
    fn worlds(&self) -> Vec<Arc<AgentWorld>> {
        read(&self.worlds).values().cloned().collect()
    }

    /// The world of an agent.
    fn world(&self, agent: &AgentId) -> Result<Arc<AgentWorld>, OpError> {
        let being_made =
            || OpError::new(RuntimeCode::Busy, format!("The agent {agent} is being made. Try again soon."));
        read(&self.worlds).get(agent).cloned().ok_or_else(being_made)
    }
}
