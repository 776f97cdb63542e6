//! Costs of the safety engine, each figure against a floor of the same run. `cargo xtask bench safety` runs it.
//!
//! Wall-clock figures are for people on a quiet machine: nothing fails because of them.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot be set up has failed")]

#[path = "safety/gate.rs"]
mod gate;
#[path = "safety/load.rs"]
mod load;
#[path = "safety/measure.rs"]
mod measure;
#[path = "safety/report.rs"]
mod report;
#[path = "safety/stopping.rs"]
mod stopping;
#[path = "safety/zones.rs"]
mod zones;

#[tokio::main]
async fn main() {
    let mut rows = zones::rows();
    rows.extend(gate::rows().await);
    rows.extend(stopping::rows().await);
    report::write("safety", &rows).expect("the report could not be written");
}
