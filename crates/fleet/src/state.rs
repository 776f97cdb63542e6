//! State of the fleet: each robot as it is known, the stops and limits in force, the commands on their way, and the
//! verdicts on them. It is read and changed by the modules that act, and knows none of them.

pub mod commands;
pub(crate) mod fallback_runs;
pub(crate) mod leases;
pub(crate) mod limit_store;
pub(crate) mod reject_counters;
pub(crate) mod robot_handle;
pub(crate) mod seals;
pub(crate) mod stop_records;
pub(crate) mod submission;
pub(crate) mod verdicts;
