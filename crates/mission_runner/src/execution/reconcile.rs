//! The contexts, rules and jobs of a mission follow its state: what its text declares is registered once and
//! withdrawn with it, and what people have registered for it is in force at the same times.

use missions::Located;
use missions::format::front::PlannedJob;
use missions::lifecycle::{Status, in_force};
use robot::MissionId;
use serde::Serialize;
use serde_json::Value;
use world::{AlertRule, ProviderConfig};

use crate::lives::{Life, Version};
use crate::naming;
use crate::runner::{AgentMissions, MissionRunner};
use crate::surroundings::{Declared, PlannedJobs};
use runtime::error::OpError;
use runtime::lock::lock;

impl MissionRunner {
    /// Puts what is registered for a mission in force, or takes it out, as its state says. At once, and without the
    /// disk. Registrations for a draft stay in force.
    pub fn put_in_force(&self, agent: &AgentMissions, id: &MissionId) {
        if let Some(life) = agent.lives.life(id) {
            let parts = in_force(Some(&life.state));
            self.host.sensing.put_in_force(&agent.id, id, parts);
        }
    }

    /// Registers what the text of a mission declares as far as that is in force, and withdraws what it does not declare
    /// or what has ended with it. It may be done again at any time. What fails is told, and tried again soon.
    pub(crate) async fn reconcile(&self, agent: &AgentMissions, id: &MissionId) {
        // One at a time, and the life is read after it: an older state must not be registered over a newer one.
        let _one = agent.reconciling.lock().await;
        let Some(life) = agent.lives.life(id) else { return };
        let done = self.register(agent, id, &life).await;
        // A pause may have come meanwhile.
        self.put_in_force(agent, id);
        let Err(error) = done else {
            lock(&agent.unsettled).remove(id);
            return;
        };
        let told = lock(&agent.unsettled).insert(id.clone(), error.message.clone());
        // It is tried again every half second, and the same failure is told once.
        if told.as_ref() != Some(&error.message) {
            tracing::warn!(agent = %agent.id, mission = %id, %error, "what a mission declares is not in force");
            let sentence = format!("What mission {id} declares could not be put in force: {}", error.message);
            self.runtime.bus.event_of(&agent.id, "mission_not_in_force", sentence);
            self.tell_changed(agent, id);
        }
    }

    async fn register(&self, agent: &AgentMissions, id: &MissionId, life: &Life) -> Result<(), OpError> {
        if let Some(declared) = declared(agent, id, life) {
            self.host.sensing.declare(&agent.id, declared).await?;
        }
        match planned(agent, id, life) {
            Some(planned) => self.host.agents.plan_jobs(&agent.id, planned).await,
            None => Ok(()),
        }
    }
}

/// The entries to be registered for a mission; none while it stands still, when those that are registered stay and
/// sleep.
fn declared(agent: &AgentMissions, id: &MissionId, life: &Life) -> Option<Declared> {
    let prefix = naming::prefix(agent, id);
    let actor = life.version.as_ref().map_or_else(String::new, |version| version.activation.by.clone());
    let nothing =
        Declared { mission: id.clone(), actor, prefix, adds_rules: false, contexts: Vec::new(), rules: Vec::new() };
    match life.state.status {
        Status::Completed | Status::Failed | Status::Cancelled => Some(nothing),
        Status::Paused => None,
        Status::Active => {
            let version = life.version.as_ref()?;
            let adds_rules = in_force(Some(&life.state)).rules;
            Some(Declared { adds_rules, contexts: contexts(id, version), rules: rules(id, version), ..nothing })
        }
    }
}

/// The jobs of a mission; none while it stands still, when they wait. A job belongs to one activation: what became of
/// it is not done again, and another activation has jobs of its own.
fn planned(agent: &AgentMissions, id: &MissionId, life: &Life) -> Option<PlannedJobs> {
    let version = life.version.as_ref()?;
    let jobs = match life.state.status {
        Status::Completed | Status::Failed | Status::Cancelled => Vec::new(),
        // Its jobs wait; withdrawn they would count as cancelled (decision 0166).
        Status::Paused => return None,
        Status::Active => jobs(id, version),
    };
    let (prefix, actor) = (naming::prefix(agent, id), version.activation.by.clone());
    Some(PlannedJobs { mission: id.clone(), actor, prefix, jobs })
}

fn jobs(id: &MissionId, version: &Version) -> Vec<(String, Value)> {
    let front = &version.file.parsed.front;
    let zone = front.time_zone.as_ref().map(|zone| zone.value.name());
    let job = |(at, job): (usize, &Located<PlannedJob>)| {
        let input = job.value.task(id, at + 1, zone);
        // The place is part of the name, because two equal lines of a schedule are two jobs.
        (naming::name_of(&(&version.activation.id, at, &input)), input)
    };
    front.schedule.iter().enumerate().map(job).collect()
}

fn contexts(id: &MissionId, version: &Version) -> Vec<(String, ProviderConfig)> {
    let of_mission = |config: &ProviderConfig| ProviderConfig { mission_id: Some(id.clone()), ..config.clone() };
    named(version.file.parsed.front.providers.iter().map(|located| of_mission(&located.value)))
}

fn rules(id: &MissionId, version: &Version) -> Vec<(String, AlertRule)> {
    let of_mission = |rule: &AlertRule| AlertRule { mission_id: Some(id.clone()), ..rule.clone() };
    named(version.file.parsed.front.alerts.iter().map(|located| of_mission(&located.value)))
}

/// Each entry once, with a name that says what it is: the same in every text.
fn named<T: Serialize>(entries: impl Iterator<Item = T>) -> Vec<(String, T)> {
    let mut all: Vec<(String, T)> = Vec::new();
    for entry in entries {
        let name = naming::name_of(&entry);
        if !all.iter().any(|(known, _)| *known == name) {
            all.push((name, entry));
        }
    }
    all
}
