//! The threads that send: one velocities, zeros and the lock, one goals and calls of services and actions. Neither
//! waits for the robot.

use std::collections::BTreeMap;
use std::sync::Arc;

use bridge::ClockFn;
use ros2_client::{MessageTypeName, Name, Node, Publisher};
use serde::Serialize;

use super::calling::Caller;
use super::domain::{DomainError, prompt};
use super::inbound::{CrashMark, Inbound};
use super::message::{Flag, Header, Time, Twist, TwistStamped};
use super::outbox::{Next, Outbox};
use super::wiring::Ros2Wiring;
use crate::adapters::ros2::discovery::graph::TwistType;

/// The frame that a twist is in.
const BASE_FRAME: &str = "base_link";

/// Starts both threads, as far as the wiring needs them; they end once the outbox is closed.
pub fn start(
    mut node: Node,
    wiring: &Ros2Wiring,
    outbox: &Arc<Outbox>,
    heard: &Arc<Inbound>,
    clock: &ClockFn,
) -> Result<(), DomainError> {
    let lock = wiring.cmd_vel.as_ref().and_then(|cmd_vel| cmd_vel.lock.as_ref());
    let lock = lock.map(|lock| publisher(&mut node, &wiring.absolute(lock), "std_msgs", "Bool")).transpose()?;
    let caller = Caller::open(&mut node, wiring, outbox, heard, clock)?;
    if let Some(topic) = wiring.command_topic() {
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
        if caller.has_work() { thread("ros2-call", heard, move || caller.run()) } else { Ok(()) }
    } else {
        // The node lives as long as its clients are used.
        thread("ros2-call", heard, move || {
            caller.run();
            drop(node);
        })
    }
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

/// A writer of the messages of a topic.
pub fn publisher<M: Serialize>(
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
                    // Without a listener the zeros reach nobody, and are no evidence.
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
        // Without listeners there is no writer yet, which is no failure: the stop counts as not left instead.
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
        // Controllers of ros2_control drop a stamped twist that is old by the clock of the system.
        let ms = (self.clock)().wall_ms.max(0);
        let nanosec = u32::try_from(ms % 1_000 * 1_000_000).unwrap_or_default();
        Time { sec: i32::try_from(ms / 1_000).unwrap_or(i32::MAX), nanosec }
    }
}
