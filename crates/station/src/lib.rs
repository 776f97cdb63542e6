//! Composes one running system out of the other crates: tasks, clock, supervision, shutdown, and the operation table.

mod arming;
mod audit;
mod clock;
mod commands;
mod config;
mod desk;
mod error;
mod gate;
mod hub;
mod identity;
mod ingest;
mod limit_sets;
mod lock;
mod missions_folder;
pub mod operations;
mod proposals;
mod rejects;
mod session;
mod simulator;
mod site;
mod station;
mod stops;
mod supervision;
mod unit;
pub mod wire;

pub use audit::{Broken, ChainCheck, Fault};
pub use config::Config;
pub use error::{ErrorKind, OpError};
pub use hub::Frames;
pub use session::Session;
pub use simulator::{Launched, SimulatorLauncher, SimulatorProcess};
pub use station::{StartError, Station};
