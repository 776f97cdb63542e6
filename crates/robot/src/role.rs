//! Roles of sessions, effects and audiences of operations, origin and trust of texts.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Upper bound on a session's rights; comes from how it signed in, never from an argument.
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

/// Effect of an operation on the world.
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

/// Robots that an operation stops. Such a call of a model runs first in its reply, asks nobody, and takes the place of motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stops {
    /// None.
    No,
    /// Every robot.
    All,
    /// The one in the argument `robot`.
    Named,
    /// Those of missions; which ones that are only the station knows.
    Missions,
}

/// Audience that an operation is offered to.
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

/// Kind of party behind a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SessionKind {
    /// A person at a screen.
    Person,
    /// A program or the agent.
    Machine,
}

/// Origin of a text, for example `operator(dana)` or `sensor(person.location)`.
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

/// Trust in a text; ordered from most to least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// From the operator or the station.
    Trusted,
    /// A number, a boolean, or a word of a declared closed set.
    Typed,
    /// Anything else: untrusted text.
    Text,
}
