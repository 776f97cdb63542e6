//! The life of a mission: which act is possible in which status, and what follows. Pure; [`step`] alone decides.

use robot::refusal::Code;
use serde::{Deserialize, Serialize};

use crate::MissionCode;

/// The status of an activated mission. One that nobody has activated has none, and is shown as a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A person activated it.
    Active,
    /// It stands still until it is resumed.
    Paused,
    /// A person called it done.
    Completed,
    /// It went wrong.
    Failed,
    /// Ended for good.
    Cancelled,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Active, Self::Paused, Self::Completed, Self::Failed, Self::Cancelled];

    /// Its name on every wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// True if nothing of it can go on.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// Progress of an active mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It waits for what it depends on.
    Held,
    /// Its start is being checked.
    Checking,
    /// It runs.
    Live,
}

impl Phase {
    /// Its name on every wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Checking => "checking",
            Self::Live => "live",
        }
    }
}

/// The cause of a pause, the strongest first: a weaker one never takes the place of a stronger.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A stop of its robots, or of all.
    Stop,
    /// A person.
    Person(String),
    /// A program.
    Machine(String),
    /// An agent.
    Agent(String),
}

/// The state of an activated mission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Its status.
    pub status: Status,
    /// Only of use while it is active.
    pub phase: Phase,
    /// Only of a paused one.
    pub cause: Option<Cause>,
}

/// An act upon a mission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Lets exactly one version of its text run.
    Activate {
        /// True if that version is in force already.
        same_text: bool,
    },
    /// Makes it stand still.
    Pause(Cause),
    /// Lets it go on.
    Resume(Resumer),
    /// Ends it for good.
    Cancel,
    /// Calls it done.
    Complete,
}

/// The author of a resumption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resumer {
    /// A person; after a stop only if that stop is released.
    Person {
        /// True if a stop is open on one of its robots.
        stop_open: bool,
    },
    /// The author of the pause with this cause.
    Other(Cause),
}

/// The outcome of an act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Nothing: it is so already.
    Same,
    /// It stands there now.
    To(State),
}

/// The reason that an act is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It has only a file.
    #[error("nobody has activated this mission")]
    NotActivated,
    /// It is completed, failed or cancelled.
    #[error("this mission has ended; activate it again")]
    Ended,
    /// It was cancelled, which is for good.
    #[error("this mission was cancelled; save its text under another id")]
    Cancelled,
    /// A stop of one of its robots is open.
    #[error("a stop is open on one of its robots; release it first")]
    StopOpen,
    /// Somebody stronger paused it.
    #[error("somebody else paused this mission; a person has to resume it")]
    NotYours,
}

impl Refusal {
    /// Its stable code.
    #[must_use]
    pub fn code(self) -> Code {
        match self {
            Self::NotActivated => MissionCode::NotActivated.into(),
            Self::Ended => MissionCode::MissionEnded.into(),
            Self::Cancelled => MissionCode::MissionCancelled.into(),
            Self::StopOpen => MissionCode::StopOpen.into(),
            Self::NotYours => MissionCode::NotYours.into(),
        }
    }
}

/// Applies `act` to a mission; `None` is a draft.
///
/// # Errors
/// The act is not possible where the mission stands.
pub fn step(state: Option<&State>, act: &Act) -> Result<Step, Refusal> {
    let status = state.map(|state| state.status);
    match act {
        Act::Activate { same_text } => match status {
            Some(Status::Cancelled) => Err(Refusal::Cancelled),
            Some(Status::Active) if *same_text => Ok(Step::Same),
            Some(_) | None => Ok(to(Status::Active)),
        },
        Act::Pause(cause) => match (status, state.and_then(|state| state.cause.as_ref())) {
            (None, _) => Err(Refusal::NotActivated),
            (Some(Status::Completed | Status::Failed | Status::Cancelled), _) => Err(Refusal::Ended),
            (Some(Status::Paused), Some(before)) if before <= cause => Ok(Step::Same),
            (Some(Status::Active | Status::Paused), _) => {
                Ok(Step::To(State { status: Status::Paused, phase: Phase::Held, cause: Some(cause.clone()) }))
            }
        },
        Act::Resume(resumer) => match (status, state.and_then(|state| state.cause.as_ref())) {
            (None, _) => Err(Refusal::NotActivated),
            (Some(Status::Completed | Status::Failed | Status::Cancelled), _) => Err(Refusal::Ended),
            (Some(Status::Active), _) => Ok(Step::Same),
            (Some(Status::Paused), cause) => may_resume(cause, resumer).map(|()| to(Status::Active)),
        },
        Act::Cancel => match status {
            Some(Status::Cancelled) => Ok(Step::Same),
            Some(Status::Completed | Status::Failed) => Err(Refusal::Ended),
            Some(Status::Active | Status::Paused) | None => Ok(to(Status::Cancelled)),
        },
        Act::Complete => match status {
            None => Err(Refusal::NotActivated),
            Some(Status::Completed) => Ok(Step::Same),
            Some(Status::Failed | Status::Cancelled) => Err(Refusal::Ended),
            Some(Status::Active | Status::Paused) => Ok(to(Status::Completed)),
        },
    }
}

fn may_resume(cause: Option<&Cause>, resumer: &Resumer) -> Result<(), Refusal> {
    match resumer {
        Resumer::Person { stop_open: true } => Err(Refusal::StopOpen),
        Resumer::Person { stop_open: false } => Ok(()),
        Resumer::Other(own) if cause == Some(own) => Ok(()),
        Resumer::Other(_) => Err(Refusal::NotYours),
    }
}

/// Every new start begins by waiting for what the mission depends on.
const fn to(status: Status) -> Step {
    Step::To(State { status, phase: Phase::Held, cause: None })
}

#[cfg(test)]
mod tests;
