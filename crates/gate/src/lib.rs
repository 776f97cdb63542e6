//! The robot-side gate as a program: `quarterdeck-gate`. It speaks the station's protocol on one side, the robot's own on
//! the other, and is the last place where a command can be refused.
//!
//! [`Wiring`] says where both are. An [`Adapter`] speaks to the robot; one thread decides ([`run()`]): it reads the
//! messages of stations, looks every 20 ms at what did not come, and calls the adapter. Reading from and writing to the
//! robot happens on other threads.
//!
//! Invariant: nothing that can move the robot leaves the adapter unless `bridge::robot_gate` has admitted a command, and
//! whatever fails stops the robot. The crate links no station: the gate has no part of what it protects the robot from.

#[cfg(not(any(feature = "exec", feature = "ros2", feature = "vda5050")))]
compile_error!("a gate without an adapter reaches no robot: build it with the feature `exec`, `ros2` or `vda5050`");

mod adapter;
mod adapters;
mod ages;
mod check;
mod code;
mod commission;
mod decide;
mod error;
mod host;
mod mover;
mod pair;
mod run;
mod scan;
mod service;
mod setup;
mod sources;
mod state;
#[cfg(test)]
mod tests;
mod threads;
mod wiring;

pub use adapter::{
    Adapter, Begun, Events, Facts, Means, Outcome, Reading, ReadingValue, SetPoints, StopEvidence, StopKind,
    StopSender, Watcher,
};
pub use check::{Report, check};
pub use code::GateCode;
pub use commission::{Standing, commissioning};
pub use error::GateError;
pub use pair::{pair, unpair};
pub use run::run;
pub use scan::{ScanPlan, scan};
pub use service::install;
pub use setup::Setup;
pub use state::key;
pub use wiring::{AdapterKind, Mode, Placement, StationWiring, Wiring};
