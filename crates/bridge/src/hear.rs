//! Messages of a robot's gate to this station, tested before they are believed.

use robot::RobotId;
use serde::de::DeserializeOwned;

use crate::RobotLink;
use crate::commissioning::GateReport;
use crate::envelope::{Ack, BeatAnswer, check_size, parse};
use crate::signing::SignedSample;

/// Reason not to believe a message on a key of the robot's gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageError {
    /// The key in the robot's manifest has not signed it: anybody may have put it there.
    BadSignature,
    /// Useless and of unknown origin: it is too large to be tested, or the robot has no key.
    Unattributed,
    /// It is signed, but no such message.
    Schema,
    /// It is signed, but speaks for another robot.
    OtherRobot,
}

impl RobotLink {
    /// True if the robot has a key: then what it says about itself must be signed.
    #[must_use]
    pub fn signs(&self) -> bool {
        self.robot_key.is_some()
    }

    /// True if the robot itself has put this, as far as anybody can know: it has signed it, or has no key to sign with.
    #[must_use]
    pub fn is_of_robot(&self, message: &SignedSample) -> bool {
        self.robot_key.is_none_or(|key| message.is_by(&key))
    }

    /// Reads an acknowledgement.
    pub fn hear_ack(&self, message: &SignedSample) -> Result<Ack, MessageError> {
        self.hear(message, |ack: &Ack| &ack.robot)
    }

    /// Reads an answer to a beat, not necessarily to one of ours.
    pub fn hear_beat_answer(&self, message: &SignedSample) -> Result<BeatAnswer, MessageError> {
        self.hear(message, |answer: &BeatAnswer| &answer.robot)
    }

    /// Reads the gate's account of itself.
    pub fn hear_gate_report(&self, message: &SignedSample) -> Result<GateReport, MessageError> {
        self.hear(message, |report: &GateReport| &report.robot)
    }

    fn hear<M: DeserializeOwned>(
        &self,
        message: &SignedSample,
        robot: impl FnOnce(&M) -> &RobotId,
    ) -> Result<M, MessageError> {
        let payload = &message.sample.payload;
        // Before the signature is tested: hashing a message of unknown origin must stay cheap.
        check_size(payload).map_err(|_| MessageError::Unattributed)?;
        // A gate without a key in its manifest is not the reference gate, which always has one.
        if self.robot_key.is_some_and(|key| !message.is_by(&key)) {
            return Err(MessageError::BadSignature);
        }
        // Only what the robot itself has signed is held against it.
        let against = |error| if self.robot_key.is_some() { error } else { MessageError::Unattributed };
        let read: M = parse(payload).map_err(|_| against(MessageError::Schema))?;
        if robot(&read) == &self.robot { Ok(read) } else { Err(against(MessageError::OtherRobot)) }
    }
}
