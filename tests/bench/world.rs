//! Costs of tier 0, each figure against a floor or a peer of the same run. `cargo xtask bench world` runs it.
//!
//! Wall-clock figures are for people on a quiet machine: nothing fails because of them.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot be set up has failed")]

#[path = "world/link.rs"]
mod link;
#[path = "safety/measure.rs"]
mod measure;
#[path = "world/memory.rs"]
mod memory;
#[path = "world/pure.rs"]
mod pure;
#[path = "safety/report.rs"]
mod report;

#[tokio::main]
async fn main() {
    let mut rows = pure::rows();
    rows.extend(memory::rows().await);
    rows.extend(link::rows().await);
    report::write("world", &rows).expect("the report could not be written");
}
