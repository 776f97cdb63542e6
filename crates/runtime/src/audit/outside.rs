//! The comparison with the copies outside the database, the signing key and the keychain's copy of the mark, and the
//! keeping of the mark. An unreadable copy has not been compared: it is asked for again, and never overwritten before.

use std::io;
use std::sync::atomic::Ordering;

use memory::{MemoryError, StationDb};

use super::anchoring::Signing;
use super::integrity::{Found, KEPT, MARK_KEPT, stands};
use super::mark::{Base, Kept, Mark, MarkWriter, Place};
use super::walk::AuditRange;
use super::{Audit, AuditEntry};
use crate::crash::{self, CrashPoint};
use crate::error::{OpError, RuntimeCode};
use crate::secrets::KeyStore;

impl Audit {
    /// Follows everything that earlier runs have left, with anchors of this station's key alone, and compares it with
    /// the mark in the keychain. Nothing is armed before this has succeeded once.
    pub async fn check_whole(&self, db: &StationDb) -> Result<(), MemoryError> {
        // The key before the chain: without it an anchor of any key would hold.
        let signing = self.key_answer().await;
        let kept = self.marks.in_keychain().await;
        let in_file = self.integrity.borrow().mark.clone();
        let (trusted, unread) = self.trusted_mark(db, &signing, &kept).await?;
        let last = self.left.max(self.anchored.load(Ordering::Acquire));
        self.follow(db, AuditRange::of(trusted.as_ref(), last).signed_by(self.signer())).await?;
        let unread = match self.compare_kept(db, in_file.as_ref(), kept).await? {
            // Without earlier records there is nothing that the keychain could contradict.
            Err(why) if signing.key().is_some() && self.left > 0 => Some(why),
            Ok(()) | Err(_) => unread,
        };
        let mark_on_record = self.was_marked(db).await?;
        self.integrity.send_modify(|known| {
            known.found.retain(|found| !matches!(found, Found::Unread(_)));
            known.found.extend(unread.map(Found::Unread));
            known.checked = true;
            known.mark_on_record = mark_on_record;
        });
        self.anchor_asked.notify_one();
        Ok(())
    }

    /// The key, once there is an answer to the question for it.
    async fn key_answer(&self) -> Signing {
        let mut signing = self.signing.subscribe();
        let answered = async { signing.wait_for(|signing| !matches!(signing, Signing::Awaited)).await.is_ok() };
        tokio::select! {
            _ = answered => {}
            () = self.ended.cancelled() => {}
        }
        self.signing.borrow().clone()
    }

    /// The mark in the file, and why the key that has signed earlier runs cannot be read, if it cannot. A mark that is
    /// not this station's word is found, and counts for nothing.
    async fn trusted_mark(
        &self,
        db: &StationDb,
        signing: &Signing,
        kept: &Kept,
    ) -> Result<(Option<Mark>, Option<String>), MemoryError> {
        // The anchor is read before the mark. A station that signs writes
        // them in the other order, so this mark is at least as new.
        let newest = db.newest_anchor(u64::MAX).await?.map_or(0, |line| line.seq);
        let mark = self.integrity.borrow().mark.clone();
        let is_anchored = newest > AuditRange::of(mark.as_ref(), 0).stale_anchors;
        let is_signed = mark.as_ref().is_some_and(|mark| mark.signature.is_some());
        let key = match signing {
            Signing::Signed(key) => key,
            Signing::Unsigned(why) => {
                return Ok((mark, (self.left > 0 && (is_signed || is_anchored)).then(|| why.sentence.clone())));
            }
            // The station ends.
            Signing::Awaited => return Ok((mark, None)),
        };
        // An unsigned mark counts if the keychain has the same base, or if no run before ever had a key.
        let is_own = mark.as_ref().is_none_or(|mark| {
            let is_copy = matches!(kept, Kept::Mark(kept) if kept.base == mark.base);
            let is_of_a_run_without_key = mark.base.is_none() && !is_anchored;
            mark.is_signed_with(key) || !is_signed && (is_copy || is_of_a_run_without_key)
        });
        if is_own {
            return Ok((mark, None));
        }
        self.note_found(Found::MarkUnsigned);
        self.integrity.send_modify(|known| known.mark = None);
        Ok((None, None))
    }

    /// Compares the stored audit with the keychain's mark; the inner error says why there was no answer.
    async fn compare_kept(
        &self,
        db: &StationDb,
        in_file: Option<&Mark>,
        kept: Kept,
    ) -> Result<Result<(), String>, MemoryError> {
        // A mark of this run may lie in the keychain once the one of earlier runs was compared.
        let last = if self.integrity.borrow().keychain_compared { self.last_seq() } else { self.left };
        match kept {
            Kept::Nothing => {}
            Kept::Mark(mark) => {
                self.compare(db, &mark, last).await?;
                match in_file {
                    None => self.note_found(Found::MarkGone),
                    Some(in_file) if in_file.base != mark.base => {
                        self.note_found(Found::MarkUnusable("the file and the keychain differ".to_owned()));
                    }
                    Some(_) => {}
                }
            }
            Kept::NoMark(error) => self.note_found(Found::MarkUnusable(error)),
            Kept::Unreadable(why) => {
                tracing::warn!(why, "the mark of the audit in the keychain is not compared");
                return Ok(Err(why));
            }
        }
        self.integrity.send_if_modified(|known| {
            known.keychain_compared = true;
            false
        });
        Ok(Ok(()))
    }

    /// Asks again for what could not be read so far, and checks everything if there is an answer now.
    pub(super) async fn ask_again(&self, db: &StationDb, keys: KeyStore) {
        self.keychain_rests.store(false, Ordering::Release);
        let (is_checked, is_compared) = {
            let known = self.integrity.borrow();
            (known.checked, known.keychain_compared)
        };
        let is_signed = self.signer().is_some();
        // The first check asks for everything itself; after it only what was not answered is asked for again.
        if !is_checked || is_signed && is_compared {
            return;
        }
        if !is_signed {
            self.look_up_key(keys).await;
            if self.signer().is_none() {
                return;
            }
        } else if matches!(self.marks.in_keychain().await, Kept::Unreadable(_)) {
            return;
        }
        if let Err(error) = self.check_whole(db).await {
            tracing::error!(error = &error as &dyn std::error::Error, "the audit cannot be checked");
        }
    }

    /// Takes the audit as it was found: from `base` on it counts. `seen` is everything that was shown to the
    /// administrator who accepts; refused if more was found since.
    pub async fn accept(&self, base: Base, seen: &[Found]) -> Result<(), OpError> {
        let marks = self.keeping.lock().await;
        let before = self.integrity.borrow().mark.as_ref().and_then(|mark| mark.base.clone());
        if !self.integrity.borrow().is_all_in(seen) {
            return Err(found_more());
        }
        let mark = self.mark_here(Some(base));
        // The file first: an acceptance that the next start does not know would be none.
        marks.keep_in_file(&mark).await.map_err(|error| not_accepted(&error))?;
        let is_accepted = self.integrity.send_if_modified(|known| {
            let is_all = known.is_all_in(seen);
            if is_all {
                known.found.clear();
                known.mark = Some(mark.clone());
            }
            is_all
        });
        if !is_accepted {
            // The next start must look behind the old base again.
            marks.keep_in_file(&self.mark_here(before)).await.map_err(|error| not_accepted(&error))?;
            return Err(found_more());
        }
        // Records that were cut off are accepted as gone, so none is missed up to their number.
        self.anchored.store(0, Ordering::Release);
        self.copy_to_keychain(&marks, &mark).await;
        self.anchor_asked.notify_one();
        Ok(())
    }

    fn mark_here(&self, base: Option<Base>) -> Mark {
        let end = Place::from(&*self.head());
        let mark = Mark { station: self.station.clone(), end, base, signature: None };
        mark.signed(self.signing.borrow().key())
    }

    /// True if a data directory that was put back whole to an earlier state would not be noticed.
    pub fn is_blind_to_a_whole_rollback(&self) -> bool {
        self.marks.are_in_files_alone()
    }

    /// True if everything was checked and nothing is in doubt.
    pub(super) fn is_sound(&self) -> bool {
        let known = self.integrity.borrow();
        known.checked && known.found.is_empty()
    }

    /// Keeps the end of the chain outside the database, unless the audit is in doubt: then what was kept stays.
    pub(super) async fn keep_mark(&self) {
        let marks = self.keeping.lock().await;
        if !self.is_sound() || self.head().seq == 0 {
            return;
        }
        let before = self.integrity.borrow().mark.clone();
        let mark = self.mark_here(before.as_ref().and_then(|mark| mark.base.clone()));
        let kept: io::Result<()> =
            if before.as_ref() == Some(&mark) { Ok(()) } else { marks.keep_in_file(&mark).await };
        match kept {
            Ok(()) => self.mark_is_kept(&mark).await,
            Err(error) => tracing::error!(%error, "the mark of the audit is not kept"),
        }
        self.copy_to_keychain(&marks, &mark).await;
    }

    /// Keeps the mark in the keychain too, once the one that earlier runs have left there was compared.
    async fn copy_to_keychain(&self, marks: &MarkWriter, mark: &Mark) {
        if !self.integrity.borrow().keychain_compared || self.keychain_rests.load(Ordering::Acquire) {
            return;
        }
        if let Err(error) = marks.keep_in_keychain(mark).await {
            tracing::warn!(%error, "the mark of the audit is kept in its file alone");
            self.keychain_rests.store(true, Ordering::Release);
        }
    }

    /// Notes the mark, and puts on record that there is one. The file comes first: a record of a mark that was never
    /// written would look like a mark that was taken away.
    async fn mark_is_kept(&self, mark: &Mark) {
        crash::point(CrashPoint::AuditMark);
        if !self.integrity.borrow().mark_on_record
            && let Err(error) = self.commit(AuditEntry::by_station(MARK_KEPT, KEPT)).await
        {
            tracing::error!(%error, "it is not on record that a mark of the audit is kept");
            return;
        }
        self.integrity.send_if_modified(|known| {
            known.mark = Some(mark.clone());
            known.mark_on_record = true;
            false
        });
    }

    /// Compares the stored audit, whose newest record is `last`, with a mark.
    pub(super) async fn compare(&self, db: &StationDb, mark: &Mark, last: u64) -> Result<(), MemoryError> {
        for place in [Some(&mark.end), mark.base.as_ref().map(|base| &base.at)].into_iter().flatten() {
            if place.seq > last {
                self.note_found(Found::Cut { marked: place.seq, last });
            } else if !stands(db, place).await? {
                self.note_found(Found::Rewritten { seq: place.seq });
            }
        }
        Ok(())
    }
}

/// A difference was found that the administrator who accepts has not seen.
pub fn found_more() -> OpError {
    let message = "More was found than was shown. Nothing was accepted; look at what is found now.";
    OpError::new(RuntimeCode::AuditFoundMore, message)
}

fn not_accepted(error: &io::Error) -> OpError {
    let message = format!("The mark of the audit cannot be kept: {error}. Nothing was accepted.");
    OpError::new(RuntimeCode::AuditMarkFailed, message)
}

#[cfg(test)]
mod tests;
