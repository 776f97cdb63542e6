//! One writer at a time for each database, so that one that another process holds keeps only its own writes back.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use robot::AgentId;
use tokio::sync::OwnedMutexGuard;

use crate::lock::lock;

/// Turns at writing a database: the station's, which has no agent as its owner, or that of an agent.
#[derive(Debug, Default)]
pub struct Writers {
    by_owner: Mutex<BTreeMap<Option<AgentId>, Arc<tokio::sync::Mutex<()>>>>,
}

impl Writers {
    /// Waits until the database of `owner` is free; it stays reserved until the guard is dropped.
    pub async fn turn(&self, owner: Option<&AgentId>) -> OwnedMutexGuard<()> {
        self.of(owner).lock_owned().await
    }

    /// The `owners` whose database is free just now.
    pub fn idle(&self, owners: impl IntoIterator<Item = Option<AgentId>>) -> Vec<Option<AgentId>> {
        owners.into_iter().filter(|owner| self.of(owner.as_ref()).try_lock().is_ok()).collect()
    }

    fn of(&self, owner: Option<&AgentId>) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(lock(&self.by_owner).entry(owner.cloned()).or_default())
    }
}
