use std::time::Duration;

use jiff::tz::TimeZone;

use super::super::tests::episode;
use super::super::{DailyLogs, Match, Query, Search};
use super::*;

const NOW_MS: i64 = 1_772_990_000_000;

async fn placed(folder: &std::path::Path, records: &[(&str, [f32; 2])]) -> AgentDb {
    let db = AgentDb::open(&folder.join("memory.db")).await.unwrap();
    let episodes: Vec<_> = (1..).zip(records).map(|(n, (text, _))| episode(n, NOW_MS, text)).collect();
    DailyLogs::new(folder.to_owned(), TimeZone::UTC).append(&episodes).unwrap();
    db.index_logs(folder).await.unwrap();
    let mut unplaced = db.unplaced_episodes("m", 100).await.unwrap();
    unplaced.sort_by_key(|record| record.n);
    let places: Vec<Vec<f32>> = records.iter().map(|(_, place)| place.to_vec()).collect();
    db.place_episodes("m", &unplaced, &places).await.unwrap();
    db
}

fn search(words: &str, model: &str, place: [f32; 2]) -> Search {
    let near = Near { model: model.into(), place: place.to_vec(), weight: 0.5, least: 0.15, candidates: 3 };
    Search {
        query: Query::parse(words, Match::Any).unwrap(),
        near: Some(near),
        filters: Filters::default(),
        limit: 10,
        half_life_days: 30.0,
        time_limit: Duration::from_secs(10),
    }
}

/// Searches, and compares the hits with `expected`: content, and score in hundredths.
async fn check(db: &AgentDb, search: &Search, expected: &[(&str, u32)]) {
    let found = db.search_episodes(search, NOW_MS).await.unwrap();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a score is 0 to 1")]
    let hits: Vec<(&str, u32)> =
        found.hits.iter().map(|hit| (hit.content.as_str(), (hit.score * 100.0).round() as u32)).collect();
    assert_eq!(hits, expected, "{search:?}");
}

#[tokio::test]
async fn t_12_what_means_the_same_is_found_without_a_common_word() {
    let folder = tempfile::tempdir().unwrap();
    let db = placed(folder.path(), &[("the arm is hot", [3.0, 0.0]), ("a dog came by", [0.0, 2.0])]).await;
    check(&db, &search("manipulator temperature", "m", [1.0, 0.0]), &[("the arm is hot", 50)]).await;
    check(&db, &search("manipulator temperature", "m", [-1.0, 0.1]), &[]).await;
    // Another model has placed nothing yet: words alone remain.
    check(&db, &search("manipulator temperature", "other", [1.0, 0.0]), &[]).await;
}

#[tokio::test]
async fn t_12_a_place_is_kept_with_its_model_and_made_anew_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let db = placed(folder.path(), &[("the arm is hot", [1.0, 0.0])]).await;
    assert!(db.unplaced_episodes("m", 100).await.unwrap().is_empty());
    let again = db.unplaced_episodes("next", 100).await.unwrap();
    assert_eq!(again.len(), 1);
    db.place_episodes("next", &again, &[vec![0.0, 1.0, 0.0]]).await.unwrap();
    assert_eq!(db.unplaced_episodes("m", 100).await.unwrap().len(), 1, "the older place is given up");
}

#[tokio::test]
async fn a_record_that_says_something_else_by_now_gets_no_place_of_its_older_words() {
    let folder = tempfile::tempdir().unwrap();
    let db = placed(folder.path(), &[("the arm is hot", [1.0, 0.0])]).await;
    let stale = db.unplaced_episodes("next", 100).await.unwrap();
    sqlx::query("UPDATE episodic SET content = 'forgotten', terms = 'forgotten'").execute(&db.writer()).await.unwrap();
    assert_eq!(db.unplaced_episodes("m", 100).await.unwrap().len(), 1, "the place went with the words");
    db.place_episodes("next", &stale, &[vec![1.0, 0.0]]).await.unwrap();
    check(&db, &search("arm", "next", [1.0, 0.0]), &[]).await;
}

#[test]
fn t_12_words_and_meaning_are_weighed_half_and_half() {
    let near = Near { model: String::new(), place: Vec::new(), weight: 0.5, least: 0.15, candidates: 3 };
    for (relevance, similarity, expected) in
        [(0.0, 1.0, 0.5), (0.0, -1.0, 0.0), (1e9, 0.0, 0.5), (1e9, 1.0, 1.0), (f64::MIN_POSITIVE, 0.0, 0.25)]
    {
        assert!((hybrid(&near, relevance, similarity) - expected).abs() < 1e-9, "{relevance} {similarity}");
    }
}
