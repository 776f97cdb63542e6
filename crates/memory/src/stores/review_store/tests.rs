use super::*;

const DAY_MS: i64 = 86_400_000;

fn waiting(id: &str, created_ms: i64) -> MemoryReview {
    MemoryReview {
        id: id.into(),
        target: "remember_note".into(),
        before: None,
        after: "{\"text\":\"the sign says left\"}".into(),
        provenance: serde_json::json!({ "turn": "turn-1" }),
        created_ms,
        state: ReviewState::Waiting,
    }
}

#[tokio::test]
async fn pn_06_a_review_is_decided_once() {
    let folder = tempfile::tempdir().unwrap();
    let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    for review in [waiting("rv-1", 0), waiting("rv-2", 1)] {
        assert!(db.add_review(&review).await.unwrap());
    }
    assert!(db.decide_review("rv-1", ReviewState::Accepted).await.unwrap());
    assert!(!db.decide_review("rv-1", ReviewState::Rejected).await.unwrap());
    assert_eq!(db.waiting_reviews().await.unwrap(), [waiting("rv-2", 1)]);
    assert_eq!(db.review("rv-1").await.unwrap().unwrap().state, ReviewState::Accepted);
    assert_eq!(db.review("rv-3").await.unwrap(), None);
}

#[tokio::test]
async fn pn_06_what_waits_for_seven_days_is_dropped_and_named_once() {
    let folder = tempfile::tempdir().unwrap();
    let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    for review in [waiting("rv-1", 0), waiting("rv-2", DAY_MS)] {
        db.add_review(&review).await.unwrap();
    }
    let dropped = db.drop_old_reviews(7 * DAY_MS + 1).await.unwrap();
    assert_eq!(dropped, [MemoryReview { state: ReviewState::Dropped, ..waiting("rv-1", 0) }]);
    assert_eq!(db.drop_old_reviews(7 * DAY_MS + 2).await.unwrap(), []);
    assert_eq!(db.waiting_reviews().await.unwrap(), [waiting("rv-2", DAY_MS)]);
}

#[tokio::test]
async fn pn_06_no_more_than_two_hundred_wait() {
    let folder = tempfile::tempdir().unwrap();
    let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    for number in 0..WAITING_MAX {
        assert!(db.add_review(&waiting(&format!("rv-{number}"), 0)).await.unwrap());
    }
    assert!(!db.add_review(&waiting("rv-last", 0)).await.unwrap());
}
