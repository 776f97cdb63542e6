//! Shared services of every runner of a station: clock, errors, files, configuration, secrets, sessions, the event bus,
//! the audit, recordings, and the shapes that go over the wire.

pub mod audit;
pub mod clock;
pub mod config;
pub mod crash;
pub mod disk;
pub mod error;
pub mod event_bus;
pub mod events;
pub mod identity;
pub mod judgements;
pub mod lock;
pub mod operation;
pub mod secrets;
mod services;
pub mod session;
pub mod stamps;
pub mod stop_lane;
pub mod vouched;
pub mod wire;
pub mod writers;

pub use services::{Runtime, TASKS_UNTIL};
