//! The parts of robots that runs of an agent's missions have, as long as they have them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use missions::format::front::Hold;
use robot::MissionId;

use crate::surroundings::{LockedPart, PartLock};

/// Locks of the missions of an agent.
pub(crate) type Locks = Mutex<BTreeMap<MissionId, HeldLocks>>;

/// Locks of one mission.
pub(crate) struct HeldLocks {
    /// The activation whose text they are of.
    pub activation: String,
    /// The parts that it locks.
    pub parts: BTreeMap<String, Hold>,
    /// The goals that move a robot.
    pub moves: Vec<bool>,
    pub run: Taken,
    pub command: Taken,
    /// The part that another has.
    pub waits_for: Option<LockedPart>,
}

/// Parts that are locked together.
#[derive(Default)]
pub(crate) struct Taken {
    pub parts: BTreeSet<String>,
    pub guard: Option<Box<dyn PartLock>>,
}

impl Taken {
    /// Keeps them if they are exactly `parts`, else gives them back. True if all of `parts` are locked.
    pub fn keep(&mut self, parts: &BTreeSet<String>) -> bool {
        // Renewed on each look. A lease that was lost is given up at once, as another may have the part.
        if self.parts != *parts || self.guard.as_ref().is_some_and(|guard| !guard.keep()) {
            *self = Self::default();
        }
        self.parts == *parts
    }

    pub fn parts(&self) -> impl Iterator<Item = &String> {
        // Without a guard there is no lock, whatever the set says.
        self.parts.iter().filter(|_| self.guard.is_some())
    }
}
