//! The state of an agent's storage: what its disk does not take, and what its last run left behind.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use memory::{MemoryError, Trouble};
use robot::{AgentId, Instant};
use tokio::sync::Notify;

use runtime::Runtime;

/// A backup may be this much older than the last write: the end writes a little after it, milliseconds.
const LAST_WRITES_MS: i64 = 60_000;

/// The state of one agent's storage.
#[derive(Default)]
pub(crate) struct StorageState {
    is_failing: AtomicBool,
    /// Somebody has read what cannot be.
    pub damage_seen: Notify,
    /// A backup has taken the place of a damaged database, and what is held in memory is not in it yet.
    pub owes: AtomicBool,
    /// The database is damaged, and the disk refused to put a backup in its place.
    pub is_unrestored: AtomicBool,
    /// The last run ended without its backup.
    pub is_unsaved: AtomicBool,
    /// When this run last made a backup.
    pub backed_up: Mutex<Option<Instant>>,
}

impl StorageState {
    /// Something could not be written or read.
    pub fn note_failed(&self, runtime: &Runtime, agent: &AgentId, error: &MemoryError) {
        match error.trouble() {
            // Restored by the task that looks after the storage: whoever writes here must not wait for it.
            Some(Trouble::Damaged) => self.damage_seen.notify_one(),
            Some(Trouble::Unwritable) | None => {}
        }
        // Said once: on a full disk every write fails.
        if !self.is_failing.swap(true, Ordering::AcqRel) {
            tracing::error!(agent = %agent, error = error as &dyn std::error::Error, "storage");
            let sentence = format!("The memory of {} cannot be written: {error}. Free space on the disk.", agent);
            runtime.bus.event_of(agent, "storage_degraded", sentence);
        }
    }

    /// Something was written.
    pub fn note_written(&self, runtime: &Runtime, agent: &AgentId) {
        if self.is_failing.swap(false, Ordering::AcqRel) {
            runtime.bus.event_of(agent, "storage_resumed", format!("The memory of {} is written again.", agent));
        }
    }
}

/// The times of an agent's files before a start changes them, Unix milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LeftAt {
    /// When the database was written last.
    written_ms: i64,
    /// When its newest backup was made; none without one.
    backed_up_ms: Option<i64>,
}

impl LeftAt {
    /// As the files in `folder` are now; none without a database.
    pub fn of(folder: &Path, now_ms: i64) -> Option<Self> {
        let database = folder.join("memory.db");
        let written_ms = memory::written_ms(&database)?;
        Some(Self { written_ms, backed_up_ms: memory::backed_up_ms(&database, now_ms) })
    }

    /// The sentence to people if the last run wrote something that no backup has.
    pub fn sentence(self, agent: &AgentId) -> Option<String> {
        let made = match self.backed_up_ms {
            Some(made_ms) if self.written_ms.saturating_sub(made_ms) <= LAST_WRITES_MS => return None,
            Some(made_ms) => format!("the newest is of {}", memory::episodic::utc_text(made_ms)),
            None => "there is none".to_owned(),
        };
        Some(format!("The last run ended without a backup of the memory of {agent}: {made}. Another is made now."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st_05_a_run_that_ended_without_its_backup_is_told_and_one_that_made_it_is_not() {
        let agent: AgentId = "main".parse().unwrap();
        let told = |written_ms, backed_up_ms| LeftAt { written_ms, backed_up_ms }.sentence(&agent);
        assert_eq!(told(5_000, Some(4_000)), None, "the end writes a little more");
        assert_eq!(told(5_000, Some(9_000)), None);
        let sentence = told(7_200_000, Some(0)).unwrap();
        assert!(sentence.contains("memory of main: the newest is of 1970-01-01"), "{sentence}");
        assert!(told(5_000, None).unwrap().contains("there is none"));
    }
}
