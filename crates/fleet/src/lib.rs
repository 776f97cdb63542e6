//! Runs the safety engine for every robot of a station. A command comes in as a [`Submission`], is judged against the
//! limits in force, and leaves through `bridge::RobotLink`, which nothing else in the station uses; a stop leaves beside
//! all that, on a thread of its own.
//!
//! State: `robot_handle` (one robot as it is known), `stop_records`, `limit_store`, `seals`, `fallback_runs`, `commands`,
//! `leases` and `submission` (a command on its way). [`Fleet`] holds it all and is known by none of it.
//!
//! Acts, in the order in which data flows: `telemetry` (a robot reports), `supervision` (what follows from it),
//! `limit_sets`, `control_handover` and `command_authorization` (who may move what), `gate`, `stops`, `fallbacks`. `dry_run`
//! judges motions that nobody sends.
//!
//! The fleet knows neither proposals nor missions nor agents. Their objections to a command come through [`Objector`], and
//! what they do when a robot is stopped, lost or moved comes through [`Observer`].

pub mod arming;
mod clockwork;
mod code;
pub mod command_authorization;
pub mod commands;
mod commissioning;
pub mod control_handover;
mod drill;
mod dry_run;
mod fallback_runs;
mod fallbacks;
mod fleet;
pub mod gate;
mod leases;
pub mod limit_sets;
mod limit_store;
mod models;
pub mod operations;
mod presence;
mod reject_counters;
mod removal;
mod reports;
mod robot_handle;
mod robot_lockout;
mod robots;
mod seals;
mod stop_records;
pub mod stops;
mod submission;
mod supervision;
mod surroundings;
mod telemetry;
#[cfg(test)]
mod test_support;
pub mod ui_watchdog;
mod unconstrained_grants;
mod verdicts;

pub use clockwork::Links;
pub use code::FleetCode;
pub use dry_run::{DryJudged, DryRun};
pub use fleet::{Fleet, FleetError, Lanes, Parts};
pub use leases::ResourceGuard;
pub use reject_counters::RejectCounters;
pub use robot_handle::RobotHandle;
pub use robots::TakeUpError;
pub use submission::{Approval, Judged, Submission, UnderProposal};
pub use surroundings::{MissionRobots, Objector, Observer, PressedStop};
