//! States of an alarm, and the one table of the steps between them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The states of ISA-18.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum AlarmState {
    /// The condition is not there, and nobody has to know.
    #[default]
    Normal,
    /// The condition is there, and nobody has said that they saw it.
    UnackActive,
    /// The condition is there, and somebody saw it.
    AckActive,
    /// The condition is gone before anybody saw it.
    UnackReturned,
    /// The condition is gone and seen; a person has to reset it.
    Latched,
}

/// An event that may change the state of an alarm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AlarmStep {
    /// The condition is true again.
    True {
        /// The data had been lost meanwhile, so nobody knows what happened.
        after_loss: bool,
    },
    /// The condition is false, on fresh data, for as long as the off-delay.
    False,
    /// A person saw it.
    Acknowledge,
    /// A person ends the latch.
    Reset,
}

/// A step that the state does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an alarm that is {state:?} cannot be reset")]
pub struct StepRefused {
    /// State of the alarm.
    pub state: AlarmState,
}

/// The result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stepped {
    pub(crate) state: AlarmState,
    /// The condition came back before the alarm was over.
    pub(crate) counts: bool,
}

impl AlarmState {
    /// Every state.
    pub const ALL: [Self; 5] = [Self::Normal, Self::UnackActive, Self::AckActive, Self::UnackReturned, Self::Latched];

    /// True while nobody has said that they saw it.
    #[must_use]
    pub const fn is_unacknowledged(self) -> bool {
        match self {
            Self::UnackActive | Self::UnackReturned => true,
            Self::Normal | Self::AckActive | Self::Latched => false,
        }
    }

    /// The table. `latching` alarms wait for a reset after their condition is gone.
    pub(crate) const fn step(self, step: AlarmStep, latching: bool) -> Result<Stepped, StepRefused> {
        use AlarmState::{AckActive, Latched, Normal, UnackActive, UnackReturned};
        use AlarmStep::{Acknowledge, False, Reset, True};
        let over = if latching { Latched } else { Normal };
        let (state, counts) = match (self, step) {
            (Normal, True { .. }) => (UnackActive, false),
            // An acknowledgement covers the time before the loss: the condition may have ended and returned since.
            (UnackActive | UnackReturned | Latched, True { .. }) | (AckActive, True { after_loss: true }) => {
                (UnackActive, true)
            }
            (AckActive, True { after_loss: false }) => (AckActive, false),
            (UnackActive, False) => (UnackReturned, false),
            (AckActive, False) => (over, false),
            (Normal | UnackReturned | Latched, False) => (self, false),
            (UnackActive, Acknowledge) => (AckActive, false),
            (UnackReturned, Acknowledge) => (over, false),
            (Normal | AckActive | Latched, Acknowledge) => (self, false),
            (Latched | Normal, Reset) => (Normal, false),
            (UnackActive | AckActive | UnackReturned, Reset) => return Err(StepRefused { state: self }),
        };
        Ok(Stepped { state, counts })
    }
}
