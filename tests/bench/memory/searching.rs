//! P17: a search over all records against the plain query of the same terms, while records are appended and read.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jiff::tz::TimeZone;
use memory::AgentDb;
use memory::episodic::{DailyLogs, Filters, Match, Query, Search};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection, Row as _};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use crate::measure::compare;
use crate::records::{NOW_MS, RECORDS, record};
use crate::report::Row;

/// Searches of each arm in a quarter of a round.
const RUNS: usize = 3;
/// Between two records that are appended meanwhile: a hundred a second.
const APPEND_EVERY: Duration = Duration::from_millis(10);
/// The queries, each with its name in the table.
const QUERIES: [(&str, &str); 4] = [
    ("common words", "robot person battery"),
    ("a common and a rare word", "robot toddler"),
    ("a rare word", "task4711"),
    ("three rare words", "task11 task2222 task4999"),
];

/// A row for each query.
pub async fn rows(folder: &Path, db: &AgentDb) -> Vec<Row> {
    let is_over = Arc::new(AtomicBool::new(false));
    let (logs, appended_to, over) = (folder.to_owned(), db.clone(), Arc::clone(&is_over));
    let appending = Handle::current().spawn(async move { append(&logs, &appended_to, &over).await });
    let rows = QUERIES.map(|(name, words)| block_in_place(|| searched(folder, db, name, words)));
    is_over.store(true, Ordering::Relaxed);
    appending.await.unwrap();
    rows.into()
}

/// Appends, indexes and reads as a station does meanwhile.
async fn append(folder: &Path, db: &AgentDb, is_over: &AtomicBool) {
    let mut logs = DailyLogs::new(folder.to_owned(), TimeZone::UTC);
    let mut ticks = tokio::time::interval(APPEND_EVERY);
    let mut number = RECORDS;
    while !is_over.load(Ordering::Relaxed) {
        ticks.tick().await;
        number += 1;
        let appended = logs.append(&[record(number, format!("appended meanwhile {number}"))]).unwrap();
        db.index_log(folder, &appended.files[0]).await.unwrap();
        db.providers().await.unwrap();
    }
}

fn searched(folder: &Path, db: &AgentDb, name: &str, words: &str) -> Row {
    let handle = Handle::current();
    let options = SqliteConnectOptions::new().filename(folder.join("memory.db"));
    let mut plain = handle.block_on(SqliteConnection::connect_with(&options)).unwrap();
    let quoted: Vec<String> = words.split(' ').map(|word| format!("\"{word}\"")).collect();
    let expression = quoted.join(" OR ");
    let search = Search {
        query: Query::parse(words, Match::Any).unwrap(),
        near: None,
        filters: Filters::default(),
        limit: 10,
        half_life_days: 30.0,
        time_limit: Duration::from_secs(5),
    };
    let compared = compare(
        RUNS,
        |_| handle.block_on(plain_query(&mut plain, &expression)),
        |_| handle.block_on(db.search_episodes(&search, NOW_MS)).unwrap().hits.len(),
    );
    Row::compared(
        "P17",
        format!("search for {name}, 100,000 records"),
        "plain bm25",
        compared,
        "p99 at most 2 times the plain query",
    )
}

async fn plain_query(connection: &mut SqliteConnection, expression: &str) -> usize {
    let rows = sqlx::query(
        "SELECT e.id, e.content, bm25(episodic_fts) AS relevance FROM episodic_fts JOIN episodic AS e ON e.n = episodic_fts.rowid
         WHERE episodic_fts MATCH ?1 ORDER BY rank LIMIT 10",
    )
    .bind(expression)
    .fetch_all(connection)
    .await
    .unwrap();
    rows.iter().map(|row| row.get::<String, _>("content").len()).sum()
}
