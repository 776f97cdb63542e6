//! Rules of the world wake their agent, and its changes are offered to what the agent believes.

use std::sync::Arc;

use memory::episodic::EpisodeRole;
use robot::{AgentId, Trust};
use sensing::{FireRecord, Waker};
use world::{AlertId, Entry, Fire, RuleMove};

use crate::recall::episodes::{self, Record};
use crate::runner::AgentRunner;

impl Waker for AgentRunner {
    fn episode_id(&self) -> String {
        episodes::fresh_id()
    }

    fn fired(&self, agent: &AgentId, fire: &Fire, record: FireRecord) {
        if let Ok(agent) = self.agents.get(agent) {
            agent.turns.alert(fire, record);
        }
    }

    fn remember(&self, agent: &AgentId, fire: &Fire, episode: String) {
        let Ok(agent) = self.agents.get(agent) else { return };
        let keys: Vec<&str> = fire.values.iter().map(|value| value.key.as_str()).collect();
        // The values of a fire may quote a sensor's text.
        let told = Record::new(EpisodeRole::Alert, fire.sentence(), format!("sensor({})", keys.join(",")), Trust::Text);
        agent.episodes.record_as(episode, told);
    }

    fn moved(&self, agent: &AgentId, moved: &RuleMove) {
        if let Ok(agent) = self.agents.get(agent) {
            agent.turns.follow(moved);
        }
    }

    fn removed(&self, agent: &AgentId, rule: &AlertId) {
        if let Ok(agent) = self.agents.get(agent) {
            agent.turns.forget(rule);
        }
    }

    fn changed(&self, agent: &AgentId, entry: &Arc<Entry>) {
        if let Ok(agent) = self.agents.get(agent) {
            agent.beliefs.offer(entry);
        }
    }
}
