//! Text set aside by a person: untrusted text, and everything written under it, stays in the file and is no longer
//! shown to any model.

use std::collections::{BTreeMap, BTreeSet};

use llm::{Block, CallId};
use robot::{Origin, Trust};
use serde_json::json;

use crate::context::visible::VisibleEntries;
use crate::conversation::entry::trust_of;
use crate::{Entry, EntryKind, EntryPlace, EpochReason, Transcript};

/// Stands where the words of a message or of a summary stood.
const REFERENCE: &str = "[set aside]";

/// The forms in which entries are shown once they are set aside, by id; `None` for those that are not shown at all.
pub(crate) type Aside = BTreeMap<u64, Option<Entry>>;

/// The entries that are set aside, or would be.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SetAside {
    /// The entries that were read: untrusted text.
    pub readings: Vec<Entry>,
    /// The entries that the agent wrote while such text was in view, and the results of its calls.
    pub derived: Vec<Entry>,
}

impl SetAside {
    /// Entries that `transcript` shows and that are untrusted.
    #[must_use]
    pub fn of(transcript: &Transcript) -> Self {
        // Only what is shown counts: text that no model sees cannot mislead one.
        let unvouched = VisibleEntries::of(transcript).entries.into_iter().filter(|entry| entry.trust() == Trust::Text);
        let derived_calls = calls_of(unvouched.clone().filter(|entry| entry.derived));
        let (derived, readings) = unvouched.cloned().partition(|entry| entry.derived || answers(entry, &derived_calls));
        Self { readings, derived }
    }

    /// True if there is nothing to set aside.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.readings.is_empty() && self.derived.is_empty()
    }

    fn note(&self) -> String {
        let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
        let readings = count(self.readings.len(), "reading", "readings");
        let derived = count(self.derived.len(), "entry", "entries");
        format!(
            "[{readings} set aside] A person has set aside what was read, and {derived} written under it. \
             Read again what is still needed."
        )
    }
}

impl Transcript {
    /// The entries by which what was read is set aside, to be appended while no turn runs, and what that is; none if
    /// there is nothing.
    #[must_use]
    pub fn set_aside(&self, at_ms: i64) -> Option<([Entry; 2], SetAside)> {
        let aside = SetAside::of(self);
        if aside.is_empty() {
            return None;
        }
        let epoch = self.next_epoch(at_ms, EpochReason::SetAside);
        // The note is the station's own sentence: as untrusted text it would taint the view that it cleans.
        let blocks = vec![Block::Text { text: aside.note(), trust: Trust::Trusted }];
        let (id, number) = (epoch.id.saturating_add(1), epoch.epoch);
        let note = Entry::new(EntryPlace { id, epoch: number, at_ms }, EntryKind::Volatile, blocks, Origin::System);
        Some(([epoch, note], aside))
    }

    /// Time at which text was last set aside since the conversation began, UTC milliseconds.
    #[must_use]
    pub fn set_aside_at_ms(&self) -> Option<i64> {
        let epochs = self.entries().iter().rev().filter_map(|entry| Some((entry.begins_epoch()?, entry.at_ms)));
        // Behind a reset nothing of the older conversation is shown, so an act before it no longer counts.
        let mut since_reset = epochs.take_while(|(reason, _)| *reason != EpochReason::SessionReset);
        since_reset.find(|(reason, _)| *reason == EpochReason::SetAside).map(|(_, at_ms)| at_ms)
    }
}

/// True for the epoch marker at which everything read before is set aside.
pub(crate) const fn is_set_aside(entry: &Entry) -> bool {
    matches!(entry.begins_epoch(), Some(EpochReason::SetAside))
}

/// The form in which each affected entry of `entries` is shown from now on.
pub(crate) fn forms(entries: &[Entry]) -> Aside {
    let gone = calls_of(entries.iter().filter(|entry| entry.derived));
    let concerned = entries.iter().filter(|entry| entry.trust() == Trust::Text || answers(entry, &gone));
    concerned.map(|entry| (entry.id, form(entry, &gone))).collect()
}

fn form(entry: &Entry, gone: &BTreeSet<CallId>) -> Option<Entry> {
    // A mask names the stored output of a result, and reading that would bring the text back into view.
    let with = |blocks: Vec<Block>| (!blocks.is_empty()).then(|| Entry { blocks, spill: None, ..entry.clone() });
    let reference = || Block::Text { text: REFERENCE.to_owned(), trust: Trust::Trusted };
    match entry.kind {
        // Words and calls alike may be the untrusted text speaking through the model.
        EntryKind::Assistant => None,
        // The call is gone, and a result without its call makes a request that providers refuse.
        EntryKind::ToolResult if answers(entry, gone) => None,
        EntryKind::ToolResult => with(entry.blocks.iter().map(emptied).collect()),
        EntryKind::User | EntryKind::Summary(_) => with(vouched(entry).chain([reference()]).collect()),
        EntryKind::Volatile | EntryKind::Nudge | EntryKind::Marker(_) => with(vouched(entry).collect()),
    }
}

fn vouched(entry: &Entry) -> impl Iterator<Item = Block> {
    entry.blocks.iter().filter(|block| trust_of(block) != Some(Trust::Text)).cloned()
}

/// A call has to have its result, if only one that says where it went.
fn emptied(block: &Block) -> Block {
    match block {
        Block::Result { call, is_error, .. } => {
            let json = json!({ "set_aside": "A person has set this result aside. Call again if it is still needed." });
            Block::Result { call: call.clone(), json: json.to_string(), is_error: *is_error, trust: Trust::Trusted }
        }
        Block::Text { .. } | Block::Call { .. } => block.clone(),
    }
}

fn calls_of<'a>(entries: impl Iterator<Item = &'a Entry>) -> BTreeSet<CallId> {
    let blocks = entries.flat_map(|entry| &entry.blocks);
    blocks
        .filter_map(|block| match block {
            Block::Call { id, .. } => Some(id.clone()),
            Block::Text { .. } | Block::Result { .. } => None,
        })
        .collect()
}

fn answers(entry: &Entry, calls: &BTreeSet<CallId>) -> bool {
    entry.blocks.iter().any(|block| matches!(block, Block::Result { call, .. } if calls.contains(call)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str, trust: Trust) -> Block {
        Block::Text { text: text.into(), trust }
    }

    /// Entries of a conversation: what each is and what it holds.
    fn said(entries: Vec<(EntryKind, Vec<Block>)>) -> Transcript {
        let mut transcript = Transcript::default();
        for (kind, blocks) in entries {
            let id = transcript.next_id();
            transcript.push(Entry::new(EntryPlace { id, epoch: 0, at_ms: 5 }, kind, blocks, Origin::System));
        }
        transcript
    }

    fn call(id: &str) -> Block {
        Block::Call { id: CallId(id.into()), name: "read".into(), args_raw: "{}".into() }
    }

    fn result(id: &str, json: &str, trust: Trust) -> Block {
        Block::Result { call: CallId(id.into()), json: json.into(), is_error: false, trust }
    }

    fn conversation() -> Transcript {
        use EntryKind::{Assistant, ToolResult, User, Volatile};
        use Trust::{Text, Trusted, Typed};
        said(vec![
            (User, vec![text("look around", Trusted)]),
            (Volatile, vec![text("smoke = false", Typed)]),
            (Assistant, vec![call("a")]),
            (ToolResult, vec![result("a", r#"{"label":"POISON go"}"#, Text)]),
            (Assistant, vec![text("It says POISON go", Text), call("b")]),
            (ToolResult, vec![result("b", r#"{"at":1}"#, Typed)]),
            (User, vec![text("thanks", Trusted)]),
            (Volatile, vec![text("hot = true", Typed), text("sign = POISON", Text)]),
        ])
    }

    #[test]
    fn p_21a_what_is_set_aside_is_before_no_model_and_every_call_keeps_its_result() {
        let mut transcript = conversation();
        let (entries, aside) = transcript.set_aside(9).unwrap();
        assert_eq!((aside.readings.len(), aside.derived.len()), (2, 1), "{aside:?}");
        entries.into_iter().for_each(|entry| transcript.push(entry));
        let shown = VisibleEntries::of(&transcript).entries;
        let printed = format!("{shown:?}");
        assert!(!printed.contains("POISON") && printed.contains("2 readings set aside"), "{printed}");
        assert_eq!(shown.iter().map(|entry| entry.id).collect::<Vec<_>>(), [0, 1, 2, 3, 6, 7, 9]);
        assert!(printed.contains("hot = true"), "typed state stays: {printed}");
        assert_eq!(transcript.set_aside_at_ms(), Some(9));
        assert!(transcript.set_aside(9).is_none(), "nothing is left to set aside");
        assert!(format!("{:?}", transcript.entries()).contains("POISON"), "the file keeps what was read");
    }

    #[test]
    fn p_21a_what_was_set_aside_stays_so_when_the_conversation_is_read_back() {
        let mut transcript = conversation();
        let (entries, _) = transcript.set_aside(9).unwrap();
        entries.into_iter().for_each(|entry| transcript.push(entry));
        let lines: Vec<String> =
            transcript.entries().iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
        let stored = serde_json::to_string(&transcript).unwrap();
        for read in [Transcript::load(&lines.join("\n")).transcript, serde_json::from_str(&stored).unwrap()] {
            assert_eq!(VisibleEntries::of(&read).entries, VisibleEntries::of(&transcript).entries);
        }
    }
}
