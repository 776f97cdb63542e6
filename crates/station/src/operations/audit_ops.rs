//! The audit: reading it, checking its chain, taking it along.

use std::sync::Arc;

use robot::{Effect, Role};
use schemars::JsonSchema;
use serde::Deserialize;
use world::alarm::{BuiltIn, Of};

use super::table::{ALL, Nothing, Operation, Terms, UI, row};
use crate::audit::{AuditRecord, ChainCheck};
use crate::wire::{AuditCheck, AuditExport};
use crate::{OpError, Session, Station};

/// Records `list_audit` gives if no limit is named.
const RECORDS_DEFAULT: u32 = 200;
/// Records it gives at most.
const RECORDS_MAX: u32 = 1_000;
/// Records of one page of an export, at about 600 bytes each a few megabytes.
const EXPORT_RECORDS_MAX: u32 = 5_000;
/// Records that are read at once for checking the chain.
const CHECK_PAGE: u32 = 1_000;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::Read;
    use Role::{Admin, Viewer};
    vec![
        row("list_audit", Terms(Viewer, Read, UI), "What was done, refused and sent, oldest first.", list_audit),
        row("verify_audit", Terms(Viewer, Read, ALL), "Checks that no record was changed or removed.", verify_audit),
        row("export_audit", Terms(Admin, Read, UI), "Records as lines of JSON, to check elsewhere.", export_audit),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListAudit {
    /// The oldest records after this one; the newest ones of all if left out.
    after: Option<u64>,
    /// At most so many, 1 to 1,000.
    limit: Option<u32>,
}

async fn list_audit(station: Arc<Station>, _: Session, input: ListAudit) -> Result<Vec<AuditRecord>, OpError> {
    let limit = input.limit.unwrap_or(RECORDS_DEFAULT);
    if !(1..=RECORDS_MAX).contains(&limit) {
        return Err(OpError::out_of_range("limit", 1, RECORDS_MAX));
    }
    station.audit.settle().await;
    let lines = match input.after {
        Some(after) => station.db.audit_after(after, limit).await?,
        None => station.db.audit_newest(limit).await?,
    };
    let parsed = lines.iter().map(|line| {
        serde_json::from_str(&line.record).map_err(|error| {
            let message = format!("Record {} cannot be read: {error}. Run verify_audit.", line.seq);
            OpError::conflict("audit_broken", message).with(serde_json::json!({ "seq": line.seq }))
        })
    });
    parsed.collect()
}

async fn verify_audit(station: Arc<Station>, _: Session, _: Nothing) -> Result<AuditCheck, OpError> {
    let written = station.audit.written();
    let mut chain = ChainCheck::default();
    let mut after = 0;
    let mut checked = Ok(());
    while checked.is_ok() {
        let lines = with_anchors(&station, after, CHECK_PAGE).await?;
        let Some(last) = lines.last() else { break };
        after = last.seq;
        checked = lines.iter().try_for_each(|line| chain.line(&line.text));
    }
    let signing = station.audit.signing();
    let newest = chain.newest_anchor().filter(|anchor| Some(&anchor.public_key) == signing.public_key.as_ref());
    let signed_up_to = newest.map(|anchor| anchor.seq);
    let broken = checked.and_then(|()| chain.reaches(written)).err();
    let sentence = || broken.as_ref().map_or_else(String::new, |broken| format!("The audit is broken at {broken}."));
    if broken.is_some() {
        station.hub.event("audit_broken", sentence());
    }
    station.alarms.set(BuiltIn::AuditChainBroken, &Of::station(), broken.is_some(), sentence);
    Ok(AuditCheck {
        intact: broken.is_none(),
        verified: chain.last_seq(),
        first_broken_seq: broken.as_ref().map(|broken| broken.seq),
        fault: broken.map(|broken| broken.fault.to_string()),
        signed_up_to,
        signing,
    })
}

/// A line of an export.
struct Line {
    seq: u64,
    text: String,
}

/// At most `limit` records after `after`, each followed by its anchor if it has one; behind the last record, anchors
/// of records that are gone.
async fn with_anchors(station: &Station, after: u64, limit: u32) -> Result<Vec<Line>, OpError> {
    let written = station.audit.written();
    let records = station.db.audit_after(after, limit).await?;
    let is_last = records.len() < limit as usize;
    let end = records.last().filter(|_| !is_last).map_or(written, |line| line.seq);
    let anchors = station.db.anchors(after + 1..=end).await?;
    let mut lines: Vec<Line> = records.into_iter().map(|line| Line { seq: line.seq, text: line.record }).collect();
    lines.extend(anchors.into_iter().map(|line| Line { seq: line.seq, text: line.anchor }));
    // Stable: an anchor stays behind the record of its number.
    lines.sort_by_key(|line| line.seq);
    Ok(lines)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExportAudit {
    /// Only records after this one: `next` of the page before.
    after: Option<u64>,
}

async fn export_audit(station: Arc<Station>, _: Session, input: ExportAudit) -> Result<AuditExport, OpError> {
    station.audit.anchor(&station.db).await?;
    let lines = with_anchors(&station, input.after.unwrap_or(0), EXPORT_RECORDS_MAX).await?;
    let full = lines.len() >= EXPORT_RECORDS_MAX as usize;
    let next = lines.last().map(|line| line.seq).filter(|_| full);
    let jsonl = lines.into_iter().map(|line| line.text + "\n").collect();
    Ok(AuditExport { jsonl, next })
}
