//! An arm of six joints under an action server of type `control_msgs/FollowJointTrajectory`, with the names of ur-1.gate.toml:
//! it moves its joints to the only point of a trajectory on a spline of the third degree, tells them on /joint_states and its
//! tool on /tf, and brakes for a cancelled goal, for its stop service and for "stop" on /trajectory_execution_event.
//!
//! `arm_server DOMAIN [reject] [abort] [late] [keep] [wrong] [idle] [still]`: `reject` refuses every goal, `abort` gives each up with
//! code -4 after a third of its time, `late` takes a goal only after two seconds, `keep` refuses to cancel and goes on, `wrong`
//! succeeds with code -5, `idle` says that it takes no goals, `still` measures no speeds. Each line that it writes says
//! what it was asked so far, and where its first joint is.

mod action_tasks;

use std::error::Error;

use action_tasks::{PERIOD, Tasks, latched, node, qos, run, topic};
use ros2_client::action::GoalStatusEnum;
use ros2_client::builtin_interfaces::Time;
use ros2_client::{
    Message, MessageTypeName, Name, Node, Publisher, Server, ServiceMapping, ServiceTypeName, Subscription,
};
use serde::{Deserialize, Serialize};

const JOINTS: [&str; 6] =
    ["elbow_joint", "shoulder_lift_joint", "shoulder_pan_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"];
/// Place of the joint that turns the whole arm.
const PAN: usize = 2;
/// Distance of the tool from the axis of that joint, and its height, metres.
const REACH_M: f64 = 0.3;
const HEIGHT_M: f64 = 0.7;
const BRAKES_RADPS2: f64 = 1.0;
/// Periods that a cancelled goal takes to end: the arm comes to stand meanwhile.
const CANCELS_FOR: u64 = 20;
const PATH_TOLERANCE: i32 = -4;
const GOAL_TOLERANCE: i32 = -5;

type Stamp = (i32, u32);
type Joints = [f64; 6];

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Header(Time, String);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Point(Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>, Stamp);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Trajectory(Header, Vec<String>, Vec<Point>);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Goal(Trajectory);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Outcome(i32, String);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Feedback(Header, Vec<String>, [Point; 3]);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct JointState(Header, Vec<String>, Vec<f64>, Vec<f64>, Vec<f64>);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Transform(Header, String, ([f64; 3], [f64; 4]));
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Transforms(Vec<Transform>);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Flag(bool);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Asked(u8);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Answered(bool, String);
impl Message for Goal {}
impl Message for Outcome {}
impl Message for Feedback {}
impl Message for JointState {}
impl Message for Transforms {}
impl Message for Flag {}
impl Message for Asked {}
impl Message for Answered {}
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CancelAsked([u8; 16], Stamp);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CancelAnswered(i8, Vec<u8>);
impl Message for CancelAsked {}
impl Message for CancelAnswered {}

/// The spline that the joints follow.
struct Spline {
    from: Joints,
    to: Joints,
    time_s: f64,
    takes_s: f64,
}

impl Spline {
    fn of(goal: &Goal, at: Joints) -> Option<Self> {
        let Goal(Trajectory(_, names, points)) = goal;
        let [Point(positions, _, _, _, (sec, nanosec))] = points.as_slice() else { return None };
        let mut to = at;
        for (name, position) in names.iter().zip(positions) {
            to[JOINTS.iter().position(|joint| joint == name)?] = *position;
        }
        Some(Self { from: at, to, time_s: 0.0, takes_s: f64::from(*sec) + f64::from(*nanosec) / 1e9 })
    }

    /// Positions and speeds after another period.
    fn step(&mut self) -> (Joints, Joints) {
        self.time_s += PERIOD.as_secs_f64();
        let share = (self.time_s / self.takes_s).min(1.0);
        let (way, pace) = (share * share * (3.0 - 2.0 * share), 6.0 * share * (1.0 - share) / self.takes_s);
        let at = |place: usize| self.from[place] + way * (self.to[place] - self.from[place]);
        (std::array::from_fn(at), std::array::from_fn(|place| pace * (self.to[place] - self.from[place])))
    }
}

struct Arm {
    tasks: Tasks<Goal, Outcome, Feedback>,
    states: Publisher<JointState>,
    transforms: Publisher<Transforms>,
    ready: Publisher<Flag>,
    events: Subscription<String>,
    stop: Server<Asked, Answered>,
    others: Vec<Server<CancelAsked, CancelAnswered>>,
    spline: Option<Spline>,
    goals: usize,
    at: Joints,
    speeds: Joints,
    events_heard: u64,
    stops: u64,
    _node: Node,
}

impl Arm {
    fn open(domain: u16, flags: Vec<String>) -> Result<Self, Box<dyn Error>> {
        let mut node = node(domain, "controller_manager")?;
        let action = "/scaled_joint_trajectory_controller/follow_joint_trajectory";
        let tasks = Tasks::open(&mut node, action, ("control_msgs", "FollowJointTrajectory"), flags)?;
        let states = topic(&node, "/joint_states", ("sensor_msgs", "JointState"))?;
        let transforms = topic(&node, "/tf", ("tf2_msgs", "TFMessage"))?;
        let events = topic(&node, "/trajectory_execution_event", ("std_msgs", "String"))?;
        let running = Name::parse("/io_and_status_controller/robot_program_running")?;
        let running = node.create_topic(&running, MessageTypeName::new("std_msgs", "Bool"), &latched())?;
        let (enhanced, service) = (ServiceMapping::Enhanced, Name::parse("/dashboard_client/stop")?);
        let trigger = ServiceTypeName::new("std_srvs", "Trigger");
        let stop = node.create_server(enhanced, &service, &trigger, qos(16), qos(16))?;
        let mut others = Vec::new();
        for action in ["move_action", "execute_trajectory"] {
            let (service, kind) = (
                Name::parse(&format!("/{action}/_action/cancel_goal"))?,
                ServiceTypeName::new("action_msgs", "CancelGoal"),
            );
            others.push(node.create_server(enhanced, &service, &kind, qos(16), qos(16))?);
        }
        let arm = Self {
            tasks,
            states: node.create_publisher(&states, None)?,
            transforms: node.create_publisher(&transforms, None)?,
            ready: node.create_publisher(&running, Some(latched()))?,
            events: node.create_subscription(&events, None)?,
            stop,
            others,
            spline: None,
            goals: 0,
            at: [0.0; 6],
            speeds: [0.0; 6],
            events_heard: 0,
            stops: 0,
            _node: node,
        };
        let _ = arm.ready.publish(Flag(!arm.tasks.has("idle")));
        Ok(arm)
    }

    fn step(&mut self) -> serde_json::Value {
        self.tasks.hear();
        if self.tasks.all.len() > self.goals {
            self.goals = self.tasks.all.len();
            self.spline = self.tasks.all.last().and_then(|task| Spline::of(&task.goal, self.at));
        }
        self.hear_stops();
        self.follow();
        let is_wrong = self.tasks.has("wrong");
        self.tasks.answer(|task| {
            if task.status == GoalStatusEnum::Aborted {
                Outcome(PATH_TOLERANCE, "a joint strayed from the path".to_owned())
            } else if is_wrong {
                Outcome(GOAL_TOLERANCE, "a joint is not there".to_owned())
            } else {
                Outcome(0, String::new())
            }
        });
        self.measure();
        let mut told = self.tasks.told();
        let [pan, speed] = [self.at[PAN], self.speeds[PAN]].map(|number| (number * 1e3).round() / 1e3);
        for (name, value) in [("pan", pan.into()), ("speed", speed.into()), ("events", self.events_heard.into())] {
            told[name] = value;
        }
        told["stops"] = self.stops.into();
        told
    }

    fn hear_stops(&mut self) {
        let mut is_stopped = false;
        while let Ok(Some((word, _))) = self.events.take() {
            is_stopped |= word == "stop";
            self.events_heard += 1;
        }
        while let Ok(Some((request, _))) = self.stop.receive_request() {
            is_stopped = true;
            self.stops += 1;
            let _ = self.stop.send_response(request, Answered(true, String::new()));
        }
        for other in &self.others {
            while let Ok(Some((request, _))) = other.receive_request() {
                let _ = other.send_response(request, CancelAnswered(0, Vec::new()));
            }
        }
        if is_stopped
            && !self.tasks.has("keep")
            && self.tasks.all.iter().any(|task| task.status == GoalStatusEnum::Executing)
        {
            self.tasks.end_all(GoalStatusEnum::Aborted);
            self.tasks.tell();
        }
    }

    fn follow(&mut self) {
        let (aborts, steps) = (self.tasks.has("abort"), self.tasks.steps);
        let open = self.tasks.all.iter_mut().find(|task| !task.is_over());
        let Some((task, spline)) =
            open.zip(self.spline.as_mut()).filter(|(task, _)| task.status == GoalStatusEnum::Executing)
        else {
            return self.brake();
        };
        (self.at, self.speeds) = spline.step();
        let share = spline.time_s / spline.takes_s;
        if share >= 1.0 {
            task.status = GoalStatusEnum::Succeeded;
        } else if aborts && share > 0.33 {
            task.status = GoalStatusEnum::Aborted;
        }
        let (id, is_over) = (task.id, task.is_over());
        if steps % 5 == 0 {
            let point = || Point(self.at.to_vec(), self.speeds.to_vec(), Vec::new(), Vec::new(), (0, 0));
            let names = JOINTS.map(str::to_owned).to_vec();
            let feedback = Feedback(Header(Time::now(), String::new()), names, [point(), point(), point()]);
            let _ = self.tasks.action.send_feedback(id, feedback);
        }
        if is_over {
            self.tasks.tell();
        }
    }

    /// Slows every joint down, and ends the goal that is being cancelled.
    fn brake(&mut self) {
        let most = BRAKES_RADPS2 * PERIOD.as_secs_f64();
        for (at, speed) in self.at.iter_mut().zip(&mut self.speeds) {
            *speed -= speed.clamp(-most, most);
            *at += *speed * PERIOD.as_secs_f64();
        }
        let steps = self.tasks.steps;
        let cancels = |status| status == GoalStatusEnum::Canceling;
        let ended = self.tasks.all.iter_mut().filter(|task| cancels(task.status) && steps - task.since >= CANCELS_FOR);
        if ended.map(|task| task.status = GoalStatusEnum::Canceled).count() > 0 {
            self.tasks.tell();
        }
    }

    fn measure(&self) {
        let names = JOINTS.map(str::to_owned).to_vec();
        let speeds = if self.tasks.has("still") { Vec::new() } else { self.speeds.to_vec() };
        let state = JointState(Header(Time::now(), String::new()), names, self.at.to_vec(), speeds, Vec::new());
        let _ = self.states.publish(state);
        let (sin, cos) = self.at[PAN].sin_cos();
        // Every joint but that of the base turns the tool about its own axis alone.
        let turned = self.at.iter().sum::<f64>() - self.at[PAN];
        let ((sin_z, cos_z), (sin_x, cos_x)) = ((self.at[PAN] / 2.0).sin_cos(), (turned / 2.0).sin_cos());
        let rotation = [cos_z * sin_x, sin_z * sin_x, sin_z * cos_x, cos_z * cos_x];
        let place = ([REACH_M * cos, REACH_M * sin, HEIGHT_M], rotation);
        let tool = Transform(Header(Time::now(), "base_link".to_owned()), "tool0".to_owned(), place);
        let _ = self.transforms.publish(Transforms(vec![tool]));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: arm_server DOMAIN [reject] [abort] [late] [keep] [wrong] [idle] [still]";
    let domain = arguments.next().ok_or(usage)?.parse()?;
    let mut arm = Arm::open(domain, arguments.collect())?;
    run(|| arm.step())
}
