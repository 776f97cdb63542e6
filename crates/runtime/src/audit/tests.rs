use std::sync::Arc;

use missions::MissionCode;
use robot::SharedCode;
use serde_json::json;

use super::*;
use crate::secrets::KeyStore;

async fn audit(folder: &tempfile::TempDir) -> (Arc<Audit>, StationDb) {
    let db = StationDb::open(&folder.path().join("station.db")).await.unwrap();
    let marks = Marks::new(folder.path(), KeyStore::Environment);
    let audit = Audit::open(&db, StationId::new("desk-1").unwrap(), Clock::start(), marks).await.unwrap();
    (Arc::new(audit), db)
}

fn started(n: usize) -> AuditEntry {
    AuditEntry::by_station("start", "ok").about(format!("n={n}"))
}

async fn lines(db: &StationDb) -> Vec<String> {
    db.audit_after(0, 10_000).await.unwrap().into_iter().map(|line| line.record).collect()
}

#[tokio::test]
async fn what_is_committed_is_on_disk_with_all_that_was_queued_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let (audit, db) = audit(&folder).await;
    audit.start(db.clone());
    for n in 0..200 {
        audit.note(started(n)).unwrap();
    }
    audit.commit(started(200)).await.unwrap();
    let mut chain = ChainCheck::default();
    for line in lines(&db).await {
        chain.line(&line).unwrap();
    }
    assert_eq!((chain.last_seq(), audit.last_seq()), (201, 201));
}

#[tokio::test]
async fn what_waits_at_the_end_is_saved_and_the_next_start_goes_on_from_there() {
    let folder = tempfile::tempdir().unwrap();
    for run in 0..3 {
        let (audit, db) = audit(&folder).await;
        assert_eq!(audit.last_seq(), run * 2);
        audit.start(db.clone());
        audit.note_done(started(0));
        audit.note_done(AuditEntry::by_station("shutdown", "ok"));
        audit.end().await;
        let mut chain = ChainCheck::default();
        lines(&db).await.iter().try_for_each(|line| chain.line(line)).unwrap();
        db.close().await;
    }
}

#[tokio::test]
async fn a_store_that_fails_holds_what_must_be_on_record_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let (audit, db) = audit(&folder).await;
    db.close().await;
    audit.start(db);
    assert_eq!(audit.commit(started(0)).await.unwrap_err().code, "audit_failed");
    assert_eq!(audit.check_available().unwrap_err().code, "audit_failed");
}

#[tokio::test]
async fn f27_nothing_is_done_without_room_for_its_record_and_nobody_else_takes_that_room() {
    let folder = tempfile::tempdir().unwrap();
    // Nobody writes, so the queue fills.
    let (audit, db) = audit(&folder).await;
    while audit.note(started(0)).is_ok() {
        if audit.queue().waiting.len() == QUEUE_MAX - 1 {
            break;
        }
    }
    let room = audit.reserve().unwrap();
    assert_eq!(audit.reserve().err().map(|error| error.code.as_str()), Some("audit_full"));
    assert_eq!(audit.note(started(0)), Err(AuditFull), "the room is somebody's");
    drop(room);
    let room = audit.reserve().unwrap();
    let noted = room.note(started(1));
    let waiting = audit.queue().waiting.len();
    assert_eq!((waiting, audit.queue().reserved), (QUEUE_MAX, 0));
    assert_eq!(noted.within_wait().await, OnRecord::Pending, "it is done, and its record waits");
    audit.start(db.clone());
    assert!(noted.saved().await);
    assert_eq!(audit.last_seq(), QUEUE_MAX as u64);
}

#[tokio::test]
async fn f27_what_was_given_up_for_a_slow_disk_says_so_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let (audit, db) = audit(&folder).await;
    assert_eq!(audit.commit(started(1)).await.unwrap_err().code, "audit_slow");
    audit.start(db.clone());
    audit.commit(started(2)).await.unwrap();
    let outcomes: Vec<_> =
        lines(&db).await.iter().map(|line| serde_json::from_str::<AuditRecord>(line).unwrap().outcome).collect();
    assert_eq!(outcomes, ["ok", "audit_slow", "ok"]);
}

#[test]
fn a_word_that_no_operation_has_is_in_the_detail_and_never_the_operation_of_a_record() {
    let call = Call::of_word(&Session::app_window(), "stop", &json!({ "reason": "stop_id=7" }));
    let refused = call.refused(&OpError::new(RuntimeCode::Forbidden, "No."));
    assert_eq!((refused.operation.as_str(), refused.outcome.as_str()), (OTHER_CALL, "forbidden"));
    assert_eq!(refused.detail, "name=stop reason=stop_id=7: No.");
    let long = Call::of_word(&Session::app_window(), &"x".repeat(500), &json!({})).ended(&Ok(json!({})));
    assert_eq!(long.detail, format!("name={}", "x".repeat(80)));
}

#[test]
fn a_call_is_kept_by_names_and_hash_and_never_by_its_text() {
    let by = Session::app_window();
    let said = Call::of(&by, "send_message", &json!({ "text": "my key is qd_boot_secret" }));
    let done = said.ended(&Ok(json!({})));
    assert_eq!((done.outcome.as_str(), done.detail.as_str()), ("ok", ""));
    let bad = OpError::bad_input(SharedCode::InvalidInput, "value", "value: qd_boot_secret is no number");
    assert_eq!(said.refused(&bad).detail, "bad input at \"value\"");
    let armed = Call::of(&by, "arm_robot", &json!({ "robot": "arm-1" }));
    let stopped = OpError::new(MissionCode::StopOpen, "A stop is open for arm-1.");
    let refused = armed.refused(&stopped);
    assert_eq!(
        (refused.outcome.as_str(), refused.detail.as_str()),
        ("stop_open", "robot=arm-1: A stop is open for arm-1.")
    );
    assert_ne!(said.ended(&Ok(json!({}))).input_hash, armed.ended(&Ok(json!({}))).input_hash);
}
