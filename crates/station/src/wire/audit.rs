//! The audit on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The answer of `verify_audit`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AuditCheck {
    /// True if every record up to the newest is as it was written.
    pub intact: bool,
    /// The last record up to which the chain holds.
    #[ts(type = "number")]
    pub verified: u64,
    /// The first record that is not the one that was written.
    #[ts(type = "number | null")]
    pub first_broken_seq: Option<u64>,
    /// What is wrong with it.
    pub fault: Option<String>,
}

/// The answer of `export_audit`. Pages one after the other in one file are what `quarterdeck-server verify-audit` reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AuditExport {
    /// One record a line, as it was hashed.
    pub jsonl: String,
    /// `after` of the next page; null at the end.
    #[ts(type = "number | null")]
    pub next: Option<u64>,
}
