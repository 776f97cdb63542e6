//! The one task that writes the chain: it numbers what waits, in the order it came, and commits it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use memory::{AuditLine, StationDb};

use super::chain::{AuditRecord, Head};
use super::change::{PendingChange, Work};
use super::{Audit, AuditEntry, Entry};
use crate::crash::{self, CrashPoint};
use crate::error::OpError;
use robot::Now;

/// Records of one transaction.
const BATCH_MAX: usize = 512;
/// Kinds of records that let motion pass or end it: the end of the chain is signed and kept outside the
/// database right after it.
const KEPT_AT_ONCE: &[&str] = &["stop", "stop_release", "standing_approval"];
/// Delay before a failed write is tried again.
const RETRY: Duration = Duration::from_millis(200);

/// The work of one transaction.
enum Batch {
    Records(Vec<(Now, AuditEntry)>),
    Change(Now, PendingChange),
}

impl Audit {
    /// Starts the writer; it ends with [`Audit::end`], after what waits then.
    pub fn start(self: &Arc<Self>, db: StationDb) {
        let audit = Arc::clone(self);
        self.tasks.spawn(async move {
            loop {
                match audit.take_batch() {
                    Some(Batch::Records(records)) => {
                        if !audit.write(&db, records).await {
                            return;
                        }
                    }
                    Some(Batch::Change(now, pending)) => audit.write_change(&db, now, &pending).await,
                    None => tokio::select! {
                        () = audit.arrived.notified() => {}
                        () = audit.ended.cancelled() => {
                            // Records that were queued before the end are still written.
                            if audit.queue().waiting.is_empty() {
                                return;
                            }
                        }
                    },
                }
            }
        });
    }

    /// The next records up to a change, or the change that comes next.
    fn take_batch(&self) -> Option<Batch> {
        let mut queue = self.queue();
        let mut records = Vec::new();
        while records.len() < BATCH_MAX {
            match queue.waiting.pop_front() {
                Some((now, Entry::Record(entry))) => records.push((now, *entry)),
                Some((now, Entry::Change(pending))) if records.is_empty() => return Some(Batch::Change(now, pending)),
                // A change is written alone: it may fail, and the records around it must not fail with it.
                Some(change @ (_, Entry::Change(_))) => {
                    queue.waiting.push_front(change);
                    break;
                }
                None => break,
            }
        }
        (!records.is_empty()).then_some(Batch::Records(records))
    }

    /// Writes until the disk has it; `false` if the station ended before.
    async fn write(&self, db: &StationDb, batch: Vec<(Now, AuditEntry)>) -> bool {
        let count = batch.len() as u64;
        let is_urgent = batch.iter().any(|(_, entry)| KEPT_AT_ONCE.contains(&entry.operation.as_str()));
        let (lines, head) = self.chained(batch);
        // Again and again: what these records tell of has happened, or waits for them.
        while let Err(error) = db.append_audit(&lines).await {
            self.failing.store(true, Ordering::Release);
            tracing::error!(error = &error as &dyn std::error::Error, "audit not saved");
            tokio::select! {
                () = tokio::time::sleep(RETRY) => {}
                () = self.ended.cancelled() => return false,
            }
        }
        crash::point(CrashPoint::Audit);
        self.failing.store(false, Ordering::Release);
        // Before the waiters are woken: they may read the end of the chain at once.
        *self.head() = head;
        self.committed.send_modify(|committed| *committed += count);
        if is_urgent {
            self.anchor_asked.notify_one();
        }
        true
    }

    /// Writes a change once. One that cannot be saved leaves no record: it did not happen.
    async fn write_change(&self, db: &StationDb, now: Now, pending: &PendingChange) {
        if let Some(Work { change, records, done }) = pending.take() {
            let (lines, head) = self.chained(records.into_iter().map(|entry| (now, entry)).collect());
            let saved = db.change_constraints(&change, &lines).await.map_err(OpError::from);
            if saved.is_ok() {
                *self.head() = head;
                self.anchor_asked.notify_one();
            }
            // The caller may be gone; the change stays saved.
            let _ = done.send(saved);
        }
        // Without a record as well: places count entries, and others wait for the places behind this one.
        self.committed.send_modify(|committed| *committed += 1);
    }

    fn chained(&self, batch: Vec<(Now, AuditEntry)>) -> (Vec<AuditLine>, Head) {
        let mut head = self.head().clone();
        let lines = batch.into_iter().map(|(now, entry)| {
            let record = AuditRecord::after(&head, &self.station, now, entry);
            head = record.head();
            AuditLine { seq: record.seq, record: record.line() }
        });
        (lines.collect(), head)
    }
}
