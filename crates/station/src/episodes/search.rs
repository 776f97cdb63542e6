//! Searching an agent's records.

use std::sync::atomic::Ordering;
use std::time::Duration;

use memory::episodic::{Episode, Filters, Found, Newest, Query, Recent, Search};
use memory::{AgentDb, MemoryError};

use super::Episodes;
use crate::meaning::Weighing;

/// A search answers with what it has by then.
const TIME_LIMIT: Duration = Duration::from_millis(200);

impl Episodes {
    /// The `limit` records that fit best.
    pub async fn search(
        &self,
        db: &AgentDb,
        query: Query,
        filters: Filters,
        (limit, weighing): (usize, Weighing),
    ) -> Result<Found, MemoryError> {
        let is_indexing = self.is_indexing.load(Ordering::Acquire);
        let Weighing { near, half_life_days, .. } = weighing;
        let search = Search { query, near, filters, limit, half_life_days, time_limit: TIME_LIMIT };
        let mut found = db.search_episodes(&search, self.clock.now().wall_ms).await?;
        found.hits.retain(|hit| !self.is_hidden(&hit.id));
        found.is_partial |= is_indexing;
        Ok(found)
    }

    /// The record called `id`, unless it is being forgotten.
    pub async fn get(&self, db: &AgentDb, id: &str) -> Result<Option<Episode>, MemoryError> {
        if self.is_hidden(id) {
            return Ok(None);
        }
        db.episode(id).await
    }

    /// The newest records, oldest first.
    pub async fn newest(&self, db: &AgentDb, wanted: &Newest<'_>) -> Result<Vec<Recent>, MemoryError> {
        let mut found = db.newest_episodes(wanted).await?;
        found.retain(|record| !self.is_hidden(&record.id));
        Ok(found)
    }
}
