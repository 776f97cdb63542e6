//! Causes that hold or stop a robot, as data: their severity, when they count, and how they end.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::fallback::FallbackClass;

/// A reason for a robot to be held or stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the sentence of each is in its rule")]
pub enum SafetyCause {
    BeatLate,
    BeatLost,
    PoseStale,
    TransformStale,
    SourceStale,
    SensorFrozen,
    PoseImplausible,
    SensorDisagreement,
    BreachAhead,
    Breach,
    OverSpeed,
    OverForce,
    UnexpectedMotion,
    LeaseExpired,
    OperatorAbsent,
    ValidatorError,
    ValidatorSlow,
    SetUnreadable,
    SetTampered,
    StoreUnavailable,
    SetEmptied,
    AuditUnavailable,
    ProcessSuspended,
    UncleanRestart,
    StopAll,
    StopRobot,
    HoldRequested,
    StopUnconfirmed,
    EpochConflict,
    RobotGateFault,
    IdentityMismatch,
    StateFault,
}

/// Severity of a cause; the worst active one decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Shown; motion goes on.
    Warn,
    /// A controlled stop that is not latched at the robot.
    Hold,
    /// A stop that is latched at the robot.
    SafeStop,
    /// Only an administrator gets out of it.
    Lockout,
}

/// The end of a cause, always after its condition is gone for [`Times::clear_for`](super::Times::clear_for).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Clears {
    /// Nothing more.
    WhenConditionClears,
    /// A person names it and says why it is over.
    OnAcknowledge,
    /// A person disarms the robot and confirms having looked at it.
    OnDisarm,
    /// The release of every stop that binds the robot; it does its own waiting.
    OnRelease,
    /// A restart with a corrected configuration.
    Never,
}

/// When a cause counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In every state.
    Always,
    /// From arming on: a disarmed robot may be switched off.
    Enabled,
}

/// A row of the table of causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CauseRule {
    /// The state it leads to.
    pub severity: Severity,
    /// True if it leads on to a safe stop when it lasts, or comes back at once.
    pub escalates: bool,
    /// When it counts.
    pub scope: Scope,
    /// The condition that ends it.
    pub clears: Clears,
    /// A sentence for people about what has happened.
    pub sentence: &'static str,
}

impl SafetyCause {
    /// Every cause.
    pub const ALL: [Self; 32] = [
        Self::BeatLate,
        Self::BeatLost,
        Self::PoseStale,
        Self::TransformStale,
        Self::SourceStale,
        Self::SensorFrozen,
        Self::PoseImplausible,
        Self::SensorDisagreement,
        Self::BreachAhead,
        Self::Breach,
        Self::OverSpeed,
        Self::OverForce,
        Self::UnexpectedMotion,
        Self::LeaseExpired,
        Self::OperatorAbsent,
        Self::ValidatorError,
        Self::ValidatorSlow,
        Self::SetUnreadable,
        Self::SetTampered,
        Self::StoreUnavailable,
        Self::SetEmptied,
        Self::AuditUnavailable,
        Self::ProcessSuspended,
        Self::UncleanRestart,
        Self::StopAll,
        Self::StopRobot,
        Self::HoldRequested,
        Self::StopUnconfirmed,
        Self::EpochConflict,
        Self::RobotGateFault,
        Self::IdentityMismatch,
        Self::StateFault,
    ];

    /// Its row of the table.
    #[must_use]
    pub const fn rule(self) -> CauseRule {
        use Clears::{Never, OnAcknowledge, OnDisarm, OnRelease, WhenConditionClears};
        use Scope::{Always, Enabled};
        use Severity::{Hold, Lockout, SafeStop, Warn};
        let (severity, escalates, scope, clears, sentence) = match self {
            Self::BeatLate => (Hold, true, Enabled, WhenConditionClears, "The robot answers late."),
            Self::BeatLost => (SafeStop, false, Enabled, OnAcknowledge, "The robot no longer answers."),
            Self::PoseStale => (Hold, true, Enabled, WhenConditionClears, "The pose is too old."),
            Self::TransformStale => (Hold, true, Enabled, WhenConditionClears, "A moving transform is too old."),
            Self::SourceStale => (Hold, true, Enabled, WhenConditionClears, "A source of the robot's state is silent."),
            Self::SensorFrozen => (Hold, false, Enabled, OnAcknowledge, "The pose does not change while it should."),
            Self::PoseImplausible => (Hold, false, Enabled, OnAcknowledge, "The pose jumped farther than it can move."),
            Self::SensorDisagreement => (Hold, false, Enabled, OnAcknowledge, "Two sources of the pose disagree."),
            Self::BreachAhead => (Hold, true, Enabled, WhenConditionClears, "It could not stop before a limit."),
            Self::Breach => (SafeStop, false, Enabled, OnAcknowledge, "The robot is where it may not be."),
            Self::OverSpeed => (SafeStop, false, Enabled, OnAcknowledge, "The robot moves faster than it may."),
            Self::OverForce => (SafeStop, false, Enabled, OnAcknowledge, "The robot pushes harder than it may."),
            Self::UnexpectedMotion => (SafeStop, false, Always, OnAcknowledge, "The robot moves without being armed."),
            Self::LeaseExpired => (Hold, false, Enabled, WhenConditionClears, "The owner of the motion is silent."),
            Self::OperatorAbsent => (Hold, false, Enabled, WhenConditionClears, "No screen supervises the robot."),
            Self::ValidatorError => (Hold, false, Enabled, OnAcknowledge, "A command could not be judged."),
            Self::ValidatorSlow => (Hold, false, Enabled, OnAcknowledge, "Judging took too long three times."),
            Self::SetUnreadable => (Hold, false, Always, OnDisarm, "A constraint cannot be read."),
            Self::SetTampered => (Hold, false, Always, OnDisarm, "The constraints were changed outside the station."),
            Self::StoreUnavailable => (Hold, false, Always, OnDisarm, "The station's storage cannot be read."),
            Self::SetEmptied => (Hold, false, Enabled, WhenConditionClears, "The constraints are not complete."),
            Self::AuditUnavailable => (Warn, false, Always, WhenConditionClears, "The audit record cannot be written."),
            Self::ProcessSuspended => (Hold, false, Enabled, OnAcknowledge, "The station itself was suspended."),
            Self::UncleanRestart => {
                (SafeStop, false, Always, OnAcknowledge, "The last run of the station was cut off.")
            }
            Self::StopAll => (SafeStop, false, Always, OnRelease, "STOP ALL was pressed."),
            Self::StopRobot => (SafeStop, false, Always, OnRelease, "The robot was stopped."),
            Self::HoldRequested => (Hold, false, Enabled, OnAcknowledge, "Somebody asked the robot to hold."),
            Self::StopUnconfirmed => (SafeStop, false, Always, OnDisarm, "The robot did not confirm a stop."),
            Self::EpochConflict => (Hold, false, Enabled, WhenConditionClears, "Another station claims the robot."),
            Self::RobotGateFault => {
                (SafeStop, false, Always, OnDisarm, "The robot's gate has failed or was restarted.")
            }
            Self::IdentityMismatch => (Lockout, false, Always, Never, "The robot is not the one it should be."),
            Self::StateFault => (Lockout, false, Always, Never, "The station's own state is impossible."),
        };
        CauseRule { severity, escalates, scope, clears, sentence }
    }

    /// The fallback besides the stop; `None` where a person has stopped, or must look, anyway.
    #[must_use]
    pub const fn fallback(self) -> Option<FallbackClass> {
        match self {
            Self::BeatLost => Some(FallbackClass::Link),
            Self::PoseStale
            | Self::TransformStale
            | Self::SourceStale
            | Self::SensorFrozen
            | Self::PoseImplausible
            | Self::SensorDisagreement => Some(FallbackClass::Sensor),
            Self::BreachAhead | Self::Breach | Self::OverSpeed | Self::OverForce | Self::UnexpectedMotion => {
                Some(FallbackClass::Breach)
            }
            Self::ValidatorError | Self::ValidatorSlow => Some(FallbackClass::Validator),
            Self::StopUnconfirmed => Some(FallbackClass::StopUnconfirmed),
            // A robot that answers late acknowledges late: either it is back in time, or the link is lost.
            Self::BeatLate
            | Self::LeaseExpired
            | Self::OperatorAbsent
            | Self::SetUnreadable
            | Self::SetTampered
            | Self::StoreUnavailable
            | Self::SetEmptied
            | Self::AuditUnavailable
            | Self::ProcessSuspended
            | Self::UncleanRestart
            | Self::StopAll
            | Self::StopRobot
            | Self::HoldRequested
            | Self::EpochConflict
            | Self::RobotGateFault
            | Self::IdentityMismatch
            | Self::StateFault => None,
        }
    }

    const fn bit(self) -> u64 {
        // There are 32 causes and 64 bits, so no two share one.
        1 << self as u64
    }
}

/// Causes whose condition holds at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CauseSet(u64);

impl CauseSet {
    /// None.
    pub const EMPTY: Self = Self(0);

    /// True if `cause` is in it.
    #[must_use]
    pub const fn has(self, cause: SafetyCause) -> bool {
        self.0 & cause.bit() != 0
    }

    /// With or without `cause`.
    pub fn set(&mut self, cause: SafetyCause, present: bool) {
        if present {
            self.0 |= cause.bit();
        } else {
            self.0 &= !cause.bit();
        }
    }

    /// Those of both.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True if each of its causes is in `other` too.
    #[must_use]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Its causes in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = SafetyCause> {
        SafetyCause::ALL.into_iter().filter(move |cause| self.has(*cause))
    }
}

impl FromIterator<SafetyCause> for CauseSet {
    fn from_iter<T: IntoIterator<Item = SafetyCause>>(causes: T) -> Self {
        causes.into_iter().fold(Self::EMPTY, |set, cause| Self(set.0 | cause.bit()))
    }
}
