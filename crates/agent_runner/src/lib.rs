//! Runs the agents of a station: what is said to them becomes a turn ([`TurnRunner`]), a turn calls tools, and what it
//! leaves behind is kept in conversations, episodes, beliefs, notes and a ledger.
//!
//! It cannot move a robot: it knows neither the gate nor a sender. What an agent wants done goes through the station's
//! operations ([`Operations`]) or becomes a card that a person decides on ([`Proposer`]); of robots and missions it knows
//! what [`Robots`] and [`Missions`] let it see.

mod agent_model;
mod agents;
mod beliefs;
mod code;
mod conversations;
mod embeddings;
mod episodes;
mod forget;
mod hooks;
mod ledger;
pub mod mcp;
pub mod mission_turn;
mod model_health;
mod model_registry;
mod notes;
mod operation_names;
pub mod operations;
mod removal;
mod reviews;
mod rooms;
mod runner;
mod sandbox;
mod schedule;
mod start;
mod storage_maintenance;
mod storage_state;
mod surroundings;
#[cfg(test)]
mod test_support;
mod tool_output_files;
pub mod toolbox;
mod turn_runner;
mod waker;

pub use agents::{AgentUnit, Agents};
pub use code::AgentCode;
pub use episodes::Record;
pub use removal::without;
pub use runner::{AgentError, AgentRunner, Parts};
pub use schedule::OfMission;
pub use surroundings::{
    Asked, Host, Missions, Note, Operations, Proposer, Requester, RobotMotion, Robots, TaskEnd, UNATTENDED, Wanted,
};
pub use tool_output_files::Outputs;
pub use turn_runner::Checking;
