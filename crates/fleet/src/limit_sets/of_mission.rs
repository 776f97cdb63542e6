//! Limits that came with the text of a mission. They only ever add to those of its robots, and go with the text.

use std::sync::Arc;

use robot::ConstraintId;
use safety::Constraint;

use super::replace;
use crate::fleet::Fleet;
use crate::limit_store::LimitSets;
use runtime::error::OpError;
use runtime::session::Session;

impl LimitSets {
    /// Puts those of `limits` in force that are not yet.
    pub async fn bind(&self, fleet: &Arc<Fleet>, by: &Session, limits: Vec<Constraint>) -> Result<(), OpError> {
        for limit in limits {
            let is_bound = self.registered().await.constraints.iter().any(|bound| bound.id == limit.id);
            if !is_bound {
                self.add(fleet, by, limit).await?;
            }
        }
        Ok(())
    }

    /// Takes those out of force whose id begins with `prefix`, `kept` left out. Whoever calls it has shown to a person what
    /// that allows, or the mission has ended.
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
