use jiff::tz::TimeZone;

use super::super::tests::episode;
use super::super::{DailyLogs, Filters, Match, Query, Search};
use super::*;

const DAY_MS: i64 = 86_400_000;

async fn opened(folder: &Path) -> (AgentDb, DailyLogs) {
    let db = AgentDb::open(&folder.join("memory.db")).await.unwrap();
    (db, DailyLogs::new(folder.to_owned(), TimeZone::UTC))
}

async fn found(db: &AgentDb, words: &str) -> Vec<String> {
    let search = Search {
        near: None,
        query: Query::parse(words, Match::All).unwrap(),
        filters: Filters::default(),
        limit: 50,
        half_life_days: 30.0,
        time_limit: std::time::Duration::from_secs(5),
    };
    let found = db.search_episodes(&search, 3 * DAY_MS).await.unwrap();
    found.hits.into_iter().map(|hit| hit.id).collect()
}

#[tokio::test]
async fn e2_03_a_lost_index_is_made_again_from_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let (db, mut logs) = opened(folder.path()).await;
    let records: Vec<_> =
        (0..40).map(|n| episode(n, i64::from(n) * DAY_MS / 20, &format!("the door number{n}"))).collect();
    logs.append(&records).unwrap();
    assert_eq!(db.index_logs(folder.path()).await.unwrap(), Indexed { added: 40, skipped: 0 });
    assert_eq!(db.index_logs(folder.path()).await.unwrap(), Indexed::default(), "nothing is indexed twice");
    db.close().await;
    std::fs::remove_file(folder.path().join("memory.db")).unwrap();
    let (db, _) = opened(folder.path()).await;
    assert_eq!(found(&db, "number17").await, Vec::<String>::new());
    assert_eq!(db.index_logs(folder.path()).await.unwrap(), Indexed { added: 40, skipped: 0 });
    assert_eq!(found(&db, "door number17").await, ["ep-000017"]);
}

#[tokio::test]
async fn e2_03_lines_that_hold_no_record_are_counted_and_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (db, mut logs) = opened(folder.path()).await;
    logs.append(&[episode(1, 5, "before")]).unwrap();
    let path = folder.path().join(logs.name_at(5));
    let mut text = std::fs::read(&path).unwrap();
    text.extend_from_slice(b"garbage\n\xff\xfe\n{\"v\":2,\"id\":\"ep-9\"}\n\n{\"v\":1,\"id\":");
    std::fs::write(&path, text).unwrap();
    logs.close();
    logs.append(&[episode(2, 6, "after")]).unwrap();
    assert_eq!(db.index_logs(folder.path()).await.unwrap(), Indexed { added: 2, skipped: 4 });
    assert_eq!(found(&db, "after").await, ["ep-000002"]);
}

#[tokio::test]
async fn e2_03_a_file_that_was_replaced_or_removed_by_hand_is_what_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (db, mut logs) = opened(folder.path()).await;
    logs.append(&[episode(1, 5, "first door"), episode(2, 6, "second door"), episode(3, DAY_MS, "third door")])
        .unwrap();
    db.index_logs(folder.path()).await.unwrap();
    std::fs::write(folder.path().join(logs.name_at(5)), format!("{}\n", episode(2, 6, "second door").line())).unwrap();
    std::fs::remove_file(folder.path().join(logs.name_at(DAY_MS))).unwrap();
    db.index_logs(folder.path()).await.unwrap();
    assert_eq!(found(&db, "door").await, ["ep-000002"]);
}

#[tokio::test]
async fn e2_04_what_is_appended_later_is_indexed_from_where_the_index_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (db, mut logs) = opened(folder.path()).await;
    for n in 0..5 {
        let appended = logs.append(&[episode(n, 7, "again a door")]).unwrap();
        assert_eq!(db.index_log(folder.path(), &appended.files[0]).await.unwrap().added, 1);
    }
    assert_eq!(db.episodes().await.unwrap(), 5);
}

#[tokio::test]
async fn e2_03_a_search_index_that_was_emptied_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let (db, mut logs) = opened(folder.path()).await;
    logs.append(&[episode(1, 5, "the door")]).unwrap();
    db.index_logs(folder.path()).await.unwrap();
    let mut emptied = db.lazy("empty the index").await.unwrap();
    sqlx::query("INSERT INTO episodic_fts (episodic_fts) VALUES ('delete-all')").execute(&mut *emptied).await.unwrap();
    emptied.commit().await.unwrap();
    assert_eq!(found(&db, "door").await, Vec::<String>::new());
    db.rebuild_search_index().await.unwrap();
    assert_eq!(found(&db, "door").await, ["ep-000001"]);
}
