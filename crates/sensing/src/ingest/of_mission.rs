//! Contexts and rules share the life of their mission.

use robot::MissionId;
use world::{Changes, Provider, ProviderId};

use super::contexts::Context;
use super::{Ingest, report};
use crate::AgentWorld;
use crate::Sensing;
use runtime::lock::lock;
use runtime::wire::Tag;

impl Ingest {
    /// Takes the contexts and rules of a mission that stands still out of force. What was written stays, and ages.
    pub fn pause_mission(&self, sensing: &Sensing, agent: &AgentWorld, mission: &MissionId) {
        self.set_mission_paused(sensing, agent, mission, true);
        let paused = self.world().pause_rules(mission, sensing.runtime.clock.now());
        for rule in &paused {
            sensing.alarms.pause(&agent.id, rule);
        }
        sensing.runtime.bus.changed(Tag::Alerts);
    }

    /// Puts the contexts and rules of a mission that goes on back in force.
    pub fn resume_mission(&self, sensing: &Sensing, agent: &AgentWorld, mission: &MissionId) {
        self.set_mission_paused(sensing, agent, mission, false);
        let now = sensing.runtime.clock.now();
        let notices = self.with_world(agent, |world| world.resume_rules(mission, now));
        report(sensing, agent, &notices);
        sensing.runtime.bus.changed(Tag::Alerts);
    }

    /// Number of a mission's contexts that take samples, and number of its rules in force.
    pub fn live_of_mission(&self, sensing: &Sensing, mission: &MissionId) -> (usize, usize) {
        let ids = self.contexts_of(mission);
        let world = self.world();
        let providers = ids.iter().filter(|id| !world.is_paused(id)).count();
        let rows = world.alerts(sensing.runtime.clock.now());
        let alerts = rows.iter().filter(|row| row.mission_id.as_ref() == Some(mission) && !row.paused).count();
        (providers, alerts)
    }

    /// The providers that have not ended, each with the mission that it belongs to.
    pub fn providers(&self) -> Vec<(Option<MissionId>, Provider)> {
        let contexts = lock(&self.contexts);
        let open = contexts.iter().filter(|(_, context)| !context.ended);
        let provider = |(id, context): (&ProviderId, &Context)| {
            Some((context.config.mission_id.clone(), Provider::compile(id.clone(), context.config.clone()).ok()?))
        };
        open.filter_map(provider).collect()
    }

    fn set_mission_paused(&self, sensing: &Sensing, agent: &AgentWorld, mission: &MissionId, paused: bool) {
        let now = sensing.runtime.clock.now();
        for id in self.contexts_of(mission) {
            let notices = self.with_world(agent, |world| {
                world.set_provider_paused(&id, paused, now).unwrap_or_else(Changes::default)
            });
            report(sensing, agent, &notices);
        }
        sensing.runtime.bus.changed(Tag::Contexts);
    }

    fn contexts_of(&self, mission: &MissionId) -> Vec<ProviderId> {
        let contexts = lock(&self.contexts);
        let its = contexts.iter().filter(|(_, context)| context.is_of(mission));
        its.map(|(id, _)| id.clone()).collect()
    }
}
