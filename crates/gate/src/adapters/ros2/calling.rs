//! The thread that sends goals, and calls the services and cancels the actions of a stop, all at once.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bridge::ClockFn;
use bridge::envelope::GateFault;
use robot::Instant;
use ros2_client::{Client, Message, Name, Node, Publisher, RmwRequestId, ServiceMapping, ServiceTypeName};

use super::action::{self, GoalSender};
use super::domain::{DomainError, cancel_service, prompt};
use super::inbound::Inbound;
use super::message::{CancelRequest, CancelResponse, Text, TriggerRequest, TriggerResponse};
use super::outbox::{Called, Calls, Errand, Outbox};
use super::sending::publisher;
use super::wiring::Ros2Wiring;

/// A service that has not answered is called again after this time.
const CALL_EVERY: Duration = Duration::from_millis(200);
/// Period of looks at answers.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Requests whose answers count: what is asked in some seconds.
const ASKED_MAX: usize = 32;
/// The word by which the execution of trajectories ends.
const STOP: &str = "stop";
/// Requests to a service that wait for it.
const REQUESTS: usize = 8;
/// Answers of one service that are read at one look: those to others come here too, and the next stop must not wait.
const ANSWERS_PER_LOOK: usize = 64;

/// A service that a stop calls.
struct Call {
    /// Name of the service, or of the action that it cancels.
    name: String,
    service: Box<dyn Service>,
    /// It cancels the goals of the action that drives the robot: a hold calls it too, and it is repeated.
    is_of_goals: bool,
    is_answered: bool,
}

/// A service of any type.
trait Service: Send {
    /// Sends a request; false if it was not taken.
    fn call(&mut self) -> bool;

    /// Answers to earlier requests count no more.
    fn begin_anew(&mut self);

    /// True for an answer that the robot stops, false for a refusal; none while there is no answer.
    fn answer(&mut self) -> Option<bool>;
}

/// A client of a service, and the requests whose answers count.
struct Asked<Request: Message, Response: Message> {
    client: Client<Request, Response>,
    asked: VecDeque<RmwRequestId>,
    stops: fn(&Response) -> bool,
}

impl<Request: Message + Default + Clone + Send + 'static, Response: Message + Send + 'static> Service
    for Asked<Request, Response>
{
    fn call(&mut self) -> bool {
        let Ok(id) = self.client.send_request(Request::default()) else { return false };
        if self.asked.len() == ASKED_MAX {
            self.asked.pop_front();
        }
        self.asked.push_back(id);
        true
    }

    fn begin_anew(&mut self) {
        self.asked.clear();
    }

    fn answer(&mut self) -> Option<bool> {
        for _ in 0..ANSWERS_PER_LOOK {
            match self.client.receive_response() {
                Ok(Some((id, response))) if self.asked.contains(&id) => return Some((self.stops)(&response)),
                // Answers to others, and to earlier requests.
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(error) => {
                    tracing::warn!(%error, "an answer cannot be read");
                    return None;
                }
            }
        }
        None
    }
}

/// The calls in the order of [`Ros2Wiring::called_means`].
fn calls(node: &mut Node, wiring: &Ros2Wiring) -> Result<Vec<Call>, DomainError> {
    let mut calls = Vec::new();
    if let Some(action) = wiring.goal_action() {
        calls.push(cancels(node, &action, true)?);
    }
    for action in wiring.other_actions() {
        calls.push(cancels(node, &action, false)?);
    }
    for service in &wiring.stop_service {
        let name = wiring.absolute(service);
        let client = client(node, &name, &ServiceTypeName::new("std_srvs", "Trigger"))?;
        let stops = |response: &TriggerResponse| response.success;
        let service = Box::new(Asked::<TriggerRequest, TriggerResponse> { client, asked: VecDeque::new(), stops });
        calls.push(Call { name, service, is_of_goals: false, is_answered: false });
    }
    Ok(calls)
}

/// The call that cancels every goal of an action.
fn cancels(node: &mut Node, action: &str, is_of_goals: bool) -> Result<Call, DomainError> {
    let client = client(node, &cancel_service(action), &ServiceTypeName::new("action_msgs", "CancelGoal"))?;
    let stops = |response: &CancelResponse| response.is_cancelled();
    let service = Box::new(Asked::<CancelRequest, CancelResponse> { client, asked: VecDeque::new(), stops });
    Ok(Call { name: action.to_owned(), service, is_of_goals, is_answered: false })
}

/// A client of a service.
pub fn client<Request: Message + Clone + 'static, Response: Message + 'static>(
    node: &mut Node,
    name: &str,
    service: &ServiceTypeName,
) -> Result<Client<Request, Response>, DomainError> {
    let failed = |reason: String| DomainError::new(name, reason);
    let parsed = Name::parse(name).map_err(|error| failed(error.to_string()))?;
    let made = node.create_client(ServiceMapping::Enhanced, &parsed, service, prompt(REQUESTS), prompt(REQUESTS));
    made.map_err(|error| failed(error.to_string()))
}

/// The thread's own.
pub struct Caller {
    calls: Vec<Call>,
    goals: Option<Box<dyn GoalSender>>,
    /// The topic on which a stop says so.
    event: Option<Publisher<Text>>,
    /// Zeros go to the robot too, so that a stop leaves this gate without an action server.
    has_twists: bool,
    outbox: Arc<Outbox>,
    heard: Arc<Inbound>,
    clock: ClockFn,
    known: Option<Calls>,
    called: Option<Instant>,
    /// The robot has refused; each refusal is a new reason to stop, and must not be one at once again.
    is_refused: bool,
}

impl Caller {
    /// The clients of everything that a wiring names.
    pub fn open(
        node: &mut Node,
        wiring: &Ros2Wiring,
        outbox: &Arc<Outbox>,
        heard: &Arc<Inbound>,
        clock: &ClockFn,
    ) -> Result<Self, DomainError> {
        let event = wiring.stop_event.as_ref().map(|topic| wiring.absolute(topic));
        Ok(Self {
            calls: calls(node, wiring)?,
            goals: action::open(node, wiring, heard, clock)?,
            event: event.map(|topic| publisher(node, &topic, "std_msgs", "String")).transpose()?,
            has_twists: wiring.cmd_vel.is_some(),
            outbox: Arc::clone(outbox),
            heard: Arc::clone(heard),
            clock: ClockFn::clone(clock),
            known: None,
            called: None,
            is_refused: false,
        })
    }

    /// True if there is anything to call.
    pub const fn has_work(&self) -> bool {
        !self.calls.is_empty() || self.event.is_some()
    }

    /// Works until the outbox is closed.
    pub fn run(mut self) {
        while let Ok(errand) = self.outbox.errand(self.known, LOOK_EVERY) {
            self.carry_out(errand);
            self.hear();
        }
    }

    /// Stops come first, and one thread sends them and goals: no goal leaves after the stop that took its place.
    fn carry_out(&mut self, errand: Errand) {
        let Errand { calls, cancel, ends, goal } = errand;
        if let Some(calls) = calls {
            self.call(calls);
        }
        if let Some(number) = cancel {
            self.cancel(number);
        }
        let Some(sender) = &mut self.goals else { return };
        let mut is_taken = ends.into_iter().all(|goal| sender.end(goal));
        if let Some(goal) = goal {
            is_taken &= sender.send(goal);
        }
        if !is_taken {
            self.outbox.fail();
        }
    }

    /// Cancels every goal; a stop says so on its topic too.
    fn cancel(&mut self, number: u64) {
        if self.known.is_some_and(|calls| calls.which == Called::All) {
            self.say_stop();
        }
        let is_there = self.heard.look(|heard| heard.goals.server.is_there);
        for call in self.calls.iter_mut().filter(|call| call.is_of_goals) {
            if !call.service.call() {
                self.outbox.fail();
            } else if is_there || self.has_twists {
                // Without a server the request reaches nobody, and is no evidence.
                self.outbox.has_cancelled(number);
            }
        }
    }

    fn say_stop(&self) {
        let stop = Text { data: STOP.to_owned() };
        if self.event.as_ref().is_some_and(|event| event.publish(stop).is_err()) {
            self.outbox.fail();
        }
    }

    /// Calls whatever has not answered yet and is not repeated by itself.
    fn call(&mut self, calls: Calls) {
        let now = (self.clock)().station;
        if self.known != Some(calls) {
            self.known = Some(calls);
            // A new stop calls at once, unless the robot has just refused: each refusal begins a new stop.
            self.called = self.called.filter(|_| self.is_refused);
            for call in &mut self.calls {
                call.is_answered = false;
                // A late answer to an earlier stop says nothing about this one.
                call.service.begin_anew();
            }
        }
        // For a hold the cancellation of goals is all there is, and `cancel` repeats it.
        if calls.which == Called::Goals || self.called.is_some_and(|last| now.since(last) < CALL_EVERY) {
            return;
        }
        // A request is lost if the service is found only later, so that it is repeated until it is answered.
        self.called = Some(now);
        let is_alone = calls.which != Called::All;
        for (place, call) in self.calls.iter_mut().enumerate() {
            // The action of goals is called here only where it is tried alone; `cancel` sends it in every stop.
            let is_due = calls.which.concerns(place, call.is_of_goals) && !call.is_answered;
            if is_due && (is_alone || !call.is_of_goals) && !call.service.call() {
                self.outbox.fail();
            }
        }
    }

    fn hear(&mut self) {
        if let Some(goals) = &mut self.goals {
            goals.hear();
        }
        let Some(calls) = self.known else { return };
        for call in &mut self.calls {
            match call.service.answer() {
                Some(true) => call.is_answered = true,
                Some(false) => {
                    if !std::mem::replace(&mut self.is_refused, true) {
                        tracing::error!(service = call.name, "the robot refused to stop");
                    }
                    self.heard.fault(GateFault::StopRefused);
                }
                None => {}
            }
        }
        let open = self
            .calls
            .iter()
            .enumerate()
            .filter(|(place, call)| calls.which.concerns(*place, call.is_of_goals) && !call.is_answered);
        let open: Vec<String> = open.map(|(_, call)| call.name.clone()).collect();
        if open.is_empty() {
            self.is_refused = false;
            self.outbox.answered(calls.episode);
        }
        self.outbox.note_open(calls, open);
    }
}
