//! Runs the safety engine for every robot of a station. A command comes in as a [`gate::Submission`], is judged against the
//! limits in force, and leaves through `bridge::RobotLink`, which nothing else in the station uses; a stop leaves beside
//! all that, on a thread of its own.
//!
//! In the order in which data flows: `robot_handle` (what a robot reports), `supervision` (what follows from it),
//! `limit_sets`, `leases`, `control_handover` and `command_authorization` (who may move what), `gate`, `commands`
//! (how far each got), `stops`, `fallbacks`.
//!
//! The fleet knows neither proposals nor missions nor agents. Their objections to a command come through [`Objector`], and
//! what they do when a robot is stopped, lost or moved comes through [`Observer`].

pub mod arming;
mod clockwork;
mod code;
pub mod command_authorization;
pub mod commands;
pub mod control_handover;
pub mod drill;
pub mod fallbacks;
mod fleet;
pub mod gate;
pub mod leases;
pub mod limit_sets;
pub mod operations;
pub mod presence;
pub mod reject_counters;
mod reports;
pub mod robot_handle;
pub mod robot_lockout;
mod robots;
pub mod stops;
pub mod supervision;
mod surroundings;
#[cfg(test)]
mod test_support;
pub mod ui_watchdog;
pub mod unconstrained_grants;
pub mod verdicts;

pub use clockwork::Links;
pub use code::FleetCode;
pub use fleet::{Fleet, FleetError, Lanes, Parts};
pub use surroundings::{Approval, MissionRobots, Objector, Observer, PressedStop};
