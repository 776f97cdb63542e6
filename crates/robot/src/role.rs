//! Who may do what, and how far a text can be believed.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a session may do at most; comes from how it signed in, never from an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads, and stops.
    Viewer,
    /// Commands, approves, releases.
    Operator,
    /// Changes limits, providers, keys.
    Admin,
}

/// What an operation does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Changes the station's own data.
    Write,
    /// Can move, or stop, a robot.
    Actuate,
    /// Cannot be taken back.
    Irreversible,
}

/// Who an operation is offered to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// A person at a screen.
    Ui,
    /// A program over MCP.
    Mcp,
    /// The agent.
    Agent,
}

/// What sits behind a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SessionKind {
    /// A person at a screen.
    Person,
    /// A program or the agent.
    Machine,
}

/// Where a text came from, for example `operator(dana)` or `sensor(person.location)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A person at this station's desk, by name.
    Operator(String),
    /// Another station's room channel, by sender.
    Room(String),
    /// The station itself.
    System,
    /// The agent.
    Agent,
    /// An operation or external tool, by name.
    Tool(String),
    /// A sensor, by world key.
    Sensor(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operator(name) => write!(f, "operator({name})"),
            Self::Room(sender) => write!(f, "room({sender})"),
            Self::System => f.write_str("system"),
            Self::Agent => f.write_str("agent"),
            Self::Tool(name) => write!(f, "tool({name})"),
            Self::Sensor(key) => write!(f, "sensor({key})"),
        }
    }
}

/// How far a text can be believed; ordered from most to least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// From the operator or the station.
    Trusted,
    /// A number, a boolean, or a word of a declared closed set.
    Typed,
    /// Anything else; nobody vouches for it.
    Text,
}
