use std::sync::Arc;
use std::time::Duration;

use ed25519_dalek::SigningKey;
use memory::AnchorLine as StoredAnchor;
use robot::{Now, StationId};

use super::super::anchor::{Anchor, AnchorLine};
use super::super::anchoring::Unsigned;
use super::super::chain::{AuditRecord, Broken, Fault, Head};
use super::super::fake_keychain::FakeKeychain;
use super::super::mark::{MARK_FILE, Marks, Notes};
use super::*;
use crate::clock::Clock;
use crate::secrets::{AUDIT_SIGNING_KEY, SecretError};

/// A signature's seed.
const OWN: Option<u8> = Some(7);
const ANOTHER: Option<u8> = Some(8);
/// Far above what one write takes, and below the time after which a mark is kept in any case.
const AT_ONCE: Duration = Duration::from_secs(40);

/// The data directory and the keychain of a station whose runs end and begin.
struct Desk {
    folder: tempfile::TempDir,
    keychain: FakeKeychain,
}

fn id() -> StationId {
    StationId::new("desk-1").unwrap()
}

fn key(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

impl Desk {
    /// After two runs that were signed.
    async fn after_two_runs() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap(), keychain: FakeKeychain::default() };
        for _ in 0..2 {
            assert_eq!(desk.run(OWN).await, []);
        }
        desk
    }

    async fn db(&self) -> StationDb {
        StationDb::open(&self.folder.path().join("station.db")).await.unwrap()
    }

    fn mark_file(&self) -> std::path::PathBuf {
        self.folder.path().join(MARK_FILE)
    }

    fn mark(&self) -> Mark {
        serde_json::from_str(&std::fs::read_to_string(self.mark_file()).unwrap()).unwrap()
    }

    fn put_mark(&self, mark: &Mark) {
        std::fs::write(self.mark_file(), serde_json::to_string(mark).unwrap()).unwrap();
    }

    /// The next run with the key of `seed`, or without one, up to the end of its check.
    async fn begin(&self, seed: Option<u8>) -> (Arc<Audit>, StationDb) {
        let db = self.db().await;
        let marks = Marks::beside(self.folder.path(), Notes::Fake(self.keychain.clone()));
        let audit = Arc::new(Audit::open(&db, id(), Clock::start(), marks).await.unwrap());
        let none = || Signing::Unsigned(Unsigned::from(&SecretError::NoKey { name: AUDIT_SIGNING_KEY }));
        let signing = seed.map_or_else(none, |seed| Signing::Signed(key(seed)));
        audit.signing.send_replace(signing);
        audit.check_end(&db).await.unwrap();
        audit.start(db.clone());
        audit.check_whole(&db).await.unwrap();
        (audit, db)
    }

    /// A whole run; gives what it has found.
    async fn run(&self, seed: Option<u8>) -> Vec<Found> {
        let (audit, db) = self.begin(seed).await;
        for n in 0..5 {
            audit.note_done(AuditEntry::by_station("epoch", "ok").about(format!("n={n}")));
        }
        audit.commit(AuditEntry::by_station("start", "ok")).await.unwrap();
        audit.anchor(&db).await.unwrap();
        audit.end().await;
        db.close().await;
        found(&audit)
    }

    /// Puts other rows in the place of those in the database.
    async fn replace(&self, lines: &[memory::AuditLine], anchors: &[StoredAnchor]) {
        let file = self.folder.path().join("station.db");
        for end in ["", "-wal", "-shm"] {
            let path = file.with_file_name(format!("station.db{end}"));
            assert!(std::fs::remove_file(path).is_ok() || !end.is_empty());
        }
        let db = self.db().await;
        db.append_audit(lines).await.unwrap();
        for anchor in anchors {
            db.append_anchor(anchor).await.unwrap();
        }
        db.close().await;
    }

    /// Writes the whole chain anew, and signs its end with the key of `seed`; gives that end.
    async fn rewrite(&self, seed: Option<u8>) -> Head {
        let db = self.db().await;
        let mut lines = db.audit_after(0, 10_000).await.unwrap();
        db.close().await;
        let mut head = Head::default();
        for line in &mut lines {
            let is_mark = line.record.contains(MARK_KEPT);
            let entry = AuditEntry::by_station(if is_mark { MARK_KEPT } else { "start" }, "ok");
            let record = AuditRecord::after(&head, &id(), Now::default(), entry);
            (head, line.record) = (record.head(), record.line());
        }
        let anchor = seed.map(|seed| {
            let anchor = Anchor::sign(&key(seed), id(), head.seq, head.hash().to_owned());
            StoredAnchor { seq: head.seq, anchor: serde_json::to_string(&AnchorLine { anchor }).unwrap() }
        });
        self.replace(&lines, anchor.as_slice()).await;
        head
    }
}

fn found(audit: &Audit) -> Vec<Found> {
    audit.integrity().borrow().found.clone()
}

fn unread(found: &[Found]) -> bool {
    matches!(found, [Found::Unread(_)])
}

#[tokio::test]
async fn c10_a_chain_written_anew_and_signed_with_another_key_is_found_though_its_mark_fits() {
    let desk = Desk::after_two_runs().await;
    let head = desk.rewrite(ANOTHER).await;
    let mark = Mark { end: Place::from(&head), signature: None, ..desk.mark() };
    desk.put_mark(&mark.signed(Some(&key(8))));
    desk.keychain.text.send_replace(None);
    let foreign = Found::Broken(Broken { seq: head.seq, fault: Fault::OtherKey });
    assert_eq!(desk.run(OWN).await, [Found::MarkUnsigned, foreign]);
}

#[tokio::test]
async fn c10_a_key_that_was_replaced_is_found_once_and_counts_after_an_administrator_has_accepted_it() {
    let desk = Desk::after_two_runs().await;
    let (audit, db) = desk.begin(ANOTHER).await;
    let differs = found(&audit);
    let is_key = |found: &Found| matches!(found, Found::Broken(Broken { fault: Fault::OtherKey, .. }));
    assert!(differs.iter().any(is_key) && differs.contains(&Found::MarkUnsigned), "{differs:?}");
    audit.accept(audit.base_here(&db).await.unwrap(), &differs).await.unwrap();
    audit.end().await;
    db.close().await;
    assert_eq!(desk.run(ANOTHER).await, []);
    assert_eq!(desk.run(ANOTHER).await, []);
}

#[tokio::test]
async fn c11_a_base_put_into_the_mark_by_hand_skips_nothing_signed_or_not() {
    for is_stripped in [false, true] {
        let desk = Desk::after_two_runs().await;
        let db = desk.db().await;
        let mut lines = db.audit_after(0, 10_000).await.unwrap();
        let anchors = db.anchors(1..=10_000).await.unwrap();
        db.close().await;
        lines[2].record = lines[2].record.replace("\"outcome\":\"ok\"", "\"outcome\":\"no\"");
        desk.replace(&lines, &anchors).await;
        let mark = desk.mark();
        let base = Base { at: mark.end.clone(), stale_anchors: mark.end.seq };
        let signature = mark.signature.clone().filter(|_| !is_stripped);
        desk.put_mark(&Mark { base: Some(base), signature, ..mark });
        desk.keychain.text.send_replace(None);
        let edited = Found::Broken(Broken { seq: 3, fault: Fault::Changed });
        assert_eq!(desk.run(OWN).await, [Found::MarkUnsigned, edited], "stripped: {is_stripped}");
    }
}

#[tokio::test]
async fn c11_a_mark_of_a_run_without_a_key_is_taken_over_once_there_is_one() {
    let desk = Desk { folder: tempfile::tempdir().unwrap(), keychain: FakeKeychain::default() };
    assert_eq!(desk.run(None).await, []);
    assert_eq!(desk.mark().signature, None);
    assert_eq!(desk.run(OWN).await, []);
    assert!(desk.mark().is_signed_with(&key(7)));
}

#[tokio::test]
async fn c11_a_locked_keychain_is_no_empty_one_its_mark_stays_and_is_compared_once_it_opens() {
    let desk = Desk::after_two_runs().await;
    let db = desk.db().await;
    let lines = db.audit_after(0, 10_000).await.unwrap();
    db.close().await;
    let kept = desk.keychain.entry();
    let last = lines.len() - 4;
    // An older database with the mark that belonged to it.
    desk.replace(&lines[..last], &[]).await;
    let record: AuditRecord = serde_json::from_str(&lines[last - 1].record).unwrap();
    let older = Mark { end: Place::from(&record.head()), signature: None, ..desk.mark() };
    desk.put_mark(&older.signed(Some(&key(7))));
    desk.keychain.lock(true);
    let (audit, db) = desk.begin(OWN).await;
    assert!(unread(&found(&audit)), "{:?}", found(&audit));
    assert_eq!(found(&audit)[0].code(), "audit_unchecked");
    desk.keychain.lock(false);
    audit.anchor(&db).await.unwrap();
    assert_eq!(desk.keychain.entry(), kept, "nothing is written before it was compared");
    audit.ask_again(&db, KeyStore::Environment).await;
    let cut = Found::Cut { marked: lines.len() as u64, last: last as u64 };
    assert_eq!(found(&audit), [cut], "{:?}", audit.doubt());
    audit.end().await;
    assert_eq!(desk.keychain.entry(), kept);
}

#[tokio::test]
async fn c11_a_keychain_that_opens_later_and_fits_lifts_the_doubt_and_is_kept_up_again() {
    let desk = Desk::after_two_runs().await;
    let kept = desk.keychain.entry();
    desk.keychain.lock(true);
    let (audit, db) = desk.begin(OWN).await;
    assert!(unread(&found(&audit)));
    desk.keychain.lock(false);
    audit.ask_again(&db, KeyStore::Environment).await;
    assert_eq!(audit.doubt(), None);
    audit.commit(AuditEntry::by_station("start", "ok")).await.unwrap();
    audit.end().await;
    assert_ne!(desk.keychain.entry(), kept);
    db.close().await;
    assert_eq!(desk.run(OWN).await, []);
}

#[tokio::test]
async fn c11_a_signed_audit_without_its_key_is_not_known_to_be_what_was_written() {
    let desk = Desk::after_two_runs().await;
    assert!(unread(&desk.run(None).await));
    let fresh = Desk { folder: tempfile::tempdir().unwrap(), keychain: FakeKeychain::default() };
    fresh.keychain.lock(true);
    for _ in 0..2 {
        assert_eq!(fresh.run(None).await, [], "a station that never had a key is not held up");
    }
}

#[tokio::test]
async fn c11_the_keychain_has_the_mark_right_after_a_stop() {
    let desk = Desk::after_two_runs().await;
    let (audit, db) = desk.begin(OWN).await;
    // Without waiting for the tick of the clock, whose first comes at once.
    let marked = |at_least: u64| {
        move |text: &Option<String>| {
            let mark = text.as_ref().and_then(|text| serde_json::from_str::<Mark>(text).ok());
            mark.is_some_and(|mark| mark.end.seq >= at_least)
        }
    };
    let mut kept = desk.keychain.text.subscribe();
    let anchoring = Arc::clone(&audit);
    audit.tasks.spawn(async move { anchoring.anchor_in_time(&db, KeyStore::Environment).await });
    for _ in 0..3 {
        audit.commit(AuditEntry::by_station("stop", "ok")).await.unwrap();
        let written = audit.last_seq();
        let waited = tokio::time::timeout(AT_ONCE, kept.wait_for(marked(written))).await;
        assert!(waited.is_ok_and(|kept| kept.is_ok()));
    }
    audit.end().await;
}

#[tokio::test]
async fn c10_what_was_found_after_the_administrator_looked_is_not_accepted_with_the_rest() {
    let desk = Desk::after_two_runs().await;
    let (audit, db) = desk.begin(OWN).await;
    let [shown, later] = [3, 4].map(|seq| Found::Broken(Broken { seq, fault: Fault::Changed }));
    audit.note_found(shown.clone());
    let seen = found(&audit);
    audit.note_found(later.clone());
    let base = audit.base_here(&db).await.unwrap();
    let refused = audit.accept(base.clone(), &seen).await.unwrap_err();
    assert_eq!(refused.code, "audit_found_more");
    assert_eq!((found(&audit), audit.base_seq(), desk.mark().base), (vec![shown, later], 0, None));
    audit.accept(base, &found(&audit)).await.unwrap();
    assert_eq!(audit.doubt(), None);
}
