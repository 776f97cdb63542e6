//! Limits that came with the text of a mission. They only ever add to those of its robots, and go with the text.

use std::collections::BTreeMap;
use std::sync::Arc;

use robot::{ConstraintId, RobotId};
use safety::{Constraint, Limits};

use super::{compile, replace};
use crate::fleet::Fleet;
use crate::state::limit_store::LimitSets;
use runtime::error::OpError;
use runtime::session::Session;

impl LimitSets {
    /// Puts those of `limits` in force that are not yet.
    pub async fn bind(&self, fleet: &Arc<Fleet>, by: &Session, limits: Vec<Constraint>) -> Result<(), OpError> {
        for limit in limits {
            let is_bound = self.registered().await.constraints.iter().any(|bound| bound.id == limit.id);
            // A text that is bound again must not add the same limit twice.
            if !is_bound {
                self.add(fleet, by, limit).await?;
            }
        }
        Ok(())
    }

    /// The limits of `robots` as they would be with `limits` in the place
    /// of those whose id begins with `prefix`. Nothing is put in force.
    pub async fn with_mission(
        &self,
        fleet: &Arc<Fleet>,
        prefix: &str,
        limits: Vec<Constraint>,
        robots: impl Iterator<Item = &RobotId>,
    ) -> Result<BTreeMap<RobotId, Limits>, OpError> {
        let registered = self.registered().await.constraints.clone();
        let others = registered.into_iter().filter(|limit| !limit.id.as_str().starts_with(prefix));
        let all: Vec<Constraint> = others.chain(limits).collect();
        robots.map(|robot| Ok((robot.clone(), compile(fleet, &all, &*fleet.unit(robot)?)?))).collect()
    }

    /// Takes those out of force whose id begins with `prefix`, `kept` left out. Whoever calls it has shown to a person
    /// what that allows, or the mission has ended.
    pub async fn release(
        &self,
        fleet: &Arc<Fleet>,
        by: &Session,
        prefix: &str,
        kept: &[ConstraintId],
    ) -> Result<(), OpError> {
        let mut registered = self.registered().await;
        let is_gone = |limit: &&Constraint| limit.id.as_str().starts_with(prefix) && !kept.contains(&limit.id);
        let gone: Vec<Constraint> = registered.constraints.iter().filter(is_gone).cloned().collect();
        for limit in gone {
            replace(fleet, by, &mut registered, limit, None).await?;
        }
        Ok(())
    }
}
