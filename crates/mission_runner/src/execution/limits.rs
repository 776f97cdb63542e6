//! Limits of activated texts: in force at the robots as long as the mission is active or paused.

use missions::{Compiled, CompiledLimit};
use robot::{ConstraintId, MissionId};

use crate::naming::{self, prefix};
use crate::runner::{AgentMissions, MissionRunner};
use runtime::error::{OpError, RuntimeCode};
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

    /// Takes the limits of every text of a mission out of force, `kept` left out. What fails leaves them in force.
    pub(crate) async fn release_limits(
        &self,
        agent: &AgentMissions,
        by: &Session,
        id: &MissionId,
        kept: &[ConstraintId],
    ) {
        // A limit that stays too long only denies, so the mission ends all the same.
        if let Err(error) = self.host.fleet.release(by, &prefix(agent, id), kept).await {
            tracing::error!(mission = %id, %error, "limits of a mission stay in force");
        }
    }
}
