//! Costs of a turn beside its model, each figure against a floor of the same run. `cargo xtask bench agent` runs it.
//!
//! Wall-clock figures are for people on a quiet machine: nothing fails because of them.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot be set up has failed")]

#[path = "safety/measure.rs"]
mod measure;
#[path = "memory/records.rs"]
mod records;
#[path = "safety/report.rs"]
mod report;
#[path = "memory/turn.rs"]
mod turn;
#[path = "agent/words.rs"]
mod words;

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().expect("no folder for the records");
    let mut rows = turn::rows(&records::indexed(folder.path()).await);
    rows.extend(words::rows().await);
    report::write("agent", &rows).expect("the report could not be written");
}
