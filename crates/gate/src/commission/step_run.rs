//! The step that is under way, of one motion or of several rounds.

use robot::{Command, CommissioningStep, Instant, Now, RunningStep, StepPhase, StepWish};

use super::Part;
use super::measure::{Bounds, Look, Next, Run};
use super::rounds::{Found, Series};

/// A step that is under way.
#[derive(Debug)]
pub enum StepRun {
    /// One motion of the base, or the hardware stop.
    One(Run),
    /// Joints or means of stopping, one after the other.
    Series(Series),
}

impl StepRun {
    /// The step.
    pub const fn step(&self) -> CommissioningStep {
        match self {
            Self::One(run) => run.step(),
            Self::Series(rounds) => rounds.step(),
        }
    }

    /// Its part.
    pub const fn phase(&self) -> StepPhase {
        match self {
            Self::One(run) => run.phase(),
            Self::Series(rounds) => rounds.phase(),
        }
    }

    /// True while it waits for a command.
    pub fn wants_motion(&self) -> bool {
        match self {
            Self::One(run) => run.phase() == StepPhase::Moving,
            Self::Series(rounds) => rounds.wants().is_some(),
        }
    }

    /// The command that it waits for, if it says so.
    pub fn wants(&self) -> Option<StepWish> {
        match self {
            Self::One(_) => None,
            Self::Series(rounds) => rounds.wants().cloned(),
        }
    }

    /// The button is still held.
    pub const fn renew(&mut self, now: Instant) {
        match self {
            Self::One(run) => run.renew(now),
            Self::Series(rounds) => rounds.renew(now),
        }
    }

    /// The same for people.
    pub fn shown(&self) -> RunningStep {
        match self {
            Self::One(run) => run.shown(),
            Self::Series(rounds) => rounds.shown(),
        }
    }

    /// Takes in a look at the robot.
    pub fn look(&mut self, look: &Look, bounds: &Bounds, now: Now) -> Next {
        match self {
            Self::One(run) => run.look(look, bounds, now),
            Self::Series(rounds) => rounds.look(look, bounds, now),
        }
    }

    /// The button was let go.
    pub fn let_go(&self, wall_ms: i64) -> Next {
        match self {
            Self::One(run) => run.let_go(wall_ms),
            Self::Series(_) => Next::End(None),
        }
    }

    /// The adapter refuses the motion; `cannot` says that the robot cannot go that way.
    pub fn note_refused(&mut self, cannot: bool, wall_ms: i64) -> Next {
        match self {
            Self::One(run) if cannot => run.cannot(wall_ms),
            Self::One(_) => Next::GoOn,
            Self::Series(rounds) => {
                rounds.note_refused();
                Next::GoOn
            }
        }
    }

    /// The place of a command in it.
    pub fn part_of(&mut self, command: &Command, now: Instant) -> Part {
        match self {
            Self::One(run) => run.part_of(&command.motion),
            Self::Series(rounds) => rounds.part_of(command, now),
        }
    }

    /// Everything that was found before it was broken off.
    pub fn found(&self) -> Option<(CommissioningStep, Found)> {
        match self {
            Self::One(_) => None,
            Self::Series(rounds) => Some((rounds.step(), rounds.found())),
        }
    }
}
