//! Following the stored chain page by page. The hashes are made on a thread that may be busy, so that nothing waits.

use memory::{MemoryError, StationDb};

use super::Mark;
use super::chain::{Broken, ChainCheck, Head};

/// Records that are read at once for checking the chain.
const PAGE: u32 = 1_000;

/// A line of an export.
#[derive(Debug)]
pub struct Line {
    pub seq: u64,
    pub text: String,
    is_anchor: bool,
}

/// A stretch of the chain that is to be followed.
#[derive(Debug, Clone)]
pub struct AuditRange {
    /// The record before its first.
    pub behind: Head,
    /// Its last record.
    pub last: u64,
    /// Anchors up to this number were there before an administrator took the audit as it was found, and count no more.
    pub stale_anchors: u64,
    /// The public key that anchors must be signed with; any without one.
    pub signer: Option<String>,
}

impl AuditRange {
    /// Everything from the first record to `last`.
    pub fn whole(last: u64) -> Self {
        Self { behind: Head::default(), last, stale_anchors: 0, signer: None }
    }

    /// Everything that is to hold up to `last`: what was taken as it was found is left out.
    pub fn of(mark: Option<&Mark>, last: u64) -> Self {
        match mark.and_then(|mark| mark.base.as_ref()) {
            Some(base) => Self { behind: base.at.head(), last, stale_anchors: base.stale_anchors, signer: None },
            None => Self::whole(last),
        }
    }

    /// The same, with anchors of this public key alone.
    pub fn signed_by(self, signer: Option<String>) -> Self {
        Self { signer, ..self }
    }
}

/// At most `limit` records after `after`, each followed by its anchor if it has one; behind the last record, anchors
/// of records that are gone, up to `written`.
pub async fn with_anchors(db: &StationDb, after: u64, limit: u32, written: u64) -> Result<Vec<Line>, MemoryError> {
    let records = db.audit_after(after, limit).await?;
    let is_last = records.len() < limit as usize;
    let end = records.last().filter(|_| !is_last).map_or(written, |line| line.seq);
    let anchors = db.anchors(after + 1..=end).await?;
    let record = |line: memory::AuditLine| Line { seq: line.seq, text: line.record, is_anchor: false };
    let anchor = |line: memory::AnchorLine| Line { seq: line.seq, text: line.anchor, is_anchor: true };
    let mut lines: Vec<Line> = records.into_iter().map(record).chain(anchors.into_iter().map(anchor)).collect();
    // Stable: an anchor stays behind the record of its number.
    lines.sort_by_key(|line| line.seq);
    Ok(lines)
}

/// Follows `stretch`: how far it holds, and where it breaks if it does.
pub async fn follow(db: &StationDb, stretch: AuditRange) -> Result<(ChainCheck, Result<(), Broken>), MemoryError> {
    let AuditRange { behind, last, stale_anchors, signer } = stretch;
    let (mut after, mut checked) = (behind.seq, Ok(()));
    let mut chain = ChainCheck::behind(behind).signed_by(signer);
    while checked.is_ok() && after < last {
        let mut lines = with_anchors(db, after, PAGE, last).await?;
        let Some(newest) = lines.last() else { break };
        after = newest.seq;
        // Records of this run may have been appended since; they are not part of the stretch.
        lines.retain(|line| line.seq <= last && !(line.is_anchor && line.seq <= stale_anchors));
        let page = move || {
            let checked = lines.iter().try_for_each(|line| chain.line(&line.text));
            (chain, checked)
        };
        // A page that panics is a bug that must show; there is nothing in it that waits or is cancelled.
        (chain, checked) = match tokio::task::spawn_blocking(page).await {
            Ok(followed) => followed,
            Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
        };
    }
    let reached = checked.and_then(|()| chain.reaches(last));
    Ok((chain, reached))
}
