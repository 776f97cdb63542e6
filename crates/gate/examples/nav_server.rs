//! An action server of type `nav2_msgs/NavigateToPose` for robots that take `TwistStamped` on /cmd_vel and tell /odom, such as
//! ros2_robot.py: it turns the robot to the goal and drives there straight, no faster than /speed_limit says. A new goal takes
//! the place of the one before, as in Nav2. It also says on /detections what a detector would find in the robot's camera.
//!
//! `nav_server DOMAIN [reject] [abort] [late] [keep]`: `reject` refuses every goal, `abort` gives each up with code 9003 after
//! half a metre, `late` takes a goal only after two seconds, `keep` refuses to cancel. Each line that it writes says what it was
//! asked so far: goals, cancellations of all, cancellations of one, results.

mod action_tasks;

use std::error::Error;

use action_tasks::{Tasks, node, run, topic};
use ros2_client::action::GoalStatusEnum;
use ros2_client::{Message, Node, Publisher, Subscription};
use serde::{Deserialize, Serialize};

const SPEED_MPS: f64 = 0.5;
const THERE_M: f64 = 0.1;
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
/// Class, score, pose with covariance.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Hypothesis(String, f64, (Triple, [f64; 4]), Vec36);
/// A fixed array of 36, which serde has no words for.
type Vec36 = ([f64; 18], [f64; 18]);
/// Header, hypotheses, centre with angle, size, identity.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Detection(Stamped<Vec<Hypothesis>>, Triple, [f64; 2], String);
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Detections(Stamped<Vec<Detection>>);
impl Message for Detections {}
impl Message for Goal {}
impl Message for Outcome {}
impl Message for Feedback {}
impl Message for Odometry {}
impl Message for Twist {}
impl Message for SpeedLimit {}

struct Server {
    tasks: Tasks<Goal, Outcome, Feedback>,
    odometry: Subscription<Odometry>,
    limits: Subscription<SpeedLimit>,
    twists: Publisher<Twist>,
    detections: Publisher<Detections>,
    place: Option<(Triple, f64)>,
    /// Beginning of the way of the newest goal.
    from: Option<Triple>,
    goals: usize,
    limit_mps: f64,
    _node: Node,
}

impl Server {
    fn open(domain: u16, flags: Vec<String>) -> Result<Self, Box<dyn Error>> {
        let mut node = node(domain, "bt_navigator")?;
        let tasks = Tasks::open(&mut node, "/navigate_to_pose", ("nav2_msgs", "NavigateToPose"), flags)?;
        let odom = topic(&node, "/odom", ("nav_msgs", "Odometry"))?;
        let limit = topic(&node, "/speed_limit", ("nav2_msgs", "SpeedLimit"))?;
        let twist = topic(&node, "/cmd_vel", ("geometry_msgs", "TwistStamped"))?;
        let detections = topic(&node, "/detections", ("vision_msgs", "Detection2DArray"))?;
        Ok(Self {
            tasks,
            odometry: node.create_subscription(&odom, None)?,
            limits: node.create_subscription(&limit, None)?,
            twists: node.create_publisher(&twist, None)?,
            detections: node.create_publisher(&detections, None)?,
            place: None,
            from: None,
            goals: 0,
            limit_mps: SPEED_MPS,
            _node: node,
        })
    }

    fn step(&mut self) -> serde_json::Value {
        while let Ok(Some((Odometry(_, at, [_, _, z, w]), _))) = self.odometry.take() {
            self.place = Some((at, 2.0 * z.atan2(w)));
        }
        while let Ok(Some((SpeedLimit(_, _, _, mps), _))) = self.limits.take() {
            self.limit_mps = mps;
        }
        self.tasks.hear();
        if std::mem::replace(&mut self.goals, self.tasks.all.len()) != self.goals {
            self.from = None;
        }
        self.drive();
        let _ = self.detections.publish(seen());
        self.tasks
            .answer(|task| Outcome(if task.status == GoalStatusEnum::Aborted { TIMEOUT } else { 0 }, String::new()));
        let mut told = self.tasks.told();
        told["limit"] = self.limit_mps.into();
        told
    }

    fn drive(&mut self) {
        let (Some((at, heading)), limit_mps) = (self.place, self.limit_mps) else { return };
        let (aborts, steps) = (self.tasks.has("abort"), self.tasks.steps);
        let Some(task) = self.tasks.all.iter_mut().find(|task| !task.is_over()) else { return };
        let Goal((_, _, (to, _)), _) = task.goal;
        let from = *self.from.get_or_insert(at);
        let ahead = [to[0] - at[0], to[1] - at[1]];
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
            task.status = GoalStatusEnum::Aborted;
        } else {
            let ahead_mps = if turn.abs() < 0.3 { left_m.clamp(0.1, SPEED_MPS).min(limit_mps) } else { 0.0 };
            twist = [[ahead_mps, 0.0, 0.0], [0.0, 0.0, turn]];
        }
        let (id, ends) = (task.id, task.is_over());
        let header = (0, 0);
        let _ = self.twists.publish(Twist((header, "base_link".to_owned(), (twist[0], twist[1]))));
        let pose = (header, "odom".to_owned(), (at, [0.0, 0.0, 0.0, 1.0]));
        let _ = self.tasks.action.send_feedback(id, Feedback(pose, header, header, 0, left_m as f32, 0.0, 0.0));
        if ends {
            self.tasks.tell();
        }
    }
}

/// A person in the left half of a picture of 64 by 48 pixels, and a chair that is less sure.
fn seen() -> Detections {
    let none = ([0.0; 3], [0.0; 4]);
    let class = |name: &str, score| Hypothesis(name.to_owned(), score, none, ([0.0; 18], [0.0; 18]));
    let header = || ((0, 0), "camera".to_owned());
    let detection = |classes, center, size| {
        let (stamp, frame) = header();
        Detection((stamp, frame, classes), center, size, String::new())
    };
    let person = detection(vec![class("dog", 0.125), class("person", 0.75)], [16.0, 24.0, 0.0], [8.0, 40.0]);
    let chair = detection(vec![class("chair", 0.5)], [40.0, 40.0, 0.0], [10.0, 10.0]);
    let (stamp, frame) = header();
    Detections((stamp, frame, vec![chair, person]))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let domain = arguments.next().ok_or("usage: nav_server DOMAIN [reject] [abort] [late] [keep]")?.parse()?;
    let mut server = Server::open(domain, arguments.collect())?;
    run(|| server.step())
}
