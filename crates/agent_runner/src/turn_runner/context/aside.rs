//! A person sets aside what a conversation has read: no model is shown it any more, nor what was written under it.

use std::sync::Arc;
use std::time::Duration;

use agent::{CancelReason, EntryLine, SetAside};
use robot::ConversationId;
use tokio::sync::OwnedMutexGuard;

use crate::code::AgentCode;
use crate::conversations::TurnSlot;
use crate::runner::AgentRunner;
use crate::turn_runner::TurnRunner;
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;
use runtime::wire::{AsideRow, SetAsideDone, Tag};

/// A turn that was told to end is over within this time, or its end is not waited for.
const ENDS_WITHIN: Duration = Duration::from_secs(10);
/// Characters of the beginning of each text that is named.
const HEAD_CHARS: usize = 200;

impl TurnRunner {
    /// Sets aside what `session` has read. A turn that runs in it ends first: it has read it.
    ///
    /// # Errors
    /// `busy` while a turn of another conversation runs: it may take long, and nobody waits for it.
    pub(crate) async fn set_aside(
        &self,
        runner: &AgentRunner,
        session: &ConversationId,
    ) -> Result<SetAsideDone, OpError> {
        let conversation = self.conversations.get(session).await?;
        let _no_turn = self.ended_in(session).await?;
        let aside = lock(&conversation.transcript).set_aside(runner.runtime.clock.now().wall_ms);
        let Some((entries, aside)) = aside else {
            return Err(OpError::new(AgentCode::NothingToSetAside, "Nothing in view needs to be set aside."));
        };
        for entry in entries {
            // Synced: what was set aside must not come back after a crash.
            self.conversations.append(&conversation, EntryLine::from(entry.clone()), true).await?;
            lock(&conversation.transcript).push(entry);
        }
        runner.runtime.bus.changed(Tag::Transcript);
        Ok(done(session, aside))
    }

    /// Ends the turn that runs in `session`, and keeps others from beginning.
    async fn ended_in(&self, session: &ConversationId) -> Result<OwnedMutexGuard<TurnSlot>, OpError> {
        // The usual case: no turn runs, and nothing has to end first.
        if let Ok(no_turn) = Arc::clone(&self.turns).try_lock_owned() {
            return Ok(no_turn);
        }
        let is_here = self.running.look(|current| {
            let is_here = current.session == *session;
            if is_here {
                current.cancel(CancelReason::Operator);
            }
            is_here
        });
        let busy = || {
            let message =
                "Another conversation is being answered. End its turn or wait, then set aside what this one has read.";
            OpError::new(RuntimeCode::Busy, message)
        };
        match is_here {
            Some(false) => Err(busy()),
            // One that begins or ends is over soon.
            Some(true) | None => {
                let ended = tokio::time::timeout(ENDS_WITHIN, Arc::clone(&self.turns).lock_owned()).await;
                ended.map_err(|_| busy())
            }
        }
    }
}

fn done(session: &ConversationId, aside: SetAside) -> SetAsideDone {
    let row = |entry: agent::Entry| {
        let line = EntryLine::from(entry);
        let text = match line.content {
            Some(agent::Content::Text(text)) => text,
            Some(agent::Content::Parts(parts)) => {
                parts.into_iter().map(|agent::Part::Text { text, .. }| text).collect::<Vec<_>>().join("\n")
            }
            None => String::new(),
        };
        let text = agent::sanitised(&text).chars().take(HEAD_CHARS).collect();
        AsideRow { entry: line.id, at_ms: line.at_ms, origin: line.origin, text }
    };
    let derived = aside.derived.len();
    SetAsideDone { session: session.clone(), readings: aside.readings.into_iter().map(row).collect(), derived }
}
