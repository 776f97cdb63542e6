//! What the conversations of a desk do when something that was said is forgotten.

use std::sync::Arc;

use agent::{CancelReason, EntryLine, Transcript};
use memory::forget::Forgetting;
use memory::{MemoryError, TranscriptFile};
use tokio::sync::OwnedMutexGuard;

use super::{Conversation, Desk};
use crate::config::AgentFolders;
use crate::lock::lock;

impl Desk {
    /// Ends the turn that runs and lets none begin while what this gives is held.
    pub(crate) async fn end_turns(&self) -> OwnedMutexGuard<()> {
        self.end_current(CancelReason::Operator);
        Arc::clone(&self.turns).lock_owned().await
    }

    /// Begins a new epoch of each conversation in which something is forgotten.
    pub(crate) async fn reset(&self, at_ms: i64, forgetting: &Forgetting) -> Result<(), MemoryError> {
        let needles = forgetting.needles();
        for conversation in [&self.desk, &self.autonomy] {
            let session = conversation.session.to_string();
            let is_said = |line: &EntryLine| {
                let text = serde_json::to_string(line).unwrap_or_default();
                needles.is_in(&text) || forgetting.has_entry(&session, line.id)
            };
            let is_concerned = conversation.lines().iter().any(is_said);
            if is_concerned {
                conversation.reset(at_ms).await?;
            }
        }
        Ok(())
    }

    /// Reads the conversations again, from files that are others now.
    pub(crate) async fn reload(&self, folders: &AgentFolders) -> Result<(), MemoryError> {
        for conversation in [&self.desk, &self.autonomy] {
            let mut file = conversation.file.lock().await;
            let (opened, transcript, lines) = Conversation::read(folders, &conversation.session.to_string()).await?;
            *file = opened;
            *lock(&conversation.transcript) = transcript;
            *conversation.lines() = lines;
        }
        Ok(())
    }
}

impl Conversation {
    async fn reset(&self, at_ms: i64) -> Result<(), MemoryError> {
        let line = EntryLine::from(lock(&self.transcript).reset(at_ms));
        let text = serde_json::to_string(&line).unwrap_or_default();
        self.file.lock().await.append(&text, true).await
    }

    /// What the file of a conversation holds, and the file, open for appending.
    pub(super) async fn read(
        folders: &AgentFolders,
        name: &str,
    ) -> Result<(TranscriptFile, Transcript, Vec<EntryLine>), MemoryError> {
        let (file, lines) = TranscriptFile::open(&folders.sessions.join(format!("{name}.jsonl"))).await?;
        let loaded = Transcript::load(&lines.join("\n"));
        if loaded.skipped > 0 {
            tracing::warn!(session = name, skipped = loaded.skipped, "lines of the transcript cannot be read");
        }
        let lines = loaded.transcript.entries().iter().cloned().map(EntryLine::from).collect();
        Ok((file, loaded.transcript, lines))
    }
}
