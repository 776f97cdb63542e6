//! Sending a command: spends its approval inside the fence.

use std::sync::atomic::Ordering;

use robot::{Command, CommandId, Instant};
use safety::Approved;

use crate::envelope::CommandEnvelope;
use crate::{BridgeError, RobotLink};

/// What was put. It says nothing about the robot: only an acknowledgement does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The command.
    pub command: CommandId,
    /// Its sequence number.
    pub seq: u64,
    /// The beat its time-to-live counts from.
    pub beat: u64,
}

impl RobotLink {
    /// Sends a command, once. Latch, set version, epoch and validity are tested again here, because time has passed
    /// since the judgement; a refusal is final.
    pub fn send(&self, approved: Approved<Command>, now: Instant) -> Result<Sent, BridgeError> {
        let beat = self.beat_answered.load(Ordering::Acquire);
        if beat == 0 {
            return Err(BridgeError::NoBeatAnswered { robot: self.robot.clone() });
        }
        let generation = approved.latch_generation();
        self.fence
            .pass(approved, now, |command| self.put_command(command, generation, beat))
            .map_err(|refusal| BridgeError::RefusedAtSend { robot: self.robot.clone(), refusal })?
    }

    fn put_command(&self, command: Command, generation: u64, beat: u64) -> Result<Sent, BridgeError> {
        let Some(publisher) = self.commands.get(&command.actuator).filter(|_| command.robot == self.robot) else {
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
