//! Phases of an active mission, and what of a mission is in force.

use serde::{Deserialize, Serialize};

use super::{State, Status};

/// Progress of an active mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It waits for what it depends on.
    Held,
    /// Its start is being checked.
    Checking,
    /// It has begun, and waits for a trigger.
    Live,
    /// It works through its goals.
    Running,
}

/// Something that takes an active mission from one phase to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhaseEvent {
    /// All that it depends on is completed, and its predicates hold.
    Ready {
        /// True if a model or a person has to judge the start.
        needs_check: bool,
    },
    /// A model or a person said that it may start.
    Valid,
    /// A person wants the check to be made again.
    CheckAgain,
    /// A trigger fired.
    Triggered,
    /// The run came to its end, and the mission goes on.
    RunEnded,
}

impl Phase {
    /// All of them, in the order in which a mission passes through.
    #[cfg(test)]
    pub(super) const ALL: [Self; 4] = [Self::Held, Self::Checking, Self::Live, Self::Running];

    /// The phase that `event` leads to; none if it does not concern a mission in this phase, as a trigger does not
    /// during a run.
    #[must_use]
    pub const fn after(self, event: PhaseEvent) -> Option<Self> {
        match (self, event) {
            (Self::Held, PhaseEvent::Ready { needs_check: true }) => Some(Self::Checking),
            (Self::Held, PhaseEvent::Ready { needs_check: false }) | (Self::Checking, PhaseEvent::Valid) => {
                Some(Self::Live)
            }
            (Self::Checking, PhaseEvent::CheckAgain) => Some(Self::Held),
            (Self::Live, PhaseEvent::Triggered) => Some(Self::Running),
            (Self::Running, PhaseEvent::RunEnded) => Some(Self::Live),
            (Self::Held | Self::Live | Self::Running, PhaseEvent::Valid | PhaseEvent::CheckAgain)
            | (Self::Checking | Self::Live | Self::Running, PhaseEvent::Ready { .. })
            | (Self::Held | Self::Checking | Self::Running, PhaseEvent::Triggered)
            | (Self::Held | Self::Checking | Self::Live, PhaseEvent::RunEnded) => None,
        }
    }
}

/// The parts of a mission that are in force. It is computed from the state whenever it is asked for, and never
/// remembered beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InForce {
    /// Its limits bind its robots.
    pub limits: bool,
    /// Its providers write the world state.
    pub providers: bool,
    /// Its alerts and jobs fire, and the agent is told its text.
    pub rules: bool,
    /// Its goals are worked through.
    pub goals: bool,
}

/// The parts in force of a mission; `None` is a draft.
#[must_use]
pub fn in_force(state: Option<&State>) -> InForce {
    match state.map(|state| (state.status, state.phase)) {
        None | Some((Status::Completed | Status::Failed | Status::Cancelled, _)) => InForce::default(),
        // Limits go on binding: a pause must never allow more than the run that it interrupts.
        Some((Status::Paused, _)) => InForce { limits: true, ..InForce::default() },
        Some((Status::Active, phase)) => InForce {
            limits: true,
            providers: true,
            // Providers earlier than rules: preconditions read world state that the mission's own providers write.
            rules: matches!(phase, Phase::Live | Phase::Running),
            goals: matches!(phase, Phase::Running),
        },
    }
}
