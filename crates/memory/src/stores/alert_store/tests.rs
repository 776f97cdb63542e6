use super::*;

async fn db(folder: &std::path::Path) -> AgentDb {
    AgentDb::open(&folder.join("memory.db")).await.unwrap()
}

fn alert(id: &str, predicate: &str) -> StoredAlert {
    let rule = serde_json::from_value(json!({ "mission_id": "patrol", "predicate": predicate })).unwrap();
    StoredAlert { id: id.into(), rule, predicate: predicate.into(), record: record_of(id, None) }
}

fn record_of(id: &str, last_fired_ms: Option<i64>) -> RuleRecord {
    RuleRecord { id: AlertId(id.into()), last_fired_ms, fires: 3, suppressed: 1, wakes_ms: vec![4, 5] }
}

fn fire(id: &str, seq: u64, at_ms: i64) -> StoredFire {
    StoredFire { id: id.into(), alert: "al-1".into(), at_ms, seq, facts: "{}".into(), episode: None, turn: None }
}

#[tokio::test]
async fn r_05_what_a_rule_did_is_stored_with_its_fire_and_outlives_it_by_a_day() {
    const DAY_MS: i64 = 86_400_000;
    let folder = tempfile::tempdir().unwrap();
    let db = db(folder.path()).await;
    db.save_alert(&alert("al-1", "x = 1"), "dana", 1).await.unwrap();
    let record = record_of("al-1", Some(7));
    db.save_fires(std::slice::from_ref(&record), &[fire("fire-1", 1, 7)], &[]).await.unwrap();
    assert_eq!((db.last_fire_seq().await.unwrap(), db.fires("al-1", 9).await.unwrap().len()), (1, 1));
    let stored = db.alerts().await.unwrap().remove(0).unwrap();
    assert_eq!((stored.record, stored.predicate.as_str()), (record.clone(), "x = 1"));
    db.remove_alert(&record, DAY_MS).await.unwrap();
    assert!(db.alerts().await.unwrap().is_empty());
    let removed = db.removed_alerts(DAY_MS + 1).await.unwrap();
    assert_eq!(
        (removed[0].record.clone(), removed[0].mission.as_ref().map(MissionId::as_str)),
        (record, Some("patrol"))
    );
    db.save_alert(&alert("al-2", "x = 1"), "dana", 2).await.unwrap();
    assert!(db.removed_alerts(2 * DAY_MS).await.unwrap().is_empty(), "a day later it binds nobody");
    db.trim_fires(3 * DAY_MS).await.unwrap();
    assert_eq!(db.alerts().await.unwrap().len(), 1);
}

#[tokio::test]
async fn r_13_two_rules_of_a_mission_cannot_watch_the_same_also_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let db = db(folder.path()).await;
    db.save_alert(&alert("al-1", "x = 1"), "dana", 1).await.unwrap();
    assert!(db.save_alert(&alert("al-2", "x = 1"), "dana", 1).await.is_err());
    db.save_alert(&alert("al-1", "x = 2"), "dana", 2).await.unwrap();
    db.save_alert(&alert("al-2", "x = 1"), "dana", 3).await.unwrap();
    let predicates: Vec<_> = db.alerts().await.unwrap().into_iter().map(|stored| stored.unwrap().predicate).collect();
    assert_eq!(predicates, ["x = 2", "x = 1"]);
}

#[tokio::test]
async fn st_08_fires_are_kept_for_ninety_days() {
    let folder = tempfile::tempdir().unwrap();
    let db = db(folder.path()).await;
    let fires: Vec<_> = (1..=1_200).map(|n| fire(&format!("fire-{n:04}"), n, i64::try_from(n).unwrap())).collect();
    db.save_fires(&[], &fires, &[]).await.unwrap();
    let now_ms = FIRES_KEPT_MS + 1_001;
    while db.trim_fires(now_ms).await.unwrap() {}
    let left = db.fires("al-1", 9_999).await.unwrap();
    assert_eq!((left.len(), left.last().map(|fire| fire.seq)), (200, Some(1_001)));
}

#[tokio::test]
async fn r_06_a_fire_names_its_record_and_the_turn_that_it_led_to() {
    let folder = tempfile::tempdir().unwrap();
    let db = db(folder.path()).await;
    let told = StoredFire { episode: Some("ep-1".into()), ..fire("fire-1", 1, 7) };
    let led_to = |fire: &str| FireTurn { fire: fire.into(), turn: "turn-1".into() };
    db.save_fires(&[], &[told.clone(), fire("fire-2", 2, 8)], &[led_to("fire-1")]).await.unwrap();
    let first = StoredFire { turn: Some("turn-1".into()), ..told };
    assert_eq!(db.fires("al-1", 9).await.unwrap(), [fire("fire-2", 2, 8), first.clone()]);
    db.save_fires(&[], &[], &[led_to("fire-2")]).await.unwrap();
    assert_eq!(db.fires("al-1", 1).await.unwrap()[0].turn, first.turn);
}
