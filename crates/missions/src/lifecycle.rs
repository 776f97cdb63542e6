//! The life of a mission: which act is possible in which status, and what follows. Pure; [`step`] alone decides on the
//! status, [`Phase::after`] on the phase of an active mission, and [`in_force`] says what of it is in force.

mod phase;

use robot::MissionId;
use robot::refusal::Code;
use safety::fallback::FallbackClass;
use serde::{Deserialize, Serialize};

use crate::MissionCode;

pub use phase::{InForce, Phase, PhaseEvent, in_force};

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
    #[cfg(test)]
    const ALL: [Self; 5] = [Self::Active, Self::Paused, Self::Completed, Self::Failed, Self::Cancelled];

    /// True if nothing of it can go on.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// The cause of a pause, the strongest first: a weaker one never takes the place of a stronger. The last one is of an
/// end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A stop of its robots, or of all.
    Stop,
    /// The response to a failure of this class.
    Fallback(FallbackClass),
    /// Its text no longer compiles.
    CompileFailed,
    /// The goal with this number, from 0, failed.
    Failure(usize),
    /// A person.
    Person(String),
    /// A program.
    Machine(String),
    /// The mission that it is a part of.
    Parent(MissionId),
    /// An agent.
    Agent(String),
    /// Its time was over.
    Expired,
}

impl Cause {
    /// Its place in the order of strength, the strongest being 0.
    const fn rank(&self) -> u8 {
        match self {
            Self::Stop => 0,
            Self::Fallback(_) => 1,
            Self::CompileFailed => 2,
            Self::Failure(_) => 3,
            Self::Person(_) => 4,
            Self::Machine(_) => 5,
            Self::Parent(_) => 6,
            Self::Agent(_) => 7,
            Self::Expired => 8,
        }
    }

    /// True if somebody asked for it; the others come from the station itself.
    const fn is_asked_for(&self) -> bool {
        matches!(self, Self::Person(_) | Self::Machine(_) | Self::Agent(_))
    }
}

/// The state of an activated mission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Its status.
    pub status: Status,
    /// Only of use while it is active.
    pub phase: Phase,
    /// Of a paused one, and of one whose end was not a person's.
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
    Resume {
        /// The author.
        by: Resumer,
        /// True if its time is over.
        is_expired: bool,
    },
    /// Ends it for good.
    Cancel,
    /// Calls it done.
    Complete {
        /// True if one of its parts is not completed.
        parts_open: bool,
    },
    /// All that it had to do is done; the station saw it.
    Finish,
    /// A goal failed for good; the station saw it.
    Fail(usize),
    /// Its time is over; the station saw it.
    Expire,
    /// The mission that it is a part of was ended for good.
    CancelWith(MissionId),
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
    /// Its time is over.
    #[error("the time of this mission is over; activate it again")]
    Expired,
    /// A part of it is not completed.
    #[error("a part of this mission is not completed; complete or cancel it first")]
    PartsOpen,
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
            Self::Expired => MissionCode::MissionExpired.into(),
            Self::PartsOpen => MissionCode::SubMissionsOpen.into(),
            Self::NotYours => MissionCode::NotYours.into(),
        }
    }
}

/// Applies `act` to a mission; `None` is a draft. What the station saw of a mission that is not in such a state any
/// more changes nothing.
///
/// # Errors
/// The act is not possible where the mission stands.
pub fn step(state: Option<&State>, act: &Act) -> Result<Step, Refusal> {
    match act {
        Act::Activate { same_text } => activate(state, *same_text),
        Act::Pause(cause) => pause(state, cause),
        Act::Resume { by, is_expired } => resume(state, by, *is_expired),
        Act::Cancel => match state.map(|state| state.status) {
            Some(Status::Cancelled) => Ok(Step::Same),
            // What ended in another way keeps its record: it was not a cancellation that ended it.
            Some(Status::Completed | Status::Failed) => Err(Refusal::Ended),
            Some(Status::Active | Status::Paused) | None => Ok(to(Status::Cancelled, None)),
        },
        Act::Complete { parts_open } => match state.map(|state| state.status) {
            None => Err(Refusal::NotActivated),
            Some(Status::Completed) => Ok(Step::Same),
            Some(Status::Failed | Status::Cancelled) => Err(Refusal::Ended),
            Some(Status::Active | Status::Paused) if *parts_open => Err(Refusal::PartsOpen),
            Some(Status::Active | Status::Paused) => Ok(to(Status::Completed, None)),
        },
        // No error for the station's own observations: a pause may have come between the look and the act.
        Act::Finish => Ok(if_active(state, Status::Completed, None)),
        Act::Fail(goal) => Ok(if_active(state, Status::Failed, Some(Cause::Failure(*goal)))),
        Act::Expire => Ok(if_active(state, Status::Cancelled, Some(Cause::Expired))),
        Act::CancelWith(parent) => match state.map(|state| state.status) {
            Some(Status::Active | Status::Paused) => Ok(to(Status::Cancelled, Some(Cause::Parent(parent.clone())))),
            Some(Status::Completed | Status::Failed | Status::Cancelled) | None => Ok(Step::Same),
        },
    }
}

/// Cancelled by a person, with its parent or by itself, is final; what ended with its time may be activated again.
fn activate(state: Option<&State>, same_text: bool) -> Result<Step, Refusal> {
    match state {
        Some(State { status: Status::Cancelled, cause, .. }) if *cause != Some(Cause::Expired) => {
            Err(Refusal::Cancelled)
        }
        // A second click, or a request that is repeated, must not begin everything anew.
        Some(State { status: Status::Active, .. }) if same_text => Ok(Step::Same),
        Some(_) | None => Ok(to(Status::Active, None)),
    }
}

fn pause(state: Option<&State>, cause: &Cause) -> Result<Step, Refusal> {
    let paused = || Step::To(State { status: Status::Paused, phase: Phase::Held, cause: Some(cause.clone()) });
    match state.map(|state| (state.status, &state.cause)) {
        // The station pauses many at once, and one that has ended meanwhile is no error.
        None | Some((Status::Completed | Status::Failed | Status::Cancelled, _)) if !cause.is_asked_for() => {
            Ok(Step::Same)
        }
        None => Err(Refusal::NotActivated),
        Some((Status::Completed | Status::Failed | Status::Cancelled, _)) => Err(Refusal::Ended),
        // Otherwise an agent could pause after a stop, and then resume what is its own pause.
        Some((Status::Paused, Some(before))) if before.rank() <= cause.rank() => Ok(Step::Same),
        Some((Status::Active | Status::Paused, _)) => Ok(paused()),
    }
}

fn resume(state: Option<&State>, by: &Resumer, is_expired: bool) -> Result<Step, Refusal> {
    let Some(state) = state else { return Err(Refusal::NotActivated) };
    match (state.status, by) {
        (Status::Completed | Status::Failed | Status::Cancelled, _) => Err(Refusal::Ended),
        (Status::Active, _) => Ok(Step::Same),
        // Before the stop: releasing it would be of no use.
        (Status::Paused, _) if is_expired => Err(Refusal::Expired),
        (Status::Paused, Resumer::Person { stop_open: true }) => Err(Refusal::StopOpen),
        // The whole cause with its name: one program does not lift the pause of another.
        (Status::Paused, Resumer::Other(own)) if state.cause.as_ref() != Some(own) => Err(Refusal::NotYours),
        (Status::Paused, Resumer::Person { stop_open: false } | Resumer::Other(_)) => Ok(to(Status::Active, None)),
    }
}

/// The end of a mission that is active; another one is left as it is.
fn if_active(state: Option<&State>, end: Status, cause: Option<Cause>) -> Step {
    match state.map(|state| state.status) {
        Some(Status::Active) => to(end, cause),
        Some(Status::Paused | Status::Completed | Status::Failed | Status::Cancelled) | None => Step::Same,
    }
}

/// Every new start begins by waiting for what the mission depends on.
const fn to(status: Status, cause: Option<Cause>) -> Step {
    Step::To(State { status, phase: Phase::Held, cause })
}

#[cfg(test)]
mod tests;
