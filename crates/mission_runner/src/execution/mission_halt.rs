//! Standstill of a mission: its running parts, and how they are made to stand.

use std::collections::BTreeMap;

use robot::{MissionId, RobotId};
use runtime::session::Session;
use runtime::wire::{MissionLive, ProposalReason};

use crate::runner::{AgentMissions, MissionRunner};

impl MissionRunner {
    /// Holds the robots that carry out a command of the mission, ends its turns, voids what waits for a click, and
    /// takes its contexts and rules out of force. Nothing of it waits. Returns the robots.
    pub(crate) fn hold_parts(&self, agent: &AgentMissions, by: &Session, id: &MissionId) -> Vec<RobotId> {
        // The robots first; everything after it only keeps new motion from being asked for.
        let robots = self.host.fleet.hold_for(id);
        agent.drop_locks(id);
        agent.end_stale_turn(id);
        self.host.agents.end_turns(&agent.id, id);
        let reason = ProposalReason::MissionHalted { mission: id.clone() };
        self.host.agents.void_proposals(by, &agent.id, id, &reason);
        self.put_in_force(agent, id);
        robots
    }

    /// The same, and takes its jobs out of force. Returns its parts that are live afterwards, and the robots that
    /// were not seen to stand.
    pub(crate) async fn halt_parts(
        &self,
        agent: &AgentMissions,
        by: &Session,
        id: &MissionId,
    ) -> (MissionLive, Vec<RobotId>) {
        let has_ended = agent.lives.has_ended(id);
        // Held once more: a command that was on its way at the first time is ended now.
        let robots = self.hold_parts(agent, by, id);
        self.host.agents.halt_jobs(&agent.id, id, has_ended).await;
        // Asked last: by then the robots have had the longest time to come to rest.
        let still_moving = self.host.fleet.still_moving(robots);
        (self.live_parts(agent, id).await, still_moving)
    }

    /// Counts of the living parts of a mission, taken at their owners.
    pub(crate) async fn live_parts(&self, agent: &AgentMissions, id: &MissionId) -> MissionLive {
        let (providers, alerts) = self.host.sensing.live(&agent.id, id);
        let open_commands = self.host.fleet.open_commands(id);
        let open = if agent.lives.is_live(id) { self.host.agents.jobs(&agent.id).await } else { BTreeMap::new() };
        let jobs = open.get(id.as_str()).copied().unwrap_or(0);
        MissionLive { providers, alerts, jobs, open_commands, locks: agent.locked(id) }
    }
}
