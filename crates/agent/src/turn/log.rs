//! What one step has to say: entries for the transcript, events, and the other effects, in order.

use llm::Block;
use robot::{Now, Origin};

use crate::{Effect, Entry, EntryKind, Event, Transcript};

/// The transcript and the effects of the step at hand.
#[derive(Debug, Clone)]
pub(super) struct Log {
    pub transcript: Transcript,
    pub now: Now,
    pub effects: Vec<Effect>,
}

impl Log {
    /// Appends an entry and gives its id. `synced` entries reach the disk itself before anything else happens.
    pub fn append(&mut self, kind: EntryKind, blocks: Vec<Block>, origin: Origin, synced: bool) -> u64 {
        let (id, epoch) = (self.transcript.next_id(), self.transcript.epoch());
        let entry = Entry::new(id, epoch, self.now.wall_ms, kind, blocks, origin);
        self.transcript.push(entry.clone());
        self.effects.push(Effect::Append { entry, synced });
        id
    }

    pub fn emit(&mut self, event: Event) {
        self.effects.push(Effect::Emit(event));
    }
}
