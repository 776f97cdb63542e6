//! Contexts and rules share the life of their mission.

use std::sync::Arc;

use memory::StoredProvider;
use robot::MissionId;
use world::{AlertId, AlertRule, Changes, Provider, ProviderConfig, ProviderId, WorldCode};

use super::contexts::Context;
use super::{Ingest, report};
use crate::AgentWorld;
use crate::Sensing;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::wire::Tag;

impl Ingest {
    /// Puts the contexts and the rules of a mission in force, or takes them out. What was written stays, and ages.
    pub fn put_in_force(&self, sensing: &Sensing, agent: &AgentWorld, mission: &MissionId, parts: InForce) {
        // Contexts first: a rule that comes into force looks at what they have written.
        self.set_contexts_paused(sensing, agent, mission, !parts.contexts);
        let now = sensing.runtime.clock.now();
        if parts.rules {
            let notices = self.with_world(agent, |world| world.resume_rules(mission, now));
            report(sensing, agent, &notices);
        } else {
            let paused = self.world().pause_rules(mission, now);
            for rule in &paused {
                sensing.alarms.pause(&agent.id, rule);
            }
        }
        sensing.runtime.bus.changed(Tag::Alerts);
    }

    /// Starts those of `wanted` that have not started, and ends the others whose id begins with `prefix`. One that
    /// somebody has configured by hand does as well.
    pub async fn declare_contexts(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        Declared { actor, prefix, wanted }: Declared<'_, (ProviderId, ProviderConfig)>,
    ) -> Result<(), OpError> {
        let _changing = self.changing.lock().await;
        let held: Vec<ProviderId> =
            lock(&self.contexts).keys().filter(|id| id.0.starts_with(prefix)).cloned().collect();
        // Ended first: one that only has another id would be refused as a duplicate of the old one.
        for id in held.iter().filter(|id| !wanted.iter().any(|(named, _)| named == *id)) {
            self.end_context(sensing, agent, id).await?;
        }
        for (id, config) in wanted.into_iter().filter(|(id, _)| !held.contains(id)) {
            let stored = StoredProvider { id: id.0.to_string(), config, version: 1, ended: false };
            or_there(self.add_context(sensing, agent, actor, stored).await, WorldCode::DuplicateContext)?;
        }
        Ok(())
    }

    /// Registers those of `wanted` that are not registered, if it `adds` any, and removes the others whose id begins
    /// with `prefix`. One that somebody has registered by hand does as well.
    pub async fn declare_rules(
        &self,
        sensing: &Arc<Sensing>,
        agent: &Arc<AgentWorld>,
        Declared { actor, prefix, wanted }: Declared<'_, (AlertId, AlertRule)>,
        adds: bool,
    ) -> Result<(), OpError> {
        let _changing = self.changing.lock().await;
        let held: Vec<AlertId> = self.alert_ids().into_iter().filter(|id| id.0.starts_with(prefix)).collect();
        for id in held.iter().filter(|id| !wanted.iter().any(|(named, _)| named == *id)) {
            self.drop_rule(sensing, agent, id).await?;
        }
        for (id, rule) in wanted.into_iter().filter(|(id, _)| adds && !held.contains(id)) {
            or_there(self.add_rule(sensing, agent, actor, &id, rule).await, WorldCode::DuplicateAlert)?;
        }
        Ok(())
    }

    /// Number of a mission's contexts that take samples, and number of its rules in force.
    pub fn live_of_mission(&self, mission: &MissionId) -> (usize, usize) {
        let ids = self.contexts_of(mission);
        let world = self.world();
        let providers = ids.iter().filter(|id| !world.is_paused(id)).count();
        (providers, world.rules_in_force(mission))
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

    fn set_contexts_paused(&self, sensing: &Sensing, agent: &AgentWorld, mission: &MissionId, paused: bool) {
        let now = sensing.runtime.clock.now();
        for id in self.contexts_of(mission) {
            let notices = self.with_world(agent, |world| {
                // One that goes on as it was keeps its figures.
                let changes = (world.is_paused(&id) != paused).then(|| world.set_provider_paused(&id, paused, now));
                changes.flatten().unwrap_or_else(Changes::default)
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

/// The declarations of one kind in a mission.
#[derive(Debug)]
pub struct Declared<'d, T> {
    /// The actor on record for a change.
    pub actor: &'d str,
    /// The beginning of the ids of all that the mission has declared.
    pub prefix: &'d str,
    /// Everything that it declares now.
    pub wanted: Vec<T>,
}

/// The parts of a mission that are in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InForce {
    /// Its contexts take samples.
    pub contexts: bool,
    /// Its rules fire.
    pub rules: bool,
}

/// The same, except that an entry which is there already, as `code` says, need not be added.
fn or_there<T>(added: Result<T, OpError>, code: WorldCode) -> Result<(), OpError> {
    match added {
        Err(error) if error.code != code => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}
