//! Who is asking. Kind, role and name come from how the session signed in, never from what it sends.

use robot::{Role, SessionKind, Source, StationId};

/// A signed-in caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    actor: String,
    kind: SessionKind,
    role: Role,
    agent: bool,
}

impl Session {
    /// The app's own window.
    #[must_use]
    pub fn app_window() -> Self {
        Self { actor: "desk".into(), kind: SessionKind::Person, role: Role::Operator, agent: false }
    }

    /// The bearer of the token that `quarterdeck-server` prints at start.
    #[must_use]
    pub fn bootstrap() -> Self {
        Self { actor: "admin".into(), kind: SessionKind::Person, role: Role::Admin, agent: false }
    }

    /// Another station that stopped a robot of ours.
    #[must_use]
    pub(crate) fn other_station(station: &StationId) -> Self {
        Self { actor: station.to_string(), kind: SessionKind::Machine, role: Role::Viewer, agent: false }
    }

    /// The station itself, when the state of a robot asks for a stop.
    #[must_use]
    pub(crate) fn supervision() -> Self {
        Self { actor: "supervision".into(), kind: SessionKind::Machine, role: Role::Viewer, agent: false }
    }

    /// The agent's turn.
    #[must_use]
    pub(crate) fn agent() -> Self {
        Self { actor: "agent".into(), kind: SessionKind::Machine, role: Role::Operator, agent: true }
    }

    /// Name for the record.
    #[must_use]
    pub fn actor(&self) -> &str {
        &self.actor
    }

    /// A person or a program.
    #[must_use]
    pub fn kind(&self) -> SessionKind {
        self.kind
    }

    /// What it may do at most.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// True for the agent's own turn.
    #[must_use]
    pub fn is_agent(&self) -> bool {
        self.agent
    }

    /// The source of commands that this session sends directly.
    pub(crate) fn command_source(&self) -> Source {
        Source::Person(self.actor.clone())
    }
}
