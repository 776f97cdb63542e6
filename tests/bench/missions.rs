//! Costs of many missions, each figure against a floor of the same run. `cargo xtask bench missions` runs it.
//!
//! Wall-clock figures are for people on a quiet machine: nothing fails because of them.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot be set up has failed")]

#[path = "safety/measure.rs"]
mod measure;
#[path = "missions/reading.rs"]
mod reading;
#[path = "safety/report.rs"]
mod report;

#[tokio::main]
async fn main() {
    let rows = reading::rows().await;
    report::write("missions", &rows).expect("the report could not be written");
}
