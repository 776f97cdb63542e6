//! The meaning of a file, as a person sees it before it is activated: everything looked up, nothing that only
//! concerns how it was written.

pub(crate) mod words;

use std::collections::{BTreeMap, BTreeSet};

use robot::{ActuatorId, FrameId, MissionId, RobotId};
use safety::ConstraintKind;
use safety::fallback::{FallbackClass, FallbackStep};
use serde::Serialize;
use sha2::{Digest, Sha256};
use world::{AlertRule, ProviderConfig};

use crate::catalog::Catalog;
use crate::format::front::{
    Approval, EnvelopeRequest, Expiry, Goal, Hold, Limit, OnFailure, PlannedJob, Precondition, Trigger,
};
use crate::format::parsed::Parsed;
use crate::problem::Located;
use crate::render::text_for_agent;

/// The meaning of a mission. Equal files mean the same at equal sites, whatever the order of their keys, their comments
/// and their quotes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compiled {
    /// The mission.
    pub id: MissionId,
    /// Its title.
    pub title: String,
    /// The mission that it is a part of.
    pub parent: Option<MissionId>,
    /// Missions that have to be completed before it starts.
    pub depends_on: BTreeSet<MissionId>,
    /// The only robots that it may command.
    pub robots: BTreeSet<RobotId>,
    /// Paths of the parts of robots that it locks.
    pub resources: BTreeMap<String, Hold>,
    /// Its limits, for each robot that they bind.
    pub limits: Vec<CompiledLimit>,
    /// The whole response to each class of failures that it adds to, the default steps first.
    pub fallbacks: BTreeMap<FallbackClass, Vec<FallbackStep>>,
    /// Rules that turn samples into world state while it lives.
    pub providers: Vec<ProviderConfig>,
    /// Rules that wake the agent while it lives.
    pub alerts: Vec<AlertRule>,
    /// The IANA name of the zone of its times.
    pub time_zone: String,
    /// Starters of a run.
    pub triggers: Vec<Trigger>,
    /// Conditions before it starts.
    pub preconditions: Vec<Precondition>,
    /// Its goals, in order.
    pub goals: Vec<Goal>,
    /// Jobs that live as long as it does.
    pub schedule: Vec<PlannedJob>,
    /// The operations among its goals and jobs that move a robot.
    pub motions: BTreeSet<String>,
    /// The predicate, in printed form, that completes it once all goals are done.
    pub completes_when: Option<String>,
    /// The end of its life.
    pub expires: Option<Expiry>,
    /// The response to a failed goal.
    pub on_failure: OnFailure,
    /// Approval that its steps need.
    pub approval: Approval,
    /// Standing approvals that it asks for.
    pub envelope: Vec<EnvelopeRequest>,
    /// Model calls that it may cost, US dollars.
    pub budget_usd: Option<f64>,
    /// The text that the agent gets.
    pub text: String,
}

/// A limit on one robot.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompiledLimit {
    /// The robot.
    pub robot: RobotId,
    /// The only actuator it binds.
    pub actuator: Option<ActuatorId>,
    /// The frame of its numbers.
    pub frame: FrameId,
    /// The demand.
    pub kind: ConstraintKind,
    /// The reason for it.
    pub reason: Option<String>,
}

impl Compiled {
    /// The meaning of a file without errors.
    pub(crate) fn new(parsed: &Parsed, id: &MissionId, catalog: &Catalog) -> Self {
        let front = &parsed.front;
        let zone = front.time_zone.as_ref().map_or(&catalog.time_zone, |zone| &zone.value);
        let with_default =
            |(class, added): (&FallbackClass, &Vec<FallbackStep>)| (*class, class.steps_and(added).to_vec());
        Self {
            id: id.clone(),
            title: parsed.title(id),
            parent: front.parent.as_ref().map(|parent| parent.value.clone()),
            depends_on: front.depends_on.iter().map(|mission| mission.value.clone()).collect(),
            robots: front.robots.iter().map(|robot| robot.value.clone()).collect(),
            resources: catalog.locks(parsed).into_iter().map(|(path, (hold, _))| (path, hold)).collect(),
            limits: limits(parsed, catalog),
            fallbacks: front.fallbacks.iter().map(with_default).collect(),
            providers: values(&front.providers),
            alerts: values(&front.alerts),
            time_zone: zone.name().to_owned(),
            triggers: values(&front.triggers),
            preconditions: values(&front.preconditions),
            goals: values(&front.goals),
            schedule: values(&front.schedule),
            motions: catalog.motions(front).map(str::to_owned).collect(),
            completes_when: front.completes_when.as_ref().map(|rule| rule.value.to_string()),
            expires: front.expires.as_ref().map(|expires| expires.value.clone()),
            on_failure: front.on_failure.clone(),
            approval: front.approval,
            envelope: values(&front.envelope),
            budget_usd: front.budget_usd.as_ref().map(|budget| budget.value),
            text: text_for_agent(parsed.source.body()),
        }
    }

    /// SHA-256 over the canonical JSON (RFC 8785) of the meaning, in lower-case hex.
    ///
    /// # Errors
    /// A number of it has no JSON; none that a file can hold is such.
    pub fn hash(&self) -> Result<String, serde_json::Error> {
        let json = serde_json_canonicalizer::to_vec(self)?;
        Ok(hex::encode(Sha256::digest(json)))
    }
}

fn values<T: Clone>(located: &[Located<T>]) -> Vec<T> {
    located.iter().map(|entry| entry.value.clone()).collect()
}

/// Every limit once for each robot that it binds, in an order that does not follow that of the file.
fn limits(parsed: &Parsed, catalog: &Catalog) -> Vec<CompiledLimit> {
    let front = &parsed.front;
    let mut limits: Vec<(String, CompiledLimit)> = Vec::new();
    for Located { value: limit, .. } in &front.constraints {
        let named = front.robots.iter().map(|robot| &robot.value);
        for robot in named.filter(|robot| limit.robot.as_ref().is_none_or(|bound| bound == *robot)) {
            // A robot that the site lacks is an error of its own, and its default frame is not known.
            let Some(known) = catalog.robots.get(robot) else { continue };
            let Limit { actuator, frame, kind, reason, .. } = limit.clone();
            let frame = frame.unwrap_or_else(|| known.manifest.default_frame.clone());
            let compiled = CompiledLimit { robot: robot.clone(), actuator, frame, kind, reason };
            // By content, so that moving a line in the file changes neither the hash nor the list of changes.
            let order = serde_json::to_string(&(&compiled.robot, compiled.kind.type_name(), &compiled));
            limits.push((order.unwrap_or_default(), compiled));
        }
    }
    limits.sort_by(|(one, _), (other, _)| one.cmp(other));
    limits.into_iter().map(|(_, limit)| limit).collect()
}
