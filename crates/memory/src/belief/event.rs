//! Events in the history of a belief, and the evidence for each.

use robot::{ConversationId, Scalar};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use world::Entry;

use super::BeliefId;

/// The longest text value that evidence quotes, in bytes: with keys and names it stays below 2 KiB.
const EVIDENCE_TEXT_BYTES_MAX: usize = 1_024;
/// The longest key expression that evidence quotes, in bytes.
const EVIDENCE_SOURCE_BYTES_MAX: usize = 256;

/// The kind of event in a row of a belief's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "BeliefChangeKind")]
pub enum ChangeKind {
    /// It was first held.
    Created,
    /// Its value was said or seen again.
    Confirmed,
    /// Another value was said or seen; `value` of the row is that one.
    Contradicted,
    /// Another value took its place.
    Replaced,
    /// A person put another value in its place.
    Corrected,
    /// A person keeps it from decaying.
    Pinned,
    /// A person lets it decay again.
    Unpinned,
    /// Text of it was forgotten.
    Forgotten,
}

/// The evidence for a change. Its fields stay readable when sample and recording are gone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(untagged)]
#[ts(rename = "BeliefEvidence")]
pub enum Evidence {
    /// A value of the world state, as it was shown.
    Sample {
        /// The world key.
        key: String,
        /// Its value.
        value: Scalar,
        /// 0 to 1; null = unknown.
        confidence: Option<f64>,
        /// When it was true, Unix milliseconds.
        #[ts(type = "number")]
        observed_ms: i64,
        /// When it arrived, Unix milliseconds.
        #[ts(type = "number")]
        received_ms: i64,
        /// Number of its sample on the subscription: with key expression and arrival it names the sample.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        n: Option<u64>,
        /// The key expression it came on.
        source: String,
        /// The provider that made it.
        provider: String,
    },
    /// A call of the agent.
    Turn {
        /// The conversation.
        session: ConversationId,
        /// The entry that holds the call.
        #[ts(type = "number")]
        entry: u64,
    },
    /// A person.
    Operator {
        /// The name of the person.
        operator: String,
        /// Of a pin: until when, Unix seconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(type = "number", optional)]
        pinned_until: Option<i64>,
    },
    /// A program.
    Program {
        /// The name of the program.
        program: String,
    },
}

/// One row of a belief's history.
#[derive(Debug, Clone, PartialEq)]
pub struct BeliefEvent {
    /// The belief.
    pub belief: BeliefId,
    /// Unix milliseconds.
    pub at_ms: i64,
    /// The kind of event.
    pub kind: ChangeKind,
    /// The value it was about: of a contradiction, the other one.
    pub value: String,
    /// Effective confidence before; none for a new belief.
    pub confidence_before: Option<f64>,
    /// Effective confidence after.
    pub confidence_after: Option<f64>,
    /// The name of its author.
    pub by: String,
    /// The evidence for it.
    pub evidence: Option<Evidence>,
}

impl Evidence {
    /// The entry that was shown; `observed_ms` is its `observed_at` on the wall clock.
    #[must_use]
    pub fn of_entry(entry: &Entry, observed_ms: i64) -> Self {
        let value = match &entry.value {
            Scalar::Text(text) => Scalar::Text(cut(text, EVIDENCE_TEXT_BYTES_MAX)),
            Scalar::Int(_) | Scalar::Float(_) | Scalar::Bool(_) => entry.value.clone(),
        };
        Self::Sample {
            key: entry.key.to_string(),
            value,
            confidence: entry.confidence,
            observed_ms,
            received_ms: entry.received_ms,
            n: entry.sample_n,
            source: cut(&entry.source, EVIDENCE_SOURCE_BYTES_MAX),
            provider: entry.provider.0.to_string(),
        }
    }
}

fn cut(text: &str, bytes_max: usize) -> String {
    text[..text.floor_char_boundary(bytes_max)].to_owned()
}
