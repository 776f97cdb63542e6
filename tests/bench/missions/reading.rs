//! P24: a list of a thousand missions, a tenth of them active, and their graph.

use std::time::Duration;

use quarterdeck_tests::Site;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use crate::measure::compare;
use crate::report::Row;

/// Missions of the agent.
const MISSIONS: usize = 1_000;
/// Missions that each waits for, as far as there are so many before it.
const BEFORE: usize = 4;
/// Every so manyth mission is active.
const ACTIVE_EVERY: usize = 10;
/// Answers of each arm in a quarter of a round.
const RUNS: usize = 3;
/// Time between two looks whether every file is compiled.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// A row for the list and one for the graph.
pub async fn rows() -> Vec<Row> {
    let site = Site::start_empty().await.unwrap();
    for number in 0..MISSIONS {
        let path = site.data_dir().join(format!("agents/main/missions/{}.md", id(number)));
        std::fs::write(path, text(number)).unwrap();
    }
    until_compiled(&site).await;
    for number in (0..MISSIONS).step_by(ACTIVE_EVERY) {
        site.activate(&id(number)).await.unwrap();
    }
    let list = row(&site, "list_missions", "the list of 1,000 missions").await;
    let graph = row(&site, "mission_graph", "the graph of 1,000 missions, 4 edges each").await;
    site.api.shutdown().await;
    vec![list, graph]
}

fn id(number: usize) -> String {
    format!("m-{number:04}")
}

fn text(number: usize) -> String {
    let before: Vec<String> = (1..=BEFORE).filter_map(|step| number.checked_sub(step * step)).map(id).collect();
    format!("---\ndepends_on: [{}]\ngoals: [{{wait_secs: 60}}, Look at the gate]\n---\nGuard it.\n", before.join(", "))
}

/// The files are compiled in the background: before that a list tells less of them.
async fn until_compiled(site: &Site) {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    loop {
        looks.tick().await;
        let rows = site.get("list_missions", json!({})).await.unwrap();
        let rows = rows.as_array().unwrap();
        if rows.len() == MISSIONS && rows.iter().all(|row| row["compiled_at"].is_i64()) {
            return;
        }
    }
}

/// The answer of an operation, against its own bytes written from memory.
async fn row(site: &Site, operation: &str, what: &str) -> Row {
    let handle = Handle::current();
    let answer: Value = site.get(operation, json!({})).await.unwrap();
    let written = |_| serde_json::to_vec(&answer).unwrap().len();
    let asked = |_| {
        let answer = handle.block_on(site.get(operation, json!({}))).unwrap();
        serde_json::to_vec(&answer).unwrap().len()
    };
    let compared = block_in_place(|| compare(RUNS, written, asked));
    Row::compared("P24", what.into(), "the bytes of the answer written", compared, "p99 <= 20 ms")
}
