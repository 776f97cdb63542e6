//! What a robot's gate says to this station, tested before it is believed.

use robot::RobotId;
use serde::de::DeserializeOwned;

use crate::RobotLink;
use crate::envelope::{Ack, BeatAnswer, check_size, parse};
use crate::signing::SignedSample;

/// Why a message on a key of the robot's gate is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misheard {
    /// The key in the robot's manifest has not signed it.
    BadSignature,
    /// It is signed, but no such message.
    Schema,
    /// It is signed, but speaks for another robot.
    OtherRobot,
}

impl RobotLink {
    /// Reads an acknowledgement.
    pub fn hear_ack(&self, message: &SignedSample) -> Result<Ack, Misheard> {
        self.hear(message, |ack: &Ack| &ack.robot)
    }

    /// Reads an answer to a beat, not necessarily to one of ours.
    pub fn hear_beat_answer(&self, message: &SignedSample) -> Result<BeatAnswer, Misheard> {
        self.hear(message, |answer: &BeatAnswer| &answer.robot)
    }

    fn hear<M: DeserializeOwned>(
        &self,
        message: &SignedSample,
        robot: impl FnOnce(&M) -> &RobotId,
    ) -> Result<M, Misheard> {
        let payload = &message.sample.payload;
        check_size(payload).map_err(|_| Misheard::Schema)?;
        // A gate without a key in its manifest is not the reference gate, which always has one.
        if self.robot_key.is_some_and(|key| !message.is_by(&key)) {
            return Err(Misheard::BadSignature);
        }
        let read: M = parse(payload).map_err(|_| Misheard::Schema)?;
        if robot(&read) == &self.robot { Ok(read) } else { Err(Misheard::OtherRobot) }
    }
}
