//! A person puts other words in the place of what the model is shown instead of older messages.

use agent::EntryLine;
use robot::{ConversationId, Origin};

use crate::code::AgentCode;
use crate::runner::AgentRunner;
use crate::turn_runner::TurnRunner;
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;
use runtime::session::Session;
use runtime::wire::{SummaryEdited, Tag};

/// Characters of a summary; more than a model is asked for.
const SUMMARY_CHARS_MAX: usize = 32_000;

impl TurnRunner {
    /// Puts `text` in the place of the summary `entry`. It is shown from the next turn on; the older one stays in the
    /// file.
    pub(crate) async fn edit_summary(
        &self,
        runner: &AgentRunner,
        by: &Session,
        session: &ConversationId,
        entry: u64,
        text: &str,
    ) -> Result<SummaryEdited, OpError> {
        let chars = text.chars().count();
        if text.trim().is_empty() || chars > SUMMARY_CHARS_MAX {
            let message = format!("A summary has 1 to {SUMMARY_CHARS_MAX} characters, this one {chars}.");
            return Err(OpError::bad_input(AgentCode::BadMessage, "text", message));
        }
        let conversation = self.conversations.get(session).await?;
        // Refused rather than waited for: a turn can take minutes, and works on a copy of the transcript.
        let Ok(_no_turn) = self.turns.try_lock() else {
            return Err(OpError::new(RuntimeCode::Busy, "A turn runs. Edit the summary when it has ended."));
        };
        let by = Origin::Operator(by.actor().to_owned());
        let edited = lock(&conversation.transcript).edited_summary(entry, text, by, runner.runtime.clock.now().wall_ms);
        let Some(entries) = edited else {
            return Err(OpError::not_found(AgentCode::SummaryNotFound, "summary", entry));
        };
        let [_, summary] = &entries;
        let edited = SummaryEdited { session: session.clone(), entry: summary.id };
        for entry in entries {
            self.conversations.append(&conversation, EntryLine::from(entry.clone()), true).await?;
            lock(&conversation.transcript).push(entry);
        }
        runner.runtime.bus.changed(Tag::Transcript);
        Ok(edited)
    }
}
