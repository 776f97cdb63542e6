//! Searching an agent's records.

use std::sync::atomic::Ordering;
use std::time::Duration;

use memory::episodic::{Episode, Filters, Found, Newest, Query, Recent, Search};
use memory::{AgentDb, MemoryError};

use super::Episodes;
use crate::meaning::Weighing;

/// The time that a search waits for what was recorded before it; a disk that takes longer makes it partial.
const CATCH_UP: Duration = Duration::from_millis(500);
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
        let is_behind = !self.catch_up().await;
        let Weighing { near, half_life_days, .. } = weighing;
        let search = Search { query, near, filters, limit, half_life_days, time_limit: TIME_LIMIT };
        let mut found = db.search_episodes(&search, self.clock.now().wall_ms).await?;
        found.hits.retain(|hit| !self.is_hidden(&hit.id));
        found.is_partial |= is_behind;
        Ok(found)
    }

    /// Waits until what was recorded so far is in the index; false if it is not in time. Takes no lock of the writer,
    /// and ends in the middle without harm.
    async fn catch_up(&self) -> bool {
        if self.is_indexing.load(Ordering::Acquire) {
            return false;
        }
        let taken = self.queue().taken;
        let mut indexed = self.indexed.subscribe();
        if *indexed.borrow_and_update() >= taken {
            return true;
        }
        self.asked.notify_one();
        let caught_up = tokio::time::timeout(CATCH_UP, indexed.wait_for(|indexed| *indexed >= taken)).await;
        caught_up.is_ok_and(|indexed| indexed.is_ok())
    }

    /// True while the index is being made from what earlier runs have written.
    pub fn is_indexing(&self) -> bool {
        self.is_indexing.load(Ordering::Acquire)
    }

    /// The record called `id`, unless it is being forgotten.
    pub async fn get(&self, db: &AgentDb, id: &str) -> Result<Option<Episode>, MemoryError> {
        if self.is_hidden(id) {
            return Ok(None);
        }
        self.catch_up().await;
        db.episode(id).await
    }

    /// The newest records, oldest first.
    pub async fn newest(&self, db: &AgentDb, wanted: &Newest<'_>) -> Result<Vec<Recent>, MemoryError> {
        let mut found = db.newest_episodes(wanted).await?;
        found.retain(|record| !self.is_hidden(&record.id));
        Ok(found)
    }
}
