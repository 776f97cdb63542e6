//! The side of the station that the fleet sees: missions object to commands, and alarms, proposals, missions and agents
//! follow what happens to robots.

use robot::{Instant, MissionId, RobotId};
use safety::fallback::{FallbackClass, FallbackStep};
use world::alarm::{BuiltIn, Of};
use world::arousal::Boost;

use super::host::StationHost;
use fleet::RobotHandle;
use fleet::Submission;
use fleet::state::commands::Step;
use fleet::{MissionRobots, Objector, Observer, PressedStop};
use mission_runner::mission_not_found;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{LinkState, ProposalReason, word};

impl Objector for StationHost {
    fn check_mission(&self, id: &MissionId) -> Result<(), OpError> {
        self.station().ok_or_else(mission_not_found)?.missions.check_readable(id)
    }

    fn mission_halt(&self, submission: &Submission) -> Option<String> {
        match self.station() {
            Some(station) => station.missions.halt_of(submission.by.agent(), submission.raw.mission_id.as_ref()?),
            None => Some("The station ends.".to_owned()),
        }
    }

    fn mission_robots(&self) -> MissionRobots {
        self.station().map(|station| station.missions.robots()).unwrap_or_default()
    }
}

impl Observer for StationHost {
    fn set_alarm(&self, alarm: BuiltIn, of: &Of, detail: Option<String>) {
        if let Some(station) = self.station() {
            station.sensing.alarms.set(alarm, of, detail.is_some(), || detail.unwrap_or_default());
        }
    }

    fn note_alarm(&self, alarm: BuiltIn, of: &Of, detail: String) {
        if let Some(station) = self.station() {
            station.sensing.alarms.note(alarm, of, detail);
        }
    }

    fn note_forged(&self, robot: &RobotId, sentence: String) {
        if let Some(station) = self.station() {
            station.sensing.alarms.note_forged(robot, sentence);
        }
    }

    fn note_stop_tested(&self, robot: &RobotId) {
        if let Some(station) = self.station() {
            station.sensing.alarms.note_tested(robot, station.runtime.clock.now().wall_ms);
        }
    }

    fn note_step(&self, step: &Step) {
        if let Some(station) = self.station() {
            station.proposals.note_step(&station, step);
        }
    }

    fn note_link(&self, unit: &RobotHandle, link: LinkState) {
        let Some(station) = self.station() else { return };
        // A late robot may still answer; only a lost one takes its values with it.
        let gone = link == LinkState::Lost;
        let prefix = format!("{}/{}/", unit.manifest.site, unit.id());
        for agent in station.runner.agents.all() {
            if gone {
                agent.turns.stir(Boost::LinkLost);
            }
            agent.world.ingest.source_alive(&station.sensing, &agent.world, &prefix, !gone);
        }
    }

    /// A turn that stopped the robots itself goes on, so that it can say so: its other motion is gone with the
    /// proposals.
    fn end_turns(&self, by: &Session) {
        if by.is_agent() {
            return;
        }
        if let Some(station) = self.station() {
            station.runner.agents.all().iter().for_each(|agent| agent.turns.stopped(&station.runner, agent));
        }
    }

    fn void_after_stop(&self, PressedStop { by, stop_id, presses, robots, is_of_all }: &PressedStop) {
        if let Some(station) = self.station() {
            let reason = ProposalReason::Stopped { stop_id: *stop_id };
            station.proposals.void_made_before(&station, by, *presses, &reason);
            station.missions.pause_for_stop(robots, *is_of_all);
        }
    }

    fn void_of(&self, by: Option<&Session>, robot: &RobotId, reason: &ProposalReason) {
        if let Some(station) = self.station() {
            station.proposals.void_of(&station, by, robot, reason);
        }
    }

    fn void_all(&self, by: &Session, reason: &ProposalReason) {
        if let Some(station) = self.station() {
            station.proposals.void_all(&station, by, reason);
        }
    }

    fn nothing_waits(&self) -> bool {
        self.station().is_none_or(|station| station.proposals.none_open() && station.missions.none_active())
    }

    fn pause_missions(&self, class: FallbackClass) {
        if let Some(station) = self.station() {
            station.missions.pause_for_failure(class);
        }
    }

    fn further_steps(&self, robot: &RobotId, class: FallbackClass) -> Vec<FallbackStep> {
        let all = self.station().map(|station| station.missions.all()).unwrap_or_default();
        all.iter().flat_map(|agent| agent.lives.further_steps(robot, class)).collect()
    }

    fn alert_agents(&self, robot: &RobotId, class: FallbackClass, why: &str, now: Instant) {
        let Some(station) = self.station() else { return };
        for agent in station.runner.agents.all().iter().filter(|agent| agent.turns.running().is_none()) {
            agent.turns.failure(robot, &word(&class), why, now);
        }
    }

    fn is_agent_in_turn(&self) -> bool {
        self.station()
            .is_some_and(|station| station.runner.agents.all().iter().any(|agent| agent.turns.running().is_some()))
    }
}
