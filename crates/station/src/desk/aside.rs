//! A person sets aside what a conversation has read: no model is shown it any more, nor what was written under it.

use std::sync::Arc;

use agent::{CancelReason, EntryLine, Input, SetAside};

use super::Desk;
use crate::error::OpError;
use crate::lock::lock;
use crate::station::Station;
use crate::wire::{AsideRow, SetAsideDone, Tag};

/// Characters of the beginning of each text that is named.
const HEAD_CHARS: usize = 200;

impl Desk {
    /// Sets aside what `session` has read. A turn that runs in it ends first: it has read it.
    pub(crate) async fn set_aside(&self, station: &Station, session: &str) -> Result<SetAsideDone, OpError> {
        let conversation = self.conversations.get(session).await?;
        self.running.look(|current| {
            if current.session == session {
                // A full queue means that the turn is busy ending.
                let _ = current.inputs.try_send(Input::Cancel(CancelReason::Operator));
            }
        });
        let _no_turn = Arc::clone(&self.turns).lock_owned().await;
        let aside = lock(&conversation.transcript).set_aside(station.clock.now().wall_ms);
        let Some((entries, aside)) = aside else {
            return Err(OpError::conflict("nothing_to_set_aside", "Nothing in view needs to be set aside."));
        };
        for entry in entries {
            self.conversations.append(&conversation, EntryLine::from(entry.clone()), true).await?;
            lock(&conversation.transcript).push(entry);
        }
        station.hub.changed(Tag::Transcript);
        Ok(done(session, aside))
    }
}

fn done(session: &str, aside: SetAside) -> SetAsideDone {
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
    SetAsideDone { session: session.to_owned(), readings: aside.readings.into_iter().map(row).collect(), derived }
}
