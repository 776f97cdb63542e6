//! Sending commands: a thread per robot spends approvals inside the fence, the newest of each actuator.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use robot::{ActuatorId, Command, CommandId, RobotId};
use safety::{Approved, Fence, Slots};

use crate::envelope::CommandEnvelope;
use crate::link::ClockFn;
use crate::signing::SignedPublisher;
use crate::{BridgeError, RobotLink};

/// A command that was put. It says nothing about the robot: only an acknowledgement does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The command.
    pub command: CommandId,
    /// Its sequence number.
    pub seq: u64,
    /// The beat its time-to-live counts from.
    pub beat: u64,
}

/// Called once with the outcome of a command, on the thread that sends, or on that of the command that took its place.
pub type SentFn = Box<dyn FnOnce(Result<Sent, BridgeError>) + Send>;

impl RobotLink {
    /// Hands a command to the thread that sends, and never waits for the network. One that waits there for the same
    /// actuator is superseded. Latch, set version, epoch and validity are tested again when it is sent, because time
    /// has passed since the judgement; a refusal is final.
    pub fn send(&self, approved: Approved<Command>, on_sent: SentFn) {
        let actuator = approved.command().actuator.clone();
        let order = Order { approved, on_sent };
        if let Some(replaced) = self.commands.slots.hand_over(&actuator, order) {
            replaced.supersede(&self.robot);
        }
    }
}

/// The owner's end of the thread that sends. Dropping it ends the thread but does not wait for it: a put that is
/// blocked must hold up nobody.
pub(crate) struct CommandSender {
    robot: RobotId,
    slots: Arc<Slots<Order>>,
}

/// Parts that the sending thread works with.
pub(crate) struct Outlet {
    pub(crate) robot: RobotId,
    pub(crate) fence: Arc<Fence>,
    pub(crate) publishers: BTreeMap<ActuatorId, SignedPublisher>,
    /// The newest beat that was answered; 0 before the first.
    pub(crate) beat_answered: Arc<AtomicU64>,
    pub(crate) clock: ClockFn,
}

struct Order {
    approved: Approved<Command>,
    on_sent: SentFn,
}

impl Order {
    fn supersede(self, robot: &RobotId) {
        let actuator = self.approved.command().actuator.clone();
        (self.on_sent)(Err(BridgeError::Superseded { robot: robot.clone(), actuator }));
    }
}

impl CommandSender {
    pub(crate) fn start(outlet: Outlet) -> Result<Self, BridgeError> {
        let (robot, slots) = (outlet.robot.clone(), Arc::<Slots<Order>>::default());
        let in_thread = Arc::clone(&slots);
        std::thread::Builder::new()
            .name(format!("send-{robot}"))
            .spawn(move || {
                while let Some(order) = in_thread.next() {
                    outlet.send_and_tell(order);
                }
            })
            .map_err(|source| BridgeError::NoSendThread { robot: robot.clone(), source })?;
        Ok(Self { robot, slots })
    }
}

impl Drop for CommandSender {
    fn drop(&mut self) {
        for order in self.slots.close() {
            order.supersede(&self.robot);
        }
    }
}

impl Outlet {
    /// A panic of the callback must not keep the next command, perhaps one that slows the robot down, from leaving.
    fn send_and_tell(&self, order: Order) {
        let told = catch_unwind(AssertUnwindSafe(|| (order.on_sent)(self.send(order.approved))));
        if told.is_err() {
            tracing::error!(robot = %self.robot, "whoever was told what became of a command panicked");
        }
    }

    fn send(&self, approved: Approved<Command>) -> Result<Sent, BridgeError> {
        let beat = self.beat_answered.load(Ordering::Acquire);
        // The gate counts a time to live from the beat that it answered, and refuses a command without one.
        if beat == 0 {
            return Err(BridgeError::NoBeatAnswered { robot: self.robot.clone() });
        }
        let generation = approved.latch_generation();
        self.fence
            .pass(approved, (self.clock)().station, |command| self.put(command, generation, beat))
            .map_err(|refusal| BridgeError::RefusedAtSend { robot: self.robot.clone(), refusal })?
    }

    fn put(&self, command: Command, generation: u64, beat: u64) -> Result<Sent, BridgeError> {
        // The publishers are those of one robot; a command of another must not leave through them.
        let Some(publisher) = self.publishers.get(&command.actuator).filter(|_| command.robot == self.robot) else {
            return Err(BridgeError::NoSuchActuator { robot: self.robot.clone(), actuator: command.actuator });
        };
        let sent = Sent { command: command.id, seq: command.lease.seq, beat };
        let envelope = CommandEnvelope {
            robot: command.robot,
            actuator: command.actuator,
            id: command.id,
            station: command.lease.station,
            epoch: command.lease.epoch,
            seq: command.lease.seq,
            generation,
            ttl_ms: command.ttl_ms,
            beat,
            frame: command.frame,
            motion: command.motion,
            force_n: command.force_n,
        };
        publisher.put(&envelope)?;
        Ok(sent)
    }
}
