//! Execution of active missions: runs and their goals, and everything that a mission puts in force or takes.

pub(crate) mod check;
pub(crate) mod ending;
pub(crate) mod envelopes;
pub(crate) mod failures;
pub(crate) mod goals;
pub(crate) mod held_locks;
pub(crate) mod limits;
pub(crate) mod locks;
pub(crate) mod mission_halt;
pub(crate) mod money;
pub(crate) mod reconcile;
pub(crate) mod start_checks;
pub(crate) mod taking_in;
pub(crate) mod triggers;
pub(crate) mod turns;
pub(crate) mod work;
