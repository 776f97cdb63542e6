//! Searching an agent's records.

use std::sync::atomic::Ordering;
use std::time::Duration;

use memory::episodic::{Episode, Filters, Found, Near, Newest, Query, Recent, Search};
use memory::{AgentDb, MemoryError};

use super::Episodes;
use runtime::wire::Recall;

/// The time that a search waits for what was recorded before it; a disk that takes longer makes it partial.
const CATCH_UP: Duration = Duration::from_millis(500);
/// The time that it waits on if it has found nothing: what was said a moment ago may be all there is.
const CATCH_UP_FOR_ANY: Duration = Duration::from_secs(5);
/// A search answers with what it has by then.
const TIME_LIMIT: Duration = Duration::from_millis(200);

/// Weights of a search: meaning against words, and age.
pub(crate) struct Weighing {
    pub near: Option<Near>,
    pub half_life_days: f64,
    /// Kind of search, as the answer names it.
    pub recall: Recall,
}

impl Episodes {
    /// The `limit` records that fit best.
    pub(crate) async fn search(
        &self,
        db: &AgentDb,
        query: Query,
        filters: Filters,
        limit: usize,
        weighing: Weighing,
    ) -> Result<Found, MemoryError> {
        let mut is_behind = !self.catch_up(CATCH_UP).await;
        let Weighing { near, half_life_days, .. } = weighing;
        let search = Search { query, near, filters, limit, half_life_days, time_limit: TIME_LIMIT };
        let mut found = db.search_episodes(&search, self.clock.now().wall_ms).await?;
        // Only an empty answer is worth the longer wait (decision 0115).
        if is_behind && found.hits.is_empty() && !self.is_indexing() {
            is_behind = !self.catch_up(CATCH_UP_FOR_ANY).await;
            found = db.search_episodes(&search, self.clock.now().wall_ms).await?;
        }
        // The index holds them until their rows are gone.
        found.hits.retain(|hit| !self.is_hidden(&hit.id));
        found.is_partial |= is_behind;
        Ok(found)
    }

    /// Waits until what was recorded so far is in the index; false if it is not in time. Takes no lock of the writer,
    /// and ends in the middle without harm.
    async fn catch_up(&self, wait_max: Duration) -> bool {
        if self.is_indexing.load(Ordering::Acquire) {
            return false;
        }
        let taken = self.queue().taken;
        let mut indexed = self.indexed.subscribe();
        if *indexed.borrow_and_update() >= taken {
            return true;
        }
        // Wakes the writer, which would go on gathering otherwise.
        self.asked.notify_one();
        let caught_up = tokio::time::timeout(wait_max, indexed.wait_for(|indexed| *indexed >= taken)).await;
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
        self.catch_up(CATCH_UP_FOR_ANY).await;
        db.episode(id).await
    }

    /// The newest records, oldest first.
    pub async fn newest(&self, db: &AgentDb, wanted: &Newest<'_>) -> Result<Vec<Recent>, MemoryError> {
        let mut found = db.newest_episodes(wanted).await?;
        found.retain(|record| !self.is_hidden(&record.id));
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;
    use memory::episodic::{EpisodeRole, Match};
    use robot::Trust;

    use super::*;
    use crate::recall::episodes::Record;
    use runtime::clock::Clock;
    use runtime::secrets::redaction::Redaction;
    use runtime::wire::Recall;

    #[tokio::test]
    async fn e2_08_a_search_that_finds_nothing_waits_for_an_index_that_is_late() {
        let folder = tempfile::tempdir().unwrap();
        let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
        let logs = folder.path().join("memory");
        std::fs::create_dir_all(&logs).unwrap();
        let episodes = Episodes::new(logs, TimeZone::UTC, Clock::start(), Redaction::of([]));
        episodes.is_indexing.store(false, Ordering::Release);
        episodes.record(Record::new(EpisodeRole::User, "the hedgehog", "operator(dana)", Trust::Trusted));
        // A disk that is slower than the first wait.
        let late = async {
            episodes.asked.notified().await;
            episodes.asked.notified().await;
            episodes.flush(&db).await.unwrap();
        };
        let weighing = Weighing { near: None, half_life_days: 7.0, recall: Recall::Keyword };
        let query = Query::parse("hedgehog", Match::All).unwrap();
        let searching = episodes.search(&db, query, Filters::default(), 9, weighing);
        let found = tokio::select! {
            found = searching => found.unwrap(),
            () = async { late.await; std::future::pending::<()>().await } => panic!("it ends by itself"),
        };
        assert_eq!(found.hits.iter().map(|hit| hit.content.as_str()).collect::<Vec<_>>(), ["the hedgehog"]);
        assert!(!found.is_partial);
    }
}
