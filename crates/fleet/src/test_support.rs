//! A fleet of one robot, on a real link and a real database, with nobody around it.

use std::sync::Arc;

use robot::{Instant, Manifest, MissionId, RobotId};
use safety::fallback::FallbackClass;
use world::alarm::{BuiltIn, Of};

use crate::commands::Step;
use crate::fleet::{Fleet, Lanes, Parts};
use crate::gate::Submission;
use crate::limit_sets::LimitSets;
use crate::robot_handle::RobotHandle;
use crate::stops;
use crate::surroundings::{MissionRobots, Objector, Observer, PressedStop};
use runtime::config::Settings;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::LinkState;

#[path = "../../runtime/tests/support/runtime.rs"]
mod runtime_of_tests;

pub(crate) use runtime_of_tests::open_audit;
use runtime_of_tests::runtime_in;

/// The manifest of a robot of one switch.
const GATE: &str = include_str!("test_support/gate-1.toml");

/// Objects to nothing, and follows nothing.
struct Nobody;

impl Objector for Nobody {
    fn check_mission(&self, _: &MissionId) -> Result<(), OpError> {
        Ok(())
    }

    fn mission_halt(&self, _: &Submission) -> Option<String> {
        None
    }

    fn mission_robots(&self) -> MissionRobots {
        MissionRobots::default()
    }
}

impl Observer for Nobody {
    fn set_alarm(&self, _: BuiltIn, _: &Of, _: Option<String>) {}
    fn note_alarm(&self, _: BuiltIn, _: &Of, _: String) {}
    fn note_forged(&self, _: &RobotId, _: String) {}
    fn note_stop_tested(&self, _: &RobotId) {}
    fn note_step(&self, _: &Step) {}
    fn note_link(&self, _: &RobotHandle, _: LinkState) {}
    fn end_turns(&self, _: &Session) {}
    fn void_after_stop(&self, _: &PressedStop) {}
    fn void_of(&self, _: Option<&Session>, _: &RobotId, _: &str) {}
    fn void_all(&self, _: &Session, _: &str) {}
    fn nothing_waits(&self) -> bool {
        true
    }
    fn alert_agents(&self, _: &RobotId, _: FallbackClass, _: &str, _: Instant) {}
    fn is_agent_in_turn(&self) -> bool {
        false
    }
}

pub(crate) struct Rig {
    pub fleet: Arc<Fleet>,
    pub unit: Arc<RobotHandle>,
    /// Removes the files when the test ends.
    _folder: tempfile::TempDir,
}

impl Rig {
    /// A robot of one switch, which never answers.
    pub async fn start_with_gate() -> Self {
        Self::start(GATE.to_owned()).await
    }

    /// A robot of one switch that has no gate of its own.
    pub async fn start_with_gateless_robot() -> Self {
        let manifest = GATE.lines().filter(|line| !line.starts_with("public_key"));
        let manifest: Vec<&str> =
            manifest.map(|line| if line.starts_with("gate =") { "gate = \"none\"" } else { line }).collect();
        Self::start(manifest.join("\n")).await
    }

    async fn start(manifest: String) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runtime = runtime_in(folder.path()).await;
        let stops = stops::take_up_left(&runtime.db, &runtime.audit).await.unwrap();
        runtime.audit.start(runtime.db.clone());
        let limit_sets = LimitSets::load(&runtime.db, &runtime.audit, 0).await;
        let parts = Parts {
            settings: Settings::parse("").unwrap().safety,
            stops,
            limit_sets,
            rejects: Arc::default(),
            unclean: false,
            lanes: Lanes::start().unwrap(),
            objector: Arc::new(Nobody),
            observer: Arc::new(Nobody),
        };
        let fleet = Fleet::new(runtime, parts);
        fleet.add_robot(Manifest::parse(&manifest, "gate-1").unwrap(), false).await.unwrap();
        let unit = fleet.unit(&RobotId::new("gate-1").unwrap()).unwrap();
        Self { fleet, unit, _folder: folder }
    }
}
