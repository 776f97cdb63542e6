//! The parts of robots that a run needs to itself now. Pure; the robots' side grants them, all of them or none.

use std::collections::{BTreeMap, BTreeSet};

use crate::format::front::Hold;
use crate::run::{GoalState, Run};

/// The parts that a run needs now.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needed {
    /// Until the end of the run.
    pub run: BTreeSet<String>,
    /// Until the end of the present command.
    pub command: BTreeSet<String>,
}

impl Needed {
    /// True if it needs nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.run.is_empty() && self.command.is_empty()
    }
}

/// The parts that `run` needs now, of those that its mission locks. `moves` says which of its goals move a robot.
/// From the first of them to its end a run needs what is held for the run; around each of them what is held for a
/// command. A run that asks a person, and one that has ended, need nothing.
#[must_use]
pub fn needed(locks: &BTreeMap<String, Hold>, moves: &[bool], run: &Run, now_ms: i64) -> Needed {
    let first = moves.iter().position(|moves| *moves);
    // Not before the first motion: a run that waits for hours would keep the robot from others.
    let has_begun = first.is_some_and(|first| run.current().is_none_or(|current| current >= first));
    if run.has_ended() || !run.ask.is_empty() || !has_begun {
        return Needed::default();
    }
    let is_moving = run.current().is_some_and(|current| moves.get(current) == Some(&true))
        && match run.goal().map(|goal| goal.state) {
            // Something may have been sent, so the part stays locked until the end is known.
            Some(GoalState::Dispatched) => true,
            Some(GoalState::Current) => run.is_open(now_ms),
            Some(GoalState::Pending | GoalState::Done | GoalState::Failed) | None => false,
        };
    // A part around one that is held for the run can only be had with it, and one inside it is had already.
    let is_of_run = |part: &str| locks.iter().any(|(other, hold)| *hold == Hold::Run && is_within(other, part));
    let run: BTreeSet<String> = locks.keys().filter(|part| is_of_run(part)).cloned().collect();
    let is_had = |part: &str| run.iter().any(|other| is_within(part, other));
    let command = locks.keys().filter(|part| is_moving && !is_had(part)).cloned().collect();
    Needed { run, command }
}

/// True if the path `part` is `whole` or lies inside it.
fn is_within(part: &str, whole: &str) -> bool {
    // The slash matters: `arm-10` begins with `arm-1` and is no part of it.
    part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests;
