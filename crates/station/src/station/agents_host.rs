//! The side of the station that its agents see: operations, a person's decision, and robots and missions as far as
//! agents may know of them.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use agent::MissionNotice;
use agent_runner::{Asked, Host, Missions, Operations, Proposer, Requester, RobotMotion, Robots, Wanted};
use llm::BoxFuture;
use memory::forget::Needles;
use memory::{AgentDb, MemoryError};
use robot::{AgentId, Audience, MissionId, ProposalId, RobotId};
use safety::Constraint;
use serde_json::Value;

use super::host::StationHost;
use crate::operations;
use fleet::control::ui_watchdog;
use runtime::error::OpError;
use runtime::operation::Row;
use runtime::session::Session;
use runtime::wire::{ProposalReason, RobotRow, word};

impl StationHost {
    /// The whole of what agents see.
    pub fn for_agents(self: &Arc<Self>) -> Host {
        Host {
            operations: Arc::clone(self) as Arc<dyn Operations>,
            proposer: Arc::clone(self) as Arc<dyn Proposer>,
            robots: Arc::clone(self) as Arc<dyn Robots>,
            missions: Arc::clone(self) as Arc<dyn Missions>,
        }
    }
}

impl Operations for StationHost {
    fn row(&self, name: &str) -> Option<&'static Row> {
        operations::row_of(name).map(|operation| &**operation)
    }

    fn find(&self, name: &str) -> Result<&'static Row, OpError> {
        operations::find(name).map(|operation| &**operation)
    }

    fn of_agents(&self) -> Vec<&'static Row> {
        operations::table().iter().map(|operation| &**operation).filter(|row| row.is_for(Audience::Agent)).collect()
    }

    fn dispatch<'a>(&'a self, by: &'a Session, name: &'a str, input: Value) -> BoxFuture<'a, Result<Value, OpError>> {
        Box::pin(async move { operations::dispatch(&self.running()?, by, name, input).await })
    }
}

impl Proposer for StationHost {
    fn operation(&self) -> &'static str {
        operations::CREATE_PROPOSAL
    }

    fn ask<'a>(&'a self, wanted: &'a Wanted, asker: Requester) -> BoxFuture<'a, Result<Asked, OpError>> {
        Box::pin(async move {
            let station = self.running()?;
            station.proposals.try_ask(&station, wanted, asker).await
        })
    }

    fn withdraw(&self, proposal: &ProposalId, reason: &ProposalReason) {
        if let Some(station) = self.station() {
            station.proposals.withdraw(&station, proposal, reason);
        }
    }

    fn forget(&self, needles: &Needles, mark: &str) {
        if let Some(station) = self.station() {
            station.proposals.forget(needles, mark);
        }
    }

    fn put_back<'a>(&'a self, agent: &'a AgentId, db: &'a AgentDb) -> BoxFuture<'a, Result<(), MemoryError>> {
        Box::pin(async move {
            match self.station() {
                Some(station) => station.proposals.put_back(agent, db).await,
                None => Ok(()),
            }
        })
    }
}

impl Robots for StationHost {
    fn rows(&self) -> Vec<RobotRow> {
        let Some(station) = self.station() else { return Vec::new() };
        let now = station.runtime.clock.now().station;
        station.fleet.units().iter().map(|unit| unit.row(now)).collect()
    }

    fn motions(&self) -> Vec<RobotMotion> {
        let Some(station) = self.station() else { return Vec::new() };
        let now = station.runtime.clock.now().station;
        let motion = |unit: &Arc<fleet::RobotHandle>| RobotMotion {
            robot: unit.id().clone(),
            state: word(&unit.state()),
            link: unit.link_state(now),
            standstill: unit.standstill(now),
        };
        station.fleet.units().iter().map(motion).collect()
    }

    fn limit_lines(&self) -> Vec<String> {
        let Some(station) = self.station() else { return Vec::new() };
        let mut lines = Vec::new();
        for unit in station.fleet.units() {
            let limits = unit.limits.load_full();
            lines.extend(limits.constraints().iter().map(|constraint| limit_line(unit.id(), constraint)));
        }
        lines
    }

    fn is_unseen(&self) -> bool {
        // A station that ends shows nothing to anybody.
        self.station().is_none_or(|station| station.fleet.presence.nobody_sees())
    }

    fn check_seen(&self) -> Result<(), OpError> {
        ui_watchdog::check_seen(&self.running()?.fleet)
    }

    fn note_denied(&self, robot: &RobotId, sentence: &str) {
        let Some(station) = self.station() else { return };
        if let Ok(unit) = station.fleet.unit(robot) {
            station.fleet.fallbacks.denied(&station.fleet, &unit, sentence);
        }
    }
}

fn limit_line(robot: &RobotId, constraint: &Constraint) -> String {
    let kind = serde_json::to_string(&constraint.kind).unwrap_or_default();
    let mission = constraint.mission.as_ref().map_or_else(String::new, |mission| format!(" for mission {mission}"));
    let frame = constraint.frame.as_ref().map_or_else(String::new, |frame| format!(" in {frame}"));
    format!("- {robot}{mission}: {kind}{frame}")
}

impl Missions for StationHost {
    fn start<'a>(
        &'a self,
        agent: &'a AgentId,
        db: &'a AgentDb,
        files: &'a Path,
    ) -> BoxFuture<'a, Result<(), MemoryError>> {
        Box::pin(async move {
            match self.station() {
                Some(station) => station.missions.start(agent, db, files.to_owned()).await,
                None => Ok(()),
            }
        })
    }

    fn ids(&self, agent: &AgentId) -> BTreeSet<MissionId> {
        let missions = self.station().and_then(|station| station.missions.of(agent).ok());
        missions.map(|missions| missions.ids()).unwrap_or_default()
    }

    fn check_exists(&self, agent: &AgentId, mission: &MissionId) -> Result<(), OpError> {
        self.running()?.missions.of(agent)?.check_known(mission)
    }

    fn put_in_force(&self, agent: &AgentId, mission: &MissionId) {
        let Some(station) = self.station() else { return };
        if let Ok(missions) = station.missions.of(agent) {
            station.missions.put_in_force(&missions, mission);
        }
    }

    fn is_live(&self, agent: &AgentId, mission: &MissionId) -> bool {
        let missions = self.station().and_then(|station| station.missions.of(agent).ok());
        missions.is_some_and(|missions| missions.lives.is_live(mission))
    }

    fn budget_microusd(&self, agent: &AgentId, mission: &MissionId) -> Option<i64> {
        self.station()?.missions.of(agent).ok()?.lives.budget_microusd(mission)
    }

    fn spent(&self, agent: &AgentId) -> BTreeSet<MissionId> {
        let missions = self.station().and_then(|station| station.missions.of(agent).ok());
        missions.map(|missions| missions.spent()).unwrap_or_default()
    }

    fn notice(&self, agent: &AgentId, mission: &MissionId) -> Option<MissionNotice> {
        self.station()?.missions.of(agent).ok()?.lives.notice(mission)
    }

    fn active_texts(&self, agent: &AgentId) -> Option<String> {
        self.station()?.missions.of(agent).ok()?.lives.active_texts()
    }

    fn forget<'a>(&'a self, agent: &'a AgentId, needles: &'a Needles, mark: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let Some(station) = self.station() else { return };
            if let Ok(missions) = station.missions.of(agent) {
                station.missions.forget(&missions, needles, mark).await;
            }
        })
    }

    fn put_back<'a>(&'a self, agent: &'a AgentId) -> BoxFuture<'a, Result<(), MemoryError>> {
        Box::pin(async move {
            match self.station().and_then(|station| station.missions.of(agent).ok()) {
                Some(missions) => missions.put_back().await,
                None => Ok(()),
            }
        })
    }
}
