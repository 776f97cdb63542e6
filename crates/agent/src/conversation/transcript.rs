//! The append-only list of what was said and done in one session: the only truth of a conversation.

use llm::{Block, Caps};
use robot::Origin;
use serde::{Deserialize, Serialize};

use crate::context::aside::{Aside, forms, is_set_aside};
use crate::context::stable::StableBytes;
use crate::context::visible::VisibleEntries;
use crate::prompts::SystemText;
use crate::untrusted::sanitise;
use crate::{Entry, EntryKind, EntryPlace, EpochReason, Fixed, Marker, Policy, SystemParts};

/// The entries of one session, in order. As long as the process lives it remembers what its newest request fixed: when
/// that changes, an epoch begins.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Entry>", into = "Vec<Entry>")]
pub struct Transcript {
    entries: Vec<Entry>,
    /// The entries that were set aside, in the form in which they are shown.
    aside: Aside,
    fixed: Option<Fixed>,
    /// Stable bytes of the newest request.
    stable: Option<StableBytes>,
    system: Option<SystemText>,
    /// The tools that were chosen for an epoch and a model.
    chosen: Option<Chosen>,
}

#[derive(Debug, Clone)]
struct Chosen {
    epoch: u32,
    provider: String,
    model: String,
    tools: Vec<String>,
}

/// A transcript as read back from its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The readable entries.
    pub transcript: Transcript,
    /// Lines that hold no entry, or one whose id does not follow. The file keeps them as they are.
    pub skipped: usize,
}

/// Compares the entries alone.
impl PartialEq for Transcript {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl From<Vec<Entry>> for Transcript {
    fn from(entries: Vec<Entry>) -> Self {
        // The newest act covers everything before it, the older acts included.
        let aside = entries.iter().rposition(is_set_aside).map(|at| forms(&entries[..at]));
        Self { entries, aside: aside.unwrap_or_default(), ..Self::default() }
    }
}

impl From<Transcript> for Vec<Entry> {
    fn from(transcript: Transcript) -> Self {
        transcript.entries
    }
}

impl Transcript {
    /// Reads JSON lines. A line that cannot be read is left out and counted; empty ones are nothing.
    #[must_use]
    pub fn load(lines: &str) -> Loaded {
        let (mut entries, mut skipped) = (Vec::<Entry>::new(), 0);
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str::<Entry>(line) {
                // Ranges that a summary or a refusal covers are given by ids, which therefore have to grow.
                Ok(entry) if entries.last().is_none_or(|last| entry.id > last.id) => entries.push(entry),
                // A line that a crash has cut in half must not take the rest of the conversation with it.
                Ok(_) | Err(_) => skipped += 1,
            }
        }
        Loaded { transcript: entries.into(), skipped }
    }

    /// All entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// `entry` as it is shown; nothing if it was set aside whole.
    pub(crate) fn as_shown<'a>(&'a self, entry: &'a Entry) -> Option<&'a Entry> {
        self.aside.get(&entry.id).map_or(Some(entry), Option::as_ref)
    }

    /// The id of the entry that comes next.
    #[must_use]
    pub fn next_id(&self) -> u64 {
        self.entries.last().map_or(0, |entry| entry.id.saturating_add(1))
    }

    /// The epoch of the newest entry.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.entries.last().map_or(0, |entry| entry.epoch)
    }

    /// The note that begins the next epoch, to be appended before anything that was said is changed.
    #[must_use]
    pub fn next_epoch(&self, at_ms: i64, reason: EpochReason) -> Entry {
        let from = self.epoch();
        let to = from.saturating_add(1);
        let kind = EntryKind::Marker(Marker::Epoch { from, to, reason });
        Entry::new(EntryPlace { id: self.next_id(), epoch: to, at_ms }, kind, Vec::new(), Origin::System)
    }

    /// The same because something that was said is forgotten.
    #[must_use]
    pub fn reset(&self, at_ms: i64) -> Entry {
        self.next_epoch(at_ms, EpochReason::SessionReset)
    }

    /// True if it has no message yet since it began, or began anew.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        let began = |entry: &&Entry| entry.begins_epoch() == Some(EpochReason::SessionReset);
        !self.entries().iter().rev().take_while(|entry| !began(entry)).any(|entry| entry.kind == EntryKind::User)
    }

    /// A note to the model outside a turn, to be appended while none runs; it stands before the words that come next.
    #[must_use]
    pub fn told(&self, at_ms: i64, blocks: Vec<Block>) -> Entry {
        Entry::new(
            EntryPlace { id: self.next_id(), epoch: self.epoch(), at_ms },
            EntryKind::Volatile,
            blocks,
            Origin::System,
        )
    }

    /// The entries by which `text` of `by` takes the place of the summary `entry`, to be appended while no turn runs;
    /// none if that is not the summary that is shown. What the summary stands for made it as trusted as it is, and an
    /// edit leaves most of it as it was: its trust stays.
    #[must_use]
    pub fn edited_summary(&self, entry: u64, text: &str, by: Origin, at_ms: i64) -> Option<[Entry; 2]> {
        let shown = VisibleEntries::of(self).entries.into_iter().find(|shown| shown.id == entry)?;
        let EntryKind::Summary(covered) = shown.kind else { return None };
        let trust = crate::context::compact::lowest_trust(std::iter::once(shown));
        let epoch = self.next_epoch(at_ms, EpochReason::Compaction);
        let (id, number) = (epoch.id.saturating_add(1), epoch.epoch);
        let blocks = vec![Block::Text { text: sanitise::desk(text.trim()), trust }];
        Some([epoch, Entry::new(EntryPlace { id, epoch: number, at_ms }, EntryKind::Summary(covered), blocks, by)])
    }

    /// The system text of `parts`, as long as the policy wants the one there is to stay, and what has changed since.
    pub(crate) fn system(&mut self, policy: &Policy, parts: &SystemParts) -> (Vec<String>, Option<String>) {
        let epoch = self.epoch();
        let mut text = match self.system.take() {
            Some(text) => text.next(policy, parts, epoch),
            None => SystemText::new(policy, parts, epoch),
        };
        let (blocks, news) = (text.blocks.clone(), text.news(parts));
        self.system = Some(text);
        (blocks, news)
    }

    /// Notes what the request at hand fixes, and why an epoch begins with it, if one does.
    pub(crate) fn fix(&mut self, fixed: Fixed) -> Option<EpochReason> {
        let reason = self.fixed.as_ref().and_then(|before| before.change(&fixed));
        self.fixed = Some(fixed);
        reason
    }

    /// Notes what the request at hand shows, and where it differs first from the one before it, if it does not begin
    /// with that.
    pub(crate) fn show(&mut self, next: StableBytes) -> Option<usize> {
        let broken = self.stable.as_ref().and_then(|before| before.broken_at(&next));
        self.stable = Some(next);
        broken
    }

    /// The tools that were chosen for the present epoch and the model of `caps`: another may take more of them.
    pub(crate) fn chosen(&self, caps: &Caps) -> Option<&[String]> {
        // In another epoch the prefix is written anew, so the tools may be chosen anew as well.
        let chosen = self.chosen.as_ref().filter(|chosen| chosen.epoch == self.epoch())?;
        (chosen.provider == caps.provider && chosen.model == caps.name).then_some(chosen.tools.as_slice())
    }

    /// Notes the tools that are chosen for the present epoch and the model of `caps`.
    pub(crate) fn choose(&mut self, tools: Vec<String>, caps: &Caps) {
        let (provider, model) = (caps.provider.clone(), caps.name.clone());
        self.chosen = Some(Chosen { epoch: self.epoch(), provider, model, tools });
    }

    /// Gives up the entries from `entry` on, which are not in the file: it is as it would be if it were read again.
    pub(crate) fn keep_before(&mut self, entry: u64) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.retain(|kept| kept.id < entry);
        *self = entries.into();
    }

    /// Takes over an entry that was appended to the file.
    ///
    /// # Panics
    /// In debug builds, if its id does not follow.
    pub fn push(&mut self, entry: Entry) {
        debug_assert!(entry.id >= self.next_id(), "entry ids count up");
        // Before the push: the act sets aside what stands before its own marker.
        if is_set_aside(&entry) {
            self.aside = forms(&self.entries);
        }
        self.entries.push(entry);
    }
}

#[cfg(test)]
mod tests;
