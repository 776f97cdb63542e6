//! A change of the constraints on its way to the disk, in one transaction with its records.

use std::sync::{Arc, Mutex};

use memory::SetChange;
use tokio::sync::oneshot;

use super::{Audit, AuditEntry, AuditFull, COMMIT_WAIT, Entry, QUEUE_MAX, failed, full, slow};
use crate::error::OpError;
use crate::lock::lock;

/// A change that the writer has not taken yet. The task that waits for it can take it back until then.
#[derive(Debug, Clone)]
pub(super) struct PendingChange(Arc<Mutex<Option<Work>>>);

/// The writer's work for a change.
#[derive(Debug)]
pub(super) struct Work {
    pub change: SetChange,
    pub records: Vec<AuditEntry>,
    pub done: oneshot::Sender<Result<(), OpError>>,
}

impl PendingChange {
    /// Takes it out, once.
    pub fn take(&self) -> Option<Work> {
        lock(&self.0).take()
    }
}

impl Audit {
    /// Saves a change of the constraints with its records: both are on disk when this succeeds, and neither is if it
    /// fails.
    pub async fn commit_change(&self, change: SetChange, records: Vec<AuditEntry>) -> Result<(), OpError> {
        // While the disk takes nothing the change would only wait to be taken back.
        self.check_available()?;
        let (done, mut saved) = oneshot::channel();
        let pending = PendingChange(Arc::new(Mutex::new(Some(Work { change, records, done }))));
        self.push(Entry::Change(pending.clone()), QUEUE_MAX).map_err(|AuditFull| full())?;
        if let Ok(saved) = tokio::time::timeout(COMMIT_WAIT, &mut saved).await {
            return saved.unwrap_or_else(|_| Err(failed()));
        }
        // If it can be taken back it never happens. If the writer has it, the result follows within the seconds
        // for which the database waits at most.
        match pending.take() {
            Some(_) => Err(slow()),
            None => saved.await.unwrap_or_else(|_| Err(failed())),
        }
    }
}
