//! Runs the agents of a station: what is said to them becomes a turn ([`TurnRunner`]), a turn calls tools, and what it
//! leaves behind is kept in conversations, episodes, beliefs, notes and a ledger.
//!
//! The parts, in the order in which data flows: `rooms`, `schedule` and `waker` begin turns beside people, `conversations`
//! are where turns belong, `turn_runner` carries them out, with `models` that think, `tools` that act, and `recall`, what an
//! agent remembers.
//!
//! It cannot move a robot: it knows neither the gate nor a sender. What an agent wants done goes through the station's
//! operations ([`Operations`]) or becomes a card that a person decides on ([`Proposer`]); of robots and missions it knows
//! what [`Robots`] and [`Missions`] let it see.

mod agents;
mod code;
mod conversations;
pub mod mission_turn;
mod models;
mod operation_names;
pub mod operations;
mod recall;
mod rooms;
mod runner;
mod schedule;
mod start;
mod storage_maintenance;
mod storage_state;
mod surroundings;
#[cfg(test)]
mod test_support;
pub mod tools;
mod turn_runner;
mod waker;

pub use agents::{AgentUnit, Agents};
pub use code::AgentCode;
pub use recall::episodes::Record;
pub use recall::removal::without;
pub use runner::{AgentError, AgentRunner, Parts};
pub use schedule::OfMission;
pub use surroundings::{
    Asked, Host, Missions, Note, Operations, Proposer, Requester, RobotMotion, Robots, TaskEnd, UNATTENDED, Wanted,
};
pub use tools::tool_output_files::Outputs;
pub use turn_runner::Checking;
