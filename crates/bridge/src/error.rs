//! Errors of the bridge.

use std::path::PathBuf;

use robot::refusal::Code;
use robot::{ActuatorId, RobotId, SharedCode};
use safety::{CompileError, RefusedAtSend};

use crate::BridgeCode;
use crate::signing::KeyError;

/// An error of the bridge; [`BridgeError::code`] is what clients rely on.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// A setting that would open the station to a network, or that Zenoh does not know.
    #[error("Zenoh setting {field} is refused: expected {expected}")]
    ConfigRefused {
        /// Path of the setting, for example `listen/endpoints`.
        field: &'static str,
        /// Values that would have been accepted.
        expected: String,
    },
    /// The configuration file is missing or no configuration.
    #[error("Zenoh configuration file {} could not be read", path.display())]
    ConfigUnreadable {
        /// The file.
        path: PathBuf,
        /// Zenoh's own reason.
        #[source]
        source: zenoh::Error,
    },
    /// No session.
    #[error("the Zenoh session could not be opened")]
    Open {
        /// Zenoh's own reason.
        #[source]
        source: zenoh::Error,
    },
    /// The text is no key expression.
    #[error("{key_expr:?} is no key expression")]
    BadKeyExpression {
        /// The text as given.
        key_expr: String,
        /// Zenoh's own reason.
        #[source]
        source: zenoh::Error,
    },
    /// A publisher of samples was asked for on a command key, or on more than one key.
    #[error("{key_expr:?} is no key to publish samples on: expected one without wildcards and without a chunk `cmd`")]
    NotASampleKey {
        /// The key as given.
        key_expr: String,
    },
    /// A publisher or subscriber could not be declared.
    #[error("{key_expr} could not be declared")]
    Declare {
        /// The key expression.
        key_expr: String,
        /// Zenoh's own reason.
        #[source]
        source: zenoh::Error,
    },
    /// A message did not get out.
    #[error("nothing could be put on {key_expr}")]
    Put {
        /// The key expression.
        key_expr: String,
        /// Zenoh's own reason.
        #[source]
        source: zenoh::Error,
    },
    /// A message could not be written as JSON.
    #[error("a message could not be encoded")]
    Encode {
        /// The reason.
        #[source]
        source: serde_json::Error,
    },
    /// The fence did not let the command out. Final: the owner may submit anew.
    #[error("the command to {robot} was refused at send: {refusal}")]
    RefusedAtSend {
        /// The robot.
        robot: RobotId,
        /// The condition that no longer held.
        refusal: RefusedAtSend,
    },
    /// Another command for the same actuator came before this one was sent, or nothing is sent there any more.
    #[error("the command to {actuator} of {robot} was superseded before it was sent")]
    Superseded {
        /// The robot.
        robot: RobotId,
        /// The actuator.
        actuator: ActuatorId,
    },
    /// The robot's gate has not answered a beat yet, so no time-to-live could be counted.
    #[error("{robot} has not answered a beat yet")]
    NoBeatAnswered {
        /// The robot.
        robot: RobotId,
    },
    /// The command is for something the robot does not have.
    #[error("{robot} has no actuator {actuator}")]
    NoSuchActuator {
        /// The robot.
        robot: RobotId,
        /// The actuator.
        actuator: ActuatorId,
    },
    /// A gate could not read or write what must outlast it.
    #[error("the gate of {robot} could not read or write its memory")]
    GateNotStored {
        /// The robot.
        robot: RobotId,
        /// The reason.
        #[source]
        source: std::io::Error,
    },
    /// The manifest's own limits are none.
    #[error("the gate of {robot} could not take up the manifest's limits")]
    GateLimits {
        /// The robot.
        robot: RobotId,
        /// The limit at fault.
        #[source]
        source: Box<CompileError>,
    },
    /// The key in a manifest is none.
    #[error("public_key of {robot}")]
    RobotKey {
        /// The robot.
        robot: RobotId,
        /// Fault of the key.
        #[source]
        source: KeyError,
    },
    /// The library of TLS refused to encrypt.
    #[error("the credentials of {robot} could not be sealed")]
    NotSealed {
        /// The robot.
        robot: RobotId,
    },
    /// The operating system gave no thread.
    #[error("no thread for the commands to {robot}")]
    NoSendThread {
        /// The robot.
        robot: RobotId,
        /// The reason.
        #[source]
        source: std::io::Error,
    },
    /// The operating system gave no thread.
    #[error("no thread for the stops of {robot}")]
    NoStopThread {
        /// The robot.
        robot: RobotId,
        /// The reason.
        #[source]
        source: std::io::Error,
    },
}

impl BridgeError {
    /// The stable name of the error.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::ConfigRefused { .. } => BridgeCode::ZenohConfigRefused.into(),
            Self::ConfigUnreadable { .. } => BridgeCode::ZenohConfigUnreadable.into(),
            Self::Open { .. } => BridgeCode::LinkNotOpened.into(),
            Self::BadKeyExpression { .. } => SharedCode::BadKeyExpression.into(),
            Self::NotASampleKey { .. } => BridgeCode::NotASampleKey.into(),
            Self::Declare { .. } => BridgeCode::NotDeclared.into(),
            Self::Put { .. } => BridgeCode::NotPut.into(),
            Self::Encode { .. } | Self::NotSealed { .. } => BridgeCode::NotEncoded.into(),
            Self::RefusedAtSend { .. } => BridgeCode::RefusedAtSend.into(),
            Self::Superseded { .. } => BridgeCode::Superseded.into(),
            Self::NoBeatAnswered { .. } => BridgeCode::NoBeatAnswered.into(),
            Self::NoSuchActuator { .. } => BridgeCode::UnknownActuator.into(),
            Self::GateNotStored { .. } => BridgeCode::GateNotStored.into(),
            Self::GateLimits { .. } => BridgeCode::GateLimits.into(),
            Self::RobotKey { .. } => BridgeCode::RobotKey.into(),
            Self::NoSendThread { .. } => BridgeCode::NoSendThread.into(),
            Self::NoStopThread { .. } => BridgeCode::NoStopThread.into(),
        }
    }
}
