//! Composes one running system out of the other crates: tasks, clock, supervision, shutdown, and the operation table.

mod agent_model;
mod agents;
mod beliefs;
mod code;
mod conversations;
mod embeddings;
mod episodes;
mod events;
mod forget;
mod hooks;
mod integrity;
mod kept_config;
mod ledger;
mod mcp;
mod missions;
mod missions_folder;
mod model_registry;
mod notes;
pub mod operations;
mod proposals;
mod reviews;
mod rooms;
mod sandbox;
mod schedule;
mod sim_providers;
mod simulator;
mod station;
mod station_alarms;
mod storage_maintenance;
#[cfg(test)]
mod test_support;
mod tool_output_files;
mod toolbox;
mod turn_runner;
mod typed_stop;
mod why_idle;

pub use code::{StationCode, codes};
pub use mcp::{Asked, Door, OfferedTool, ServerAnswer, ServerNews, ToolServer, ToolServers};
pub use simulator::{Launched, SimulatorLauncher, SimulatorProcess};
pub use station::{StartError, Station};
