//! Room in the audit, reserved before an act: its holder can put the act on record whatever comes in between.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Audit, AuditEntry, COMMIT_WAIT, QUEUE_MAX, failed, full, record};
use crate::error::OpError;

/// A place in the queue that is nobody else's. Given back when it is dropped unused.
pub struct Room {
    audit: Arc<Audit>,
    used: bool,
}

/// A record on its way to the disk.
pub struct Noted {
    audit: Arc<Audit>,
    place: u64,
}

/// State of an act's record by the time the act is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnRecord {
    /// It is on disk.
    Saved,
    /// It waits for the disk.
    Pending,
}

impl Audit {
    /// Takes room for one record. Refused if there is none, or if the disk took nothing when it was last asked.
    pub fn reserve(self: &Arc<Self>) -> Result<Room, OpError> {
        if self.failing.load(Ordering::Acquire) {
            return Err(failed());
        }
        let mut queue = self.queue();
        if !queue.has_place(QUEUE_MAX) {
            return Err(full());
        }
        queue.reserved += 1;
        Ok(Room { audit: Arc::clone(self), used: false })
    }
}

impl Room {
    /// Queues the record that the room was taken for.
    pub fn note(mut self, entry: AuditEntry) -> Noted {
        self.used = true;
        let mut queue = self.audit.queue();
        // Under one lock with what follows, so that the place cannot be taken in between.
        queue.reserved -= 1;
        let place = queue.take_in(self.audit.clock.now(), record(entry));
        drop(queue);
        self.audit.arrived.notify_one();
        Noted { audit: Arc::clone(&self.audit), place }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if !self.used {
            self.audit.queue().reserved -= 1;
        }
    }
}

impl Noted {
    /// Waits for the disk, but not for long.
    pub async fn within_wait(&self) -> OnRecord {
        match tokio::time::timeout(COMMIT_WAIT, self.saved()).await {
            Ok(true) => OnRecord::Saved,
            Ok(false) | Err(_) => OnRecord::Pending,
        }
    }

    /// Waits for the disk as long as it takes; false if the station ends before.
    pub async fn saved(&self) -> bool {
        self.audit.saved(self.place).await
    }
}
