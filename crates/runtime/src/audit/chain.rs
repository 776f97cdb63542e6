//! The records of the audit and the chain they make. Pure: an entry comes in, a record or the first break goes
//! out, so that a station and a person with an exported file decide alike.

use std::ops::Deref;
use std::sync::Arc;

use memory::AuditLine;
use robot::{Now, Role, StationId, VerdictId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use ts_rs::TS;

use super::anchor::{Anchor, AnchorLine};
use crate::judgements::verdict_inputs::Inputs;

/// The hash that the first record names as the one before it.
const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// The most of a free text that a record keeps, in characters.
const DETAIL_CHARS_MAX: usize = 200;
/// The longest operation name that is kept, in characters: a caller may send any name.
const OPERATION_CHARS_MAX: usize = 80;

/// The kind of party behind the actor of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum AuditOrigin {
    /// A person at a screen.
    Person,
    /// A program, another station included.
    Program,
    /// The agent's turn.
    Agent,
    /// A robot's own report.
    Robot,
    /// The station itself.
    Station,
}

/// An entry of the audit, before it has a place in the chain.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// The person, program or robot behind it.
    pub actor: String,
    /// The role under which it was done.
    pub role: Option<Role>,
    /// The host that it came through.
    pub origin: AuditOrigin,
    /// The operation, or the word for an event of the station.
    pub operation: String,
    /// SHA-256 of the input, hex.
    pub input_hash: Option<String>,
    /// The inputs of a verdict. Hashed where the record gets its place: no command waits for that.
    pub inputs: Option<Arc<Inputs>>,
    /// `ok`, or the code of the refusal.
    pub outcome: String,
    /// The verdict behind it.
    pub verdict_id: Option<VerdictId>,
    /// The version of the limits that it was judged by, or changed to.
    pub set_version: Option<u64>,
    /// The epoch of the robot's lease.
    pub epoch: Option<u64>,
    /// The subject in a few words, at most 200 characters.
    pub detail: String,
}

/// One record of the audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct AuditRecord {
    /// From 1, without gaps.
    #[ts(type = "number")]
    pub seq: u64,
    /// Unix milliseconds.
    #[ts(type = "number")]
    pub at_wall: i64,
    /// Station clock, milliseconds; starts anew with the station.
    #[ts(type = "number")]
    pub at_mono: u64,
    /// The station.
    pub station: StationId,
    /// The actor: the session's name, a robot, or `station`.
    pub actor: String,
    /// The highest role of the session at that time; null without a session.
    pub role: Option<Role>,
    /// The kind of party behind the actor.
    pub origin: AuditOrigin,
    /// The operation called, or the act of the station: `verdict`, `send`, `stop`, `epoch`, `start` and so on.
    pub operation: String,
    /// SHA-256 over the canonical JSON of the input, of the constraints that were set or sealed, or of the inputs of a
    /// verdict (command, used state, set hash, time); hex, null without.
    pub input_hash: Option<String>,
    /// `ok`, the code of a refusal, or how far it got.
    pub outcome: String,
    /// The verdict it rests on.
    pub verdict_id: Option<VerdictId>,
    /// Version of the constraint set it rests on, or made.
    #[ts(type = "number | null")]
    pub set_version: Option<u64>,
    /// Epoch of the robot.
    #[ts(type = "number | null")]
    pub epoch: Option<u64>,
    /// The subject, at most 200 characters.
    pub detail: String,
    /// Hash of the record before; zeros in the first.
    pub prev_hash: String,
    /// SHA-256 over `prev_hash` as text, then the canonical JSON of all fields but these two; hex.
    pub hash: String,
}

/// The end of a chain, which the next record follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub seq: u64,
    hash: String,
}

/// The first break of a chain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record {seq}: {fault}")]
pub struct Broken {
    /// The first number at which the record that was written is not there.
    pub seq: u64,
    /// The fault at that place.
    pub fault: Fault,
}

/// Faults of a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
#[ts(rename = "AuditFault")]
#[schemars(rename = "AuditFault")]
pub enum Fault {
    /// It is no record.
    #[error("it cannot be read: {message}")]
    Unreadable {
        /// The message of the parser.
        message: String,
    },
    /// Another record stands in its place.
    #[error("record {found} stands in its place")]
    OtherSeq {
        /// The number found.
        #[ts(type = "number")]
        found: u64,
    },
    /// It does not name the hash of the record before it.
    #[error("it does not follow the record before it")]
    OtherPrevious,
    /// Its hash is not that of its content.
    #[error("its content is not what was written")]
    Changed,
    /// An anchor is not signed, or for another record.
    #[error("the anchor behind it does not fit it")]
    OtherAnchor,
    /// An anchor is signed, but not by this station.
    #[error("the anchor behind it is signed with another key than this station's")]
    OtherKey,
    /// The chain ends before it.
    #[error("it is missing")]
    Missing,
}

/// A stored record whose number and hash are those of its content.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked(AuditRecord);

/// Follows a chain line by line from its first record; an anchor stands behind the record it signs.
#[derive(Debug, Default)]
pub struct ChainCheck {
    head: Head,
    station: Option<StationId>,
    /// The public key that every anchor must be signed with; any without one.
    signer: Option<String>,
    newest_anchor: Option<Anchor>,
}

impl Default for Head {
    fn default() -> Self {
        Self { seq: 0, hash: GENESIS.to_owned() }
    }
}

impl Head {
    /// The hash of the last record, hex.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The end of a chain whose last record is known.
    pub fn at(seq: u64, hash: impl Into<String>) -> Self {
        Self { seq, hash: hash.into() }
    }

    /// The head of a stored chain from its last row. After a row that cannot be read the chain goes on from nothing,
    /// so that the break stays visible and recording goes on.
    pub fn of_row(seq: u64, line: &str) -> Self {
        let hash = serde_json::from_str(line).map_or_else(|_| GENESIS.to_owned(), |record: AuditRecord| record.hash);
        Self { seq, hash }
    }
}

impl AuditRecord {
    /// The record of `entry` that follows `head`.
    pub fn after(head: &Head, station: &StationId, now: Now, entry: AuditEntry) -> Self {
        let mut record = Self {
            seq: head.seq + 1,
            at_wall: now.wall_ms,
            at_mono: now.station.mono_ms(),
            station: station.clone(),
            actor: entry.actor,
            role: entry.role,
            origin: entry.origin,
            operation: shortened(&entry.operation, OPERATION_CHARS_MAX),
            input_hash: entry.input_hash.or_else(|| entry.inputs.map(|inputs| inputs.hash())),
            outcome: entry.outcome,
            verdict_id: entry.verdict_id,
            set_version: entry.set_version,
            epoch: entry.epoch,
            detail: shortened(&entry.detail, DETAIL_CHARS_MAX),
            prev_hash: head.hash.clone(),
            hash: String::new(),
        };
        record.hash = record.content_hash();
        record
    }

    /// The end of the chain once this record stands in it.
    pub fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash.clone() }
    }

    /// The record as one line of JSON.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn content_hash(&self) -> String {
        let mut content = serde_json::to_value(self).unwrap_or_default();
        if let Value::Object(fields) = &mut content {
            // Neither is content: the one is hashed in front of it, and the other is the result.
            fields.remove("prev_hash");
            fields.remove("hash");
        }
        let digest = Sha256::new().chain_update(&self.prev_hash).chain_update(canonical(&content)).finalize();
        hex::encode(digest)
    }
}

impl Checked {
    /// The record that a stored line holds.
    ///
    /// # Errors
    /// Names the fault of the record.
    pub fn of(line: &AuditLine) -> Result<Self, Broken> {
        let broken = |fault| Broken { seq: line.seq, fault };
        let record: AuditRecord = serde_json::from_str(&line.record)
            .map_err(|error| broken(Fault::Unreadable { message: error.to_string() }))?;
        if record.seq != line.seq {
            return Err(broken(Fault::OtherSeq { found: record.seq }));
        }
        if record.hash != record.content_hash() {
            return Err(broken(Fault::Changed));
        }
        Ok(Self(record))
    }

    /// The rest of the word in its detail that begins with `field`.
    pub fn named(&self, field: &str) -> Option<&str> {
        self.0.detail.split(' ').find_map(|part| part.strip_prefix(field))
    }

    /// True if nothing of its detail was cut off.
    pub fn is_told_whole(&self) -> bool {
        // One of exactly the limit may have been cut.
        self.0.detail.chars().count() < DETAIL_CHARS_MAX
    }
}

impl Deref for Checked {
    type Target = AuditRecord;

    fn deref(&self) -> &AuditRecord {
        &self.0
    }
}

impl ChainCheck {
    /// Follows a chain from behind a record that is known to hold.
    pub fn behind(head: Head) -> Self {
        Self { head, ..Self::default() }
    }

    /// Holds no anchor for good that is signed with another key than `signer`.
    pub fn signed_by(self, signer: Option<String>) -> Self {
        Self { signer, ..self }
    }

    /// Checks the next line.
    ///
    /// # Errors
    /// Names the first record that is not the one that was written; the check ends there.
    pub fn line(&mut self, line: &str) -> Result<(), Broken> {
        // Tried first: it has a single field, which no record has, and takes no other.
        if let Ok(AnchorLine { anchor }) = serde_json::from_str(line) {
            return self.anchor(anchor);
        }
        let seq = self.head.seq + 1;
        let broken = |fault| Broken { seq, fault };
        let record: AuditRecord =
            serde_json::from_str(line).map_err(|error| broken(Fault::Unreadable { message: error.to_string() }))?;
        if record.seq != seq {
            return Err(broken(Fault::OtherSeq { found: record.seq }));
        }
        if record.prev_hash != self.head.hash {
            return Err(broken(Fault::OtherPrevious));
        }
        if record.hash != record.content_hash() {
            return Err(broken(Fault::Changed));
        }
        self.head = record.head();
        self.station = Some(record.station);
        Ok(())
    }

    fn anchor(&mut self, anchor: Anchor) -> Result<(), Broken> {
        let seq = self.head.seq;
        // It signs a record that the chain does not reach: that one was taken out.
        if anchor.seq > seq {
            return Err(Broken { seq: seq + 1, fault: Fault::Missing });
        }
        let fits = anchor.seq == seq && anchor.hash == self.head.hash && self.station.as_ref() == Some(&anchor.station);
        if !fits || !anchor.is_signed() {
            return Err(Broken { seq: anchor.seq, fault: Fault::OtherAnchor });
        }
        if self.signer.as_ref().is_some_and(|signer| *signer != anchor.public_key) {
            return Err(Broken { seq: anchor.seq, fault: Fault::OtherKey });
        }
        self.newest_anchor = Some(anchor);
        Ok(())
    }

    /// The newest anchor that holds.
    #[must_use]
    pub fn newest_anchor(&self) -> Option<&Anchor> {
        self.newest_anchor.as_ref()
    }

    /// Checks that the chain reaches `last`, the number of the newest record that is known to have been written.
    ///
    /// # Errors
    /// Names the first missing record.
    pub fn reaches(&self, last: u64) -> Result<(), Broken> {
        if self.head.seq >= last {
            return Ok(());
        }
        Err(Broken { seq: self.head.seq + 1, fault: Fault::Missing })
    }

    /// The number of the last record that holds; 0 before the first.
    #[must_use]
    pub fn last_seq(&self) -> u64 {
        self.head.seq
    }
}

/// SHA-256 over the canonical JSON of an operation's input, hex.
pub fn input_hash(input: &Value) -> String {
    hex::encode(Sha256::digest(canonical(input)))
}

/// SHA-256 over the canonical JSON of `content`, hex.
pub fn canonical_hash(content: &impl Serialize) -> String {
    input_hash(&serde_json::to_value(content).unwrap_or_default())
}

/// Canonical JSON (RFC 8785). What has none, such as a number beyond its range, is hashed as it is written here: the
/// hash of a record never leaves its content out.
fn canonical(value: &Value) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(value).unwrap_or_else(|_| value.to_string().into_bytes())
}

fn shortened(text: &str, chars_max: usize) -> String {
    text.chars().take(chars_max).collect()
}

#[cfg(test)]
mod tests;
