//! A fleet of one robot, on a real link and a real database, with nobody around it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bridge::envelope::{Ack, Status, Subject};
use robot::{Instant, Manifest, MissionId, RobotId};
use safety::fallback::{FallbackClass, FallbackStep};
use safety::machine::{CauseSet, State};
use world::alarm::{BuiltIn, Of};

use crate::code::FleetCode;
use crate::fleet::{Fleet, Lanes, Parts};
use crate::limit_sets::LimitSets;
use crate::state::commands::Step;
use crate::state::robot_handle::RobotHandle;
use crate::state::submission::Submission;
use crate::surroundings::{MissionRobots, Objector, Observer, PressedStop};
use crate::{arming, stops, supervision};
use runtime::clock::{Clock, ClockShift};
use runtime::config::{SafetySettings, Settings};
use runtime::error::OpError;
use runtime::secrets::KeyStore;
use runtime::session::Session;
use runtime::wire::{LinkState, ProposalReason};

#[path = "../../runtime/tests/support/runtime.rs"]
mod runtime_of_tests;

pub(crate) use runtime_of_tests::open_audit;
use runtime_of_tests::runtime_in;

/// A mission that nobody knows.
pub(crate) const UNKNOWN: &str = "unknown";
/// A mission that stands still.
pub(crate) const HALTED: &str = "halted";

/// The manifest of a robot of one switch.
const GATE: &str = include_str!("test_support/gate-1.toml");

/// Objects to nothing but two missions, and follows nothing but stops.
#[derive(Default)]
struct Nobody {
    /// Voiding waits for its end.
    voiding_waits: Mutex<Option<Receiver<()>>>,
    voided: Mutex<Vec<PressedStop>>,
    turns_ended: AtomicUsize,
}

impl Objector for Nobody {
    fn check_mission(&self, id: &MissionId) -> Result<(), OpError> {
        if id.as_str() == UNKNOWN { Err(OpError::new(FleetCode::NoSuchCause, "Nobody knows it.")) } else { Ok(()) }
    }

    fn mission_halt(&self, submission: &Submission) -> Option<String> {
        let mission = submission.raw.mission_id.as_ref().filter(|mission| mission.as_str() == HALTED);
        mission.map(|mission| format!("{mission} stands still"))
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
    fn end_turns(&self, _: &Session) {
        self.turns_ended.fetch_add(1, Ordering::SeqCst);
    }
    fn void_after_stop(&self, stop: &PressedStop) {
        let waits = self.voiding_waits.lock().unwrap().take();
        if let Some(end) = waits {
            // Its end is that the other side is gone.
            let _ = end.recv();
        }
        self.voided.lock().unwrap().push(stop.clone());
    }
    fn void_of(&self, _: Option<&Session>, _: &RobotId, _: &ProposalReason) {}
    fn void_all(&self, _: &Session, _: &ProposalReason) {}
    fn pause_missions(&self, _: FallbackClass) {}
    fn further_steps(&self, _: &RobotId, _: FallbackClass) -> Vec<FallbackStep> {
        Vec::new()
    }
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
    shift: &'static ClockShift,
    nobody: Arc<Nobody>,
    /// Removes the files when the test ends.
    _folder: tempfile::TempDir,
}

impl Rig {
    /// A robot of one switch, which never answers.
    pub async fn start_with_gate() -> Self {
        Self::start(GATE.to_owned(), Settings::parse("").unwrap().safety).await
    }

    /// The same, which takes one command a second to its actuator, besides those that come at once.
    pub async fn start_with_slow_gate() -> Self {
        let settings = SafetySettings { command_rate_hz: 1, ..SafetySettings::default() };
        Self::start(GATE.to_owned(), settings).await
    }

    /// A robot of one switch that has no gate of its own.
    pub async fn start_with_gateless_robot() -> Self {
        let manifest = GATE.lines().filter(|line| !line.starts_with("public_key"));
        let manifest: Vec<&str> =
            manifest.map(|line| if line.starts_with("gate =") { "gate = \"none\"" } else { line }).collect();
        Self::start(manifest.join("\n"), Settings::parse("").unwrap().safety).await
    }

    /// A robot of one switch with this replaced in its manifest, at a station that gives everything a minute or longer:
    /// how busy the machine is makes no difference. What must hold for a while holds for five seconds.
    pub async fn start_patient(replaced: &[(&str, &str)]) -> Self {
        let manifest = replaced.iter().fold(GATE.to_owned(), |manifest, (from, to)| manifest.replace(from, to));
        let settings = SafetySettings {
            beat_late_ms: 60_000,
            beat_lost_ms: 180_000,
            healthy_ms: 5_000,
            hold_max_ms: 3_600_000,
            absence_ms: 60_000,
            approved_ms: 1_000,
            goal_ttl_ms: 1_500,
            judge_deadline_us: 5_000,
            ..SafetySettings::default()
        };
        let rig = Self::start(manifest, settings).await;
        let runtime = &rig.fleet.runtime;
        runtime.audit.start_anchoring(runtime.db.clone(), KeyStore::Environment);
        runtime.audit.check_whole(&runtime.db).await.unwrap();
        rig
    }

    /// A robot that is armed: its gate has confirmed everything, and has answered all the while.
    pub async fn start_armed() -> Self {
        let rig = Self::start_patient(&[]).await;
        rig.answer();
        let (fleet, robot, station) = (Arc::clone(&rig.fleet), rig.unit.id().clone(), rig.fleet.runtime.id.clone());
        let arms = async move { arming::arm(&fleet, &Session::bootstrap(), &robot, arming::Purpose::Work(None)).await };
        let task = rig.fleet.runtime.tasks.spawn(arms);
        while !task.is_finished() {
            let subject = Subject::Claim { station: station.clone(), epoch: rig.unit.control().epoch };
            let (robot, status) = (rig.unit.id().clone(), Status::Received);
            let ack = Ack { robot, subject, status, claimed_by: None, speed_mps: None, standstill: false };
            // Nobody listens before the claim is put.
            let _ = rig.fleet.acks.send(Arc::new(ack));
            // The time passes once the claim is in force.
            if rig.unit.state() == State::Arming && rig.unit.fence.has_epoch() {
                rig.pass_s(1);
            }
            supervision::step(&rig.fleet, &rig.unit, CauseSet::EMPTY, None);
            tokio::task::yield_now().await;
        }
        assert_eq!(task.await.unwrap().unwrap().state, State::Armed);
        rig
    }

    async fn start(manifest: String, settings: SafetySettings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let shift: &'static ClockShift = Box::leak(Box::default());
        let runtime = runtime_in(folder.path(), Clock::shifted(shift)).await;
        let stops = stops::take_up_left(&runtime.db, &runtime.audit).await.unwrap();
        runtime.audit.start(runtime.db.clone());
        let limit_sets = LimitSets::load(&runtime.db, &runtime.audit, 0).await;
        let nobody = Arc::<Nobody>::default();
        let parts = Parts {
            settings,
            stops,
            limit_sets,
            rejects: Arc::default(),
            unclean: false,
            lanes: Lanes::start().unwrap(),
            objector: nobody.clone(),
            observer: nobody.clone(),
        };
        let fleet = Fleet::new(runtime, parts);
        fleet.add_robot(Manifest::parse(&manifest, "gate-1").unwrap(), false).await.unwrap();
        let unit = fleet.unit(&RobotId::new("gate-1").unwrap()).unwrap();
        Self { fleet, unit, shift, nobody, _folder: folder }
    }

    /// Another robot of one switch, which never answers.
    pub async fn add_with_gate(&self, id: &str) -> Arc<RobotHandle> {
        let manifest = Manifest::parse(&GATE.replace("gate-1", id), id).unwrap();
        self.fleet.add_robot(manifest, false).await.unwrap();
        self.fleet.unit(&RobotId::new(id).unwrap()).unwrap()
    }

    /// The records of `operation` in the audit, oldest first.
    pub async fn records(&self, operation: &str) -> Vec<serde_json::Value> {
        self.fleet.runtime.audit.settle().await;
        let lines = self.fleet.runtime.db.audit_after(0, 10_000).await.unwrap();
        let records = lines.iter().map(|line| serde_json::from_str::<serde_json::Value>(&line.record).unwrap());
        records.filter(|record| record["operation"] == operation).collect()
    }

    /// The next stop voids nothing before what this gives is dropped.
    pub fn keep_from_voiding(&self) -> SyncSender<()> {
        let (kept, end) = sync_channel(1);
        *self.nobody.voiding_waits.lock().unwrap() = Some(end);
        kept
    }

    /// The stops that have voided what waited to move a robot, in the order in which they did.
    pub fn voided(&self) -> Vec<PressedStop> {
        self.nobody.voided.lock().unwrap().clone()
    }

    /// Times that a stop ended the agents' turns.
    pub fn turns_ended(&self) -> usize {
        self.nobody.turns_ended.load(Ordering::SeqCst)
    }

    /// The moment it is at the station.
    pub fn now(&self) -> Instant {
        self.fleet.runtime.clock.now().station
    }

    /// So many seconds pass at the station, and the robot's gate answers only at their end.
    pub fn pass_s(&self, s: u64) {
        self.shift.suspend(Duration::from_secs(s));
        self.answer();
    }

    /// So many seconds pass at the station, and nothing is heard of the robot.
    pub fn pass_silent_s(&self, s: u64) {
        self.shift.suspend(Duration::from_secs(s));
    }

    /// The robot's gate answers.
    pub fn answer(&self) {
        self.unit.control().beats.last_answer = Some(self.now());
    }
}

/// Tasks are done within this time, or the test fails.
const DONE_WITHIN: Duration = Duration::from_secs(60);

/// Waits until `holds`.
pub(crate) async fn until(what: &str, holds: impl Fn() -> bool) {
    let waiting = async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    };
    assert!(tokio::time::timeout(DONE_WITHIN, waiting).await.is_ok(), "{what}");
}
