//! Runs the safety engine for every robot of a station. A command comes in as a [`Submission`], is judged against the
//! limits in force, and leaves through `bridge::RobotLink`, which nothing else in the station uses; a stop leaves
//! beside all that, on a thread of its own.
//!
//! [`state`] is what is known: robots, stops, limits and the commands on their way. [`Fleet`] holds it all and is known
//! by none of it. `robots` takes robots up and removes them.
//!
//! Acts, in the order in which data flows: `telemetry` (a robot reports), `supervision`
//! (what follows from it), `limit_sets`, [`control`] (who may move what), [`gate`],
//! [`stops`], `fallbacks`. `dry_run` judges motions that nobody sends.
//!
//! The fleet knows neither proposals nor missions nor agents. Their objections to a command come through [`Objector`],
//! and what they do when a robot is stopped, lost or moved comes through [`Observer`].

pub mod arming;
mod clockwork;
mod code;
mod commissioning;
pub mod control;
mod drill;
mod dry_run;
mod fallbacks;
mod fleet;
pub mod gate;
pub mod limit_sets;
pub mod operations;
mod reports;
mod robots;
pub mod state;
pub mod stops;
mod supervision;
mod surroundings;
mod telemetry;
#[cfg(test)]
mod test_support;

pub use clockwork::Links;
pub use code::FleetCode;
pub use dry_run::{DryJudged, DryRun};
pub use fleet::{Fleet, FleetError, Lanes, Parts};
pub use robots::take_up::TakeUpError;
pub use state::leases::ResourceGuard;
pub use state::reject_counters::RejectCounters;
pub use state::robot_handle::RobotHandle;
pub use state::submission::{Approval, Judged, Submission, UnderProposal};
pub use surroundings::{MissionRobots, Objector, Observer, PressedStop};
