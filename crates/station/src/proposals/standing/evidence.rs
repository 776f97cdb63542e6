//! The record of a standing approval, and whether a stored one is what was granted.

use std::collections::BTreeMap;

use memory::StandingApproval;

use runtime::audit::{AuditEntry, Checked, canonical_hash};
use runtime::session::Session;

/// Approvals that were granted and have not ended, as the records say.
pub(super) struct Granted {
    /// The hash over each.
    hashes: BTreeMap<String, String>,
    /// Number of uses of each.
    uses: BTreeMap<String, u64>,
}

/// The record of a grant.
pub(super) fn record(by: &Session, row: &StandingApproval, hours: f64) -> AuditEntry {
    let about = format!("id={} robot={} count={} hours={hours}", row.id, row.robot, row.uses_max);
    let entry = AuditEntry::by(by, "standing_approval", "granted").about(about);
    AuditEntry { input_hash: Some(hash(row)), ..entry }
}

/// The grants and uses in `records`, oldest first.
pub(super) fn granted(records: &[Checked]) -> Granted {
    let mut granted = Granted { hashes: BTreeMap::new(), uses: BTreeMap::new() };
    for record in records {
        match (record.operation.as_str(), record.outcome.as_str(), &record.input_hash) {
            ("standing_approval", "granted", Some(hash)) => {
                let id = record.named("id=").unwrap_or_default();
                granted.hashes.insert(id.to_owned(), hash.clone());
            }
            ("standing_approval", "ended", _) => drop(granted.hashes.remove(record.named("id=").unwrap_or_default())),
            ("approval", "ok", _) => {
                if let Some(id) = record.named("standing_approval=") {
                    *granted.uses.entry(id.to_owned()).or_default() += 1;
                }
            }
            (_, _, _) => {}
        }
    }
    granted
}

impl Granted {
    /// True if `row` is what was granted, and was used no more often than it says.
    pub fn holds(&self, row: &StandingApproval) -> bool {
        // A row with fewer uses than there are records was changed to be used more often.
        self.hashes.get(&row.id) == Some(&hash(row)) && row.uses >= self.uses.get(&row.id).copied().unwrap_or(0)
    }
}

/// SHA-256 over everything of it that does not change, hex.
fn hash(row: &StandingApproval) -> String {
    canonical_hash(&serde_json::json!({
        "id": row.id,
        "robot": row.robot,
        "mission": row.mission,
        "operation": row.operation,
        "envelope": row.envelope,
        "uses_max": row.uses_max,
        "granted_by": row.granted_by,
        "granted_ms": row.granted_ms,
        "expires_ms": row.expires_ms,
        "set_version": row.set_version,
        "stop_id": row.stop_id,
    }))
}

#[cfg(test)]
mod tests;
