//! A run of a mission that nobody carries out: its goals in the order of a real run, each with when it would begin
//! and what it would lock. Pure; the outcome of each goal is told from outside.

use std::collections::{BTreeMap, BTreeSet};

use crate::format::front::Hold;
use crate::goals::GoalEnd;
use crate::locks::needed;
use crate::run::{Run, RunStart};

/// The outcome of a goal, as far as it can be told beforehand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foreseen {
    /// Seconds that it takes; none if that depends on people, on the world or on the robot.
    pub takes_s: Option<f64>,
    /// True if nothing known now keeps it from being done.
    pub passes: bool,
}

/// A goal at its place in the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// When it begins, seconds after the start, if every goal before it that may take any time takes none.
    pub begins_s: f64,
    /// True if it begins exactly then.
    pub is_exact: bool,
    /// False if a goal before it fails.
    pub is_reached: bool,
    /// The parts of robots that it locks.
    pub parts: BTreeSet<String>,
}

/// The stages of a run, one for each goal in their order. `moves` says which of them move a robot, and `locks` which
/// parts the mission locks. What comes after a goal that fails is walked through as if it had not.
#[must_use]
pub fn stages(foreseen: &[Foreseen], moves: &[bool], locks: &BTreeMap<String, Hold>) -> Vec<Stage> {
    let start = RunStart { id: String::new(), number: 1, start: None };
    // A real run is walked through, so that goals and locks follow the same rules as later.
    let mut run = Run::new(start, foreseen.len(), 0);
    let mut stages = Vec::with_capacity(foreseen.len());
    let (mut begins_s, mut is_exact, mut is_reached) = (0.0, true, true);
    while let Some(number) = run.current() {
        let Some(goal) = foreseen.get(number) else { break };
        let needed = needed(locks, moves, &run, 0);
        let parts = needed.run.into_iter().chain(needed.command).collect();
        stages.push(Stage { begins_s, is_exact, is_reached, parts });
        // An unknown time counts as none; `is_exact` says from there on that it is the earliest.
        begins_s += goal.takes_s.unwrap_or(0.0);
        is_exact &= goal.takes_s.is_some();
        is_reached &= goal.passes;
        if !run.end_wait(number, GoalEnd::done(), 0) {
            break;
        }
    }
    stages
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn foreseen() -> impl Strategy<Value = Vec<(Foreseen, bool)>> {
        let goal = (prop::option::of(0.0..1e5f64), any::<bool>(), any::<bool>());
        prop::collection::vec(goal.prop_map(|(takes_s, passes, moves)| (Foreseen { takes_s, passes }, moves)), 0..128)
    }

    proptest! {
        #[test]
        fn mo_19_each_goal_has_one_stage_in_the_order_of_a_run(goals in foreseen(), holds_run: bool) {
            let (foreseen, moves): (Vec<_>, Vec<_>) = goals.into_iter().unzip();
            let hold = if holds_run { Hold::Run } else { Hold::Command };
            let stages = stages(&foreseen, &moves, &BTreeMap::from([("rover-1/base".to_owned(), hold)]));
            prop_assert_eq!(stages.len(), foreseen.len());
            let first_motion = moves.iter().position(|moves| *moves);
            for (at, stage) in stages.iter().enumerate() {
                let before = &foreseen[..at];
                prop_assert_eq!(stage.is_reached, before.iter().all(|goal| goal.passes));
                prop_assert_eq!(stage.is_exact, before.iter().all(|goal| goal.takes_s.is_some()));
                let least: f64 = before.iter().filter_map(|goal| goal.takes_s).sum();
                prop_assert!((stage.begins_s - least).abs() < 1e-6 * least.max(1.0));
                let locks = if holds_run { first_motion.is_some_and(|first| first <= at) } else { moves[at] };
                prop_assert_eq!(!stage.parts.is_empty(), locks, "{} {:?}", at, moves);
            }
        }
    }
}
