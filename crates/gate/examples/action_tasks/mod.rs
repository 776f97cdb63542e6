//! The goals of an action server, as the example servers share them: taken, refused or taken late, cancelled, told and
//! answered. A new goal takes the place of the one before.
//!
//! Flags: `reject` refuses every goal, `late` takes a goal only after two seconds, `keep` refuses to cancel.

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use ros2_client::action::{
    ActionServerQosPolicies, GetResultResponse, GoalId, GoalInfo, GoalStatusEnum, SendGoalResponse,
};
use ros2_client::action_msgs::{CancelGoalResponse, CancelGoalResponseEnum, GoalStatus, GoalStatusArray};
use ros2_client::builtin_interfaces::Time;
use ros2_client::dds::rustdds::{DomainParticipantBuilder, Topic};
use ros2_client::qos::{Durability, History, QosProfile, WhenFull};
use ros2_client::{
    ActionServer, ActionTypeName, Context, Message, MessageTypeName, Name, Node, NodeName, NodeOptions, RmwRequestId,
    ServiceMapping,
};
use serde_json::{Value, json};

pub const PERIOD: Duration = Duration::from_millis(10);
/// Periods after which a late server takes a goal.
const LATE: u64 = 200;

/// A goal that was taken.
pub struct Task<G> {
    pub id: GoalId,
    pub goal: G,
    pub status: GoalStatusEnum,
    /// The period in which it got this status.
    pub since: u64,
    result: Option<RmwRequestId>,
}

impl<G> Task<G> {
    pub const fn is_over(&self) -> bool {
        matches!(self.status, GoalStatusEnum::Succeeded | GoalStatusEnum::Canceled | GoalStatusEnum::Aborted)
    }
}

/// The server and its goals.
pub struct Tasks<G: Message + Clone, R: Message + Clone, F: Message> {
    flags: Vec<String>,
    pub action: ActionServer<G, R, F>,
    pub all: Vec<Task<G>>,
    late: Vec<(RmwRequestId, GoalId, G, u64)>,
    pub steps: u64,
    counts: [u64; 4],
}

pub fn qos(depth: usize) -> QosProfile {
    QosProfile::publisher_default().reliability_reliable(WhenFull::Fail).history(History::KeepLast { depth })
}

pub fn latched() -> QosProfile {
    qos(1).durability(Durability::TransientLocal)
}

pub fn node(domain: u16, name: &str) -> Result<Node, Box<dyn Error>> {
    let context = Context::from_domain_participant(DomainParticipantBuilder::new(domain).build()?)?;
    let options = NodeOptions::new().enable_rosout(false).start_parameter_services(false);
    Ok(context.new_node(NodeName::new("/", name)?, options)?)
}

pub fn topic(node: &Node, name: &str, (package, message): (&str, &str)) -> Result<Topic, Box<dyn Error>> {
    Ok(node.create_topic(&Name::parse(name)?, MessageTypeName::new(package, message), &qos(8))?)
}

/// Calls `step` every period, and writes each line that is another one than the one before.
pub fn run(mut step: impl FnMut() -> Value) -> Result<(), Box<dyn Error>> {
    let (mut told, mut out) = (json!(null), std::io::stdout());
    loop {
        let now = step();
        if now != told {
            writeln!(out, "{now}")?;
            out.flush()?;
            told = now;
        }
        std::thread::sleep(PERIOD);
    }
}

impl<G: Message + Clone + 'static, R: Message + Clone + 'static, F: Message + 'static> Tasks<G, R, F> {
    pub fn open(
        node: &mut Node,
        name: &str,
        (package, action): (&str, &str),
        flags: Vec<String>,
    ) -> Result<Self, Box<dyn Error>> {
        let policies = ActionServerQosPolicies {
            goal_service: qos(16),
            result_service: qos(16),
            cancel_service: qos(64),
            feedback_publisher: qos(16),
            status_publisher: latched(),
        };
        let (name, kind) = (Name::parse(name)?, ActionTypeName::new(package, action));
        let action = node.create_action_server(ServiceMapping::Enhanced, &name, &kind, policies)?;
        Ok(Self { flags, action, all: Vec::new(), late: Vec::new(), steps: 0, counts: [0; 4] })
    }

    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|given| given == flag)
    }

    /// Hears goals and cancellations; a period begins.
    pub fn hear(&mut self) {
        self.steps += 1;
        self.hear_goals();
        self.hear_cancels();
    }

    fn hear_goals(&mut self) {
        while let Ok(Some((request, sent))) = self.action.receive_goal() {
            self.counts[0] += 1;
            self.late.push((request, sent.goal_id, sent.goal, self.steps));
        }
        let steps = self.steps;
        let wait = if self.has("late") { LATE } else { 0 };
        let (due, late): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.late).into_iter().partition(|(.., since)| steps - since >= wait);
        self.late = late;
        for (request, id, goal, _) in due {
            let accepted = !self.has("reject");
            let _ = self.action.send_goal_response(request, SendGoalResponse { accepted, stamp: Time::now() });
            if accepted {
                self.end_all(GoalStatusEnum::Aborted);
                let (status, since) = (GoalStatusEnum::Executing, self.steps);
                self.all.push(Task { id, goal, status, since, result: None });
                self.tell();
            }
        }
    }

    pub fn end_all(&mut self, status: GoalStatusEnum) {
        self.all.iter_mut().filter(|task| !task.is_over()).for_each(|task| task.status = status);
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
                (0..self.all.len()).filter(|at| is_all || self.all[*at].id.uuid.as_bytes() == &id).collect();
            let open: Vec<usize> = meant.iter().copied().filter(|at| !self.all[*at].is_over()).collect();
            let mut goals_canceling = Vec::new();
            let return_code = match (open.is_empty(), meant.is_empty()) {
                (false, _) if self.has("keep") => CancelGoalResponseEnum::Rejected,
                (true, true) if !is_all => CancelGoalResponseEnum::UnknownGoal,
                (true, false) if !is_all => CancelGoalResponseEnum::GoalTerminated,
                (..) => {
                    for at in open {
                        let task = &mut self.all[at];
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

    /// Answers requests for results of goals that are over.
    pub fn answer(&mut self, result: impl Fn(&Task<G>) -> R) {
        while let Ok(Some((request, asked))) = self.action.receive_result_request() {
            if let Some(task) = self.all.iter_mut().find(|task| task.id == asked.goal_id) {
                task.result = Some(request);
                self.counts[3] += 1;
            }
        }
        for task in self.all.iter_mut().filter(|task| task.is_over()) {
            if let Some(request) = task.result.take() {
                let response = GetResultResponse { status: task.status, result: result(task) };
                let _ = self.action.send_result(request, response);
            }
        }
    }

    pub fn tell(&self) {
        let status = |task: &Task<G>| GoalStatus {
            goal_info: GoalInfo { goal_id: task.id, stamp: Time::ZERO },
            status: task.status,
        };
        let _ = self.action.send_goal_statuses(GoalStatusArray { status_list: self.all.iter().map(status).collect() });
    }

    /// Everything that it was asked so far: goals, cancellations of all, cancellations of one, results; the newest goal.
    pub fn told(&self) -> Value {
        let [goals, cancels, ends, results] = self.counts;
        let last = self.all.last();
        let (id, status) = (last.map(|task| task.id.uuid.to_string()), last.map(|task| task.status as i8));
        json!({ "goals": goals, "cancels": cancels, "ends": ends, "results": results, "id": id, "status": status })
    }
}
