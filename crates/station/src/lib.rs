//! Composes one running system out of the other crates: tasks, clock, supervision, shutdown, and the operation table.

mod agents;
mod alarms;
mod arming;
mod audit;
mod authority;
mod beliefs;
mod clock;
mod commands;
mod config;
mod control;
mod crash;
mod desk;
mod drill;
mod error;
mod fallbacks;
mod gate;
mod hub;
mod identity;
mod ingest;
mod inputs;
mod limit_sets;
mod lock;
mod missions_folder;
mod notes;
pub mod operations;
mod presence;
mod proposals;
mod recordings;
mod rejects;
mod resources;
mod reviews;
#[cfg(test)]
mod rig;
mod rules;
mod schedule;
mod screens;
mod secrets;
mod session;
mod simulator;
mod site;
mod station;
mod stops;
mod supervision;
mod unit;
mod verdicts;
pub mod wire;

pub use audit::{Anchor, Broken, ChainCheck, Fault};
pub use config::Config;
#[cfg(feature = "failpoints")]
pub use crash::from_environment as crash_points_from_environment;
pub use error::{ErrorKind, OpError};
pub use hub::Frames;
pub use session::{APP_WINDOW, Session};
pub use simulator::{Launched, SimulatorLauncher, SimulatorProcess};
pub use station::{StartError, Station};
