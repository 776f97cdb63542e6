//! The plainest adapter there can be, which sends velocities again and again as ROS 2 wants them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use bridge::ClockFn;
use bridge::envelope::GateFault;
use bridge::state::Velocity;
use robot::{ActuatorId, Command, Instant, Motion, StopMeans};
use safety::{Approved, Pose};

use super::bench::{Bench, Said, Sent};
use crate::adapter::{
    Adapter, Begun, Events, Facts, Means, Reading, ReadingValue, SetPoints, StopEvidence, StopKind, StopSender, Watcher,
};

pub struct MockBench;

/// One whose robot has several means of stopping.
pub struct MeansBench(MockBench);

fn means() -> Vec<StopMeans> {
    vec![StopMeans::Zeros, StopMeans::Lock, StopMeans::Service("/stop".to_owned())]
}

#[derive(Default)]
pub struct MockAdapter {
    outbox: Arc<Outbox>,
    number: u64,
    stop: Option<(u64, u64, bool)>,
    events: Events,
    arrived: Instant,
    foreign: Option<String>,
    stops: Vec<StopMeans>,
    /// It moves none of the manifest's actuators.
    pub moves_nothing: bool,
    /// Nothing that it sends leaves.
    pub is_blocked: bool,
    /// Time that each call takes, that the sending of velocities takes beyond that, and the clock that shows it.
    pub takes_ms: u64,
    pub refresh_takes_ms: u64,
    pub ms: Arc<AtomicU64>,
}

#[derive(Default)]
struct Outbox(Mutex<Vec<Sent>>);

impl StopSender for Outbox {
    fn send(&self) {
        self.0.lock().unwrap().push(Sent::Stop(u64::MAX));
    }
}

impl MockAdapter {
    fn pass_time(&self) {
        self.ms.fetch_add(self.takes_ms, Ordering::SeqCst);
    }

    fn send(&self, sent: Sent) {
        self.outbox.0.lock().unwrap().push(sent);
    }
}

impl Watcher for MockAdapter {
    fn facts(&self) -> Facts {
        Facts { adapter: "mock", hold: "", stop: "", last_to_command: "", base_timeout: "", foreign: "" }
    }

    fn means(&self) -> Means {
        Means { stops: self.stops.clone(), base_timeout: None, takes_velocities: true, takes_joints: true }
    }

    fn poll(&mut self, now: Instant) -> Events {
        self.pass_time();
        self.arrived = now;
        Events { foreign: self.foreign.clone(), ..std::mem::take(&mut self.events) }
    }
}

/// Speed of a motion in one direction.
pub fn speed_of(motion: &Motion) -> f64 {
    match motion {
        Motion::Velocity { linear_mps, .. } => linear_mps[0],
        Motion::PoseGoal { speed_mps, .. } => speed_mps.unwrap(),
        Motion::Path { .. } | Motion::Joints { .. } | Motion::Gripper { .. } | Motion::Switch { .. } => 0.0,
        Motion::Escape { .. } => 0.0,
    }
}

impl Adapter for MockAdapter {
    fn is_settled(&self) -> bool {
        true
    }

    fn moves(&self, _: &ActuatorId) -> bool {
        !self.moves_nothing
    }

    fn begin(&mut self, approved: &Approved<Command>, _: Instant) -> Begun {
        self.pass_time();
        self.number += 1;
        self.stop = None;
        self.send(Sent::Move { number: self.number, speed_mps: speed_of(&approved.command().motion) });
        Begun::Running
    }

    fn refresh(&mut self, in_force: &SetPoints, _: Instant) {
        self.pass_time();
        self.ms.fetch_add(self.refresh_takes_ms, Ordering::SeqCst);
        in_force.iter().for_each(|_| self.send(Sent::SetPoint));
    }

    fn stop(&mut self, _: StopKind, episode: u64, _: Instant) -> StopEvidence {
        if self.stop.is_none_or(|(stopped, ..)| stopped != episode) {
            self.number += 1;
            self.stop = Some((episode, self.number, false));
        }
        self.pass_time();
        let (_, number, is_answered) = self.stop.unwrap();
        if self.is_blocked {
            return StopEvidence::Waiting;
        }
        self.send(Sent::Stop(number));
        if is_answered { StopEvidence::RobotAnswered } else { StopEvidence::Sent }
    }

    fn stop_by(&mut self, means: &StopMeans, episode: u64, _: Instant) -> StopEvidence {
        if self.stop.is_none_or(|(stopped, ..)| stopped != episode) {
            self.number += 1;
            self.stop = Some((episode, self.number, false));
        }
        let (_, number, is_answered) = self.stop.unwrap();
        self.send(Sent::Alone { number, means: means.clone() });
        if is_answered { StopEvidence::RobotAnswered } else { StopEvidence::Waiting }
    }

    fn fall_silent(&mut self) {}

    fn stop_sender(&self) -> Arc<dyn StopSender> {
        Arc::<Outbox>::clone(&self.outbox)
    }
}

impl Bench for MockBench {
    type Adapter = MockAdapter;
    const REFRESHES: bool = true;

    fn open(_: &ClockFn) -> (Self, MockAdapter) {
        (Self, MockAdapter::default())
    }

    fn say(&mut self, adapter: &mut MockAdapter, said: Vec<Said>) {
        for said in said {
            match said {
                Said::State { stamp_ms, x_m, speed_mps } => {
                    let frame = "map".parse().unwrap();
                    let pose = Pose { frame, position_m: [x_m, 0.0, 0.0], orientation: None };
                    let velocity = Velocity { linear_mps: [speed_mps, 0.0, 0.0], angular_radps: [0.0; 3] };
                    let arrived = adapter.arrived.plus(std::time::Duration::from_millis(20));
                    adapter.events.readings.extend(
                        [ReadingValue::Pose(pose), ReadingValue::Velocity(velocity)].map(|value| Reading {
                            stamp_ms,
                            arrived,
                            value,
                        }),
                    );
                }
                Said::Ack(number) => {
                    if let Some(stop) = adapter.stop.as_mut().filter(|(_, sent, _)| *sent == number) {
                        stop.2 = true;
                    }
                }
                Said::Failed(number) => {
                    if adapter.stop.is_some_and(|(_, sent, _)| sent == number) {
                        adapter.events.faults.push(GateFault::StopRefused);
                    }
                }
                Said::Foreign(name) => adapter.foreign = name,
            }
        }
    }

    fn sent(&mut self, adapter: &mut MockAdapter) -> Vec<Sent> {
        std::mem::take(&mut *adapter.outbox.0.lock().unwrap())
    }
}

impl Bench for MeansBench {
    type Adapter = MockAdapter;
    const REFRESHES: bool = true;

    fn open(clock: &ClockFn) -> (Self, MockAdapter) {
        let (bench, adapter) = MockBench::open(clock);
        (Self(bench), MockAdapter { stops: means(), ..adapter })
    }

    fn say(&mut self, adapter: &mut MockAdapter, said: Vec<Said>) {
        self.0.say(adapter, said);
    }

    fn sent(&mut self, adapter: &mut MockAdapter) -> Vec<Sent> {
        self.0.sent(adapter)
    }
}
