//! An action server of type `nav2_msgs/NavigateToPose` for robots that take `TwistStamped` on /cmd_vel and tell /odom, such as
//! ros2_robot.py: it turns the robot to the goal and drives there straight, no faster than /speed_limit says. A new goal takes
//! the place of the one before, as in Nav2.
//!
//! `nav_server DOMAIN [reject] [abort] [late] [keep]`: `reject` refuses every goal, `abort` gives each up with code 9003 after
//! half a metre, `late` takes a goal only after two seconds, `keep` refuses to cancel. Each line that it writes says what it was
//! asked so far: goals, cancellations of all, cancellations of one, results.

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use ros2_client::action::{
    ActionServerQosPolicies, GetResultResponse, GoalId, GoalInfo, GoalStatusEnum, SendGoalResponse,
};
use ros2_client::action_msgs::{CancelGoalResponse, CancelGoalResponseEnum, GoalStatus, GoalStatusArray};
use ros2_client::builtin_interfaces::Time;
use ros2_client::dds::rustdds::DomainParticipantBuilder;
use ros2_client::qos::{Durability, History, QosProfile, WhenFull};
use ros2_client::{
    ActionServer, ActionTypeName, Context, Message, MessageTypeName, Name, Node, NodeName, NodeOptions, Publisher,
    RmwRequestId, ServiceMapping, Subscription,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

const PERIOD: Duration = Duration::from_millis(10);
const SPEED_MPS: f64 = 0.5;
const THERE_M: f64 = 0.1;
/// Periods after which a late server takes a goal.
const LATE: u64 = 200;
/// Periods that a cancelled goal takes to end: the robot comes to stand meanwhile.
const CANCELS_FOR: u64 = 20;
const TIMEOUT: u16 = 9003;

type Triple = [f64; 3];
type Stamped<T> = ((i32, u32), String, T);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Goal(Stamped<(Triple, [f64; 4])>, String);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Outcome(u16, String);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Feedback(Stamped<(Triple, [f64; 4])>, (i32, u32), (i32, u32), i16, f32, f32, f32);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Odometry(Stamped<String>, Triple, [f64; 4]);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Twist(Stamped<(Triple, Triple)>);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SpeedLimit((i32, u32), String, bool, f64);
impl Message for Goal {}
impl Message for Outcome {}
impl Message for Feedback {}
impl Message for Odometry {}
impl Message for Twist {}
impl Message for SpeedLimit {}

/// A goal that was taken.
struct Task {
    id: GoalId,
    to: Triple,
    from: Option<Triple>,
    status: GoalStatusEnum,
    since: u64,
    code: u16,
    result: Option<RmwRequestId>,
}

impl Task {
    const fn is_over(&self) -> bool {
        matches!(self.status, GoalStatusEnum::Succeeded | GoalStatusEnum::Canceled | GoalStatusEnum::Aborted)
    }
}

struct Server {
    flags: Vec<String>,
    action: ActionServer<Goal, Outcome, Feedback>,
    odometry: Subscription<Odometry>,
    limits: Subscription<SpeedLimit>,
    twists: Publisher<Twist>,
    tasks: Vec<Task>,
    late: Vec<(RmwRequestId, GoalId, Triple, u64)>,
    place: Option<(Triple, f64)>,
    limit_mps: f64,
    steps: u64,
    counts: [u64; 4],
    _node: Node,
}

fn qos(depth: usize) -> QosProfile {
    QosProfile::publisher_default().reliability_reliable(WhenFull::Fail).history(History::KeepLast { depth })
}

impl Server {
    fn open(domain: u16, flags: Vec<String>) -> Result<Self, Box<dyn Error>> {
        let context = Context::from_domain_participant(DomainParticipantBuilder::new(domain).build()?)?;
        let options = NodeOptions::new().enable_rosout(false).start_parameter_services(false);
        let mut node = context.new_node(NodeName::new("/", "bt_navigator")?, options)?;
        let policies = ActionServerQosPolicies {
            goal_service: qos(16),
            result_service: qos(16),
            cancel_service: qos(64),
            feedback_publisher: qos(16),
            status_publisher: qos(1).durability(Durability::TransientLocal),
        };
        let (name, kind) = (Name::parse("/navigate_to_pose")?, ActionTypeName::new("nav2_msgs", "NavigateToPose"));
        let action = node.create_action_server(ServiceMapping::Enhanced, &name, &kind, policies)?;
        let topic = |node: &Node, name: &str, package: &str, message: &str| {
            node.create_topic(&Name::parse(name)?, MessageTypeName::new(package, message), &qos(8))
                .map_err(Box::<dyn Error>::from)
        };
        let odom = topic(&node, "/odom", "nav_msgs", "Odometry")?;
        let limit = topic(&node, "/speed_limit", "nav2_msgs", "SpeedLimit")?;
        let twist = topic(&node, "/cmd_vel", "geometry_msgs", "TwistStamped")?;
        Ok(Self {
            flags,
            action,
            odometry: node.create_subscription(&odom, None)?,
            limits: node.create_subscription(&limit, None)?,
            twists: node.create_publisher(&twist, None)?,
            tasks: Vec::new(),
            late: Vec::new(),
            place: None,
            limit_mps: SPEED_MPS,
            steps: 0,
            counts: [0; 4],
            _node: node,
        })
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|given| given == flag)
    }

    fn step(&mut self) {
        self.steps += 1;
        while let Ok(Some((Odometry(_, at, [_, _, z, w]), _))) = self.odometry.take() {
            self.place = Some((at, 2.0 * z.atan2(w)));
        }
        while let Ok(Some((SpeedLimit(_, _, _, mps), _))) = self.limits.take() {
            self.limit_mps = mps;
        }
        self.hear_goals();
        self.hear_cancels();
        self.drive();
        self.answer();
    }

    fn hear_goals(&mut self) {
        while let Ok(Some((request, sent))) = self.action.receive_goal() {
            let Goal((_, _, (to, _)), _) = sent.goal;
            self.counts[0] += 1;
            self.late.push((request, sent.goal_id, to, self.steps));
        }
        let steps = self.steps;
        let wait = if self.has("late") { LATE } else { 0 };
        let (due, late) = std::mem::take(&mut self.late).into_iter().partition(|(.., since)| steps - since >= wait);
        self.late = late;
        let due: Vec<(RmwRequestId, GoalId, Triple, u64)> = due;
        for (request, id, to, _) in due {
            let accepted = !self.has("reject");
            let _ = self.action.send_goal_response(request, SendGoalResponse { accepted, stamp: Time::now() });
            if accepted {
                self.end_all(GoalStatusEnum::Aborted);
                let (status, since) = (GoalStatusEnum::Executing, self.steps);
                self.tasks.push(Task { id, to, from: None, status, since, code: 0, result: None });
                self.tell();
            }
        }
    }

    fn end_all(&mut self, status: GoalStatusEnum) {
        self.tasks.iter_mut().filter(|task| !task.is_over()).for_each(|task| task.status = status);
    }

    fn hear_cancels(&mut self) {
        let steps = self.steps;
        while let Ok(Some((request, asked))) = self.action.receive_cancel_request() {
            let asked = serde_json::to_value(asked).unwrap_or_default();
            let id: Option<[u8; 16]> = serde_json::from_value(asked["goal_info"]["goal_id"]["uuid"].clone()).ok();
            let id = id.unwrap_or_default();
            let is_all = id == [0; 16];
            self.counts[if is_all { 1 } else { 2 }] += 1;
            let meant: Vec<usize> =
                (0..self.tasks.len()).filter(|at| is_all || self.tasks[*at].id.uuid.as_bytes() == &id).collect();
            let open: Vec<usize> = meant.iter().copied().filter(|at| !self.tasks[*at].is_over()).collect();
            let mut goals_canceling = Vec::new();
            let return_code = match (open.is_empty(), meant.is_empty()) {
                (false, _) if self.has("keep") => CancelGoalResponseEnum::Rejected,
                (true, true) if !is_all => CancelGoalResponseEnum::UnknownGoal,
                (true, false) if !is_all => CancelGoalResponseEnum::GoalTerminated,
                (..) => {
                    for at in open {
                        let task = &mut self.tasks[at];
                        if task.status != GoalStatusEnum::Canceling {
                            (task.status, task.since) = (GoalStatusEnum::Canceling, steps);
                            goals_canceling.push(GoalInfo { goal_id: task.id, stamp: Time::ZERO });
                        }
                    }
                    CancelGoalResponseEnum::None
                }
            };
            let _ = self.action.send_cancel_response(request, CancelGoalResponse { return_code, goals_canceling });
            self.tell();
        }
    }

    fn drive(&mut self) {
        let (Some((at, heading)), aborts, limit_mps) = (self.place, self.has("abort"), self.limit_mps) else { return };
        let steps = self.steps;
        let Some(task) = self.tasks.iter_mut().find(|task| !task.is_over()) else { return };
        let from = *task.from.get_or_insert(at);
        let ahead = [task.to[0] - at[0], task.to[1] - at[1]];
        let (left_m, way_m) = (ahead[0].hypot(ahead[1]), (at[0] - from[0]).hypot(at[1] - from[1]));
        let turn = (ahead[1].atan2(ahead[0]) - heading).sin();
        let mut twist = [[0.0; 3]; 2];
        if task.status == GoalStatusEnum::Canceling {
            if steps - task.since >= CANCELS_FOR {
                task.status = GoalStatusEnum::Canceled;
            }
        } else if left_m < THERE_M {
            task.status = GoalStatusEnum::Succeeded;
        } else if aborts && way_m > 0.5 {
            (task.status, task.code) = (GoalStatusEnum::Aborted, TIMEOUT);
        } else {
            let ahead_mps = if turn.abs() < 0.3 { left_m.clamp(0.1, SPEED_MPS).min(limit_mps) } else { 0.0 };
            twist = [[ahead_mps, 0.0, 0.0], [0.0, 0.0, turn]];
        }
        let (id, ends) = (task.id, task.is_over());
        let header = (0, 0);
        let _ = self.twists.publish(Twist((header, "base_link".to_owned(), (twist[0], twist[1]))));
        let pose = (header, "odom".to_owned(), (at, [0.0, 0.0, 0.0, 1.0]));
        let _ = self.action.send_feedback(id, Feedback(pose, header, header, 0, left_m as f32, 0.0, 0.0));
        if ends {
            self.tell();
        }
    }

    fn answer(&mut self) {
        while let Ok(Some((request, asked))) = self.action.receive_result_request() {
            if let Some(task) = self.tasks.iter_mut().find(|task| task.id == asked.goal_id) {
                task.result = Some(request);
                self.counts[3] += 1;
            }
        }
        for task in self.tasks.iter_mut().filter(|task| task.is_over()) {
            if let Some(request) = task.result.take() {
                let result = Outcome(task.code, String::new());
                let _ = self.action.send_result(request, GetResultResponse { status: task.status, result });
            }
        }
    }

    fn tell(&self) {
        let status = |task: &Task| GoalStatus {
            goal_info: GoalInfo { goal_id: task.id, stamp: Time::ZERO },
            status: task.status,
        };
        let _ =
            self.action.send_goal_statuses(GoalStatusArray { status_list: self.tasks.iter().map(status).collect() });
    }

    fn told(&self) -> serde_json::Value {
        let [goals, cancels, ends, results] = self.counts;
        let last = self.tasks.last();
        let (id, status) = (last.map(|task| task.id.uuid.to_string()), last.map(|task| task.status as i8));
        json!({ "goals": goals, "cancels": cancels, "ends": ends, "results": results, "id": id, "status": status, "limit": self.limit_mps })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let domain = arguments.next().ok_or("usage: nav_server DOMAIN [reject] [abort] [late] [keep]")?.parse()?;
    let mut server = Server::open(domain, arguments.collect())?;
    let (mut told, mut out) = (json!(null), std::io::stdout());
    loop {
        server.step();
        let now = server.told();
        if now != told {
            writeln!(out, "{now}")?;
            out.flush()?;
            told = now;
        }
        std::thread::sleep(PERIOD);
    }
}
