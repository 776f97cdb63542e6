//! Output of one step: entries for the transcript, events, and the other effects, in order.

use llm::Block;
use robot::{Now, Origin};

use crate::{Effect, Entry, EntryKind, EntryPlace, EpochReason, Event, Marker, ModelName, Transcript};

/// The transcript and the effects of the step at hand.
#[derive(Debug, Clone)]
pub(super) struct Log {
    pub transcript: Transcript,
    /// The model that answers.
    pub model: ModelName,
    pub now: Now,
    pub effects: Vec<Effect>,
}

impl Log {
    /// The entry that comes next.
    pub fn entry(&self, kind: EntryKind, blocks: Vec<Block>, origin: Origin) -> Entry {
        let (id, epoch) = (self.transcript.next_id(), self.transcript.epoch());
        Entry::new(EntryPlace { id, epoch, at_ms: self.now.wall_ms }, kind, blocks, origin)
    }

    /// Appends `entry`. A `synced` one reaches the disk itself before anything else happens.
    pub fn write(&mut self, entry: Entry, synced: bool) {
        // The next entry of this step needs the id behind this one, so memory runs ahead of the disk.
        self.transcript.push(entry.clone());
        self.effects.push(Effect::Append { entry, synced });
    }

    /// Appends an entry of the loop's own and gives its id.
    pub fn append(&mut self, kind: EntryKind, blocks: Vec<Block>, origin: Origin) -> u64 {
        let entry = self.entry(kind, blocks, origin);
        let id = entry.id;
        self.write(entry, false);
        id
    }

    /// Appends a note that no model sees.
    pub fn mark(&mut self, marker: Marker) {
        self.append(EntryKind::Marker(marker), Vec::new(), Origin::System);
    }

    /// Begins the next epoch.
    pub fn change_epoch(&mut self, reason: EpochReason) {
        let entry = self.transcript.next_epoch(self.now.wall_ms, reason);
        // Read before the write, which moves the transcript on to the new epoch.
        let (from, to) = (self.transcript.epoch(), entry.epoch);
        self.write(entry, false);
        self.emit(Event::EpochChanged { from, to, reason });
    }

    pub fn emit(&mut self, event: Event) {
        self.effects.push(Effect::Emit(event));
    }
}
