use memory::AuditLine;
use robot::{Now, StationId};

use super::*;
use crate::test_support::open_audit;
use runtime::audit::AuditRecord;

fn robots(ids: &[&str]) -> BTreeSet<RobotId> {
    ids.iter().map(|id| RobotId::new(*id).unwrap()).collect()
}

fn stop(ids: &[&str], released: &[&str]) -> OpenStop {
    OpenStop {
        stop_id: 1,
        by: "dana".into(),
        asked: true,
        reason: Some("a child".into()),
        reason_kind: None,
        at_ms: 5,
        robots: robots(ids),
        released: robots(released),
    }
}

fn record_of(operation: &'static str, outcome: &str, named: &BTreeSet<RobotId>) -> AuditEntry {
    let entry = AuditEntry::by_station(operation, outcome).about(about(1, named));
    AuditEntry { input_hash: Some(canonical_hash(named)), ..entry }
}

fn pressed(ids: &[&str]) -> AuditEntry {
    record_of("stop", "ok", &robots(ids))
}

fn released(outcome: &str, ids: &[&str]) -> AuditEntry {
    record_of("stop_release", outcome, &robots(ids))
}

/// A start on these records and this row: the robots that are stopped, and whether somebody is told.
async fn check(records: Vec<AuditEntry>, row: Option<(OpenStop, bool)>, expected: Option<&[&str]>, told: bool) {
    let folder = tempfile::tempdir().unwrap();
    let db = StationDb::open(&folder.path().join("station.db")).await.unwrap();
    let mut head = Default::default();
    let lines = records.into_iter().map(|entry| {
        let record = AuditRecord::after(&head, &StationId::new("desk-1").unwrap(), Now::default(), entry);
        head = record.head();
        AuditLine { seq: record.seq, record: record.line() }
    });
    db.append_audit(&lines.collect::<Vec<_>>()).await.unwrap();
    if let Some((stop, is_open)) = row {
        db.save_stop(&stop, is_open).await.unwrap();
    }
    let audit = open_audit(&db, folder.path()).await;
    let stops = take_up(&db, &audit).await.unwrap();
    let open = stops.lock().get(&1).map(|stop| stop.still_bound());
    assert_eq!(open, expected.map(|expected| robots(expected).into_iter().collect::<Vec<_>>()));
    assert_eq!(!audit.integrity().borrow().unrecorded.is_empty(), told);
    // The next start finds the same.
    let stops = take_up(&db, &audit).await.unwrap();
    assert_eq!(stops.lock().get(&1).map(|stop| stop.still_bound()), open);
}

#[tokio::test]
async fn c10_a_stop_on_record_is_open_until_its_release_is_whatever_its_row_says() {
    let both = ["arm-1", "rover-1"];
    let closed = stop(&both, &both);
    check(vec![pressed(&both)], Some((closed.clone(), false)), Some(&both), true).await;
    check(vec![pressed(&both), released("closed", &both)], Some((closed.clone(), false)), None, false).await;
    check(vec![pressed(&both), released("partly", &["arm-1"])], Some((closed.clone(), false)), Some(&both), true).await;
    let partly = stop(&both, &["arm-1"]);
    check(
        vec![pressed(&both), released("partly", &["arm-1"])],
        Some((partly.clone(), true)),
        Some(&["rover-1"]),
        false,
    )
    .await;
    check(vec![pressed(&both)], Some((partly, true)), Some(&both), true).await;
    let pressed_again = vec![pressed(&both), released("closed", &both), pressed(&both)];
    check(pressed_again, Some((closed, false)), Some(&both), true).await;
}

#[tokio::test]
async fn c10_the_robots_of_a_stop_are_those_on_record() {
    let both = ["arm-1", "rover-1"];
    check(vec![pressed(&both)], Some((stop(&["rover-1"], &[]), true)), Some(&both), true).await;
    // After a crash the record can be there and the row not yet.
    check(vec![pressed(&both)], None, Some(&both), false).await;
    let many: Vec<String> = (0..60).map(|n| format!("rover-{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    check(vec![pressed(&many)], Some((stop(&many, &[]), true)), Some(&many), false).await;
    // Nobody can read all of them any more: the stop binds the whole station.
    check(vec![pressed(&many)], Some((stop(&["rover-1"], &[]), true)), Some(&[]), true).await;
}

#[tokio::test]
async fn c10_a_row_without_a_record_counts_as_it_says() {
    check(vec![], Some((stop(&["arm-1"], &[]), true)), Some(&["arm-1"]), false).await;
    check(vec![], Some((stop(&["arm-1"], &["arm-1"]), false)), None, false).await;
    let of_an_older_version = AuditEntry { input_hash: None, ..pressed(&["arm-1"]) };
    check(vec![of_an_older_version], Some((stop(&["arm-1"], &["arm-1"]), false)), None, false).await;
}

#[test]
fn c10_the_record_of_a_release_says_whether_it_was_the_last_and_of_which_robots() {
    let by = Session::bootstrap();
    let of = |released: &[&str]| {
        let entry = of_release(&by, &stop(&["arm-1", "rover-1"], released));
        (entry.outcome, entry.input_hash)
    };
    assert_eq!(of(&["arm-1"]), ("partly".to_owned(), Some(canonical_hash(&robots(&["arm-1"])))));
    let both = ["arm-1", "rover-1"];
    assert_eq!(of(&both), ("closed".to_owned(), Some(canonical_hash(&robots(&both)))));
}

#[test]
fn c10_a_stop_is_a_persons_to_release_unless_row_and_record_say_that_a_state_asked_for_it() {
    let asked = |by: &str, row: Option<bool>| {
        let row = row.map(|asked| OpenStop { asked, ..stop(&["arm-1"], &[]) });
        let hash = canonical_hash(&robots(&["arm-1"]));
        let recorded =
            Recorded { by: by.into(), at_ms: 5, hash, robots: None, releases: BTreeSet::new(), closed: false };
        recorded.stop(1, row.as_ref()).asked
    };
    let supervision = Session::supervision();
    assert_eq!([Some(false), Some(true), None].map(|row| asked(supervision.actor(), row)), [false, true, true]);
    assert_eq!([Some(false), Some(true), None].map(|row| asked("dana", row)), [true; 3]);
}

#[tokio::test]
async fn a_refused_call_is_evidence_of_neither_a_stop_nor_a_release() {
    let refused = |operation, ids: &[&str]| record_of(operation, "unknown_operation", &robots(ids));
    check(vec![refused("stop", &["arm-1"])], None, None, false).await;
    let both = ["arm-1", "rover-1"];
    let row = Some((stop(&both, &[]), true));
    check(vec![pressed(&both), refused("stop", &["rover-1"])], row.clone(), Some(&both), false).await;
    check(vec![pressed(&both), refused("stop_release", &both)], row, Some(&both), false).await;
}

#[test]
fn a_stop_whose_number_no_screen_can_name_is_not_taken_up() {
    let numbered = |stop_id: u64| {
        let entry = AuditEntry { detail: format!("stop_id={stop_id} robots=arm-1"), ..pressed(&["arm-1"]) };
        let record = AuditRecord::after(&Default::default(), &StationId::new("desk-1").unwrap(), Now::default(), entry);
        Checked::of(&AuditLine { seq: 1, record: record.line() }).unwrap()
    };
    let taken_up = recorded(&[1, STOP_ID_MAX, STOP_ID_MAX + 1, u64::MAX].map(numbered));
    assert_eq!(taken_up.into_keys().collect::<Vec<_>>(), [1, STOP_ID_MAX]);
}
