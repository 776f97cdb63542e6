//! Episodic memory, an agent's records of past events, on the wire.

use std::collections::BTreeMap;

use memory::episodic::{EpisodeRole, MemoryHit};
use memory::forget::{HeldIn, Remedy};
use robot::{ConversationId, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The answer of `memory_search`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MemoryFound {
    /// Best first.
    pub items: Vec<MemoryHit>,
    /// True if not every record was looked at: time was over, or the index is being made.
    pub partial: bool,
    /// The kind of search that was made.
    #[ts(optional, as = "Option<Recall>")]
    pub recall: Recall,
}

/// Kinds of memory search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Recall {
    /// By words alone: no model for embeddings is chosen, or it does not answer.
    Keyword,
    /// By words and meaning.
    Hybrid,
}

/// A record, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MemoryRecord {
    /// `ep-<uuid>`.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub id: String,
    /// UTC, for example `2026-02-20T13:03:22.180Z`.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub at: String,
    /// The kind of record.
    pub role: EpisodeRole,
    /// The content, human-readable.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub content: String,
    /// The speaker or actor, for example `operator(dana)`.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub origin: String,
    /// Trust level of the record.
    pub trust: Trust,
    /// The mission it belongs to.
    pub mission: Option<String>,
    /// The conversation it stands in.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub session: Option<ConversationId>,
    /// The entry of that conversation.
    #[ts(type = "number | null")]
    pub entry: Option<u64>,
    /// The record that led to it.
    #[schemars(extend("x-vouched-by" = "trust"))]
    pub cause: Option<String>,
}

/// A section of a note file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct NoteRow {
    /// `MEMORY.md` or `knowledge.md`.
    pub file: String,
    /// The heading it stands under.
    pub title: Option<String>,
    /// Its words.
    pub text: String,
    /// True if only a person may change it.
    pub locked: bool,
    /// The author, for example `operator(dana)`; null if it was written by hand.
    pub from: Option<String>,
    /// When, RFC 3339.
    pub at: Option<String>,
    /// Trust level of its text, as its stamp says.
    pub trust: Option<String>,
}

/// The answer of `memory_forget`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(untagged)]
pub enum MemoryForgotten {
    /// It was done.
    Done(Forgotten),
    /// A preview of the deletion; nothing is deleted yet.
    DryRun(ToForget),
}

/// The result of a deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Forgotten {
    /// A summary, as a sentence.
    pub message: String,
    /// Number of records.
    #[ts(type = "number")]
    pub forgotten: u64,
    /// `tb-<uuid>`: stands where something was, and in the audit.
    pub tombstone: String,
    /// Number of items taken out of each kind of place, for example `transcripts`.
    #[ts(type = "Record<string, number>")]
    pub places: BTreeMap<String, u64>,
    /// Places that still hold the forgotten text, with a way to be rid of each. Empty if no file of the station does.
    pub stays: Vec<StaysRow>,
    /// Recordings of that time.
    pub recordings: Vec<String>,
    /// A notice about copies that forgetting cannot reach.
    pub notice: String,
    /// True if every file was searched for the words; false if only records went, by their age.
    pub searched: bool,
}

/// A kind of place that still holds the forgotten text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StaysRow {
    /// The number and kind, for example `3 beliefs`.
    pub what: String,
    /// The way to be rid of it, a sentence.
    pub how: String,
    /// The kind of place.
    pub held_in: HeldIn,
    /// The number of them.
    #[ts(type = "number")]
    pub count: u64,
    /// The way to be rid of it, by its code.
    pub remedy: Remedy,
}

/// The result of a dry run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ToForget {
    /// A summary, as a sentence.
    pub message: String,
    /// The records, oldest first.
    pub items: Vec<ToForgetRow>,
    /// The number of each kind of place that holds a `query` as a phrase; empty for `ids` and `older_than_days`.
    pub places: Vec<HeldRow>,
}

/// A number of places of one kind that hold a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct HeldRow {
    /// The kind of place.
    pub held_in: HeldIn,
    /// The number of them.
    #[ts(type = "number")]
    pub count: u64,
}

/// A record that would be forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ToForgetRow {
    /// `ep-<uuid>`.
    pub id: String,
    /// Its first 80 characters.
    pub content: String,
}
