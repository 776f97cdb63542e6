//! Start of a station: folders, databases, limits, link, robots, providers, then the clockwork.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use bridge::signing::KeyError;
use bridge::{BridgeError, RefusedFn};
use files::{Failures, Swept};
use memory::{MemoryError, StationDb};
use robot::{IdError, StationId};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use world::alarm::{BuiltIn, Of};

use crate::access::{Pin, Tokens};
use crate::events;
use crate::finding::Scanner;
use crate::kept_config::{self, Accepted};
use crate::launcher::SimulatorLauncher;
use crate::network::{Network, Opened, open_link};
use crate::simulated::simulator::Simulator;
use crate::station::{Station, StationHost};
use crate::{clockwork, integrity, operations, station_alarms};
use agent_runner::tools::mcp::ToolServers;
use agent_runner::{AgentError, AgentRunner, Agents};
use fleet::RejectCounters;
use fleet::limit_sets::LimitSets;
use fleet::stops::{self, Stops};
use fleet::{Fleet, FleetError, Lanes, Objector, Observer, Parts};
use mission_runner::MissionRunner;
use runtime::Runtime;
use runtime::audit::{Audit, AuditEntry, Marks};
use runtime::clock::{self, Clock};
use runtime::config::{self, Config, ConfigError, ConfigFile, Layout};
use runtime::disk;
use runtime::error::OpError;
use runtime::event_bus::EventBus;
use runtime::identity;
use runtime::judgements::recordings::Recordings;
use runtime::secrets::Keys;
use runtime::secrets::redaction::Redaction;
use runtime::stop_lane::StopLane;
use sensing::{Alarms, Sensing, Sources, Waker};

/// The most that is shown of a refused key expression, characters.
const NAMED_CHARS_MAX: usize = 120;

/// Failure to start a station.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data directory or its `config.toml`.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The system gave no thread.
    #[error("the thread of stops could not be started")]
    StopLane(#[source] std::io::Error),
    /// Storage.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Zenoh.
    #[error(transparent)]
    Bridge(#[from] BridgeError),
    /// The station's own key.
    #[error("the station has no key to sign with")]
    Key(#[from] KeyError),
    /// A built-in id.
    #[error(transparent)]
    Id(#[from] IdError),
    /// The robots.
    #[error(transparent)]
    Fleet(#[from] FleetError),
    /// The agents.
    #[error(transparent)]
    Agents(#[from] AgentError),
    /// The simulator.
    #[error("the simulator could not be started: {0}")]
    Simulator(String),
}

impl Station {
    /// Brings a station up. With `config.with_sim` it returns once the simulated robots are known.
    pub async fn start(
        config: Config,
        launcher: Arc<dyn SimulatorLauncher>,
        tool_servers: Arc<dyn ToolServers>,
    ) -> Result<Arc<Self>, StartError> {
        Self::start_with_clock(config, launcher, tool_servers, Clock::start()).await
    }

    /// The same on another clock: everything of the station reads this one.
    pub async fn start_with_clock(
        config: Config,
        launcher: Arc<dyn SimulatorLauncher>,
        tool_servers: Arc<dyn ToolServers>,
        clock: Clock,
    ) -> Result<Arc<Self>, StartError> {
        let layout = Layout::create(&config.data_dir)?;
        // Before the first file is opened: a second process here would write to the same databases.
        let (held, found) = taken(&layout.root).await?;
        let db = StationDb::open(&layout.root.join("station.db")).await?;
        // After the database, whose record names the configuration that was accepted last (decision 0102).
        let (settings, kept) = kept_config::load(&db, &layout.root).await?;
        let (id, redaction) = (db.station_id(&fresh_station_id()?).await?, Redaction::from_environment());
        let keys = Keys::new(settings.secrets.store, redaction.clone());
        let agents = Agents::open(&layout.agents, clock, clock::time_zone(), &redaction).await?;
        // Read before this run can arm a robot, which sets it; a clean end has cleared it.
        let (unclean, tokens) = (db.motion_enabled().await?, Tokens::load(db.clone(), &id).await?);
        let marks = Marks::new(&layout.root, settings.secrets.store);
        let (audit, stops) = start_audit(&db, &id, clock, marks).await?;
        audit.start_anchoring(db.clone(), settings.secrets.store);
        let limit_sets = LimitSets::load(&db, &audit, clock.now().wall_ms).await;
        let (ended, tasks) = (CancellationToken::new(), TaskTracker::new());
        let (bus, rejects) = (Arc::new(EventBus::new(clock, ended.clone())), Arc::<RejectCounters>::default());
        let config_file = ConfigFile::in_folder(&config.data_dir, kept.text.clone());
        let certificates = db.network().await?;
        let Opened { link, problem } = open_link(&config, &settings, &certificates, clock).await?;
        let network = Network::new(certificates, &settings, problem, redaction.clone(), clock.now().wall_ms);
        let runtime = Arc::new(Runtime {
            recordings: start_recordings(&layout, &bus)?,
            id,
            key: identity::signing_key(settings.secrets.store).await?,
            clock,
            zone: clock::time_zone(),
            layout,
            redaction,
            key_store: settings.secrets.store,
            link: link.telling(of_wildcards(&bus, &rejects)),
            bus,
            db,
            audit,
            tasks,
            ended,
            tokio: tokio::runtime::Handle::current(),
        });
        let lanes = Lanes::start().map_err(StartError::StopLane)?;
        let words_lane = StopLane::start("words").map_err(StartError::StopLane)?;
        let (safety, approvals, storage) = (settings.safety, settings.approvals, settings.storage);
        // The parts call back into the station that owns them: a strong reference would keep it for ever.
        let station = Arc::new_cyclic(|station| {
            let own = StationHost::of(station);
            let (objector, observer) = (Arc::clone(&own) as Arc<dyn Objector>, Arc::clone(&own) as Arc<dyn Observer>);
            let (sources, waker) = (Arc::clone(&own) as Arc<dyn Sources>, Arc::clone(&own) as Arc<dyn Waker>);
            let fleet = Parts { settings: safety, stops, limit_sets, rejects, unclean, lanes, objector, observer };
            let sensing = Sensing::new(Arc::clone(&runtime), sources, waker);
            let host = own.for_agents();
            let parts = agent_runner::Parts { agents, settings, config_file, keys, tool_servers, host };
            Self {
                fleet: Fleet::new(Arc::clone(&runtime), fleet),
                runner: AgentRunner::new(Arc::clone(&runtime), Arc::clone(&sensing), parts),
                sensing,
                missions: MissionRunner::new(Arc::clone(&runtime), own.for_missions()),
                held,
                approvals,
                storage,
                proposals: Default::default(),
                simulator: Simulator::new(Arc::clone(&launcher), config.seed),
                scanner: Scanner::new(launcher),
                repeats: Default::default(),
                tokens,
                network: Arc::new(network),
                pairings: Arc::default(),
                admin_pin: Pin::stored_in(runtime.db.clone()),
                words_lane,
                runtime,
            }
        });
        station.run(config.with_sim, found, kept).await?;
        Ok(station)
    }

    /// Takes up what earlier runs have left, and starts everything that goes on by itself.
    async fn run(self: &Arc<Self>, with_sim: bool, found: Found, kept: Accepted) -> Result<(), StartError> {
        // Built now, so that the first stop does not wait for it.
        operations::table();
        events::load(self).await?;
        events::start(self);
        self.proposals.load(self).await?;
        self.fleet.load_robots().await?;
        clockwork::start(self);
        // Before any is raised: one that stood before the restart goes on as the same alarm.
        self.sensing.alarms.load(&self.sensing).await?;
        self.tell_found(&found);
        kept_config::start(self, kept).await;
        self.runner.start().await?;
        Alarms::start(&self.sensing);
        station_alarms::start(self);
        integrity::start(self);
        if with_sim {
            let failed = |error: OpError| StartError::Simulator(error.message);
            let agent = self.runner.agents.first().map_err(failed)?;
            self.simulator.start(self, &agent).await.map_err(failed)?;
        }
        // Last: a mission in force may name robots of the simulator.
        self.missions.check_activated().await;
        Ok(())
    }

    /// Raises or clears the alarm that others can reach what the station keeps, and tells of what a killed run has
    /// left.
    fn tell_found(&self, Found { open, swept }: &Found) {
        self.sensing.alarms.set(BuiltIn::FilesOpen, &Of::station(), open.count > 0, || {
            format!("The rights of others on {} files or folders could not be taken: {}.", open.count, open.in_words())
        });
        if swept.removed > 0 {
            let folders =
                swept.folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ");
            let sentence = format!(
                "The last run did not end cleanly: {} unfinished files were removed from {folders}. What they were to \
                 replace is as it was.",
                swept.removed
            );
            self.runtime.bus.event("unfinished_removed", sentence);
        }
        if swept.left.count > 0 {
            let sentence =
                format!("{} unfinished files could not be removed: {}.", swept.left.count, swept.left.in_words());
            self.runtime.bus.event("unfinished_left", sentence);
        }
    }
}

/// Takes up the audit and the stops of earlier runs. The end of the audit is checked before anything of this run
/// follows it.
async fn start_audit(
    db: &StationDb,
    id: &StationId,
    clock: Clock,
    marks: Marks,
) -> Result<(Arc<Audit>, Stops), MemoryError> {
    let audit = Arc::new(Audit::open(db, id.clone(), clock, marks).await?);
    audit.check_end(db).await?;
    let stops = stops::take_up_left(db, &audit).await?;
    audit.start(db.clone());
    record_start(&audit).await;
    Ok((audit, stops))
}

fn start_recordings(layout: &Layout, bus: &Arc<EventBus>) -> Result<Recordings, StartError> {
    let (folder, bus) = (layout.recordings.clone(), Arc::clone(bus));
    let tell = move |sentence| bus.event("recordings_lost", sentence);
    Recordings::start(folder.clone(), tell).map_err(|source| ConfigError::File { path: folder, source }.into())
}

/// The state in which the files of earlier runs were.
struct Found {
    /// Files and folders that others can still reach.
    open: Failures,
    /// Unfinished files of a killed run.
    swept: Swept,
}

/// Holds the data directory, removes what a killed run has left and closes everything else to others, whoever made
/// it. The directory itself may be a link.
async fn taken(root: &Path) -> Result<(File, Found), StartError> {
    let held = config::hold(root)?;
    let folder = root.to_owned();
    let looked = disk::blocking(move || {
        let root = std::fs::canonicalize(folder)?;
        Ok(Found { swept: files::sweep_below(&root), open: files::tighten(&root) })
    });
    // A folder that could not be looked at counts as open.
    let unknown = |error| Found { open: Failures::of(root, error), swept: Swept::default() };
    Ok((held, looked.await.unwrap_or_else(unknown)))
}

/// Watching and stopping need no record; whatever does is refused until the disk takes it.
async fn record_start(audit: &Audit) {
    let found = format!("last_seq={} version={}", audit.last_seq(), env!("CARGO_PKG_VERSION"));
    if let Err(error) = audit.commit(AuditEntry::by_station("start", "ok").about(found)).await {
        tracing::error!(%error, "the start is not on record");
    }
}

fn fresh_station_id() -> Result<StationId, IdError> {
    StationId::new(format!("station-{}", uuid::Uuid::now_v7().simple()))
}

/// Counts puts on wildcards and tells people of them, with their names as far as a line has room.
fn of_wildcards(bus: &Arc<EventBus>, rejects: &Arc<RejectCounters>) -> RefusedFn {
    let (bus, rejects) = (Arc::clone(bus), Arc::clone(rejects));
    Arc::new(move |key_expr| {
        if rejects.note_wildcard() {
            let named: String = key_expr.chars().take(NAMED_CHARS_MAX).collect();
            bus.event("wildcard_put", format!("A put on {named:?} was refused: it names no single key."));
        }
    })
}
