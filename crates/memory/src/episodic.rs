//! Tier 2: what happened, one record a line in daily files, found again through an index made from them.

mod excerpt;
mod fold;
mod index;
mod log;
mod newest;
mod query;
mod rank;
mod search;
mod vector;
mod whole;

pub(crate) use fold::fold;
pub(crate) use log::files as log_files;
pub(crate) use query::expression;

pub use excerpt::EXCERPT_CHARS_MAX;
pub use index::Indexed;
pub use log::{DailyLogs, LogAppended};
pub use newest::{Newest, Recent};
pub use query::{Match, Query, TERMS_MAX, Term};
pub use rank::{Candidate, Ranked, age_days, rank, weight};
pub use search::{Filters, Found, MemoryHit, Search};
pub use vector::{DIMENSIONS_MAX, Near, PLACED_MAX, Unplaced};

use jiff::Timestamp;
use robot::{ConversationId, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The form of a line.
const VERSION: u32 = 1;
/// Bytes of a line; longer content is cut.
const LINE_BYTES_MAX: usize = 64 * 1024;
/// Mark at the end of content that was cut.
const CUT_MARK: &str = "… [cut]";

/// The subject of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum EpisodeRole {
    /// Words of a person.
    User,
    /// An answer of the agent.
    Assistant,
    /// A result of a tool.
    Tool,
    /// A rule that fired.
    Alert,
    /// A run of a job.
    Job,
    /// A mission that changed its state.
    Mission,
    /// A belief that was made, or took another value.
    Belief,
    /// A note.
    Note,
    /// A decision on a proposal.
    Plan,
    /// The station itself.
    System,
}

/// One record: a line of a daily file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Episode {
    /// The form of the line.
    pub v: u32,
    /// `ep-<uuid>`.
    pub id: String,
    /// Unix milliseconds; the line shows UTC.
    #[serde(rename = "at", with = "utc")]
    pub at_ms: i64,
    /// Its subject.
    pub role: EpisodeRole,
    /// Human-readable.
    pub content: String,
    /// The person or program that said or did it, for example `operator(dana)`.
    pub origin: String,
    /// Trust level of the words.
    pub trust: Trust,
    /// The mission it belongs to.
    pub mission: Option<String>,
    /// The conversation it stands in.
    pub session: Option<ConversationId>,
    /// The entry of that conversation.
    pub entry: Option<u64>,
    /// The record that led to it.
    pub cause: Option<String>,
}

/// The origin of a record and of its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpisodeOrigin {
    /// The person or program that said or did it, for example `operator(dana)`.
    pub name: String,
    /// Trust level of the words.
    pub trust: Trust,
}

impl Episode {
    /// A record without a place in a mission or a conversation.
    #[must_use]
    pub fn new(id: String, at_ms: i64, role: EpisodeRole, content: String, by: EpisodeOrigin) -> Self {
        Self {
            v: VERSION,
            id,
            at_ms,
            role,
            content,
            origin: by.name,
            trust: by.trust,
            mission: None,
            session: None,
            entry: None,
            cause: None,
        }
    }

    /// The record as a line without its end, and at most [`LINE_BYTES_MAX`] long: content beyond is cut.
    pub(crate) fn line(&self) -> String {
        let line = self.json();
        if line.len() <= LINE_BYTES_MAX {
            return line;
        }
        // An escaped character takes up to six bytes, so that cutting the content is not counting its bytes.
        let mut cut = self.clone();
        while cut.json().len() > LINE_BYTES_MAX {
            let excess = cut.json().len() - LINE_BYTES_MAX;
            let whole = cut.content.strip_suffix(CUT_MARK).unwrap_or(&cut.content);
            let kept = whole.floor_char_boundary(whole.len().saturating_sub(excess / 6 + CUT_MARK.len()));
            cut.content = format!("{}{CUT_MARK}", &whole[..kept]);
        }
        cut.json()
    }

    /// The words without the mark of a cut: what was said.
    pub(crate) fn said(&self) -> &str {
        without_cut(&self.content)
    }

    fn json(&self) -> String {
        // Texts and numbers: there is nothing that JSON could not hold.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a line; none if it holds no record.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let episode: Self = serde_json::from_str(line).ok()?;
        // A line of a newer form may mean something else; the file keeps it for the program that wrote it.
        (line.len() <= LINE_BYTES_MAX && episode.v == VERSION).then_some(episode)
    }
}

/// `text`, at most `chars` characters of it; a mark says that there was more.
#[must_use]
pub fn cut_to(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(chars.saturating_sub(CUT_MARK.chars().count())).collect();
            format!("{kept}{CUT_MARK}")
        }
    }
}

/// A text without the mark of a cut: what was said.
#[must_use]
pub fn without_cut(text: &str) -> &str {
    text.strip_suffix(CUT_MARK).unwrap_or(text)
}

/// True if `text` holds the words of `quoted`, whatever their case, accents and punctuation.
#[must_use]
pub fn says(text: &str, quoted: &str) -> bool {
    let (text, quoted) = (fold(text), fold(quoted));
    // The blanks around both keep a word from matching inside a longer one.
    !quoted.is_empty() && format!(" {text} ").contains(&format!(" {quoted} "))
}

/// A wall time as `2026-02-20T13:03:22.180Z`.
#[must_use]
pub fn utc_text(at_ms: i64) -> String {
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default();
    at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// A wall time as text in a line.
mod utc {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(at_ms: &i64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&super::utc_text(*at_ms))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse::<Timestamp>().map(Timestamp::as_millisecond).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
