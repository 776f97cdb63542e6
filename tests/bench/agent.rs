//! What stands between a model and a person, against a plain client of the same run. `cargo xtask bench agent` runs it.
//!
//! Wall-clock figures are for people on a quiet machine: nothing fails because of them.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot be set up has failed")]

#[path = "safety/measure.rs"]
mod measure;
#[path = "safety/report.rs"]
mod report;
#[path = "agent/words.rs"]
mod words;

#[tokio::main]
async fn main() {
    let rows = words::rows().await;
    report::write("agent", &rows).expect("the report could not be written");
}
