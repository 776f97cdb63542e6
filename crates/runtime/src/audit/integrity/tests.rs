use std::sync::Arc;

use ed25519_dalek::SigningKey;
use memory::AnchorLine as StoredAnchor;
use robot::{Now, StationId};

use super::*;
use crate::audit::anchoring::Signing;
use crate::audit::chain::AuditRecord;
use crate::audit::mark::MARK_FILE;
use crate::audit::{AuditEntry, Marks};
use crate::clock::Clock;
use crate::secrets::KeyStore;

/// The files that a run leaves on disk.
#[derive(Clone)]
struct Left {
    lines: Vec<AuditLine>,
    anchors: Vec<StoredAnchor>,
    mark: Option<String>,
}

fn station() -> StationId {
    StationId::new("desk-1").unwrap()
}

impl Left {
    /// The files that two runs leave, each signed at its end.
    async fn by_two_runs() -> Self {
        let nothing = Self { lines: Vec::new(), anchors: Vec::new(), mark: None };
        nothing.run().await.run().await
    }

    /// A folder with this in it.
    async fn put(&self) -> (tempfile::TempDir, StationDb) {
        let folder = tempfile::tempdir().unwrap();
        let db = StationDb::open(&folder.path().join("station.db")).await.unwrap();
        db.append_audit(&self.lines).await.unwrap();
        for anchor in &self.anchors {
            db.append_anchor(anchor).await.unwrap();
        }
        if let Some(mark) = &self.mark {
            std::fs::write(folder.path().join(MARK_FILE), mark).unwrap();
        }
        (folder, db)
    }

    async fn of(folder: &tempfile::TempDir, db: &StationDb) -> Self {
        Self {
            lines: db.audit_after(0, 10_000).await.unwrap(),
            anchors: db.anchors(1..=10_000).await.unwrap(),
            mark: std::fs::read_to_string(folder.path().join(MARK_FILE)).ok(),
        }
    }

    async fn run(&self) -> Self {
        let (folder, db) = self.put().await;
        let audit = start(&folder, &db).await;
        audit.check_whole(&db).await.unwrap();
        assert_eq!(audit.doubt(), None);
        go_on(&audit, &db).await;
        Self::of(&folder, &db).await
    }

    /// Findings of the next start: at the end of the chain alone, and in all of it.
    async fn found(&self) -> (Vec<Found>, Vec<Found>) {
        let (folder, db) = self.put().await;
        let audit = start(&folder, &db).await;
        let at_start = audit.integrity().borrow().found.clone();
        audit.check_whole(&db).await.unwrap();
        let found = audit.integrity().borrow().found.clone();
        (at_start, found)
    }

    fn last(&self) -> u64 {
        self.lines.len() as u64
    }

    fn cut_to(&self, seq: u64) -> Self {
        let mut left = self.clone();
        left.lines.retain(|line| line.seq <= seq);
        left
    }

    fn without_anchors(&self, after: u64) -> Self {
        let mut left = self.clone();
        left.anchors.retain(|anchor| anchor.seq <= after);
        left
    }
}

async fn start(folder: &tempfile::TempDir, db: &StationDb) -> Arc<Audit> {
    let marks = Marks::new(folder.path(), KeyStore::Environment);
    let audit = Arc::new(Audit::open(db, station(), Clock::start(), marks).await.unwrap());
    audit.signing.send_replace(Signing::Signed(SigningKey::from_bytes(&[7; 32])));
    audit.check_end(db).await.unwrap();
    audit
}

/// Some records, an anchor, and the end.
async fn go_on(audit: &Arc<Audit>, db: &StationDb) {
    audit.start(db.clone());
    for n in 0..9 {
        audit.note_done(AuditEntry::by_station("start", "ok").about(format!("n={n}")));
    }
    audit.commit(AuditEntry::by_station("epoch", "ok")).await.unwrap();
    audit.anchor(db).await.unwrap();
    audit.note_done(AuditEntry::by_station("shutdown", "ok"));
    audit.end().await;
}

#[tokio::test]
async fn what_two_runs_have_left_fits_its_mark() {
    let left = Left::by_two_runs().await;
    assert!(left.mark.as_ref().is_some_and(|mark| mark.contains(&format!("\"seq\":{}", left.last()))));
    assert_eq!(left.found().await, (Vec::new(), Vec::new()));
    let unmarked = Left { lines: left.lines[..3].to_vec(), anchors: Vec::new(), mark: None };
    assert_eq!(unmarked.found().await, (Vec::new(), Vec::new()), "a version before marks has left none");
}

#[tokio::test]
async fn c11_a_cut_tail_is_found_before_the_station_answers_with_its_anchors_and_without() {
    let left = Left::by_two_runs().await;
    let last = left.last();
    let cut = left.cut_to(last - 5);
    let found = Found::Cut { marked: last, last: last - 5 };
    assert_eq!(found.code(), "audit_differs");
    let (at_start, _) = cut.without_anchors(last - 5).found().await;
    assert_eq!(at_start, std::slice::from_ref(&found));
    let (at_start, whole) = cut.found().await;
    let missing = Found::Broken(Broken { seq: last - 4, fault: Fault::Missing });
    assert_eq!((at_start.first(), at_start.last()), (Some(&found), Some(&missing)));
    assert_eq!(whole, at_start);
}

#[tokio::test]
async fn c11_a_wiped_audit_and_a_mark_that_is_gone_or_edited_are_found() {
    let left = Left::by_two_runs().await;
    let wiped = Left { lines: Vec::new(), anchors: Vec::new(), ..left.clone() };
    assert_eq!(wiped.found().await.0, [Found::Cut { marked: left.last(), last: 0 }]);
    let unmarked = Left { mark: None, ..left.clone() };
    assert_eq!(unmarked.found().await.0, [Found::MarkGone]);
    let edited = Left { mark: Some("{}".to_owned()), ..left };
    assert!(matches!(edited.found().await.0[..], [Found::MarkUnusable(_)]));
}

#[tokio::test]
async fn c11_a_run_that_ended_before_its_first_mark_was_on_record_is_no_edit_and_the_next_run_records_it() {
    let left = Left::by_two_runs().await;
    let is_mark = |line: &AuditLine| Checked::of(line).is_ok_and(|record| record.operation == MARK_KEPT);
    let marked = left.lines.iter().find(|line| is_mark(line)).unwrap().seq;
    let cut = left.cut_to(marked - 1).without_anchors(marked - 1);
    let (folder, db) = cut.put().await;
    let end = Place::from(&*start(&folder, &db).await.head());
    let mark = Mark { station: station(), end, base: None, signature: None };
    let mark = serde_json::to_string(&mark.signed(Some(&SigningKey::from_bytes(&[7; 32])))).unwrap();
    let cut = Left { mark: Some(mark), ..cut };
    assert_eq!(cut.found().await, (Vec::new(), Vec::new()));
    let left = cut.run().await;
    assert_eq!(left.lines.iter().filter(|line| is_mark(line)).count(), 1);
    assert_eq!(Left { mark: None, ..left }.found().await.0, [Found::MarkGone]);
}

#[tokio::test]
async fn c10_a_chain_that_was_put_together_anew_does_not_fit_the_mark() {
    let left = Left::by_two_runs().await;
    let mut head = Head::default();
    let mut rewritten = left.clone();
    for line in &mut rewritten.lines {
        let entry = AuditEntry::by_station("start", "ok").about("written anew");
        let record = AuditRecord::after(&head, &station(), Now::default(), entry);
        head = record.head();
        line.record = record.line();
    }
    let (at_start, whole) = rewritten.without_anchors(0).found().await;
    assert_eq!(at_start, [Found::Rewritten { seq: left.last() }]);
    assert_eq!(whole, at_start, "it holds in itself");
}

#[tokio::test]
async fn c10_an_edit_behind_the_newest_anchor_is_found_at_once_and_an_older_one_by_the_whole() {
    let left = Left::by_two_runs().await;
    let edited = |seq: u64| {
        let mut left = left.clone();
        let line = &mut left.lines[usize::try_from(seq).unwrap() - 1];
        line.record = line.record.replace("\"outcome\":\"ok\"", "\"outcome\":\"no\"");
        left
    };
    let broken = |seq| Found::Broken(Broken { seq, fault: Fault::Changed });
    let last = left.last();
    let (at_start, _) = edited(last).found().await;
    assert!(at_start.contains(&broken(last)), "{at_start:?}");
    assert_eq!(edited(3).found().await, (Vec::new(), vec![broken(3)]));
    assert_eq!(broken(3).code(), "set_tampered");
}

#[tokio::test]
async fn c10_what_was_accepted_is_the_base_of_later_starts_and_a_new_edit_is_found() {
    let left = Left::by_two_runs().await;
    let last = left.last();
    let (folder, db) = left.cut_to(last - 5).put().await;
    let audit = start(&folder, &db).await;
    audit.check_whole(&db).await.unwrap();
    let mark = std::fs::read_to_string(folder.path().join(MARK_FILE)).unwrap();
    audit.start(db.clone());
    audit.commit(AuditEntry::by_station("audit_accepted", "found")).await.unwrap();
    audit.anchor(&db).await.unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join(MARK_FILE)).unwrap(), mark, "in doubt the mark stays");
    let base = audit.base_here(&db).await.unwrap();
    let accepted = base.at.seq;
    let seen = audit.integrity().borrow().found.clone();
    audit.accept(base, &seen).await.unwrap();
    assert_eq!((audit.doubt(), audit.base_seq()), (None, accepted));
    audit.note_done(AuditEntry::by_station("shutdown", "ok"));
    audit.end().await;
    let left = Left::of(&folder, &db).await;
    assert_eq!(left.found().await, (Vec::new(), Vec::new()), "anchors of records that are gone count no more");
    let left = left.run().await.run().await;
    let mut edited = left.clone();
    let after = usize::try_from(accepted).unwrap();
    edited.lines[after].record = edited.lines[after].record.replace("desk-1", "desk-2");
    assert_eq!(edited.found().await.1, [Found::Broken(Broken { seq: accepted + 1, fault: Fault::Changed })]);
}
