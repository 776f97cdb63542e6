//! One running system: what it is made of, and how the crates below see it.

mod agents_host;
mod fleet_host;
mod host;
mod mission_steps;
mod missions_host;
mod sensing_host;

pub(crate) use host::StationHost;

use std::sync::Arc;

use world::alarm::{BuiltIn, Of};

use crate::access::{Pin, Tokens};
use crate::finding::Scanner;
use crate::network::Network;
use crate::operations::{Repeats, row_of};
use crate::pairing::Pairings;
use crate::proposals::Proposals;
use crate::simulated::simulator::Simulator;
use agent_runner::AgentRunner;
use agent_runner::operations::OfAgents;
use fleet::Fleet;
use mission_runner::MissionRunner;
use runtime::Runtime;
use runtime::audit::OTHER_CALL;
use runtime::config::{ApprovalSettings, StorageSettings};
use runtime::event_bus::Frames;
use runtime::secrets::KeyStore;
use runtime::session::Session;
use runtime::stop_lane::StopLane;
use sensing::Sensing;

/// A running station. Operations are the only way in for people, programs and the agent.
pub struct Station {
    /// The services that all parts share.
    pub(crate) runtime: Arc<Runtime>,
    /// The robots.
    pub(crate) fleet: Arc<Fleet>,
    /// The worlds of the agents, and the alarms.
    pub(crate) sensing: Arc<Sensing>,
    /// The agents.
    pub(crate) runner: Arc<AgentRunner>,
    /// Their missions.
    pub(crate) missions: Arc<MissionRunner>,
    /// Keeps other processes out of the data directory.
    pub(crate) held: std::fs::File,
    /// The settings of the site about cards.
    pub(crate) approvals: ApprovalSettings,
    pub(crate) storage: StorageSettings,
    pub(crate) proposals: Proposals,
    pub(crate) simulator: Simulator,
    /// The scan for robots.
    pub(crate) scanner: Scanner,
    pub(crate) repeats: Repeats,
    /// The tokens with which people and programs sign in.
    pub(crate) tokens: Tokens,
    /// The certificates of the site.
    pub(crate) network: Arc<Network>,
    /// The pairing with a gate that an Admin has opened.
    pub(crate) pairings: Arc<Pairings>,
    /// The PIN that is asked of whoever acts as Admin.
    pub(crate) admin_pin: Pin,
    /// The thread on which words are searched for a stop.
    pub(crate) words_lane: StopLane,
}

impl OfAgents for Station {
    fn runner(&self) -> &AgentRunner {
        &self.runner
    }
}

impl Station {
    /// Puts on record that a host refused a request before it reached an operation.
    pub fn note_refused_by_host(&self, by: Option<&Session>, operation: &str, code: &str) {
        let is_path = operation.starts_with('/');
        let word = if is_path { operation } else { row_of(operation).map_or(OTHER_CALL, |row| row.name) };
        self.runtime.audit.note_refused_by_host(by, word, code);
    }

    /// The store of keys that outlive a run.
    pub fn key_store(&self) -> KeyStore {
        self.runtime.key_store
    }

    /// Takes `secret` out of what is written or shown from now on.
    pub fn hide(&self, secret: &str) {
        self.runtime.redaction.learn(secret.as_bytes());
    }

    /// The session of a token's bearer; none if it is no token of this station, or has expired.
    pub fn sign_in(&self, token: &str) -> Option<Session> {
        self.tokens.sign_in(token, self.runtime.clock.now().wall_ms)
    }

    /// False for the session of a token that was revoked or has expired.
    pub fn is_signed_in(&self, session: &Session) -> bool {
        self.tokens.is_signed_in(session, self.runtime.clock.now().wall_ms)
    }

    /// A host refuses requests because too many come. Its own thread does not wait for the list of alarms.
    pub fn note_flood(self: &Arc<Self>, sentence: String) {
        let station = Arc::clone(self);
        self.runtime.spawn(async move { station.sensing.alarms.note(BuiltIn::RequestFlood, &Of::station(), sentence) });
    }

    /// Opens a window's channel.
    pub fn subscribe(&self, session: &Session) -> Frames {
        self.runtime.bus.subscribe(self.fleet.presence.open_screen(session.id(), session.desk()))
    }
}
