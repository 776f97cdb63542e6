//! Measurements and long runs that `make test` has no time for: benchmarks, and fuzzing for as long as one likes.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// What can be measured.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Area {
    /// What a turn is told, and its first word on the way to a person
    Agent,
    /// Searching 100,000 records, and what a turn is told
    Memory,
    /// The judgement, the gate, the monitor and STOP ALL
    Safety,
    /// Samples to world state, rules, snapshots and the disk
    World,
}

/// Runs the benchmarks of `area`; the table goes to the screen, the figures to `target/bench/report.json`.
pub fn bench(root: &Path, area: Area) -> anyhow::Result<()> {
    let name = match area {
        Area::Agent => "agent",
        Area::Memory => "memory",
        Area::Safety => "safety",
        Area::World => "world",
    };
    run(root, Command::new("cargo").args(["bench", "--package", "quarterdeck-tests", "--bench", name]))
}

/// Puts changed inputs into `target`, or into all targets one after the other, for `seconds` each.
pub fn fuzz(root: &Path, seconds: u64, target: Option<&str>) -> anyhow::Result<()> {
    let milliseconds = seconds.saturating_mul(1_000).to_string();
    let mut command = Command::new("cargo");
    command.args(["test", "--package", "quarterdeck-tests", "--test", "fuzz", "--"]);
    command.args(["--test-threads", "1", "--nocapture"]).args(target);
    run(root, command.env("BOLERO_RANDOM_TEST_TIME_MS", milliseconds))
}

fn run(root: &Path, command: &mut Command) -> anyhow::Result<()> {
    let status = command.current_dir(root).status().context("cargo could not be started")?;
    if !status.success() {
        bail!("it failed: {status}");
    }
    Ok(())
}
