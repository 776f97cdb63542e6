use serde_json::Value;

use super::*;
use tempfile::TempDir;

async fn open() -> (TempDir, AgentDb) {
    let folder = tempfile::tempdir().unwrap();
    let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    (folder, db)
}

async fn run(db: &AgentDb, sql: &'static str) {
    let mut transaction = db.lazy("spoil a row").await.unwrap();
    sqlx::query(sql).execute(&mut *transaction).await.unwrap();
    transaction.commit().await.unwrap();
}

fn config() -> ProviderConfig {
    serde_json::from_value(json!({
        "topic_pattern": "lab/oven-1/out/state", "world_state_key_template": "oven.smoke", "value_field": "smoke"
    }))
    .unwrap()
}

fn stored(version: u64) -> StoredProvider {
    StoredProvider { id: "cp-1".into(), config: config(), version, ended: false }
}

fn entry(key: &str, value: Value, seq: u64) -> StoredEntry {
    serde_json::from_value(json!({
        "key": key, "value": value, "confidence": 0.5, "unit": null, "trust": "text", "origin": "measured",
        "observed_ms": 1, "received_ms": 2, "source_ms": null, "age_basis": "received", "max_age_ms": 30_000,
        "source": "lab/x", "instance": null, "provider_id": "cp-1", "mission_id": "patrol", "flags": 1,
        "changed_ms": 1, "seq": seq,
    }))
    .unwrap()
}

fn point(key: &str, received_ms: i64, value: Value) -> HistoryPoint {
    serde_json::from_value(json!({
        "key": key, "kind": "value", "value": value, "confidence": null, "observed_ms": received_ms,
        "received_ms": received_ms, "source": "lab/x", "provider_id": "cp-1",
    }))
    .unwrap()
}

#[tokio::test]
async fn an_unreadable_provider_is_named_and_the_others_still_load() {
    let (_folder, db) = open().await;
    db.add_provider(&stored(1), "dana", 1).await.unwrap();
    run(&db, "INSERT INTO provider (id, config, created_ms, created_by) VALUES ('cp-2', '{\"newer\": 1}', 2, 'dana')")
        .await;
    let loaded = db.providers().await.unwrap();
    assert_eq!(loaded[0].as_ref().unwrap().id, "cp-1");
    assert!(loaded[1].as_ref().unwrap_err().to_string().contains("cp-2"));
}

#[tokio::test]
async fn ws_47_only_the_next_version_replaces_a_provider() {
    let (_folder, db) = open().await;
    db.add_provider(&stored(1), "dana", 1).await.unwrap();
    let changed = [3, 2, 2].map(|version| {
        let (db, stored) = (db.clone(), stored(version));
        async move { db.update_provider(&stored).await.unwrap() }
    });
    let mut answers = Vec::new();
    for change in changed {
        answers.push(change.await);
    }
    assert_eq!(answers, [false, true, false]);
    assert_eq!(db.providers().await.unwrap()[0].as_ref().unwrap().version, 2);
    db.remove_provider("cp-1").await.unwrap();
    assert!(db.providers().await.unwrap().is_empty());
}

#[tokio::test]
async fn ws_15_ws_17_a_batch_is_read_back_as_it_was_written() {
    let (_folder, db) = open().await;
    let values = [json!("it's \"quoted\" ä"), json!(true), json!(3), json!(2.5), json!("2.5")];
    let entries: Vec<_> = values.into_iter().enumerate().map(|(i, value)| entry(&format!("k{i}"), value, 7)).collect();
    db.save_world(&WorldBatch { entries: entries.clone(), ..WorldBatch::default() }).await.unwrap();
    let newer = entry("k1", json!("closed"), 9);
    let batch = WorldBatch { entries: vec![newer.clone()], removed: vec![Key::new("k2").unwrap()], points: Vec::new() };
    db.save_world(&batch).await.unwrap();
    let read: Vec<_> = db.world_state().await.unwrap().into_iter().map(Result::unwrap).collect();
    assert_eq!(read, [&entries[0], &newer, &entries[3], &entries[4]].map(Clone::clone));
}

#[tokio::test]
async fn ws_16_the_history_is_read_by_key_and_time_newest_kept() {
    let (_folder, db) = open().await;
    let points: Vec<_> = (0..10).map(|second| point("x", second * 1_000, json!(second))).collect();
    let other = point("y", 1, json!("other"));
    let all = points.iter().cloned().chain([other]).collect();
    db.save_world(&WorldBatch { points: all, ..WorldBatch::default() }).await.unwrap();
    let x = Key::new("x").unwrap();
    let read = db.world_history(&x, 2_000, 8_000, 3).await.unwrap();
    assert_eq!(read, points[6..9]);
    assert_eq!(db.world_history(&x, 0, i64::MAX, 100).await.unwrap(), points);
}

#[tokio::test]
async fn st_08_the_history_goes_after_a_week_in_small_steps() {
    let (_folder, db) = open().await;
    let points = (0..700).map(|ms| point("x", ms, json!(1))).chain([point("x", HISTORY_KEPT_MS, json!(2))]).collect();
    db.save_world(&WorldBatch { points, ..WorldBatch::default() }).await.unwrap();
    let mut went = Vec::new();
    for _ in 0..3 {
        went.push(db.forget_history(HISTORY_KEPT_MS + 800).await.unwrap());
    }
    assert_eq!(went, [500, 200, 0]);
    let left = db.world_history(&Key::new("x").unwrap(), 0, i64::MAX, 10).await.unwrap();
    assert_eq!(left.len(), 1);
}

#[tokio::test]
async fn st_07_a_row_that_cannot_be_read_is_named_and_the_rest_loads() {
    let (_folder, db) = open().await;
    db.save_world(&WorldBatch {
        entries: vec![entry("a", json!(1), 1), entry("b", json!(2), 2)],
        ..WorldBatch::default()
    })
    .await
    .unwrap();
    run(&db, "UPDATE world_state SET trust = 'blind' WHERE key = 'a'").await;
    let read = db.world_state().await.unwrap();
    assert!(read[0].as_ref().unwrap_err().to_string().contains('a'));
    assert_eq!(read[1].as_ref().unwrap().key.as_str(), "b");
}
