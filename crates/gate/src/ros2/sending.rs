//! The threads that send: one velocities, zeros and the lock, one calls of services and actions. Neither waits for the
//! robot.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use bridge::ClockFn;
use bridge::envelope::GateFault;
use robot::Instant;
use ros2_client::{
    Client, Message, MessageTypeName, Name, Node, Publisher, RmwRequestId, ServiceMapping, ServiceTypeName,
};
use serde::Serialize;

use super::domain::{DomainError, cancel_service, prompt};
use super::graph::TwistType;
use super::listening::{CrashMark, Inbound};
use super::message::{
    CancelRequest, CancelResponse, Flag, Header, Time, TriggerRequest, TriggerResponse, Twist, TwistStamped,
};
use super::outbox::{Next, Outbox};
use super::wiring::Ros2Wiring;

/// The frame that a twist is in.
const BASE_FRAME: &str = "base_link";
/// A service that has not answered is called again after this time.
const CALL_EVERY: Duration = Duration::from_millis(200);
/// Period of looks at answers.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Requests whose answers count: what is asked in some seconds.
const ASKED_MAX: usize = 32;
/// Requests to a service that wait for it.
const REQUESTS: usize = 8;

/// Starts both threads; they end once the outbox is closed.
pub fn start(
    mut node: Node,
    wiring: &Ros2Wiring,
    outbox: &Arc<Outbox>,
    heard: &Arc<Inbound>,
    clock: &ClockFn,
) -> Result<(), DomainError> {
    let Some(topic) = wiring.command_topic() else { return Err(DomainError::new("cmd_vel", "is missing")) };
    let lock = wiring.cmd_vel.as_ref().and_then(|cmd_vel| cmd_vel.lock.as_ref());
    let lock = lock.map(|lock| publisher(&mut node, &wiring.absolute(lock), "std_msgs", "Bool")).transpose()?;
    let caller = Caller {
        calls: calls(&mut node, wiring)?,
        outbox: Arc::clone(outbox),
        heard: Arc::clone(heard),
        clock: ClockFn::clone(clock),
        episode: None,
        called: None,
        is_refused: false,
    };
    let sender = Sender {
        node,
        topic,
        writers: BTreeMap::new(),
        lock,
        outbox: Arc::clone(outbox),
        heard: Arc::clone(heard),
        clock: ClockFn::clone(clock),
    };
    thread("ros2-out", heard, move || sender.run())?;
    if caller.calls.is_empty() { Ok(()) } else { thread("ros2-call", heard, move || caller.run()) }
}

fn thread(name: &str, heard: &Arc<Inbound>, run: impl FnOnce() + Send + 'static) -> Result<(), DomainError> {
    let mark = Arc::clone(heard);
    let marked = move || {
        let crash = CrashMark(mark);
        run();
        drop(crash);
    };
    let started = std::thread::Builder::new().name(name.to_owned()).spawn(marked);
    started.map(drop).map_err(|error| DomainError::new(name, error))
}

fn publisher<M: Serialize>(
    node: &mut Node,
    topic: &str,
    package: &str,
    message: &str,
) -> Result<Publisher<M>, DomainError> {
    let failed = |reason: String| DomainError::new(topic, reason);
    let name = Name::parse(topic).map_err(|error| failed(error.to_string()))?;
    let made = node.create_topic(&name, MessageTypeName::new(package, message), &prompt(1));
    let made = made.map_err(|error| failed(error.to_string()))?;
    node.create_publisher(&made, Some(prompt(1))).map_err(|error| failed(error.to_string()))
}

/// A writer of velocities.
enum Writer {
    Plain(Publisher<Twist>),
    Stamped(Publisher<TwistStamped>),
}

/// Sends velocities, zeros and the lock.
struct Sender {
    node: Node,
    topic: String,
    writers: BTreeMap<TwistType, Writer>,
    lock: Option<Publisher<Flag>>,
    outbox: Arc<Outbox>,
    heard: Arc<Inbound>,
    clock: ClockFn,
}

impl Sender {
    fn run(mut self) {
        while let Some(next) = self.outbox.next() {
            match next {
                Next::Listeners(types) => types.into_iter().for_each(|twist_type| self.write_as(twist_type)),
                Next::Zeros(number) => {
                    // Where nobody listens nothing has left.
                    if self.twist(Twist::default()) && self.heard.look(|heard| heard.reaches_the_robot()) {
                        self.outbox.has_left(number);
                    }
                }
                Next::Twist(twist) => {
                    self.twist(twist);
                }
                Next::Lock(is_locked) => {
                    if let Some(lock) = &self.lock {
                        self.note_result(lock.publish(Flag { data: is_locked }).is_ok());
                    }
                }
            }
        }
    }

    /// Makes a writer of the type that the robot listens for.
    fn write_as(&mut self, twist_type: TwistType) {
        if self.writers.contains_key(&twist_type) {
            return;
        }
        let (node, package, name) = (&mut self.node, "geometry_msgs", twist_type.name());
        let writer = match twist_type {
            TwistType::Plain => publisher(node, &self.topic, package, name).map(Writer::Plain),
            TwistType::Stamped => publisher(node, &self.topic, package, name).map(Writer::Stamped),
        };
        match writer {
            Ok(writer) => {
                self.heard.note_writer(match &writer {
                    Writer::Plain(publisher) => publisher.gid(),
                    Writer::Stamped(publisher) => publisher.gid(),
                });
                self.writers.insert(twist_type, writer);
            }
            Err(error) => {
                tracing::error!(%error, "nobody can be commanded");
                self.outbox.fail();
            }
        }
    }

    /// Writes a twist to everybody who listens; true if it was taken.
    fn twist(&self, twist: Twist) -> bool {
        let mut is_taken = !self.writers.is_empty();
        for writer in self.writers.values() {
            is_taken &= match writer {
                Writer::Plain(publisher) => publisher.publish(twist).is_ok(),
                Writer::Stamped(publisher) => {
                    let header = Header { stamp: self.stamp(), frame_id: BASE_FRAME.to_owned() };
                    publisher.publish(TwistStamped { header, twist }).is_ok()
                }
            };
        }
        if !self.writers.is_empty() {
            self.note_result(is_taken);
        }
        is_taken
    }

    fn note_result(&self, is_taken: bool) {
        if !is_taken {
            self.outbox.fail();
        }
    }

    fn stamp(&self) -> Time {
        let ms = (self.clock)().wall_ms.max(0);
        let nanosec = u32::try_from(ms % 1_000 * 1_000_000).unwrap_or_default();
        Time { sec: i32::try_from(ms / 1_000).unwrap_or(i32::MAX), nanosec }
    }
}

/// A service that a stop calls.
struct Call {
    name: String,
    service: Box<dyn Service>,
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
        loop {
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
    }
}

fn calls(node: &mut Node, wiring: &Ros2Wiring) -> Result<Vec<Call>, DomainError> {
    let mut calls = Vec::new();
    for service in &wiring.stop_service {
        let name = wiring.absolute(service);
        let client = client(node, &name, &ServiceTypeName::new("std_srvs", "Trigger"))?;
        let stops = |response: &TriggerResponse| response.success;
        let service = Box::new(Asked::<TriggerRequest, TriggerResponse> { client, asked: VecDeque::new(), stops });
        calls.push(Call { name, service, is_answered: false });
    }
    for action in &wiring.cancel_action {
        let name = cancel_service(&wiring.absolute(action));
        let client = client(node, &name, &ServiceTypeName::new("action_msgs", "CancelGoal"))?;
        let stops = |response: &CancelResponse| response.is_cancelled();
        let service = Box::new(Asked::<CancelRequest, CancelResponse> { client, asked: VecDeque::new(), stops });
        calls.push(Call { name, service, is_answered: false });
    }
    Ok(calls)
}

fn client<Request: Message + Clone + 'static, Response: Message + 'static>(
    node: &mut Node,
    name: &str,
    service: &ServiceTypeName,
) -> Result<Client<Request, Response>, DomainError> {
    let failed = |reason: String| DomainError::new(name, reason);
    let parsed = Name::parse(name).map_err(|error| failed(error.to_string()))?;
    let made = node.create_client(ServiceMapping::Enhanced, &parsed, service, prompt(REQUESTS), prompt(REQUESTS));
    made.map_err(|error| failed(error.to_string()))
}

/// Calls the services and cancels the actions of a stop, all at once.
struct Caller {
    calls: Vec<Call>,
    outbox: Arc<Outbox>,
    heard: Arc<Inbound>,
    clock: ClockFn,
    episode: Option<u64>,
    called: Option<Instant>,
    /// The robot has refused; each refusal is a new reason to stop, and must not be one at once again.
    is_refused: bool,
}

impl Caller {
    fn run(mut self) {
        while let Ok(wanted) = self.outbox.calls(self.episode, LOOK_EVERY) {
            if let Some(episode) = wanted {
                self.call(episode);
            }
            self.hear();
        }
    }

    fn call(&mut self, episode: u64) {
        let now = (self.clock)().station;
        if self.episode != Some(episode) {
            self.episode = Some(episode);
            self.called = self.called.filter(|_| self.is_refused);
            for call in &mut self.calls {
                call.is_answered = false;
                call.service.begin_anew();
            }
        }
        if self.called.is_some_and(|last| now.since(last) < CALL_EVERY) {
            return;
        }
        self.called = Some(now);
        for call in self.calls.iter_mut().filter(|call| !call.is_answered) {
            if !call.service.call() {
                self.outbox.fail();
            }
        }
    }

    fn hear(&mut self) {
        let Some(episode) = self.episode else { return };
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
        if self.calls.iter().all(|call| call.is_answered) {
            self.is_refused = false;
            self.outbox.answered(episode);
        }
    }
}
