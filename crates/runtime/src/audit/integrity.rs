//! The check that the stored audit is what was written. The end of the chain is checked before the station answers, all
//! of it right after; and it must fit the mark that is kept outside the database. What does not fit stays found, at
//! every start, until an administrator takes the audit as it is.

use std::time::Duration;

use memory::{AuditLine, MemoryError, StationDb};

use super::Audit;
use super::anchor::AnchorLine;
use super::chain::{Broken, Checked, Fault, Head};
use super::mark::{Base, Mark, Place};
use super::walk::{self, AuditRange};
use crate::error::{Code, OpError, RuntimeCode};

/// Longest time that arming waits until every record was followed.
const CHECK_WAIT: Duration = Duration::from_secs(2);
/// The record that says that a mark is kept from then on.
pub(super) const MARK_KEPT: &str = "audit_mark";
/// Its outcome.
pub(super) const KEPT: &str = "kept";

/// A difference between the stored audit and what was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Found {
    /// The chain of hashes or signatures does not hold.
    #[error("The audit is broken at {0}.")]
    Broken(Broken),
    /// Records after `last` are gone, although `marked` was written.
    #[error("The audit ends at record {last}, but record {marked} was written: its end was cut off.")]
    Cut {
        /// The number of the newest record that was written.
        marked: u64,
        /// The number of the newest record that is there.
        last: u64,
    },
    /// A record has another hash than the one that was marked.
    #[error("Record {seq} of the audit is not the one that was written: it was written anew.")]
    Rewritten {
        /// The number of the record.
        seq: u64,
    },
    /// No mark is there, although one was kept.
    #[error("The mark of the audit that is kept outside the database is gone.")]
    MarkGone,
    /// The mark is not readable as one.
    #[error("The mark of the audit that is kept outside the database cannot be used: {0}.")]
    MarkUnusable(String),
    /// The mark does not carry the station's signature.
    #[error("The mark of the audit that is kept outside the database is not signed with this station's key.")]
    MarkUnsigned,
    #[error(
        "The audit cannot be compared with what is kept outside the database: {0}. It is asked for again every minute."
    )]
    /// Neither copy of the mark could be asked for.
    Unread(String),
}

/// The knowledge of the stored audit so far.
#[derive(Debug, Clone, Default)]
pub struct Integrity {
    /// Every record that an earlier run has left was followed.
    pub checked: bool,
    pub found: Vec<Found>,
    pub mark: Option<Mark>,
    /// The keychain has answered in this run; before that nothing is written to it.
    pub keychain_compared: bool,
    /// The audit says that a mark is kept, so that one that is gone is missed.
    pub mark_on_record: bool,
    /// Rows found in the store without their record, and not reported yet.
    pub unrecorded: Vec<String>,
}

impl Found {
    /// The code with which arming is refused.
    pub fn code(&self) -> Code {
        match self {
            Self::Broken(_) => RuntimeCode::SetTampered.into(),
            Self::Cut { .. } | Self::Rewritten { .. } | Self::MarkGone | Self::MarkUnusable(_) | Self::MarkUnsigned => {
                RuntimeCode::AuditDiffers.into()
            }
            Self::Unread(_) => RuntimeCode::AuditUnchecked.into(),
        }
    }

    /// True if something differs from the record as written; false if it is only not known to be as written.
    pub fn is_difference(&self) -> bool {
        !matches!(self, Self::Unread(_))
    }
}

impl Integrity {
    /// True if `seen` has everything that was found.
    pub fn is_all_in(&self, seen: &[Found]) -> bool {
        self.found.iter().all(|found| seen.contains(found))
    }
}

impl Audit {
    /// Compares the end of the chain with the mark outside the database, and follows it from its newest signed anchor.
    /// To be called before anything of this run is recorded.
    pub async fn check_end(&self, db: &StationDb) -> Result<(), MemoryError> {
        let (last, mark) = (self.left, self.integrity.borrow().mark.clone());
        match &mark {
            Some(mark) => self.compare(db, mark, last).await?,
            // One that is unusable was found on opening; here it is missing.
            None if self.doubt().is_none() && self.was_marked(db).await? => self.note_found(Found::MarkGone),
            None => {}
        }
        let stretch = AuditRange::of(mark.as_ref(), self.written());
        let Some(line) = db.newest_anchor(last).await?.filter(|line| line.seq > stretch.behind.seq) else {
            return Ok(());
        };
        if line.seq <= stretch.stale_anchors {
            return Ok(());
        }
        let anchor = serde_json::from_str::<AnchorLine>(&line.anchor).ok().map(|line| line.anchor);
        let anchor = anchor.filter(|anchor| anchor.seq == line.seq && anchor.is_signed());
        let Some(anchor) = anchor else {
            self.note_found(Found::Broken(Broken { seq: line.seq, fault: Fault::OtherAnchor }));
            return Ok(());
        };
        let place = Place { seq: anchor.seq, hash: anchor.hash };
        // A signature holds only together with the very record that it was made for.
        if !stands(db, &place).await? {
            self.note_found(Found::Broken(Broken { seq: place.seq, fault: Fault::OtherAnchor }));
            return Ok(());
        }
        self.follow(db, AuditRange { behind: place.head(), ..stretch }).await
    }

    pub(super) async fn follow(&self, db: &StationDb, stretch: AuditRange) -> Result<(), MemoryError> {
        let (_, held) = walk::follow(db, stretch).await?;
        if let Err(broken) = held {
            self.note_found(Found::Broken(broken));
        }
        Ok(())
    }

    pub(super) async fn was_marked(&self, db: &StationDb) -> Result<bool, MemoryError> {
        Ok(self.evidence(db).await?.iter().any(|record| record.operation == MARK_KEPT && record.outcome == KEPT))
    }

    /// The records that stops, releases and approvals must have, oldest first.
    pub async fn evidence(&self, db: &StationDb) -> Result<Vec<Checked>, MemoryError> {
        Ok(self.believed(&db.audit_evidence().await?))
    }

    /// Those of `lines` that are whole. That others are not is found.
    pub fn believed(&self, lines: &[AuditLine]) -> Vec<Checked> {
        let base = self.base_seq();
        let checked = lines.iter().map(Checked::of);
        let believed = checked.filter_map(|checked| {
            // Faults up to there have been accepted.
            checked.map_err(|broken| (broken.seq > base).then(|| self.note_found(Found::Broken(broken)))).ok()
        });
        believed.collect()
    }

    /// Notes how the audit differs from what was written.
    pub fn note_found(&self, found: Found) {
        self.integrity.send_if_modified(|known| {
            let is_new = !known.found.contains(&found);
            if is_new {
                tracing::error!("{found}");
                known.found.push(found);
            }
            is_new
        });
    }

    /// Notes that something in the store has no record.
    pub fn note_unrecorded(&self, sentence: String) {
        self.integrity.send_modify(|known| known.unrecorded.push(sentence));
    }

    /// The knowledge so far, and every change of it.
    pub fn integrity(&self) -> &tokio::sync::watch::Sender<Integrity> {
        &self.integrity
    }

    /// The difference between the audit and what was written, if there is one.
    pub fn doubt(&self) -> Option<Found> {
        self.integrity.borrow().found.first().cloned()
    }

    /// Refuses what rests on an audit that is not what was written.
    pub fn check_undoubted(&self) -> Result<(), OpError> {
        let Some(found) = self.doubt() else { return Ok(()) };
        let message = format!("{found} An administrator must look at it and accept it on the Safety screen.");
        Err(OpError::new(found.code(), message))
    }

    /// Refuses to arm while the audit is not known to be what was written.
    pub async fn check_armable(&self) -> Result<(), OpError> {
        self.check_undoubted()?;
        // Asked again after the wait, because the check may have ended with a finding.
        if self.is_checked_soon().await {
            return self.check_undoubted();
        }
        let message = "The audit of earlier runs is still being checked. Arm again in a moment. Stopping works.";
        Err(OpError::new(RuntimeCode::AuditUnchecked, message))
    }

    /// Waits until every record was followed, but not for long.
    pub async fn is_checked_soon(&self) -> bool {
        let mut known = self.integrity.subscribe();
        tokio::time::timeout(CHECK_WAIT, known.wait_for(|known| known.checked)).await.is_ok_and(|known| known.is_ok())
    }

    /// The newest record that an administrator has taken as it was found; 0 if none has.
    pub fn base_seq(&self) -> u64 {
        let known = self.integrity.borrow();
        known.mark.as_ref().and_then(|mark| mark.base.as_ref()).map_or(0, |base| base.at.seq)
    }

    /// The end of the chain, and the newest anchor there is.
    pub async fn base_here(&self, db: &StationDb) -> Result<Base, MemoryError> {
        // Those behind the end belong to records that are gone, and are accepted with them.
        let stale_anchors = db.newest_anchor(u64::MAX).await?.map_or(0, |line| line.seq);
        Ok(Base { at: Place::from(&*self.head()), stale_anchors })
    }
}

/// True if the record of `place` is there and is what was written.
pub(super) async fn stands(db: &StationDb, place: &Place) -> Result<bool, MemoryError> {
    // Before the first record there is nothing that could differ.
    if place.head() == Head::default() {
        return Ok(true);
    }
    let line = db.audit_record(place.seq).await?;
    Ok(line.is_some_and(|line| Checked::of(&line).is_ok_and(|record| record.hash == place.hash)))
}

#[cfg(test)]
mod tests;
