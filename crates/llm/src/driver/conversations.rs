//! Per conversation: capabilities left after refusals, and cache marks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use robot::ConversationId;

use crate::{Caps, Marks};

/// More conversations than one agent leads at a time; the one that was silent longest is forgotten, which costs it a
/// cache hit or one more refusal.
const CONVERSATIONS_MAX: usize = 64;

/// One conversation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Conversation {
    /// Capabilities of the model, without those that were refused.
    pub caps: Caps,
    /// Positions of its cache marks.
    pub marks: Marks,
    /// Thinking that does not fit its prefix is dropped by the provider from now on.
    pub drops_blocks: bool,
}

/// All of them, the one that spoke last at the end.
#[derive(Debug, Default)]
pub(super) struct Conversations(Mutex<Vec<(ConversationId, Conversation)>>);

impl Conversations {
    /// The conversation of `session`; a new one begins with `caps`.
    pub fn of(&self, session: &ConversationId, caps: &Caps) -> Conversation {
        let mut all = self.lock();
        let found = all.iter().position(|(known, _)| known == session).map(|at| all.remove(at));
        let (_, conversation) = found.unwrap_or_else(|| {
            let new = Conversation { caps: caps.clone(), marks: Marks::default(), drops_blocks: false };
            (session.clone(), new)
        });
        if all.len() == CONVERSATIONS_MAX {
            all.remove(0);
        }
        // At the end, so that the one that was silent longest stands in front and is forgotten first.
        all.push((session.clone(), conversation.clone()));
        conversation
    }

    /// Changes what is known of the conversation of `session`, unless it was forgotten meanwhile.
    pub fn change(&self, session: &ConversationId, change: impl FnOnce(&mut Conversation)) {
        if let Some((_, conversation)) = self.lock().iter_mut().find(|(known, _)| known == session) {
            change(conversation);
        }
    }

    /// A change is one assignment, so a panic elsewhere leaves nothing half done.
    fn lock(&self) -> MutexGuard<'_, Vec<(ConversationId, Conversation)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
