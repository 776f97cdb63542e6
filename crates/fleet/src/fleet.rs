//! The robots of a station, with everything that decides whether one may move.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, RwLock};

use bridge::BridgeError;
use bridge::envelope::Ack;
use memory::MemoryError;
use robot::{Instant, MissionId, RobotId};
use tokio::sync::broadcast;

use crate::code::FleetCode;
use crate::control::presence::Presence;
use crate::state::commands::Commands;
use crate::state::fallback_runs::Fallbacks;
use crate::state::leases::Resources;
use crate::state::limit_store::LimitSets;
use crate::state::reject_counters::RejectCounters;
use crate::state::robot_handle::RobotHandle;
use crate::state::stop_records::Stops;
use crate::state::verdicts::Verdicts;
use crate::surroundings::{Objector, Observer};
use runtime::Runtime;
use runtime::config::{ConfigError, SafetySettings};
use runtime::error::OpError;
use runtime::lock::read;
use runtime::stop_lane::StopLane;
use runtime::wire::{Fact, ManifestFault, Mode, RobotSafety, SafetyStatus, Stop, Tag};

/// Acknowledgements a slow waiter may fall behind.
const ACKS_MAX: usize = 256;

/// Failure to take up the robots.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// The folder of manifests.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Storage.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Zenoh.
    #[error(transparent)]
    Bridge(#[from] BridgeError),
}

/// The threads of stops.
pub struct Lanes {
    /// Stops, holds and disarming run here, and nothing else.
    stops: StopLane,
    /// Consequences of a stop run here.
    after: StopLane,
}

impl Lanes {
    /// Starts the threads.
    ///
    /// # Errors
    ///
    /// The system gives no thread.
    pub fn start() -> io::Result<Self> {
        Ok(Self { stops: StopLane::start("stops")?, after: StopLane::start("after-stops")? })
    }
}

/// The parts that a fleet begins with: what earlier runs have left, and the rest of the station.
pub struct Parts {
    /// Settings of the safety engine that the site has chosen.
    pub settings: SafetySettings,
    /// Stops of earlier runs.
    pub stops: Stops,
    /// Constraints that were registered.
    pub limit_sets: LimitSets,
    /// Counters of what could not be used.
    pub rejects: Arc<RejectCounters>,
    /// The last run ended while a robot could move.
    pub unclean: bool,
    /// The threads of stops.
    pub lanes: Lanes,
    /// Objects to commands.
    pub objector: Arc<dyn Objector>,
    /// Acts on what happens to robots.
    pub observer: Arc<dyn Observer>,
}

/// Every robot of a station, and what its commands and stops go through.
pub struct Fleet {
    /// The services of the station.
    pub runtime: Arc<Runtime>,
    /// Settings of the safety engine that the site has chosen.
    pub settings: SafetySettings,
    /// Open stops.
    pub stops: Stops,
    /// Steps after repeated refusals and failures.
    pub fallbacks: Fallbacks,
    /// Commands of this run, each with the step it has reached.
    pub commands: Commands,
    /// The newest verdicts.
    pub verdicts: Verdicts,
    /// Leases of robots, actuators and zones.
    pub resources: Resources,
    /// Windows, and whether somebody looks at them.
    pub presence: Arc<Presence>,
    /// Counters of what arrived and could not be used.
    pub rejects: Arc<RejectCounters>,
    /// The limits in force.
    pub limit_sets: LimitSets,
    /// The thread on which stops run.
    pub stop_lane: StopLane,
    /// The thread on which what follows a stop runs.
    pub(crate) after_stops: StopLane,
    /// Acknowledgements of gates, for those who wait for one.
    pub(crate) acks: broadcast::Sender<Arc<Ack>>,
    pub(crate) unclean: bool,
    pub(crate) objector: Arc<dyn Objector>,
    pub(crate) observer: Arc<dyn Observer>,
    /// The folder of manifests, locked while a robot is added or removed, so that manifests and robots fit.
    pub manifests: tokio::sync::Mutex<PathBuf>,
    pub(crate) units: RwLock<BTreeMap<RobotId, Arc<RobotHandle>>>,
    pub(crate) unusable: RwLock<BTreeMap<String, ManifestFault>>,
}

impl Fleet {
    /// A fleet without robots.
    pub fn new(runtime: Arc<Runtime>, parts: Parts) -> Arc<Self> {
        let Parts { settings, stops, limit_sets, rejects, unclean, lanes, objector, observer } = parts;
        let clock = runtime.clock;
        Arc::new(Self {
            settings,
            stops,
            fallbacks: Fallbacks::default(),
            commands: Commands::default(),
            verdicts: Verdicts::default(),
            resources: Resources::new(settings.lease_times(), clock, Arc::clone(&runtime.bus)),
            presence: Arc::new(Presence::new(&settings, clock.now().station)),
            rejects,
            limit_sets,
            stop_lane: lanes.stops,
            after_stops: lanes.after,
            acks: broadcast::channel(ACKS_MAX).0,
            unclean,
            objector,
            observer,
            manifests: tokio::sync::Mutex::new(runtime.layout.robots.clone()),
            units: RwLock::default(),
            unusable: RwLock::default(),
            runtime,
        })
    }

    /// Every robot with a valid manifest, by id.
    pub fn units(&self) -> Vec<Arc<RobotHandle>> {
        read(&self.units).values().cloned().collect()
    }

    /// One robot with a valid manifest.
    ///
    /// # Errors
    ///
    /// [`FleetCode::RobotNotFound`], or [`FleetCode::ManifestInvalid`] where its manifest is refused.
    pub fn unit(&self, robot: &RobotId) -> Result<Arc<RobotHandle>, OpError> {
        let found = read(&self.units).get(robot).cloned();
        found.ok_or_else(|| match self.unusable().get(robot.as_str()) {
            Some(error) => {
                OpError::new(FleetCode::ManifestInvalid, format!("The manifest of {robot} is refused: {error}."))
            }
            None => OpError::not_found(FleetCode::RobotNotFound, "robot", robot),
        })
    }

    /// Manifest files that cannot be used, with what is wrong with them.
    pub fn unusable(&self) -> BTreeMap<String, ManifestFault> {
        read(&self.unusable).clone()
    }

    /// LIVE as soon as one known robot is real.
    pub fn mode(&self) -> Mode {
        let units = self.units();
        // One real robot among simulated ones can hurt a person, so it decides the mode.
        if !units.is_empty() && units.iter().all(|unit| unit.simulated) { Mode::Sim } else { Mode::Live }
    }

    /// The safety state of every robot, and the open stops.
    pub fn safety_status(&self) -> SafetyStatus {
        let now = self.runtime.clock.now().station;
        let robots: Vec<RobotSafety> = self.units().iter().map(|unit| unit.safety(now)).collect();
        let stops = self.open_stops();
        SafetyStatus { mode: self.mode(), station: self.runtime.id.clone(), robots, stopped: !stops.is_empty(), stops }
    }

    /// Open stops as screens see them, oldest first.
    pub fn open_stops(&self) -> Vec<Stop> {
        self.stops.open_rows(&self.units(), self.runtime.clock.now().station)
    }

    /// Tells every window the safety state of `units`.
    pub fn tell_safety(&self, units: &[Arc<RobotHandle>]) {
        let now = self.runtime.clock.now().station;
        for unit in units {
            self.runtime.bus.fact(Fact::RobotSafety { safety: unit.safety(now) }, Some(Tag::Robots));
        }
        self.runtime.bus.changed(Tag::Safety);
    }

    /// When each robot was last heard, by its state or its gate.
    pub(crate) fn signs_of_life(&self) -> BTreeMap<RobotId, Instant> {
        let heard = self.units().into_iter().filter_map(|unit| {
            let last = unit.measurements().last_heard.max(unit.control().beats.last_answer)?;
            Some((unit.id().clone(), last))
        });
        heard.collect()
    }

    /// The missions that name `robot`; one that cannot be read is left out.
    pub fn missions_with(&self, robot: &RobotId) -> Vec<MissionId> {
        let named = self.objector.mission_robots().into_iter();
        let has = |robots: &Option<BTreeSet<RobotId>>| robots.as_ref().is_some_and(|robots| robots.contains(robot));
        named.filter(|(_, robots)| has(robots)).map(|(mission, _)| mission).collect()
    }

    /// The robot that speaks below `key_expr`.
    pub fn robot_of(&self, key_expr: &str) -> Option<RobotId> {
        let speaks = |unit: &&Arc<RobotHandle>| {
            let rest = key_expr.strip_prefix(unit.manifest.site.as_str()).and_then(|rest| rest.strip_prefix('/'));
            // The chunk has to end there, or `rover-1` would speak for `rover-10`.
            rest.and_then(|rest| rest.strip_prefix(unit.id().as_str())).is_some_and(|rest| rest.starts_with('/'))
        };
        self.units().iter().find(speaks).map(|unit| unit.id().clone())
    }

    /// The robot with a key whose state is said on `key_expr`.
    pub fn signer_of(&self, key_expr: &str) -> Option<Arc<RobotHandle>> {
        read(&self.units).values().find(|unit| unit.signs(key_expr)).cloned()
    }

    /// Closes every fence: the station ends, and nothing leaves any more.
    pub fn engage_fences(&self) {
        for unit in self.units() {
            unit.fence.engage();
        }
    }

    /// Ends the threads of stops.
    pub fn end_lanes(&self) {
        self.stop_lane.end();
        self.after_stops.end();
    }
}
