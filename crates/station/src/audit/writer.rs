//! The one task that writes the chain: it numbers what waits, in the order it came, and commits it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use memory::{AuditLine, StationDb};

use super::chain::{AuditRecord, Head};
use super::{Audit, Happening};
use robot::Now;

/// Records of one transaction.
const BATCH_MAX: usize = 512;
/// How long a failed write waits before it is tried again.
const RETRY: Duration = Duration::from_millis(200);

impl Audit {
    /// Starts the writer; it ends with [`Audit::end`], after what waits then.
    pub(crate) fn start(self: &Arc<Self>, db: StationDb) {
        let audit = Arc::clone(self);
        self.tasks.spawn(async move {
            loop {
                let batch = audit.take_batch();
                if !batch.is_empty() {
                    if !audit.write(&db, batch).await {
                        return;
                    }
                    continue;
                }
                tokio::select! {
                    () = audit.arrived.notified() => {}
                    () = audit.ended.cancelled() => {
                        if audit.queue().waiting.is_empty() {
                            return;
                        }
                    }
                }
            }
        });
    }

    fn take_batch(&self) -> Vec<(Now, Happening)> {
        let mut queue = self.queue();
        let count = queue.waiting.len().min(BATCH_MAX);
        queue.waiting.drain(..count).collect()
    }

    /// Writes until the disk has it; `false` if the station ended before.
    async fn write(&self, db: &StationDb, batch: Vec<(Now, Happening)>) -> bool {
        let count = batch.len() as u64;
        let (lines, head) = self.chained(batch);
        while let Err(error) = db.append_audit(&lines).await {
            self.failing.store(true, Ordering::Release);
            tracing::error!(error = &error as &dyn std::error::Error, "audit not saved");
            tokio::select! {
                () = tokio::time::sleep(RETRY) => {}
                () = self.ended.cancelled() => return false,
            }
        }
        self.failing.store(false, Ordering::Release);
        *self.head() = head;
        self.committed.send_modify(|committed| *committed += count);
        true
    }

    fn chained(&self, batch: Vec<(Now, Happening)>) -> (Vec<AuditLine>, Head) {
        let mut head = self.head().clone();
        let lines = batch.into_iter().map(|(now, happening)| {
            let record = AuditRecord::after(&head, &self.station, now, happening);
            head = record.head();
            AuditLine { seq: record.seq, record: record.line() }
        });
        (lines.collect(), head)
    }
}
