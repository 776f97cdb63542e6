//! The client of the action that drives the robot to goals. It belongs to the thread that calls.

use std::collections::VecDeque;
use std::sync::Arc;

use bridge::ClockFn;
use robot::Instant;
use ros2_client::action::{ActionClientQosPolicies, GoalStatusEnum, SendGoalRequest};
use ros2_client::unique_identifier_msgs::UUID;
use ros2_client::{ActionClient, ActionTypeName, Name, Node, Publisher, RmwRequestId, ServiceMapping};

use super::domain::{DomainError, SPEED_LIMIT, durable, prompt};
use super::goals::{Answer, GoalId, GoalState};
use super::listening::Inbound;
use super::message::{Header, NavigateFeedback, NavigateGoal, NavigateResult, PoseStamped, SpeedLimit, Time};
use super::outbox::Going;
use super::sending::publisher;
use super::wiring::Ros2Wiring;

/// Requests that wait for the server.
const REQUESTS: usize = 8;
/// Requests whose answers count.
const ASKED_MAX: usize = 64;
/// Answers that are read at one look.
const ANSWERS_PER_LOOK: usize = 64;

/// Sends goals, and hears what becomes of them.
pub struct Navigator {
    client: ActionClient<NavigateGoal, NavigateResult, NavigateFeedback>,
    limit: Publisher<SpeedLimit>,
    asked: VecDeque<(RmwRequestId, GoalId)>,
    /// The goal whose feedback is read.
    under_way: Option<GoalId>,
    heard: Arc<Inbound>,
    clock: ClockFn,
}

impl Navigator {
    /// A client of `action`.
    pub fn open(
        node: &mut Node,
        wiring: &Ros2Wiring,
        action: &str,
        heard: &Arc<Inbound>,
        clock: &ClockFn,
    ) -> Result<Self, DomainError> {
        let limit = publisher(node, &wiring.absolute(SPEED_LIMIT), "nav2_msgs", "SpeedLimit")?;
        let failed = |reason: String| DomainError::new(action, reason);
        let name = Name::parse(action).map_err(|error| failed(error.to_string()))?;
        let kind = ActionTypeName::new("nav2_msgs", "NavigateToPose");
        let qos = ActionClientQosPolicies {
            goal_service: prompt(REQUESTS),
            result_service: prompt(REQUESTS),
            cancel_service: prompt(REQUESTS),
            feedback_subscription: prompt(REQUESTS),
            status_subscription: durable(),
        };
        let client = node.create_action_client(ServiceMapping::Enhanced, &name, &kind, qos);
        let client = client.map_err(|error| failed(error.to_string()))?;
        let (heard, clock) = (Arc::clone(heard), ClockFn::clone(clock));
        Ok(Self { client, limit, asked: VecDeque::new(), under_way: None, heard, clock })
    }

    /// Sends a goal after the limit of its speed; false if it was not taken.
    pub fn send(&mut self, going: Going) -> bool {
        let Going { goal, frame, pose, speed_mps } = going;
        let limit = SpeedLimit { header: Header::default(), percentage: false, speed_limit: speed_mps };
        if self.limit.publish(limit).is_err() {
            return false;
        }
        // Without a time the pose is taken by the newest transform, whichever clock the robot has.
        let header = Header { stamp: Time::default(), frame_id: frame };
        let wanted = NavigateGoal { pose: PoseStamped { header, pose }, behavior_tree: String::new() };
        let request = SendGoalRequest { goal_id: id(goal), goal: wanted };
        let Ok(asked) = self.client.goal_client().send_request(request) else { return false };
        self.under_way = Some(goal);
        self.ask(asked, goal);
        true
    }

    /// Cancels one goal; false if the request was not taken.
    pub fn end(&mut self, goal: GoalId) -> bool {
        let Ok(asked) = self.client.cancel_goal(id(goal)) else { return false };
        self.ask(asked, goal);
        true
    }

    fn ask(&mut self, asked: RmwRequestId, goal: GoalId) {
        if self.asked.len() == ASKED_MAX {
            self.asked.pop_front();
        }
        self.asked.push_back((asked, goal));
    }

    /// Takes in everything that the server has said.
    pub fn hear(&mut self) {
        for _ in 0..ANSWERS_PER_LOOK {
            let Some((asked, response)) = read("a goal", self.client.goal_client().receive_response()) else { break };
            let Some(goal) = self.asked_for(asked) else { continue };
            self.note(goal, Answer::Taken(response.accepted));
            if response.accepted {
                match self.client.request_result(id(goal)) {
                    Ok(asked) => self.ask(asked, goal),
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
            let Some(goal) = self.asked_for(asked) else { continue };
            self.note(goal, Answer::Cancelled(response.return_code as i8));
        }
        for _ in 0..ANSWERS_PER_LOOK {
            let Some((asked, response)) = read("a result", self.client.result_client().receive_response()) else {
                break;
            };
            let Some(goal) = self.asked_for(asked) else { continue };
            self.note(goal, Answer::Result(state(response.status), response.result.error_code));
        }
        self.hear_feedback();
    }

    fn hear_feedback(&self) {
        let Some(goal) = self.under_way else { return };
        while let Some(_feedback) = read("feedback", self.client.receive_feedback(id(goal))) {
            let now: Instant = (self.clock)().station;
            self.heard.with_goals(|goals| goals.note_feedback(goal, now));
        }
    }

    fn asked_for(&mut self, asked: RmwRequestId) -> Option<GoalId> {
        let at = self.asked.iter().position(|(known, _)| *known == asked)?;
        self.asked.remove(at).map(|(_, goal)| goal)
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
