//! The write-behind against the plainest insert of a batch and against one commit for each row, at the same level.

use std::path::Path;

use memory::{AgentDb, WorldBatch};
use robot::{Instant, Now};
use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use world::{ProviderId, StoredEntry, World};

use crate::measure::{add, latencies, now};
use crate::pure::{provider, sample};
use crate::report::Row;

/// Rows of one batch.
const BATCH: usize = 500;
/// Rounds of a batch and single rows.
const ROUNDS: usize = 15;
/// Rows that are committed one by one in a round.
const SINGLE: usize = 20;

pub async fn rows() -> Vec<Row> {
    let folder = tempfile::tempdir().unwrap();
    let db = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    let entries = entries();
    let mut plain = plain_connection(&folder.path().join("plain.db")).await;
    let (mut one_by_one, mut looped, mut batched) = (latencies(), latencies(), latencies());
    let (mut to_single, mut to_looped) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let single_began = now();
        for entry in entries.iter().take(SINGLE) {
            let began = now();
            save(&db, vec![entry.clone()]).await;
            add(&mut one_by_one, began.elapsed());
        }
        let single_s = single_began.elapsed().as_secs_f64() / SINGLE as f64;
        let began = now();
        insert_plainly(&mut plain, &entries).await;
        let looped_s = began.elapsed().as_secs_f64();
        add(&mut looped, began.elapsed());
        let began = now();
        save(&db, entries.clone()).await;
        let took = began.elapsed();
        add(&mut batched, took);
        to_single.push(single_s / (took.as_secs_f64() / BATCH as f64));
        to_looped.push(looped_s / took.as_secs_f64());
    }
    let row = |id, against, goal| Row {
        id,
        what: format!("{BATCH} keys to disk in a batch"),
        against: Some(against),
        latencies: batched.clone(),
        goal,
    };
    let single = ("a commit a row, per row", spread(to_single), one_by_one);
    let plainest = ("a prepared insert a row, one commit", spread(to_looped), looped);
    vec![
        row("P3", plainest, "rows/s: ratio >= 0.5; a batch well within 250 ms"),
        row("PF-02", single, "shown beside it"),
    ]
}

/// The smallest, the middle and the largest.
fn spread(mut ratios: Vec<f64>) -> [f64; 3] {
    ratios.sort_by(f64::total_cmp);
    [ratios[0], ratios[ratios.len() / 2], ratios[ratios.len() - 1]]
}

/// A database with the schema of a station's own, which nothing but [`insert_plainly`] writes.
async fn plain_connection(path: &Path) -> SqliteConnection {
    AgentDb::open(path).await.unwrap().close().await;
    let options = SqliteConnectOptions::new().filename(path);
    let options = options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Normal);
    SqliteConnection::connect_with(&options).await.unwrap()
}

/// The same rows as anybody would write them first: one prepared statement, run once a row in one transaction.
async fn insert_plainly(connection: &mut SqliteConnection, entries: &[StoredEntry]) {
    let mut transaction = connection.begin().await.unwrap();
    for entry in entries {
        let row = json!(entry);
        let mut insert = sqlx::query(INSERT);
        for column in COLUMNS {
            insert = match &row[column] {
                Value::Null => insert.bind(None::<String>),
                Value::Number(number) if number.is_f64() => insert.bind(number.as_f64()),
                Value::Number(number) => insert.bind(number.as_i64()),
                // A value is stored as JSON, everything else as its text.
                Value::String(text) if column != "value" => insert.bind(text.clone()),
                Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                    insert.bind(row[column].to_string())
                }
            };
        }
        insert.execute(&mut *transaction).await.unwrap();
    }
    transaction.commit().await.unwrap();
}

const COLUMNS: [&str; 18] = [
    "key",
    "value",
    "confidence",
    "unit",
    "trust",
    "origin",
    "observed_ms",
    "received_ms",
    "source_ms",
    "age_basis",
    "max_age_ms",
    "source",
    "instance",
    "provider_id",
    "mission_id",
    "flags",
    "changed_ms",
    "seq",
];

const INSERT: &str = "
    INSERT OR REPLACE INTO world_state (key, value, confidence, unit, trust, origin, observed_ms, received_ms, source_ms,
        age_basis, max_age_ms, source, instance, provider_id, mission_id, flags, changed_ms, seq)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)";

async fn save(db: &AgentDb, entries: Vec<StoredEntry>) {
    db.save_world(&WorldBatch { entries, ..WorldBatch::default() }).await.unwrap();
}

fn entries() -> Vec<StoredEntry> {
    let mut world = World::new();
    world.add_provider(provider("cp-1")).unwrap();
    let mut scanner = bridge::Scanner::new(provider("cp-1").plan());
    let sample = sample(1);
    let at = Now { station: Instant(1_000), wall_ms: sample.received_ms };
    world.apply(&ProviderId("cp-1".into()), &sample, scanner.scan(&sample), at);
    let entry = world.entry("person.location").unwrap().stored(at);
    let named =
        |n: usize| StoredEntry { key: world::Key::new(&format!("person-{n}.location")).unwrap(), ..entry.clone() };
    (0..BATCH).map(named).collect()
}
