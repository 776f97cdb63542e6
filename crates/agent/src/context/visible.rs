//! Entries of a transcript that a model is shown, in order, and the lines behind which they are masked.

use std::collections::HashMap;

use llm::{Block, CallId};

use crate::{Entry, EntryKind, EpochReason, Marker, Transcript};

/// The entries a model is shown.
#[derive(Debug, Clone)]
pub(crate) struct VisibleEntries<'a> {
    /// In order: what stands before the newest summary, the summary, what came after.
    pub entries: Vec<&'a Entry>,
    pub mask: MaskState,
}

/// Lines behind which results are masked. They only move forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MaskState {
    /// Results before this entry are cleared.
    pub before: u64,
    /// Longer results before this one are cut short.
    pub trim_before: u64,
    /// Before this one errors are cleared too.
    pub all_before: u64,
}

impl<'a> VisibleEntries<'a> {
    pub fn of(transcript: &'a Transcript) -> Self {
        let entries = since_reset(transcript.entries());
        // The newest summary stands for all that the older ones stood for.
        let summary = entries.iter().rev().find_map(|entry| {
            let EntryKind::Summary(covered) = entry.kind else { return None };
            Some((entry, covered))
        });
        let refused: Vec<(u64, u64)> = entries.iter().filter_map(refused).collect();
        let stays = |entry: &&Entry| {
            let is_covered = summary.is_some_and(|(_, covered)| (covered.from..covered.to).contains(&entry.id));
            let is_refused = refused.iter().any(|(from, to)| (*from..=*to).contains(&entry.id));
            let is_summary = matches!(entry.kind, EntryKind::Summary(_));
            entry.is_shown() && !is_covered && !is_refused && !is_summary
        };
        let as_shown = |entry: &'a Entry| transcript.as_shown(entry);
        let mut shown: Vec<&Entry> = entries.iter().filter(stays).filter_map(as_shown).collect();
        if let Some((entry, covered)) = summary.and_then(|(entry, covered)| Some((as_shown(entry)?, covered))) {
            // A summary is shown where the messages that it covers stood, not where it was written.
            let place = shown.partition_point(|entry| entry.id < covered.from);
            shown.insert(place, entry);
        }
        Self { entries: shown, mask: mask_state(entries) }
    }

    /// The name and the arguments of every call shown.
    pub fn calls(&self) -> HashMap<&'a CallId, (&'a str, &'a str)> {
        let blocks = self.entries.iter().flat_map(|entry| &entry.blocks);
        blocks
            .filter_map(|block| match block {
                Block::Call { id, name, args_raw } => Some((id, (name.as_str(), args_raw.as_str()))),
                Block::Text { .. } | Block::Result { .. } => None,
            })
            .collect()
    }

    /// The results shown, oldest first.
    pub fn results(&self) -> impl DoubleEndedIterator<Item = &'a Entry> {
        self.entries.iter().copied().filter(|entry| entry.kind == EntryKind::ToolResult)
    }

    /// The first result of the newest wave; what comes after everything if there is none.
    pub fn newest_wave(&self) -> u64 {
        let end = self.entries.last().map_or(0, |entry| entry.id.saturating_add(1));
        let reply = self.entries.iter().rfind(|entry| entry.kind == EntryKind::Assistant);
        // Results are written behind their reply, so the next id after it begins its wave.
        reply.map_or(end, |reply| reply.id.saturating_add(1))
    }
}

/// Entries since the conversation last began anew. One that began anew to make room goes on with the entries that the
/// summary behind its beginning does not cover: the turn at hand.
fn since_reset(entries: &[Entry]) -> &[Entry] {
    let is_reset = |entry: &Entry| entry.begins_epoch() == Some(EpochReason::SessionReset);
    let Some(at) = entries.iter().rposition(is_reset) else { return entries };
    let kept = match entries.get(at + 1).map(|entry| &entry.kind) {
        Some(EntryKind::Summary(covered)) => entries.partition_point(|entry| entry.id < covered.to),
        Some(
            EntryKind::User
            | EntryKind::Assistant
            | EntryKind::ToolResult
            | EntryKind::Volatile
            | EntryKind::Nudge
            | EntryKind::Marker(_),
        )
        | None => at,
    };
    &entries[kept..]
}

fn refused(entry: &Entry) -> Option<(u64, u64)> {
    let EntryKind::Marker(Marker::Refused { from, .. }) = entry.kind else { return None };
    Some((from, entry.id))
}

fn mask_state(entries: &[Entry]) -> MaskState {
    let mut state = MaskState::default();
    for entry in entries {
        if let EntryKind::Marker(Marker::MaskLine { before, trim_before, all }) = entry.kind {
            state.before = state.before.max(before);
            state.trim_before = state.trim_before.max(trim_before);
            state.all_before = state.all_before.max(if all { before } else { 0 });
        }
    }
    state
}
