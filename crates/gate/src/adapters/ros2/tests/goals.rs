//! The adapter towards an action server, without the network: its contract, and what only goals have.

use bridge::envelope::{Failure, Status};
use bridge::state::Velocity;
use robot::{Manifest, RawJoints, RawMotion, RawPoseGoal, UnitQuaternion};
use safety::{JointPositions, Pose};

use super::*;
use crate::adapter::{JointReading, Reading};
use crate::adapters::ros2::goals::{Answer, Ending, GoalState, Server as GoalServer};
use crate::adapters::ros2::message::{GoalStatus, GoalStatusArray, IdBytes, StatusInfo};
use crate::adapters::ros2::outbox::{Called, Calls, Errand, Target};
use crate::tests::{Behaviour, ROVER, Stage, drive_at, goal_at};

const FOREIGN: GoalId = [0xfe; 16];

/// A robot under an action server, by the messages that would go over the network: a base, or an arm of one joint that
/// slides.
pub struct GoalBench<const ARM: bool> {
    clock: ClockFn,
    number: u64,
    /// The numbers of messages, with the goal or the stop that each was.
    goals: Vec<(u64, GoalId)>,
    stops: Vec<(u64, u64)>,
    /// Every goal that was taken, with its state and its place.
    known: Vec<(GoalId, GoalState, f64)>,
    wanted: Vec<(GoalId, f64)>,
}

const BASE: &str = "velocity = \"odom\"\nnavigate = \"navigate_to_pose\"\n";
const ARM: &str =
    "joints = \"joint_states\"\ntrajectory = \"controller/follow_joint_trajectory\"\nstop_service = [\"halt\"]\n";

/// The rover's manifest with an arm in place of its base.
fn arm_manifest() -> Manifest {
    const JOINT: &str = "joints = [{ name = \"slide\", position_m = [-30.0, 40.0], velocity_mps = 1.0, acceleration_mps2 = 1.0, reach_m = 1.0 }]\n";
    let text = ROVER
        .replace("kind = \"base\"", "kind = \"tool\"")
        .replace("path = \"segment\"\n", &format!("path = \"own\"\n{JOINT}"));
    // A joint goal is judged as a ball, which needs room above and below too.
    let roomy = text.replace("velocity\"", "joints\"").replace("[-1.0, 1.0]", "[-10.0, 10.0]");
    Manifest::parse(&roomy, "rover-9").unwrap()
}

/// An adapter without the threads that would send and hear.
pub fn adapter(more: &str, robot: Robot) -> Ros2Adapter {
    let text = format!("transport = \"dds\"\npose = {{ odom = \"odom\" }}\n{more}");
    let (wiring, heard): (Ros2Wiring, _) = (toml::from_str(&text).unwrap(), Arc::<Inbound>::default());
    let server = GoalServer { is_there: true, limits_speed: true, client: None };
    heard.with_goals(|goals| goals.note_server(server));
    let watcher = Ros2Watcher::of(heard, &wiring, Arc::default());
    Ros2Adapter::of(watcher, Arc::default(), &wiring, robot)
}

fn slide(x_m: f64, speed_mps: f64) -> JointReading {
    let positions = JointPositions { names: ["slide".parse().unwrap()].into(), positions: [x_m].into() };
    JointReading { positions, speeds: Some([speed_mps].into()) }
}

fn measured(heard: &Inbound, arm: bool, (stamp_ms, x_m, speed_mps): (f64, f64, f64), arrived: Instant) {
    let rotation = UnitQuaternion::IDENTITY;
    let frame = "map".parse().unwrap();
    let pose = Pose { frame, position_m: [if arm { 0.0 } else { x_m }, 0.0, 0.0], orientation: Some(rotation) };
    let velocity = Velocity { linear_mps: [speed_mps, 0.0, 0.0], angular_radps: [0.0; 3] };
    let motion = if arm { ReadingValue::Joints(slide(x_m, speed_mps)) } else { ReadingValue::Velocity(velocity) };
    let reading = |value| Reading { stamp_ms, arrived, value };
    heard.readings([ReadingValue::Pose(pose), motion].map(reading).into(), Some((rotation, arrived)));
}

fn slide_to(x_m: f64, speed_mps: f64) -> RawMotion {
    let (names, positions_rad) = (vec!["slide".parse().unwrap()], vec![x_m]);
    RawMotion::Joints(RawJoints { names, positions_rad, speed_radps: Some(speed_mps) })
}

impl<const ARM: bool> GoalBench<ARM> {
    fn tell(&self, heard: &Inbound) {
        let number = |state: GoalState| (0..7).find(|number| GoalState::of(*number) == Some(state)).unwrap();
        let status = |(id, state, _): &'_ (GoalId, GoalState, f64)| (id.to_vec(), number(*state));
        let known: Vec<(Vec<u8>, i8)> = self.known.iter().map(status).collect();
        let list = known
            .iter()
            .map(|(uuid, status)| GoalStatus { goal_info: StatusInfo { goal_id: IdBytes { uuid } }, status: *status });
        heard.with_goals(|goals| goals.note_states(&GoalStatusArray { status_list: list.collect() })).unwrap();
    }

    fn end(&mut self, heard: &Inbound, state: GoalState, which: impl Fn(GoalId, f64) -> bool) {
        for (id, known, x_m) in self.known.iter_mut().filter(|(id, state, x_m)| !state.is_over() && which(*id, *x_m)) {
            *known = state;
            let (id, _) = (*id, *x_m);
            heard.with_goals(|goals| goals.note_answer(id, Answer::Result(Ending::new(state, 0, ""))));
        }
        self.tell(heard);
    }

    fn ack(&mut self, adapter: &Ros2Adapter, number: u64) {
        let heard = &adapter.watcher.heard;
        if let Some((_, goal)) = self.goals.iter().find(|(asked, _)| *asked == number) {
            let (id, x_m) = *self.wanted.iter().find(|(id, _)| id == goal).unwrap();
            self.known.push((id, GoalState::Executing, x_m));
            heard.with_goals(|goals| goals.note_answer(id, Answer::Taken(true)));
            self.tell(heard);
        }
        if let Some((_, episode)) = self.stops.iter().find(|(asked, _)| *asked == number) {
            adapter.outbox.answered(*episode);
            // Somebody else sends theirs again and again.
            self.end(heard, GoalState::Canceled, |id, _| id != FOREIGN);
        }
    }
}

impl<const ARM: bool> Bench for GoalBench<ARM> {
    type Adapter = Ros2Adapter;
    const REFRESHES: bool = false;
    const TAKES_VELOCITIES: bool = false;
    // Somewhere in the ball is a place beyond the workspace.
    const TOO_FAR: Reason = if ARM { Reason::NotProvable } else { Reason::Workspace };

    fn manifest() -> Manifest {
        if ARM { arm_manifest() } else { Manifest::parse(ROVER, "rover-9").unwrap() }
    }

    fn goal(x_m: f64, speed_mps: f64) -> RawMotion {
        if ARM { slide_to(x_m, speed_mps) } else { goal_at(x_m, speed_mps) }
    }

    fn open(clock: &ClockFn) -> (Self, Ros2Adapter) {
        let (goals, stops, known, wanted) = Default::default();
        let adapter = if ARM { adapter(self::ARM, Robot::of(&arm_manifest())) } else { adapter(BASE, base()) };
        (Self { clock: ClockFn::clone(clock), number: 0, goals, stops, known, wanted }, adapter)
    }

    fn say(&mut self, adapter: &mut Ros2Adapter, said: Vec<Said>) {
        let heard = Arc::clone(&adapter.watcher.heard);
        for said in said {
            match said {
                Said::State { stamp_ms, x_m, speed_mps } => {
                    measured(&heard, ARM, (stamp_ms, x_m, speed_mps), (self.clock)().station);
                    self.end(&heard, GoalState::Succeeded, |id, to_m| id != FOREIGN && x_m >= to_m);
                }
                Said::Ack(number) => self.ack(adapter, number),
                Said::Failed(number) => {
                    if self.stops.iter().any(|(asked, _)| *asked == number) {
                        heard.fault(GateFault::StopRefused);
                    }
                }
                Said::Foreign(name) => {
                    self.known.retain(|(id, ..)| *id != FOREIGN);
                    self.known.extend(name.as_ref().map(|_| (FOREIGN, GoalState::Executing, f64::MAX)));
                    // Its name as the graph would show it.
                    let client = name.map(|name| format!("/{name}"));
                    let server = GoalServer { is_there: true, limits_speed: true, client };
                    heard.with_goals(|goals| goals.note_server(server));
                    self.tell(&heard);
                }
            }
        }
    }

    fn sent(&mut self, adapter: &mut Ros2Adapter) -> Vec<Sent> {
        let Errand { calls, cancel, ends, goal } = adapter.outbox.errand(None, Duration::ZERO).unwrap();
        let mut sent = Vec::new();
        if let Some(number) = cancel {
            adapter.outbox.has_cancelled(number);
            let episode = calls.map_or_else(|| self.stops.last().unwrap().1, |calls| calls.episode);
            if self.stops.last().is_none_or(|(_, known)| *known != episode) {
                self.number += 1;
                self.stops.push((self.number, episode));
            }
            sent.push(Sent::Stop(self.number));
        }
        if let Some(Calls { episode, which: Called::Only(place) }) = calls {
            if self.stops.last().is_none_or(|(_, known)| *known != episode) {
                self.number += 1;
                self.stops.push((self.number, episode));
            }
            sent.push(Sent::Alone { number: self.number, means: adapter.means().stops[place].clone() });
        }
        self.end(&adapter.watcher.heard, GoalState::Canceled, |id, _| ends.contains(&id));
        if let Some(going) = goal {
            self.number += 1;
            self.goals.push((self.number, going.goal));
            let (x_m, speed_mps) = match going.target {
                Target::Pose { pose, speed_mps, .. } => (pose.position.x, speed_mps),
                Target::Joints(trajectory) => (trajectory.to[0], trajectory.speed),
            };
            self.wanted.push((going.goal, x_m));
            sent.push(Sent::Move { number: self.number, speed_mps });
        }
        sent
    }
}

#[test]
fn rg_27_a_goal_is_done_when_the_server_says_so() {
    let mut stage = Stage::<GoalBench<false>>::armed(Behaviour::Obedient);
    assert_eq!(stage.command(goal_at(1.5, 0.4)), Some(Status::Running));
    stage.beats(300);
    assert_eq!(stage.last_status(), Some(Status::Done));
    let sent = stage.taken();
    assert!(matches!(sent[..], [Sent::Move { speed_mps: 0.4, .. }]), "{sent:?}");
}

#[test]
fn rg_27_a_goal_in_the_place_of_another_leaves_once_that_has_ended() {
    let mut stage = Stage::<GoalBench<false>>::armed(Behaviour::Obedient);
    stage.command(goal_at(8.0, 0.4));
    stage.beats(10);
    stage.taken();
    assert_eq!(stage.command(goal_at(5.0, 0.3)), Some(Status::Running));
    assert_eq!(stage.taken(), [], "the goal of before still moves it");
    stage.beats(3);
    assert!(matches!(stage.taken()[..], [Sent::Move { speed_mps: 0.3, .. }]));
}

#[test]
fn rg_27_a_goal_that_is_taken_only_after_the_stop_is_cancelled_though_the_robot_stands() {
    let mut stage = Stage::<GoalBench<false>>::armed(Behaviour::Late);
    stage.command(goal_at(8.0, 0.4));
    stage.beats(1);
    stage.hold();
    stage.beats(40);
    assert_eq!(stage.robot_mps(), 0.0);
    let open = stage.adapter().watcher.heard.with_goals(|goals| goals.open().count());
    assert_eq!((open, stage.adapter().own.is_left()), (0, false));
}

#[test]
fn rg_27_without_a_listener_for_the_speed_only_goals_at_the_robot_s_own_speed_pass() {
    let mut stage = Stage::<GoalBench<false>>::armed(Behaviour::Obedient);
    let server = GoalServer { is_there: true, limits_speed: false, client: None };
    stage.adapter().watcher.heard.with_goals(|goals| goals.note_server(server));
    assert_eq!(stage.command(goal_at(5.0, 0.4)), Some(Status::Refused(Reason::NotProvable)));
    stage.beats(50);
    assert_eq!(stage.command(goal_at(5.0, 0.5)), Some(Status::Running));
    stage.adapter().watcher.heard.with_goals(|goals| goals.note_server(GoalServer::default()));
    stage.beats(2);
    assert!(stage.has_fault(GateFault::Unreachable));
}

#[test]
fn rg_27_a_goal_is_driven_to_no_faster_than_it_was_judged_and_never_without_a_limit() {
    let goal = |speed_mps, duration_s| {
        let position_m = vec![1.5, 0.0, 0.0];
        RawMotion::PoseGoal(RawPoseGoal { position_m, orientation: None, speed_mps, duration_s })
    };
    let mut stage = Stage::<GoalBench<false>>::armed(Behaviour::Obedient);
    assert_eq!(stage.command(goal(Some(0.0), None)), Some(Status::Refused(Reason::MissingVelocity)));
    stage.beats(50);
    stage.taken();
    assert_eq!(stage.command(goal(None, Some(10.0))), Some(Status::Running));
    stage.beats(1);
    let sent = stage.taken();
    let [Sent::Move { speed_mps, .. }] = sent[..] else { panic!("{sent:?}") };
    assert!((speed_mps - 0.3).abs() < 1e-6, "1.5 m in 10 s: {speed_mps}");
}

#[test]
fn rg_15_rg_27_facts_say_what_hold_and_stop_mean_and_velocities_need_their_topic() {
    let goals = adapter(BASE, base());
    assert!(goals.facts().hold.starts_with("every goal of the action cancelled") && !goals.means().takes_velocities);
    let both = adapter(&format!("{BASE}cmd_vel = {{ topic = \"cmd_vel\" }}\n"), base());
    assert!(both.facts().hold.contains("and zeros") && both.means().takes_velocities);
    let mut stage = Stage::<GoalBench<false>>::armed(Behaviour::Obedient);
    assert_eq!(stage.command(drive_at(0.3)), Some(Status::Refused(Reason::KeepsMoving)));
}

#[test]
fn rg_28_a_joint_goal_is_done_when_the_controller_says_so_and_in_the_time_that_its_limits_need() {
    let mut stage = Stage::<GoalBench<true>>::armed(Behaviour::Obedient);
    assert_eq!(stage.command(slide_to(1.5, 0.4)), Some(Status::Running));
    stage.beats(300);
    assert_eq!(stage.last_status(), Some(Status::Done));
    assert!(matches!(stage.taken()[..], [Sent::Move { speed_mps: 0.4, .. }]));
}

#[test]
fn rg_28_a_joint_goal_in_the_place_of_another_has_failed_once_the_joints_have_left_where_it_was_judged() {
    let mut stage = Stage::<GoalBench<true>>::armed(Behaviour::Late);
    stage.command(slide_to(5.0, 0.4));
    stage.beats(50);
    stage.taken();
    assert_eq!(stage.command(slide_to(1.0, 0.3)), Some(Status::Running));
    stage.beats(5);
    assert_eq!(stage.last_status(), Some(Status::Failed(Failure::ByRobot)));
    stage.beats(100);
    assert!(!stage.taken().iter().any(|sent| matches!(sent, Sent::Move { .. })));
}

#[test]
fn rg_28_without_fresh_joints_near_the_place_of_the_judgement_nothing_leaves() {
    let mut stage = Stage::<GoalBench<true>>::armed(Behaviour::Obedient);
    let heard = Arc::clone(&stage.adapter().watcher.heard);
    let now = Instant::from_millis(stage.ms.load(Ordering::SeqCst));
    measured(&heard, true, (1e9, 0.02, 0.0), now);
    assert_eq!(stage.command(slide_to(1.0, 0.3)), Some(Status::Refused(Reason::NotProvable)), "it has moved since");
}

#[test]
fn rg_28_a_lost_controller_is_a_fault_and_an_arm_that_is_not_ready_takes_no_goal() {
    let mut stage = Stage::<GoalBench<true>>::armed(Behaviour::Obedient);
    stage.adapter().needs_ready = true;
    assert_eq!(stage.command(slide_to(1.0, 0.3)), Some(Status::Refused(Reason::NotArmed)));
    stage.adapter().needs_ready = false;
    stage.beats(50);
    assert_eq!(stage.command(slide_to(1.0, 0.3)), Some(Status::Running));
    stage.adapter().watcher.heard.with_goals(|goals| goals.note_server(GoalServer::default()));
    stage.beats(2);
    assert!(stage.has_fault(GateFault::Unreachable));
}

#[test]
fn rg_15_rg_28_facts_of_an_arm_say_what_hold_and_stop_mean() {
    let arm = adapter(ARM, Robot::of(&arm_manifest()));
    assert!(arm.facts().hold.contains("trajectory controller") && arm.facts().stop.contains("\"stop\""));
    assert!(!arm.means().takes_velocities && arm.facts().base_timeout.starts_with("none"));
}
