//! Limits of activated texts: in force at the robots as long as the mission is active or paused.

use missions::{Compiled, CompiledLimit};
use robot::{ConstraintId, MissionId};

use crate::naming::{self, prefix};
use crate::runner::{AgentMissions, MissionRunner};
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;
use runtime::session::Session;

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

    /// Takes the limits of every text of a mission but `kept` out of force; all of them stay if it cannot be named.
    pub(crate) async fn release_limits_but(
        &self,
        agent: &AgentMissions,
        by: &Session,
        id: &MissionId,
        kept: Option<&Compiled>,
    ) {
        match kept.map_or(Ok(Vec::new()), |kept| named(agent, kept)) {
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
    ) -> bool {
        // A limit that stays too long only denies, so the mission ends all the same.
        let released = self.host.fleet.release(by, &prefix(agent, id), kept).await;
        if let Err(error) = &released {
            tracing::error!(mission = %id, %error, "limits of a mission stay in force");
        }
        released.is_ok()
    }
}
