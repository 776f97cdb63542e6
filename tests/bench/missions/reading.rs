//! P18: the missions that may start are worked out. P24: a list of a thousand missions, a tenth of them active, and their
//! graph. The processor time of a thousand that wait.

use std::collections::BTreeMap;
use std::time::Duration;

use missions::graph::{GraphNode, Standing, evaluate};
use quarterdeck_tests::Site;
use robot::MissionId;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use crate::measure::{add, compare, latencies};
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

/// Seconds for which the processor time of missions that wait is looked at.
const IDLE_S: u64 = 20;

/// A row for each of these.
pub async fn rows() -> Vec<Row> {
    let site = Site::start_empty().await.unwrap();
    for number in 0..MISSIONS {
        let path = site.data_dir().join(format!("agents/main/missions/{}.md", id(number)));
        std::fs::write(path, text(number)).unwrap();
    }
    until_compiled(&site).await;
    let none_active = idle("a second with 1,000 missions, none active").await;
    for number in (0..MISSIONS).step_by(ACTIVE_EVERY) {
        site.activate(&id(number)).await.unwrap();
    }
    let list = row(&site, "list_missions", "the list of 1,000 missions").await;
    let graph = row(&site, "mission_graph", "the graph of 1,000 missions, 4 edges each").await;
    for number in (0..MISSIONS).filter(|number| number % ACTIVE_EVERY != 0) {
        site.activate(&id(number)).await.unwrap();
    }
    let all_active = idle("a second with 1,000 active missions that wait").await;
    site.api.shutdown().await;
    vec![evaluated(), list, graph, none_active, all_active]
}

/// The evaluation of a graph of a thousand missions, against one of ten thousand.
fn evaluated() -> Row {
    let graph = |missions: usize| -> BTreeMap<MissionId, GraphNode> {
        let node = |number: usize| GraphNode {
            standing: Standing::Held,
            depends_on: before(number).map(|id| id.parse().unwrap()).collect(),
            parent: None,
            goes_on: false,
        };
        (0..missions).map(|number| (id(number).parse().unwrap(), node(number))).collect()
    };
    let (small, large) = (graph(MISSIONS), graph(10 * MISSIONS));
    let compared = compare(RUNS, |_| evaluate(&large), |_| evaluate(&small));
    let what = "1,000 missions, which of them may start".to_owned();
    Row::compared("P18", what, "10,000 of them", compared, "p99 <= 1 ms, floor/ours <= 12")
}

/// Processor time of this process in each of some seconds.
async fn idle(what: &str) -> Row {
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    // What was done before comes to its end.
    for _ in 0..5 {
        seconds.tick().await;
    }
    let used = || Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap();
    let (mut before, mut of_seconds) = (used(), latencies());
    for _ in 0..IDLE_S {
        seconds.tick().await;
        let now = used();
        add(&mut of_seconds, now - before);
        before = now;
    }
    let goal = "p50 <= 5 ms, 0.5 % of a core";
    Row { id: "P24", what: what.to_owned(), against: None, latencies: of_seconds, goal }
}

fn id(number: usize) -> String {
    format!("m-{number:04}")
}

fn before(number: usize) -> impl Iterator<Item = String> {
    (1..=BEFORE).filter_map(move |step| number.checked_sub(step * step)).map(id)
}

fn text(number: usize) -> String {
    let before: Vec<String> = before(number).collect();
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
