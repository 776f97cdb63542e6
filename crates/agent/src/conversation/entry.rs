//! One entry of a transcript, in memory. [`EntryLine`] is the same as the JSON line that is stored and shown.

mod line;

use std::sync::Arc;

use llm::{Block, Sidecar};
use robot::{Origin, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::CancelReason;

pub(crate) use line::print_origin;
pub use line::{CallType, Content, EntryLine, LineCall, LineError, LineFunction, LineKind, LineRole, Part};

/// Something that was said or done, and stays so: entries are never changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "EntryLine", into = "EntryLine")]
#[schemars(with = "EntryLine")]
#[ts(as = "EntryLine")]
pub struct Entry {
    /// Counts up from 0 within a session.
    pub id: u64,
    /// The epoch it was written in.
    pub epoch: u32,
    /// UTC milliseconds.
    pub at_ms: i64,
    /// Kind of the entry.
    pub kind: EntryKind,
    /// Its content. An assistant entry holds at most one text, then its calls; a marker holds nothing.
    pub blocks: Vec<Block>,
    /// Author of the entry.
    pub origin: Origin,
    /// A reply that was written while untrusted text was in view: all of it may come from that text, its calls too.
    pub derived: bool,
    /// A reply in its provider's own form.
    pub sidecar: Option<Arc<Sidecar>>,
    /// The number of the file that holds the whole of a long result.
    pub spill: Option<u32>,
    /// Keys of the world that the entry showed, as of one change.
    pub world: Option<WorldExcerpt>,
    /// Fields that a newer version wrote, kept for when the line is copied.
    pub unknown: Map<String, Value>,
}

/// Part of the world that an entry showed, so that others can quote it and the next block can tell what is new.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WorldExcerpt {
    /// The newest change of the world then.
    #[ts(type = "number")]
    pub seq: u64,
    /// The keys of its lines.
    pub keys: Vec<String>,
}

/// Kind of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// A message that began a turn, or came while it ran.
    User,
    /// A reply of the model.
    Assistant,
    /// The result of one call.
    ToolResult,
    /// State of the world as it was shown to the model once.
    Volatile,
    /// A hint of the loop's own that stays.
    Nudge,
    /// A summary of older entries.
    Summary(Covered),
    /// A note of the loop; the model never sees it.
    Marker(Marker),
}

/// The entries that a summary stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Covered {
    /// The first.
    #[ts(type = "number")]
    pub from: u64,
    /// The one after the last.
    #[ts(type = "number")]
    pub to: u64,
}

/// A note of the loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Marker {
    /// The turn was ended from outside.
    Cancelled {
        /// Cause of the ending.
        reason: CancelReason,
        /// The last words of the model in it.
        partial: String,
    },
    /// A new epoch follows: the model is no longer shown the same as before.
    Epoch {
        /// The epoch that ended.
        from: u32,
        /// The one that begins.
        to: u32,
        /// Reason for the new epoch.
        reason: EpochReason,
    },
    /// A reply was cut off and its calls were not run.
    CutByLength {
        /// Text of the cut reply.
        partial: String,
    },
    /// Results of entries before this one are shown as a note that they were there.
    MaskLine {
        /// The first entry that is not masked by it.
        #[ts(type = "number")]
        before: u64,
        /// Longer results of entries before this one are cut short.
        #[serde(default)]
        #[ts(type = "number")]
        trim_before: u64,
        /// True if errors are cleared too.
        #[serde(default)]
        all: bool,
    },
    /// Facts were saved from everything up to here.
    Flushed,
    /// The session was read back from disk: cache positions are forgotten.
    Resumed,
    /// The provider declined. The exchange stays here and leaves every later view.
    Refused {
        /// Its first entry.
        #[ts(type = "number")]
        from: u64,
        /// The model's words before it declined.
        partial: String,
    },
}

/// Reason for a new epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum EpochReason {
    /// The conversation begins anew, with a summary behind this if there is one: it was too long or too old, a person
    /// wanted it, or something that was said is forgotten.
    SessionReset,
    /// Old messages became a summary.
    Compaction,
    /// More results are masked.
    MaskMoved,
    /// Other tools are declared.
    ToolsChanged,
    /// The system text is another one.
    SystemChanged,
    /// Another model answers.
    ModelSwitched,
    /// An exchange that the provider declined is left out.
    RefusedLeftOut,
    /// The provider found its thinking in another place than it left it.
    PrefixBound,
    /// A person has set aside what was read: untrusted text, and replies written under it, are shown no more.
    SetAside,
}

/// The place of an entry in its transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryPlace {
    /// Its number, unique in the transcript and growing.
    pub id: u64,
    /// The epoch that it belongs to.
    pub epoch: u32,
    /// Its time, Unix milliseconds.
    pub at_ms: i64,
}

impl Entry {
    /// An entry of the loop itself: nothing of a provider, no file, nothing unknown.
    #[must_use]
    pub fn new(place: EntryPlace, kind: EntryKind, blocks: Vec<Block>, origin: Origin) -> Self {
        let EntryPlace { id, epoch, at_ms } = place;
        let (sidecar, spill, world, unknown) = (None, None, None, Map::new());
        // A reply that holds untrusted words was written under them, and so were the calls beside those words.
        let derived = kind == EntryKind::Assistant && blocks.iter().any(is_text);
        Self { id, epoch, at_ms, kind, blocks, origin, derived, sidecar, spill, world, unknown }
    }

    /// The lowest trust of what it holds and of what it was written under.
    #[must_use]
    pub fn trust(&self) -> Trust {
        let own = if self.derived { Trust::Text } else { Trust::Trusted };
        // Calls have no trust of their own, so a reply of calls alone is judged by what it was written under.
        self.blocks.iter().filter_map(trust_of).fold(own, Trust::max)
    }

    /// The reason of the epoch that begins here; `None` for every other entry.
    pub(crate) const fn begins_epoch(&self) -> Option<EpochReason> {
        let EntryKind::Marker(Marker::Epoch { reason, .. }) = self.kind else { return None };
        Some(reason)
    }

    /// True if it is shown to a model at all.
    #[must_use]
    pub const fn is_shown(&self) -> bool {
        match self.kind {
            EntryKind::Marker(_) => false,
            // A reply of nothing but thinking has no blocks, yet its provider wants it back.
            EntryKind::User
            | EntryKind::Assistant
            | EntryKind::ToolResult
            | EntryKind::Volatile
            | EntryKind::Nudge
            | EntryKind::Summary(_) => !self.blocks.is_empty() || self.sidecar.is_some(),
        }
    }
}

/// The trust of a block; `None` for a call, which has no trust but that of its reply.
pub(crate) const fn trust_of(block: &Block) -> Option<Trust> {
    match block {
        Block::Text { trust, .. } | Block::Result { trust, .. } => Some(*trust),
        Block::Call { .. } => None,
    }
}

fn is_text(block: &Block) -> bool {
    trust_of(block) == Some(Trust::Text)
}
