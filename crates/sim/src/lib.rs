//! Simulated robots as a process of their own over real Zenoh: a seeded, deterministic site and a host that runs it.

mod arm;
mod camera;
mod fault;
mod host;
mod maps;
mod mover;
mod people;
mod sim_robot;
mod state;
mod telemetry;
pub mod walls;
mod world;

pub use host::{Host, Inbound};
pub use state::{GateParts, gates, with_key};
pub use world::{MANIFESTS, MODELS, SimWorld};
