//! Events on the wire.

use robot::AgentId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Something that happened and needs no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EventRow {
    /// Rises with every event; that of the last row is `after` of the next page.
    #[ts(type = "number")]
    pub seq: u64,
    /// The agent it belongs to; null for the station's own.
    pub agent: Option<AgentId>,
    /// When it last happened, Unix seconds.
    #[ts(type = "number")]
    pub happened_at: i64,
    /// Stable code, snake_case.
    pub code: String,
    /// A description of the event, for people.
    pub sentence: String,
    /// Number of times it happened in a row.
    #[ts(type = "number")]
    pub count: u64,
}
