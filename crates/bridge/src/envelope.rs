//! Every message between a station and a robot's gate, as JSON. Unknown and repeated fields are errors. The signature
//! proves the author, see [`crate::signing`].

use robot::{ActuatorId, CommandId, FrameId, RawMotion, Reason, RobotId, StationId};
use safety::Commissioning;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::BridgeError;

/// The largest message either side reads, bytes: a path of 10,000 points fits.
pub(crate) const MESSAGE_BYTES_MAX: usize = 512 * 1024;

/// Station to gate: do this. A station writes the motion it has judged; a gate reads one that may still be anything.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandEnvelope<M = RawMotion> {
    /// The robot it is meant for.
    pub robot: RobotId,
    /// The actuator; equals the last part of the key it is put on.
    pub actuator: ActuatorId,
    /// The command; acknowledgements name it.
    pub id: CommandId,
    /// The station that sends it.
    pub station: StationId,
    /// The claim it is sent under.
    pub epoch: u64,
    /// Rises with every command of an epoch.
    pub seq: u64,
    /// The station's latch generation when it was approved; rises with every stop and release.
    pub generation: u64,
    /// Time to live after the gate answered `beat`, milliseconds.
    pub ttl_ms: u32,
    /// The newest beat the station has seen answered.
    pub beat: u64,
    /// The frame of the motion.
    pub frame: FrameId,
    /// The motion.
    pub motion: M,
    /// The largest force the motion may apply, newtons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force_n: Option<f64>,
}

/// Station to gate: from now on only I command you.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The robot it is meant for.
    pub robot: RobotId,
    /// The station that claims.
    pub station: StationId,
    /// Must be above the epoch the gate has stored.
    pub epoch: u64,
    /// Time that the claim outlives the last beat, milliseconds.
    pub ttl_ms: u32,
    /// True for a claim under which nothing passes but the steps of commissioning.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub commissioning: bool,
}

/// One stop that is not released: who asked for it and its number there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenStop {
    /// Source of the stop.
    pub by: StoppedBy,
    /// Its number; only rises per station, and among the gate's own.
    pub stop_id: u64,
}

/// Source of a stop.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// A station.
    Station(StationId),
    /// The gate itself, because it was started: it cannot know what happened meanwhile.
    Restart,
    /// The gate itself, because the claimant's beats were missing.
    Deadman,
    /// The gate itself, because it or the robot's own program failed.
    Fault(GateFault),
    /// Somebody whose station the gate does not know, or who did not sign it. All of them are one stop.
    Stranger,
}

/// A failure for which a gate stops its robot and latches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateFault {
    /// The robot, or the program that speaks for it, was silent for too long.
    Silent,
    /// The program that speaks for the robot has ended.
    Ended,
    /// The robot sent a message that cannot be read.
    Unreadable,
    /// The robot sent more messages than are read.
    Flood,
    /// Messages to the robot were not taken.
    NotTaken,
    /// The connection to the robot is lost.
    Unreachable,
    /// The robot refused to stop.
    StopRefused,
    /// A part of the gate took longer than it may.
    Late,
    /// A part of the gate has crashed.
    Crashed,
    /// The gate is being ended.
    Ending,
}

impl GateFault {
    /// The fault as a clause: `the gate of rover-1 has stopped it: …`.
    #[must_use]
    pub const fn clause(self) -> &'static str {
        match self {
            Self::Silent => "the robot's program is silent",
            Self::Ended => "the robot's program has ended",
            Self::Unreadable => "the robot's program sent a line that cannot be read",
            Self::Flood => "the robot's program sends more than the gate reads",
            Self::NotTaken => "the robot's program does not read its commands",
            Self::Unreachable => "the connection to the robot is lost",
            Self::StopRefused => "the robot refused to stop",
            Self::Late => "a part of the gate took too long",
            Self::Crashed => "a part of the gate has crashed",
            Self::Ending => "the gate was ended",
        }
    }
}

impl StoppedBy {
    /// True if the gate has asked for it itself.
    #[must_use]
    pub const fn is_gate(&self) -> bool {
        match self {
            Self::Station(_) | Self::Stranger => false,
            Self::Restart | Self::Deadman | Self::Fault(_) => true,
        }
    }
}

/// Station to gate: these stops are over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// The robot it is meant for.
    pub robot: RobotId,
    /// The claimant.
    pub station: StationId,
    /// Above the epoch the robot was stopped under.
    pub epoch: u64,
    /// Every open stop, the gate's own included, in any order; those that are not open there are passed over.
    pub stops: Vec<OpenStop>,
}

/// Station to gate: stop and latch. Needs no claim, and no
/// signature; one that a known station has signed keeps its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopMessage {
    /// The robot it is meant for.
    pub robot: RobotId,
    /// The station that asks.
    pub station: StationId,
    /// Its number there.
    pub stop_id: u64,
    /// True for a test of the stop path. The gate does the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drill: bool,
}

/// Station to gate: end every motion, latch nothing. Needs no claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HoldMessage {
    /// The robot it is meant for.
    pub robot: RobotId,
    /// The station that asks.
    pub station: StationId,
    /// Its number there; 0 from a station that does not count its holds. The acknowledgement repeats it.
    #[serde(default)]
    pub hold_id: u64,
}

/// Station to gate, ten times a second: I am here.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beat {
    /// The robot it is meant for.
    pub robot: RobotId,
    /// The station that beats.
    pub station: StationId,
    /// Rises by one, from 1.
    pub n: u64,
    /// A number the gate cannot know beforehand.
    pub nonce: u64,
    /// The newest epoch the station has claimed the robot under, 0 before the first; an older one renews no claim.
    pub epoch: u64,
}

/// Gate to station: the answer to one beat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeatAnswer {
    /// The robot that answers.
    pub robot: RobotId,
    /// The station whose beat it is.
    pub station: StationId,
    /// The beat.
    pub n: u64,
    /// The beat's nonce with every bit turned, so that the answer is no echo.
    pub not_nonce: u64,
    /// Number of starts of the gate; another number than before means that it was started anew.
    pub boot: u64,
    /// The epoch the gate has stored; 0 before the first claim.
    pub epoch: u64,
    /// Holder of the claim.
    pub claimed_by: Option<StationId>,
    /// True while a stop is not released.
    pub latched: bool,
    /// Those stops.
    pub stops: Vec<OpenStop>,
    /// True while the gate holds motion because the claimant's beats were missing.
    pub held: bool,
    /// True while somebody at the robot, with a pendant, has control: every command is refused.
    pub local: bool,
    /// The robot's speed; none if it was not measured within the last 500 ms.
    pub speed: Option<GateSpeed>,
    /// The motion that the robot's commissioning leaves.
    #[serde(default, skip_serializing_if = "Commissioning::is_complete")]
    pub commissioning: Commissioning,
}

/// A speed that a robot has measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateSpeed {
    /// Metres per second.
    pub mps: f64,
    /// Its age, milliseconds: an encoder that is silent makes no robot stand.
    pub age_ms: u64,
    /// True if it stands by its manifest: a robot that turns in place has no speed.
    pub stands: bool,
}

/// Gate to station: the outcome of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ack {
    /// The robot that answers.
    pub robot: RobotId,
    /// The message.
    pub subject: Subject,
    /// Outcome of the message.
    pub status: Status,
    /// Holder of the claim; in a refusal, the station to ask for it.
    pub claimed_by: Option<StationId>,
    /// Measured speed, metres per second; none if the robot has not measured it lately.
    pub speed_mps: Option<f64>,
    /// True if the robot is measured to stand still, by its manifest's own measure.
    pub standstill: bool,
}

/// The message an [`Ack`] is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are those of the message")]
pub enum Subject {
    /// A [`CommandEnvelope`].
    Command { station: StationId, id: CommandId },
    /// A [`Claim`].
    Claim { station: StationId, epoch: u64 },
    /// A [`Release`].
    Release { station: StationId, epoch: u64 },
    /// A [`StopMessage`].
    Stop { station: StationId, stop_id: u64 },
    /// A [`crate::commissioning::CommissionMessage`].
    Commission { station: StationId, n: u64 },
    /// A [`HoldMessage`].
    Hold { station: StationId, hold_id: u64 },
    /// Bytes on a command key that are no message, or no message of a station the gate knows.
    Unreadable { key_expr: String },
}

/// Outcome of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Accepted; claims and releases are in force, a stop has latched.
    Received,
    /// The motion has begun.
    Running,
    /// The motion is complete; for a stop: the robot stands still.
    Done,
    /// The motion ended early.
    Failed(Failure),
    /// Not accepted.
    Refused(Reason),
    /// Not accepted and not read: no station the gate knows has signed it.
    BadSignature,
}

/// Reason that a motion ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// A stop, of a station or of the gate itself.
    Stopped,
    /// The claimant's beats were missing, or a station asked for it.
    Held,
    /// A newer command for the same actuator.
    Replaced,
    /// The robot did not carry it out.
    ByRobot,
}

/// Bytes that are no message of the wanted type.
#[derive(Debug, thiserror::Error)]
pub enum EnvelopeError {
    /// Too many bytes.
    #[error("{bytes} bytes, at most {MESSAGE_BYTES_MAX} are read")]
    TooLarge {
        /// Length of the message, bytes.
        bytes: usize,
    },
    /// Not the JSON of that type.
    #[error("not a message of this type")]
    Schema {
        /// The parser's error, with line and column.
        #[source]
        source: serde_json::Error,
    },
}

impl EnvelopeError {
    /// The refusal's code.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        match self {
            Self::TooLarge { .. } => Reason::TooLarge,
            Self::Schema { .. } => Reason::Schema,
        }
    }
}

/// Checks that a payload is small enough to be looked at.
pub(crate) fn check_size(payload: &[u8]) -> Result<(), EnvelopeError> {
    if payload.len() <= MESSAGE_BYTES_MAX { Ok(()) } else { Err(EnvelopeError::TooLarge { bytes: payload.len() }) }
}

/// Reads a message.
pub fn parse<T: DeserializeOwned>(payload: &[u8]) -> Result<T, EnvelopeError> {
    check_size(payload)?;
    serde_json::from_slice(payload).map_err(|source| EnvelopeError::Schema { source })
}

/// Writes a message.
pub(crate) fn encode(message: &impl Serialize) -> Result<Vec<u8>, BridgeError> {
    serde_json::to_vec(message).map_err(|source| BridgeError::Encode { source })
}

#[cfg(test)]
mod tests;
