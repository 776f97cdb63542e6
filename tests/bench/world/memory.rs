//! What the write-behind stores, against one commit for each row at the same level.

use memory::{AgentDb, WorldBatch};
use robot::{Instant, Now};
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
    let (mut one_by_one, mut batched, mut ratios) = (latencies(), latencies(), Vec::new());
    for _ in 0..ROUNDS {
        let single_began = now();
        for entry in entries.iter().take(SINGLE) {
            let began = now();
            save(&db, vec![entry.clone()]).await;
            add(&mut one_by_one, began.elapsed());
        }
        let single_s = single_began.elapsed().as_secs_f64() / SINGLE as f64;
        let began = now();
        save(&db, entries.clone()).await;
        let took = began.elapsed();
        add(&mut batched, took);
        ratios.push(single_s / (took.as_secs_f64() / BATCH as f64));
    }
    ratios.sort_by(f64::total_cmp);
    let ratios = [ratios[0], ratios[ROUNDS / 2], ratios[ROUNDS - 1]];
    let against = Some(("a commit a row, per row", ratios, one_by_one));
    let goal = "ratio >= 100; a batch well within 250 ms";
    vec![Row { id: "PF-02", what: format!("{BATCH} keys to disk in a batch"), against, latencies: batched, goal }]
}

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
