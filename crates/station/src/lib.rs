//! Composes one running system out of the other crates: tasks, clock, supervision, shutdown, and the operation table.

mod access;
mod clockwork;
mod code;
mod ending;
mod events;
mod export;
mod finding;
mod integrity;
mod kept_config;
mod launcher;
mod manifests;
mod network;
pub mod operations;
mod pairing;
mod proposals;
mod simulated;
mod start;
mod station;
mod station_alarms;
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;

pub use access::fresh_token;
pub use agent_runner::tools::mcp::{
    OfferedTool, ServerAnswer, ServerFuture, ServerNews, ToolServer, ToolServers, Transport,
};
pub use code::{StationCode, codes};
pub use launcher::{Launched, SimulatorLauncher, SimulatorProcess};
pub use start::StartError;
pub use station::Station;
