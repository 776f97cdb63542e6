//! Costs of remembering, each figure against a floor of the same run. `cargo xtask bench memory` runs it.
//!
//! Wall-clock figures are for people on a quiet machine: nothing fails because of them.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot be set up has failed")]

#[path = "memory/beliefs.rs"]
mod beliefs;
#[path = "safety/measure.rs"]
mod measure;
#[path = "memory/records.rs"]
mod records;
#[path = "safety/report.rs"]
mod report;
#[path = "memory/searching.rs"]
mod searching;
#[path = "memory/turn.rs"]
mod turn;

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().expect("no folder for the records");
    let db = records::indexed(folder.path()).await;
    let mut rows = turn::rows(&db);
    rows.extend(beliefs::rows());
    rows.extend(searching::rows(folder.path(), &db).await);
    report::write("memory", &rows).expect("the report could not be written");
}
