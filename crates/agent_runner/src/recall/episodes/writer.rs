//! The task that writes an agent's records: to the file, then to the index, then to the disk itself.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use memory::episodic::Episode;
use memory::{AgentDb, MemoryError};
use robot::{AgentId, Instant};
use tokio::sync::MutexGuard;

use super::{Episodes, LogFiles};
use crate::storage_state::StorageState;
use runtime::Runtime;
use runtime::lock::lock;

/// Time for which records gather after a batch: a record is found 250 ms later at most.
const GATHER: Duration = Duration::from_millis(100);
/// Age, ms, at which appended records are put on disk; with the time in which records gather, a second.
const SYNC_AFTER_MS: u64 = 700;
/// Wait before the writer tries again what the disk did not take.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The place where the records of an agent are kept.
#[derive(Clone, Copy)]
pub(crate) struct Place<'p> {
    pub agent: &'p AgentId,
    pub db: &'p AgentDb,
    pub storage: &'p StorageState,
}

impl Episodes {
    /// Brings the index to what earlier runs have written. Meanwhile searches say that they are partial.
    pub(crate) async fn take_up(&self, runtime: &Runtime, at: Place<'_>) {
        let folder = self.files.lock().await.folder();
        let indexed = tokio::select! {
            () = runtime.ended.cancelled() => return,
            indexed = at.db.index_logs(&folder) => indexed,
        };
        match indexed {
            Ok(indexed) if indexed.skipped > 0 => {
                let skipped = indexed.skipped;
                tracing::warn!(agent = %at.agent, skipped, "lines of the daily logs cannot be read");
            }
            Ok(_) => {}
            Err(error) => at.storage.note_failed(runtime, at.agent, &error),
        }
        // Also after a failure: what is recorded from now on has to be indexed all the same.
        self.is_indexing.store(false, Ordering::Release);
        self.arrived.notify_one();
    }

    /// Writes what comes, until the station ends and all that waits is written.
    pub(crate) async fn write(&self, runtime: &Runtime, at: Place<'_>) {
        let mut unsynced: Option<Instant> = None;
        let mut told_dropped = 0;
        loop {
            // Read before the flush, so that the last flush takes everything from before the end.
            let is_last = runtime.ended.is_cancelled();
            let written = self.flush(at.db).await;
            match &written {
                Ok(false) => {}
                Ok(true) => {
                    unsynced.get_or_insert_with(|| self.clock.now().station);
                    at.storage.note_written(runtime, at.agent);
                }
                Err(error) => at.storage.note_failed(runtime, at.agent, error),
            }
            let dropped = self.dropped();
            if dropped > std::mem::replace(&mut told_dropped, dropped) {
                tracing::error!(agent = %at.agent, dropped, "records are lost; the disk is slower than what happens");
            }
            if is_last {
                self.sync_now().await;
                return;
            }
            tokio::select! {
                () = runtime.ended.cancelled() => {}
                () = tokio::time::sleep(RETRY_AFTER), if written.is_err() => {}
                () = tokio::time::sleep(GATHER), if written.is_ok() => {}
                () = self.asked.notified(), if written.is_ok() => {}
            }
            let is_asked = std::mem::take(&mut self.queue().is_sync_asked);
            let now = self.clock.now().station;
            let is_due = unsynced.is_some_and(|since| is_asked || now.ms_since(since) >= SYNC_AFTER_MS);
            if is_due && self.sync_now().await {
                unsynced = None;
            }
            let is_waiting = unsynced.is_some() || written.is_err();
            tokio::select! {
                () = runtime.ended.cancelled() => {}
                () = self.arrived.notified() => {}
                () = tokio::time::sleep(GATHER), if is_waiting => {}
            }
        }
    }

    /// Writes and indexes what waits. True if there was anything.
    pub async fn flush(&self, db: &AgentDb) -> Result<bool, MemoryError> {
        let mut files = self.files.lock().await;
        let (waiting, taken) = {
            let mut queue = self.queue();
            // Both under one lock: a search waits for exactly the records that are taken here.
            (queue.waiting.drain(..).collect::<Vec<Episode>>(), queue.taken)
        };
        let is_any = !waiting.is_empty();
        if is_any {
            self.append(&mut files, waiting).await?;
        }
        // The oldest file comes first into the index: its rows are numbered in the order of time.
        if !self.is_indexing.load(Ordering::Acquire) {
            files.index_behind(db).await?;
            self.indexed.send_replace(taken);
        }
        Ok(is_any)
    }

    async fn append(&self, files: &mut LogFiles, waiting: Vec<Episode>) -> Result<(), MemoryError> {
        let logs = Arc::clone(&files.logs);
        let appending = tokio::task::spawn_blocking(move || {
            let appended = lock(&logs).append(&waiting);
            (appended, waiting)
        });
        let Ok((appended, waiting)) = appending.await else { return Ok(()) };
        let appended = appended.inspect_err(|_| {
            // Unwritten records wait on, in front of what has come since.
            let mut queue = self.queue();
            waiting.into_iter().rev().for_each(|episode| queue.waiting.push_front(episode));
        })?;
        files.behind.extend(appended.files);
        Ok(())
    }

    /// Brings the index to what the files hold, after the database has become an older one.
    pub async fn index_anew(&self, db: &AgentDb) -> Result<(), MemoryError> {
        let files = self.files.lock().await;
        db.index_logs(&files.folder()).await.map(drop)
    }

    /// Removes what is too old, or too much, of files and rows.
    pub async fn retain(&self, db: &AgentDb, now_ms: i64) -> Result<(), MemoryError> {
        let files = self.files.lock().await;
        let (folder, oldest) = {
            let logs = lock(&files.logs);
            (logs.folder().to_owned(), logs.name_at(memory::oldest_record_ms(now_ms)))
        };
        db.retain_logs(&folder, &oldest).await?;
        db.retain_rows(now_ms).await.map(drop)
    }

    async fn sync_now(&self) -> bool {
        let logs = Arc::clone(&self.files.lock().await.logs);
        match tokio::task::spawn_blocking(move || lock(&logs).sync()).await {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::error!(error = &error as &dyn std::error::Error, "the daily log is not on disk");
                false
            }
            Err(_) => false,
        }
    }

    /// Lets go of the daily logs; nothing is written to them while what this gives is held.
    pub(crate) async fn close(&self) -> ClosedLogs<'_> {
        let files = self.files.lock().await;
        lock(&files.logs).close();
        ClosedLogs { _files: files }
    }
}

/// Daily logs that nothing is written to as long as this is held.
pub(crate) struct ClosedLogs<'e> {
    _files: MutexGuard<'e, LogFiles>,
}

impl LogFiles {
    fn folder(&self) -> PathBuf {
        lock(&self.logs).folder().to_owned()
    }

    /// Brings the index to what the files hold that were written to.
    async fn index_behind(&mut self, db: &AgentDb) -> Result<(), MemoryError> {
        let folder = self.folder();
        while let Some(name) = self.behind.first().cloned() {
            db.index_log(&folder, &name).await?;
            // Only once it is indexed, so that a failure is made good by the next flush.
            self.behind.remove(&name);
        }
        Ok(())
    }
}
