//! Control of a robot: its holder, the motion that passes under each holder, and the ways it changes hands.

use robot::{AgentId, RobotId, SessionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ReasonArgs;

/// The holder of control of a robot.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "ControlHolder")]
pub enum Holder {
    /// Nobody: no motion passes.
    #[default]
    Nobody,
    /// A person at one screen or program.
    Person(Person),
    /// An agent: its missions and its approved proposals.
    Agent {
        /// Id of the agent.
        id: AgentId,
    },
    /// A pendant at the robot itself, or another commander of it.
    Local,
    /// The robot does not answer, so nobody can tell.
    Unknown,
}

/// A place at which people and programs sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum DeskKind {
    /// The station itself.
    Here,
    /// The window of the app.
    #[serde(alias = "app window")]
    AppWindow,
    /// The app without its window: tray, global key, the small window.
    App,
    /// The terminal of a server.
    Server,
    /// A browser.
    Browser,
    /// A program with a token.
    Program,
}

impl std::fmt::Display for DeskKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Here => "here",
            Self::AppWindow => "app window",
            Self::App => "app",
            Self::Server => "server",
            Self::Browser => "browser",
            Self::Program => "program",
        })
    }
}

/// A person with control.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(rename = "ControlPerson")]
#[schemars(extend("x-vouched" = true))]
pub struct Person {
    /// The session that has it, not the person: the same name at another desk has not.
    pub session: SessionId,
    /// Their name.
    pub name: String,
    /// The kind of desk where they sit.
    pub desk: DeskKind,
    /// True if nothing of the agent passes, approved or not.
    pub exclusive: bool,
}

/// Author of a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mover<'a> {
    /// A person's own command.
    Person {
        /// Their session.
        session: &'a SessionId,
    },
    /// An agent's command.
    Agent {
        /// Id of the agent.
        id: &'a AgentId,
        /// Consent to the command.
        consent: Consent<'a>,
    },
}

/// Consent to a command of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent<'a> {
    /// Nobody yet: it is judged for a card.
    Asked,
    /// The person of this session, who approved exactly this command.
    By(&'a SessionId),
    /// An approval given before: a standing one, or a mission's activation.
    Standing,
}

/// A way in which control changes hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Handover {
    /// The person arms the robot: control comes with it if nobody has it, and the agent may still propose.
    Arm(Person),
    /// The person takes it for themselves alone.
    Take(Person),
    /// The person gets it from any holder: an administrator's act, or by the holder's consent.
    Replace(Person),
    /// The holder lets go.
    Release {
        /// The session that asks.
        session: SessionId,
    },
    /// The person gives it to an agent.
    ToAgent {
        /// The session that asks.
        session: SessionId,
        /// The agent that gets control.
        id: AgentId,
    },
}

/// The reason that control does not change hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ControlRefused {
    /// Another has it.
    NotInControl,
    /// A pendant has it, or nobody can tell.
    OutOfReach,
}

impl Holder {
    /// The holder as the station sees it: a pendant, or a lost link, comes before what the station knows.
    #[must_use]
    pub fn seen(&self, link_lost: bool, local: bool) -> Self {
        match (link_lost, local) {
            // First of all: of a robot that does not answer, its last word about a pendant is old.
            (true, _) => Self::Unknown,
            (false, true) => Self::Local,
            (false, false) => self.clone(),
        }
    }

    /// True if a motion of `mover` passes.
    #[must_use]
    pub fn admits(&self, mover: Mover<'_>) -> bool {
        match (self, mover) {
            (Self::Nobody | Self::Local | Self::Unknown, _) => false,
            (Self::Person(holder), Mover::Person { session }) => holder.session == *session,
            (Self::Person(holder), Mover::Agent { consent, .. }) => !holder.exclusive && holder.lets(consent),
            // Two commanders at once are what control prevents; a person takes it back first.
            (Self::Agent { .. }, Mover::Person { .. }) => false,
            (Self::Agent { id }, Mover::Agent { id: mover, .. }) => id == mover,
        }
    }

    /// Arguments of a denial: the holder of control, and the remedy.
    #[must_use]
    pub fn denial(&self, robot: &RobotId, mover: Mover<'_>) -> ReasonArgs {
        let take = || format!("take control of {robot} first");
        let remedy = match (self, mover) {
            (Self::Nobody, _) | (Self::Agent { .. }, Mover::Person { .. }) => take(),
            (Self::Person(holder), Mover::Person { .. }) => format!("ask {} for control of {robot} first", holder.name),
            (Self::Person(holder), Mover::Agent { .. }) if holder.exclusive => {
                format!("only {} may move it", holder.name)
            }
            (Self::Person(holder), Mover::Agent { .. }) => format!("only {} may approve it", holder.name),
            (Self::Agent { .. }, Mover::Agent { .. }) => format!("hand {robot} to this agent first"),
            (Self::Local, _) => format!("end local control at {robot} first"),
            (Self::Unknown, _) => format!("{robot} must answer first"),
        };
        ReasonArgs { owner: Some(self.to_string()), expected: Some(remedy.into()), ..ReasonArgs::default() }
    }

    /// The holder of control after `handover`.
    pub fn after(&self, handover: Handover) -> Result<Self, ControlRefused> {
        use ControlRefused::{NotInControl, OutOfReach};
        let mine = |session: &SessionId| matches!(self, Self::Person(holder) if holder.session == *session);
        match (self, handover) {
            // Whoever stands at the robot decides there; no act at a desk may take it from them.
            (Self::Local | Self::Unknown, _) => Err(OutOfReach),
            (Self::Nobody, Handover::Arm(person)) => Ok(Self::Person(Person { exclusive: false, ..person })),
            // Arming lets the robot move for whoever has control and takes it from nobody (decision 0010).
            (Self::Agent { .. }, Handover::Arm(_)) => Ok(self.clone()),
            (Self::Person(holder), Handover::Arm(person)) if holder.session == person.session => Ok(self.clone()),
            (Self::Person(holder), Handover::Take(person)) if holder.session != person.session => Err(NotInControl),
            (
                Self::Nobody | Self::Person(_) | Self::Agent { .. },
                Handover::Take(person) | Handover::Replace(person),
            ) => Ok(Self::Person(Person { exclusive: true, ..person })),
            (_, Handover::Release { session }) if mine(&session) => Ok(Self::Nobody),
            (Self::Nobody | Self::Agent { .. }, Handover::ToAgent { id, .. }) => Ok(Self::Agent { id }),
            (Self::Person(_), Handover::ToAgent { session, id }) if mine(&session) => Ok(Self::Agent { id }),
            (Self::Person(_), Handover::Arm(_) | Handover::ToAgent { .. }) => Err(NotInControl),
            (Self::Nobody | Self::Person(_) | Self::Agent { .. }, Handover::Release { .. }) => Err(NotInControl),
        }
    }
}

impl Person {
    /// True if `consent` is this person's, or is still to be asked for.
    fn lets(&self, consent: Consent<'_>) -> bool {
        match consent {
            Consent::Asked => true,
            Consent::By(session) => self.session == *session,
            // Given for missions and agents at large; while this person holds control, they decide on each motion.
            Consent::Standing => false,
        }
    }
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nobody => f.write_str("nobody"),
            Self::Person(person) => write!(f, "{} ({})", person.name, person.desk),
            Self::Agent { id } => write!(f, "agent {id}"),
            Self::Local => f.write_str("somebody at the robot, or another commander of it"),
            Self::Unknown => f.write_str("an unknown party"),
        }
    }
}

#[cfg(test)]
mod tests;
