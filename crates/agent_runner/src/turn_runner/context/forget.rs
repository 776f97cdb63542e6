//! Forgetting in the conversations of a desk: a conversation that holds a forgotten text begins a new epoch.

use std::sync::Arc;

use agent::{CancelReason, EntryLine};
use memory::MemoryError;
use memory::forget::{Forgetting, Needles};
use tokio::sync::OwnedMutexGuard;

use crate::conversations::TurnSlot;
use crate::recall::removal::READERS;
use crate::turn_runner::TurnRunner;
use runtime::lock::lock;

impl TurnRunner {
    /// Ends the turn that runs and lets none begin while what this gives is held.
    pub(crate) async fn end_turns(&self) -> OwnedMutexGuard<TurnSlot> {
        self.running.cancel(CancelReason::Operator);
        Arc::clone(&self.turns).lock_owned().await
    }

    /// Begins a new epoch of each open conversation in which something is forgotten.
    pub(crate) async fn reset(&self, slot: &TurnSlot, at_ms: i64, forgetting: &Forgetting) -> Result<(), MemoryError> {
        let needles = forgetting.needles();
        for conversation in self.conversations.held().await {
            let session = conversation.session.clone();
            let is_said = |line: &EntryLine| {
                // The same test as for the files, so that both pick the same lines.
                let text = serde_json::to_string(line).unwrap_or_default();
                needles.replaced_if(&text, "", READERS.line).is_some() || forgetting.has_entry(&session, line.id)
            };
            let is_concerned = conversation.lines().iter().any(is_said);
            if is_concerned {
                self.conversations.reset(slot, &conversation, at_ms).await?;
            }
        }
        Ok(())
    }

    /// Takes forgotten texts out of what waits for a turn of its own.
    pub(crate) fn forget_words(&self, needles: &Needles, mark: &str) {
        lock(&self.wakes).forget_words(needles, mark);
    }

    /// Reads the conversations again, from files that are others now.
    pub(crate) async fn reload(&self, slot: &TurnSlot) -> Result<(), MemoryError> {
        self.conversations.reload(slot).await
    }
}
