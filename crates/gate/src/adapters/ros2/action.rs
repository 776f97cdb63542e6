//! The client of the action that moves the robot to goals. It belongs to the thread that calls.

use std::collections::VecDeque;
use std::sync::Arc;

use bridge::ClockFn;
use robot::Instant;
use ros2_client::action::{ActionClientQosPolicies, GoalStatusEnum, SendGoalRequest};
use ros2_client::unique_identifier_msgs::UUID;
use ros2_client::{ActionClient, ActionTypeName, Message, Name, Node, Publisher, RmwRequestId, ServiceMapping};

use super::domain::{DomainError, SPEED_LIMIT, durable, prompt};
use super::goals::{Answer, Ending, GoalId, GoalState};
use super::inbound::Inbound;
use super::message::{
    Header, NavigateFeedback, NavigateGoal, NavigateResult, PoseStamped, SpeedLimit, Time, TrajectoryFeedback,
    TrajectoryGoal, TrajectoryResult,
};
use super::outbox::{Going, Target};
use super::sending::publisher;
use super::wiring::{GoalKind, Ros2Wiring};

/// Requests that wait for the server.
const REQUESTS: usize = 8;
/// Requests whose answers count.
const ASKED_MAX: usize = 64;
/// Answers, and words about how far a goal is, that are read at one look: the same thread sends the stops.
const ANSWERS_PER_LOOK: usize = 64;

/// Sends goals, and hears what becomes of them.
pub trait GoalSender: Send {
    /// Sends a goal; false if it was not taken.
    fn send(&mut self, going: Going) -> bool;

    /// Cancels one goal; false if the request was not taken.
    fn end(&mut self, goal: GoalId) -> bool;

    /// Takes in everything that the server has said.
    fn hear(&mut self);
}

/// The sender of goals of a wiring; none if its robot takes none.
pub fn open(
    node: &mut Node,
    wiring: &Ros2Wiring,
    heard: &Arc<Inbound>,
    clock: &ClockFn,
) -> Result<Option<Box<dyn GoalSender>>, DomainError> {
    let (Some(kind), Some(action)) = (wiring.goal_kind(), wiring.goal_action()) else { return Ok(None) };
    Ok(Some(match kind {
        GoalKind::Navigate => {
            let limit = publisher(node, &wiring.absolute(SPEED_LIMIT), "nav2_msgs", "SpeedLimit")?;
            heard.note_limits(limit.gid());
            Box::new(Sender::open(Navigate { limit }, node, &action, heard, clock)?)
        }
        GoalKind::Trajectory => Box::new(Sender::open(Follow, node, &action, heard, clock)?),
    }))
}

/// A type of actions.
trait Action: Send + 'static {
    type Goal: Message + Clone + Send + 'static;
    type Result: Message + Clone + Send + 'static;
    type Feedback: Message + Send + 'static;
    /// Package and name of the type.
    const TYPE: (&str, &str);

    /// The goal of a target, after everything that has to be there before it; none if it cannot be sent.
    fn goal(&self, target: Target) -> Option<Self::Goal>;

    /// The end of a goal.
    fn ending(state: GoalState, result: &Self::Result) -> Ending;
}

/// Drives a base; the limit of its speed goes before each goal.
struct Navigate {
    limit: Publisher<SpeedLimit>,
}

impl Action for Navigate {
    type Goal = NavigateGoal;
    type Result = NavigateResult;
    type Feedback = NavigateFeedback;
    const TYPE: (&str, &str) = ("nav2_msgs", "NavigateToPose");

    fn goal(&self, target: Target) -> Option<NavigateGoal> {
        let Target::Pose { frame, pose, speed_mps } = target else { return None };
        let limit = SpeedLimit { header: Header::default(), percentage: false, speed_limit: speed_mps };
        // Without its limit the robot could go faster than was judged, so that there is no goal either.
        self.limit.publish(limit).ok()?;
        // Without a time the pose is taken by the newest transform, whichever clock the robot has.
        let header = Header { stamp: Time::default(), frame_id: frame };
        Some(NavigateGoal { pose: PoseStamped { header, pose }, behavior_tree: String::new() })
    }

    fn ending(state: GoalState, result: &NavigateResult) -> Ending {
        Ending::new(state, result.error_code.into(), "")
    }
}

/// Moves joints.
struct Follow;

impl Action for Follow {
    type Goal = TrajectoryGoal;
    type Result = TrajectoryResult;
    type Feedback = TrajectoryFeedback;
    const TYPE: (&str, &str) = ("control_msgs", "FollowJointTrajectory");

    fn goal(&self, target: Target) -> Option<TrajectoryGoal> {
        let Target::Joints(trajectory) = target else { return None };
        Some(trajectory.into())
    }

    fn ending(state: GoalState, result: &TrajectoryResult) -> Ending {
        Ending::new(state, result.error_code, &result.error_string)
    }
}

/// Requests that are not answered yet, each with its goal.
#[derive(Default)]
struct Requests(VecDeque<(RmwRequestId, GoalId)>);

impl Requests {
    fn note(&mut self, asked: RmwRequestId, goal: GoalId) {
        if self.0.len() == ASKED_MAX {
            self.0.pop_front();
        }
        self.0.push_back((asked, goal));
    }

    /// The goal of a request that was answered.
    fn take(&mut self, asked: RmwRequestId) -> Option<GoalId> {
        let at = self.0.iter().position(|(known, _)| *known == asked)?;
        self.0.remove(at).map(|(_, goal)| goal)
    }
}

/// A client of one action.
struct Sender<A: Action> {
    action: A,
    client: ActionClient<A::Goal, A::Result, A::Feedback>,
    asked: Requests,
    /// Cancellations come 25 times a second, and must not push the request for a result out.
    cancels: Requests,
    /// The goal whose feedback is read.
    under_way: Option<GoalId>,
    heard: Arc<Inbound>,
    clock: ClockFn,
}

impl<A: Action> GoalSender for Sender<A> {
    fn send(&mut self, going: Going) -> bool {
        let Going { goal, target } = going;
        let Some(wanted) = self.action.goal(target) else { return false };
        let request = SendGoalRequest { goal_id: id(goal), goal: wanted };
        let Ok(asked) = self.client.goal_client().send_request(request) else { return false };
        self.under_way = Some(goal);
        self.asked.note(asked, goal);
        true
    }

    fn end(&mut self, goal: GoalId) -> bool {
        let Ok(asked) = self.client.cancel_goal(id(goal)) else { return false };
        self.cancels.note(asked, goal);
        true
    }

    fn hear(&mut self) {
        for _ in 0..ANSWERS_PER_LOOK {
            let Some((asked, response)) = read("a goal", self.client.goal_client().receive_response()) else { break };
            let Some(goal) = self.asked.take(asked) else { continue };
            self.note(goal, Answer::Taken(response.accepted));
            if response.accepted {
                match self.client.request_result(id(goal)) {
                    Ok(asked) => self.asked.note(asked, goal),
                    // Its state shows the end too.
                    Err(error) => tracing::warn!(?error, "the result of a goal cannot be asked for"),
                }
            }
        }
        for _ in 0..ANSWERS_PER_LOOK {
            let Some((asked, response)) = read("a cancelled goal", self.client.cancel_client().receive_response())
            else {
                break;
            };
            let Some(goal) = self.cancels.take(asked) else { continue };
            self.note(goal, Answer::Cancelled(response.return_code as i8));
        }
        for _ in 0..ANSWERS_PER_LOOK {
            let Some((asked, response)) = read("a result", self.client.result_client().receive_response()) else {
                break;
            };
            let Some(goal) = self.asked.take(asked) else { continue };
            self.note(goal, Answer::Result(A::ending(state(response.status), &response.result)));
        }
        self.hear_feedback();
    }
}

impl<A: Action> Sender<A> {
    /// A client of `name`.
    fn open(
        action: A,
        node: &mut Node,
        name: &str,
        heard: &Arc<Inbound>,
        clock: &ClockFn,
    ) -> Result<Self, DomainError> {
        let failed = |reason: String| DomainError::new(name, reason);
        let parsed = Name::parse(name).map_err(|error| failed(error.to_string()))?;
        let kind = ActionTypeName::new(A::TYPE.0, A::TYPE.1);
        let qos = ActionClientQosPolicies {
            goal_service: prompt(REQUESTS),
            result_service: prompt(REQUESTS),
            cancel_service: prompt(REQUESTS),
            feedback_subscription: prompt(REQUESTS),
            // A server tells a state when it changes, so that whoever comes later needs the last one.
            status_subscription: durable(),
        };
        let client = node.create_action_client(ServiceMapping::Enhanced, &parsed, &kind, qos);
        let client = client.map_err(|error| failed(error.to_string()))?;
        let (heard, clock) = (Arc::clone(heard), ClockFn::clone(clock));
        let (asked, cancels) = Default::default();
        Ok(Self { action, client, asked, cancels, under_way: None, heard, clock })
    }

    fn hear_feedback(&self) {
        let Some(goal) = self.under_way else { return };
        for _ in 0..ANSWERS_PER_LOOK {
            // Not `receive_feedback`, which reads on past the feedback of other goals for as long as there is some.
            let Some((feedback, _)) = read("feedback", self.client.feedback_subscription().take()) else { return };
            if feedback.goal_id == id(goal) {
                let now: Instant = (self.clock)().station;
                self.heard.with_goals(|goals| goals.note_feedback(goal, now));
            }
        }
    }

    fn note(&self, goal: GoalId, answer: Answer) {
        if !self.heard.with_goals(|goals| goals.note_answer(goal, answer)) {
            self.heard.fault(bridge::envelope::GateFault::Flood);
        }
    }
}

/// An answer, if there is one that can be read.
fn read<T, E: std::fmt::Debug>(what: &str, answer: Result<Option<T>, E>) -> Option<T> {
    answer.unwrap_or_else(|error| {
        tracing::warn!(?error, "the answer about {what} cannot be read");
        None
    })
}

fn id(goal: GoalId) -> UUID {
    UUID { uuid: uuid::Uuid::from_bytes(goal) }
}

const fn state(status: GoalStatusEnum) -> GoalState {
    match status {
        GoalStatusEnum::Unknown => GoalState::Unknown,
        GoalStatusEnum::Accepted => GoalState::Accepted,
        GoalStatusEnum::Executing => GoalState::Executing,
        GoalStatusEnum::Canceling => GoalState::Canceling,
        GoalStatusEnum::Succeeded => GoalState::Succeeded,
        GoalStatusEnum::Canceled => GoalState::Canceled,
        GoalStatusEnum::Aborted => GoalState::Aborted,
    }
}
