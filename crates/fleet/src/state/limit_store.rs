//! The registered constraints in memory, and what is known to be saved of them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

use robot::{ConstraintId, RobotId};
use safety::{Constraint, ConstraintKind};

use crate::state::seals::Known;

/// Registered constraints. Their lock is held while they change or are compared with the disk, so that one follows the
/// other.
pub struct LimitSets {
    pub(crate) registered: tokio::sync::Mutex<Registered>,
    pub(crate) previews: Mutex<VecDeque<Previewed>>,
}

/// The registered constraints, and what is known to be saved.
#[derive(Debug, Default)]
pub struct Registered {
    /// In the order they were made.
    pub constraints: Vec<Constraint>,
    /// Seals and sets; none until they could be read once.
    pub(crate) known: Option<Known>,
}

/// A change that was shown to a person.
#[derive(Debug, Clone)]
pub(crate) struct Previewed {
    pub preview_id: String,
    pub id: ConstraintId,
    pub new: Option<ConstraintKind>,
    pub versions: BTreeMap<RobotId, u64>,
}

impl LimitSets {
    /// Locks the registered constraints. Nothing changes while the guard is held.
    pub async fn registered(&self) -> tokio::sync::MutexGuard<'_, Registered> {
        self.registered.lock().await
    }
}
