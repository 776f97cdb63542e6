//! The audit: reading it, checking its chain, taking it along.

use std::sync::Arc;

use robot::{Effect, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Operation;
use crate::code::StationCode;
use crate::{Station, integrity};
use runtime::audit::{AuditRange, AuditRecord, Found, follow, with_anchors};
use runtime::error::OpError;
use runtime::operation::{ALL, Nothing, Terms, UI, given, row};
use runtime::session::Session;
use runtime::wire::{AuditAccepted, AuditCheck, AuditExport, AuditState};

/// Records `list_audit` gives if no limit is named.
const RECORDS_DEFAULT: u32 = 200;
/// Records it gives at most.
const RECORDS_MAX: u32 = 1_000;
/// Records of one page of an export, at about 600 bytes each a few megabytes.
const EXPORT_RECORDS_MAX: u32 = 5_000;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Viewer};
    vec![
        row(
            "list_audit",
            Terms(Viewer, Read, UI, Trust::Text),
            "Records of acts, refusals and commands sent, oldest first.",
            list_audit,
        ),
        row(
            "verify_audit",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Checks that no record was changed or removed.",
            verify_audit,
        ),
        row(
            "export_audit",
            Terms(Admin, Read, UI, Trust::Text),
            "Records as lines of JSON, to check elsewhere.",
            export_audit,
        ),
        row(
            "audit_state",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Differences between the stored audit and what was written, if any.",
            audit_state,
        ),
        row(
            "accept_audit",
            Terms(Admin, Write, UI, Trust::Text),
            "Takes an audit that differs from what was written as it was found, with its limits.",
            accept_audit,
        )
        .example(json!({"found": ["record 41 is missing"], "reason": "The disk was replaced."})),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListAudit {
    /// The oldest records after this one; the newest ones of all if this and `from_ms` are left out.
    after: Option<u64>,
    /// The oldest records from this time on, Unix milliseconds.
    from_ms: Option<i64>,
    /// At most so many, 1 to 1,000.
    limit: Option<u32>,
}

async fn list_audit(station: Arc<Station>, _: Session, input: ListAudit) -> Result<Vec<AuditRecord>, OpError> {
    let limit = input.limit.unwrap_or(RECORDS_DEFAULT);
    if !(1..=RECORDS_MAX).contains(&limit) {
        return Err(OpError::out_of_range("limit", 1, RECORDS_MAX));
    }
    // Records are written in batches; whoever reads after an act expects it to be there.
    station.runtime.audit.settle().await;
    let db = &station.runtime.db;
    let before = match input.from_ms {
        Some(from_ms) => Some(db.audit_before(from_ms).await?),
        None => None,
    };
    let lines = match input.after.max(before) {
        Some(after) => db.audit_after(after, limit).await?,
        None => db.audit_newest(limit).await?,
    };
    let parsed = lines.iter().map(|line| {
        serde_json::from_str(&line.record).map_err(|error| {
            let message = format!("Record {} cannot be read: {error}. Run verify_audit.", line.seq);
            OpError::new(StationCode::AuditBroken, message).with(serde_json::json!({ "seq": line.seq }))
        })
    });
    parsed.collect()
}

async fn verify_audit(station: Arc<Station>, _: Session, _: Nothing) -> Result<AuditCheck, OpError> {
    let (audit, db) = (&station.runtime.audit, &station.runtime.db);
    // Records go on being written, so the check ends at what is on disk now.
    let written = audit.written();
    let (chain, checked) = follow(db, AuditRange::whole(written).signed_by(audit.signer())).await?;
    let mark = audit.integrity().borrow().mark.clone();
    let accepted_up_to = mark.as_ref().and_then(|mark| mark.base.as_ref()).map(|base| base.at.seq);
    let signing = audit.signing();
    // An anchor under any other key proves nothing (decision 0124).
    let newest = chain.newest_anchor().filter(|anchor| Some(&anchor.public_key) == signing.public_key.as_ref());
    let signed_up_to = newest.map(|anchor| anchor.seq);
    let broken = checked.err();
    if let Some(broken) = &broken {
        // A fault that an administrator has accepted stays in the report, and keeps nothing from moving.
        let behind_base = AuditRange::of(mark.as_ref(), written).signed_by(audit.signer());
        let is_accepted = accepted_up_to.is_some() && follow(db, behind_base).await?.1.is_ok();
        if !is_accepted {
            audit.note_found(Found::Broken(broken.clone()));
        }
    }
    Ok(AuditCheck {
        intact: broken.is_none(),
        verified: chain.last_seq(),
        first_broken_seq: broken.as_ref().map(|broken| broken.seq),
        fault: broken.as_ref().map(|broken| broken.fault.to_string()),
        fault_kind: broken.map(|broken| broken.fault),
        signed_up_to,
        signing,
        accepted_up_to,
    })
}

async fn audit_state(station: Arc<Station>, _: Session, _: Nothing) -> Result<AuditState, OpError> {
    Ok(integrity::state(&station))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AcceptAudit {
    /// Reason for which the findings may stand, 1 to 500 characters.
    reason: String,
    /// Everything that was found, as `audit_state` has given it. Refused if more is found by now.
    found: Vec<String>,
}

async fn accept_audit(station: Arc<Station>, by: Session, input: AcceptAudit) -> Result<AuditAccepted, OpError> {
    given(&input.reason)?;
    integrity::accept(&station, &by, &input.found).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExportAudit {
    /// Only records after this one: `next` of the page before.
    after: Option<u64>,
}

async fn export_audit(station: Arc<Station>, _: Session, input: ExportAudit) -> Result<AuditExport, OpError> {
    // Signed first, so that the newest records can be checked elsewhere too.
    station.runtime.audit.anchor(&station.runtime.db).await?;
    let after = input.after.unwrap_or(0);
    let lines = with_anchors(&station.runtime.db, after, EXPORT_RECORDS_MAX, station.runtime.audit.written()).await?;
    let full = lines.len() >= EXPORT_RECORDS_MAX as usize;
    // A page that is exactly full may be the last; the next one is empty then.
    let next = lines.last().map(|line| line.seq).filter(|_| full);
    let jsonl = lines.into_iter().map(|line| line.text + "\n").collect();
    Ok(AuditExport { jsonl, next })
}
