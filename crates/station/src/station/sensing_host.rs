//! The side of the station that sensing sees: samples come from robots and the simulator, and rules wake agents.

use std::sync::{Arc, Weak};

use bridge::signing::SignedSample;
use memory::episodic::EpisodeRole;
use robot::{AgentId, RobotId, Trust};
use world::{AlertId, Entry, Fire, RuleMove};

use super::Station;
use crate::agents::AgentUnit;
use crate::episodes::{self, Record};
use runtime::stamps::Stamps;
use sensing::{FireRecord, Sources, Waker};

/// The station as sensing sees it. One that is gone believes nothing.
pub(super) struct SensingHost(pub Weak<Station>);

impl SensingHost {
    fn station(&self) -> Option<Arc<Station>> {
        self.0.upgrade()
    }

    fn agent(&self, id: &AgentId) -> Option<Arc<AgentUnit>> {
        self.station()?.agents.get(id).ok()
    }
}

impl Sources for SensingHost {
    fn believes(&self, message: &SignedSample, stamps: &Stamps) -> bool {
        self.station().is_some_and(|station| station.fleet.believes(message, stamps))
    }

    fn robot_of(&self, key_expr: &str) -> Option<RobotId> {
        self.station()?.fleet.robot_of(key_expr)
    }

    fn is_simulated(&self, key_expr: &str) -> bool {
        self.station().is_some_and(|station| station.simulator.owns(key_expr))
    }
}

impl Waker for SensingHost {
    fn episode_id(&self) -> String {
        episodes::fresh_id()
    }

    fn fired(&self, agent: &AgentId, fire: &Fire, record: FireRecord) {
        if let Some(agent) = self.agent(agent) {
            agent.turns.alert(fire, record);
        }
    }

    fn remember(&self, agent: &AgentId, fire: &Fire, episode: String) {
        let Some(agent) = self.agent(agent) else { return };
        let keys: Vec<&str> = fire.values.iter().map(|value| value.key.as_str()).collect();
        // The values of a fire may quote a sensor's text.
        let told = Record::new(EpisodeRole::Alert, fire.sentence(), format!("sensor({})", keys.join(",")), Trust::Text);
        agent.episodes.record_as(episode, told);
    }

    fn moved(&self, agent: &AgentId, moved: &RuleMove) {
        if let Some(agent) = self.agent(agent) {
            agent.turns.follow(moved);
        }
    }

    fn removed(&self, agent: &AgentId, rule: &AlertId) {
        if let Some(agent) = self.agent(agent) {
            agent.turns.forget(rule);
        }
    }

    fn changed(&self, agent: &AgentId, entry: &Arc<Entry>) {
        if let Some(agent) = self.agent(agent) {
            agent.beliefs.offer(entry);
        }
    }
}
