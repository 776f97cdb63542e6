//! The side of the station that missions see: the agents that carry them out, robots, worlds and alarms.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use agent::{MicroVerdict, Permission, Precondition, permission};
use llm::{BoxFuture, ModelKind};
use missions::format::front::{EnvelopeRequest, Precondition as Written};
use missions::goals::{GoalEnd, GoalReason, Outcome};
use missions::lifecycle::InForce;
use missions::{CatalogOperation, CatalogRobot, CompiledLimit, Located, MissionFile};
use robot::{AgentId, Audience, ConstraintId, MissionId, RobotId};
use safety::Constraint;
use safety::leases::{Owner, Renewal, Resource};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use world::alarm::{BuiltIn, Of};
use world::predicate::{Memory, Rule, Truth};
use world::{AlertId, Provider, ProviderId, SitePlan};

use super::Station;
use super::host::StationHost;
use super::mission_steps::Carried;
use crate::operations::{self, Operation};
use crate::proposals::Grant;
use agent_runner::mission_turn::{MissionTurn, MissionTurnEnd, NoTurn};
use agent_runner::{AgentUnit, Checking, OfMission, Requester, Wanted};
use fleet::ResourceGuard;
use fleet::RobotHandle;
use fleet::arming;
use mission_runner::{
    Agents, Asked, CardNote, Declared, DryAnswer, DryMotions, Fleet, Host, LockedPart, NotReady, PartLock, PlannedJobs,
    Sensing, StepCall, TurnCall, TurnEnd, TurnHindrance,
};
use runtime::audit::canonical_hash;
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{BudgetRow, MissionDryApproval, MissionDryApprovalKind, MissionDryBasis, ProposalReason};

impl StationHost {
    /// The whole of what missions see.
    pub fn for_missions(self: &Arc<Self>) -> Host {
        Host {
            agents: Arc::clone(self) as Arc<dyn Agents>,
            fleet: Arc::clone(self) as Arc<dyn Fleet>,
            sensing: Arc::clone(self) as Arc<dyn Sensing>,
        }
    }

    /// The station with one of its agents.
    fn with_agent(&self, agent: &AgentId) -> Option<(Arc<Station>, Arc<AgentUnit>)> {
        let station = self.station()?;
        let unit = station.runner.agents.get(agent).ok()?;
        Some((station, unit))
    }
}

impl Agents for StationHost {
    fn meant_by(&self, by: &Session) -> Result<AgentId, OpError> {
        Ok(self.running()?.runner.agents.meant_by(by)?.id.clone())
    }

    fn has_language_model(&self, agent: &AgentId) -> bool {
        self.with_agent(agent).is_some_and(|(station, unit)| unit.model(&station.runner).kind == ModelKind::Language)
    }

    fn may_start<'a>(&'a self, agent: &'a AgentId, file: &'a MissionFile) -> BoxFuture<'a, MicroVerdict> {
        Box::pin(async move {
            let Some((station, unit)) = self.with_agent(agent) else {
                return MicroVerdict::Ask("the agent is gone".to_owned());
            };
            let is_completed = |id: &MissionId| Precondition::Predicate {
                predicate: format!("mission {id} is completed"),
                holds: true,
            };
            let text = |one: &Located<Written>| match &one.value {
                Written::Text(sentence) => Some(Precondition::Text(sentence.clone())),
                // Decided from the state of the world already; no model is asked.
                Written::Rule(_) => None,
            };
            let sentences = file.parsed.front.preconditions.iter().filter_map(text);
            let preconditions: Vec<Precondition> = file.depends_on.iter().map(is_completed).chain(sentences).collect();
            let facts = unit.turns.facts(&station.runner, &unit);
            let checking =
                Checking { mission: &file.id, title: &file.title, preconditions: &preconditions, facts: &facts };
            unit.turns.micro_turn(&station.runner, &unit, checking).await
        })
    }

    fn propose<'a>(
        &'a self,
        by: &'a Session,
        agent: &'a AgentId,
        operation: &'static str,
        input: Value,
    ) -> BoxFuture<'a, Result<Asked, OpError>> {
        Box::pin(async move {
            let station = self.running()?;
            let wanted = Wanted { operation: operation.to_owned(), input };
            Ok(match station.proposals.try_ask(&station, &wanted, Requester::of(by, agent)).await? {
                agent_runner::Asked::Waiting(proposal, _) | agent_runner::Asked::Covered(proposal, _) => {
                    Asked::Card(proposal)
                }
                agent_runner::Asked::Ended(outcome) => {
                    Asked::Refused(serde_json::from_str(&outcome.json).unwrap_or_default())
                }
            })
        })
    }

    fn carry_out<'a>(
        &'a self,
        agent: &'a AgentId,
        step: StepCall,
        told: mpsc::Sender<CardNote>,
    ) -> BoxFuture<'a, GoalEnd> {
        Box::pin(async move {
            match self.with_agent(agent) {
                Some((station, unit)) => Carried { host: self, station, unit, told }.out(step).await,
                None => GoalEnd::because(Outcome::NeverSent, GoalReason::AgentGone),
            }
        })
    }

    fn no_turn(&self, agent: &AgentId) -> Option<TurnHindrance> {
        let Some((station, unit)) = self.with_agent(agent) else { return Some(TurnHindrance::Later) };
        unit.no_turn(&station.runner).map(|why| match why {
            NoTurn::NoModel => TurnHindrance::NoModel,
            NoTurn::Later => TurnHindrance::Later,
        })
    }

    fn take_up<'a>(&'a self, agent: &'a AgentId, turn: TurnCall, cancel: CancellationToken) -> BoxFuture<'a, TurnEnd> {
        Box::pin(async move {
            let Some((station, unit)) = self.with_agent(agent) else { return TurnEnd::NotBegun };
            let TurnCall { mission, run, title, prompt } = turn;
            match unit.take_up(&station.runner, MissionTurn { mission, run, title, prompt }, cancel).await {
                Some(MissionTurnEnd::Done) => TurnEnd::Done,
                Some(MissionTurnEnd::Cancelled) => TurnEnd::Failed(GoalReason::TurnCancelled),
                Some(MissionTurnEnd::Failed(message)) => TurnEnd::Failed(GoalReason::Turn { message }),
                Some(MissionTurnEnd::NotBegun) | None => TurnEnd::NotBegun,
            }
        })
    }

    fn approval_of(&self, agent: &AgentId, operation: &str) -> MissionDryApproval {
        let mode = self.with_agent(agent).map(|(station, unit)| unit.turns.mode_now(&station.runner));
        let row = operations::row_of(operation);
        let ruling = mode.zip(row).map(|(mode, row)| permission(&mode, row.effect, row.stops));
        let kind = match ruling {
            Some(Permission::Allow) => MissionDryApprovalKind::Free,
            Some(Permission::Ask) => MissionDryApprovalKind::Asked,
            Some(Permission::Deny) | None => MissionDryApprovalKind::Refused,
        };
        MissionDryApproval { kind, tier: None, tier_rule: None }
    }

    fn void_proposals(&self, by: &Session, agent: &AgentId, mission: &MissionId, reason: &ProposalReason) {
        if let Some(station) = self.station() {
            station.proposals.void_of_mission(&station, by, agent, mission, reason);
        }
    }

    fn grant<'a>(
        &'a self,
        by: &'a Session,
        mission: &'a MissionId,
        request: &'a EnvelopeRequest,
    ) -> BoxFuture<'a, Result<(), OpError>> {
        Box::pin(async move {
            let station = self.running()?;
            let grant = Grant::of_mission(&station, mission, request)?;
            station.proposals.standing.grant(&station, by, grant).await.map(drop)
        })
    }

    fn void_standing(&self, by: &Session, mission: &MissionId, reason: &str) {
        if let Some(station) = self.station() {
            station.proposals.standing.void_of_mission(&station, by, mission, reason);
        }
    }

    fn money<'a>(&'a self, agent: &'a AgentId, mission: &'a MissionId) -> BoxFuture<'a, Result<BudgetRow, OpError>> {
        Box::pin(async move {
            let station = self.running()?;
            station.runner.agents.get(agent)?.mission_budget(&station.runner, mission).await
        })
    }

    fn operations(&self) -> Arc<BTreeMap<String, CatalogOperation>> {
        static OPERATIONS: LazyLock<Arc<BTreeMap<String, CatalogOperation>>> = LazyLock::new(|| {
            let operation = |row: &'static Operation| (row.name.to_owned(), for_missions(row));
            Arc::new(operations::table().iter().map(operation).collect())
        });
        Arc::clone(&OPERATIONS)
    }

    fn jobs<'a>(&'a self, agent: &'a AgentId) -> BoxFuture<'a, BTreeMap<String, usize>> {
        Box::pin(async move {
            match self.with_agent(agent) {
                Some((_, unit)) => unit.jobs.open_by_mission().await,
                None => BTreeMap::new(),
            }
        })
    }

    fn plan_jobs<'a>(&'a self, agent: &'a AgentId, planned: PlannedJobs) -> BoxFuture<'a, Result<(), OpError>> {
        Box::pin(async move {
            let station = self.running()?;
            let unit = station.runner.agents.get(agent)?;
            let PlannedJobs { mission, actor, prefix, jobs } = planned;
            let prefix = format!("job-{prefix}");
            let jobs = jobs.into_iter().map(|(name, task)| (format!("{prefix}{name}").into(), task)).collect();
            let of_mission = OfMission { mission: &mission, actor: &actor, prefix: &prefix };
            unit.jobs.plan(&station.runner, &unit, of_mission, jobs).await
        })
    }

    fn end_turns(&self, agent: &AgentId, mission: &MissionId) {
        if let Some((_, unit)) = self.with_agent(agent) {
            unit.turns.stand_still(mission);
        }
    }

    fn halt_jobs<'a>(&'a self, agent: &'a AgentId, mission: &'a MissionId, has_ended: bool) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if let Some((station, unit)) = self.with_agent(agent) {
                unit.jobs.stand_still(&station.runner, &unit, mission, has_ended).await;
            }
        })
    }
}

/// A row of the table as missions know it. Only what an agent may call can stand in a file, with an input.
fn for_missions(row: &Operation) -> CatalogOperation {
    CatalogOperation {
        role: row.role,
        effect: row.effect,
        audience: row.audience.to_vec(),
        in_missions: row.in_missions,
        moves_robot: row.moves_robot,
        input_schema: if row.is_for(Audience::Agent) { (row.input_schema)() } else { Value::Bool(true) },
    }
}

impl Fleet for StationHost {
    fn robots(&self) -> BTreeMap<RobotId, CatalogRobot> {
        let units = self.station().map(|station| station.fleet.units()).unwrap_or_default();
        let robot = |unit: &Arc<RobotHandle>| {
            let limits = unit.limits.load_full();
            let own = limits.constraints().iter().filter(|limit| limit.mission.is_none() && !limit.is_of_manifest());
            CatalogRobot { manifest: (*unit.manifest).clone(), constraints: own.cloned().collect() }
        };
        units.iter().map(|unit| (unit.id().clone(), robot(unit))).collect()
    }

    fn stopped_one(&self, robots: &[RobotId]) -> Option<RobotId> {
        // Without a station it is unknown whether a robot may move, so it counts as stopped.
        let Some(station) = self.station() else { return robots.first().cloned() };
        let stops = &station.fleet.stops;
        robots.iter().find(|robot| stops.station_bound() || !stops.binding(robot).is_empty()).cloned()
    }

    fn not_ready(&self, agent: &AgentId, robot: &RobotId) -> Option<NotReady> {
        self.hindrance(agent, robot)
    }

    fn lock(
        &self,
        agent: &AgentId,
        mission: &MissionId,
        parts: &BTreeSet<String>,
    ) -> Result<Box<dyn PartLock>, LockedPart> {
        let first = || parts.first().cloned().unwrap_or_default();
        let Some(station) = self.station() else { return Err(LockedPart { part: first(), holder: None }) };
        let owner = Owner::Mission { agent: agent.clone(), id: mission.clone() };
        let set = parts.iter().map(|part| Resource::part(part)).collect();
        let resources = &station.fleet.resources;
        // Not waited for: a run that waits for a lock holds none (decision 0167).
        match resources.acquire(&owner, &set, Duration::ZERO) {
            Ok(guard) => Ok(Box::new(Leased(guard))),
            Err(_) => {
                let taken =
                    |part: &Resource| Some((part.to_string(), resources.taken(&owner, part).ok()??.to_string()));
                let named = set.iter().find_map(taken);
                let (part, holder) = named.map_or_else(|| (first(), None), |(part, holder)| (part, Some(holder)));
                Err(LockedPart { part, holder })
            }
        }
    }

    fn hold_for(&self, mission: &MissionId) -> Vec<RobotId> {
        let Some(station) = self.station() else { return Vec::new() };
        let robots = station.fleet.units();
        // Commands approved while the mission ran are handed over first, so that they are ended with the rest.
        robots.iter().for_each(|robot| drop(robot.in_turn()));
        let obeys = |robot: &Arc<RobotHandle>| open_commands(robot, mission) > 0;
        let held: Vec<RobotId> = robots.into_iter().filter(obeys).map(|robot| robot.id().clone()).collect();
        for robot in &held {
            if let Err(error) = arming::hold(&station.fleet, robot) {
                tracing::error!(%robot, %error, "a robot of a mission that stands still could not be held");
            }
        }
        held
    }

    fn still_moving(&self, robots: Vec<RobotId>) -> Vec<RobotId> {
        // Without a station nobody knows that they stand still.
        let Some(station) = self.station() else { return robots };
        let now = station.runtime.clock.now().station;
        let moves = |robot: &RobotId| station.fleet.unit(robot).is_ok_and(|robot| !robot.is_still(now));
        robots.into_iter().filter(moves).collect()
    }

    fn bound(&self) -> BTreeSet<MissionId> {
        let units = self.station().map(|station| station.fleet.units()).unwrap_or_default();
        let of_missions = |unit: &Arc<RobotHandle>| -> Vec<MissionId> {
            unit.limits.load().constraints().iter().filter_map(|limit| limit.mission.clone()).collect()
        };
        units.iter().flat_map(of_missions).collect()
    }

    fn bind<'a>(
        &'a self,
        by: &'a Session,
        mission: &'a MissionId,
        limits: Vec<(ConstraintId, CompiledLimit)>,
    ) -> BoxFuture<'a, Result<(), OpError>> {
        Box::pin(async move {
            let station = self.running()?;
            station.fleet.limit_sets.bind(&station.fleet, by, constraints(by, mission, limits)).await
        })
    }

    fn release<'a>(
        &'a self,
        by: &'a Session,
        prefix: &'a str,
        kept: &'a [ConstraintId],
    ) -> BoxFuture<'a, Result<(), OpError>> {
        Box::pin(async move {
            let station = self.running()?;
            station.fleet.limit_sets.release(&station.fleet, by, prefix, kept).await
        })
    }

    fn dry_run<'a>(&'a self, agent: &'a AgentId, mut motions: DryMotions) -> BoxFuture<'a, Result<DryAnswer, OpError>> {
        Box::pin(async move {
            let station = self.running()?;
            let unit = station.runner.agents.get(agent)?;
            let limits = std::mem::take(&mut motions.limits);
            let limits = constraints(&Session::of_agent(agent), &motions.mission, limits);
            station.proposals.dry_run(&station, &unit, motions, limits).await
        })
    }

    fn basis(&self, robots: &BTreeSet<RobotId>, prefix: &str) -> Vec<MissionDryBasis> {
        let units = self.station().map(|station| station.fleet.units()).unwrap_or_default();
        units.iter().filter(|unit| robots.contains(unit.id())).map(|unit| basis(unit, prefix)).collect()
    }

    fn locked_by_another(&self, agent: &AgentId, mission: &MissionId, parts: &BTreeSet<String>) -> Option<LockedPart> {
        let station = self.station()?;
        let owner = Owner::Mission { agent: agent.clone(), id: mission.clone() };
        let resources = &station.fleet.resources;
        parts.iter().map(|part| Resource::part(part)).find_map(|part| {
            let holder = match resources.taken(&owner, &part) {
                Ok(None) => return None,
                Ok(Some(other)) => Some(other.to_string()),
                // The leases cannot be read, so the holder is unknown.
                Err(_) => None,
            };
            Some(LockedPart { part: part.to_string(), holder })
        })
    }

    fn site_plan(&self) -> BoxFuture<'_, Result<SitePlan, OpError>> {
        Box::pin(async move {
            let station = self.running()?;
            Ok(operations::site_plan(&station).await?.plan)
        })
    }

    fn open_commands(&self, mission: &MissionId) -> usize {
        let robots = self.station().map(|station| station.fleet.units()).unwrap_or_default();
        robots.iter().map(|robot| open_commands(robot, mission)).sum()
    }
}

/// The limits of a mission's text as constraints of its robots.
fn constraints(by: &Session, mission: &MissionId, limits: Vec<(ConstraintId, CompiledLimit)>) -> Vec<Constraint> {
    let constraint = |(id, limit): (ConstraintId, CompiledLimit)| Constraint {
        id,
        robot: Some(limit.robot),
        mission: Some(mission.clone()),
        actuator: limit.actuator,
        frame: Some(limit.frame),
        kind: limit.kind,
        created_by: by.actor().to_owned(),
        reason: limit.reason,
    };
    limits.into_iter().map(constraint).collect()
}

/// The ground of verdicts about a robot, limits whose id begins with `prefix` left out.
fn basis(unit: &RobotHandle, prefix: &str) -> MissionDryBasis {
    let limits = unit.limits.load_full();
    let others = limits.constraints().iter().filter(|limit| !limit.id.as_str().starts_with(prefix));
    MissionDryBasis {
        robot: unit.id().clone(),
        manifest: unit.manifest.hash.as_str().to_owned(),
        limits: canonical_hash(&others.collect::<Vec<_>>()),
    }
}

/// Parts of robots that a mission has leased.
struct Leased(ResourceGuard);

impl PartLock for Leased {
    fn keep(&self) -> bool {
        self.0.renew() == Renewal::Kept
    }
}

fn open_commands(robot: &RobotHandle, mission: &MissionId) -> usize {
    robot.control().orders().filter(|command| command.mission.as_ref() == Some(mission)).count()
}

impl Sensing for StationHost {
    fn truth(&self, agent: &AgentId, rule: &Rule, memory: &mut Memory) -> Truth {
        let Some((station, unit)) = self.with_agent(agent) else { return Truth::Unknown };
        unit.world.ingest.snapshot().truth(rule, memory, station.runtime.clock.now().station)
    }

    fn values(&self, agent: &AgentId, rule: &Rule) -> String {
        let Some((station, unit)) = self.with_agent(agent) else { return "the agent is gone".to_owned() };
        unit.world.ingest.snapshot().values(rule, station.runtime.clock.now().station)
    }

    fn put_in_force(&self, agent: &AgentId, mission: &MissionId, parts: InForce) {
        let InForce { providers: contexts, rules, .. } = parts;
        match self.with_agent(agent) {
            Some((station, unit)) => {
                let parts = sensing::InForce { contexts, rules };
                unit.world.ingest.put_in_force(&station.sensing, &unit.world, mission, parts);
            }
            None => tracing::error!(%agent, %mission, "nobody has the world whose rules follow a mission"),
        }
    }

    fn declare<'a>(&'a self, agent: &'a AgentId, declared: Declared) -> BoxFuture<'a, Result<(), OpError>> {
        Box::pin(async move {
            let station = self.running()?;
            let unit = station.runner.agents.get(agent)?;
            let Declared { actor, prefix, adds_rules, contexts, rules, .. } = declared;
            let (of_contexts, of_rules) = (format!("cp-{prefix}"), format!("al-{prefix}"));
            let context = |(name, config)| (ProviderId(format!("{of_contexts}{name}").into()), config);
            let contexts = contexts.into_iter().map(context).collect();
            let rules = rules.into_iter().map(|(name, rule)| (AlertId(format!("{of_rules}{name}")), rule)).collect();
            let (world, ingest) = (&unit.world, &unit.world.ingest);
            let contexts = sensing::Declared { actor: &actor, prefix: &of_contexts, wanted: contexts };
            ingest.declare_contexts(&station.sensing, world, contexts).await?;
            let rules = sensing::Declared { actor: &actor, prefix: &of_rules, wanted: rules };
            ingest.declare_rules(&station.sensing, world, rules, adds_rules).await
        })
    }

    fn providers(&self, agent: &AgentId) -> Vec<(Option<MissionId>, Provider)> {
        self.with_agent(agent).map(|(_, unit)| unit.world.ingest.providers()).unwrap_or_default()
    }

    fn live(&self, agent: &AgentId, mission: &MissionId) -> (usize, usize) {
        let found = self.with_agent(agent);
        found.map_or((0, 0), |(_, unit)| unit.world.ingest.live_of_mission(mission))
    }

    fn set_alarm(&self, alarm: BuiltIn, of: &Of, detail: Option<String>) {
        fleet::Observer::set_alarm(self, alarm, of, detail);
    }
}

#[cfg(test)]
mod tests;
