use std::path::Path;

use jiff::tz::TimeZone;

use super::super::tests::episode;
use super::super::{DailyLogs, Episode};
use super::*;

const NOW_MS: i64 = 1_772_990_000_000;
const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

async fn indexed(folder: &Path, records: &[Episode]) -> AgentDb {
    let db = AgentDb::open(&folder.join("memory.db")).await.unwrap();
    DailyLogs::new(folder.to_owned(), TimeZone::UTC).append(records).unwrap();
    db.index_logs(folder).await.unwrap();
    db
}

#[tokio::test]
async fn e2_10_a_search_without_time_and_without_a_match_says_that_it_is_partial() {
    let folder = tempfile::tempdir().unwrap();
    let records: Vec<Episode> = (0..5_000).map(|n| episode(n, NOW_MS, &format!("common words {n}"))).collect();
    let db = indexed(folder.path(), &records).await;
    let role = Filters { role: Some(EpisodeRole::Plan), ..Filters::default() };
    let hurried = Search { time_limit: Duration::ZERO, filters: role, ..search("common words", Match::Any) };
    let found = db.search_episodes(&hurried, NOW_MS).await.unwrap();
    assert_eq!((found.hits, found.is_partial), (Vec::new(), true));
}

#[tokio::test]
async fn a_hurried_search_of_records_that_cannot_be_read_is_not_partial() {
    let folder = tempfile::tempdir().unwrap();
    let db = indexed(folder.path(), &[episode(1, NOW_MS, "common words")]).await;
    let mut transaction = db.durable("play a damaged index").await.unwrap();
    sqlx::query("DROP TABLE episodic_fts").execute(&mut *transaction).await.unwrap();
    transaction.commit().await.unwrap();
    let hurried = Search { time_limit: Duration::ZERO, ..search("common words", Match::Any) };
    db.search_episodes(&hurried, NOW_MS).await.unwrap_err();
}

#[test]
fn a_search_for_which_nobody_waits_any_more_ends() {
    let asked = Asked::default();
    let over = Arc::clone(&asked.0);
    assert!(!over.ends_now());
    drop(asked);
    assert!(over.ends_now());
}

fn search(words: &str, matching: Match) -> Search {
    Search {
        query: Query::parse(words, matching).unwrap(),
        near: None,
        filters: Filters::default(),
        limit: 10,
        half_life_days: 30.0,
        time_limit: Duration::from_secs(10),
    }
}

async fn ids(db: &AgentDb, search: &Search) -> Vec<String> {
    let found = db.search_episodes(search, NOW_MS).await.unwrap();
    assert!(!found.is_partial);
    found.hits.into_iter().map(|hit| hit.id).collect()
}

#[tokio::test]
async fn e2_05_words_are_found_without_case_accents_and_across_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let texts = ["Die Tür ist OFFEN", "le café est fermé", "門が開いた", "front_door.status = open", "문이 열렸다"];
    let records: Vec<Episode> = (1..).zip(texts).map(|(n, text)| episode(n, NOW_MS, text)).collect();
    let db = indexed(folder.path(), &records).await;
    for (words, found) in [
        ("tur", Some("ep-000001")),
        ("CAFE", Some("ep-000002")),
        ("開い", Some("ep-000003")),
        ("開門", None),
        ("door", Some("ep-000004")),
        ("\"door status\"", Some("ep-000004")),
        ("\"status door\"", None),
        ("문", Some("ep-000005")),
        ("tü", None),
    ] {
        assert_eq!(ids(&db, &search(words, Match::All)).await.first().map(String::as_str), found, "{words}");
    }
}

#[tokio::test]
async fn e2_06_filters_hold_for_every_candidate() {
    let folder = tempfile::tempdir().unwrap();
    let mut records: Vec<Episode> = (0..300).map(|n| episode(n, NOW_MS - i64::from(n) * HOUR_MS, "the door")).collect();
    records[250].role = EpisodeRole::Alert;
    records[251].mission = Some("childproof-home".into());
    records.reverse();
    let db = indexed(folder.path(), &records).await;
    for (filters, found) in [
        (Filters { role: Some(EpisodeRole::Alert), ..Filters::default() }, vec!["ep-000250"]),
        (Filters { mission: Some("childproof-home".into()), ..Filters::default() }, vec!["ep-000251"]),
        (Filters { until_ms: Some(NOW_MS - 298 * HOUR_MS), ..Filters::default() }, vec!["ep-000299"]),
        (Filters { since_ms: Some(NOW_MS - HOUR_MS), ..Filters::default() }, vec!["ep-000000", "ep-000001"]),
    ] {
        assert_eq!(ids(&db, &Search { filters, ..search("door", Match::Any) }).await, found);
    }
}

#[tokio::test]
async fn cw_13_the_index_gives_the_ranking_what_must_not_vanish() {
    let folder = tempfile::tempdir().unwrap();
    let mut records = vec![episode(9_000, NOW_MS - 400 * DAY_MS, "toddler stairs")];
    let rare = |n: u32| episode(n, NOW_MS - 90 * DAY_MS, "zebra crossing");
    records.extend((0..500).map(rare));
    let long = format!("{} zebra {}", "filling words of a long text ".repeat(60), "and more ".repeat(60));
    records
        .extend((1_000..1_500).map(|n| episode(n, NOW_MS - 1, &format!("{} toddler somewhere", "weak ".repeat(30)))));
    records.push(episode(9_001, NOW_MS - 500, &long));
    records.extend((2_000..2_300).map(|n| episode(n, NOW_MS, "a toddler and nothing else of interest here")));
    let db = indexed(folder.path(), &records).await;
    let perfect = ids(&db, &search("toddler stairs", Match::Any)).await;
    assert!(perfect.contains(&"ep-009000".to_owned()), "{perfect:?}");
    let recent = ids(&db, &search("zebra toddler", Match::Any)).await;
    assert!(recent.contains(&"ep-009001".to_owned()), "{recent:?}");
}

#[tokio::test]
async fn e2_05_a_word_of_every_record_does_not_hide_the_rare_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut records: Vec<Episode> = (0..1_200).map(|n| episode(n, NOW_MS, "robot robot robot")).collect();
    records.push(episode(
        9_000,
        NOW_MS - 300 * DAY_MS,
        "the robot found a hedgehog under the very long table of the kitchen",
    ));
    let db = indexed(folder.path(), &records).await;
    assert_eq!(ids(&db, &search("robot hedgehog", Match::Any)).await, ["ep-009000"]);
    assert_eq!(ids(&db, &search("robot hedgehog", Match::All)).await, ["ep-009000"]);
}

#[tokio::test]
async fn e2_10_a_search_that_takes_too_long_answers_with_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let records: Vec<Episode> = (0..5_000).map(|n| episode(n, NOW_MS, &format!("common words {n}"))).collect();
    let db = indexed(folder.path(), &records).await;
    let hurried = Search { time_limit: Duration::ZERO, ..search("common words", Match::Any) };
    let found = db.search_episodes(&hurried, NOW_MS).await.unwrap();
    assert!(found.is_partial);
    assert_eq!(found.hits.len(), 10, "the newest are there however little time there was");
    assert!(found.hits.iter().all(|hit| hit.id.as_str() >= "ep-004990"), "{found:?}");
    assert_eq!(ids(&db, &search("common words", Match::Any)).await.len(), 10, "the connection is as good as before");
}

#[tokio::test]
async fn e2_10_a_search_waits_for_no_writer() {
    let folder = tempfile::tempdir().unwrap();
    let db = indexed(folder.path(), &[episode(1, NOW_MS, "the door")]).await;
    let mut open_write = db.durable("hold the writer").await.unwrap();
    sqlx::query("DELETE FROM episodic").execute(&mut *open_write).await.unwrap();
    assert_eq!(ids(&db, &search("door", Match::Any)).await, ["ep-000001"]);
}
