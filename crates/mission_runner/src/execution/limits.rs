//! Limits of activated texts: in force at the robots as long as the mission is active or paused.

use std::collections::BTreeMap;
use std::sync::Arc;

use missions::{Compiled, CompiledLimit};
use robot::{ConstraintId, MissionId, RobotId};

use crate::mission_files::compiling::check_activated;
use crate::naming::{self, prefix};
use crate::runner::{AgentMissions, MissionRunner};
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;
use runtime::session::Session;

/// Missions that have ended, and whose limits still bind: each with the robots that moved for it and do not stand yet.
#[derive(Default)]
pub(crate) struct Ending(BTreeMap<MissionId, Vec<RobotId>>);

impl Ending {
    /// Notes that a mission has ended while these robots moved for it.
    pub fn note(&mut self, id: &MissionId, moving: Vec<RobotId>) {
        self.0.insert(id.clone(), moving);
    }

    /// Those for which nothing moves any more.
    fn standing(&mut self, still_moving: impl Fn(Vec<RobotId>) -> Vec<RobotId>) -> Vec<MissionId> {
        let robots = self.0.values_mut().filter(|robots| !robots.is_empty());
        robots.for_each(|robots| *robots = still_moving(std::mem::take(robots)));
        self.0.iter().filter(|(_, robots)| robots.is_empty()).map(|(id, _)| id.clone()).collect()
    }

    /// Forgets a mission whose limits bind no more.
    fn forget(&mut self, id: &MissionId) {
        self.0.remove(id);
    }
}

/// The limits of a text, each with its name.
pub(crate) fn named(agent: &AgentMissions, meaning: &Compiled) -> Result<Vec<(ConstraintId, CompiledLimit)>, OpError> {
    let prefix = prefix(agent, &meaning.id);
    let named = |limit: &CompiledLimit| {
        let id = ConstraintId::new(format!("{prefix}{}", naming::name_of(limit))).ok();
        let id = id.ok_or_else(|| OpError::new(RuntimeCode::NotEncodable, "A limit could not be named."))?;
        Ok((id, limit.clone()))
    };
    meaning.limits.iter().map(named).collect()
}

impl MissionRunner {
    /// Puts every limit of a text in force, and names them. Those of an earlier text stay.
    pub(crate) async fn bind_limits(
        &self,
        agent: &AgentMissions,
        by: &Session,
        meaning: &Compiled,
    ) -> Result<Vec<ConstraintId>, OpError> {
        let limits = named(agent, meaning)?;
        let ids = limits.iter().map(|(id, _)| id.clone()).collect();
        self.host.fleet.bind(by, &meaning.id, limits).await?;
        Ok(ids)
    }

    /// Takes out of force what a text has bound that does not run after all: the limits of the text in force stay, and so
    /// does everything if that cannot be told.
    pub(crate) async fn unbind_limits(self: &Arc<Self>, agent: &Arc<AgentMissions>, by: &Session, id: &MissionId) {
        let kept = match check_activated(self, agent, id).await {
            Ok(Some(meaning)) => named(agent, &meaning),
            Ok(None) => Ok(Vec::new()),
            Err(error) => Err(error),
        };
        match kept {
            Ok(kept) => {
                let kept: Vec<ConstraintId> = kept.into_iter().map(|(id, _)| id).collect();
                self.release_limits(agent, by, id, &kept).await;
            }
            Err(error) => tracing::error!(mission = %id, %error, "limits of a text that does not run stay in force"),
        }
    }

    /// Takes the limits of missions that have ended out of force, once that is on disk and their robots stand.
    pub(crate) async fn release_ended(&self, agent: &AgentMissions, by: &Session) {
        let standing = lock(&agent.ending).standing(|robots| self.host.fleet.still_moving(robots));
        if standing.is_empty() {
            return;
        }
        // Nobody activates one of them anew meanwhile, which would bind what is released here.
        let _rows = agent.on_disk.lock().await;
        for id in standing {
            let Some(life) = agent.lives.life(&id) else { continue };
            let is_over = life.state.status.has_ended();
            if is_over && (life.unsaved.is_some() || !self.release_limits(agent, by, &id, &[]).await) {
                continue;
            }
            lock(&agent.ending).forget(&id);
        }
    }

    /// Takes the limits of every text of a mission out of force, `kept` left out. What fails leaves them in force; true if
    /// nothing did.
    pub(crate) async fn release_limits(
        &self,
        agent: &AgentMissions,
        by: &Session,
        id: &MissionId,
        kept: &[ConstraintId],
        // A limit that stays too long only denies, so the mission ends all the same.
    ) -> bool {
        let released = self.host.fleet.release(by, &prefix(agent, id), kept).await;
        if let Err(error) = &released {
            tracing::error!(mission = %id, %error, "limits of a mission stay in force");
        }
        released.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ml_23_limits_of_a_mission_that_ends_while_its_robot_moves_are_due_once_that_stands() {
        let [weld, patrol] = ["weld", "patrol"].map(|id| MissionId::new(id).unwrap());
        let robot = |id: &str| RobotId::new(id).unwrap();
        let mut ending = Ending::default();
        ending.note(&weld, vec![robot("arm-1"), robot("rover-1")]);
        ending.note(&patrol, Vec::new());
        assert_eq!(ending.standing(|robots| robots), [patrol.clone()]);
        let only_arm = |robots: Vec<RobotId>| robots.into_iter().filter(|id| *id == robot("arm-1")).collect();
        assert_eq!(ending.standing(only_arm), [patrol.clone()], "the arm still moves");
        assert_eq!(ending.standing(|_| Vec::new()), [patrol.clone(), weld.clone()]);
        ending.forget(&patrol);
        assert_eq!(ending.standing(|robots| robots), [weld], "what moved afterwards is none of it");
    }
}
